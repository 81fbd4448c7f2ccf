//! Contents of one storage: a map from addresses to pieces of nodes.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::value::{Graph, Node, NodeId, Piece};

/// Bytes by address. Bytes that no piece covers were never written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    /// Pairwise disjoint pieces, keyed by the address of their first byte.
    pieces: BTreeMap<i64, Piece>,
}

/// Number of pieces from which a bulk write is faster than writing one piece at a time.
const MANY: usize = 16;

impl Contents {
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Iterates over all pieces in address order.
    pub fn iter(&self) -> impl Iterator<Item = (i64, &Piece)> {
        self.pieces.iter().map(|(start, piece)| (*start, piece))
    }

    /// Returns the pieces in `[start, start + length)`, clipped to that range, with undefined bytes
    /// in the gaps. O(log n + pieces).
    pub fn read(&self, graph: &mut Graph, start: i64, length: i64) -> Vec<Piece> {
        let mut found = Vec::new();
        self.read_to(&mut found, graph, start, length);
        found
    }

    /// Like [`Self::read`], but appends to `found`.
    pub fn read_to(&self, found: &mut Vec<Piece>, graph: &mut Graph, start: i64, length: i64) {
        let end = start.saturating_add(length);
        let undefined = graph.add(Node::Undefined);
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
    }

    /// Removes the bytes in `[start, start + length)`.
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
        while let Some((own, piece)) = self.pieces.range(start..end).next() {
            let (own, piece) = (*own, *piece);
            self.pieces.remove(&own);
            self.insert_rest(own, piece, end);
        }
    }

    fn insert(&mut self, start: i64, piece: Piece) {
        if piece.length > 0 {
            self.pieces.insert(start, piece);
        }
    }

    /// Inserts the part of a piece at address `start` that lies at or after address `end`.
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

    /// Writes consecutive pieces from address `start` on. O(pieces * log n).
    pub fn write(&mut self, start: i64, pieces: &[Piece]) {
        let length: i64 = pieces.iter().map(|piece| piece.length).sum();
        // Fast paths: most writes cover only unwritten bytes, or replace exactly one piece.
        let mut last = self.pieces.range_mut(..start.saturating_add(length));
        match (last.next_back(), pieces) {
            (None, _) => {}
            (Some((own, before)), _) if own + before.length <= start => {}
            (Some((own, before)), [piece]) if (*own, before.length) == (start, length) => {
                *before = *piece;
                return;
            }
            _ => self.clear(start, length),
        }
        let mut at = start;
        for piece in pieces {
            self.insert(at, *piece);
            at += piece.length;
        }
    }

    /// Writes pieces by address; later pieces overwrite earlier ones. O(m log n) for few pieces or
    /// overlapping ones, O(n + m log m) for many disjoint ones, where m is the number of new
    /// pieces.
    pub fn write_all(&mut self, new: &[(i64, Piece)]) {
        let mut sorted: Vec<(i64, Piece)> =
            new.iter().filter(|own| own.1.length > 0).copied().collect();
        sorted.sort_by_key(|(start, _)| *start);
        let is_disjoint = sorted
            .windows(2)
            .all(|pair| pair[0].0 + pair[0].1.length <= pair[1].0);
        let (Some(first), Some(last), true) = (
            sorted.first(),
            sorted.last(),
            is_disjoint && sorted.len() >= MANY,
        ) else {
            for (start, piece) in new {
                self.write(*start, &[*piece]);
            }
            return;
        };
        let (low, high) = (first.0, last.0 + last.1.length);
        self.split(low);
        self.split(high);
        let mut old = self.pieces.split_off(&low);
        let mut behind = old.split_off(&high);
        let mut merged = between(&old, &sorted);
        merged.extend(sorted);
        merged.sort_by_key(|(start, _)| *start);
        self.pieces.append(&mut merged.into_iter().collect());
        self.pieces.append(&mut behind);
    }

    /// Splits the piece that spans address `at`, if one does.
    fn split(&mut self, at: i64) {
        let before = self.pieces.range_mut(..at).next_back();
        if let Some((start, piece)) = before
            && start + piece.length > at
        {
            let (start, whole) = (*start, *piece);
            piece.length = at - start;
            self.insert_rest(start, whole, at);
        }
    }
}

