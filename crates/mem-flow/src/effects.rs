//! Effects of each step on names, computed once.

use mem_model::{Access, AccessKind, Interval, PointerId, Program};

/// The names that a step reads and writes through, each list sorted and without duplicates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    /// Names that the step may read through.
    pub uses: Vec<PointerId>,
    /// Names that the step may write through.
    pub defines: Vec<PointerId>,
    /// Names whose bytes the step is guaranteed to overwrite completely without reading any of
    /// them.
    pub kills: Vec<PointerId>,
}

impl Effects {
    /// Names that the step may read or write through, without duplicates.
    pub(crate) fn accessed(&self) -> impl Iterator<Item = PointerId> + '_ {
        let only_defined = self.defines.iter().filter(|x| !self.reads(**x));
        self.uses.iter().chain(only_defined).copied()
    }

    /// Whether the step may read through `name`.
    pub(crate) fn reads(&self, name: PointerId) -> bool {
        self.uses.binary_search(&name).is_ok()
    }

    /// Whether the step overwrites all of the old content that `name` reaches.
    pub(crate) fn kills(&self, name: PointerId) -> bool {
        self.kills.binary_search(&name).is_ok()
    }
}

/// Computes the effects of `program`, indexed by step.
pub(crate) fn effects_of(program: &Program) -> Vec<Effects> {
    let of_step = |accesses: &[Access]| {
        let names = |kind: AccessKind| {
            let of_kind = accesses.iter().filter(|a| a.kind == kind);
            sorted(of_kind.map(|a| a.pointer).collect())
        };
        let mut effects = Effects {
            uses: names(AccessKind::Use),
            defines: names(AccessKind::Define),
            kills: Vec::new(),
        };
        let killed = accesses
            .iter()
            .filter(|a| covers_all(program, a))
            .map(|a| a.pointer);
        effects.kills = sorted(killed.filter(|x| !effects.reads(*x)).collect());
        effects
    };
    program
        .steps
        .iter()
        .map(|step| of_step(&step.accesses))
        .collect()
}

fn covers_all(program: &Program, access: &Access) -> bool {
    let size = program.pointers[access.pointer.index()].size;
    match (access.kind, access.certain(), size) {
        (AccessKind::Define, Some(must), Some(size)) => {
            must.covers(Interval::new(Default::default(), size))
        }
        _ => false,
    }
}

fn sorted(mut names: Vec<PointerId>) -> Vec<PointerId> {
    names.sort_unstable();
    names.dedup();
    names
}
