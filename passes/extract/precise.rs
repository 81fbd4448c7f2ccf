//! Access details that dependence analysis uses beyond the byte intervals of planning: elements
//! selected by indices, rows of strided views, bounds known only at run time, predicates, tokens.
//!
//! Byte positions are linear forms over SSA values: a constant plus values with coefficients. Equal
//! forms share one symbol of the model. Index arithmetic is assumed not to overflow, since
//! in-bounds accesses never overflow.

use rustc_hash::FxHashSet as HashSet;
use std::collections::BTreeMap;

use melior::ir::ValueLike as _;
use mem_model::{
    Access, AccessKind, Bound, Bytes, Interval, IntervalSet, Literal, PointerId, Rows, Symbol,
    SymbolId, SymbolicRange, TokenId,
};

use super::{Extractor, Place};
use crate::ir::dialect::KernelOp;
use crate::ir::mpi::is_request;
use crate::ir::{MemrefLayout, Op, Value, chain, is_token, memref_layout, view_source};

/// Maximum number of intervals a strided view is split into.
const MAX_ROWS: i64 = 64;

/// Maximum depth of the index arithmetic that is analyzed.
const MAX_DEPTH: usize = 16;

/// Maximum number of values a condition is split into.
const MAX_LITERALS: usize = 64;

/// The part of a value that an operation touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of it.
    Whole,
    /// A part, or the element at the operation's indices.
    Part,
    /// Any part, or nothing.
    Perhaps,
}

/// A linear form: a constant plus values with coefficients. Values are keyed by value number.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Linear {
    pub constant: i64,
    pub terms: BTreeMap<u32, i64>,
}

impl Linear {
    fn constant(constant: i64) -> Self {
        Self {
            constant,
            terms: BTreeMap::new(),
        }
    }

    fn add(mut self, other: &Self) -> Option<Self> {
        self.constant = self.constant.checked_add(other.constant)?;
        for (value, coefficient) in &other.terms {
            let sum = self.terms.entry(*value).or_default();
            *sum = sum.checked_add(*coefficient)?;
        }
        // Equal forms must have equal terms: they share one symbol.
        self.terms.retain(|_, coefficient| *coefficient != 0);
        Some(self)
    }

    fn times(mut self, factor: i64) -> Option<Self> {
        self.constant = self.constant.checked_mul(factor)?;
        for coefficient in self.terms.values_mut() {
            *coefficient = coefficient.checked_mul(factor)?;
        }
        self.terms.retain(|_, coefficient| *coefficient != 0);
        Some(self)
    }
}

