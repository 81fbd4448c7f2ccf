//! `mem-print-dependence`: prints the definitions that reach each use, and the uses that each
//! definition reaches.

use std::fmt::Write as _;

use mem_flow::dependence::{AccessId, Chains, Dependence, LiveWrites, Reaching, Source};
use mem_model::{
    Access, AccessKind, BlockId, Bound, BufferId, Bytes, Interval, IntervalSet, Program, StepId,
    print_programs,
};

use crate::extract::dependence::{Extracted, extract_functions};
use crate::framework::options::MemPrintDependenceOptions as Options;
use crate::framework::{PassResult, PassRun, write_output};
use crate::ir::Diagnostic;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let functions = extract_functions(module, options.noalias_arguments);
    let text = match options.format.as_str() {
        "text" => functions.iter().map(print_function).collect(),
        "program" => {
            let programs = functions.into_iter().map(|f| f.extraction.program);
            print_programs(&programs.collect::<Vec<_>>())
        }
        other => {
            let text =
                format!("mem-print-dependence: no format '{other}'; there are text, program");
            return Diagnostic::error(module.location(), text).fail();
        }
    };
    write_output(module, "mem-print-dependence", &options.output, &text)
}

fn print_function(function: &Extracted) -> String {
    let dependence = function.analyze();
    let printer = Printer {
        program: &function.extraction.program,
        chains: dependence.chains(),
        live: dependence.live_writes(),
        dependence: &dependence,
    };
    let text = printer.print();
    function.report_limits(&dependence.limits());
    function.report_views();
    text
}

struct Printer<'a> {
    program: &'a Program,
    dependence: &'a Dependence<'a>,
    chains: Chains,
    live: LiveWrites,
}

