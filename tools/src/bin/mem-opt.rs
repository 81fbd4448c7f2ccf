//! `mem-opt`: `mlir-opt` with the memory planner.

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::CString;
use std::os::unix::ffi::OsStringExt;

use libmimalloc_sys as mimalloc;

/// The allocator of the whole process, MLIR included: a compiler allocates many small objects, which
/// takes a tenth of its time with the allocator of the C library.
#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// mimalloc, which is asked for an alignment only where it matters. Its functions for aligned memory
/// ask for larger blocks to align the result themselves, even where all blocks of that size are
/// aligned, unless the size is a power of two.
struct Allocator;

impl Allocator {
    /// Whether every block of this size has the alignment: mimalloc guarantees 16 bytes for blocks of
    /// 16 bytes and more, and 8 bytes for smaller ones.
    fn is_aligned(layout: Layout) -> bool {
        layout.align() <= 8 || (layout.align() == 16 && layout.size() >= 16)
    }
}

// SAFETY: mimalloc's functions are those of an allocator, and `is_aligned` states the alignment that
// those without a parameter for it guarantee.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: any size and any power of two are allowed.
        unsafe {
            if Self::is_aligned(layout) {
                mimalloc::mi_malloc(layout.size()).cast()
            } else {
                mimalloc::mi_malloc_aligned(layout.size(), layout.align()).cast()
            }
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe {
            if Self::is_aligned(layout) {
                mimalloc::mi_zalloc(layout.size()).cast()
            } else {
                mimalloc::mi_zalloc_aligned(layout.size(), layout.align()).cast()
            }
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
        // SAFETY: the block is from one of the functions above.
        unsafe { mimalloc::mi_free(block.cast()) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the block is from one of the functions above, and alignments are as there.
        unsafe {
            if layout.align() <= 8 {
                mimalloc::mi_realloc(block.cast(), size).cast()
            } else {
                mimalloc::mi_realloc_aligned(block.cast(), size, layout.align()).cast()
            }
        }
    }
}

/// `mi_option_purge_delay`, which the crate does not name.
const PURGE_DELAY: mimalloc::mi_option_t = 15;

/// `mi_option_arena_purge_mult`: by how much the delay is longer for whole segments.
const SEGMENT_FACTOR: mimalloc::mi_option_t = 24;

/// The number of resident bytes from which on a process gives back at once what a pass has freed. Smaller
/// ones would take it again for the next pass.
const LARGE: usize = 256 << 20;

fn main() {
    // Within a pass, memory is given back after a tenth of a second. With mimalloc's hundredth for parts of a
    // segment, passes would give back what they use again; with its second for whole segments, lists that
    // grow would keep their former storage. `MIMALLOC_PURGE_DELAY` and `MIMALLOC_ARENA_PURGE_MULT` take
    // precedence.
    // SAFETY: no other thread runs yet.
    unsafe {
        mimalloc::mi_option_set_default(PURGE_DELAY, 100);
        mimalloc::mi_option_set_default(SEGMENT_FACTOR, 1);
    }
    let arguments = std::env::args_os()
        .filter_map(|a| CString::new(a.into_vec()).ok())
        .collect();
    std::process::exit(mem_tools::opt_main(arguments, give_back));
}

/// Gives freed memory back if the process has been large.
fn give_back() {
    let (mut peak, unused) = (0, std::ptr::null_mut());
    // SAFETY: the function stores a number at each address that is not null.
    unsafe {
        mimalloc::mi_process_info(
            unused,
            unused,
            unused,
            unused,
            &raw mut peak,
            unused,
            unused,
            unused,
        );
    }
    if peak >= LARGE {
        // SAFETY: callable from any thread, at any time.
        unsafe { mimalloc::mi_collect(true) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_the_delays() {
        // SAFETY: no other thread changes options.
        let get = |option| unsafe { mimalloc::mi_option_get(option) };
        // mimalloc's defaults.
        let delay = get(PURGE_DELAY) == 10 && get(SEGMENT_FACTOR) == 10;
        let names = ["MIMALLOC_PURGE_DELAY", "MIMALLOC_ARENA_PURGE_MULT"];
        let is_set = names.map(|name| std::env::var_os(name).is_some());
        assert!(is_set.contains(&true) || delay);
    }
}
