//! Emits a relative plan as arithmetic: offsets in terms of values known at run time.
//!
//! Offsets stay polynomials for as long as possible, and for equal and proportional sizes they
//! always do. Only where either of two sizes may be the larger one are they compared at run time.

use rustc_hash::FxHashMap as HashMap;

use mem_model::{Bytes, RelativePlan, Size};

use super::PlannedFunction;
use super::materialize::{Amount, Offsets};
use crate::extract::{Entry, Extraction};
use crate::ir::{Op, Value, binary, constant_index};

/// Offsets of each buffer's slots, and the size of the arena, computed before everything that needs
/// them.
pub(super) fn offsets(planned: &mut PlannedFunction, relative: &RelativePlan) -> (Offsets, Amount) {
    let Extraction {
        sizes,
        unknowns,
        entry,
        ..
    } = &mut planned.extraction;
    let entry = entry.as_mut().expect("sizes are known somewhere");
    let items = &planned.problem.items;
    let mut arithmetic = Arithmetic::new(entry, &unknowns.values);
    // Items that share a place need the size of the largest and the strictest alignment.
    let mut size: Vec<Vec<Term>> = vec![Vec::new(); items.len()];
    let mut alignment = vec![Bytes::new(1); items.len()];
    for (index, item) in items.iter().enumerate() {
        let place = relative.place[index];
        let own = sizes.get(&item.buffer).cloned();
        let own = own.unwrap_or_else(|| Size::constant(item.size.get()));
        size[place].push(Term::Known(own));
        alignment[place] = alignment[place].max(item.alignment);
    }
    let mut offset = vec![Term::Known(Size::default()); items.len()];
    let mut end = offset.clone();
    for &index in &relative.order {
        let below = relative.above[index].iter();
        let lowest = arithmetic.max(below.map(|other| end[*other].clone()).collect());
        offset[index] = arithmetic.aligned(lowest, alignment[index]);
        let size = arithmetic.max(std::mem::take(&mut size[index]));
        end[index] = arithmetic.sum(&offset[index], &size);
    }
    let peak = arithmetic.max(end);
    let peak = arithmetic.amount(&peak);
    let amounts = items.iter().zip(&relative.place);
    let amounts = amounts.map(|(item, place)| (item.buffer, arithmetic.amount(&offset[*place])));
    (Offsets::new(amounts.collect()), peak)
}

/// A number of bytes, known as a polynomial or computed at run time.
#[derive(Clone, PartialEq)]
enum Term {
    Known(Size),
    Computed(Value),
}

/// Emits arithmetic at one position, without repeating a computation.
struct Arithmetic<'e> {
    entry: &'e mut Entry,
    anchor: Op,
    /// Indexed by number of the unknown: the value that holds it.
    unknowns: &'e [Value],
    sizes: HashMap<Size, Value>,
    results: HashMap<(&'static str, Value, Value), Value>,
}

impl<'e> Arithmetic<'e> {
    fn new(entry: &'e mut Entry, unknowns: &'e [Value]) -> Self {
        Self {
            anchor: entry.anchor(),
            entry,
            unknowns,
            sizes: HashMap::default(),
            results: HashMap::default(),
        }
    }

    fn compute(&mut self, name: &'static str, a: Value, b: Value) -> Value {
        let anchor = self.anchor;
        let result = self.results.entry((name, a, b));
        *result.or_insert_with(|| binary(anchor, name, a, b))
    }

    fn constant(&mut self, bytes: u64) -> Value {
        let anchor = self.anchor;
        let size = Size::constant(bytes);
        let constant = || constant_index(anchor, bytes as i64);
        *self.sizes.entry(size).or_insert_with(constant)
    }

    /// The value of an unknown, clamped to zero. A negative value is the size of a buffer that is
    /// never allocated.
    fn unknown(&mut self, number: u32) -> Value {
        let value = self.entry.bring(self.unknowns[number as usize]);
        let is_dimension = value.owner().is_some_and(|op| op.name() == "memref.dim");
        if is_dimension {
            return value;
        }
        let zero = self.constant(0);
        self.compute("arith.maxsi", value, zero)
    }

    fn value(&mut self, size: &Size) -> Value {
        if let Some(value) = self.sizes.get(size) {
            return *value;
        }
        let mut sum = None;
        for (product, coefficient) in size.terms() {
            let mut term = None;
            for number in product {
                let unknown = self.unknown(*number);
                term = Some(term.map_or(unknown, |term| self.compute("arith.muli", term, unknown)));
            }
            let term = match (term, coefficient) {
                (Some(term), 1) => term,
                (term, _) => {
                    let factor = self.constant(coefficient);
                    term.map_or(factor, |term| self.compute("arith.muli", term, factor))
                }
            };
            sum = Some(sum.map_or(term, |sum| self.compute("arith.addi", sum, term)));
        }
        let value = sum.unwrap_or_else(|| self.constant(0));
        self.sizes.insert(size.clone(), value);
        value
    }

    fn of(&mut self, term: &Term) -> Value {
        match term {
            Term::Known(size) => self.value(size),
            Term::Computed(value) => *value,
        }
    }

    fn amount(&mut self, term: &Term) -> Amount {
        match term {
            Term::Known(size) if size.known().is_some() => {
                Amount::Constant(size.known().map_or(0, |bytes| bytes.get() as i64))
            }
            term => Amount::Computed(self.of(term)),
        }
    }

    fn sum(&mut self, a: &Term, b: &Term) -> Term {
        if let (Term::Known(a), Term::Known(b)) = (a, b)
            && let Some(sum) = a.clone().plus(b)
        {
            return Term::Known(sum);
        }
        let is_zero = |term: &Term| *term == Term::Known(Size::default());
        if is_zero(b) {
            return a.clone();
        }
        let (a, b) = (self.of(a), self.of(b));
        Term::Computed(self.compute("arith.addi", a, b))
    }

    /// The largest of the terms; zero if there are none.
    fn max(&mut self, terms: Vec<Term>) -> Term {
        let mut left: Vec<Term> = Vec::new();
        for term in terms {
            if left.iter().any(|other| other.covers(&term)) {
                continue;
            }
            left.retain(|other| !term.covers(other));
            left.push(term);
        }
        let mut left = left.into_iter();
        let first = left.next().unwrap_or(Term::Known(Size::default()));
        left.fold(first, |a, b| {
            let (a, b) = (self.of(&a), self.of(&b));
            Term::Computed(self.compute("arith.maxsi", a, b))
        })
    }

    /// Rounds up to the next multiple of an alignment.
    fn aligned(&mut self, term: Term, alignment: Bytes) -> Term {
        if let Term::Known(size) = &term {
            if size.is_aligned_to(alignment) {
                return term;
            }
            if let Some(bytes) = size.known().and_then(|b| b.checked_align_up(alignment)) {
                return Term::Known(Size::constant(bytes.get()));
            }
        }
        let value = self.of(&term);
        let round = self.constant(alignment.get() - 1);
        let raised = self.compute("arith.addi", value, round);
        let mask = self.constant(alignment.get().wrapping_neg());
        Term::Computed(self.compute("arith.andi", raised, mask))
    }
}

impl Term {
    /// Whether this term is known to be at least `other`, for all values of the unknowns.
    fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Known(a), Self::Known(b)) => a.covers(b),
            (_, Self::Known(b)) => b.known() == Some(Bytes::ZERO),
            (a, b) => a == b,
        }
    }
}
