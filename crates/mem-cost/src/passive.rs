//! Passive mode: demand swapping on a device of limited size, without knowledge of future accesses.
//!
//! Every access finds its tensor on the device. If a tensor does not fit, the least recently used
//! tensors are evicted to the host until it does. An evicted tensor is copied back before its next
//! access, unless its contents do not matter. A clean tensor, whose copy on the host is still
//! valid, is evicted without a copy. (X. Peng et al., "Capuchin", ASPLOS 2020, call this measured
//! execution.)
//!
//! This module decides only which tensors to move, and to which addresses. The caller owns the
//! bytes and the clock.

use mem_model::{Bytes, TensorId, TensorUse};

/// A tensor in passive mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassiveTensor {
    /// Size in bytes.
    pub size: Bytes,
    /// Power of two that divides its addresses.
    pub alignment: Bytes,
}

/// The accesses of a step to one tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassiveUse {
    /// The tensor.
    pub tensor: TensorId,
    /// Whether the step changes the tensor.
    pub writes: bool,
    /// Whether the previous contents of the tensor matter.
    pub needs: bool,
}

impl From<&TensorUse> for PassiveUse {
    fn from(used: &TensorUse) -> Self {
        Self {
            tensor: used.tensor,
            writes: used.writes > Bytes::ZERO,
            needs: used.needs_content(),
        }
    }
}

/// A copy of a whole tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassiveCopy {
    /// The tensor.
    pub tensor: TensorId,
    /// Direction: true from the device to the host, false from the host to the device.
    pub is_out: bool,
    /// Address on the device, in bytes.
    pub device: Bytes,
    /// Address on the host, in bytes.
    pub host: Bytes,
    /// Size in bytes.
    pub size: Bytes,
}

/// Why the tensors of a step cannot be made resident.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PassiveError {
    /// The tensors of one step exceed the device.
    #[error("the tensors of one step take {needed}, and the device has {capacity}")]
    Step {
        /// Bytes needed for all of them, at aligned addresses.
        needed: Bytes,
        /// Size of the device, in bytes.
        capacity: Bytes,
    },
    /// A tensor must be evicted, and the host pool has no room for it.
    #[error(
        "the host pool is full: a tensor of {size} has to leave, and of {capacity} there is no such room"
    )]
    Host {
        /// Size of the tensor, in bytes.
        size: Bytes,
        /// Size of the pool, in bytes.
        capacity: Bytes,
    },
}

/// The allocated blocks of one memory.
#[derive(Clone, Debug)]
struct Pool {
    capacity: u64,
    /// Address, size and owner, sorted by address.
    blocks: Vec<(u64, u64, TensorId)>,
}

impl Pool {
    /// Returns the lowest address at which the tensor fits (first fit).
    fn find(&self, own: PassiveTensor) -> Option<u64> {
        let (size, unit) = (own.size.get(), own.alignment.get().max(1));
        let mut start = 0_u64;
        for (address, bytes, _) in &self.blocks {
            let at = start.checked_next_multiple_of(unit)?;
            if at.checked_add(size)? <= *address {
                return Some(at);
            }
            start = start.max(address + bytes);
        }
        let at = start.checked_next_multiple_of(unit)?;
        (at.checked_add(size)? <= self.capacity).then_some(at)
    }

    fn put(&mut self, address: u64, size: u64, owner: TensorId) {
        let next = self.blocks.partition_point(|(other, ..)| *other < address);
        self.blocks.insert(next, (address, size, owner));
    }

    fn drop(&mut self, owner: TensorId) {
        self.blocks.retain(|(.., other)| *other != owner);
    }
}

#[derive(Clone, Copy, Debug)]
struct State {
    device: Option<u64>,
    host: Option<u64>,
    /// Whether the copy on the host is up to date, that is, the tensor is clean.
    is_saved: bool,
    /// Logical time of the last access.
    accessed: u64,
}

/// The residence of all tensors. Each access takes time linear in the number of tensors.
#[derive(Clone, Debug)]
pub struct Passive {
    tensors: Vec<PassiveTensor>,
    states: Vec<State>,
    device: Pool,
    host: Pool,
    n_accesses: u64,
}

impl Passive {
    /// Creates a device of `device` bytes and a host pool of `host` bytes; `None`: unbounded.
    #[must_use]
    pub fn new(tensors: Vec<PassiveTensor>, device: Bytes, host: Option<Bytes>) -> Self {
        let pool = |capacity: u64| Pool {
            capacity,
            blocks: Vec::new(),
        };
        let state = State {
            device: None,
            host: None,
            is_saved: false,
            accessed: 0,
        };
        Self {
            states: vec![state; tensors.len()],
            tensors,
            device: pool(device.get()),
            host: pool(host.map_or(u64::MAX >> 1, Bytes::get)),
            n_accesses: 0,
        }
    }

