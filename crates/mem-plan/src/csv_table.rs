//! Problems as CSV, in the format of the MiniMalloc benchmarks: one row per buffer, columns by name
//! in any order.
//!
//! The columns `id`, `lower`, `upper` (steps, `upper` exclusive) and `size` are required. All
//! others are optional, and their cells may be empty; lists are separated by blanks:
//!
//! * `alignment`: of the offset, in bytes;
//! * `gaps`: `from-to`, or `from-to@low:high` if only those bytes are live meanwhile;
//! * `offset`: the fixed offset of the buffer; on output, the planned offset;
//! * `conflicts`: ids of buffers that must not share bytes with this one although they are never
//!   live at once;
//! * `alias`: buffers with the same word here are one storage;
//! * `in_place`: ids of buffers whose bytes this one may reuse in place while both are live;
//! * `penalties`: `id:cost` for buffers that should preferably not share bytes with this one.
//!
//! Spreadsheets treat a cell that starts with `=`, `+`, `-` or `@` as a formula. Unless it is a
//! number, such a cell is written with a leading apostrophe, which is how spreadsheets mark text.
//! Reading removes the apostrophe, so that ids survive a round trip. Control characters other than
//! tabs are rejected.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use mem_model::{
    BufferId, Bytes, Interval, IntervalSet, Item, Part, Penalty, Plan, Point, Problem, Reuse,
    StepId,
};

use mem_planner::{MAX_BYTES, PlanOptions, lower_bound, refit};

use crate::csv_error::CsvError;
use crate::report::Failure;

/// A problem, and the file that it comes from.
#[derive(Debug)]
pub struct Table {
    /// One item per row, in file order.
    pub problem: Problem,
    /// Name of the file, for messages.
    pub file: String,
    /// Per row: its line in the file. Empty if the rows come from no file.
    lines: Vec<u64>,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    id: usize,
    /// Indexed by step: its number in the file.
    steps: Vec<u64>,
}

/// A row without its references to other rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// First step of the lifetime.
    pub lower: u64,
    /// End of the lifetime, exclusive.
    pub upper: u64,
    /// Size in bytes.
    pub size: u64,
    /// Alignment of the offset in bytes: a power of two.
    pub alignment: u64,
    /// Periods within the lifetime in which fewer bytes are live.
    pub gaps: Vec<TableGap>,
    /// Fixed offset; `None`: the planner chooses.
    pub fixed: Option<u64>,
}

/// A period in which only some of the bytes are live, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableGap {
    /// First step of the period.
    pub from: u64,
    /// End of the period, exclusive.
    pub to: u64,
    /// First and end of the live bytes; `None`: none is live.
    pub live: Option<(u64, u64)>,
}

impl Table {
    /// Parses CSV text; `file` is for messages. Linear apart from sorting.
    ///
    /// # Errors
    /// [`Failure::Csv`] with the line, if `text` is not a table of buffers.
    pub fn parse(file: &str, text: &str) -> Result<Self, Failure> {
        let read = Self::read(file, text);
        read.map_err(|(line, error)| Failure::Csv(file.to_owned(), line, error))
    }

    fn read(file: &str, text: &str) -> Result<Self, WrongLine> {
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let header = reader.headers().map_err(|error| (1, error.into()))?;
        let header = header.iter().map(unprotected).collect();
        let columns = Columns::new(header).map_err(|error| (1, error))?;
        let Rows {
            parsed,
            lines,
            rows,
        } = columns.read_rows(&mut reader, text)?;
        let (mut problem, steps) = problem_of(&parsed);
        let mut relations = Relations {
            problem: &mut problem,
            rows: &rows,
            indices: HashMap::new(),
        };
        let read = relations.number(columns.id);
        let read = read.and_then(|()| relations.read(columns.relations));
        read.map_err(|(row, error)| (lines[row], error))?;
        Ok(Self {
            problem,
            file: file.to_owned(),
            lines,
            header: columns.names,
            rows,
            id: columns.id,
            steps,
        })
    }

