//! The search space: *units* of steps that run one after the other, and the bytes that they add to a
//! state.
//!
//! A *state* is a set of units that contains the predecessors of each unit in it. Bytes in memory
//! between two units depend on the state alone, and so does what a unit adds to them:
//! whatever runs earlier or later has run in some order.

use mem_model::{OrderProblem, StepId, TensorId};

use super::reach::has;

/// An [`OrderProblem`], or a part of one, divided into units. Units are numbered in an order that
/// the dependences permit.
#[derive(Clone, Debug, Default)]
pub(super) struct Task {
    /// Bytes of buffers that no unit accesses, but that are live throughout.
    pub(super) base: u64,
    pub(super) buffers: Vec<Buffer>,
    pub(super) units: Vec<Unit>,
}

/// A buffer that units access.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub(super) size: u64,
    pub(super) from_start: bool,
    pub(super) to_end: bool,
    /// The units that access it, in ascending order.
    pub(super) users: Vec<u32>,
}

/// Steps that run one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Unit {
    pub(super) steps: Vec<StepId>,
    /// Units that have to run before, and after, in ascending order.
    pub(super) preds: Vec<u32>,
    pub(super) succs: Vec<u32>,
    /// The accessed buffers, by their first access.
    pub(super) uses: Vec<Use>,
    /// Indices of `uses`, by their last access.
    pub(super) by_last: Vec<u32>,
    /// Possible takeovers, by step.
    pub(super) pairs: Vec<Pair>,
}

/// A buffer that a unit accesses. Steps are numbered within the unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) buffer: u32,
    pub(super) first: u32,
    pub(super) last: u32,
}

/// A result that may take over an operand at a step of a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) step: u32,
    /// Indices of [`Unit::uses`].
    pub(super) operand: u32,
    pub(super) result: u32,
    /// Bytes that both share.
    pub(super) bytes: u64,
}

/// What a unit does to the bytes in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effect {
    /// The most bytes in memory while it runs, more than before it.
    pub(super) rise: i64,
    /// Bytes in memory after it, more than before it.
    pub(super) change: i64,
}

/// Whether the buffer of each use is live before the unit, and after it.
pub(super) type Outside = Vec<(bool, bool)>;

impl Task {
    /// One unit for each step. Linear.
    pub(super) fn new(problem: &OrderProblem) -> Self {
        let buffers = problem.buffers.iter().map(|own| Buffer {
            size: own.size.get(),
            from_start: own.from_start,
            to_end: own.to_end,
            users: Vec::new(),
        });
        let units = problem.steps.iter().enumerate().map(|(id, own)| {
            let at = |id: TensorId| own.buffers.iter().position(|other| *other == id);
            let pairs = own.in_place.iter().filter_map(|(operand, result)| {
                Some((0, at(*operand)? as u32, at(*result)? as u32))
            });
            let pairs = pairs.collect::<Vec<_>>();
            let mut preds: Vec<u32> = own.after.iter().map(|id| id.index() as u32).collect();
            preds.sort_unstable();
            preds.dedup();
            let uses = own.buffers.iter().map(|buffer| Use {
                buffer: buffer.index() as u32,
                first: 0,
                last: 0,
            });
            Draft {
                steps: vec![StepId::new(id)],
                preds,
                uses: uses.collect(),
                pairs,
            }
        });
        let units = units.collect();
        Self::assemble(0, buffers.collect(), units)
    }

    /// Derives what follows from the drafts of units, and drops buffers whose bytes never change.
    fn assemble(mut base: u64, mut buffers: Vec<Buffer>, drafts: Vec<Draft>) -> Self {
        for own in &mut buffers {
            own.users.clear();
        }
        for (unit, draft) in drafts.iter().enumerate() {
            for own in &draft.uses {
                buffers[own.buffer as usize].users.push(unit as u32);
            }
        }
        let mut numbers = vec![None; buffers.len()];
        let mut kept = Vec::new();
        for (index, own) in buffers.into_iter().enumerate() {
            if own.from_start && own.to_end {
                base += own.size;
            } else if !own.users.is_empty() {
                numbers[index] = Some(kept.len() as u32);
                kept.push(own);
            }
        }
        let mut task = Self {
            base,
            buffers: kept,
            units: Vec::new(),
        };
        for draft in drafts {
            let unit = draft.finish(&numbers, &task.buffers);
            for &pred in &unit.preds {
                let id = task.units.len() as u32;
                task.units[pred as usize].succs.push(id);
            }
            task.units.push(unit);
        }
        task
    }

