//! Generated tables, for benchmarks of any size.

use std::fmt::Write as _;

use clap::ValueEnum;
use fastrand::Rng;

/// What a generated table resembles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Buffers with random lifetimes and sizes.
    Random,
    /// Tensors of a training step of a transformer on one of several devices.
    Training,
}

/// Generates a table of `n_buffers` buffers.
pub(crate) fn table(kind: Kind, n_buffers: u64, seed: u64) -> String {
    let buffers = match kind {
        Kind::Random => random(n_buffers, seed),
        Kind::Training => Training::new(n_buffers, seed).buffers(n_buffers),
    };
    let mut text = "id,lower,upper,size\n".to_owned();
    for (id, [lower, upper, size]) in buffers.into_iter().enumerate() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{id},{lower},{upper},{size}");
    }
    text
}

/// First step, end, and size in bytes.
type Buffer = [u64; 3];

/// Two buffers on average start at each step. Sizes are multiples of 64 from 64 bytes to 1 MiB, small ones
/// more often. Most lifetimes are short; one in a hundred is long.
fn random(n_buffers: u64, seed: u64) -> Vec<Buffer> {
    let mut rng = Rng::with_seed(seed);
    let n_steps = (n_buffers / 2).max(1);
    let buffer = |_| {
        let lower = rng.u64(..n_steps);
        let length = match rng.u32(..100) {
            0 => rng.u64(1..=1000),
            1..20 => rng.u64(1..=100),
            _ => rng.u64(1..=10),
        };
        let upper = (lower + length).min(n_steps).max(lower + 1);
        let most = 1 << rng.u32(0..=14);
        [lower, upper, 64 * rng.u64(1..=most)]
    };
    (0..n_buffers).map(buffer).collect()
}

/// Operations of a layer in one direction, each of which computes a tensor.
const OPERATIONS: u64 = 60;

/// Parameters of a layer.
const PARAMETERS: u64 = 6;

/// Buffers of a layer: its parameters, and what it computes in both directions.
const BUFFERS: u64 = PARAMETERS + 2 * OPERATIONS;

/// A training step: a forward pass, whose layers leave about a quarter of their tensors to the backward pass, the
/// backward pass in reverse, and updates of the parameters, the last layer's first. Each operation is a step.
struct Training {
    rng: Rng,
    n_layers: u64,
    /// Sizes of tensors on all devices, in bytes; frequent ones several times.
    sizes: Vec<u64>,
}

impl Training {
    fn new(n_buffers: u64, seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let mut one_of = |values: &[u64]| values[rng.usize(..values.len())];
        let hidden = one_of(&[768, 1024, 1600, 2048, 4096]);
        let rows = one_of(&[2, 4, 8]) * one_of(&[384, 512, 1000, 1024, 2048]);
        let heads = one_of(&[12, 16, 25]);
        let activation = 2 * rows * hidden;
        let frequencies = [
            (activation, 10),
            (4 * activation, 4),
            (2 * activation, 6),
            (2 * rows * heads * 512, 4),
            (4 * rows, 8),
            (2 * hidden * hidden, 4),
            (8 * hidden * hidden, 3),
            (2 * hidden, 6),
            (8 * hidden, 3),
            // Scalars and tokens.
            (4, 10),
            (1, 4),
        ];
        let repeated = |(size, n)| std::iter::repeat_n(size, n);
        let sizes = frequencies.into_iter().flat_map(repeated);
        Self {
            rng,
            n_layers: n_buffers.div_ceil(BUFFERS),
            sizes: sizes.collect(),
        }
    }

    /// Generates `n_buffers` buffers from the last layer to the first, which may lack some.
    fn buffers(&mut self, n_buffers: u64) -> Vec<Buffer> {
        let forward = self.n_layers * OPERATIONS;
        let backward = 2 * forward;
        let end = backward + self.n_layers * PARAMETERS;
        let mut buffers = Vec::new();
        for layer in (0..self.n_layers).rev() {
            let start = layer * OPERATIONS;
            // The backward pass of the last layer follows its forward pass.
            let back = forward + (self.n_layers - 1 - layer) * OPERATIONS;
            let update = backward + (self.n_layers - 1 - layer) * PARAMETERS;
            for parameter in 0..PARAMETERS {
                let size = self.size();
                buffers.push([0, end, size]);
                // The gradient of each is among what the backward pass computes.
                let size = self.size();
                let at = back + parameter * (OPERATIONS / PARAMETERS);
                buffers.push([at, update + parameter + 1, size]);
            }
            for operation in 0..OPERATIONS {
                let at = start + operation;
                // The backward pass takes the operations in reverse, more or less.
                let its = back + OPERATIONS - operation + self.rng.u64(..4);
                let upper = match self.rng.u32(..20) {
                    0..5 => its,
                    5 => at + self.rng.u64(20..OPERATIONS + 20),
                    _ => at + self.brief(),
                };
                buffers.push([at, upper.min(end), self.size()]);
            }
            for operation in 0..OPERATIONS - PARAMETERS {
                let at = back + operation + operation / (OPERATIONS / PARAMETERS - 1);
                let upper = match self.rng.u32(..20) {
                    0 => at + self.rng.u64(20..OPERATIONS + 20),
                    _ => at + self.brief(),
                };
                buffers.push([at, upper.min(end), self.size()]);
            }
        }
        buffers.truncate(usize::try_from(n_buffers).unwrap_or(usize::MAX));
        buffers
    }

    /// Number of steps for which a temporary tensor is live.
    fn brief(&mut self) -> u64 {
        1 + self.rng.u64(1..6).min(self.rng.u64(1..12))
    }

    /// The size of one device's shard of a tensor, with up to 64 devices.
    fn size(&mut self) -> u64 {
        let size = self.sizes[self.rng.usize(..self.sizes.len())];
        let n_devices = 1 << self.rng.u32(..7);
        size.div_ceil(n_devices)
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Training, table};

    #[test]
    fn tables_have_as_many_buffers_as_asked_for() {
        for kind in [Kind::Random, Kind::Training] {
            for n_buffers in [0, 1, 125, 126, 127, 1000] {
                let table = table(kind, n_buffers, 1);
                assert_eq!(table.lines().count() as u64, 1 + n_buffers, "{kind:?}");
            }
        }
    }

    #[test]
    fn buffers_are_live_at_some_step_and_have_bytes() {
        for seed in 0..10 {
            for [lower, upper, size] in Training::new(5000, seed).buffers(5000) {
                assert!(lower < upper && size > 0);
            }
        }
    }

    #[test]
    fn tensors_of_all_layers_are_live_between_the_passes() {
        let n_layers = 20;
        let n_buffers = n_layers * super::BUFFERS;
        let buffers = Training::new(n_buffers, 4).buffers(n_buffers);
        let middle = n_layers * super::OPERATIONS;
        for layer in 0..n_layers {
            let within = layer * super::OPERATIONS..(layer + 1) * super::OPERATIONS;
            let is_saved = |[lower, upper, _]: &&[u64; 3]| {
                // Parameters are live from the first step on.
                *lower > 0 && within.contains(lower) && *upper > middle
            };
            let n_saved = buffers.iter().filter(is_saved).count();
            assert!((5..30).contains(&n_saved), "{layer}: {n_saved}");
        }
    }
}
