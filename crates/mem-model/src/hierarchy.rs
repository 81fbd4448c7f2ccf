//! The memories of a machine, the fastest first.

use crate::Bytes;

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

/// All memories a program can use; indexed by `LevelId`, 0 the fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Hierarchy {
    /// The fastest first.
    pub levels: Vec<Level>,
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
        }
    }
}