    /// Makes all tensors of a step resident, and returns the required copies in order. `uses` lists
    /// each tensor once.
    ///
    /// # Errors
    /// If the tensors do not fit, or the host has no room for an evicted tensor. The state must not
    /// be used afterwards.
    pub fn access(&mut self, uses: &[PassiveUse]) -> Result<Vec<PassiveCopy>, PassiveError> {
        let mut copies = Vec::new();
        let missing =
            |own: &Self, used: &PassiveUse| own.states[used.tensor.index()].device.is_none();
        for used in uses {
            self.n_accesses += 1;
            self.states[used.tensor.index()].accessed = self.n_accesses;
        }
        for used in uses {
            if !missing(self, used) {
                continue;
            }
            let own = self.tensors[used.tensor.index()];
            let place = loop {
                if let Some(place) = self.device.find(own) {
                    break Some(place);
                }
                let is_free = |tensor: &TensorId| {
                    let mut uses = uses.iter();
                    !uses.any(|used| used.tensor == *tensor)
                };
                let there = (0..self.states.len()).map(TensorId::new);
                let there = there.filter(|t| self.states[t.index()].device.is_some());
                let oldest = there
                    .filter(is_free)
                    .min_by_key(|t| self.states[t.index()].accessed);
                match oldest {
                    Some(oldest) => self.leave(oldest, &mut copies)?,
                    None => break None,
                }
            };
            let Some(place) = place else {
                // Only tensors of this step remain, and they fragment the device: evict them all,
                // and place them contiguously.
                return self.anew(uses, copies);
            };
            self.come(used, place, &mut copies);
        }
        self.change(uses);
        Ok(copies)
    }

    /// Evicts the tensors of a step, and places them again from the start of the device.
    fn anew(
        &mut self,
        uses: &[PassiveUse],
        mut copies: Vec<PassiveCopy>,
    ) -> Result<Vec<PassiveCopy>, PassiveError> {
        for used in uses {
            if self.states[used.tensor.index()].device.is_some() {
                self.leave(used.tensor, &mut copies)?;
            }
        }
        // Descending alignment keeps padding between the tensors small.
        let mut order: Vec<&PassiveUse> = uses.iter().collect();
        order.sort_by_key(|used| std::cmp::Reverse(self.tensors[used.tensor.index()].alignment));
        let mut needed = 0_u64;
        for used in &order {
            let own = self.tensors[used.tensor.index()];
            let start = needed.next_multiple_of(own.alignment.get().max(1));
            needed = start.saturating_add(own.size.get());
        }
        if needed > self.device.capacity {
            return Err(PassiveError::Step {
                needed: Bytes::new(needed),
                capacity: Bytes::new(self.device.capacity),
            });
        }
        // Cannot fail: first fit needs no more than the `needed` bytes computed above.
        for used in order {
            if let Some(place) = self.device.find(self.tensors[used.tensor.index()]) {
                self.come(used, place, &mut copies);
            }
        }
        self.change(uses);
        Ok(copies)
    }

    fn change(&mut self, uses: &[PassiveUse]) {
        for used in uses.iter().filter(|used| used.writes) {
            self.states[used.tensor.index()].is_saved = false;
        }
    }

    fn come(&mut self, used: &PassiveUse, place: u64, copies: &mut Vec<PassiveCopy>) {
        let own = self.tensors[used.tensor.index()];
        self.device.put(place, own.size.get(), used.tensor);
        let state = &mut self.states[used.tensor.index()];
        state.device = Some(place);
        if let Some(host) = state.host.filter(|_| state.is_saved && used.needs) {
            copies.push(PassiveCopy {
                tensor: used.tensor,
                is_out: false,
                device: Bytes::new(place),
                host: Bytes::new(host),
                size: own.size,
            });
        }
    }

    fn leave(
        &mut self,
        tensor: TensorId,
        copies: &mut Vec<PassiveCopy>,
    ) -> Result<(), PassiveError> {
        let own = self.tensors[tensor.index()];
        let Some(device) = self.states[tensor.index()].device.take() else {
            return Ok(());
        };
        self.device.drop(tensor);
        if self.states[tensor.index()].is_saved {
            return Ok(());
        }
        let host = match self.states[tensor.index()].host {
            Some(host) => host,
            None => {
                let full = PassiveError::Host {
                    size: own.size,
                    capacity: Bytes::new(self.host.capacity),
                };
                let host = self.host.find(own).ok_or(full)?;
                self.host.put(host, own.size.get(), tensor);
                host
            }
        };
        self.states[tensor.index()].host = Some(host);
        self.states[tensor.index()].is_saved = true;
        copies.push(PassiveCopy {
            tensor,
            is_out: true,
            device: Bytes::new(device),
            host: Bytes::new(host),
            size: own.size,
        });
        Ok(())
    }

