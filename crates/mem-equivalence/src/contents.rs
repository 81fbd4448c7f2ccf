//! Contents of one storage: a map from addresses to pieces of nodes.
//!
//! A view with many rows is written as many pieces at once, and a later write usually replaces all
//! of them, or none. Pieces written together therefore form one strip, an immutable array that the
//! map holds under its first address; a write cuts the strips that it overlaps by moving their
//! bounds. Without strips, a write of m rows to an arena that holds n pieces took O(n + m).

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::address_map::AddressMap;
use crate::value::{Graph, NodeId, Piece};

/// Bytes by address. Bytes that no piece covers were never written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    /// Strips with disjoint bounds, keyed by their first address.
    strips: AddressMap<Strip>,
}

/// The bytes from a key of [`Contents::strips`] to an end address.
#[derive(Clone, Debug)]
struct Strip {
    end: i64,
    pieces: Pieces,
}

impl Strip {
    /// Whether two strips with the same first address are known to have the same pieces. O(1).
    fn is(&self, other: &Self) -> bool {
        self.end == other.end
            && match (&self.pieces, &other.pieces) {
                (Pieces::One(own), Pieces::One(theirs)) => own == theirs,
                (Pieces::Many(own), Pieces::Many(theirs)) => Rc::ptr_eq(own, theirs),
                _ => false,
            }
    }
}

/// The pieces of a strip with the addresses of their first bytes, in ascending order and disjoint.
/// They can extend beyond the bounds of the strip, where they are overwritten.
#[derive(Clone, Debug)]
enum Pieces {
    One((i64, Piece)),
    Many(Rc<Vec<(i64, Piece)>>),
}

impl Pieces {
    fn all(&self) -> &[(i64, Piece)] {
        match self {
            Self::One(piece) => std::slice::from_ref(piece),
            Self::Many(pieces) => pieces,
        }
    }
}

/// Returns the pieces that have bytes in `[start, end)`, clipped to it. The pieces are given with
/// the addresses of their first bytes, in ascending order and disjoint. O(log n + pieces).
pub(crate) fn within(
    all: &[(i64, Piece)],
    start: i64,
    end: i64,
) -> impl Iterator<Item = (i64, Piece)> {
    let first = all.partition_point(|(own, piece)| own + piece.length <= start);
    // Of known length, so that those who collect many pieces allocate once.
    let n = all[first..].partition_point(|(own, _)| *own < end);
    let some = all[first..first + n].iter();
    some.map(move |(own, piece)| {
        let (from, to) = (start.max(*own), end.min(own + piece.length));
        let part = Piece {
            offset: piece.offset + (from - own),
            length: to - from,
            ..*piece
        };
        (from, part)
    })
}

impl PartialEq for Contents {
    /// Compares the pieces, however they are grouped into strips.
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Contents {}

/// Number of pieces from which a bulk write is faster than writing one piece at a time.
const MANY: usize = 16;

impl Contents {
    pub(crate) fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Iterates over all pieces in address order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i64, Piece)> {
        let strips = self.strips.iter();
        strips.flat_map(|(start, strip)| within(strip.pieces.all(), start, strip.end))
    }

    /// The pieces that have bytes in `[start, end)`, clipped to it, in address order. O(log n +
    /// pieces).
    pub(crate) fn within(&self, start: i64, end: i64) -> impl Iterator<Item = (i64, Piece)> {
        let before = self.strips.last_to(start);
        let from = before.filter(|(_, strip)| strip.end > start);
        let first = from.map_or(start, |(own, _)| own);
        let strips = self.strips.range(first, end);
        strips.flat_map(move |(own, strip)| {
            within(strip.pieces.all(), start.max(own), end.min(strip.end))
        })
    }

    /// Returns the piece that has the byte at an address, with the address of its first byte. O(log
    /// n).
    pub(crate) fn at(&self, address: i64) -> Option<(i64, Piece)> {
        let (start, strip) = self.strips.last_to(address)?;
        let all = strip.pieces.all();
        let first = all.partition_point(|(own, piece)| own + piece.length <= address);
        let mut piece = within(all.get(first..first + 1)?, start, strip.end);
        piece.find(|(own, piece)| (*own..own + piece.length).contains(&address))
    }

