//! Handles for contexts, operations, values, blocks, regions, types and attributes.

use std::ffi::c_void;
use std::fmt;

use melior::ir::{Module, ValueLike as _};
use mlir_sys::*;

/// Borrows a string for the C API; valid as long as its owner.
pub fn string_ref(text: &str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// Converts a string of the C API, which is valid as long as its owner: the handle that it was
/// asked of, or the string itself in a callback.
pub fn text<O>(raw: MlirStringRef, _owner: &O) -> &str {
    if raw.length == 0 {
        return "";
    }
    // SAFETY: MLIR's strings are valid for `length` bytes as long as the context or the operation
    // that owns them, and handles must not be used any longer, either.
    let bytes = unsafe { std::slice::from_raw_parts(raw.data.cast::<u8>(), raw.length) };
    if bytes.is_ascii() {
        // Nearly all strings are, and this is asked several times of each operation.
        // SAFETY: ASCII is UTF-8.
        return unsafe { std::str::from_utf8_unchecked(bytes) };
    }
    std::str::from_utf8(bytes).unwrap_or("<not UTF-8>")
}

/// Collects the output of a printing function of the C API.
pub(crate) fn print(call: impl FnOnce(MlirStringCallback, *mut c_void)) -> String {
    unsafe extern "C" fn append(part: MlirStringRef, user: *mut c_void) {
        // SAFETY: `user` is the string below, which outlives the call.
        unsafe { (*user.cast::<String>()).push_str(text(part, &part)) };
    }
    let mut out = String::new();
    call(Some(append), (&raw mut out).cast());
    out
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name(pub(crate) $raw);

        impl $name {
            /// `None` for a null handle.
            #[allow(dead_code, reason = "not every kind of handle can be null")]
            pub(crate) fn new(raw: $raw) -> Option<Self> {
                (!raw.ptr.is_null()).then_some(Self(raw))
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({:?})"), self.0.ptr)
            }
        }
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.0.ptr == other.0.ptr
            }
        }
        impl Eq for $name {}
        impl std::hash::Hash for $name {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                (self.0.ptr as usize).hash(state);
            }
        }
    };
}

handle!(
    /// An operation.
    Op, MlirOperation
);
handle!(
    /// An operation's result or a block's argument.
    Value, MlirValue
);
handle!(
    /// A block.
    Block, MlirBlock
);
handle!(
    /// A region.
    Region, MlirRegion
);
handle!(
    /// A type.
    Type, MlirType
);
handle!(
    /// An attribute.
    Attribute, MlirAttribute
);
handle!(
    /// A source location.
    Location, MlirLocation
);
handle!(
    /// A context.
    Context, MlirContext
);

impl From<&Module<'_>> for Op {
    fn from(module: &Module<'_>) -> Self {
        Self(module.as_operation().to_raw())
    }
}

impl From<melior::ir::Value<'_, '_>> for Value {
    fn from(value: melior::ir::Value<'_, '_>) -> Self {
        Self(value.to_raw())
    }
}

