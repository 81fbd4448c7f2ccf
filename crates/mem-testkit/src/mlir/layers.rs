//! Random networks of layers, as operations on buffers: what tiling divides.
//!
//! Convolutions, also depthwise, and pooling with strides and dilations, padding, elementwise operations in place and
//! out of place, residual connections, concatenation, slices, reshapes, matrix products, attention
//! with and without heads, reductions of rows, and operations that depend on their indices or load
//! elements themselves. Weights may be copied to another order first. As in training steps, scalars are
//! summed up and stored in between, and rows are summed up to products of columns.

use crate::Rng;

/// A tensor: its value, and its rows, columns and channels.
#[derive(Clone)]
pub(super) struct Layer {
    value: String,
    shape: [usize; 3],
}

/// Operations on windows of rows and columns.
#[derive(Clone, Copy)]
enum Window {
    Convolution,
    Depthwise,
    Pooling,
}

pub(super) struct Network<'r> {
    rng: &'r mut Rng,
    text: String,
    arguments: Vec<String>,
    next: usize,
    layers: Vec<Layer>,
    /// Whether most windows have one element and move by several.
    is_sparse: bool,
}

/// Generates a module with a function `main` of about `n_layers` layers on tensors of up to about a
/// dozen rows. The last layers are copied to arguments.
#[must_use]
pub fn random_layers(rng: &mut Rng, n_layers: usize) -> String {
    random_network(rng, n_layers, false)
}

/// As [`random_layers`], of convolutions, pooling, sums and elementwise operations, many of which read every
/// second or third element.
#[must_use]
pub fn random_sparse_layers(rng: &mut Rng, n_layers: usize) -> String {
    random_network(rng, n_layers, true)
}

fn random_network(rng: &mut Rng, n_layers: usize, is_sparse: bool) -> String {
    let mut network = Network {
        is_sparse,
        rng,
        text: String::new(),
        arguments: Vec::new(),
        next: 0,
        layers: Vec::new(),
    };
    let shape = [
        network.rng.between(5, 13),
        network.rng.between(2, 5),
        network.rng.between(1, 3),
    ];
    let value = network.argument(&full(shape));
    network.layers.push(Layer { value, shape });
    for _ in 0..n_layers {
        network.layer();
    }
    let outputs = if network.rng.chance(25) { 2 } else { 1 };
    for layer in network
        .layers
        .iter()
        .rev()
        .take(outputs)
        .cloned()
        .collect::<Vec<_>>()
    {
        let ty = full(layer.shape);
        let result = network.argument(&ty);
        network.line(&format!(
            "memref.copy {}, {result} : {ty} to {ty}",
            layer.value
        ));
    }
    let arguments = network.arguments.join(", ");
    format!(
        "{MAPS}func.func @main({arguments}) {{\n  %zero = arith.constant 0.0 : f32\n{}  return\n}}\n",
        network.text
    )
}

const MAPS: &str = "#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
#row = affine_map<(h, d) -> (h)>
#both = affine_map<(h, d) -> (h, d)>
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
#ki = affine_map<(i, j, k) -> (k, i)>
#kj = affine_map<(i, j, k) -> (k, j)>
#one = affine_map<(h) -> (h)>
#none = affine_map<(h) -> ()>
#ijk = affine_map<(i, j, k) -> (i, j, k)>
";

fn full([h, w, c]: [usize; 3]) -> String {
    format!("memref<1x{h}x{w}x{c}xf32>")
}

pub(super) fn matrix([h, d]: [usize; 2]) -> String {
    memref(&[h, d])
}

fn memref(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
    format!("memref<{}xf32>", sizes.join("x"))
}

