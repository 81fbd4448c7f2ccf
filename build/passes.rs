//! Generates the Rust side of `Passes.td`, the single source of truth for passes and pipelines: a
//! struct for the options of each pass, and the tables that the C++ pass class reads.

use std::fmt::Write as _;

use tblgen::RecordKeeper;
use tblgen::record::Record;

use crate::details::Details;

/// The option structs, and the tables of passes and pipelines, as Rust source. Passes are in the
/// order of their names, so that the output does not depend on the order of declarations.
pub(crate) fn generate(records: &RecordKeeper<'_>) -> (String, String) {
    let details = Details::read(records);
    let (mut structs, mut passes, mut pipelines) = (String::new(), String::new(), String::new());
    for record in sorted(records, "PassBase") {
        generate_pass(record, &details, &mut structs, &mut passes);
    }
    for record in sorted(records, "OptionGroup") {
        let name = name(record);
        let about = format!("{}.", text(record, "summary"));
        structs += &option_struct(&name, &about, &list(record, "options"), "", &details);
    }
    for record in sorted(records, "Pipeline") {
        generate_pipeline(record, &details, &mut pipelines);
    }
    details.assert_all_are_used();
    let table = format!(
        "/// Every pass, in the order of its name.\n\
         pub(crate) static PASSES: &[PassSpec] = &[\n{passes}];\n\n\
         /// Every pipeline, in the order of its name.\n\
         pub(crate) static PIPELINES: &[PipelineSpec] = &[\n{pipelines}];\n"
    );
    (structs, table)
}

fn sorted<'r>(records: &'r RecordKeeper<'_>, class: &str) -> Vec<Record<'r>> {
    let mut all: Vec<Record<'_>> = records.all_derived_definitions(class).collect();
    all.sort_by_key(|record| name(*record));
    assert!(!all.is_empty(), "no record of class {class}");
    all
}

fn name(record: Record<'_>) -> String {
    record.name().expect("names are UTF-8").to_owned()
}

fn text(record: Record<'_>, field: &str) -> String {
    record
        .string_value(field)
        .unwrap_or_else(|error| panic!("{field}: {error}"))
}

/// The records in a list, named or anonymous.
fn list<'r>(record: Record<'r>, field: &str) -> Vec<Record<'r>> {
    record
        .list_of_defs_value(field)
        .unwrap_or_else(|error| panic!("{field}: {error}"))
}

fn generate_pass(record: Record<'_>, details: &Details, structs: &mut String, table: &mut String) {
    let (name, argument, summary) = (
        name(record),
        text(record, "argument"),
        text(record, "summary"),
    );
    let (mut constants, mut statistics) = (String::new(), String::new());
    for (index, statistic) in list(record, "statistics").into_iter().enumerate() {
        let (id, about) = (text(statistic, "name"), text(statistic, "description"));
        let constant = snake(&text(statistic, "cppName")).to_uppercase();
        writeln!(
            constants,
            "    /// {about}\n    pub(crate) const {constant}: usize = {index};"
        )
        .unwrap();
        writeln!(statistics, "        (c{id:?}, c{about:?}),").unwrap();
    }
    let options = list(record, "options");
    let is_verify = |option: &Record<'_>| text(*option, "argument") == "verify";
    let verified = match options.iter().any(is_verify) {
        true => "run.set_verified(options.verify); ",
        false => "",
    };
    let about = format!("Options of `{argument}`: {summary}.");
    *structs += &option_struct(
        &format!("{name}Options"),
        &about,
        &options,
        &constants,
        details,
    );
    writeln!(
        table,
        "    PassSpec {{\n    argument: c{argument:?}, summary: c{summary:?}, anchor: c{:?},\n    \
         options: &[\n{}    ],\n    statistics: &[\n{statistics}    ],\n    \
         bufferizes: {}, accepts_tensors: {},\n    \
         run: |run| {{ let options = {name}Options::read(&run.options(), 0); \
         {verified}{}::run(run, &options) }},\n    }},",
        anchor(&text(record, "baseClass")),
        option_specs(&argument, &options, details),
        record.subclass_of("Bufferizes"),
        record.subclass_of("AcceptsTensors"),
        snake(&name)
    )
    .unwrap();
}

