//! The input: programs on memory as plain data, with every control-flow edge explicit.
//!
//! Values are numbered per function. Fingerprints are numbers that a caller gives to whatever it can only compare (names,
//! attributes, types, regions): equal numbers mean equal things in both programs.

/// A value of a function: a scalar, or a view of storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// A block of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// Something that can only be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub u32);

/// Where something is in the source, by the caller's numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location(pub u32);

/// A module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Functions with bodies, and declarations (without blocks).
    pub functions: Vec<Function>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Unique within the module; what [`StepKind::Call`] refers to.
    pub name: String,
    /// Whether code outside of the module may call it.
    pub is_public: bool,
    /// Where it is.
    pub location: Location,
    /// By value: what is known of its type.
    pub types: Vec<ValueType>,
    /// The first is the entry, whose arguments are the function's. Empty: a declaration.
    pub blocks: Vec<Block>,
    /// By argument: no other argument shares bytes with it.
    pub is_noalias: Vec<bool>,
}

/// What is known of a value's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// Neither storage nor a view of it. With the bytes it takes in memory, if known, and whether it is an index.
    Scalar {
        /// Bytes of the value in memory.
        bytes: Option<i64>,
        /// Whether it is of type `index`, on which linear arithmetic is understood.
        is_index: bool,
    },
    /// Elements of storage.
    Elements(Layout),
    /// Bytes of storage: a buffer or an arena, of a size known or not.
    Bytes(Option<i64>),
    /// A view of storage whose layout cannot be described.
    Unknown,
}

/// Elements at regular distances. Offset and strides are in elements; `None`: known only at run time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Bytes of an element.
    pub element: i64,
    /// From the aligned pointer to the first element.
    pub offset: Option<i64>,
    /// Size and stride of each dimension, outermost first.
    pub dims: Vec<(Option<i64>, Option<i64>)>,
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Defined by the edges that lead here, or by nothing known.
    pub arguments: Vec<ValueId>,
    /// In the order of execution.
    pub steps: Vec<Step>,
    /// How it ends.
    pub end: End,
}

/// The end of a block.
#[derive(Clone, Debug)]
pub struct End {
    /// Where it is.
    pub location: Location,
    /// What decides which edge is taken, but for the operands.
    pub fingerprint: Fingerprint,
    /// Values that decide which edge is taken; or, without edges, what is returned.
    pub operands: Vec<ValueId>,
    /// Where control may go; none: out of the function.
    pub edges: Vec<Edge>,
}

/// A control-flow edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it leads.
    pub to: BlockId,
    /// Values that become others; `None`: a value that the branch itself makes up.
    pub values: Vec<(Option<ValueId>, ValueId)>,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it is.
    pub location: Location,
    /// What it does.
    pub kind: StepKind,
}

/// A number: known, or a value of type index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Known.
    Constant(i64),
    /// Known only at run time.
    Value(ValueId),
}

/// How a view follows from another.
#[derive(Clone, Debug)]
pub enum ViewKind {
    /// The same elements.
    Same,
    /// The same bytes from the same first element on, in the shape of the result's type.
    Reshape,
    /// Every so many elements of each dimension; the result's type tells which dimensions stay.
    Slice {
        /// First element of each dimension.
        offsets: Vec<Number>,
        /// Elements of each dimension.
        sizes: Vec<Number>,
        /// Distance in each dimension, in elements of the source.
        strides: Vec<Number>,
    },
    /// Bytes from `start` on, where the first element is, in the shape of the result's type.
    Bytes {
        /// In bytes, from the first byte of the source.
        start: Number,
        /// One for each dimension known only at run time; or none, if one of them follows from all bytes together.
        sizes: Vec<Number>,
        /// All bytes together, if that is known.
        bytes: Option<Number>,
        /// Accesses through it stay within so many bytes, if that is known.
        limit: Option<i64>,
    },
    /// Any elements from the aligned pointer on.
    Reinterpret {
        /// In elements.
        offset: Number,
        /// Of each dimension.
        sizes: Vec<Number>,
        /// Of each dimension, in elements.
        strides: Vec<Number>,
    },
    /// The same elements with dimensions in another order: by result dimension, the source's.
    Permute(Vec<usize>),
    /// The aligned pointer alone, as storage without dimensions.
    Base,
}

impl ViewKind {
    /// Everything that a view depends on, but for its source.
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

/// What a step does with one of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The operand.
    pub value: ValueId,
    /// Reads the elements.
    pub reads: bool,
    /// Writes some of them.
    pub writes: bool,
    /// Writes all of them, in every execution.
    pub writes_all: bool,
    /// Elementwise: each element is read, and each result written, at the same position of the iteration space, so that a
    /// read operand and a written one may be the very same elements.
    pub in_order: bool,
}

/// A constant of some type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// An integer, as [`StepKind::Integer`].
    Integer(i64),
    /// What a [`StepKind::Compute`] without operands computes that has this fingerprint.
    Other(Fingerprint),
}

/// A number of a view's layout, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// From the aligned pointer to the first element.
    Offset,
    /// Of a dimension.
    Stride(usize),
}

