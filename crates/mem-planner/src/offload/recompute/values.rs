//! What a search for repetitions needs to know about a program: the *values* that its steps define
//! and use, and the *groups* of steps that compute them.
//!
//! A value is the contents of a tensor from the step that overwrites all of it up to the next such
//! step. The group of a value are the steps that wrote it: one, or several if it is filled and then
//! accumulated into. Groups are repeated as a whole, before any *anchor*, a step of the program, at
//! which their operands can still have the same contents.

use mem_cost::fastest_cycles;
use mem_model::{Bytes, LevelProblem, Repeatable, TensorId, TensorUse};

use super::super::profile::Profile;

/// Lists of numbers, one list after the other.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Lists {
    /// Start of each list, and the end of the last.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(lists: &[Vec<u32>]) -> Self {
        let mut own = Self {
            starts: vec![0],
            items: Vec::new(),
        };
        for list in lists {
            own.items.extend(list);
            own.starts.push(own.items.len() as u32);
        }
        own
    }

    pub(in super::super) fn of(&self, index: usize) -> &[u32] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

/// Steps that compute a value, and are repeated together.
#[derive(Clone, Debug)]
pub(in super::super) struct Group {
    /// The steps, in execution order.
    pub steps: Vec<u32>,
    /// Values that they define.
    pub defines: Vec<u32>,
    /// Values that they use and do not define.
    pub uses: Vec<u32>,
    /// Cycles of one execution of all of them.
    pub cycles: u64,
    /// Last anchor before which they may be repeated.
    pub limit: u32,
}

impl Group {
    /// The last of its steps.
    pub(in super::super) fn last(&self) -> u32 {
        self.steps.last().copied().unwrap_or_default()
    }
}

/// A result that may take over the bytes of an operand.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Takeover {
    pub operand: u32,
    pub result: u32,
    /// Granules that count once.
    pub size: i32,
    /// In the first execution of the step.
    pub is_first: bool,
    /// In repetitions.
    pub is_again: bool,
}

/// The values of a program.
pub(in super::super) struct Values<'a> {
    problem: &'a LevelProblem,
    /// Per step: the values that it defines.
    pub defines: Lists,
    /// Per step: the values that it uses.
    pub uses: Lists,
    /// Per value: its tensor.
    pub tensors: Vec<TensorId>,
    /// Per value: its size in [granules](Self::granule), rounded up.
    pub sizes: Vec<i32>,
    /// Per value: its group, by index; `None` if the value cannot be recomputed.
    pub group_of: Vec<Option<u32>>,
    pub groups: Vec<Group>,
    /// Takeovers of all steps, in the order of the steps, of their results, and of preference. The
    /// results of a step take over different operands.
    takeovers: Vec<Takeover>,
    /// Per step: its first takeover; one more entry holds their number.
    first_takeover: Vec<u32>,
    /// Per step: its group, by index; `None` if the step is not repeated.
    pub group_of_step: Vec<Option<u32>>,
    /// Per step: cycles of one execution.
    pub cycles: Vec<u64>,
    /// Sum of `cycles`.
    pub ideal: u64,
    /// Cycles of the longest group; at least one.
    pub longest: u64,
    /// Bytes in a granule: the search counts in granules, of which all sums fit 31 bits.
    pub granule: u64,
    /// Whether any tensor must not move before some steps.
    has_frozen: bool,
}

/// A step at which a tensor must be resident.
#[derive(Clone, Copy)]
struct Touch {
    step: u32,
    is_new: bool,
    writes: bool,
    /// Part of a loop around which the tensor is carried.
    is_carried: bool,
}

