//! Problems with a known optimum: a rectangle of time and bytes is cut into pieces, and the cuts
//! are hidden.

use mem_model::{BufferId, Bytes, Interval, IntervalSet, Item, Part, Point, Problem, StepId};

use crate::Rng;

/// Generates a problem of about `n_items` items, in random order, that fill `height` bytes over
/// `n_steps` steps without a gap. Its lowest peak is `height`.
///
/// Each cut goes through one piece only, so any piece can still be cut in either direction. A piece
/// may also be split into a pinwheel of five, which no sequence of straight cuts produces.
#[must_use]
pub fn cut_rectangle(rng: &mut Rng, n_items: usize, n_steps: u64, height: u64) -> Problem {
    let mut pieces = vec![Piece {
        time: (0, n_steps),
        bytes: (0, height),
    }];
    for _ in 0..20 * n_items {
        if pieces.len() >= n_items {
            break;
        }
        let index = rng.below(pieces.len());
        let new = match rng.below(4) {
            0 => pieces[index].pinwheel(rng),
            1 => pieces[index].cut_bytes(rng),
            _ => pieces[index].cut_time(rng),
        };
        if let Some(new) = new {
            pieces.swap_remove(index);
            pieces.extend(new);
        }
    }
    for last in (1..pieces.len()).rev() {
        pieces.swap(last, rng.below(last + 1));
    }
    let items = pieces
        .iter()
        .enumerate()
        .map(|(index, piece)| piece.item(index));
    Problem::of_items(items.collect())
}

#[derive(Clone, Copy)]
struct Piece {
    time: (u64, u64),
    bytes: (u64, u64),
}

/// A number strictly between `low` and `high`, if one exists.
fn between(rng: &mut Rng, (low, high): (u64, u64)) -> Option<u64> {
    let inside = (high - low).checked_sub(2)?;
    Some(low + 1 + rng.below(inside as usize + 1) as u64)
}

impl Piece {
    fn cut_time(self, rng: &mut Rng) -> Option<Vec<Self>> {
        let at = between(rng, self.time)?;
        let (start, end) = self.time;
        Some(vec![
            Self {
                time: (start, at),
                ..self
            },
            Self {
                time: (at, end),
                ..self
            },
        ])
    }

    fn cut_bytes(self, rng: &mut Rng) -> Option<Vec<Self>> {
        let at = between(rng, self.bytes)?;
        let (start, end) = self.bytes;
        Some(vec![
            Self {
                bytes: (start, at),
                ..self
            },
            Self {
                bytes: (at, end),
                ..self
            },
        ])
    }

    fn pinwheel(self, rng: &mut Rng) -> Option<Vec<Self>> {
        let (t0, t3) = self.time;
        let (b0, b3) = self.bytes;
        let t1 = between(rng, (t0, t3 - 1).max((t0, t0)))?;
        let t2 = between(rng, (t1, t3))?;
        let b1 = between(rng, (b0, b3 - 1).max((b0, b0)))?;
        let b2 = between(rng, (b1, b3))?;
        let piece = |time, bytes| Self { time, bytes };
        Some(vec![
            piece((t0, t2), (b0, b1)),
            piece((t2, t3), (b0, b2)),
            piece((t1, t3), (b2, b3)),
            piece((t0, t1), (b1, b3)),
            piece((t1, t2), (b1, b2)),
        ])
    }

    fn item(self, index: usize) -> Item {
        let point = |step: u64| Point::early(StepId::new(step as usize));
        let mut live = IntervalSet::new();
        live.insert(Interval::new(point(self.time.0), point(self.time.1)));
        let size = Bytes::new(self.bytes.1 - self.bytes.0);
        Item::new(
            BufferId::new(index),
            size,
            Bytes::new(1),
            vec![Part::whole(size, live)],
        )
    }
}
