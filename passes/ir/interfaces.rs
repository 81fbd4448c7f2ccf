//! Interface queries, one call per operation: effects, views, control flow.

use std::ffi::c_void;

use mlir_sys::{
    MlirAttribute, MlirBlock, MlirOperation, MlirStringRef, MlirValue, mlirOpOperandGetNextUse,
    mlirOpOperandGetOwner, mlirOpOperandIsNull, mlirValueGetFirstUse,
};
use smallvec::SmallVec;

use super::ffi::{
    memShimAttributes, memShimBranchEdges, memShimDescribe, memShimHasEqualAttributes,
    memShimInlineCall, memShimIsElementwise, memShimIsEquivalent, memShimIsPure,
    memShimIsStructured, memShimIterations, memShimNumInits, memShimRegionEdges, memShimSymbolUses,
    memShimUpperBound, memShimViewSource,
};
use super::handles::{Attribute, Block, Op, Value, text};
use super::mpi::{MpiOp, Request, communicates, mpi_op};

/// The kind of an effect on the storage of a value.
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
    /// Affects every element, in every execution.
    pub full: bool,
}

/// Facts about one operation from its interfaces and traits. Nested operations are not included.
pub(crate) struct Facts {
    flags: u32,
    /// The source, if the operation is a view.
    pub view_source: Option<Value>,
    pub effects: Box<[Effect]>,
}

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $bit:literal;)*) => {
        impl Facts {
            $($(#[$doc])* pub(crate) fn $name(&self) -> bool { self.flags & $bit != 0 })*
        }
    };
}

flags! {
    /// Control flow between its regions is given by RegionBranchOpInterface.
    is_region_branch = 2;
    /// It branches to blocks as given by BranchOpInterface.
    is_branch = 4;
    /// Its regions may run concurrently with themselves.
    is_parallel = 8;
    /// Its memory effects are unknown.
    has_unknown_effects = 16;
    is_terminator = 32;
    /// An operand denotes storage.
    has_pointer_operand = 64;
    /// A result denotes storage.
    has_pointer_result = 128;
    /// A result could hide a pointer or a completion token.
    has_opaque_result = 256;
    /// An operation in its regions accesses storage.
    has_nested_memory = 512;
    /// It writes some memory.
    writes = 1024;
    is_call = 2048;
    /// Its effects describe everything it does with its operands: it keeps no address.
    is_structured = 4096;
    /// Other ranks observe it: it is never removed or repeated, and keeps its order among others.
    communicates = 8192;
}

impl Facts {
    /// No facts: an operation without operands, regions and effects that matter.
    pub(crate) fn none() -> Self {
        Self {
            flags: 0,
            view_source: None,
            effects: Box::default(),
        }
    }

    /// States the effects of an operation that has no interface to ask.
    pub(super) fn replace_effects(&mut self, effects: Vec<Effect>) {
        const UNKNOWN_EFFECTS: u32 = 16;
        const WRITES: u32 = 1024;
        self.flags &= !(UNKNOWN_EFFECTS | WRITES);
        if effects.iter().any(|own| own.kind == EffectKind::Write) {
            self.flags |= WRITES;
        }
        self.effects = effects.into();
    }

    /// States what is known of an operation of the `mpi` dialect.
    fn apply(&mut self, row: &MpiOp, op: Op) {
        const OPAQUE_RESULT: u32 = 256;
        const COMMUNICATES: u32 = 8192;
        let effects = row.operands.iter().zip(op.operands());
        let effects = effects.map(|(effect, value)| {
            let (kind, full) = effect.kind();
            Effect { value, kind, full }
        });
        self.replace_effects(effects.collect());
        // Communicators and return values hold no address.
        self.flags &= !OPAQUE_RESULT;
        let is_asynchronous = row.request == Request::Starts;
        let stated = [
            (is_asynchronous, OPAQUE_RESULT),
            (row.communicates, COMMUNICATES),
        ];
        for (_, flag) in stated.into_iter().filter(|(holds, _)| *holds) {
            self.flags |= flag;
        }
    }
}

/// Few operations have more effects.
type Effects = SmallVec<[Effect; 8]>;

/// Collects all facts about one operation.
pub(crate) fn describe(op: Op) -> Facts {
    extern "C" fn collect(user: *mut c_void, value: MlirValue, kind: u32, full: bool) {
        let kind = match kind {
            0 => EffectKind::Read,
            1 => EffectKind::Write,
            2 => EffectKind::Allocate,
            _ => EffectKind::Free,
        };
        // SAFETY: `user` is the vector below, which outlives the call.
        let effects = unsafe { &mut *user.cast::<Effects>() };
        effects.push(Effect {
            value: Value(value),
            kind,
            full,
        });
    }
    let mut effects = Effects::new();
    let facts = c!(memShimDescribe(op.0, collect, (&raw mut effects).cast()));
    let mut facts = Facts {
        flags: facts.flags,
        view_source: Value::new(facts.view_source),
        effects: Box::from(effects.as_slice()),
    };
    if let Some(row) = mpi_op(op) {
        facts.apply(row, op);
    }
    facts
}

/// Values that an edge binds to others: (from, to). `from` is `None` if the branch itself produces
/// the value.
pub(crate) type Forwarded = Vec<(Option<Value>, Value)>;

/// Zips the two arrays of a callback.
///
/// # Safety
/// Both arrays have `n` elements.
unsafe fn pairs(n: usize, from: *const MlirValue, to: *const MlirValue) -> Forwarded {
    // SAFETY: guaranteed by the caller.
    (0..n)
        .map(|i| unsafe { (Value::new(*from.add(i)), Value(*to.add(i))) })
        .collect()
}

/// The edges of a branch, in the order of its successors.
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
    /// The terminator the edge leaves from; `None` if it enters from outside.
    pub terminator: Option<Op>,
    /// The region the edge enters; `None` if it leaves the operation.
    pub region: Option<usize>,
    pub values: Forwarded,
}