impl<'a> Values<'a> {
    /// `is_kept` is indexed by tensor: it must not be recomputed. Linear, but for sorting.
    pub(in super::super) fn new(
        problem: &'a LevelProblem,
        repeatable: &[Repeatable],
        profile: &Profile,
        is_kept: &[bool],
    ) -> Self {
        let n_steps = problem.steps.len();
        let cycles = fastest_cycles(problem);
        let granule = granule(profile);
        let mut own = Self {
            problem,
            defines: Lists::default(),
            uses: Lists::default(),
            tensors: Vec::new(),
            sizes: Vec::new(),
            group_of: Vec::new(),
            groups: Vec::new(),
            takeovers: Vec::new(),
            first_takeover: Vec::with_capacity(n_steps + 1),
            group_of_step: vec![None; n_steps],
            ideal: cycles.iter().copied().fold(0, u64::saturating_add),
            cycles,
            longest: 1,
            granule,
            has_frozen: problem.tensors.iter().any(|own| !own.frozen.is_empty()),
        };
        let mut defines = vec![Vec::new(); n_steps];
        let mut uses = vec![Vec::new(); n_steps];
        // Per value: its touches, the tensor, and the first step of the next value of the tensor.
        let mut versions = Vec::new();
        for (index, touches) in touches(problem).into_iter().enumerate() {
            let mut starts: Vec<usize> = (0..touches.len())
                .filter(|at| *at == 0 || touches[*at].is_new)
                .collect();
            starts.push(touches.len());
            for pair in starts.windows(2) {
                let value = own.sizes.len() as u32;
                let touches = touches[pair[0]..pair[1]].to_vec();
                for (at, touch) in touches.iter().enumerate() {
                    let lists = if at == 0 { &mut defines } else { &mut uses };
                    lists[touch.step as usize].push(value);
                }
                own.sizes
                    .push(profile.sizes[index].div_ceil(granule) as i32);
                own.tensors.push(TensorId::new(index));
                versions.push((TensorId::new(index), touches));
            }
        }
        own.defines = Lists::new(&defines);
        own.uses = Lists::new(&uses);
        own.group_of = vec![None; versions.len()];
        own.add_groups(&versions, repeatable, is_kept);
        own.add_takeovers(&versions, repeatable);
        own
    }

    /// The takeovers of a step.
    pub(in super::super) fn takeovers(&self, step: usize) -> &[Takeover] {
        let [first, end] = [step, step + 1].map(|step| self.first_takeover[step] as usize);
        &self.takeovers[first..end]
    }

    /// The capacity of the device, in granules.
    pub(in super::super) fn granules(&self, bytes: u64) -> i32 {
        i32::try_from(bytes / self.granule).unwrap_or(i32::MAX / 2)
    }

    /// Adds the takeovers that [`Takeovers`](super::super::repeat::Takeovers) may choose. Where that
    /// depends on repetitions elsewhere, they are left out.
    fn add_takeovers(&mut self, versions: &[(TensorId, Vec<Touch>)], repeatable: &[Repeatable]) {
        for step in 0..self.problem.steps.len() {
            self.first_takeover.push(self.takeovers.len() as u32);
            let in_place = repeatable.get(step).map_or(&[][..], |own| &own.in_place);
            let of_step = self.takeovers_of(step, versions, in_place);
            self.takeovers.extend(of_step);
        }
        self.first_takeover.push(self.takeovers.len() as u32);
    }

    fn takeovers_of(
        &self,
        step: usize,
        versions: &[(TensorId, Vec<Touch>)],
        in_place: &[(usize, usize)],
    ) -> Vec<Takeover> {
        let value_of = |values: &[u32], used: &TensorUse| {
            // Loop-carried tensors keep their own bytes.
            let tensor = &self.problem.tensors[used.tensor.index()];
            let is_free = tensor.carried_around(step).is_none();
            let mut values = values.iter().copied().filter(|_| is_free);
            values.find(|own| versions[*own as usize].0 == used.tensor)
        };
        let uses = &self.problem.steps[step].uses;
        let mut found: Vec<Takeover> = Vec::new();
        for (index, to) in uses.iter().enumerate() {
            let Some(result) = value_of(self.defines.of(step), to) else {
                continue;
            };
            let others = in_place.iter().filter(|(_, result)| *result == index);
            let others: Vec<usize> = others.map(|(operand, _)| *operand).collect();
            for number in to.takes_over.iter().chain(&others) {
                let from = &uses[*number];
                let operand = value_of(self.uses.of(step), from);
                let is_known = |operand: &u32| found.iter().any(|own| own.operand == *operand);
                let Some(operand) = operand.filter(|own| !is_known(own)) else {
                    continue;
                };
                let is_whole = from.writes == Bytes::ZERO && !to.needs_content();
                let is_whole = is_whole && from.reads == to.writes && others.contains(number);
                // Where the operand was dead before, the extraction has decided.
                let last = versions[operand as usize].1.last();
                let dies_earlier = last.is_some_and(|last| last.step as usize > step);
                found.push(Takeover {
                    operand,
                    result,
                    size: self.sizes[operand as usize].min(self.sizes[result as usize]),
                    is_first: to.takes_over == Some(*number) || is_whole && dies_earlier,
                    is_again: is_whole,
                });
            }
        }
        found
    }

