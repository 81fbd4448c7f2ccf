//! Sizes and layouts of memrefs, and the dialect's own types.

use std::cell::Cell;
use std::mem::MaybeUninit;

use mlir_sys::*;

use super::ffi::{MemRefShape, memShimIndexBits, memShimMemRefShape, memShimTypeKind};
use super::handles::{Attribute, Context, Op, Type};

thread_local! {
    /// Width of `index` in bits, in the module that this thread is working on.
    static INDEX_BITS: Cell<u64> = const { Cell::new(USUAL_INDEX_BITS) };
}

/// `ShapedType::kDynamic`.
const DYNAMIC: i64 = i64::MIN;

/// Width of `index` in bits, unless the data layout of a module specifies another.
pub const USUAL_INDEX_BITS: u64 = 64;

/// Width of `index` in bits in a module.
pub fn index_bits(module: Op) -> u64 {
    c!(memShimIndexBits(module.0))
}

/// Runs `work` with type sizes according to the data layout of `module`. A type does not know the
/// module it is used in, and `index` is the only type whose size depends on it.
pub(crate) fn with_data_layout<T>(module: Op, work: impl FnOnce() -> T) -> T {
    struct Restore(u64);
    impl Drop for Restore {
        fn drop(&mut self) {
            INDEX_BITS.set(self.0);
        }
    }
    let _restore = Restore(INDEX_BITS.replace(index_bits(module)));
    work()
}

/// Memory layout of a memref type. Offsets and strides are in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemrefLayout {
    /// Size of an element in bytes.
    pub element: i64,
    /// Size of each dimension; `None` for a dynamic dimension.
    pub shape: Vec<Option<i64>>,
    /// Offset of the first element; `None` if dynamic.
    pub offset: Option<i64>,
    /// Stride of each dimension; `None` if dynamic.
    pub strides: Vec<Option<i64>>,
    /// Whether the layout is the identity: row-major, dense, offset 0.
    pub identity: bool,
    /// Whether the memref is in the default memory space.
    pub default_space: bool,
}

impl MemrefLayout {
    /// Size of each dimension; `None` if one is dynamic.
    pub(crate) fn static_shape(&self) -> Option<Vec<i64>> {
        self.shape.iter().copied().collect()
    }
    /// Element size times all static dimensions, in bytes; `None` on overflow of 63 bits.
    pub fn known_bytes(&self) -> Option<i64> {
        let mut known = self.shape.iter().flatten();
        known.try_fold(self.element, |n, d| n.checked_mul(*d))
    }
    /// Number of elements; `None` if dynamic or on overflow.
    pub(crate) fn elements(&self) -> Option<i64> {
        self.shape
            .iter()
            .try_fold(1_i64, |n, d| n.checked_mul((*d)?))
    }
    /// Size in bytes of the range from the first element to the end of the last one; `None` if
    /// dynamic, on overflow, or if a stride is negative.
    pub fn span(&self) -> Option<i64> {
        if self.elements()? == 0 {
            return Some(0);
        }
        let mut last = 0_i64;
        for (dimension, stride) in self.shape.iter().zip(&self.strides) {
            let stride = (*stride).filter(|s| *s >= 0)?;
            last = last.checked_add((*dimension)?.checked_sub(1)?.checked_mul(stride)?)?;
        }
        last.checked_add(1)?.checked_mul(self.element)
    }
    /// Whether both layouts are known to place elements of equal indices at equal distances from
    /// the first element.
    pub(crate) fn orders_as(&self, other: &Self) -> bool {
        let strides = self.strides.iter().zip(&other.strides);
        let mut dimensions = self.shape.iter().zip(strides);
        self.element == other.element
            && self.shape == other.shape
            && dimensions
                .all(|(size, (own, theirs))| *size == Some(1) || own.is_some() && own == theirs)
    }

    /// Strides and sizes of the dimensions that have not exactly one element, by ascending stride;
    /// unknown strides come first.
    fn fastest_first(&self) -> Vec<(Option<i64>, Option<i64>)> {
        let strides = self.strides.iter().copied();
        let mut dimensions: Vec<_> = strides.zip(self.shape.iter().copied()).collect();
        dimensions.retain(|(_, size)| *size != Some(1));
        dimensions.sort_unstable();
        dimensions
    }