impl Op {
    /// The full name, e.g. `func.func`.
    pub fn name(&self) -> &str {
        text(c!(mlirIdentifierStr(mlirOperationGetName(self.0))), self)
    }
    /// A number that operations of one context share if and only if they have the same name.
    pub(crate) fn name_id(self) -> usize {
        c!(mlirOperationGetName(self.0)).ptr as usize
    }
    /// The context of the operation.
    pub fn context(self) -> Context {
        Context(c!(mlirOperationGetContext(self.0)))
    }
    /// The source location.
    pub fn location(self) -> Location {
        Location(c!(mlirOperationGetLocation(self.0)))
    }
    pub(crate) fn parent(self) -> Option<Op> {
        Op::new(c!(mlirOperationGetParentOperation(self.0)))
    }
    pub(crate) fn block(self) -> Option<Block> {
        Block::new(c!(mlirOperationGetBlock(self.0)))
    }
    /// The next operation in the block.
    pub fn next(self) -> Option<Op> {
        Op::new(c!(mlirOperationGetNextInBlock(self.0)))
    }
    /// The operands, in order.
    pub fn operands(self) -> impl Iterator<Item = Value> {
        let n = c!(mlirOperationGetNumOperands(self.0));
        (0..n).map(move |i| Value(c!(mlirOperationGetOperand(self.0, i))))
    }
    /// The results, in order.
    pub fn results(self) -> impl Iterator<Item = Value> {
        let n = c!(mlirOperationGetNumResults(self.0));
        (0..n).map(move |i| Value(c!(mlirOperationGetResult(self.0, i))))
    }
    /// The only or the first result.
    pub fn result(self) -> Value {
        Value(c!(mlirOperationGetResult(self.0, 0)))
    }
    /// The operand at a position, which must exist.
    pub fn operand(self, index: usize) -> Value {
        Value(c!(mlirOperationGetOperand(self.0, index as isize)))
    }
    /// Replaces all operands.
    pub fn set_operands(self, operands: &[Value]) {
        let raw: Vec<MlirValue> = operands.iter().map(|v| v.0).collect();
        c!(mlirOperationSetOperands(
            self.0,
            raw.len() as isize,
            raw.as_ptr()
        ));
    }
    /// The regions, in order.
    pub fn regions(self) -> impl Iterator<Item = Region> {
        let n = c!(mlirOperationGetNumRegions(self.0));
        (0..n).map(move |i| Region(c!(mlirOperationGetRegion(self.0, i))))
    }
    /// The attribute with the given name.
    pub fn attribute(self, name: &str) -> Option<Attribute> {
        Attribute::new(c!(mlirOperationGetAttributeByName(
            self.0,
            string_ref(name)
        )))
    }
    /// The blocks that a terminator may branch to.
    pub fn successors(self) -> impl Iterator<Item = Block> {
        let n = c!(mlirOperationGetNumSuccessors(self.0));
        (0..n).map(move |i| Block(c!(mlirOperationGetSuccessor(self.0, i))))
    }
    /// Adds or replaces an attribute.
    pub fn set_attribute(self, name: &str, value: Attribute) {
        c!(mlirOperationSetAttributeByName(
            self.0,
            string_ref(name),
            value.0
        ));
    }
    pub(crate) fn remove_attribute(self, name: &str) {
        c!(mlirOperationRemoveAttributeByName(self.0, string_ref(name)));
    }
    /// The symbol name, e.g. of a function.
    pub fn symbol(self) -> Option<String> {
        self.attribute("sym_name")
            .and_then(|name| name.string().map(str::to_owned))
    }
    /// Unlinks and destroys the operation; its results must have no uses.
    pub fn erase(self) {
        c!(mlirOperationDestroy(self.0));
    }
    /// Inserts an operation that is not in any block.
    pub fn insert_before(self, other: Op) {
        let block = c!(mlirOperationGetBlock(other.0));
        c!(mlirBlockInsertOwnedOperationBefore(block, other.0, self.0));
    }
    /// Clones the operation; the clone is not in any block yet.
    pub fn copied(self) -> Op {
        Op(c!(super::ffi::memShimClone(self.0)))
    }
    /// Inserts a copy of the operation before `other`, with `replace` applied to every operand.
    pub fn copied_before(self, other: Op, replace: impl FnMut(Value) -> Value) -> Op {
        let copy = self.copied();
        copy.set_operands(&copy.operands().map(replace).collect::<Vec<_>>());
        copy.insert_before(other);
        copy
    }
    /// Moves the operation before `other`.
    pub(crate) fn move_before(self, other: Op) {
        c!(mlirOperationMoveBefore(self.0, other.0));
    }
    /// The operations directly in the regions, definitions before uses.
    pub fn direct_ops(self) -> impl Iterator<Item = Op> {
        let blocks = self.regions().flat_map(|region| region.blocks());
        blocks.flat_map(|block| block.ops())
    }
    /// Visits all nested operations in pre-order, definitions before uses.
    pub fn walk(self, visit: &mut impl FnMut(Op)) {
        for region in self.regions() {
            for block in region.blocks() {
                for op in block.ops() {
                    visit(op);
                    op.walk(visit);
                }
            }
        }
    }
}

impl Block {
    /// The operations, in order.
    pub fn ops(self) -> impl Iterator<Item = Op> {
        let first = Op::new(c!(mlirBlockGetFirstOperation(self.0)));
        std::iter::successors(first, |op| op.next())
    }
    /// The first operation; `None` for an empty block.
    pub fn first_op(self) -> Option<Op> {
        self.ops().next()
    }
    pub(crate) fn terminator(self) -> Option<Op> {
        Op::new(c!(mlirBlockGetTerminator(self.0)))
    }
    /// The arguments, in order.
    pub fn arguments(self) -> impl Iterator<Item = Value> {
        let n = c!(mlirBlockGetNumArguments(self.0));
        (0..n).map(move |i| Value(c!(mlirBlockGetArgument(self.0, i))))
    }
    pub(crate) fn add_argument(self, ty: Type, location: Location) -> Value {
        Value(c!(mlirBlockAddArgument(self.0, ty.0, location.0)))
    }
    pub(crate) fn parent_region(self) -> Option<Region> {
        Region::new(c!(mlirBlockGetParentRegion(self.0)))
    }
}

