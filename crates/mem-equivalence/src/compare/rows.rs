//! Comparison of packed nodes without unpacking them.

use super::Comparison;
use crate::contents::cut;
use crate::goal::Goal;
use crate::rows::Rows;
use crate::value::{Graph, Node, NodeId, Piece};

impl Comparison<'_> {
    /// Returns goals that hold if and only if a goal about two packed nodes holds; `None` if the
    /// nodes have to be unpacked to find such goals. O(pieces that are not unpacked).
    pub(super) fn packed_parts(&self, goal: &Goal) -> Option<Vec<[Piece; 2]>> {
        let (p, q) = goal.offsets;
        let whole = |graph: &Graph, node| graph.length(node).filter(|own| *own > 0);
        let length = whole(&self.a.graph, goal.a)?;
        let is_whole =
            whole(&self.b.graph, goal.b) == Some(length) && [length, -1].contains(&goal.length);
        let mut found = Vec::new();
        match (self.a.graph.node(goal.a), self.b.graph.node(goal.b)) {
            // A node without pieces equals only all of another one, whichever bytes are compared.
            (
                Node::Gather { from, rows },
                Node::Gather {
                    from: of,
                    rows: other,
                },
            ) if rows == other && p == q => {
                let (start, end) = rows.hull();
                found.push([*from, *of].map(|node| Piece {
                    node,
                    offset: start,
                    length: end - start,
                }));
            }
            (Node::Overlay { .. }, Node::Overlay { .. }) if is_whole => {
                self.overlay_parts([goal.a, goal.b], &mut Vec::new(), &mut found)?;
            }
            _ => return None,
        }
        Some(found)
    }

    /// Appends goals about two overlays of the same length, of which the `masked` rows do not
    /// matter. `None` as above.
    fn overlay_parts(
        &self,
        nodes: [NodeId; 2],
        masked: &mut Vec<Rows>,
        found: &mut Vec<[Piece; 2]>,
    ) -> Option<()> {
        let (of_a, of_b) = (&self.a.graph, &self.b.graph);
        let (
            Node::Overlay { base, rows, new },
            Node::Overlay {
                base: of_base,
                rows: other,
                new: of_new,
            },
        ) = (of_a.node(nodes[0]), of_b.node(nodes[1]))
        else {
            return None;
        };
        // Rows that interleave with all masked ones are compared completely.
        if rows != other || !masked.iter().all(|own| own.interleave(rows)) {
            return None;
        }
        found.push([*new, *of_new].map(|node| Piece {
            node,
            offset: 0,
            length: rows.bytes(),
        }));
        masked.push(rows.clone());
        let length = of_a.length(nodes[0])?;
        let (x, y) = (of_a.pieces(*base, length), of_b.pieces(*of_base, length));
        let mut at = 0;
        for [x, y] in aligned(&x, &y) {
            self.base_part([x, y], at, masked, found)?;
            at += x.length;
        }
        masked.pop();
        Some(())
    }

    /// Appends goals about two aligned pieces `at` bytes from the start of their overlays.
    fn base_part(
        &self,
        [x, y]: [Piece; 2],
        at: i64,
        masked: &[Rows],
        found: &mut Vec<[Piece; 2]>,
    ) -> Option<()> {
        let (of_a, of_b) = (&self.a.graph, &self.b.graph);
        match (of_a.node(x.node), of_b.node(y.node)) {
            (Node::Undefined, _) => Some(()),
            (Node::Overlay { .. }, Node::Overlay { .. })
                if !of_a.is_part_of_packed(&x) && !of_b.is_part_of_packed(&y) =>
            {
                let mut inner: Vec<Rows> = masked.iter().map(|own| own.shifted(-at)).collect();
                self.overlay_parts([x.node, y.node], &mut inner, found)
            }
            (Node::Splat { .. }, Node::Splat { .. })
            | (Node::Result(..), Node::Result(..))
            | (Node::Initial(_), Node::Initial(_)) => {
                // All bytes of these nodes are equal or none is, so one byte has to be visible.
                let hidden: i64 = masked.iter().map(Rows::bytes).sum();
                (x.length > hidden).then(|| found.push([x, y]))
            }
            _ => None,
        }
    }
}

