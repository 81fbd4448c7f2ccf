//! Inputs and outputs in NumPy's file format (`.npy`).
//!
//! An input must have the element type and the shape of its argument; a dimension that is known only
//! at run time takes its size from the file. Files in Fortran's order are read as well, because
//! NumPy writes them for transposed arrays. Outputs are always in C's order.
//!
//! NumPy has no bfloat16: such elements are two raw bytes (`V2`), as `ml_dtypes` writes them.

use std::fmt;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use npyz::{DType, Endianness, NpyHeader, Order, TypeChar};

use super::RunError;
use super::execute::Execution;
use super::signature::{Argument, Element, Signature};

/// A file for the value of an argument: `FILE`, or `N=FILE` for argument number `N`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayFile {
    /// The number of the argument; `None`: the next one in order.
    pub argument: Option<usize>,
    /// The file.
    pub file: PathBuf,
}

/// The reason why a text is not an [`ArrayFile`].
#[derive(Debug, thiserror::Error)]
pub enum ArrayFileError {
    /// There has to be a file.
    #[error("expected FILE, or N=FILE for argument N")]
    NoFile,
    /// Arguments are counted from 0, and no function has that many.
    #[error("'{0}' is not the number of an argument")]
    Number(String),
}

impl FromStr for ArrayFile {
    type Err = ArrayFileError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbered = text.split_once('=').filter(|(number, _)| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        let (number, file) = numbered.map_or((None, text), |(number, file)| (Some(number), file));
        if file.is_empty() {
            return Err(ArrayFileError::NoFile);
        }
        let parse = |number: &str| {
            let parsed = number.parse();
            parsed.map_err(|_| ArrayFileError::Number(number.to_owned()))
        };
        Ok(Self {
            argument: number.map(parse).transpose()?,
            file: PathBuf::from(file),
        })
    }
}

/// A shape as NumPy prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape(pub Vec<u64>);

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dimensions: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        let comma = if dimensions.len() == 1 { "," } else { "" };
        write!(f, "({}{comma})", dimensions.join(", "))
    }
}

/// The reason why a file cannot be an input or an output.
#[derive(Debug, thiserror::Error)]
pub enum ArrayError {
    /// The file cannot be read or written, or has no valid header.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The elements are not those of the argument.
    #[error("its elements are {found}, but {name} is {ty}: expected {expected}")]
    Element {
        /// NumPy's name of the type in the file.
        found: String,
        /// The argument.
        name: String,
        /// The type of the argument.
        ty: String,
        /// NumPy's names of the types that are accepted.
        expected: String,
    },
    /// The shape is not that of the argument.
    #[error("its shape is {found}, but {name} is {ty}")]
    Shape {
        /// The shape in the file.
        found: Shape,
        /// The argument.
        name: String,
        /// The type of the argument.
        ty: String,
    },
    /// The file ends early, or goes on.
    #[error("it has {found} bytes of elements, but its shape {shape} has {expected}")]
    Length {
        /// Bytes after the header.
        found: usize,
        /// Bytes that the header announces.
        expected: u128,
        /// The shape in the header.
        shape: Shape,
    },
    /// There is no such argument.
    #[error("there is no argument {number}: the function has {n_arguments}")]
    NoArgument {
        /// The requested number.
        number: usize,
        /// Number of arguments of the function.
        n_arguments: usize,
    },
    /// An argument has one value.
    #[error("argument {0} has a value from another file already")]
    Twice(usize),
    /// Files without a number are the inputs in order.
    #[error("there are only {0} inputs: the other arguments are results")]
    TooManyInputs(usize),
    /// Files without a number are the results in order.
    #[error(
        "there are only {0} results: returned numbers and arguments marked bufferize.result; \
         N=FILE writes argument N"
    )]
    TooManyOutputs(usize),
    /// A number that is passed by value cannot change.
    #[error("argument {0} is a number, which the function cannot change")]
    Number(usize),
}

fn refuse(file: &Path) -> impl FnOnce(ArrayError) -> RunError {
    let file = file.to_owned();
    move |why| RunError::Array { file, why }
}

