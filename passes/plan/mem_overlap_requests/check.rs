//! Checks a planned sequence against the block as it was.
//!
//! Looks at all pairs of items that have changed places, and knows nothing of how they were moved.
//! Takes time O(n²) in items of blocks with messages, with a comparison of accesses only where a start
//! or a wait has changed places with something.

use rustc_hash::FxHashMap as HashMap;

use crate::extract::order::{OrderFunction, operands_of};
use crate::framework::{Failed, kind_of_error};
use crate::ir::Op;

use super::plan::{conflict, position};
use super::sequence::{Item, Kind, MessageId, Sequence};

/// Why a planned sequence is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SequenceError {
    /// Every item must be there once.
    #[error("the block has other operations than before")]
    Items,
    /// Messages and other operations that communicate must start in the same order.
    #[error("two operations that communicate have changed places")]
    Order,
    /// A rank must not wait for a message before it starts one that it has started before.
    #[error("a message is waited for earlier than before")]
    Early,
    /// The bytes of a message must not be used for anything else while it is in flight.
    #[error("an operation accesses the bytes of a message in flight")]
    Memory,
    /// Calls and unknown operations must keep their places.
    #[error("an operation has changed places with one that must keep its place")]
    Fixed,
    /// A value must be defined before it is used.
    #[error("a value is used before it is defined")]
    Value,
}

/// The operation that an item stands for; that of a message for both of its items.
fn op_of(sequence: &Sequence, item: Item) -> Op {
    match item {
        Item::Op(id) => sequence.other(id).op,
        Item::Start(id) | Item::Wait(id) => sequence.message(id).op,
    }
}

fn kind_of(sequence: &Sequence, item: Item) -> Option<Kind> {
    match item {
        Item::Op(id) => Some(sequence.other(id).kind),
        Item::Start(_) | Item::Wait(_) => None,
    }
}

/// Checks a planned sequence.
///
/// # Errors
/// The first violation.
pub(super) fn check(
    function: &OrderFunction<'_>,
    sequence: &Sequence,
) -> Result<(), SequenceError> {
    let before = sequence.original.iter().enumerate();
    let before: HashMap<Item, usize> = before.map(|(at, item)| (*item, at)).collect();
    let mut now: Vec<usize> = Vec::new();
    for item in &sequence.items {
        now.push(*before.get(item).ok_or(SequenceError::Items)?);
    }
    let mut all = now.clone();
    all.sort_unstable();
    all.dedup();
    if all.len() != sequence.original.len() || now.len() != all.len() {
        return Err(SequenceError::Items);
    }
    for (at, first) in sequence.items.iter().enumerate() {
        for (other, second) in sequence.items.iter().enumerate().skip(at + 1) {
            // `first` followed `second` in the original, and precedes it now.
            if now[at] > now[other] {
                check_pair(function, sequence, *first, *second)?;
            }
        }
    }
    Ok(())
}

/// Checks two items that have changed places: `first` comes first now.
fn check_pair(
    function: &OrderFunction<'_>,
    sequence: &Sequence,
    first: Item,
    second: Item,
) -> Result<(), SequenceError> {
    if let (Item::Wait(a), Item::Start(b)) = (first, second)
        && a == b
    {
        return Err(SequenceError::Value);
    }
    let kinds = [first, second].map(|item| kind_of(sequence, item));
    if kinds.contains(&Some(Kind::Fixed)) {
        return Err(SequenceError::Fixed);
    }
    let starts = |item: Item| {
        let is_ordered = kind_of(sequence, item) == Some(Kind::Ordered);
        is_ordered || matches!(item, Item::Start(_))
    };
    if starts(first) && starts(second) {
        return Err(SequenceError::Order);
    }
    if matches!(first, Item::Wait(_)) && starts(second) {
        return Err(SequenceError::Early);
    }
    let is_wait = |item: Item| matches!(item, Item::Wait(_));
    // Two waits access nothing by themselves.
    if !(is_wait(first) && is_wait(second)) && conflict(function, sequence, first, second) {
        return Err(SequenceError::Memory);
    }
    let used = match first {
        Item::Wait(_) => Vec::new(),
        _ => operands_of(op_of(sequence, first)),
    };
    let defined = match second {
        Item::Op(_) => op_of(sequence, second).results().collect(),
        Item::Start(_) | Item::Wait(_) => Vec::new(),
    };
    match used.iter().any(|own| defined.contains(own)) {
        true => Err(SequenceError::Value),
        false => Ok(()),
    }
}

