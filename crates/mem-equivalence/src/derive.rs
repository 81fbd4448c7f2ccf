//! Derivation of views from other views.

use std::rc::Rc;

use crate::evaluate::{Binding, Evaluator, PLANNED, State, bytes_view};
use crate::flatten::{Frame, Value};
use crate::flights::is_merge;
use crate::linear::Linear;
use crate::lost::Lost;
use crate::program::{Layout, Number, Part, ValueId, ValueType, ViewKind};
use crate::value::{Node, NodeId};
use crate::view::{Base, View, Within};

impl Evaluator<'_> {
    /// Returns the view of a whole storage as described by a value's type. `sizes`: the dynamic
    /// dimensions, outermost first.
    pub(crate) fn typed_view(&mut self, value: Value, base: Base, sizes: &[Linear]) -> View {
        match self.flat.types[value] {
            ValueType::Elements(layout) => {
                let layout = layout.clone();
                self.shaped(base, &Linear::default(), &layout, sizes)
                    .unwrap_or_else(View::unknown)
            }
            ValueType::Bytes(bytes) => bytes_view(base, *bytes),
            _ => View::unknown(),
        }
    }

    /// Returns a view of a layout whose aligned pointer is at `aligned` in `base`. Dynamic strides
    /// are taken to be those of dense rows. `None` if the layout's offset is dynamic or `sizes` is
    /// too short.
    pub(crate) fn shaped(
        &mut self,
        base: Base,
        aligned: &Linear,
        layout: &Layout,
        sizes: &[Linear],
    ) -> Option<View> {
        let element = layout.element;
        let mut sizes = sizes.iter();
        let mut of_dims = Vec::with_capacity(layout.dims.len());
        for (size, _) in &layout.dims {
            of_dims.push(match size {
                Some(size) => Linear::constant(*size),
                None => sizes.next()?.clone(),
            });
        }
        let mut dims = Vec::with_capacity(layout.dims.len());
        let mut row = Linear::constant(element);
        for (size, (_, stride)) in of_dims.into_iter().zip(&layout.dims).rev() {
            let next = self.times(&row, &size);
            let stride = stride.map_or(row, |stride| Linear::constant(stride * element));
            dims.push((size, stride));
            row = next;
        }
        dims.reverse();
        Some(View {
            base,
            limits: None,
            aligned: aligned.clone(),
            start: aligned.plus(&Linear::constant(layout.offset? * element)),
            dims,
            element,
            within: None,
        })
    }

    pub(crate) fn view(&self, value: Value) -> Rc<View> {
        match &self.values[value] {
            Binding::View(view) => Rc::clone(view),
            _ => Rc::new(View::unknown()),
        }
    }

    pub(crate) fn layout(&self, value: Value) -> Option<Layout> {
        match self.flat.types[value] {
            ValueType::Elements(layout) => Some(Layout::clone(layout)),
            ValueType::Bytes(bytes) => Some(Layout {
                element: 1,
                offset: Some(0),
                dims: vec![(*bytes, Some(1))],
            }),
            _ => None,
        }
    }

    /// Derives a view from another view; `None` if the result cannot be described.
    pub(crate) fn derive(
        &mut self,
        frame: &Frame,
        result: Value,
        source: Value,
        kind: &ViewKind,
    ) -> Option<View> {
        let of = self.view(source);
        let layout = self.layout(result);
        match kind {
            ViewKind::Same => Some((*of).clone()),
            ViewKind::Base => Some(base(&of)),
            ViewKind::Permute(order) => permuted(&of, order),
            ViewKind::Reshape => reshaped(&of, &layout?),
            ViewKind::Slice {
                offsets,
                sizes,
                strides,
            } => {
                let [offsets, sizes, strides] =
                    [offsets, sizes, strides].map(|own| self.numbers(frame, own));
                self.slice(&of, layout?, &offsets, &sizes, &strides)
            }
            ViewKind::Bytes {
                start,
                sizes,
                bytes,
                limit,
            } => {
                let layout = layout?;
                let mut sizes = self.numbers(frame, sizes);
                if sizes.is_empty() {
                    let bytes = bytes.map(|bytes| self.number(frame, bytes));
                    sizes.extend(bytes.and_then(|bytes| rest(&layout, &bytes)));
                }
                let start = of.start.plus(&self.number(frame, *start));
                self.typed_bytes(&of, layout, start, &sizes, *limit)
            }
            ViewKind::Reinterpret {
                offset,
                sizes,
                strides,
            } => {
                let offset = self.number(frame, *offset).times(of.element);
                let sizes = self.numbers(frame, sizes);
                let strides = self.numbers(frame, strides);
                let strides = strides.iter().map(|stride| stride.times(of.element));
                Some(View {
                    within: None,
                    // `memref.reinterpret_cast` counts its offset from the aligned pointer, not
                    // from the first element of the source.
                    start: of.aligned.plus(&offset),
                    dims: sizes.into_iter().zip(strides).collect(),
                    ..(*of).clone()
                })
            }
        }
    }

    /// Views the bytes from `start` on with another layout. `limit`: the number of bytes, if known.
    fn typed_bytes(
        &mut self,
        of: &View,
        layout: Layout,
        start: Linear,
        sizes: &[Linear],
        limit: Option<i64>,
    ) -> Option<View> {
        // The first element is at `start`; the aligned pointer follows from the layout's offset.
        let offset = layout.offset.unwrap_or(0);
        let aligned = start.plus(&Linear::constant(-offset * layout.element));
        let layout = Layout {
            offset: Some(offset),
            ..layout
        };
        let mut view = self.shaped(of.base, &aligned, &layout, sizes)?;
        // Limits are relative to the storage, which this may replace.
        self.place(of, &mut view);
        let known = view.start.known().zip(limit);
        view.limits = known
            .map(|(start, limit)| (start, start + limit))
            .or(of.limits);
        Some(view)
    }

    pub(crate) fn slice(
        &mut self,
        of: &View,
        layout: Layout,
        offsets: &[Linear],
        sizes: &[Linear],
        strides: &[Linear],
    ) -> Option<View> {
        if offsets.len() != of.dims.len() {
            return None;
        }
        let mut view = self.part(of, offsets, sizes, strides);
        // The result type of a rank-reducing slice drops dimensions of size one.
        let kept = kept(&view, &layout)?;
        let keep = |view: &mut View| {
            let mut is_kept = kept.iter();
            view.dims
                .retain(|_| is_kept.next().copied().unwrap_or(false));
        };
        keep(&mut view);
        let is_known = view.hull().is_some();
        let (all, dense) = match &of.within {
            Some(own) => (own.all.clone(), own.chosen.clone()),
            // With known bytes, nothing is chosen at run time.
            None if is_known => return Some(view),
            None => match of.dense() {
                Some(dense) => (of.clone(), dense),
                None => return Some(view),
            },
        };
        let mut chosen = self.part(&dense, offsets, sizes, strides);
        keep(&mut chosen);
        view.within = Some(Rc::new(Within { all, chosen }));
        Some(view)
    }

    /// Takes a strided slice of each dimension of a view.
    pub(crate) fn part(
        &mut self,
        of: &View,
        offsets: &[Linear],
        sizes: &[Linear],
        strides: &[Linear],
    ) -> View {
        let mut start = of.start.clone();
        let mut dims = Vec::new();
        for (index, (_, stride)) in of.dims.iter().enumerate() {
            let offset = self.times(&offsets[index], stride);
            start = start.plus(&offset);
            dims.push((sizes[index].clone(), self.times(&strides[index], stride)));
        }
        View {
            start,
            dims,
            within: None,
            ..of.clone()
        }
    }

    pub(crate) fn dimension(&mut self, frame: &Frame, source: Value, index: Number) -> NodeId {
        let view = self.view(source);
        let index = self.number(frame, index);
        let size = index
            .known()
            .and_then(|index| view.dims.get(usize::try_from(index).ok()?));
        match size.filter(|_| view.base != Base::Unknown) {
            Some((size, _)) => self.graph.number(&size.clone()),
            None => self.graph.unknown("a size is known only at run time"),
        }
    }

    /// Returns the address that the aligned pointer of a view points to.
    pub(crate) fn pointer(&mut self, source: Value, state: &State) -> NodeId {
        let view = self.view(source);
        let alone = self.alone.iter();
        let mut alone = alone.filter(|own| view.base == Base::Local(own.0));
        // An argument that is modeled as local storage still has the address that the caller knows.
        let base = alone.next().map_or(view.base, |own| Base::External(own.1));
        match base {
            Base::External(of) => self.graph.add(Node::Address(of, view.aligned.clone())),
            // One storage stands for several that alternate, at addresses of their own.
            Base::Local(own) if self.is_one_place(own, state) && !self.alternates(own) => {
                let start = Linear::of_node(self.graph.add(Node::Place(own)));
                self.graph.number(&start.plus(&view.aligned))
            }
            Base::Local(own) if !self.alternates(own) => self.graph.add(Node::Site(own)),
            _ => self.graph.unknown(PLANNED),
        }
    }

    /// Whether a storage is that of several allocations in turns.
    fn alternates(&self, storage: u32) -> bool {
        let mut owners = self.flat.owners.values();
        owners.any(|own| self.of_value.get(own) == Some(&storage))
    }

    /// Whether a storage is neither a view with several targets nor at an unknown place in an
    /// arena.
    pub(crate) fn is_one_place(&self, storage: u32, state: &State) -> bool {
        let is_placed = self.storages[storage as usize].place.is_some();
        !is_placed && !is_merge(state, Base::Local(storage))
    }

    pub(crate) fn layout_part(&mut self, source: Value, part: Part) -> NodeId {
        let view = self.view(source);
        let bytes = match part {
            Part::Offset => Some(view.start.minus(&view.aligned)),
            Part::Stride(index) => view.dims.get(index).map(|(_, stride)| stride.clone()),
        };
        let elements = bytes.and_then(|bytes| bytes.divided(view.element));
        match elements.filter(|_| view.base != Base::Unknown) {
            Some(elements) => self.graph.number(&elements),
            None => self.graph.unknown("a layout is known only at run time"),
        }
    }

    /// Returns the view of one element.
    pub(crate) fn element(
        &mut self,
        frame: &Frame,
        of: Value,
        indices: &[ValueId],
    ) -> Result<View, Lost> {
        let view = self.view(of);
        if view.dims.len() != indices.len() {
            return self.lost("it is not known which storage is accessed");
        }
        let mut numbers = Vec::new();
        for index in indices {
            let node = self.scalar(frame.value(*index));
            numbers.push(self.graph.linear(node));
        }
        let mut element = self.one(&view, &numbers);
        // An access is in bounds of the view, wherever the rest of its storage is.
        element.limits = view.hull().or(view.limits);
        let dense = match &view.within {
            Some(own) => Some((own.all.clone(), own.chosen.clone())),
            None if element.hull().is_some() => None,
            None => view.dense().map(|dense| ((*view).clone(), dense)),
        };
        if let Some((all, dense)) = dense {
            let chosen = self.one(&dense, &numbers);
            element.within = Some(Rc::new(Within { all, chosen }));
        }
        Ok(element)
    }

    pub(crate) fn one(&mut self, of: &View, indices: &[Linear]) -> View {
        let mut start = of.start.clone();
        for (index, (_, stride)) in indices.iter().zip(&of.dims) {
            start = start.plus(&self.times(index, stride));
        }
        View {
            start,
            dims: Vec::new(),
            within: None,
            ..of.clone()
        }
    }
}