    /// Makes a table of rows that come from no file; `names` are their ids. The rows refer to no
    /// others: the caller adds conflicts and aliases to [`Self::problem`].
    ///
    /// # Errors
    /// The index of the first row that is no buffer, and why. There must be a name for each row.
    pub fn of_rows(names: Vec<String>, rows: &[TableRow]) -> Result<Self, (usize, CsvError)> {
        for (index, row) in rows.iter().enumerate() {
            row.check().map_err(|error| (index, error))?;
        }
        let (problem, steps) = problem_of(rows);
        let cells = |(name, row): (String, &TableRow)| {
            let numbers = [row.lower, row.upper, row.size, row.alignment];
            [name]
                .into_iter()
                .chain(numbers.map(|number| number.to_string()))
                .collect()
        };
        Ok(Self {
            problem,
            file: String::new(),
            lines: Vec::new(),
            header: ["id", "lower", "upper", "size", "alignment"]
                .map(str::to_owned)
                .to_vec(),
            rows: names.into_iter().zip(rows).map(cells).collect(),
            id: 0,
            steps,
        })
    }

    /// Returns the id of a buffer in the file.
    pub fn name(&self, buffer: BufferId) -> &str {
        &self.rows[buffer.index()][self.id]
    }

    /// Returns the line of a buffer in the file; `None` if the table comes from no file.
    pub fn line(&self, buffer: BufferId) -> Option<u64> {
        self.lines.get(buffer.index()).copied()
    }

    /// Returns the numbers that the file gives to the steps, in ascending order.
    pub fn steps(&self) -> &[u64] {
        &self.steps
    }

    /// Returns the number that the file gives to the step of a point.
    pub fn step(&self, point: Point) -> u64 {
        self.steps.get(point.step().index()).copied().unwrap_or(0)
    }

    /// Returns the offsets that another table states for the buffers of this one, by name. Buffers that
    /// have changed since, or that are new, move to where they fit, and others out of their way. `None`
    /// if the other table states no offset, or if no such plan was found.
    pub fn continued(&self, before: &Self, options: &PlanOptions) -> Option<Vec<Bytes>> {
        let old = before.problem.items.iter();
        let old: HashMap<&str, &Item> = old.map(|own| (before.name(own.buffer), own)).collect();
        let (mut offsets, mut changed) = (Vec::new(), Vec::new());
        for (index, item) in self.problem.items.iter().enumerate() {
            let known = old.get(self.name(item.buffer));
            let offset = known.and_then(|known| known.fixed);
            offsets.push(offset.unwrap_or_default());
            let is_same = known.is_some_and(|known| {
                known.size == item.size && self.lifetime(item) == before.lifetime(known)
            });
            if offset.is_none() || !is_same {
                changed.push(index);
            }
        }
        if changed.is_empty() {
            return Some(offsets);
        }
        let is_any_known = changed.len() < offsets.len();
        let ends = self.problem.items.iter().zip(&offsets);
        let ends = ends.filter_map(|(item, offset)| offset.checked_add(item.size));
        let peak = ends.max().filter(|_| is_any_known)?;
        // At the old peak if possible.
        let least = peak.max(lower_bound(&self.problem)?);
        let refit = |peak| refit(&self.problem, &offsets, &changed, peak, options);
        refit(least).or_else(|| refit(MAX_BYTES))
    }

    /// The live ranges of an item's parts, in the numbers of the file.
    fn lifetime(&self, item: &Item) -> Vec<(Interval<Bytes>, u64, u64)> {
        let ranges = item.parts.iter().flat_map(|part| {
            let live = part.live.iter();
            live.map(|range| (part.bytes, self.step(range.start), self.step(range.end)))
        });
        ranges.collect()
    }

    /// Returns the table with the offsets of a plan.
    pub fn with_offsets(&self, plan: &Plan) -> String {
        let mut header = self.header.clone();
        let known = header.iter().position(|column| column == "offset");
        if known.is_none() {
            header.push("offset".to_owned());
        }
        let mut writer = csv::Writer::from_writer(Vec::new());
        // Writing to memory only fails for rows of unequal lengths, which the reader never returns.
        let _ = writer.write_record(header.iter().map(|cell| protected(cell).into_owned()));
        for (row, placement) in self.rows.iter().zip(&plan.placements) {
            let mut row = row.clone();
            row.resize(header.len(), String::new());
            row[known.unwrap_or(header.len() - 1)] = placement.offset.to_string();
            let _ = writer.write_record(row.iter().map(|cell| protected(cell).into_owned()));
        }
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }
}

