//! Packed nodes: byte strings that consist of many pieces at regular distances, kept as rows and
//! the nodes that the pieces come from.
//!
//! A copy into a padded tensor, a concatenation of channels and a strided slice have one piece for
//! each row, up to [`crate::rows::MAX_ROWS`] of them. [`Node::Overlay`] and [`Node::Gather`] denote
//! exactly the bytes that the list of these pieces denotes, in constant space. Reads and
//! comparisons that need single rows unpack a node into the normal form of that list
//! ([`Graph::unpacked`]). Only where control meets does a node stay whole, so that all of its bytes are joined if some of
//! them differ.

use std::rc::Rc;

use crate::contents::{Contents, along, within};
use crate::rows::Rows;
use crate::value::{Graph, Node, NodeId, Piece};

/// Minimum number of rows of a packed node.
const MIN_ROWS: i64 = 4;

/// Maximum number of packed nodes inside each other; limits the recursion of unpacking.
const MAX_DEPTH: u32 = 64;

/// Maximum number of pieces of a sequence that are scanned for a part.
const MAX_SCANNED: usize = 16;

/// Pieces with their offsets in the byte string, in ascending order.
pub(crate) type Unpacked = Rc<Vec<(i64, Piece)>>;

impl Graph {
    pub(crate) fn is_packed(&self, node: NodeId) -> bool {
        matches!(self.node(node), Node::Overlay { .. } | Node::Gather { .. })
    }

    /// Whether a piece is a packed node, but not all of it.
    pub(crate) fn is_part_of_packed(&self, piece: &Piece) -> bool {
        self.is_packed(piece.node)
            && (piece.offset != 0 || Some(piece.length) != self.length(piece.node))
    }

    /// Overwrites rows of `base`, a byte string of `length` bytes. Earlier overlays of the same
    /// rows are removed, as nothing of them remains, and overlays that interleave are ordered by
    /// address, as their order makes no difference. `None` if packed nodes are nested too deeply.
    pub(crate) fn overlay(
        &mut self,
        base: NodeId,
        rows: Rows,
        new: NodeId,
        length: i64,
    ) -> Option<NodeId> {
        let base = self.without_rows(base, &rows);
        if let Node::Overlay {
            base: below,
            rows: own,
            new: theirs,
        } = self.node(base).clone()
            && rows.start < own.start
            && own.interleave(&rows)
            && self.length(base) == Some(length)
        {
            let below = self.overlay(below, rows, new, length)?;
            return self.add_overlay(below, own, theirs, length);
        }
        let node = self.add_overlay(base, rows, new, length)?;
        match self.layers(node, &Rows::dense(length)) {
            Some(layers) => self.concatenated(&layers, length),
            None => Some(node),
        }
    }

    /// Returns layers that make up a byte string completely as overlays of undefined bytes, the
    /// normal form of a concatenation.
    fn concatenated(&mut self, layers: &[(Rows, NodeId)], length: i64) -> Option<NodeId> {
        let node = self.add(Node::Undefined);
        let undefined = Piece {
            node,
            offset: 0,
            length,
        };
        let base = self.concatenation([undefined]);
        let mut sorted: Vec<_> = layers.iter().collect();
        sorted.sort_by_key(|(rows, _)| rows.start);
        let mut layers = sorted.into_iter();
        layers.try_fold(base, |base, (rows, new)| {
            self.add_overlay(base, rows.clone(), *new, length)
        })
    }

    fn add_overlay(
        &mut self,
        base: NodeId,
        rows: Rows,
        new: NodeId,
        length: i64,
    ) -> Option<NodeId> {
        let depth = 1 + self.depth(base).max(self.depth(new));
        if depth > MAX_DEPTH {
            return None;
        }
        let node = self.add_sized(Node::Overlay { base, rows, new }, Some(length));
        self.depths.insert(node, depth);
        Some(node)
    }

