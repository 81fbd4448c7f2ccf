//! The links between the ranks of a program: which there are, and which messages each carries.

use crate::{LinkId, Port};

/// A link between ranks: an engine that carries messages one after the other, beside computation,
/// copies and the messages of other links.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Unique within the hierarchy. `None`: the only link of a hierarchy that names none.
    pub name: Option<String>,
    /// Cost of a message.
    pub port: Port,
    /// Whether each direction is an engine of its own.
    pub is_duplex: bool,
}

/// What a message is for the rank that starts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// The rank sends.
    Send,
    /// The rank receives.
    Receive,
    /// All ranks of a communicator take part.
    Collective,
}

/// Messages that travel over a link: those for which all conditions hold, on every rank that starts
/// the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The link.
    pub link: LinkId,
    /// The kind of the message.
    pub kind: Option<MessageKind>,
    /// Both ends are in one node, if ranks are divided into nodes of so many, in order.
    pub node: Option<u64>,
    /// The other rank is farther by one of these, modulo the number of ranks. Empty: any.
    pub distances: Vec<i64>,
    /// The other rank is one of these. Empty: any.
    pub peers: Vec<u64>,
    /// The coordinates of the ends in the grid of ranks differ only along these axes. Empty: any.
    pub axes: Vec<usize>,
}

impl Route {
    /// Whether the route carries whatever no other one does.
    #[must_use]
    pub const fn is_default(&self) -> bool {
        let has_ends = self.node.is_some()
            || !self.distances.is_empty()
            || !self.peers.is_empty()
            || !self.axes.is_empty();
        self.kind.is_none() && !has_ends
    }
}

/// The engines of a link that a message occupies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lanes {
    /// All of the link: it has one engine, or the message needs both directions.
    #[default]
    Both,
    /// What the rank sends, on a duplex link.
    Out,
    /// What the rank receives, on a duplex link.
    In,
}

impl Lanes {
    /// Whether the message occupies the engines for sending and for receiving.
    #[must_use]
    pub const fn occupied(self) -> [bool; 2] {
        match self {
            Self::Both => [true, true],
            Self::Out => [true, false],
            Self::In => [false, true],
        }
    }
}

/// Where a message travels. The default is the only link of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carrier {
    /// The link.
    pub link: LinkId,
    /// The engines of the link.
    pub lanes: Lanes,
}

impl Default for Carrier {
    fn default() -> Self {
        Self {
            link: LinkId::new(0),
            lanes: Lanes::Both,
        }
    }
}
