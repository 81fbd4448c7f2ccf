//! Memory hierarchies: shipped ones by name, from a file, or from the module.

use mem_model::{AcceptedOperand, CopyEngine, Hierarchy, Level, LevelId, Port};

use crate::ir::Failed;
use crate::ir::spaces::{LevelSpaces, Space};
use crate::ir::{Attribute, Context, Diagnostic, HIERARCHY, Op};

/// The hierarchies that ship with the program: the name, and a module that defines the hierarchy
/// and cites the sources of its figures.
pub(crate) const SHIPPED: [(&str, &str); 5] = [
    (
        "microcontroller",
        include_str!("hierarchies/microcontroller.mlir"),
    ),
    ("npu", include_str!("hierarchies/npu.mlir")),
    ("gpu", include_str!("hierarchies/gpu.mlir")),
    ("npu-3", include_str!("hierarchies/npu-3.mlir")),
    (
        "gpu-workgroup",
        include_str!("hierarchies/gpu-workgroup.mlir"),
    ),
];

/// The hierarchy that an option names or, if the option is empty, the hierarchy of the module.
///
/// # Errors
/// If there is no such hierarchy; the diagnostic has been emitted.
pub fn chosen_hierarchy(module: Op, option: &str) -> Result<Attribute, Failed> {
    let error =
        |text: String| Diagnostic::option_error(module, "hierarchy", Some(option), text).fail();
    if option.is_empty() {
        return match module.attribute(HIERARCHY) {
            Some(attribute) => Ok(attribute),
            None => {
                let names: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
                error(format!(
                    "there is no memory hierarchy: neither an option, nor a 'mem.hierarchy' of the \
                     module; expected option 'hierarchy': {} or a file",
                    names.join(", ")
                ))
            }
        };
    }
    let shipped = SHIPPED.iter().find(|(name, _)| *name == option);
    let file = match shipped {
        Some((_, source)) => Some(Op::parse_module_text(module.context(), source)),
        None => match no_hierarchy(option) {
            Some(text) => return error(text),
            None => Op::parse_module(module.context(), option),
        },
    };
    let attribute = file.and_then(|file| {
        let attribute = file.attribute(HIERARCHY);
        file.erase();
        attribute
    });
    match attribute {
        Some(attribute) => Ok(attribute),
        None => error(format!("'{option}' is not a module with a 'mem.hierarchy'")),
    }
}

/// The error if an option names neither a hierarchy nor a file; none if it is empty.
pub(crate) fn no_hierarchy(option: &str) -> Option<String> {
    let names = || SHIPPED.iter().map(|(name, _)| *name);
    if option.is_empty() || names().any(|name| name == option) {
        return None;
    }
    if std::path::Path::new(option).exists() {
        return None;
    }
    let listed: Vec<&str> = names().collect();
    let near = mem_model::suggestion(option, names());
    Some(format!(
        "no hierarchy '{option}': there are {}, and there is no such file{near}",
        listed.join(", ")
    ))
}

/// Converts a hierarchy to a `#mem.hierarchy` attribute; `spaces`: the memory spaces of its levels.
pub(crate) fn hierarchy_attribute(
    context: Context,
    hierarchy: &Hierarchy,
    spaces: &LevelSpaces,
) -> Attribute {
    let levels = hierarchy.levels.iter().enumerate();
    let levels = levels.map(|(index, level)| level_text(level, spaces.stated(LevelId::new(index))));
    let mut parts: Vec<String> = levels.collect();
    let engines = hierarchy.engines.iter();
    let engines: Vec<String> = engines.map(|own| engine_text(hierarchy, own)).collect();
    if !engines.is_empty() {
        parts.push(format!("engines = [{}]", engines.join(", ")));
    }
    let operands = hierarchy.operands.iter();
    let operands: Vec<String> = operands.map(|own| operand_text(hierarchy, own)).collect();
    if !operands.is_empty() {
        parts.push(format!("operands = [{}]", operands.join(", ")));
    }
    if hierarchy.compute > 0.0 {
        parts.push(format!("compute = {}", hierarchy.compute));
    }
    if hierarchy.is_preloaded {
        parts.push("preloaded".to_owned());
    }
    if let Some(generic) = spaces.generic {
        let generic = generic.map_or("0".to_owned(), |space| space.to_string());
        parts.push(format!("generic = {generic}"));
    }
    Attribute::parse(context, &format!("#mem.hierarchy<{}>", parts.join(", ")))
}

/// A name as a string literal.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}

/// The name of a level as a string literal.
fn level_name(hierarchy: &Hierarchy, level: LevelId) -> String {
    quoted(&hierarchy.levels[level.index()].name)
}

fn level_text(level: &Level, space: Space) -> String {
    let cost = |key: &str, port: Port| match port.bandwidth > 0.0 {
        true => format!(
            ", {key} = (latency = {}, bandwidth = {})",
            port.latency, port.bandwidth
        ),
        false => String::new(),
    };
    let capacity = level
        .capacity
        .map_or_else(String::new, |n| format!(", capacity = {}", n.get()));
    let space = space.map_or_else(String::new, |space| format!(", space = {space}"));
    format!(
        "#mem.level<{}{capacity}, alignment = {}{}{}{space}>",
        quoted(&level.name),
        level.alignment.get(),
        cost("read", level.read),
        cost("write", level.write),
    )
}

fn engine_text(hierarchy: &Hierarchy, engine: &CopyEngine) -> String {
    let name = |level: LevelId| level_name(hierarchy, level);
    let links = engine.links.iter();
    let links = links.map(|(a, b)| format!(", {} to {}", name(*a), name(*b)));
    let links: String = links.collect();
    format!("#mem.engine<{}{links}>", quoted(&engine.name))
}

fn operand_text(hierarchy: &Hierarchy, operand: &AcceptedOperand) -> String {
    let levels = operand.levels.iter();
    let levels = levels.map(|level| format!(", {}", level_name(hierarchy, *level)));
    let levels: String = levels.collect();
    let (operation, index) = (quoted(&operand.operation), operand.index);
    format!("#mem.operand<{operation}, {index}{levels}>")
}
