//! Arithmetic on indices and conditions.

use crate::evaluate::Evaluator;
use crate::linear::Linear;
use crate::program::{Arithmetic, Fingerprint, Predicate};
use crate::value::{MASK, MAXIMUM, Node, NodeId, PRODUCT};

impl Evaluator<'_> {
    pub(crate) fn arithmetic(&mut self, operator: Arithmetic, a: NodeId, b: NodeId) -> NodeId {
        let [of_a, of_b] = [a, b].map(|node| self.graph.linear(node));
        let form = match (operator, of_a.known(), of_b.known()) {
            (Arithmetic::Add, ..) => of_a.plus(&of_b),
            (Arithmetic::Subtract, ..) => of_a.minus(&of_b),
            (Arithmetic::Multiply, Some(factor), _) => of_b.times(factor),
            (Arithmetic::Multiply, _, Some(factor)) => of_a.times(factor),
            (Arithmetic::Maximum, Some(a), Some(b)) => Linear::constant(a.max(b)),
            (Arithmetic::And, Some(a), Some(b)) => Linear::constant(a & b),
            (Arithmetic::Multiply, None, None) => self.opaque(PRODUCT, a, b),
            (Arithmetic::Maximum, ..) => self.opaque(MAXIMUM, a, b),
            (Arithmetic::And, ..) => self.opaque(MASK, a, b),
            (Arithmetic::Remainder(_), Some(a), Some(b)) if b != 0 => {
                Linear::constant((a as u64 % b as u64) as i64)
            }
            (Arithmetic::Compare(predicate, _), Some(a), Some(b)) => {
                Linear::constant(-i64::from(holds(predicate, a, b)))
            }
            (Arithmetic::Compare(Predicate::UnsignedLess, _), None, Some(length))
                if self.is_outside(&of_a, length) =>
            {
                Linear::constant(0)
            }
            (Arithmetic::Both(_), Some(0), _) | (Arithmetic::Either(_), _, Some(0)) => of_a,
            (Arithmetic::Both(_), _, Some(0)) | (Arithmetic::Either(_), Some(0), _) => of_b,
            (Arithmetic::Both(_), Some(_), _) | (Arithmetic::Either(_), _, Some(_)) => of_b,
            (Arithmetic::Both(_), _, Some(_)) | (Arithmetic::Either(_), Some(_), _) => of_a,
            (
                Arithmetic::Remainder(own)
                | Arithmetic::Compare(_, own)
                | Arithmetic::Both(own)
                | Arithmetic::Either(own),
                ..,
            ) => self.opaque(own, a, b),
        };
        self.graph.number(&form)
    }

    /// Whether a form is the distance from `length` bytes in a storage of the function to an
    /// address that is in none of them, since it belongs to other storage.
    fn is_outside(&self, form: &Linear, length: i64) -> bool {
        let place = form.terms.iter().find(|(_, factor)| *factor == -1);
        let address = form.terms.iter().find(|(_, factor)| *factor == 1);
        let (Some((place, _)), Some((address, _)), 2) = (place, address, form.terms.len()) else {
            return false;
        };
        let (Node::Address(..), Node::Place(storage)) =
            (self.graph.node(*address), self.graph.node(*place))
        else {
            return false;
        };
        let bytes = self.storages[*storage as usize].bytes;
        let start = form.constant.checked_neg();
        start
            .zip(bytes)
            .is_some_and(|(start, bytes)| start >= 0 && length >= 0 && length <= bytes - start)
    }

    /// Returns the result of index arithmetic that is no linear form.
    fn opaque(&mut self, fingerprint: Fingerprint, a: NodeId, b: NodeId) -> Linear {
        let inputs = vec![a, b];
        Linear::of_node(self.graph.add(Node::Step {
            fingerprint,
            inputs: inputs.into(),
            shared: Box::default(),
        }))
    }

    pub(crate) fn times(&mut self, a: &Linear, b: &Linear) -> Linear {
        let [a, b] = [a, b].map(|form| self.graph.number(form));
        let node = self.arithmetic(Arithmetic::Multiply, a, b);
        self.graph.linear(node)
    }
}

/// Whether a predicate holds for two numbers.
fn holds(predicate: Predicate, a: i64, b: i64) -> bool {
    match predicate {
        Predicate::Equal => a == b,
        Predicate::NotEqual => a != b,
        Predicate::Less => a < b,
        Predicate::LessEqual => a <= b,
        Predicate::UnsignedLess => (a as u64) < b as u64,
        Predicate::UnsignedLessEqual => a as u64 <= b as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_compare_signed_and_unsigned_numbers() {
        let numbers = [i64::MIN, -2, -1, 0, 1, 2, i64::MAX];
        for (a, b) in numbers.into_iter().flat_map(|a| numbers.map(|b| (a, b))) {
            let [c, d] = [a, b].map(|own| i128::from(own).rem_euclid(1 << 64));
            let expected = [
                (Predicate::Equal, c == d),
                (Predicate::NotEqual, c != d),
                (Predicate::Less, i128::from(a) < i128::from(b)),
                (Predicate::LessEqual, i128::from(a) <= i128::from(b)),
                (Predicate::UnsignedLess, c < d),
                (Predicate::UnsignedLessEqual, c <= d),
            ];
            for (predicate, expected) in expected {
                assert_eq!(holds(predicate, a, b), expected, "{predicate:?} {a} {b}");
            }
        }
    }
}
