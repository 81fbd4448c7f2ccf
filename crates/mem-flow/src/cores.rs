//! Conflicts that lifetimes do not show when steps run on several cores: pairs of buffers that may
//! be in use at the same time although no point of the program order has both live.
//!
//! Steps of one core run in program order; steps that name no core share an implicit one. A step is
//! ordered after an earlier step of its block on another core in two cases: both touch a common
//! byte in every execution and at least one of them writes it, or the later step waits for the
//! earlier one's token. The relation is closed transitively. Control leaves a block when all its
//! steps are done, so steps of different blocks are always ordered.
//!
//! O(d · s² / 64) for a block of s steps with d direct dependences each, plus the number of
//! unordered pairs of accesses.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap as HashMap;

use fixedbitset::FixedBitSet;
use mem_model::{
    Access, AccessKind, Block, BufferId, PointerId, PointerKind, Program, Storage, TokenId,
};

use crate::denoted::Denoted;

/// Accesses without a guaranteed order.
#[derive(Default)]
pub(crate) struct Unordered {
    /// Pairs of buffers that have a place in an arena, the smaller first, with two accesses that
    /// may run in either order.
    pub pairs: BTreeSet<(BufferId, BufferId)>,
    /// Buffers with two instances that may be accessed in either order.
    pub instances: BTreeSet<BufferId>,
}

/// Finds all unordered accesses. A program on one core has none.
pub(crate) fn unordered(program: &Program) -> Unordered {
    let mut found = Unordered::default();
    if program.steps.iter().any(|step| step.core.is_some()) {
        let denoted = Denoted::new(program, usize::MAX);
        for block in &program.blocks {
            unordered_in(program, block, &denoted, &mut found);
        }
    }
    found
}

fn unordered_in(program: &Program, block: &Block, denoted: &Denoted, found: &mut Unordered) {
    let steps = block.steps.start.index()..block.steps.end.index();
    let cores: BTreeSet<Option<u32>> = steps.clone().map(|step| program.steps[step].core).collect();
    // The steps of one core run in order.
    if cores.len() < 2 {
        return;
    }
    let before = happens_before(program, steps.clone());
    let placed = |step: usize| {
        let accesses = program.steps[step].accesses.iter();
        let buffers = accesses.flat_map(|access| denoted.of(access.pointer));
        let has_place =
            |buffer: &BufferId| program.buffers[buffer.index()].storage != Storage::External;
        buffers
            .copied()
            .filter(has_place)
            .collect::<BTreeSet<BufferId>>()
    };
    let accessed: Vec<BTreeSet<BufferId>> = steps.clone().map(placed).collect();
    for later in 0..accessed.len() {
        for earlier in (0..later).filter(|earlier| !before[later].contains(*earlier)) {
            for &a in &accessed[earlier] {
                for &b in accessed[later].iter().filter(|b| **b != a) {
                    found.pairs.insert((a.min(b), a.max(b)));
                }
                let between = steps.start + earlier..=steps.start + later;
                let is_shared = accessed[later].contains(&a);
                if is_shared && !is_one_instance(program, denoted, between, a) {
                    found.instances.insert(a);
                }
            }
        }
    }
}

/// Whether the first and the last step of a range within one block are guaranteed to access the
/// same instance of a buffer: both use one name, and nothing rebinds it in between.
fn is_one_instance(
    program: &Program,
    denoted: &Denoted,
    steps: std::ops::RangeInclusive<usize>,
    buffer: BufferId,
) -> bool {
    let accesses = [*steps.start(), *steps.end()].map(|step| &program.steps[step].accesses);
    let denote_it = |access: &&Access| denoted.of(access.pointer).contains(&buffer);
    let names = accesses.into_iter().flatten().filter(denote_it);
    let names: BTreeSet<_> = names
        .map(|access| own_name(program, access.pointer))
        .collect();
    // The first step binds and allocates before its own accesses, so only later steps can change a
    // name.
    let mut later = steps.clone().skip(1).map(|step| &program.steps[step]);
    let changes = |name: &Result<BufferId, PointerId>| match name {
        Ok(buffer) => later.any(|step| step.allocates.contains(buffer)),
        Err(merge) => later.any(|step| step.bindings.iter().any(|b| b.target == *merge)),
    };
    names.len() == 1 && !names.iter().any(changes)
}

