//! Peeling of loops: the first iterations get blocks of their own, in which what the loop carries
//! is known.
//!
//! Peeling does not depend on how often a loop iterates: the loop itself stays, after the
//! iterations that are peeled off. It is unreachable if evaluation finds that one of these is the
//! last.
//!
//! Loops that exchange storages, an unknown number of times, are also unrolled, such that each copy
//! of the body begins with certain storages.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::flatten::{Callees, Flat, FlatBlock, FlatEdge, Frame, Index, Value};
use crate::program::{Count, Rule, ScalarStep, StepKind, StorageStep, ValueType};

/// Number of iterations that are peeled off a loop with an unknown number of iterations, and
/// maximum number otherwise.
const MAX_ITERATIONS: (usize, usize) = (4, 16);

/// The type of a value that may be a ticket: a scalar of unknown size.
const TICKET: ValueType = ValueType::Scalar {
    bytes: None,
    is_index: false,
};

/// What becomes of a loop.
#[derive(Clone, Copy)]
struct Shape {
    /// Number of iterations that are peeled off.
    peeled: usize,
    /// Number of iterations that follow one another in the body of the remaining loop.
    period: usize,
}

/// A natural loop, whose only entry is its header.
struct Loop {
    header: usize,
    blocks: BTreeSet<usize>,
    /// Blocks with an edge to the header.
    latches: Vec<usize>,
    /// The values that the loop defines.
    defined: BTreeSet<Value>,
    /// Those that blocks outside of the loop use.
    outside: BTreeSet<Value>,
}

impl<'a> Flat<'a> {
    /// Returns the function with iterations peeled off its loops, inner loops first. A loop stays
    /// as it is if the number of decisions would exceed `budget`, or if there would have to be new
    /// block arguments at several places for the values that are used after it. `period`: number of
    /// iterations in the body of a loop that carries storages and iterates an unknown number of
    /// times. O(n log n · nesting depth of loops), where n counts blocks, edges and uses after peeling.
    pub(crate) fn peeled(&self, callees: &Callees<'_>, budget: usize, period: usize) -> Self {
        let mut flat = Self {
            blocks: self.blocks.clone(),
            types: self.types.clone(),
            arguments: self.arguments.clone(),
            ..Self::default()
        };
        flat.number();
        let constants = flat.constants();
        let mut left = budget.saturating_sub(n_decisions(&flat.blocks));
        let mut done: BTreeSet<usize> = BTreeSet::new();
        loop {
            let loops = flat.innermost(&done);
            if loops.is_empty() {
                break;
            }
            for own in loops {
                // Even a loop that stays as it is must not be found again.
                done.insert(own.header);
                let shape = flat.shape(&own, &constants, period);
                let new = shape.peeled + shape.period - 1;
                // Both programs have the same decisions, so they are unrolled in the same way.
                let copied = own.blocks.iter().map(|block| &flat.blocks[*block]);
                let n_new = n_decisions(copied).saturating_mul(new);
                if new > 0 && n_new <= left && flat.can_peel(&own) {
                    flat.peel(&own, shape, &mut done);
                    left -= n_new;
                    flat.is_unrolled |= shape.period > 1;
                }
            }
            // `innermost` needs the order of the new blocks.
            flat.number();
        }
        flat.find_escapes(callees);
        flat.find_live();
        flat
    }

    /// Integer constants, by value.
    fn constants(&self) -> BTreeMap<Value, i64> {
        let mut constants = BTreeMap::new();
        for block in &self.blocks {
            for step in block.steps {
                if let StepKind::Scalar(ScalarStep::Integer { value, result }) = step.kind {
                    constants.insert(block.frame.value(result), value);
                }
            }
        }
        constants
    }

