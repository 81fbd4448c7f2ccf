//! Kernels of the `gpu` dialect: what a launch does with the storage that it is given.
//!
//! Upstream's `gpu.launch_func` implements no effect interface, so without a look at its kernel, every
//! buffer that it is given would be one that an unknown operation may keep. The kernel is usually in the
//! same module, where every operation in its body states its effects. [`Kernels::describe`] therefore
//! describes a launch by the body of its kernel:
//!
//! * The threads of a launch run concurrently, any number of times. Accesses of an operand are those of
//!   any thread, to any of its elements, in any order: no thread is known to write all elements.
//! * A kernel is *understood* if all of its operations access its arguments directly, or through views of
//!   their elements, and keep no address. Launches of any other kernel keep their unknown effects.
//! * A launch blocks the host until the kernel has completed, unless it returns a token or has been given
//!   a stream. With a token it is an asynchronous operation like any other one; a launch on a stream has
//!   unknown effects, since nothing in the program waits for it.
//!
//! Each activation has its own workgroup and thread storage, so accesses to that storage are not effects of the
//! launch.

use mlir_sys::{mlirSymbolRefAttrGetLeafReference, mlirSymbolRefAttrGetNumNestedReferences};
use rustc_hash::FxHashMap as HashMap;

use super::build::SEGMENTS;
use super::handles::{Attribute, Op, Value, text};
use super::interfaces::{Effect, EffectKind, Facts, VIEWS_OF_ELEMENTS, describe};
use super::types::is_storage;

/// The launch of a kernel that is a function.
pub(crate) const LAUNCH: &str = "gpu.launch_func";

/// Operations without an effect interface that access no storage: they synchronize, or exchange values
/// between threads.
const WITHOUT_ACCESS: [&str; 5] = [
    "gpu.all_reduce",
    "gpu.barrier",
    "gpu.shuffle",
    "gpu.subgroup_reduce",
    "gpu.wait",
];

/// Compute a number from the shape of their operand.
const SHAPE_OF: [&str; 2] = ["memref.dim", "memref.rank"];

/// Position of the kernel's operands among the operand segments of a launch; the stream follows.
const KERNEL_OPERANDS: usize = 11;

/// How code accesses storage from outside of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Touched {
    pub reads: bool,
    pub writes: bool,
}

/// A kernel of a module.
pub(crate) struct Kernel {
    /// The `gpu.func`.
    pub op: Op,
    /// Indexed by argument. `None` if the kernel is not understood.
    touched: Option<Vec<Touched>>,
}

/// The kernels of a module.
#[derive(Default)]
pub(crate) struct Kernels {
    /// By the names of the `gpu.module` and the `gpu.func`.
    kernels: HashMap<(String, String), Kernel>,
}

impl Kernels {
    /// Looks at all kernels in the `gpu.module`s of a module. Linear in their operations.
    pub(crate) fn new(module: Op) -> Self {
        let mut kernels = HashMap::default();
        for device in module.direct_ops().filter(|op| op.name() == "gpu.module") {
            let functions = device.direct_ops().filter(|op| op.name() == "gpu.func");
            for op in functions {
                let Some(names) = device.symbol().zip(op.symbol()) else {
                    continue;
                };
                let touched = touched_by_function(op);
                kernels.insert(names, Kernel { op, touched });
            }
        }
        Self { kernels }
    }

    /// The kernel of a launch, if it is in the module.
    pub(crate) fn launched(&self, op: Op) -> Option<&Kernel> {
        if self.kernels.is_empty() || op.name() != LAUNCH {
            return None;
        }
        self.kernels.get(&names(op.attribute("kernel")?)?)
    }

    /// As [`describe`]. Launches of understood kernels have the effects of the kernel on its operands.
    pub(crate) fn describe(&self, op: Op) -> Facts {
        let mut facts = describe_device(op);
        if facts.has_unknown_effects() {
            let touched = self.launched(op).and_then(|own| own.touched.as_ref());
            if let Some(effects) = touched.and_then(|touched| effects(op, touched)) {
                facts.replace_effects(effects);
            }
        }
        facts
    }
}

/// As [`describe`]. Operations that synchronize have no effects on memory.
fn describe_device(op: Op) -> Facts {
    let mut facts = describe(op);
    if facts.has_unknown_effects() && WITHOUT_ACCESS.contains(&op.name()) {
        facts.replace_effects(Vec::new());
    }
    facts
}

