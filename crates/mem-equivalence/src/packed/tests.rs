//! Tests of packed nodes.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;
use crate::linear::Linear;
use crate::program::Fingerprint;
use crate::value::{External, Region};

fn node(graph: &mut Graph, n: u32) -> NodeId {
    let name = Fingerprint(n);
    graph.add(Node::Initial(External::Global {
        name,
        is_constant: true,
    }))
}

fn rows(start: i64, dims: &[(i64, i64)], element: i64) -> Rows {
    let known = |(size, stride): &(i64, i64)| (Linear::constant(*size), Linear::constant(*stride));
    let region = Region {
        start: Linear::constant(start),
        dims: dims.iter().map(known).collect(),
        element,
    };
    Rows::of(&region).expect("the region is known")
}

fn all(node: NodeId, length: i64) -> Piece {
    Piece {
        node,
        offset: 0,
        length,
    }
}

#[test]
fn columns_of_a_concatenation_are_one_piece() {
    let mut graph = Graph::default();
    let [a, b] = [1, 2].map(|n| node(&mut graph, n));
    let mut contents = Contents::default();
    let [left, right] = [0, 8].map(|start| rows(start, &[(100, 16)], 8));
    assert!(contents.overlay(&mut graph, &left, a));
    assert!(contents.overlay(&mut graph, &right, b));
    assert_eq!(contents.iter().count(), 1);
    let of_a = contents.gathered(&mut graph, &left);
    let of_b = contents.gathered(&mut graph, &right);
    let expected = [a, b].map(|own| Some(graph.sequence([all(own, 800)])));
    assert_eq!([of_a, of_b], expected);
}

#[test]
fn rows_written_again_replace_the_earlier_ones() {
    let mut graph = Graph::default();
    let [a, b, c] = [1, 2, 3].map(|n| node(&mut graph, n));
    let [left, right] = [0, 8].map(|start| rows(start, &[(100, 16)], 8));
    let mut once = Contents::default();
    once.write(0, &[all(c, 1600)]);
    let mut twice = once.clone();
    for (own, new) in [(&right, b), (&left, a)] {
        assert!(once.overlay(&mut graph, own, new));
    }
    for (own, new) in [(&left, c), (&right, b), (&left, a)] {
        assert!(twice.overlay(&mut graph, own, new));
    }
    let read = |graph: &mut Graph, own: &Contents| {
        let pieces = own.read(graph, 0, 1600);
        let node = graph.sequence(pieces);
        graph.flat(node, 0, 1600)
    };
    assert_eq!(read(&mut graph, &once), read(&mut graph, &twice));
}

#[test]
fn writing_back_creates_no_overlay() {
    let mut graph = Graph::default();
    let a = node(&mut graph, 1);
    let mut contents = Contents::default();
    contents.write(0, &[all(a, 400)]);
    let own = rows(8, &[(20, 16)], 8);
    let read = contents.gathered(&mut graph, &own).expect("one piece");
    assert!(contents.overlay(&mut graph, &own, read));
    assert_eq!(contents.read(&mut graph, 0, 400), [all(a, 400)]);
}

#[test]
fn overlapping_overlays_are_no_concatenation() {
    let mut graph = Graph::default();
    let nodes = [1, 2, 3, 4].map(|n| node(&mut graph, n));
    let mut contents = Contents::default();
    contents.write(0, &[all(nodes[3], 800)]);
    // Columns 0, 3, and 0 and 1: as many bytes as there are, but column 2 is not overwritten.
    for ((start, bytes), new) in [(0, 2), (6, 2), (0, 4)].into_iter().zip(nodes) {
        assert!(contents.overlay(&mut graph, &rows(start, &[(100, 8)], bytes), new));
    }
    let [(_, only)] = contents.iter().collect::<Vec<_>>()[..] else {
        panic!("the overlays are one piece");
    };
    assert_eq!(graph.layers(only.node, &Rows::dense(800)), None);
}

#[test]
fn overlays_are_not_nested_without_limit() {
    let mut graph = Graph::default();
    let mut contents = Contents::default();
    let is_packed = (0..200).map(|n| {
        let new = node(&mut graph, u32::try_from(n).unwrap_or(0));
        contents.overlay(&mut graph, &rows(4 * n, &[(8, 4096)], 4), new)
    });
    let n_packed = is_packed.filter(|own| *own).count();
    assert_eq!(n_packed, MAX_DEPTH as usize);
}

const BYTES: i64 = 512;

