//! Which elements of buffers are read, and which iterations of operations compute them.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::progression::Progression;
use crate::ir::rewrite::is_allocation;
use crate::ir::structured::{Structured, extents, is_within, linear_indices};
use crate::ir::{Attribute, Linear, Op, Value, indexing_maps, memref_layout};

/// Attributes of a named operation in which MLIR has noted its indexing maps.
const NOTED_MAPS: &str = "linalg.memoized_indexing_maps";

/// Rounds after which what still changes is read as a whole. Programs without loops take two or three.
const MAX_ROUNDS: usize = 8;

/// An operation that may have fewer iterations.
pub(super) struct Operation {
    pub own: Structured,
    /// The number of iterations of each dimension.
    pub extents: Vec<i64>,
    /// The buffer that each operand is, if it may have fewer elements.
    buffers: Vec<Option<usize>>,
}

/// An allocation that only such operations access.
pub(super) struct Buffer {
    pub value: Value,
    shape: Vec<i64>,
    /// In each dimension, the indices of elements that are read; `None` as long as none is.
    read: Option<Vec<Progression>>,
}

/// What is read in a module.
pub(super) struct Analysis {
    pub operations: Vec<Operation>,
    pub buffers: Vec<Buffer>,
}

/// What becomes of an operation.
pub(super) enum Change {
    Nothing,
    /// An operation with these iterations of the original one.
    Into(Form, Vec<Progression>),
    /// There is no such operation.
    Impossible,
}

/// An operation with fewer iterations, or with operands that have fewer elements.
pub(super) enum Form {
    /// It accesses operands by the same maps.
    Same,
    /// A named operation with these strides.
    Strides(Attribute),
    /// A `linalg.generic` with these indices.
    Generic(Vec<Vec<Linear>>),
}

impl Operation {
    fn of(op: Op) -> Option<Self> {
        let own = Structured::of(op)?;
        (op.results().next().is_none() && own.has_free_body()).then_some(())?;
        let extents = extents(op)?;
        extents.iter().all(|own| *own > 0).then_some(Self {
            buffers: vec![None; own.operands.len()],
            own,
            extents,
        })
    }
}

impl Buffer {
    /// The result of an allocation whose users are operations in `known`.
    fn of(value: Value, known: &HashSet<Op>) -> Option<Self> {
        let layout = memref_layout(value.ty())?;
        let shape = layout.static_shape()?;
        let is_known = |user: Op| user.name() == "memref.dealloc" || known.contains(&user);
        let is_simple = layout.identity && !shape.is_empty() && shape.iter().all(|own| *own > 0);
        (is_simple && value.each_user().all(is_known)).then_some(Self {
            value,
            shape,
            read: None,
        })
    }

    fn all(&self) -> Vec<Progression> {
        self.shape.iter().copied().map(Progression::all).collect()
    }
}

impl Analysis {
    /// Linear in the operations, times the rounds.
    pub(super) fn of(module: Op) -> Self {
        let (mut operations, mut allocations) = (Vec::new(), Vec::new());
        module.walk(&mut |op| {
            operations.extend(Operation::of(op));
            let results = op.results().next().filter(|own| is_allocation(*own));
            allocations.extend(results);
        });
        let known: HashSet<Op> = operations.iter().map(|own| own.own.op).collect();
        let buffers = allocations.into_iter();
        let buffers: Vec<Buffer> = buffers.filter_map(|own| Buffer::of(own, &known)).collect();
        let numbers = buffers.iter().enumerate().map(|(at, own)| (own.value, at));
        let numbers: HashMap<Value, usize> = numbers.collect();
        for operation in &mut operations {
            let operands = operation.own.operands.iter();
            operation.buffers = operands.map(|own| numbers.get(own).copied()).collect();
        }
        let mut analysis = Self {
            operations,
            buffers,
        };
        analysis.solve();
        analysis
    }

