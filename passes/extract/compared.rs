//! Addresses that are converted to integers only to be compared, as upstream's deallocation passes
//! do at run time to determine ownership. Such an integer hides no access.

use super::Extractor;
use crate::ir::{Op, Value, chain};

impl Extractor<'_> {
    /// Whether an integer made from an address is used for comparisons only, directly or through
    /// memory that holds nothing but such integers. `seen` guards against infinite recursion.
    pub(super) fn only_compared(&self, number: Value, seen: &mut Vec<Value>) -> bool {
        number.users().into_iter().all(|user| match user.name() {
            "arith.cmpi" => true,
            "memref.store" if user.operand(0) == number => {
                let table = root_of_casts(user.operand(1));
                // The other readers of an argument's memory are unknown here.
                table.owner().is_some() && self.table_only_compared(table, seen)
            }
            _ => false,
        })
    }

    /// Whether memory that addresses were stored to is read only for comparisons.
    fn table_only_compared(&self, table: Value, seen: &mut Vec<Value>) -> bool {
        if seen.contains(&table) {
            // A table in `seen` counts as harmless: the call that added it examines all of its
            // uses.
            return true;
        }
        seen.push(table);
        // A table without an owner is the parameter of a callee that `table_use_is_harmless` has
        // followed a call to.
        let local = table.owner().is_none_or(|op| {
            matches!(
                op.name(),
                "memref.alloc"
                    | "memref.alloca"
                    | "memref.cast"
                    | "mem.descriptor"
                    | "mem.buffer"
                    | "mem.view"
            )
        });
        local
            && table
                .users()
                .into_iter()
                .all(|user| self.table_use_is_harmless(user, table, seen))
    }

    fn table_use_is_harmless(&self, user: Op, table: Value, seen: &mut Vec<Value>) -> bool {
        match user.name() {
            "memref.dealloc" | "memref.dim" => true,
            // Stores into the table are harmless, because every load from it is examined. Storing
            // the table itself would hide loads.
            "memref.store" => user.operand(0) != table,
            "memref.load" => self.only_compared(user.result(), seen),
            "memref.cast" | "mem.descriptor" => self.table_only_compared(user.result(), seen),
            "func.call" => user.operands().enumerate().all(|(index, operand)| {
                operand != table
                    || self
                        .callees
                        .parameter(user, index)
                        .is_some_and(|parameter| self.table_only_compared(parameter, seen))
            }),
            _ => false,
        }
    }
}

/// The root of a chain of casts and descriptors.
fn root_of_casts(value: Value) -> Value {
    let source = |value: Value| {
        let op = value.owner()?;
        matches!(op.name(), "memref.cast" | "mem.descriptor").then(|| op.operand(0))
    };
    chain(value, source).last().unwrap_or(value)
}
