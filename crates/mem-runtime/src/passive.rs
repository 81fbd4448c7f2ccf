//! Passive mode while a program runs: each step finds its tensors on the device, and a clock says when it began.
//!
//! The program calls at the start of each step and at its end, and asks for addresses in between. Copies are made there and then, by the
//! engines, and their time is not in that of any step.

use std::time::{Duration, Instant};

use mem_model::{
    AccessTable, Bytes, Direction, Passive, PassiveTensor, PassiveUse, TableAccess, TableCopy,
    TensorAccess,
};

use crate::Engines;

/// A tensor of a program in passive mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedTensor {
    /// Its name.
    pub name: String,
    /// Bytes.
    pub size: Bytes,
    /// Power of two that divides its addresses.
    pub alignment: Bytes,
}

/// A step of a program in passive mode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TracedStep {
    /// What it accesses, each tensor once.
    pub uses: Vec<PassiveUse>,
    /// Tensors that nobody needs behind it.
    pub releases: Vec<usize>,
}

/// What passive mode runs with.
#[derive(Clone, Debug)]
pub struct Traced {
    /// The name of the function.
    pub function: String,
    /// Its tensors.
    pub tensors: Vec<TracedTensor>,
    /// Its steps.
    pub steps: Vec<TracedStep>,
    /// Bytes of the device.
    pub device: Bytes,
    /// Whether that is a limit, or all that there is.
    pub is_limited: bool,
    /// Bytes of the host pool; `None`: no limit.
    pub host: Option<Bytes>,
    /// Numbers of the engines that copy to the host, and back.
    pub engines: [u16; 2],
    /// Cycles a second of the table.
    pub clock: f64,
}

/// A program that runs in passive mode.
pub struct Trace {
    traced: Traced,
    passive: Passive,
    /// The arena, and the host pool.
    device: *mut u8,
    host: Vec<u8>,
    start: Instant,
    copied: Duration,
    table: AccessTable,
}

// SAFETY: the arena is the program's, which calls from one thread at a time.
unsafe impl Send for Trace {}

impl Trace {
    /// Starts the clock. `device`: the arena.
    ///
    /// # Safety
    /// The arena has as many bytes as `traced` says until the trace is over, and nobody else copies from it or to it meanwhile.
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

    /// Cycles without copies.
    fn now(&self) -> u64 {
        self.cycles(self.start.elapsed().saturating_sub(self.copied))
    }

    fn cycles(&self, time: Duration) -> u64 {
        (time.as_secs_f64() * self.traced.clock) as u64
    }

    /// Has the tensors of a step on the device.
    ///
    /// # Errors
    /// Why they cannot be.
    pub fn begin(&mut self, step: usize, engines: &Engines) -> Result<(), String> {
        let own = self.traced.steps.get(step);
        let own = own
            .ok_or_else(|| format!("there is no step {step}"))?
            .clone();
        let before = self.start.elapsed();
        let copies = self.passive.access(&own.uses);
        for copy in copies.map_err(|error| format!("step {step}: {error}"))? {
            let begun = self.start.elapsed();
            let [device, host, size] = [copy.device, copy.host, copy.size]
                .map(|bytes| usize::try_from(bytes.get()).unwrap_or(usize::MAX));
            if self.host.len() < host.saturating_add(size) {
                self.host.resize(host.saturating_add(size), 0);
            }
            // SAFETY: the arena and the pool have these bytes, and nobody else copies there.
            let ticket = unsafe {
                let (device, host) = (self.device.add(device), self.host.as_mut_ptr().add(host));
                match copy.is_out {
                    true => engines.begin(self.traced.engines[0], device, host, size),
                    false => engines.begin(self.traced.engines[1], host, device, size),
                }
            };
            let done = ticket.and_then(|ticket| engines.wait(ticket));
            done.map_err(|error| format!("step {step}: {error}"))?;
            let took = self.start.elapsed().saturating_sub(begun);
            self.table.copies.push(TableCopy {
                tensor: self.traced.tensors[copy.tensor].name.clone(),
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
            let tensor = &self.traced.tensors[used.tensor];
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

    /// Where a tensor is.
    ///
    /// # Errors
    /// If it is not on the device.
    pub fn address(&self, tensor: usize) -> Result<u64, String> {
        let address = self.passive.address(tensor).map(Bytes::get);
        address.ok_or_else(|| format!("tensor {tensor} is not on the device"))
    }

    /// A step is over.
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

    /// The table.
    #[must_use]
    pub fn finish(self) -> AccessTable {
        self.table
    }
}
