//! Generates a typed Rust view of each operation of the dialect from its ODS record.

use std::fmt::Write as _;

use serde_json::Value;

/// An argument of an operation, as declared by its record.
enum Argument {
    /// An attribute: its Rust type, and the accessor in `dialect::read`.
    Attribute(&'static str, &'static str),
    Operand,
    OptionalOperand,
    Operands,
}

/// The Rust source of all views, in the order of the operation names.
pub(crate) fn generate(records: &Value) -> String {
    let mut out = String::new();
    for name in records["!instanceof"]["Op"]
        .as_array()
        .into_iter()
        .flatten()
    {
        let record = &records[name.as_str().unwrap_or_default()];
        if record["opDialect"]["def"] == "Mem_Dialect" {
            generate_view(records, record, &mut out);
        }
    }
    out
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn superclasses(record: &Value) -> Vec<&str> {
    record["!superclasses"]
        .as_array()
        .into_iter()
        .flatten()
        .map(text)
        .collect()
}

fn classify(record: &Value) -> Argument {
    let classes = superclasses(record);
    if classes.contains(&"AttrConstraint") {
        let cpp: String = text(&record["returnType"]).split_whitespace().collect();
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
    if classes.contains(&"Variadic") {
        Argument::Operands
    } else if classes.contains(&"Optional") {
        Argument::OptionalOperand
    } else {
        Argument::Operand
    }
}

/// Name and record of each element of a DAG.
fn elements<'r>(records: &'r Value, dag: &'r Value) -> Vec<(&'r str, &'r Value)> {
    let items = dag["args"].as_array().into_iter().flatten();
    items
        .map(|item| (text(&item[1]), &records[text(&item[0]["def"])]))
        .collect()
}

fn generate_view(records: &Value, record: &Value, out: &mut String) {
    let mnemonic = text(&record["opName"]);
    let mut letters = mnemonic.chars();
    let first = letters
        .next()
        .map(|c| c.to_ascii_uppercase())
        .unwrap_or_default();
    let view = format!("{first}{}Op", letters.as_str());
    let arguments: Vec<(&str, Argument)> = elements(records, &record["arguments"])
        .into_iter()
        .map(|(name, record)| (name, classify(record)))
        .collect();
    let traits = record["traits"].as_array().into_iter().flatten();
    let is_segmented = traits
        .into_iter()
        .any(|t| text(&t["def"]) == "AttrSizedOperandSegments");
    let mut methods = String::new();
    let (mut n_operands, mut after_group) = (0_usize, false);
    for (name, argument) in &arguments {
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
    for (name, result) in elements(records, &record["results"]) {
        let is_optional = superclasses(result).contains(&"Optional");
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
    let summary = text(&record["summary"]);
    writeln!(out, "view!(\n    /// `mem.{mnemonic}`: {summary}.\n    {view}, \"mem.{mnemonic}\", {{\n{methods}    }}\n);").unwrap();
}
