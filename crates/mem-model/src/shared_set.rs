//! Sets for data-flow analysis.

use std::rc::Rc;

/// Bits of a number that select a child.
const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

/// Words of a leaf.
const WORDS: usize = 8;

#[derive(Clone, Debug)]
enum Node {
    Inner([Option<Rc<Node>>; WIDTH]),
    Leaf([u64; WORDS]),
}

/// A set of numbers that shares with its copies what has not changed since: a radix tree.
///
/// Data-flow analysis has a set for each block, and a block adds and removes a few elements. A copy takes
/// O(1), a change O(log n), and a union visits only what the two sets do not share, so that the sets of n blocks
/// take O(n log n) memory instead of O(n²).
// No subtree is empty.
#[derive(Clone, Debug, Default)]
pub struct SharedSet {
    root: Option<Rc<Node>>,
    /// Number of inner nodes above each leaf.
    height: u32,
}

impl SharedSet {
    /// Whether the set has an element. O(log n).
    pub fn contains(&self, element: usize) -> bool {
        if !self.has_room(element) {
            return false;
        }
        let (mut node, mut level) = (self.root.as_deref(), self.height);
        while let Some(Node::Inner(children)) = node {
            (node, level) = (children[digit(element, level)].as_deref(), level - 1);
        }
        match node {
            Some(Node::Leaf(words)) => words[word(element)] & mask(element) != 0,
            _ => false,
        }
    }

    /// Adds an element; returns true if it was present. O(log n).
    pub fn put(&mut self, element: usize) -> bool {
        if self.contains(element) {
            return true;
        }
        while !self.has_room(element) {
            self.grow();
        }
        let (mut slot, mut level) = (&mut self.root, self.height);
        loop {
            let node = slot.get_or_insert_with(|| match level {
                0 => Rc::new(Node::Leaf([0; WORDS])),
                _ => Rc::new(Node::Inner(Default::default())),
            });
            match Rc::make_mut(node) {
                Node::Inner(children) => slot = &mut children[digit(element, level)],
                Node::Leaf(words) => {
                    words[word(element)] |= mask(element);
                    return false;
                }
            }
            level -= 1;
        }
    }

    /// Adds an element. O(log n).
    pub fn insert(&mut self, element: usize) {
        self.put(element);
    }

    /// Removes an element; returns true if it was present. O(log n).
    pub fn take(&mut self, element: usize) -> bool {
        let was_in = self.contains(element);
        if was_in {
            remove(&mut self.root, element, self.height);
        }
        was_in
    }

    /// Adds all elements of `other`; returns true if any of them is new.
    pub fn join(&mut self, other: &Self) -> bool {
        let mut other = other.clone();
        while self.height < other.height {
            self.grow();
        }
        while other.height < self.height {
            other.grow();
        }
        join(&mut self.root, other.root.as_ref())
    }

    /// The elements in ascending order.
    pub fn ones(&self) -> impl Iterator<Item = usize> {
        let mut all = Vec::new();
        if let Some(root) = &self.root {
            list(root, self.height, 0, &mut all);
        }
        all.into_iter()
    }

    fn has_room(&self, element: usize) -> bool {
        let bits = usize::BITS - element.leading_zeros();
        bits <= LEAF_BITS + BITS * self.height
    }

    fn grow(&mut self) {
        if let Some(root) = self.root.take() {
            let mut children: [_; WIDTH] = Default::default();
            children[0] = Some(root);
            self.root = Some(Rc::new(Node::Inner(children)));
        }
        self.height += 1;
    }
}

/// Bits of a number that select a bit of a leaf.
const LEAF_BITS: u32 = (WORDS as u32 * u64::BITS).ilog2();

fn digit(element: usize, level: u32) -> usize {
    (element >> (LEAF_BITS + BITS * (level - 1))) % WIDTH
}

fn word(element: usize) -> usize {
    element / u64::BITS as usize % WORDS
}

fn mask(element: usize) -> u64 {
    1 << (element % u64::BITS as usize)
}

fn remove(slot: &mut Option<Rc<Node>>, element: usize, level: u32) {
    let Some(node) = slot else { return };
    let is_empty = match Rc::make_mut(node) {
        Node::Inner(children) => {
            remove(&mut children[digit(element, level)], element, level - 1);
            children.iter().all(Option::is_none)
        }
        Node::Leaf(words) => {
            words[word(element)] &= !mask(element);
            *words == [0; WORDS]
        }
    };
    if is_empty {
        *slot = None;
    }
}

