//! Maps the gaps between steps to positions in the IR.

use std::collections::{HashMap, HashSet};

use crate::ir::{Block, Op, branch_edges};

/// The gaps of one function: gap `i` is before step `i`, and the last gap is after all steps.
pub(crate) struct Positions {
    function: Op,
    steps: Vec<Op>,
    /// Operations with steps inside.
    nests: HashSet<Op>,
    /// The first operation of the function.
    start: Option<Op>,
}

impl Positions {
    pub(crate) fn new(function: Op, steps: &[Op]) -> Self {
        let mut nests = HashSet::new();
        for step in steps {
            let around = std::iter::successors(step.parent(), |op| op.parent());
            for op in around.take_while(|op| *op != function) {
                // All operations around this one are in the set as well.
                if !nests.insert(op) {
                    break;
                }
            }
        }
        Self {
            function,
            steps: steps.to_vec(),
            nests,
            start: function
                .regions()
                .next()
                .and_then(|region| region.first_block()?.first_op()),
        }
    }

    /// Operations with steps inside.
    pub(crate) fn nests(&self) -> &HashSet<Op> {
        &self.nests
    }

    /// Indexed by gap: the number of the block that holds its transfers.
    pub(crate) fn blocks(&self) -> Vec<usize> {
        let mut numbers: HashMap<Block, usize> = HashMap::new();
        let gaps = 0..=self.steps.len();
        gaps.map(|gap| {
            let next = numbers.len();
            let place = self.find(gap).filter(|(_, is_between)| *is_between);
            let block = place.and_then(|(op, _)| op.block());
            // A gap without a position gets a number of its own, so that it shares a block with no
            // other gap.
            block.map_or(usize::MAX - gap, |block| {
                *numbers.entry(block).or_insert(next)
            })
        })
        .collect()
    }

    fn entry(&self) -> Option<Block> {
        self.function.regions().next()?.first_block()
    }

    /// The first operation of the function.
    pub(crate) fn start(&self) -> Option<Op> {
        self.start
    }

    /// The operation before which transfers before a step are inserted. With `is_inside`, that is
    /// the step itself; otherwise it is outside of all operations that contain only one of the two
    /// steps around the gap.
    pub(crate) fn before(&self, step: usize, is_inside: bool) -> Option<Op> {
        let next = self.steps.get(step).copied();
        match is_inside {
            true => next,
            false => self.find(step).map(|(op, _)| op),
        }
    }

    /// The operation before which transfers before a step are inserted, outside of all operations
    /// that contain only one of the two steps around the gap; and whether that position follows the
    /// previous step.
    fn find(&self, step: usize) -> Option<(Op, bool)> {
        let last = step.checked_sub(1).map(|step| self.steps[step]);
        let Some(next) = self.steps.get(step).copied() else {
            return self.end().map(|op| (op, true));
        };
        let exits: Vec<(Block, Op)> = match last {
            Some(last) => self.around(last),
            None => self.entry().zip(self.start()).into_iter().collect(),
        };
        // `ahead` lists blocks from the inside out, so the first one that is also around the
        // previous step is the innermost block that contains both.
        let ahead = self.around(next);
        let blocks: HashMap<Block, usize> = exits
            .iter()
            .enumerate()
            .map(|(i, (block, _))| (*block, i))
            .collect();
        if let Some((block, op)) = ahead.iter().find(|(block, _)| blocks.contains_key(block)) {
            let (_, before) = exits[blocks[block]];
            // The second region of an `scf.while` follows the first, whereas branches have nothing
            // between them.
            if before == *op && op.name() == "scf.while" && last != Some(*op) {
                let inner = blocks[block].checked_sub(1)?;
                return exits[inner].0.terminator().map(|op| (op, true));
            }
            // Steps in different regions of one operation, such as the branches of an `scf.if`, do
            // not follow each other.
            return Some((*op, before != *op || last.is_none_or(|last| last == *op)));
        }
        // The steps are in different blocks of one region.
        let regions: HashMap<_, Block> = exits
            .iter()
            .filter_map(|(block, _)| Some((block.parent_region()?, *block)))
            .collect();
        let (to, op, from) = ahead.iter().find_map(|(block, op)| {
            let from = regions.get(&block.parent_region()?)?;
            Some((*block, *op, *from))
        })?;
        between(from, to, op)
    }

    /// The terminator at which the function returns.
    fn end(&self) -> Option<Op> {
        let mut blocks = self
            .function
            .regions()
            .next()?
            .blocks()
            .collect::<Vec<_>>()
            .into_iter();
        blocks.find_map(|block| {
            block
                .terminator()
                .filter(|op| op.successors().next().is_none())
        })
    }

    /// The blocks around an operation, from the inside out, each with the operation in it that is
    /// or contains the given one.
    fn around(&self, op: Op) -> Vec<(Block, Op)> {
        let within = std::iter::successors(Some(op), |op| op.parent());
        let within = within.take_while(|op| *op != self.function);
        within.filter_map(|op| Some((op.block()?, op))).collect()
    }
}

/// A position between two blocks of a region, in the block that the fewest jumps pass over,
/// forwards or backwards: before its terminator or, in the last block, before `op`. The flag tells
/// whether every jump over that block also passes over `from` and `to`.
fn between(from: Block, to: Block, op: Op) -> Option<(Op, bool)> {
    let blocks: Vec<Block> = from.parent_region()?.blocks().collect();
    let numbers: HashMap<Block, usize> = blocks.iter().enumerate().map(|(i, b)| (*b, i)).collect();
    let (first, last) = (numbers[&from], numbers[&to]);
    let mut passed = vec![0_usize; blocks.len()];
    // Number of jumps that pass over both `from` and `to`.
    let mut n_common = 0;
    for (index, block) in blocks.iter().enumerate() {
        let targets = block.terminator().map(branch_edges).unwrap_or_default();
        for to in targets.iter().filter_map(|(target, _)| numbers.get(target)) {
            // A jump backwards repeats its target and its source; a jump forwards skips only what
            // is in between.
            let jumped = match to <= &index {
                true => *to..index + 1,
                false => index + 1..*to,
            };
            n_common += usize::from(jumped.contains(&first) && jumped.contains(&last));
            passed[jumped].iter_mut().for_each(|count| *count += 1);
        }
        // A return passes over all blocks below it.
        let leaves = block
            .terminator()
            .is_some_and(|op| op.successors().next().is_none());
        if leaves {
            n_common += usize::from(index < first);
            passed[index + 1..].iter_mut().for_each(|count| *count += 1);
        }
    }
    // A jump over the block skips a transfer there, or repeats it.
    let best = (first..=last).min_by_key(|index| passed[*index])?;
    let place = match best == last {
        true => op,
        false => blocks[best].terminator()?,
    };
    Some((place, passed[best] == n_common))
}