/// Returns the items of rows, and the steps that the rows name in ascending order.
fn problem_of(rows: &[TableRow]) -> (Problem, Vec<u64>) {
    let steps: BTreeSet<u64> = rows.iter().flat_map(TableRow::steps).collect();
    let steps: Vec<u64> = steps.into_iter().collect();
    let item = |(index, row): (usize, &TableRow)| row.item(BufferId::new(index), &steps);
    let items = rows.iter().enumerate().map(item).collect();
    (Problem::of_items(items), steps)
}

/// A line of the file, and what is wrong with it.
type WrongLine = (u64, CsvError);

/// All rows of a file, each list indexed by row.
struct Rows {
    parsed: Vec<TableRow>,
    lines: Vec<u64>,
    rows: Vec<Vec<String>>,
}

/// Indices of the columns.
struct Columns {
    /// Indexed by column.
    names: Vec<String>,
    id: usize,
    lower: usize,
    upper: usize,
    size: usize,
    alignment: Option<usize>,
    gaps: Option<usize>,
    offset: Option<usize>,
    /// Columns that refer to other buffers: `conflicts`, `alias`, `in_place`, `penalties`.
    relations: [Option<usize>; 4],
}

impl Columns {
    fn new(names: Vec<String>) -> Result<Self, CsvError> {
        check_header(&names)?;
        let find = |name: &str| names.iter().position(|column| column == name);
        let column = |name: &'static str| find(name).ok_or(CsvError::NoColumn(name));
        Ok(Self {
            id: column("id")?,
            lower: column("lower")?,
            upper: column("upper")?,
            size: column("size")?,
            alignment: find("alignment"),
            gaps: find("gaps"),
            offset: find("offset"),
            relations: ["conflicts", "alias", "in_place", "penalties"].map(find),
            names,
        })
    }

    /// Returns all rows of `text`, parsed and as text.
    fn read_rows(&self, reader: &mut csv::Reader<&[u8]>, text: &str) -> Result<Rows, WrongLine> {
        let (mut parsed, mut lines, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        for record in reader.records() {
            let record = record.map_err(|error| (line_of(error.position(), text), error.into()))?;
            let line = line_of(record.position(), text);
            parsed.push(self.row(&record).map_err(|error| (line, error))?);
            lines.push(line);
            rows.push(record.iter().map(unprotected).collect());
        }
        Ok(Rows {
            parsed,
            lines,
            rows,
        })
    }

    fn row(&self, record: &csv::StringRecord) -> Result<TableRow, CsvError> {
        if let Some(column) = record.iter().position(has_controls) {
            return Err(CsvError::Control(self.names[column].clone()));
        }
        let number = |column: usize| self.number(record, column);
        // Cells of optional columns may be empty.
        let optional = |column: Option<usize>| match column {
            Some(column) if !record[column].is_empty() => number(column).map(Some),
            _ => Ok(None),
        };
        let gap = |text: &str| parse_gap(text).ok_or_else(|| CsvError::Gap(text.to_owned()));
        let gaps = self.gaps.map_or("", |column| &record[column]);
        let row = TableRow {
            lower: number(self.lower)?,
            upper: number(self.upper)?,
            size: self.size_of(record, self.size)?,
            alignment: match self.alignment.filter(|column| !record[*column].is_empty()) {
                Some(column) => self.size_of(record, column)?,
                None => 1,
            },
            gaps: gaps.split_whitespace().map(gap).collect::<Result<_, _>>()?,
            fixed: optional(self.offset)?,
        };
        row.check()?;
        Ok(row)
    }

    /// A size: a number, or one with a unit, as in `64KiB`.
    fn size_of(&self, record: &csv::StringRecord, column: usize) -> Result<u64, CsvError> {
        let size: Option<Bytes> = record[column].parse().ok();
        self.limited(record, column, size.map(Bytes::get))
    }

    fn number(&self, record: &csv::StringRecord, column: usize) -> Result<u64, CsvError> {
        self.limited(record, column, record[column].parse().ok())
    }

    /// The number in a cell, if it is one and not too large.
    fn limited(
        &self,
        record: &csv::StringRecord,
        column: usize,
        number: Option<u64>,
    ) -> Result<u64, CsvError> {
        let text = &record[column];
        let number = number.filter(|number| *number <= mem_planner::MAX_BYTES.get());
        number.ok_or_else(|| CsvError::Number {
            text: text.to_owned(),
            column: self.names[column].clone(),
        })
    }
}

/// Returns the line on which a row begins. The reader reports where it continued after the row
/// before: between the two halves of a `\r\n`, or before empty lines.
fn line_of(position: Option<&csv::Position>, text: &str) -> u64 {
    let Some(position) = position else { return 0 };
    let start = usize::try_from(position.byte()).unwrap_or(usize::MAX);
    let rest = text.as_bytes().get(start..).unwrap_or_default();
    let skipped = rest.iter().take_while(|byte| b"\r\n".contains(byte));
    let n_skipped = skipped.filter(|byte| **byte == b'\n').count();
    position.line() + n_skipped as u64
}

/// Checks that column names are unique and printable.
fn check_header(header: &[String]) -> Result<(), CsvError> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (name, number) in header.iter().zip(1..) {
        if has_controls(name) {
            return Err(CsvError::ControlInHeader(number));
        }
        if let Some(first) = known.insert(name, number) {
            return Err(CsvError::SameColumn {
                name: name.clone(),
                first,
                second: number,
            });
        }
    }
    Ok(())
}

