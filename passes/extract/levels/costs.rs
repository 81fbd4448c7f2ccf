//! Costs of steps, how often they execute, and the levels in which they accept operands.

use std::collections::HashMap;

use mem_cost::serial_waits;
use mem_flow::dependence::AccessId;
use mem_model::{BufferId, Bytes, Hierarchy, LevelId, LinkUse, PointerKind, StepId};

use super::messages::link_uses;
use crate::extract::Extraction;
use crate::extract::is_wait;
use crate::extract::precise::touched_bytes;
use crate::ir::dialect::KernelOp;
use crate::ir::iteration::cycles;
use crate::ir::{Block, Op, branch_edges};

/// Assumed trip count of a loop whose trip count is unknown.
const UNKNOWN_TRIPS: u64 = 8;

/// The levels in which a step accepts a buffer; if absent, all. Never empty.
pub(crate) type Accepted = HashMap<(StepId, BufferId), Vec<LevelId>>;

/// Makes a step accept a buffer only in `levels`, in addition to what holds already. Returns whether
/// it still accepts the buffer in some level; if not, nothing is changed.
pub(crate) fn restrict(
    accepted: &mut Accepted,
    key: (StepId, BufferId),
    levels: &[LevelId],
) -> bool {
    let both: Vec<LevelId> = match accepted.get(&key) {
        Some(known) => {
            let known = known.iter().copied();
            known.filter(|level| levels.contains(level)).collect()
        }
        None => levels.to_vec(),
    };
    // An empty list would stand for all levels.
    let is_possible = !both.is_empty();
    if is_possible {
        accepted.insert(key, both);
    }
    is_possible
}

/// Properties of the steps of a function.
pub(super) struct Costs {
    /// Indexed by step: executions per call of the function.
    pub repeats: Vec<u64>,
    /// Indexed by step: cycles of computation and of waiting per execution.
    pub cycles: Vec<u64>,
    /// Indexed by step: those of `cycles` that wait for messages. Empty without a link.
    pub waits: Vec<u64>,
    /// Indexed by step: the part in messages and copies. Empty if there are none.
    pub links: Vec<LinkUse>,
    /// Indexed by step and access: the most bytes that one execution touches; `None`: unknown.
    pub touched: Vec<Vec<Option<Bytes>>>,
    pub accepted: Accepted,
    /// The first step that accepts a buffer in no level, because it accepts two operands in
    /// different levels and both are in that buffer.
    pub contradiction: Option<(StepId, BufferId)>,
}

impl Costs {
    pub(super) fn new(function: Op, extraction: &Extraction, hierarchy: &Hierarchy) -> Self {
        let mut trips = Trips::new(function);
        let mut costs = Self {
            repeats: Vec::new(),
            cycles: Vec::new(),
            waits: Vec::new(),
            links: Vec::new(),
            touched: Vec::new(),
            accepted: HashMap::new(),
            contradiction: None,
        };
        for (index, op) in extraction.step_ops.iter().enumerate() {
            costs.repeats.push(trips.of(*op));
            costs.cycles.push(cycles(*op, hierarchy.compute));
            let step = StepId::new(index);
            let accesses = 0..extraction.program.steps[index].accesses.len() as u32;
            let value = |index| extraction.access_values.get(AccessId { step, index });
            // The bytes of a message or of a copy are accessed where it starts.
            costs.touched.push(match is_wait(*op) {
                true => accesses.map(|_| Some(Bytes::ZERO)).collect(),
                false => accesses
                    .map(|index| touched_bytes(*op, value(index)?))
                    .collect(),
            });
            costs.add_accepted(step, *op, extraction, hierarchy);
        }
        costs.links = link_uses(extraction, hierarchy);
        if !costs.links.is_empty() {
            costs.waits = serial_waits(&costs.links, &costs.repeats, &costs.cycles);
            for (cycles, waits) in costs.cycles.iter_mut().zip(&costs.waits) {
                *cycles = cycles.saturating_add(*waits);
            }
        }
        costs
    }

