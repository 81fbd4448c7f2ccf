//! Checks that a planned module equals the original, except for the plans of its functions.
//!
//! Each top-level operation of the original has a counterpart: the one with the same symbol or,
//! without a symbol, the one in the same position among the operations of that name. Globals, and
//! everything else that planning does not touch, are equal in all attributes; nested modules are
//! compared in the same way. Functions may have one additional argument, the arena, and what
//! planning states about arguments. The planned module may have additional functions, which the
//! compared ones do not call.

mod operations;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::tensors::ARGUMENT_NAME;
use crate::ir::spaces::{space_of, without_space};
use crate::ir::{Attribute, Diagnostic, HIERARCHY, Op, Type, is_arena, is_private_symbol};
use crate::ir::{Failed, PassResult};
pub(crate) use operations::Repetitions;
use operations::{compare_functions, compare_regions};

/// The statements about arguments that a planned program may make and its original does not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claims {
    Nothing,
    /// Arguments share no bytes, as the user of the planning pass has asserted.
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

/// Identifies an operation of a module among its siblings.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Symbol(String),
    /// The name of an operation without a symbol, and its ordinal number among those of that name.
    Nth(String, usize),
}

/// Compares everything in two modules.
pub(crate) fn compare_modules(original: Op, planned: Op, claims: Claims) -> PassResult {
    let mut result = Ok(());
    let [own, theirs] = [&original, &planned].map(|op| {
        let mut all = op.attributes();
        all.retain(|(name, _)| *name != HIERARCHY);
        all
    });
    if own != theirs {
        result = differs(original, planned);
    }
    let of_planned: HashMap<Key, Op> = keyed(planned).into_iter().collect();
    let mut known = HashSet::default();
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
    let mut counts: HashMap<String, usize> = HashMap::default();
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
        _ if !original.has_equal_attributes(planned) => differs(original, planned),
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

/// Whether two functions are the same to their callers, except for an arena that callers have to
/// provide.
fn same_signature(original: Op, planned: Op, claims: Claims) -> bool {
    let others = [&original, &planned].map(|op| {
        let mut all = op.attributes();
        all.retain(|(name, _)| !["arg_attrs", "function_type"].contains(name));
        all
    });
    let ty = |op: Op| op.attribute("function_type").and_then(|a| a.type_value());
    let (Some(own), Some(theirs)) = (ty(original), ty(planned)) else {
        return false;
    };
    let (inputs, planned_inputs) = (own.inputs(), theirs.inputs());
    let n_more = planned_inputs.len().wrapping_sub(inputs.len());
    let is_handed = || n_more == 1 && planned_inputs.last().is_some_and(|ty| is_arena(*ty));
    // Callers outside of the module rely on the memory spaces of a signature.
    let is_private = is_private_symbol(original);
    let same = |(own, theirs): (&Type, &Type)| {
        let is_free = is_private || space_of(*own) != Some(None);
        own == theirs || is_free && without_space(*own) == without_space(*theirs)
    };
    let (outputs, planned_outputs) = (own.outputs(), theirs.outputs());
    let attributes = |op: Op| op.attribute("arg_attrs").and_then(|a| a.elements());
    let (of_own, of_theirs) = (attributes(original), attributes(planned));
    let of = |all: &Option<Vec<Attribute>>, index: usize| all.as_ref()?.get(index).copied();
    others[0] == others[1]
        && (n_more == 0 || is_handed())
        && inputs.iter().zip(&planned_inputs).all(same)
        && outputs.len() == planned_outputs.len()
        && outputs.iter().zip(&planned_outputs).all(same)
        && (0..inputs.len())
            .all(|index| same_argument(of(&of_own, index), of(&of_theirs, index), claims))
}

/// Whether the attributes of an argument are unchanged, except for what planning may state about
/// it.
fn same_argument(original: Option<Attribute>, planned: Option<Attribute>, claims: Claims) -> bool {
    const NOALIAS: &str = "mem.noalias";
    const ROLE: &str = "mem.role";
    let entries = [&original, &planned].map(|of| of.as_ref().map(Attribute::entries));
    let [mut own, mut theirs] = entries.map(Option::unwrap_or_default);
    let is_stated = own.iter().any(|(name, _)| *name == NOALIAS);
    if claims == Claims::DisjointArguments && !is_stated {
        theirs.retain(|(name, _)| *name != NOALIAS);
    }
    // Adding a name changes nothing, but an existing name has to be kept.
    if !own.iter().any(|(name, _)| *name == ARGUMENT_NAME) {
        theirs.retain(|(name, _)| *name != ARGUMENT_NAME);
    }
    // The role of an argument can be inferred and need not be stated; stated roles have to agree.
    let has_role = |entries: &[(&str, Attribute)]| entries.iter().any(|(name, _)| *name == ROLE);
    if !(has_role(&own) && has_role(&theirs)) {
        own.retain(|(name, _)| *name != ROLE);
        theirs.retain(|(name, _)| *name != ROLE);
    }
    own.sort_unstable_by_key(|(name, _)| *name);
    theirs.sort_unstable_by_key(|(name, _)| *name);
    own == theirs
}
