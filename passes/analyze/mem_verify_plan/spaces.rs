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
    let mut result = Ok(());
    let mut arenas: Vec<(Op, LevelId, Space)> = Vec::new();
    for function in module.direct_ops().filter(|op| op.name() == "func.func") {
        function.walk(&mut |op| {
            if let Some(arena) = ArenaOp::of(op)
                && let Some(level) = spaces.level_named(&arena.level())
            {
                let space = space_of(op.result().ty()).flatten();
                result = std::mem::replace(&mut result, Ok(()))
                    .and(check_arena(op, level, &spaces, &arenas));
                arenas.push((op, level, space));
            }
            if let Some(error) = ViewOp::of(op).and_then(|_| view_error(op, &spaces)) {
                error.emit();
                result = Err(Failed);
            }
        });
    }
    result
}

/// Checks that an arena is not in the memory space of another level.
fn check_arena(
    op: Op,
    level: LevelId,
    spaces: &LevelSpaces,
    others: &[(Op, LevelId, Space)],
) -> PassResult {
    let space = space_of(op.result().ty()).flatten();
    let stands_for = spaces.level_of(space).filter(|other| *other != level);
    if let Some(other) = stands_for {
        let text = format!(
            "this arena in level '{}' has the memory space of level '{}', {}",
            spaces.name(level),
            spaces.name(other),
            shown(space)
        );
        return Diagnostic::error(op.location(), text).fail();
    }
    // Levels may share a memory space, but only if the hierarchy says so.
    let is_shared = |other: LevelId| spaces.stated(other) == spaces.stated(level);
    let same = others.iter().find(|(_, other, of_other)| {
        *other != level && space.is_some() && *of_other == space && !is_shared(*other)
    });
    match same {
        None => Ok(()),
        Some((arena, other, _)) => {
            let text = format!(
                "this arena in level '{}' has {}, like an arena in level '{}'",
                spaces.name(level),
                shown(space),
                spaces.name(*other)
            );
            let error = Diagnostic::error(op.location(), text);
            error.note(arena.location(), "this one".to_owned()).fail()
        }
    }
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
