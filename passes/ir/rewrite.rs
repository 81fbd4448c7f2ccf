//! Utilities shared by the passes that transform programs: visibility of values, and removal of
//! unused operations.

use rustc_hash::FxHashSet as HashSet;

use crate::ir::{
    Op, Region, Value, chain, describe, element_type, is_storage, is_structured, view_source,
};

/// Operations that only define storage and have no other effect.
pub(crate) const STORAGE: [&str; 3] = ["memref.alloc", "memref.alloca", "mem.buffer"];

/// The region that contains the definition of a value.
fn region_of(value: Value) -> Option<Region> {
    let block = match value.owner() {
        Some(op) => op.block(),
        None => value.argument_block(),
    };
    block.and_then(|block| block.parent_region())
}

/// Whether `value` is visible at `op`, i.e. is defined in one of the regions that contain `op`. The
/// caller must ensure that `value` is computed before control reaches `op`.
pub(crate) fn is_visible(value: Value, op: Op) -> bool {
    let Some(region) = region_of(value) else {
        return false;
    };
    let around = std::iter::successors(Some(op), |op| op.parent());
    let mut regions = around.filter_map(|op| op.block()?.parent_region());
    regions.any(|around| around == region)
}

/// The ancestor of `op`, or `op` itself, that is in the same block as `sibling`.
pub(crate) fn ancestor_beside(op: Op, sibling: Op) -> Option<Op> {
    let block = sibling.block();
    std::iter::successors(Some(op), |op| op.parent()).find(|op| op.block() == block)
}

/// Whether an operation copies all elements of its first operand unchanged to its second.
pub(crate) fn is_plain_copy(op: Op) -> bool {
    // A `linalg.copy` may also convert the elements it copies, or broadcast a scalar to all
    // elements.
    let is_memref = |ty| is_storage(ty) && element_type(ty).is_some();
    let same_elements = || {
        let [source, target] = [0, 1].map(|index| op.operand(index).ty());
        is_memref(source) && is_memref(target) && element_type(source) == element_type(target)
    };
    op.name() == "memref.copy" || (op.name() == "linalg.copy" && same_elements())
}

/// Whether the body of a structured operation does nothing but yield the element of its first operand.
pub(crate) fn yields_input(op: Op) -> bool {
    let body = op.regions().next().and_then(|region| region.first_block());
    body.is_some_and(|body| {
        let only = body
            .first_op()
            .filter(|own| body.terminator() == Some(*own));
        only.is_some_and(|own| own.operands().next() == body.arguments().next())
    })
}

/// Whether a value is the result of an allocation.
pub(crate) fn is_allocation(value: Value) -> bool {
    let owner = value.owner();
    owner.is_some_and(|op| matches!(op.name(), "memref.alloc" | "memref.alloca"))
}

/// The value that a chain of views begins with; the value itself if it is no view.
pub(crate) fn root_of_views(value: Value) -> Value {
    let views = chain(value, |own| view_source(own.owner()?));
    views.last().unwrap_or(value)
}

/// Whether the memref operands of an operation may have any strided layout, and are only used to
/// read and write through them.
pub(crate) fn takes_any_layout(op: Op) -> bool {
    let is_known = matches!(
        op.name(),
        "memref.copy" | "memref.load" | "memref.store" | "mem.kernel"
    );
    is_known || is_structured(op)
}

/// Erases the operations of `scope` whose results are unused, and storage that is only freed.
/// Returns the number of erased operations, and how many of them define storage.
pub(crate) fn erase_unused(scope: Op) -> (u64, u64) {
    let unused = find_unused(scope);
    let is_storage = |op: &&Op| STORAGE.contains(&op.name());
    let n_buffers = unused.iter().filter(is_storage).count() as u64;
    let n_erased = unused.len() as u64;
    unused.into_iter().for_each(Op::erase);
    (n_erased, n_buffers)
}

/// The operations inside `scope` that only define unused results, and storage that is only freed
/// with the operations that free it: users come before what they use. Linear, if definitions come
/// before their uses; blocks in another order take further rounds.
pub(crate) fn find_unused(scope: Op) -> Vec<Op> {
    let mut candidates = Vec::new();
    scope.walk(&mut |op| {
        if op != scope && op.results().next().is_some() && op.regions().next().is_none() {
            candidates.push(op);
        }
    });
    // Backwards, so that users are found before their operands.
    candidates.reverse();
    let mut unused = Vec::new();
    let mut found = HashSet::default();
    let mut changed = true;
    while changed {
        changed = false;
        for &op in &candidates {
            if found.contains(&op) || !is_unused(op, &found) {
                continue;
            }
            let users = op.results().flat_map(Value::users);
            let all = users.chain([op]);
            unused.extend(all.filter(|own| found.insert(*own)));
            changed = true;
        }
    }
    unused
}

/// Whether an operation with results and without regions has no effects beyond computing results,
/// which only operations in `unused` use.
fn is_unused(op: Op, unused: &HashSet<Op>) -> bool {
    let users = op.results().flat_map(Value::each_user);
    let mut others = users.filter(|user| !unused.contains(user));
    if STORAGE.contains(&op.name()) {
        return others.all(|user| user.name() == "memref.dealloc");
    }
    if others.next().is_some() {
        return false;
    }
    let facts = describe(op);
    let reads_only = facts
        .effects
        .iter()
        .all(|effect| effect.kind == crate::ir::EffectKind::Read);
    let is_special = facts.has_unknown_effects()
        || facts.communicates()
        || facts.is_terminator()
        || facts.is_call();
    reads_only && !is_special
}