fn has_controls(cell: &str) -> bool {
    cell.chars().any(|c| c.is_control() && c != '\t')
}

/// Returns whether a spreadsheet would evaluate a cell.
fn is_formula(cell: &str) -> bool {
    let is_number =
        |rest: &str| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit() || c == '.');
    match cell.strip_prefix(['=', '@', '+', '-']) {
        Some(rest) => cell.starts_with(['=', '@']) || !is_number(rest),
        None => false,
    }
}

/// Returns a cell as it is written.
fn protected(cell: &str) -> Cow<'_, str> {
    match is_formula(cell) {
        true => Cow::Owned(format!("'{cell}")),
        false => Cow::Borrowed(cell),
    }
}

/// Reverts [`protected`].
fn unprotected(cell: &str) -> String {
    let bare = cell.strip_prefix('\'').filter(|rest| is_formula(rest));
    bare.unwrap_or(cell).to_owned()
}

impl TableRow {
    fn check(&self) -> Result<(), CsvError> {
        let &Self {
            lower,
            upper,
            size,
            alignment,
            ..
        } = self;
        if lower > upper {
            return Err(CsvError::Backward { lower, upper });
        }
        if !alignment.is_power_of_two() {
            return Err(CsvError::Alignment(alignment));
        }
        for &TableGap { from, to, live } in &self.gaps {
            let is_inside = from <= to && lower <= from && to <= upper;
            let is_part = live.is_none_or(|(low, high)| low <= high && high <= size);
            if !is_inside || !is_part {
                return Err(CsvError::GapOutside { from, to });
            }
        }
        Ok(())
    }

    fn steps(&self) -> impl Iterator<Item = u64> + '_ {
        let gaps = self.gaps.iter().flat_map(|gap| [gap.from, gap.to]);
        [self.lower, self.upper].into_iter().chain(gaps)
    }

    fn item(&self, buffer: BufferId, steps: &[u64]) -> Item {
        let point = |step: u64| Point::early(StepId::new(steps.partition_point(|s| *s < step)));
        let within = |from, to| Interval::new(point(from), point(to));
        let windows = self.gaps.iter().filter_map(|gap| gap.live);
        let bounds: BTreeSet<u64> = windows
            .flat_map(|(low, high)| [low, high])
            .chain([0, self.size])
            .collect();
        let bounds: Vec<u64> = bounds.into_iter().collect();
        let gaps = self.gaps.iter();
        let gaps: Vec<_> = gaps
            .map(|gap| (within(gap.from, gap.to), gap.live))
            .collect();
        let lifetime = IntervalSet::from_iter([within(self.lower, self.upper)]);
        let part = |low: u64, high: u64| {
            let is_dead =
                |live: Option<(u64, u64)>| live.is_none_or(|(from, to)| high <= from || to <= low);
            let dead = gaps.iter().filter(|(_, live)| is_dead(*live));
            Part {
                bytes: Interval::new(Bytes::new(low), Bytes::new(high)),
                live: lifetime.difference(&dead.map(|(gap, _)| *gap).collect()),
            }
        };
        let mut parts: Vec<Part> = bounds
            .windows(2)
            .map(|pair| part(pair[0], pair[1]))
            .collect();
        if parts.is_empty() {
            parts.push(part(0, 0));
        }
        let (size, alignment) = (Bytes::new(self.size), Bytes::new(self.alignment));
        Item {
            fixed: self.fixed.map(Bytes::new),
            ..Item::new(buffer, size, alignment, parts)
        }
    }
}