    /// The same task, with the units of each group as one. Groups are in an order that the
    /// dependences permit, and so are the units of each group. Linear.
    pub(super) fn grouped(&self, groups: &[Vec<u32>]) -> Self {
        let mut group_of = vec![0; self.units.len()];
        for (group, units) in groups.iter().enumerate() {
            for unit in units {
                group_of[*unit as usize] = group as u32;
            }
        }
        let mut position = vec![None; self.buffers.len()];
        let drafts = groups.iter().enumerate().map(|(group, units)| {
            let mut draft = Draft::default();
            for unit in units {
                draft.append(&self.units[*unit as usize], &mut position);
            }
            for own in &draft.uses {
                position[own.buffer as usize] = None;
            }
            let preds = units
                .iter()
                .flat_map(|unit| &self.units[*unit as usize].preds);
            let preds = preds.map(|pred| group_of[*pred as usize]);
            draft.preds = preds.filter(|pred| *pred != group as u32).collect();
            draft.preds.sort_unstable();
            draft.preds.dedup();
            draft
        });
        let drafts = drafts.collect();
        Self::assemble(self.base, self.buffers.clone(), drafts)
    }

    /// The task of ordering the units `[start, end)`, if all units before them run before, and all
    /// others after. Linear in the task.
    pub(super) fn segment(&self, start: usize, end: usize) -> Self {
        let is_within = |unit: &u32| (start..end).contains(&(*unit as usize));
        let buffers = self.buffers.iter().map(|own| {
            let runs_before = own.users.iter().any(|user| (*user as usize) < start);
            let runs_after = own.users.iter().any(|user| *user as usize >= end);
            let is_used = own.users.iter().any(is_within);
            let (before, after) = (own.from_start || runs_before, own.to_end || runs_after);
            Buffer {
                from_start: before && (after || is_used),
                to_end: after && (before || is_used),
                ..own.clone()
            }
        });
        let drafts = self.units[start..end].iter().map(|unit| Draft {
            steps: unit.steps.clone(),
            preds: unit
                .preds
                .iter()
                .filter(|pred| is_within(pred))
                .map(|pred| pred - start as u32)
                .collect(),
            uses: unit.uses.clone(),
            pairs: unit.raw_pairs().collect(),
        });
        Self::assemble(self.base, buffers.collect(), drafts.collect())
    }

    /// The task in which time runs backwards. It takes as many bytes as this one: what begins ends,
    /// and what takes over is taken over.
    pub(super) fn reversed(&self) -> Self {
        let n = self.units.len() as u32;
        let mut buffers = self.buffers.clone();
        for own in &mut buffers {
            std::mem::swap(&mut own.from_start, &mut own.to_end);
        }
        let drafts = self.units.iter().rev().map(|unit| {
            let last = unit.steps.len().saturating_sub(1) as u32;
            let mut preds: Vec<u32> = unit.succs.iter().map(|succ| n - 1 - succ).collect();
            preds.sort_unstable();
            let uses = unit.uses.iter().map(|own| Use {
                first: last - own.last,
                last: last - own.first,
                ..*own
            });
            let pairs = unit.raw_pairs();
            let pairs = pairs.map(|(step, operand, result)| (last - step, result, operand));
            Draft {
                steps: unit.steps.iter().rev().copied().collect(),
                preds,
                uses: uses.collect(),
                pairs: pairs.collect(),
            }
        });
        let drafts = drafts.collect();
        Self::assemble(self.base, buffers, drafts)
    }

