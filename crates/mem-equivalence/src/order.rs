//! Lower bounds of linear forms, to decide whether two places in an arena are apart although their
//! addresses are known only at run time.
//!
//! Addresses are computed from sizes by sums, products, maxima and rounding. A form is bounded by
//! eliminating its maxima and masks, the one computed last first: each is replaced by one of its
//! operands, or by all of them, depending on the sign of its factor. What is left is a polynomial
//! over sizes, which are not negative. The arithmetic is assumed not to overflow, as the size of an
//! arena that exists does not.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::linear::Linear;
use crate::value::{Graph, MASK, MAXIMUM, Node, NodeId, PRODUCT};

/// Maximum number of forms visited for one bound.
const MAX_VISITS: usize = 256;

/// Maximum number of terms of a polynomial.
const MAX_TERMS: usize = 64;

/// Maximum depth of arithmetic that is followed.
const MAX_DEPTH: usize = 1024;

/// Number of assignments for which a form is computed before a bound is searched for.
const SAMPLES: usize = 4;

/// A sum of products of nodes with a factor each. The nodes of a product are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Polynomial(BTreeMap<Vec<NodeId>, i64>);

/// A form, and the nodes that are assumed not to be negative, sorted.
type Key = (Linear, Vec<NodeId>);

fn key(form: &Linear, assumed: &[NodeId]) -> Key {
    let mut assumed = assumed.to_vec();
    assumed.sort_unstable();
    assumed.dedup();
    (form.clone(), assumed)
}

/// What is known of the order of linear forms over one graph. Bounds are computed once.
#[derive(Default)]
pub(crate) struct Order {
    /// Whether a form is at least zero if the given nodes are.
    known: FxHashMap<Key, bool>,
    bounds: FxHashMap<Key, Option<i64>>,
    fixed: FxHashMap<NodeId, bool>,
    samples: Samples,
}

/// The values of nodes, by sample.
#[derive(Default)]
struct Samples([FxHashMap<NodeId, i128>; SAMPLES]);

impl Order {
    /// Whether all terms of a form have the same value at all points of the program: they are
    /// computed from arguments and constants alone.
    pub(crate) fn is_fixed(&mut self, graph: &Graph, form: &Linear) -> bool {
        self.is_fixed_form(graph, form, MAX_DEPTH)
    }

    fn is_fixed_form(&mut self, graph: &Graph, form: &Linear, depth: usize) -> bool {
        let mut terms = form.terms.iter();
        terms.all(|own| self.is_fixed_node(graph, own.0, depth))
    }

    fn is_fixed_node(&mut self, graph: &Graph, node: NodeId, depth: usize) -> bool {
        if let Some(known) = self.fixed.get(&node) {
            return *known;
        }
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let is_fixed = match graph.node(node) {
            Node::Integer(_) | Node::Argument(..) => true,
            Node::Linear(form) => self.is_fixed_form(graph, form, depth),
            Node::Result(step, _) => self.is_fixed_node(graph, *step, depth),
            Node::Step { inputs, shared, .. } if shared.is_empty() => inputs
                .iter()
                .all(|own| self.is_fixed_node(graph, *own, depth)),
            _ => false,
        };
        self.fixed.insert(node, is_fixed);
        is_fixed
    }

    /// Whether a form is at least zero whenever the nodes of `assumed` are. `false` if that is not
    /// known.
    pub(crate) fn is_at_least_zero(
        &mut self,
        graph: &Graph,
        form: &Linear,
        assumed: &[NodeId],
    ) -> bool {
        if let Some(known) = form.known() {
            return known >= 0;
        }
        let key = key(form, assumed);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let least = self.samples.least(graph, terms(form));
        let is_possible = least.is_none_or(|least| least >= 0);
        let found = is_possible
            && search(graph, &mut self.samples, form, &key.1, 0).is_some_and(|own| own >= 0);
        self.known.insert(key, found);
        found
    }

    /// Returns a constant that a form is not below whenever the nodes of `assumed` are at least
    /// zero; `None` if none is known.
    pub(crate) fn lower_bound(
        &mut self,
        graph: &Graph,
        form: &Linear,
        assumed: &[NodeId],
    ) -> Option<i64> {
        let key = key(form, assumed);
        if let Some(known) = self.bounds.get(&key) {
            return *known;
        }
        let least = self.samples.least(graph, terms(form));
        let least = least.and_then(|own| i64::try_from(own).ok());
        let goal = least.unwrap_or(i64::MAX);
        let found = search(graph, &mut self.samples, form, &key.1, goal);
        self.bounds.insert(key, found);
        found
    }
}

