//! Values as a graph: what every scalar is, and every byte of memory, in terms of what the program started with.
//!
//! Nodes are hash-consed: equal nodes of one program are one node. Joins are the exception: each is a node of its own, whose
//! inputs are known only once the whole program has been evaluated. A node denotes a scalar, or a string of bytes.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::linear::Linear;
use crate::program::{Fingerprint, Location};

/// A node of one program's graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub u32);

/// `length` bytes of `node`'s string from byte `offset` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Piece {
    pub node: NodeId,
    pub offset: i64,
    pub length: i64,
}

/// Elements of a string of bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Region {
    /// Byte of the first element.
    pub start: Linear,
    /// Size, and stride in bytes.
    pub dims: Vec<(Linear, Linear)>,
    pub element: i64,
}

impl Region {
    /// Whether it is one element, and if it has any of the `length` bytes from `offset` on, these are all it has. A length of -1 is
    /// that of a scalar.
    pub fn is_element_at(&self, offset: i64, length: i64) -> bool {
        let is_multiple = |n: i64| self.element > 0 && n % self.element == 0;
        let mut factors = self.start.terms.iter().map(|(_, factor)| *factor);
        self.dims.is_empty()
            && [self.element, -1].contains(&length)
            && is_multiple(self.start.constant.wrapping_sub(offset))
            && factors.all(is_multiple)
    }
}

/// Storage that exists outside of the function, or that others can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum External {
    Argument(u32),
    Global {
        name: Fingerprint,
        is_constant: bool,
    },
    /// Allocated here, and known elsewhere: which of those, in the order of evaluation.
    Escaped(u32),
    /// Wherever a value of the program points.
    Pointer(NodeId),
}

/// How two accesses of one step share bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sharing {
    /// The same elements in the same order.
    Same,
    /// Views of one storage: where the second begins relative to the first, and both shapes.
    Within(Linear, Region, Region),
    /// Views of storage that may be one.
    Perhaps((External, Region), (External, Region)),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// A number.
    Integer(i64),
    /// A number that follows from others.
    Linear(Linear),
    /// An argument of the function that is no storage, or a size or stride of one that is.
    Argument(u32, u32),
    /// A block argument that no edge defines: which join, which argument.
    Induction(u32, u32),
    /// What storage held when the function began.
    Initial(External),
    /// Where an external view points to.
    Address(External, Linear),
    /// Bytes that were never written.
    Undefined,
    /// Elements that are all one value; any length.
    Splat { value: NodeId, element: i64 },
    /// What a step computes: its fingerprint, and all it depends on.
    Step {
        fingerprint: Fingerprint,
        inputs: Vec<NodeId>,
        shared: Vec<(u32, u32, Sharing)>,
    },
    /// One of the results of a step, or the new content of one of its operands.
    Result(NodeId, u32),
    /// Bytes one after the other.
    Sequence(Vec<Piece>),
    /// What comes from the edge by which control came; inputs in [`Graph::joins`].
    Join { label: u32, number: u32 },
    /// `new` if control last came to `label` by this edge, else `old`.
    Gate {
        label: u32,
        edge: u32,
        new: (NodeId, i64),
        old: (NodeId, i64),
    },
    /// One of two, as a condition says.
    Choice(NodeId, NodeId, NodeId),
    /// A string in which some elements have been overwritten.
    Update {
        old: NodeId,
        region: Region,
        new: NodeId,
    },
    /// Elements of a string.
    Extract { from: NodeId, region: Region },
    /// All memory that others can reach, when the function began.
    Memory,
    /// Memory after known bytes of a storage were written: pieces by address.
    Write {
        memory: NodeId,
        to: External,
        pieces: Vec<(i64, Piece)>,
    },
    /// Memory after elements of a storage were written.
    WriteElements {
        memory: NodeId,
        to: External,
        region: Region,
        new: NodeId,
    },
    /// Memory after a step that may have changed any of it.
    After(NodeId),
    /// The bytes of a storage in some state of memory.
    Read { memory: NodeId, of: External },
    /// Something that could not be followed.
    Unknown(u32),
}

/// The graph of one program.
#[derive(Default)]
pub(crate) struct Graph {
    nodes: IndexSet<Node, FxBuildHasher>,
    /// By node: the step that first made it.
    origins: Vec<Option<Location>>,
    /// By node: the bytes it denotes, if that is known.
    lengths: Vec<Option<i64>>,
    /// By number of a join: its inputs by edge, each from a byte on. `None`: not known yet.
    pub joins: Vec<Vec<Option<(NodeId, i64)>>>,
    /// The step that is being evaluated.
    pub here: Option<Location>,
    /// Why something could not be followed, by number of [`Node::Unknown`].
    pub unknowns: Vec<(Option<Location>, &'static str)>,
}

impl Graph {
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn origin(&self, id: NodeId) -> Option<Location> {
        self.origins[id.0 as usize]
    }

