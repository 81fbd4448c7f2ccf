//! The arguments and results of a function, determined from its type before lowering.

use std::fmt;
use std::sync::Arc;

use mem_opt::internals::{Op, Type, element_type, memref_layout};

use super::RunError;
use super::indices::smallest_table;

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    F16,
    Bf16,
    F32,
    F64,
    /// An integer with a width of 1, 8, 16, 32 or 64 bits.
    Integer(u8),
    Index,
}

impl Element {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "f16" => Self::F16,
            "bf16" => Self::Bf16,
            "f32" => Self::F32,
            "f64" => Self::F64,
            "i1" => Self::Integer(1),
            "i8" => Self::Integer(8),
            "i16" => Self::Integer(16),
            "i32" => Self::Integer(32),
            "i64" => Self::Integer(64),
            "index" => Self::Index,
            _ => return None,
        })
    }

    /// Size in memory, in bytes.
    pub(super) fn size(self) -> usize {
        match self {
            Self::F16 | Self::Bf16 => 2,
            Self::F32 => 4,
            Self::F64 | Self::Index => 8,
            Self::Integer(bits) => usize::from(bits).div_ceil(8),
        }
    }

    /// The bits in hexadecimal and, for f32 and f64, the value.
    pub(super) fn show(self, bytes: &[u8]) -> String {
        let mut word = [0; 8];
        word[..self.size()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(word);
        let hex = format!("{bits:#0width$x}", width = 2 + 2 * self.size());
        match self {
            Self::F32 => format!("{hex} ({})", f32::from_bits(bits as u32)),
            Self::F64 => format!("{hex} ({})", f64::from_bits(bits)),
            _ => hex,
        }
    }

    /// The value of a floating-point number; `None` for any other type.
    pub(super) fn number(self, bytes: &[u8]) -> Option<f64> {
        let mut word = [0; 8];
        word[..self.size()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(word);
        Some(match self {
            Self::F16 => f64::from(half(bits as u16)),
            Self::Bf16 => f64::from(f32::from_bits((bits as u32) << 16)),
            Self::F32 => f64::from(f32::from_bits(bits as u32)),
            Self::F64 => f64::from_bits(bits),
            Self::Integer(_) | Self::Index => return None,
        })
    }

    /// Whether the bytes are an infinite floating-point number or a NaN.
    pub(super) fn is_not_finite(self, bytes: &[u8]) -> bool {
        let exponent = |mask: u16| {
            let top = [bytes[bytes.len() - 2], bytes[bytes.len() - 1]];
            u16::from_le_bytes(top) & mask == mask
        };
        match self {
            Self::F16 => exponent(0x7C00),
            Self::Bf16 | Self::F32 => exponent(0x7F80),
            Self::F64 => exponent(0x7FF0),
            Self::Integer(_) | Self::Index => false,
        }
    }
}

/// The value of a number in half precision.
fn half(bits: u16) -> f32 {
    let (exponent, mantissa) = (bits >> 10 & 0x1F, f32::from(bits & 0x3FF));
    let size = match exponent {
        0 => mantissa * 2_f32.powi(-24),
        0x1F if mantissa == 0.0 => f32::INFINITY,
        0x1F => f32::NAN,
        _ => (1024.0 + mantissa) * 2_f32.powi(i32::from(exponent) - 25),
    };
    if bits & 0x8000 == 0 { size } else { -size }
}

/// An argument or a result.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub element: Element,
    /// `None` for a scalar. Dynamic dimensions have been given a size.
    pub shape: Option<Vec<usize>>,
    /// The positions of the dynamic dimensions.
    pub run_time: Vec<usize>,
    /// The type as printed in the IR.
    pub ty: String,
    /// Whether the argument is marked as a result of the function.
    pub is_result: bool,
    /// The bytes of the value; `None`: random numbers.
    pub value: Option<Arc<[u8]>>,
    /// Number of rows of the smallest table that integers of the argument index.
    pub table: Option<u64>,
}

impl Argument {
    fn scalar(element: Element, ty: String) -> Self {
        Self {
            element,
            shape: None,
            run_time: Vec::new(),
            ty,
            is_result: false,
            value: None,
            table: None,
        }
    }

    /// Gives the dynamic dimensions of an argument without a value the size `dim`.
    fn set_dynamic(&mut self, dim: usize) -> Result<(), Unsupported> {
        let Some(shape) = self.shape.as_mut().filter(|_| self.value.is_none()) else {
            return Ok(());
        };
        for position in &self.run_time {
            shape[*position] = dim;
        }
        check_size(self.element, shape)
    }

    pub(super) fn n_elements(&self) -> usize {
        self.shape.iter().flatten().product()
    }
}

/// A function's arguments and results.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub arguments: Vec<Argument>,
    /// Scalars only.
    pub results: Vec<Argument>,
}

/// Why a value cannot be passed to or returned from a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// It is neither a number nor a ranked memref.
    Kind,
    /// There are no random values for elements of this type.
    Element,
    /// The memref is not row-major and dense with offset 0.
    Layout,
    /// The memref is not in the default memory space.
    Space,
    /// Its size exceeds memory.
    Size,
    /// The function returns a memref; outputs must be arguments.
    Returned,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kind => "it is neither a number nor a ranked memref",
            Self::Element => "its elements are not f16, bf16, f32, f64, i1, i8, i16, i32, i64 or index",
            Self::Layout => "its layout is not the identity",
            Self::Space => "it is not in the default memory space",
            Self::Size => "it has more bytes than fit memory",
            Self::Returned => "only numbers can be returned; `buffer-results-to-out-params` turns memrefs into arguments",
        })
    }
}

