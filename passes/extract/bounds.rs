//! Bounds on sizes known only at run time, from the operations that compute them.
//!
//! `affine.min`, `affine.max`, `affine.apply`, the arithmetic of `arith` and `index`, induction
//! variables of `scf.for` and results of `scf.if` become definitions of `mem_flow::bounds`. Upstream's
//! `ValueBoundsOpInterface` knows more operations, but no upper bound of a maximum and no lower bound
//! of a minimum, so chains of both have bounds only here. The smaller of the two bounds is taken.
//!
//! Like upstream's interface, this assumes that the computation of a size does not overflow.

use rustc_hash::FxHashMap as HashMap;

use mem_flow::bounds::{Definition, Form, Numbers, Rounding};

use super::sizes::{MAX_DEPTH, dimension};
use crate::ir::{
    Affine, AffineOperator, MemrefLayout, Op, SEGMENTS, Value, is_index, memref_layout, upper_bound,
};

/// Maximum number of values that upstream's interface examines for one bound; the cost grows with
/// their cube.
const MAX_VALUES: usize = 32;

/// An allocation that is planned at the upper bound of its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoundedSize {
    /// The allocation.
    pub op: Op,
    /// A lower bound, in bytes.
    pub least: u64,
    /// The upper bound, in bytes.
    pub most: u64,
}

/// What is known of the values of a function.
#[derive(Default)]
pub(super) struct Bounds {
    numbers: Numbers,
    /// Memoized.
    forms: HashMap<Value, Form>,
}

impl Bounds {
    /// The size in bytes of a memref with the identity layout: a lower bound, and an upper bound if all
    /// dynamic dimensions have one.
    pub(super) fn bytes(&mut self, layout: &MemrefLayout, dynamic: &[Value]) -> Option<(u64, u64)> {
        let bytes = layout.known_bytes()?;
        let (mut least, mut most) = (bytes, bytes);
        for value in dynamic {
            let form = self.form(*value, 0);
            let own = self.numbers.most(&form).map(|most| most.max(0));
            let upstream = upper_bound(*value, MAX_VALUES);
            most = most.checked_mul(own.into_iter().chain(upstream).min()?)?;
            least = least.checked_mul(self.numbers.least(&form).unwrap_or(0).max(0))?;
        }
        Some((u64::try_from(least).ok()?, u64::try_from(most).ok()?))
    }

    fn form(&mut self, value: Value, depth: usize) -> Form {
        let value = dimension(value);
        if let Some(form) = self.forms.get(&value) {
            return form.clone();
        }
        // Operations in unreachable code can depend on themselves.
        let unknown = self.numbers.unknown();
        self.forms.insert(value, unknown.clone());
        let is_known = depth < MAX_DEPTH && is_index(value.ty());
        let form = is_known.then(|| self.computed(value, depth)).flatten();
        let form = form.unwrap_or(unknown);
        self.forms.insert(value, form.clone());
        form
    }

    /// The form of a value, from the operation that computes it; `None` if nothing is known of it.
    fn computed(&mut self, value: Value, depth: usize) -> Option<Form> {
        if let Some(constant) = value.constant() {
            return Some(Form::constant(constant));
        }
        let Some(op) = value.owner() else {
            return self.induction_variable(value, depth);
        };
        match op.name() {
            "affine.apply" | "affine.min" | "affine.max" => return self.affine(op, depth),
            "memref.dim" => return Some(self.shape(op, depth)),
            "scf.if" => return self.branches(op, value, depth),
            "arith.select" => {
                let chosen = vec![self.operand(op, 1, depth), self.operand(op, 2, depth)];
                return Some(self.numbers.define(Definition::OneOf(chosen)));
            }
            _ => {}
        }
        (op.operands().count() == 2).then_some(())?;
        let (a, b) = (self.operand(op, 0, depth), self.operand(op, 1, depth));
        let definition = match op.name() {
            "arith.addi" | "index.add" => return a.plus(&b),
            "arith.subi" | "index.sub" => return a.minus(&b),
            "arith.muli" | "index.mul" => return Some(self.product(a, b)),
            "arith.minsi" | "index.mins" => Definition::Minimum(vec![a, b]),
            "arith.maxsi" | "index.maxs" => Definition::Maximum(vec![a, b]),
            "arith.floordivsi" | "index.floordivs" => quotient(a, &b, Rounding::Down)?,
            "arith.ceildivsi" | "index.ceildivs" => quotient(a, &b, Rounding::Up)?,
            // Without a sign, or rounded towards zero: the same if nothing is negative.
            "arith.divsi" | "arith.divui" | "index.divs" | "index.divu" if self.is_natural(&a) => {
                quotient(a, &b, Rounding::Down)?
            }
            "arith.remsi" | "arith.remui" | "index.rems" | "index.remu" if self.is_natural(&a) => {
                remainder(a, &b)?
            }
            _ => return None,
        };
        Some(self.numbers.define(definition))
    }

    fn operand(&mut self, op: Op, index: usize, depth: usize) -> Form {
        self.form(op.operand(index), depth + 1)
    }

    fn is_natural(&mut self, form: &Form) -> bool {
        self.numbers.least(form).is_some_and(|least| least >= 0)
    }

