//! The effects of the operations of the `mpi` dialect, compared with the installed definition of the
//! dialect: an operation, an operand or a result that upstream adds or changes fails these tests until
//! the table states what it does with memory. The documentation shows the same table.

mod common;

use std::fs;
use std::path::PathBuf;

use common::read;
use mem_opt::internals::{MPI_OPS, MpiOp, OperandEffect, Request};

fn definitions() -> String {
    let prefix = option_env!("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22");
    let file = PathBuf::from(prefix).join("include/mlir/Dialect/MPI/IR/MPIOps.td");
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// An operation of the dialect: its name, and the types of its operands and results.
struct Defined {
    name: String,
    operands: Vec<String>,
    results: Vec<String>,
}

/// The operations, read from their text: `MPI_Op<"name"`, and the lists `(ins …)` and `(outs …)`.
fn defined() -> Vec<Defined> {
    let text = definitions();
    let uncommented = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let text = uncommented.collect::<Vec<_>>().join("\n");
    let bodies = text.split("MPI_Op<\"").skip(1);
    let defined = bodies.map(|body| Defined {
        name: format!("mpi.{}", &body[..body.find('"').expect("a name")]),
        operands: types(body, "ins"),
        results: types(body, "outs"),
    });
    defined.collect()
}

/// The types in the list `(kind …)`, without its names.
fn types(body: &str, kind: &str) -> Vec<String> {
    let openings = [format!("({kind} "), format!("(\n    {kind} ")];
    let mut starts = openings
        .iter()
        .filter_map(|own| Some(body.find(own)? + own.len()));
    let Some(start) = starts.next() else {
        return Vec::new();
    };
    let end = body[start..].find(");").expect("the end of a list");
    let items = body[start..start + end].split(',');
    let types = items.filter_map(|item| item.split(':').next());
    let types = types.map(|ty| ty.trim().to_owned());
    types.filter(|ty| !ty.is_empty()).collect()
}

#[test]
fn every_operation_of_the_dialect_is_in_the_table() {
    let defined: Vec<String> = defined().into_iter().map(|op| op.name).collect();
    let known: Vec<&str> = MPI_OPS.iter().map(|row| row.name).collect();
    assert_eq!(
        defined, known,
        "MPIOps.td has other operations than passes/ir/mpi.rs"
    );
}

#[test]
fn effects_are_those_of_the_memref_operands() {
    for op in defined() {
        let row = MPI_OPS
            .iter()
            .find(|row| row.name == op.name)
            .expect("a row");
        let is_memref = |ty: &&String| ty.contains("MemRef");
        let memrefs = op.operands.iter().filter(is_memref).count();
        let leading = op.operands.iter().take_while(is_memref).count();
        assert_eq!(memrefs, leading, "{}: a memref follows a scalar", op.name);
        assert_eq!(row.operands.len(), memrefs, "{}: memref operands", op.name);
        let any = |ty: &str| op.results.iter().any(|result| result == ty);
        assert_eq!(
            row.request == Request::Starts,
            any("MPI_Request"),
            "{}",
            op.name
        );
        let awaits = op.operands.iter().any(|operand| operand == "MPI_Request");
        assert_eq!(row.request == Request::Awaits, awaits, "{}", op.name);
        let known = [
            "Optional<MPI_Retval>",
            "MPI_Retval",
            "MPI_Request",
            "MPI_Comm",
            "I32",
            "I1",
        ];
        for result in &op.results {
            // A result of another type could hold an address.
            assert!(
                known.contains(&result.as_str()),
                "{}: a result is {result}",
                op.name
            );
        }
    }
}

/// A row of the table in docs/Distributed.md.
fn shown(row: &MpiOp) -> String {
    let effects = row.operands.iter().map(|effect| match effect {
        OperandEffect::Reads => "reads",
        OperandEffect::Writes => "writes",
        OperandEffect::WritesSome => "may write",
    });
    let effects: Vec<&str> = effects.collect();
    let request = match row.request {
        Request::None => "",
        Request::Starts => "starts",
        Request::Awaits => "waits for",
    };
    let order = if row.communicates { "kept" } else { "free" };
    format!(
        "| `{}` | {} | {request} | {order} |",
        row.name,
        effects.join(", ")
    )
}

#[test]
fn the_table_is_documented() {
    let text = read("docs/Distributed.md");
    for row in &MPI_OPS {
        let line = shown(row);
        assert!(text.contains(&line), "docs/Distributed.md lacks {line}");
    }
}