    /// Returns a node of `length` bytes between the pieces `before` and `after`. The result is an
    /// overlay if the node is one.
    fn extended(
        &mut self,
        node: NodeId,
        length: i64,
        before: &[Piece],
        after: &[Piece],
    ) -> Option<NodeId> {
        let Node::Overlay { base, rows, new } = self.node(node).clone() else {
            let own = self.pieces(node, length);
            return Some(self.concatenation([before, &own, after].concat()));
        };
        let base = self.extended(base, length, before, after)?;
        let bytes = |pieces: &[Piece]| pieces.iter().map(|piece| piece.length).sum::<i64>();
        let rows = rows.shifted(bytes(before));
        self.add_overlay(base, rows, new, bytes(before) + length + bytes(after))
    }

    /// Returns the overlays of a chain that make up `rows` completely, each as rows of the byte
    /// string of `rows` and the node that they consist of. `None` if others overlap the rows, or if
    /// the base is visible.
    fn layers(&self, from: NodeId, rows: &Rows) -> Option<Vec<(Rows, NodeId)>> {
        let (mut at, mut left) = (from, rows.bytes());
        let mut found: Vec<&Rows> = Vec::new();
        let mut layers = Vec::new();
        while left > 0 {
            let Node::Overlay {
                base,
                rows: own,
                new,
            } = self.node(at)
            else {
                return None;
            };
            if let Some(inner) = rows.locate(own) {
                if !found.iter().all(|other| other.interleave(own)) {
                    return None;
                }
                found.push(own);
                layers.push((inner, *new));
                left -= own.bytes();
            } else if !own.interleave(rows) {
                return None;
            }
            at = *base;
        }
        Some(layers)
    }

    /// Returns how many packed nodes are nested in a node.
    fn depth(&self, node: NodeId) -> u32 {
        let depth = |node: &NodeId| self.depths.get(node).copied().unwrap_or(0);
        match self.node(node) {
            Node::Sequence(pieces) => {
                let depths = pieces.iter().map(|piece| depth(&piece.node));
                depths.max().unwrap_or(0)
            }
            _ => depth(&node),
        }
    }

    /// Removes overlays of `rows` from a chain of overlays.
    fn without_rows(&mut self, node: NodeId, rows: &Rows) -> NodeId {
        let Node::Overlay {
            base,
            rows: own,
            new,
        } = self.node(node).clone()
        else {
            return node;
        };
        let rest = self.without_rows(base, rows);
        match (own == *rows, self.length(node)) {
            (true, _) => rest,
            (false, Some(length)) if rest != base => {
                self.overlay(rest, own, new, length).unwrap_or(node)
            }
            _ => node,
        }
    }

    /// Returns rows of a byte string as one node if that takes no unpacking: if they are all rows,
    /// or some, of one overlay, all rows of several, or rows of the base that no overlay covers.
    pub(crate) fn gather(&mut self, from: NodeId, rows: &Rows) -> Option<NodeId> {
        let all = |node, offset| Piece {
            node,
            offset,
            length: rows.bytes(),
        };
        if rows.n == 1 {
            return Some(self.sequence([all(from, rows.start)]));
        }
        match self.node(from).clone() {
            Node::Overlay {
                base,
                rows: own,
                new,
            } => {
                if own == *rows {
                    return Some(self.sequence([all(new, 0)]));
                }
                if let Some(inner) = own.locate(rows) {
                    return self.gather(new, &inner);
                }
                if !own.interleave(rows) {
                    let layers = self.layers(from, rows)?;
                    return self.concatenated(&layers, rows.bytes());
                }
                let (start, end) = rows.hull();
                let (at, piece) = match self.node(base) {
                    Node::Sequence(pieces) => containing(pieces, start, end)?,
                    _ => (0, all(base, 0)),
                };
                self.gather(piece.node, &rows.shifted(piece.offset - at))
            }
            Node::Result(..) | Node::Initial(_) | Node::Join { .. } => {
                let gather = Node::Gather {
                    from,
                    rows: rows.clone(),
                };
                Some(self.add_sized(gather, Some(rows.bytes())))
            }
            Node::Undefined => Some(self.sequence([all(from, 0)])),
            Node::Splat { element, .. } => {
                let mut strides = rows.dims.iter().map(|(_, stride)| stride);
                let is_whole =
                    rows.length % element == 0 && strides.all(|stride| stride % element == 0);
                is_whole.then(|| self.sequence([all(from, rows.start % element)]))
            }
            _ => None,
        }
    }

