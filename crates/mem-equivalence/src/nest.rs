//! The order in which blocks are evaluated: reverse post-order, but with the blocks of each loop one after the
//! other, so that a loop reaches its fixed point before anything that follows it is evaluated: a weak
//! topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993).

/// The reachable blocks of a function, by nested loops.
#[derive(Default)]
pub(crate) struct Nest {
    /// Each edge leads to a later block, or back to the head of a loop around both of its blocks.
    pub blocks: Vec<usize>,
    /// By block: the loop whose head it is.
    pub loops: Vec<Option<Loop>>,
    /// By block: the head of the outermost loop around it.
    pub outermost: Vec<Option<usize>>,
}

/// A loop: the blocks from which control may return to its head without passing through an earlier block.
#[derive(Clone)]
pub(crate) struct Loop {
    /// The position after its last block.
    pub end: usize,
    /// The edges back to its head: block and number of the edge.
    pub back: Vec<(usize, usize)>,
}

impl Nest {
    /// Finds the loops. `order`: the reachable blocks in reverse post-order. `predecessors`: by block, its
    /// incoming edges. Edges that do not lead forward in the order are those to ancestors in a depth-first
    /// search, so two loops are nested or disjoint. O(edges · depth of the nest).
    pub(crate) fn new(order: &[usize], predecessors: &[Vec<(usize, usize)>]) -> Self {
        let n = order.len();
        let mut rank = vec![usize::MAX; predecessors.len()];
        for (position, block) in order.iter().enumerate() {
            rank[*block] = position;
        }
        // By rank. The root has no head.
        let root = n;
        let mut inner = vec![root; n];
        let mut back: Vec<Vec<(usize, usize)>> = vec![Vec::new(); n];
        let mut seen = vec![usize::MAX; n];
        for head in 0..n {
            let incoming = predecessors[order[head]].iter();
            back[head] = incoming
                .filter(|(from, _)| rank[*from] >= head)
                .copied()
                .collect();
            let mut work: Vec<usize> = back[head].iter().map(|(from, _)| rank[*from]).collect();
            while let Some(own) = work.pop() {
                if own <= head || seen[own] == head {
                    continue;
                }
                (seen[own], inner[own]) = (head, head);
                work.extend(predecessors[order[own]].iter().map(|(from, _)| rank[*from]));
            }
        }
        // By head: the blocks and the heads of loops directly in the loop, its head first.
        let mut directly: Vec<Vec<usize>> = vec![Vec::new(); n + 1];
        for own in 0..n {
            directly[inner[own]].push(own);
            if !back[own].is_empty() {
                directly[own].push(own);
            }
        }
        let mut nest = Self {
            blocks: Vec::with_capacity(n),
            loops: vec![None; predecessors.len()],
            outermost: Vec::new(),
        };
        // Loops that are open: the head, and the next of what is directly in it.
        let mut open = vec![(root, 0)];
        while let Some((head, next)) = open.last_mut() {
            let Some(own) = directly[*head].get(*next).copied() else {
                if *head != root {
                    nest.loops[order[*head]] = Some(Loop {
                        end: nest.blocks.len(),
                        back: std::mem::take(&mut back[*head]),
                    });
                }
                open.pop();
                continue;
            };
            *next += 1;
            match own != *head && !directly[own].is_empty() {
                true => open.push((own, 0)),
                false => nest.blocks.push(order[own]),
            }
        }
        nest.outermost = outermost(&nest.blocks, &nest.loops);
        nest
    }
}

/// By block: the head of the outermost loop around it. O(blocks).
fn outermost(blocks: &[usize], loops: &[Option<Loop>]) -> Vec<Option<usize>> {
    let mut outermost = vec![None; loops.len()];
    let (mut head, mut end) = (None, 0);
    for (position, block) in blocks.iter().enumerate() {
        if position == end {
            let own = loops[*block].as_ref();
            (head, end) = own.map_or((None, end + 1), |own| (Some(*block), own.end));
        }
        outermost[*block] = head;
    }
    outermost
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nest of a graph, whose blocks are in reverse post-order.
    fn nest(successors: &[&[usize]]) -> Nest {
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (from, all) in successors.iter().enumerate() {
            for (number, to) in all.iter().enumerate() {
                predecessors[*to].push((from, number));
            }
        }
        let order: Vec<usize> = (0..successors.len()).collect();
        Nest::new(&order, &predecessors)
    }

    /// The nest of a graph, with loops in parentheses.
    fn shown(successors: &[&[usize]]) -> String {
        let nest = nest(successors);
        let mut text = String::new();
        for (position, block) in nest.blocks.iter().enumerate() {
            let opens = nest.loops[*block].is_some();
            text += if opens { " (" } else { " " };
            text += &block.to_string();
            let ends = nest.loops.iter().flatten();
            let n_closed = ends.filter(|own| own.end == position + 1).count();
            text += &")".repeat(n_closed);
        }
        text.trim().to_owned()
    }

    #[test]
    fn a_block_has_one_outermost_loop() {
        let successors: &[&[usize]] = &[&[1], &[2], &[3], &[2, 4], &[1, 5], &[5, 6], &[]];
        let [a, b] = [Some(1), Some(5)];
        assert_eq!(nest(successors).outermost, [None, a, a, a, a, b, None]);
    }

    #[test]
    fn what_follows_a_loop_comes_after_all_of_it() {
        // 1 is the head, and 2 leaves the loop.
        assert_eq!(shown(&[&[1], &[2, 3], &[], &[1]]), "0 (1 3) 2");
    }

    #[test]
    fn loops_are_nested_or_disjoint() {
        let graph: &[&[usize]] = &[&[1], &[2], &[3], &[2, 4], &[1, 5], &[5, 6], &[]];
        assert_eq!(shown(graph), "0 (1 (2 3) 4) (5) 6");
    }

    #[test]
    fn a_loop_may_be_entered_at_two_blocks() {
        // 0 enters the loop of 1 and 2 at both.
        assert_eq!(shown(&[&[1, 2], &[2], &[1, 3], &[]]), "0 (1 2) 3");
        // Two cycles through 1, which are entered at 2 and 3 as well.
        let graph: &[&[usize]] = &[&[1, 2, 3], &[2], &[1, 3], &[1, 2, 4], &[]];
        assert_eq!(shown(graph), "0 (1 (2 3)) 4");
    }
}
