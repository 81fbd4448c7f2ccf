//! Which units run before which, in every order.

use super::task::Task;

/// A relation between units, one row of bits per unit.
struct Matrix {
    words: usize,
    bits: Vec<u64>,
}

impl Matrix {
    fn new(n: usize) -> Self {
        let words = n.div_ceil(64);
        Self {
            words,
            bits: vec![0; n * words],
        }
    }

    fn row(&self, unit: usize) -> &[u64] {
        &self.bits[unit * self.words..][..self.words]
    }

    /// Adds `other`, and what is in its row, to the row of `unit`.
    fn join(&mut self, unit: usize, other: usize) {
        for word in 0..self.words {
            let bits = self.bits[other * self.words + word];
            self.bits[unit * self.words + word] |= bits;
        }
        self.bits[unit * self.words + other / 64] |= 1 << (other % 64);
    }
}

/// Ancestors and descendants of all units.
pub(super) struct Reach {
    before: Matrix,
    after: Matrix,
}

impl Reach {
    /// Takes time O(dependences · units / 64).
    pub(super) fn new(task: &Task) -> Self {
        let n = task.units.len();
        let (mut before, mut after) = (Matrix::new(n), Matrix::new(n));
        for unit in 0..n {
            for &other in task.units[unit].preds.iter().rev() {
                before.join(unit, other as usize);
            }
        }
        for unit in (0..n).rev() {
            for &other in &task.units[unit].succs {
                after.join(unit, other as usize);
            }
        }
        Self { before, after }
    }

    /// Whether `first` runs before `second` in every order.
    pub(super) fn is_before(&self, first: usize, second: usize) -> bool {
        has(self.after.row(first), second)
    }

    /// The units that run before `unit` in every order, as bits.
    pub(super) fn before(&self, unit: usize) -> &[u64] {
        self.before.row(unit)
    }

    /// The units that run after `unit` in every order, as bits.
    pub(super) fn after(&self, unit: usize) -> &[u64] {
        self.after.row(unit)
    }
}

/// Whether a set contains a unit.
pub(super) fn has(set: &[u64], unit: usize) -> bool {
    set[unit / 64] >> (unit % 64) & 1 == 1
}

/// Adds a unit to a set.
pub(super) fn insert(set: &mut [u64], unit: usize) {
    set[unit / 64] |= 1 << (unit % 64);
}

/// Removes a unit from a set.
pub(super) fn remove(set: &mut [u64], unit: usize) {
    set[unit / 64] &= !(1 << (unit % 64));
}