/// The names of the module and the function of a kernel.
fn names(kernel: Attribute) -> Option<(String, String)> {
    let module = kernel.symbol()?.to_owned();
    let is_nested = c!(mlirSymbolRefAttrGetNumNestedReferences(kernel.0)) == 1;
    let function = is_nested.then(|| c!(mlirSymbolRefAttrGetLeafReference(kernel.0)))?;
    Some((module, text(function, &kernel).to_owned()))
}

/// The effects of a launch. `None` if it runs on a stream.
fn effects(launch: Op, touched: &[Touched]) -> Option<Vec<Effect>> {
    let segments = launch.attribute(SEGMENTS)?.small_integers()?;
    let (n, stream) = (*segments.get(KERNEL_OPERANDS)?, *segments.last()?);
    let before: i32 = segments[..KERNEL_OPERANDS].iter().sum();
    if stream != 0 || usize::try_from(n).ok()? > touched.len() {
        return None;
    }
    let operands = launch.operands().skip(usize::try_from(before).ok()?);
    let mut effects = Vec::new();
    for (value, touched) in operands.zip(touched).filter(|(v, _)| is_storage(v.ty())) {
        let mut add = |kind| {
            let full = false;
            effects.push(Effect { value, kind, full });
        };
        // An operand without an effect would be taken for one that may be stored.
        if touched.reads || !touched.writes {
            add(EffectKind::Read);
        }
        if touched.writes {
            add(EffectKind::Write);
        }
    }
    Some(effects)
}

fn touched_by_function(function: Op) -> Option<Vec<Touched>> {
    let inputs = function
        .attribute("function_type")
        .and_then(Attribute::type_value)?;
    let n_inputs = inputs.inputs().len();
    let entry = function.regions().next()?.first_block()?;
    // The arguments after those of the function are storage of the workgroup and of the thread.
    let all: Vec<Value> = entry.arguments().collect();
    let (arguments, own) = all.split_at_checked(n_inputs)?;
    touched_by(function, arguments, own)
}

/// What the operations in the regions of `code` do with `outer`, storage that exists outside of it, indexed
/// like `outer`. `own`: storage of `code` itself. `None` if an operation may access other storage, or may
/// keep an address.
pub(crate) fn touched_by(code: Op, outer: &[Value], own: &[Value]) -> Option<Vec<Touched>> {
    let mut body = Body {
        origins: HashMap::default(),
        touched: vec![Touched::default(); outer.len()],
    };
    let storage = outer.iter().enumerate().filter(|(_, v)| is_storage(v.ty()));
    body.origins
        .extend(storage.map(|(index, v)| (*v, Some(index))));
    body.origins.extend(own.iter().map(|v| (*v, None)));
    let mut is_understood = true;
    code.walk(&mut |op| is_understood &= op == code || body.add(op).is_some());
    is_understood.then_some(body.touched)
}

/// Code that is being looked at.
struct Body {
    /// The storage that a value denotes elements of: its index among that from outside, or `None` for
    /// the code's own.
    origins: HashMap<Value, Option<usize>>,
    touched: Vec<Touched>,
}

impl Body {
    /// Adds the effects of an operation. `None` if they are not known.
    fn add(&mut self, op: Op) -> Option<()> {
        let facts = describe_device(op);
        if matches!(op.name(), "memref.alloca" | "memref.alloc") {
            self.origins.insert(op.result(), None);
            return Some(());
        }
        if !facts.has_pointer_operand() {
            return (!facts.has_unknown_effects()).then_some(());
        }
        if let Some(source) = facts.view_source {
            let origin = *self.origins.get(&source)?;
            self.origins.insert(op.result(), origin);
            return VIEWS_OF_ELEMENTS.contains(&op.name()).then_some(());
        }
        let hides = facts.has_pointer_result() || facts.has_opaque_result();
        let is_shape = SHAPE_OF.contains(&op.name());
        if hides || facts.has_unknown_effects() && !is_shape {
            return None;
        }
        // An operand without an effect may be one whose address is stored or made a number.
        let has_effect = |v: &Value| facts.effects.iter().any(|own| own.value == *v);
        let mut storage = op.operands().filter(|v| is_storage(v.ty()));
        if !is_shape && !facts.is_structured() && !storage.all(|v| has_effect(&v)) {
            return None;
        }
        for effect in &facts.effects {
            let Some(index) = *self.origins.get(&effect.value)? else {
                continue;
            };
            match effect.kind {
                EffectKind::Read => self.touched[index].reads = true,
                EffectKind::Write => self.touched[index].writes = true,
                EffectKind::Allocate | EffectKind::Free => return None,
            }
        }
        Some(())
    }
}