impl Value {
    /// The type of the value.
    pub fn ty(self) -> Type {
        Type(c!(mlirValueGetType(self.0)))
    }
    /// The operation whose result the value is; `None` for a block argument.
    pub fn owner(self) -> Option<Op> {
        c!(mlirValueIsAOpResult(self.0)).then(|| Op(c!(mlirOpResultGetOwner(self.0))))
    }
    /// The block whose argument the value is; `None` for an operation's result.
    pub(crate) fn argument_block(self) -> Option<Block> {
        c!(mlirValueIsABlockArgument(self.0)).then(|| Block(c!(mlirBlockArgumentGetOwner(self.0))))
    }
    /// Whether any operation has the value as an operand.
    pub fn is_used(self) -> bool {
        !c!(mlirOpOperandIsNull(mlirValueGetFirstUse(self.0)))
    }
    /// The operations that have the value as an operand, once per operand.
    pub fn users(self) -> Vec<Op> {
        self.each_user().collect()
    }
    /// Makes all users use another value.
    pub fn replace_with(self, other: Value) {
        c!(mlirValueReplaceAllUsesOfWith(self.0, other.0));
    }
    /// Changes the type in place. The caller must make sure that all users accept the new type.
    pub(crate) fn set_type(self, ty: Type) {
        c!(mlirValueSetType(self.0, ty.0));
    }
    /// The value of an `arith.constant` of an integer type.
    pub fn constant(self) -> Option<i64> {
        let owner = self.owner()?;
        (owner.name() == "arith.constant")
            .then(|| owner.attribute("value")?.integer())
            .flatten()
    }
    pub(crate) fn location(self) -> Location {
        Location(c!(mlirValueGetLocation(self.0)))
    }
}

