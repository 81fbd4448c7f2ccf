//! `mem-annotate-dependence`: attaches def-use chains to operations as attributes.

use std::ops::Range;

use crate::extract::chains::{AccessChains, FunctionChains, Origin, chains_of};
use crate::extract::dependence::extract_functions;
use crate::framework::options::MemAnnotateDependenceOptions as Options;
use crate::framework::{PassResult, PassRun};
use crate::ir::{Attribute, Context, Op};

const ACCESSES: &str = "mem.accesses";
const JOINS: &str = "mem.joins";

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    module.walk(&mut |op| {
        for name in [ACCESSES, JOINS] {
            if op.attribute(name).is_some() {
                op.remove_attribute(name);
            }
        }
    });
    if options.clear {
        return Ok(());
    }
    for function in extract_functions(module, options.noalias_arguments) {
        let chains = chains_of(&function, |dependence| {
            function.report_limits(&dependence.limits());
        });
        function.report_views();
        annotate(function.function.op, &chains);
    }
    Ok(())
}

fn annotate(function: Op, chains: &FunctionChains<'_, '_>) {
    let context = function.context();
    let numbered = chains.accesses.iter().enumerate().peekable();
    let mut pending: Vec<Attribute> = Vec::new();
    let mut numbered = numbered;
    while let Some((id, access)) = numbered.next() {
        pending.push(described(context, id, access));
        let is_last = numbered.peek().is_none_or(|(_, next)| next.op != access.op);
        if is_last {
            // An operation can own several steps, for example before and after its regions; keep
            // the entries of the earlier ones.
            let before = access.op.attribute(ACCESSES).and_then(|a| a.elements());
            let mut all = before.unwrap_or_default();
            all.append(&mut pending);
            access
                .op
                .set_attribute(ACCESSES, Attribute::array(context, &all));
        }
    }
    if chains.joins.is_empty() {
        return;
    }
    let joins = chains.joins.iter().map(|join| {
        let mut entry = Entry::new(context);
        entry.integer("block", join.block);
        entry.string("buffer", &join.buffer);
        entry.ranges("bytes", std::slice::from_ref(&join.bytes));
        entry.finish()
    });
    let joins: Vec<Attribute> = joins.collect();
    function.set_attribute(JOINS, Attribute::array(context, &joins));
}

fn described(context: Context, id: usize, access: &AccessChains) -> Attribute {
    let mut entry = Entry::new(context);
    entry.integer("id", id);
    let kind = if access.is_definition {
        "define"
    } else {
        "use"
    };
    entry.string("kind", kind);
    if let Some(operand) = access.operand {
        entry.integer("operand", operand);
    }
    if let Some(may) = &access.may {
        entry.ranges("bytes", std::slice::from_ref(may));
    }
    if access.is_exact {
        entry.flag("exact");
    }
    if !access.is_definition {
        let sources = access.sources.iter().map(|source| {
            let mut entry = Entry::new(context);
            match source.origin {
                Origin::Undefined => entry.flag("undefined"),
                Origin::Entry => entry.flag("entry"),
                Origin::Definition(id) => entry.integer("id", id),
            }
            entry.string("buffer", &source.buffer);
            entry.ranges("bytes", &source.bytes);
            entry.finish()
        });
        let sources: Vec<Attribute> = sources.collect();
        entry.add("sources", Attribute::array(context, &sources));
        return entry.finish();
    }
    let readers = access.readers.iter().map(|id| *id as i64);
    let readers: Vec<i64> = readers.collect();
    entry.add("readers", Attribute::integers_attribute(context, &readers));
    if access.is_dead {
        entry.flag("dead");
    } else if !access.dead.is_empty() {
        entry.ranges("dead_bytes", &access.dead);
    }
    if !access.kills.is_empty() {
        let kills = access.kills.iter().map(|kill| {
            let mut entry = Entry::new(context);
            entry.integer("id", kill.definition);
            entry.ranges("bytes", &kill.bytes);
            entry.finish()
        });
        let kills: Vec<Attribute> = kills.collect();
        entry.add("kills", Attribute::array(context, &kills));
    }
    entry.finish()
}

/// A dictionary attribute under construction.
struct Entry {
    context: Context,
    entries: Vec<(&'static str, Attribute)>,
}

impl Entry {
    fn new(context: Context) -> Self {
        let entries = Vec::new();
        Self { context, entries }
    }

    fn add(&mut self, name: &'static str, value: Attribute) {
        self.entries.push((name, value));
    }

    fn flag(&mut self, name: &'static str) {
        self.add(name, Attribute::unit(self.context));
    }

    fn integer(&mut self, name: &'static str, value: usize) {
        self.add(
            name,
            Attribute::integer_attribute(self.context, value as i64),
        );
    }

    fn string(&mut self, name: &'static str, value: &str) {
        self.add(name, Attribute::string_attribute(self.context, value));
    }

    /// Adds interval bounds as a flat list `start, end, ...`; -1 stands for an unbounded end.
    fn ranges(&mut self, name: &'static str, ranges: &[Range<u64>]) {
        let bound = |at: u64| i64::try_from(at).unwrap_or(-1);
        let bounds = ranges.iter().flat_map(|range| [range.start, range.end]);
        let bounds: Vec<i64> = bounds.map(bound).collect();
        self.add(name, Attribute::integers_attribute(self.context, &bounds));
    }

    fn finish(self) -> Attribute {
        Attribute::dictionary(self.context, &self.entries)
    }
}