    /// Returns the pieces in `[start, start + length)`, clipped to that range, with undefined bytes
    /// in the gaps. O(log n + pieces).
    pub(crate) fn read(&self, graph: &mut Graph, start: i64, length: i64) -> Vec<Piece> {
        let mut found = Vec::new();
        self.read_to(&mut found, graph, start, length);
        found
    }

    /// Like [`Self::read`], but appends to `found`.
    pub(crate) fn read_to(
        &self,
        found: &mut Vec<Piece>,
        graph: &mut Graph,
        start: i64,
        length: i64,
    ) {
        let end = start.saturating_add(length);
        let mut at = start;
        for (own, piece) in self.within(start, end) {
            if own > at {
                found.push(graph.gap(own - at));
            }
            found.push(piece);
            at = own + piece.length;
        }
        if at < end {
            found.push(graph.gap(end - at));
        }
    }

    /// Adds the ranges `[start, end)` of all strips of either that are not strips of both, so that any bytes that
    /// differ are in one of them. O(strips).
    pub(crate) fn differing(&self, other: &Self, found: &mut Vec<(i64, i64)>) {
        let mut own = self.strips.iter().peekable();
        let mut theirs = other.strips.iter().peekable();
        loop {
            let (a, b) = (own.peek(), theirs.peek());
            let is_same = a.zip(b).is_some_and(|(a, b)| a.0 == b.0 && a.1.is(b.1));
            let is_first = b.is_none_or(|b| a.is_some_and(|a| a.0 <= b.0));
            let next = match is_first {
                true => own.next(),
                false => theirs.next(),
            };
            let Some((start, strip)) = next else { break };
            if is_same {
                theirs.next();
            } else {
                found.push((start, strip.end));
            }
        }
    }

    /// Removes the bytes in `[start, end)`. O(log n) for each strip that has some of them.
    pub(crate) fn clear(&mut self, start: i64, end: i64) {
        if end <= start {
            return;
        }
        let before = self.strips.last_before_mut(start);
        if let Some(strip) = before.filter(|strip| strip.end > start) {
            let rest = strip.clone();
            strip.end = start;
            self.insert_rest(rest, end);
        }
        while let Some(strip) = self.strips.remove_first(start, end) {
            self.insert_rest(strip, end);
        }
    }

    /// Inserts the part of a strip at or after address `start`, if there is any.
    fn insert_rest(&mut self, strip: Strip, start: i64) {
        if strip.end > start {
            self.strips.insert(start, strip);
        }
    }

    /// Writes one piece. O(log n).
    fn write_piece(&mut self, start: i64, piece: Piece) {
        let end = start.saturating_add(piece.length);
        self.clear(start, end);
        if piece.length > 0 {
            let pieces = Pieces::One((start, piece));
            self.strips.insert(start, Strip { end, pieces });
        }
    }

    /// Writes consecutive pieces from address `start` on. O(pieces * log n).
    pub(crate) fn write(&mut self, start: i64, pieces: &[Piece]) {
        let mut at = start;
        for piece in pieces {
            self.write_piece(at, *piece);
            at += piece.length;
        }
    }

    fn write_each(&mut self, pieces: &[(i64, Piece)]) {
        for (start, piece) in pieces {
            self.write_piece(*start, *piece);
        }
    }

    /// Writes pieces by address; later pieces overwrite earlier ones. O(m log n) for few pieces or
    /// overlapping ones, O(k + m log m) for many disjoint ones, where m is the number of new
    /// pieces, and k that of old ones between the first new one and the last.
    pub(crate) fn write_all(&mut self, mut new: Vec<(i64, Piece)>) {
        new.retain(|(_, piece)| piece.length > 0);
        let is_disjoint = |all: &[(i64, Piece)]| {
            let mut pairs = all.windows(2);
            pairs.all(|pair| pair[0].0 + pair[0].1.length <= pair[1].0)
        };
        if new.len() < MANY {
            return self.write_each(&new);
        }
        // Rows are usually in order already.
        let mut sorted = new;
        if !is_disjoint(&sorted) {
            let in_order = sorted.clone();
            sorted.sort_by_key(|(start, _)| *start);
            if !is_disjoint(&sorted) {
                return self.write_each(&in_order);
            }
        }
        let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else {
            return;
        };
        let (start, end) = (first.0, last.0 + last.1.length);
        let kept = between(self.within(start, end), &sorted);
        if !kept.is_empty() {
            sorted.extend(kept);
            sorted.sort_by_key(|(start, _)| *start);
        }
        self.clear(start, end);
        let pieces = Pieces::Many(Rc::new(sorted));
        self.strips.insert(start, Strip { end, pieces });
    }
}

