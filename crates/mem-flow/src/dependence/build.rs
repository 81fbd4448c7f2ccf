//! Builds the states: places phis, then walks the dominator tree. The state of a block starts as
//! the final state of its immediate dominator, overlaid with the block's phis.

use fixedbitset::FixedBitSet;
use mem_model::{AccessKind, BlockId, BufferId, Interval, Program, StepId, Storage};

use super::flight::Flight;
use super::map::{Maps, Root};
use super::overlaps::Overlaps;
use super::phis::{Site, place_phis};
use super::referents::Referents;
use super::scope::Scope;
use super::versions::{Version, Versions};
use super::{
    Access, Dependence, LateRead, Options, Phi, Read, States, Target, Value, Variables,
    constant_hull,
};
use crate::graph::Graph;

/// Values of bytes that the function has not written, as indices in `Dependence::values`.
const UNDEFINED: u32 = 0;
const ENTRY: u32 = 1;

pub(super) fn build(program: &Program, options: Options) -> Dependence<'_> {
    let graph = Graph::new(program);
    let scope = Scope::new(program, &graph);
    let referents = Referents::new(program, &graph, &scope);
    let variables = Variables::new(program, &referents);
    let states = States {
        first_access: first_accesses(program),
        step_of: Vec::new(),
        block_of: vec![0; program.steps.len()],
        maps: Maps::default(),
        initial: Vec::new(),
        values: vec![Value::Undefined, Value::Entry],
        phis: Vec::new(),
        operands: Vec::new(),
        reads: Vec::new(),
        first_read: Vec::new(),
        late: Vec::new(),
        observed: Vec::new(),
        flight: Flight::default(),
        versions: Versions::default(),
        graph,
        scope,
        overlaps: Overlaps::new(program, &referents),
        referents,
        variables,
        options,
    };
    let mut dependence = Dependence::resume(program, states);
    for (index, step) in program.steps.iter().enumerate() {
        let n_accesses = step.accesses.len();
        dependence
            .states
            .step_of
            .extend(std::iter::repeat_n(index as u32, n_accesses));
    }
    for (index, block) in program.blocks.iter().enumerate() {
        dependence.states.block_of[block.steps.start.index()..block.steps.end.index()]
            .fill(index as u32);
    }
    dependence.states.flight = Flight::new(
        program,
        &dependence.states.graph,
        &dependence.states.first_access,
    );
    Builder::new(dependence).run()
}

fn first_accesses(program: &Program) -> Vec<u32> {
    let mut next = 0_usize;
    let mut first = Vec::with_capacity(program.steps.len() + 1);
    for step in &program.steps {
        first.push(next as u32);
        next += step.accesses.len();
    }
    first.push(u32::try_from(next).expect("fewer than 2^32 accesses"));
    first
}

struct Builder<'a> {
    made: Dependence<'a>,
    /// Indexed by variable.
    current: Vec<Root>,
    /// Undo log of the walk: variables with the states that they had before an assignment.
    undo: Vec<(u32, Root)>,
    versions: Vec<Version>,
    /// Indexed by block: its first phi; one more entry at the end.
    first_phi: Vec<u32>,
    /// Indexed by phi: the number of operands set so far.
    n_operands: Vec<u32>,
    /// Indexed by access number: the range of its reads; empty for definitions.
    reads_of: Vec<(u32, u32)>,
    visible: Vec<u32>,
    in_flight: FixedBitSet,
    block: BlockId,
    /// The position in the block at which new states begin to hold.
    position: u32,
}

/// Work items of the walk over the dominator tree.
enum Visit {
    Enter(BlockId),
    /// Rolls back to this length of the undo log.
    Leave(usize),
}

impl<'a> Builder<'a> {
    fn new(mut made: Dependence<'a>) -> Self {
        let program = made.program;
        let n_accesses = made.states.step_of.len();
        let undefined = made.states.maps.constant(UNDEFINED);
        let entry = made.states.maps.constant(ENTRY);
        let initial = |variable: u32| {
            let storage = &program.buffers[made.states.variables.buffer(variable).index()].storage;
            match made.states.variables.is_older(variable) || *storage == Storage::Planned {
                true => undefined,
                false => entry,
            }
        };
        let current: Vec<Root> = (0..made.states.variables.len()).map(initial).collect();
        made.states.initial.clone_from(&current);
        let is_visible = |variable: &u32| {
            let buffer = made.states.variables.buffer(*variable);
            program.buffers[buffer.index()]
                .aliasing
                .is_visible_outside()
        };
        Self {
            current,
            undo: Vec::new(),
            versions: Vec::new(),
            first_phi: Vec::new(),
            n_operands: Vec::new(),
            reads_of: vec![(0, 0); n_accesses],
            visible: (0..made.states.variables.len())
                .filter(is_visible)
                .collect(),
            in_flight: FixedBitSet::new(),
            block: BlockId::new(0),
            position: 0,
            made,
        }
    }