/// Indexed by position in the block: the steps that are guaranteed to be done before the step
/// begins.
fn happens_before(program: &Program, steps: std::ops::Range<usize>) -> Vec<FixedBitSet> {
    let n_steps = steps.len();
    let mut before: Vec<FixedBitSet> = Vec::with_capacity(n_steps);
    let mut last_of_core: HashMap<Option<u32>, usize> = HashMap::default();
    let mut accesses: HashMap<_, Vec<(usize, &Access)>> = HashMap::default();
    let mut issued: HashMap<TokenId, usize> = HashMap::default();
    for (index, id) in steps.enumerate() {
        let step = &program.steps[id];
        let mut direct: BTreeSet<usize> = BTreeSet::new();
        direct.extend(last_of_core.insert(step.core, index));
        direct.extend(
            step.waits
                .iter()
                .filter_map(|token| issued.get(token).copied()),
        );
        for access in &step.accesses {
            let earlier = accesses
                .entry(own_name(program, access.pointer))
                .or_default();
            let depends = earlier.iter().filter(|(_, other)| depends(access, other));
            direct.extend(depends.map(|(other, _)| *other));
        }
        // Added only now, since a step does not wait for itself.
        for access in &step.accesses {
            let earlier = accesses
                .entry(own_name(program, access.pointer))
                .or_default();
            earlier.push((index, access));
            if let Some(token) = access.token() {
                issued.insert(token, index);
            }
        }
        let mut all = FixedBitSet::with_capacity(n_steps);
        // In descending order, so that predecessors already reached through a later step are
        // skipped.
        for &other in direct.iter().rev() {
            if !all.contains(other) {
                all.union_with(&before[other]);
                all.insert(other);
            }
        }
        before.push(all);
    }
    before
}

/// A canonical name: all pointers to the start of one buffer are equal.
fn own_name(program: &Program, pointer: PointerId) -> Result<BufferId, PointerId> {
    match program.pointers[pointer.index()].kind {
        PointerKind::Merge => Err(pointer),
        PointerKind::Buffer(buffer) => Ok(buffer),
    }
}

/// Whether one of two accesses through the same name is guaranteed to wait for the other.
fn depends(a: &Access, b: &Access) -> bool {
    let writes = a.kind == AccessKind::Define || b.kind == AccessKind::Define;
    let overlap = || Some(a.certain()?.overlaps(b.certain()?));
    writes && overlap() == Some(true)
}

#[cfg(test)]
mod tests {
    use mem_model::parse_programs;

    use crate::{analyze_lifetimes, problem};

    /// The explicit conflicts of a problem with steps `(core, reads, writes)` on buffers of 64
    /// bytes.
    fn conflicts(steps: &[(u32, &[usize], &[usize])]) -> Vec<(usize, usize)> {
        let n_buffers = 1 + steps
            .iter()
            .flat_map(|step| step.2)
            .max()
            .expect("a buffer");
        let mut text = "mem-program 1\nprogram \"f\"\n".to_owned();
        for b in 0..n_buffers {
            text += &format!("buffer b{b} \"b{b}\" size 64 align 1 intermediate planned\n");
        }
        for b in 0..n_buffers {
            text += &format!("pointer p{b} \"b{b}\" buffer b{b} size 64\n");
        }
        text += "region r0 function\nblock bb0 in r0\n";
        for (index, (core, reads, writes)) in steps.iter().enumerate() {
            text += &format!("step s{index} \"k\" core {core}\n");
            for b in *reads {
                text += &format!("use p{b} may 0..64 must 0..64\n");
            }
            for b in *writes {
                text += &format!("define p{b} may 0..64 must 0..64\n");
            }
        }
        let program = &parse_programs(&(text + "end\n")).expect("a program")[0];
        let lifetimes = analyze_lifetimes(program).expect("valid");
        problem(program, &lifetimes).conflicts
    }

    #[test]
    fn one_core_runs_in_order() {
        let steps: [(u32, &[usize], &[usize]); 3] =
            [(0, &[], &[0]), (0, &[0], &[1]), (0, &[1], &[2])];
        assert_eq!(conflicts(&steps), []);
    }

    #[test]
    fn steps_on_other_cores_may_run_at_the_same_time() {
        // Core 0 makes and reads b0 before core 1 makes b1 in program order, but neither core
        // waits.
        let steps: [(u32, &[usize], &[usize]); 3] =
            [(0, &[], &[0]), (0, &[0], &[2]), (1, &[], &[1])];
        assert_eq!(conflicts(&steps), [(0, 1), (1, 2)]);
    }

    #[test]
    fn dependent_steps_come_later() {
        // Core 1 reads b1, which is computed from b0, before it makes b2.
        let steps: [(u32, &[usize], &[usize]); 3] =
            [(0, &[], &[0]), (0, &[0], &[1]), (1, &[1], &[2])];
        assert_eq!(conflicts(&steps), []);
        // Core 0 also reads b0 in a step that core 1 does not wait for.
        let steps: [(u32, &[usize], &[usize]); 4] = [
            (0, &[], &[0]),
            (0, &[0], &[1]),
            (0, &[0], &[3]),
            (1, &[1], &[2]),
        ];
        assert_eq!(conflicts(&steps), [(0, 1), (0, 2), (1, 3), (2, 3)]);
    }
}
