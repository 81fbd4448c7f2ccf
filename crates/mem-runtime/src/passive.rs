//! Passive mode at run time: each step finds its tensors on the device, and a clock records when it
//! began.
//!
//! The program calls at the start and at the end of each step, and asks for addresses in between.
//! Copies are made synchronously at the start of a step, by the engines, and their time is not part
//! of any step's time.

use std::time::{Duration, Instant};

use mem_cost::{Passive, PassiveError, PassiveTensor, PassiveUse};
use mem_model::{AccessTable, Bytes, Direction, TableAccess, TableCopy, TensorAccess, TensorId};

use crate::{CopyError, Engines};

/// A tensor of a program in passive mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedTensor {
    /// Name of the tensor.
    pub name: String,
    /// Size in bytes.
    pub size: Bytes,
    /// Power of two that divides the tensor's addresses, in bytes.
    pub alignment: Bytes,
}

/// A step of a program in passive mode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TracedStep {
    /// The step's accesses, each tensor once.
    pub uses: Vec<PassiveUse>,
    /// Tensors that are dead after the step.
    pub releases: Vec<TensorId>,
}

/// Setup of passive mode.
#[derive(Clone, Debug)]
pub struct Traced {
    /// Name of the function.
    pub function: String,
    /// Tensors of the function.
    pub tensors: Vec<TracedTensor>,
    /// Steps of the function.
    pub steps: Vec<TracedStep>,
    /// Bytes of the device.
    pub device: Bytes,
    /// Whether `device` is a budget to record in the table, rather than everything the program
    /// needs.
    pub is_limited: bool,
    /// Bytes of the host pool; `None` if unlimited.
    pub host: Option<Bytes>,
    /// Indices of the engines that copy to the host, and back.
    pub engines: [u16; 2],
    /// Cycles per second of the table.
    pub clock: f64,
}

/// Why a program cannot go on in passive mode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PassiveModeError {
    /// The program begins a step that the setup does not contain.
    #[error("there is no step {0}")]
    NoStep(usize),
    /// The tensors of a step cannot be made resident.
    #[error("step {step}: {source}")]
    NoRoom {
        /// The step.
        step: usize,
        /// Why there is no room for them.
        source: PassiveError,
    },
    /// A copy that a step needs failed.
    #[error("step {step}: {source}")]
    Copy {
        /// The step.
        step: usize,
        /// Why the copy failed.
        source: CopyError,
    },
    /// The program asks for the address of a tensor that has none.
    #[error("tensor {0} is not on the device")]
    NotResident(usize),
}

/// A program running in passive mode.
pub struct Trace {
    traced: Traced,
    passive: Passive,
    /// The arena; `host` is the host pool.
    device: *mut u8,
    host: Vec<u8>,
    start: Instant,
    copied: Duration,
    table: AccessTable,
}

// SAFETY: the arena belongs to the program, which calls from one thread at a time.
unsafe impl Send for Trace {}

impl Trace {
    /// Starts the clock. `device` is the arena.
    ///
    /// # Safety
    /// Until the trace is finished, the arena must have as many bytes as `traced` says, and nothing
    /// else may copy from it or to it.
    #[must_use]
    pub unsafe fn new(traced: Traced, device: *mut u8) -> Self {
        let own = traced.tensors.iter().map(|tensor| PassiveTensor {
            size: tensor.size,
            alignment: tensor.alignment,
        });
        let mut table =
            AccessTable::empty(&traced.function, traced.is_limited.then_some(traced.device));
        table.clock = traced.clock;
        Self {
            passive: Passive::new(own.collect(), traced.device, traced.host),
            traced,
            device,
            host: Vec::new(),
            start: Instant::now(),
            copied: Duration::ZERO,
            table,
        }
    }

    /// Cycles since the start, without the time of copies.
    fn now(&self) -> u64 {
        self.cycles(self.start.elapsed().saturating_sub(self.copied))
    }

    fn cycles(&self, time: Duration) -> u64 {
        (time.as_secs_f64() * self.traced.clock) as u64
    }

    /// Makes the tensors of a step resident on the device, and records the accesses.
    ///
    /// # Errors
    /// If there is no such step, if the tensors do not fit, or if a copy fails.
    pub fn begin(&mut self, step: usize, engines: &Engines) -> Result<(), PassiveModeError> {
        let own = self.traced.steps.get(step);
        let own = own.ok_or(PassiveModeError::NoStep(step))?.clone();
        let before = self.start.elapsed();
        let copies = self.passive.access(&own.uses);
        for copy in copies.map_err(|source| PassiveModeError::NoRoom { step, source })? {
            let begun = self.start.elapsed();
            let [device, host, size] = [copy.device, copy.host, copy.size]
                .map(|bytes| usize::try_from(bytes.get()).unwrap_or(usize::MAX));
            if self.host.len() < host.saturating_add(size) {
                self.host.resize(host.saturating_add(size), 0);
            }
            // SAFETY: the arena and the pool have these bytes, and nothing else copies there.
            let ticket = unsafe {
                let (device, host) = (self.device.add(device), self.host.as_mut_ptr().add(host));
                match copy.is_out {
                    true => engines.begin(self.traced.engines[0], device, host, size),
                    false => engines.begin(self.traced.engines[1], host, device, size),
                }
            };
            let done = ticket.and_then(|ticket| engines.wait(ticket));
            done.map_err(|source| PassiveModeError::Copy { step, source })?;
            let took = self.start.elapsed().saturating_sub(begun);
            self.table.copies.push(TableCopy {
                tensor: self.traced.tensors[copy.tensor.index()].name.clone(),
                step,
                direction: match copy.is_out {
                    true => Direction::Out,
                    false => Direction::In,
                },
                time: self.cycles(before.saturating_sub(self.copied)),
                cycles: self.cycles(took),
            });
        }
        self.copied += self.start.elapsed().saturating_sub(before);
        let time = self.now();
        for used in &own.uses {
            let tensor = &self.traced.tensors[used.tensor.index()];
            self.table.accesses.push(TableAccess {
                tensor: tensor.name.clone(),
                step,
                bytes: tensor.size.get(),
                access: match (used.needs, used.writes) {
                    (true, true) => TensorAccess::ReadWrite,
                    (false, true) => TensorAccess::Write,
                    _ => TensorAccess::Read,
                },
                time,
            });
        }
        Ok(())
    }

