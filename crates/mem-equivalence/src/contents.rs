//! What the bytes of one storage hold.

use std::collections::BTreeMap;

use crate::value::{Graph, Node, NodeId, Piece};

/// Bytes by address; those that are missing were never written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    /// By first byte; disjoint.
    pieces: BTreeMap<i64, Piece>,
}

impl Contents {
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// All pieces, by first byte.
    pub fn iter(&self) -> impl Iterator<Item = (i64, &Piece)> {
        self.pieces.iter().map(|(start, piece)| (*start, piece))
    }

    /// The pieces in `[start, start + length)`, cut to it, with undefined bytes between them. O(log n + pieces).
    pub fn read(&self, graph: &mut Graph, start: i64, length: i64) -> Vec<Piece> {
        let end = start.saturating_add(length);
        let undefined = graph.add(Node::Undefined);
        let mut found = Vec::new();
        let mut at = start;
        let before = self.pieces.range(..start).next_back();
        let from = before.filter(|(own, piece)| **own + piece.length > start);
        let first = from.map_or(start, |(own, _)| *own);
        for (own, piece) in self.pieces.range(first..end) {
            if *own > at {
                found.push(gap(undefined, *own - at));
                at = *own;
            }
            let until = (own + piece.length).min(end);
            found.push(Piece {
                offset: piece.offset + (at - own),
                length: until - at,
                ..*piece
            });
            at = until;
        }
        if at < end {
            found.push(gap(undefined, end - at));
        }
        found
    }

    /// Makes room for what is written to `[start, start + length)`.
    fn clear(&mut self, start: i64, length: i64) {
        let end = start.saturating_add(length);
        let before = self.pieces.range(..start).next_back();
        if let Some((own, piece)) = before.map(|(own, piece)| (*own, *piece))
            && own + piece.length > start
        {
            self.insert(
                own,
                Piece {
                    length: start - own,
                    ..piece
                },
            );
            self.insert_rest(own, piece, end);
        }
        let inside: Vec<(i64, Piece)> = self
            .pieces
            .range(start..end)
            .map(|(own, piece)| (*own, *piece))
            .collect();
        for (own, piece) in inside {
            self.pieces.remove(&own);
            self.insert_rest(own, piece, end);
        }
    }

    fn insert(&mut self, start: i64, piece: Piece) {
        if piece.length > 0 {
            self.pieces.insert(start, piece);
        }
    }

    /// What of a piece lies behind `end`.
    fn insert_rest(&mut self, start: i64, piece: Piece, end: i64) {
        let cut = end - start;
        if piece.length > cut {
            let rest = Piece {
                offset: piece.offset + cut,
                length: piece.length - cut,
                ..piece
            };
            self.insert(end, rest);
        }
    }

    /// Writes pieces one after the other from `start` on. O(pieces log n).
    pub fn write(&mut self, start: i64, pieces: &[Piece]) {
        let length = pieces.iter().map(|piece| piece.length).sum();
        self.clear(start, length);
        let mut at = start;
        for piece in pieces {
            self.insert(at, *piece);
            at += piece.length;
        }
    }
}

fn gap(undefined: NodeId, length: i64) -> Piece {
    Piece {
        node: undefined,
        offset: 0,
        length,
    }
}

/// Lists of pieces cut at the same places: by part of equal length, one piece of each list. They have the same length.
pub(crate) fn cut(lists: &[Vec<Piece>]) -> Vec<Vec<Piece>> {
    let mut rests: Vec<(usize, i64)> = vec![(0, 0); lists.len()];
    let mut parts = Vec::new();
    loop {
        let left = |(list, (index, used)): (&Vec<Piece>, &(usize, i64))| {
            list.get(*index).map(|piece| piece.length - used)
        };
        let Some(length) = lists.iter().zip(&rests).map(left).min().flatten() else {
            return parts;
        };
        let mut part = Vec::new();
        for (list, (index, used)) in lists.iter().zip(&mut rests) {
            let piece = list[*index];
            part.push(Piece {
                offset: piece.offset + *used,
                length,
                ..piece
            });
            *used += length;
            if *used == piece.length {
                (*index, *used) = (*index + 1, 0);
            }
        }
        parts.push(part);
    }
}

