//! Enumeration of the paths through an acyclic program.

use mem_model::{BlockId, Program};

/// All paths from the entry to a block without successors; `None` if there are more than `limit`,
/// or if the program has a cycle.
#[must_use]
pub fn all_paths(program: &Program, limit: usize) -> Option<Vec<Vec<BlockId>>> {
    let mut done = Vec::new();
    let mut open = vec![vec![BlockId::new(0)]];
    while let Some(path) = open.pop() {
        let last = path[path.len() - 1];
        let successors = &program.blocks[last.index()].successors;
        if path.len() > program.blocks.len() || done.len() + open.len() > limit {
            return None;
        }
        for edge in successors {
            let mut longer = path.clone();
            longer.push(edge.target);
            open.push(longer);
        }
        if successors.is_empty() {
            done.push(path);
        }
    }
    Some(done)
}