    fn add_groups(
        &mut self,
        versions: &[(TensorId, Vec<Touch>)],
        repeatable: &[Repeatable],
        is_kept: &[bool],
    ) {
        let changes = changes(self.problem);
        for value in 0..versions.len() {
            if self.group_of[value].is_some() {
                continue;
            }
            let Some(group) = self.group(value, versions, &changes, repeatable, is_kept) else {
                continue;
            };
            let number = Some(self.groups.len() as u32);
            for own in &group.defines {
                self.group_of[*own as usize] = number;
            }
            for step in &group.steps {
                self.group_of_step[*step as usize] = number;
            }
            self.longest = self.longest.max(group.cycles);
            self.groups.push(group);
        }
    }

    /// The group of a value, if it can be repeated.
    fn group(
        &self,
        value: usize,
        versions: &[(TensorId, Vec<Touch>)],
        changes: &[Vec<u32>],
        repeatable: &[Repeatable],
        is_kept: &[bool],
    ) -> Option<Group> {
        let steps: Vec<u32> = writers(&versions[value].1)?;
        let defines: Vec<u32> = match steps[..] {
            [step] => self.defines.of(step as usize).to_vec(),
            _ => vec![value as u32],
        };
        let last = steps.last().copied().unwrap_or_default();
        let mut uses = Vec::new();
        let mut limit = u32::MAX;
        for step in &steps {
            let own = repeatable.get(*step as usize).filter(|own| own.is_pure)?;
            let until = own.until.map_or(u32::MAX, |until| until as u32);
            limit = limit.min(until);
            let of_step = &self.problem.steps[*step as usize];
            // Steps in loops are not repeated.
            if of_step.repeats > 1 {
                return None;
            }
            for used in &of_step.uses {
                let is_own = defines
                    .iter()
                    .any(|own| versions[*own as usize].0 == used.tensor);
                if !is_own && used.writes > Bytes::ZERO || is_own && !self.is_whole(used) {
                    return None;
                }
                // What the step reads must be as it was, and what the group computes must still be wanted.
                let known = if is_own { last } else { *step };
                let changes = &changes[used.tensor.index()];
                let next = changes.partition_point(|own| *own <= known);
                limit = limit.min(changes.get(next).copied().unwrap_or(u32::MAX));
            }
            let others = self.uses.of(*step as usize).iter().copied();
            uses.extend(others.filter(|own| !defines.contains(own)));
        }
        uses.sort_unstable();
        uses.dedup();
        for own in &defines {
            let (tensor, touches) = &versions[*own as usize];
            let is_kept = is_kept.get(tensor.index()).copied().unwrap_or(false);
            if is_kept || writers(touches)? != steps {
                return None;
            }
        }
        let cycles = steps.iter().map(|step| self.cycles[*step as usize]);
        Some(Group {
            cycles: cycles.fold(0, u64::saturating_add),
            steps,
            defines,
            uses,
            limit,
        })
    }

    /// Whether a step writes all of a tensor: partial writes are not tracked precisely enough.
    fn is_whole(&self, used: &TensorUse) -> bool {
        used.writes == self.problem.tensors[used.tensor.index()].size
    }

