//! Generates a typed Rust view of each operation of the dialect from its ODS record.

use std::fmt::Write as _;

use tblgen::record::Record;
use tblgen::{RecordKeeper, TypedInit};

/// An argument of an operation, as declared by its record.
enum Argument {
    /// An attribute: its Rust type, and the accessor in `dialect::read`.
    Attribute(&'static str, &'static str),
    Operand,
    OptionalOperand,
    Operands,
}

/// The Rust source of all views, in the order of the operation names.
pub(crate) fn generate(records: &RecordKeeper<'_>) -> String {
    let mut views: Vec<(String, String)> = Vec::new();
    for record in records.all_derived_definitions("Op") {
        let dialect = record.def_value("opDialect").and_then(Record::name);
        if dialect.is_ok_and(|name| name == "Mem_Dialect") {
            let name = record.name().expect("names are UTF-8").to_owned();
            views.push((name, generate_view(record)));
        }
    }
    views.sort();
    views.into_iter().map(|(_, view)| view).collect()
}

fn text(record: Record<'_>, field: &str) -> String {
    record
        .string_value(field)
        .unwrap_or_else(|error| panic!("{field}: {error}"))
}

fn classify(record: Record<'_>) -> Argument {
    if record.subclass_of("AttrConstraint") {
        let cpp: String = text(record, "returnType").split_whitespace().collect();
        return match cpp.as_str() {
            "::llvm::StringRef" => Argument::Attribute("String", "string"),
            "::std::optional<::llvm::StringRef>" => {
                Argument::Attribute("Option<String>", "optional_string")
            }
            "uint64_t" => Argument::Attribute("u64", "unsigned"),
            "::std::optional<uint64_t>" => Argument::Attribute("Option<u64>", "optional_unsigned"),
            "::llvm::ArrayRef<int64_t>" => Argument::Attribute("Vec<i64>", "integers"),
            "::std::optional<::llvm::ArrayRef<int64_t>>" => {
                Argument::Attribute("Option<Vec<i64>>", "optional_integers")
            }
            "::std::optional<::mlir::mem::Role>" => Argument::Attribute("Option<Role>", "role"),
            "bool" => Argument::Attribute("bool", "flag"),
            other => panic!("no Rust type for an attribute of type {other}"),
        };
    }
    if record.subclass_of("Variadic") {
        Argument::Operands
    } else if record.subclass_of("Optional") {
        Argument::OptionalOperand
    } else {
        Argument::Operand
    }
}

/// Name and record of each element of a DAG.
fn elements<'r>(record: Record<'r>, field: &str) -> Vec<(&'r str, Record<'r>)> {
    let dag = record.dag_value(field);
    let dag = dag.unwrap_or_else(|error| panic!("{field}: {error}"));
    let element = |(name, value): (Option<&'r str>, TypedInit<'r>)| {
        let record = Record::try_from(value);
        let record = record.unwrap_or_else(|error| panic!("{field}: {error}"));
        (name.unwrap_or_default(), record)
    };
    dag.args().map(element).collect()
}

fn generate_view(record: Record<'_>) -> String {
    let mnemonic = text(record, "opName");
    let mut letters = mnemonic.chars();
    let first = letters
        .next()
        .map(|c| c.to_ascii_uppercase())
        .unwrap_or_default();
    let view = format!("{first}{}Op", letters.as_str());
    let arguments: Vec<(&str, Argument)> = elements(record, "arguments")
        .into_iter()
        .map(|(name, record)| (name, classify(record)))
        .collect();
    let traits = record.list_of_defs_value("traits").unwrap_or_default();
    let is_segmented = traits.iter().any(|own| {
        own.name()
            .is_ok_and(|name| name == "AttrSizedOperandSegments")
    });
    let mut methods = argument_methods(&mnemonic, &arguments, is_segmented);
    methods += &result_methods(record);
    let summary = text(record, "summary");
    format!(
        "view!(\n    /// `mem.{mnemonic}`: {summary}.\n    {view}, \"mem.{mnemonic}\", {{\n{methods}    }}\n);\n"
    )
}

/// Accessors of the attributes and operands of an operation.
fn argument_methods(mnemonic: &str, arguments: &[(&str, Argument)], is_segmented: bool) -> String {
    let mut methods = String::new();
    let (mut n_operands, mut after_group) = (0_usize, false);
    for (name, argument) in arguments {
        let getter = match argument {
            Argument::Attribute(ty, read) => {
                format!(
                    "pub fn {name}(self) -> {ty} {{\n        read::{read}(self.0, {name:?})\n    }}"
                )
            }
            Argument::Operand => {
                assert!(
                    !after_group && !is_segmented,
                    "{mnemonic}: an operand after a group"
                );
                format!(
                    "pub fn {name}(self) -> Value<'c, 'a> {{\n        read::operand(self.0, {n_operands})\n    }}"
                )
            }
            Argument::OptionalOperand | Argument::Operands => {
                let group = if is_segmented {
                    format!("read::segment(self.0, {n_operands})")
                } else {
                    format!("read::rest(self.0, {n_operands})")
                };
                after_group = true;
                let (ty, pick) = match argument {
                    Argument::Operands => ("Vec<Value<'c, 'a>>", ""),
                    _ => ("Option<Value<'c, 'a>>", ".into_iter().next()"),
                };
                format!("pub fn {name}(self) -> {ty} {{\n        {group}{pick}\n    }}")
            }
        };
        if !matches!(argument, Argument::Attribute(..)) {
            n_operands += 1;
        }
        let what = if matches!(argument, Argument::Attribute(..)) {
            "attribute"
        } else {
            "operand"
        };
        writeln!(
            methods,
            "    /// The `{name}` {what}.\n    #[must_use]\n    {getter}"
        )
        .unwrap();
    }
    methods
}

/// Accessors of the results of an operation.
fn result_methods(record: Record<'_>) -> String {
    let mut methods = String::new();
    for (name, result) in elements(record, "results") {
        let is_optional = result.subclass_of("Optional");
        let (ty, read) = if is_optional {
            ("Option<Value<'c, 'a>>", "optional_result")
        } else {
            ("Value<'c, 'a>", "result")
        };
        writeln!(
            methods,
            "    /// The `{name}` result.\n    #[must_use]\n    pub fn {name}(self) -> {ty} {{\n        read::{read}(self.0)\n    }}"
        )
        .unwrap();
    }
    methods
}
