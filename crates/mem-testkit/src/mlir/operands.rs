//! Views of buffers as operands: strided, multi-dimensional and transposed parts.

use super::{Buffer, Generator, Scope};

/// A memref of `f32` with any layout.
#[derive(Clone)]
pub(super) struct View {
    pub name: String,
    pub shape: Vec<usize>,
    strides: Vec<usize>,
    /// `None`: known only at run time.
    offset: Option<usize>,
    /// Whether its type states strides and offset.
    has_layout: bool,
}

impl View {
    pub(super) fn dense(name: String, shape: &[usize]) -> Self {
        let strides = (0..shape.len()).map(|d| shape[d + 1..].iter().product());
        Self {
            name,
            shape: shape.to_vec(),
            strides: strides.collect(),
            offset: Some(0),
            has_layout: false,
        }
    }

    pub(super) fn of(buffer: &Buffer) -> Self {
        Self::dense(buffer.name.clone(), &[buffer.size])
    }

    /// A contiguous one-dimensional view at an offset known only at run time.
    pub(super) fn anywhere(name: String, size: usize) -> Self {
        Self {
            offset: None,
            has_layout: true,
            ..Self::dense(name, &[size])
        }
    }

    pub(super) fn size(&self) -> usize {
        self.shape.iter().product()
    }

    pub(super) fn ty(&self) -> String {
        let shape: String = self.shape.iter().map(|n| format!("{n}x")).collect();
        if !self.has_layout {
            return format!("memref<{shape}f32>");
        }
        let strides: Vec<String> = self.strides.iter().map(usize::to_string).collect();
        let offset = self.offset.map_or("?".to_owned(), |n| n.to_string());
        format!(
            "memref<{shape}f32, strided<[{}], offset: {offset}>>",
            strides.join(", ")
        )
    }
}

impl Generator<'_> {
    /// One-dimensional memrefs to take views of; constants only if the view is read.
    fn roots(&self, scope: &Scope, count: usize, reads: bool) -> Vec<View> {
        let constants = scope.constants.iter().filter(|_| reads);
        let buffers = scope.buffers.iter().chain(constants).map(View::of);
        let all = buffers.chain(scope.views.iter().cloned());
        all.filter(|root| root.size() >= count).collect()
    }

    /// A memref with at least `count` elements to take a view of. Often `near`, so that operands
    /// overlap.
    pub(super) fn root(
        &mut self,
        scope: &mut Scope,
        count: usize,
        near: Option<&View>,
        reads: bool,
    ) -> View {
        if let Some(near) = near.filter(|near| near.size() >= count)
            && self.rng.chance(50)
        {
            return near.clone();
        }
        let roots = self.roots(scope, count, reads);
        if roots.is_empty() || self.rng.chance(15) {
            let size = count + self.rng.below(4);
            let buffer = self.new_buffer(scope, size);
            scope.buffers.push(buffer.clone());
            return View::of(&buffer);
        }
        roots[self.rng.below(roots.len())].clone()
    }

    /// A view of the given shape.
    pub(super) fn view_of(&mut self, scope: &Scope, root: &View, shape: &[usize]) -> View {
        if shape.len() == 2 && self.rng.chance(35) {
            let turned = self.view_of(scope, root, &[shape[1], shape[0]]);
            return self.transposed(scope, &turned);
        }
        let row = self.row(scope, root, shape.iter().product());
        if shape.len() == 1 {
            return row;
        }
        let dense = View::dense(String::new(), shape);
        let mut view = View {
            strides: dense.strides.iter().map(|s| s * row.strides[0]).collect(),
            offset: row.offset,
            // An identity layout is dropped from the type.
            has_layout: row.strides != [1] || row.offset != Some(0),
            ..dense
        };
        let dimensions: Vec<String> = (0..shape.len()).map(|d| d.to_string()).collect();
        let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
        let text = format!(
            "memref.expand_shape {} [[{}]] output_shape [{}] : {} into {}",
            row.name,
            dimensions.join(", "),
            sizes.join(", "),
            row.ty(),
            view.ty()
        );
        view.name = self.value(scope, &text);
        view
    }

    fn transposed(&mut self, scope: &Scope, view: &View) -> View {
        let mut turned = view.clone();
        turned.shape.reverse();
        turned.strides.reverse();
        turned.has_layout = true;
        let (from, to) = (view.ty(), turned.ty());
        let text = format!(
            "memref.transpose {} (i, j) -> (j, i) : {from} to {to}",
            view.name
        );
        turned.name = self.value(scope, &text);
        turned
    }

    /// A row of elements of a root, perhaps strided; usually the root itself if it has exactly that
    /// many.
    fn row(&mut self, scope: &Scope, root: &View, count: usize) -> View {
        if count == root.size() && self.rng.chance(80) {
            return root.clone();
        }
        let stride = match 2 * count <= root.size() && self.rng.chance(30) {
            true => 2,
            false => 1,
        };
        self.subview(scope, root, count, stride)
    }

    fn subview(&mut self, scope: &Scope, root: &View, count: usize, stride: usize) -> View {
        let start = self.rng.below(root.size() - (count - 1) * stride);
        let mut part = View {
            name: String::new(),
            shape: vec![count],
            strides: vec![stride * root.strides[0]],
            offset: root.offset.map(|offset| offset + start * root.strides[0]),
            has_layout: true,
        };
        let (from, to) = (root.ty(), part.ty());
        let text = format!(
            "memref.subview {}[{start}] [{count}] [{stride}] : {from} to {to}",
            root.name
        );
        part.name = self.value(scope, &text);
        part
    }

    /// Eight consecutive elements at an offset known only at run time.
    pub(super) fn anywhere(&mut self, scope: &Scope, root: &View) -> String {
        let part = self.subview(scope, root, 8, 1);
        let (from, to) = (part.ty(), View::anywhere(String::new(), 8).ty());
        match from == to {
            true => part.name,
            false => self.value(
                scope,
                &format!("memref.cast {} : {from} to {to}", part.name),
            ),
        }
    }
}
