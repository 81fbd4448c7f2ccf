//! Liveness of pointers. The checker drops facts about pointers that are never accessed again: no
//! check needs them, and states would grow too large.

use mem_model::{
    Access, Binding, BlockId, BufferId, Bytes, Interval, PointerId, PointerKind, Program,
    SharedSet, StepId,
};

/// Facts about the pointers of a program.
pub(super) struct Names {
    of_buffer: Vec<Vec<PointerId>>,
    accessed_from: Vec<SharedSet>,
    last_accessed_at: Vec<Vec<PointerId>>,
}

impl Names {
    pub(super) fn new(program: &Program) -> Self {
        let mut of_buffer = vec![Vec::new(); program.buffers.len()];
        for (index, pointer) in program.pointers.iter().enumerate() {
            if let PointerKind::Buffer(buffer) = pointer.kind {
                of_buffer[buffer.index()].push(PointerId::new(index));
            }
        }
        let mut names = Self {
            of_buffer,
            accessed_from: vec![SharedSet::default(); program.blocks.len()],
            last_accessed_at: vec![Vec::new(); program.steps.len()],
        };
        names.solve(program);
        names
    }

    /// Returns the pointers that are the address of `buffer`.
    pub(super) fn of_buffer(&self, buffer: BufferId) -> &[PointerId] {
        &self.of_buffer[buffer.index()]
    }

    /// Whether `name`, or a pointer bound from it, may be accessed from the start of `block` on.
    pub(super) fn is_accessed_from(&self, block: BlockId, name: PointerId) -> bool {
        self.accessed_from[block.index()].contains(name.index())
    }

    /// Returns the pointers that the step mentions and that are dead after it.
    pub(super) fn last_accessed_at(&self, step: StepId) -> &[PointerId] {
        &self.last_accessed_at[step.index()]
    }

    /// Whether `access` is guaranteed to touch all bytes that its pointer reaches.
    pub(super) fn covers_all(&self, program: &Program, access: &Access) -> bool {
        let size = program.pointers[access.pointer.index()].size;
        let (Some(size), Some(must)) = (size, access.certain()) else {
            return false;
        };
        must.covers(Interval::new(Bytes::ZERO, size))
    }

    fn solve(&mut self, program: &Program) {
        let mut changed = true;
        while changed {
            changed = false;
            // Backward in layout order, where most successors come first.
            for block in (0..program.blocks.len()).rev() {
                let mut names = self.at_end(program, block);
                let steps = program.blocks[block].steps;
                for step in (steps.start.index()..steps.end.index()).rev() {
                    self.before_step(program, step, &mut names);
                }
                changed |= self.accessed_from[block].join(&names);
            }
        }
        for block in 0..program.blocks.len() {
            let mut names = self.at_end(program, block);
            let steps = program.blocks[block].steps;
            for step in (steps.start.index()..steps.end.index()).rev() {
                self.last_accessed_at[step] = self.not_in(program, step, &names);
                self.before_step(program, step, &mut names);
            }
        }
    }

    fn at_end(&self, program: &Program, block: usize) -> SharedSet {
        let mut names = SharedSet::default();
        for edge in &program.blocks[block].successors {
            let mut on_edge = self.accessed_from[edge.target.index()].clone();
            before_bindings(&edge.bindings, &mut on_edge);
            names.join(&on_edge);
        }
        names
    }

    fn before_step(&self, program: &Program, step: usize, names: &mut SharedSet) {
        let step = &program.steps[step];
        for access in &step.accesses {
            names.insert(access.pointer.index());
        }
        before_bindings(&step.bindings, names);
        // Before the allocation, the pointers of the buffer denote another instance.
        for name in step.allocates.iter().flat_map(|b| self.of_buffer(*b)) {
            names.take(name.index());
        }
    }

    fn not_in(&self, program: &Program, step: usize, accessed: &SharedSet) -> Vec<PointerId> {
        let step = &program.steps[step];
        let bound = step.bindings.iter();
        let bound = bound.flat_map(|b| b.sources.iter().copied().chain([b.target]));
        let own = step
            .allocates
            .iter()
            .flat_map(|b| self.of_buffer(*b))
            .copied();
        let mentioned = step
            .accesses
            .iter()
            .map(|a| a.pointer)
            .chain(bound)
            .chain(own);
        mentioned
            .filter(|name| !accessed.contains(name.index()))
            .collect()
    }
}

fn before_bindings(bindings: &[Binding], names: &mut SharedSet) {
    let mut sources: Vec<PointerId> = Vec::new();
    for binding in bindings {
        if names.take(binding.target.index()) {
            sources.extend(&binding.sources);
        }
    }
    for source in sources {
        names.insert(source.index());
    }
}
