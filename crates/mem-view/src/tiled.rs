//! What tiles bought, operation by operation: what each operation that runs tile by tile accesses, compared
//! with the original operation on whole tensors.

use std::collections::BTreeMap;

use mem_model::{Bytes, Program, Storage};

/// What the original of an operation that runs tile by tile accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untiled {
    /// Number of the original operation in its block.
    pub operation: usize,
    /// Bytes of the function's own buffers that it accessed.
    pub accessed: Bytes,
    /// Estimate of the bytes that were live during it, arguments excluded.
    pub live: Bytes,
}

/// An operation of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TiledOperation {
    /// Number of the group.
    pub group: i64,
    /// The steps that execute it, in ascending order.
    pub steps: Vec<usize>,
    pub untiled: Untiled,
    /// The most bytes of the function's own buffers that one of the steps accesses; buffers count whole.
    pub accessed: Bytes,
}

/// The operations of groups in the order in which they start. Takes time O(n log n) in accesses.
pub(crate) fn tiled_operations(
    program: &Program,
    groups: &[Option<i64>],
    untiled: &[Option<Untiled>],
) -> Vec<TiledOperation> {
    let mut found: Vec<TiledOperation> = Vec::new();
    let mut known: BTreeMap<(i64, usize), usize> = BTreeMap::new();
    for (step, (group, untiled)) in groups.iter().zip(untiled).enumerate() {
        let (Some(group), Some(untiled)) = (*group, *untiled) else {
            continue;
        };
        let at = *known
            .entry((group, untiled.operation))
            .or_insert(found.len());
        if at == found.len() {
            found.push(TiledOperation {
                group,
                steps: Vec::new(),
                untiled,
                accessed: Bytes::ZERO,
            });
        }
        let own = &mut found[at];
        own.steps.push(step);
        own.accessed = own.accessed.max(accessed(program, step));
    }
    found
}

/// Bytes of the function's own buffers that a step accesses.
fn accessed(program: &Program, step: usize) -> Bytes {
    let accesses = program.steps[step].accesses.iter();
    let buffers = accesses.filter_map(|own| program.pointers[own.pointer.index()].kind.buffer());
    let mut buffers: Vec<_> = buffers.collect();
    buffers.sort_unstable();
    buffers.dedup();
    let buffers = buffers
        .into_iter()
        .map(|own| &program.buffers[own.index()])
        .filter(|own| own.storage != Storage::External);
    let bytes = buffers.fold(0_u64, |sum, own| sum.saturating_add(own.size.get()));
    Bytes::new(bytes)
}