impl Network<'_> {
    pub(super) fn line(&mut self, text: &str) {
        self.text.push_str(&format!("  {text}\n"));
    }

    fn name(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn argument(&mut self, ty: &str) -> String {
        let name = format!("%a{}", self.arguments.len());
        self.arguments.push(format!("{name}: {ty}"));
        name
    }

    /// Weights of a shape: an argument, or a copy of one in another order. The argument may be overwritten
    /// before the copy is read.
    fn weights(&mut self, shape: &[usize]) -> String {
        let ty = memref(shape);
        if !self.rng.chance(40) {
            return self.argument(&ty);
        }
        let mut rest: Vec<usize> = (0..shape.len()).collect();
        let (mut sizes, mut indices) = (Vec::new(), Vec::new());
        while !rest.is_empty() {
            let own = rest.remove(self.rng.below(rest.len()));
            sizes.push(shape[own]);
            indices.push(match self.rng.chance(30) {
                true => format!("{} - d{own}", shape[own] - 1),
                false => format!("d{own}"),
            });
        }
        let from = memref(&sizes);
        let source = self.argument(&from);
        let copy = self.alloc(&ty);
        let dimensions: Vec<String> = (0..shape.len()).map(|own| format!("d{own}")).collect();
        let dimensions = dimensions.join(", ");
        let kinds = vec!["\"parallel\""; shape.len()].join(", ");
        self.line(&format!(
            "linalg.generic {{iterator_types = [{kinds}], indexing_maps = [affine_map<({dimensions}) -> \
             ({})>, affine_map<({dimensions}) -> ({dimensions})>]}} ins({source} : {from}) outs({copy} : {ty}) \
             {{\n  ^bb0(%i: f32, %o: f32):\n    linalg.yield %i : f32\n  }}",
            indices.join(", ")
        ));
        if self.rng.chance(20) {
            self.line(&format!(
                "linalg.fill ins(%zero : f32) outs({source} : {from})"
            ));
        }
        copy
    }

    pub(super) fn define(&mut self, operation: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {operation}"));
        name
    }

    pub(super) fn alloc(&mut self, ty: &str) -> String {
        self.define(&format!("memref.alloc() : {ty}"))
    }

    /// A new tensor of zeros.
    pub(super) fn zeros(&mut self, ty: &str) -> String {
        let value = self.alloc(ty);
        self.line(&format!(
            "linalg.fill ins(%zero : f32) outs({value} : {ty})"
        ));
        value
    }

    fn pick(&mut self) -> Layer {
        // Recent tensors are more likely, so that chains are long.
        let back = self.rng.below(3).min(self.layers.len() - 1);
        let back = if self.rng.chance(10) {
            self.rng.below(self.layers.len())
        } else {
            back / 2
        };
        self.layers[self.layers.len() - 1 - back].clone()
    }

    fn push(&mut self, value: String, shape: [usize; 3]) {
        self.layers.push(Layer { value, shape });
    }

    fn layer(&mut self) {
        let source = self.pick();
        let kind = match self.is_sparse {
            true => [0, 1, 3, 6, 8, 12][self.rng.below(6)],
            false => self.rng.below(19),
        };
        match kind {
            0..=2 => self.window(&source, Window::Convolution),
            3 => self.window(&source, Window::Pooling),
            4 | 5 => self.pad(&source),
            6 => self.elementwise(&source),
            7 => self.indexed(&source),
            8 => self.residual(&source),
            9 => self.concatenation(&source),
            10 => self.slice(&source),
            11 => self.product(&source),
            12 => self.window(&source, Window::Depthwise),
            13 => self.heads(&source),
            14 => self.loading(&source),
            15 => self.loss(&source),
            16 | 17 => self.gradient(&source),
            _ => self.attention(&source),
        }
    }

    fn window(&mut self, source: &Layer, kind: Window) {
        let [h, w, c] = source.shape;
        let (mut k, mut stride, dilation) = (
            self.rng.between(1, 3),
            self.rng.between(1, 2),
            self.rng.between(1, 2),
        );
        if self.is_sparse && self.rng.chance(50) {
            (k, stride) = (1, self.rng.between(2, 3));
        }
        let reach = dilation * (k - 1) + 1;
        if reach > h.min(w) {
            return;
        }
        let size = |n: usize| (n - reach) / stride + 1;
        let channels = match kind {
            Window::Convolution => self.rng.between(1, 3),
            Window::Depthwise | Window::Pooling => c,
        };
        let out = [size(h), size(w), channels];
        let (ty, from) = (full(out), full(source.shape));
        let (name, kernel) = match kind {
            Window::Convolution => ("conv_2d_nhwc_hwcf", vec![k, k, c, channels]),
            Window::Depthwise => ("depthwise_conv_2d_nhwc_hwc", vec![k, k, c]),
            Window::Pooling => ("pooling_nhwc_max", vec![k, k]),
        };
        let weights = self.weights(&kernel);
        let kernel = memref(&kernel);
        let value = self.zeros(&ty);
        self.line(&format!(
            "linalg.{name} {{dilations = dense<{dilation}> : tensor<2xi64>, strides = dense<{stride}> : \
             tensor<2xi64>}} ins({}, {weights} : {from}, {kernel}) outs({value} : {ty})",
            source.value
        ));
        self.push(value, out);
    }

    fn pad(&mut self, source: &Layer) {
        let [h, w, c] = source.shape;
        let [top, bottom, left] = [0; 3].map(|_: usize| self.rng.below(3));
        let out = [h + top + bottom, w + left, c];
        let (ty, from) = (full(out), full(source.shape));
        let value = self.zeros(&ty);
        self.copy_into(
            &source.value,
            &from,
            (&value, out),
            ([top, left, 0], source.shape),
        );
        self.push(value, out);
    }

    /// Copies a tensor to a part of another one.
    fn copy_into(
        &mut self,
        source: &str,
        from: &str,
        (target, shape): (&str, [usize; 3]),
        ([y, x, z], [h, w, c]): ([usize; 3], [usize; 3]),
    ) {
        let view = strided(shape, [y, x, z], [h, w, c]);
        let part = self.define(&format!(
            "memref.subview {target}[0, {y}, {x}, {z}] [1, {h}, {w}, {c}] [1, 1, 1, 1] : {} to {view}",
            full(shape)
        ));
        self.line(&format!("memref.copy {source}, {part} : {from} to {view}"));
    }

    fn elementwise(&mut self, source: &Layer) {
        let ty = full(source.shape);
        let is_in_place = self.rng.chance(30) && source.value.starts_with("%v");
        let head = "linalg.generic {iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"parallel\"], indexing_maps =";
        if is_in_place {
            self.line(&format!(
                "{head} [#id]}} outs({} : {ty}) {{\n  ^bb0(%o: f32):\n    %r = arith.addf %o, %o : f32\n    \
                 linalg.yield %r : f32\n  }}",
                source.value
            ));
            return;
        }
        let value = self.alloc(&ty);
        self.line(&format!(
            "{head} [#id, #id]}} ins({} : {ty}) outs({value} : {ty}) {{\n  ^bb0(%i: f32, %o: f32):\n    \
             %r = arith.maximumf %i, %zero : f32\n    linalg.yield %r : f32\n  }}",
            source.value
        ));
        self.push(value, source.shape);
    }

    /// Adds a number that depends on the row and the column.
    fn indexed(&mut self, source: &Layer) {
        let ty = full(source.shape);
        let value = self.alloc(&ty);
        self.line(&format!(
            "linalg.generic {{iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"parallel\"], \
             indexing_maps = [#id, #id]}} ins({} : {ty}) outs({value} : {ty}) {{\n  ^bb0(%i: f32, %o: \
             f32):\n    %y = linalg.index 1 : index\n    %x = linalg.index 2 : index\n    %d = arith.muli \
             %y, %x : index\n    %s = arith.addi %d, %y : index\n    %n = arith.index_cast %s : index to \
             i32\n    %f = arith.sitofp %n : i32 to f32\n    %r = arith.addf %i, %f : f32\n    \
             linalg.yield %r : f32\n  }}",
            source.value
        ));
        self.push(value, source.shape);
    }

    /// Adds an element that the body loads itself: of the opposite row, of one that is not linear in the
    /// indices, or of the next row but one, which leaves out the first two rows.
    fn loading(&mut self, source: &Layer) {
        let ([h, w, c], ty) = (source.shape, full(source.shape));
        let (row, rows) = match self.rng.below(3) {
            0 => ("%row = arith.subi %last, %y : index", h),
            1 if h > 2 => ("%row = arith.addi %y, %two : index", h - 2),
            _ => (
                "%s = arith.muli %y, %x : index\n    %row = arith.remui %s, %rows : index",
                h,
            ),
        };
        let shape = [rows, w, c];
        let target = full(shape);
        let value = self.alloc(&target);
        let (maps, inputs, element, sum) = match rows == h {
            true => (
                "#id, #id",
                format!("ins({} : {ty}) ", source.value),
                "%i: f32, ",
                "%r = arith.addf %i, %e : f32",
            ),
            false => ("#id", String::new(), "", "%r = arith.addf %e, %e : f32"),
        };
        self.line(&format!(
            "linalg.generic {{iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"parallel\"], \
             indexing_maps = [{maps}]}} {inputs}outs({value} : {target}) {{\n  ^bb0({element}%o: f32):\n    \
             %rows = arith.constant {h} : index\n    %last = arith.constant {} : index\n    %two = \
             arith.constant 2 : index\n    %n = linalg.index 0 : index\n    %y = linalg.index 1 : index\n    \
             %x = linalg.index 2 : index\n    %z = linalg.index 3 : index\n    {row}\n    %e = memref.load \
             {}[%n, %row, %x, %z] : {ty}\n    {sum}\n    linalg.yield %r : f32\n  }}",
            h - 1,
            source.value
        ));
        self.push(value, shape);
    }

    fn residual(&mut self, source: &Layer) {
        let others = self
            .layers
            .iter()
            .filter(|layer| layer.shape == source.shape);
        let others: Vec<Layer> = others.cloned().collect();
        let other = others[self.rng.below(others.len())].clone();
        let ty = full(source.shape);
        let value = self.alloc(&ty);
        self.line(&format!(
            "linalg.add ins({}, {} : {ty}, {ty}) outs({value} : {ty})",
            source.value, other.value
        ));
        self.push(value, source.shape);
    }

    /// Concatenates tensors, by channels or by rows.
    fn concatenation(&mut self, source: &Layer) {
        let same = self
            .layers
            .iter()
            .filter(|layer| layer.shape[..2] == source.shape[..2]);
        let same: Vec<Layer> = same.cloned().collect();
        let other = same[self.rng.below(same.len())].clone();
        let [h, w, c] = source.shape;
        let by_rows = other.shape == source.shape && self.rng.chance(30);
        let (out, start) = match by_rows {
            true => ([2 * h, w, c], [h, 0, 0]),
            false => ([h, w, c + other.shape[2]], [0, 0, c]),
        };
        let value = self.alloc(&full(out));
        let first = ([0, 0, 0], source.shape);
        self.copy_into(&source.value, &full(source.shape), (&value, out), first);
        let second = (start, other.shape);
        self.copy_into(&other.value, &full(other.shape), (&value, out), second);
        self.push(value, out);
    }

    /// Copies a part of a tensor.
    fn slice(&mut self, source: &Layer) {
        let [h, w, c] = source.shape;
        let [top, left] = [h, w].map(|n| self.rng.below(n.min(3)));
        let out = [h - top, w - left, c];
        let view = strided(source.shape, [top, left, 0], out);
        let part = self.define(&format!(
            "memref.subview {}[0, {top}, {left}, 0] [1, {}, {}, {c}] [1, 1, 1, 1] : {} to {view}",
            source.value,
            out[0],
            out[1],
            full(source.shape)
        ));
        let ty = full(out);
        let value = self.alloc(&ty);
        self.line(&format!("memref.copy {part}, {value} : {view} to {ty}"));
        self.push(value, out);
    }

    /// A tensor as a matrix of its rows.
    pub(super) fn as_matrix(&mut self, layer: &Layer) -> (String, [usize; 2]) {
        let [h, w, c] = layer.shape;
        let shape = [h, w * c];
        let value = self.define(&format!(
            "memref.collapse_shape {} [[0, 1], [2, 3]] : {} into {}",
            layer.value,
            full(layer.shape),
            matrix(shape)
        ));
        (value, shape)
    }

    /// A matrix as a tensor.
    pub(super) fn push_matrix(&mut self, value: &str, [h, d]: [usize; 2]) {
        let w = (1..=d)
            .rev()
            .find(|w| d.is_multiple_of(*w) && *w <= 4)
            .unwrap_or(1);
        let shape = [h, w, d / w];
        let value = self.define(&format!(
            "memref.expand_shape {value} [[0, 1], [2, 3]] output_shape [1, {h}, {w}, {}] : {} into {}",
            d / w, matrix([h, d]), full(shape)
        ));
        self.push(value, shape);
    }

    fn product(&mut self, source: &Layer) {
        let (value, [h, d]) = self.as_matrix(source);
        let n = self.rng.between(1, 6);
        let (from, kernel, ty) = (matrix([h, d]), matrix([d, n]), matrix([h, n]));
        let weights = self.weights(&[d, n]);
        let result = self.zeros(&ty);
        self.line(&format!(
            "linalg.matmul ins({value}, {weights} : {from}, {kernel}) outs({result} : {ty})"
        ));
        self.push_matrix(&result, [h, n]);
    }

    /// Stores the negative sum of the sums of all rows in an argument.
    fn loss(&mut self, source: &Layer) {
        let (value, [h, d]) = self.as_matrix(source);
        let (from, rows) = (matrix([h, d]), format!("memref<{h}xf32>"));
        let sums = self.zeros(&rows);
        self.line(&format!(
            "linalg.generic {{iterator_types = [\"parallel\", \"reduction\"], indexing_maps = [#both, #row]}} \
             ins({value} : {from}) outs({sums} : {rows}) {{\n  ^bb0(%i: f32, %o: f32):\n    %r = arith.addf \
             %o, %i : f32\n    linalg.yield %r : f32\n  }}"
        ));
        let total = self.zeros("memref<f32>");
        self.line(&format!(
            "linalg.generic {{iterator_types = [\"reduction\"], indexing_maps = [#one, #none]}} ins({sums} : \
             {rows}) outs({total} : memref<f32>) {{\n  ^bb0(%i: f32, %o: f32):\n    %r = arith.addf %o, %i : \
             f32\n    linalg.yield %r : f32\n  }}"
        ));
        let result = format!("%a{}", self.arguments.len());
        self.arguments
            .push(format!("{result}: memref<f32> {{bufferize.result}}"));
        let loaded = self.define(&format!("memref.load {total}[] : memref<f32>"));
        let negative = self.define(&format!("arith.negf {loaded} : f32"));
        self.line(&format!(
            "memref.store {negative}, {result}[] : memref<f32>"
        ));
    }

    /// The products of all columns of two tensors with the same number of rows, summed up over the rows.
    fn gradient(&mut self, source: &Layer) {
        let same = self.layers.iter();
        let same = same.filter(|layer| layer.shape[0] == source.shape[0]);
        let same: Vec<Layer> = same.cloned().collect();
        let other = same[self.rng.below(same.len())].clone();
        let (left, [h, d]) = self.as_matrix(source);
        let (right, [_, e]) = self.as_matrix(&other);
        let (a, b, ty) = (matrix([h, d]), matrix([h, e]), matrix([d, e]));
        let result = self.zeros(&ty);
        let (types, maps) = match self.rng.chance(50) {
            true => ("\"parallel\", \"parallel\", \"reduction\"", "#ki, #kj, #ij"),
            false => ("\"reduction\", \"parallel\", \"parallel\"", "#ij, #ik, #jk"),
        };
        self.line(&format!(
            "linalg.generic {{iterator_types = [{types}], indexing_maps = [{maps}]}} ins({left}, {right} : {a}, \
             {b}) outs({result} : {ty}) {{\n  ^bb0(%a: f32, %b: f32, %o: f32):\n    %p = arith.mulf %a, %b : \
             f32\n    %r = arith.addf %o, %p : f32\n    linalg.yield %r : f32\n  }}"
        ));
        self.push_matrix(&result, [d, e]);
    }

    /// Scores of all pairs of rows, minus the largest of each row, times the rows.
    fn attention(&mut self, source: &Layer) {
        let (value, [h, d]) = self.as_matrix(source);
        let (from, square) = (matrix([h, d]), matrix([h, h]));
        let scores = self.zeros(&square);
        self.line(&format!(
            "linalg.generic {{iterator_types = [\"parallel\", \"parallel\", \"reduction\"], indexing_maps = \
             [#ik, #jk, #ij]}} ins({value}, {value} : {from}, {from}) outs({scores} : {square}) {{\n  \
             ^bb0(%a: f32, %b: f32, %o: f32):\n    %p = arith.mulf %a, %b : f32\n    %r = arith.addf %o, \
             %p : f32\n    linalg.yield %r : f32\n  }}"
        ));
        let rows = format!("memref<{h}xf32>");
        let largest = self.zeros(&rows);
        self.line(&format!(
            "linalg.generic {{iterator_types = [\"parallel\", \"reduction\"], indexing_maps = [#both, #row]}} \
             ins({scores} : {square}) outs({largest} : {rows}) {{\n  ^bb0(%i: f32, %o: f32):\n    %r = \
             arith.maximumf %i, %o : f32\n    linalg.yield %r : f32\n  }}"
        ));
        let reduced = self.alloc(&square);
        self.line(&format!(
            "linalg.generic {{iterator_types = [\"parallel\", \"parallel\"], indexing_maps = [#both, #row, \
             #both]}} ins({scores}, {largest} : {square}, {rows}) outs({reduced} : {square}) {{\n  \
             ^bb0(%i: f32, %m: f32, %o: f32):\n    %r = arith.subf %i, %m : f32\n    linalg.yield %r : \
             f32\n  }}"
        ));
        let result = self.zeros(&from);
        self.line(&format!(
            "linalg.matmul ins({reduced}, {value} : {square}, {from}) outs({result} : {from})"
        ));
        self.push_matrix(&result, [h, d]);
    }
}

/// The type of a part of a tensor of the given shape: its start, and its shape.
fn strided([height, w, c]: [usize; 3], [y, x, z]: [usize; 3], [h, ow, oc]: [usize; 3]) -> String {
    let (row, offset) = (w * c, y * w * c + x * c + z);
    let strides = format!("[{}, {row}, {c}, 1]", height * row);
    let offset = if offset == 0 {
        String::new()
    } else {
        format!(", offset: {offset}")
    };
    format!("memref<1x{h}x{ow}x{oc}xf32, strided<{strides}{offset}>>")
}