    /// Releases the storage of a dead tensor.
    pub fn release(&mut self, tensor: TensorId) {
        self.device.drop(tensor);
        self.host.drop(tensor);
        let state = &mut self.states[tensor.index()];
        (state.device, state.host, state.is_saved) = (None, None, false);
    }

    /// Returns the address of a tensor on the device; `None` if it is not resident.
    #[must_use]
    pub fn address(&self, tensor: TensorId) -> Option<Bytes> {
        self.states.get(tensor.index())?.device.map(Bytes::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(size: u64, alignment: u64) -> PassiveTensor {
        PassiveTensor {
            size: Bytes::new(size),
            alignment: Bytes::new(alignment),
        }
    }

    fn read(tensor: usize) -> PassiveUse {
        PassiveUse {
            tensor: TensorId::new(tensor),
            writes: false,
            needs: true,
        }
    }

    fn write(tensor: usize) -> PassiveUse {
        PassiveUse {
            tensor: TensorId::new(tensor),
            writes: true,
            needs: false,
        }
    }

    #[test]
    fn the_oldest_leaves_and_saved_tensors_are_not_copied_again() {
        let mut passive = Passive::new(vec![tensor(10, 1); 3], Bytes::new(20), None);
        assert_eq!(passive.access(&[write(0)]), Ok(vec![]));
        assert_eq!(passive.access(&[read(0), write(1)]), Ok(vec![]));
        let copies = passive.access(&[read(1), write(2)]).expect("two fit");
        assert_eq!(copies.len(), 1);
        assert!(copies[0].is_out && copies[0].tensor.index() == 0);
        // Tensor 1 is evicted, tensor 0 comes back.
        let copies = passive.access(&[read(2), read(0)]).expect("two fit");
        let moved: Vec<_> = copies
            .iter()
            .map(|copy| (copy.tensor.index(), copy.is_out))
            .collect();
        assert_eq!(moved, [(1, true), (0, false)]);
        // Tensor 0 is clean: its eviction takes no copy.
        let copies = passive.access(&[read(2), read(1)]).expect("two fit");
        let moved: Vec<_> = copies
            .iter()
            .map(|copy| (copy.tensor.index(), copy.is_out))
            .collect();
        assert_eq!(moved, [(1, false)]);
    }

    #[test]
    fn tensors_that_collide_are_placed_again() {
        let sizes = vec![tensor(4, 1), tensor(8, 1), tensor(4, 1), tensor(16, 1)];
        let mut passive = Passive::new(sizes, Bytes::new(20), None);
        passive.access(&[write(0)]).expect("it fits");
        passive.access(&[write(1)]).expect("it fits");
        passive.access(&[write(2)]).expect("it fits");
        passive.release(TensorId::new(0));
        // Tensor 2 splits the free space.
        let copies = passive.access(&[read(2), write(3)]).expect("20 bytes");
        assert!(
            copies
                .iter()
                .any(|copy| copy.tensor.index() == 2 && copy.is_out)
        );
        assert!(
            copies
                .iter()
                .any(|copy| copy.tensor.index() == 2 && !copy.is_out)
        );
    }

    #[test]
    fn a_problem_that_does_not_fit_is_an_error() {
        let mut passive = Passive::new(vec![tensor(10, 1); 3], Bytes::new(20), Some(Bytes::ZERO));
        let all = [write(0), write(1), write(2)];
        let error = passive.clone().access(&all);
        assert!(matches!(
            error,
            Err(PassiveError::Host { .. } | PassiveError::Step { .. })
        ));
        passive.access(&[write(0), write(1)]).expect("two fit");
        let error = passive.access(&[write(2)]).expect_err("no host");
        assert!(matches!(error, PassiveError::Host { .. }), "{error}");
        let mut large = Passive::new(vec![tensor(10, 1); 3], Bytes::new(20), None);
        let error = large.access(&all).expect_err("three do not fit");
        let needed = Bytes::new(30);
        let capacity = Bytes::new(20);
        assert_eq!(error, PassiveError::Step { needed, capacity });
    }
}
