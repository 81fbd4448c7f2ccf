//! Lowers a timetable to a plan: placements, transfers, and addresses.

use std::collections::HashMap;

use mem_model::{
    BufferId, Bytes, Interval, IntervalSet, Item, LevelId, LevelPlacement, LevelPlan, Part, Point,
    Problem, Reuse, StepId, Transfer, serial_cost,
};

use super::profile::taken_over;
use super::timetable::{Copy, Timetable};
use super::tuning;
use crate::{PlanOptions, Strategy};

impl Timetable<'_> {
    /// The plan, with all addresses zero.
    pub fn plan(&self) -> LevelPlan {
        let problem = self.problem;
        let mut plan = LevelPlan::at_home(problem);
        // `homes`: the placement at home, by tensor. `stays`: per tensor, its device placements
        // with the step at which each stops being accessed, ascending.
        let mut homes: HashMap<usize, usize> = HashMap::new();
        for (index, own) in plan.placements.iter().enumerate() {
            homes.insert(own.tensor, index);
        }
        let mut stays: Vec<Vec<(usize, usize)>> = vec![Vec::new(); problem.tensors.len()];
        // Sort keys: before the same step, copies out precede copies back.
        let mut copies: Vec<(usize, u8, u64, Transfer)> = Vec::new();
        for (tensor, life) in self.profile.lives.iter().enumerate() {
            let Some(life) = life else { continue };
            let mut start = life.start;
            let add = |plan: &mut LevelPlan, level: usize, steps: Interval<usize>| {
                plan.placements.push(LevelPlacement {
                    tensor,
                    level: LevelId::new(level),
                    offset: Some(Bytes::ZERO),
                    steps,
                });
                plan.placements.len() - 1
            };
            let mut host: Option<usize> = None;
            // Whether the host holds the tensor's contents.
            let mut is_good = false;
            // Pending copy back into the next device placement.
            let mut back: Option<(Copy, usize)> = None;
            let begin = |copies: &mut Vec<_>, back: &mut Option<(Copy, usize)>, own: usize| {
                if let Some((copy, from)) = back.take() {
                    let transfer = Transfer {
                        before: copy.before,
                        from,
                        to: own,
                        keeps_source: true,
                        until: copy.until,
                    };
                    copies.push((copy.before, 1, copy.start, transfer));
                }
            };
            for gap in self.profile.gaps_of(tensor) {
                let own = self.profile.gaps[gap];
                is_good &= !own.is_changed;
                if own.is_dead {
                    let placement = add(&mut plan, 0, Interval::new(start, own.steps.start));
                    stays[tensor].push((own.steps.start, placement));
                    begin(&mut copies, &mut back, placement);
                    start = own.steps.end;
                    is_good = false;
                    continue;
                }
                let Some(leave) = self.leaves[gap] else {
                    continue;
                };
                let out = leave.out.filter(|_| !is_good);
                let end = out.map_or(own.steps.start, |out| out.until);
                let placement = add(&mut plan, 0, Interval::new(start, end));
                stays[tensor].push((own.steps.start, placement));
                begin(&mut copies, &mut back, placement);
                let first = out.map_or(own.steps.start, |out| out.before);
                let there =
                    *host.get_or_insert_with(|| add(&mut plan, 1, Interval::new(first, first)));
                // Tensors that leave before the same step are copied out first, so they must not
                // take these bytes yet.
                plan.placements[there].steps.end = leave.back.until.max(leave.back.before + 1);
                if let Some(out) = out {
                    let transfer = Transfer {
                        before: out.before,
                        from: placement,
                        to: there,
                        keeps_source: true,
                        until: out.until,
                    };
                    copies.push((out.before, 0, out.start, transfer));
                }
                is_good = true;
                back = Some((leave.back, there));
                start = leave.back.before;
            }
            let placement = add(&mut plan, 0, Interval::new(start, life.end));
            stays[tensor].push((life.end, placement));
            begin(&mut copies, &mut back, placement);
        }
        copies
            .sort_by_key(|(before, kind, start, transfer)| (*before, *kind, *start, transfer.from));
        plan.transfers = copies.into_iter().map(|(.., transfer)| transfer).collect();
        for (step, at) in problem.steps.iter().enumerate() {
            let placement = |tensor: usize| {
                let own = &stays[tensor];
                let next = own.partition_point(|(end, _)| *end <= step);
                own.get(next).map(|(_, placement)| *placement)
            };
            let placements = at.uses.iter().map(|used| {
                let own = placement(used.tensor);
                own.or_else(|| homes.get(&used.tensor).copied())
                    .unwrap_or(0)
            });
            plan.accessed.push(placements.collect());
        }
        plan.cost = serial_cost(problem, &plan);
        plan
    }

    /// Assigns addresses to all placements of a plan. The search on the device stops once its peak
    /// is at most `enough` bytes. Returns the peak of the device in bytes; `None` if the host
    /// overflows, or if the packer fails.
    pub fn place(&self, plan: &mut LevelPlan, enough: u64) -> Option<u64> {
        let mut peaks = [0, 0];
        for level in [0, 1] {
            let own: Vec<usize> = (0..plan.placements.len())
                .filter(|index| {
                    let placement = &plan.placements[*index];
                    placement.offset.is_some() && placement.level.index() == level
                })
                .collect();
            let packing = self.packing(plan, &own, level);
            // Only the device is tight: the host gets no search effort.
            let mut options = PlanOptions::default().with_effort(match level {
                0 => tuning::PACK_EFFORT,
                _ => 0,
            });
            if level == 0 {
                options = options.with_enough(Bytes::new(enough));
            }
            let found = crate::plan(&packing, Strategy::Auto, &options).ok()?;
            for (index, placement) in own.iter().zip(&found.placements) {
                plan.placements[*index].offset = Some(placement.offset);
            }
            peaks[level] = found.peak.get();
        }
        let host = self.problem.capacities().ok()?[1];
        host.is_none_or(|most| peaks[1] <= most.get())
            .then_some(peaks[0])
    }

    /// The placements of one level, as a packing problem.
    fn packing(&self, plan: &LevelPlan, own: &[usize], level: usize) -> Problem {
        let problem = self.problem;
        let unit = problem.hierarchy.levels[level].alignment;
        let items = own.iter().enumerate().map(|(number, index)| {
            let placement = &plan.placements[*index];
            let tensor = &problem.tensors[placement.tensor];
            let Interval { start, end } = placement.steps;
            let point = |step: usize| Point::early(StepId::new(step));
            let live = IntervalSet::from_iter([Interval::new(point(start), point(end))]);
            let parts = vec![Part::whole(tensor.size, live)];
            let alignment = tensor.alignment.max(unit).max(Bytes::new(1));
            Item::new(BufferId::new(number), tensor.size, alignment, parts)
        });
        let mut packing = Problem::of_items(items.collect());
        let numbers: HashMap<usize, usize> = own
            .iter()
            .enumerate()
            .map(|(number, index)| (*index, number))
            .collect();
        for (step, at) in problem.steps.iter().enumerate().filter(|_| level == 0) {
            for (used, result) in at.uses.iter().zip(&plan.accessed[step]) {
                let operand = used
                    .takes_over
                    .filter(|_| taken_over(problem, step, used).is_some());
                let operand = operand.and_then(|index| plan.accessed[step].get(index));
                let Some(operand) = operand else { continue };
                let [from, to] = [operand, result].map(|index| &plan.placements[*index]);
                let pair = numbers.get(operand).zip(numbers.get(result));
                let is_over = from.steps.end == step + 1 && to.steps.start == step;
                if let Some((operand, result)) = pair.filter(|_| is_over) {
                    packing.reuses.push(Reuse {
                        operand: *operand,
                        result: *result,
                    });
                }
            }
        }
        packing
    }
}
