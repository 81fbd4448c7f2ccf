//! Questions to MLIR's interfaces, one call an operation: effects, views, control flow.

use std::ffi::c_void;

use mlir_sys::{MlirBlock, MlirOperation, MlirStringRef, MlirValue};

use super::ffi::{
    memShimBranchEdges, memShimDescribe, memShimInlineCall, memShimIsEquivalent, memShimIsPure,
    memShimIterations, memShimRegionEdges, memShimSymbolUses, memShimUpperBound,
};
use super::ir::{Block, Op, Value, text};

/// What an operation does to a value's storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EffectKind {
    Read,
    Write,
    Allocate,
    Free,
}

/// One effect of an operation.
#[derive(Clone, Copy)]
pub(crate) struct Effect {
    pub value: Value,
    pub kind: EffectKind,
    /// On every element, in every execution.
    pub full: bool,
}

/// What MLIR's interfaces and traits say of one operation; nested operations are not included.
pub(crate) struct Facts {
    flags: u32,
    /// The value it is a view of.
    pub view_source: Option<Value>,
    pub effects: Vec<Effect>,
}

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $bit:literal;)*) => {
        impl Facts {
            $($(#[$doc])* pub(crate) fn $name(&self) -> bool { self.flags & $bit != 0 })*
        }
    };
}

flags! {
    /// Control flows between its regions as RegionBranchOpInterface says.
    is_region_branch = 2;
    /// It branches to blocks as BranchOpInterface says.
    is_branch = 4;
    /// Its regions may run concurrently with themselves.
    is_parallel = 8;
    /// Nothing says what it reads and writes.
    has_unknown_effects = 16;
    is_terminator = 32;
    /// An operand denotes storage.
    has_pointer_operand = 64;
    /// A result denotes storage.
    has_pointer_result = 128;
    /// A result could hide a pointer or a completion token.
    has_opaque_result = 256;
    /// An operation in its regions touches storage.
    has_nested_memory = 512;
    /// It writes something, somewhere.
    writes = 1024;
    is_call = 2048;
    /// Its effects are all it does with its operands.
    is_structured = 4096;
}

/// Asks all questions about one operation.
pub(crate) fn describe(op: Op) -> Facts {
    extern "C" fn collect(user: *mut c_void, value: MlirValue, kind: u32, full: bool) {
        let kind = match kind {
            0 => EffectKind::Read,
            1 => EffectKind::Write,
            2 => EffectKind::Allocate,
            _ => EffectKind::Free,
        };
        // SAFETY: `user` is the vector below, which outlives the call.
        let effects = unsafe { &mut *user.cast::<Vec<Effect>>() };
        effects.push(Effect {
            value: Value(value),
            kind,
            full,
        });
    }
    let mut effects: Vec<Effect> = Vec::new();
    let facts = c!(memShimDescribe(op.0, collect, (&raw mut effects).cast()));
    Facts {
        flags: facts.flags,
        view_source: Value::new(facts.view_source),
        effects,
    }
}

/// Values that become others along an edge: (from, to). `from` is `None` if the branch itself
/// produces it.
pub(crate) type Forwarded = Vec<(Option<Value>, Value)>;

/// Pairs up the two arrays of a callback.
///
/// # Safety
/// Both arrays have `n` elements.
unsafe fn pairs(n: usize, from: *const MlirValue, to: *const MlirValue) -> Forwarded {
    // SAFETY: as the caller promises.
    (0..n)
        .map(|i| unsafe { (Value::new(*from.add(i)), Value(*to.add(i))) })
        .collect()
}

/// The edges of a branch to blocks, in the order of its successors.
pub(crate) fn branch_edges(op: Op) -> Vec<(Block, Forwarded)> {
    extern "C" fn collect(
        user: *mut c_void,
        target: MlirBlock,
        n: usize,
        from: *const MlirValue,
        to: *const MlirValue,
    ) {
        // SAFETY: `user` is the vector below; the arrays have `n` elements.
        let (edges, values) = unsafe {
            (
                &mut *user.cast::<Vec<(Block, Forwarded)>>(),
                pairs(n, from, to),
            )
        };
        edges.push((Block(target), values));
    }
    let mut edges: Vec<(Block, Forwarded)> = Vec::new();
    c!(memShimBranchEdges(op.0, collect, (&raw mut edges).cast()));
    edges
}

/// An edge into, between or out of the regions of an operation.
pub(crate) struct RegionEdge {
    /// The terminator it comes from; `None`: from outside.
    pub terminator: Option<Op>,
    /// The region it enters; `None`: it leaves the operation.
    pub region: Option<usize>,
    pub values: Forwarded,
}

/// The edges of an operation that is a region branch.
pub(crate) fn region_edges(op: Op) -> Vec<RegionEdge> {
    extern "C" fn collect(
        user: *mut c_void,
        terminator: MlirOperation,
        region: isize,
        n: usize,
        from: *const MlirValue,
        to: *const MlirValue,
    ) {
        // SAFETY: `user` is the vector below; the arrays have `n` elements.
        let (edges, values) = unsafe { (&mut *user.cast::<Vec<RegionEdge>>(), pairs(n, from, to)) };
        edges.push(RegionEdge {
            terminator: Op::new(terminator),
            region: usize::try_from(region).ok(),
            values,
        });
    }
    let mut edges: Vec<RegionEdge> = Vec::new();
    c!(memShimRegionEdges(op.0, collect, (&raw mut edges).cast()));
    edges
}

/// Every mention of a symbol inside `scope`: who mentions it, and the name at its root. None at all
/// if an unregistered operation may hide some; then no function is known to be called only here.
pub(crate) fn symbol_uses(scope: Op) -> Vec<(Op, String)> {
    all_symbol_uses(scope).unwrap_or_default()
}

/// The same, or `None` if an unregistered operation may hide some.
pub(crate) fn all_symbol_uses(scope: Op) -> Option<Vec<(Op, String)>> {
    extern "C" fn collect(user: *mut c_void, op: MlirOperation, symbol: MlirStringRef) {
        // SAFETY: `user` is the vector below, which outlives the call.
        let uses = unsafe { &mut *user.cast::<Vec<(Op, String)>>() };
        uses.push((Op(op), text(symbol).to_owned()));
    }
    let mut uses: Vec<(Op, String)> = Vec::new();
    let complete = c!(memShimSymbolUses(scope.0, collect, (&raw mut uses).cast()));
    complete.then_some(uses)
}

/// Puts a copy of the body of `callee`, a function with one, in the place of `call`. Returns the calls in the copy; `None`,
/// with nothing changed, if the dialects involved do not allow it.
pub(crate) fn inline_call(call: Op, callee: Op) -> Option<Vec<Op>> {
    extern "C" fn collect(user: *mut c_void, call: MlirOperation) {
        // SAFETY: `user` is the vector below, which outlives the call.
        unsafe { &mut *user.cast::<Vec<Op>>() }.push(Op(call));
    }
    let mut calls: Vec<Op> = Vec::new();
    let user = (&raw mut calls).cast();
    c!(memShimInlineCall(call.0, callee.0, collect, user)).then_some(calls)
}

/// Whether two operations compute the same: equal operands, but for the one at `except`, which must
/// be used alike; equal attributes, types and regions.
pub(crate) fn is_equivalent(a: Op, b: Op, except: Option<usize>) -> bool {
    let except = except.map_or(-1, |index| index as isize);
    a == b || c!(memShimIsEquivalent(a.0, b.0, except))
}

/// A constant that a value of type index never exceeds, if one is known after a look at no more than
/// `max_values` values that it depends on.
pub(crate) fn upper_bound(value: Value, max_values: usize) -> Option<i64> {
    let bound = c!(memShimUpperBound(value.0, max_values));
    (bound >= 0).then_some(bound)
}

/// How often the body of a structured operation runs, if that is known.
pub(crate) fn iterations(op: Op) -> Option<u64> {
    u64::try_from(c!(memShimIterations(op.0))).ok()
}

/// Whether an operation can run anywhere else, and more often, if its operands are there.
pub(crate) fn is_pure(op: Op) -> bool {
    c!(memShimIsPure(op.0))
}
