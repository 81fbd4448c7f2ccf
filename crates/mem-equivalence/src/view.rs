//! Views: the elements of storage that a value denotes.

use std::rc::Rc;

use crate::linear::Linear;
use crate::value::{External, Region};

/// Maximum number of runs of consecutive bytes that one access is split into. Beyond that, the
/// elements of the access are treated as a whole.
const MAX_RUNS: i64 = 1 << 16;

/// The storage that a view refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Base {
    /// Storage owned by the function, by number.
    Local(u32),
    External(External),
    Unknown,
}

/// A strided view of storage. Offsets are in bytes from the start of the storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct View {
    pub base: Base,
    /// Byte range `[start, end)` that all accesses through this view, and through views derived
    /// from it, stay within.
    pub limits: Option<(i64, i64)>,
    /// The aligned pointer.
    pub aligned: Linear,
    /// The first element.
    pub start: Linear,
    /// Size and stride of each dimension; strides are in bytes.
    pub dims: Vec<(Linear, Linear)>,
    pub element: i64,
    /// For elements chosen at run time among known ones: the known elements and the choice.
    pub within: Option<Rc<Within>>,
}

/// Elements chosen at run time, by their positions in the element order of another view. The choice
/// is independent of that view's layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Within {
    /// All elements to choose from; their bytes are known.
    pub all: View,
    /// The chosen elements, in a space where the elements of `all` are dense.
    pub chosen: View,
}

impl View {
    pub fn unknown() -> Self {
        Self {
            base: Base::Unknown,
            limits: None,
            aligned: Linear::default(),
            start: Linear::default(),
            dims: Vec::new(),
            element: 1,
            within: None,
        }
    }

    /// Returns a view of the same shape whose elements are dense and start at byte 0. `None` if the
    /// layout is known only at run time or has too many rows.
    pub fn dense(&self) -> Option<Self> {
        rows(&self.region()).filter(|rows| rows.n <= MAX_RUNS)?;
        let mut row = self.element;
        let mut dims = Vec::new();
        for (size, _) in self.dims.iter().rev() {
            dims.push((size.clone(), Linear::constant(row)));
            row = row.checked_mul(size.known()?)?;
        }
        dims.reverse();
        Some(Self {
            start: Linear::default(),
            dims,
            within: None,
            ..self.clone()
        })
    }

    pub fn region(&self) -> Region {
        Region {
            start: self.start.clone(),
            dims: self.dims.clone(),
            element: self.element,
        }
    }

    /// Returns the total size of all elements in bytes, if known.
    pub fn bytes(&self) -> Option<i64> {
        let mut sizes = self.dims.iter().map(|(size, _)| size.known());
        sizes.try_fold(self.element, |bytes, size| bytes.checked_mul(size?))
    }

    /// Returns the runs of consecutive bytes, `(first byte, bytes)`, in element order. `None` if
    /// the layout is known only at run time or has more than [`MAX_RUNS`] runs.
    pub fn runs(&self) -> Option<Vec<(i64, i64)>> {
        runs(&self.region())
    }

    /// Returns the byte range `[start, end)` that the elements span, if known.
    pub fn hull(&self) -> Option<(i64, i64)> {
        hull(&self.region())
    }
}

/// See [`View::hull`].
pub(crate) fn hull(region: &Region) -> Option<(i64, i64)> {
    let start = region.start.known()?;
    let (mut low, mut high) = (start, start);
    for (size, stride) in &region.dims {
        let (size, stride) = (size.known()?, stride.known()?);
        if size == 0 {
            return Some((start, start));
        }
        let last = (size - 1).checked_mul(stride)?;
        match last < 0 {
            true => low = low.checked_add(last)?,
            false => high = high.checked_add(last)?,
        }
    }
    Some((low, high.checked_add(region.element)?))
}

/// Contiguous elements of a region, grouped into rows of the same length.
struct Rows {
    /// Offset of the first element, in bytes.
    start: i64,
    /// Bytes per row.
    length: i64,
    /// Number of rows.
    n: i64,
    /// Size and stride, in bytes, of the dimensions around the rows.
    dims: Vec<(i64, i64)>,
}