    /// Restricts all accesses of all steps to one level.
    pub(super) fn accept_only(&mut self, level: LevelId, extraction: &Extraction) {
        // All operands are in one level, so rules for operands do not apply.
        self.contradiction = None;
        for (index, step) in extraction.program.steps.iter().enumerate() {
            for access in &step.accesses {
                let kind = extraction.program.pointers[access.pointer.index()].kind;
                if let PointerKind::Buffer(buffer) = kind {
                    self.accepted
                        .insert((StepId::new(index), buffer), vec![level]);
                }
            }
        }
    }

    fn add_accepted(
        &mut self,
        step: StepId,
        op: Op,
        extraction: &Extraction,
        hierarchy: &Hierarchy,
    ) {
        if hierarchy.operands.is_empty() {
            return;
        }
        let kernel = KernelOp::of(op).map(KernelOp::name);
        for rule in &hierarchy.operands {
            let is_meant = rule.operation == op.name() || Some(&rule.operation) == kernel.as_ref();
            let Some(value) = op.operands().nth(rule.index).filter(|_| is_meant) else {
                continue;
            };
            let place = extraction.places.get(&value);
            let kind = place.map(|place| extraction.program.pointers[place.pointer.index()].kind);
            // If several rules apply to an operand, all of them hold.
            if let Some(PointerKind::Buffer(buffer)) = kind
                && !restrict(&mut self.accepted, (step, buffer), &rule.levels)
            {
                self.contradiction.get_or_insert((step, buffer));
            }
        }
    }
}

/// Execution counts of operations.
struct Trips {
    /// Trip count of the back edges that span a block, in a region with several blocks.
    jumps: HashMap<Block, u64>,
    /// Executions of the body of an operation with regions, per call of the function.
    known: HashMap<Op, u64>,
}

impl Trips {
    fn new(function: Op) -> Self {
        let mut jumps = HashMap::new();
        let mut ops = vec![function];
        function.walk(&mut |op| ops.push(op));
        for op in ops {
            for region in op.regions() {
                let blocks: Vec<Block> = region.blocks().collect();
                // Nothing jumps to an entry block, so a single block is only repeated by the
                // operation around it.
                if blocks.len() < 2 {
                    continue;
                }
                // Layout order approximates loop nesting: the body of a loop is every block from
                // the target of a back edge to its source. Trip counts of nested loops multiply.
                let numbers: HashMap<Block, usize> =
                    blocks.iter().enumerate().map(|(i, b)| (*b, i)).collect();
                for (from, block) in blocks.iter().enumerate() {
                    let targets = block.terminator().map(branch_edges).unwrap_or_default();
                    for to in targets.iter().filter_map(|(target, _)| numbers.get(target)) {
                        // The range is empty for a forward edge, which repeats nothing.
                        for passed in blocks.get(*to..=from).unwrap_or_default() {
                            let trips = jumps.entry(*passed).or_insert(1_u64);
                            *trips = trips.saturating_mul(UNKNOWN_TRIPS);
                        }
                    }
                }
            }
        }
        Self {
            jumps,
            known: HashMap::new(),
        }
    }

    /// Executions of `op` per call of its function.
    fn of(&mut self, op: Op) -> u64 {
        let own = op.block().and_then(|block| self.jumps.get(&block)).copied();
        let around = match op.parent() {
            // Memoized per parent: its steps share the product, and nests can be deep.
            Some(parent) if parent.name() != "func.func" => {
                let known = self.known.get(&parent).copied();
                known.unwrap_or_else(|| {
                    let trips = self.of(parent).saturating_mul(trips(parent));
                    self.known.insert(parent, trips);
                    trips
                })
            }
            _ => 1,
        };
        around.saturating_mul(own.unwrap_or(1))
    }
}

/// Trip count of a loop; 1 for other operations.
fn trips(op: Op) -> u64 {
    match op.name() {
        "scf.for" => {
            let bounds = [0, 1, 2].map(|index| op.operand(index).constant());
            match bounds {
                // A loop without iterations counts as one: repetitions are at least one.
                [Some(start), Some(end), Some(step)] if step > 0 => {
                    let distance = end.max(start).abs_diff(start);
                    distance.div_ceil(step.unsigned_abs()).max(1)
                }
                _ => UNKNOWN_TRIPS,
            }
        }
        // Bounds of an `affine.for` are affine maps, which are not evaluated here.
        "scf.while" | "affine.for" => UNKNOWN_TRIPS,
        _ => 1,
    }
}
