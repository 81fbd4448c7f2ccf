//! Checks that a planned program equals the original, except for where its tensors are.
//!
//! Both programs are walked in parallel. Each operation of the original has a counterpart, in the
//! same order, with the same attributes and regions, and with corresponding operands: scalars
//! correspond one to one, and storage corresponds by tensor and by the views through which it is
//! accessed. The additional operations of the planned program have no effect: places in arenas,
//! views, arithmetic, copies of a tensor to itself, waits for those copies, and recomputations,
//! which are checked elsewhere.
//!
//! The first use of a place determines the buffer that it stands for; all later uses have to agree.
//!
//! Linear in operations, operands and lengths of chains of views.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::ir::dialect::is_transfer;
use crate::ir::spaces::without_space;
use crate::ir::tensors::{NOTES, RECOMPUTE, Tensors, shown_by, shows_the_same, uncast};
use crate::ir::{
    Attribute, Block, Diagnostic, Op, Region, Type, Value, chain, is_arena, is_pure, is_storage,
};
use crate::ir::{Failed, PassResult};

/// Compares the bodies of two functions.
pub(super) fn compare_functions(original: Op, planned: Op) -> PassResult {
    let mut comparison = Comparison::new(planned);
    let bodies = original.regions().next().zip(planned.regions().next());
    let result = bodies.map_or(Ok(()), |(own, theirs)| comparison.regions(own, theirs));
    result.and_then(|()| comparison.check_assumed())
}

/// Compares the regions of two operations that are not functions.
pub(super) fn compare_regions(original: Op, planned: Op) -> PassResult {
    Comparison::new(planned).region_lists(original, planned)
}

/// Compares operations of one planned function, which must not change meanwhile.
pub(crate) struct Repetitions(Comparison);

impl Repetitions {
    pub(crate) fn new(function: Op) -> Self {
        let mut comparison = Comparison::new(function);
        comparison.is_within = true;
        Self(comparison)
    }

    /// Whether two operations do the same, with the same operands.
    pub(crate) fn computes_the_same(&mut self, original: Op, repetition: Op) -> bool {
        self.0.forget();
        let same = self.0.heads(original, repetition);
        same && self.0.region_lists(original, repetition).is_ok()
    }
}

/// Everything that determines the results of an operation without effects and regions.
#[derive(PartialEq, Eq, Hash)]
struct Computation {
    name: usize,
    /// Sorted by name. MLIR keeps each name once, so that its address identifies it.
    attributes: Vec<(*const u8, Attribute)>,
    operands: Vec<Value>,
    results: Vec<Type>,
}

/// The state of one walk.
struct Comparison {
    tensors: Tensors,
    /// Maps each value of the original that is not a view to its counterpart.
    values: HashMap<Value, Value>,
    /// Maps each buffer of the original to the tensor that stands for it.
    buffers: HashMap<Value, u32>,
    /// Tensors that stand for a buffer.
    taken: HashSet<u32>,
    blocks: HashMap<Block, Block>,
    /// Operations of the planned program of which it is not known yet whether they repeat a computation.
    /// Most programs repeat none, so that none is asked.
    unnumbered: Vec<Op>,
    /// Maps each value of the planned program that repeats a computation to the first result.
    /// Arithmetic may be repeated.
    first: HashMap<Value, Value>,
    computed: HashMap<Computation, Vec<Value>>,
    /// Results of copies that the original does not have.
    tokens: HashSet<Value>,
    /// Values assumed to be counterparts, because they were used before their definition.
    assumed: Vec<(Value, Value)>,
    /// Both operations are in one program: equal values are identical.
    is_within: bool,
}

impl Comparison {
    fn new(planned: Op) -> Self {
        Self {
            tensors: Tensors::new(planned),
            values: HashMap::default(),
            buffers: HashMap::default(),
            taken: HashSet::default(),
            blocks: HashMap::default(),
            unnumbered: Vec::new(),
            first: HashMap::default(),
            computed: HashMap::default(),
            tokens: HashSet::default(),
            assumed: Vec::new(),
            is_within: false,
        }
    }

    /// Forgets everything but the names of tensors, for the comparison of other operations.
    fn forget(&mut self) {
        self.values.clear();
        self.buffers.clear();
        self.taken.clear();
        self.blocks.clear();
        self.unnumbered.clear();
        self.first.clear();
        self.computed.clear();
        self.tokens.clear();
        self.assumed.clear();
    }

    fn regions(&mut self, original: Region, planned: Region) -> PassResult {
        let (own, theirs): (Vec<Block>, Vec<Block>) =
            (original.blocks().collect(), planned.blocks().collect());
        let at = |block: Option<&Block>| block.and_then(|block| block.first_op());
        if own.len() != theirs.len() {
            let place = at(theirs.first()).or(at(own.first()));
            let text = format!(
                "its region has {} blocks, and the original's has {}",
                theirs.len(),
                own.len()
            );
            return place.map_or(Err(Failed), |op| {
                Diagnostic::error(op.location(), text).fail()
            });
        }
        for (own, theirs) in own.iter().zip(&theirs) {
            self.blocks.insert(*own, *theirs);
            let mut arguments = theirs.arguments();
            for argument in own.arguments() {
                let Some(other) = arguments.next() else {
                    return self.differs(at(Some(own)), at(Some(theirs)));
                };
                self.values.insert(argument, other);
            }
            // An arena that callers provide.
            if arguments.any(|more| !is_arena(more.ty())) {
                return self.differs(at(Some(own)), at(Some(theirs)));
            }
        }
        let mut result = Ok(());
        for (own, theirs) in own.into_iter().zip(theirs) {
            result = result.and(self.block(own, theirs));
        }
        result
    }

