//! What dependence analysis knows of an access beyond the bytes that planning asks for: elements
//! behind indices, rows of strided views, bounds known only at run time, predicates, tokens.
//!
//! Bytes are linear forms over SSA values: a constant, and values with coefficients. Equal forms
//! are one symbol of the model. Index arithmetic is taken not to overflow, as in-bounds accesses
//! do not.

use std::collections::{BTreeMap, HashSet};

use melior::ir::ValueLike as _;
use mem_model::{
    Access, AccessKind, Bound, Bytes, Interval, IntervalSet, Literal, PointerId, Rows, Symbol,
    SymbolId, SymbolicRange, TokenId,
};

use super::{Extractor, Place, view_source};
use crate::dialect::KernelOp;
use crate::mlir::{MemrefLayout, Op, Value, chain, is_token};

/// Most intervals a strided view is told apart into.
const MAX_ROWS: i64 = 64;

/// Longest chain of additions that is looked through.
const MAX_DEPTH: usize = 16;

/// Most values that a condition is split into.
const MAX_LITERALS: usize = 64;

/// How much of a value an operation touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of it.
    Whole,
    /// Some of it, or the element that its indices say.
    Part,
    /// Any of it, or nothing.
    Perhaps,
}

/// A constant, and values with coefficients; values by the number they were met with.
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
    /// Adds all that is known of an access through `value`, which `op` makes to the `whole` of it or
    /// to some of it.
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

    /// An access to one element.
    fn refine_element(&mut self, access: &mut Access, value: Value, indices: &[Value], all: bool) {
        let Some(layout) = self.layout(value.ty()) else {
            return;
        };
        let Some(start) = self.element_start(value, &layout, indices) else {
            return;
        };
        self.set_bounds(access, &start, &Linear::constant(layout.element), all);
    }

    /// An access to a view, or to all of it.
    fn refine_view(&mut self, access: &mut Access, value: Value, place: Place, whole: bool) {
        let Some(layout) = self.layout(value.ty()) else {
            return;
        };
        if let Some(size) = self.run_time_size(value, &layout) {
            if let Some(start) = self.first_byte(value) {
                self.set_bounds(access, &start, &size, whole);
            }
        } else if place.start.is_none() {
            let (Some(span), Some(start)) = (layout.span(), self.first_byte(value)) else {
                return;
            };
            let all = whole && layout.dense();
            self.set_bounds(access, &start, &Linear::constant(span), all);
        } else if let (Some(may), false) = (access.may, layout.dense()) {
            self.set_rows(access, &layout, may, whole);
        }
    }

    /// Bytes `[start, start + size)`, all of which the access touches, or some.
    fn set_bounds(&mut self, access: &mut Access, start: &Linear, size: &Linear, all: bool) {
        let Some(end) = start.clone().add(size) else {
            return;
        };
        let bytes = |n: i64| u64::try_from(n).ok().map(Bytes::new);
        if start.terms.is_empty() && end.terms.is_empty() {
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

    /// The rows of a view with constant strides that are not dense.
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
            self.n_long_row_lists += 1;
            return;
        };
        access.detail_mut().rows = Some(Rows { bytes, all: whole });
    }

    /// The first byte of an element, from its pointer's start.
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

    /// The first byte of a view, from its pointer's start.
    fn first_byte(&mut self, value: Value) -> Option<Linear> {
        let mut total = Linear::default();
        let views = chain(value, |value| view_source(value.owner()?));
        for at in views {
            if let Some(start) = self.place(at).start {
                return total.add(&Linear::constant(start));
            }
            total = total.add(&self.view_shift(at.owner()?)?)?;
        }
        // Views of themselves, in code that cannot be reached.
        None
    }

    /// Bytes between the start of a view and that of its source.
    fn view_shift(&mut self, op: Op) -> Option<Linear> {
        let source = view_source(op)?;
        let shift = match op.name() {
            "memref.subview" => {
                let layout = self.layout(source.ty())?;
                let offsets = op.attribute("static_offsets")?.integers()?;
                let mut dynamic = op.operands().skip(1);
                let mut shift = Linear::default();
                for (offset, stride) in offsets.into_iter().zip(&layout.strides) {
                    let offset = match offset {
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
            // An offset that the types state has been looked at already.
            "memref.cast"
            | "memref.assume_alignment"
            | "memref.memory_space_cast"
            | "memref.collapse_shape"
            | "memref.expand_shape" => Linear::default(),
            _ => return None,
        };
        Some(shift)
    }

    /// The bytes of a dense view with one size known only at run time.
    fn run_time_size(&mut self, value: Value, layout: &MemrefLayout) -> Option<Linear> {
        let unknown = layout.shape.iter().filter(|d| d.is_none()).count();
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
            "memref.alloc" | "memref.alloca" => self.linear(op.operand(0), 0)?.times(scale),
            _ => None,
        }
    }

    /// A value as a linear form of others.
    fn linear(&mut self, value: Value, depth: usize) -> Option<Linear> {
        // Else a chain of sums of a value with itself takes twice the time for each.
        if let Some(known) = self.linear_forms.get(&value) {
            return known.clone();
        }
        let form = self.find_linear(value, depth);
        self.linear_forms.insert(value, form.clone());
        form
    }

    fn find_linear(&mut self, value: Value, depth: usize) -> Option<Linear> {
        if let Some(constant) = value.constant() {
            return Some(Linear::constant(constant));
        }
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
        let number = self.value_number(value)?;
        Some(Linear {
            constant: 0,
            terms: BTreeMap::from([(number, 1)]),
        })
    }

    /// The number of a value that some step computes; `None` inside operations that are one step,
    /// where one name stands for many values.
    fn value_number(&mut self, value: Value) -> Option<u32> {
        if let Some(number) = self.value_numbers.get(&value) {
            return Some(*number);
        }
        let home = match value.owner() {
            Some(op) => self.op_blocks.get(&op).copied(),
            None => {
                let label = super::flow::Label::Start(value.argument_block()?);
                self.labels.get(&label).copied()
            }
        }?;
        let number = self.value_homes.len() as u32;
        self.value_homes.push(home);
        self.value_numbers.insert(value, number);
        Some(number)
    }

    /// A linear form as a bound of the model.
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

    /// Conditions and tokens of an operation hold for all its accesses.
    pub(super) fn add_conditions(&mut self, op: Op, accesses: &mut super::accesses::Accesses) {
        if let Some(predicate) = KernelOp::of(op).and_then(KernelOp::predicate) {
            let mut literals = Vec::new();
            let mut seen = HashSet::new();
            self.literals(Value(predicate.to_raw()), true, &mut literals, &mut seen);
            for access in accesses.iter_mut() {
                // Nothing known of a condition still makes it one.
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
        if let Some(token) = results.find(|result| is_token(result.ty())) {
            let token = self.token(token);
            for access in accesses.iter_mut() {
                access.detail_mut().token = Some(token);
            }
        }
    }

    /// The token that stands for a value.
    pub(super) fn token(&mut self, value: Value) -> TokenId {
        let next = TokenId::new(self.tokens.len());
        let token = *self.token_numbers.entry(value).or_insert(next);
        if token == next {
            self.tokens.push(next.to_string());
        }
        token
    }

    /// A truth value as a conjunction of others. What cannot be split is one condition; what has no
    /// home is left out by being none at all.
    fn literals(
        &mut self,
        value: Value,
        holds: bool,
        out: &mut Vec<Literal>,
        seen: &mut HashSet<(Value, bool)>,
    ) {
        // What has been said need not be said again.
        if !seen.insert((value, holds)) {
            return;
        }
        let op = value.owner().filter(|_| seen.len() < MAX_LITERALS);
        let name = op.as_ref().map_or("", Op::name);
        match op.map(|op| (op, name)) {
            Some((op, "arith.andi")) if holds => {
                self.literals(op.operand(0), true, out, seen);
                self.literals(op.operand(1), true, out, seen);
            }
            Some((op, "arith.ori")) if !holds => {
                self.literals(op.operand(0), false, out, seen);
                self.literals(op.operand(1), false, out, seen);
            }
            Some((op, "arith.xori")) if op.operand(1).constant().is_some_and(|n| n & 1 == 1) => {
                self.literals(op.operand(0), !holds, out, seen);
            }
            _ => {
                if let Some(number) = self.value_number(value) {
                    let symbol = self.symbol(&BTreeMap::from([(number, 1)]));
                    out.push(Literal { symbol, holds });
                } else {
                    // A condition of its own, that nothing else depends on.
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

    /// Accesses of an operation that may do anything with `operands`, and with everything that
    /// others can reach.
    pub(super) fn add_anything(
        &mut self,
        accesses: &mut super::accesses::Accesses,
        operands: &[Value],
    ) {
        let pointers = operands.iter().map(|v| (self.place(*v).pointer, Some(*v)));
        let mut pointers: Vec<(PointerId, Option<Value>)> = pointers.collect();
        pointers.push((self.elsewhere(), None));
        for kind in [AccessKind::Use, AccessKind::Define] {
            for &(pointer, value) in &pointers {
                accesses.push(Access::anywhere(kind, pointer), value);
            }
        }
    }
}

/// The indices of an operation that touches one element of `value`.
fn element_indices(op: Op, value: Value) -> Option<Vec<Value>> {
    let memref = match op.name() {
        "memref.load" => 0,
        "memref.store" => 1,
        _ => return None,
    };
    (op.operand(memref) == value).then(|| op.operands().skip(memref + 1).collect())
}

fn is_index(value: Value) -> bool {
    value.ty().to_string() == "index"
}

/// The bytes of the elements of a strided view, if they are few intervals.
fn rows(shape: &[i64], strides: &[i64], element: i64, start: u64) -> Option<IntervalSet<Bytes>> {
    if shape.contains(&0) {
        return Some(IntervalSet::new());
    }
    let mut dimensions: Vec<(i64, i64)> =
        shape.iter().copied().zip(strides.iter().copied()).collect();
    dimensions.retain(|(size, _)| *size != 1);
    // From the innermost: as long as rows follow each other, they are one.
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
    if n_rows > MAX_ROWS {
        return None;
    }
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
