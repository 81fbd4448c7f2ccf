//! Positions of the nodes of an order.
//!
//! A change in the middle moves all nodes after it. So the nodes are counted in chunks, and a node knows its
//! place in its chunk: a change renumbers one chunk, and moves the starts of those after it.

/// Number of nodes in a chunk at first, and the most that there may be.
const CHUNK: usize = 64;
const MOST: usize = 1 << BITS;
/// Bits of a place that tell where in its chunk a node is.
const BITS: u32 = 8;

/// Per node of an order: its position.
pub(super) struct Positions {
    /// Per node: the number of its chunk, and its index in the chunk.
    places: Vec<u32>,
    /// Per chunk: the position of its first node; and the number of all nodes.
    starts: Vec<u32>,
}

impl Positions {
    /// For nodes in the order of their numbers.
    pub(super) fn new(n_nodes: usize) -> Self {
        let mut own = Self {
            places: vec![0; n_nodes],
            starts: Vec::new(),
        };
        let all: Vec<u32> = (0..n_nodes as u32).collect();
        own.rebuild(&all);
        own
    }

    /// The position of a node that is in the order.
    #[inline]
    pub(super) fn of(&self, node: u32) -> usize {
        let place = self.places[node as usize];
        (self.starts[(place >> BITS) as usize] + (place & (MOST as u32 - 1))) as usize
    }

    /// The place of a node that is in the order. Places are ascending with positions, and found faster.
    #[inline]
    pub(super) fn place(&self, node: u32) -> u32 {
        self.places[node as usize]
    }

    /// One more node, which is not in the order yet.
    pub(super) fn push(&mut self) {
        self.places.push(0);
    }

    /// So many nodes have been inserted before a position. `at`: per position, its node now. Linear in the nodes
    /// of a chunk, and in the number of chunks.
    pub(super) fn inserted(&mut self, at: &[u32], position: usize, n_nodes: usize) {
        let chunk = self.chunk_of(position);
        let after = &mut self.starts[chunk + 1..];
        for start in after {
            *start += n_nodes as u32;
        }
        let [start, end] = [chunk, chunk + 1].map(|own| self.starts[own] as usize);
        match end - start > MOST {
            true => self.rebuild(at),
            false => self.number(at, chunk, position),
        }
    }

    /// So many nodes have been removed from a position on. `at`: per position, its node now. Linear in the nodes
    /// of two chunks, and in the number of chunks.
    pub(super) fn removed(&mut self, at: &[u32], position: usize, n_nodes: usize) {
        let first = self.chunk_of(position);
        let last = self.chunk_of(position + n_nodes);
        for start in &mut self.starts[first + 1..] {
            *start = start.saturating_sub(n_nodes as u32).max(position as u32);
        }
        self.number(at, first, position);
        if last > first {
            self.number(at, last, self.starts[last] as usize);
        }
    }

    /// The chunk of a position; the last one if it is the end.
    fn chunk_of(&self, position: usize) -> usize {
        let n_starts = self.starts.partition_point(|own| *own as usize <= position);
        n_starts.clamp(1, self.starts.len() - 1) - 1
    }

    /// Numbers the nodes of a chunk from a position on.
    fn number(&mut self, at: &[u32], chunk: usize, position: usize) {
        let [start, end] = [chunk, chunk + 1].map(|own| self.starts[own] as usize);
        for (place, node) in at[position..end].iter().enumerate() {
            let index = position - start + place;
            self.places[*node as usize] = (chunk as u32) << BITS | index as u32;
        }
    }

    fn rebuild(&mut self, at: &[u32]) {
        let n_chunks = at.len().div_ceil(CHUNK).max(1);
        let starts = (0..=n_chunks).map(|chunk| (chunk * CHUNK).min(at.len()) as u32);
        self.starts = starts.collect();
        for chunk in 0..n_chunks {
            self.number(at, chunk, chunk * CHUNK);
        }
    }
}

#[cfg(test)]
mod tests {
    use mem_testkit::Rng;

    use super::*;

    #[test]
    fn positions_are_those_in_the_list() {
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let mut at: Vec<u32> = (0..rng.below(300) as u32 + 1).collect();
            let mut positions = Positions::new(at.len());
            let mut free: Vec<u32> = Vec::new();
            let mut n_nodes = at.len() as u32;
            for _ in 0..200 {
                let position = rng.below(at.len() + 1);
                if rng.chance(60) {
                    let most = [3, 200][rng.below(2)];
                    let n = 1 + rng.below(most);
                    let new: Vec<u32> = (0..n)
                        .map(|_| {
                            free.pop().unwrap_or_else(|| {
                                positions.push();
                                n_nodes += 1;
                                n_nodes - 1
                            })
                        })
                        .collect();
                    at.splice(position..position, new);
                    positions.inserted(&at, position, n);
                } else {
                    let n = rng.below((at.len() - position).min(250) + 1);
                    free.extend(at.drain(position..position + n));
                    positions.removed(&at, position, n);
                }
                for (position, node) in at.iter().enumerate() {
                    assert_eq!(positions.of(*node), position, "seed {seed}");
                }
            }
        }
    }
}