    /// Bytes in memory before the first unit.
    pub(super) fn bytes_at_start(&self) -> u64 {
        let buffers = self.buffers.iter().filter(|own| own.from_start);
        self.base + buffers.map(|own| own.size).sum::<u64>()
    }

    /// What a unit does if it is the next one in state `done`. Linear in the users of its buffers.
    pub(super) fn effect(&self, unit: usize, done: &[u64], outside: &mut Outside) -> Effect {
        outside.clear();
        for own in &self.units[unit].uses {
            let buffer = &self.buffers[own.buffer as usize];
            let (mut before, mut after) = (buffer.from_start, buffer.to_end);
            for &user in buffer.users.iter().filter(|user| **user as usize != unit) {
                match has(done, user as usize) {
                    true => before = true,
                    false => after = true,
                }
            }
            outside.push((before, after));
        }
        self.effect_within(unit, outside)
    }

    /// What a unit does to the bytes in memory, given which buffers are live before and after it.
    pub(super) fn effect_within(&self, unit: usize, outside: &Outside) -> Effect {
        let own = &self.units[unit];
        let size = |at: usize| self.buffers[own.uses[at].buffer as usize].size as i64;
        let (mut current, mut rise) = (0, 0);
        let (mut births, mut deaths, mut pairs) = (0, 0, 0);
        for step in 0..own.steps.len() as u32 {
            while births < own.uses.len() && own.uses[births].first == step {
                if !outside[births].0 {
                    current += size(births);
                }
                births += 1;
            }
            let first = pairs;
            while pairs < own.pairs.len() && own.pairs[pairs].step == step {
                pairs += 1;
            }
            let taken = own.taken(&own.pairs[first..pairs], outside);
            rise = rise.max(current - taken);
            while deaths < own.by_last.len() {
                let at = own.by_last[deaths] as usize;
                if own.uses[at].last != step {
                    break;
                }
                if !outside[at].1 {
                    current -= size(at);
                }
                deaths += 1;
            }
        }
        Effect {
            rise,
            change: current,
        }
    }

    /// The bytes of the buffers that a unit accesses while it runs, in the state that is best.
    pub(super) fn bytes_of(&self, unit: usize) -> u64 {
        let outside = self.units[unit].uses.iter().map(|own| {
            let buffer = &self.buffers[own.buffer as usize];
            (buffer.from_start, buffer.to_end)
        });
        let outside: Outside = outside.collect();
        let before = self.units[unit]
            .uses
            .iter()
            .zip(&outside)
            .filter(|own| own.1.0);
        let before = before.map(|(own, _)| self.buffers[own.buffer as usize].size);
        let before = self.base + before.sum::<u64>();
        before.saturating_add_signed(self.effect_within(unit, &outside).rise)
    }

    /// The peak of running the units in an order.
    pub(super) fn peak(&self, order: &[u32]) -> u64 {
        let mut peak = self.bytes_at_start();
        self.visit(order, |bytes| peak = peak.max(bytes));
        peak
    }

    /// The most bytes above a capacity while each unit runs, summed over the units in an order.
    pub(super) fn excess(&self, order: &[u32], above: u64) -> u64 {
        let mut excess: u64 = 0;
        self.visit(order, |bytes| {
            excess = excess.saturating_add(bytes.saturating_sub(above));
        });
        excess
    }

    /// Passes the most bytes while each unit runs to `see`.
    fn visit(&self, order: &[u32], mut see: impl FnMut(u64)) {
        let mut done = vec![0; self.units.len().div_ceil(64)];
        let mut bytes = self.bytes_at_start();
        let mut outside = Outside::new();
        for &unit in order {
            let effect = self.effect(unit as usize, &done, &mut outside);
            see(bytes.saturating_add_signed(effect.rise));
            bytes = bytes.saturating_add_signed(effect.change);
            super::reach::insert(&mut done, unit as usize);
        }
    }

    /// The steps of the units in an order.
    pub(super) fn steps(&self, order: &[u32]) -> Vec<StepId> {
        let units = order.iter().map(|unit| &self.units[*unit as usize]);
        units.flat_map(|unit| unit.steps.iter().copied()).collect()
    }
}

