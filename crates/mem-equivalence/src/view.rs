//! Views: the elements of storage that a value denotes.

use std::rc::Rc;

use crate::linear::Linear;
use crate::rows::{MAX_ROWS, Rows};
use crate::value::{External, Region};

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
    pub(crate) fn unknown() -> Self {
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
    pub(crate) fn dense(&self) -> Option<Self> {
        self.rows()?;
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

    pub(crate) fn region(&self) -> Region {
        Region {
            start: self.start.clone(),
            dims: self.dims.clone(),
            element: self.element,
        }
    }

    /// Returns the total size of all elements in bytes, if known.
    pub(crate) fn bytes(&self) -> Option<i64> {
        let mut sizes = self.dims.iter().map(|(size, _)| size.known());
        sizes.try_fold(self.element, |bytes, size| bytes.checked_mul(size?))
    }

    /// Returns the rows of the elements, in element order. `None` if the layout is known only at
    /// run time or has more than [`MAX_ROWS`] rows.
    pub(crate) fn rows(&self) -> Option<Rows> {
        rows(&self.region())
    }

    /// Returns the rows as runs of consecutive bytes, `(first byte, bytes)`; see [`Self::rows`].
    pub(crate) fn runs(&self) -> Option<Vec<(i64, i64)>> {
        Some(self.rows()?.runs())
    }

    /// Returns a byte range `[start, end)` that the elements are within, if one is known.
    pub(crate) fn range(&self) -> Option<(i64, i64)> {
        let within = || self.within.as_ref().and_then(|own| own.all.hull());
        self.hull().or_else(within).or(self.limits)
    }

    /// Returns the byte range `[start, end)` that the elements span, if known.
    pub(crate) fn hull(&self) -> Option<(i64, i64)> {
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

/// See [`View::rows`].
fn rows(region: &Region) -> Option<Rows> {
    Rows::of(region).filter(|rows| rows.n <= MAX_ROWS)
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
    let (Some(a), Some(b)) = (rows(&a), rows(&b)) else {
        return false;
    };
    if a.interleave(&b) {
        return true;
    }
    let (mut a, mut b) = (a.runs(), b.runs());
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

/// Whether two views of equal shape each consist of consecutive bytes, possibly with permuted
/// dimensions, and order their elements alike. Copying one to the other element by element is then
/// the same as copying the bytes in order.
pub(crate) fn are_blocks_alike(a: &View, b: &View) -> bool {
    let dims = |view: &View| {
        let known = view.dims.iter().map(|(size, stride)| {
            let size = size.known()?;
            // The stride of a single element is irrelevant.
            Some((size, if size == 1 { 0 } else { stride.known()? }))
        });
        known.collect::<Option<Vec<_>>>()
    };
    let (Some(of_a), Some(of_b)) = (dims(a), dims(b)) else {
        return false;
    };
    let mut sorted = of_a.clone();
    sorted.retain(|(size, _)| *size != 1);
    sorted.sort_by_key(|(_, stride)| *stride);
    let mut row = Some(a.element);
    let is_dense = sorted.into_iter().all(|(size, stride)| {
        let is_next = row == Some(stride);
        row = row.and_then(|row| row.checked_mul(size));
        is_next
    });
    is_dense && of_a == of_b && a.element == b.element
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(region: &Region) -> Option<Vec<(i64, i64)>> {
        Some(rows(region)?.runs())
    }

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
    fn blocks_are_dense_and_in_one_order() {
        let view = |dims: &[(i64, i64)]| View {
            dims: region(0, dims, 4).dims,
            element: 4,
            ..View::unknown()
        };
        let [rows, columns] = [&[(3, 16), (4, 4)], &[(3, 4), (4, 12)]].map(|dims| view(dims));
        assert!(are_blocks_alike(&rows, &rows));
        assert!(are_blocks_alike(&columns, &columns));
        assert!(!are_blocks_alike(&rows, &columns));
        assert!(are_blocks_alike(
            &view(&[(1, 99), (4, 4)]),
            &view(&[(1, 4), (4, 4)])
        ));
        // Rows with gaps, and rows that share elements.
        for dims in [[(3, 32), (4, 4)], [(3, 8), (4, 4)]] {
            assert!(!are_blocks_alike(&view(&dims), &view(&dims)));
        }
    }

    #[test]
    fn columns_are_apart_and_overlapping_ones_are_not() {
        let [left, right, middle] = [0, 8, 4].map(|start| region(start, &[(4, 16), (2, 4)], 4));
        assert!(are_apart(&left, &right));
        assert!(!are_apart(&left, &middle));
        assert!(!are_apart(&left, &left));
    }

    #[test]
    fn places_known_only_at_run_time_may_overlap() {
        let node = crate::value::NodeId(0);
        let mut moving = region(0, &[(4, 4)], 4);
        moving.start = Linear::of_node(node);
        let mut after = moving.clone();
        after.start = after.start.plus(&Linear::constant(16));
        assert!(!are_apart(&moving, &region(64, &[(4, 4)], 4)));
        assert!(are_apart(&moving, &after));
    }
}
