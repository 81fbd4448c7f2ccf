//! Input of the validator: programs on memory as plain data, with every control-flow edge explicit.
//!
//! Values are numbered per function. A fingerprint is a number that the caller assigns to something
//! that can only be compared (names, attributes, types, regions). Equal fingerprints mean equal
//! things in both programs. The three largest numbers are reserved.

mod step;
mod uses;

use std::sync::Arc;

pub use step::{AccessStep, ChoiceStep, ScalarStep, StepKind, StorageStep};

/// A value of a function: a scalar, or a view of storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// A basic block of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// Identity of something that can only be compared. The three largest numbers are reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub u32);

/// A source location, in the caller's numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location(pub u32);

/// A module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Definitions, and declarations, which have no blocks.
    pub functions: Vec<Function>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Name, unique within the module. [`StepKind::Call`] refers to it.
    pub name: String,
    /// Whether code outside the module may call it.
    pub is_public: bool,
    /// Whether anything but a call by name may refer to it.
    pub is_referenced: bool,
    /// Source location.
    pub location: Location,
    /// Indexed by value: the known properties of its type.
    pub types: Vec<ValueType>,
    /// Basic blocks. The first block is the entry; its arguments are the function's arguments.
    /// Empty for a declaration.
    pub blocks: Vec<Block>,
    /// Indexed by argument: whether no other argument shares a byte with it.
    pub is_noalias: Vec<bool>,
}

/// Known properties of a value's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// Neither storage nor a view of storage.
    Scalar {
        /// Size of the value in memory, in bytes, if known.
        bytes: Option<i64>,
        /// Whether the type is `index`, for which linear arithmetic is tracked.
        is_index: bool,
    },
    /// Elements of storage. Values of one type share its layout.
    Elements(Arc<Layout>),
    /// Bytes of storage, i.e. a buffer or an arena: the size in bytes, if known.
    Bytes(Option<i64>),
    /// A view of storage whose layout cannot be described.
    Unknown,
}

/// Layout of a strided view. Offset and strides are in elements; `None`: known only at run time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Size of an element, in bytes.
    pub element: i64,
    /// Distance from the aligned pointer to the first element, in elements.
    pub offset: Option<i64>,
    /// Size and stride of each dimension, outermost first.
    pub dims: Vec<(Option<i64>, Option<i64>)>,
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Block arguments. The incoming edges define them; an argument that no edge defines has an
    /// opaque value.
    pub arguments: Box<[ValueId]>,
    /// Steps in execution order.
    pub steps: Vec<Step>,
    /// The terminator.
    pub end: End,
}

/// The terminator of a block.
#[derive(Clone, Debug)]
pub struct End {
    /// Source location.
    pub location: Location,
    /// Identity of the rule that selects an edge, apart from the operands.
    pub fingerprint: Fingerprint,
    /// How the operands select an edge, as far as it is known. Part of what the fingerprint stands
    /// for.
    pub rule: Rule,
    /// Values that select the edge, or, without edges, the returned values.
    pub operands: Box<[ValueId]>,
    /// Outgoing edges. Empty: control leaves the function.
    pub edges: Vec<Edge>,
}

/// How a terminator selects one of its edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// Not known.
    #[default]
    Unknown,
    /// One of two edges if the first operand is not zero, else the other.
    Condition {
        /// Number of the edge if the operand is not zero.
        yes: usize,
    },
    /// One of the two edges of a counted loop.
    Count(Count),
}

/// A decision whether a counted loop executes one more iteration. Bounds and index are compared as
/// signed or as unsigned numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Value of the index in the first iteration.
    pub lower: ValueId,
    /// The index stays below this value.
    pub upper: ValueId,
    /// What the index is increased by after each iteration.
    pub step: ValueId,
    /// The index: an argument of the first block of the body, which no edge defines.
    pub index: ValueId,
    /// Number of the edge to the first block of the body.
    pub body: usize,
    /// Whether the decision precedes the first iteration, rather than following an iteration.
    pub is_first: bool,
}

/// A control-flow edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Target block.
    pub to: BlockId,
    /// Pairs `(source, target)` of values bound along the edge. A source of `None` is a value that
    /// the branch itself produces.
    pub values: Vec<(Option<ValueId>, ValueId)>,
}

/// A step: one operation.
#[derive(Clone, Debug)]
pub struct Step {
    /// Source location.
    pub location: Location,
    /// Effect of the step.
    pub kind: StepKind,
}

/// A constant, or a value of type `index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// A constant.
    Constant(i64),
    /// Known only at run time.
    Value(ValueId),
}

/// How a view is derived from its source.
#[derive(Clone, Debug)]
pub enum ViewKind {
    /// The same elements.
    Same,
    /// The same bytes, starting at the same first element, in the shape of the result type.
    Reshape,
    /// A strided slice of each dimension. The result type determines which dimensions are kept.
    Slice {
        /// Index of the first element in each dimension.
        offsets: Vec<Number>,
        /// Number of elements in each dimension.
        sizes: Vec<Number>,
        /// Stride in each dimension, in elements of the source.
        strides: Vec<Number>,
    },
    /// Bytes from `start` on, where the first element is, in the shape of the result type.
    Bytes {
        /// Distance from the first byte of the source, in bytes.
        start: Number,
        /// Size of each dynamic dimension. Empty if the only dynamic dimension follows from
        /// `bytes`.
        sizes: Vec<Number>,
        /// Total size of all elements in bytes, if known.
        bytes: Option<Number>,
        /// Accesses through the view stay within this many bytes from `start`, if known.
        limit: Option<i64>,
    },
    /// Arbitrary strided elements relative to the aligned pointer.
    Reinterpret {
        /// Distance from the aligned pointer to the first element, in elements.
        offset: Number,
        /// Size of each dimension.
        sizes: Vec<Number>,
        /// Stride of each dimension, in elements.
        strides: Vec<Number>,
    },
    /// The same elements with permuted dimensions. Indexed by result dimension: the source
    /// dimension.
    Permute(Vec<usize>),
    /// The aligned pointer alone, as storage without dimensions.
    Base,
}

