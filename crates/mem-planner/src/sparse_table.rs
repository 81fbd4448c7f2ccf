//! Range minimum queries in constant time, for any notion of a minimum.
//!
//! Row k holds, for each index, the best of the `2^k` values from there on. Any range is covered by
//! two ranges of a power-of-two length that may overlap: the best of a range does not change if a
//! value is compared twice. O(n log n) time and space to build.

/// The best values of all ranges of power-of-two length.
#[derive(Clone, Debug)]
pub(crate) struct SparseTable<T> {
    /// Indexed by the logarithm of the length, then by the first index.
    rows: Vec<Vec<T>>,
}

impl<T: Copy> SparseTable<T> {
    /// `better` returns the better one of two values, the first one of equals.
    pub(crate) fn new(values: Vec<T>, better: impl Fn(T, T) -> T) -> Self {
        let mut rows = vec![values];
        let mut length = 1;
        while 2 * length <= rows[0].len() {
            let last = &rows[rows.len() - 1];
            let pairs = last.iter().zip(&last[length..]);
            let next = pairs.map(|(a, b)| better(*a, *b)).collect();
            rows.push(next);
            length *= 2;
        }
        Self { rows }
    }

    /// The values themselves.
    pub(crate) fn values(&self) -> &[T] {
        &self.rows[0]
    }

    /// The best value in `[start, end)`; `None` if the range is empty. `better` is that of
    /// [`SparseTable::new`].
    pub(crate) fn best(&self, start: usize, end: usize, better: impl Fn(T, T) -> T) -> Option<T> {
        let log = end.checked_sub(start)?.checked_ilog2()? as usize;
        let row = &self.rows[log];
        Some(better(row[start], row[end - (1 << log)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_of_consecutive_numbers() {
        let numbers = vec![5, 3, 8, 1, 9, 2, 7];
        let table = SparseTable::new(numbers.clone(), u64::min);
        for start in 0..=numbers.len() {
            for end in start..=numbers.len() {
                let least = numbers[start..end].iter().copied().min();
                assert_eq!(table.best(start, end, u64::min), least);
            }
        }
    }

    #[test]
    fn an_empty_table_has_no_best() {
        assert_eq!(
            SparseTable::new(Vec::new(), u64::min).best(0, 0, u64::min),
            None
        );
    }
}