/// Arithmetic on indices that keeps linear forms linear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// An integer that is known.
    Integer {
        /// The number.
        value: i64,
        /// The result.
        result: ValueId,
    },
    /// Linear arithmetic on indices.
    Arithmetic {
        /// Which.
        operator: Arithmetic,
        /// Both operands.
        operands: [ValueId; 2],
        /// The result.
        result: ValueId,
    },
    /// New storage, of undefined content.
    Allocate {
        /// The storage.
        result: ValueId,
        /// Its size in bytes.
        bytes: Option<i64>,
        /// One for each dimension known only at run time.
        sizes: Vec<Number>,
        /// Whether tensors share it: an arena.
        is_arena: bool,
    },
    /// A global variable.
    Global {
        /// The storage.
        result: ValueId,
        /// Its name.
        name: Fingerprint,
        /// Whether it never changes.
        is_constant: bool,
        /// If it never changes, and they are known and few: its elements; or one that they all are.
        elements: Vec<Constant>,
    },
    /// A view of a view.
    View {
        /// The new view.
        result: ValueId,
        /// What it is a view of.
        source: ValueId,
        /// How they are related.
        kind: ViewKind,
    },
    /// A dimension of a view.
    Dimension {
        /// The number.
        result: ValueId,
        /// The view.
        source: ValueId,
        /// Which.
        index: Number,
    },
    /// How a view is laid out.
    Layout {
        /// The number.
        result: ValueId,
        /// The view.
        source: ValueId,
        /// Which number.
        part: Part,
    },
    /// Computes results and contents of operands from its operands alone.
    Compute {
        /// What it computes.
        fingerprint: Fingerprint,
        /// In order.
        operands: Vec<Operand>,
        /// In order.
        results: Vec<ValueId>,
    },
    /// Copies all elements as they are.
    Copy {
        /// What to do if both overlap.
        fingerprint: Fingerprint,
        /// From where.
        from: ValueId,
        /// To where.
        to: ValueId,
    },
    /// Makes all elements one value.
    Fill {
        /// The value.
        value: ValueId,
        /// Where.
        to: ValueId,
    },
    /// Reads an element.
    Load {
        /// Of what.
        from: ValueId,
        /// Which.
        indices: Vec<ValueId>,
        /// The element.
        result: ValueId,
    },
    /// Writes an element.
    Store {
        /// The element.
        value: ValueId,
        /// Of what.
        to: ValueId,
        /// Which.
        indices: Vec<ValueId>,
    },
    /// One of two views.
    Select {
        /// Which.
        condition: ValueId,
        /// If it holds.
        yes: ValueId,
        /// If not.
        no: ValueId,
        /// The view.
        result: ValueId,
    },
    /// One of several places that none of the avoided views is in.
    Rotate {
        /// The places.
        slots: Vec<ValueId>,
        /// Views of what is in use.
        avoiding: Vec<ValueId>,
        /// The place.
        result: ValueId,
    },
    /// Calls a function of the module.
    Call {
        /// Its name.
        callee: String,
        /// What a call does, but for the operands.
        fingerprint: Fingerprint,
        /// In order.
        operands: Vec<ValueId>,
        /// In order.
        results: Vec<ValueId>,
    },
    /// Does anything with its operands and all memory that others can reach.
    Event {
        /// What it does.
        fingerprint: Fingerprint,
        /// In order.
        operands: Vec<ValueId>,
        /// In order.
        results: Vec<ValueId>,
    },
    /// Cannot be followed.
    Unknown {
        /// Why not; follows "because".
        why: &'static str,
        /// All values it touches.
        operands: Vec<ValueId>,
        /// All values it defines.
        results: Vec<ValueId>,
    },
}

impl StepKind {
    /// The values that a step uses.
    #[must_use]
    pub fn operands(&self) -> Vec<ValueId> {
        let numbers = |numbers: &[Number]| {
            let values = numbers.iter().filter_map(|number| match number {
                Number::Constant(_) => None,
                Number::Value(value) => Some(*value),
            });
            values.collect::<Vec<_>>()
        };
        match self {
            Self::Integer { .. } | Self::Global { .. } => Vec::new(),
            Self::Arithmetic { operands, .. } => operands.to_vec(),
            Self::Allocate { sizes, .. } => numbers(sizes),
            Self::View { source, kind, .. } => {
                let mut used = numbers(&kind.numbers());
                used.push(*source);
                used
            }
            Self::Dimension { source, index, .. } => {
                let mut used = numbers(&[*index]);
                used.push(*source);
                used
            }
            Self::Layout { source, .. } => vec![*source],
            Self::Compute { operands, .. } => operands.iter().map(|own| own.value).collect(),
            Self::Copy { from, to, .. } => vec![*from, *to],
            Self::Fill { value, to } => vec![*value, *to],
            Self::Load { from, indices, .. } => indices.iter().chain([from]).copied().collect(),
            Self::Store { value, to, indices } => {
                indices.iter().chain([value, to]).copied().collect()
            }
            Self::Select {
                condition, yes, no, ..
            } => vec![*condition, *yes, *no],
            Self::Rotate {
                slots, avoiding, ..
            } => slots.iter().chain(avoiding).copied().collect(),
            Self::Call { operands, .. }
            | Self::Event { operands, .. }
            | Self::Unknown { operands, .. } => operands.clone(),
        }
    }

    /// The values that a step defines.
    #[must_use]
    pub fn results(&self) -> Vec<ValueId> {
        match self {
            Self::Integer { result, .. }
            | Self::Arithmetic { result, .. }
            | Self::Allocate { result, .. }
            | Self::Global { result, .. }
            | Self::View { result, .. }
            | Self::Dimension { result, .. }
            | Self::Layout { result, .. }
            | Self::Load { result, .. }
            | Self::Select { result, .. }
            | Self::Rotate { result, .. } => vec![*result],
            Self::Compute { results, .. }
            | Self::Call { results, .. }
            | Self::Event { results, .. }
            | Self::Unknown { results, .. } => results.clone(),
            Self::Copy { .. } | Self::Fill { .. } | Self::Store { .. } => Vec::new(),
        }
    }
}
