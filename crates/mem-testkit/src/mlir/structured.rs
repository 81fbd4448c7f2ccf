//! `linalg` operations whose operands overlap their results, or are temporaries copied from them.

use super::operands::View;
use super::{Generator, Scope};

/// An input of an operation.
enum Input {
    /// A memref of a shape, with its indexing map.
    Memref(Vec<usize>, String),
    Number,
}

/// Syntax of an operation.
enum Form {
    /// `linalg.generic` with these iterators: parallel or reduction.
    Generic(&'static [bool]),
    /// The text before the operands, and the text after them.
    Named(String, String),
}

/// An operation without its operands. Maps omit the dimensions: a prefix like `(d0, d1) ->` is
/// added.
struct Plan {
    inputs: Vec<Input>,
    result: (Vec<usize>, String),
    form: Form,
}

fn memref(shape: &[usize], map: &str) -> Input {
    Input::Memref(shape.to_vec(), map.to_owned())
}

/// A map that reverses the elements.
fn reversed(size: usize) -> String {
    format!("-d0 + {}", size - 1)
}

fn generic(inputs: Vec<Input>, result: (&[usize], &str), iterators: &'static [bool]) -> Plan {
    Plan {
        inputs,
        result: (result.0.to_vec(), result.1.to_owned()),
        form: Form::Generic(iterators),
    }
}

fn named(name: &str, inputs: &[&[usize]], result: &[usize], suffix: &str) -> Plan {
    Plan {
        inputs: inputs.iter().map(|shape| memref(shape, "")).collect(),
        result: (result.to_vec(), String::new()),
        form: Form::Named(name.to_owned(), suffix.to_owned()),
    }
}

/// Iterator kinds: `true` is parallel, `false` is a reduction.
const ROW: &[bool] = &[true];
const SQUARE: &[bool] = &[true, true];
const REDUCED: &[bool] = &[true, false];

const SUBTRACT: &str = "linalg.elementwise kind=#linalg.elementwise_kind<sub>";

impl Generator<'_> {
    /// An operation on operands in scope.
    pub(super) fn structured(&mut self, scope: &mut Scope) {
        let plan = self.plan(None);
        let (shape, _) = &plan.result;
        let root = self.root(scope, shape.iter().product(), None, false);
        let result = self.view_of(scope, &root, &shape.clone());
        self.apply(scope, &plan, &result, &root);
    }

    /// An operation that writes to `target`, which has one dimension.
    pub(super) fn structured_into(&mut self, scope: &mut Scope, target: &View) {
        let plan = self.plan(Some(target.size()));
        self.apply(scope, &plan, target, target);
    }

    /// Picks the operands of `plan`, often views of `root` like `result`, and perhaps through
    /// temporaries.
    fn apply(&mut self, scope: &mut Scope, plan: &Plan, result: &View, root: &View) {
        let mut operands = Vec::new();
        for input in &plan.inputs {
            let Input::Memref(shape, _) = input else {
                let number = match self.rng.chance(50) {
                    true => self.float(scope),
                    false => self.loaded(scope),
                };
                operands.push((number, "f32".to_owned()));
                continue;
            };
            let source = self.root(scope, shape.iter().product(), Some(root), true);
            let mut operand = self.view_of(scope, &source, shape);
            if self.rng.chance(35) {
                let temporary = self.room(scope, shape);
                self.copy(scope, &operand, &temporary);
                if self.rng.chance(20) {
                    self.statement(scope);
                }
                operand = temporary;
            }
            operands.push((operand.name.clone(), operand.ty()));
        }
        if self.rng.chance(30) {
            // Computes the result elsewhere and copies it to its place.
            let temporary = self.room(scope, &result.shape);
            self.copy(scope, result, &temporary);
            self.emit(scope, plan, &operands, &temporary);
            if self.rng.chance(20) {
                self.statement(scope);
            }
            return self.copy(scope, &temporary, result);
        }
        self.emit(scope, plan, &operands, result);
    }

    /// An allocation that nothing else aliases.
    fn room(&mut self, scope: &Scope, shape: &[usize]) -> View {
        let mut view = View::dense(String::new(), shape);
        view.name = self.value(scope, &format!("memref.alloc() : {}", view.ty()));
        view
    }