impl ViewKind {
    /// Returns all numbers that the view depends on, apart from its source.
    #[must_use]
    pub fn numbers(&self) -> Vec<Number> {
        match self {
            Self::Slice {
                offsets,
                sizes,
                strides,
            } => offsets
                .iter()
                .chain(sizes)
                .chain(strides)
                .copied()
                .collect(),
            Self::Reinterpret {
                offset,
                sizes,
                strides,
            } => [offset]
                .into_iter()
                .chain(sizes)
                .chain(strides)
                .copied()
                .collect(),
            Self::Bytes {
                start,
                sizes,
                bytes,
                ..
            } => [start]
                .into_iter()
                .chain(sizes)
                .chain(bytes)
                .copied()
                .collect(),
            Self::Same | Self::Reshape | Self::Permute(_) | Self::Base => Vec::new(),
        }
    }
}

/// An operand of a step, and what the step does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The operand.
    pub value: ValueId,
    /// Whether the step reads the elements.
    pub reads: bool,
    /// Whether the step writes some of the elements.
    pub writes: bool,
    /// Whether the step writes all elements in every execution.
    pub writes_all: bool,
    /// Whether the access is elementwise: each element is read, and each result is written, at the
    /// same position of the iteration space. An operand that is read and one that is written may
    /// then be exactly the same elements.
    pub in_order: bool,
}

/// A constant of any type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// An integer, as in [`ScalarStep::Integer`].
    Integer(i64),
    /// The result of a [`StepKind::Compute`] that has this fingerprint and no operands.
    Other(Fingerprint),
}

/// A number of a view's layout, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Distance from the aligned pointer to the first element.
    Offset,
    /// Stride of a dimension.
    Stride(usize),
}

/// A comparison of two indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// Equality.
    Equal,
    /// Inequality.
    NotEqual,
    /// The first of two signed numbers is less.
    Less,
    /// The first of two signed numbers is not greater.
    LessEqual,
    /// The first of two unsigned numbers is less.
    UnsignedLess,
    /// The first of two unsigned numbers is not greater.
    UnsignedLessEqual,
}

/// Arithmetic on indices that addresses and sizes are computed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// The larger of two signed numbers.
    Maximum,
    /// Bitwise conjunction.
    And,
    /// Remainder of a division of unsigned numbers. The fingerprint stands for the operation.
    Remainder(Fingerprint),
    /// Whether a predicate holds: minus one, the bit of an `i1`, or zero. The fingerprint stands
    /// for the operation.
    Compare(Predicate, Fingerprint),
    /// Conjunction of two values of type `i1`. The fingerprint stands for the operation.
    Both(Fingerprint),
    /// Disjunction of two values of type `i1`. The fingerprint stands for the operation.
    Either(Fingerprint),
}

/// An element of a memref that stands for a transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The memref.
    pub tags: ValueId,
    /// Index of the element in each dimension.
    pub indices: Box<[ValueId]>,
}

impl Tag {
    /// Returns the values that the tag consists of.
    fn values(&self) -> Vec<ValueId> {
        self.indices.iter().chain([&self.tags]).copied().collect()
    }
}

/// What a transfer is waited for by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ticket {
    /// The value that its start returned. Zero stands for no transfer.
    Value(ValueId),
    /// As [`Ticket::Value`], of an exchange, which is waited for once.
    Exchange(ValueId),
    /// The tag that its start was given.
    Tag(Tag),
}

impl Ticket {
    /// Returns the values that the ticket consists of.
    fn values(&self) -> Vec<ValueId> {
        match self {
            Self::Value(value) | Self::Exchange(value) => vec![*value],
            Self::Tag(tag) => tag.values(),
        }
    }
}

/// A launch that has completed when another one starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completed {
    /// The ticket of the launch that has completed.
    pub ticket: ValueId,
    /// Whether no other step uses the ticket, and no edge passes it on.
    pub is_only_use: bool,
}

/// A copy of consecutive bytes that proceeds by itself, see [`StepKind::Start`].
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Identity of the behavior if source and destination may overlap; that of
    /// [`AccessStep::Copy`].
    pub fingerprint: Fingerprint,
    /// Source.
    pub from: ValueId,
    /// Destination.
    pub to: ValueId,
    /// Number of units that are copied.
    pub count: i64,
    /// Bytes per unit.
    pub unit: i64,
    /// The tag that stands for the transfer; `None`: only the result does.
    pub tag: Option<Tag>,
    /// A value that stands for the transfer.
    pub result: ValueId,
}

impl Transfer {
    /// Returns the values that the start of the transfer uses.
    fn operands(&self) -> Vec<ValueId> {
        let mut used = self.tag.as_ref().map_or_else(Vec::new, Tag::values);
        used.extend([self.from, self.to]);
        used
    }
}