/// NumPy's names of the types with the same bytes as an element, the one that is written first.
fn type_names(element: Element) -> &'static [&'static str] {
    match element {
        Element::F16 => &["<f2"],
        Element::Bf16 => &["|V2", "<V2", "<u2"],
        Element::F32 => &["<f4"],
        Element::F64 => &["<f8"],
        Element::Integer(1) => &["|b1"],
        Element::Integer(8) => &["|i1", "|u1"],
        Element::Integer(16) => &["<i2", "<u2"],
        Element::Integer(32) => &["<i4", "<u4"],
        Element::Integer(_) | Element::Index => &["<i8", "<u8"],
    }
}

/// NumPy's name of the type of the elements. `=` and `|` differ only in who wrote the file.
fn type_name(ty: &DType) -> String {
    let DType::Plain(plain) = ty else {
        return ty.descr();
    };
    let one_byte = plain.size_field() == 1 || plain.type_char() == TypeChar::Bool;
    let order = match plain.endianness() {
        Endianness::Little if one_byte => "|",
        Endianness::Big if one_byte => "|",
        other => other.to_str(),
    };
    format!(
        "{order}{}{}",
        plain.type_char().to_str(),
        plain.size_field()
    )
}

/// Assigns the values in `files` to the arguments. Returns the size of the first dimension that is
/// known only at run time, if a file has one.
pub(super) fn read_inputs(
    signature: &mut Signature,
    files: &[ArrayFile],
) -> Result<Option<usize>, RunError> {
    let n_arguments = signature.arguments.len();
    let inputs = signature.arguments.iter().enumerate();
    let inputs = inputs.filter(|(_, a)| !a.is_result).map(|(i, _)| i);
    let inputs: Vec<usize> = inputs.collect();
    let mut in_order = inputs.iter().copied();
    let mut run_time_size = None;
    for ArrayFile { argument, file } in files {
        let next = || {
            in_order
                .next()
                .ok_or(ArrayError::TooManyInputs(inputs.len()))
        };
        let number = argument.map_or_else(next, Ok).map_err(refuse(file))?;
        let missing = ArrayError::NoArgument {
            number,
            n_arguments,
        };
        let argument = signature.arguments.get_mut(number);
        let argument = argument.ok_or(missing).map_err(refuse(file))?;
        if argument.value.is_some() {
            return Err(refuse(file)(ArrayError::Twice(number)));
        }
        let name = format!("argument {number}");
        let found = read_array(argument, &name, file).map_err(refuse(file))?;
        run_time_size = run_time_size.or(found);
    }
    Ok(run_time_size)
}

/// Reads the value of an argument. Returns the size of its first dimension that is known only at run
/// time.
fn read_array(
    argument: &mut Argument,
    name: &str,
    file: &Path,
) -> Result<Option<usize>, ArrayError> {
    let mut reader = io::BufReader::new(std::fs::File::open(file)?);
    let header = NpyHeader::from_reader(&mut reader)?;
    let accepted = type_names(argument.element);
    let found = type_name(&header.dtype());
    if !accepted.contains(&&*found) {
        return Err(ArrayError::Element {
            found,
            name: name.to_owned(),
            ty: argument.ty.clone(),
            expected: accepted.join(" or "),
        });
    }
    let shape = Shape(header.shape().to_vec());
    let Some(dimensions) = matching(argument, &shape) else {
        return Err(ArrayError::Shape {
            found: shape,
            name: name.to_owned(),
            ty: argument.ty.clone(),
        });
    };
    // Not by the header's own product, which may overflow.
    let size = argument.element.size();
    let product = |n: u128, d: &u64| n.saturating_mul(u128::from(*d));
    let expected = shape.0.iter().fold(size as u128, product);
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    if bytes.len() as u128 != expected {
        return Err(ArrayError::Length {
            found: bytes.len(),
            expected,
            shape,
        });
    }
    if header.order() == Order::Fortran {
        bytes = in_c_order(&bytes, &dimensions, size);
    }
    let run_time_size = argument.run_time.first().map(|d| dimensions[*d]);
    if argument.shape.is_some() {
        argument.shape = Some(dimensions);
    }
    argument.value = Some(Arc::from(bytes));
    Ok(run_time_size)
}

/// A file with a part of the value of an argument.
pub(super) fn contents(argument: &Argument, shape: &[usize], bytes: &[u8]) -> Vec<u8> {
    let mut contents = header(&part(argument, shape));
    contents.extend_from_slice(bytes);
    contents
}

/// Reads a file with a part of the value of an argument.
pub(super) fn read_part(
    argument: &Argument,
    shape: &[usize],
    file: &Path,
) -> Result<Vec<u8>, RunError> {
    let mut part = part(argument, shape);
    read_array(&mut part, "a part", file).map_err(refuse(file))?;
    Ok(part.value.as_deref().unwrap_or_default().to_vec())
}