    /// Determines what is read, so that every operation can be changed.
    fn solve(&mut self) {
        loop {
            let mut rounds = 0..;
            while self.propagate(rounds.next() > Some(MAX_ROUNDS)) {}
            // Dead stores are another pass.
            let unread = self.buffers.iter_mut().filter(|own| own.read.is_none());
            let mut has_changed = false;
            for buffer in unread {
                buffer.read = Some(buffer.all());
                has_changed = true;
            }
            if has_changed {
                continue;
            }
            let operations = self.operations.iter();
            let fixed = operations.filter(|own| matches!(self.change(own), Change::Impossible));
            let fixed: Vec<usize> = fixed
                .flat_map(|own| own.buffers.clone())
                .flatten()
                .collect();
            if fixed.is_empty() {
                return;
            }
            for at in fixed {
                self.buffers[at].read = Some(self.buffers[at].all());
            }
        }
    }

    /// Adds what each operation reads, from the last one to the first. Returns whether there is more than before.
    fn propagate(&mut self, whole: bool) -> bool {
        let mut has_changed = false;
        for operation in self.operations.iter().rev() {
            let Some(domain) = domain_of(operation, &self.buffers) else {
                continue;
            };
            for (at, indices) in operation.buffers.iter().zip(&operation.own.indices) {
                let Some(buffer) = at.map(|at| &mut self.buffers[at]) else {
                    continue;
                };
                let own = indices.iter().zip(&buffer.shape).map(|(index, size)| {
                    let all = Progression::all(*size);
                    let own = Progression::of(index, &domain);
                    own.filter(|own| own.first >= 0 && own.last < *size)
                        .unwrap_or(all)
                });
                let mut read: Vec<Progression> = own.collect();
                if let Some(before) = &buffer.read {
                    for (at, before) in before.iter().enumerate() {
                        read[at] = match read[at].join(*before) {
                            own if own != *before && whole => Progression::all(buffer.shape[at]),
                            own => own,
                        };
                    }
                }
                has_changed |= buffer.read.as_ref() != Some(&read);
                buffer.read = Some(read);
            }
        }
        has_changed
    }

    /// The elements of a buffer that are read.
    pub(super) fn elements(&self, buffer: usize) -> Vec<Progression> {
        let own = &self.buffers[buffer];
        own.read.clone().unwrap_or_else(|| own.all())
    }

    /// Whether a buffer has elements that are not read.
    pub(super) fn is_shrunk(&self, buffer: usize) -> bool {
        let own = &self.buffers[buffer];
        own.read.as_ref().is_some_and(|read| *read != own.all())
    }

    /// What becomes of an operation.
    pub(super) fn change(&self, operation: &Operation) -> Change {
        let mut buffers = operation.buffers.iter().flatten();
        if !buffers.any(|own| self.is_shrunk(*own)) {
            return Change::Nothing;
        }
        let all = || operation.extents.iter().copied().map(Progression::all);
        let domain = domain_of(operation, &self.buffers);
        let domain = domain.unwrap_or_else(|| all().collect());
        let extents: Vec<i64> = domain.iter().map(|own| own.count()).collect();
        let indices = self.indices_left(operation, &domain, &extents);
        let form = indices.and_then(|indices| {
            if indices == operation.own.indices {
                return Some(Form::Same);
            }
            let dimensions = 0..extents.len();
            let is_parallel = |own: usize| operation.own.is_index_of_results(own);
            let is_generic = operation.own.op.name() == "linalg.generic";
            // Others have a name that compilers know them by.
            match is_generic || { dimensions }.all(is_parallel) {
                true => Some(Form::Generic(indices)),
                false => strides(operation, &indices, &extents).map(Form::Strides),
            }
        });
        form.map_or(Change::Impossible, |form| Change::Into(form, domain))
    }

    /// The index in each dimension of each operand for the iterations and elements that are left; `None` if they
    /// are not linear, or if MLIR would not accept them.
    fn indices_left(
        &self,
        operation: &Operation,
        domain: &[Progression],
        extents: &[i64],
    ) -> Option<Vec<Vec<Linear>>> {
        let all = operation
            .own
            .indices
            .iter()
            .enumerate()
            .map(|(at, indices)| {
                let elements = match operation.buffers[at] {
                    Some(buffer) => self.elements(buffer),
                    None => {
                        let layout = memref_layout(operation.own.operands[at].ty());
                        let shape = layout.map_or(Some(Vec::new()), |own| own.static_shape())?;
                        shape.into_iter().map(Progression::all).collect()
                    }
                };
                let indices = indices.iter().zip(&elements).map(|(index, elements)| {
                    let own = left(index, domain, *elements)?;
                    is_within(&own, extents, elements.count()).then_some(own)
                });
                indices.collect::<Option<Vec<Linear>>>()
            });
        let all: Vec<Vec<Linear>> = all.collect::<Option<_>>()?;
        // Each dimension has to be an index of an operand, which determines the number of its iterations.
        let dimensions = all.iter().flatten().filter_map(Linear::as_dimension);
        let dimensions: HashSet<usize> = dimensions.collect();
        (dimensions.len() == extents.len()).then_some(all)
    }
}