/// Returns the parts of the old pieces that no new piece covers. Both inputs are sorted by first
/// byte and disjoint. O(n + m).
fn between(old: impl Iterator<Item = (i64, Piece)>, new: &[(i64, Piece)]) -> Vec<(i64, Piece)> {
    let mut left = Vec::new();
    let mut next = new.iter().peekable();
    // Largest end of the new pieces that begin before the current position.
    let mut covered = i64::MIN;
    for (start, piece) in old {
        let end = start + piece.length;
        let mut at = covered.max(start);
        let mut keep = |from: i64, to: i64| {
            if from < to {
                let part = Piece {
                    offset: piece.offset + (from - start),
                    length: to - from,
                    ..piece
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
/// nodes that are contiguous are coalesced. O(pieces).
pub(crate) fn pairs(a: &[Piece], b: &[Piece]) -> Vec<[Piece; 2]> {
    let mut found: Vec<[Piece; 2]> = Vec::new();
    let mut last: FxHashMap<(NodeId, NodeId, i64), usize> = FxHashMap::default();
    let (mut of_a, mut of_b) = (a.iter().copied(), b.iter().copied());
    let (mut left_a, mut left_b) = (of_a.next(), of_b.next());
    while let (Some(mut x), Some(mut y)) = (left_a, left_b) {
        let length = x.length.min(y.length);
        left_a = rest(x, length).or_else(|| of_a.next());
        left_b = rest(y, length).or_else(|| of_b.next());
        (x.length, y.length) = (length, length);
        let number = last
            .entry((x.node, y.node, x.offset.wrapping_sub(y.offset)))
            .or_insert(found.len());
        match found.get_mut(*number) {
            Some([own, theirs]) if own.offset + own.length == x.offset => {
                own.length += length;
                theirs.length += length;
            }
            _ => {
                *number = found.len();
                found.push([x, y]);
            }
        }
    }
    found
}

/// Returns the piece without its first `length` bytes, if any are left.
fn rest(piece: Piece, length: i64) -> Option<Piece> {
    (piece.length > length).then(|| Piece {
        offset: piece.offset + length,
        length: piece.length - length,
        ..piece
    })
}

/// Distributes consecutive pieces over runs `(first byte, bytes)` of the same total length. Returns
/// each part with the address of its first byte. O(runs + pieces).
pub(crate) fn along(runs: &[(i64, i64)], pieces: &[Piece]) -> Vec<(i64, Piece)> {
    let mut others = pieces.iter().copied();
    let mut next = others.next();
    let mut cut = Vec::with_capacity(runs.len() + pieces.len());
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
            next = rest(piece, taken).or_else(|| others.next());
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
    use rand_xoshiro::SplitMix64;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::program::Fingerprint;
    use crate::value::{External, Node};

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
    fn overwriting_the_middle_keeps_both_sides() {
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
    fn unwritten_bytes_are_undefined() {
        let mut graph = Graph::default();
        let n = nodes(&mut graph, 1);
        let mut contents = Contents::default();
        contents.write(8, &[piece(n[0], 0, 4)]);
        let read = contents.read(&mut graph, 4, 12);
        assert_eq!(read, [graph.gap(4), piece(n[0], 0, 4), graph.gap(4)]);
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
    fn random_writes_leave_the_contents_of_an_array() {
        let mut graph = Graph::default();
        let n = nodes(&mut graph, 40);
        let mut source = SplitMix64::seed_from_u64(0x9e37_79b9);
        let mut random = |below: u64| (source.next_u64() % below) as i64;
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
                contents.write_all(new);
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
