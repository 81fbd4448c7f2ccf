//! An order of execution with repetitions, and what changes of it would cost.
//!
//! A value occupies its bytes from each step that defines it to its last use before it is defined
//! again; a result takes over the bytes of an operand that is not needed any more. An order therefore
//! determines the bytes in use at each of its positions; there is nothing else to decide. A change is
//! first tried, and then made; both take as long as the positions whose bytes it changes are many.

mod changes;
mod meter;
mod positions;

use mem_model::Repetition;

use super::values::Values;
use meter::{Blocks, Meter};
use positions::Positions;

/// A step in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Element {
    pub step: u32,
    /// The step is repeated; otherwise this is its first execution.
    pub is_again: bool,
    /// First step of a group that is repeated.
    pub is_head: bool,
}

/// What may be in use.
#[derive(Clone, Debug)]
pub(in super::super) struct Room {
    /// Granules of the device.
    pub capacity: i32,
    /// Per step of the program: granules that may be in use before it and at it.
    pub at: Vec<i32>,
    pub excess: Excess,
}

impl Room {
    pub(super) fn new(capacity: i32, n_steps: usize) -> Self {
        Self {
            capacity,
            at: vec![capacity; n_steps],
            excess: Excess::Forbidden,
        }
    }
}

/// What happens to bytes in excess of the room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) enum Excess {
    /// There must be none. Those of all positions are counted.
    Forbidden,
    /// They are copied away, and back when there is room. Counted is by how much they increase from
    /// one position to the next: what has been copied away stays away until less is in excess.
    Copied {
        /// Cycles for a granule.
        price: f64,
    },
}

/// What an order costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Cost {
    pub cycles: i64,
    /// Granules in excess of the room; see [`Excess`].
    pub over: i64,
    /// Number of repeated steps.
    pub steps: i64,
}

impl Cost {
    /// Cycles, if a granule in excess costs so many.
    pub(super) fn priced(&self, price: f64) -> f64 {
        self.cycles as f64 + price * self.over as f64
    }
}

/// An element with its place in the order.
#[derive(Clone, Copy, Debug)]
struct Node {
    element: Element,
    /// The first step of the program that is executed here or later.
    anchor: u32,
    /// Index in `heads`, of a head.
    head: u32,
}

/// A use or a definition of a value by a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Event {
    node: u32,
    is_definition: bool,
}

/// An order, with the bytes in use at each position.
pub(super) struct Order<'a> {
    pub values: &'a Values<'a>,
    room: &'a Room,
    nodes: Vec<Node>,
    positions: Positions,
    /// Nodes that are not in the order.
    free: Vec<u32>,
    /// Per position: its node.
    at: Vec<u32>,
    /// Per position: granules in use, minus the room.
    over: Vec<i32>,
    /// Summaries of `over`.
    blocks: Blocks,
    /// The heads of repeated groups, in no order.
    heads: Vec<u32>,
    /// Per value: its uses and definitions, in the order of their positions.
    events: Vec<Vec<Event>>,
    cost: Cost,
    trial: Trial,
}

/// The change that was tried last.
#[derive(Default)]
struct Trial {
    /// Ranges of positions up to the changed one, with the granules added there.
    ranges: Vec<(u32, i32)>,
    /// Values that die at other positions than before: the position, the value, and whether it dies
    /// there now.
    deaths: Vec<(u32, u32, bool)>,
    /// Per step of an inserted chain: granules in use, minus the room.
    inner: Vec<i32>,
    change: Cost,
    /// Per value: what the last trial that met it found.
    met: Vec<Met>,
    number: u32,
}

/// A value of an inserted chain.
#[derive(Clone, Copy, Default)]
struct Met {
    /// Number of the trial.
    number: u32,
    /// Number of the last step of the chain that uses it, from 1; 0 if none does.
    last: u32,
    /// It is used after the chain, too.
    is_live: bool,
}