impl Samples {
    /// Returns the least value of a sum of products in all samples; `None` if values are out of
    /// range.
    fn least<'t, T>(&mut self, graph: &Graph, terms: T) -> Option<i128>
    where
        T: Iterator<Item = (&'t [NodeId], i64)> + Clone,
    {
        let mut least = None;
        for sample in 0..SAMPLES {
            let value = self.sum(graph, terms.clone(), sample, MAX_DEPTH)?;
            least = Some(least.map_or(value, |least: i128| least.min(value)));
        }
        least
    }

    fn sum<'t>(
        &mut self,
        graph: &Graph,
        terms: impl Iterator<Item = (&'t [NodeId], i64)>,
        sample: usize,
        depth: usize,
    ) -> Option<i128> {
        let mut sum: i128 = 0;
        for (product, factor) in terms {
            let mut term = i128::from(factor);
            for node in product {
                term = term.checked_mul(self.value(graph, *node, sample, depth)?)?;
            }
            sum = sum.checked_add(term)?;
        }
        Some(sum)
    }

    /// Returns the value of a node in a sample, where nodes that are not computed have some
    /// positive value.
    fn value(&mut self, graph: &Graph, node: NodeId, sample: usize, depth: usize) -> Option<i128> {
        if let Some(known) = self.0[sample].get(&node) {
            return Some(*known);
        }
        let depth = depth.checked_sub(1)?;
        let value = match graph.node(node) {
            Node::Integer(own) => i128::from(*own),
            Node::Linear(form) => self.sum(graph, terms(form), sample, depth)?,
            own => match operation(own) {
                Some((operator, [a, b])) => {
                    let a = self.value(graph, a, sample, depth)?;
                    let b = self.value(graph, b, sample, depth)?;
                    match operator {
                        PRODUCT => a.checked_mul(b)?,
                        MAXIMUM => a.max(b),
                        _ => a & b,
                    }
                }
                None => [1, 3, 40, 1 + i128::from(node.0 % 61)][sample],
            },
        };
        self.0[sample].insert(node, value);
        Some(value)
    }
}

/// Returns the terms of a linear form as products.
fn terms(form: &Linear) -> impl Iterator<Item = (&[NodeId], i64)> + Clone {
    let own = form.terms.iter();
    let own = own.map(|(node, factor)| (std::slice::from_ref(node), *factor));
    own.chain([(&[][..], form.constant)])
}

/// Returns the operator and the operands of a node that is computed by index arithmetic.
fn operation(node: &Node) -> Option<(crate::program::Fingerprint, [NodeId; 2])> {
    match node {
        Node::Step {
            fingerprint,
            inputs,
            ..
        } if [PRODUCT, MAXIMUM, MASK].contains(fingerprint) => {
            Some((*fingerprint, [inputs[0], inputs[1]]))
        }
        _ => None,
    }
}

/// Returns a lower bound of a form, the first one found that is at least `goal`, or else the best.
fn search(
    graph: &Graph,
    samples: &mut Samples,
    form: &Linear,
    assumed: &[NodeId],
    goal: i64,
) -> Option<i64> {
    let mut search = Search {
        graph,
        samples,
        assumed: Vec::new(),
        n_visits: 0,
        known: FxHashMap::default(),
    };
    for node in assumed {
        if let Some(Polynomial(terms)) = search.of_node(*node, MAX_DEPTH)
            && terms.len() == 1
        {
            let of_one = terms.into_iter().filter(|(_, factor)| *factor > 0);
            search.assumed.extend(of_one.map(|(product, _)| product));
        }
    }
    let form = search.polynomial(form, MAX_DEPTH)?;
    search.bound(&form, goal)
}

struct Search<'a> {
    graph: &'a Graph,
    samples: &'a mut Samples,
    /// Products that are not negative.
    assumed: Vec<Vec<NodeId>>,
    n_visits: usize,
    known: FxHashMap<Polynomial, Option<i64>>,
}