impl Unit {
    fn raw_pairs(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        let pairs = self.pairs.iter();
        pairs.map(|own| (own.step, own.operand, own.result))
    }

    /// The most bytes that results of one step can take over.
    fn taken(&self, pairs: &[Pair], outside: &Outside) -> i64 {
        let is_possible = |own: &&Pair| {
            let (operand, result) = (own.operand as usize, own.result as usize);
            let ends = self.uses[operand].last == own.step && !outside[operand].1;
            let begins = self.uses[result].first == own.step && !outside[result].0;
            ends && begins
        };
        let mut possible = pairs.iter().filter(is_possible);
        match (possible.next(), possible.next()) {
            (None, _) => 0,
            (Some(only), None) => only.bytes as i64,
            _ => most(
                &pairs
                    .iter()
                    .filter(is_possible)
                    .copied()
                    .collect::<Vec<_>>(),
            ),
        }
    }
}

/// The most bytes of pairs that have no buffer in common. Exponential in the pairs of one step.
fn most(pairs: &[Pair]) -> i64 {
    let Some((first, rest)) = pairs.split_first() else {
        return 0;
    };
    let is_apart = |own: &&Pair| own.operand != first.operand && own.result != first.result;
    let others: Vec<Pair> = rest.iter().filter(is_apart).copied().collect();
    most(rest).max(first.bytes as i64 + most(&others))
}

/// A unit under construction. Pairs are a step, and the indices of two uses.
#[derive(Default)]
struct Draft {
    steps: Vec<StepId>,
    preds: Vec<u32>,
    uses: Vec<Use>,
    pairs: Vec<(u32, u32, u32)>,
}

impl Draft {
    /// Appends the steps of a unit. `position` has the index of the use of each buffer.
    fn append(&mut self, unit: &Unit, position: &mut [Option<u32>]) {
        let offset = self.steps.len() as u32;
        self.steps.extend(&unit.steps);
        let mut at = Vec::new();
        for own in &unit.uses {
            let index = *position[own.buffer as usize].get_or_insert_with(|| {
                self.uses.push(Use {
                    first: own.first + offset,
                    ..*own
                });
                self.uses.len() as u32 - 1
            });
            self.uses[index as usize].last = own.last + offset;
            at.push(index);
        }
        let pairs = unit.raw_pairs().map(|(step, operand, result)| {
            let (operand, result) = (at[operand as usize], at[result as usize]);
            (step + offset, operand, result)
        });
        self.pairs.extend(pairs);
    }

    /// `numbers` are the new numbers of buffers; those without one are dropped.
    fn finish(self, numbers: &[Option<u32>], buffers: &[Buffer]) -> Unit {
        let mut order: Vec<u32> = (0..self.uses.len() as u32).collect();
        order.retain(|at| numbers[self.uses[*at as usize].buffer as usize].is_some());
        order.sort_by_key(|at| self.uses[*at as usize].first);
        let mut position = vec![None; self.uses.len()];
        for (new, old) in order.iter().enumerate() {
            position[*old as usize] = Some(new as u32);
        }
        let uses = order.iter().filter_map(|at| {
            let own = self.uses[*at as usize];
            let buffer = numbers[own.buffer as usize]?;
            Some(Use { buffer, ..own })
        });
        let uses: Vec<Use> = uses.collect();
        let mut by_last: Vec<u32> = (0..uses.len() as u32).collect();
        by_last.sort_by_key(|at| uses[*at as usize].last);
        let size = |at: u32| buffers[uses[at as usize].buffer as usize].size;
        let pairs = self.pairs.iter().filter_map(|(step, operand, result)| {
            let operand = position[*operand as usize]?;
            let result = position[*result as usize]?;
            Some(Pair {
                step: *step,
                operand,
                result,
                bytes: size(operand).min(size(result)),
            })
        });
        let mut pairs: Vec<Pair> = pairs.collect();
        pairs.sort_by_key(|own| own.step);
        Unit {
            steps: self.steps,
            preds: self.preds,
            succs: Vec::new(),
            uses,
            by_last,
            pairs,
        }
    }
}
