//! The operations of the mem dialect, as typed wrappers of melior's operations.
//!
//! The wrappers ("views") are generated from the dialect's ODS definition. Each has an accessor for
//! every attribute, operand and result, under its ODS name. A view borrows the operation and is as
//! cheap to copy as a pointer.
//!
//! ```
//! use melior::Context;
//! use melior::dialect::DialectRegistry;
//! use melior::ir::operation::OperationLike as _;
//! use melior::ir::{BlockLike as _, Module};
//! use mem_opt::dialect::BufferOp;
//!
//! let registry = DialectRegistry::new();
//! mem_opt::register_dialect(&registry);
//! let context = Context::new();
//! context.append_dialect_registry(&registry);
//! let source = "%a = mem.buffer {alignment = 64 : i64, name = \"a\"} : !mem.buffer<128>";
//! let module = Module::parse(&context, source).expect("valid MLIR");
//! let operation = module.body().first_operation().expect("one operation");
//! let buffer = BufferOp::new(operation).expect("a mem.buffer");
//! assert_eq!(buffer.name().as_deref(), Some("a"));
//! assert_eq!(buffer.alignment(), Some(64));
//! ```

use melior::ir::Value;
use melior::ir::operation::OperationRef;
use mem_model::Role;

use crate::ir::Op;
use crate::ir::ffi::memShimRole;

macro_rules! view {
    ($(#[$doc:meta])* $name:ident, $mnemonic:literal, { $($methods:tt)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<'c, 'a>(OperationRef<'c, 'a>);

        impl<'c, 'a> $name<'c, 'a> {
            /// The operation's full name.
            pub const NAME: &'static str = $mnemonic;

            /// Casts `operation`; `None` if it is a different operation.
            #[must_use]
            pub fn new(operation: OperationRef<'c, 'a>) -> Option<Self> {
                (Op(operation.to_raw()).name() == Self::NAME).then_some(Self(operation))
            }

            /// The underlying operation.
            #[must_use]
            pub fn operation(self) -> OperationRef<'c, 'a> {
                self.0
            }

            /// Casts an operation that a pass holds.
            #[doc(hidden)]
            #[must_use]
            pub fn of(op: Op) -> Option<Self> {
                // SAFETY: handles are valid while a pass runs, and views do not outlive the pass.
                Self::new(unsafe { OperationRef::from_raw(op.0) })
            }

            $($methods)*
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/views.rs"));

/// Building blocks of the generated accessors.
mod read {
    use super::{OperationRef, Role, Value};
    use crate::ir::{Attribute, Op};

    fn op(operation: OperationRef<'_, '_>) -> Op {
        Op(operation.to_raw())
    }

    fn attribute(operation: OperationRef<'_, '_>, name: &str) -> Option<Attribute> {
        op(operation).attribute(name)
    }

    pub(super) fn optional_string(operation: OperationRef<'_, '_>, name: &str) -> Option<String> {
        attribute(operation, name)?.string().map(str::to_owned)
    }

    pub(super) fn string(operation: OperationRef<'_, '_>, name: &str) -> String {
        optional_string(operation, name).unwrap_or_default()
    }

    pub(super) fn optional_unsigned(operation: OperationRef<'_, '_>, name: &str) -> Option<u64> {
        attribute(operation, name)?
            .integer()
            .and_then(|n| u64::try_from(n).ok())
    }

    /// The attribute is required, and the verifier rejects negative values, so the default is never
    /// used.
    pub(super) fn unsigned(operation: OperationRef<'_, '_>, name: &str) -> u64 {
        optional_unsigned(operation, name).unwrap_or_default()
    }

    pub(super) fn optional_integers(
        operation: OperationRef<'_, '_>,
        name: &str,
    ) -> Option<Vec<i64>> {
        attribute(operation, name)?.integers()
    }

    pub(super) fn integers(operation: OperationRef<'_, '_>, name: &str) -> Vec<i64> {
        optional_integers(operation, name).unwrap_or_default()
    }

    pub(super) fn flag(operation: OperationRef<'_, '_>, name: &str) -> bool {
        attribute(operation, name).is_some()
    }

    pub(super) fn role(operation: OperationRef<'_, '_>, name: &str) -> Option<Role> {
        attribute(operation, name).map(super::role_of)
    }

    fn value<'c, 'a>(value: crate::ir::Value) -> Value<'c, 'a> {
        // SAFETY: the value belongs to the operation that the view borrows.
        unsafe { Value::from_raw(value.0) }
    }

    pub(super) fn operand<'c, 'a>(operation: OperationRef<'c, 'a>, index: usize) -> Value<'c, 'a> {
        value(op(operation).operand(index))
    }

    /// The operands from `first` on: the only variadic operand group of an operation, which is its
    /// last.
    pub(super) fn rest<'c, 'a>(
        operation: OperationRef<'c, 'a>,
        first: usize,
    ) -> Vec<Value<'c, 'a>> {
        op(operation).operands().skip(first).map(value).collect()
    }

    /// Operand group `index` of an operation with operand segments.
    pub(super) fn segment<'c, 'a>(
        operation: OperationRef<'c, 'a>,
        index: usize,
    ) -> Vec<Value<'c, 'a>> {
        let sizes = attribute(operation, crate::ir::SEGMENTS).and_then(|a| a.small_integers());
        let sizes = sizes.unwrap_or_default();
        let size = |i: usize| {
            sizes
                .get(i)
                .and_then(|n| usize::try_from(*n).ok())
                .unwrap_or(0)
        };
        let first: usize = (0..index).map(size).sum();
        op(operation)
            .operands()
            .skip(first)
            .take(size(index))
            .map(value)
            .collect()
    }

    pub(super) fn optional_result<'c, 'a>(
        operation: OperationRef<'c, 'a>,
    ) -> Option<Value<'c, 'a>> {
        op(operation).results().next().map(value)
    }

    pub(super) fn result<'c, 'a>(operation: OperationRef<'c, 'a>) -> Value<'c, 'a> {
        value(op(operation).result())
    }
}

/// Whether an operation transfers data from one place to another.
pub fn is_transfer(op: Op) -> bool {
    matches!(
        op.name(),
        "mem.load" | "mem.store" | "mem.swap" | "mem.move"
    )
}

/// The slots of a `mem.rotate`, and the values it avoids.
pub fn rotation(op: Op) -> (Vec<crate::ir::Value>, Vec<crate::ir::Value>) {
    let rotate = RotateOp::of(op);
    let values = |group: Vec<Value<'_, '_>>| {
        let values = group.into_iter();
        values.map(crate::ir::Value::from).collect()
    };
    let slots = rotate.map(RotateOp::slots).unwrap_or_default();
    let avoided = rotate.map(RotateOp::avoiding).unwrap_or_default();
    (values(slots), values(avoided))
}

/// The role stated by a `#mem.role<…>` attribute.
pub(crate) fn role_of(attribute: crate::ir::Attribute) -> Role {
    // The numbers are those of the dialect's enumeration.
    match c!(memShimRole(attribute.0)) {
        0 => Role::Input,
        1 => Role::Output,
        2 => Role::Constant,
        _ => Role::Intermediate,
    }
}