/// Pieces one after the other, cut to runs `(first byte, bytes)`: by run, its first byte and its pieces. They have the same length.
/// O(runs + pieces).
pub(crate) fn along(runs: &[(i64, i64)], pieces: &[Piece]) -> Vec<(i64, Vec<Piece>)> {
    let mut rest = pieces.iter().copied();
    let mut next = rest.next();
    let mut cut = Vec::with_capacity(runs.len());
    for (start, length) in runs {
        let (mut left, mut own) = (*length, Vec::new());
        while left > 0 {
            let Some(piece) = next else { break };
            let taken = piece.length.min(left);
            own.push(Piece {
                length: taken,
                ..piece
            });
            left -= taken;
            next = match piece.length - taken {
                0 => rest.next(),
                length => Some(Piece {
                    offset: piece.offset + taken,
                    length,
                    ..piece
                }),
            };
        }
        cut.push((*start, own));
    }
    cut
}

/// The part `[start, start + length)` of pieces one after the other.
pub(crate) fn part(pieces: &[Piece], start: i64, length: i64) -> Vec<Piece> {
    let (mut at, mut found) = (0, Vec::new());
    for piece in pieces {
        let (from, to) = (start.max(at), (start + length).min(at + piece.length));
        if from < to {
            found.push(Piece {
                offset: piece.offset + from - at,
                length: to - from,
                ..*piece
            });
        }
        at += piece.length;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Fingerprint;
    use crate::value::External;

    fn nodes(graph: &mut Graph, n: u32) -> Vec<NodeId> {
        let global = |n| External::Global {
            name: Fingerprint(n),
            is_constant: false,
        };
        (0..n)
            .map(|n| graph.add(Node::Initial(global(n))))
            .collect()
    }

    fn piece(node: NodeId, offset: i64, length: i64) -> Piece {
        Piece {
            node,
            offset,
            length,
        }
    }

    #[test]
    fn what_is_overwritten_in_the_middle_stays_on_both_sides() {
        let mut graph = Graph::default();
        let n = nodes(&mut graph, 2);
        let mut contents = Contents::default();
        contents.write(0, &[piece(n[0], 0, 16)]);
        contents.write(4, &[piece(n[1], 0, 8)]);
        let expected = vec![piece(n[0], 0, 4), piece(n[1], 0, 8), piece(n[0], 12, 4)];
        assert_eq!(contents.read(&mut graph, 0, 16), expected);
        assert_eq!(
            contents.read(&mut graph, 8, 6),
            [piece(n[1], 4, 4), piece(n[0], 12, 2)]
        );
    }

    #[test]
    fn what_was_never_written_is_undefined() {
        let mut graph = Graph::default();
        let n = nodes(&mut graph, 1);
        let mut contents = Contents::default();
        contents.write(8, &[piece(n[0], 0, 4)]);
        let undefined = graph.add(Node::Undefined);
        let read = contents.read(&mut graph, 4, 12);
        assert_eq!(
            read,
            [gap(undefined, 4), piece(n[0], 0, 4), gap(undefined, 4)]
        );
    }

    #[test]
    fn pieces_are_cut_to_runs() {
        let mut graph = Graph::default();
        let n = nodes(&mut graph, 2);
        let cut = along(&[(8, 4), (32, 8)], &[piece(n[0], 0, 6), piece(n[1], 2, 6)]);
        let expected = [
            (8, vec![piece(n[0], 0, 4)]),
            (32, vec![piece(n[0], 4, 2), piece(n[1], 2, 6)]),
        ];
        assert_eq!(cut, expected);
    }

    /// Byte by byte, against an array.
    #[test]
    fn random_writes_leave_what_an_array_would_hold() {
        let mut graph = Graph::default();
        let n = nodes(&mut graph, 40);
        let mut state = 0x9e37_79b9_u64;
        let mut random = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) % below) as i64
        };
        for _ in 0..200 {
            let (mut contents, mut bytes) = (Contents::default(), vec![None; 64]);
            for node in &n {
                let (start, length) = (random(48), random(16));
                contents.write(start, &[piece(*node, 0, length)]);
                for at in 0..length {
                    bytes[(start + at) as usize] = Some((*node, at));
                }
            }
            let undefined = graph.add(Node::Undefined);
            let read = contents.read(&mut graph, 0, 64);
            let each = read.iter().flat_map(|own| {
                (0..own.length)
                    .map(move |at| (own.node != undefined).then_some((own.node, own.offset + at)))
            });
            assert_eq!(each.collect::<Vec<_>>(), bytes);
        }
    }
}
