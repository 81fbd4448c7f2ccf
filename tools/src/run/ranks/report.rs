//! The result of a run on several ranks.

use std::fmt;
use std::time::Duration;

use super::super::heap::HeapUse;
use super::super::signature::{Argument, Element};
use super::{ALLOWANCE, Grid, Options};

/// Memory of a program, beside its arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    peak: usize,
    n_allocations: usize,
}

impl Memory {
    pub(super) fn of(heap: &HeapUse) -> Self {
        Self {
            peak: heap.peak,
            n_allocations: heap.n_allocations,
        }
    }

    /// Reads what a rank has written.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (peak, n_allocations) = text.split_once(' ')?;
        Some(Self {
            peak: peak.parse().ok()?,
            n_allocations: n_allocations.parse().ok()?,
        })
    }
}

/// The times of one run of one rank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    all: Duration,
    /// In calls of the library that wait for other ranks.
    waited: Duration,
}

impl Time {
    /// Reads a line that a rank has written.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (all, waited) = text.split_once(' ')?;
        let duration = |text: &str| text.parse().ok().map(Duration::from_nanos);
        Some(Self {
            all: duration(all)?,
            waited: duration(waited)?,
        })
    }
}

/// The comparison of one result.
pub(super) struct Row {
    number: usize,
    ty: String,
    parts: String,
    element: Element,
    /// Whether sums that the result depends on are split between ranks.
    is_split: bool,
    /// Largest difference that is allowed.
    allowed: f64,
    largest: f64,
    n_different: usize,
    /// The first rank with an element that differs by more than is allowed, and the element.
    wrong: Option<(usize, usize, String, String)>,
}

/// Distance of two numbers around 1.
fn epsilon(element: Element) -> Option<f64> {
    match element {
        Element::F16 => Some(2_f64.powi(-10)),
        Element::Bf16 => Some(2_f64.powi(-7)),
        Element::F32 => Some(f64::from(f32::EPSILON)),
        Element::F64 => Some(f64::EPSILON),
        Element::Integer(_) | Element::Index => None,
    }
}

impl Row {
    pub(super) fn new(
        number: usize,
        argument: &Argument,
        parts: String,
        is_split: bool,
        whole: &[u8],
    ) -> Self {
        let element = argument.element;
        let numbers = whole.chunks_exact(element.size());
        let largest = numbers
            .filter_map(|bytes| element.number(bytes))
            .map(f64::abs);
        let largest = largest.fold(0.0, f64::max);
        let epsilon = epsilon(element).filter(|_| is_split);
        Self {
            number,
            ty: argument.ty.clone(),
            parts,
            element,
            is_split,
            allowed: epsilon.map_or(0.0, |epsilon| ALLOWANCE * epsilon * largest),
            largest: 0.0,
            n_different: 0,
            wrong: None,
        }
    }

    /// Compares the part of one rank.
    pub(super) fn compare(&mut self, rank: usize, expected: &[u8], found: &[u8]) {
        let size = self.element.size();
        let pairs = expected.chunks_exact(size).zip(found.chunks_exact(size));
        for (index, (a, b)) in pairs.enumerate().filter(|(_, (a, b))| a != b) {
            self.n_different += 1;
            let numbers = self.element.number(a).zip(self.element.number(b));
            let difference = numbers.map_or(f64::NAN, |(a, b)| (a - b).abs());
            self.largest = self.largest.max(difference);
            // A number that is none differs by no number.
            let is_allowed = difference <= self.allowed;
            if !is_allowed && self.wrong.is_none() {
                let [a, b] = [a, b].map(|bytes| self.element.show(bytes));
                self.wrong = Some((rank, index, a, b));
            }
        }
        if expected.len() != found.len() && self.wrong.is_none() {
            self.wrong = Some((rank, 0, "another size".to_owned(), String::new()));
        }
    }

