//! Writes accepted plans into the IR: repeated operations, one arena per level, one view per place,
//! and the copies in between.
//!
//! The first place of a tensor replaces its buffer. An operation that finds the tensor in another
//! place gets clones of the views through which it accesses the tensor, applied to that place.

use std::collections::{HashMap, HashSet};

use mem_model::{BufferId, Bytes, LevelId, PlacementId, Repetition, Tensor, Transfer};

use super::PlannedLevels;
use crate::extract::levels::{Positions, roots};
use crate::ir::dialect::ViewOp;
use crate::ir::tensors::{ARGUMENT_NAME, RECOMPUTE, slot_name};
use crate::ir::{
    Attribute, Block, Builder, Op, Type, Value, arena_type, buffer_size, byte_memref, chain,
    view_source,
};
use crate::plan::rotate::rotate;

/// Writes the plan of one function. Erasing comes last.
pub(super) fn materialize(planned: &PlannedLevels, noalias_arguments: bool) {
    let mut writer = Writer::new(planned);
    writer.name_arguments();
    if noalias_arguments {
        assert_noalias(planned.function.op);
    }
    writer.add_arenas();
    writer.add_first_places();
    writer.add_transfers();
    writer.rewrite_steps();
    writer.erase_buffers();
}

/// Records in the function that its arguments share no bytes: the plan relies on this assertion by
/// the user of the pass.
fn assert_noalias(function: Op) {
    const NAME: &str = "mem.noalias";
    let context = function.context();
    set_argument_attributes(function, |argument, known| {
        let is_new = crate::ir::is_storage(argument.ty()) && known.entry(NAME).is_none();
        let unit = Attribute::unit(context);
        is_new.then(|| Attribute::with_entry(context, Some(known), NAME, unit))
    });
}

/// Replaces the attributes of the arguments for which `replaced` returns new ones.
fn set_argument_attributes(function: Op, replaced: impl Fn(Value, Attribute) -> Option<Attribute>) {
    let entry = function.regions().next().and_then(|r| r.first_block());
    let Some(entry) = entry else { return };
    let context = function.context();
    let known = function.attribute("arg_attrs").and_then(|a| a.elements());
    let mut has_changed = false;
    let of_arguments = entry.arguments().enumerate().map(|(index, argument)| {
        let known = known.as_ref().and_then(|known| known.get(index)).copied();
        let known = known.unwrap_or_else(|| Attribute::dictionary(context, &[]));
        let new = replaced(argument, known);
        has_changed |= new.is_some();
        new.unwrap_or(known)
    });
    let of_arguments: Vec<Attribute> = of_arguments.collect();
    if has_changed {
        function.set_attribute("arg_attrs", Attribute::array(context, &of_arguments));
    }
}

struct Writer<'a> {
    planned: &'a PlannedLevels,
    roots: HashMap<BufferId, Value>,
    /// Indexed by level.
    arenas: Vec<Option<Value>>,
    /// Indexed by placement: the value that denotes it, once it has been created.
    views: Vec<Option<Value>>,
    /// Indexed by tensor: its first placement in an arena.
    first: Vec<Option<PlacementId>>,
    /// Clones of views for other places, by placement, by the value that is cloned, and by block.
    clones: HashMap<(PlacementId, Value, Block), Value>,
    /// The operation of each step of the problem, repetitions included.
    step_ops: Vec<Op>,
    positions: Positions,
}

/// Inserts a copy of each operation that the plan repeats. Returns the operation of each step of
/// the problem.
fn insert_repetitions(planned: &PlannedLevels) -> Vec<Op> {
    let step_ops = &planned.extraction.step_ops;
    let of_step = |own: &Repetition| {
        if !own.is_again() {
            return step_ops[own.step];
        }
        let before = step_ops[own.before];
        let again = step_ops[own.step].copied();
        again.set_attribute(RECOMPUTE, Attribute::unit(before.context()));
        again.insert_before(before);
        again
    };
    planned.steps.iter().map(of_step).collect()
}