    /// Returns the loops whose headers are not in `done`, without those that contain another one, smallest
    /// first.
    fn innermost(&self, done: &BTreeSet<usize>) -> Vec<Loop> {
        let mut loops = self.loops(done);
        let headers: BTreeSet<usize> = loops.iter().map(|own| own.header).collect();
        let is_header = |block: &&usize| headers.contains(block);
        loops.retain(|own| own.blocks.iter().filter(is_header).count() == 1);
        loops.sort_by_key(|own| own.blocks.len());
        self.find_outside(&mut loops);
        loops
    }

    /// Returns the loops whose headers are not in `done`, in reverse post-order of the headers.
    fn loops(&self, done: &BTreeSet<usize>) -> Vec<Loop> {
        let mut rank = vec![usize::MAX; self.blocks.len()];
        for (position, block) in self.order.iter().enumerate() {
            rank[*block] = position;
        }
        let mut loops: Vec<Loop> = Vec::new();
        for header in self.order.iter().filter(|own| !done.contains(own)) {
            let entering = self.predecessors[*header].iter().map(|own| own.0);
            // In reverse post-order, an edge that does not lead forward is a back edge.
            let latches: BTreeSet<usize> = entering
                .filter(|from| rank[*header] <= rank[*from])
                .collect();
            let mut blocks = BTreeSet::from([*header]);
            let mut work: Vec<usize> = latches.iter().copied().collect();
            while let Some(block) = work.pop() {
                if blocks.insert(block) {
                    work.extend(self.predecessors[block].iter().map(|own| own.0));
                }
            }
            // In a loop with several entries, the search leaves the loop and finds the function's.
            if !latches.is_empty() && !blocks.contains(&0) {
                loops.push(Loop {
                    header: *header,
                    defined: self.defined(&blocks),
                    blocks,
                    latches: latches.into_iter().collect(),
                    outside: BTreeSet::new(),
                });
            }
        }
        loops
    }

    /// The decision at the end of the only latch of a counted loop.
    fn count(&self, own: &Loop) -> Option<(&Frame, Count)> {
        let [latch] = own.latches[..] else {
            return None;
        };
        let block = &self.blocks[latch];
        match block.end?.rule {
            Rule::Count(count)
                if !count.is_first
                    && block.iteration.is_none()
                    && block.edges[count.body].to == own.header =>
            {
                Some((&block.frame, count))
            }
            _ => None,
        }
    }

    /// Returns what to make of a loop.
    fn shape(&self, own: &Loop, constants: &BTreeMap<Value, i64>, period: usize) -> Shape {
        let carried = &self.blocks[own.header].arguments;
        let has_tickets = carried.iter().any(|own| *self.types[*own] == TICKET);
        let carried = carried.iter().filter(|own| self.is_storage(**own)).count();
        let (peeled, period) = match self.iterations(own, constants) {
            Some(n) if n <= MAX_ITERATIONS.1 => (n, 1),
            _ => {
                // A condition may be constant for some iterations; a number is known or is not.
                let first = match self.count(own) {
                    Some(_) => 0,
                    None => MAX_ITERATIONS.0,
                };
                // Until then, the loop may carry storages that it does not allocate. A transfer of an
                // earlier iteration is told apart from that of this one if another copy starts it.
                match (carried > 0 || has_tickets) && period > 1 {
                    true => (first.max(carried), period),
                    false => (first, 1),
                }
            }
        };
        Shape { peeled, period }
    }

    /// Returns the number of iterations of a counted loop, if it is known. Larger numbers than
    /// [`MAX_ITERATIONS`] allows are not told apart.
    fn iterations(&self, own: &Loop, constants: &BTreeMap<Value, i64>) -> Option<usize> {
        let (frame, count) = self.count(own)?;
        let known = |own| constants.get(&frame.value(own)).copied();
        let (lower, upper, step) = (known(count.lower)?, known(count.upper)?, known(count.step)?);
        let mut n = 0;
        while n <= MAX_ITERATIONS.1 && has_iteration(lower, upper, step, n)? {
            n += 1;
        }
        Some(n)
    }

    /// Whether copies of a loop can define the values that are used outside of it. Each copy defines its own,
    /// so the exit needs arguments to choose between the copies. There must be only one such place.
    fn can_peel(&self, own: &Loop) -> bool {
        own.outside.is_empty() || self.has_one_exit(own)
    }

