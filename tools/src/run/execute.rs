//! Executes a compiled function once: arguments in guarded memory, an instrumented heap, a timer.

use std::time::{Duration, Instant};

use super::block::{Block, Pattern};
use super::compile::interface_name;
use super::crash;
use super::engine::Engine;
use super::heap::{self, Fault, HeapUse};
use super::inputs;
use super::signature::{Argument, Element, Signature};
use super::{Options, RunError};

/// Alignment of arguments in bytes.
const ARGUMENT_ALIGNMENT: usize = 64;

/// Maximum size of a scalar in bytes.
const NUMBER: usize = 8;

/// The outcome of a run.
pub(super) struct Execution {
    /// `None` for a scalar, which a function cannot change.
    pub arguments: Vec<Option<Block>>,
    /// The bytes of every returned scalar.
    pub results: Vec<Vec<u8>>,
    pub time: Duration,
    /// CPU time of all threads of the process.
    pub cpu_time: Duration,
    pub heap: HeapUse,
    /// Statistics of the copy engines.
    pub copies: mem_runtime::Usage,
}

/// The arguments in the representation that compiled code reads.
struct Frame {
    blocks: Vec<Option<Block>>,
    /// Scalars, and addresses of descriptors.
    words: Vec<u64>,
    /// Memref descriptors: allocated pointer, aligned pointer, offset, sizes, strides.
    descriptors: Vec<Vec<usize>>,
}

impl Execution {
    /// Takes over the times of another run of the same program where they are shorter.
    pub(super) fn keep_shortest_times(&mut self, other: &Self) {
        self.time = self.time.min(other.time);
        self.cpu_time = self.cpu_time.min(other.cpu_time);
    }
}

impl Frame {
    fn new(signature: &Signature, options: &Options) -> Result<Self, RunError> {
        let n = signature.arguments.len();
        let mut frame = Self {
            blocks: Vec::with_capacity(n),
            words: vec![0; n],
            descriptors: Vec::with_capacity(n),
        };
        for (i, argument) in signature.arguments.iter().enumerate() {
            let size = argument.element.size();
            let fill = |bytes: &mut [u8]| {
                inputs::fill(argument, i, options.seed, options.scale, bytes);
            };
            let Some(shape) = &argument.shape else {
                let mut number = [0; NUMBER];
                fill(&mut number[..size]);
                frame.words[i] = u64::from_le_bytes(number);
                frame.blocks.push(None);
                frame.descriptors.push(Vec::new());
                continue;
            };
            let bytes = argument.n_elements() * size;
            let block = Block::new(bytes, ARGUMENT_ALIGNMENT, Pattern(0));
            let mut block = block.ok_or(RunError::NoMemory { number: i, bytes })?;
            fill(block.bytes_mut());
            let address = block.address() as usize;
            frame.descriptors.push(descriptor(address, shape));
            frame.blocks.push(Some(block));
        }
        Ok(frame)
    }

    /// The pointers that the packed interface takes. Each points to the argument's value, which is
    /// the scalar itself or the address of the descriptor.
    fn pointers(&mut self) -> Vec<*mut ()> {
        let values = self.descriptors.iter_mut().zip(&mut self.words);
        values
            .map(|(descriptor, word)| {
                if !descriptor.is_empty() {
                    *word = descriptor.as_mut_ptr() as u64;
                }
                (&raw mut *word).cast()
            })
            .collect()
    }
}

fn descriptor(address: usize, shape: &[usize]) -> Vec<usize> {
    let mut words = vec![address, address, 0];
    words.extend(shape);
    words.extend((0..shape.len()).map(|i| shape[i + 1..].iter().product::<usize>()));
    words
}

/// Offset of each result in the return value, which is a scalar or a struct of scalars, and the
/// size of the return value.
fn result_offsets(results: impl Iterator<Item = Element>) -> (Vec<usize>, usize) {
    let mut end = 0_usize;
    let place = |element: Element| {
        let offset = end.next_multiple_of(element.size());
        end = offset + element.size();
        offset
    };
    let offsets = results.map(place).collect();
    (offsets, end)
}

/// Calls `function` once. Fresh memory holds `garbage`.
pub(super) fn execute(
    engine: &Engine,
    signature: &Signature,
    garbage: Pattern,
    planned: bool,
    options: &Options,
) -> Result<Execution, RunError> {
    // Compiles the function, so that the measured time excludes compilation.
    if engine.lookup(&interface_name(&options.function)).is_null() {
        return Err(RunError::Engine);
    }
    let mut frame = Frame::new(signature, options)?;
    let (offsets, size) = result_offsets(signature.results.iter().map(|r| r.element));
    let mut storage = vec![0_u64; size.div_ceil(8).max(1)];
    let results: *mut () = storage.as_mut_ptr().cast();
    let mut pointers = frame.pointers();
    let mut struct_address = results;
    match signature.results.len() {
        0 => {}
        1 => pointers.push(results),
        // A struct is returned through a hidden first argument.
        _ => pointers.insert(0, (&raw mut struct_address).cast()),
    }
    crash::blame(planned);
    heap::start(garbage);
    let (start, cpu_start) = (Instant::now(), cpu_time());
    // SAFETY: there is one pointer for each argument and result, in the form that the packed
    // interface of a function with this signature takes. Detecting invalid memory accesses of the
    // function itself is the purpose of this tool.
    let called = unsafe { engine.invoke_packed(&options.function, &mut pointers) };
    let (time, cpu_time) = (start.elapsed(), cpu_time().saturating_sub(cpu_start));
    let mut heap = heap::finish();
    if !called {
        return Err(RunError::Engine);
    }
    heap.faults.extend(argument_faults(&frame.blocks));
    let storage: Vec<u8> = storage.iter().flat_map(|word| word.to_le_bytes()).collect();
    let result = |(result, at): (&Argument, &usize)| {
        let end = *at + result.element.size();
        storage[*at..end].to_vec()
    };
    Ok(Execution {
        arguments: frame.blocks,
        results: signature.results.iter().zip(&offsets).map(result).collect(),
        time,
        cpu_time,
        heap,
        copies: mem_runtime::Usage::default(),
    })
}

/// CPU time that the process has used so far. A process with other work beside it waits for a core, which
/// counts as elapsed time and not as CPU time.
fn cpu_time() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is valid for writes. The clock exists on every system with threads; if it did not, the
    // time would stay zero.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

fn argument_faults(blocks: &[Option<Block>]) -> impl Iterator<Item = Fault> {
    blocks.iter().enumerate().filter_map(|(i, block)| {
        let block = block.as_ref()?;
        let (what, size) = (format!("argument {i}"), block.size());
        let at = block.damage()?;
        Some(Fault::Outside { what, size, at })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_are_row_major() {
        assert_eq!(descriptor(64, &[2, 3, 4]), [64, 64, 0, 2, 3, 4, 12, 4, 1]);
        assert_eq!(descriptor(64, &[]), [64, 64, 0]);
    }

    #[test]
    fn results_are_laid_out_as_in_c() {
        let elements = [
            Element::Integer(1),
            Element::F32,
            Element::Integer(1),
            Element::F64,
        ];
        assert_eq!(
            result_offsets(elements.into_iter()),
            (vec![0, 4, 8, 16], 24)
        );
    }
}
