//! Buffers and their relations as arrays of numbers, and the table that they form.

use std::collections::BTreeMap;

use mem_model::{Bytes, Interval, Penalty, Reuse};
use mem_plan::{Table, TableGap, TableRow};
use pyo3::prelude::*;

/// Buffers, and what relates them. Rows are numbered from 0; -1 stands for an absent number.
#[pyclass(module = "mem_opt._native", frozen)]
pub(crate) struct Buffers {
    names: Vec<String>,
    /// Per buffer: first step, end, size, alignment, and fixed offset or -1.
    rows: Vec<[i64; 5]>,
    /// Buffer, first step, end, and first and end of the bytes that stay live, or -1 twice.
    gaps: Vec<[i64; 5]>,
    /// Pairs of buffers.
    conflicts: Vec<[i64; 2]>,
    /// Buffer and number of its group.
    aliases: Vec<[i64; 2]>,
    /// Result and operand.
    in_place: Vec<[i64; 2]>,
    /// Two buffers and a cost.
    penalties: Vec<[i64; 3]>,
    pub(crate) reserved: Vec<Interval<Bytes>>,
}

#[pymethods]
impl Buffers {
    /// All arguments but `names` are the bytes of arrays of `int64`, row by row.
    #[new]
    #[allow(
        clippy::too_many_arguments,
        reason = "one argument for each array of the Python function"
    )]
    fn new(
        names: Vec<String>,
        rows: &[u8],
        gaps: &[u8],
        conflicts: &[u8],
        aliases: &[u8],
        in_place: &[u8],
        penalties: &[u8],
        reserved: &[u8],
    ) -> Self {
        let region = |[low, high]: [i64; 2]| Interval::new(bytes(low), bytes(high));
        Self {
            names,
            rows: matrix(rows),
            gaps: matrix(gaps),
            conflicts: matrix(conflicts),
            aliases: matrix(aliases),
            in_place: matrix(in_place),
            penalties: matrix(penalties),
            reserved: matrix(reserved).into_iter().map(region).collect(),
        }
    }
}

/// Splits the bytes of an array of `int64` into rows.
fn matrix<const N: usize>(bytes: &[u8]) -> Vec<[i64; N]> {
    let mut numbers = bytes.chunks_exact(8).map(|chunk| {
        let mut number = [0; 8];
        number.copy_from_slice(chunk);
        i64::from_ne_bytes(number)
    });
    let n_rows = bytes.len() / (8 * N.max(1));
    let row = |_| std::array::from_fn(|_| numbers.next().unwrap_or_default());
    (0..n_rows).map(row).collect()
}

/// A number that Python has checked not to be negative.
fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

fn bytes(number: i64) -> Bytes {
    Bytes::new(unsigned(number))
}

impl Buffers {
    /// Returns the buffers as a table.
    pub(crate) fn table(&self) -> Result<Table, String> {
        if self.names.len() != self.rows.len() {
            let (n_names, n_rows) = (self.names.len(), self.rows.len());
            return Err(format!("{n_rows} buffers have {n_names} names"));
        }
        let rows = self.table_rows()?;
        let wrong = |(row, error): (usize, _)| format!("buffer '{}': {error}", self.names[row]);
        let mut table = Table::of_rows(self.names.clone(), &rows).map_err(wrong)?;
        self.relate(&mut table)?;
        Ok(table)
    }

    fn table_rows(&self) -> Result<Vec<TableRow>, String> {
        let row = |&[lower, upper, size, alignment, offset]: &[i64; 5]| TableRow {
            lower: unsigned(lower),
            upper: unsigned(upper),
            size: unsigned(size),
            alignment: unsigned(alignment),
            gaps: Vec::new(),
            fixed: u64::try_from(offset).ok(),
        };
        let mut rows: Vec<TableRow> = self.rows.iter().map(row).collect();
        for &[buffer, from, to, low, high] in &self.gaps {
            let buffer = self.index(buffer, "gaps")?;
            rows[buffer].gaps.push(TableGap {
                from: unsigned(from),
                to: unsigned(to),
                live: u64::try_from(low).ok().zip(u64::try_from(high).ok()),
            });
        }
        Ok(rows)
    }

    /// Adds the relations between buffers.
    fn relate(&self, table: &mut Table) -> Result<(), String> {
        let problem = &mut table.problem;
        for &pair in &self.conflicts {
            problem.conflicts.push(self.pair(pair, "conflicts")?);
        }
        problem.conflicts.sort_unstable();
        problem.conflicts.dedup();
        let mut groups: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        for &[buffer, group] in &self.aliases {
            let buffer = self.index(buffer, "aliases")?;
            groups.entry(group).or_default().push(buffer);
        }
        let groups = groups.into_values();
        problem.aliases = groups.filter(|group| group.len() > 1).collect();
        for &pair in &self.in_place {
            self.pair(pair, "in_place")?;
            problem.reuses.push(Reuse {
                result: self.index(pair[0], "in_place")?,
                operand: self.index(pair[1], "in_place")?,
            });
        }
        for &[first, second, cost] in &self.penalties {
            let (first, second) = self.pair([first, second], "penalties")?;
            problem.penalties.push(Penalty {
                first,
                second,
                cost: unsigned(cost),
            });
        }
        Ok(())
    }

    /// Returns two different buffers, the smaller index first.
    fn pair(&self, [a, b]: [i64; 2], what: &str) -> Result<(usize, usize), String> {
        let (a, b) = (self.index(a, what)?, self.index(b, what)?);
        match a == b {
            true => Err(format!(
                "{what}: buffer '{}' is related to itself",
                self.names[a]
            )),
            false => Ok((a.min(b), a.max(b))),
        }
    }

    fn index(&self, number: i64, what: &str) -> Result<usize, String> {
        let index = usize::try_from(number).ok();
        let index = index.filter(|index| *index < self.rows.len());
        index.ok_or_else(|| {
            let n_buffers = self.rows.len();
            format!("{what}: there is no buffer {number} among {n_buffers}")
        })
    }
}