    /// Peels iterations off a loop, and unrolls the rest. Adds the headers of new loops to `done`
    /// if those that they are copies of are in it. Updates the predecessors, but not their order.
    fn peel(&mut self, own: &Loop, shape: Shape, done: &mut BTreeSet<usize>) {
        let last = shape.peeled + shape.period - 1;
        let index = self.count(own).map(|(frame, count)| {
            [count.index, count.lower, count.step].map(|value| frame.value(value))
        });
        let names = (0..=last).map(|copy| match copy == last && own.outside.is_empty() {
            true => BTreeMap::new(),
            false => self.renamed(&own.defined),
        });
        let copies = Copies {
            names: names.collect(),
            blocks: own.blocks.iter().copied().collect(),
            of: own,
            shape,
            n_blocks: self.blocks.len(),
            index,
        };
        self.share_storages(&copies);
        let entering = self.unlink(own);
        for (from, edge) in &entering {
            copies.lead(&mut self.blocks[*from].edges[*edge], 0);
        }
        // The last copy takes the place of the loop, so it is made last.
        for copy in 0..=last {
            let mut frames = Frames::default();
            for block in &own.blocks {
                let new = copies.block(copy, *block, &self.blocks[*block], &mut frames);
                let place = copies.place(copy, *block);
                if done.contains(block) && *block != own.header {
                    done.insert(place);
                }
                match copy == last {
                    true => self.blocks[place] = new,
                    false => self.blocks.push(new),
                }
            }
        }
        // The remaining loop begins with the first copy that is not peeled off.
        done.insert(copies.place(shape.peeled, own.header));
        self.predecessors.resize(self.blocks.len(), Vec::new());
        self.predecessors[copies.place(0, own.header)] = entering;
        for copy in 0..=last {
            for block in &own.blocks {
                self.link(copies.place(copy, *block));
            }
        }
    }

    /// Adds the edges of a block to the predecessors of the blocks that they lead to.
    fn link(&mut self, block: usize) {
        for (index, edge) in self.blocks[block].edges.iter().enumerate() {
            self.predecessors[edge.to].push((block, index));
        }
    }

    /// Removes all edges that lead into, through and out of a loop from the predecessors of the blocks that
    /// they lead to. Returns those that lead into it.
    fn unlink(&mut self, own: &Loop) -> Vec<(usize, usize)> {
        let blocks = own.blocks.iter().map(|block| &self.blocks[*block]);
        let targets: BTreeSet<usize> = blocks
            .flat_map(|block| block.edges.iter().map(|edge| edge.to))
            .collect();
        for to in targets {
            self.predecessors[to].retain(|(from, _)| !own.blocks.contains(from));
        }
        std::mem::take(&mut self.predecessors[own.header])
    }

    /// Whether control leaves a loop for one block only, which it cannot enter from elsewhere.
    fn has_one_exit(&self, own: &Loop) -> bool {
        let blocks = own.blocks.iter().map(|block| &self.blocks[*block]);
        let targets = blocks.flat_map(|block| block.edges.iter().map(|edge| edge.to));
        let exits: BTreeSet<usize> = targets.filter(|to| !own.blocks.contains(to)).collect();
        let mut entering = exits.iter().flat_map(|exit| &self.predecessors[*exit]);
        exits.len() == 1 && entering.all(|(from, _)| own.blocks.contains(from))
    }