    fn product(&mut self, a: Form, b: Form) -> Form {
        let scaled = match (a.value(), b.value()) {
            (Some(factor), _) => b.times(factor),
            (_, Some(factor)) => a.times(factor),
            _ => None,
        };
        scaled.unwrap_or_else(|| self.numbers.define(Definition::Product(a, b)))
    }

    /// The induction variable of a loop: `lower + step * i`, where `i` counts the iterations.
    fn induction_variable(&mut self, value: Value, depth: usize) -> Option<Form> {
        let block = value.argument_block()?;
        let of = block.terminator()?.parent();
        let of = of.filter(|op| op.name() == "scf.for")?;
        (block.arguments().next() == Some(value)).then_some(())?;
        of.attribute("unsignedCmp").is_none().then_some(())?;
        let [lower, upper, step] = [0, 1, 2].map(|index| self.operand(of, index, depth));
        let last = upper.plus(&Form::constant(-1))?;
        let Some(step) = step.value() else {
            return Some(self.numbers.define(Definition::Bounded {
                at_least: vec![lower],
                at_most: vec![last],
            }));
        };
        let iterations = self.numbers.define(Definition::Quotient {
            of: last.minus(&lower)?,
            by: step,
            rounding: Rounding::Down,
        });
        let iteration = self.numbers.define(Definition::Bounded {
            at_least: vec![Form::constant(0)],
            at_most: vec![iterations],
        });
        lower.plus(&iteration.times(step)?)
    }

    /// A result of an `scf.if`: what one of its branches yields.
    fn branches(&mut self, op: Op, value: Value, depth: usize) -> Option<Form> {
        let position = op.results().position(|result| result == value)?;
        let yields = op
            .regions()
            .map(|region| region.first_block()?.terminator());
        let yields = yields.collect::<Option<Vec<Op>>>()?;
        let yields = yields.into_iter();
        let chosen = yields
            .map(|end| self.operand(end, position, depth))
            .collect();
        Some(self.numbers.define(Definition::OneOf(chosen)))
    }

    /// A dimension of a memref, which is not negative.
    fn shape(&mut self, op: Op, depth: usize) -> Form {
        if let Some(size) = sliced(op) {
            return self.form(size, depth + 1);
        }
        let layout = memref_layout(op.operand(0).ty());
        let index = op
            .operand(1)
            .constant()
            .and_then(|index| usize::try_from(index).ok());
        let size = layout
            .zip(index)
            .and_then(|(layout, index)| *layout.shape.get(index)?);
        let natural = || Definition::Bounded {
            at_least: vec![Form::constant(0)],
            at_most: Vec::new(),
        };
        size.map_or_else(|| self.numbers.define(natural()), Form::constant)
    }

    fn affine(&mut self, op: Op, depth: usize) -> Option<Form> {
        let map = op.attribute("map")?.affine_map_of_operands()?;
        let operands = op.operands().collect::<Vec<Value>>().into_iter();
        let operands: Vec<Form> = operands.map(|value| self.form(value, depth + 1)).collect();
        let results = map.results.iter();
        let mut results: Vec<Form> = results
            .map(|result| self.expression(result, &operands))
            .collect::<Option<_>>()?;
        match op.name() {
            "affine.min" => Some(self.numbers.define(Definition::Minimum(results))),
            "affine.max" => Some(self.numbers.define(Definition::Maximum(results))),
            _ => results.pop(),
        }
    }

    fn expression(&mut self, expression: &Affine, operands: &[Form]) -> Option<Form> {
        let (operator, a, b) = match expression {
            Affine::Dimension(dimension) => return operands.get(*dimension).cloned(),
            Affine::Constant(value) => return Some(Form::constant(*value)),
            Affine::Binary(operator, a, b) => (operator, a, b),
        };
        let (a, b) = (self.expression(a, operands)?, self.expression(b, operands)?);
        let definition = match operator {
            AffineOperator::Add => return a.plus(&b),
            AffineOperator::Mul => return Some(self.product(a, b)),
            AffineOperator::Mod => remainder(a, &b)?,
            AffineOperator::FloorDiv => quotient(a, &b, Rounding::Down)?,
            AffineOperator::CeilDiv => quotient(a, &b, Rounding::Up)?,
        };
        Some(self.numbers.define(definition))
    }
}

fn quotient(of: Form, by: &Form, rounding: Rounding) -> Option<Definition> {
    let by = by.value()?;
    Some(Definition::Quotient { of, by, rounding })
}

fn remainder(of: Form, by: &Form) -> Option<Definition> {
    let by = by.value()?;
    Some(Definition::Remainder { of, by })
}

/// The operand that gives the dimension that a `memref.dim` asks for, if the memref is a subview of the
/// same rank.
fn sliced(dim: Op) -> Option<Value> {
    let index = usize::try_from(dim.operand(1).constant()?).ok()?;
    let view = dim.operand(0).owner()?;
    (view.name() == "memref.subview").then_some(())?;
    let sizes = view.attribute("static_sizes")?.integers()?;
    let rank = memref_layout(view.result().ty())?.shape.len();
    let is_dynamic = |size: &&i64| **size == i64::MIN;
    (sizes.len() == rank && is_dynamic(&sizes.get(index)?)).then_some(())?;
    let segments = view.attribute(SEGMENTS)?.small_integers()?;
    let first = usize::try_from(segments.first()?.checked_add(*segments.get(1)?)?).ok()?;
    let n_before = sizes[..index].iter().filter(is_dynamic).count();
    Some(view.operand(first + n_before))
}