    /// Returns the pieces of a packed node in normal form, none of them packed; `None` for other
    /// nodes. O(pieces log pieces) the first time.
    pub(crate) fn unpacked(&self, node: NodeId) -> Option<Unpacked> {
        if !self.is_packed(node) {
            return None;
        }
        if let Some(known) = self.unpacked.borrow().get(&node) {
            return Some(Rc::clone(known));
        }
        let pieces = match self.node(node) {
            Node::Overlay { base, rows, new } => {
                let length = self.length(node)?;
                let mut contents = Contents::default();
                contents.write(0, &self.flat(*base, 0, length));
                let new = self.flat(*new, 0, rows.bytes());
                contents.write_all(along(&rows.runs(), &new));
                contents.iter().map(|(_, piece)| piece).collect()
            }
            Node::Gather { from, rows } => {
                let runs = rows.runs().into_iter();
                runs.map(|(offset, length)| Piece {
                    node: *from,
                    offset,
                    length,
                })
                .collect::<Vec<_>>()
            }
            _ => return None,
        };
        let mut at = 0;
        let addressed = self.joined(pieces).into_iter().map(|piece| {
            let start = at;
            at += piece.length;
            (start, piece)
        });
        let pieces = Rc::new(addressed.collect::<Vec<_>>());
        let mut unpacked = self.unpacked.borrow_mut();
        unpacked.insert(node, Rc::clone(&pieces));
        Some(pieces)
    }

    /// Returns the same bytes as pieces none of which is packed. The inputs of gates have to be such pieces: a scalar
    /// that is loaded from a gate stands for the first bytes of its inputs, and a packed node stands for all of its bytes.
    pub(crate) fn unpack(&self, pieces: &[Piece]) -> Vec<Piece> {
        let flat = |own: &Piece| self.flat(own.node, own.offset, own.length);
        pieces.iter().flat_map(flat).collect()
    }

    /// Returns `length` bytes of a node from byte `offset` on as pieces, none of them packed.
    pub(crate) fn flat(&self, node: NodeId, offset: i64, length: i64) -> Vec<Piece> {
        let mut found = Vec::new();
        for piece in self.part(node, offset, length) {
            match self.is_packed(piece.node) {
                true => found.extend(self.part(piece.node, piece.offset, piece.length)),
                false => found.push(piece),
            }
        }
        found
    }

    /// Returns `length` bytes of a node from byte `offset` on as pieces. A packed node is unpacked.
    pub(crate) fn part(&self, node: NodeId, offset: i64, length: i64) -> Vec<Piece> {
        if let Some(pieces) = self.unpacked(node) {
            let parts = within(&pieces, offset, offset + length);
            return parts.map(|(_, piece)| piece).collect();
        }
        match self.node(node) {
            Node::Sequence(pieces) if pieces.len() > MAX_SCANNED => {
                let parts = self.addressed(node, pieces);
                let parts = within(&parts, offset, offset + length);
                parts.map(|(_, piece)| piece).collect()
            }
            Node::Sequence(pieces) => crate::contents::part(pieces, offset, length),
            _ => vec![Piece {
                node,
                offset,
                length,
            }],
        }
    }

    /// Returns the pieces of a sequence with their offsets, so that a part can be found without a
    /// scan. Linear the first time.
    fn addressed(&self, node: NodeId, pieces: &[Piece]) -> Unpacked {
        let mut known = self.unpacked.borrow_mut();
        let addressed = known.entry(node).or_insert_with(|| {
            let mut end = 0;
            let starts = pieces.iter().map(|piece| {
                let start = end;
                end += piece.length;
                (start, *piece)
            });
            Rc::new(starts.collect())
        });
        Rc::clone(addressed)
    }
}