/// The function with a body of this name, anywhere in the module.
pub(super) fn find_function(module: Op, name: &str) -> Result<Op, RunError> {
    let (mut found, mut others) = (None, Vec::new());
    module.walk(&mut |op| {
        if op.name() != "func.func" || op.regions().all(|r| r.first_block().is_none()) {
            return;
        }
        match op.symbol() {
            Some(symbol) if symbol == name => found = Some(op),
            symbol => others.extend(symbol),
        }
    });
    found.ok_or_else(|| RunError::NoFunction {
        name: name.to_owned(),
        others: others.join(", "),
    })
}

/// Marks arguments that upstream's `buffer-results-to-out-params` made of results.
const RESULT: &str = "bufferize.result";

/// Adds the number and the type to the reason why an argument is refused.
fn refuse(what: &'static str, number: usize, ty: String) -> impl FnOnce(Unsupported) -> RunError {
    move |why| RunError::Signature {
        what,
        number,
        ty,
        why,
    }
}

/// The signature of `function`. `dim` is the size of dynamic dimensions.
pub(super) fn signature(function: Op, dim: usize) -> Result<Signature, RunError> {
    let ty = function
        .attribute("function_type")
        .and_then(|a| a.type_value());
    let (inputs, results) = ty.map(|ty| (ty.inputs(), ty.outputs())).unwrap_or_default();
    let arguments = inputs
        .into_iter()
        .enumerate()
        .map(|(i, ty)| argument(ty, dim).map_err(refuse("argument", i, ty.to_string())));
    let mut arguments: Vec<Argument> = arguments.collect::<Result<_, _>>()?;
    let attributes = function.attribute("arg_attrs").and_then(|a| a.elements());
    for (argument, attributes) in arguments.iter_mut().zip(attributes.unwrap_or_default()) {
        argument.is_result = attributes.entry(RESULT).is_some();
    }
    let body = function.regions().next().and_then(|own| own.first_block());
    let values = body
        .into_iter()
        .flat_map(|own| own.arguments().collect::<Vec<_>>());
    for (argument, value) in arguments.iter_mut().zip(values) {
        if let Element::Integer(_) | Element::Index = argument.element {
            argument.table = smallest_table(value);
        }
    }
    let results = results
        .into_iter()
        .enumerate()
        .map(|(i, ty)| result(ty).map_err(refuse("result", i, ty.to_string())));
    Ok(Signature {
        arguments,
        results: results.collect::<Result<_, _>>()?,
    })
}

impl Signature {
    /// Gives the dynamic dimensions of all arguments without a value the size `dim`.
    pub(super) fn set_dynamic(&mut self, dim: usize) -> Result<(), RunError> {
        for (i, argument) in self.arguments.iter_mut().enumerate() {
            let ty = argument.ty.clone();
            argument
                .set_dynamic(dim)
                .map_err(refuse("argument", i, ty))?;
        }
        Ok(())
    }
}

fn result(ty: Type) -> Result<Argument, Unsupported> {
    let ty = ty.to_string();
    if ty.starts_with("memref<") {
        return Err(Unsupported::Returned);
    }
    let element = Element::parse(&ty).ok_or(Unsupported::Kind)?;
    Ok(Argument::scalar(element, ty))
}

fn argument(ty: Type, dim: usize) -> Result<Argument, Unsupported> {
    let name = ty.to_string();
    if let Some(element) = Element::parse(&name) {
        return Ok(Argument::scalar(element, name));
    }
    if !name.starts_with("memref<") || name.starts_with("memref<*") {
        return Err(Unsupported::Kind);
    }
    let element = element_type(ty).and_then(|element| Element::parse(&element.to_string()));
    let element = element.ok_or(Unsupported::Element)?;
    let layout = memref_layout(ty).ok_or(Unsupported::Layout)?;
    if !layout.identity {
        return Err(Unsupported::Layout);
    }
    if !layout.default_space {
        return Err(Unsupported::Space);
    }
    let size = |n: &Option<i64>| {
        n.map_or(Ok(dim), |n| {
            usize::try_from(n).map_err(|_| Unsupported::Size)
        })
    };
    let shape: Vec<usize> = layout.shape.iter().map(size).collect::<Result<_, _>>()?;
    check_size(element, &shape)?;
    let run_time = layout.shape.iter().enumerate();
    let run_time = run_time.filter(|(_, n)| n.is_none()).map(|(i, _)| i);
    Ok(Argument {
        run_time: run_time.collect(),
        shape: Some(shape),
        ..Argument::scalar(element, name)
    })
}

/// Refuses arguments that are larger than memory.
fn check_size(element: Element, shape: &[usize]) -> Result<(), Unsupported> {
    let bytes = shape
        .iter()
        .try_fold(element.size(), |n, d| n.checked_mul(*d));
    // Leave room for guard zones, and exclude sizes that exceed a signed integer.
    match bytes.is_none_or(|n| n > isize::MAX as usize / 2) {
        true => Err(Unsupported::Size),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinities_are_told_by_their_exponent() {
        assert!(Element::F32.is_not_finite(&f32::NAN.to_le_bytes()));
        assert!(Element::F64.is_not_finite(&f64::NEG_INFINITY.to_le_bytes()));
        assert!(Element::F16.is_not_finite(&0x7C01_u16.to_le_bytes()));
        assert!(!Element::F32.is_not_finite(&f32::MAX.to_le_bytes()));
        assert!(!Element::Integer(32).is_not_finite(&[255; 4]));
    }

    #[test]
    fn values_are_shown_by_their_bits() {
        assert_eq!(
            Element::F32.show(&1.5_f32.to_le_bytes()),
            "0x3fc00000 (1.5)"
        );
        assert_eq!(Element::Integer(1).show(&[1]), "0x01");
    }
}