fn part(argument: &Argument, shape: &[usize]) -> Argument {
    Argument {
        shape: Some(shape.to_vec()),
        run_time: Vec::new(),
        value: None,
        ..argument.clone()
    }
}

/// The dimensions of `shape` if they fit the type of the argument.
fn matching(argument: &Argument, shape: &Shape) -> Option<Vec<usize>> {
    let own = argument.shape.as_deref().unwrap_or_default();
    let found = shape.0.iter().map(|n| usize::try_from(*n).ok());
    let found: Vec<usize> = found.collect::<Option<_>>()?;
    let fits = |i: usize| own[i] == found[i] || argument.run_time.contains(&i);
    (own.len() == found.len() && (0..own.len()).all(fits)).then_some(found)
}

/// Moves elements of `size` bytes from Fortran's order, where the first index varies fastest, to
/// C's.
fn in_c_order(bytes: &[u8], dimensions: &[usize], size: usize) -> Vec<u8> {
    let mut strides = vec![1; dimensions.len()];
    for i in 1..dimensions.len() {
        strides[i] = strides[i - 1] * dimensions[i - 1];
    }
    let mut index = vec![0; dimensions.len()];
    let mut out = Vec::with_capacity(bytes.len());
    while out.len() < bytes.len() {
        let element: usize = index.iter().zip(&strides).map(|(i, s)| i * s).sum();
        out.extend_from_slice(&bytes[element * size..(element + 1) * size]);
        for (i, n) in index.iter_mut().zip(dimensions).rev() {
            *i += 1;
            if *i < *n {
                break;
            }
            *i = 0;
        }
    }
    out
}

/// A value that a function computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    Argument(usize),
    Result(usize),
}

/// The values to write, one for each file. Checked before the run, which may take long.
pub(super) struct Outputs<'a>(Vec<(Output, &'a Path)>);

impl<'a> Outputs<'a> {
    pub(super) fn new(signature: &Signature, files: &'a [ArrayFile]) -> Result<Self, RunError> {
        let arguments = signature.arguments.iter().enumerate();
        let arguments = arguments.filter(|(_, a)| a.is_result);
        let mut all: Vec<Output> = arguments.map(|(i, _)| Output::Argument(i)).collect();
        all.extend((0..signature.results.len()).map(Output::Result));
        let mut in_order = all.iter().copied();
        let n_arguments = signature.arguments.len();
        let mut outputs = Vec::new();
        for ArrayFile { argument, file } in files {
            let output = match *argument {
                None => in_order.next().ok_or(ArrayError::TooManyOutputs(all.len())),
                Some(number) => match signature.arguments.get(number) {
                    None => Err(ArrayError::NoArgument {
                        number,
                        n_arguments,
                    }),
                    Some(Argument { shape: None, .. }) => Err(ArrayError::Number(number)),
                    Some(_) => Ok(Output::Argument(number)),
                },
            };
            outputs.push((output.map_err(refuse(file))?, &**file));
        }
        Ok(Self(outputs))
    }

    /// Writes the values that `execution` left.
    pub(super) fn write(
        &self,
        signature: &Signature,
        execution: &Execution,
    ) -> Result<(), RunError> {
        for (output, file) in &self.0 {
            let (argument, bytes) = match *output {
                Output::Argument(i) => {
                    let block = execution.arguments[i].as_ref();
                    (
                        &signature.arguments[i],
                        block.map_or(&[][..], |block| block.bytes()),
                    )
                }
                Output::Result(i) => (&signature.results[i], &*execution.results[i]),
            };
            let mut contents = header(argument);
            contents.extend_from_slice(bytes);
            std::fs::write(file, contents).map_err(|error| refuse(file)(error.into()))?;
        }
        Ok(())
    }
}

