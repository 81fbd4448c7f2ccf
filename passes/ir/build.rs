//! Construction of operations.

use melior::ir as melior_ir;
use melior::ir::RegionLike as _;
use melior::ir::operation::{OperationBuilder, OperationLike};
use mlir_sys::*;

use super::handles::{Attribute, Block, Context, Location, Op, Type, Value, string_ref};
use super::types::{is_index, is_tensor, memref_layout, strided_memref};

/// The attribute that holds the sizes of operand groups.
pub const SEGMENTS: &str = "operandSegmentSizes";

impl Block {
    /// The block, which no region owns from now on. The caller has to give it to another one.
    pub(crate) fn detached(self) -> Self {
        c!(mlirBlockDetach(self.0));
        self
    }
    /// Inserts an argument before the one at position `at`.
    pub(crate) fn insert_argument(self, at: usize, ty: Type, location: Location) -> Value {
        let at = at as isize;
        Value(c!(mlirBlockInsertArgument(self.0, at, ty.0, location.0)))
    }
}

/// An operation under construction.
#[must_use = "an operation that is not inserted is lost"]
pub struct Builder {
    name: String,
    location: Location,
    operands: Vec<Value>,
    results: Vec<Type>,
    attributes: Vec<(String, Attribute)>,
    /// The only block of the only region.
    body: Option<Block>,
}

impl Builder {
    /// Starts an operation with the given name and location.
    pub fn new(name: &str, location: Location) -> Self {
        let (operands, results, attributes) = Default::default();
        Self {
            name: name.to_owned(),
            location,
            operands,
            results,
            attributes,
            body: None,
        }
    }
    /// Appends operands.
    pub fn operands(mut self, values: impl IntoIterator<Item = Value>) -> Self {
        self.operands.extend(values);
        self
    }
    /// Appends a result of the given type.
    pub fn result(mut self, ty: Type) -> Self {
        self.results.push(ty);
        self
    }
    /// Adds an attribute.
    pub fn attribute(mut self, name: &str, value: Attribute) -> Self {
        self.attributes.push((name.to_owned(), value));
        self
    }
    /// Adds an integer attribute of type `i64`.
    pub fn integer(self, context: Context, name: &str, value: i64) -> Self {
        self.attribute(name, Attribute::integer_attribute(context, value))
    }
    /// Adds a string attribute.
    pub fn string(self, context: Context, name: &str, value: &str) -> Self {
        self.attribute(name, Attribute::string_attribute(context, value))
    }
    /// A `DenseI64ArrayAttr`.
    pub fn integers(self, context: Context, name: &str, values: &[i64]) -> Self {
        let raw = c!(mlirDenseI64ArrayGet(
            context.0,
            values.len() as isize,
            values.as_ptr()
        ));
        self.attribute(name, Attribute(raw))
    }
    /// Adds a region with a block that is in no other one.
    pub(crate) fn body(mut self, block: Option<Block>) -> Self {
        self.body = block;
        self
    }
    /// Sets the sizes of operand groups.
    pub(crate) fn segments(self, context: Context, sizes: &[i32]) -> Self {
        self.attribute(
            SEGMENTS,
            Attribute::small_integers_attribute(context, sizes),
        )
    }
    /// Builds the operation and inserts it before `other`.
    ///
    /// # Panics
    /// If MLIR refuses to create the operation. No input can cause this, and the pass guard reports
    /// it.
    pub fn before(self, other: Op) -> Op {
        let op = self.build();
        op.insert_before(other);
        op
    }

    fn build(self) -> Op {
        // SAFETY: the handles are valid, and melior's wrappers do not outlive this function.
        let operation = unsafe {
            let operands: Vec<_> = self
                .operands
                .iter()
                .map(|v| melior_ir::Value::from_raw(v.0))
                .collect();
            let results: Vec<_> = self
                .results
                .iter()
                .map(|t| melior_ir::Type::from_raw(t.0))
                .collect();
            let location = melior_ir::Location::from_raw(self.location.0);
            let region = self.body.map(|block| {
                let region = melior_ir::Region::new();
                mlirRegionAppendOwnedBlock(region.to_raw(), block.0);
                region
            });
            let regions: Vec<_> = region.into_iter().collect();
            OperationBuilder::new(&self.name, location)
                .add_regions_vec(regions)
                .add_operands(&operands)
                .add_results(&results)
                .build()
        };
        let operation = operation.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let op = Op(operation.to_raw());
        std::mem::forget(operation);
        // Attributes that are given at creation end up in a dictionary that MLIR keeps as long as the
        // context, for each operation that has names or offsets of its own.
        for (name, value) in &self.attributes {
            op.set_attribute(name, *value);
        }
        op
    }
}

/// Builds a `memref.subview` before `other`: `size` indices of `dimension` of `value`, from
/// `constant`, plus the value of `dynamic` if there is one. `None` if the shape is dynamic, if there is
/// no such dimension, or if the computation overflows.
pub(crate) fn slice(
    other: Op,
    value: Value,
    dimension: usize,
    (constant, dynamic): (i64, Option<Value>),
    size: i64,
) -> Option<Value> {
    let unknown = c!(mlirShapedTypeGetDynamicStrideOrOffset());
    let layout = memref_layout(value.ty())?;
    let mut shape = layout.static_shape()?;
    *shape.get_mut(dimension)? = size;
    let strides = layout
        .strides
        .iter()
        .map(|stride| stride.unwrap_or(unknown));
    let strides: Vec<i64> = strides.collect();
    let known = layout.offset.zip(layout.strides[dimension]);
    let offset = match known.filter(|_| dynamic.is_none()) {
        Some((offset, stride)) => offset.checked_add(stride.checked_mul(constant)?)?,
        None => unknown,
    };
    let mut offsets = vec![0; shape.len()];
    offsets[dimension] = if dynamic.is_some() { unknown } else { constant };
    let ty = strided_memref(value.ty(), &shape, offset, &strides);
    let dynamic = dynamic.as_slice();
    Some(subview(
        other,
        value,
        dynamic,
        [&offsets, &shape, &vec![1; shape.len()]],
        ty,
    ))
}

