//! Tests of lower bounds.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;
use crate::program::Fingerprint;

/// Random arithmetic over three sizes.
struct Arithmetic {
    graph: Graph,
    rng: SplitMix64,
    forms: Vec<Linear>,
}

impl Arithmetic {
    fn new(seed: u64) -> Self {
        let mut graph = Graph::default();
        let size = |n| Linear::of_node(graph.add(Node::Argument(n, 2)));
        let forms = [0, 1, 2].map(size).to_vec();
        let rng = SplitMix64::seed_from_u64(seed);
        Self { graph, rng, forms }
    }

    fn below(&mut self, n: u64) -> u64 {
        self.rng.next_u64() % n
    }

    fn any(&mut self) -> Linear {
        let index = self.below(self.forms.len() as u64) as usize;
        self.forms[index].clone()
    }

    fn opaque(&mut self, fingerprint: Fingerprint, a: &Linear, b: &Linear) -> Linear {
        let inputs = vec![self.graph.number(a), self.graph.number(b)];
        let shared = Vec::new();
        Linear::of_node(self.graph.add(Node::Step {
            fingerprint,
            inputs: inputs.into(),
            shared: shared.into(),
        }))
    }

    /// Adds a form as planners compute them.
    fn step(&mut self) {
        let (a, b) = (self.any(), self.any());
        let form = match self.below(6) {
            0 => a.plus(&b),
            1 => a.times(1 + self.below(8) as i64),
            2 => a.plus(&Linear::constant(self.below(100) as i64 - 20)),
            3 => self.opaque(MAXIMUM, &a, &b),
            4 => {
                let step = 1 << self.below(7);
                let raised = a.plus(&Linear::constant(step - 1));
                self.opaque(MASK, &raised, &Linear::constant(-step))
            }
            _ if self.forms.len() < 6 => self.opaque(PRODUCT, &a, &b),
            _ => a.minus(&b),
        };
        self.forms.push(form);
    }
}

/// The value of a form if the size number `n` is `sizes[n]`.
fn value(graph: &Graph, form: &Linear, sizes: [i128; 3]) -> i128 {
    let of_node = |node: NodeId| match graph.node(node) {
        Node::Argument(n, _) => sizes[*n as usize],
        Node::Integer(own) => i128::from(*own),
        Node::Linear(own) => value(graph, own, sizes),
        Node::Step {
            fingerprint,
            inputs,
            ..
        } => {
            let operand = |at: usize| value(graph, &graph.linear(inputs[at]), sizes);
            let (a, b) = (operand(0), operand(1));
            match *fingerprint {
                PRODUCT => a * b,
                MAXIMUM => a.max(b),
                _ => a & b,
            }
        }
        _ => unreachable!("the arithmetic has no other nodes"),
    };
    let terms = form.terms.iter();
    terms.fold(i128::from(form.constant), |sum, (node, factor)| {
        sum + of_node(*node) * i128::from(*factor)
    })
}

#[test]
fn bounds_hold_for_all_sizes() {
    let mut n_bounds = 0;
    for seed in 0..400 {
        let mut own = Arithmetic::new(seed);
        for _ in 0..16 {
            own.step();
        }
        let mut order = Order::default();
        for _ in 0..40 {
            let form = own.any().minus(&own.any());
            let is_positive = order.is_at_least_zero(&own.graph, &form, &[]);
            let bound = order.lower_bound(&own.graph, &form, &[]);
            n_bounds += usize::from(is_positive && form.known().is_none());
            for _ in 0..20 {
                let sizes =
                    [0; 3].map(|_| i128::from([0, 1, 2, 7, 64, 1000][own.below(6) as usize]));
                let value = value(&own.graph, &form, sizes);
                assert!(
                    !is_positive || value >= 0,
                    "seed {seed}: {form:?} {sizes:?}"
                );
                assert!(
                    bound.is_none_or(|bound| i128::from(bound) <= value),
                    "seed {seed}: {form:?} {bound:?} {sizes:?}"
                );
            }
        }
    }
    assert!(n_bounds > 2000, "{n_bounds}");
}

#[test]
fn tensors_packed_one_after_the_other_are_apart() {
    let mut own = Arithmetic::new(0);
    let [n, m] = [0, 1].map(|at| own.forms[at].clone());
    let zero = Linear::default();
    let rounded = |own: &mut Arithmetic, form: &Linear| {
        let raised = form.plus(&Linear::constant(63));
        own.opaque(MASK, &raised, &Linear::constant(-64))
    };
    let end_of_a = n.times(12);
    let start_of_b = rounded(&mut own, &end_of_a);
    let end_of_b = start_of_b.plus(&own.opaque(PRODUCT, &n, &m).times(4));
    let larger = own.opaque(MAXIMUM, &end_of_a, &end_of_b);
    let start_of_c = rounded(&mut own, &larger);
    let mut order = Order::default();
    let mut precedes = |a: &Linear, b: &Linear| {
        let between = b.minus(a);
        order.is_at_least_zero(&own.graph, &between, &[])
    };
    assert!(precedes(&zero, &start_of_b) && precedes(&end_of_a, &start_of_b));
    assert!(precedes(&end_of_a, &start_of_c) && precedes(&end_of_b, &start_of_c));
    assert!(!precedes(&start_of_b, &end_of_a) && !precedes(&start_of_c, &end_of_b));
    // Without the rounding of one place, the two can overlap.
    assert!(!precedes(&end_of_a.plus(&Linear::constant(1)), &start_of_b));
}

#[test]
fn assumptions_matter() {
    let mut own = Arithmetic::new(0);
    let [n, m] = [3, 4].map(|at| own.graph.add(Node::Argument(at, 0)));
    let size = own.opaque(PRODUCT, &Linear::of_node(n), &Linear::of_node(m));
    let product = size.terms[0].0;
    let mut order = Order::default();
    let mut is_positive = |assumed: &[NodeId]| order.is_at_least_zero(&own.graph, &size, assumed);
    assert!(!is_positive(&[]) && !is_positive(&[n]));
    assert!(is_positive(&[n, m]) && is_positive(&[product]));
}

#[test]
fn values_that_vary_are_not_fixed() {
    let mut own = Arithmetic::new(0);
    let counter = Linear::of_node(own.graph.add(Node::Induction(0, 0)));
    let size = own.forms[0].clone();
    let mixed = own.opaque(MAXIMUM, &size, &counter);
    let twice = own.opaque(MAXIMUM, &size, &size.times(2));
    let mut order = Order::default();
    assert!(order.is_fixed(&own.graph, &twice.plus(&size)));
    assert!(!order.is_fixed(&own.graph, &mixed) && !order.is_fixed(&own.graph, &counter));
}
