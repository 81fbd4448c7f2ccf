//! Last pass: determines which buffers must not be planned, which deallocations are erased with the
//! planned ones, and the summary for callers.

use rustc_hash::FxHashSet as HashSet;
use std::collections::BTreeSet;

use mem_flow::Denoted;
use mem_model::{
    AccessKind, Aliasing, BufferId, Bytes, IntervalSet, PointerId, Program, Storage, bindings,
};

use super::calls::{ArgumentSummary, ResultSummary};
use super::{Escape, Extraction, Extractor, FunctionSummary, Places, Refusal, RefusalReason};

impl Extractor<'_> {
    pub(super) fn finish(mut self) -> Extraction {
        // The order matters. Waits and ends add accesses that the summary counts; refusals decide
        // which deallocations remain, and what these may free escapes from the function.
        self.settle_requests();
        let denoted = self.denoted();
        self.settle_ends(&denoted);
        self.refuse_nameless();
        let mut refusals = std::collections::BTreeMap::new();
        let mut escaped_arguments = BTreeSet::new();
        for (pointer, escape, blame) in &self.escapes {
            for &buffer in denoted.of(*pointer) {
                if self.buffers[buffer.index()].storage == Storage::External {
                    // A returned argument is part of the summary, so returning it is not an escape.
                    if *escape != Escape::Returned {
                        escaped_arguments.insert(buffer);
                    }
                } else {
                    // The model no longer sees every holder of the address, so unknown storage may
                    // be this buffer.
                    let aliasing = &mut self.buffers[buffer.index()].aliasing;
                    *aliasing = (*aliasing).max(Aliasing::Reachable);
                    // A buffer can escape several times; the first escape is reported.
                    refusals.entry(buffer).or_insert_with(|| Refusal {
                        reason: escape.clone().into(),
                        blame: Some(*blame),
                    });
                }
            }
        }
        let deallocations = self.settle_deallocations(&denoted, &mut refusals);
        escaped_arguments.extend(self.freed_arguments(&denoted, &deallocations));
        self.settle_alignments(&denoted);
        let summary = self.summarize(&denoted, &escaped_arguments);
        self.assign_roles(&summary);
        if self.roots.is_everything() {
            self.places = Places::default();
        }
        Extraction {
            program: self.take_model(),
            step_ops: self.step_ops,
            access_values: self.access_values,
            n_long_row_lists: self.n_long_row_lists,
            buffer_ops: self.buffer_ops,
            pointer_values: self.pointer_values,
            refusals,
            misfits: self.misfits,
            bounded_sizes: self.bounded_sizes,
            deallocations,
            freed: self.deallocations.into_iter().collect(),
            workspaces: self.workspaces,
            places: self.places,
            sizes: self.sizes,
            unknowns: self.unknowns,
            entry: self.entry,
            rotations: self.rotations,
            summary,
        }
    }

    /// Points-to sets. Flow-insensitive: an escape concerns all storage that the pointer denotes at any time.
    fn denoted(&self) -> Denoted {
        let bindings = bindings(&self.blocks, &self.steps);
        Denoted::of_bindings(&self.pointers, bindings, usize::MAX)
    }

    /// Takes the model of the function out of the extractor.
    pub(super) fn take_model(&mut self) -> Program {
        Program {
            name: self.function.symbol().unwrap_or_default(),
            buffers: std::mem::take(&mut self.buffers),
            pointers: std::mem::take(&mut self.pointers),
            symbols: std::mem::take(&mut self.symbols),
            tokens: std::mem::take(&mut self.tokens),
            regions: std::mem::take(&mut self.regions),
            blocks: std::mem::take(&mut self.blocks),
            steps: std::mem::take(&mut self.steps),
        }
    }

    /// Decides which deallocations are erased. A deallocation is erased if everything it can free
    /// will be planned, and kept if nothing will. If it can free both kinds, planning the one would
    /// leak the other or free part of an arena, so none of its targets is planned. Refusing a
    /// buffer can affect further deallocations, hence the iteration to a fixed point.
    fn settle_deallocations(
        &self,
        denoted: &Denoted,
        refusals: &mut std::collections::BTreeMap<BufferId, Refusal>,
    ) -> Vec<crate::ir::Op> {
        // Points-to sets are final here; only the set of refusals still grows, so the loop ends.
        let targets: Vec<_> = self
            .deallocations
            .iter()
            .map(|(op, pointer)| (*op, denoted.of(*pointer)))
            .collect();
        loop {
            let before = refusals.len();
            for (op, buffers) in &targets {
                // Only an explicit deallocation frees storage that is not planned, so it has to
                // stay.
                let heap = |b: &BufferId| refusals.contains_key(b) || self.may_be_heap(*b);
                if !buffers.iter().any(heap) {
                    continue;
                }
                for buffer in buffers.iter().filter(|b| self.is_planned(**b)) {
                    refusals.entry(*buffer).or_insert_with(|| Refusal {
                        reason: RefusalReason::FreedWithOthers,
                        blame: Some(*op),
                    });
                }
            }
            if refusals.len() == before {
                break;
            }
        }
        // At the fixed point, a deallocation with a planned target cannot free anything on the
        // heap, so one such target decides.
        let goes = |buffers: &[BufferId]| {
            buffers
                .iter()
                .any(|b| self.is_planned(*b) && !refusals.contains_key(b))
        };
        targets
            .into_iter()
            .filter(|(_, buffers)| goes(buffers))
            .map(|(op, _)| op)
            .collect()
    }

    /// Arguments that a remaining deallocation may free: callers must not pass them bytes of an
    /// arena.
    fn freed_arguments(&self, denoted: &Denoted, gone: &[crate::ir::Op]) -> BTreeSet<BufferId> {
        let gone: HashSet<_> = gone.iter().collect();
        let stays = self.deallocations.iter().filter(|d| !gone.contains(&d.0));
        stays
            .flat_map(|(_, pointer)| denoted.of(*pointer).iter().copied())
            .filter(|buffer| self.argument_number(*buffer).is_some())
            .collect()
    }

    /// Raises the alignment of each buffer to that of everything that may point into it.
    fn settle_alignments(&mut self, denoted: &Denoted) {
        for (pointer, alignment) in std::mem::take(&mut self.alignments) {
            for buffer in denoted.of(pointer) {
                let old = &mut self.buffers[buffer.index()].alignment;
                *old = Bytes::new(alignment).max(*old);
            }
        }
    }

    fn is_planned(&self, buffer: BufferId) -> bool {
        self.buffers[buffer.index()].storage == Storage::Planned
    }

    /// Whether a deallocation could really free this storage: unknown storage, or an argument of a
    /// private function (a public function does not own its arguments).
    fn may_be_heap(&self, buffer: BufferId) -> bool {
        let unknown = self.elsewhere.and_then(|p| self.buffer_of(p)) == Some(buffer);
        let external = self.buffers[buffer.index()].storage == Storage::External;
        unknown || (external && is_private(self.function))
    }

    fn summarize(&self, denoted: &Denoted, escaped: &BTreeSet<BufferId>) -> FunctionSummary {
        let mut touched: Vec<(bool, bool)> = vec![(false, false); self.buffers.len()];
        for access in self.steps.iter().flat_map(|s| &s.accesses) {
            // An access through a merge counts for every buffer that the merge may denote.
            for buffer in denoted.of(access.pointer) {
                match access.kind {
                    AccessKind::Use => touched[buffer.index()].0 = true,
                    AccessKind::Define => touched[buffer.index()].1 = true,
                }
            }
        }
        let arguments = self.arguments.iter().map(|argument| {
            let pointer = (*argument)?;
            let buffer = self.buffer_of(pointer)?;
            let (reads, writes) = touched[buffer.index()];
            Some(ArgumentSummary {
                pointer,
                // Bytes are left out here: `Callees::learn` computes them, for functions that have
                // callers.
                exposed: None,
                overwritten: IntervalSet::new(),
                reads,
                writes,
                escapes: escaped.contains(&buffer),
            })
        });
        let results = self.returned.iter().map(|pointers| {
            let mut result = ResultSummary::default();
            for buffer in pointers.iter().flat_map(|p| denoted.of(*p)) {
                // Any storage other than an argument is unknown to the caller.
                match self.argument_number(*buffer) {
                    Some(index) => result.arguments.push(index),
                    None => result.elsewhere = true,
                }
            }
            result
        });
        FunctionSummary {
            outside: self.touches_outside(&touched),
            arguments: arguments.collect(),
            results: results.collect(),
        }
    }

    /// Whether the function accesses mutable storage that is neither its own nor an argument's.
    fn touches_outside(&self, touched: &[(bool, bool)]) -> bool {
        let mut buffers = (0..self.buffers.len()).map(BufferId::new);
        buffers.any(|buffer| {
            let (reads, writes) = touched[buffer.index()];
            // Constants are `Private`: no write conflicts with reading them.
            self.buffers[buffer.index()].aliasing == Aliasing::Unknown && (reads || writes)
        })
    }

    fn argument_number(&self, buffer: BufferId) -> Option<usize> {
        let is_it = |a: &Option<PointerId>| a.and_then(|a| self.buffer_of(a)) == Some(buffer);
        self.arguments.iter().position(is_it)
    }

    /// Makes an input that is or may be written an output, unless its attribute states another
    /// role.
    fn assign_roles(&mut self, summary: &FunctionSummary) {
        for (index, argument) in summary.arguments.iter().enumerate() {
            let buffer = self.arguments[index].and_then(|p| self.buffer_of(p));
            if let (Some(argument), Some(buffer)) = (argument, buffer) {
                let role = &mut self.buffers[buffer.index()].role;
                // Code that the model does not see may write through an address that has escaped.
                let written = argument.writes || argument.escapes;
                if written && *role == mem_model::Role::Input {
                    *role = mem_model::Role::Output;
                }
            }
        }
    }
}

/// Whether a function can only be called from within its module.
pub(crate) fn is_private(function: crate::ir::Op) -> bool {
    let visibility = function.attribute("sym_visibility");
    let visibility = visibility.as_ref().and_then(crate::ir::Attribute::string);
    matches!(visibility, Some("private" | "nested"))
}