/// Builds a `memref.subview` before `other`, with the given static offsets, sizes and strides.
pub(crate) fn subview(
    other: Op,
    value: Value,
    dynamic_offsets: &[Value],
    [offsets, sizes, strides]: [&[i64]; 3],
    ty: Type,
) -> Value {
    let context = other.context();
    Builder::new("memref.subview", other.location())
        .operands([value])
        .operands(dynamic_offsets.iter().copied())
        .result(ty)
        .integers(context, "static_offsets", offsets)
        .integers(context, "static_sizes", sizes)
        .integers(context, "static_strides", strides)
        .segments(context, &[1, dynamic_offsets.len() as i32, 0, 0])
        .before(other)
        .result()
}

/// Builds an `scf.for` before `other` that counts from 0 to `n`. Returns its induction variable and
/// its terminator.
pub(crate) fn counted_loop(other: Op, n: i64) -> (Value, Op) {
    let [start, end, step] = [0, n, 1].map(|value| constant_index(other, value));
    let location = other.location();
    let index = Type::index(other.context());
    let body = c!(mlirBlockCreate(
        1,
        &raw const index.0,
        &raw const location.0
    ));
    let yield_ = Builder::new("scf.yield", location).build();
    c!(mlirBlockAppendOwnedOperation(body, yield_.0));
    let mut builder = Builder::new("scf.for", location).operands([start, end, step]);
    builder.body = Some(Block(body));
    builder.before(other);
    let variable = Value(c!(mlirBlockGetArgument(body, 0)));
    (variable, yield_)
}

/// Builds a binary operation before `other`. Operands and result have the same type.
pub(crate) fn binary(other: Op, name: &str, a: Value, b: Value) -> Value {
    Builder::new(name, other.location())
        .operands([a, b])
        .result(a.ty())
        .before(other)
        .result()
}

/// Builds an `arith.constant` of type `index` before `other`.
pub fn constant_index(other: Op, value: i64) -> Value {
    let index = Type::index(other.context());
    let attribute = Attribute(c!(mlirIntegerAttrGet(index.0, value)));
    let location = other.location();
    Builder::new("arith.constant", location)
        .result(index)
        .attribute("value", attribute)
        .before(other)
        .result_value()
}

/// A tensor or a number of a type, before `other`. `None` for other types.
pub(crate) fn any_value(other: Op, ty: Type) -> Option<Value> {
    if is_tensor(ty) {
        if !c!(mlirShapedTypeHasRank(ty.0)) {
            return None;
        }
        let n_dimensions = c!(mlirShapedTypeGetRank(ty.0)) as isize;
        let n_dynamic = (0..n_dimensions)
            .filter(|at| c!(mlirShapedTypeIsDynamicDim(ty.0, *at)))
            .count();
        let sizes: Vec<Value> = (0..n_dynamic).map(|_| constant_index(other, 0)).collect();
        let empty = Builder::new("tensor.empty", other.location()).operands(sizes);
        return Some(empty.result(ty).before(other).result());
    }
    let zero = if is_index(ty) || c!(mlirTypeIsAInteger(ty.0)) {
        c!(mlirIntegerAttrGet(ty.0, 0))
    } else if c!(mlirTypeIsAFloat(ty.0)) {
        c!(mlirFloatAttrDoubleGet(other.context().0, ty.0, 0.0))
    } else {
        return None;
    };
    let constant = Builder::new("arith.constant", other.location()).result(ty);
    Some(
        constant
            .attribute("value", Attribute(zero))
            .before(other)
            .result(),
    )
}

/// A NUL-terminated copy: the parser reads one byte past the end of the given length, where it
/// expects a NUL.
fn terminated(source: &str) -> String {
    format!("{source}\0")
}

impl Op {
    /// Parses an operation that is not in any block yet.
    ///
    /// # Panics
    /// If `source` does not parse: sources are written in this project, not by users.
    pub fn parse(context: Context, source: &str) -> Op {
        let text = terminated(source);
        let op = c!(mlirOperationCreateParse(
            context.0,
            string_ref(&text[..source.len()]),
            string_ref("mem-opt")
        ));
        assert!(!op.ptr.is_null(), "operation {source}");
        Op(op)
    }
    /// Parses a module file; the module is not in any block. Emits a diagnostic and returns `None`
    /// if the file does not parse.
    pub(crate) fn parse_module(context: Context, file: &str) -> Option<Op> {
        let module = c!(mlirModuleCreateParseFromFile(context.0, string_ref(file)));
        (!module.ptr.is_null()).then(|| Op(c!(mlirModuleGetOperation(module))))
    }
    /// Parses a module from text that is not written by users.
    ///
    /// # Panics
    /// If `source` does not parse.
    pub(crate) fn parse_module_text(context: Context, source: &str) -> Op {
        let text = terminated(source);
        let text = string_ref(&text[..source.len()]);
        let module = c!(mlirModuleCreateParse(context.0, text));
        assert!(!module.ptr.is_null(), "module {source}");
        Op(c!(mlirModuleGetOperation(module)))
    }
    fn result_value(self) -> Value {
        self.result()
    }
}
