//! Externally reachable memory: arguments, globals, allocations whose address escapes, and storage
//! that opaque pointers point to.
//!
//! A memory state is a node: a chain of writes on top of the memory at function entry. Two storages
//! may alias, so a read looks through a write to another storage only if the two cannot share a
//! byte. Chains are kept in a normal form, so that programs that leave the same bytes tend to have
//! the same chain: overwritten bytes are removed, writes of the current content are not added,
//! adjacent writes to one storage are merged, and writes to storages that cannot alias are sorted.

use std::collections::BTreeMap;

use crate::contents::Contents;
use crate::value::{External, Graph, Node, NodeId, Piece, Region};
use crate::view::are_apart;

/// Maximum number of writes that a read looks through.
const MAX_DEPTH: usize = 4096;

/// Aliasing facts about external storage.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aliasing {
    /// Indexed by argument: whether no other argument shares a byte with it.
    pub is_noalias: Vec<bool>,
}

impl Aliasing {
    /// Whether no other argument shares a byte with the argument of an index.
    pub(crate) fn is_apart(&self, argument: usize) -> bool {
        self.is_noalias.get(argument).copied().unwrap_or(false)
    }

    /// Whether two storages may share a byte that is written.
    pub(crate) fn may_meet(&self, a: External, b: External) -> bool {
        use External::{Argument, Escaped, Global, Pointer};
        let is_apart = |n: u32| self.is_apart(n as usize);
        match (a, b) {
            _ if a == b => true,
            // Aliases of a constant global are irrelevant: nothing writes to it.
            (
                Global {
                    is_constant: true, ..
                },
                _,
            )
            | (
                _,
                Global {
                    is_constant: true, ..
                },
            ) => false,
            (Argument(a), Argument(b)) => !is_apart(a) && !is_apart(b),
            (Global { .. }, Global { .. }) | (Escaped { .. }, Escaped { .. }) => false,
            (Escaped { .. }, Argument(_) | Global { .. })
            | (Argument(_) | Global { .. }, Escaped { .. }) => false,
            (Argument(_), Global { .. }) | (Global { .. }, Argument(_)) => true,
            (Pointer(_), _) | (_, Pointer(_)) => true,
        }
    }
}

/// Returns the bytes of a storage in a memory state, at the runs `(first byte, bytes)`.
pub(crate) fn read_runs(
    graph: &mut Graph,
    aliasing: &Aliasing,
    memory: NodeId,
    of: External,
    runs: &[(i64, i64)],
) -> Vec<Piece> {
    let mut found = Vec::new();
    for (start, length) in runs {
        let mut seen = Contents::default();
        let mut missing = vec![(*start, *length)];
        let mut at = memory;
        for _ in 0..MAX_DEPTH {
            let Node::Write { memory, to, pieces } = graph.node(at).clone() else {
                match below(graph, aliasing, at, of) {
                    Some(memory) => at = memory,
                    None => break,
                }
                continue;
            };
            if to == of {
                missing = fill(&mut seen, &missing, &pieces);
            } else if aliasing.may_meet(to, of) {
                break;
            }
            if missing.is_empty() {
                break;
            }
            at = memory;
        }
        if !missing.is_empty() {
            let node = bytes_of(graph, at, of);
            for (start, length) in missing {
                let rest = Piece {
                    node,
                    offset: start,
                    length,
                };
                seen.write(start, &[rest]);
            }
        }
        found.extend(seen.read(graph, *start, *length));
    }
    found
}

/// Returns the node of all bytes of a storage in a memory state that cannot be resolved further.
pub(crate) fn bytes_of(graph: &mut Graph, memory: NodeId, of: External) -> NodeId {
    let is_constant = matches!(
        of,
        External::Global {
            is_constant: true,
            ..
        }
    );
    let is_first = *graph.node(memory) == Node::Memory;
    match of {
        External::Escaped { .. } if is_first => graph.add(Node::Undefined),
        _ if is_constant || is_first => graph.add(Node::Initial(of)),
        _ => graph.add(Node::Read { memory, of }),
    }
}