impl Contents {
    /// Returns rows as one node; `None` if they are too few or if single rows have to be read.
    pub(crate) fn gathered(&self, graph: &mut Graph, rows: &Rows) -> Option<NodeId> {
        if rows.n < MIN_ROWS || rows.dims.iter().any(|(_, stride)| *stride <= 0) {
            return None;
        }
        let (start, end) = rows.hull();
        let (at, piece) = self.at(start)?;
        let is_all = end <= at + piece.length;
        let own = rows.shifted(piece.offset - at);
        is_all.then(|| graph.gather(piece.node, &own)).flatten()
    }

    /// Writes rows as one node. Returns false if they are too few or if single rows have to be
    /// written.
    pub(crate) fn overlay(&mut self, graph: &mut Graph, rows: &Rows, new: NodeId) -> bool {
        let is_wrong = |length: i64| length != rows.bytes();
        if rows.n < MIN_ROWS || graph.length(new).is_some_and(is_wrong) {
            return false;
        }
        // Rows that fill their hull leave nothing between them.
        let Some(sorted) = rows.in_address_order().filter(|own| own.n > 1) else {
            return false;
        };
        // Writing back the current content must not create an overlay, so that loops reach a fixed
        // point.
        if self.gathered(graph, rows) == Some(new) {
            return true;
        }
        // The parts of a concatenation may as well be written one by one.
        let layers = graph.layers(new, &Rows::dense(rows.bytes()));
        let layers = layers.unwrap_or_default();
        let composed = layers
            .iter()
            .map(|(own, of)| Some((rows.compose(own)?, *of)));
        let composed = composed.collect::<Option<Vec<_>>>().unwrap_or_default();
        if !composed.is_empty() {
            let before = self.clone();
            if composed
                .iter()
                .all(|(own, of)| self.overlay(graph, own, *of))
            {
                return true;
            }
            *self = before;
        }
        let (start, length, base) = self.base(graph, rows, sorted.hull());
        let Some(node) = graph.overlay(base, rows.shifted(-start), new, length) else {
            return false;
        };
        let piece = Piece {
            node,
            offset: 0,
            length,
        };
        self.write(start, &[piece]);
        true
    }

    /// Returns what rows with a hull are written over, as a node with its first address and its
    /// length. Overlays of the same rows, and of rows that these interleave with, stay whole: they
    /// are replaced, or parts of the same concatenation.
    fn base(&self, graph: &mut Graph, rows: &Rows, hull: (i64, i64)) -> (i64, i64, NodeId) {
        let ends = [self.at(hull.0), self.at(hull.1 - 1)].into_iter().flatten();
        let is_partner = |(at, piece): &(i64, Piece)| match graph.node(piece.node) {
            Node::Overlay { rows: own, .. } => {
                let own = own.shifted(at - piece.offset);
                (own == *rows || own.interleave(rows)) && !graph.is_part_of_packed(piece)
            }
            _ => false,
        };
        let mut partners = ends.filter(is_partner).collect::<Vec<_>>();
        partners.dedup();
        let starts = partners.iter().map(|(at, _)| *at);
        let ends = partners.iter().map(|(at, piece)| at + piece.length);
        let (start, end) = (starts.fold(hull.0, i64::min), ends.fold(hull.1, i64::max));
        let old = self.read(graph, start, end - start);
        if let [(_, only)] = partners[..]
            && let Some(index) = old.iter().position(|piece| *piece == only)
            && let Some(base) =
                graph.extended(only.node, only.length, &old[..index], &old[index + 1..])
        {
            return (start, end - start, base);
        }
        (start, end - start, graph.concatenation(old))
    }
}

/// Returns the piece that has all bytes in `[start, end)`, and its offset in the sequence.
fn containing(pieces: &[Piece], start: i64, end: i64) -> Option<(i64, Piece)> {
    let mut at = 0;
    for piece in pieces {
        let next = at + piece.length;
        if start < next {
            return (at <= start && end <= next).then_some((at, *piece));
        }
        at = next;
    }
    None
}

#[cfg(test)]
mod tests;
