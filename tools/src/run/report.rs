//! The result of a run as a table: the values written, the run time, the allocations, and whether
//! the planned program computed the same.

use std::fmt::{self, Write as _};
use std::time::Duration;

use super::Options;
use super::execute::Execution;
use super::inputs;
use super::signature::{Argument, Element, Signature};

/// Statistics of one of the two programs.
struct Program {
    name: &'static str,
    time: Duration,
    cpu_time: Duration,
    peak: usize,
    n_allocations: usize,
    copies: mem_runtime::Usage,
    faults: Vec<String>,
}

/// An argument or a result.
struct Row {
    name: String,
    ty: String,
    bytes: usize,
    changed: bool,
    /// Number of elements that differ between the programs; `None` if there is only one program.
    n_different: Option<usize>,
    not_finite: usize,
    checksum: u64,
}

/// The first element that differs between the programs.
struct Difference {
    name: String,
    index: Vec<usize>,
    element: usize,
    original: String,
    planned: String,
}

/// The result of a run.
pub struct Report {
    title: String,
    programs: Vec<Program>,
    /// Number of runs of each program, of which the shortest times are reported.
    n_runs: u32,
    rows: Vec<Row>,
    n_hidden: usize,
    hidden_bytes: usize,
    difference: Option<Difference>,
    compared: bool,
    /// The result of the original program depends on the contents of fresh memory.
    pub(super) reads_garbage: bool,
}

/// 64-bit FNV-1a.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// Indices of the elements whose bytes differ.
fn differing<'a>(a: &'a [u8], b: &'a [u8], size: usize) -> impl Iterator<Item = usize> + 'a {
    let pairs = a.chunks_exact(size).zip(b.chunks_exact(size));
    // Whole arguments are usually equal, and comparing them at once is fast.
    let pairs = pairs.take(if a == b { 0 } else { usize::MAX });
    pairs
        .enumerate()
        .filter_map(|(i, (a, b))| (a != b).then_some(i))
}

/// The multidimensional index of element `element`.
fn unravel(mut element: usize, shape: &[usize]) -> Vec<usize> {
    let mut index: Vec<usize> = shape
        .iter()
        .rev()
        .map(|n| {
            let at = element % n;
            element /= n;
            at
        })
        .collect();
    index.reverse();
    index
}

/// A value after the original program and, if there is one, after the planned program.
struct Pair<'a> {
    name: String,
    argument: &'a Argument,
    original: &'a [u8],
    planned: Option<&'a [u8]>,
    changed: bool,
}

impl Report {
    pub(super) fn new(
        signature: &Signature,
        original: &Execution,
        planned: Option<&Execution>,
        options: &Options,
    ) -> Self {
        let (file, function, seed) = (options.file.display(), &options.function, options.seed);
        let mut report = Self {
            title: format!("{file}: {function}, seed {seed}"),
            programs: vec![Program::new("original", original)],
            n_runs: options.repeat,
            rows: Vec::new(),
            n_hidden: 0,
            hidden_bytes: 0,
            difference: None,
            compared: planned.is_some(),
            reads_garbage: false,
        };
        report
            .programs
            .extend(planned.map(|e| Program::new("planned", e)));
        report.add_arguments(signature, original, planned, options);
        report.add_results(signature, original, planned);
        report
    }

    fn add_arguments(
        &mut self,
        signature: &Signature,
        original: &Execution,
        planned: Option<&Execution>,
        options: &Options,
    ) {
        for (i, argument) in signature.arguments.iter().enumerate() {
            let Some(block) = &original.arguments[i] else {
                continue;
            };
            let mut before = vec![0; block.size()];
            inputs::fill(argument, i, options.seed, options.scale, &mut before);
            let pair = Pair {
                name: format!("argument {i}"),
                argument,
                original: block.bytes(),
                planned: planned.and_then(|e| e.arguments[i].as_ref().map(|b| b.bytes())),
                changed: before != block.bytes(),
            };
            self.add(&pair, options.all);
        }
    }

    fn add_results(
        &mut self,
        signature: &Signature,
        original: &Execution,
        planned: Option<&Execution>,
    ) {
        for (i, argument) in signature.results.iter().enumerate() {
            let pair = Pair {
                name: format!("result {i}"),
                argument,
                original: &original.results[i],
                planned: planned.map(|e| &*e.results[i]),
                changed: true,
            };
            self.add(&pair, true);
        }
    }

    fn add(&mut self, pair: &Pair, always: bool) {
        let element = pair.argument.element;
        let size = element.size();
        let n_different = pair
            .planned
            .map(|planned| differing(pair.original, planned, size).count());
        if !always && !pair.changed && n_different.unwrap_or(0) == 0 {
            self.n_hidden += 1;
            self.hidden_bytes += pair.original.len();
            return;
        }
        if self.difference.is_none() {
            self.difference = Difference::find(pair, element);
        }
        let chunks = pair.original.chunks_exact(size);
        self.rows.push(Row {
            name: pair.name.clone(),
            ty: pair.argument.ty.clone(),
            bytes: pair.original.len(),
            changed: pair.changed,
            n_different,
            not_finite: chunks.filter(|bytes| element.is_not_finite(bytes)).count(),
            checksum: checksum(pair.original),
        });
    }

    /// Whether the results are equal and neither program has a fault.
    #[must_use]
    pub fn is_success(&self) -> bool {
        !self.differs() && self.programs.iter().all(|p| p.faults.is_empty())
    }

    /// Peak of the heap in bytes, and number of allocations, of the planned program if there is one.
    /// The times of all runs, in order.
    pub(super) fn times(&self) -> Vec<Duration> {
        self.programs.iter().map(|own| own.time).collect()
    }