/// Returns the size of the only dynamic dimension of a layout that spans `bytes` bytes in total.
fn rest(layout: &Layout, bytes: &Linear) -> Option<Linear> {
    let known = layout.dims.iter().filter_map(|(size, _)| *size);
    let row = known.fold(layout.element, i64::saturating_mul);
    bytes.divided(row)
}

/// For each dimension of a slice: whether the slice's type keeps it. Dimensions of size one may be
/// dropped. `None` if the type does not match the slice.
fn kept(view: &View, layout: &Layout) -> Option<Vec<bool>> {
    let mut kept = Vec::new();
    let mut left = layout.dims.as_slice();
    for (index, (size, stride)) in view.dims.iter().enumerate() {
        // If only as many dimensions are left as the type still needs, none of them is dropped.
        let is_rest = view.dims.len() - index == left.len();
        let fits = left.first().is_some_and(|(own, distance)| {
            let bytes = distance.map(|distance| distance * view.element);
            (own.is_none() || *own == size.known()) && (bytes.is_none() || bytes == stride.known())
        });
        let is_kept = is_rest || fits && size.known() != Some(1);
        if is_kept {
            left = left.get(1..)?;
        } else if size.known() != Some(1) {
            return None;
        }
        kept.push(is_kept);
    }
    left.is_empty().then_some(kept)
}