impl<'a> Order<'a> {
    pub(super) fn new(values: &'a Values<'a>, room: &'a Room, elements: &[Element]) -> Self {
        let mut own = Self {
            values,
            room,
            nodes: Vec::new(),
            positions: Positions::new(elements.len()),
            free: Vec::new(),
            at: (0..elements.len() as u32).collect(),
            over: vec![0; elements.len()],
            blocks: Blocks::default(),
            heads: Vec::new(),
            events: vec![Vec::new(); values.sizes.len()],
            cost: Cost::default(),
            trial: Trial {
                met: vec![Met::default(); values.sizes.len()],
                ..Trial::default()
            },
        };
        let mut anchor = 0;
        for element in elements.iter().rev() {
            if !element.is_again {
                anchor = element.step;
            }
            own.nodes.push(Node {
                element: *element,
                anchor,
                head: 0,
            });
        }
        own.nodes.reverse();
        for position in 0..elements.len() as u32 {
            own.enlist(position);
        }
        own.measure();
        own
    }

    /// The elements of the program without repetitions.
    pub(super) fn without_repetitions(n_steps: usize) -> Vec<Element> {
        let first = |step: usize| Element {
            step: step as u32,
            is_again: false,
            is_head: false,
        };
        (0..n_steps).map(first).collect()
    }

    pub(super) fn elements(&self) -> Vec<Element> {
        let nodes = self.at.iter().map(|node| &self.nodes[*node as usize]);
        nodes.map(|own| own.element).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.at.len()
    }

    pub(super) fn cost(&self) -> Cost {
        self.cost
    }

    /// Most granules in use at any position, minus the room there.
    pub(super) fn peak(&self) -> i32 {
        self.over.iter().copied().max().unwrap_or(0)
    }

    /// Granules in use at a position, minus the room there.
    pub(super) fn over(&self, position: usize) -> i32 {
        self.over[position]
    }

    pub(super) fn element(&self, position: usize) -> Element {
        self.nodes[self.at[position] as usize].element
    }

    /// The first step of the program that is executed at a position or later.
    pub(super) fn anchor(&self, position: usize) -> usize {
        self.nodes[self.at[position] as usize].anchor as usize
    }

    /// Number of repeated groups.
    pub(super) fn n_heads(&self) -> usize {
        self.heads.len()
    }

    /// Position of a repeated group, by a number below [`Self::n_heads`].
    pub(super) fn head(&self, number: usize) -> usize {
        self.positions.of(self.heads[number])
    }

    /// The group whose head is at a position.
    pub(super) fn group(&self, head: usize) -> u32 {
        self.values.group_of_step[self.element(head).step as usize].unwrap_or_default()
    }

    /// First position of the repeated group at a position, or the position itself.
    pub(super) fn start_of(&self, mut position: usize) -> usize {
        while self.element(position).is_again && !self.element(position).is_head {
            position -= 1;
        }
        position
    }

    /// Adds the events of the node at a position, and the node to the heads.
    fn enlist(&mut self, position: u32) {
        let node = self.at[position as usize];
        let own = &mut self.nodes[node as usize];
        if own.element.is_head {
            own.head = self.heads.len() as u32;
            self.heads.push(node);
        }
        let place = self.positions.place(node);
        let step = own.element.step as usize;
        let uses = self.values.uses.of(step).iter().map(|own| (*own, false));
        let all = uses.chain(self.values.defines.of(step).iter().map(|own| (*own, true)));
        for (value, is_definition) in all {
            let events = &mut self.events[value as usize];
            let is_before = |own: &Event| self.positions.place(own.node) < place;
            let event = Event {
                node,
                is_definition,
            };
            events.insert(events.partition_point(is_before), event);
        }
    }

