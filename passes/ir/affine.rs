//! Affine maps as plain data that can be evaluated without MLIR.

use mlir_sys::*;

use super::{Attribute, Op};

/// An affine expression over the dimensions of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Affine {
    /// A dimension, by its position.
    Dimension(usize),
    /// A constant.
    Constant(i64),
    /// An operator and its operands.
    Binary(AffineOperator, Box<Affine>, Box<Affine>),
}

/// Operators of affine expressions. `FloorDiv` and `Mod` round towards negative infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AffineOperator {
    /// Addition.
    Add,
    /// Multiplication.
    Mul,
    /// Remainder.
    Mod,
    /// Division, rounded down.
    FloorDiv,
    /// Division, rounded up.
    CeilDiv,
}

/// A map from points of an iteration space to indices.
#[derive(Clone, Debug)]
pub struct AffineMap {
    /// Number of dimensions of the iteration space.
    pub n_dimensions: usize,
    /// The index in each dimension of the operand.
    pub results: Vec<Affine>,
}

impl AffineMap {
    /// Evaluates the map at `point`; `None` if an expression divides by zero or overflows.
    pub fn at(&self, point: &[i64]) -> Option<Vec<i64>> {
        self.results.iter().map(|result| result.at(point)).collect()
    }
}

impl AffineMap {
    /// The dimension of each result, if all results are plain dimensions.
    pub(crate) fn projection(&self) -> Option<Vec<usize>> {
        let dimension = |result: &Affine| match result {
            Affine::Dimension(dimension) => Some(*dimension),
            _ => None,
        };
        self.results.iter().map(dimension).collect()
    }
}

/// A linear expression: a constant, and a coefficient for each dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Linear {
    pub constant: i64,
    pub coefficients: Vec<i64>,
}

impl Linear {
    /// A constant in a space of `n` dimensions.
    pub(crate) fn constant(value: i64, n: usize) -> Self {
        Self {
            constant: value,
            coefficients: vec![0; n],
        }
    }

    /// A dimension of a space of `n` dimensions; `None` if there is no such dimension.
    pub(crate) fn dimension(dimension: usize, n: usize) -> Option<Self> {
        let mut own = Self::constant(0, n);
        *own.coefficients.get_mut(dimension)? = 1;
        Some(own)
    }

    /// `combine` applied to the constants and to the coefficients of both; `None` where it is.
    pub(crate) fn combined(
        &self,
        other: &Self,
        combine: fn(i64, i64) -> Option<i64>,
    ) -> Option<Self> {
        let pairs = self.coefficients.iter().zip(&other.coefficients);
        Some(Self {
            constant: combine(self.constant, other.constant)?,
            coefficients: pairs.map(|(a, b)| combine(*a, *b)).collect::<Option<_>>()?,
        })
    }

    /// A multiple; `None` if a number is too large.
    pub(crate) fn times(&self, factor: i64) -> Option<Self> {
        let products = self.coefficients.iter().map(|own| own.checked_mul(factor));
        Some(Self {
            constant: self.constant.checked_mul(factor)?,
            coefficients: products.collect::<Option<_>>()?,
        })
    }

    /// The expression if dimension `d` has the value `dimensions[d]`, which are expressions in a space of `n`
    /// dimensions; `None` if a number is too large.
    pub(crate) fn of(&self, dimensions: &[Self], n: usize) -> Option<Self> {
        let terms = self.coefficients.iter().zip(dimensions);
        let mut terms = terms.filter(|(factor, _)| **factor != 0);
        terms.try_fold(Self::constant(self.constant, n), |sum, (factor, own)| {
            sum.combined(&own.times(*factor)?, i64::checked_add)
        })
    }

    /// The only dimension, if the expression is one.
    pub(crate) fn as_dimension(&self) -> Option<usize> {
        let mut others = self.coefficients.iter().enumerate();
        let (dimension, factor) = others.find(|(_, own)| **own != 0)?;
        let is_only = others.all(|(_, own)| *own == 0);
        (self.constant == 0 && *factor == 1 && is_only).then_some(dimension)
    }
}

impl Affine {
    /// The expression as a linear one in a space of `n` dimensions; `None` if it is not linear, or if a number
    /// is too large.
    pub(crate) fn linear(&self, n: usize) -> Option<Linear> {
        match self {
            Self::Constant(value) => Some(Linear::constant(*value, n)),
            Self::Dimension(dimension) => Linear::dimension(*dimension, n),
            Self::Binary(operator, left, right) => {
                let (left, right) = (left.linear(n)?, right.linear(n)?);
                let is_constant = |own: &Linear| own.coefficients.iter().all(|c| *c == 0);
                match operator {
                    AffineOperator::Add => left.combined(&right, i64::checked_add),
                    AffineOperator::Mul if is_constant(&left) => right.times(left.constant),
                    AffineOperator::Mul if is_constant(&right) => left.times(right.constant),
                    _ => None,
                }
            }
        }
    }