/// The iterations of each dimension that compute what is read; `None` as long as nothing is.
fn domain_of(operation: &Operation, buffers: &[Buffer]) -> Option<Vec<Progression>> {
    let outputs = operation.own.n_inputs..operation.buffers.len();
    let of_dimension = |(dimension, extent): (usize, &i64)| {
        let all = Progression::all(*extent);
        let of_output = |output: usize| {
            let Some(buffer) = operation.buffers[output] else {
                return Some(all);
            };
            let read = buffers[buffer].read.as_ref()?.iter();
            let pairs = operation.own.indices[output].iter().zip(read);
            let own = pairs.filter(|(index, _)| index.as_dimension() == Some(dimension));
            let own = own.map(|(_, read)| *read).reduce(Progression::join);
            Some(own.unwrap_or(all))
        };
        let read = outputs.clone().filter_map(of_output);
        read.reduce(Progression::join)
    };
    let extents = operation.extents.iter().enumerate();
    extents.map(of_dimension).collect()
}

/// An index if only some iterations and elements are left.
fn left(index: &Linear, domain: &[Progression], elements: Progression) -> Option<Linear> {
    let divided = |own: i64| (own % elements.step == 0).then_some(own / elements.step);
    let firsts = index.coefficients.iter().zip(domain);
    let first = { firsts }.try_fold(index.constant, |sum, (factor, own)| {
        sum.checked_add(factor.checked_mul(own.first)?)
    });
    let coefficients = index.coefficients.iter().zip(domain).map(|(factor, own)| {
        match own.count() {
            // It is never multiplied by another number than 0.
            1 => Some(*factor),
            _ => divided(factor.checked_mul(own.step)?),
        }
    });
    Some(Linear {
        constant: divided(first?.checked_sub(elements.first)?)?,
        coefficients: coefficients.collect::<Option<_>>()?,
    })
}

/// The attribute `strides` with which a named operation has these indices; `None` if there is none.
fn strides(operation: &Operation, indices: &[Vec<Linear>], extents: &[i64]) -> Option<Attribute> {
    let own = &operation.own;
    let ty = own.op.attribute("strides")?.ty()?;
    // Windows move along the dimensions that are indices of results.
    let of_window = own.indices.first()?.iter().zip(indices.first()?);
    let factors = of_window.filter_map(|(before, after)| {
        let terms = before.coefficients.iter().enumerate();
        let terms: Vec<usize> = terms
            .filter(|(_, own)| **own != 0)
            .map(|(at, _)| at)
            .collect();
        let moved = terms.iter().find(|at| own.is_index_of_results(**at))?;
        (terms.len() > 1).then(|| after.coefficients[*moved].to_string())
    });
    let factors: Vec<String> = factors.collect();
    let text = format!("dense<[{}]> : {ty}", factors.join(", "));
    let strides = Attribute::parse(own.op.context(), &text);

    let trial = own.op.copied();
    set_strides(trial, strides);
    let maps = indexing_maps(trial);
    trial.erase();
    let is_alike = |wanted: &Linear, given: &Linear| {
        let pairs = wanted.coefficients.iter().zip(&given.coefficients);
        let mut pairs = pairs.zip(extents);
        wanted.constant == given.constant && pairs.all(|((a, b), extent)| a == b || *extent == 1)
    };
    let given = linear_indices(&maps?)?;
    let mut pairs = indices.iter().flatten().zip(given.iter().flatten());
    pairs
        .all(|(wanted, given)| is_alike(wanted, given))
        .then_some(strides)
}

/// Lets a named operation move its window by other strides.
pub(super) fn set_strides(op: Op, strides: Attribute) {
    op.remove_attribute(NOTED_MAPS);
    op.set_attribute("strides", strides);
}
