//! Arenas that callers provide: the needs of callees, and the arenas passed to them.

use rustc_hash::FxHashMap as HashMap;

use super::{Need, Verifier};
use crate::ir::dialect::{ArenaOp, SliceOp, ViewOp};
use crate::ir::{Op, Value, is_arena};

impl Verifier<'_> {
    /// Checks that a callee is passed an arena that is as large and as aligned as it needs.
    pub(super) fn check_call(&mut self, op: Op, needs: &HashMap<String, Need>) {
        let callee = op.attribute("callee");
        let callee = callee.as_ref().and_then(crate::ir::Attribute::symbol);
        let Some(need) = callee.and_then(|name| needs.get(name)).copied() else {
            return;
        };
        let arenas: Vec<Value> = op.operands().filter(|v| is_arena(v.ty())).collect();
        let [handed] = arenas[..] else { return };
        let callee = callee.unwrap_or_default();
        // The callee may write anywhere in the arena that it is passed, so nothing else may be in
        // an arena that it is passed as a whole.
        let is_slice = handed.owner().and_then(SliceOp::of).is_some();
        let mut others = handed.users().into_iter();
        let other = others.find(|user| user.name() != op.name());
        if let Some(other) = other.filter(|_| !is_slice) {
            let place = ViewOp::of(other).and_then(ViewOp::name);
            let place = place.unwrap_or_else(|| other.name().to_owned());
            let text = format!("@{callee} is handed all of an arena that '{place}' is in");
            return self.error(op, text);
        }
        let Some(address) = self.address(handed) else {
            return self.error(
                op,
                format!("the arena passed to @{callee} cannot be determined"),
            );
        };
        let size = handed.owner().and_then(|op| self.arena_size(op));
        if let Some(size) = size.filter(|size| *size < need.size) {
            let text = format!("@{callee} needs {} bytes, and is handed {size}", need.size);
            self.error(op, text);
        }
        let alignment = need.alignment.max(1);
        let own = address.arena.owner().and_then(ArenaOp::of);
        let own = own.map(|arena| arena.alignment().unwrap_or(1));
        if !address.offset.is_multiple_of(alignment) || own.is_some_and(|own| own < alignment) {
            let text = format!(
                "@{callee} needs an alignment of {alignment}, which offset {} does not have",
                address.offset
            );
            self.error(op, text);
        }
        if own.is_none() {
            let of_call = self.need.get_or_insert_with(Need::default);
            of_call.alignment = of_call.alignment.max(alignment);
        }
    }

    /// Checks that the arena that a function states for its callers is what it needs.
    pub(super) fn check_argument(&mut self) {
        let stated = || {
            let attributes = self.function.attribute("arg_attrs")?.elements()?;
            attributes.last()?.entry("mem.arena")
        };
        let (Some(stated), Some(need)) = (stated(), self.need) else {
            return;
        };
        let number = |name| stated.entry(name).and_then(|a| a.integer()).unwrap_or(0);
        let (size, alignment) = (number("size") as u64, number("alignment") as u64);
        if size < need.size || alignment < need.alignment {
            let text = format!(
                "states an arena of {size} bytes aligned to {alignment}, and needs {} aligned to {}",
                need.size, need.alignment
            );
            self.error(self.function, text);
        }
    }
}
