//! Values that loads have in every execution: elements of constant globals.

use std::collections::HashMap;

use crate::extract::view_source;
use crate::mlir::{Attribute, Builder, Op, Value, chain};

/// The constant globals of a module, by name, with their content.
pub(crate) struct Constants(HashMap<String, Attribute>);

impl Constants {
    /// O(operations at the top of the module).
    pub(crate) fn new(module: Op) -> Self {
        let globals = (module.direct_ops()).filter(|op| op.name() == "memref.global");
        let content = |op: Op| {
            op.attribute("constant")?;
            Some((op.symbol()?, op.attribute("initial_value")?))
        };
        Self(globals.filter_map(content).collect())
    }

    /// The value that `load` has, made before it; `None` if it is none or not known.
    pub(crate) fn loaded(&self, load: Op) -> Option<Value> {
        let memref = load.operand(0);
        let root = chain(memref, |value| view_source(value.owner()?)).last()?;
        let global = root.owner()?;
        if global.name() != "memref.get_global" {
            return None;
        }
        let content = self.0.get(global.attribute("name")?.symbol()?)?;
        let element = content.splat().or_else(|| {
            // Behind a view an index means something else.
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
