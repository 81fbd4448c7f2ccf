//! Linear forms over values, for addresses and sizes that may depend on run-time values.

use crate::value::NodeId;

/// `constant + sum of coefficient * value`. Terms are sorted by value; no coefficient is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Linear {
    pub constant: i64,
    pub terms: Vec<(NodeId, i64)>,
}

impl Linear {
    pub(crate) fn constant(constant: i64) -> Self {
        Self {
            constant,
            terms: Vec::new(),
        }
    }

    pub(crate) fn of_node(node: NodeId) -> Self {
        Self {
            constant: 0,
            terms: vec![(node, 1)],
        }
    }

    /// Returns the constant if the form has no terms.
    pub(crate) fn known(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Adds two forms. Wraps on overflow, as index arithmetic does at run time.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        let constant = self.constant.wrapping_add(other.constant);
        let mut terms = self.terms.clone();
        for (node, factor) in &other.terms {
            match terms.binary_search_by_key(node, |(node, _)| *node) {
                Ok(at) => terms[at].1 = terms[at].1.wrapping_add(*factor),
                Err(at) => terms.insert(at, (*node, *factor)),
            }
        }
        terms.retain(|(_, factor)| *factor != 0);
        Self { constant, terms }
    }

    pub(crate) fn times(&self, factor: i64) -> Self {
        let mut terms = self.terms.clone();
        for (_, own) in &mut terms {
            *own = own.wrapping_mul(factor);
        }
        terms.retain(|(_, own)| *own != 0);
        Self {
            constant: self.constant.wrapping_mul(factor),
            terms,
        }
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.times(-1))
    }

    /// Divides the form by `divisor`; `None` unless `divisor` is positive and divides the constant
    /// and every coefficient.
    pub(crate) fn divided(&self, divisor: i64) -> Option<Self> {
        let is_multiple = divisor > 0
            && self.constant % divisor == 0
            && self.terms.iter().all(|(_, own)| own % divisor == 0);
        is_multiple.then(|| Self {
            constant: self.constant / divisor,
            terms: self
                .terms
                .iter()
                .map(|(node, own)| (*node, own / divisor))
                .collect(),
        })
    }
}
