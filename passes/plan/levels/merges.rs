//! Buffers that meet in one value: a `select`, or a block argument with several predecessors.
//!
//! The type of such a value states one memory space, so its sources should be in one. Plans are made
//! without this constraint first. Where the sources come to be in several spaces, the program is
//! planned again with all of them in one, for each of the spaces.

use std::collections::{BTreeMap, HashMap};

use mem_flow::{LevelContext, LevelExtract};
use mem_model::{Binding, BufferId, LevelId, LevelPlan, PointerKind, Program, StepId};
use petgraph::unionfind::UnionFind;

use crate::extract::levels::restrict;
use crate::ir::spaces::Space;

/// Sets of buffers, each of two or more that one pointer may denote. O(pointers + bindings).
fn groups(program: &Program) -> Vec<Vec<BufferId>> {
    let mut classes: UnionFind<usize> = UnionFind::new(program.pointers.len());
    for Binding { target, sources } in program.bindings() {
        for source in sources {
            classes.union(target.index(), source.index());
        }
    }
    let mut groups: BTreeMap<usize, Vec<BufferId>> = BTreeMap::new();
    for (index, pointer) in program.pointers.iter().enumerate() {
        if let PointerKind::Buffer(buffer) = pointer.kind {
            groups.entry(classes.find(index)).or_default().push(buffer);
        }
    }
    groups
        .into_values()
        .filter(|group| group.len() > 1)
        .collect()
}

/// The sets of buffers that meet in one value but are in several memory spaces, and those spaces.
/// `spaces`: indexed by level.
pub(super) fn conflicts(
    program: &Program,
    context: &LevelContext,
    extract: &LevelExtract,
    plan: &LevelPlan,
    spaces: &[Space],
) -> Vec<(Vec<BufferId>, Vec<Space>)> {
    let mut levels: HashMap<BufferId, LevelId> = context.homes.clone();
    for placement in &plan.placements {
        let buffer = extract.origins[placement.tensor.index()].buffer;
        levels.insert(buffer, placement.level);
    }
    let slowest = LevelId::new(spaces.len().saturating_sub(1));
    let found = groups(program).into_iter().filter_map(|group| {
        let mut own: Vec<Space> = Vec::new();
        for buffer in &group {
            let level = levels.get(buffer).copied().unwrap_or(slowest);
            if !own.contains(&spaces[level.index()]) {
                own.push(spaces[level.index()]);
            }
        }
        (own.len() > 1).then_some((group, own))
    });
    found.collect()
}

/// Makes every step accept the buffers only in levels with the given memory space. Returns whether
/// all steps still accept all of the buffers somewhere.
pub(super) fn confine<'a>(
    context: &mut LevelContext,
    buffers: impl Iterator<Item = &'a BufferId>,
    n_steps: usize,
    (space, spaces): (Space, &[Space]),
) -> bool {
    let levels = (0..spaces.len()).filter(|level| spaces[*level] == space);
    let levels: Vec<LevelId> = levels.map(LevelId::new).collect();
    let mut is_possible = true;
    for buffer in buffers {
        for step in (0..n_steps).map(StepId::new) {
            is_possible &= restrict(&mut context.accepted, (step, *buffer), &levels);
        }
    }
    is_possible
}