    /// Whether every byte of the span belongs to exactly one element. Counting elements does not
    /// suffice, since elements may share bytes (a stride of 0).
    pub(crate) fn dense(&self) -> bool {
        let Some(n_elements) = self.elements() else {
            return false;
        };
        let mut next = Some(1_i64);
        n_elements == 0
            || self.fastest_first().into_iter().all(|(stride, size)| {
                let follows = stride.is_some() && stride == next;
                next = next.zip(size).and_then(|(n, size)| n.checked_mul(size));
                follows
            })
    }

    /// Whether all elements are known to be disjoint.
    pub(crate) fn has_distinct_elements(&self) -> bool {
        let mut reached = Some(1_i64);
        self.identity
            || self.fastest_first().into_iter().all(|(stride, size)| {
                let Some((stride, end)) = stride.zip(reached).filter(|(s, end)| s >= end) else {
                    return false;
                };
                let last = size.and_then(|size| size.checked_sub(1)?.checked_mul(stride));
                reached = last.and_then(|last| last.checked_add(end));
                true
            })
    }

    /// Size of the outermost dimension of a dense memref, and the size of one of its rows in bytes,
    /// if rows are contiguous. `None` if another dimension is the slowest-varying in memory.
    pub(crate) fn consecutive_rows(&self) -> Option<(i64, i64)> {
        let size = (*self.shape.first()?)?;
        let stride = (*self.strides.first()?)?;
        let is_slowest = self.dense() && size.checked_mul(stride) == self.elements();
        let row = stride.checked_mul(self.element).filter(|row| *row > 0)?;
        is_slowest.then_some((size, row))
    }
}

/// Distance in bytes between consecutive elements, as LLVM lays them out in memory; `None` if
/// unknown.
pub(crate) fn element_size(ty: Type) -> Option<i64> {
    let raw = ty.0;
    let rounded = |bits: i64| match (bits + 7) / 8 {
        bytes @ 1..=16 => Some(bytes.next_power_of_two_i64()),
        _ => None,
    };
    if c!(mlirTypeIsAIndex(raw)) {
        rounded(i64::try_from(INDEX_BITS.get()).ok()?)
    } else if c!(mlirTypeIsAInteger(raw)) {
        rounded(i64::from(c!(mlirIntegerTypeGetWidth(raw))))
    } else if c!(mlirTypeIsAFloat(raw)) {
        rounded(i64::from(c!(mlirFloatTypeGetWidth(raw))))
    } else if c!(mlirTypeIsAComplex(raw)) {
        Some(2 * element_size(Type(c!(mlirComplexTypeGetElementType(raw))))?)
    } else if c!(mlirTypeIsAVector(raw)) {
        vector_size(ty)
    } else {
        None
    }
}

/// A vector is an array of its innermost rows, each padded to a power of two.
fn vector_size(ty: Type) -> Option<i64> {
    if c!(mlirVectorTypeIsScalable(ty.0)) {
        return None;
    }
    let element = Type(c!(mlirShapedTypeGetElementType(ty.0)));
    // A row of sub-byte or odd-width integers is packed; such vectors are not supported.
    let packed = c!(mlirTypeIsAInteger(element.0))
        && !matches!(
            c!(mlirIntegerTypeGetWidth(element.0)),
            8 | 16 | 32 | 64 | 128
        );
    let rank = c!(mlirShapedTypeGetRank(ty.0));
    let dims: Vec<i64> = (0..rank)
        .map(|i| c!(mlirShapedTypeGetDimSize(ty.0, i as isize)))
        .collect();
    let (row, outer) = dims
        .split_last()
        .map_or((1, &[][..]), |(row, outer)| (*row, outer));
    if packed {
        return None;
    }
    let row = u64::try_from(row.checked_mul(element_size(element)?)?).ok()?;
    let row = i64::try_from(row.checked_next_power_of_two()?).ok()?;
    let bytes = outer.iter().try_fold(row, |n, d| n.checked_mul(*d));
    // For other sizes, LLVM and MLIR's data layout disagree on the distance between vectors.
    bytes.filter(|n| n.count_ones() == 1)
}

