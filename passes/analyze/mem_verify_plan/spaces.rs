//! Whether types say truly where data is: the memory spaces of arenas and of their views.

use mem_model::LevelId;

use crate::framework::PassResult;
use crate::ir::dialect::{ArenaOp, ViewOp};
use crate::ir::spaces::{LevelSpaces, Space, shown, space_of};
use crate::ir::{Diagnostic, Failed, HIERARCHY, Op};

/// Checks the types of all arenas and views of a module, except those in nested modules. Without a
/// hierarchy, memory spaces have no meaning that could be wrong.
pub(super) fn check_spaces(module: Op) -> PassResult {
    let mut around = std::iter::successors(Some(module), |op| op.parent());
    let Some(hierarchy) = around.find_map(|op| op.attribute(HIERARCHY)) else {
        return Ok(());
    };
    let spaces = LevelSpaces::new(hierarchy);
    let mut errors: Vec<Diagnostic> = Vec::new();
    let mut arenas: Vec<Arena> = Vec::new();
    for function in module.direct_ops().filter(|op| op.name() == "func.func") {
        function.walk(&mut |op| {
            if let Some(arena) = ArenaOp::of(op)
                && let Some(level) = spaces.level_named(&arena.level())
            {
                let own = (op, level, space_of(op.result().ty()).flatten());
                errors.extend(arena_error(own, &spaces, &arenas));
                arenas.push(own);
            }
            errors.extend(ViewOp::of(op).and_then(|_| view_error(op, &spaces)));
        });
    }
    let is_right = errors.is_empty();
    errors.into_iter().for_each(|error| error.emit());
    is_right.then_some(()).ok_or(Failed)
}

/// The operation that makes an arena, its level, and the memory space of its type.
type Arena = (Op, LevelId, Space);

/// The error for an arena in the memory space of another level, if it is one.
fn arena_error(
    (op, level, space): Arena,
    spaces: &LevelSpaces,
    others: &[Arena],
) -> Option<Diagnostic> {
    let stands_for = spaces.level_of(space).filter(|other| *other != level);
    if let Some(other) = stands_for {
        let text = format!(
            "this arena in level '{}' has the memory space of level '{}', {}",
            spaces.name(level),
            spaces.name(other),
            shown(space)
        );
        return Some(Diagnostic::error(op.location(), text));
    }
    // Levels may share a memory space, but only if the hierarchy says so.
    let is_shared = |other: LevelId| spaces.stated(other) == spaces.stated(level);
    let (arena, other, _) = others.iter().find(|(_, other, of_other)| {
        *other != level && space.is_some() && *of_other == space && !is_shared(*other)
    })?;
    let text = format!(
        "this arena in level '{}' has {}, like an arena in level '{}'",
        spaces.name(level),
        shown(space),
        spaces.name(*other)
    );
    let error = Diagnostic::error(op.location(), text);
    Some(error.note(arena.location(), "this one".to_owned()))
}

/// The error for a view whose type is not in the memory space of its arena, if it is one.
fn view_error(op: Op, spaces: &LevelSpaces) -> Option<Diagnostic> {
    let [own, arena] = [op.result(), op.operand(0)].map(|value| space_of(value.ty()).flatten());
    if own == arena {
        return None;
    }
    // Only the view may state the level.
    let level = op.operand(0).owner().and_then(ArenaOp::of);
    let level = level.and_then(|arena| spaces.level_named(&arena.level()));
    if arena.is_none() && level.is_some() && spaces.level_of(own) == level {
        return None;
    }
    let name = ViewOp::of(op).and_then(ViewOp::name).unwrap_or_default();
    let text = format!(
        "'{name}' has {}, but its arena has {}",
        shown(own),
        shown(arena)
    );
    Some(Diagnostic::error(op.location(), text))
}
