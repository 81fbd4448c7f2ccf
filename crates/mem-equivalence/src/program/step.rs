//! Effects of steps.

use super::{
    Arithmetic, Completed, Constant, Fingerprint, Number, Operand, Part, Ticket, Transfer, ValueId,
    ViewKind,
};

/// Effect of a step. Programs have many, so rare effects are kept behind pointers.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// Computes a scalar without accessing memory.
    Scalar(ScalarStep),
    /// Makes storage, a view or an address available.
    Storage(StorageStep),
    /// Moves contents between memory and values, without computing.
    Access(AccessStep),
    /// Lets its result denote one of several values.
    Choice(ChoiceStep),
    /// Computes its results and the new contents of its written operands from its operands alone.
    Compute {
        /// Identity of the computation.
        fingerprint: Fingerprint,
        /// Operands, in order.
        operands: Box<[Operand]>,
        /// Results, in order.
        results: Box<[ValueId]>,
    },
    /// As [`StepKind::Compute`], but proceeds by itself, until an [`StepKind::Await`] with its ticket or
    /// with that of a launch that starts after it. Until then, no other step may write what it reads, or
    /// touch what it writes.
    Launch {
        /// Identity of the computation.
        fingerprint: Fingerprint,
        /// Operands, in order.
        operands: Box<[Operand]>,
        /// The launches that have completed when it starts.
        after: Box<[Completed]>,
        /// The ticket.
        ticket: ValueId,
    },
    /// Exchanges data with other programs that run at the same time: what its operands hold is
    /// observable, and its results and the new contents of its written operands are whatever the
    /// others send. Exchanges keep the order in which they start.
    Exchange {
        /// Identity of the exchange.
        fingerprint: Fingerprint,
        /// Operands, in order.
        operands: Box<[Operand]>,
        /// Results, in order, without the ticket.
        results: Box<[ValueId]>,
        /// If the exchange proceeds by itself: what an [`StepKind::Await`] waits for. Until then, no
        /// other step may write what it reads, or touch what it writes. At each later exchange,
        /// whatever is in flight in the original has to be in flight: other programs may wait for
        /// that exchange before they take part in this one.
        ticket: Option<ValueId>,
        /// Whether all waits for it are exchanges of their own, which keep their order, so that it is
        /// in flight at the same exchanges of both programs.
        keeps_waits: bool,
        /// Whether it is the last one, at which nothing may be in flight.
        is_last: bool,
    },
    /// Starts a copy of consecutive bytes, from the first element of one view to the first element
    /// of another. The copy proceeds by itself until an [`StepKind::Await`] with its ticket.
    Start(Box<Transfer>),
    /// Waits until a transfer has completed.
    Await {
        /// The ticket of the transfer.
        ticket: Ticket,
        /// Number of units that the transfer copies, if stated.
        count: Option<i64>,
    },
    /// Frees storage.
    Free {
        /// Identity of the step.
        fingerprint: Fingerprint,
        /// The storage.
        storage: ValueId,
    },
    /// Calls a function of the module.
    Call {
        /// Name of the callee.
        callee: Box<str>,
        /// Identity of the call, apart from its operands.
        fingerprint: Fingerprint,
        /// Operands, in order.
        operands: Box<[ValueId]>,
        /// Results, in order.
        results: Box<[ValueId]>,
    },
    /// Has arbitrary effects on its operands and on all externally reachable memory.
    Event {
        /// Identity of the step.
        fingerprint: Fingerprint,
        /// Operands, in order.
        operands: Box<[ValueId]>,
        /// Results, in order.
        results: Box<[ValueId]>,
    },
    /// Cannot be followed.
    Unknown {
        /// The reason, phrased to follow "because".
        why: &'static str,
        /// All values that the step touches.
        operands: Box<[ValueId]>,
        /// All values that the step defines.
        results: Box<[ValueId]>,
    },
}

const _: () = assert!(size_of::<StepKind>() <= 56);