fn generate_pipeline(record: Record<'_>, details: &Details, table: &mut String) {
    let (argument, summary) = (text(record, "argument"), text(record, "summary"));
    let (mut specs, mut arguments, mut first) = (String::new(), Vec::new(), 0);
    for group in list(record, "groups") {
        let options = list(group, "options");
        specs += &option_specs(&argument, &options, details);
        arguments.push(format!("&{}::read(values, {first})", name(group)));
        first += options.len();
    }
    writeln!(
        table,
        "    PipelineSpec {{\n    argument: c{argument:?}, summary: c{summary:?},\n    \
         options: &[\n{specs}    ],\n    build: |values| pipelines::{}({}),\n    }},",
        snake(&argument),
        arguments.join(", ")
    )
    .unwrap();
}

/// A struct with a field for each option, and a function that reads them, the first of which is
/// number `first` of a pass or pipeline.
fn option_struct(
    name: &str,
    about: &str,
    options: &[Record<'_>],
    constants: &str,
    details: &Details,
) -> String {
    let (mut fields, mut reads) = (String::new(), String::new());
    for (index, option) in options.iter().enumerate() {
        let field = snake(&text(*option, "cppName"));
        let (ty, _, read) = rust_type(*option);
        let read = match details.is_size(&text(*option, "argument")) {
            true => "size",
            false => read,
        };
        let about = text(*option, "description");
        writeln!(fields, "    /// {about}\n    pub(crate) {field}: {ty},").unwrap();
        writeln!(
            reads,
            "            {field}: values.{read}(first + {index}),"
        )
        .unwrap();
    }
    let unused = "#[allow(unused_variables, clippy::identity_op, reason = \"generated\")]";
    format!(
        "/// {about}\n#[derive(Clone, Debug)]\npub(crate) struct {name} {{\n{fields}}}\n\
         impl {name} {{\n{constants}    {unused}\n    \
         pub(crate) fn read(values: &OptionValues, first: usize) -> Self {{\n        \
         Self {{\n{reads}        }}\n    }}\n}}\n\n"
    )
}

/// The declarations of options in a table.
fn option_specs(owner: &str, options: &[Record<'_>], details: &Details) -> String {
    let spec = |option: &Record<'_>| {
        let [argument, about, default] =
            ["argument", "description", "defaultValue"].map(|field| text(*option, field));
        let (_, kind, _) = rust_type(*option);
        let default = default.trim_matches('"');
        let detail = details.of(owner, &argument, kind, default);
        let (kind, choices, example) = (detail.kind, detail.choices, detail.example);
        let (least, most) = detail.range;
        format!(
            "        OptionSpec {{ name: c{argument:?}, about: c{about:?}, default: c{default:?}, \
             kind: OptionKind::{kind}, choices: &{choices:?}, \
             range: ({least}, {most}), example: {example:?} }},\n"
        )
    };
    options.iter().map(spec).collect()
}

/// The Rust type of an option, its kind in the table, and the function that reads its value.
fn rust_type(option: Record<'_>) -> (&'static str, &'static str, &'static str) {
    match text(option, "type").as_str() {
        "std::string" => ("String", "String", "string"),
        "int64_t" => ("i64", "Integer", "integer"),
        "bool" => ("bool", "Boolean", "boolean"),
        other => panic!("{}: no Rust type for {other}", text(option, "argument")),
    }
}

/// The operation that a pass with this C++ base class is anchored on.
fn anchor(base_class: &str) -> &'static str {
    match base_class {
        "::mlir::OperationPass<::mlir::ModuleOp>" => "builtin.module",
        "::mlir::OperationPass<::mlir::func::FuncOp>" => "func.func",
        other => panic!("no anchor for a pass of class {other}"),
    }
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() {
            if !out.is_empty() {
                out.push('_');
            }
            out.extend(c.to_lowercase());
        } else {
            out.push(if c == '-' { '_' } else { c });
        }
    }
    out
}