    /// Whether a group may be repeated before a step of the program.
    pub(in super::super) fn is_allowed(&self, group: u32, anchor: usize) -> bool {
        let own = &self.groups[group as usize];
        let last = own.last() as usize;
        let (problem, blocks) = (self.problem, &self.problem.blocks);
        if anchor <= last
            || anchor > own.limit as usize
            || problem.steps[anchor].repeats > 1
            || blocks.get(anchor) != blocks.get(last)
        {
            return false;
        }
        !self.has_frozen
            || own.steps.iter().all(|step| {
                let uses = &problem.steps[*step as usize].uses;
                let written = uses.iter().filter(|used| used.writes > Bytes::ZERO);
                let mut tensors = written.map(|used| &problem.tensors[used.tensor.index()]);
                tensors
                    .all(|own| own.can_move_before(anchor) && own.carried_around(anchor).is_none())
            })
    }
}

/// The steps that write a value, in execution order; `None` if other steps read it in between, or
/// if it is not written as a whole.
fn writers(touches: &[Touch]) -> Option<Vec<u32>> {
    let n_writers = touches.iter().filter(|own| own.writes).count();
    let all = &touches[..n_writers];
    let is_good = all.first().is_some_and(|own| own.is_new)
        && all.iter().all(|own| own.writes && !own.is_carried);
    is_good.then(|| all.iter().map(|own| own.step).collect())
}

/// Per tensor, with a home or not: the steps that change any of its contents, ascending.
fn changes(problem: &LevelProblem) -> Vec<Vec<u32>> {
    let mut changes: Vec<Vec<u32>> = vec![Vec::new(); problem.tensors.len()];
    for (step, at) in (0..).zip(&problem.steps) {
        let is_change = |used: &&TensorUse| used.writes > Bytes::ZERO || !used.needs_content();
        for used in at.uses.iter().filter(is_change) {
            changes[used.tensor.index()].push(step);
        }
    }
    changes
}

/// Per tensor: the steps at which it must be resident, ascending. Tensors with a home have none.
fn touches(problem: &LevelProblem) -> Vec<Vec<Touch>> {
    let mut touches: Vec<Vec<Touch>> = vec![Vec::new(); problem.tensors.len()];
    for (step, at) in problem.steps.iter().enumerate() {
        for used in &at.uses {
            let tensor = &problem.tensors[used.tensor.index()];
            if tensor.home.is_some() {
                continue;
            }
            let writes = used.writes > Bytes::ZERO;
            let touch = |step: usize, is_new: bool, is_carried: bool| Touch {
                step: step as u32,
                is_new,
                writes,
                is_carried,
            };
            let own = &mut touches[used.tensor.index()];
            match tensor.carried_around(step) {
                // The tensor stays for the whole loop, from whose next iteration it may be read.
                Some(around) => {
                    own.push(touch(around.start, false, true));
                    own.push(touch(around.end - 1, false, true));
                }
                None => own.push(touch(step, !used.needs_content(), false)),
            }
        }
    }
    for own in &mut touches {
        own.sort_by_key(|touch| touch.step);
        own.dedup_by(|other, first| {
            let is_same = other.step == first.step;
            if is_same {
                first.writes |= other.writes;
                first.is_new &= other.is_new;
                first.is_carried |= other.is_carried;
            }
            is_same
        });
    }
    touches
}

/// Bytes in a granule: the greatest that divides all sizes, or more if sums would not fit 30 bits.
fn granule(profile: &Profile) -> u64 {
    let sizes = profile.sizes.iter().copied();
    let divisor = sizes.clone().fold(0, crate::numbers::gcd).max(1);
    let all = sizes.fold(0, u64::saturating_add).max(profile.capacity);
    let divisor = if profile.capacity == u64::MAX {
        1
    } else {
        divisor
    };
    let n = (all / divisor) >> 29;
    divisor.saturating_mul(n + 1)
}