    /// The number of a node, made if there is none.
    pub fn add(&mut self, node: Node) -> NodeId {
        self.add_sized(node, None)
    }

    pub fn add_sized(&mut self, node: Node, length: Option<i64>) -> NodeId {
        let (index, is_new) = self.nodes.insert_full(node);
        if is_new {
            self.origins.push(self.here);
            self.lengths.push(length);
        }
        NodeId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// What could not be followed here: one node for each place and reason, so that loops settle.
    pub fn unknown(&mut self, why: &'static str) -> NodeId {
        let key = (self.here, why);
        let known = self.unknowns.iter().position(|own| *own == key);
        let number = known.unwrap_or_else(|| {
            self.unknowns.push(key);
            self.unknowns.len() - 1
        });
        self.add(Node::Unknown(u32::try_from(number).unwrap_or(u32::MAX)))
    }

    /// A number as a node.
    pub fn number(&mut self, form: &Linear) -> NodeId {
        match (form.known(), form.terms.as_slice()) {
            (Some(constant), _) => self.add(Node::Integer(constant)),
            (None, [(node, 1)]) if form.constant == 0 => *node,
            _ => self.add(Node::Linear(form.clone())),
        }
    }

    /// A node as a number.
    pub fn linear(&self, node: NodeId) -> Linear {
        match self.node(node) {
            Node::Integer(constant) => Linear::constant(*constant),
            Node::Linear(form) => form.clone(),
            _ => Linear::of_node(node),
        }
    }

    /// `length` bytes of a node's string, as pieces.
    pub fn pieces(&self, node: NodeId, length: i64) -> Vec<Piece> {
        match self.node(node) {
            Node::Sequence(pieces) => pieces.clone(),
            _ => vec![Piece {
                node,
                offset: 0,
                length,
            }],
        }
    }

    /// Bytes one after the other as one node.
    pub fn sequence(&mut self, pieces: impl IntoIterator<Item = Piece>) -> NodeId {
        let mut joined: Vec<Piece> = Vec::new();
        for piece in pieces.into_iter().filter(|piece| piece.length > 0) {
            let piece = self.normal(piece);
            match joined.last_mut() {
                Some(last) if self.continues(last, &piece) => last.length += piece.length,
                // One more element of the same value.
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
        if let [only] = joined[..] {
            let whole = self.lengths[only.node.0 as usize] == Some(only.length);
            if only.offset == 0 && whole {
                return only.node;
            }
            if let Node::Splat { value, element } = *self.node(only.node)
                && only.length == element
            {
                return value;
            }
        }
        let length = joined.iter().map(|piece| piece.length).sum();
        self.add_sized(Node::Sequence(joined), Some(length))
    }

    /// Undefined bytes and equal elements are the same at every offset.
    fn normal(&self, mut piece: Piece) -> Piece {
        match self.node(piece.node) {
            Node::Undefined => piece.offset = 0,
            Node::Splat { element, .. } => piece.offset %= element,
            _ => {}
        }
        piece
    }

    /// Whether a piece is one whole element of a splat.
    fn is_element_of(&self, piece: &Piece, splat: NodeId) -> bool {
        match *self.node(splat) {
            Node::Splat { value, element } => {
                piece.node == value && piece.offset == 0 && piece.length == element
            }
            _ => false,
        }
    }

    /// Whether a piece of a splat ends with a whole element.
    fn is_aligned(&self, piece: &Piece) -> bool {
        match *self.node(piece.node) {
            Node::Splat { element, .. } => (piece.offset + piece.length) % element == 0,
            _ => false,
        }
    }

    fn continues(&self, last: &Piece, next: &Piece) -> bool {
        if last.node != next.node {
            return false;
        }
        match self.node(last.node) {
            Node::Undefined => true,
            Node::Splat { element, .. } => (last.offset + last.length) % element == next.offset,
            _ => last.offset + last.length == next.offset,
        }
    }

    /// A join of `n` inputs that are not known yet.
    pub fn join(&mut self, label: u32, n: usize) -> NodeId {
        let number = u32::try_from(self.joins.len()).unwrap_or(u32::MAX);
        self.joins.push(vec![None; n]);
        self.add(Node::Join { label, number })
    }

    /// A string in which some elements are overwritten. The same elements written before, and not read since, are forgotten.
    pub fn update(
        &mut self,
        old: NodeId,
        region: Region,
        new: NodeId,
        length: Option<i64>,
    ) -> NodeId {
        let old = self.forget(old, &region, 0);
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
        match own == *region {
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

    /// Elements of a string.
    pub fn extract(&mut self, from: NodeId, region: Region, length: Option<i64>) -> NodeId {
        match self.node(from) {
            Node::Update {
                region: own, new, ..
            } if *own == region => return *new,
            Node::Unknown(_) => return from,
            Node::Sequence(pieces) => {
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
        self.add_sized(Node::Extract { from, region }, length)
    }
}