    /// Lets storages that are allocated in one iteration of an unrolled loop be used again after
    /// some others. Otherwise, no iteration would begin with the same storages as an earlier one.
    fn share_storages(&mut self, copies: &Copies<'_>) {
        let mut allocated = BTreeSet::new();
        for block in copies.of.blocks.iter().map(|block| &self.blocks[*block]) {
            for step in block.steps {
                if let StepKind::Storage(StorageStep::Allocate { result, .. }) = step.kind {
                    allocated.insert(block.frame.value(result));
                }
            }
        }
        let is_unrolled = copies.shape.period > 1;
        let defined = copies.of.defined.iter().copied();
        let shared: BTreeSet<Value> = defined
            .filter(|own| self.owners.contains_key(own))
            .collect();
        for value in if is_unrolled { allocated } else { shared } {
            let owner = self.owners.get(&value).copied().unwrap_or(value);
            for copy in 0..copies.names.len() {
                let of = if is_unrolled {
                    copy % copies.shape.period
                } else {
                    copy
                };
                self.owners
                    .insert(copies.name(copy, value), copies.name(of, owner));
            }
        }
    }

    /// Returns the values that are defined in some blocks.
    fn defined(&self, blocks: &BTreeSet<usize>) -> BTreeSet<Value> {
        let mut defined = BTreeSet::new();
        for index in blocks {
            let block = &self.blocks[*index];
            defined.extend(&block.arguments);
            let results = block.steps.iter().flat_map(|step| step.kind.results());
            defined.extend(results.map(|own| block.frame.value(own)));
            for (from, edge) in &self.predecessors[*index] {
                let passed = self.blocks[*from].edges[*edge].values.iter();
                defined.extend(passed.map(|own| own.1));
            }
        }
        defined
    }

    /// Finds the values defined in each of some disjoint loops that blocks outside of it use. O(uses).
    fn find_outside(&self, loops: &mut [Loop]) {
        // By value and by block: the number of its loop.
        let mut defines: Vec<Option<usize>> = vec![None; self.types.len()];
        let mut contains: Vec<Option<usize>> = vec![None; self.blocks.len()];
        for (number, own) in loops.iter().enumerate() {
            for value in &own.defined {
                defines[*value] = Some(number);
            }
            for block in &own.blocks {
                contains[*block] = Some(number);
            }
        }
        for index in &self.order {
            let block = &self.blocks[*index];
            let of_steps = block.steps.iter().flat_map(|step| step.kind.operands());
            let of_end = block
                .end
                .into_iter()
                .flat_map(|end| end.operands.iter().copied());
            let counted = block.end.into_iter().flat_map(|end| match end.rule {
                Rule::Count(own) => vec![own.lower, own.upper, own.step],
                _ => Vec::new(),
            });
            let values = of_steps.chain(of_end).chain(counted);
            let values = values.map(|own| block.frame.value(own));
            let passed = block.edges.iter().flat_map(|edge| &edge.values);
            for value in values.chain(passed.filter_map(|own| own.0)) {
                if let Some(own) = defines[value].filter(|_| defines[value] != contains[*index]) {
                    loops[own].outside.insert(value);
                }
            }
        }
    }

    /// Returns a new name for each of some values.
    fn renamed(&mut self, defined: &BTreeSet<Value>) -> BTreeMap<Value, Value> {
        let mut names = BTreeMap::new();
        for value in defined {
            names.insert(*value, self.types.len());
            self.types.push(self.types[*value]);
        }
        names
    }
}

/// The copies of a loop.
struct Copies<'l> {
    of: &'l Loop,
    /// The blocks of the loop, in order.
    blocks: Vec<usize>,
    shape: Shape,
    /// Number of blocks before there are copies.
    n_blocks: usize,
    /// By copy: the new names of the values that the loop defines. The last copy keeps the names if
    /// no block outside uses any of them.
    names: Vec<BTreeMap<Value, Value>>,
    /// Of a counted loop: the index, its first value, and the step.
    index: Option<[Value; 3]>,
}