    fn verdict(&self) -> String {
        match (&self.wrong, self.n_different) {
            (Some((rank, index, a, b)), _) => {
                format!("different: element {index} of rank {rank} is {b}, unsharded {a}")
            }
            (None, 0) => "equal".to_owned(),
            (None, n) => format!(
                "{n} elements differ by at most {:.1e}, allowed {:.1e}",
                self.largest, self.allowed
            ),
        }
    }
}

/// What a run on several ranks has found.
pub struct RanksReport {
    title: String,
    pub(super) unsharded: Option<Memory>,
    pub(super) ranks: Vec<Memory>,
    /// Per rank: the times without and with a plan, if the link between ranks is a slow one.
    pub(super) times: Vec<Vec<Time>>,
    pub(super) rows: Vec<Row>,
}

impl RanksReport {
    /// `grid`: that of a sharded program.
    pub(super) fn new(options: &Options, n: usize, grid: Option<&Grid>) -> Self {
        let (file, function, seed) = (options.file.display(), &options.function, options.seed);
        let shape = grid.map_or(String::new(), |grid| format!(" grid {},", grid.text()));
        Self {
            title: format!("{file}: {function} on {n} ranks,{shape} seed {seed}"),
            unsharded: None,
            ranks: Vec::new(),
            times: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Whether all results are those of the unsharded program.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.rows.iter().all(|row| row.wrong.is_none())
    }
}

impl fmt::Display for RanksReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        if !self.rows.is_empty() {
            self.write_rows(f)?;
        }
        writeln!(
            f,
            "\n{:12}  {:>16}  {:>12}",
            "planned", "peak bytes", "allocations"
        )?;
        let own = |memory: &Memory| format!("{:>16}  {:>12}", memory.peak, memory.n_allocations);
        if let Some(memory) = &self.unsharded {
            writeln!(f, "{:12}  {}", "unsharded", own(memory))?;
        }
        for (rank, memory) in self.ranks.iter().enumerate() {
            writeln!(f, "{:12}  {}", format!("rank {rank}"), own(memory))?;
        }
        self.write_times(f)?;
        let is_exact = self.rows.iter().all(|row| row.n_different == 0);
        let verdict = match (self.is_success(), is_exact) {
            (true, true) => "equal",
            (true, false) => "equal, but for what another order of additions may change",
            (false, _) => "different",
        };
        writeln!(f, "\n{verdict}")
    }
}

impl RanksReport {
    fn write_times(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.times.iter().all(Vec::is_empty) {
            return Ok(());
        }
        writeln!(
            f,
            "\n{:12}  {:8}  {:>12}  {:>12}",
            "time", "", "all", "waiting"
        )?;
        for (rank, times) in self.times.iter().enumerate() {
            for (time, program) in times.iter().zip(["original", "planned"]) {
                let [all, waited] = [time.all, time.waited]
                    .map(|time| format!("{:.3} ms", time.as_secs_f64() * 1e3));
                let rank = format!("rank {rank}");
                writeln!(f, "{rank:12}  {program:8}  {all:>12}  {waited:>12}")?;
            }
        }
        Ok(())
    }

    fn write_rows(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        let width = |text: fn(&Row) -> &str| self.rows.iter().map(|row| text(row).len()).max();
        let ty = width(|row| &row.ty).unwrap_or(0).max(4);
        let parts = width(|row| &row.parts).unwrap_or(0).max(5);
        writeln!(
            f,
            "{:12}  {:ty$}  {:parts$}  {:5}  compared",
            "", "type", "parts", "sums"
        )?;
        for row in &self.rows {
            let sums = if row.is_split { "split" } else { "whole" };
            let name = format!("result {}", row.number);
            let verdict = row.verdict();
            writeln!(
                f,
                "{name:12}  {:ty$}  {:parts$}  {sums:5}  {verdict}",
                row.ty, row.parts
            )?;
        }
        Ok(())
    }
}