    /// Copies between views that share no byte, because one of them was just allocated.
    fn copy(&mut self, scope: &Scope, from: &View, to: &View) {
        let (a, b, from, to) = (&from.name, &to.name, from.ty(), to.ty());
        let text = match self.rng.below(3) {
            0 => format!("linalg.copy ins({a} : {from}) outs({b} : {to})"),
            _ => format!("memref.copy {a}, {b} : {from} to {to}"),
        };
        self.line(scope, &text);
    }

    fn emit(&mut self, scope: &Scope, plan: &Plan, operands: &[(String, String)], result: &View) {
        let (names, types): (Vec<_>, Vec<_>) = operands.iter().cloned().unzip();
        let (names, types) = (names.join(", "), types.join(", "));
        let (name, ty) = (&result.name, result.ty());
        let groups = format!("ins({names} : {types}) outs({name} : {ty})");
        let text = match &plan.form {
            Form::Named(prefix, suffix) => format!("{prefix} {groups} {suffix}"),
            Form::Generic(iterators) => {
                let head = self.generic_head(plan, iterators);
                format!("{head} {groups} {}", self.body(operands.len()))
            }
        };
        self.line(scope, &text);
    }

    fn generic_head(&self, plan: &Plan, iterators: &[bool]) -> String {
        let dimensions = ["(d0)", "(d0, d1)", "(d0, d1, d2)"][iterators.len() - 1];
        let complete = |map: &str| format!("affine_map<{dimensions} -> ({map})>");
        let inputs = plan.inputs.iter().map(|input| match input {
            Input::Memref(_, map) => complete(map),
            Input::Number => complete(""),
        });
        let maps: Vec<String> = inputs.chain([complete(&plan.result.1)]).collect();
        let kinds = iterators.iter().map(|is_parallel| match is_parallel {
            true => "\"parallel\"",
            false => "\"reduction\"",
        });
        format!(
            "linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}}",
            maps.join(", "),
            kinds.collect::<Vec<_>>().join(", ")
        )
    }

    /// Subtracts the inputs, and in some operations the old value of the result, from one another.
    fn body(&mut self, n_inputs: usize) -> String {
        let arguments: Vec<String> = (0..=n_inputs).map(|_| self.fresh()).collect();
        let mut text = String::from("{ ^bb0(");
        text.push_str(&arguments.join(": f32, "));
        text.push_str(": f32): ");
        let reads = self.rng.chance(40);
        let mut last = arguments[0].clone();
        let n_read = n_inputs + usize::from(reads);
        for argument in &arguments[1..n_read.max(1)] {
            let next = self.fresh();
            text.push_str(&format!("{next} = arith.subf {last}, {argument} : f32 "));
            last = next;
        }
        text.push_str(&format!("linalg.yield {last} : f32 }}"));
        text
    }

    /// Picks an operation. With a `size`, its result has one dimension of that size.
    fn plan(&mut self, size: Option<usize>) -> Plan {
        if size.is_none() && self.rng.chance(45) {
            return self.plane();
        }
        let n = match size {
            Some(size) => size,
            None => self.size(),
        };
        let row = [n];
        let id = || memref(&[n], "d0");
        match self.rng.below(16) {
            0 | 1 => {
                let inputs = vec![memref(&row, &reversed(n))];
                generic(inputs, (&row, "d0"), ROW)
            }
            2 => generic(vec![id()], (&row, &reversed(n)), ROW),
            3 => generic(vec![memref(&row, &reversed(n)), id()], (&row, "d0"), ROW),
            4 => generic(vec![memref(&[n + 1], "d0 + 1")], (&row, "d0"), ROW),
            5 => generic(vec![memref(&[n + 2], "d0 + 2"), id()], (&row, "d0"), ROW),
            6 => {
                let map = match n > 2 && self.rng.chance(50) {
                    true => "2",
                    false => "0",
                };
                generic(vec![memref(&row, map), id()], (&row, "d0"), ROW)
            }
            7 => generic(vec![Input::Number, id()], (&row, "d0"), ROW),
            8 => {
                let m = self.rng.between(1, 3);
                let inputs = vec![memref(&[m], "d1")];
                generic(inputs, (&row, "d0"), REDUCED)
            }
            9 => {
                let k = self.rng.between(1, 3);
                named("linalg.conv_1d", &[&[n + k - 1], &[k]], &row, "")
            }
            10 => {
                let m = self.rng.between(1, 2);
                match self.rng.chance(50) {
                    true => named("linalg.matvec", &[&[n, m], &[m]], &row, ""),
                    false => named("linalg.vecmat", &[&[m], &[m, n]], &row, ""),
                }
            }
            11 => {
                let m = self.rng.between(1, 2);
                self.reduce(&[m, n], 0)
            }
            12 => named("linalg.copy", &[&row], &row, ""),
            13 => subtraction(&row),
            14 => Plan {
                inputs: vec![Input::Number],
                result: (row.to_vec(), String::new()),
                form: Form::Named("linalg.copy".to_owned(), String::new()),
            },
            _ => match self.rng.chance(50) {
                true => named("linalg.sub", &[&row, &row], &row, ""),
                false => named("linalg.exp", &[&row], &row, ""),
            },
        }
    }