/// Returns the state before a write of elements that does not affect reads of `of`.
fn below(graph: &Graph, aliasing: &Aliasing, at: NodeId, of: External) -> Option<NodeId> {
    match graph.node(at) {
        Node::WriteElements { memory, to, .. } if !aliasing.may_meet(*to, of) => Some(*memory),
        _ => None,
    }
}

/// Reads the `missing` ranges from pieces by address into `seen`. Returns the ranges that are still
/// missing.
fn fill(seen: &mut Contents, missing: &[(i64, i64)], pieces: &[(i64, Piece)]) -> Vec<(i64, i64)> {
    let mut rest = Vec::new();
    for (start, length) in missing {
        let end = start + length;
        let mut at = *start;
        let first = pieces.partition_point(|(own, piece)| own + piece.length <= *start);
        for (own, piece) in pieces[first..].iter().take_while(|(own, _)| *own < end) {
            if *own > at {
                rest.push((at, own - at));
                at = *own;
            }
            let until = end.min(own + piece.length);
            let cut = Piece {
                offset: piece.offset + at - own,
                length: until - at,
                ..*piece
            };
            seen.write(at, &[cut]);
            at = until;
        }
        if at < end {
            rest.push((at, end - at));
        }
    }
    rest
}

/// Looks up elements chosen at run time. Returns their content if the last write that may affect
/// them wrote exactly these elements, and otherwise, as the error, the last memory state that may
/// have changed them.
pub(crate) fn elements_written(
    graph: &Graph,
    aliasing: &Aliasing,
    memory: NodeId,
    of: External,
    region: &Region,
) -> Result<NodeId, NodeId> {
    let mut at = memory;
    for _ in 0..MAX_DEPTH {
        let (next, is_hidden) = match graph.node(at) {
            Node::WriteElements {
                to,
                region: own,
                new,
                ..
            } if *to == of && **own == *region => return Ok(*new),
            Node::WriteElements {
                memory,
                to,
                region: own,
                ..
            } => {
                let is_apart = *to == of && are_apart(own, region);
                (*memory, is_apart || !aliasing.may_meet(*to, of))
            }
            Node::Write { memory, to, .. } => (*memory, !aliasing.may_meet(*to, of)),
            _ => break,
        };
        if !is_hidden {
            break;
        }
        at = next;
    }
    Err(at)
}

/// Returns memory after a write of bytes of a storage.
pub(crate) fn write_runs(
    graph: &mut Graph,
    aliasing: &Aliasing,
    memory: NodeId,
    to: External,
    runs: &[(i64, i64)],
    pieces: &[Piece],
) -> NodeId {
    let old = read_runs(graph, aliasing, memory, to, runs);
    if crate::contents::cut(&[&old, pieces])
        .chunks_exact(2)
        .all(|pair| pair[0] == pair[1])
    {
        return memory;
    }
    let new: BTreeMap<i64, Piece> = crate::contents::along(runs, pieces).into_iter().collect();
    let new = new.into_iter().collect::<Vec<_>>();
    let memory = without(graph, aliasing, memory, to, &new, 0);
    add(graph, aliasing, memory, to, new)
}

/// Removes the bytes about to be overwritten from the most recent writes of the chain.
fn without(
    graph: &mut Graph,
    aliasing: &Aliasing,
    memory: NodeId,
    to: External,
    new: &[(i64, Piece)],
    depth: usize,
) -> NodeId {
    const NEAR: usize = 64;
    let Node::Write {
        memory: below,
        to: own,
        pieces,
    } = graph.node(memory).clone()
    else {
        return memory;
    };
    if depth > NEAR {
        return memory;
    }
    let rest = without(graph, aliasing, below, to, new, depth + 1);
    if own != to {
        return match rest == below {
            true => memory,
            false => add(graph, aliasing, rest, own, pieces),
        };
    }
    let mut kept = Contents::default();
    for (start, piece) in &pieces {
        kept.write(*start, &[*piece]);
    }
    let missing: Vec<(i64, i64)> = pieces
        .iter()
        .map(|(start, piece)| (*start, piece.length))
        .collect();
    let missing = fill(&mut Contents::default(), &missing, new);
    let mut left = Vec::new();
    for (start, length) in missing {
        let mut at = start;
        for piece in kept.read(graph, start, length) {
            left.push((at, piece));
            at += piece.length;
        }
    }
    match left.is_empty() {
        true => rest,
        false => add(graph, aliasing, rest, own, left),
    }
}

