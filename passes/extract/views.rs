//! Views of buffers: which rows of a buffer the indices of a memref stand for.

use mem_model::MAX_EXTENT;

use crate::ir::{Attribute, Op, Value, memref_layout};

/// A dynamic entry of an array of static offsets, sizes or strides.
const DYNAMIC: i64 = i64::MIN;

/// What a memref shows of a buffer. Index `i` of dimension `d` of the memref shows the `width` rows
/// from `scale * i + offset` on, in a dimension of the buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TileView {
    pub shape: Vec<i64>,
    /// For each dimension of the memref, if it divides one of the buffer.
    pub dimensions: Vec<Option<TileDimension>>,
}

/// A dimension of a memref, as rows of its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TileDimension {
    pub dimension: usize,
    pub scale: i64,
    pub offset: i64,
    pub width: i64,
}

impl TileDimension {
    /// All rows of a dimension.
    pub(crate) const fn all(dimension: usize) -> Self {
        Self {
            dimension,
            scale: 1,
            offset: 0,
            width: 1,
        }
    }
}

/// The shape of a memref, if all dimensions are known and neither empty nor too large.
fn static_shape(value: Value) -> Option<Vec<i64>> {
    let shape = memref_layout(value.ty())?.static_shape()?;
    let is_small = |extent: &i64| (1..=MAX_EXTENT).contains(extent);
    shape.iter().all(is_small).then_some(shape)
}

impl TileView {
    /// The view of all elements of a memref with static shape. Dimensions of size 1 divide nothing.
    pub(crate) fn of_buffer(value: Value) -> Option<Self> {
        let shape = static_shape(value)?;
        let own = |dimension: usize| (shape[dimension] > 1).then(|| TileDimension::all(dimension));
        let dimensions = (0..shape.len()).map(own).collect();
        Some(Self { shape, dimensions })
    }

    /// The view of all elements of a memref that has rows of `dimension`, perhaps only one.
    pub(crate) fn of_rows(value: Value, dimension: usize) -> Option<Self> {
        let mut view = Self::of_buffer(value)?;
        view.dimensions[dimension] = Some(TileDimension::all(dimension));
        Some(view)
    }

    /// Number of elements.
    pub(super) fn elements(&self) -> i64 {
        let product = |all: i64, extent: &i64| all.saturating_mul(*extent);
        self.shape.iter().fold(1, product)
    }

    /// The view that `op` makes of this one; `offset` evaluates dynamic offsets. `None` if `op` is
    /// not a known view, or if an offset is unknown.
    pub(crate) fn through(
        &self,
        op: Op,
        offset: &mut impl FnMut(Value) -> Option<i64>,
    ) -> Option<Self> {
        match op.name() {
            "memref.subview" => self.subview(op, offset),
            "memref.expand_shape" => self.expanded(op),
            "memref.collapse_shape" => self.collapsed(op),
            "memref.cast" => static_shape(op.result()).map(|shape| Self {
                shape,
                dimensions: self.dimensions.clone(),
            }),
            _ => None,
        }
    }

    fn subview(&self, op: Op, offset: &mut impl FnMut(Value) -> Option<i64>) -> Option<Self> {
        let entries = |name: &str| op.attribute(name).and_then(Attribute::integers);
        let (offsets, sizes) = (entries("static_offsets")?, entries("static_sizes")?);
        let strides = entries("static_strides")?;
        let result = static_shape(op.result())?;
        let mut dynamic = op.operands().skip(1);
        let (mut shape, mut dimensions) = (Vec::new(), Vec::new());
        for (at, (first, size)) in offsets.into_iter().zip(sizes).enumerate() {
            let first = match first {
                DYNAMIC => offset(dynamic.next()?)?,
                first => first,
            };
            // Dimensions of size 1 may be dropped. Dynamic sizes and strides follow the offsets, so
            // the first of them ends the analysis.
            if result.get(shape.len()) != Some(&size) {
                if size != 1 {
                    return None;
                }
                continue;
            }
            shape.push(size);
            let own = self.dimensions[at].filter(|_| (1..=MAX_EXTENT).contains(&strides[at]));
            dimensions.push(own.map(|own| TileDimension {
                offset: own.offset + own.scale * first,
                scale: own.scale * strides[at],
                ..own
            }));
        }
        (shape == result).then_some(Self { shape, dimensions })
    }

    fn expanded(&self, op: Op) -> Option<Self> {
        let shape = static_shape(op.result())?;
        let mut dimensions = vec![None; shape.len()];
        for (source, group) in reassociation(op)?.into_iter().enumerate() {
            // The outermost dimension with several indices selects consecutive rows. A single index
            // is the same row in any dimension.
            let mut inner = self.shape[source];
            for dimension in group {
                inner /= shape[dimension];
                dimensions[dimension] = self.dimensions[source].map(|own| TileDimension {
                    scale: own.scale * inner,
                    width: own.scale * (inner - 1) + own.width,
                    ..own
                });
                if shape[dimension] > 1 {
                    break;
                }
            }
        }
        Some(Self { shape, dimensions })
    }

    fn collapsed(&self, op: Op) -> Option<Self> {
        let shape = static_shape(op.result())?;
        let mut dimensions = Vec::new();
        for group in reassociation(op)? {
            let mut several = group.iter().filter(|own| self.shape[**own] > 1);
            let own = match (several.next(), several.next()) {
                (Some(only), None) => self.dimensions[*only],
                (None, _) => group.iter().find_map(|own| self.dimensions[*own]),
                _ => None,
            };
            dimensions.push(own);
        }
        Some(Self { shape, dimensions })
    }
}

/// The groups of dimensions of an operation that reshapes.
pub(crate) fn reassociation(op: Op) -> Option<Vec<Vec<usize>>> {
    let groups = op.attribute("reassociation")?.elements()?;
    let index = |entry: Attribute| usize::try_from(entry.integer()?).ok();
    let group = |group: Attribute| group.elements()?.into_iter().map(index).collect();
    groups.into_iter().map(group).collect()
}
