//! The allocator of compiled programs: it counts, guards and poisons.
//!
//! Every allocation is a guarded block of garbage. A freed block is filled with another pattern and
//! kept in quarantine: a stale read shows in the results, and a stale write is detected when the
//! block leaves quarantine. Blocks that are never freed are released at the end of the run. The
//! heap is thread-local, and one program runs at a time on a thread.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ffi::c_void;
use std::fmt;

use super::block::{Block, Pattern};
use super::crash::guard;

/// Maximum bytes of freed blocks in quarantine.
const QUARANTINE: usize = 256 << 20;

/// The contents of freed blocks.
const FREED: Pattern = Pattern(0xDEAD_BEEF_DEAD_BEEF);

/// An invalid operation on memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A write to a guard zone.
    Outside { what: String, size: usize, at: i64 },
    /// A write to a freed block.
    AfterFree { size: usize },
    /// A free of an address that is not a live allocation.
    BadFree { address: usize },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside { what, size, at } => {
                write!(f, "wrote at byte {at} of {what} of {size} bytes")
            }
            Self::AfterFree { size } => write!(f, "wrote to {size} bytes that it had freed"),
            Self::BadFree { address } => {
                write!(f, "freed {address:#x}, which is not a live allocation")
            }
        }
    }
}

/// Memory use of a run, in bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct HeapUse {
    pub peak: usize,
    pub n_allocations: usize,
    pub faults: Vec<Fault>,
}

struct Heap {
    garbage: Pattern,
    /// Keyed by allocation number. Blocks are checked in allocation order, which is deterministic,
    /// unlike the order of addresses.
    live: BTreeMap<usize, Block>,
    /// The allocation number of each live block, by address.
    numbers: HashMap<usize, usize>,
    freed: VecDeque<Block>,
    live_bytes: usize,
    freed_bytes: usize,
    used: HeapUse,
}

thread_local! {
    static HEAP: RefCell<Heap> = RefCell::new(Heap::new(Pattern(0)));
}

/// Resets the heap of this thread; new blocks are filled with `garbage`.
pub(super) fn start(garbage: Pattern) {
    HEAP.with_borrow_mut(|heap| *heap = Heap::new(garbage));
}

/// Releases everything and returns the memory use since `start`.
pub(super) fn finish() -> HeapUse {
    HEAP.with_borrow_mut(|heap| std::mem::replace(heap, Heap::new(Pattern(0))).into_use())
}

impl Heap {
    fn new(garbage: Pattern) -> Self {
        Self {
            garbage,
            live: BTreeMap::new(),
            numbers: HashMap::new(),
            freed: VecDeque::new(),
            live_bytes: 0,
            freed_bytes: 0,
            used: HeapUse::default(),
        }
    }

    fn allocate(&mut self, alignment: usize, size: usize) -> Option<*mut u8> {
        let block = Block::new(size, alignment, self.garbage)?;
        let address = block.address();
        self.numbers
            .insert(address as usize, self.used.n_allocations);
        self.live.insert(self.used.n_allocations, block);
        self.live_bytes += size;
        self.used.peak = self.used.peak.max(self.live_bytes);
        self.used.n_allocations += 1;
        Some(address)
    }

    fn free(&mut self, address: usize) {
        let number = self.numbers.remove(&address);
        let Some(mut block) = number.and_then(|number| self.live.remove(&number)) else {
            if address != 0 {
                self.used.faults.push(Fault::BadFree { address });
            }
            return;
        };
        self.live_bytes -= block.size();
        self.check_guards(&block);
        block.fill(FREED);
        self.freed_bytes += block.size();
        self.freed.push_back(block);
        while self.freed_bytes > QUARANTINE {
            self.release_oldest();
        }
    }

    /// Checks and releases the oldest freed block.
    fn release_oldest(&mut self) {
        let Some(block) = self.freed.pop_front() else {
            return;
        };
        let size = block.size();
        self.freed_bytes -= size;
        if !block.is_filled_with(FREED) {
            self.used.faults.push(Fault::AfterFree { size });
        }
    }

    fn check_guards(&mut self, block: &Block) {
        if let Some(at) = block.damage() {
            let (what, size) = ("an allocation".to_owned(), block.size());
            self.used.faults.push(Fault::Outside { what, size, at });
        }
    }

    fn into_use(mut self) -> HeapUse {
        while !self.freed.is_empty() {
            self.release_oldest();
        }
        let live = std::mem::take(&mut self.live);
        live.values().for_each(|block| self.check_guards(block));
        self.used
    }
}

/// `aligned_alloc` of compiled programs.
pub(super) extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    let allocate = || HEAP.with_borrow_mut(|heap| heap.allocate(alignment, size));
    match guard(allocate) {
        Some(address) => address.cast(),
        None => super::crash::give_up(&format!("out of memory: {size} bytes were asked for")),
    }
}

/// `malloc` of compiled programs.
pub(super) extern "C" fn malloc(size: usize) -> *mut c_void {
    aligned_alloc(16, size)
}

/// `free` of compiled programs.
pub(super) extern "C" fn free(address: *mut c_void) {
    guard(|| HEAP.with_borrow_mut(|heap| heap.free(address as usize)));
}

#[cfg(test)]
mod tests {
    use super::*;

    const GARBAGE: Pattern = Pattern(0xA5A5_5A5A_1234_5678);

    #[test]
    fn the_peak_counts_bytes_live_at_once() {
        start(GARBAGE);
        let first = malloc(100);
        free(first);
        let second = malloc(60);
        malloc(20);
        free(second);
        free(std::ptr::null_mut());
        let used = finish();
        assert_eq!((used.peak, used.n_allocations), (100, 3));
        assert_eq!(used.faults, []);
    }

    #[test]
    fn misuse_is_reported() {
        start(GARBAGE);
        let block = malloc(100).cast::<u8>();
        // SAFETY: guard zones belong to the allocation, and freed blocks are kept in quarantine.
        unsafe {
            block.add(101).write(1);
            free(block.cast());
            block.write(1);
        }
        free(block.cast());
        let what = "an allocation".to_owned();
        let expected = [
            Fault::Outside {
                what,
                size: 100,
                at: 101,
            },
            Fault::BadFree {
                address: block as usize,
            },
            Fault::AfterFree { size: 100 },
        ];
        assert_eq!(finish().faults, expected);
    }

    #[test]
    fn fresh_memory_is_garbage() {
        start(GARBAGE);
        let block = aligned_alloc(64, 8).cast::<u64>();
        // SAFETY: eight bytes at a multiple of 64.
        assert_eq!(unsafe { block.read() }, GARBAGE.0);
        finish();
    }
}
