//! Memory hierarchies: shipped ones by name, from a file, or from the module.

use mem_model::{Hierarchy, Port};

use crate::ir::Failed;
use crate::ir::{Attribute, Context, Diagnostic, HIERARCHY, Op};

/// The hierarchies that ship with the program: the name, and a module that defines the hierarchy
/// and cites the sources of its figures.
pub(crate) const SHIPPED: [(&str, &str); 4] = [
    (
        "microcontroller",
        include_str!("hierarchies/microcontroller.mlir"),
    ),
    ("npu", include_str!("hierarchies/npu.mlir")),
    ("gpu", include_str!("hierarchies/gpu.mlir")),
    ("npu-3", include_str!("hierarchies/npu-3.mlir")),
];

/// The hierarchy that an option names or, if the option is empty, the hierarchy of the module.
///
/// # Errors
/// If there is no such hierarchy; the diagnostic has been emitted.
pub fn chosen_hierarchy(module: Op, option: &str) -> Result<Attribute, Failed> {
    let error = |text: String| Diagnostic::error(module.location(), text).fail();
    if option.is_empty() {
        return match module.attribute(HIERARCHY) {
            Some(attribute) => Ok(attribute),
            None => error(
                "there is no memory hierarchy: neither an option, nor a 'mem.hierarchy' of the module"
                    .to_owned(),
            ),
        };
    }
    let shipped = SHIPPED.iter().find(|(name, _)| *name == option);
    let file = match shipped {
        Some((_, source)) => Some(Op::parse_module_text(module.context(), source)),
        None if !std::path::Path::new(option).exists() => {
            let names: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
            return error(format!(
                "no hierarchy '{option}': there are {}, and there is no such file",
                names.join(", ")
            ));
        }
        None => Op::parse_module(module.context(), option),
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

/// Converts a hierarchy to a `#mem.hierarchy` attribute.
pub(crate) fn hierarchy_attribute(context: Context, hierarchy: &Hierarchy) -> Attribute {
    let level = |index: mem_model::LevelId| &hierarchy.levels[index.index()];
    let quoted = |text: &str| format!("{:?}", text);
    let cost = |key: &str, port: Port| match port.bandwidth > 0.0 {
        true => format!(
            ", {key} = (latency = {}, bandwidth = {})",
            port.latency, port.bandwidth
        ),
        false => String::new(),
    };
    let mut parts: Vec<String> = Vec::new();
    for level in &hierarchy.levels {
        let capacity = level
            .capacity
            .map_or_else(String::new, |n| format!(", capacity = {}", n.get()));
        parts.push(format!(
            "#mem.level<{}{capacity}, alignment = {}{}{}>",
            quoted(&level.name),
            level.alignment.get(),
            cost("read", level.read),
            cost("write", level.write),
        ));
    }
    let engines: Vec<String> = hierarchy
        .engines
        .iter()
        .map(|engine| {
            let links = engine.links.iter();
            let links = links.map(|(a, b)| {
                format!(
                    ", {} to {}",
                    quoted(&level(*a).name),
                    quoted(&level(*b).name)
                )
            });
            format!(
                "#mem.engine<{}{}>",
                quoted(&engine.name),
                links.collect::<String>()
            )
        })
        .collect();
    if !engines.is_empty() {
        parts.push(format!("engines = [{}]", engines.join(", ")));
    }
    let operands: Vec<String> = hierarchy
        .operands
        .iter()
        .map(|operand| {
            let levels = operand
                .levels
                .iter()
                .map(|id| format!(", {}", quoted(&level(*id).name)));
            let levels: String = levels.collect();
            format!(
                "#mem.operand<{}, {}{levels}>",
                quoted(&operand.operation),
                operand.index
            )
        })
        .collect();
    if !operands.is_empty() {
        parts.push(format!("operands = [{}]", operands.join(", ")));
    }
    if hierarchy.compute > 0.0 {
        parts.push(format!("compute = {}", hierarchy.compute));
    }
    if hierarchy.is_preloaded {
        parts.push("preloaded".to_owned());
    }
    Attribute::parse(context, &format!("#mem.hierarchy<{}>", parts.join(", ")))
}