/// The edges of an operation that implements RegionBranchOpInterface.
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

/// All symbol uses in `scope`: the user, and the root name of the symbol. Empty if an unregistered
/// operation may hide some; no function is then known to have only the visible callers.
pub(crate) fn symbol_uses(scope: Op) -> Vec<(Op, String)> {
    all_symbol_uses(scope).unwrap_or_default()
}

/// All symbol uses in `scope`; `None` if an unregistered operation may hide some.
pub(crate) fn all_symbol_uses(scope: Op) -> Option<Vec<(Op, String)>> {
    extern "C" fn collect(user: *mut c_void, op: MlirOperation, symbol: MlirStringRef) {
        // SAFETY: `user` is the vector below, which outlives the call.
        let uses = unsafe { &mut *user.cast::<Vec<(Op, String)>>() };
        uses.push((Op(op), text(symbol, &symbol).to_owned()));
    }
    let mut uses: Vec<(Op, String)> = Vec::new();
    let complete = c!(memShimSymbolUses(scope.0, collect, (&raw mut uses).cast()));
    complete.then_some(uses)
}

/// Whether only code of its own symbol table can refer to a symbol. Code around the module can refer
/// to one that is `nested`.
pub(crate) fn is_private_symbol(op: Op) -> bool {
    let visibility = op.attribute("sym_visibility");
    visibility.is_some_and(|own| own.string() == Some("private"))
}

/// Replaces `call` by a copy of the body of `callee`, which must have one. Returns the calls in the
/// copy. `None`, with nothing changed, if the dialects involved do not allow inlining.
pub(crate) fn inline_call(call: Op, callee: Op) -> Option<Vec<Op>> {
    extern "C" fn collect(user: *mut c_void, call: MlirOperation) {
        // SAFETY: `user` is the vector below, which outlives the call.
        unsafe { &mut *user.cast::<Vec<Op>>() }.push(Op(call));
    }
    let mut calls: Vec<Op> = Vec::new();
    let user = (&raw mut calls).cast();
    c!(memShimInlineCall(call.0, callee.0, collect, user)).then_some(calls)
}

/// Whether two operations compute the same: equal attributes, types and regions, and identical
/// operands except the one at `except`, which may differ.
pub(crate) fn is_equivalent(a: Op, b: Op, except: Option<usize>) -> bool {
    let except = except.map_or(-1, |index| index as isize);
    a == b || c!(memShimIsEquivalent(a.0, b.0, except))
}

