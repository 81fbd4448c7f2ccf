//! Makes room in a level: the bytes of a dying operand, free bytes, or those of eviction victims.

use mem_model::{LevelId, PlacementId, TensorId, TensorUse};

use super::{Engine, Held};
use crate::levels::LevelPolicy;

impl Engine<'_> {
    /// Finds an address in a level, and evicts others if necessary.
    pub(super) fn room(
        &mut self,
        used: &TensorUse,
        level: LevelId,
        step: usize,
        uses: &[TensorUse],
    ) -> Option<u64> {
        let tensor = &self.problem.tensors[used.tensor.index()];
        let (size, alignment) = (tensor.size.get(), tensor.alignment.get());
        if size > self.spaces[level.index()].capacity() {
            return None;
        }
        // The bytes of a dying operand cost nothing, and leave the free bytes to others.
        if let Some(offset) = self.taken_over(used, level, step, uses) {
            return Some(offset);
        }
        if let Some(offset) = self.spaces[level.index()].find(size, alignment) {
            return Some(offset);
        }
        match self.policy {
            LevelPolicy::Initial => None,
            _ => self.clear(level, size, alignment, step),
        }
    }

    /// Frees the bytes of an operand that dies at this step and returns their address, if the
    /// result may take them over.
    fn taken_over(
        &mut self,
        used: &TensorUse,
        level: LevelId,
        step: usize,
        uses: &[TensorUse],
    ) -> Option<u64> {
        // The sizes must be equal: the rest of a larger operand is still read, and must not be free
        // yet.
        let operand = uses.get(used.takes_over?)?.tensor;
        let (own, theirs) = (
            &self.problem.tensors[used.tensor.index()],
            &self.problem.tensors[operand.index()],
        );
        let is_new = self.states[used.tensor.index()].copies.is_empty();
        // The next iteration still reads a loop-carried operand.
        if theirs.carried_around(step).is_some() {
            return None;
        }
        // An operand that is a result is written home only after this step has overwritten it.
        if !is_new
            || self.lives.dies[operand.index()] != step + 1
            || own.size != theirs.size
            || theirs.is_result
        {
            return None;
        }
        let copy = self.states[operand.index()]
            .copies
            .iter()
            .find(|copy| copy.level == level)?;
        let (offset, placement) = (copy.offset?, copy.placement);
        // Another result may have taken it over.
        let is_there = self.spaces[level.index()].has(offset, placement);
        if !is_there || !copy.is_good || !offset.is_multiple_of(own.alignment.get().max(1)) {
            return None;
        }
        // Only the bytes are released: the placement lasts through this step, which reads the
        // operand.
        self.leave(level, offset, placement);
        Some(offset)
    }

    /// Address at which the occupants are the best eviction candidates: the one with the nearest
    /// next use (or the most recent last use) is as far away as possible. Ties prefer fewer bytes.
    fn window(&self, level: LevelId, size: u64, alignment: u64, step: usize) -> Option<u64> {
        let space = &self.spaces[level.index()];
        let mut best: Option<((i64, u64), u64)> = None;
        // Only windows that touch an occupant: others could be moved down without evicting more.
        'starts: for start in space.candidates(size, alignment) {
            let (mut worst, mut bytes) = (i64::MAX, 0);
            for busy in space.within(start, start + size) {
                let tensor = self.plan.placements[busy.placement.index()].tensor;
                let state = &self.states[tensor.index()];
                let is_free = self.problem.tensors[tensor.index()].can_move_before(step);
                // Operands of this step and loop-carried tensors cannot leave.
                if state.pinned_until > step || !is_free {
                    continue 'starts;
                }
                // The occupant that is needed soonest decides: its copy back is the next cost.
                worst = worst.min(self.worth(tensor, step));
                bytes += busy.end - busy.start;
            }
            let score = (worst, u64::MAX - bytes);
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, start));
            }
        }
        best.map(|(_, start)| start)
    }

    /// Eviction priority of a tensor: the steps since its last use, or until its next use.
    fn worth(&self, tensor: TensorId, step: usize) -> i64 {
        match self.policy {
            LevelPolicy::LeastRecentlyUsed => {
                // A tensor that was never used counts as older than any use.
                let last = self.states[tensor.index()]
                    .last_use
                    .map_or(-1, |last| last as i64);
                step as i64 - last
            }
            _ => {
                let uses = &self.uses[tensor.index()];
                let next = uses.get(uses.partition_point(|used| *used < step));
                // Only an empty window is better than an occupant without a further use.
                next.map_or(i64::MAX - 1, |next| (*next - step) as i64)
            }
        }
    }

    /// Evicts a copy from its level. Returns whether that was possible.
    fn evict(&mut self, placement: PlacementId, step: usize) -> bool {
        let tensor = self.plan.placements[placement.index()].tensor;
        let copies = &self.states[tensor.index()].copies;
        let copy = copies.iter().find(|copy| copy.placement == placement);
        let Some(copy) = copy.copied() else {
            return false;
        };
        let is_elsewhere = copies
            .iter()
            .any(|other| other.is_good && other.placement != placement);
        let is_lost = !self.is_needed_from(tensor, step);
        // A stale, redundant or dead copy is dropped without a transfer.
        if !copy.is_good || is_elsewhere || !self.states[tensor.index()].is_defined || is_lost {
            self.close(tensor, copy, step);
            return true;
        }
        // The home takes no room, so it comes before any slower level.
        self.write_back(tensor, step);
        let mut copies = self.states[tensor.index()].copies.iter();
        if copies.any(|other| other.offset.is_none() && other.is_good) {
            self.close(tensor, copy, step);
            return true;
        }
        self.move_down(tensor, copy, step)
    }

    /// Moves the only valid copy of a tensor to the next slower level that has room, or where room
    /// can be made. Returns whether that was possible.
    fn move_down(&mut self, tensor: TensorId, copy: Held, step: usize) -> bool {
        let own = &self.problem.tensors[tensor.index()];
        let (size, alignment) = (own.size.get(), own.alignment.get());
        let below = (copy.level.index() + 1..self.spaces.len()).map(LevelId::new);
        let hierarchy = &self.problem.hierarchy;
        for level in below.filter(|level| hierarchy.connects(copy.level, *level)) {
            let offset = self.spaces[level.index()].find(size, alignment);
            // Evictions cascade downwards only, so they end.
            let offset = offset.or_else(|| self.clear(level, size, alignment, step));
            if let Some(offset) = offset {
                let below = self.open(tensor, level, offset, step);
                self.transfer(copy.placement, below.placement, step, false);
                self.close(tensor, copy, step);
                return true;
            }
        }
        false
    }

    /// Evicts the occupants of the best window of a level. Returns its address.
    fn clear(&mut self, level: LevelId, size: u64, alignment: u64, step: usize) -> Option<u64> {
        let start = self.window(level, size, alignment, step)?;
        let within = self.spaces[level.index()].within(start, start + size);
        // Collected first, since evictions change the space.
        let victims: Vec<PlacementId> = within.map(|busy| busy.placement).collect();
        let mut victims = victims.into_iter();
        // If one victim has no place to go, those evicted before it stay evicted: the state is
        // valid, only dearer than necessary.
        victims
            .all(|victim| self.evict(victim, step))
            .then_some(start)
    }
}