impl Extractor<'_> {
    /// Adds an access of `op` through `value`, with all details that are known. `extent` is the
    /// part of `value` that `op` touches.
    pub(super) fn add_precise_access(
        &mut self,
        accesses: &mut super::accesses::Accesses,
        op: Op,
        value: Value,
        kind: AccessKind,
        extent: Extent,
    ) {
        let whole = extent == Extent::Whole;
        let place = self.place(value);
        let (may, must) = self.byte_range(value, place, whole);
        let mut access = Access {
            pointer: place.pointer,
            kind,
            may,
            must,
            detail: None,
        };
        // One pointer stands for all unknown storage, so positions in it cannot be compared.
        if self.elsewhere != Some(place.pointer) {
            match element_indices(op, value) {
                Some(indices) => {
                    let all = extent != Extent::Perhaps;
                    self.refine_element(&mut access, value, &indices, all);
                }
                None => self.refine_view(&mut access, value, place, whole),
            }
        }
        accesses.push(access, Some(value));
    }

    /// Refines an access to one element.
    fn refine_element(&mut self, access: &mut Access, value: Value, indices: &[Value], all: bool) {
        let Some(layout) = self.layout(value.ty()) else {
            return;
        };
        let Some(start) = self.element_start(value, &layout, indices) else {
            return;
        };
        self.set_bounds(access, &start, &Linear::constant(layout.element), all);
    }

    /// Refines an access to a view; `whole` if it touches all of the view.
    fn refine_view(&mut self, access: &mut Access, value: Value, place: Place, whole: bool) {
        let Some(layout) = self.layout(value.ty()) else {
            return;
        };
        // Three refinements, each for what an interval of constants cannot express: a size known
        // only at run time, a position known only at run time, and gaps between rows.
        if let Some(size) = self.run_time_size(value, &layout) {
            if let Some(start) = self.first_byte(value) {
                self.set_bounds(access, &start, &size, whole);
            }
        } else if place.start().is_none() {
            let (Some(span), Some(start)) = (layout.span(), self.first_byte(value)) else {
                return;
            };
            // The span of a view that is not dense includes gaps, which the access does not touch.
            let all = whole && layout.dense();
            self.set_bounds(access, &start, &Linear::constant(span), all);
        } else if let (Some(may), false) = (access.may, layout.dense()) {
            self.set_rows(access, &layout, may, whole);
        }
    }

    /// Bounds an access to `[start, start + size)`; `all` if it touches all of those bytes.
    fn set_bounds(&mut self, access: &mut Access, start: &Linear, size: &Linear, all: bool) {
        // On overflow, the interval of the view still bounds the access.
        let Some(end) = start.clone().add(size) else {
            return;
        };
        let bytes = |n: i64| u64::try_from(n).ok().map(Bytes::new);
        if start.terms.is_empty() && end.terms.is_empty() {
            // A constant index can be out of bounds. Such code is undefined when executed, and the
            // access keeps the interval of its view.
            if let (Some(start), Some(end)) = (bytes(start.constant), bytes(end.constant))
                && start <= end
                && access
                    .may
                    .is_none_or(|may| may.covers(Interval::new(start, end)))
            {
                access.may = Some(Interval::new(start, end));
                access.must = access.may.filter(|_| all);
            }
            return;
        }
        let (Some(start), Some(end)) = (self.bound(start), self.bound(&end)) else {
            return;
        };
        access.detail_mut().symbolic = Some(SymbolicRange { start, end, all });
    }

    /// Records the rows of a non-dense view with constant strides.
    fn set_rows(
        &mut self,
        access: &mut Access,
        layout: &MemrefLayout,
        may: Interval<Bytes>,
        whole: bool,
    ) {
        let shape: Option<Vec<i64>> = layout.shape.iter().copied().collect();
        let strides: Option<Vec<i64>> = layout.strides.iter().copied().collect();
        let (Some(shape), Some(strides)) = (shape, strides) else {
            return;
        };
        let Some(bytes) = rows(&shape, &strides, layout.element, may.start.get()) else {
            // `report_views` reports the loss of precision.
            self.n_long_row_lists += 1;
            return;
        };
        access.detail_mut().rows = Some(Rows { bytes, all: whole });
    }

    /// The first byte of an element, relative to its pointer.
    fn element_start(
        &mut self,
        value: Value,
        layout: &MemrefLayout,
        indices: &[Value],
    ) -> Option<Linear> {
        let mut start = self.first_byte(value)?;
        if indices.len() != layout.strides.len() {
            return None;
        }
        for (index, stride) in indices.iter().zip(&layout.strides) {
            let index = self.linear(*index, 0)?;
            start = start.add(&index.times((*stride)?.checked_mul(layout.element)?)?)?;
        }
        Some(start)
    }

    /// The first byte of a view, relative to its pointer.
    fn first_byte(&mut self, value: Value) -> Option<Linear> {
        // Only up to the nearest view at a constant place, which sums up all views above it.
        let mut total = Linear::default();
        let views = chain(value, |value| view_source(value.owner()?));
        for at in views {
            if let Some(start) = self.place(at).start() {
                return total.add(&Linear::constant(start));
            }
            total = total.add(&self.view_shift(at.owner()?)?)?;
        }
        // The chain of views is cyclic, which only occurs in unreachable code.
        None
    }

    /// Distance in bytes from the start of a view's source to the start of the view.
    fn view_shift(&mut self, op: Op) -> Option<Linear> {
        let source = view_source(op)?;
        let shift = match op.name() {
            "memref.subview" => {
                let layout = self.layout(source.ty())?;
                let offsets = op.attribute("static_offsets")?.integers()?;
                // The dynamic offsets directly follow the source, before sizes and strides.
                let mut dynamic = op.operands().skip(1);
                let mut shift = Linear::default();
                for (offset, stride) in offsets.into_iter().zip(&layout.strides) {
                    let offset = match offset {
                        // `ShapedType::kDynamic`.
                        i64::MIN => self.linear(dynamic.next()?, 0)?,
                        offset => Linear::constant(offset),
                    };
                    shift = shift.add(&offset.times((*stride)?.checked_mul(layout.element)?)?)?;
                }
                shift
            }
            "mem.descriptor" => match super::places::descriptor_bounds(op)[0] {
                Some(offset) => Linear::constant(offset),
                None => self.linear(op.operand(1), 0)?,
            },
            "memref.view" => self.linear(op.operand(1), 0)?,
            // The distance stated by the types is already part of the place; these add none.
            "memref.cast"
            | "memref.assume_alignment"
            | "memref.memory_space_cast"
            | "memref.collapse_shape"
            | "memref.expand_shape" => Linear::default(),
            _ => return None,
        };
        Some(shift)
    }

    /// Size in bytes of a dense view with exactly one dynamic dimension.
    fn run_time_size(&mut self, value: Value, layout: &MemrefLayout) -> Option<Linear> {
        let unknown = layout.shape.iter().filter(|d| d.is_none()).count();
        // The product of two unknown dimensions is no linear form.
        if unknown != 1 || !layout.identity {
            return None;
        }
        let op = value.owner()?;
        let scale = layout.known_bytes()?;
        match op.name() {
            "mem.descriptor" => {
                let [offset, size] = super::places::descriptor_bounds(op);
                match size {
                    Some(size) => Some(Linear::constant(size)),
                    None => self.linear(op.operand(1 + usize::from(offset.is_none())), 0),
                }
            }
            // Sizes come first among the operands, and exactly one is dynamic.
            "memref.alloc" | "memref.alloca" => self.linear(op.operand(0), 0)?.times(scale),
            _ => None,
        }
    }

    /// A value as a linear form over other values, memoized.
    fn linear(&mut self, value: Value, depth: usize) -> Option<Linear> {
        // Without memoization, a chain of sums `x + x` takes exponential time.
        if let Some(known) = self.linear_forms.get(&value) {
            return known.clone();
        }
        let form = self.find_linear(value, depth);
        // The form depends on the depth at which the value is first met. Near the limit it is
        // coarser, which makes fewer positions comparable but is never wrong.
        self.linear_forms.insert(value, form.clone());
        form
    }

    fn find_linear(&mut self, value: Value, depth: usize) -> Option<Linear> {
        if let Some(constant) = value.constant() {
            return Some(Linear::constant(constant));
        }
        // Only index arithmetic is assumed not to overflow.
        let parts = value
            .owner()
            .filter(|op| depth < MAX_DEPTH && is_index(op.result()));
        if let Some(op) = parts {
            match op.name() {
                "arith.addi" => {
                    let low = self.linear(op.operand(0), depth + 1)?;
                    return low.add(&self.linear(op.operand(1), depth + 1)?);
                }
                "arith.subi" => {
                    let low = self.linear(op.operand(0), depth + 1)?;
                    return low.add(&self.linear(op.operand(1), depth + 1)?.times(-1)?);
                }
                "arith.muli" => {
                    // Canonical IR has the constant on the right, but nothing requires canonical IR
                    // here.
                    let constants = [1, 0].map(|i| op.operand(i).constant());
                    for (index, factor) in constants.into_iter().enumerate() {
                        if let Some(factor) = factor {
                            return self.linear(op.operand(index), depth + 1)?.times(factor);
                        }
                    }
                }
                _ => {}
            }
        }
        // Anything else is an unknown of its own, equal only to itself.
        let number = self.value_number(value)?;
        Some(Linear {
            constant: 0,
            terms: BTreeMap::from([(number, 1)]),
        })
    }

    /// The number of a value that some step computes. `None` inside an operation that is a single
    /// step, where one SSA value stands for many run-time values.
    fn value_number(&mut self, value: Value) -> Option<u32> {
        if let Some(number) = self.value_numbers.get(&value) {
            return Some(*number);
        }
        let home = match value.owner() {
            Some(op) => self.op_blocks.get(&op).copied(),
            None => {
                // Only blocks that have been lowered have a label.
                let label = super::flow::Label::Start(value.argument_block()?);
                self.labels.get(&label).copied()
            }
        }?;
        let number = self.value_homes.len() as u32;
        self.value_homes.push(home);
        self.value_numbers.insert(value, number);
        Some(number)
    }

    /// Converts a linear form to a bound of the model.
    fn bound(&mut self, form: &Linear) -> Option<Bound> {
        let symbol = match form.terms.is_empty() {
            true => None,
            false => Some(self.symbol(&form.terms)),
        };
        let offset = form.constant;
        Some(Bound { symbol, offset })
    }

    fn symbol(&mut self, terms: &BTreeMap<u32, i64>) -> SymbolId {
        if let Some(symbol) = self.symbol_numbers.get(terms) {
            return *symbol;
        }
        let symbol = SymbolId::new(self.symbols.len());
        let shown = terms.iter().map(|(value, n)| match n {
            1 => format!("v{value}"),
            n => format!("{n}*v{value}"),
        });
        // The form has another value as soon as one of its terms has, i.e. after any of their
        // blocks.
        let mut blocks: Vec<_> = terms
            .keys()
            .map(|value| self.value_homes[*value as usize])
            .collect();
        blocks.sort_unstable();
        blocks.dedup();
        self.symbols.push(Symbol {
            name: shown.collect::<Vec<_>>().join("+"),
            blocks,
        });
        self.symbol_numbers.insert(terms.clone(), symbol);
        symbol
    }

    /// Adds the predicate and the token of an operation to all its accesses.
    pub(super) fn add_conditions(&mut self, op: Op, accesses: &mut super::accesses::Accesses) {
        if let Some(predicate) = KernelOp::of(op).and_then(KernelOp::predicate) {
            let mut literals = Vec::new();
            let mut seen = HashSet::default();
            self.literals(Value(predicate.to_raw()), true, &mut literals, &mut seen);
            for access in accesses.iter_mut() {
                // A predicate without known literals still makes the accesses conditional.
                if literals.is_empty() {
                    access.must = None;
                    if let Some(detail) = &mut access.detail {
                        detail.rows.iter_mut().for_each(|rows| rows.all = false);
                        detail
                            .symbolic
                            .iter_mut()
                            .for_each(|range| range.all = false);
                    }
                } else {
                    access.detail_mut().predicate.clone_from(&literals);
                }
            }
        }
        let mut results = op.results().filter(|_| self.roots.has_tokens());
        let is_completion = |ty| is_token(ty) || is_request(ty);
        if let Some(token) = results.find(|result| is_completion(result.ty())) {
            let token = self.token(token);
            for access in accesses.iter_mut() {
                access.detail_mut().token = Some(token);
            }
        }
    }

    /// The token that represents a value.
    pub(super) fn token(&mut self, value: Value) -> TokenId {
        let next = TokenId::new(self.tokens.len());
        let token = *self.token_numbers.entry(value).or_insert(next);
        if token == next {
            self.tokens.push(next.to_string());
        }
        token
    }

    /// Splits a truth value into a conjunction of literals. A value that cannot be split becomes
    /// one literal; a value that no step computes becomes a fresh condition.
    fn literals(
        &mut self,
        value: Value,
        holds: bool,
        out: &mut Vec<Literal>,
        seen: &mut HashSet<(Value, bool)>,
    ) {
        // Literals that were added before are redundant.
        if !seen.insert((value, holds)) {
            return;
        }
        // Beyond the limit, the rest of a condition stays one literal: still true, but it proves
        // less.
        let op = value.owner().filter(|_| seen.len() < MAX_LITERALS);
        let name = op.as_ref().map_or("", Op::name);
        match op.map(|op| (op, name)) {
            // Only a conjunction that holds and a disjunction that does not determine both
            // operands.
            Some((op, "arith.andi")) if holds => {
                self.literals(op.operand(0), true, out, seen);
                self.literals(op.operand(1), true, out, seen);
            }
            Some((op, "arith.ori")) if !holds => {
                self.literals(op.operand(0), false, out, seen);
                self.literals(op.operand(1), false, out, seen);
            }
            // Only the lowest bit counts: as a sign-extended `i1`, `true` is -1.
            Some((op, "arith.xori")) if op.operand(1).constant().is_some_and(|n| n & 1 == 1) => {
                self.literals(op.operand(0), !holds, out, seen);
            }
            _ => {
                if let Some(number) = self.value_number(value) {
                    let symbol = self.symbol(&BTreeMap::from([(number, 1)]));
                    out.push(Literal { symbol, holds });
                } else {
                    // A fresh condition, unrelated to any other.
                    let symbol = SymbolId::new(self.symbols.len());
                    self.symbols.push(Symbol {
                        name: "condition".to_owned(),
                        blocks: Vec::new(),
                    });
                    out.push(Literal { symbol, holds });
                }
            }
        }
    }

    /// Adds the accesses of an operation that may do anything with `operands` and with all storage
    /// reachable from outside the function.
    pub(super) fn add_anything(
        &mut self,
        accesses: &mut super::accesses::Accesses,
        operands: &[Value],
    ) {
        let pointers = operands.iter().map(|v| (self.place(*v).pointer, Some(*v)));
        let mut pointers: Vec<(PointerId, Option<Value>)> = pointers.collect();
        // For everything that is reachable from outside of the function.
        pointers.push((self.elsewhere(), None));
        for kind in [AccessKind::Use, AccessKind::Define] {
            for &(pointer, value) in &pointers {
                accesses.push(Access::anywhere(kind, pointer), value);
            }
        }
    }
}

