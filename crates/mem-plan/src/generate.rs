//! Random tables, for benchmarks of any size.

use std::fmt::Write as _;

use fastrand::Rng;

/// Generates a table of `n_buffers` buffers, of which two on average start at each step. Sizes are
/// multiples of 64 from 64 bytes to 1 MiB, small ones more often. Most lifetimes are short; one in
/// a hundred is long.
pub(crate) fn table(n_buffers: u64, seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let n_steps = (n_buffers / 2).max(1);
    let mut text = "id,lower,upper,size\n".to_owned();
    for id in 0..n_buffers {
        let lower = rng.u64(..n_steps);
        let length = match rng.u32(..100) {
            0 => rng.u64(1..=1000),
            1..20 => rng.u64(1..=100),
            _ => rng.u64(1..=10),
        };
        let upper = (lower + length).min(n_steps).max(lower + 1);
        let most = 1 << rng.u32(0..=14);
        let size = 64 * rng.u64(1..=most);
        // Writing to a string does not fail.
        let _ = writeln!(text, "{id},{lower},{upper},{size}");
    }
    text
}
