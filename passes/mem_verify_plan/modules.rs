//! Whether a planned module is the original but for its functions' plans.
//!
//! Each operation at the top of the original has a counterpart: of the same symbol, or the same position among those of
//! its name that have none. Globals and whatever else planning does not touch are equal in all attributes; nested
//! modules are compared in the same way. Functions may have one more argument, the arena, and what planning states of
//! arguments; the planned module may have more functions, which the compared ones do not call.

use std::collections::{HashMap, HashSet};

use super::compare::{compare_functions, compare_regions};
use super::tensors::ARGUMENT_NAME;
use crate::mlir::{Attribute, Diagnostic, HIERARCHY, Op, Type, in_any_space, is_arena};
use crate::registry::{Failed, PassResult};

/// What a planned program may state of its arguments that the original does not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claims {
    Nothing,
    /// That they share no bytes, because whoever asked for the plan has said so.
    DisjointArguments,
}

impl Claims {
    pub(crate) fn new(noalias_arguments: bool) -> Self {
        match noalias_arguments {
            true => Self::DisjointArguments,
            false => Self::Nothing,
        }
    }
}

/// An operation of a module, told from its neighbours.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Symbol(String),
    /// The name of an operation without a symbol, and how many of these come before it.
    Nth(String, usize),
}

/// Compares all that is in two modules.
pub(crate) fn compare_modules(original: Op, planned: Op, claims: Claims) -> PassResult {
    let mut result = Ok(());
    let without_hierarchy = |op: Op| {
        let mut all = op.attributes();
        all.retain(|(name, _)| *name != HIERARCHY);
        all
    };
    if without_hierarchy(original) != without_hierarchy(planned) {
        result = differs(original, planned);
    }
    let of_planned: HashMap<Key, Op> = keyed(planned).into_iter().collect();
    let mut known = HashSet::new();
    for (key, op) in keyed(original) {
        let counterpart = of_planned.get(&key);
        let Some(counterpart) = counterpart.filter(|other| other.name() == op.name()) else {
            let text = format!(
                "the planned module has no counterpart of this '{}'",
                op.name()
            );
            result = Diagnostic::error(op.location(), text).fail();
            continue;
        };
        known.insert(key);
        result = result.and(compare_ops(op, *counterpart, claims));
    }
    for (key, op) in keyed(planned) {
        if !known.contains(&key) && op.name() != "func.func" {
            let text = format!(
                "the original module has no counterpart of this '{}'",
                op.name()
            );
            result = Diagnostic::error(op.location(), text).fail();
        }
    }
    result
}

fn keyed(module: Op) -> Vec<(Key, Op)> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let keyed = module.direct_ops().map(|op| {
        let key = op.symbol().map(Key::Symbol).unwrap_or_else(|| {
            let count = counts.entry(op.name().to_owned()).or_default();
            *count += 1;
            Key::Nth(op.name().to_owned(), *count)
        });
        (key, op)
    });
    keyed.collect()
}

fn compare_ops(original: Op, planned: Op, claims: Claims) -> PassResult {
    match original.name() {
        "builtin.module" => compare_modules(original, planned, claims),
        "func.func" => {
            let is_same = same_signature(original, planned, claims);
            let same = is_same.then_some(()).ok_or(Failed);
            let said = same.or_else(|_| differs(original, planned));
            said.and_then(|()| compare_functions(original, planned))
        }
        _ if original.attributes() != planned.attributes() => differs(original, planned),
        _ => compare_regions(original, planned),
    }
}

fn differs(original: Op, planned: Op) -> PassResult {
    let text = format!(
        "this '{}' has not the attributes that it has in the original program",
        planned.name()
    );
    let error = Diagnostic::error(planned.location(), text);
    let note = format!("which is this '{}'", original.name());
    error.note(original.location(), note).fail()
}

/// Whether two functions are the same to their callers, but for an arena that those have to provide.
fn same_signature(original: Op, planned: Op, claims: Claims) -> bool {
    let others = |op: Op| {
        let mut all = op.attributes();
        all.retain(|(name, _)| !["arg_attrs", "function_type"].contains(name));
        all
    };
    let ty = |op: Op| op.attribute("function_type").and_then(|a| a.type_value());
    let (Some(own), Some(theirs)) = (ty(original), ty(planned)) else {
        return false;
    };
    let (inputs, planned_inputs) = (own.inputs(), theirs.inputs());
    let n_more = planned_inputs.len().wrapping_sub(inputs.len());
    let is_handed = || n_more == 1 && planned_inputs.last().is_some_and(|ty| is_arena(*ty));
    let same = |(own, theirs): (&Type, &Type)| in_any_space(*own) == in_any_space(*theirs);
    let attributes = |op: Op| op.attribute("arg_attrs").and_then(|a| a.elements());
    let (of_own, of_theirs) = (attributes(original), attributes(planned));
    let of = |all: &Option<Vec<Attribute>>, index: usize| all.as_ref()?.get(index).copied();
    others(original) == others(planned)
        && (n_more == 0 || is_handed())
        && inputs.iter().zip(&planned_inputs).all(same)
        && own.outputs() == theirs.outputs()
        && (0..inputs.len())
            .all(|index| same_argument(of(&of_own, index), of(&of_theirs, index), claims))
}

/// Whether the attributes of an argument are what they were, but for what planning may state of it.
fn same_argument(original: Option<Attribute>, planned: Option<Attribute>, claims: Claims) -> bool {
    const NOALIAS: &str = "mem.noalias";
    const ROLE: &str = "mem.role";
    let entries = |of: Option<Attribute>| of.map_or(Vec::new(), Attribute::entries);
    let (mut own, mut theirs) = (entries(original), entries(planned));
    let is_stated = own.iter().any(|(name, _)| *name == NOALIAS);
    if claims == Claims::DisjointArguments && !is_stated {
        theirs.retain(|(name, _)| *name != NOALIAS);
    }
    // That an argument has a name changes nothing. A name that it had is still its own.
    if !own.iter().any(|(name, _)| *name == ARGUMENT_NAME) {
        theirs.retain(|(name, _)| *name != ARGUMENT_NAME);
    }
    // What an argument is for can be found out, and need not be stated; what is stated has to agree.
    let has_role = |entries: &[(&str, Attribute)]| entries.iter().any(|(name, _)| *name == ROLE);
    if !(has_role(&own) && has_role(&theirs)) {
        own.retain(|(name, _)| *name != ROLE);
        theirs.retain(|(name, _)| *name != ROLE);
    }
    own.sort_unstable_by_key(|(name, _)| *name);
    theirs.sort_unstable_by_key(|(name, _)| *name);
    own == theirs
}