fn parse_gap(text: &str) -> Option<TableGap> {
    let (time, live) = match text.split_once('@') {
        Some((time, live)) => (time, Some(live)),
        None => (text, None),
    };
    let pair = |text: &str, between| {
        let (a, b) = text.split_once(between)?;
        Some((a.parse().ok()?, b.parse().ok()?))
    };
    let (from, to) = pair(time, '-')?;
    let live = match live {
        Some(live) => Some(pair(live, ':')?),
        None => None,
    };
    Some(TableGap { from, to, live })
}

/// Parses the columns that refer to other buffers.
struct Relations<'t> {
    problem: &'t mut Problem,
    rows: &'t [Vec<String>],
    /// Row index by id.
    indices: HashMap<&'t str, usize>,
}

/// A row index, and what is wrong with the row.
type WrongRow = (usize, CsvError);

impl<'t> Relations<'t> {
    fn number(&mut self, id: usize) -> Result<(), WrongRow> {
        for (index, row) in self.rows.iter().enumerate() {
            if self.indices.insert(&row[id], index).is_some() {
                return Err((index, CsvError::SameId(row[id].clone())));
            }
        }
        Ok(())
    }

    fn read(&mut self, columns: [Option<usize>; 4]) -> Result<(), WrongRow> {
        let rows = self.rows;
        let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, row) in rows.iter().enumerate() {
            let [conflicts, alias, in_place, penalties] =
                columns.map(|column| column.map_or("", |column| row[column].as_str()));
            for name in conflicts.split_whitespace() {
                let other = self.other(index, name)?;
                self.problem
                    .conflicts
                    .push((index.min(other), index.max(other)));
            }
            if !alias.is_empty() {
                groups.entry(alias).or_default().push(index);
            }
            for name in in_place.split_whitespace() {
                let operand = self.other(index, name)?;
                self.problem.reuses.push(Reuse {
                    operand,
                    result: index,
                });
            }
            for text in penalties.split_whitespace() {
                let parsed = text
                    .rsplit_once(':')
                    .and_then(|(n, c)| Some((n, c.parse().ok()?)));
                let (name, cost) =
                    parsed.ok_or_else(|| (index, CsvError::Penalty(text.to_owned())))?;
                let other = self.other(index, name)?;
                self.problem.penalties.push(Penalty {
                    first: index.min(other),
                    second: index.max(other),
                    cost,
                });
            }
        }
        // Both buffers of a pair may name each other.
        self.problem.conflicts.sort_unstable();
        self.problem.conflicts.dedup();
        self.problem.aliases = groups
            .into_values()
            .filter(|group| group.len() > 1)
            .collect();
        Ok(())
    }

    /// Returns the row index of another buffer.
    fn other(&self, index: usize, name: &str) -> Result<usize, WrongRow> {
        let other = self.indices.get(name).copied();
        let other = other.ok_or_else(|| (index, CsvError::NoBuffer(name.to_owned())))?;
        match other == index {
            true => Err((index, CsvError::Itself(name.to_owned()))),
            false => Ok(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A buffer that dies byte by byte. The parts are quadratic; cubic time would hit the runner's
    /// limit.
    #[test]
    fn rows_with_thousands_of_gaps_are_read() {
        let n = 4000;
        let gap = |byte: u64| format!("{}-{}@{byte}:{}", 2 * byte, 2 * byte + 1, byte + 1);
        let gaps: Vec<String> = (0..n).map(gap).collect();
        let rows = format!("a,0,{},{n},{}\n", 2 * n, gaps.join(" "));
        let table = Table::parse("t.csv", &format!("id,lower,upper,size,gaps\n{rows}"));
        let table = table.expect("a table");
        let parts = &table.problem.items[0].parts;
        assert_eq!(parts.len() as u64, n);
        let n_intervals = parts.iter().map(|part| part.live.n_intervals() as u64);
        // The first gap is at the start, and each byte is live in its own.
        assert!(n_intervals.eq((0..n).map(|byte| if byte == 0 { n } else { n - 1 })));
    }
}
