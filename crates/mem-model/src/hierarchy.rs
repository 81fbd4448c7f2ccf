//! The memory hierarchy of a machine, fastest level first.

use crate::{Bytes, LevelId, Link, Route};

/// Cost of reading or of writing one level.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Port {
    /// Cycles before the first byte.
    pub latency: u64,
    /// Bytes per cycle after that; zero if unspecified.
    pub bandwidth: f64,
}

impl Port {
    /// Cycles to stream `bytes` bytes in one access, rounded up; zero if there are none. An
    /// unspecified bandwidth adds no cycles.
    #[must_use]
    pub fn cycles(&self, bytes: Bytes) -> u64 {
        if bytes == Bytes::ZERO {
            return 0;
        }
        let streaming = match self.bandwidth > 0.0 {
            true => (bytes.get() as f64 / self.bandwidth).ceil() as u64,
            false => 0,
        };
        self.latency.saturating_add(streaming)
    }
}

/// One level of the hierarchy.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Unique within the hierarchy.
    pub name: String,
    /// Size in bytes; `None`: unbounded.
    pub capacity: Option<Bytes>,
    /// Power of two that divides every address.
    pub alignment: Bytes,
    /// Cost of reads.
    pub read: Port,
    /// Cost of writes.
    pub write: Port,
}

/// A copy engine: transfers bytes between levels concurrently with computation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyEngine {
    /// Name for reports.
    pub name: String,
    /// Supported directions, as (source, destination).
    pub links: Vec<(LevelId, LevelId)>,
}

/// The levels in which an operation accepts one of its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptedOperand {
    /// Name of the operation or kernel.
    pub operation: String,
    /// Operand number, from 0.
    pub index: usize,
    /// Accepted levels; never empty.
    pub levels: Vec<LevelId>,
}

/// All memories that a program can use, indexed by `LevelId`; level 0 is the fastest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hierarchy {
    /// The levels, fastest first.
    pub levels: Vec<Level>,
    /// Engines that copy between levels. If empty, the processor copies between any two levels,
    /// synchronously.
    pub engines: Vec<CopyEngine>,
    /// Operands that are not accepted in every level.
    pub operands: Vec<AcceptedOperand>,
    /// Arithmetic operations per cycle; zero if unspecified.
    pub compute: f64,
    /// Whether the first load of a constant is free.
    pub is_preloaded: bool,
    /// The links between ranks, whose messages travel beside computation and copies. Empty: messages
    /// take no time. Indexed by `LinkId`.
    pub links: Vec<Link>,
    /// Which messages travel over which link: the first route that carries a message, and one without
    /// conditions for those that no other one carries. Empty: all travel over link 0. Steps state the
    /// links of their messages, so the text form of a problem has no routes.
    pub routes: Vec<Route>,
    /// Shape of the grid of ranks, whose last axis varies fastest. Empty: unknown.
    pub ranks: Vec<u64>,
}

impl Hierarchy {
    /// Creates a hierarchy of one unbounded memory called `arena`, of unspecified speed.
    #[must_use]
    pub fn single() -> Self {
        Self {
            levels: vec![Level {
                name: "arena".to_owned(),
                capacity: None,
                alignment: Bytes::new(1),
                read: Port::default(),
                write: Port::default(),
            }],
            ..Self::default()
        }
    }

    /// Returns the level called `name`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<LevelId> {
        let index = self.levels.iter().position(|level| level.name == name)?;
        Some(LevelId::new(index))
    }

    /// Whether one copy can move bytes from `from` to `to` directly, without an intermediate level.
    #[must_use]
    pub fn connects(&self, from: LevelId, to: LevelId) -> bool {
        let mut links = self.engines.iter().flat_map(|engine| &engine.links);
        self.engines.is_empty() || from == to || links.any(|link| *link == (from, to))
    }
}
