//! Strongly connected components of directed graphs.

/// The strongly connected components of a graph of `n` nodes, each in ascending order. A component
/// comes after those from which arcs lead to it. The order depends on the graph alone.
///
/// Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972), with a stack of its
/// own instead of recursion, as the depth may be that of a whole stack of items: petgraph's version recurses.
/// O(n + a log a) for `a` arcs.
pub(crate) fn strong_components(n: usize, arcs: &[(usize, usize)]) -> Vec<Vec<usize>> {
    // The arcs are followed backwards, so that a component is complete after what leads to it.
    let mut arcs: Vec<(usize, usize)> = arcs.iter().map(|(from, to)| (*to, *from)).collect();
    arcs.sort_unstable();
    arcs.dedup();
    let first_arc = |node: usize| arcs.partition_point(|(from, _)| *from < node);
    let starts: Vec<usize> = (0..=n).map(first_arc).collect();
    let mut found = Vec::new();
    // Number of each node in the order of visits, from 1; 0: not yet visited.
    let mut numbers = vec![0_usize; n];
    let mut lowest = vec![0_usize; n];
    let mut is_open = vec![false; n];
    let (mut open, mut n_visited) = (Vec::new(), 0);
    for root in 0..n {
        // Nodes on the path, each with its next arc.
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut entered = (numbers[root] == 0).then_some(root);
        loop {
            if let Some(node) = entered.take() {
                n_visited += 1;
                (numbers[node], lowest[node], is_open[node]) = (n_visited, n_visited, true);
                open.push(node);
                path.push((node, starts[node]));
            }
            let Some((node, arc)) = path.last_mut() else {
                break;
            };
            let node = *node;
            if *arc < starts[node + 1] {
                let to = arcs[*arc].1;
                *arc += 1;
                match numbers[to] {
                    0 => entered = Some(to),
                    number if is_open[to] => lowest[node] = lowest[node].min(number),
                    _ => {}
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                lowest[*parent] = lowest[*parent].min(lowest[node]);
            }
            if lowest[node] == numbers[node] {
                let at = open.iter().rposition(|own| *own == node).unwrap_or(0);
                let mut component = open.split_off(at);
                component.iter().for_each(|own| is_open[*own] = false);
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::strong_components;

    #[test]
    fn a_component_comes_after_what_leads_to_it() {
        assert_eq!(
            strong_components(4, &[(2, 1), (1, 0), (3, 2)]),
            [vec![3], vec![2], vec![1], vec![0]]
        );
        assert_eq!(strong_components(3, &[]), [vec![0], vec![1], vec![2]]);
    }

    #[test]
    fn a_cycle_is_one_component() {
        let arcs = [(0, 3), (3, 1), (1, 0), (1, 2), (4, 0)];
        assert_eq!(
            strong_components(5, &arcs),
            [vec![4], vec![0, 1, 3], vec![2]]
        );
    }
}