/// The most bytes of `value` that one execution of `op` accesses, if the shape of `value` is known.
pub(super) fn touched_bytes(op: Op, value: Value) -> Option<Bytes> {
    let layout = memref_layout(value.ty())?;
    let elements = match element_indices(op, value) {
        Some(_) => 1,
        None => layout.elements()?,
    };
    let bytes = elements.checked_mul(layout.element)?;
    u64::try_from(bytes).ok().map(Bytes::new)
}

/// The indices of an operation that accesses a single element of `value`.
fn element_indices(op: Op, value: Value) -> Option<Vec<Value>> {
    let memref = match op.name() {
        "memref.load" => 0,
        "memref.store" => 1,
        _ => return None,
    };
    (op.operand(memref) == value).then(|| op.operands().skip(memref + 1).collect())
}

fn is_index(value: Value) -> bool {
    crate::ir::is_index(value.ty())
}

/// The bytes of the elements of a strided view, if they form at most `MAX_ROWS` intervals.
fn rows(shape: &[i64], strides: &[i64], element: i64, start: u64) -> Option<IntervalSet<Bytes>> {
    if shape.contains(&0) {
        return Some(IntervalSet::new());
    }
    let mut dimensions: Vec<(i64, i64)> =
        shape.iter().copied().zip(strides.iter().copied()).collect();
    // The stride of a single element is arbitrary, and would keep the others from merging.
    dimensions.retain(|(size, _)| *size != 1);
    // Merge dimensions, innermost first, as long as they are contiguous.
    dimensions.sort_by_key(|(_, stride)| *stride);
    let mut length = 1_i64;
    let mut outer = dimensions.as_slice();
    while let Some(((size, stride), rest)) = outer.split_first()
        && *stride == length
    {
        length = length.checked_mul(*size)?;
        outer = rest;
    }
    let n_rows = outer
        .iter()
        .try_fold(1_i64, |n, (size, _)| n.checked_mul(*size))?;
    // The number of rows is a product of sizes and can be huge, so it is checked before any row is
    // listed.
    if n_rows > MAX_ROWS {
        return None;
    }
    // All combinations of indices of the outer dimensions: at most `MAX_ROWS`.
    let mut starts = vec![0_i64];
    for (size, stride) in outer {
        let before = std::mem::take(&mut starts);
        for index in 0..*size {
            let shift = index.checked_mul(*stride)?;
            for first in &before {
                starts.push(first.checked_add(shift)?);
            }
        }
    }
    let row = |first: &i64| {
        let bytes = |n: i64| {
            u64::try_from(n.checked_mul(element)?)
                .ok()?
                .checked_add(start)
        };
        let (first, end) = (bytes(*first)?, bytes(first.checked_add(length)?)?);
        Some(Interval::new(Bytes::new(first), Bytes::new(end)))
    };
    starts
        .iter()
        .map(row)
        .collect::<Option<Vec<_>>>()
        .map(IntervalSet::from_iter)
}