trait NextPowerOfTwo {
    fn next_power_of_two_i64(self) -> i64;
}

impl NextPowerOfTwo for i64 {
    fn next_power_of_two_i64(self) -> i64 {
        self.unsigned_abs().next_power_of_two() as i64
    }
}

/// The layout of a ranked memref; `None` unless the element size is known and the layout is
/// strided.
pub fn memref_layout(ty: Type) -> Option<MemrefLayout> {
    let raw = ty.0;
    let mut found = MaybeUninit::<MemRefShape>::uninit();
    if !c!(memShimMemRefShape(raw, found.as_mut_ptr())) {
        return None;
    }
    // SAFETY: the call has filled the description, because it has returned true.
    let found = unsafe { found.assume_init() };
    let element = element_size(Type(found.element))?;
    let rank = found.rank as usize;
    let sizes = match rank {
        0 => &[],
        // SAFETY: the sizes belong to the type, which its context owns.
        _ => unsafe { std::slice::from_raw_parts(found.shape, rank) },
    };
    // MLIR has one marker for sizes, strides and offsets that are known only at run time.
    let known = |n: i64| (n != DYNAMIC).then_some(n);
    let shape: Vec<Option<i64>> = sizes.iter().copied().map(known).collect();
    let (identity, default_space) = (found.is_identity, found.is_in_default_space);
    if identity && let Some(strides) = row_major_strides(&shape) {
        return Some(MemrefLayout {
            element,
            shape,
            offset: Some(0),
            strides,
            identity,
            default_space,
        });
    }
    let (mut strides, mut offset) = (vec![0_i64; rank], 0_i64);
    let result = c!(mlirMemRefTypeGetStridesAndOffset(
        raw,
        strides.as_mut_ptr(),
        &raw mut offset
    ));
    if result.value == 0 {
        return None;
    }
    Some(MemrefLayout {
        element,
        shape,
        offset: known(offset),
        strides: strides.into_iter().map(known).collect(),
        identity,
        default_space,
    })
}

/// The strides of the identity layout, in elements. MLIR computes them from simplified affine
/// expressions, which takes a large part of extraction. `None` where it has to be asked: for empty
/// memrefs, and where a stride does not fit 64 bits.
fn row_major_strides(shape: &[Option<i64>]) -> Option<Vec<Option<i64>>> {
    let mut stride = Some(1_i64);
    let mut strides = vec![None; shape.len()];
    for (size, own) in shape.iter().zip(&mut strides).rev() {
        *own = stride;
        if *size == Some(0) {
            return None;
        }
        stride = match stride.zip(*size) {
            Some((stride, size)) => Some(stride.checked_mul(size)?),
            None => None,
        };
    }
    Some(strides)
}

/// A memref of bytes with the given size, or a dynamic one.
pub fn byte_memref(context: Context, size: Option<i64>) -> Type {
    let byte = Type(c!(mlirIntegerTypeGet(context.0, 8)));
    dense_memref(byte, &[size], None)
}

/// A memref type with the identity layout.
pub(crate) fn dense_memref(element: Type, shape: &[Option<i64>], space: Option<Attribute>) -> Type {
    let dynamic = c!(mlirShapedTypeGetDynamicSize());
    let shape: Vec<i64> = shape.iter().map(|d| d.unwrap_or(dynamic)).collect();
    let space = space.map_or(c!(mlirAttributeGetNull()), |s| s.0);
    Type(c!(mlirMemRefTypeContiguousGet(
        element.0,
        shape.len() as isize,
        shape.as_ptr(),
        space
    )))
}

/// The type `like` with another shape and layout, both static.
pub(crate) fn strided_memref(like: Type, shape: &[i64], offset: i64, strides: &[i64]) -> Type {
    let raw = like.0;
    let context = like.context();
    let layout = c!(mlirStridedLayoutAttrGet(
        context.0,
        offset,
        strides.len() as isize,
        strides.as_ptr()
    ));
    Type(c!(mlirMemRefTypeGet(
        element_of_memref(like).0,
        shape.len() as isize,
        shape.as_ptr(),
        layout,
        mlirMemRefTypeGetMemorySpace(raw)
    )))
}

