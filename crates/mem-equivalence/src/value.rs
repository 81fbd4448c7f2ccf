//! Value graph: every scalar and every byte of memory, in terms of the program's initial state.
//!
//! Nodes are hash-consed: structurally equal nodes of one program are one node. Joins are the
//! exception: each join is a node of its own, because its inputs are known only after the whole
//! program has been evaluated. A node denotes a scalar or a byte string.

use std::cell::RefCell;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::linear::Linear;
use crate::packed::Unpacked;
use crate::program::{Fingerprint, Location};
use crate::rows::Rows;

/// The fingerprint of a product of two indices. As it is reserved, a product only equals a product.
pub(crate) const PRODUCT: Fingerprint = Fingerprint(u32::MAX);

/// The fingerprint of the larger of two indices.
pub(crate) const MAXIMUM: Fingerprint = Fingerprint(u32::MAX - 1);

/// The fingerprint of the bitwise conjunction of two indices.
pub(crate) const MASK: Fingerprint = Fingerprint(u32::MAX - 2);

/// A node of one program's graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub u32);

/// Bytes `[offset, offset + length)` of a node's byte string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Piece {
    pub node: NodeId,
    pub offset: i64,
    pub length: i64,
}

/// A strided region of a byte string or of a storage.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Region {
    /// Offset of the first element, in bytes.
    pub start: Linear,
    /// Size and stride of each dimension; strides are in bytes.
    pub dims: Vec<(Linear, Linear)>,
    pub element: i64,
}

impl Region {
    /// Whether the region is a single element that either coincides with the `length` bytes from
    /// `offset` on or is disjoint from them. A length of -1 stands for a scalar.
    pub(crate) fn is_element_at(&self, offset: i64, length: i64) -> bool {
        let is_multiple = |n: i64| self.element > 0 && n % self.element == 0;
        let mut factors = self.start.terms.iter().map(|(_, factor)| *factor);
        self.dims.is_empty()
            && [self.element, -1].contains(&length)
            && is_multiple(self.start.constant.wrapping_sub(offset))
            && factors.all(is_multiple)
    }
}

/// Storage that exists outside the function or is reachable from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum External {
    Argument(u32),
    Global {
        name: Fingerprint,
        is_constant: bool,
    },
    /// Allocated by the function, but the address escapes. Numbered in evaluation order. In a loop, this is the
    /// last one that was allocated: the caller may still know the others.
    Escaped {
        number: u32,
        is_in_loop: bool,
    },
    /// Storage that a pointer value of the program points to.
    Pointer(NodeId),
}

impl External {
    /// Whether this is the same storage in both programs, as long as the function is executed.
    pub(crate) fn is_fixed(&self) -> bool {
        !matches!(
            self,
            Self::Pointer(_)
                | Self::Escaped {
                    is_in_loop: true,
                    ..
                }
        )
    }
}

/// How two accesses of one step overlap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sharing {
    /// The same elements in the same order.
    Same,
    /// Views of one storage: the distance in bytes from the first start to the second, and both
    /// shapes.
    Within(Linear, Region, Region),
    /// Views of two storages that may alias.
    Perhaps((External, Region), (External, Region)),
}

