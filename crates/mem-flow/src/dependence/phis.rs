//! Phi placement at the iterated dominance frontiers of the blocks that write a variable, each phi
//! for the hull of the bytes written. O(phis × frontier) per variable, because a hull that keeps
//! growing is widened to the hull of all writes to the variable.

use mem_model::{BlockId, Interval};

use crate::graph::Graph;

/// A block that writes bytes of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Site {
    pub variable: u32,
    pub block: BlockId,
    pub hull: Interval<u64>,
}

/// Number of times that a hull may grow before it is widened.
const MAX_GROWTHS: u8 = 4;

/// Computes the blocks and hulls of all phis, ordered by block, then variable.
pub(super) fn place_phis(mut sites: Vec<Site>, graph: &Graph, n_blocks: usize) -> Vec<Site> {
    sites.sort_unstable();
    let mut placement = Placement {
        graph,
        hulls: vec![Interval::new(0, 0); n_blocks],
        growths: vec![0; n_blocks],
        placed: Vec::new(),
        pending: Vec::new(),
    };
    let mut phis = Vec::new();
    for of_variable in sites.chunk_by(|a, b| a.variable == b.variable) {
        placement.place(of_variable, &mut phis);
    }
    phis.sort_unstable_by_key(|phi| (phi.block, phi.variable));
    phis
}

struct Placement<'a> {
    graph: &'a Graph,
    /// Indexed by block: the hull of its phi; empty if it has none.
    hulls: Vec<Interval<u64>>,
    growths: Vec<u8>,
    /// Blocks with a phi of the current variable.
    placed: Vec<BlockId>,
    pending: Vec<(BlockId, Interval<u64>)>,
}

impl Placement<'_> {
    fn place(&mut self, sites: &[Site], phis: &mut Vec<Site>) {
        let mut widest = sites[0].hull;
        for of_block in sites.chunk_by(|a, b| a.block == b.block) {
            let hulls = of_block.iter().map(|site| site.hull);
            let hull = hulls.reduce(hull_of).unwrap_or(widest);
            widest = hull_of(widest, hull);
            self.pending.push((of_block[0].block, hull));
        }
        while let Some((block, hull)) = self.pending.pop() {
            for &join in self.graph.frontier(block) {
                self.grow(join, hull, widest);
            }
        }
        for block in self.placed.drain(..) {
            phis.push(Site {
                variable: sites[0].variable,
                block,
                hull: self.hulls[block.index()],
            });
            self.hulls[block.index()] = Interval::new(0, 0);
            self.growths[block.index()] = 0;
        }
    }

    fn grow(&mut self, join: BlockId, hull: Interval<u64>, widest: Interval<u64>) {
        let known = &mut self.hulls[join.index()];
        if known.is_empty() {
            *known = hull;
            self.placed.push(join);
        } else if known.covers(hull) {
            return;
        } else {
            // Widening bounds how often the block is visited again.
            self.growths[join.index()] += 1;
            *known = match self.growths[join.index()] > MAX_GROWTHS {
                true => widest,
                false => hull_of(*known, hull),
            };
        }
        let grown = *known;
        self.pending.push((join, grown));
    }
}

fn hull_of(a: Interval<u64>, b: Interval<u64>) -> Interval<u64> {
    Interval::new(a.start.min(b.start), a.end.max(b.end))
}
