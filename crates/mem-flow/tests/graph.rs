//! Compares dominators, frontiers and cycles with their definitions on random graphs with loops,
//! joins and unreachable blocks. Also runs graphs that recursion or a quadratic algorithm would not
//! survive.

use mem_flow::graph::Graph;
use mem_model::BlockId;
use mem_testkit::Rng;

type Successors = Vec<Vec<u32>>;

fn random_graph(rng: &mut Rng) -> Successors {
    let n_blocks = rng.between(1, 11);
    let n_edges = rng.between(0, 2 * n_blocks);
    let mut successors = vec![Vec::new(); n_blocks];
    for _ in 0..n_edges {
        successors[rng.below(n_blocks)].push(rng.below(n_blocks) as u32);
    }
    successors
}

/// The blocks that are reachable from `start` without passing `removed`.
fn reached(successors: &Successors, start: usize, removed: Option<usize>) -> Vec<bool> {
    let mut seen = vec![false; successors.len()];
    let mut work = vec![start];
    while let Some(block) = work.pop() {
        if removed != Some(block) && !std::mem::replace(&mut seen[block], true) {
            work.extend(successors[block].iter().map(|&next| next as usize));
        }
    }
    seen
}

/// Indexed by blocks `a` and `b`: whether `a` dominates `b`.
fn dominance(successors: &Successors) -> Vec<Vec<bool>> {
    let reachable = reached(successors, 0, None);
    let avoids = |a| reached(successors, 0, Some(a));
    let row = |a: usize| {
        let without = avoids(a);
        (0..successors.len())
            .map(|b| reachable[b] && !without[b])
            .collect()
    };
    (0..successors.len()).map(row).collect()
}

#[test]
fn random_graphs_agree_with_the_definitions() {
    for seed in 0..20_000 {
        let successors = random_graph(&mut Rng::new(seed));
        let graph = Graph::from_successors(&successors);
        let dominates = dominance(&successors);
        let reachable = reached(&successors, 0, None);
        let block = BlockId::new;
        let all = || 0..successors.len();
        for a in all() {
            assert_eq!(graph.is_reachable(block(a)), reachable[a]);
            for b in all() {
                let wanted = dominates[a][b];
                assert_eq!(
                    graph.dominates(block(a), block(b)),
                    wanted,
                    "{a} {b} {successors:?}"
                );
            }
            let strictly = |x: usize| x != a && dominates[x][a];
            // All other strict dominators dominate the nearest one.
            let nearest =
                all().find(|&x| strictly(x) && all().all(|y| !strictly(y) || dominates[y][x]));
            assert_eq!(
                graph.immediate_dominator(block(a)),
                nearest.map(block),
                "{successors:?}"
            );
            let has_dominated_predecessor =
                |b: usize| all().any(|p| successors[p].contains(&(b as u32)) && dominates[a][p]);
            let in_frontier =
                |b: &usize| has_dominated_predecessor(*b) && !(a != *b && dominates[a][*b]);
            let mut frontier = graph.frontier(block(a)).to_vec();
            frontier.sort_unstable();
            let wanted: Vec<_> = all().filter(in_frontier).map(block).collect();
            assert_eq!(frontier, wanted, "of {a} in {successors:?}");
            let comes_back = |&next: &u32| reached(&successors, next as usize, None)[a];
            assert_eq!(
                graph.is_in_cycle(block(a)),
                successors[a].iter().any(comes_back)
            );
            if reachable[a] {
                let reached = reached(&successors, a, None);
                let gets_out = all().any(|b| reached[b] && successors[b].is_empty());
                assert_eq!(
                    graph.reaches_exit(block(a)),
                    gets_out,
                    "{a} in {successors:?}"
                );
            }
        }
    }
}

#[test]
fn every_reachable_block_comes_after_its_dominator_in_order_and_in_the_tree() {
    for seed in 0..2000 {
        let successors = random_graph(&mut Rng::new(seed));
        let graph = Graph::from_successors(&successors);
        let mut n_children = 0;
        for &block in graph.order() {
            for &child in graph.children(block) {
                assert_eq!(graph.immediate_dominator(child), Some(block));
                assert!(graph.preorder(block) < graph.preorder(child));
                n_children += 1;
            }
        }
        assert_eq!(n_children + 1, graph.order().len());
    }
}

/// 200,000 blocks, each with edges to the next and the previous one.
#[test]
fn a_long_ladder_is_no_deeper_than_a_short_one() {
    let n_blocks = 200_000_u32;
    let rung = |block: u32| match block {
        0 => vec![1],
        last if last == n_blocks - 1 => vec![last - 1],
        block => vec![block + 1, block - 1],
    };
    let successors: Successors = (0..n_blocks).map(rung).collect();
    let graph = Graph::from_successors(&successors);
    let last = BlockId::new(n_blocks as usize - 1);
    let before = BlockId::new(n_blocks as usize - 2);
    assert_eq!(graph.immediate_dominator(last), Some(before));
    assert!(graph.dominates(BlockId::new(1), last));
    assert!(!graph.reaches_exit(last));
}

/// A chain of diamonds: earlier joins dominate later ones.
#[test]
fn joins_of_many_diamonds_have_small_frontiers() {
    let n_diamonds = 50_000_u32;
    let mut successors: Successors = Vec::new();
    for diamond in 0..n_diamonds {
        let head = 3 * diamond;
        successors.extend([vec![head + 1, head + 2], vec![head + 3], vec![head + 3]]);
    }
    successors.push(Vec::new());
    let graph = Graph::from_successors(&successors);
    let join = BlockId::new(3 * n_diamonds as usize);
    let head = BlockId::new(3 * n_diamonds as usize - 3);
    assert_eq!(graph.immediate_dominator(join), Some(head));
    assert_eq!(graph.frontier(head), []);
    assert_eq!(graph.frontier(BlockId::new(head.index() + 1)), [join]);
}
