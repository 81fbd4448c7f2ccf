//! Sizes known only at run time: what they are made of, how large they can be, and whether they are known where a
//! function begins.

use std::collections::{HashMap, HashSet};

use mem_model::Size;

use crate::mlir::{Block, MemrefLayout, Op, Value, is_pure, upper_bound};

/// Longest chain of operations that is looked through.
const MAX_DEPTH: usize = 64;

/// Most values that are looked at for a bound: what costs grows with their cube.
const MAX_VALUES: usize = 32;

/// Most products in a size, and most factors in one of them; what has more is an unknown of its own.
const MAX_TERMS: usize = 16;

/// Numbers the values that sizes are made of.
#[derive(Default)]
pub(crate) struct Sizes {
    numbers: HashMap<Value, u32>,
    /// What is known already.
    sizes: HashMap<Value, Size>,
    /// By number.
    pub values: Vec<Value>,
}

impl Sizes {
    /// A value of type index as a size. What is not a sum or a product of others is an unknown.
    pub(crate) fn size(&mut self, value: Value) -> Size {
        self.size_at(value, 0)
    }

    fn unknown(&mut self, value: Value) -> Size {
        let next = self.values.len() as u32;
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        Size::unknown(number)
    }

    fn size_at(&mut self, value: Value, depth: usize) -> Size {
        let value = dimension(value);
        if let Some(size) = self.sizes.get(&value) {
            return size.clone();
        }
        let is_small = |size: &Size| {
            let mut terms = size.terms();
            size.terms().count() <= MAX_TERMS
                && terms.all(|(product, _)| product.len() <= MAX_TERMS)
        };
        let parts = self.parts(value, depth).filter(is_small);
        let size = parts.unwrap_or_else(|| self.unknown(value));
        self.sizes.insert(value, size.clone());
        size
    }

    /// What it is made of; `None` if that is nothing, negative, too deep or too large.
    fn parts(&mut self, value: Value, depth: usize) -> Option<Size> {
        if let Some(constant) = value.constant() {
            return u64::try_from(constant).ok().map(Size::constant);
        }
        let op = value.owner().filter(|_| depth < MAX_DEPTH)?;
        let mut operand = |index| self.size_at(op.operand(index), depth + 1);
        match op.name() {
            "arith.addi" | "index.add" => operand(0).plus(&operand(1)),
            "arith.muli" | "index.mul" => operand(0).times(&operand(1)),
            _ => None,
        }
    }

    /// The bytes of a memref with the identity layout, given its dimensions that are known only at run time.
    pub(crate) fn of_memref(&mut self, layout: &MemrefLayout, dynamic: &[Value]) -> Option<Size> {
        let mut size = Size::constant(u64::try_from(layout.known_bytes()?).ok()?);
        for value in dynamic {
            size = size.times(&self.size(*value))?;
        }
        Some(size)
    }
}

/// What a `memref.dim` asks for, if that is an operand of what makes the memref; anything else as it is.
fn dimension(value: Value) -> Value {
    let find = || {
        let op = value.owner().filter(|op| op.name() == "memref.dim")?;
        let index = usize::try_from(op.operand(1).constant()?).ok()?;
        let made = op.operand(0).owner()?;
        let first = match made.name() {
            "memref.alloc" | "memref.alloca" => 0,
            "memref.view" => 2,
            _ => return None,
        };
        let layout = crate::mlir::memref_layout(made.result().ty())?;
        let is_dynamic = layout.shape.get(index)?.is_none();
        let n_before = layout.shape[..index].iter().filter(|d| d.is_none());
        is_dynamic.then(|| made.operand(first + n_before.count()))
    };
    find().unwrap_or(value)
}

/// The most bytes that a memref with the identity layout can have, if all its dimensions are bounded.
pub(crate) fn most_bytes(layout: &MemrefLayout, dynamic: &[Value]) -> Option<u64> {
    let mut bytes = layout.known_bytes()?;
    for value in dynamic {
        bytes = bytes.checked_mul(upper_bound(*value, MAX_VALUES)?)?;
    }
    u64::try_from(bytes).ok()
}

/// Where a function makes its arena: before everything that needs it.
pub(crate) struct Entry {
    /// The first block of the function.
    block: Option<Block>,
    /// Operations in front of that place.
    early: HashSet<Op>,
    /// The first operation behind it.
    anchor: Option<Op>,
    /// Values and what stands for them there.
    copies: HashMap<Value, Value>,
    /// Operations that have been asked for already, and whether their results are there.
    known: HashMap<Op, bool>,
}

impl Entry {
    /// The place in front of the first operation that needs the arena, or has one inside that does; in front of the end
    /// of the first block if there is none. Linear.
    pub(crate) fn new(function: Op, needs: &impl Fn(Op) -> bool) -> Self {
        let block = function.regions().next().and_then(|r| r.first_block());
        let mut early = HashSet::new();
        let mut anchor = None;
        for op in block.into_iter().flat_map(|block| block.ops()) {
            let mut is_needed = needs(op);
            op.walk(&mut |inner| is_needed |= needs(inner));
            // If nothing in its first block needs it, at the end of that.
            if is_needed || op.next().is_none() {
                anchor = Some(op);
                break;
            }
            early.insert(op);
        }
        Self {
            block,
            early,
            anchor,
            copies: HashMap::new(),
            known: HashMap::new(),
        }
    }

    /// The first operation behind the place.
    pub(crate) fn anchor(&self) -> Op {
        self.anchor.expect("functions with buffers have a body")
    }

    /// Whether a value is there, or can be computed there.
    pub(crate) fn knows(&mut self, value: Value) -> bool {
        self.knows_at(value, 0)
    }

    fn knows_at(&mut self, value: Value, depth: usize) -> bool {
        let value = dimension(value);
        let Some(op) = value.owner() else {
            return value.argument_block() == self.block;
        };
        if let Some(is_known) = self.known.get(&op) {
            return *is_known;
        }
        let can_move = depth < MAX_DEPTH && op.regions().next().is_none() && is_pure(op);
        let is_known = self.early.contains(&op)
            || can_move
                && op
                    .operands()
                    .all(|operand| self.knows_at(operand, depth + 1));
        self.known.insert(op, is_known);
        is_known
    }

    /// A value that it knows, there: computed once more if it is computed only later.
    pub(crate) fn bring(&mut self, value: Value) -> Value {
        let value = dimension(value);
        let Some(op) = value.owner().filter(|op| !self.early.contains(op)) else {
            return value;
        };
        if let Some(copy) = self.copies.get(&value) {
            return *copy;
        }
        let operands: Vec<Value> = op.operands().collect();
        let operands: Vec<Value> = operands.into_iter().map(|v| self.bring(v)).collect();
        let copy = op.copied();
        copy.set_operands(&operands);
        copy.insert_before(self.anchor());
        for (result, copied) in op.results().zip(copy.results()) {
            self.copies.insert(result, copied);
        }
        self.copies[&value]
    }
}
