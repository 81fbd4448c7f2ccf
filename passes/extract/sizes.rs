//! Sizes known only at run time: their symbolic form, and whether they are available at function
//! entry.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use mem_model::Size;

use crate::ir::{Block, MemrefLayout, Op, Value, is_pure};

/// Maximum depth of the expression tree that is analyzed.
pub(super) const MAX_DEPTH: usize = 64;

/// Maximum number of products in a size, and of factors in a product. A larger size becomes an
/// unknown of its own.
const MAX_TERMS: usize = 16;

/// Numbers the values that sizes are polynomials of.
#[derive(Default)]
pub(crate) struct Sizes {
    numbers: HashMap<Value, u32>,
    /// Memoized results.
    sizes: HashMap<Value, Size>,
    /// Indexed by number.
    pub values: Vec<Value>,
}

impl Sizes {
    /// The symbolic size of a value of type `index`. A value that is neither a sum nor a product
    /// becomes an unknown.
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
        // A product of n sums has up to 2^n terms, so sizes without a limit would grow
        // exponentially.
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

    /// The size as a sum or product of other sizes; `None` if the value has no such form, is a
    /// negative constant, or exceeds a limit.
    fn parts(&mut self, value: Value, depth: usize) -> Option<Size> {
        if let Some(constant) = value.constant() {
            return u64::try_from(constant).ok().map(Size::constant);
        }
        let op = value.owner().filter(|_| depth < MAX_DEPTH)?;
        let mut operand = |index| self.size_at(op.operand(index), depth + 1);
        // Sizes are polynomials with natural coefficients, which express neither differences nor
        // quotients.
        match op.name() {
            "arith.addi" | "index.add" => operand(0).plus(&operand(1)),
            "arith.muli" | "index.mul" => operand(0).times(&operand(1)),
            _ => None,
        }
    }

    /// Size in bytes of a memref with the identity layout, given its dynamic dimensions.
    pub(crate) fn of_memref(&mut self, layout: &MemrefLayout, dynamic: &[Value]) -> Option<Size> {
        let mut size = Size::constant(u64::try_from(layout.known_bytes()?).ok()?);
        for value in dynamic {
            size = size.times(&self.size(*value))?;
        }
        Some(size)
    }
}

/// Looks through `memref.dim`: returns the operand that gives the dimension to the defining
/// operation of the memref, or `value` itself.
pub(super) fn dimension(value: Value) -> Value {
    // A `memref.dim` depends on an allocation, which cannot be recomputed at entry; the operand
    // that gives the dimension often can.
    let find = || {
        let op = value.owner().filter(|op| op.name() == "memref.dim")?;
        let index = usize::try_from(op.operand(1).constant()?).ok()?;
        let made = op.operand(0).owner()?;
        let first = match made.name() {
            "memref.alloc" | "memref.alloca" => 0,
            // The source and the byte shift precede the sizes.
            "memref.view" => 2,
            _ => return None,
        };
        let layout = crate::ir::memref_layout(made.result().ty())?;
        let is_dynamic = layout.shape.get(index)?.is_none();
        let n_before = layout.shape[..index].iter().filter(|d| d.is_none());
        is_dynamic.then(|| made.operand(first + n_before.count()))
    };
    find().unwrap_or(value)
}

/// The program point where a function creates its arena: before the first operation that needs it.
pub(crate) struct Entry {
    /// The entry block of the function.
    block: Option<Block>,
    /// Operations before that point.
    early: HashSet<Op>,
    /// The first operation after that point.
    anchor: Option<Op>,
    /// Values that were recomputed at that point, and their copies.
    copies: HashMap<Value, Value>,
    /// Memoized: whether an operation's results are available at that point.
    known: HashMap<Op, bool>,
}

impl Entry {
    /// The point before the first operation of the entry block that needs the arena or contains an
    /// operation that does; before the terminator of the entry block if there is none. Linear in
    /// the number of operations.
    pub(crate) fn new(function: Op, needs: &impl Fn(Op) -> bool) -> Self {
        let block = function.regions().next().and_then(|r| r.first_block());
        let mut early = HashSet::default();
        let mut anchor = None;
        for op in block.into_iter().flat_map(|block| block.ops()) {
            // The arena has to dominate all its uses, including those in nested regions.
            let mut is_needed = needs(op);
            op.walk(&mut |inner| is_needed |= needs(inner));
            // If nothing in the entry block needs the arena, its terminator is the anchor.
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
            copies: HashMap::default(),
            known: HashMap::default(),
        }
    }

    /// The first operation after the point.
    pub(crate) fn anchor(&self) -> Op {
        self.anchor.expect("functions with buffers have a body")
    }

    /// Whether a value is available at the point, or can be recomputed there.
    pub(crate) fn knows(&mut self, value: Value) -> bool {
        self.knows_at(value, 0)
    }

    fn knows_at(&mut self, value: Value, depth: usize) -> bool {
        let value = dimension(value);
        let Some(op) = value.owner() else {
            // Arguments of the entry block are available everywhere; those of other blocks are not.
            return value.argument_block() == self.block;
        };
        if let Some(is_known) = self.known.get(&op) {
            return *is_known;
        }
        // `bring` clones the operation, so it must have no effects. The limit also ends the search
        // in unreachable code, where operands can form cycles.
        let can_move = depth < MAX_DEPTH && op.regions().next().is_none() && is_pure(op);
        let is_known = self.early.contains(&op)
            || can_move
                && op
                    .operands()
                    .all(|operand| self.knows_at(operand, depth + 1));
        self.known.insert(op, is_known);
        is_known
    }

    /// Makes a known value available at the point, by cloning its computation if it is defined
    /// later.
    pub(crate) fn bring(&mut self, value: Value) -> Value {
        let value = dimension(value);
        let Some(op) = value.owner().filter(|op| !self.early.contains(op)) else {
            return value;
        };
        if let Some(copy) = self.copies.get(&value) {
            return *copy;
        }
        let anchor = self.anchor();
        // `knows` has bounded the depth of this recursion, and has seen only pure operations.
        let copy = op.copied_before(anchor, |operand| self.bring(operand));
        for (result, copied) in op.results().zip(copy.results()) {
            self.copies.insert(result, copied);
        }
        self.copies[&value]
    }
}
