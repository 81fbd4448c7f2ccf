//! The text form of operation graphs, without a header: the tensors, then the operations in
//! execution order.
//!
//! ```text
//! t 4096                # t0: its size in bytes
//! t 8192                # t1
//! s 100 1 r  w 0        # an operation that costs 100, is pure, and writes t0
//! s 250 1 r 0 w 1       # reads t0, writes t1
//! s 50 0 r 0,1 w 1      # must not be repeated; updates t1
//! ```
//!
//! Tensors are numbered from 0 in the order of their lines. A tensor is written before it is read:
//! inputs and parameters are not part of the graph. After the cost of an operation, in arithmetic
//! operations, 1 says that it may be repeated, and 0 that it must not. Lists are separated by commas
//! and may be empty. Comments begin with `#`.

use std::collections::BTreeSet;

use super::lines::{Line, Lines, parse_decimal};
use super::{TextError, TextErrorKind};
use crate::{Operation, OperationGraph, TensorId};

/// Parses an operation graph. Linear, but for the sorting of the tensors of an operation.
///
/// # Errors
/// The first line that is malformed, refers to a tensor without a line, or reads a tensor that no
/// earlier operation writes.
pub fn parse_operation_graph(text: &str) -> Result<OperationGraph, TextError> {
    let mut lines = Lines::new(text)?;
    let mut graph = OperationGraph::default();
    while let Some(mut line) = lines.next_starting_with("t") {
        graph.tensors.push(line.bytes("a size in bytes")?);
        line.end()?;
    }
    let mut is_written = vec![false; graph.tensors.len()];
    while let Some(mut line) = lines.next_starting_with("s") {
        let operation = parse_operation(&mut line, &mut is_written)?;
        line.end()?;
        graph.operations.push(operation);
    }
    match lines.next() {
        Some(line) => line.fail("a tensor ('t'), or an operation ('s') after all tensors"),
        None => Ok(graph),
    }
}

/// Parses an operation, and notes the tensors that it writes.
fn parse_operation(line: &mut Line, is_written: &mut [bool]) -> Result<Operation, TextError> {
    let cost = line.number("the cost of the operation")?;
    let is_pure = line.read("1 (may be repeated) or 0", |word| match word {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    })?;
    line.word("r")?;
    let at_reads = line.clone();
    let reads = parse_tensors(line, "w", is_written.len())?;
    if let Some(id) = reads.iter().find(|id| !is_written[id.index()]) {
        return at_reads.error(TextErrorKind::Unwritten(*id));
    }
    line.word("w")?;
    let writes = parse_tensors(line, "", is_written.len())?;
    for id in &writes {
        is_written[id.index()] = true;
    }
    Ok(Operation {
        cost,
        is_pure,
        reads,
        writes,
    })
}

/// Parses an optional list of tensors before the word `next`; one that is listed twice counts once.
fn parse_tensors(
    line: &mut Line,
    next: &str,
    n_tensors: usize,
) -> Result<Vec<TensorId>, TextError> {
    if line.is_at_end() || line.peek_word() == Some(next) {
        return Ok(Vec::new());
    }
    let before = line.clone();
    let list = line.read("tensors, as in 0,1", |word| {
        let numbers = word.split(',').map(parse_decimal);
        numbers.collect::<Option<BTreeSet<u64>>>()
    })?;
    let known = |number: &u64| usize::try_from(*number).is_ok_and(|id| id < n_tensors);
    if let Some(number) = list.iter().find(|number| !known(number)) {
        return before.error(TextErrorKind::Unknown(format!("t{number}")));
    }
    let id = |number: u64| usize::try_from(number).ok().map(TensorId::new);
    Ok(list.into_iter().filter_map(id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_tensors_and_operations() {
        let graph = parse_operation_graph(
            "# two tensors\nt 4096\nt 8192\n\ns 100 1 r  w 0\ns 250 1 r 0,0 w 1 # twice\ns 50 0 r 0,1 w 1\n",
        );
        let graph = graph.expect("a good graph");
        let ids = |list: &[usize]| list.iter().copied().map(TensorId::new).collect::<Vec<_>>();
        let operation = |cost, is_pure, reads: &[usize], writes: &[usize]| Operation {
            cost,
            is_pure,
            reads: ids(reads),
            writes: ids(writes),
        };
        let operations = [
            operation(100, true, &[], &[0]),
            operation(250, true, &[0], &[1]),
            operation(50, false, &[0, 1], &[1]),
        ];
        assert_eq!(graph.operations, operations);
        assert_eq!(graph.tensors.len(), 2);
    }

    #[test]
    fn errors_are_located() {
        for (text, expected) in [
            (
                "t",
                "1:2: expected a size in bytes, found the end of the line",
            ),
            (
                "t 4\ns 1 2 r w 0",
                "2:5: expected 1 (may be repeated) or 0, found '2'",
            ),
            ("t 4\ns 1 1 r w 1", "2:11: there is no t1"),
            (
                "t 4\ns 1 1 r 0 w",
                "2:9: t0 is read before an operation writes it",
            ),
            (
                "t 4\ns 1 1 r w 0 9",
                "2:13: expected the end of the line, found '9'",
            ),
            (
                "s 1 1 r w\nt 4",
                "2:1: expected a tensor ('t'), or an operation ('s') after all tensors, found 't'",
            ),
            (
                "t 99999999999999999999",
                "1:3: 99999999999999999999 is not a number below 2^64",
            ),
        ] {
            let error = parse_operation_graph(text).expect_err(text);
            assert_eq!(error.to_string(), expected, "{text}");
        }
    }
}
