//! Results of a group that take the place of operands: both become one allocation.

use rustc_hash::FxHashSet as HashSet;

use mem_model::{Takeover, TileGroup};

use crate::extract::tiles::TileBlock;
use crate::ir::{Op, Value};

/// What has been changed for a takeover.
struct Change {
    takeover: Takeover,
    result: Value,
    operand: Value,
    /// The operands of operations that were the result, by position.
    uses: Vec<(Op, usize)>,
}

/// Takeovers that have been written to the IR, and can be taken back.
pub(super) struct Taken(Vec<Change>);

/// Makes everything that uses a result of the group use the allocation of the operand whose place it takes,
/// the original operations included. Takeovers whose allocations differ are left out.
pub(super) fn take_over(block: &mut TileBlock, group: &TileGroup) -> Taken {
    let mut changes = Vec::new();
    for takeover in &group.takeovers {
        let [result, operand] =
            [takeover.result, takeover.operand].map(|own| block.roots[own.index()]);
        let Some((new, old)) = allocations(block, *takeover) else {
            continue;
        };
        let mut known = HashSet::default();
        let users = result.users().into_iter();
        let uses = users.filter(|user| known.insert(*user)).flat_map(|user| {
            let own = user.operands().enumerate();
            own.filter_map(move |(at, value)| (value == result).then_some((user, at)))
        });
        let uses: Vec<(Op, usize)> = uses.collect();
        // Views of the result may be defined before the operand is allocated.
        if std::iter::successors(Some(new), |op| op.next()).any(|op| op == old) {
            old.move_before(new);
        }
        result.replace_with(operand);
        block.roots[takeover.result.index()] = operand;
        changes.push(Change {
            takeover: *takeover,
            result,
            operand,
            uses,
        });
    }
    Taken(changes)
}

/// The allocations of the result and of the operand, if they make the same kind of buffer.
pub(super) fn allocations(block: &TileBlock, takeover: Takeover) -> Option<(Op, Op)> {
    let [result, operand] =
        [takeover.result, takeover.operand].map(|own| block.roots[own.index()].owner());
    let alignment = |op: Op| op.attribute("alignment").and_then(|own| own.integer());
    result.zip(operand).filter(|(one, other)| {
        // An earlier group may have made both one.
        one != other
            && one.name() == "memref.alloc"
            && other.name() == "memref.alloc"
            && one.result().ty() == other.result().ty()
            && alignment(*one) == alignment(*other)
    })
}

impl Taken {
    /// The takeovers.
    pub(super) fn takeovers(&self) -> Vec<Takeover> {
        self.0.iter().map(|own| own.takeover).collect()
    }

    /// Gives all results their own allocations again.
    pub(super) fn undo(self, block: &mut TileBlock) {
        for change in self.0.into_iter().rev() {
            for (user, at) in change.uses {
                let mut operands: Vec<Value> = user.operands().collect();
                operands[at] = change.result;
                user.set_operands(&operands);
            }
            block.roots[change.takeover.result.index()] = change.result;
        }
    }

    /// Erases the deallocations of the operands: those of the results follow.
    pub(super) fn finish(self) {
        for change in self.0 {
            let is_own = |user: &Op| !change.uses.iter().any(|(own, _)| own == user);
            let users = change.operand.users().into_iter().filter(is_own);
            let frees: Vec<Op> = users
                .filter(|user| user.name() == "memref.dealloc")
                .collect();
            frees.into_iter().for_each(Op::erase);
        }
    }
}