impl Printer<'_> {
    fn print(&self) -> String {
        let mut out = format!("@{}\n", self.program.name);
        for (index, block) in self.program.blocks.iter().enumerate() {
            self.print_block(&mut out, BlockId::new(index));
            for step in block.steps.start.index()..block.steps.end.index() {
                self.print_step(&mut out, StepId::new(step));
            }
        }
        out
    }

    /// Prints a block with its predecessors, and the bytes whose definitions differ between
    /// predecessors.
    fn print_block(&self, out: &mut String, block: BlockId) {
        let graph = self.dependence.graph();
        let mut from: Vec<_> = graph.predecessors(block).to_vec();
        from.sort_unstable();
        from.dedup();
        let from: Vec<String> = from.iter().map(ToString::to_string).collect();
        let from = match (graph.is_reachable(block), from.is_empty()) {
            (false, _) => " never runs".to_owned(),
            (true, true) => String::new(),
            (true, false) => format!(" from {}", from.join(", ")),
        };
        let _ = writeln!(out, "{block}{from}");
        for join in self.dependence.joins().filter(|join| join.block == block) {
            let older = if join.is_older { " (older)" } else { "" };
            let bytes = shown_interval(join.bytes);
            let _ = writeln!(out, "  joins {}{bytes}{older}", self.name(join.buffer));
        }
    }

    fn print_step(&self, out: &mut String, id: StepId) {
        let step = &self.program.steps[id.index()];
        if step.accesses.is_empty() && step.waits.is_empty() {
            return;
        }
        let _ = writeln!(out, "  {id} {}", step.name);
        for token in &step.waits {
            let _ = writeln!(out, "    waits {token}");
        }
        let accesses = || {
            (0..)
                .zip(&step.accesses)
                .map(|(i, a)| (AccessId { step: id, index: i }, a))
        };
        for (id, access) in accesses().filter(|(_, a)| a.kind == AccessKind::Use) {
            let sources = self
                .chains
                .definitions
                .get(&id)
                .map_or(&[][..], Vec::as_slice);
            let sources: Vec<String> = sources.iter().map(|r| self.shown_source(r)).collect();
            let _ = writeln!(
                out,
                "    use {} <- {}",
                self.shown_access(access),
                or_nothing(&sources)
            );
        }
        for (id, access) in accesses().filter(|(_, a)| a.kind == AccessKind::Define) {
            let shown = self.shown_access(access);
            let _ = writeln!(out, "    define {shown} -> {}", self.shown_uses(id));
            for line in self.shown_kills(id) {
                let _ = writeln!(out, "      kills {line}");
            }
        }
    }

    fn name(&self, buffer: BufferId) -> &str {
        &self.program.buffers[buffer.index()].name
    }

    /// Formats a definition: `s4`, or `s4.1` if the step has several.
    fn shown_definition(&self, id: AccessId) -> String {
        let accesses = &self.program.steps[id.step.index()].accesses;
        let n_definitions = accesses
            .iter()
            .filter(|a| a.kind == AccessKind::Define)
            .count();
        match n_definitions {
            1 => id.step.to_string(),
            _ => format!("{}.{}", id.step, id.index),
        }
    }

    fn shown_source(&self, reaching: &Reaching) -> String {
        let source = match reaching.source {
            Source::Undefined => "undefined".to_owned(),
            Source::Entry => "entry".to_owned(),
            Source::Definition(id) => self.shown_definition(id),
        };
        format!(
            "{source} {}{}",
            self.name(reaching.buffer),
            shown_set(&reaching.bytes)
        )
    }

    fn shown_uses(&self, id: AccessId) -> String {
        let uses = self.chains.uses.get(&id).map_or(&[][..], Vec::as_slice);
        let mut uses: Vec<String> = uses.iter().map(|id| id.step.to_string()).collect();
        uses.dedup();
        if self.live.is_dead(id) {
            return "dead".to_owned();
        }
        if uses.is_empty() {
            uses.push("outside".to_owned());
        }
        let dead = self.live.dead_bytes(id);
        let dead = match dead.is_empty() {
            true => String::new(),
            false => format!("; dead {}", shown_set(dead)),
        };
        format!("{}{dead}", uses.join(", "))
    }

    /// The definitions that this one overwrites in part or entirely, each with all of its bytes
    /// that have been overwritten by now.
    fn shown_kills(&self, id: AccessId) -> Vec<String> {
        let kills = self.dependence.killed_by(id).into_iter();
        let shown = |(killed, bytes)| {
            let definition = self.shown_definition(killed);
            format!("{definition} {}", shown_set(&bytes))
        };
        kills.map(shown).collect()
    }

    /// Formats buffer or merge, bytes and conditions: `a[0, 32)`, or `a[0, 32)?` if only some of
    /// the bytes may be accessed.
    fn shown_access(&self, access: &Access) -> String {
        let mut text = self.program.pointers[access.pointer.index()]
            .name
            .to_string();
        if let Some(range) = access.symbolic() {
            let _ = write!(
                text,
                "[{}, {})",
                self.shown_bound(range.start),
                self.shown_bound(range.end)
            );
            text += if range.all { "" } else { "?" };
        } else if let Some(rows) = access.rows() {
            text += &shown_set(&rows.bytes);
            text += if rows.all { "" } else { "?" };
        } else if let Some(may) = access.may {
            text += &shown_interval(may);
            text += if access.must == Some(may) { "" } else { "?" };
        } else {
            text += "[?]";
        }
        for literal in access.predicate() {
            let not = if literal.holds { "" } else { "!" };
            let _ = write!(
                text,
                " if {not}{}",
                self.program.symbols[literal.symbol.index()].name
            );
        }
        if let Some(token) = access.token() {
            let _ = write!(text, " async {token}");
        }
        text
    }

    fn shown_bound(&self, bound: Bound) -> String {
        match bound.symbol {
            None => bound.offset.to_string(),
            Some(symbol) => {
                let name = &self.program.symbols[symbol.index()].name;
                match bound.offset {
                    0 => name.clone(),
                    offset => format!("{name}{offset:+}"),
                }
            }
        }
    }
}

fn or_nothing(items: &[String]) -> String {
    match items.is_empty() {
        true => "nothing".to_owned(),
        false => items.join(", "),
    }
}

/// Formats `[0, 4)`; the end is `?` for a buffer of unknown size.
fn shown_interval(interval: Interval<Bytes>) -> String {
    match interval.end.get() {
        u64::MAX => format!("[{}, ?)", interval.start),
        end => format!("[{}, {end})", interval.start),
    }
}

fn shown_set(bytes: &IntervalSet<Bytes>) -> String {
    bytes.iter().map(shown_interval).collect()
}
