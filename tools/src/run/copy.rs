//! `memrefCopy`, the only function of MLIR's run-time library that lowered memref code calls. It
//! copies between memrefs that are not dense.

use std::slice;

/// An unranked memref in MLIR's calling convention.
#[repr(C)]
pub(super) struct UnrankedMemref {
    rank: i64,
    /// 64-bit words: allocated pointer, aligned pointer, offset, sizes, strides.
    descriptor: *const i64,
}

/// A ranked memref.
struct Memref<'a> {
    first: *mut u8,
    sizes: &'a [i64],
    strides: &'a [i64],
}

impl Memref<'_> {
    /// # Safety
    /// The descriptor must have the number of words that its rank implies, and its memory must be
    /// allocated.
    unsafe fn new(raw: &UnrankedMemref, element: isize) -> Self {
        let rank = usize::try_from(raw.rank).unwrap_or(0);
        // SAFETY: guaranteed by the caller.
        unsafe {
            let words = slice::from_raw_parts(raw.descriptor, 3 + 2 * rank);
            let aligned = words[1] as usize as *mut u8;
            Self {
                first: aligned.offset(words[2] as isize * element),
                sizes: &words[3..3 + rank],
                strides: &words[3 + rank..],
            }
        }
    }
}

/// Copies element by element.
///
/// # Safety
/// Both memrefs must be valid and have the same sizes.
pub(super) unsafe extern "C" fn memref_copy(
    element: i64,
    source: *const UnrankedMemref,
    target: *const UnrankedMemref,
) {
    // SAFETY: compiled code passes valid memrefs; an invalid one cannot be detected here.
    super::crash::guard(|| unsafe {
        let element = element as isize;
        let (source, target) = (
            Memref::new(&*source, element),
            Memref::new(&*target, element),
        );
        if source.sizes.iter().all(|n| *n > 0) {
            copy(&source, &target, (source.first, target.first), 0, element);
        }
    });
}

/// Copies the elements spanned by the dimensions from `dimension` on.
///
/// # Safety
/// As for `memref_copy`.
unsafe fn copy(
    source: &Memref,
    target: &Memref,
    (from, to): (*const u8, *mut u8),
    dimension: usize,
    element: isize,
) {
    if dimension == source.sizes.len() {
        // SAFETY: both pointers are to an element.
        unsafe { std::ptr::copy(from, to, element as usize) };
        return;
    }
    let step = |memref: &Memref| memref.strides[dimension] as isize * element;
    for i in 0..source.sizes[dimension] as isize {
        // SAFETY: index `i` is in bounds in both memrefs.
        unsafe {
            let at = (from.offset(i * step(source)), to.offset(i * step(target)));
            copy(source, target, at, dimension + 1, element);
        }
    }
}