/// Returns aligned pieces of two lists of the same total length, in order.
fn aligned(a: &[Piece], b: &[Piece]) -> Vec<[Piece; 2]> {
    let parts = cut(&[a, b]);
    parts
        .chunks_exact(2)
        .map(|pair| [pair[0], pair[1]])
        .collect()
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::SplitMix64;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::compare::testing::evaluated;
    use crate::compare::{Verdict, compare};
    use crate::contents::{Contents, along};
    use crate::linear::Linear;
    use crate::memory::Aliasing;
    use crate::program::Fingerprint;
    use crate::value::{External, Region};

    const BYTES: i64 = 256;

    fn rows(start: i64, dims: &[(i64, i64)]) -> Rows {
        let known =
            |(size, stride): &(i64, i64)| (Linear::constant(*size), Linear::constant(*stride));
        let region = Region {
            start: Linear::constant(start),
            dims: dims.iter().map(known).collect(),
            element: 4,
        };
        Rows::of(&region).expect("the region is known")
    }

    struct Random(SplitMix64);

    impl Random {
        fn below(&mut self, n: u64) -> i64 {
            (self.0.next_u64() % n) as i64
        }

        /// Rows of one of a few matrices, so that many of them interleave or coincide.
        fn rows(&mut self) -> Rows {
            let (column, columns) = (4 * self.below(4), 1 + self.below(3));
            match self.below(2) {
                0 => rows(column, &[(8, 32), (columns, 4)]),
                _ => rows(column, &[(2, 128), (4, 16), (columns, 4)]),
            }
        }

        /// Columns of a matrix of 8 rows with `bytes` bytes in total.
        fn columns(&mut self, bytes: i64) -> Rows {
            let pitch = bytes / 8;
            let first = self.below(pitch as u64 / 4);
            let n = 1 + self.below((pitch / 4 - first) as u64);
            rows(4 * first, &[(8, pitch), (n, 4)])
        }

        fn leaf(&mut self) -> usize {
            self.below(5) as usize
        }

        /// Two writes that fill their hull together.
        fn halves(&mut self) -> Vec<Write> {
            let columns = 1 + self.below(7);
            let [mut left, mut right] = [self.write(), self.write()];
            left.rows = rows(0, &[(8, 32), (columns, 4)]);
            right.rows = rows(4 * columns, &[(8, 32), (8 - columns, 4)]);
            left.parts.clear();
            right.parts.clear();
            vec![left, right]
        }

        fn write(&mut self) -> Write {
            let rows = self.rows();
            let n = if self.below(3) == 0 { 3 } else { 0 };
            let parts = (0..n).map(|_| (self.columns(rows.bytes()), self.leaf()));
            let parts = parts.collect();
            let leaf = self.leaf();
            Write { rows, leaf, parts }
        }
    }

    /// A write of rows: a leaf, columns of which are overwritten by other leaves.
    #[derive(Clone)]
    struct Write {
        rows: Rows,
        leaf: usize,
        parts: Vec<(Rows, usize)>,
    }

    /// A program's content of one storage, and the nodes that it consists of: undefined bytes, a
    /// splat, and nodes without pieces.
    struct Side {
        graph: Graph,
        leaves: Vec<NodeId>,
        contents: Contents,
    }

    impl Side {
        fn new() -> Self {
            let mut graph = Graph::default();
            let value = graph.add(Node::Integer(0));
            let mut leaves = vec![
                graph.add(Node::Undefined),
                graph.add(Node::Splat { value, element: 4 }),
            ];
            leaves.extend((0..3).map(|n| {
                graph.add(Node::Initial(External::Global {
                    name: Fingerprint(n),
                    is_constant: true,
                }))
            }));
            Self {
                graph,
                leaves,
                contents: Contents::default(),
            }
        }

        fn write(&mut self, own: &Write, is_packed: bool) {
            let bytes = own.rows.bytes();
            let mut part = Contents::default();
            self.write_to(&mut part, &Rows::dense(bytes), own.leaf, is_packed);
            for (rows, leaf) in &own.parts {
                self.write_to(&mut part, rows, *leaf, is_packed);
            }
            let pieces = part.read(&mut self.graph, 0, bytes);
            let new = self.graph.sequence(pieces);
            if !is_packed || !self.contents.overlay(&mut self.graph, &own.rows, new) {
                let pieces = self.graph.pieces(new, bytes);
                self.contents.write_all(along(&own.rows.runs(), &pieces));
            }
        }

        fn write_to(&mut self, to: &mut Contents, rows: &Rows, leaf: usize, is_packed: bool) {
            let piece = Piece {
                node: self.leaves[leaf],
                offset: 0,
                length: rows.bytes(),
            };
            let new = self.graph.sequence([piece]);
            if !is_packed || !to.overlay(&mut self.graph, rows, new) {
                to.write_all(along(&rows.runs(), &[piece]));
            }
        }

        fn all(&mut self) -> NodeId {
            let pieces = self.contents.read(&mut self.graph, 0, BYTES);
            self.graph.concatenation(pieces)
        }

        /// Each byte: the leaf, and the offset in it.
        fn bytes(&self, node: NodeId, length: i64) -> Vec<(usize, i64)> {
            let mut bytes = Vec::new();
            for piece in self.graph.flat(node, 0, length) {
                // A single element of a splat is its value.
                let leaf = match self.graph.node(piece.node) {
                    Node::Integer(_) => Some(1),
                    _ => self.leaves.iter().position(|own| *own == piece.node),
                };
                let leaf = leaf.expect("the pieces of contents are leaves");
                bytes.extend(
                    (piece.offset..piece.offset + piece.length).map(|at| match leaf {
                        0 => (leaf, 0),
                        1 => (leaf, at % 4),
                        _ => (leaf, at),
                    }),
                );
            }
            bytes
        }
    }

    /// Two storages with the same initial content or another one.
    fn initial_sides(random: &mut Random) -> [Side; 2] {
        let [mut a, mut b] = [Side::new(), Side::new()];
        // The other program has nodes of its own.
        b.graph.add(Node::Integer(1));
        let first = random.leaf();
        let whole = Piece {
            node: a.leaves[first],
            offset: 0,
            length: BYTES,
        };
        a.contents.write(0, &[whole]);
        let other = match first == 0 || random.below(4) == 0 {
            true => random.leaf(),
            false => first,
        };
        let node = b.leaves[other];
        b.contents.write(0, &[Piece { node, ..whole }]);
        [a, b]
    }

    /// Writes to both storages, in the same, a similar or another way.
    fn write_both(random: &mut Random, [a, b]: &mut [Side; 2]) {
        let writes: Vec<Write> = match random.below(4) {
            0 => random.halves(),
            _ => (0..1 + random.below(4)).map(|_| random.write()).collect(),
        };
        let mut theirs = writes.clone();
        match random.below(4) {
            0 => theirs.reverse(),
            1 => {
                let index = random.below(theirs.len() as u64) as usize;
                theirs[index].leaf = random.leaf();
            }
            _ => {}
        }
        writes.iter().for_each(|own| a.write(own, true));
        let is_packed = random.below(2) > 0;
        theirs.iter().for_each(|own| b.write(own, is_packed));
    }

    /// The nodes to compare, and their length: all of both storages, or the same part of them.
    fn compared(random: &mut Random, sides: &mut [Side; 2]) -> ([NodeId; 2], i64) {
        let mut nodes = sides.each_mut().map(Side::all);
        if random.below(4) > 0 {
            return (nodes, BYTES);
        }
        // Parts of packed nodes are compared as well.
        let offset = random.below(BYTES as u64);
        let length = 1 + random.below((BYTES - offset) as u64);
        for (side, node) in sides.iter_mut().zip(&mut nodes) {
            let part = match side.graph.is_packed(*node) {
                true => vec![Piece {
                    node: *node,
                    offset,
                    length,
                }],
                false => side.graph.part(*node, offset, length),
            };
            *node = side.graph.concatenation(part);
        }
        (nodes, length)
    }

    /// Two storages written in the same, a similar or another way are equal exactly if their bytes
    /// are.
    #[test]
    fn packed_contents_are_equal_exactly_if_their_bytes_are() {
        let mut random = Random(SplitMix64::seed_from_u64(5));
        let (mut n_equal, mut n_different) = (0, 0);
        for round in 0..4000 {
            let mut sides = initial_sides(&mut random);
            write_both(&mut random, &mut sides);
            let ([x, y], length) = compared(&mut random, &mut sides);
            let [a, b] = sides;
            let (of_a, of_b) = (a.bytes(x, length), b.bytes(y, length));
            let is_equal = of_a.iter().zip(&of_b).all(|(x, y)| x.0 == 0 || x == y);
            let (x, y) = (evaluated(a.graph, x), evaluated(b.graph, y));
            match compare(&x, &y, &Aliasing::default()) {
                Verdict::Equal => assert!(is_equal, "{round}: {of_a:?} {of_b:?}"),
                Verdict::Different(_) => assert!(!is_equal, "{round}: {of_a:?} {of_b:?}"),
                Verdict::Unknown(_, why) => panic!("{round}: {why}"),
            }
            n_equal += usize::from(is_equal);
            n_different += usize::from(!is_equal);
        }
        assert!(
            n_equal > 1000 && n_different > 500,
            "{n_equal} {n_different}"
        );
    }
}
