//! Scopes of names: whether a name denotes the same value at two places.
//!
//! A merge or a symbol is a value of SSA form. It is computed in one block, its *home*, which
//! dominates every use. Two places see the same value unless control passed through the home in
//! between. Consider a backward search from a use that never crosses a phi of a block that the home
//! does not strictly dominate. Any definition that it reaches was made with the same value: a path
//! that leaves the region dominated by the home must pass through the home to return, and any write
//! on that path is visible only through a phi in the home or outside the region.
//!
//! Programs from files may violate SSA form. Names that do so are never compared.

use mem_model::{BlockId, PointerId, PointerKind, Program, SymbolId};
use rustc_hash::FxHashMap as HashMap;

use crate::graph::Graph;

/// How long a name keeps its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// Forever.
    Everywhere,
    /// Until control passes through the start of this block.
    Block(BlockId),
    /// Unknown: the name violates SSA form.
    Nowhere,
}

impl Home {
    /// Whether a value is the same at the start of `block` and at the ends of its predecessors.
    pub(super) fn survives(self, block: BlockId, graph: &Graph) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Block(home) => graph.strictly_dominates(home, block),
            Self::Nowhere => false,
        }
    }
}

/// The one of `blocks` that all others dominate. It exists if all of them dominate a common use.
fn lowest(blocks: &[BlockId], graph: &Graph) -> Home {
    let mut blocks = blocks.iter().copied();
    let Some(first) = blocks.next() else {
        return Home::Everywhere;
    };
    let lower = |low: Option<BlockId>, block| match low {
        Some(low) if graph.dominates(block, low) => Some(low),
        Some(low) if graph.dominates(low, block) => Some(block),
        _ => None,
    };
    let found = blocks.fold(Some(first), lower);
    found.map_or(Home::Nowhere, Home::Block)
}

/// The homes of all names.
pub(super) struct Scope {
    pointers: Vec<Home>,
    symbols: Vec<Home>,
    /// By merge: the step that binds it, if a step does.
    binding_steps: HashMap<PointerId, usize>,
}

impl Scope {
    /// O(accesses + bindings).
    pub(super) fn new(program: &Program, graph: &Graph) -> Self {
        let mut scope = Self {
            pointers: Vec::new(),
            symbols: Vec::new(),
            binding_steps: HashMap::default(),
        };
        scope.pointers = program
            .pointers
            .iter()
            .map(|pointer| match pointer.kind {
                PointerKind::Buffer(_) => Home::Everywhere,
                PointerKind::Merge => Home::Nowhere,
            })
            .collect();
        scope.symbols = program
            .symbols
            .iter()
            .map(|symbol| lowest(&symbol.blocks, graph))
            .collect();
        scope.find_homes(program);
        scope.check_uses(program, graph);
        scope
    }

    pub(super) fn pointer(&self, pointer: PointerId) -> Home {
        self.pointers[pointer.index()]
    }

    pub(super) fn symbol(&self, symbol: SymbolId) -> Home {
        self.symbols[symbol.index()]
    }

    /// The step that binds a merge; `None` if edges bind it.
    pub(super) fn binding_step(&self, pointer: PointerId) -> Option<usize> {
        self.binding_steps.get(&pointer).copied()
    }

    /// The home of a merge is the block whose incoming edges bind it, or the block of the only step
    /// that does. A merge bound in several blocks has none.
    fn find_homes(&mut self, program: &Program) {
        let mut bound = vec![false; program.pointers.len()];
        for block in &program.blocks {
            for edge in &block.successors {
                for binding in &edge.bindings {
                    let target = binding.target.index();
                    let home = Home::Block(edge.target);
                    // Several edges into one block may bind the same merge.
                    let fits = !bound[target]
                        || (self.pointers[target] == home
                            && self.binding_step(binding.target).is_none());
                    self.pointers[target] = if fits { home } else { Home::Nowhere };
                    bound[target] = true;
                }
            }
        }
        for (index, block) in program.blocks.iter().enumerate() {
            for step in block.steps.start.index()..block.steps.end.index() {
                for binding in &program.steps[step].bindings {
                    let target = binding.target.index();
                    self.pointers[target] = match bound[target] {
                        false => Home::Block(BlockId::new(index)),
                        true => Home::Nowhere,
                    };
                    self.binding_steps.insert(binding.target, step);
                    bound[target] = true;
                }
            }
        }
    }

    /// Revokes the home of each name that is used where its home does not dominate.
    fn check_uses(&mut self, program: &Program, graph: &Graph) {
        for &block in graph.order() {
            let steps = program.blocks[block.index()].steps;
            for step in steps.start.index()..steps.end.index() {
                // Sources of bindings are read before any target is bound.
                for source in program.steps[step].bindings.iter().flat_map(|b| &b.sources) {
                    self.check_pointer(*source, block, step, graph);
                }
                for access in &program.steps[step].accesses {
                    // Accesses follow the bindings of their own step.
                    self.check_pointer(access.pointer, block, step + 1, graph);
                    if let Some(range) = access.symbolic() {
                        let bounds = [range.start, range.end];
                        for symbol in bounds.into_iter().filter_map(|b| b.symbol) {
                            self.check_symbol(symbol, block, graph);
                        }
                    }
                    for literal in access.predicate() {
                        self.check_symbol(literal.symbol, block, graph);
                    }
                }
            }
            let edges = &program.blocks[block.index()].successors;
            for binding in edges.iter().flat_map(|e| &e.bindings) {
                for source in &binding.sources {
                    self.check_pointer(*source, block, steps.end.index(), graph);
                }
            }
        }
    }

    /// `before` is the step of `block` before which the name is used.
    fn check_pointer(&mut self, pointer: PointerId, block: BlockId, before: usize, graph: &Graph) {
        let index = pointer.index();
        if let Home::Block(home) = self.pointers[index] {
            let is_bound =
                home != block || self.binding_step(pointer).is_none_or(|step| step < before);
            if !graph.dominates(home, block) || !is_bound {
                self.pointers[index] = Home::Nowhere;
            }
        }
    }

    fn check_symbol(&mut self, symbol: SymbolId, block: BlockId, graph: &Graph) {
        if let Home::Block(home) = self.symbols[symbol.index()]
            && !graph.dominates(home, block)
        {
            self.symbols[symbol.index()] = Home::Nowhere;
        }
    }
}