/// The number of operands that a structured operation only reads; `None` for other operations.
pub(crate) fn n_inputs(op: Op) -> Option<usize> {
    op.operands().count().checked_sub(n_inits(op)?)
}

/// The number of operands that a structured operation writes; `None` for other operations.
pub(crate) fn n_inits(op: Op) -> Option<usize> {
    usize::try_from(c!(memShimNumInits(op.0))).ok()
}

impl Op {
    /// All attributes, sorted by name.
    pub fn attributes(&self) -> Vec<(&str, Attribute)> {
        extern "C" fn collect(user: *mut c_void, name: MlirStringRef, attribute: MlirAttribute) {
            // SAFETY: `user` is the vector below, which outlives the call.
            let all = unsafe { &mut *user.cast::<Vec<(MlirStringRef, Attribute)>>() };
            all.push((name, Attribute(attribute)));
        }
        let mut found: Vec<(MlirStringRef, Attribute)> = Vec::new();
        let user = (&raw mut found).cast();
        c!(memShimAttributes(self.0, collect, user));
        let named = found.into_iter().map(|(name, own)| (text(name, self), own));
        let mut all: Vec<(&str, Attribute)> = named.collect();
        all.sort_unstable_by_key(|(name, _)| *name);
        all
    }
    /// Whether two operations of one name have the same attributes.
    pub(crate) fn has_equal_attributes(self, other: Op) -> bool {
        // Most are equal as a whole, which is much faster to see than one by one.
        c!(memShimHasEqualAttributes(self.0, other.0)) || self.attributes() == other.attributes()
    }
}

impl Value {
    /// As [`users`](Self::users), one after the other. The uses must not change meanwhile.
    pub(crate) fn each_user(self) -> impl Iterator<Item = Op> {
        let mut operand = c!(mlirValueGetFirstUse(self.0));
        std::iter::from_fn(move || {
            let is_last = c!(mlirOpOperandIsNull(operand));
            (!is_last).then(|| {
                let user = Op(c!(mlirOpOperandGetOwner(operand)));
                operand = c!(mlirOpOperandGetNextUse(operand));
                user
            })
        })
    }
}

/// A constant upper bound of a value of type `index`, if one is found by examining at most
/// `max_values` of the values it depends on.
pub(crate) fn upper_bound(value: Value, max_values: usize) -> Option<i64> {
    let bound = c!(memShimUpperBound(value.0, max_values));
    (bound >= 0).then_some(bound)
}

/// Trip count of the body of a structured operation, if known.
pub(crate) fn iterations(op: Op) -> Option<u64> {
    u64::try_from(c!(memShimIterations(op.0))).ok()
}

/// Whether an operation and those in its regions satisfy their invariants. A violation is an error
/// that has been emitted.
pub(crate) fn is_valid(op: Op) -> bool {
    c!(mlir_sys::mlirOperationVerify(op.0))
}

/// Whether an operation is pure and speculatable: it may run anywhere its operands are available,
/// and more than once.
pub(crate) fn is_pure(op: Op) -> bool {
    c!(memShimIsPure(op.0)) && !communicates(op)
}

/// Views that denote elements of their source only. Others, such as `memref.reinterpret_cast`, state their bounds
/// without regard to their source, or view bytes.
pub(crate) const VIEWS_OF_ELEMENTS: [&str; 7] = [
    "memref.assume_alignment",
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.memory_space_cast",
    "memref.subview",
    "memref.transpose",
];

/// The source of a view; `None` if `op` is not a view.
pub fn view_source(op: Op) -> Option<Value> {
    match op.name() {
        "mem.descriptor" => Some(op.operand(0)),
        _ => Value::new(c!(memShimViewSource(op.0))),
    }
}

/// Whether an operation is a named structured operation that accesses all operands by identity maps. Others
/// may do so as well.
pub(crate) fn is_elementwise(op: Op) -> bool {
    c!(memShimIsElementwise(op.0))
}

/// Whether the effects of an operation describe everything it does with its operands, as those of
/// linalg.
pub(crate) fn is_structured(op: Op) -> bool {
    c!(memShimIsStructured(op.0))
}