/// Adds a write of pieces by address, keeping the chain in normal form.
fn add(
    graph: &mut Graph,
    aliasing: &Aliasing,
    memory: NodeId,
    to: External,
    pieces: Vec<(i64, Piece)>,
) -> NodeId {
    if let Node::Write {
        memory: below,
        to: own,
        pieces: theirs,
    } = graph.node(memory).clone()
    {
        if own == to {
            let mut merged = Contents::default();
            for (start, piece) in theirs.iter().chain(&pieces) {
                merged.write(*start, &[*piece]);
            }
            let pieces = joined(graph, &merged);
            return graph.add(Node::Write {
                memory: below,
                to,
                pieces,
            });
        }
        if !aliasing.may_meet(own, to) && to < own {
            let memory = add(graph, aliasing, below, to, pieces);
            return graph.add(Node::Write {
                memory,
                to: own,
                pieces: theirs,
            });
        }
    }
    let mut own = Contents::default();
    for (start, piece) in &pieces {
        own.write(*start, &[*piece]);
    }
    let pieces = joined(graph, &own);
    graph.add(Node::Write { memory, to, pieces })
}

/// Returns the pieces by address, with consecutive pieces of a node merged.
fn joined(graph: &mut Graph, contents: &Contents) -> Vec<(i64, Piece)> {
    let mut joined: Vec<(i64, Piece)> = Vec::new();
    for (start, piece) in contents.iter() {
        if let Some((own, last)) = joined.last_mut()
            && *own + last.length == start
            && last.node == piece.node
            && last.offset + last.length == piece.offset
            && !matches!(graph.node(piece.node), Node::Splat { .. } | Node::Undefined)
        {
            last.length += piece.length;
            continue;
        }
        joined.push((start, piece));
    }
    joined
}

/// Removes earlier writes of exactly the elements about to be overwritten from the most recent
/// writes of the chain.
fn without_elements(
    graph: &mut Graph,
    memory: NodeId,
    to: External,
    region: &Region,
    depth: usize,
) -> NodeId {
    const NEAR: usize = 64;
    if depth > NEAR {
        return memory;
    }
    match graph.node(memory).clone() {
        Node::WriteElements {
            memory: below,
            to: own,
            region: theirs,
            new,
        } => {
            let rest = without_elements(graph, below, to, region, depth + 1);
            match own == to && *theirs == *region {
                true => rest,
                false if rest == below => memory,
                false => graph.add(Node::WriteElements {
                    memory: rest,
                    to: own,
                    region: theirs,
                    new,
                }),
            }
        }
        Node::Write {
            memory: below,
            to: own,
            pieces,
        } => {
            let rest = without_elements(graph, below, to, region, depth + 1);
            match rest == below {
                true => memory,
                false => graph.add(Node::Write {
                    memory: rest,
                    to: own,
                    pieces,
                }),
            }
        }
        _ => memory,
    }
}