    fn run(mut self) -> Dependence<'a> {
        self.place();
        let mut work = vec![Visit::Enter(BlockId::new(0))];
        while let Some(visit) = work.pop() {
            match visit {
                Visit::Enter(block) => {
                    // Below the children on the stack, so that the rollback follows all of them.
                    work.push(Visit::Leave(self.undo.len()));
                    self.enter(block);
                    let children = self.made.states.graph.children(block);
                    work.extend(children.iter().rev().map(|&child| Visit::Enter(child)));
                }
                Visit::Leave(n_undo) => {
                    for (variable, root) in self.undo.drain(n_undo..).rev() {
                        self.current[variable as usize] = root;
                    }
                }
            }
        }
        self.finish()
    }

    fn finish(mut self) -> Dependence<'a> {
        // Reads were collected in the order of the walk. Reorders them by access number.
        let collected = std::mem::take(&mut self.made.states.reads);
        self.made.states.first_read = Vec::with_capacity(self.reads_of.len() + 1);
        for (first, after) in self.reads_of {
            self.made
                .states
                .first_read
                .push(self.made.states.reads.len() as u32);
            let reads = &collected[first as usize..after as usize];
            self.made.states.reads.extend_from_slice(reads);
        }
        self.made
            .states
            .first_read
            .push(self.made.states.reads.len() as u32);
        self.made.states.late.sort_unstable();
        self.made.states.late.dedup();
        let n_variables = self.made.states.variables.len();
        self.made.states.versions =
            Versions::new(self.versions, &self.made.states.graph, n_variables);
        self.made
    }

    /// Places phis and reserves room for their operands.
    fn place(&mut self) {
        let n_blocks = self.made.program.blocks.len();
        let phis = place_phis(self.sites(), &self.made.states.graph, n_blocks);
        let mut next = 0;
        self.first_phi = vec![0; n_blocks + 1];
        for site in &phis {
            self.first_phi[site.block.index() + 1] += 1;
            let predecessors = self.made.states.graph.predecessors(site.block);
            // Control also enters the entry block from outside.
            let n_operands = predecessors.len() as u32 + u32::from(site.block.index() == 0);
            self.made.states.phis.push(Phi {
                block: site.block,
                variable: site.variable,
                hull: site.hull,
                operands: Interval::new(next, next + n_operands),
            });
            next += n_operands;
        }
        for block in 0..n_blocks {
            self.first_phi[block + 1] += self.first_phi[block];
        }
        self.n_operands = vec![0; phis.len()];
        self.made.states.operands =
            vec![self.current.first().copied().unwrap_or(Root::NOTHING); next as usize];
    }

    /// Collects the places where bytes of a variable may change, in blocks after which states meet.
    fn sites(&self) -> Vec<Site> {
        let program = self.made.program;
        let graph = &self.made.states.graph;
        let mut sites = Vec::new();
        for &block in graph
            .order()
            .iter()
            .filter(|b| !graph.frontier(**b).is_empty())
        {
            let steps = program.blocks[block.index()].steps;
            for step in &program.steps[steps.start.index()..steps.end.index()] {
                // A wait settles writes in flight, and thereby changes the state as well.
                let completed = step
                    .waits
                    .iter()
                    .flat_map(|t| self.made.states.flight.accesses(t.index()));
                let completed = completed.map(|&number| self.made.access(number));
                let defined = step.accesses.iter().chain(completed);
                for access in defined.filter(|a| a.kind == AccessKind::Define) {
                    let targets = self.written(access).into_iter();
                    sites.extend(targets.map(|t| site(t.variable, block, t.hull)));
                }
                for buffer in &step.allocates {
                    let older = self.made.states.variables.older[buffer.index()];
                    for variable in older.into_iter().chain([buffer.index() as u32]) {
                        let extent = self.made.states.variables.extent(variable);
                        sites.push(site(variable, block, extent));
                    }
                }
            }
        }
        sites.retain(|site| !site.hull.is_empty());
        sites
    }

    /// The variables that a definition may write: its own targets, and those that may overlap them.
    fn written(&self, access: &Access) -> Vec<Target> {
        let mut targets = self.made.targets(access.pointer, constant_hull(access));
        for referent in self.made.states.referents.of(access.pointer) {
            for &buffer in self.made.states.overlaps.with(referent.buffer) {
                if buffer == referent.buffer {
                    continue;
                }
                for variable in self.made.states.variables.of(buffer) {
                    // The wider target replaces a precise one: under another name, any byte may be
                    // written.
                    targets.retain(|target| target.variable != variable);
                    targets.push(Target {
                        variable,
                        hull: self.made.states.variables.extent(variable),
                        at_start: false,
                        exact: false,
                    });
                }
            }
        }
        targets
    }

    fn enter(&mut self, block: BlockId) {
        self.block = block;
        self.position = 0;
        self.in_flight = self.made.states.flight.at_entry(block);
        // The first operand of each phi in the entry block is the initial state.
        if block.index() == 0 {
            self.hand_on(block);
        }
        for phi in self.first_phi[block.index()]..self.first_phi[block.index() + 1] {
            let value = self.value(Value::Phi { phi });
            let Phi { variable, hull, .. } = self.made.states.phis[phi as usize];
            self.assign(variable, hull, value);
        }
        let steps = self.made.program.blocks[block.index()].steps;
        for step in steps.start.index()..steps.end.index() {
            self.position += 1;
            self.step(StepId::new(step));
        }
        self.leave(block);
    }

    /// Passes the states at the end of a block on to its successors.
    fn leave(&mut self, block: BlockId) {
        let successors = &self.made.program.blocks[block.index()].successors;
        for edge in successors {
            self.hand_on(edge.target);
        }
        // Code outside may observe memory while control stays in a loop without an exit.
        if successors.is_empty() || !self.made.states.graph.reaches_exit(block) {
            for &variable in &self.visible {
                let root = self.current[variable as usize];
                self.made.states.observed.push(Read { variable, root });
            }
        }
    }

    /// Appends the current states to the operands of the phis of `target`.
    fn hand_on(&mut self, target: BlockId) {
        for phi in self.first_phi[target.index()]..self.first_phi[target.index() + 1] {
            let Phi {
                variable, operands, ..
            } = self.made.states.phis[phi as usize];
            // The order of operands does not matter: every search follows all of them.
            let n_operands = &mut self.n_operands[phi as usize];
            self.made.states.operands[(operands.start + *n_operands) as usize] =
                self.current[variable as usize];
            *n_operands += 1;
        }
    }

    fn step(&mut self, id: StepId) {
        let step = &self.made.program.steps[id.index()];
        for &token in &step.waits {
            if self.made.states.flight.complete(&mut self.in_flight, token) {
                self.complete(token.index());
            }
        }
        for &buffer in &step.allocates {
            self.allocate(buffer);
        }
        let first = self.made.states.first_access[id.index()];
        let numbered = || (first..).zip(&step.accesses);
        // Reads precede writes: a step does not see what it writes itself.
        for (number, access) in numbered().filter(|(_, a)| a.kind == AccessKind::Use) {
            self.read(number, access);
        }
        // An asynchronous access may take place at any time from its own step on.
        for token in step.accesses.iter().filter_map(Access::token) {
            self.in_flight.insert(token.index());
        }
        for (number, access) in numbered().filter(|(_, a)| a.kind == AccessKind::Define) {
            self.write(number, access);
        }
    }

    /// Makes a new instance of `buffer`, with undefined content.
    fn allocate(&mut self, buffer: BufferId) {
        let newest = buffer.index() as u32;
        let extent = self.made.states.variables.extent(newest);
        if let Some(variable) = self.made.states.variables.older[buffer.index()] {
            let value = self.value(Value::Aged {
                older: self.current[variable as usize],
                newest: self.current[newest as usize],
            });
            self.assign(variable, extent, value);
        }
        self.assign(newest, extent, UNDEFINED);
    }

    fn read(&mut self, number: u32, access: &Access) {
        let first = self.made.states.reads.len() as u32;
        for target in self.made.targets(access.pointer, constant_hull(access)) {
            let (variable, root) = (target.variable, self.current[target.variable as usize]);
            self.made.states.reads.push(Read { variable, root });
        }
        self.reads_of[number as usize] = (first, self.made.states.reads.len() as u32);
    }

    fn write(&mut self, number: u32, access: &Access) {
        for target in self.written(access) {
            self.note_late_readers(number, &target);
            let is_racing = self.is_racing(number, &target);
            let is_sure = target.exact && access.is_unconditional() && !is_racing;
            let sure: Vec<_> = match is_sure {
                true => Dependence::sure_bytes_of(access)
                    .map(|range| range.intersection(target.hull))
                    .collect(),
                false => Vec::new(),
            };
            // The access may touch more bytes than it must: assigns a weak value to all of them,
            // and then the certain value to those that it must touch.
            if sure.as_slice() != [target.hull] {
                let below = self.current[target.variable as usize];
                let (access_number, exact) = (number, target.exact);
                let value = self.value(Value::Weak {
                    access: access_number,
                    below,
                    exact,
                    is_racing,
                });
                for range in Dependence::bytes_of(access, &target) {
                    self.assign(target.variable, range, value);
                }
            }
            if !sure.is_empty() {
                let value = self.value(Value::Write { access: number });
                for range in sure {
                    self.assign(target.variable, range, value);
                }
            }
        }
    }

    /// Whether an asynchronous write other than `number` that touches bytes of `target` may be in
    /// flight.
    fn is_racing(&self, number: u32, target: &Target) -> bool {
        let mut others = self.racing(AccessKind::Define);
        others.any(|(other, touched)| other != number && meets(&touched, target))
    }

    /// Records that asynchronous reads in flight may see this write.
    fn note_late_readers(&mut self, writer: u32, target: &Target) {
        let readers: Vec<_> = self
            .racing(AccessKind::Use)
            .filter(|(_, other)| meets(other, target))
            .collect();
        for (reader, _) in readers {
            self.made.states.late.push(LateRead {
                reader,
                writer,
                variable: target.variable,
                bytes: target.hull,
            });
        }
    }

    /// The accesses of tokens in flight, with their targets. Includes the variables of older
    /// instances, as the buffer may have got a newer instance since the access was issued.
    fn racing(&self, kind: AccessKind) -> impl Iterator<Item = (u32, Target)> + '_ {
        let numbers = self
            .in_flight
            .ones()
            .flat_map(|t| self.made.states.flight.accesses(t));
        let accesses = numbers.map(|&number| (number, self.made.access(number)));
        accesses
            .filter(move |(_, access)| access.kind == kind)
            .flat_map(move |(number, access)| {
                let targets = match kind {
                    AccessKind::Use => self.made.targets(access.pointer, constant_hull(access)),
                    AccessKind::Define => self.written(access),
                };
                let older = targets.iter().filter_map(|t| self.made.older(t));
                let all: Vec<_> = older.chain(targets.iter().copied()).collect();
                all.into_iter().map(move |target| (number, target))
            })
    }

    /// Completes the accesses of `token`. Bytes that nothing else wrote in the meantime hold
    /// exactly what the token's access wrote.
    fn complete(&mut self, token: usize) {
        for index in 0..self.made.states.flight.accesses(token).len() {
            let number = self.made.states.flight.accesses(token)[index];
            let access = self.made.access(number);
            let is_write = access.kind == AccessKind::Define && access.predicate().is_empty();
            for target in self.made.targets(access.pointer, constant_hull(access)) {
                if !is_write || !target.exact || self.is_racing(number, &target) {
                    continue;
                }
                for range in Dependence::sure_bytes_of(access) {
                    self.settle(number, target.variable, range.intersection(target.hull));
                }
            }
        }
    }

    fn settle(&mut self, number: u32, variable: u32, range: Interval<u64>) {
        let mut is_alone = !range.is_empty();
        let root = self.current[variable as usize];
        self.made.states.maps.for_each(root, range, |_, value| {
            is_alone &= matches!(self.made.states.values[value as usize],
                Value::Weak { access, is_racing: false, .. } if access == number);
        });
        if is_alone {
            let value = self.value(Value::Write { access: number });
            self.assign(variable, range, value);
        }
    }

    fn value(&mut self, value: Value) -> u32 {
        self.made.states.values.push(value);
        u32::try_from(self.made.states.values.len() - 1).expect("fewer than 2^32 values")
    }

    fn assign(&mut self, variable: u32, mut range: Interval<u64>, value: u32) {
        // No byte follows, so the last segment of a map needs no boundary at its end.
        if range.end == self.made.states.variables.extent(variable).end {
            range.end = u64::MAX;
        }
        let old = self.current[variable as usize];
        let root = self.made.states.maps.assign(old, range, value);
        if root == old {
            return;
        }
        self.undo.push((variable, old));
        self.current[variable as usize] = root;
        let version = Version {
            variable,
            block: self.block,
            position: self.position,
            root,
        };
        // Queries ask only for the last state at a position.
        match self.versions.last_mut() {
            Some(last)
                if (last.variable, last.block, last.position)
                    == (variable, self.block, self.position) =>
            {
                last.root = root;
            }
            _ => self.versions.push(version),
        }
    }
}

fn site(variable: u32, block: BlockId, hull: Interval<u64>) -> Site {
    Site {
        variable,
        block,
        hull,
    }
}

fn meets(a: &Target, b: &Target) -> bool {
    a.variable == b.variable && a.hull.overlaps(b.hull)
}