/// The same bytes three times: packed, as pieces, and one by one.
struct Copies {
    graph: Graph,
    packed: Contents,
    flat: Contents,
    /// Node and offset of each byte; the offset in an element for the splat.
    bytes: Vec<(NodeId, i64)>,
    /// What the bytes are at first.
    splat: NodeId,
}

impl Copies {
    fn new() -> Self {
        let mut graph = Graph::default();
        let value = node(&mut graph, 1000);
        let splat = graph.add(Node::Splat { value, element: 4 });
        let mut contents = Contents::default();
        contents.write(0, &[all(splat, BYTES)]);
        Self {
            graph,
            packed: contents.clone(),
            flat: contents,
            bytes: (0..BYTES).map(|at| (splat, at % 4)).collect(),
            splat,
        }
    }

    fn bytes_of(&self, pieces: &[Piece]) -> Vec<(NodeId, i64)> {
        let each = pieces.iter().flat_map(|piece| {
            let is_splat = piece.node == self.splat;
            let bytes = piece.offset..piece.offset + piece.length;
            bytes.map(move |at| (piece.node, if is_splat { at % 4 } else { at }))
        });
        each.collect()
    }

    /// Compares rows in both forms. Returns whether the packed rows are one node.
    fn check_rows(&mut self, rows: &Rows) -> bool {
        let read = |graph: &mut Graph, contents: &Contents| {
            let mut pieces = Vec::new();
            for (start, length) in rows.runs() {
                contents.read_to(&mut pieces, graph, start, length);
            }
            graph.sequence(pieces)
        };
        let expected = read(&mut self.graph, &self.flat);
        let gathered = self.packed.gathered(&mut self.graph, rows);
        let found = gathered.unwrap_or_else(|| read(&mut self.graph, &self.packed));
        let [found, expected] = [found, expected].map(|node| {
            let pieces = self.graph.flat(node, 0, rows.bytes());
            self.graph.joined(pieces)
        });
        assert_eq!(found, expected);
        gathered.is_some()
    }

    /// Overwrites rows in all forms. Returns whether the packed rows are one node.
    fn write(&mut self, rows: &Rows, new: NodeId) -> bool {
        let (runs, pieces) = (rows.runs(), self.graph.flat(new, 0, rows.bytes()));
        let mut each = self.bytes_of(&pieces).into_iter();
        for at in runs
            .iter()
            .flat_map(|(start, length)| *start..start + length)
        {
            self.bytes[at as usize] = each.next().expect("as many bytes as rows have");
        }
        self.flat.write_all(along(&runs, &pieces));
        let is_packed = self.packed.overlay(&mut self.graph, rows, new);
        if !is_packed {
            let pieces = self.graph.pieces(new, rows.bytes());
            self.packed.write_all(along(&runs, &pieces));
        }
        is_packed
    }

    fn check_all(&mut self) {
        let pieces = self.packed.read(&mut self.graph, 0, BYTES);
        let all = self.graph.sequence(pieces);
        let read = self.graph.flat(all, 0, BYTES);
        assert_eq!(self.bytes_of(&read), self.bytes);
    }
}

/// Compares random writes and reads of rows with an array of bytes, and the normal form of what is
/// read with that of contents that are never packed.
#[test]
fn packed_contents_are_those_of_an_array() {
    let mut source = SplitMix64::seed_from_u64(0x1234_5678);
    let mut random = |below: u64| (source.next_u64() % below) as i64;
    let (mut n_gathered, mut n_overlaid) = (0, 0);
    for _ in 0..400 {
        let mut copies = Copies::new();
        for step in 0..12 {
            // Rows of the same two matrices, so that some of them interleave.
            let pitch = [32, 48][random(2) as usize];
            let dims = match random(3) {
                0 => vec![(1 + random(8), pitch), (1 + random(3), 4)],
                1 => vec![(2, pitch * 4), (1 + random(3), pitch), (1 + random(3), 8)],
                _ => vec![(1 + random(3), 4), (1 + random(8), pitch)],
            };
            let own = rows(4 * random(12), &dims, 4);
            if own.hull().1 > BYTES || own.in_address_order().is_none() {
                continue;
            }
            if random(3) == 0 {
                n_gathered += usize::from(copies.check_rows(&own));
                continue;
            }
            // Some of what is written was read from the storage itself.
            let read = match random(4) {
                0 => copies.packed.gathered(&mut copies.graph, &own),
                _ => None,
            };
            let new = read.unwrap_or_else(|| node(&mut copies.graph, step));
            n_overlaid += usize::from(copies.write(&own, new));
        }
        copies.check_all();
    }
    assert!(
        n_gathered > 100 && n_overlaid > 1000,
        "{n_gathered} {n_overlaid}"
    );
}