/// Returns memory after a write of elements chosen at run time.
pub(crate) fn write_elements(
    graph: &mut Graph,
    aliasing: &Aliasing,
    memory: NodeId,
    to: External,
    region: Region,
    new: NodeId,
) -> NodeId {
    let old = match elements_written(graph, aliasing, memory, to, &region) {
        Ok(written) => written,
        Err(at) => {
            let from = bytes_of(graph, at, to);
            graph.extract(from, region.clone(), None)
        }
    };
    if old == new {
        return memory;
    }
    let memory = without_elements(graph, memory, to, &region, 0);
    graph.add(Node::WriteElements {
        memory,
        to,
        region: region.into(),
        new,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Fingerprint;

    const OUT: External = External::Argument(0);
    const IN: External = External::Argument(1);

    fn value(graph: &mut Graph, n: u32) -> Piece {
        let global = External::Global {
            name: Fingerprint(n),
            is_constant: true,
        };
        Piece {
            node: graph.add(Node::Initial(global)),
            offset: 0,
            length: 8,
        }
    }

    fn write(
        graph: &mut Graph,
        own: &Aliasing,
        memory: NodeId,
        to: External,
        at: i64,
        piece: Piece,
    ) -> NodeId {
        write_runs(graph, own, memory, to, &[(at, piece.length)], &[piece])
    }

    #[test]
    fn reads_return_the_written_contents() {
        let (mut graph, own) = (Graph::default(), Aliasing::default());
        let memory = graph.add(Node::Memory);
        let a = value(&mut graph, 1);
        let memory = write(&mut graph, &own, memory, OUT, 8, a);
        assert_eq!(read_runs(&mut graph, &own, memory, OUT, &[(8, 8)]), [a]);
    }

    #[test]
    fn a_write_that_may_alias_hides_the_contents() {
        let (mut graph, own) = (Graph::default(), Aliasing::default());
        let first = graph.add(Node::Memory);
        let (a, b) = (value(&mut graph, 1), value(&mut graph, 2));
        let memory = write(&mut graph, &own, first, OUT, 0, a);
        let memory = write(&mut graph, &own, memory, IN, 0, b);
        assert_ne!(read_runs(&mut graph, &own, memory, OUT, &[(0, 8)]), [a]);
        let apart = Aliasing {
            is_noalias: vec![true, false],
        };
        let memory = write(&mut graph, &apart, first, OUT, 0, a);
        let memory = write(&mut graph, &apart, memory, IN, 0, b);
        assert_eq!(read_runs(&mut graph, &apart, memory, OUT, &[(0, 8)]), [a]);
    }

    #[test]
    fn overwritten_bytes_are_forgotten() {
        let (mut graph, own) = (Graph::default(), Aliasing::default());
        let first = graph.add(Node::Memory);
        let (a, b, c) = (
            value(&mut graph, 1),
            value(&mut graph, 2),
            value(&mut graph, 3),
        );
        let direct = write(&mut graph, &own, first, IN, 0, c);
        let direct = write(&mut graph, &own, direct, OUT, 0, b);
        let memory = write(&mut graph, &own, first, OUT, 0, a);
        let memory = write(&mut graph, &own, memory, IN, 0, c);
        let memory = write(&mut graph, &own, memory, OUT, 0, b);
        assert_eq!(memory, direct);
    }

    #[test]
    fn writing_back_the_contents_changes_nothing() {
        let (mut graph, own) = (Graph::default(), Aliasing::default());
        let memory = graph.add(Node::Memory);
        let there = read_runs(&mut graph, &own, memory, OUT, &[(4, 8)]);
        assert_eq!(
            write_runs(&mut graph, &own, memory, OUT, &[(4, 8)], &there),
            memory
        );
    }

    #[test]
    fn writes_to_disjoint_storage_are_ordered_canonically() {
        let mut graph = Graph::default();
        let own = Aliasing {
            is_noalias: vec![true, true],
        };
        let first = graph.add(Node::Memory);
        let (a, b) = (value(&mut graph, 1), value(&mut graph, 2));
        let one = write(&mut graph, &own, first, OUT, 0, a);
        let one = write(&mut graph, &own, one, IN, 0, b);
        let other = write(&mut graph, &own, first, IN, 0, b);
        let other = write(&mut graph, &own, other, OUT, 0, a);
        assert_eq!(one, other);
    }
}