    /// The value for these values of the dimensions; `None` if it is too large.
    pub(crate) fn at(&self, point: &[i64]) -> Option<i64> {
        match self {
            Self::Dimension(dimension) => point.get(*dimension).copied(),
            Self::Constant(value) => Some(*value),
            Self::Binary(operator, left, right) => {
                let (a, b) = (left.at(point)?, right.at(point)?);
                match operator {
                    AffineOperator::Add => a.checked_add(b),
                    AffineOperator::Mul => a.checked_mul(b),
                    AffineOperator::Mod => a.checked_rem_euclid(b),
                    AffineOperator::FloorDiv => a.checked_div_euclid(b),
                    AffineOperator::CeilDiv => {
                        a.checked_neg()?.checked_div_euclid(b)?.checked_neg()
                    }
                }
            }
        }
    }

    /// Converts an expression. Symbols become dimensions from `first_symbol` on; `None` if there is a
    /// symbol and no such dimension.
    fn of(raw: MlirAffineExpr, first_symbol: Option<usize>) -> Option<Self> {
        if c!(mlirAffineExprIsASymbol(raw)) {
            let position = c!(mlirAffineSymbolExprGetPosition(raw));
            let position = usize::try_from(position).ok()?;
            return first_symbol.map(|first| Self::Dimension(first + position));
        }
        if c!(mlirAffineExprIsADim(raw)) {
            let position = c!(mlirAffineDimExprGetPosition(raw));
            return Some(Self::Dimension(usize::try_from(position).ok()?));
        }
        if c!(mlirAffineExprIsAConstant(raw)) {
            return Some(Self::Constant(c!(mlirAffineConstantExprGetValue(raw))));
        }
        if !c!(mlirAffineExprIsABinary(raw)) {
            return None;
        }
        let operator = if c!(mlirAffineExprIsAAdd(raw)) {
            AffineOperator::Add
        } else if c!(mlirAffineExprIsAMul(raw)) {
            AffineOperator::Mul
        } else if c!(mlirAffineExprIsAMod(raw)) {
            AffineOperator::Mod
        } else if c!(mlirAffineExprIsAFloorDiv(raw)) {
            AffineOperator::FloorDiv
        } else {
            AffineOperator::CeilDiv
        };
        let left = Self::of(c!(mlirAffineBinaryOpExprGetLHS(raw)), first_symbol)?;
        let right = Self::of(c!(mlirAffineBinaryOpExprGetRHS(raw)), first_symbol)?;
        Some(Self::Binary(operator, Box::new(left), Box::new(right)))
    }
}

impl Attribute {
    /// Converts an affine map attribute; `None` for other attributes and for maps with symbols.
    pub fn affine_map(self) -> Option<AffineMap> {
        self.converted_map(|_| None)
    }

    /// Converts an affine map attribute; `None` for other attributes. Symbols follow the dimensions, as
    /// the operands of `affine.apply` do.
    pub(crate) fn affine_map_of_operands(self) -> Option<AffineMap> {
        self.converted_map(Some)
    }

    /// Converts an affine map attribute, given the dimension that stands for the first symbol of a map
    /// with that many dimensions.
    fn converted_map(self, first_symbol: fn(usize) -> Option<usize>) -> Option<AffineMap> {
        if !c!(mlirAttributeIsAAffineMap(self.0)) {
            return None;
        }
        let map = c!(mlirAffineMapAttrGetValue(self.0));
        let n_dimensions = usize::try_from(c!(mlirAffineMapGetNumDims(map))).ok()?;
        let results = (0..c!(mlirAffineMapGetNumResults(map))).map(|result| {
            let result = c!(mlirAffineMapGetResult(map, result));
            Affine::of(result, first_symbol(n_dimensions))
        });
        Some(AffineMap {
            n_dimensions,
            results: results.collect::<Option<Vec<_>>>()?,
        })
    }
}

/// The attribute of the indexing maps of a structured operation of `linalg`, which named operations do not
/// store; `None` for any other operation.
pub(crate) fn indexing_map_attributes(op: Op) -> Option<Attribute> {
    Attribute::new(c!(mlirLinalgGetIndexingMapsAttribute(op.0)))
}

/// The indexing maps of a structured operation of `linalg`, one for each operand; `None` for any
/// other operation.
pub fn indexing_maps(op: Op) -> Option<Vec<AffineMap>> {
    let maps = indexing_map_attributes(op)?.elements()?.into_iter();
    maps.map(Attribute::affine_map).collect()
}
