//! Moves waits down and starts up, as far as `may_pass` allows, and as far as memory allows.
//!
//! Waits move first, the last one first, so that they are out of the way of those before. Then starts
//! move, in order. Of several positions, a start or a wait takes the farthest one that is
//! followed by work, or by another message; a message that gains nothing stays as it is. The peak grows with each
//! position that a message takes, so the farthest one that fits is found by bisection. Takes time
//! O(m n log n) for m messages among n items.

use crate::extract::order::{OrderFunction, operands_of};
use crate::ir::{Op, Value};

use super::sequence::{Item, Kind, MessageId, Sequence};

/// Whether two items access a common byte that one of them writes.
pub(super) fn conflict(
    function: &OrderFunction<'_>,
    sequence: &Sequence,
    a: Item,
    b: Item,
) -> bool {
    let mut own = sequence.touches(a).iter();
    own.any(|x| {
        let mut others = sequence.touches(b).iter();
        others.any(|y| function.conflict(*x, *y))
    })
}

/// Whether the wait for a message may move behind an item.
fn may_sink(function: &OrderFunction<'_>, own: &Sequence, id: MessageId, item: Item) -> bool {
    match item {
        Item::Wait(_) => true,
        Item::Op(other) if own.other(other).kind == Kind::Fixed => false,
        Item::Op(_) | Item::Start(_) => !conflict(function, own, Item::Wait(id), item),
    }
}

/// Whether the start of a message may move in front of an item that defines none of its operands.
fn may_rise(function: &OrderFunction<'_>, own: &Sequence, id: MessageId, item: Item) -> bool {
    match item {
        Item::Start(_) => false,
        Item::Op(other) if matches!(own.other(other).kind, Kind::Fixed | Kind::Ordered) => false,
        // A message is in flight until its wait.
        Item::Op(_) | Item::Wait(_) => !conflict(function, own, Item::Start(id), item),
    }
}

/// Plans a block.
pub(super) fn plan(function: &OrderFunction<'_>, sequence: &mut Sequence) {
    for id in sequence.message_ids().rev() {
        sink(function, sequence, id);
    }
    for id in sequence.message_ids() {
        rise(function, sequence, id);
    }
    // What is not beside any work need not be two operations.
    for id in sequence.message_ids() {
        if sequence.message(id).wait.is_none() && !sequence.is_overlapped(id) {
            let at = position(&sequence.items, Item::Wait(id));
            let wait = sequence.items.remove(at);
            let start = position(&sequence.items, Item::Start(id));
            sequence.items.insert(start + 1, wait);
        }
    }
}

pub(super) fn position(items: &[Item], item: Item) -> usize {
    let found = items.iter().position(|own| *own == item);
    found.expect("the sequence has all items")
}

/// Moves a wait down.
fn sink(function: &OrderFunction<'_>, sequence: &mut Sequence, id: MessageId) {
    let wait = Item::Wait(id);
    let from = position(&sequence.items, wait);
    let below = sequence.items[from + 1..].iter();
    let below = below.take_while(|item| may_sink(function, sequence, id, **item));
    // The numbers of items that the wait may be behind, such that the last one is work.
    let gains = (1..)
        .zip(below)
        .filter(|(_, item)| sequence.is_work(**item));
    let gains: Vec<usize> = gains.map(|(n, _)| n).collect();
    let moved = |n: usize| {
        let mut items = sequence.items.clone();
        items[from..=from + n].rotate_left(1);
        items
    };
    if let Some(items) = farthest(sequence, &gains, moved) {
        sequence.items = items;
    }
}

/// Moves a start up, with the operations that only compute its operands.
fn rise(function: &OrderFunction<'_>, sequence: &mut Sequence, id: MessageId) {
    let from = position(&sequence.items, Item::Start(id));
    let mut group: Vec<usize> = vec![from];
    let mut needed: Vec<Value> = operands_of(sequence.message(id).op);
    let defines = |op: Op, needed: &[Value]| op.results().any(|own| needed.contains(&own));
    // The positions that the start may be at, such that the next item is left behind and is work.
    // Each with the size of the group there.
    let mut gains: Vec<(usize, usize)> = Vec::new();
    for at in (0..from).rev() {
        let item = sequence.items[at];
        if let Item::Op(other) = item
            && defines(sequence.other(other).op, &needed)
        {
            if sequence.other(other).kind != Kind::Scalar {
                break;
            }
            needed.extend(operands_of(sequence.other(other).op));
            group.push(at);
            continue;
        }
        if !may_rise(function, sequence, id, item) {
            break;
        }
        if sequence.is_work(item) || matches!(item, Item::Wait(_)) {
            gains.push((at, group.len()));
        }
    }
    let moved = |gain: usize| {
        let (to, n) = gains[gain];
        let mut own: Vec<usize> = group[..n].to_vec();
        own.sort_unstable();
        let mut items = sequence.items[..to].to_vec();
        items.extend(own.iter().map(|at| sequence.items[*at]));
        let rest = (to..).zip(&sequence.items[to..]);
        items.extend(
            rest.filter(|(at, _)| !own.contains(at))
                .map(|(_, item)| *item),
        );
        items
    };
    let all: Vec<usize> = (0..gains.len()).collect();
    if let Some(items) = farthest(sequence, &all, moved) {
        sequence.items = items;
    }
}

/// The sequence after the farthest of several moves, each farther than the one before, that fits.
fn farthest(
    sequence: &Sequence,
    moves: &[usize],
    moved: impl Fn(usize) -> Vec<Item>,
) -> Option<Vec<Item>> {
    let n = moves.partition_point(|own| sequence.fits(&moved(*own)));
    n.checked_sub(1).map(|last| moved(moves[last]))
}