impl<'a> Writer<'a> {
    fn new(planned: &'a PlannedLevels) -> Self {
        let problem = &planned.extract.problem;
        let mut first = vec![None; problem.tensors.len()];
        for (index, placement) in planned.plan.placements.iter().enumerate() {
            if placement.offset.is_some()
                && problem.tensors[placement.tensor.index()].home.is_none()
            {
                first[placement.tensor.index()].get_or_insert(PlacementId::new(index));
            }
        }
        let step_ops = insert_repetitions(planned);
        Self {
            planned,
            roots: roots(&planned.extraction),
            arenas: vec![None; problem.hierarchy.levels.len()],
            views: vec![None; planned.plan.placements.len()],
            first,
            clones: HashMap::new(),
            positions: Positions::new(planned.function.op, &step_ops),
            step_ops,
        }
    }

    fn tensor(&self, placement: PlacementId) -> &'a Tensor {
        &self.planned.extract.problem.tensors[self.planned.plan.placements[placement.index()]
            .tensor
            .index()]
    }

    fn root(&self, placement: PlacementId) -> Value {
        let buffer = self.buffer(placement);
        let root = self.roots.get(&buffer).copied();
        root.unwrap_or_else(|| {
            panic!(
                "'{}' has no value, {:?}",
                self.tensor(placement).name,
                self.planned.plan.placements[placement.index()]
            )
        })
    }

    fn buffer(&self, placement: PlacementId) -> BufferId {
        self.planned.extract.origins[self.planned.plan.placements[placement.index()]
            .tensor
            .index()]
        .buffer
    }

    /// Gives arguments that have other places the name of those places: the common name identifies
    /// them as one tensor.
    fn name_arguments(&self) {
        let placements = self.planned.plan.placements.iter().enumerate();
        let elsewhere = placements.filter(|(_, placement)| placement.offset.is_some());
        let mut names: HashMap<Value, String> = HashMap::new();
        for (index, _) in elsewhere {
            let id = PlacementId::new(index);
            let buffer = self.buffer(id);
            if let Some(root) = self
                .roots
                .get(&buffer)
                .filter(|root| root.owner().is_none())
            {
                names.insert(*root, self.tensor(id).name.clone());
            }
        }
        let context = self.planned.function.op.context();
        set_argument_attributes(self.planned.function.op, |argument, known| {
            let name = names.get(&argument)?;
            let name = Attribute::string_attribute(context, name);
            Some(Attribute::with_entry(
                context,
                Some(known),
                ARGUMENT_NAME,
                name,
            ))
        });
    }

    /// Creates the arenas: the memory that the plan takes from each level.
    fn add_arenas(&mut self) {
        let problem = &self.planned.extract.problem;
        let Some(start) = self.positions.start() else {
            return;
        };
        let context = self.planned.function.op.context();
        for (index, level) in problem.hierarchy.levels.iter().enumerate() {
            let plan = &self.planned.plan;
            if let Some(size) = plan.peak(problem, LevelId::new(index)) {
                let placements = plan.placements.iter();
                let there =
                    placements.filter(|own| own.offset.is_some() && own.level.index() == index);
                let alignments = there.map(|own| problem.tensors[own.tensor.index()].alignment);
                let alignment = alignments.fold(level.alignment, Bytes::max);
                let arena = Builder::new("mem.arena", self.planned.function.op.location())
                    .result(arena_type(context))
                    .string(context, "level", &level.name)
                    .string(context, "strategy", self.planned.strategy)
                    // The plan exists, so sizes fit in 63 bits.
                    .integer(context, "size", size.get() as i64)
                    .integer(context, "alignment", alignment.get() as i64);
                self.arenas[index] = Some(arena.before(start).result());
            }
        }
    }

    /// Creates the first place of each tensor where its buffer is.
    fn add_first_places(&mut self) {
        for tensor in 0..self.first.len() {
            let Some(placement) = self.first[tensor] else {
                continue;
            };
            let origin = self.planned.extract.origins[tensor];
            let Some(op) = self.planned.extraction.buffer_ops[origin.buffer.index()] else {
                continue;
            };
            let is_turning = origin.stride > Bytes::ZERO;
            let view = match is_turning {
                false => self.view(placement, op, Bytes::ZERO, None),
                true => self.turns(placement, op, origin.stride),
            };
            self.views[placement.index()] = Some(view);
        }
    }

    /// Creates the slots that the instances of a buffer rotate through.
    fn turns(&mut self, placement: PlacementId, op: Op, stride: Bytes) -> Value {
        let n_slots = self.tensor(placement).size.get() / stride.get();
        let slots: Vec<Value> = (0..n_slots)
            .map(|slot| {
                let distance = Bytes::new(slot * stride.get());
                self.view(placement, op, distance, Some(slot))
            })
            .collect();
        let buffer = self.buffer(placement);
        let rotations = self.planned.lifetimes.rotations.iter();
        let avoided = rotations.filter(|rotation| rotation.buffer == buffer);
        let avoided: Vec<_> = avoided
            .flat_map(|rotation| rotation.avoid.clone())
            .collect();
        rotate(&self.planned.extraction, op, &slots, &avoided)
    }

    /// Creates a view of a place, `distance` bytes after its start, before an operation.
    fn view(
        &self,
        placement: PlacementId,
        before: Op,
        distance: Bytes,
        slot: Option<u64>,
    ) -> Value {
        let own = &self.planned.plan.placements[placement.index()];
        let (tensor, buffer) = (self.tensor(placement), self.buffer(placement));
        let context = before.context();
        let root = self.root(placement);
        let name = match slot {
            Some(slot) => slot_name(&tensor.name, slot),
            None => tensor.name.clone(),
        };
        let offset = own.offset.map_or(0, Bytes::get) + distance.get();
        let arena = self.arenas[own.level.index()];
        let mut view = Builder::new("mem.view", root.location())
            .operands(arena)
            .result(root.ty())
            .integer(context, "offset", offset as i64)
            .string(context, "name", &name)
            .integer(context, "alignment", tensor.alignment.get() as i64);
        let op = self.planned.extraction.buffer_ops[buffer.index()];
        if let Some(role) = op.and_then(|op| op.attribute("role")) {
            view = view.attribute("role", role);
        }
        view.before(before).result()
    }

    /// A value that denotes a placement, created before an operation if none is visible there.
    fn placed(&mut self, placement: PlacementId, before: Op) -> Value {
        if let Some(view) = self.views[placement.index()] {
            // A view in one region is not visible in a sibling region, so it moves to the start of
            // the function, where all regions see it. A second view instead would make analyses
            // follow the bytes of one placement under two names. A `mem.rotate` stays: it selects
            // a slot where it is, and is where the buffer was, which dominates all uses.
            let op = view.owner().filter(|op| ViewOp::of(*op).is_some());
            if let (false, Some(op), Some(start)) =
                (is_seen_from(view, before), op, self.positions.start())
            {
                op.move_before(start);
            }
            return view;
        }
        let own = &self.planned.plan.placements[placement.index()];
        let root = self.root(placement);
        if own.offset.is_none() {
            // A global is looked up again where it is needed.
            return match root.owner() {
                Some(op) if op.name() == "memref.get_global" => {
                    op.copied_before(before, |operand| operand).result()
                }
                _ => root,
            };
        }
        let view = self.view(placement, before, Bytes::ZERO, None);
        self.views[placement.index()] = Some(view);
        view
    }

    fn add_transfers(&mut self) {
        let plan = &self.planned.plan;
        // A place that no transfer fills exists from the definition of its buffer on.
        let filled: HashSet<PlacementId> =
            plan.transfers.iter().map(|transfer| transfer.to).collect();
        for (index, placement) in plan.placements.iter().enumerate() {
            let id = PlacementId::new(index);
            let is_open = placement.offset.is_some() && self.views[index].is_none();
            if is_open && !filled.contains(&id) {
                let op = self.planned.extraction.buffer_ops[self.buffer(id).index()];
                let op = op.filter(|op| op.name() == "mem.buffer");
                if let Some(before) = op.or_else(|| self.positions.start()) {
                    self.placed(id, before);
                }
            }
        }
        let n_gaps = self.planned.extract.problem.steps.len() + 1;
        // Indexed by gap: the tokens to wait for, each with the operation to wait before.
        let mut tokens: Vec<Vec<(Op, Value)>> = vec![Vec::new(); n_gaps];
        let mut transfers = plan.transfers.iter().peekable();
        for gap in 0..n_gaps {
            // A transfer that is due at this gap has to complete before anything else happens
            // there.
            wait(&tokens[gap]);
            while let Some(transfer) = transfers.next_if(|transfer| transfer.before == gap) {
                let token = self.add_transfer(transfer);
                let is_inside = self.tensor(transfer.from).within.is_some();
                let until = self.positions.before(transfer.until, is_inside);
                if let (Some(token), Some(until)) = (token, until) {
                    tokens[transfer.until].push((until, token));
                }
            }
        }
    }

    /// Writes one transfer. Returns its token if the transfer stays in flight beyond its position.
    fn add_transfer(&mut self, transfer: &Transfer) -> Option<Value> {
        let plan = &self.planned.plan;
        let is_inside = self.tensor(transfer.from).within.is_some();
        let before = self.positions.before(transfer.before, is_inside)?;
        let level = |placement: PlacementId| plan.placements[placement.index()].level;
        let (from, to) = (level(transfer.from), level(transfer.to));
        let name = transfer_name(from, to, transfer.keeps_source);
        let [source, target] = [transfer.from, transfer.to].map(|placement| {
            let view = self.placed(placement, before);
            all_bytes(view, before)
        });
        let copy = Builder::new(name, source.location()).operands([source, target]);
        match transfer.until > transfer.before {
            true => {
                let token = Type::parse(before.context(), "!mem.token");
                Some(copy.result(token).before(before).result())
            }
            false => {
                copy.before(before);
                None
            }
        }
    }

    /// Makes each step access its operands in the places that the plan assigns.
    fn rewrite_steps(&mut self) {
        let nests = self.positions.nests().clone();
        let steps = self.planned.extract.problem.steps.iter();
        for (index, step) in steps.enumerate() {
            let op = self.step_ops[index];
            let mut moved: HashMap<BufferId, PlacementId> = HashMap::new();
            for (used, placement) in step.uses.iter().zip(&self.planned.plan.accessed[index]) {
                let own = &self.planned.plan.placements[placement.index()];
                let is_elsewhere =
                    own.offset.is_some() && self.first[used.tensor.index()] != Some(*placement);
                if is_elsewhere {
                    moved.insert(self.buffer(*placement), *placement);
                }
            }
            if moved.is_empty() {
                continue;
            }
            // Steps inside of a nest are rewritten in their own turn.
            if nests.contains(&op) {
                self.rewrite(op, op, &moved);
            } else {
                let mut inside = vec![op];
                op.walk(&mut |nested| inside.push(nested));
                let made: HashSet<Value> = inside[1..].iter().flat_map(|op| op.results()).collect();
                for nested in inside {
                    self.rewrite_outside(nested, op, &moved, &made);
                }
            }
        }
    }

    fn rewrite(&mut self, op: Op, step: Op, moved: &HashMap<BufferId, PlacementId>) {
        self.rewrite_outside(op, step, moved, &HashSet::new());
    }

    /// Replaces operands that are defined outside of a step. `made`: the values defined inside.
    fn rewrite_outside(
        &mut self,
        op: Op,
        step: Op,
        moved: &HashMap<BufferId, PlacementId>,
        made: &HashSet<Value>,
    ) {
        let operands: Vec<Value> = op.operands().collect();
        let replaced: Vec<Value> = operands
            .iter()
            .map(|operand| {
                let placement = self
                    .buffer_of(*operand)
                    .and_then(|buffer| moved.get(&buffer));
                match placement.filter(|_| !made.contains(operand)) {
                    Some(placement) => self.seen_at(*operand, *placement, step),
                    None => *operand,
                }
            })
            .collect();
        if replaced != operands {
            op.set_operands(&replaced);
        }
    }

    /// The buffer whose bytes a value denotes; `None` if it may be one of several.
    fn buffer_of(&self, value: Value) -> Option<BufferId> {
        let place = self.planned.extraction.places.get(&value)?;
        let program = &self.planned.extraction.program;
        program.pointers[place.pointer.index()].kind.buffer()
    }

    /// The view `value`, applied to a placement of its tensor. Clones the views that are not known
    /// yet.
    fn seen_at(&mut self, value: Value, placement: PlacementId, step: Op) -> Value {
        let source = |at: Value| view_source(at.owner()?).filter(|_| !self.is_root(at));
        let views = chain(value, source).filter_map(|at| Some((at.owner()?, at, source(at)?)));
        let views: Vec<_> = views.collect();
        let mut seen = self.placed(placement, step);
        for (op, value, source) in views.into_iter().rev() {
            let Some(block) = step.block() else { break };
            let key = (placement, value, block);
            if let Some(known) = self.clones.get(&key) {
                seen = *known;
                continue;
            }
            let replace = |operand| if operand == source { seen } else { operand };
            seen = op.copied_before(step, replace).result();
            self.clones.insert(key, seen);
        }
        seen
    }

    /// Whether a value is storage itself, and not a view of storage.
    fn is_root(&self, value: Value) -> bool {
        let owner = value.owner();
        owner.is_none_or(|op| matches!(op.name(), "mem.buffer" | "memref.get_global"))
    }

    /// Erases the buffers that have been replaced by places.
    fn erase_buffers(&mut self) {
        for (tensor, first) in self.first.iter().enumerate() {
            let buffer = self.planned.extract.origins[tensor].buffer;
            let op = self.planned.extraction.buffer_ops[buffer.index()];
            if let (Some(op), Some(view)) = (op, first.and_then(|first| self.views[first.index()]))
            {
                op.result().replace_with(view);
                op.erase();
            }
        }
    }
}

