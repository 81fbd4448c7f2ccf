//! Breaks of what types say about levels.

use super::Break;
use crate::ir::dialect::{ArenaOp, ViewOp, rotation};
use crate::ir::spaces::{LevelSpaces, Space, in_space, named_level, space_of};
use crate::ir::{Op, Value, describe, is_storage, view_source};

/// Gives an arena or, where the arena has the default memory space, a view and everything that is
/// made of it the memory space of another level.
pub(super) fn other_space(op: Op, spaces: &LevelSpaces) -> Option<Break> {
    let arena = match (ArenaOp::of(op), ViewOp::of(op)) {
        (Some(arena), _) => arena,
        (None, Some(_)) => op.operand(0).owner().and_then(ArenaOp::of)?,
        (None, None) => return None,
    };
    let level = spaces.level_named(&arena.level())?;
    let own = space_of(op.result().ty())?;
    // The dialect's own verifier knows levels by name.
    let is_other = |other: &Space| {
        other.is_some_and(|other| named_level(other).is_none())
            && *other != own
            && spaces.level_of(*other).is_some_and(|other| other != level)
    };
    let other = spaces
        .levels()
        .map(|level| spaces.stated(level))
        .find(is_other)?;
    // A view in another space than its arena does not verify, unless the arena has none.
    if ViewOp::of(op).is_some() && own.is_some() {
        return None;
    }
    let derived = derived(op.result())?;
    Some(Box::new(move || {
        for value in derived {
            value.set_type(in_space(value.ty(), other));
        }
    }))
}

/// A value and all views of it; `None` if it goes where types of other values depend on it.
fn derived(value: Value) -> Option<Vec<Value>> {
    let mut all = vec![value];
    let mut next = 0;
    while let Some(value) = all.get(next).copied() {
        next += 1;
        for user in value.users() {
            let facts = describe(user);
            let is_slot = user.name() == "mem.rotate" && rotation(user).0.contains(&value);
            if is_slot && rotation(user).0.iter().any(|slot| !all.contains(slot)) {
                return None;
            }
            if view_source(user) == Some(value) || is_slot {
                if !all.contains(&user.result()) {
                    all.push(user.result());
                }
            } else if facts.is_terminator()
                || facts.is_call()
                || facts.is_region_branch()
                || user.results().any(|result| is_storage(result.ty()))
            {
                return None;
            }
        }
    }
    Some(all)
}