impl Attribute {
    /// The value of an integer attribute.
    pub fn integer(self) -> Option<i64> {
        c!(mlirAttributeIsAInteger(self.0)).then(|| c!(mlirIntegerAttrGetValueInt(self.0)))
    }
    /// The value of a string attribute.
    pub fn string(&self) -> Option<&str> {
        c!(mlirAttributeIsAString(self.0)).then(|| text(c!(mlirStringAttrGetValue(self.0)), self))
    }
    /// The elements of a dense array of 64-bit integers.
    pub fn integers(self) -> Option<Vec<i64>> {
        c!(mlirAttributeIsADenseI64Array(self.0)).then(|| {
            let n = c!(mlirDenseArrayGetNumElements(self.0));
            (0..n)
                .map(|i| c!(mlirDenseI64ArrayGetElement(self.0, i)))
                .collect()
        })
    }
    /// The elements of a dense array of 32-bit integers.
    pub fn small_integers(self) -> Option<Vec<i32>> {
        c!(mlirAttributeIsADenseI32Array(self.0)).then(|| {
            let n = c!(mlirDenseArrayGetNumElements(self.0));
            (0..n)
                .map(|i| c!(mlirDenseI32ArrayGetElement(self.0, i)))
                .collect()
        })
    }
    /// The root name of a symbol reference.
    pub fn symbol(&self) -> Option<&str> {
        c!(mlirAttributeIsASymbolRef(self.0))
            .then(|| text(c!(mlirSymbolRefAttrGetRootReference(self.0)), self))
    }
    /// The type of a type attribute.
    pub fn type_value(self) -> Option<Type> {
        c!(mlirAttributeIsAType(self.0)).then(|| Type(c!(mlirTypeAttrGetValue(self.0))))
    }
    /// The elements of an array attribute.
    pub fn elements(self) -> Option<Vec<Attribute>> {
        c!(mlirAttributeIsAArray(self.0)).then(|| {
            let n = c!(mlirArrayAttrGetNumElements(self.0));
            (0..n)
                .map(|i| Attribute(c!(mlirArrayAttrGetElement(self.0, i))))
                .collect()
        })
    }
    /// Whether the attribute is an affine map that is the identity.
    pub(crate) fn is_identity_map(self) -> bool {
        if !c!(mlirAttributeIsAAffineMap(self.0)) {
            return false;
        }
        let map = c!(mlirAffineMapAttrGetValue(self.0));
        c!(mlirAffineMapIsIdentity(map))
    }
    /// The common value of a splat dense elements attribute.
    pub(crate) fn splat(self) -> Option<Attribute> {
        let is_splat =
            c!(mlirAttributeIsADenseElements(self.0)) && c!(mlirDenseElementsAttrIsSplat(self.0));
        is_splat.then(|| Attribute(c!(mlirDenseElementsAttrGetSplatValue(self.0))))
    }
    /// The element at `indices` of a dense elements attribute, if the indices are in bounds.
    pub fn element(self, indices: &[i64]) -> Option<Attribute> {
        let indices: Result<Vec<u64>, _> = indices.iter().map(|i| u64::try_from(*i)).collect();
        let mut at = indices.ok()?;
        let (rank, at) = (at.len() as isize, at.as_mut_ptr());
        let is_valid = c!(mlirAttributeIsADenseElements(self.0))
            && c!(mlirElementsAttrIsValidIndex(self.0, rank, at));
        is_valid.then(|| Attribute(c!(mlirElementsAttrGetValue(self.0, rank, at))))
    }
    /// The type of the attribute, if it has one.
    pub(crate) fn ty(self) -> Option<Type> {
        Type::new(c!(mlirAttributeGetType(self.0)))
    }
    /// An entry of a dictionary attribute.
    pub fn entry(self, name: &str) -> Option<Attribute> {
        c!(mlirAttributeIsADictionary(self.0)).then_some(())?;
        Attribute::new(c!(mlirDictionaryAttrGetElementByName(
            self.0,
            string_ref(name)
        )))
    }
    /// The entries of a dictionary attribute; empty for other attributes.
    pub(crate) fn entries(&self) -> Vec<(&str, Attribute)> {
        if !c!(mlirAttributeIsADictionary(self.0)) {
            return Vec::new();
        }
        let n = c!(mlirDictionaryAttrGetNumElements(self.0));
        let entries = (0..n).map(|i| c!(mlirDictionaryAttrGetElement(self.0, i)));
        let named = entries.map(|e| {
            (
                text(c!(mlirIdentifierStr(e.name)), self),
                Attribute(e.attribute),
            )
        });
        named.collect()
    }
    /// Parses an attribute.
    ///
    /// # Panics
    /// If `source` does not parse: sources are written in this project, not by users.
    pub fn parse(context: Context, source: &str) -> Attribute {
        Attribute::new(c!(mlirAttributeParseGet(context.0, string_ref(source))))
            .unwrap_or_else(|| panic!("attribute {source}"))
    }
    /// A string attribute.
    pub fn string_attribute(context: Context, value: &str) -> Attribute {
        Attribute(c!(mlirStringAttrGet(context.0, string_ref(value))))
    }
    /// A dense array of 32-bit integers.
    pub(crate) fn small_integers_attribute(context: Context, values: &[i32]) -> Attribute {
        let n = values.len() as isize;
        Attribute(c!(mlirDenseI32ArrayGet(context.0, n, values.as_ptr())))
    }
    /// An integer attribute of type `i64`.
    pub fn integer_attribute(context: Context, value: i64) -> Attribute {
        Attribute(c!(mlirIntegerAttrGet(
            mlirIntegerTypeGet(context.0, 64),
            value
        )))
    }
    /// A dense array of 64-bit integers.
    pub(crate) fn integers_attribute(context: Context, values: &[i64]) -> Attribute {
        let n = values.len() as isize;
        Attribute(c!(mlirDenseI64ArrayGet(context.0, n, values.as_ptr())))
    }
    pub(crate) fn unit(context: Context) -> Attribute {
        Attribute(c!(mlirUnitAttrGet(context.0)))
    }
    pub(crate) fn dictionary(context: Context, entries: &[(&str, Attribute)]) -> Attribute {
        let named = entries.iter().map(|(name, value)| MlirNamedAttribute {
            name: c!(mlirIdentifierGet(context.0, string_ref(name))),
            attribute: value.0,
        });
        let named: Vec<MlirNamedAttribute> = named.collect();
        let n = named.len() as isize;
        Attribute(c!(mlirDictionaryAttrGet(context.0, n, named.as_ptr())))
    }
    pub(crate) fn type_attribute(ty: Type) -> Attribute {
        Attribute(c!(mlirTypeAttrGet(ty.0)))
    }
    pub(crate) fn array(context: Context, elements: &[Attribute]) -> Attribute {
        let raw: Vec<MlirAttribute> = elements.iter().map(|a| a.0).collect();
        Attribute(c!(mlirArrayAttrGet(
            context.0,
            raw.len() as isize,
            raw.as_ptr()
        )))
    }
    /// A dictionary without the entries whose name `dropped` accepts.
    pub(crate) fn without_entries(
        self,
        context: Context,
        dropped: impl Fn(&str) -> bool,
    ) -> Attribute {
        let n = c!(mlirDictionaryAttrGetNumElements(self.0));
        let entries: Vec<MlirNamedAttribute> = (0..n)
            .map(|i| c!(mlirDictionaryAttrGetElement(self.0, i)))
            .filter(|e| !dropped(text(c!(mlirIdentifierStr(e.name)), e)))
            .collect();
        Attribute(c!(mlirDictionaryAttrGet(
            context.0,
            entries.len() as isize,
            entries.as_ptr()
        )))
    }
    /// `base`, a dictionary or `None`, with one entry added or replaced.
    pub(crate) fn with_entry(
        context: Context,
        base: Option<Attribute>,
        name: &str,
        value: Attribute,
    ) -> Attribute {
        let identifier = |n: &str| c!(mlirIdentifierGet(context.0, string_ref(n)));
        let mut entries = vec![MlirNamedAttribute {
            name: identifier(name),
            attribute: value.0,
        }];
        if let Some(base) = base {
            let n = c!(mlirDictionaryAttrGetNumElements(base.0));
            let old = (0..n).map(|i| c!(mlirDictionaryAttrGetElement(base.0, i)));
            entries.extend(old.filter(|e| text(c!(mlirIdentifierStr(e.name)), e) != name));
        }
        let n = entries.len() as isize;
        Attribute(c!(mlirDictionaryAttrGet(context.0, n, entries.as_ptr())))
    }
}