    /// Picks an operation with a result of two or three dimensions, or with a two-dimensional
    /// operand.
    fn plane(&mut self) -> Plan {
        let shapes = [[2, 4], [4, 2], [2, 2], [3, 3], [4, 4], [1, 3], [5, 1]];
        let [a, b] = self.rng.pick(&shapes).unwrap_or([2, 2]);
        let (shape, turned) = ([a, b], [b, a]);
        let id = || memref(&[a, b], "d0, d1");
        match self.rng.below(14) {
            0..=2 => named(
                "linalg.transpose",
                &[&turned],
                &shape,
                "permutation = [1, 0]",
            ),
            3 => generic(vec![memref(&turned, "d1, d0")], (&shape, "d0, d1"), SQUARE),
            4 => {
                let inputs = vec![memref(&turned, "d1, d0"), id()];
                generic(inputs, (&shape, "d0, d1"), SQUARE)
            }
            5 => named("linalg.broadcast", &[&[a]], &shape, "dimensions = [1]"),
            6 => named("linalg.broadcast", &[&[b]], &shape, "dimensions = [0]"),
            7 => {
                let inputs = vec![memref(&[b], "d1"), memref(&[a], "d0")];
                generic(inputs, (&shape, "d0, d1"), SQUARE)
            }
            8 => {
                let dimension = self.rng.below(2);
                self.reduce(&shape, dimension)
            }
            9 | 10 => {
                let k = self.rng.between(1, 3);
                named("linalg.matmul", &[&[a, k], &[k, b]], &shape, "")
            }
            11 => {
                let (h, w) = (self.rng.between(1, 2), self.rng.between(1, 2));
                let input = [a + h - 1, b + w - 1];
                named("linalg.conv_2d", &[&input, &[h, w]], &shape, "")
            }
            12 => {
                let k = self.rng.between(1, 2);
                let name = "linalg.pooling_nwc_max {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}";
                named(name, &[&[1, a + k - 1, b], &[k]], &[1, a, b], "")
            }
            _ => {
                let maps = "indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, \
                            affine_map<(d0, d1) -> (d0, d1)>]";
                named(&format!("{SUBTRACT} {maps}"), &[&shape, &[b]], &shape, "")
            }
        }
    }

    /// `linalg.reduce` along a dimension.
    fn reduce(&mut self, shape: &[usize; 2], dimension: usize) -> Plan {
        let (x, y, r) = (self.fresh(), self.fresh(), self.fresh());
        let suffix = format!(
            "dimensions = [{dimension}] ({x}: f32, {y}: f32) {{ {r} = arith.subf {y}, {x} : f32 linalg.yield {r} : f32 }}"
        );
        named("linalg.reduce", &[shape], &[shape[1 - dimension]], &suffix)
    }
}

/// Subtracts a number from each element.
fn subtraction(row: &[usize]) -> Plan {
    let maps = "indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>]";
    let mut plan = named(&format!("{SUBTRACT} {maps}"), &[row], row, "");
    plan.inputs.push(Input::Number);
    plan
}
