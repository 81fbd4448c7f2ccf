//! Constant folding of loads: elements of constant globals.

use rustc_hash::FxHashMap as HashMap;

use crate::ir::view_source;
use crate::ir::{Attribute, Builder, Op, Value, chain};

/// The initial values of a module's constant globals, by name.
pub(crate) struct Constants(HashMap<String, Attribute>);

impl Constants {
    /// Linear in the number of top-level operations.
    pub(crate) fn new(module: Op) -> Self {
        let globals = (module.direct_ops()).filter(|op| op.name() == "memref.global");
        let content = |op: Op| {
            op.attribute("constant")?;
            Some((op.symbol()?, op.attribute("initial_value")?))
        };
        Self(globals.filter_map(content).collect())
    }

    /// Materializes the constant that `load` yields before the load; `None` if the loaded value is
    /// not a known constant.
    pub(crate) fn loaded(&self, load: Op) -> Option<Value> {
        let memref = load.operand(0);
        let root = chain(memref, |value| view_source(value.owner()?)).last()?;
        let global = root.owner()?;
        if global.name() != "memref.get_global" {
            return None;
        }
        let content = self.0.get(global.attribute("name")?.symbol()?)?;
        let element = content.splat().or_else(|| {
            // The indices of a view do not index the global itself.
            let indices = load.operands().skip(1).map(Value::constant);
            let indices: Option<Vec<i64>> = indices.collect();
            indices
                .filter(|_| memref == global.result())
                .and_then(|at| content.element(&at))
        });
        let ty = load.result().ty();
        let element = element.filter(|element| element.ty() == Some(ty))?;
        let constant = Builder::new("arith.constant", load.location()).result(ty);
        Some(constant.attribute("value", element).before(load).result())
    }
}