/// Returns the parts of the old pieces that no new piece covers. Both inputs are sorted by first
/// byte and disjoint. O(n + m).
fn between(old: &BTreeMap<i64, Piece>, new: &[(i64, Piece)]) -> Vec<(i64, Piece)> {
    let mut left = Vec::new();
    let mut next = new.iter().peekable();
    // Largest end of the new pieces that begin before the current position.
    let mut covered = i64::MIN;
    for (start, piece) in old {
        let end = start + piece.length;
        let mut at = covered.max(*start);
        let mut keep = |from: i64, to: i64| {
            if from < to {
                let part = Piece {
                    offset: piece.offset + (from - start),
                    length: to - from,
                    ..*piece
                };
                left.push((from, part));
            }
        };
        while let Some((first, own)) = next.next_if(|(first, _)| *first < end) {
            keep(at, *first);
            covered = first + own.length;
            at = covered.max(at);
        }
        keep(at, end);
    }
    left
}

fn gap(undefined: NodeId, length: i64) -> Piece {
    Piece {
        node: undefined,
        offset: 0,
        length,
    }
}

/// Splits piece lists of the same total length at the boundaries of all of them. The result holds,
/// for each part, one piece per list, in list order. O(pieces * lists).
pub(crate) fn cut(lists: &[&[Piece]]) -> Vec<Piece> {
    let mut rests: Vec<(usize, i64)> = vec![(0, 0); lists.len()];
    let mut parts = Vec::new();
    loop {
        let left = |(list, (index, used)): (&&[Piece], &(usize, i64))| {
            list.get(*index).map(|piece| piece.length - used)
        };
        let Some(length) = lists.iter().zip(&rests).map(left).min().flatten() else {
            return parts;
        };
        for (list, (index, used)) in lists.iter().zip(&mut rests) {
            let piece = list[*index];
            parts.push(Piece {
                offset: piece.offset + *used,
                length,
                ..piece
            });
            *used += length;
            if *used == piece.length {
                (*index, *used) = (*index + 1, 0);
            }
        }
    }
}

/// Returns the pairs of aligned pieces of two lists of the same total length. Pairs of the same two
/// nodes that continue each other are coalesced. O(pieces).
pub(crate) fn pairs(a: &[Piece], b: &[Piece]) -> Vec<[Piece; 2]> {
    let mut found: Vec<[Piece; 2]> = Vec::new();
    let mut last: FxHashMap<(NodeId, NodeId, i64), usize> = FxHashMap::default();
    for pair in cut(&[a, b]).chunks_exact(2) {
        let (x, y) = (pair[0], pair[1]);
        let number = last
            .entry((x.node, y.node, x.offset.wrapping_sub(y.offset)))
            .or_insert(found.len());
        match found.get_mut(*number) {
            Some([own, theirs]) if own.offset + own.length == x.offset => {
                own.length += x.length;
                theirs.length += y.length;
            }
            _ => {
                *number = found.len();
                found.push([x, y]);
            }
        }
    }
    found
}

/// Distributes consecutive pieces over runs `(first byte, bytes)` of the same total length. Returns
/// each part with the address of its first byte. O(runs + pieces).
pub(crate) fn along(runs: &[(i64, i64)], pieces: &[Piece]) -> Vec<(i64, Piece)> {
    let mut rest = pieces.iter().copied();
    let mut next = rest.next();
    let mut cut = Vec::with_capacity(runs.len());
    for (start, length) in runs {
        let mut left = *length;
        while left > 0 {
            let Some(piece) = next else { break };
            let taken = piece.length.min(left);
            let own = Piece {
                length: taken,
                ..piece
            };
            cut.push((*start + length - left, own));
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
    }
    cut
}

/// Returns the bytes `[start, start + length)` of consecutive pieces.
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
            (8, piece(n[0], 0, 4)),
            (32, piece(n[0], 4, 2)),
            (34, piece(n[1], 2, 6)),
        ];
        assert_eq!(cut, expected);
    }

    /// Compares the contents byte by byte with an array.
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
            let (mut contents, mut bytes) = (Contents::default(), vec![None; 512]);
            for node in &n {
                let mut new = Vec::new();
                match random(3) {
                    0 => new.push((random(480), piece(*node, 0, random(16)))),
                    // Rows, some of which overlap.
                    kind => {
                        let (start, stride) = (random(64), 1 + random(16));
                        let length = if kind == 1 {
                            random(stride as u64 + 1)
                        } else {
                            3
                        };
                        let row = |row| (start + row * stride, piece(*node, row * 100, length));
                        new.extend((0..12 + random(12)).map(row));
                    }
                }
                for (start, own) in &new {
                    for at in 0..own.length {
                        bytes[(start + at) as usize] = Some((*node, own.offset + at));
                    }
                }
                contents.write_all(&new);
            }
            let undefined = graph.add(Node::Undefined);
            let read = contents.read(&mut graph, 0, 512);
            let each = read.iter().flat_map(|own| {
                (0..own.length)
                    .map(move |at| (own.node != undefined).then_some((own.node, own.offset + at)))
            });
            assert_eq!(each.collect::<Vec<_>>(), bytes);
        }
    }
}