impl Copies<'_> {
    /// Returns the number of a block in a copy. The last copy is in the place of the loop.
    fn place(&self, copy: usize, block: usize) -> usize {
        match self.blocks.binary_search(&block) {
            Ok(position) if copy + 1 < self.names.len() => {
                self.n_blocks + copy * self.blocks.len() + position
            }
            _ => block,
        }
    }

    fn name(&self, copy: usize, value: Value) -> Value {
        self.names[copy].get(&value).copied().unwrap_or(value)
    }

    /// Returns a block of the loop in a copy. `frames`: those of the other blocks in the copy.
    fn block<'a>(
        &self,
        copy: usize,
        number: usize,
        block: &FlatBlock<'a>,
        frames: &mut Frames,
    ) -> FlatBlock<'a> {
        let mut new = block.clone();
        new.frame = frames.renamed(&block.frame, &self.names[copy]);
        for argument in &mut new.arguments {
            *argument = self.name(copy, *argument);
        }
        if let Some(own) = &mut new.index {
            for value in [&mut own.value, &mut own.lower, &mut own.step] {
                *value = self.name(copy, *value);
            }
        }
        let iteration = i64::try_from(copy).unwrap_or(i64::MAX);
        if let Some([value, lower, step]) = self.index.filter(|_| copy < self.shape.peeled) {
            if number == self.of.header {
                let value = self.name(copy, value);
                new.index = Some(Index {
                    value,
                    lower,
                    step,
                    iteration,
                });
            }
            if self.of.latches.contains(&number) {
                new.iteration = Some(iteration);
            }
        }
        for edge in &mut new.edges {
            for (from, _) in &mut edge.values {
                *from = from.map(|own| self.name(copy, own));
            }
            if edge.to == self.of.header {
                // The last copy leads back to the first one that is not peeled off.
                let is_last = copy + 1 == self.names.len();
                self.lead(edge, if is_last { self.shape.peeled } else { copy + 1 });
            } else if self.of.blocks.contains(&edge.to) {
                self.lead(edge, copy);
            } else {
                // Each copy passes its own values to the blocks outside.
                let outside = self.of.outside.iter();
                let passed = outside.map(|own| (Some(self.name(copy, *own)), *own));
                edge.values.extend(passed);
            }
        }
        new
    }

    /// Lets an edge to a block of the loop lead to that block in a copy.
    fn lead(&self, edge: &mut FlatEdge, copy: usize) {
        edge.to = self.place(copy, edge.to);
        for (_, to) in &mut edge.values {
            *to = self.name(copy, *to);
        }
    }
}

/// Names of values in a copy, by their names in the loop.
type Names = BTreeMap<Value, Value>;

/// The names in the blocks of one copy, by the names that a block has already: blocks share them.
#[derive(Default)]
struct Frames(FxHashMap<Option<*const Names>, Rc<Names>>);

impl Frames {
    /// Returns the frame in which values have other names.
    fn renamed(&mut self, frame: &Frame, names: &Names) -> Frame {
        if names.is_empty() {
            return frame.clone();
        }
        let before = frame.renamed.as_ref();
        let renamed = self.0.entry(before.map(Rc::as_ptr)).or_insert_with(|| {
            // Inner loops are peeled first, and the names that they introduced are renamed in turn.
            let before = before.into_iter().flat_map(|own| own.iter());
            let new = |value: &Value| names.get(value).copied().unwrap_or(*value);
            let mut renamed = names.clone();
            renamed.extend(before.map(|(own, now)| (*own, new(now))));
            Rc::new(renamed)
        });
        Frame {
            first: frame.first,
            renamed: Some(Rc::clone(renamed)),
        }
    }
}

/// Returns the number of decisions and returns at the ends of blocks.
pub(crate) fn n_decisions<'b, 'a: 'b>(
    blocks: impl IntoIterator<Item = &'b FlatBlock<'a>>,
) -> usize {
    let blocks = blocks.into_iter();
    blocks.filter(|block| block.end.is_some()).count()
}

/// Whether a counted loop has an iteration after `n` others; `None` if that depends on whether its
/// numbers are signed, or if they overflow.
pub(crate) fn has_iteration(lower: i64, upper: i64, step: i64, n: usize) -> Option<bool> {
    let n = i64::try_from(n).ok()?;
    if lower < 0 || upper < 0 || step <= 0 {
        return None;
    }
    let index = step.checked_mul(n)?.checked_add(lower)?;
    Some(index < upper)
}