/// A value. Graphs have many, so rare kinds keep what they are large for behind pointers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// An integer constant.
    Integer(i64),
    /// A linear form over other nodes.
    Linear(Linear),
    /// An argument of the function: argument and component. Component 0 is a scalar itself; the
    /// others are the dynamic offset, sizes and strides of a view.
    Argument(u32, u32),
    /// A block argument that no edge defines: label and argument.
    Induction(u32, u32),
    /// Content of a storage at function entry.
    Initial(External),
    /// Address of an external view: storage and byte offset.
    Address(External, Linear),
    /// Address of a storage of the function. It is another one in the other program.
    Place(u32),
    /// Address of what a view with several targets, or one at an unknown place in an arena,
    /// denotes.
    Site(u32),
    /// Bytes that were never written.
    Undefined,
    /// Elements that all have the same value; of any total length.
    Splat { value: NodeId, element: i64 },
    /// Computation of a step: its fingerprint and everything that it depends on.
    Step {
        fingerprint: Fingerprint,
        inputs: Box<[NodeId]>,
        shared: Box<[(u32, u32, Sharing)]>,
    },
    /// A result of a step, or the new content of an operand. Operands are numbered after the
    /// results.
    Result(NodeId, u32),
    /// Concatenation of pieces.
    Sequence(Vec<Piece>),
    /// `base` with the bytes of some rows replaced by those of `new`, in the order of the rows.
    Overlay {
        base: NodeId,
        rows: Rows,
        new: NodeId,
    },
    /// The bytes of some rows of a node that has no pieces, one row after the other.
    Gather { from: NodeId, rows: Rows },
    /// The value that arrives along the incoming edge taken. The inputs are in [`Graph::joins`].
    Join { label: u32, number: u32 },
    /// `new` if control last entered `label` along `edge`, else `old`.
    Gate {
        label: u32,
        edge: u32,
        new: (NodeId, i64),
        old: (NodeId, i64),
    },
    /// `Choice(condition, a, b)`: one of two values, selected by a condition.
    Choice(NodeId, NodeId, NodeId),
    /// A byte string with a region overwritten.
    Update {
        old: NodeId,
        region: Box<Region>,
        new: NodeId,
    },
    /// A region of a byte string.
    Extract { from: NodeId, region: Box<Region> },
    /// Externally reachable memory at function entry.
    Memory,
    /// Memory after a write of known bytes of a storage; pieces by address.
    Write {
        memory: NodeId,
        to: External,
        pieces: Vec<(i64, Piece)>,
    },
    /// Memory after a write of elements of a storage.
    WriteElements {
        memory: NodeId,
        to: External,
        region: Box<Region>,
        new: NodeId,
    },
    /// Memory after a step that may have changed any of it.
    After(NodeId),
    /// The bytes of a storage in a memory state.
    Read { memory: NodeId, of: External },
    /// Stands for the transfer in flight that was started last by the step with this result.
    Ticket(u32),
    /// A value that could not be followed.
    Unknown(u32),
}

const _: () = assert!(size_of::<Node>() <= 64);

/// Value graph of one program.
#[derive(Default)]
pub(crate) struct Graph {
    nodes: IndexSet<Node, FxBuildHasher>,
    /// Indexed by node: the step that first created it.
    origins: Vec<Option<Location>>,
    /// Indexed by node: the length of its byte string, if known.
    lengths: Vec<Option<i64>>,
    /// Indexed by join number, then by edge: the input as a node and a byte offset. `None`: not
    /// known yet.
    pub joins: Vec<Vec<Option<(NodeId, i64)>>>,
    /// The step that is being evaluated.
    pub here: Option<Location>,
    /// Indexed by number of a [`Node::Unknown`]: location and reason.
    pub unknowns: IndexSet<(Option<Location>, &'static str), FxBuildHasher>,
    /// The packed nodes that are overlays: how many packed nodes are nested in each.
    pub depths: FxHashMap<NodeId, u32>,
    /// Packed nodes that have been unpacked.
    pub unpacked: RefCell<FxHashMap<NodeId, Unpacked>>,
}

impl Graph {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn origin(&self, id: NodeId) -> Option<Location> {
        self.origins[id.0 as usize]
    }

    /// Returns the length of a node's byte string, if known.
    pub(crate) fn length(&self, id: NodeId) -> Option<i64> {
        self.lengths[id.0 as usize]
    }

    /// Interns a node.
    pub(crate) fn add(&mut self, node: Node) -> NodeId {
        self.add_sized(node, None)
    }

