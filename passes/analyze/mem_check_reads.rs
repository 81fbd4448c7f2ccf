//! `mem-check-reads`: warns about reads of bytes that nothing has written.

use mem_flow::dependence::{AccessId, Dependence, Source};
use mem_model::{Access, AccessKind, BufferId, Bytes, Interval, IntervalSet};

use crate::extract::dependence::{Extracted, Subject};
use crate::framework::options::MemCheckReadsOptions as Options;
use crate::framework::{PassResult, PassRun};
use crate::ir::Diagnostic;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let mut n_reads = 0;
    let mut subject = Subject::new(run, options.noalias_arguments);
    for function in subject.functions() {
        let dependence = function.analyze();
        for (id, access) in function.accesses() {
            n_reads += u64::from(check_read(function, &dependence, id, access));
        }
        function.report_limits(&dependence.limits());
    }
    subject.finish();
    run.set_statistic(Options::NUM_READS, n_reads);
    Ok(())
}

/// Warns if `access` is guaranteed to read bytes that no path has written. Returns whether it
/// warned.
fn check_read(
    function: &Extracted,
    dependence: &Dependence<'_>,
    id: AccessId,
    access: &Access,
) -> bool {
    if access.kind != AccessKind::Use {
        return false;
    }
    let Some((buffer, bytes)) = unwritten(dependence, id, access) else {
        return false;
    };
    let name = function.buffer_name(buffer);
    let text = format!(
        "reads {} of '{name}', which nothing has written",
        shown(&bytes)
    );
    let mut warning = Diagnostic::warning(function.op(id).location(), text);
    if let Some(op) = function.extraction.buffer_ops[buffer.index()] {
        warning = warning.note(op.location(), format!("'{name}' is allocated here"));
    }
    warning.emit();
    true
}

/// The bytes that `access` reads in every execution and that no path can have written.
fn unwritten(
    dependence: &Dependence<'_>,
    id: AccessId,
    access: &Access,
) -> Option<(BufferId, IntervalSet<Bytes>)> {
    let rows = access.rows().filter(|rows| rows.all);
    let sure: IntervalSet<Bytes> = match rows {
        Some(rows) => rows.bytes.clone(),
        None => access.must.into_iter().collect(),
    };
    if sure.is_empty() || !access.is_unconditional() {
        return None;
    }
    let reaching = dependence.reaching(id);
    let [first, others @ ..] = reaching.as_slice() else {
        return None;
    };
    // A pointer that may denote several buffers is not guaranteed to read any of them.
    if first.source != Source::Undefined || others.iter().any(|r| r.buffer != first.buffer) {
        return None;
    }
    let mut bytes = first.bytes.intersection(&sure);
    for other in others {
        other.bytes.iter().for_each(|written| bytes.remove(written));
    }
    (!bytes.is_empty()).then_some((first.buffer, bytes))
}

/// Formats byte intervals: `bytes [0, 4), [8, 12)`.
fn shown(bytes: &IntervalSet<Bytes>) -> String {
    let interval = |i: Interval<Bytes>| format!("[{}, {})", i.start, i.end);
    let all: Vec<String> = bytes.iter().map(interval).collect();
    format!("bytes {}", all.join(", "))
}
