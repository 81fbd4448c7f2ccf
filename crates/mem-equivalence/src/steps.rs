//! What each step does to values and memory.

use std::rc::Rc;

use crate::contents::Contents;
use crate::evaluate::{Binding, Evaluator, Lost, Merge, State, Target, bytes_view};
use crate::flatten::Value;
use crate::linear::Linear;
use crate::program::{
    Arithmetic, Constant, Fingerprint, Layout, Number, Operand, Part, StepKind, ValueId, ValueType,
    ViewKind,
};
use crate::value::{External, Node, NodeId, Piece, Sharing};
use crate::view::{Base, View, Within};

impl Evaluator<'_> {
    /// Evaluates one step. `first`: what to add to numbers of values.
    pub fn step(&mut self, first: usize, kind: &StepKind, state: &mut State) -> Result<(), Lost> {
        let value = |own: &ValueId| first + own.0 as usize;
        match kind {
            StepKind::Integer {
                value: number,
                result,
            } => {
                let node = self.graph.add(Node::Integer(*number));
                self.set(value(result), Binding::Scalar(node));
            }
            StepKind::Arithmetic {
                operator,
                operands,
                result,
            } => {
                let [a, b] = [0, 1].map(|index| self.scalar(value(&operands[index])));
                let node = self.arithmetic(*operator, a, b);
                self.set(value(result), Binding::Scalar(node));
            }
            StepKind::Allocate {
                result,
                bytes,
                sizes,
                is_arena,
            } => {
                let sizes = self.numbers(first, sizes);
                self.allocate(value(result), *bytes, &sizes, *is_arena, state);
            }
            StepKind::Global {
                result,
                name,
                is_constant,
                elements,
            } => {
                let external = External::Global {
                    name: *name,
                    is_constant: *is_constant,
                };
                let mut view = self.typed_view(value(result), Base::External(external), &[]);
                if !elements.is_empty() && !self.flat.escapes[value(result)] {
                    self.known_elements(value(result), elements, &mut view, state);
                }
                self.set(value(result), Binding::View(Rc::new(view)));
            }
            StepKind::View {
                result,
                source,
                kind,
            } => {
                let view = self.derive(first, value(result), value(source), kind);
                let view = view.unwrap_or_else(View::unknown);
                self.set(value(result), Binding::View(Rc::new(view)));
            }
            StepKind::Dimension {
                result,
                source,
                index,
            } => {
                let node = self.dimension(first, value(source), *index);
                self.set(value(result), Binding::Scalar(node));
            }
            StepKind::Layout {
                result,
                source,
                part,
            } => {
                let node = self.layout_part(value(source), *part);
                self.set(value(result), Binding::Scalar(node));
            }
            StepKind::Compute {
                fingerprint,
                operands,
                results,
            } => {
                self.compute(first, *fingerprint, operands, results, state)?;
            }
            StepKind::Copy {
                fingerprint,
                from,
                to,
            } => {
                self.copy(*fingerprint, value(from), value(to), state)?;
            }
            StepKind::Fill { value: filler, to } => {
                let filler = self.scalar(value(filler));
                self.fill(filler, value(to), state)?;
            }
            StepKind::Load {
                from,
                indices,
                result,
            } => {
                let element = self.element(first, value(from), indices)?;
                let node = self.read(state, &element)?;
                // The first bytes of a value are that value, of the type that is loaded.
                let node = match self.graph.node(node) {
                    Node::Sequence(pieces) => match pieces.as_slice() {
                        [only] if only.offset == 0 => only.node,
                        _ => node,
                    },
                    _ => node,
                };
                self.set(value(result), Binding::Scalar(node));
            }
            StepKind::Store {
                value: stored,
                to,
                indices,
            } => {
                let element = self.element(first, value(to), indices)?;
                let stored = self.scalar(value(stored));
                self.write(state, &element, stored)?;
            }
            StepKind::Select {
                condition,
                yes,
                no,
                result,
            } => {
                let condition = self.scalar(value(condition));
                let binding =
                    self.select(condition, value(yes), value(no), value(result), state)?;
                self.set(value(result), binding);
            }
            StepKind::Rotate {
                slots,
                avoiding,
                result,
            } => {
                let slots: Vec<Value> = slots.iter().map(value).collect();
                let avoiding: Vec<Value> = avoiding.iter().map(value).collect();
                self.rotate(&slots, &avoiding, value(result), state)?;
            }
            StepKind::Call {
                fingerprint,
                operands,
                results,
                ..
            }
            | StepKind::Event {
                fingerprint,
                operands,
                results,
            } => {
                self.event(first, *fingerprint, operands, results, state);
            }
            StepKind::Unknown { why, .. } => return self.lost(why),
        }
        Ok(())
    }

    fn arithmetic(&mut self, operator: Arithmetic, a: NodeId, b: NodeId) -> NodeId {
        let [of_a, of_b] = [a, b].map(|node| self.graph.linear(node));
        let form = match (operator, of_a.known(), of_b.known()) {
            (Arithmetic::Add, ..) => of_a.plus(&of_b),
            (Arithmetic::Subtract, ..) => of_a.minus(&of_b),
            (Arithmetic::Multiply, Some(factor), _) => of_b.times(factor),
            (Arithmetic::Multiply, _, Some(factor)) => of_a.times(factor),
            (Arithmetic::Multiply, None, None) => Linear::of_node(self.product(a, b)),
        };
        self.graph.number(&form)
    }

    fn product(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.graph.add(Node::Step {
            fingerprint: Fingerprint(u32::MAX),
            inputs: vec![a, b],
            shared: Vec::new(),
        })
    }

    fn times(&mut self, a: &Linear, b: &Linear) -> Linear {
        let [a, b] = [a, b].map(|form| self.graph.number(form));
        let node = self.arithmetic(Arithmetic::Multiply, a, b);
        self.graph.linear(node)
    }

    fn numbers(&mut self, first: usize, numbers: &[Number]) -> Vec<Linear> {
        let number = |number: &Number| self.number(first, *number);
        numbers.iter().map(number).collect()
    }

    fn number(&mut self, first: usize, number: Number) -> Linear {
        match number {
            Number::Constant(constant) => Linear::constant(constant),
            Number::Value(value) => {
                let node = self.scalar(first + value.0 as usize);
                self.graph.linear(node)
            }
        }
    }

    /// Makes a constant global storage of the function's own, which nothing writes.
    fn known_elements(
        &mut self,
        value: Value,
        elements: &[Constant],
        view: &mut View,
        state: &mut State,
    ) {
        let (Some(bytes), Some(runs)) = (view.bytes(), view.runs()) else {
            return;
        };
        let ([(start, length)], element) = (runs.as_slice(), view.element) else {
            return;
        };
        let mut nodes = Vec::new();
        for own in elements {
            nodes.push(match own {
                Constant::Integer(value) => self.graph.add(Node::Integer(*value)),
                Constant::Other(fingerprint) => {
                    let step = self.graph.add(Node::Step {
                        fingerprint: *fingerprint,
                        inputs: Vec::new(),
                        shared: Vec::new(),
                    });
                    self.graph.add(Node::Result(step, 0))
                }
            });
        }
        let piece = |node, length| Piece {
            node,
            offset: 0,
            length,
        };
        let pieces: Vec<Piece> = match nodes[..] {
            [value] => vec![piece(
                self.graph.add(Node::Splat { value, element }),
                *length,
            )],
            _ => nodes.into_iter().map(|node| piece(node, element)).collect(),
        };
        if pieces.iter().map(|piece| piece.length).sum::<i64>() != bytes {
            return;
        }
        let storage = self.storage(value, Some(start + length), false);
        *state.local_mut(storage) = Contents::default();
        state.local_mut(storage).write(*start, &pieces);
        view.base = Base::Local(storage);
        view.limits = Some((0, start + length));
    }

    fn allocate(
        &mut self,
        value: Value,
        bytes: Option<i64>,
        sizes: &[Linear],
        is_arena: bool,
        state: &mut State,
    ) {
        let base = match self.escaped.get(&value) {
            Some(number) => Base::External(External::Escaped(*number)),
            None => {
                let storage = self.storage(value, bytes, is_arena);
                if !state.local(storage).is_empty() {
                    *state.local_mut(storage) = Contents::default();
                }
                // What was allocated here before is another instance.
                if state
                    .merges
                    .iter()
                    .any(|own| own.targets.iter().any(|of| of.base == Base::Local(storage)))
                {
                    for merge in Rc::make_mut(&mut state.merges) {
                        merge.targets.retain(|own| own.base != Base::Local(storage));
                    }
                }
                Base::Local(storage)
            }
        };
        let mut view = self.typed_view(value, base, sizes);
        if let Some(bytes) = bytes.filter(|_| !is_arena) {
            view.limits = Some((0, bytes));
        }
        self.set(value, Binding::View(Rc::new(view)));
    }

    /// A view of a whole storage, as its type has it. `sizes`: of dimensions known only at run time.
    fn typed_view(&mut self, value: Value, base: Base, sizes: &[Linear]) -> View {
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

    /// A view of a type's shape whose aligned pointer is at `aligned`. Strides known only at run time are those of rows one
    /// after the other.
    fn shaped(
        &mut self,
        base: Base,
        aligned: &Linear,
        layout: &Layout,
        sizes: &[Linear],
    ) -> Option<View> {
        let element = layout.element;
        let mut sizes = sizes.iter();
        let mut of_dims = Vec::new();
        for (size, _) in &layout.dims {
            of_dims.push(match size {
                Some(size) => Linear::constant(*size),
                None => sizes.next()?.clone(),
            });
        }
        let mut dims = Vec::new();
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

    fn view(&self, value: Value) -> Rc<View> {
        match &self.values[value] {
            Binding::View(view) => Rc::clone(view),
            _ => Rc::new(View::unknown()),
        }
    }

    fn layout(&self, value: Value) -> Option<Layout> {
        match self.flat.types[value] {
            ValueType::Elements(layout) => Some(layout.clone()),
            ValueType::Bytes(bytes) => Some(Layout {
                element: 1,
                offset: Some(0),
                dims: vec![(*bytes, Some(1))],
            }),
            _ => None,
        }
    }

    /// A view of a view; `None` if it cannot be described.
    fn derive(
        &mut self,
        first: usize,
        result: Value,
        source: Value,
        kind: &ViewKind,
    ) -> Option<View> {
        let of = self.view(source);
        let layout = self.layout(result);
        match kind {
            ViewKind::Same => Some((*of).clone()),
            ViewKind::Base => Some(View {
                within: None,
                dims: Vec::new(),
                start: of.aligned.clone(),
                ..(*of).clone()
            }),
            ViewKind::Permute(order) => {
                let permuted = |of: &View| {
                    let dims = order.iter().map(|index| of.dims.get(*index).cloned());
                    let dims = dims.collect::<Option<_>>()?;
                    Some(View { dims, ..of.clone() })
                };
                let mut view = permuted(&of)?;
                if let Some(own) = &of.within {
                    let chosen = permuted(&own.chosen)?;
                    let all = own.all.clone();
                    view.within = Some(Rc::new(Within { all, chosen }));
                }
                Some(view)
            }
            ViewKind::Reshape => {
                let layout = layout?;
                let known = |(size, stride): &(Option<i64>, Option<i64>)| {
                    let stride = stride.map(|stride| Linear::constant(stride * layout.element));
                    Some((Linear::constant((*size)?), stride?))
                };
                let dims: Vec<_> = layout.dims.iter().map(known).collect::<Option<_>>()?;
                let mut view = View {
                    dims: dims.clone(),
                    within: None,
                    ..(*of).clone()
                };
                // In elements one after the other, distances are the same.
                let own = of.within.as_ref();
                let own =
                    own.filter(|own| own.all.dense().is_some_and(|of| of.dims == own.all.dims));
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
            ViewKind::Slice {
                offsets,
                sizes,
                strides,
            } => {
                let [offsets, sizes, strides] =
                    [offsets, sizes, strides].map(|own| self.numbers(first, own));
                self.slice(&of, layout?, &offsets, &sizes, &strides)
            }
            ViewKind::Bytes {
                start,
                sizes,
                bytes,
                limit,
            } => {
                let layout = layout?;
                let mut sizes = self.numbers(first, sizes);
                if sizes.is_empty() {
                    let bytes = bytes.map(|bytes| self.number(first, bytes));
                    sizes.extend(bytes.and_then(|bytes| rest(&layout, &bytes)));
                }
                let start = of.start.plus(&self.number(first, *start));
                // The first element is there, wherever the aligned pointer is.
                let offset = layout.offset.unwrap_or(0);
                let aligned = start.plus(&Linear::constant(-offset * layout.element));
                let layout = Layout {
                    offset: Some(offset),
                    ..layout
                };
                let mut view = self.shaped(of.base, &aligned, &layout, &sizes)?;
                let known = start.known().zip(*limit);
                view.limits = known
                    .map(|(start, limit)| (start, start + limit))
                    .or(of.limits);
                Some(view)
            }
            ViewKind::Reinterpret {
                offset,
                sizes,
                strides,
            } => {
                let offset = self.number(first, *offset).times(of.element);
                let sizes = self.numbers(first, sizes);
                let strides = self.numbers(first, strides);
                let strides = strides.iter().map(|stride| stride.times(of.element));
                Some(View {
                    within: None,
                    start: of.aligned.plus(&offset),
                    dims: sizes.into_iter().zip(strides).collect(),
                    ..(*of).clone()
                })
            }
        }
    }

    fn slice(
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
        // Dimensions of one element may be left out.
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

    /// Some elements of each dimension.
    fn part(
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

    fn dimension(&mut self, first: usize, source: Value, index: Number) -> NodeId {
        let view = self.view(source);
        let index = self.number(first, index);
        let size = index
            .known()
            .and_then(|index| view.dims.get(usize::try_from(index).ok()?));
        match size.filter(|_| view.base != Base::Unknown) {
            Some((size, _)) => self.graph.number(&size.clone()),
            None => self.graph.unknown("a size is known only at run time"),
        }
    }

    fn layout_part(&mut self, source: Value, part: Part) -> NodeId {
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

    /// One element of a view.
    fn element(&mut self, first: usize, of: Value, indices: &[ValueId]) -> Result<View, Lost> {
        let view = self.view(of);
        if view.dims.len() != indices.len() {
            return self.lost("it is not known which storage is accessed");
        }
        let mut numbers = Vec::new();
        for index in indices {
            let node = self.scalar(first + index.0 as usize);
            numbers.push(self.graph.linear(node));
        }
        let mut element = self.one(&view, &numbers);
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

    fn one(&mut self, of: &View, indices: &[Linear]) -> View {
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

    fn fill(&mut self, value: NodeId, to: Value, state: &mut State) -> Result<(), Lost> {
        let view = self.view(to);
        let element = view.element;
        let node = self.graph.add(Node::Splat { value, element });
        let new = match view.bytes() {
            Some(length) => self.graph.sequence([Piece {
                node,
                offset: 0,
                length,
            }]),
            None => node,
        };
        self.write(state, &view, new)
    }

    fn copy(
        &mut self,
        fingerprint: Fingerprint,
        from: Value,
        to: Value,
        state: &mut State,
    ) -> Result<(), Lost> {
        let [from, to] = [from, to].map(|value| self.view(value));
        let content = self.read(state, &from)?;
        let new = match self.sharing(state, &from, &to)? {
            None => content,
            Some(Sharing::Same) => return Ok(()),
            Some(sharing) => {
                let step = self.graph.add(Node::Step {
                    fingerprint,
                    inputs: vec![content],
                    shared: vec![(0, 1, sharing)],
                });
                self.graph.add_sized(Node::Result(step, 1), to.bytes())
            }
        };
        self.write(state, &to, new)
    }

    fn compute(
        &mut self,
        first: usize,
        fingerprint: Fingerprint,
        operands: &[Operand],
        results: &[ValueId],
        state: &mut State,
    ) -> Result<(), Lost> {
        let value = |own: &ValueId| first + own.0 as usize;
        let mut inputs = Vec::new();
        let mut views: Vec<(u32, &Operand, Rc<View>)> = Vec::new();
        for (index, operand) in (0..).zip(operands) {
            let own = value(&operand.value);
            if matches!(self.flat.types[own], ValueType::Scalar { .. }) {
                inputs.push(self.scalar(own));
                continue;
            }
            let view = self.view(own);
            if view.base == Base::Unknown {
                return self.lost("it is not known which storage is accessed");
            }
            let sizes = view
                .dims
                .iter()
                .map(|(size, _)| size)
                .filter(|size| size.known().is_none());
            for size in sizes {
                inputs.push(self.graph.number(size));
            }
            if operand.reads || operand.writes && !operand.writes_all {
                inputs.push(self.read(state, &view)?);
            }
            if operand.reads || operand.writes {
                views.push((index, operand, view));
            }
        }
        let shared = self.shared(state, &views)?;
        let step = self.graph.add(Node::Step {
            fingerprint,
            inputs,
            shared,
        });
        for (index, _, view) in views.iter().filter(|(_, operand, _)| operand.writes) {
            let node = Node::Result(step, u32::try_from(results.len()).unwrap_or(0) + index);
            let new = self.graph.add_sized(node, view.bytes());
            self.write(state, view, new)?;
        }
        for (index, result) in (0..).zip(results) {
            let node = self.graph.add(Node::Result(step, index));
            let binding = match self.flat.types[value(result)] {
                ValueType::Scalar { .. } => Binding::Scalar(node),
                _ => Binding::View(Rc::new(View::unknown())),
            };
            self.set(value(result), binding);
        }
        Ok(())
    }

    /// How accesses of one step share bytes, but for those that may be the very same elements.
    fn shared(
        &mut self,
        state: &State,
        views: &[(u32, &Operand, Rc<View>)],
    ) -> Result<Vec<(u32, u32, Sharing)>, Lost> {
        let mut shared = Vec::new();
        for (at, (index, operand, view)) in views.iter().enumerate() {
            for (other_at, (other, of, theirs)) in views.iter().enumerate() {
                // Two writes are looked at once.
                if at == other_at || !of.writes || operand.writes && at > other_at {
                    continue;
                }
                let Some(own) = self.sharing(state, view, theirs)? else {
                    continue;
                };
                let is_exempt =
                    own == Sharing::Same && operand.in_order && of.in_order && !operand.writes;
                if !is_exempt {
                    shared.push((*index, *other, own));
                }
            }
        }
        Ok(shared)
    }

    fn select(
        &mut self,
        condition: NodeId,
        yes: Value,
        no: Value,
        result: Value,
        state: &mut State,
    ) -> Result<Binding, Lost> {
        let views = [self.view(yes), self.view(no)];
        if views[0] == views[1] {
            return Ok(Binding::View(Rc::clone(&views[0])));
        }
        let same_shape = views[0].dims == views[1].dims && views[0].element == views[1].element;
        let hulls = [0, 1].map(|index| views[index].hull());
        match [views[0].base, views[1].base] {
            _ if !same_shape => Ok(Binding::View(Rc::new(View::unknown()))),
            [Base::External(a), Base::External(b)] => {
                let [a, b] = [(a, 0), (b, 1)].map(|(own, index)| {
                    let start = views[index].start.clone();
                    self.graph.add(Node::Address(own, start))
                });
                let node = self.graph.add(Node::Choice(condition, a, b));
                Ok(Binding::View(Rc::new(View {
                    base: Base::External(External::Pointer(node)),
                    limits: None,
                    aligned: Linear::default(),
                    start: Linear::default(),
                    ..(*views[0]).clone()
                })))
            }
            [Base::Unknown, _] | [_, Base::Unknown] => Ok(Binding::View(Rc::new(View::unknown()))),
            [a, b] => {
                let [Some(of_a), Some(of_b)] = hulls else {
                    return Ok(Binding::View(Rc::new(View::unknown())));
                };
                let [x, y] = [self.read(state, &views[0])?, self.read(state, &views[1])?];
                let content = match x == y {
                    true => x,
                    false => self
                        .graph
                        .add_sized(Node::Choice(condition, x, y), views[0].bytes()),
                };
                let places = [(a, of_a), (b, of_b)];
                let view = self.one_of(result, &places, &views[0], &[], state);
                self.write_content(&view, content, state);
                Ok(Binding::View(Rc::new(view)))
            }
        }
    }

    /// Sets the content of a new merge, which writes nothing.
    fn write_content(&mut self, view: &View, content: NodeId, state: &mut State) {
        let (Base::Local(storage), Some(runs)) = (view.base, view.runs()) else {
            return;
        };
        let length = runs.iter().map(|(_, length)| length).sum();
        let pieces = self.graph.pieces(content, length);
        let mut at = 0;
        for (start, length) in runs {
            let own = crate::contents::part(&pieces, at, length);
            state.local_mut(storage).write(start, &own);
            at += length;
        }
    }

    /// A view that is one of several places, and surely none of those `apart`.
    fn one_of(
        &mut self,
        result: Value,
        places: &[(Base, (i64, i64))],
        like: &View,
        apart: &[u32],
        state: &mut State,
    ) -> View {
        let (low, high) = places[0].1;
        let storage = self.storage(result, Some(high - low), false);
        *state.local_mut(storage) = Contents::default();
        let mut targets = Vec::new();
        for (own, bytes) in places {
            let merge = state
                .merges
                .iter()
                .find(|merge| Base::Local(merge.storage) == *own);
            let further = merge.map(|merge| merge.targets.clone()).unwrap_or_default();
            if *own != Base::Local(storage) {
                targets.push(Target {
                    base: *own,
                    bytes: *bytes,
                    gate: None,
                });
            }
            targets.extend(further.into_iter().map(|own| Target { gate: None, ..own }));
        }
        let merges = Rc::make_mut(&mut state.merges);
        merges.retain(|merge| merge.storage != storage);
        for merge in merges.iter_mut() {
            merge.targets.retain(|own| own.base != Base::Local(storage));
            merge.apart.retain(|own| *own != storage);
        }
        merges.push(Merge {
            storage,
            targets,
            apart: apart.to_vec(),
        });
        merges.sort_by_key(|merge| merge.storage);
        let mut view = like.clone();
        view.base = Base::Local(storage);
        view.limits = None;
        view.start = like.start.plus(&Linear::constant(-low));
        view.aligned = like.aligned.plus(&Linear::constant(-low));
        view
    }

    fn rotate(
        &mut self,
        slots: &[Value],
        avoiding: &[Value],
        result: Value,
        state: &mut State,
    ) -> Result<(), Lost> {
        let views: Vec<Rc<View>> = slots.iter().map(|slot| self.view(*slot)).collect();
        let mut places = Vec::new();
        for view in &views {
            match (view.base, view.hull()) {
                (base @ Base::Local(_), Some(hull)) => places.push((base, hull)),
                _ => return self.lost("a rotation of slots of unknown size"),
            }
        }
        let Some(like) = views.first() else {
            return self.lost("a rotation of no slots");
        };
        let mut apart = Vec::new();
        for view in avoiding.iter().map(|value| self.view(*value)) {
            match view.base {
                Base::Local(storage) => apart.push(storage),
                Base::External(_) => {}
                Base::Unknown => return self.lost("a rotation around storage that is not known"),
            }
        }
        let view = self.one_of(result, &places, like, &apart, state);
        self.set(result, Binding::View(Rc::new(view)));
        Ok(())
    }

    /// Anything may happen to memory that others can reach.
    fn event(
        &mut self,
        first: usize,
        fingerprint: Fingerprint,
        operands: &[ValueId],
        results: &[ValueId],
        state: &mut State,
    ) {
        let mut inputs = vec![state.memory];
        for operand in operands {
            inputs.push(self.scalar(first + operand.0 as usize));
        }
        let step = self.graph.add(Node::Step {
            fingerprint,
            inputs,
            shared: Vec::new(),
        });
        state.memory = self.graph.add(Node::After(step));
        for (index, result) in (0..).zip(results) {
            let value = first + result.0 as usize;
            let node = self.graph.add(Node::Result(step, index));
            let binding = match self.flat.types[value] {
                ValueType::Scalar { .. } => Binding::Scalar(node),
                ValueType::Elements(layout) => {
                    let base = Base::External(External::Pointer(node));
                    let dynamic = layout
                        .dims
                        .iter()
                        .enumerate()
                        .filter(|(_, (size, _))| size.is_none());
                    let count = |(at, _): (usize, _)| u32::try_from(at + 1).unwrap_or(u32::MAX);
                    let numbers: Vec<u32> = dynamic.map(count).collect();
                    let sizes: Vec<Linear> = numbers
                        .into_iter()
                        .map(|at| Linear::of_node(self.graph.add(Node::Result(node, at))))
                        .collect();
                    let layout = layout.clone();
                    let view = self.shaped(base, &Linear::default(), &layout, &sizes);
                    Binding::View(Rc::new(view.unwrap_or_else(View::unknown)))
                }
                _ => Binding::View(Rc::new(View::unknown())),
            };
            self.set(value, binding);
        }
    }
}

/// The one dimension known only at run time of elements that have so many bytes together.
fn rest(layout: &Layout, bytes: &Linear) -> Option<Linear> {
    let known = layout.dims.iter().filter_map(|(size, _)| *size);
    let row = known.fold(layout.element, i64::saturating_mul);
    bytes.divided(row)
}

/// Which dimensions of a slice its type has: those of one element may be missing. `None` if they do not fit.
fn kept(view: &View, layout: &Layout) -> Option<Vec<bool>> {
    let mut kept = Vec::new();
    let mut left = layout.dims.as_slice();
    for (index, (size, stride)) in view.dims.iter().enumerate() {
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