impl Location {
    /// The name of a name location.
    pub(crate) fn name(&self) -> Option<&str> {
        c!(mlirLocationIsAName(self.0))
            .then(|| text(c!(mlirIdentifierStr(mlirLocationNameGetName(self.0))), self))
    }
}

impl Type {
    /// The namespace of the dialect that defines the type.
    pub(crate) fn dialect(&self) -> &str {
        let dialect = c!(mlirTypeGetDialect(self.0));
        text(c!(mlirDialectGetNamespace(dialect)), self)
    }
    /// Parses a type.
    ///
    /// # Panics
    /// If `source` does not parse: sources are written in this project, not by users.
    pub fn parse(context: Context, source: &str) -> Type {
        Type::new(c!(mlirTypeParseGet(context.0, string_ref(source))))
            .unwrap_or_else(|| panic!("type {source}"))
    }
    pub(crate) fn context(self) -> Context {
        Context(c!(mlirTypeGetContext(self.0)))
    }
    /// The type `index`.
    pub fn index(context: Context) -> Type {
        Type(c!(mlirIndexTypeGet(context.0)))
    }
    /// The inputs of a function type.
    pub fn inputs(self) -> Vec<Type> {
        let n_inputs = c!(mlirFunctionTypeGetNumInputs(self.0));
        (0..n_inputs)
            .map(|i| Type(c!(mlirFunctionTypeGetInput(self.0, i))))
            .collect()
    }
    /// A function type with one more input at the end.
    pub(crate) fn with_input(self, input: Type) -> Type {
        let mut inputs = self.inputs();
        inputs.push(input);
        self.function(&inputs, &self.outputs())
    }
    /// A function type with `replace` applied to every input and result.
    pub(crate) fn map_signature(self, mut replace: impl FnMut(Type) -> Type) -> Type {
        let inputs: Vec<Type> = self.inputs().into_iter().map(&mut replace).collect();
        let outputs: Vec<Type> = self.outputs().into_iter().map(replace).collect();
        self.function(&inputs, &outputs)
    }
    /// The results of a function type.
    pub fn outputs(self) -> Vec<Type> {
        let n_results = c!(mlirFunctionTypeGetNumResults(self.0));
        (0..n_results)
            .map(|i| Type(c!(mlirFunctionTypeGetResult(self.0, i))))
            .collect()
    }
    /// A function type in the same context.
    fn function(self, inputs: &[Type], outputs: &[Type]) -> Type {
        let raw = |types: &[Type]| types.iter().map(|t| t.0).collect::<Vec<MlirType>>();
        let (inputs, outputs) = (raw(inputs), raw(outputs));
        Type(c!(mlirFunctionTypeGet(
            mlirTypeGetContext(self.0),
            inputs.len() as isize,
            inputs.as_ptr(),
            outputs.len() as isize,
            outputs.as_ptr()
        )))
    }
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(|append, user| {
            c!(mlirAttributePrint(self.0, append, user))
        }))
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(|append, user| {
            c!(mlirTypePrint(self.0, append, user))
        }))
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(|append, user| {
            c!(mlirLocationPrint(self.0, append, user))
        }))
    }
}