/// The type `like` with another, static shape and the identity layout.
pub(crate) fn identity_memref(like: Type, shape: &[i64]) -> Type {
    let shape: Vec<Option<i64>> = shape.iter().copied().map(Some).collect();
    let element = element_of_memref(like);
    let space = Attribute::new(c!(mlirMemRefTypeGetMemorySpace(like.0)));
    dense_memref(element, &shape, space)
}

/// The element type of a vector, a tensor or a memref; `None` for other types.
pub fn element_type(ty: Type) -> Option<Type> {
    c!(mlirTypeIsAShaped(ty.0)).then(|| Type(c!(mlirShapedTypeGetElementType(ty.0))))
}

/// The element type of a ranked memref.
///
/// # Panics
/// If `ty` is another type, for which calling the C API would be undefined. Callers have checked
/// the layout.
fn element_of_memref(ty: Type) -> Type {
    assert!(c!(mlirTypeIsAMemRef(ty.0)), "{ty} is no ranked memref");
    Type(c!(mlirShapedTypeGetElementType(ty.0)))
}

/// `!mem.buffer<size>`, or `!mem.buffer<?>`.
pub fn buffer_type(context: Context, size: Option<i64>) -> Type {
    let size = size.map_or_else(|| "?".to_owned(), |size| size.to_string());
    Type::parse(context, &format!("!mem.buffer<{size}>"))
}

/// Whether a type is `!mem.buffer`.
pub fn is_buffer(ty: Type) -> bool {
    matches!(storage_kind(ty), Some(StorageKind::Buffer(_)))
}

/// Size in bytes of a `!mem.buffer` type; `None` for a dynamic size and for any other type.
pub fn buffer_size(ty: Type) -> Option<i64> {
    match storage_kind(ty) {
        Some(StorageKind::Buffer(size)) => Some(size).filter(|size| *size >= 0),
        _ => None,
    }
}

/// Size in bytes of the storage of a type: of a buffer, or of a static memref from its first
/// element to the end of its last one.
pub fn storage_bytes(ty: Type) -> Option<u64> {
    let span = || memref_layout(ty)?.span();
    u64::try_from(buffer_size(ty).or_else(span)?).ok()
}

/// The kind of storage that values of a type denote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StorageKind {
    /// A memref, ranked or unranked.
    Memref,
    /// `!mem.buffer` with its size in bytes; negative if known only at run time.
    Buffer(i64),
    /// `!mem.arena`.
    Arena,
}

/// The kind of storage that values of a type denote, if any.
pub(crate) fn storage_kind(ty: Type) -> Option<StorageKind> {
    let mut size = 0_i64;
    match c!(memShimTypeKind(ty.0, &raw mut size)) {
        1 => Some(StorageKind::Memref),
        2 => Some(StorageKind::Buffer(size)),
        3 => Some(StorageKind::Arena),
        _ => None,
    }
}

/// Whether values of a type denote storage.
pub(crate) fn is_storage(ty: Type) -> bool {
    storage_kind(ty).is_some()
}

/// Whether a type is `!mem.arena`.
pub(crate) fn is_arena(ty: Type) -> bool {
    storage_kind(ty) == Some(StorageKind::Arena)
}

/// Whether a type is a tensor, ranked or unranked.
pub(crate) fn is_tensor(ty: Type) -> bool {
    c!(mlirTypeIsATensor(ty.0))
}

/// Whether a type is `index`.
pub(crate) fn is_index(ty: Type) -> bool {
    c!(mlirTypeIsAIndex(ty.0))
}

/// Whether a type is `i1`.
pub(crate) fn is_condition(ty: Type) -> bool {
    c!(mlirTypeIsAInteger(ty.0)) && c!(mlirIntegerTypeGetWidth(ty.0)) == 1
}

/// Whether a type is `!mem.token`.
pub(crate) fn is_token(ty: Type) -> bool {
    let mut size = 0_i64;
    c!(memShimTypeKind(ty.0, &raw mut size)) == 4
}

/// `!mem.arena`.
pub fn arena_type(context: Context) -> Type {
    Type::parse(context, "!mem.arena")
}