    pub(super) fn memory(&self) -> (usize, usize) {
        let last = self.programs.last();
        last.map_or((0, 0), |own| (own.peak, own.n_allocations))
    }

    /// Whether the two programs have different results.
    pub(super) fn differs(&self) -> bool {
        self.difference.is_some()
    }

    fn write_rows(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |text: fn(&Row) -> &str| self.rows.iter().map(|r| text(r).len()).max();
        let name = width(|r| &r.name).unwrap_or(0).max(12);
        let ty = width(|r| &r.ty).unwrap_or(0).max(4);
        writeln!(
            f,
            "{:name$}  {:ty$}  {:>12}  {:<9}  {:<9}  {:>10}  checksum",
            "", "type", "bytes", "changed", "equal", "non-finite"
        )?;
        for row in &self.rows {
            let changed = if row.changed { "changed" } else { "unchanged" };
            let equal = match row.n_different {
                None => "-".to_owned(),
                Some(0) => "equal".to_owned(),
                Some(n) => format!("{n} differ"),
            };
            writeln!(
                f,
                "{:name$}  {:ty$}  {:>12}  {changed:<9}  {equal:<9}  {:>10}  {:016x}",
                row.name, row.ty, row.bytes, row.not_finite, row.checksum
            )?;
        }
        if self.n_hidden > 0 {
            let (n, bytes) = (self.n_hidden, self.hidden_bytes);
            let equal = if self.compared { " and equal" } else { "" };
            writeln!(f, "{n} more arguments, {bytes} bytes: unchanged{equal}")?;
        }
        Ok(())
    }

    fn write_programs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n{:12}  {:>12}  {:>12}  {:>16}  {:>12}",
            "program", "seconds", "CPU seconds", "peak bytes", "allocations"
        )?;
        for program in &self.programs {
            let [seconds, cpu_seconds] =
                [program.time, program.cpu_time].map(|time| time.as_secs_f64());
            writeln!(
                f,
                "{:12}  {seconds:>12.3}  {cpu_seconds:>12.3}  {:>16}  {:>12}",
                program.name, program.peak, program.n_allocations
            )?;
        }
        if self.n_runs > 1 {
            writeln!(f, "times are the shortest of {} runs", self.n_runs)?;
        }
        for program in self.programs.iter().filter(|p| !p.copies.copies.is_empty()) {
            let (name, copies) = (program.name, &program.copies);
            let (n, waited) = (copies.copies.len(), copies.waited.as_secs_f64());
            let bytes: usize = copies.copies.iter().map(|copy| copy.bytes).sum();
            writeln!(
                f,
                "{name}: {n} copies by engines, {bytes} bytes; {waited:.3} seconds waited for"
            )?;
        }
        for program in &self.programs {
            for fault in &program.faults {
                writeln!(f, "fault: the {} program {fault}", program.name)?;
            }
        }
        Ok(())
    }

    fn write_verdict(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(difference) = &self.difference {
            writeln!(f, "different: {difference}")?;
            if self.reads_garbage {
                writeln!(
                    f,
                    "the original program reads uninitialized bytes: its own results depend on \
                     what fresh memory holds"
                )?;
            }
        } else if self.compared {
            let n = self.rows.len() + self.n_hidden;
            let bytes = self.rows.iter().map(|r| r.bytes).sum::<usize>() + self.hidden_bytes;
            writeln!(f, "equal: {n} values, {bytes} bytes")?;
        }
        Ok(())
    }
}

impl Program {
    fn new(name: &'static str, execution: &Execution) -> Self {
        let heap = &execution.heap;
        let mut faults: Vec<String> = heap.faults.iter().map(ToString::to_string).collect();
        let n_open = execution.copies.n_unawaited;
        if n_open > 0 {
            faults.push(format!("did not wait for {n_open} of its copies"));
        }
        Self {
            name,
            time: execution.time,
            cpu_time: execution.cpu_time,
            peak: heap.peak,
            n_allocations: heap.n_allocations,
            copies: execution.copies.clone(),
            faults,
        }
    }
}

impl Difference {
    fn find(pair: &Pair, element: Element) -> Option<Self> {
        let planned = pair.planned?;
        let size = element.size();
        let first = differing(pair.original, planned, size).next()?;
        let at = first * size..(first + 1) * size;
        Some(Self {
            name: pair.name.clone(),
            index: unravel(first, pair.argument.shape.as_deref().unwrap_or_default()),
            element: first,
            original: element.show(&pair.original[at.clone()]),
            planned: element.show(&planned[at]),
        })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let index: Vec<String> = self.index.iter().map(ToString::to_string).collect();
        let mut at = String::new();
        write!(at, "[{}], element {}", index.join(", "), self.element)?;
        let (name, original, planned) = (&self.name, &self.original, &self.planned);
        write!(f, "{name} at {at}: original {original}, planned {planned}")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.title)?;
        self.write_rows(f)?;
        self.write_programs(f)?;
        self.write_verdict(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_row_major() {
        assert_eq!(unravel(17, &[2, 3, 4]), [1, 1, 1]);
        assert_eq!(unravel(0, &[]), [] as [usize; 0]);
    }

    #[test]
    fn elements_are_compared_by_their_bits() {
        let (zero, minus_zero) = (0_f32.to_le_bytes(), (-0_f32).to_le_bytes());
        assert_eq!(differing(&zero, &minus_zero, 4).count(), 1);
        let nan = f32::NAN.to_le_bytes();
        assert_eq!(differing(&nan, &nan, 4).count(), 0);
    }

    #[test]
    fn the_checksum_is_that_of_fnv() {
        assert_eq!(checksum(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(checksum(b"a"), 0xAF63_DC4C_8601_EC8C);
    }
}