    fn block(&mut self, original: Block, planned: Block) -> PassResult {
        let mut rest = planned.ops();
        for op in original.ops() {
            // Views are compared where they are used.
            if op.name() == "mem.buffer" || shown_by(op).is_some() {
                continue;
            }
            loop {
                let Some(other) = rest.next() else {
                    let text = format!(
                        "the planned program has no counterpart of this '{}'",
                        op.name()
                    );
                    return self.fail(Some(Diagnostic::error(op.location(), text)));
                };
                self.unnumbered.push(other);
                if self.heads(op, other) {
                    self.region_lists(op, other)?;
                    break;
                }
                if !self.is_extra(other) {
                    return self.differs(Some(op), Some(other));
                }
            }
        }
        for other in rest {
            self.unnumbered.push(other);
            if !self.is_extra(other) {
                return self.differs(None, Some(other));
            }
        }
        Ok(())
    }

    /// Detects whether an arithmetic operation repeats an earlier one.
    fn number(&mut self, op: Op) {
        let is_arithmetic = op.regions().next().is_none()
            && !op.results().any(|result| is_storage(result.ty()))
            && is_pure(op);
        if !is_arithmetic {
            return;
        }
        let attributes = op.attributes().into_iter();
        let computation = Computation {
            name: op.name_id(),
            attributes: attributes.map(|(name, a)| (name.as_ptr(), a)).collect(),
            operands: op.operands().map(|value| self.first_of(value)).collect(),
            results: op.results().map(Value::ty).collect(),
        };
        let results: Vec<Value> = op.results().collect();
        let first = self.computed.entry(computation).or_insert(results.clone());
        self.first
            .extend(results.into_iter().zip(first.iter().copied()));
    }

    fn first_of(&self, value: Value) -> Value {
        self.first.get(&value).copied().unwrap_or(value)
    }

    /// Whether two values of the planned program are the same, or one repeats the computation of the other.
    fn is_repeated(&mut self, one: Value, other: Value) -> bool {
        if one == other {
            return true;
        }
        for op in std::mem::take(&mut self.unnumbered) {
            self.number(op);
        }
        self.first_of(one) == self.first_of(other)
    }

    fn differs(&self, original: Option<Op>, planned: Option<Op>) -> PassResult {
        let Some(at) = planned.or(original) else {
            return Err(Failed);
        };
        let text = format!(
            "this '{}' is not what the original program has here",
            at.name()
        );
        let mut error = Diagnostic::error(at.location(), text);
        if let Some(original) = original {
            error = error.note(
                original.location(),
                format!("which is this '{}'", original.name()),
            );
        }
        self.fail(Some(error))
    }

    /// Fails, and reports the error in a planned program. If both operations are in one program, a
    /// difference is not an error.
    fn fail(&self, error: Option<Diagnostic>) -> PassResult {
        match error.filter(|_| !self.is_within) {
            Some(error) => error.fail(),
            None => Err(Failed),
        }
    }

    /// Whether two operations are equal except for their regions. If so, their results become
    /// counterparts.
    fn heads(&mut self, original: Op, planned: Op) -> bool {
        let is_repetition = || planned.attribute(RECOMPUTE).is_some();
        if original.name_id() != planned.name_id() || !self.is_within && is_repetition() {
            return false;
        }
        let (own, theirs): (Vec<Value>, Vec<Value>) =
            (original.operands().collect(), planned.operands().collect());
        // A call may pass an arena to its callee.
        let n_more = theirs.len().wrapping_sub(own.len());
        let is_handed = || n_more == 1 && theirs.last().is_some_and(|last| is_arena(last.ty()));
        let types = |op: Op| op.results().map(Value::ty);
        let is_same_type = |(own, theirs): (Type, Type)| {
            own == theirs || without_space(own) == without_space(theirs)
        };
        let same = (n_more == 0 || is_handed())
            && original.results().count() == planned.results().count()
            && types(original).zip(types(planned)).all(is_same_type)
            && original.regions().count() == planned.regions().count()
            && self.same_attributes(original, planned)
            && self.same_successors(original, planned)
            && own
                .iter()
                .zip(&theirs)
                .all(|(a, b)| self.same_value(*a, *b));
        if same {
            self.values
                .extend(original.results().zip(planned.results()));
        }
        same
    }

    fn region_lists(&mut self, original: Op, planned: Op) -> PassResult {
        let pairs = original.regions().zip(planned.regions());
        let mut result = Ok(());
        for (own, theirs) in pairs {
            result = result.and(self.regions(own, theirs));
        }
        result
    }

