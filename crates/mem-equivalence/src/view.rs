//! Views: which elements of which storage a value denotes.

use std::rc::Rc;

use crate::linear::Linear;
use crate::value::{External, Region};

/// Most runs of consecutive bytes that one access is split into; beyond that, its elements are looked at as a whole.
const MAX_RUNS: i64 = 1 << 16;

/// What a view is a view of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Base {
    /// Storage of the function's own, by number.
    Local(u32),
    External(External),
    Unknown,
}

/// Elements of some storage. Offsets in bytes from the start of the storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct View {
    pub base: Base,
    /// All accesses through this view, and views of it, stay within these bytes.
    pub limits: Option<(i64, i64)>,
    /// The aligned pointer.
    pub aligned: Linear,
    /// The first element.
    pub start: Linear,
    /// Size, and stride in bytes.
    pub dims: Vec<(Linear, Linear)>,
    pub element: i64,
    /// Of elements that the run time chooses among known ones: those, and which of them.
    pub within: Option<Rc<Within>>,
}

/// Elements that the run time chooses, by their place in the order of others: equal whatever the layout of those is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Within {
    /// All there are to choose from; their bytes are known.
    pub all: View,
    /// Those that are chosen, as if the others were one after the other.
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

    /// The same elements as if they were one after the other, if all is known of them.
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

    /// The bytes of all elements together, if that is known.
    pub fn bytes(&self) -> Option<i64> {
        let mut sizes = self.dims.iter().map(|(size, _)| size.known());
        sizes.try_fold(self.element, |bytes, size| bytes.checked_mul(size?))
    }

    /// Runs of consecutive bytes, `(first byte, bytes)`, in the order of the elements. `None` if something is known only at
    /// run time, or there are more than are told apart.
    pub fn runs(&self) -> Option<Vec<(i64, i64)>> {
        runs(&self.region())
    }

    /// The bytes from the first element to the last, `[start, end)`, if they are known.
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

/// Elements of a region that follow each other.
struct Rows {
    /// Byte of the first element.
    start: i64,
    /// Bytes of each.
    length: i64,
    /// How many there are.
    n: i64,
    /// Size and stride, in bytes, of the dimensions around them.
    dims: Vec<(i64, i64)>,
}

/// The rows of a region; `None` if something is known only at run time.
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
    let mut starts = vec![start];
    for (size, stride) in dims {
        let along = |from: i64| (0..size).map(move |index| from + index * stride);
        starts = starts.into_iter().flat_map(along).collect();
    }
    Some(starts.into_iter().map(|start| (start, length)).collect())
}

/// Whether two regions of one storage surely share no byte.
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
    // Their rows may lie between each other.
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
        let mut behind = moving.clone();
        behind.start = behind.start.plus(&Linear::constant(16));
        assert!(!are_apart(&moving, &region(64, &[(4, 4)], 4)));
        assert!(are_apart(&moving, &behind));
    }
}
