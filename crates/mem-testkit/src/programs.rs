//! Adversarial random programs: nested loops that carry, swap and rotate tensors, branches,
//! selects, views, partial definitions, writes through merges. Some have arbitrary edges, which
//! make control flow irreducible, and use names outside their scope. Some have several cores, and
//! steps that work in place.

use mem_model::{
    Access, AccessKind, Binding, Block, BlockId, Buffer, BufferId, Bytes, Edge, Interval, Pointer,
    PointerId, PointerKind, Program, Region, RegionId, RegionKind, Role, Step, StepId, Storage,
};

use crate::Rng;

/// Generates a valid program of about `size` steps and control structures.
#[must_use]
pub fn random_program(rng: &mut Rng, size: usize) -> Program {
    let mut generator = Generator {
        rng,
        program: Program {
            name: "random".to_owned(),
            ..Program::default()
        },
        scope: Vec::new(),
        budget: size,
        n_cores: 1,
        in_place: 0,
    };
    if generator.rng.chance(30) {
        generator.n_cores = generator.rng.between(2, 3);
    }
    if generator.rng.chance(30) {
        generator.in_place = 40;
    }
    generator.function();
    generator.program
}

struct Generator<'a> {
    rng: &'a mut Rng,
    program: Program,
    /// Names whose definitions dominate the current position.
    scope: Vec<PointerId>,
    /// Number of steps and control structures still to generate.
    budget: usize,
    /// Number of cores that steps run on.
    n_cores: usize,
    /// Percentage of steps that work in place.
    in_place: usize,
}