    fn same_attributes(&self, original: Op, planned: Op) -> bool {
        if original.has_equal_attributes(planned) {
            return true;
        }
        let [own, theirs] = [&original, &planned].map(|op| {
            let all = op.attributes().into_iter();
            all.filter(|(name, _)| !NOTES.contains(name))
        });
        own.eq(theirs)
    }

    fn same_successors(&self, original: Op, planned: Op) -> bool {
        let counterparts = original
            .successors()
            .map(|block| self.blocks.get(&block).copied());
        counterparts.eq(planned.successors().map(Some))
    }

    fn same_value(&mut self, original: Value, planned: Value) -> bool {
        let known = self.values.get(&original).copied();
        let is_known = known.is_some_and(|known| self.is_repeated(known, planned));
        if is_known || self.is_within && original == planned {
            return true;
        }
        let is_view = |value: Value| value.owner().is_some_and(|op| shown_by(op).is_some());
        if is_storage(original.ty()) && is_storage(planned.ty())
            || is_view(original) && is_view(planned)
        {
            let is_same = self.same_storage(original, planned);
            if is_same && !is_storage(original.ty()) {
                self.values.entry(original).or_insert(planned);
            }
            return is_same;
        }
        // Definitions come before uses, except in unreachable code.
        let is_unknown = known.is_none() && !is_storage(original.ty()) && !self.is_within;
        if is_unknown {
            self.assumed.push((original, planned));
        }
        is_unknown
    }

    /// Checks the values that were used before their definition.
    fn check_assumed(&mut self) -> PassResult {
        for (original, planned) in std::mem::take(&mut self.assumed) {
            let known = self.values.get(&original).copied();
            if !known.is_some_and(|known| self.is_repeated(known, planned)) {
                return self.differs(original.owner(), planned.owner());
            }
        }
        Ok(())
    }

    /// Whether the same views lead to the same tensor. The other results of the views, offsets and
    /// sizes, are then the same as well.
    fn same_storage(&mut self, original: Value, planned: Value) -> bool {
        let both = |(a, b): (Value, Value)| {
            let source = |value: Value| value.owner().and_then(shown_by).map(uncast);
            source(a).zip(source(b))
        };
        for (a, b) in chain((uncast(original), uncast(planned)), both) {
            let views = [a, b].map(|value| value.owner().filter(|op| shown_by(*op).is_some()));
            match views {
                [None, None] => return self.same_root(a, b),
                [Some(own), Some(theirs)] => {
                    let is_same = own.name_id() == theirs.name_id()
                        && result_number(own, a) == result_number(theirs, b)
                        && (a.ty() == b.ty() || without_space(a.ty()) == without_space(b.ty()))
                        && self.same_attributes(own, theirs);
                    let source = shown_by(own).zip(shown_by(theirs));
                    let Some((of_own, of_theirs)) = source.filter(|_| is_same) else {
                        return false;
                    };
                    let others =
                        |op: Op, source: Value| op.operands().filter(move |v| *v != source);
                    let mut pairs = others(own, of_own).zip(others(theirs, of_theirs));
                    if own.operands().count() != theirs.operands().count()
                        || !pairs.all(|(x, y)| self.same_value(x, y))
                    {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        // In unreachable code, both are views of themselves.
        true
    }

    fn same_root(&mut self, original: Value, planned: Value) -> bool {
        let tensor = self.tensors.of_root(planned);
        if self.is_within {
            return self.tensors.of_root(original) == tensor;
        }
        if let Some(counterpart) = self.values.get(&original) {
            return self.tensors.of_root(*counterpart) == tensor;
        }
        if let Some(known) = self.buffers.get(&original) {
            return *known == tensor;
        }
        let is_buffer = original.owner().is_some_and(|op| op.name() == "mem.buffer");
        let is_free =
            is_buffer && original.ty() == without_space(planned.ty()) && self.taken.insert(tensor);
        if is_free {
            self.buffers.insert(original, tensor);
        }
        is_free
    }

    /// Whether the original may lack an operation.
    fn is_extra(&mut self, op: Op) -> bool {
        match op.name() {
            "mem.arena" | "mem.view" | "mem.slice" | "mem.rotate" | "mem.buffer"
            | "memref.get_global" => true,
            _ if is_transfer(op) => {
                let [from, to] = [op.operand(0), op.operand(1)];
                // Both ends must show the same bytes of one tensor.
                let is_of_one =
                    self.tensors.of(from) == self.tensors.of(to) && shows_the_same(from, to);
                self.tokens.extend(op.results().filter(|_| is_of_one));
                is_of_one
            }
            "mem.wait" => op.operands().all(|token| self.tokens.contains(&token)),
            _ if op.attribute(RECOMPUTE).is_some() => !self.is_within,
            _ => shown_by(op).is_some() || is_pure(op) && !op.results().any(|v| is_storage(v.ty())),
        }
    }
}

/// The index of a value among the results of an operation.
fn result_number(op: Op, value: Value) -> Option<usize> {
    op.results().position(|result| result == value)
}