    /// Removes the events of a node, and the node from the heads.
    fn delist(&mut self, node: u32) {
        let Node { element, head, .. } = self.nodes[node as usize];
        if element.is_head {
            self.heads.swap_remove(head as usize);
            if let Some(other) = self.heads.get(head as usize) {
                self.nodes[*other as usize].head = head;
            }
        }
        let step = element.step as usize;
        let all = self.values.uses.of(step).iter();
        for value in all.chain(self.values.defines.of(step)) {
            self.events[*value as usize].retain(|own| own.node != node);
        }
        self.free.push(node);
    }

    /// Derives the bytes in use and the cost from the elements. Linear in the accesses.
    fn measure(&mut self) {
        let values = self.values;
        let mut is_live = vec![false; values.sizes.len()];
        self.cost = Cost::default();
        let mut live = 0;
        for position in (0..self.len()).rev() {
            let element = self.element(position);
            let step = element.step as usize;
            let shared = self.shared(element, |value| !is_live[value as usize]);
            self.cost.cycles += values.cycles[step].cast_signed();
            self.cost.steps += i64::from(element.is_again);
            for value in values.uses.of(step) {
                if !std::mem::replace(&mut is_live[*value as usize], true) {
                    live += values.sizes[*value as usize];
                }
            }
            let mut over = live - shared - self.room.at[self.anchor(position)];
            for value in values.defines.of(step) {
                let size = values.sizes[*value as usize];
                match std::mem::replace(&mut is_live[*value as usize], false) {
                    true => live -= size,
                    // Its bytes are needed even if no step uses it.
                    false => over += size,
                }
            }
            self.over[position] = over;
        }
        let mut meter = Meter::new(self.room.excess, None);
        meter.add(&self.over);
        self.cost.over = meter.sum;
        self.blocks.forget(self.over.len(), 0, self.over.len());
    }

    /// Granules that the results of an element take over from operands. `is_dead`: whether a value is
    /// not needed any more afterwards.
    fn shared(&self, element: Element, is_dead: impl Fn(u32) -> bool) -> i32 {
        let mut done = None;
        let mut shared = 0;
        for own in self.values.takeovers(element.step as usize) {
            let is_possible = if element.is_again {
                own.is_again
            } else {
                own.is_first
            };
            // A result takes over its first operand that is dead.
            if is_possible && done != Some(own.result) && is_dead(own.operand) {
                done = Some(own.result);
                shared += own.size;
            }
        }
        shared
    }

    /// Whether a value that is used at a position is not needed any more afterwards.
    fn dies(&self, value: u32, position: usize) -> bool {
        !self.around(value, position + 1).1
    }

    /// Last position before `position` at which a value is used or defined, and whether the value is
    /// used at or after `position` before it is defined again.
    pub(super) fn around(&self, value: u32, position: usize) -> (Option<usize>, bool) {
        let events = &self.events[value as usize];
        let next = match self.at.get(position) {
            Some(node) => {
                let place = self.positions.place(*node);
                events.partition_point(|own| self.positions.place(own.node) < place)
            }
            None => events.len(),
        };
        let last = next
            .checked_sub(1)
            .map(|at| self.positions.of(events[at].node));
        let is_live = last.is_some() && events.get(next).is_some_and(|own| !own.is_definition);
        (last, is_live)
    }
}

/// The repetitions of an order, in execution order.
pub(in super::super) fn repetitions(elements: &[Element]) -> Vec<Repetition> {
    let mut before = 0;
    let mut again = Vec::new();
    for own in elements.iter().rev() {
        let step = own.step as usize;
        match own.is_again {
            true => again.push(Repetition { before, step }),
            false => before = step,
        }
    }
    again.reverse();
    again
}

/// A group as it is repeated.
pub(in super::super) fn elements_of(values: &Values, group: u32) -> impl Iterator<Item = Element> {
    let steps = &values.groups[group as usize].steps;
    steps.iter().enumerate().map(|(index, step)| Element {
        step: *step,
        is_again: true,
        is_head: index == 0,
    })
}