/// Returns the rows of a region; `None` if its layout is known only at run time.
fn rows(region: &Region) -> Option<Rows> {
    let start = region.start.known()?;
    let mut dims = Vec::new();
    for (size, stride) in &region.dims {
        match (size.known()?, stride.known()?) {
            (1, _) => {}
            known => dims.push(known),
        }
    }
    let mut length = region.element;
    while let Some((size, stride)) = dims.last().copied()
        && stride == length
    {
        length = length.checked_mul(size)?;
        dims.pop();
    }
    let n = dims
        .iter()
        .try_fold(1_i64, |n, (size, _)| n.checked_mul(*size))?;
    Some(Rows {
        start,
        length,
        n,
        dims,
    })
}

/// See [`View::runs`].
pub(crate) fn runs(region: &Region) -> Option<Vec<(i64, i64)>> {
    let Rows {
        start,
        length,
        n,
        dims,
    } = rows(region)?;
    if n == 0 || length == 0 {
        return Some(Vec::new());
    }
    if n > MAX_RUNS {
        return None;
    }
    let mut runs = Vec::with_capacity(n as usize);
    runs.push((start, length));
    // From the innermost dimension outwards, each repeats the runs so far.
    for (size, stride) in dims.into_iter().rev() {
        let n_inner = runs.len();
        for index in 1..size {
            for inner in 0..n_inner {
                let (first, length) = runs[inner];
                runs.push((first + index * stride, length));
            }
        }
    }
    Some(runs)
}

/// Whether two regions of one storage are known to share no byte.
pub(crate) fn are_apart(a: &Region, b: &Region) -> bool {
    let distance = a.start.minus(&b.start);
    let relative = |region: &Region, start: i64| Region {
        start: Linear::constant(start),
        ..region.clone()
    };
    let Some(distance) = distance.known() else {
        return false;
    };
    let (a, b) = (relative(a, distance), relative(b, 0));
    let (Some(of_a), Some(of_b)) = (hull(&a), hull(&b)) else {
        return false;
    };
    if of_a.1 <= of_b.0 || of_b.1 <= of_a.0 || of_a.0 == of_a.1 || of_b.0 == of_b.1 {
        return true;
    }
    // The hulls overlap, but the rows may interleave.
    let (Some(mut a), Some(mut b)) = (runs(&a), runs(&b)) else {
        return false;
    };
    if a.len() + b.len() < 3 {
        return false;
    }
    a.sort_unstable();
    b.sort_unstable();
    let mut rest = b.iter().peekable();
    a.iter().all(|(start, length)| {
        while rest.next_if(|(other, n)| other + n <= *start).is_some() {}
        rest.peek()
            .is_none_or(|(other, _)| *other >= start + length)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(start: i64, dims: &[(i64, i64)], element: i64) -> Region {
        let known =
            |(size, stride): &(i64, i64)| (Linear::constant(*size), Linear::constant(*stride));
        Region {
            start: Linear::constant(start),
            dims: dims.iter().map(known).collect(),
            element,
        }
    }

    #[test]
    fn rows_of_a_dense_matrix_are_one_run() {
        assert_eq!(runs(&region(8, &[(3, 16), (4, 4)], 4)), Some(vec![(8, 48)]));
    }

    #[test]
    fn rows_of_a_column_block_are_runs() {
        let own = region(0, &[(2, 16), (2, 4)], 4);
        assert_eq!(runs(&own), Some(vec![(0, 8), (16, 8)]));
        assert_eq!(hull(&own), Some((0, 24)));
    }

    #[test]
    fn a_transposed_matrix_comes_in_the_order_of_its_elements() {
        let own = region(0, &[(2, 4), (2, 8)], 4);
        assert_eq!(runs(&own), Some(vec![(0, 4), (8, 4), (4, 4), (12, 4)]));
    }

    #[test]
    fn columns_are_apart_and_overlapping_ones_are_not() {
        let [left, right, middle] = [0, 8, 4].map(|start| region(start, &[(4, 16), (2, 4)], 4));
        assert!(are_apart(&left, &right));
        assert!(!are_apart(&left, &middle));
        assert!(!are_apart(&left, &left));
    }

    #[test]
    fn what_the_run_time_knows_may_overlap() {
        let node = crate::value::NodeId(0);
        let mut moving = region(0, &[(4, 4)], 4);
        moving.start = Linear::of_node(node);
        let mut after = moving.clone();
        after.start = after.start.plus(&Linear::constant(16));
        assert!(!are_apart(&moving, &region(64, &[(4, 4)], 4)));
        assert!(are_apart(&moving, &after));
    }
}