    pub(crate) fn add_sized(&mut self, node: Node, length: Option<i64>) -> NodeId {
        let (index, is_new) = self.nodes.insert_full(node);
        if is_new {
            self.origins.push(self.here);
            self.lengths.push(length);
        }
        NodeId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Returns the unknown node of the current step and a reason. There is only one for each, so
    /// that loops reach a fixed point.
    pub(crate) fn unknown(&mut self, why: &'static str) -> NodeId {
        let key = (self.here, why);
        let (number, _) = self.unknowns.insert_full(key);
        self.add(Node::Unknown(u32::try_from(number).unwrap_or(u32::MAX)))
    }

    /// Converts a linear form to a node.
    pub(crate) fn number(&mut self, form: &Linear) -> NodeId {
        match (form.known(), form.terms.as_slice()) {
            (Some(constant), _) => self.add(Node::Integer(constant)),
            (None, [(node, 1)]) if form.constant == 0 => *node,
            _ => self.add(Node::Linear(form.clone())),
        }
    }

    /// Converts a node to a linear form.
    pub(crate) fn linear(&self, node: NodeId) -> Linear {
        match self.node(node) {
            Node::Integer(constant) => Linear::constant(*constant),
            Node::Linear(form) => form.clone(),
            _ => Linear::of_node(node),
        }
    }

    /// Returns the `length` bytes of a node as pieces.
    pub(crate) fn pieces(&self, node: NodeId, length: i64) -> Vec<Piece> {
        match self.node(node) {
            Node::Sequence(pieces) => pieces.clone(),
            _ => vec![Piece {
                node,
                offset: 0,
                length,
            }],
        }
    }

    /// Concatenates pieces into one node in normal form. Parts of packed nodes are unpacked.
    pub(crate) fn sequence(&mut self, pieces: impl IntoIterator<Item = Piece>) -> NodeId {
        let pieces = pieces.into_iter();
        let mut flat = Vec::with_capacity(pieces.size_hint().0);
        for piece in pieces {
            match self.is_part_of_packed(&piece) {
                true => flat.extend(self.part(piece.node, piece.offset, piece.length)),
                false => flat.push(piece),
            }
        }
        self.concatenation(flat)
    }

    /// Like [`Self::sequence`], but parts of packed nodes stay packed.
    pub(crate) fn concatenation(&mut self, pieces: impl IntoIterator<Item = Piece>) -> NodeId {
        let mut joined = self.joined(pieces);
        if let [only] = joined[..] {
            let whole = self.lengths[only.node.0 as usize] == Some(only.length);
            if only.offset == 0 && whole {
                return only.node;
            }
            if let Node::Splat { value, element } = *self.node(only.node)
                && (only.offset, only.length) == (0, element)
            {
                return value;
            }
        }
        let length = joined.iter().map(|piece| piece.length).sum();
        joined.shrink_to_fit();
        self.add_sized(Node::Sequence(joined), Some(length))
    }

    /// Normalizes pieces and merges those that are contiguous.
    pub(crate) fn joined(&self, pieces: impl IntoIterator<Item = Piece>) -> Vec<Piece> {
        let pieces = pieces.into_iter();
        let mut joined: Vec<Piece> = Vec::with_capacity(pieces.size_hint().0);
        for piece in pieces.filter(|piece| piece.length > 0) {
            let piece = self.normal(piece);
            match joined.last_mut() {
                Some(last) if self.continues(last, &piece) => last.length += piece.length,
                // The piece is one more element of the splat.
                Some(last) if self.is_element_of(&piece, last.node) && self.is_aligned(last) => {
                    last.length += piece.length;
                }
                Some(last) if self.is_element_of(last, piece.node) && piece.offset == 0 => {
                    last.node = piece.node;
                    last.length += piece.length;
                }
                _ => joined.push(piece),
            }
        }
        joined
    }

    /// Normalizes the offset of a piece: undefined bytes have no position, and splats are periodic.
    pub(crate) fn normal(&self, mut piece: Piece) -> Piece {
        match self.node(piece.node) {
            Node::Undefined => piece.offset = 0,
            Node::Splat { element, .. } => piece.offset %= element,
            _ => {}
        }
        piece
    }

    /// Whether a piece is exactly one element of a splat.
    fn is_element_of(&self, piece: &Piece, splat: NodeId) -> bool {
        match *self.node(splat) {
            Node::Splat { value, element } => {
                piece.node == value && piece.offset == 0 && piece.length == element
            }
            _ => false,
        }
    }

    /// Whether a piece of a splat ends at an element boundary.
    fn is_aligned(&self, piece: &Piece) -> bool {
        match *self.node(piece.node) {
            Node::Splat { element, .. } => (piece.offset + piece.length) % element == 0,
            _ => false,
        }
    }

    /// Whether a piece, whose offset is normalized, has the bytes after the last one.
    pub(crate) fn continues(&self, last: &Piece, next: &Piece) -> bool {
        if last.node != next.node {
            return false;
        }
        match self.node(last.node) {
            Node::Undefined => true,
            Node::Splat { element, .. } => (last.offset + last.length) % element == next.offset,
            _ => last.offset + last.length == next.offset,
        }
    }

    /// Returns bytes that were never written.
    pub(crate) fn gap(&mut self, length: i64) -> Piece {
        Piece {
            node: self.add(Node::Undefined),
            offset: 0,
            length,
        }
    }

    pub(crate) fn is_undefined(&self, node: NodeId) -> bool {
        *self.node(node) == Node::Undefined
    }

    /// Whether a piece is less than all of a join.
    pub(crate) fn is_longer(&self, piece: &Piece) -> bool {
        let is_join = matches!(self.node(piece.node), Node::Join { .. });
        is_join
            && self
                .length(piece.node)
                .is_some_and(|own| own > piece.length)
    }

    /// Sets the length of a join.
    pub(crate) fn resize(&mut self, join: NodeId, length: i64) {
        self.lengths[join.0 as usize] = Some(length);
    }

    /// Creates a join of `n` inputs that are not known yet.
    pub(crate) fn join(&mut self, label: u32, n: usize) -> NodeId {
        let number = u32::try_from(self.joins.len()).unwrap_or(u32::MAX);
        self.joins.push(vec![None; n]);
        self.add(Node::Join { label, number })
    }

    /// Overwrites a region of a byte string. Earlier updates of the same region are removed, as
    /// nothing of them remains.
    pub(crate) fn update(
        &mut self,
        old: NodeId,
        region: Region,
        new: NodeId,
        length: Option<i64>,
    ) -> NodeId {
        let old = self.forget(old, &region, 0);
        let region = Box::new(region);
        self.add_sized(Node::Update { old, region, new }, length)
    }

    fn forget(&mut self, node: NodeId, region: &Region, depth: usize) -> NodeId {
        const NEAR: usize = 64;
        let Node::Update {
            old,
            region: own,
            new,
        } = self.node(node).clone()
        else {
            return node;
        };
        if depth > NEAR {
            return node;
        }
        let rest = self.forget(old, region, depth + 1);
        match *own == *region {
            true => rest,
            false if rest == old => node,
            false => {
                let length = self.lengths[node.0 as usize];
                self.add_sized(
                    Node::Update {
                        old: rest,
                        region: own,
                        new,
                    },
                    length,
                )
            }
        }
    }

    /// Returns a region of a byte string.
    pub(crate) fn extract(&mut self, from: NodeId, region: Region, length: Option<i64>) -> NodeId {
        match self.node(from) {
            Node::Update {
                region: own, new, ..
            } if **own == region => return *new,
            Node::Unknown(_) => return from,
            Node::Sequence(pieces) => {
                if let [only] = pieces.as_slice()
                    && length.is_none()
                    && matches!(self.node(only.node), Node::Undefined | Node::Unknown(_))
                {
                    return only.node;
                }
                if let ([only], Some(length)) = (pieces.as_slice(), length)
                    && matches!(self.node(only.node), Node::Splat { .. } | Node::Undefined)
                    && only.offset == 0
                {
                    let piece = Piece { length, ..*only };
                    return self.sequence([piece]);
                }
            }
            _ => {}
        }
        let region = Box::new(region);
        self.add_sized(Node::Extract { from, region }, length)
    }
}