/// Errors in sequences, to test the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sabotage {
    /// A wait moves behind an operation that accesses the bytes of its message.
    LateWait,
    /// A start moves in front of an operation that accesses the bytes of its message.
    EarlyStart,
    /// Two starts change places.
    Order,
    /// A wait moves in front of a start that it followed.
    EarlyWait,
    /// A start moves in front of an operation that defines an operand.
    Value,
}

const KINDS: [(&str, Sabotage); 5] = [
    ("late-wait", Sabotage::LateWait),
    ("early-start", Sabotage::EarlyStart),
    ("order", Sabotage::Order),
    ("early-wait", Sabotage::EarlyWait),
    ("value", Sabotage::Value),
];

impl Sabotage {
    /// The kind with this name, if there is one.
    pub(super) fn of(module: Op, name: &str) -> Result<Option<Self>, Failed> {
        kind_of_error(module, "mem-overlap-requests", &KINDS, name)
    }

    /// Breaks a sequence. Returns whether there is a message that can be broken in this way.
    pub(super) fn apply(self, function: &OrderFunction<'_>, sequence: &mut Sequence) -> bool {
        let found = sequence
            .message_ids()
            .find_map(|id| self.broken(function, sequence, id));
        let is_found = found.is_some();
        if let Some(items) = found {
            sequence.items = items;
        }
        is_found
    }

    fn broken(
        self,
        function: &OrderFunction<'_>,
        sequence: &Sequence,
        id: MessageId,
    ) -> Option<Vec<Item>> {
        let items = &sequence.items;
        let (start, wait) = (Item::Start(id), Item::Wait(id));
        let (from, to) = (position(items, start), position(items, wait));
        let touches = |item: &Item| {
            kind_of(sequence, *item) == Some(Kind::Plain)
                && conflict(function, sequence, start, *item)
        };
        let mut items = items.clone();
        match self {
            Self::LateWait => {
                let n = items[to..].iter().position(touches)?;
                items[to..=to + n].rotate_left(1);
            }
            Self::EarlyStart => {
                let at = items[..from].iter().rposition(touches)?;
                items[at..=from].rotate_right(1);
            }
            Self::Order => {
                let is_start = |item: &Item| matches!(item, Item::Start(_));
                let at = items[..from].iter().rposition(is_start)?;
                items[at..=from].rotate_right(1);
            }
            Self::EarlyWait => {
                let flown = &items[from + 1..to];
                let n = flown
                    .iter()
                    .position(|item| matches!(item, Item::Start(_)))?;
                let Item::Start(other) = flown[n] else {
                    return None;
                };
                // Only an earlier wait than in the block as it was is an error.
                let was = |item| position(&sequence.original, item);
                if was(wait) < was(Item::Start(other)) {
                    return None;
                }
                items[from + 1 + n..=to].rotate_right(1);
            }
            Self::Value => {
                let used = operands_of(op_of(sequence, start));
                let defines = |item: &Item| match item {
                    Item::Op(own) => {
                        let mut results = sequence.other(*own).op.results();
                        results.any(|result| used.contains(&result))
                    }
                    Item::Start(_) | Item::Wait(_) => false,
                };
                let at = items[..from].iter().rposition(defines)?;
                items[at..=from].rotate_right(1);
            }
        }
        Some(items)
    }
}