/// Whether a value is known to dominate an operation that is processed after it: it is defined in
/// the block of the operation or in an enclosing one, or in the entry block of such a block's
/// region.
fn is_seen_from(value: Value, op: Op) -> bool {
    let Some(own) = value.owner().and_then(Op::block) else {
        return true;
    };
    let entry = |block: Block| {
        block
            .parent_region()
            .and_then(crate::ir::Region::first_block)
    };
    let mut around = std::iter::successors(Some(op), |op| op.parent()).filter_map(Op::block);
    around.any(|block| block == own || entry(block) == Some(own))
}

/// Inserts waits for tokens. Tokens to be awaited before the same operation share a wait.
fn wait(tokens: &[(Op, Value)]) {
    let mut places: Vec<Op> = tokens.iter().map(|(before, _)| *before).collect();
    let mut seen = HashSet::new();
    places.retain(|place| seen.insert(*place));
    for place in places {
        let own = tokens.iter().filter(|(before, _)| *before == place);
        Builder::new("mem.wait", place.location())
            .operands(own.map(|(_, token)| *token))
            .before(place);
    }
}

/// The dialect's name for a transfer between two levels.
fn transfer_name(from: LevelId, to: LevelId, keeps_source: bool) -> &'static str {
    match (keeps_source, from.cmp(&to)) {
        (false, std::cmp::Ordering::Equal) => "mem.move",
        (false, _) => "mem.swap",
        (true, std::cmp::Ordering::Less) => "mem.store",
        (true, _) => "mem.load",
    }
}

/// A place as a memref.
fn all_bytes(view: Value, before: Op) -> Value {
    let Some(size) = buffer_size(view.ty()) else {
        return view;
    };
    let context = before.context();
    Builder::new("mem.descriptor", view.location())
        .operands([view])
        .result(byte_memref(context, Some(size)))
        .integers(context, "static_bounds", &[0, size])
        .before(before)
        .result()
}