/// The element at the aligned pointer of a view.
fn base(of: &View) -> View {
    View {
        within: None,
        dims: Vec::new(),
        start: of.aligned.clone(),
        ..of.clone()
    }
}

/// Reorders the dimensions of a view.
fn permuted(of: &View, order: &[usize]) -> Option<View> {
    let permuted = |of: &View| {
        let dims = order.iter().map(|index| of.dims.get(*index).cloned());
        let dims = dims.collect::<Option<_>>()?;
        Some(View { dims, ..of.clone() })
    };
    let mut view = permuted(of)?;
    if let Some(own) = &of.within {
        let chosen = permuted(&own.chosen)?;
        let all = own.all.clone();
        view.within = Some(Rc::new(Within { all, chosen }));
    }
    Some(view)
}

/// Changes the shape of a view to that of `layout`, which has no dimension known only at run time.
fn reshaped(of: &View, layout: &Layout) -> Option<View> {
    let known = |(size, stride): &(Option<i64>, Option<i64>)| {
        let stride = stride.map(|stride| Linear::constant(stride * layout.element));
        Some((Linear::constant((*size)?), stride?))
    };
    let dims: Vec<_> = layout.dims.iter().map(known).collect::<Option<_>>()?;
    let mut view = View {
        dims: dims.clone(),
        within: None,
        ..of.clone()
    };
    // If the elements of `all` are dense, its strides are those of the dense image, so the new
    // shape applies to `chosen` as well.
    let own = of.within.as_ref();
    let own = own.filter(|own| own.all.dense().is_some_and(|of| of.dims == own.all.dims));
    view.within = own.map(|own| {
        let chosen = View {
            dims,
            ..own.chosen.clone()
        };
        let all = own.all.clone();
        Rc::new(Within { all, chosen })
    });
    Some(view)
}