/// The header of a file with the value of an argument, in version 1.0 of the format.
fn header(argument: &Argument) -> Vec<u8> {
    /// The magic string, the version and the length of the rest.
    const FIXED: usize = 10;
    /// The elements start at a multiple of this.
    const ALIGNMENT: usize = 64;
    let shape = argument.shape.as_deref().unwrap_or_default();
    let shape = Shape(shape.iter().map(|n| *n as u64).collect());
    let name = type_names(argument.element)[0];
    let mut text = format!("{{'descr': '{name}', 'fortran_order': False, 'shape': {shape}, }}");
    let length = (FIXED + text.len() + 1).next_multiple_of(ALIGNMENT) - FIXED;
    text.extend(std::iter::repeat_n(' ', length - text.len() - 1));
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    // A type with so many dimensions that its header is longer has more elements than fit memory.
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.into_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argument(element: Element, shape: &[usize], run_time: &[usize]) -> Argument {
        Argument {
            element,
            shape: Some(shape.to_vec()),
            run_time: run_time.to_vec(),
            ty: "memref<T>".to_owned(),
            is_result: false,
            value: None,
            table: None,
        }
    }

    /// Reads what `header` and `bytes` make.
    fn read(argument: &mut Argument, contents: &[u8]) -> Result<Option<usize>, ArrayError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), contents).unwrap();
        read_array(argument, "argument 3", file.path())
    }

    fn contents(element: Element, shape: &[usize], bytes: &[u8]) -> Vec<u8> {
        let mut contents = header(&argument(element, shape, &[]));
        assert_eq!(contents.len() % 64, 0);
        contents.extend_from_slice(bytes);
        contents
    }

    #[test]
    fn every_type_is_read_as_it_was_written() {
        let integers = [1, 8, 16, 32, 64].map(Element::Integer);
        let floats = [Element::F16, Element::Bf16, Element::F32, Element::F64];
        for element in integers.into_iter().chain(floats).chain([Element::Index]) {
            for shape in [&[][..], &[0], &[3], &[2, 3, 1]] {
                let n = shape.iter().product::<usize>() * element.size();
                let bytes: Vec<u8> = (0..n).map(|i| i as u8 & 1).collect();
                let mut own = argument(element, shape, &[]);
                let read = read(&mut own, &contents(element, shape, &bytes));
                assert_eq!(read.unwrap(), None, "{element:?} {shape:?}");
                assert_eq!(own.value.as_deref(), Some(&*bytes));
            }
        }
    }

    #[test]
    fn sizes_known_at_run_time_are_those_of_the_file() {
        let mut own = argument(Element::Integer(8), &[2, 3], &[0]);
        let found = read(&mut own, &contents(Element::Integer(8), &[4, 3], &[7; 12]));
        assert_eq!((found.unwrap(), own.shape), (Some(4), Some(vec![4, 3])));
    }

    #[test]
    fn files_that_do_not_fit_are_refused() {
        let file = contents(Element::F32, &[2], &[0; 8]);
        let refused = |element, shape: &[usize], file: &[u8]| {
            let error = read(&mut argument(element, shape, &[]), file);
            error.unwrap_err().to_string()
        };
        assert_eq!(
            refused(Element::F64, &[2], &file),
            "its elements are <f4, but argument 3 is memref<T>: expected <f8"
        );
        assert_eq!(
            refused(Element::F32, &[3], &file),
            "its shape is (2,), but argument 3 is memref<T>"
        );
        assert_eq!(
            refused(Element::F32, &[2], &file[..file.len() - 1]),
            "it has 7 bytes of elements, but its shape (2,) has 8"
        );
        refused(Element::F32, &[2], b"not an array");
        refused(Element::F32, &[2], b"");
    }

    #[test]
    fn fortran_order_is_turned_into_c_order() {
        // The 2 x 3 array 0 1 2 / 3 4 5, column by column.
        assert_eq!(
            in_c_order(&[0, 3, 1, 4, 2, 5], &[2, 3], 1),
            [0, 1, 2, 3, 4, 5]
        );
        assert_eq!(in_c_order(&[1, 2, 3, 4], &[2], 2), [1, 2, 3, 4]);
        assert!(in_c_order(&[], &[0, 2], 4).is_empty());
    }

    #[test]
    fn files_are_numbered_by_digits_before_an_equals_sign() {
        let parse = |text: &str| text.parse::<ArrayFile>().map(|a| (a.argument, a.file));
        assert_eq!(parse("3=a.npy").unwrap(), (Some(3), "a.npy".into()));
        assert_eq!(parse("a=3.npy").unwrap(), (None, "a=3.npy".into()));
        assert_eq!(parse("=a.npy").unwrap(), (None, "=a.npy".into()));
        assert!(parse("").is_err() && parse("3=").is_err());
        assert!(parse("99999999999999999999999=a").is_err());
    }
}
