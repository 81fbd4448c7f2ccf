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

#[cfg(test)]
mod tests {
    use super::*;

    fn used(tensor: usize, writes: bool) -> PassiveUse {
        PassiveUse {
            tensor,
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

    /// Three tensors in room for two: whatever leaves comes back as it was, and the table says when.
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
        // SAFETY: the arena is there until the end of the test.
        let mut trace = unsafe { Trace::new(traced(steps.clone(), None), base.cast()) };
        for (number, step) in steps.iter().enumerate() {
            trace.begin(number, &engines).expect("two fit");
            for used in &step.uses {
                let at = trace.address(used.tensor).expect("it is there") as usize / 8;
                // SAFETY: an address in the arena; nobody else accesses it.
                unsafe {
                    match used.writes {
                        true => base.add(at).write(100 + used.tensor as u64),
                        false => assert_eq!(base.add(at).read(), 100 + used.tensor as u64),
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
    fn what_cannot_go_on_says_why() {
        let engines = Engines::new(vec![None, None]);
        let mut arena = [0_u64; 2];
        let steps = vec![step(&[], &[0, 1]), step(&[], &[2]), step(&[], &[0, 1, 2])];
        // SAFETY: the arena is there until the end of the test.
        let mut trace = unsafe { Trace::new(traced(steps, Some(0)), arena.as_mut_ptr().cast()) };
        trace.begin(0, &engines).expect("two fit");
        assert!(trace.address(2).is_err());
        let error = trace.begin(1, &engines).expect_err("no host");
        assert!(error.contains("step 1: the host pool is full"), "{error}");
        let error = trace.begin(3, &engines).expect_err("no such step");
        assert_eq!(error, "there is no step 3");
    }
}