impl Generator<'_> {
    fn function(&mut self) {
        let region = self.region(RegionKind::Function, None);
        self.block(region);
        for _ in 0..self.rng.between(0, 2) {
            let storage = match self.rng.below(4) {
                0 => Storage::Planned,
                1 => Storage::Placed {
                    level: "arena".to_owned(),
                    offset: Bytes::new(64),
                },
                _ => Storage::External,
            };
            self.buffer(storage);
        }
        self.allocate();
        self.body(region, 0);
        while self.budget > 0 {
            self.body(region, 0);
        }
        if self.rng.chance(25) {
            self.stray_edges();
        }
    }

    fn region(&mut self, kind: RegionKind, parent: Option<RegionId>) -> RegionId {
        self.program.regions.push(Region { kind, parent });
        RegionId::new(self.program.regions.len() - 1)
    }

    fn block(&mut self, region: RegionId) -> BlockId {
        let here = StepId::new(self.program.steps.len());
        self.program.blocks.push(Block {
            region,
            steps: Interval::new(here, here),
            successors: Vec::new(),
        });
        BlockId::new(self.program.blocks.len() - 1)
    }

    fn current_block(&self) -> BlockId {
        BlockId::new(self.program.blocks.len() - 1)
    }

    fn edge(&mut self, from: BlockId, target: BlockId, bindings: Vec<Binding>) {
        let edge = Edge { target, bindings };
        self.program.blocks[from.index()].successors.push(edge);
    }

    fn step(&mut self, name: &str) -> &mut Step {
        self.program.steps.push(Step {
            name: name.into(),
            ..Step::default()
        });
        let end = StepId::new(self.program.steps.len());
        let block = self.current_block();
        self.program.blocks[block.index()].steps.end = end;
        &mut self.program.steps[end.index() - 1]
    }

    fn buffer(&mut self, storage: Storage) -> BufferId {
        let id = BufferId::new(self.program.buffers.len());
        let size = Bytes::new(self.rng.between(1, 4) as u64);
        self.program.buffers.push(Buffer {
            name: id.to_string().into(),
            size,
            alignment: Bytes::new(1 << self.rng.below(3)),
            role: Role::Intermediate,
            storage,
            aliasing: Default::default(),
            location: Default::default(),
        });
        let is_known = self.rng.chance(90);
        let name = self.pointer(PointerKind::Buffer(id), is_known.then_some(size));
        self.scope.push(name);
        id
    }

    fn pointer(&mut self, kind: PointerKind, size: Option<Bytes>) -> PointerId {
        let id = PointerId::new(self.program.pointers.len());
        self.program.pointers.push(Pointer {
            name: id.to_string().into(),
            kind,
            size,
        });
        id
    }

    /// A name in scope, or rarely any bound name. Prefers recent names, because those are the ones
    /// that a loop carries.
    fn name(&mut self) -> PointerId {
        if self.rng.chance(2) {
            let n_names = self.program.pointers.len();
            let any = PointerId::new(self.rng.below(n_names));
            if self.scope.contains(&any) || self.is_bound(any) {
                return any;
            }
        }
        let n_recent = match self.rng.chance(60) {
            true => self.scope.len().min(4),
            false => self.scope.len(),
        };
        let recent = &self.scope[self.scope.len() - n_recent..];
        recent[self.rng.below(n_recent)]
    }

    fn is_bound(&self, name: PointerId) -> bool {
        let mut bindings = self.program.bindings();
        self.program.pointers[name.index()].kind != PointerKind::Merge
            || bindings.any(|b| b.target == name)
    }

    fn allocate(&mut self) {
        let buffer = self.buffer(Storage::Planned);
        if self.rng.chance(95) {
            self.step("allocate").allocates.push(buffer);
        }
    }

    fn compute(&mut self) {
        let n_uses = self.rng.below(3);
        let n_defines = self.rng.between(usize::from(n_uses == 0), 2);
        let mut accesses = Vec::new();
        for _ in 0..n_uses {
            accesses.push(self.access(AccessKind::Use));
        }
        for _ in 0..n_defines {
            accesses.push(self.access(AccessKind::Define));
        }
        let mut in_place = Vec::new();
        if self.rng.chance(self.in_place) {
            in_place.push(self.work_in_place(&mut accesses));
        }
        let core =
            (self.n_cores > 1 && self.rng.chance(80)).then(|| self.rng.below(self.n_cores) as u32);
        let step = self.step("compute");
        step.accesses = accesses;
        step.core = core;
        step.in_place = in_place.into();
    }

    /// Adds a read and a write of an in-place step, usually of the same bytes and nothing else.
    fn work_in_place(&mut self, accesses: &mut Vec<Access>) -> (PointerId, PointerId) {
        if self.rng.chance(80) {
            accesses.clear();
        }
        let mut pair = [AccessKind::Use, AccessKind::Define].map(|kind| self.access(kind));
        if self.rng.chance(80) {
            let sizes = pair
                .iter()
                .map(|access| self.program.pointers[access.pointer.index()].size);
            let size = sizes.flatten().min().unwrap_or(Bytes::new(1));
            for access in &mut pair {
                access.may = Some(Interval::new(Bytes::ZERO, size));
                access.must = access.may;
            }
        }
        let names = (pair[0].pointer, pair[1].pointer);
        accesses.extend(pair);
        names
    }

    fn access(&mut self, kind: AccessKind) -> Access {
        let pointer = self.name();
        let size = self.program.pointers[pointer.index()]
            .size
            .map_or(4, Bytes::get) as usize;
        let (may, must) = match self.rng.below(10) {
            0 => (None, None),
            1..=2 => {
                let (a, b) = (self.rng.between(0, size), self.rng.between(0, size));
                (Some((a.min(b), a.max(b))), None)
            }
            3..=4 => {
                let (a, b) = (self.rng.between(0, size), self.rng.between(0, size));
                let exact = Some((a.min(b), a.max(b)));
                (exact, exact)
            }
            _ => (Some((0, size)), Some((0, size))),
        };
        let bytes =
            |(a, b): (usize, usize)| Interval::new(Bytes::new(a as u64), Bytes::new(b as u64));
        Access {
            pointer,
            kind,
            may: may.map(bytes),
            must: must.map(bytes),
            detail: None,
        }
    }

    /// A merge that reaches no more bytes than any of `sources`.
    fn merge(&mut self, sources: &[PointerId]) -> PointerId {
        let sizes = sources
            .iter()
            .map(|s| self.program.pointers[s.index()].size);
        let smallest = sizes.map(|s| s.map_or(1, Bytes::get)).min().unwrap_or(1);
        let size = match self.rng.below(10) {
            0 => None,
            1 => Some(Bytes::new(self.rng.between(1, smallest as usize) as u64)),
            _ => Some(Bytes::new(smallest)),
        };
        self.pointer(PointerKind::Merge, size)
    }

    fn select(&mut self) {
        let sources: Vec<PointerId> = (0..self.rng.between(1, 3)).map(|_| self.name()).collect();
        let target = self.merge(&sources);
        self.step("select")
            .bindings
            .push(Binding { target, sources });
        self.scope.push(target);
    }

    fn body(&mut self, region: RegionId, depth: usize) {
        for _ in 0..self.rng.between(1, 6) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            match self.rng.below(if depth < 3 { 20 } else { 14 }) {
                0..=2 => self.allocate(),
                3 => self.select(),
                4..=13 => self.compute(),
                14..=15 => self.branch(region, depth),
                16..=18 => self.counted_loop(region, depth),
                _ => self.while_loop(region, depth),
            }
        }
    }

    fn region_in(&mut self, kind: RegionKind, parent: RegionId) -> RegionId {
        self.region(kind, Some(parent))
    }

    fn names(&mut self, n_names: usize) -> Vec<PointerId> {
        (0..n_names).map(|_| self.name()).collect()
    }

    /// Binds `targets` to random names in scope.
    fn bind_all(&mut self, targets: &[PointerId]) -> Vec<Binding> {
        let bind = |&target: &PointerId| Binding {
            target,
            sources: vec![self.pointer_at_least_as_large(target)],
        };
        targets.iter().map(bind).collect()
    }

    /// A name that reaches at least as many bytes as `target`, if one is found.
    fn pointer_at_least_as_large(&mut self, target: PointerId) -> PointerId {
        let size = |program: &Program, name: PointerId| program.pointers[name.index()].size;
        let wanted = size(&self.program, target).map_or(1, Bytes::get);
        for _ in 0..20 {
            let name = self.name();
            if size(&self.program, name).is_none_or(|size| size.get() >= wanted) {
                return name;
            }
        }
        self.name()
    }

    fn branch(&mut self, parent: RegionId, depth: usize) {
        let before = self.current_block();
        let n_results = self.rng.below(3);
        let examples = self.names(n_results);
        let results: Vec<PointerId> = examples.iter().map(|&e| self.merge(&[e])).collect();
        let mut ends = Vec::new();
        for _ in 0..self.rng.between(1, 2) {
            let region = self.region_in(RegionKind::Branch, parent);
            let outer = self.scope.clone();
            let start = self.block(region);
            self.edge(before, start, Vec::new());
            self.body(region, depth + 1);
            ends.push((self.current_block(), self.bind_all(&results)));
            self.scope = outer;
        }
        if ends.len() == 1 {
            ends.push((before, self.bind_all(&results)));
        }
        let join = self.block(parent);
        for (end, bindings) in ends {
            self.edge(end, join, bindings);
        }
        self.scope.extend(results);
    }

    fn counted_loop(&mut self, parent: RegionId, depth: usize) {
        let before = self.current_block();
        let n_carried = self.rng.below(4);
        let initial = self.names(n_carried);
        let carried: Vec<PointerId> = initial.iter().map(|&i| self.merge(&[i])).collect();
        let bindings = carried
            .iter()
            .zip(initial)
            .map(|(&target, source)| Binding {
                target,
                sources: vec![source],
            });
        let bindings = bindings.collect();
        let region = self.region_in(RegionKind::Loop, parent);
        let head = self.block(parent);
        self.edge(before, head, bindings);
        let outer = self.scope.clone();
        let start = self.block(region);
        self.edge(head, start, Vec::new());
        self.scope.extend(&carried);
        self.body(region, depth + 1);
        let yielded = self.bind_all(&carried);
        self.edge(self.current_block(), head, yielded);
        self.scope = outer;
        self.scope.extend(carried);
        let after = self.block(parent);
        self.edge(head, after, Vec::new());
    }

    /// Two regions: the first evaluates the condition, and passes values to the second and to the
    /// exit.
    fn while_loop(&mut self, parent: RegionId, depth: usize) {
        let before = self.current_block();
        let n_carried = self.rng.below(3);
        let initial = self.names(n_carried);
        let carried: Vec<PointerId> = initial.iter().map(|&i| self.merge(&[i])).collect();
        let entry = carried
            .iter()
            .zip(initial)
            .map(|(&target, source)| Binding {
                target,
                sources: vec![source],
            });
        let entry = entry.collect();
        let region = self.region_in(RegionKind::Loop, parent);
        let outer = self.scope.clone();
        let head = self.block(region);
        self.edge(before, head, entry);
        self.scope.extend(&carried);
        self.body(region, depth + 1);
        let decision = self.current_block();
        let n_passed = self.rng.below(3);
        let passed = self.names(n_passed);
        let merges = |generator: &mut Self| -> (Vec<PointerId>, Vec<Binding>) {
            let bind = |&source: &PointerId| {
                let target = generator.merge(&[source]);
                let sources = vec![source];
                (target, Binding { target, sources })
            };
            passed.iter().map(bind).unzip()
        };
        let (arguments, to_body) = merges(self);
        let (results, to_exit) = merges(self);
        let start = self.block(region);
        self.edge(decision, start, to_body);
        self.scope.extend(arguments);
        self.body(region, depth + 1);
        let yielded = self.bind_all(&carried);
        self.edge(self.current_block(), head, yielded);
        let after = self.block(parent);
        self.edge(decision, after, to_exit);
        self.scope = outer;
        self.scope.extend(results);
    }

    fn stray_edges(&mut self) {
        for _ in 0..self.rng.between(1, 3) {
            let n_blocks = self.program.blocks.len();
            let (from, to) = (self.rng.below(n_blocks), self.rng.below(n_blocks));
            let into = self.program.blocks.iter().flat_map(|b| &b.successors);
            let targets = into
                .filter(|e| e.target.index() == to)
                .flat_map(|e| &e.bindings);
            let mut targets: Vec<PointerId> = targets.map(|b| b.target).collect();
            targets.sort_unstable();
            targets.dedup();
            let bindings = self.bind_all(&targets);
            self.edge(BlockId::new(from), BlockId::new(to), bindings);
        }
    }
}
