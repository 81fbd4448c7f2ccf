//! The contents of all local storages, as a persistent array: a radix tree whose nodes are shared until
//! they change.
//!
//! There are as many states as blocks, and each changes a few storages. A copy takes O(1), a change O(log n),
//! and a comparison visits only what two arrays do not share (Driscoll et al., "Making data structures
//! persistent", 1989).

use std::rc::Rc;

use crate::contents::Contents;

/// Bits of an index that select a child.
const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

#[derive(Clone)]
enum Node {
    Inner([Option<Rc<Node>>; WIDTH]),
    Leaf([Option<Rc<Contents>>; WIDTH]),
}

/// The contents of local storages, by number of the storage.
#[derive(Clone, Default)]
pub(crate) struct Locals {
    root: Option<Rc<Node>>,
    /// Number of inner nodes above each leaf.
    height: u32,
}

impl Locals {
    /// The contents of a storage, if anything has been written to it.
    pub(crate) fn get(&self, storage: u32) -> Option<&Rc<Contents>> {
        if !self.has_room(storage) {
            return None;
        }
        let (mut node, mut level) = (self.root.as_deref()?, self.height);
        loop {
            match node {
                Node::Inner(children) => node = children[digit(storage, level)].as_deref()?,
                Node::Leaf(contents) => return contents[digit(storage, level)].as_ref(),
            }
            level -= 1;
        }
    }

    /// The contents of a storage, to be changed.
    pub(crate) fn get_mut(&mut self, storage: u32) -> &mut Contents {
        while !self.has_room(storage) {
            if let Some(root) = self.root.take() {
                let mut children: [_; WIDTH] = Default::default();
                children[0] = Some(root);
                self.root = Some(Rc::new(Node::Inner(children)));
            }
            self.height += 1;
        }
        let (mut slot, mut level) = (&mut self.root, self.height);
        loop {
            let node = slot.get_or_insert_with(|| match level {
                0 => Rc::new(Node::Leaf(Default::default())),
                _ => Rc::new(Node::Inner(Default::default())),
            });
            match Rc::make_mut(node) {
                Node::Inner(children) => slot = &mut children[digit(storage, level)],
                Node::Leaf(contents) => {
                    let own = &mut contents[digit(storage, level)];
                    return Rc::make_mut(own.get_or_insert_default());
                }
            }
            level -= 1;
        }
    }

    /// Whether the tree is high enough for a storage.
    fn has_room(&self, storage: u32) -> bool {
        u64::from(storage) >> (BITS * (self.height + 1)) == 0
    }

    /// Calls `visit` for each storage whose contents the two do not share, in ascending order. Contents that
    /// are not shared may be equal.
    pub(crate) fn differing(&self, other: &Self, visit: &mut impl FnMut(u32)) {
        let own = (self.root.as_ref(), self.height);
        differing(own, (other.root.as_ref(), other.height), 0, visit);
    }
}

fn digit(storage: u32, level: u32) -> usize {
    (storage >> (BITS * level)) as usize % WIDTH
}

/// Compares two subtrees with their heights, whose first storage is `first`.
fn differing(
    (a, of_a): (Option<&Rc<Node>>, u32),
    (b, of_b): (Option<&Rc<Node>>, u32),
    first: u32,
    visit: &mut impl FnMut(u32),
) {
    let is_shared = match (a, b) {
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    };
    if is_shared {
        return;
    }
    let height = of_a.max(of_b);
    for (index, storage) in (0..WIDTH).zip((first..).step_by(1 << (BITS * height))) {
        if height == 0 {
            let contents = |node: Option<&Rc<Node>>| match node.map(Rc::as_ref) {
                Some(Node::Leaf(all)) => all[index].as_ref().map(Rc::as_ptr),
                _ => None,
            };
            if contents(a) != contents(b) {
                visit(storage);
            }
            continue;
        }
        let child = |node, own: u32| (child(node, own, height, index), own.min(height - 1));
        differing(child(a, of_a), child(b, of_b), storage, visit);
    }
}

/// A child of a subtree of height `own`, as if it were as high as `height`: a lower tree is the first child of
/// a higher one.
fn child(node: Option<&Rc<Node>>, own: u32, height: u32, index: usize) -> Option<&Rc<Node>> {
    match node.map(Rc::as_ref) {
        Some(Node::Inner(all)) if own == height => all[index].as_ref(),
        _ => node.filter(|_| own < height && index == 0),
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::SplitMix64;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::value::{Graph, Node as Value, Piece};

    /// Compares with plain lists, and every version again at the end, since a change of one must not
    /// change another.
    #[test]
    fn versions_are_as_lists() {
        let mut source = SplitMix64::seed_from_u64(7);
        let mut random = |below: usize| (source.next_u64() % below as u64) as usize;
        let mut graph = Graph::default();
        let mut versions = vec![(Locals::default(), Vec::<Option<i64>>::new())];
        for round in 0..400 {
            let (mut own, mut list) = versions[random(versions.len())].clone();
            for _ in 0..random(4) {
                let most = [3, 20, 300, 70_000][random(4)];
                let storage = random(most);
                if list.len() <= storage {
                    list.resize(storage + 1, None);
                }
                let node = graph.add(Value::Integer(round));
                let piece = Piece {
                    node,
                    offset: 0,
                    length: 4,
                };
                own.get_mut(storage as u32).write(0, &[piece]);
                list[storage] = Some(round);
            }
            versions.push((own, list));
        }
        let written = |own: &Locals, storage: usize| {
            let contents = own.get(storage as u32)?;
            let (_, piece) = contents.at(0)?;
            match graph.node(piece.node) {
                Value::Integer(round) => Some(*round),
                _ => None,
            }
        };
        for (own, list) in &versions {
            for storage in (0..400).chain([69_999, 1 << 20, u32::MAX as usize]) {
                assert_eq!(written(own, storage), list.get(storage).copied().flatten());
            }
        }
        for _ in 0..400 {
            let (a, b) = (random(versions.len()), random(versions.len()));
            let ((own, list), (other, of_other)) = (&versions[a], &versions[b]);
            let mut found = Vec::new();
            own.differing(other, &mut |storage| found.push(storage as usize));
            assert!(found.is_sorted());
            // Each round writes another number.
            let all = 0..list.len().max(of_other.len());
            let at = |list: &[Option<i64>], at: usize| list.get(at).copied().flatten();
            let expected: Vec<usize> = all
                .filter(|own| at(list, *own) != at(of_other, *own))
                .collect();
            assert_eq!(found, expected);
        }
    }
}
