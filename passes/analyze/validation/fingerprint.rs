//! Fingerprints of operations: name, attributes, types and regions, but not where operands are
//! stored.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::fmt::Write as _;

use mem_equivalence::program::Fingerprint;

use super::translate::Names;
use crate::ir::rewrite::find_unused;
use crate::ir::tensors::NOTES;
use crate::ir::{Attribute, Block, Op, Type, Value, element_type, is_storage, memref_layout};

/// What the regions of an operation use.
#[derive(Default)]
pub(super) struct Inside {
    /// Values from outside.
    pub captured: Vec<Value>,
    /// Operations to ignore: their results are unused. The optimizations erase them, and they do not affect what the
    /// operation computes.
    unused: HashSet<Op>,
}

impl Inside {
    /// Whether a value is used by operations that are not ignored.
    pub(super) fn uses(&self, value: Value) -> bool {
        value.each_user().any(|user| !self.unused.contains(&user))
    }
}

impl Names {
    /// The number of a text: equal texts have equal numbers.
    pub(super) fn number(&mut self, text: String) -> Fingerprint {
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        Fingerprint(*self.numbers.entry(text).or_insert(next))
    }

    /// The fingerprint of a message that an operation sends or receives, whatever its results are.
    /// `kind`: name of the message.
    pub(super) fn message(&mut self, op: Op, kind: &str) -> Fingerprint {
        let mut text = format!("message {kind}");
        self.inputs(op, &mut text);
        self.number(text)
    }

    /// The fingerprint of what an operation does with its operands. `inside`: set to what its regions use.
    pub(super) fn fingerprint(&mut self, op: Op, inside: &mut Inside) -> Fingerprint {
        let mut text = String::new();
        self.head(op, &mut text);
        if op.regions().next().is_some() {
            inside.unused = find_unused(op).into_iter().collect();
            let mut inner = Inner {
                names: self,
                text,
                numbers: HashMap::default(),
                blocks: HashMap::default(),
                inside,
            };
            inner.regions(op);
            text = inner.text;
        }
        self.number(text)
    }

    /// Appends the name, attributes and types of an operation.
    fn head(&mut self, op: Op, text: &mut String) {
        text.push_str(op.name());
        self.inputs(op, text);
        for ty in op.results().map(Value::ty) {
            text.push_str(" >");
            self.ty(ty, text);
        }
    }

    /// Appends the attributes and the types of the operands.
    fn inputs(&mut self, op: Op, text: &mut String) {
        for (name, attribute) in op.attributes() {
            if !NOTES.contains(&name) {
                text.push(' ');
                text.push_str(name);
                text.push('=');
                // Attributes are uniqued in their context, so their addresses identify them.
                push_number(attribute.0.ptr as usize, text);
            }
        }
        for ty in op.operands().map(Value::ty) {
            text.push_str(" <");
            self.ty(ty, text);
        }
    }

    /// Appends the number of a type: types with equal texts have equal numbers.
    fn ty(&mut self, ty: Type, text: &mut String) {
        let address = ty.0.ptr as usize;
        let number = self.types.get(&address).copied().unwrap_or_else(|| {
            let mut own = String::from("type ");
            of_type(ty, &mut own);
            let number = self.number(own).0;
            self.types.insert(address, number);
            number
        });
        push_number(number as usize, text);
    }
}

/// Appends a number, in hexadecimal.
fn push_number(mut number: usize, text: &mut String) {
    loop {
        text.push(char::from(b"0123456789abcdef"[number % 16]));
        number /= 16;
        if number == 0 {
            return;
        }
    }
}

/// Appends a type. Storage is represented by its elements, because strides and memory spaces only
/// state where it is.
fn of_type(ty: Type, text: &mut String) {
    match memref_layout(ty).zip(element_type(ty)) {
        Some((layout, element)) => {
            let _ = write!(text, "{:?} {:p}", layout.shape, element.0.ptr);
        }
        None if is_storage(ty) => text.push_str("bytes"),
        None => {
            let _ = write!(text, "{:p}", ty.0.ptr);
        }
    }
}

/// The shape and element type of a global, wherever it is stored.
pub(super) fn elements(global: Op) -> String {
    let mut text = String::new();
    if let Some(ty) = global.attribute("type").and_then(Attribute::type_value) {
        of_type(ty, &mut text);
    }
    text
}

/// The regions of an operation, with values and blocks replaced by numbers.
struct Inner<'a> {
    names: &'a mut Names,
    text: String,
    numbers: HashMap<Value, usize>,
    blocks: HashMap<Block, usize>,
    inside: &'a mut Inside,
}

impl Inner<'_> {
    fn regions(&mut self, op: Op) {
        for region in op.regions() {
            self.text.push_str(" {");
            for block in region.blocks() {
                let next = self.blocks.len();
                self.blocks.insert(block, next);
                for argument in block.arguments() {
                    self.define(argument);
                    self.names.ty(argument.ty(), &mut self.text);
                }
            }
            for block in region.blocks() {
                self.text.push_str(" ^");
                for nested in block.ops() {
                    if !self.inside.unused.contains(&nested) {
                        self.operation(nested);
                    }
                }
            }
            self.text.push('}');
        }
    }

    fn operation(&mut self, op: Op) {
        self.text.push('\n');
        self.names.head(op, &mut self.text);
        for operand in op.operands() {
            let number = self.numbers.get(&operand).copied();
            match number {
                Some(number) => self.push(" %", number),
                None => {
                    let captured = &mut self.inside.captured;
                    let known = captured.iter().position(|own| *own == operand);
                    let number = known.unwrap_or_else(|| {
                        captured.push(operand);
                        captured.len() - 1
                    });
                    self.push(" @", number);
                }
            }
        }
        for target in op.successors() {
            let number = self.blocks.get(&target).copied().unwrap_or(usize::MAX);
            self.push(" ^", number);
        }
        op.results().for_each(|result| self.define(result));
        if op.regions().next().is_some() {
            self.regions(op);
        }
    }

    fn push(&mut self, kind: &str, number: usize) {
        self.text.push_str(kind);
        push_number(number, &mut self.text);
    }

    fn define(&mut self, value: Value) {
        let next = self.numbers.len();
        self.numbers.insert(value, next);
    }
}
