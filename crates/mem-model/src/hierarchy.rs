//! The memories of a machine, the fastest first.

use crate::{Bytes, LevelId};

/// How fast one level is read, or written.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Port {
    /// Cycles before the first byte.
    pub latency: u64,
    /// Bytes per cycle from then on; zero if it is not stated.
    pub bandwidth: f64,
}

impl Port {
    /// Cycles for so many bytes, all in one go: nothing for none. Whole cycles; a bandwidth that is not stated takes no time.
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

/// One memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Unique within the hierarchy.
    pub name: String,
    /// Bytes there are; `None`: unbounded.
    pub capacity: Option<Bytes>,
    /// Every address is a multiple of this power of two.
    pub alignment: Bytes,
    /// Cost of reading.
    pub read: Port,
    /// Cost of writing.
    pub write: Port,
}

/// Something that copies between levels while other things go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyEngine {
    /// For people.
    pub name: String,
    /// From where to where.
    pub links: Vec<(LevelId, LevelId)>,
}

/// The levels in which an operand is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptedOperand {
    /// Name of the operation, or of the kernel.
    pub operation: String,
    /// Which operand, from 0.
    pub index: usize,
    /// Where; not empty.
    pub levels: Vec<LevelId>,
}

/// All memories a program can use; indexed by `LevelId`, 0 the fastest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hierarchy {
    /// The fastest first.
    pub levels: Vec<Level>,
    /// What copies between them; nothing: the processor, between all of them, and waits.
    pub engines: Vec<CopyEngine>,
    /// Operands that are not accepted in all levels.
    pub operands: Vec<AcceptedOperand>,
    /// Arithmetic operations per cycle; zero if that is not stated.
    pub compute: f64,
    /// The first load of a constant is free.
    pub is_preloaded: bool,
}

impl Hierarchy {
    /// One unbounded memory called `arena`, of unknown speed.
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

    /// The level of that name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<LevelId> {
        let index = self.levels.iter().position(|level| level.name == name)?;
        Some(LevelId::new(index))
    }

    /// Whether anything copies from one level to another, at once.
    #[must_use]
    pub fn connects(&self, from: LevelId, to: LevelId) -> bool {
        let mut links = self.engines.iter().flat_map(|engine| &engine.links);
        self.engines.is_empty() || from == to || links.any(|link| *link == (from, to))
    }
}