/// A step that computes a scalar without accessing memory.
#[derive(Clone, Debug)]
pub enum ScalarStep {
    /// An integer constant.
    Integer {
        /// The constant.
        value: i64,
        /// The result.
        result: ValueId,
    },
    /// Arithmetic on indices.
    Arithmetic {
        /// The operator.
        operator: Arithmetic,
        /// Left and right operand.
        operands: [ValueId; 2],
        /// The result.
        result: ValueId,
    },
    /// Reads the size of a dimension of a view.
    Dimension {
        /// The size.
        result: ValueId,
        /// The view.
        source: ValueId,
        /// Index of the dimension.
        index: Number,
    },
    /// Reads a number of a view's layout.
    Layout {
        /// The number.
        result: ValueId,
        /// The view.
        source: ValueId,
        /// The part of the layout that is read.
        part: Part,
    },
}

/// A step that makes storage, a view or an address available.
#[derive(Clone, Debug)]
pub enum StorageStep {
    /// Allocates storage with undefined content.
    Allocate {
        /// The storage.
        result: ValueId,
        /// Size in bytes, if known.
        bytes: Option<i64>,
        /// Size of each dynamic dimension.
        sizes: Vec<Number>,
        /// Whether several tensors share the storage, i.e. it is an arena.
        is_arena: bool,
    },
    /// Refers to a global variable.
    Global {
        /// The storage.
        result: ValueId,
        /// Name of the global.
        name: Fingerprint,
        /// Whether the global is constant.
        is_constant: bool,
        /// Elements of a constant global, if they are known and few. A single entry stands for all
        /// elements. Otherwise empty.
        elements: Vec<Constant>,
    },
    /// Derives a view from another view.
    View {
        /// The new view.
        result: ValueId,
        /// The view that it is derived from.
        source: ValueId,
        /// How the new view is derived.
        kind: Box<ViewKind>,
    },
    /// Reads the address of a view's aligned pointer.
    Pointer {
        /// The address.
        result: ValueId,
        /// The view.
        source: ValueId,
    },
}

/// A step that moves contents between memory and values, without computing.
#[derive(Clone, Debug)]
pub enum AccessStep {
    /// Copies all elements unchanged.
    Copy {
        /// Identity of the behavior if source and destination overlap.
        fingerprint: Fingerprint,
        /// Source.
        from: ValueId,
        /// Destination.
        to: ValueId,
    },
    /// Sets all elements to one value.
    Fill {
        /// The value.
        value: ValueId,
        /// Destination.
        to: ValueId,
    },
    /// Loads an element.
    Load {
        /// The view that is read.
        from: ValueId,
        /// Index in each dimension.
        indices: Box<[ValueId]>,
        /// The loaded element.
        result: ValueId,
    },
    /// Stores an element.
    Store {
        /// The stored value.
        value: ValueId,
        /// The view that is written.
        to: ValueId,
        /// Index in each dimension.
        indices: Box<[ValueId]>,
    },
}

/// A step whose result denotes one of several values.
#[derive(Clone, Debug)]
pub enum ChoiceStep {
    /// Selects one of two views, or one of two tickets.
    Select {
        /// The condition.
        condition: ValueId,
        /// The view selected if the condition holds.
        yes: ValueId,
        /// The view selected otherwise.
        no: ValueId,
        /// The selected view.
        result: ValueId,
    },
    /// Selects one of several slots that overlaps none of the avoided views.
    Rotate {
        /// The slots.
        slots: Box<[ValueId]>,
        /// Views of storage that is in use.
        avoiding: Box<[ValueId]>,
        /// The selected slot.
        result: ValueId,
    },
    /// States that `result` is the first of several slots that no avoided address points into, or
    /// the last slot: it was selected by comparing the aligned pointers of the avoided views with
    /// the range of each slot but the last.
    Rotated {
        /// The selected slot.
        result: ValueId,
        /// All slots, in the order in which they are tried.
        slots: Box<[ValueId]>,
        /// The views whose aligned pointers are compared.
        avoiding: Box<[ValueId]>,
        /// Size of a slot in the comparisons, in bytes.
        bytes: i64,
    },
}