impl Search<'_> {
    fn polynomial(&self, form: &Linear, depth: usize) -> Option<Polynomial> {
        let mut sum = Polynomial::constant(form.constant);
        for (node, factor) in &form.terms {
            sum = sum.plus(&self.of_node(*node, depth)?, *factor)?;
        }
        Some(sum)
    }

    fn of_node(&self, node: NodeId, depth: usize) -> Option<Polynomial> {
        let depth = depth.checked_sub(1)?;
        match self.graph.node(node) {
            Node::Integer(own) => Some(Polynomial::constant(*own)),
            Node::Linear(form) => self.polynomial(form, depth),
            own => match operation(own) {
                Some((PRODUCT, [a, b])) => self.of_node(a, depth)?.times(&self.of_node(b, depth)?),
                _ => Some(Polynomial(BTreeMap::from([(vec![node], 1)]))),
            },
        }
    }

    fn least(&mut self, form: &Polynomial) -> Option<i128> {
        let terms = form
            .0
            .iter()
            .map(|(product, factor)| (product.as_slice(), *factor));
        self.samples.least(self.graph, terms)
    }

    fn bound(&mut self, form: &Polynomial, goal: i64) -> Option<i64> {
        if let Some(known) = self.known.get(form) {
            return *known;
        }
        self.n_visits += 1;
        if self.n_visits > MAX_VISITS || form.0.len() > MAX_TERMS {
            return None;
        }
        let last = form.0.keys().flatten().copied();
        let last = last.filter(|node| self.choice(*node).is_some()).max();
        let found = match last {
            None => self.constant(form),
            Some(node) => self.eliminate(form, node, goal),
        };
        self.known.insert(form.clone(), found);
        found
    }

    /// The maximum or mask that a node is.
    fn choice(&self, node: NodeId) -> Option<Choice> {
        match operation(self.graph.node(node))? {
            (MAXIMUM, operands) => Some(Choice::Maximum(operands)),
            (MASK, [of, mask]) => match *self.graph.node(mask) {
                // The mask clears the lowest bits.
                Node::Integer(mask) if mask < 0 && mask.unsigned_abs().is_power_of_two() => {
                    Some(Choice::RoundDown(of, mask.checked_neg()?))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The bound of a form without maxima and masks: that of its constant if nothing else can be
    /// negative.
    fn constant(&self, form: &Polynomial) -> Option<i64> {
        let is_size = |node: &NodeId| match self.graph.node(*node) {
            // The components after the offset are sizes and strides in turns.
            Node::Argument(_, component) => *component > 1 && component % 2 == 0,
            _ => false,
        };
        let is_assumed = |product: &[NodeId]| self.assumed.iter().any(|own| own == product);
        let is_positive = |node: &NodeId| is_size(node) || is_assumed(&[*node]);
        let mut terms = form.0.iter().filter(|(product, _)| !product.is_empty());
        let is_bounded = terms.all(|(product, factor)| {
            *factor > 0 && (is_assumed(product) || product.iter().all(is_positive))
        });
        let constant = form.0.get(&Vec::new()).copied().unwrap_or(0);
        is_bounded.then_some(constant)
    }

    /// Bounds a form by those in which `node` is replaced by its bounds. A form that does not
    /// decrease with the node is bounded by its value at any lower bound of the node. Any other is
    /// bounded by the least of its values at all of them, as it is linear in the node.
    fn eliminate(&mut self, form: &Polynomial, node: NodeId, goal: i64) -> Option<i64> {
        let (factor, rest) = form.split(node)?;
        let is_monotone = self.bound(&factor, 0).is_some_and(|own| own >= 0);
        let (operands, is_exact) = match self.choice(node)? {
            Choice::Maximum(operands) => (operands.map(|own| (own, 0)), true),
            Choice::RoundDown(of, step) => ([(of, step - 1), (of, 0)], false),
        };
        let mut found: Option<i64> = None;
        let mut forms = Vec::new();
        for (operand, less) in operands {
            let operand = self.of_node(operand, MAX_DEPTH)?;
            let operand = operand.plus(&Polynomial::constant(less), -1)?;
            forms.push(rest.plus(&operand.times(&factor)?, 1)?);
        }
        // The operand that is larger in the samples is more likely to be the one that matters.
        if is_monotone && is_exact && self.least(&forms[0]) < self.least(&forms[1]) {
            forms.swap(0, 1);
        }
        for (index, form) in forms.iter().enumerate() {
            let own = self.bound(form, goal);
            found = match (is_monotone, index) {
                (true, _) => found.max(own),
                (false, 0) => Some(own?),
                (false, _) => found.min(Some(own?)),
            };
            // The other end of the range of a rounded value is above it.
            if is_monotone && (!is_exact || found.is_some_and(|own| own >= goal)) {
                break;
            }
        }
        found
    }
}

enum Choice {
    Maximum([NodeId; 2]),
    /// The largest multiple of a power of two that is not above the node.
    RoundDown(NodeId, i64),
}

impl Polynomial {
    fn constant(constant: i64) -> Self {
        let terms = (constant != 0).then(|| (Vec::new(), constant));
        Self(terms.into_iter().collect())
    }

    /// Adds a multiple of another polynomial. `None` on overflow.
    fn plus(&self, other: &Self, factor: i64) -> Option<Self> {
        let mut sum = self.clone();
        for (product, own) in &other.0 {
            sum.add(product.clone(), own.checked_mul(factor)?)?;
        }
        Some(sum)
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let mut sum = Self::default();
        for (a, own) in &self.0 {
            for (b, theirs) in &other.0 {
                let mut product = [a.as_slice(), b.as_slice()].concat();
                product.sort_unstable();
                sum.add(product, own.checked_mul(*theirs)?)?;
            }
        }
        (sum.0.len() <= MAX_TERMS).then_some(sum)
    }

    fn add(&mut self, product: Vec<NodeId>, factor: i64) -> Option<()> {
        let own = self.0.get(&product).copied().unwrap_or(0);
        match own.checked_add(factor)? {
            0 => self.0.remove(&product),
            sum => self.0.insert(product, sum),
        };
        Some(())
    }

    /// Returns the factor of a node and the rest. `None` if the node occurs in a power.
    fn split(&self, node: NodeId) -> Option<(Self, Self)> {
        let (mut factor, mut rest) = (Self::default(), Self::default());
        for (product, own) in &self.0 {
            let mut others = product.clone();
            others.retain(|other| *other != node);
            match product.len() - others.len() {
                0 => rest.add(others, *own)?,
                1 => factor.add(others, *own)?,
                _ => return None,
            }
        }
        Some((factor, rest))
    }
}

#[cfg(test)]
mod tests;