/// Adds the elements of a subtree to one of the same height; returns true if any is new.
fn join(slot: &mut Option<Rc<Node>>, other: Option<&Rc<Node>>) -> bool {
    let Some(other) = other else { return false };
    let Some(own) = slot else {
        *slot = Some(Rc::clone(other));
        return true;
    };
    if Rc::ptr_eq(own, other) || !has_new(own, other) {
        return false;
    }
    match (Rc::make_mut(own), other.as_ref()) {
        (Node::Inner(all), Node::Inner(more)) => {
            for (slot, other) in all.iter_mut().zip(more) {
                join(slot, other.as_ref());
            }
        }
        (Node::Leaf(words), Node::Leaf(more)) => {
            words
                .iter_mut()
                .zip(more)
                .for_each(|(own, other)| *own |= other);
        }
        _ => {}
    }
    true
}

/// Whether `other` has an element that `own`, which has the same height, does not have.
fn has_new(own: &Rc<Node>, other: &Rc<Node>) -> bool {
    if Rc::ptr_eq(own, other) {
        return false;
    }
    match (own.as_ref(), other.as_ref()) {
        (Node::Inner(all), Node::Inner(more)) => {
            let mut pairs = all.iter().zip(more);
            pairs.any(|pair| match pair {
                (_, None) => false,
                (None, Some(_)) => true,
                (Some(own), Some(other)) => has_new(own, other),
            })
        }
        (Node::Leaf(words), Node::Leaf(more)) => {
            let mut pairs = words.iter().zip(more);
            pairs.any(|(own, other)| other & !own != 0)
        }
        _ => false,
    }
}

fn list(node: &Node, level: u32, first: usize, all: &mut Vec<usize>) {
    match node {
        Node::Inner(children) => {
            let width = 1_usize << (LEAF_BITS + BITS * (level - 1));
            for (index, child) in children.iter().enumerate() {
                if let Some(child) = child {
                    list(child, level - 1, first + index * width, all);
                }
            }
        }
        Node::Leaf(words) => {
            for (index, word) in words.iter().enumerate() {
                let mut left = *word;
                while left != 0 {
                    let bit = left.trailing_zeros() as usize;
                    all.push(first + index * u64::BITS as usize + bit);
                    left &= left - 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use mem_testkit::Rng;

    use super::*;

    #[test]
    fn a_change_is_reported_once() {
        let (mut other, mut set) = (SharedSet::default(), SharedSet::default());
        for element in [0, 63, 64, 129, 9000] {
            other.insert(element);
        }
        assert!(set.join(&other) && !set.join(&other));
        assert!(set.take(63) && !set.take(63));
        assert_eq!(set.ones().collect::<Vec<_>>(), [0, 64, 129, 9000]);
        // A subset brings nothing new.
        assert!(!other.clone().join(&set));
        assert!(!set.take(1_000_000) && !set.contains(usize::MAX));
    }

    /// Compares with ordered sets, and every version again at the end, since a change of one must not
    /// change another.
    #[test]
    fn sets_are_as_ordered_sets() {
        let mut rng = Rng::new(1);
        let mut random = |below: usize| rng.below(below);
        let mut versions = vec![(SharedSet::default(), BTreeSet::new())];
        for _ in 0..3000 {
            let (mut set, mut known) = versions[random(versions.len())].clone();
            let bound = [3, 600, 20_000, 300_000][random(4)];
            let element = random(bound);
            match random(4) {
                0 | 1 => assert_eq!(set.put(element), !known.insert(element)),
                2 => {
                    // Something that is there, if anything is.
                    let own = known.range(element..).next().copied().unwrap_or(element);
                    assert_eq!(set.take(own), known.remove(&own));
                }
                _ => {
                    let (other, of_other) = &versions[random(versions.len())];
                    assert_eq!(set.join(other), !of_other.is_subset(&known));
                    known.extend(of_other);
                }
            }
            versions.push((set, known));
        }
        for (set, known) in versions {
            assert!(set.ones().eq(known.iter().copied()));
            assert!(known.iter().all(|own| set.contains(*own)));
        }
    }
}