    /// Returns the address of a tensor on the device.
    ///
    /// # Errors
    /// If the tensor is not on the device.
    pub fn address(&self, tensor: TensorId) -> Result<u64, PassiveModeError> {
        let address = self.passive.address(tensor).map(Bytes::get);
        address.ok_or(PassiveModeError::NotResident(tensor.index()))
    }

    /// Ends a step, and releases the tensors that are dead after it.
    pub fn end(&mut self, step: usize) {
        self.table.end = self.now();
        let releases = self
            .traced
            .steps
            .get(step)
            .map(|step| step.releases.clone());
        for tensor in releases.unwrap_or_default() {
            self.passive.release(tensor);
        }
    }

    /// Returns the access table.
    #[must_use]
    pub fn finish(self) -> AccessTable {
        self.table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(tensor: usize, writes: bool) -> PassiveUse {
        PassiveUse {
            tensor: TensorId::new(tensor),
            writes,
            needs: !writes,
        }
    }

    fn step(reads: &[usize], writes: &[usize]) -> TracedStep {
        let reads = reads.iter().map(|tensor| used(*tensor, false));
        TracedStep {
            uses: reads
                .chain(writes.iter().map(|tensor| used(*tensor, true)))
                .collect(),
            releases: Vec::new(),
        }
    }

    fn traced(steps: Vec<TracedStep>, host: Option<u64>) -> Traced {
        let tensor = |name: &str| TracedTensor {
            name: name.to_owned(),
            size: Bytes::new(8),
            alignment: Bytes::new(8),
        };
        Traced {
            function: "main".to_owned(),
            tensors: ["a", "b", "c"].map(tensor).to_vec(),
            steps,
            device: Bytes::new(16),
            is_limited: true,
            host: host.map(Bytes::new),
            engines: [0, 1],
            clock: 1e9,
        }
    }

    /// Three tensors in room for two: an evicted tensor comes back unchanged, and the table records
    /// when.
    #[test]
    fn tensors_come_back_as_they_were() {
        let steps = vec![
            step(&[], &[0]),
            step(&[0], &[1]),
            step(&[1], &[2]),
            step(&[0, 2], &[]),
            step(&[1, 2], &[]),
        ];
        let engines = Engines::new(vec![None, None]);
        let mut arena = [0_u64; 2];
        let base = arena.as_mut_ptr();
        // SAFETY: the arena lives until the end of the test.
        let mut trace = unsafe { Trace::new(traced(steps.clone(), None), base.cast()) };
        for (number, step) in steps.iter().enumerate() {
            trace.begin(number, &engines).expect("two fit");
            for used in &step.uses {
                let at = trace.address(used.tensor).expect("it is there") as usize / 8;
                // SAFETY: the address is in the arena, and nothing else accesses it.
                unsafe {
                    match used.writes {
                        true => base.add(at).write(100 + used.tensor.index() as u64),
                        false => assert_eq!(base.add(at).read(), 100 + used.tensor.index() as u64),
                    }
                }
            }
            trace.end(number);
        }
        let table = trace.finish();
        assert_eq!(table.accesses.len(), 9);
        assert!(table.accesses.is_sorted_by_key(|row| row.time));
        let copies: Vec<_> = table
            .copies
            .iter()
            .map(|copy| (&*copy.tensor, copy.direction, copy.step))
            .collect();
        let expected = [
            ("a", Direction::Out, 2),
            ("b", Direction::Out, 3),
            ("a", Direction::In, 3),
            ("b", Direction::In, 4),
        ];
        assert_eq!(copies, expected);
    }

    #[test]
    fn an_execution_that_cannot_continue_says_why() {
        let engines = Engines::new(vec![None, None]);
        let mut arena = [0_u64; 2];
        let steps = vec![step(&[], &[0, 1]), step(&[], &[2]), step(&[], &[0, 1, 2])];
        // SAFETY: the arena lives until the end of the test.
        let mut trace = unsafe { Trace::new(traced(steps, Some(0)), arena.as_mut_ptr().cast()) };
        trace.begin(0, &engines).expect("two fit");
        assert!(trace.address(TensorId::new(2)).is_err());
        let error = trace.begin(1, &engines).expect_err("no host").to_string();
        assert!(error.contains("step 1: the host pool is full"), "{error}");
        let error = trace.begin(3, &engines).expect_err("no such step");
        assert_eq!(error, PassiveModeError::NoStep(3));
    }
}
