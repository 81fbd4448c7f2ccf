//! Random programs on storage that callers see and on storage of their own, and random changes of them: programs that
//! are found equal have to leave the same memory, however the arguments overlap.
//!
//! `MEMORY_CASES` and `MEMORY_SEED` set the number of pairs and the first one.

mod support;

use mem_equivalence::program::{
    AccessStep, Fingerprint, Module, Number, StepKind, StorageStep, ValueId, ViewKind,
};
use mem_equivalence::{Outcome, compare_modules};
use mem_testkit::number;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use support::body::{Body, elements, scalar};

/// Number of elements of each storage.
const N: u64 = 4;

/// The storages 0 and 1 are arguments. This one belongs to the function.
const OWN: usize = 2;

/// What has never been written.
const UNDEFINED: u64 = u64::MAX;

/// Number of an element of a storage, known before the program runs or only then.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Index {
    Known(u64),
    Argument,
    /// The number of the iteration of the innermost loop. Outside of loops, the argument.
    Counter,
}

/// Storage and element.
type Place = (usize, Index);

#[derive(Clone, Debug, PartialEq)]
enum Statement {
    Store(u32, Place),
    Move(Place, Place),
    /// Fills two elements from this one on.
    Fill(u32, (usize, u64)),
    /// Copies this many elements. What the program does is undefined if they overlap partly.
    Copy((usize, u64), (usize, u64), u64),
    /// The decision is made by one of two numbers.
    If(usize, Vec<Statement>, Vec<Statement>),
    Loop(Vec<Statement>),
}

use Statement::{Copy, Fill, If, Loop, Move, Store};

struct Random(SplitMix64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0.next_u64() % n
    }

    fn place(&mut self) -> Place {
        let storage = self.below(3) as usize;
        match self.below(8) {
            0 => (storage, Index::Argument),
            1..=2 => (storage, Index::Counter),
            _ => (storage, Index::Known(self.below(N))),
        }
    }

    fn copy(&mut self) -> Statement {
        let n = if self.below(2) == 0 { N } else { 2 };
        let [from, to] = [0, 1].map(|_| (self.below(3) as usize, self.below(N - n + 1)));
        Copy(from, to, n)
    }

    fn statement(&mut self, depth: u64) -> Statement {
        match self.below(10) {
            0 if depth > 0 => {
                let by = self.below(2) as usize;
                If(by, self.list(depth - 1), self.list(depth - 1))
            }
            1 if depth > 0 => Loop(self.list(depth - 1)),
            2 => {
                let to = (self.below(3) as usize, self.below(N - 1));
                Fill(self.below(3) as u32, to)
            }
            3 => self.copy(),
            4..=6 => Store(self.below(3) as u32, self.place()),
            _ => Move(self.place(), self.place()),
        }
    }

    fn list(&mut self, depth: u64) -> Vec<Statement> {
        (0..self.below(5)).map(|_| self.statement(depth)).collect()
    }

    /// Changes one list of statements.
    fn change(&mut self, list: &mut Vec<Statement>) {
        let nested = list
            .iter_mut()
            .filter(|own| matches!(own, If(..) | Loop(_)));
        let nested: Vec<&mut Statement> = nested.collect();
        if !nested.is_empty() && self.below(3) == 0 {
            let at = self.below(nested.len() as u64) as usize;
            match nested.into_iter().nth(at) {
                Some(If(_, yes, no)) => match self.below(2) {
                    0 => self.change(yes),
                    _ => self.change(no),
                },
                Some(Loop(body)) => self.change(body),
                _ => {}
            }
            return;
        }
        let n = list.len() as u64;
        if n == 0 {
            return list.push(self.statement(0));
        }
        let (at, other) = (self.below(n) as usize, self.below(n) as usize);
        match self.below(6) {
            0 => list.swap(at, other),
            1 => drop(list.remove(at)),
            2 => list.insert(other, list[at].clone()),
            3 => list[at] = self.statement(0),
            // Out of a loop or a branch, and into one.
            4 => {
                if let Loop(body) | If(_, body, _) = &mut list[at]
                    && !body.is_empty()
                {
                    let own = body.remove(0);
                    list.insert(at, own);
                }
            }
            _ => {
                let own = list[other].clone();
                if let Loop(body) | If(_, body, _) = &mut list[at] {
                    body.push(own);
                }
            }
        }
    }
}

/// Removes a copy of the function's own storage to an argument, and computes what is copied where it would be
/// copied to. Returns whether there is one.
fn remove_copy(list: &mut Vec<Statement>) -> bool {
    let mut copies = list.iter().enumerate();
    let found = copies.find_map(|(at, own)| match own {
        Copy((OWN, 0), (to, 0), N) if *to != OWN => Some((at, *to)),
        _ => None,
    });
    if let Some((at, to)) = found {
        list.remove(at);
        list[..at].iter_mut().for_each(|own| redirect(own, to));
    }
    found.is_some()
}

/// Replaces the function's own storage by an argument.
fn redirect(statement: &mut Statement, to: usize) {
    let replace = |own: &mut usize| {
        if *own == OWN {
            *own = to;
        }
    };
    match statement {
        Store(_, (own, _)) | Fill(_, (own, _)) => replace(own),
        Move((own, _), (other, _)) | Copy((own, _), (other, _), _) => {
            replace(own);
            replace(other);
        }
        If(_, yes, no) => yes.iter_mut().chain(no).for_each(|own| redirect(own, to)),
        Loop(body) => body.iter_mut().for_each(|own| redirect(own, to)),
    }
}

/// Translates statements to the validator's input.
struct Builder {
    body: Body,
    storages: [ValueId; 3],
    index: ValueId,
    /// The number of the iteration of the innermost loop.
    counter: ValueId,
    count: ValueId,
}

impl Builder {
    fn function(statements: &[Statement]) -> Module {
        let mut own = Self {
            body: Body::default(),
            storages: [ValueId(0), ValueId(1), ValueId(4)],
            index: ValueId(2),
            counter: ValueId(2),
            count: ValueId(3),
        };
        let elements = elements(Some(0), &[(N as usize, 1)]);
        let all = [elements.clone(), elements.clone(), scalar(8), scalar(8)];
        let arguments = all.map(|ty| own.body.value(ty)).to_vec();
        own.body.block(arguments);
        let result = own.body.value(elements);
        own.body.push(StepKind::Storage(StorageStep::Allocate {
            result,
            bytes: Some(4 * N as i64),
            sizes: Vec::new(),
            is_arena: false,
        }));
        own.list(statements);
        own.body.module(false)
    }

    fn index(&mut self, index: Index) -> ValueId {
        match index {
            Index::Argument => self.index,
            Index::Counter => self.counter,
            Index::Known(value) => self.body.integer(value as i64, scalar(8)),
        }
    }

    fn store(&mut self, value: ValueId, (storage, index): Place) {
        let index = self.index(index);
        self.body.push(StepKind::Access(AccessStep::Store {
            value,
            to: self.storages[storage],
            indices: Box::new([index]),
        }));
    }

    fn list(&mut self, statements: &[Statement]) {
        for own in statements {
            match own {
                Store(value, to) => {
                    let value = self.body.compute(10 + value, &[], scalar(4));
                    self.store(value, *to);
                }
                Move((storage, index), to) => {
                    let index = self.index(*index);
                    let result = self.body.value(scalar(4));
                    self.body.push(StepKind::Access(AccessStep::Load {
                        from: self.storages[*storage],
                        indices: Box::new([index]),
                        result,
                    }));
                    self.store(result, *to);
                }
                Fill(value, to) => {
                    let value = self.body.compute(10 + value, &[], scalar(4));
                    let to = self.part(*to, 2);
                    self.body
                        .push(StepKind::Access(AccessStep::Fill { value, to }));
                }
                Copy(from, to, n) => {
                    let [from, to] = [from, to].map(|own| self.part(*own, *n));
                    let fingerprint = Fingerprint(1);
                    self.body.push(StepKind::Access(AccessStep::Copy {
                        fingerprint,
                        from,
                        to,
                    }));
                }
                If(by, yes, no) => self.branch(*by, yes, no),
                Loop(body) => self.repeat(body),
            }
        }
    }

    /// A view of `n` elements.
    fn part(&mut self, (storage, first): (usize, u64), n: u64) -> ValueId {
        let result = self
            .body
            .value(elements(Some(first as i64), &[(n as usize, 1)]));
        let source = self.storages[storage];
        self.body.push(StepKind::Storage(StorageStep::View {
            result,
            source,
            kind: Box::new(ViewKind::Slice {
                offsets: vec![Number::Constant(first as i64)],
                sizes: vec![Number::Constant(n as i64)],
                strides: vec![Number::Constant(1)],
            }),
        }));
        result
    }

    fn branch(&mut self, by: usize, yes: &[Statement], no: &[Statement]) {
        let before = self.body.here();
        self.body.blocks[before].end.operands = Box::new([[self.count, self.index][by]]);
        let mut ends = Vec::new();
        for list in [yes, no] {
            let block = self.body.block(Vec::new());
            self.body.edge(before, block, Vec::new());
            self.list(list);
            ends.push(self.body.here());
        }
        let after = self.body.block(Vec::new());
        ends.into_iter()
            .for_each(|end| self.body.edge(end, after, Vec::new()));
    }

    fn repeat(&mut self, body: &[Statement]) {
        let zero = self.index(Index::Known(0));
        let before = self.body.here();
        let counter = self.body.value(scalar(8));
        let header = self.body.block(vec![counter]);
        self.body.edge(before, header, vec![(Some(zero), counter)]);
        let continues = self.body.compute(3, &[counter, self.count], scalar(8));
        let decision = self.body.here();
        self.body.blocks[decision].end.operands = Box::new([continues]);
        let first = self.body.block(Vec::new());
        self.body.edge(decision, first, Vec::new());
        let around = std::mem::replace(&mut self.counter, counter);
        self.list(body);
        self.counter = around;
        let next = self.body.compute(4, &[counter], scalar(8));
        let last = self.body.here();
        self.body.edge(last, header, vec![(Some(next), counter)]);
        let after = self.body.block(Vec::new());
        self.body.edge(decision, after, Vec::new());
    }
}

/// An execution of a program.
struct Run {
    memory: Vec<u64>,
    /// Where the second argument begins in the memory of the first one.
    start: u64,
    index: u64,
    counter: u64,
    count: u64,
    is_defined: bool,
}

impl Run {
    /// Returns what a program leaves in memory; `None` if that is not defined.
    fn of(statements: &[Statement], start: u64, index: u64, count: u64) -> Option<Vec<u64>> {
        let mut run = Self {
            memory: (100..100 + 2 * N).chain([UNDEFINED; N as usize]).collect(),
            start,
            index,
            counter: index,
            count,
            is_defined: true,
        };
        run.list(statements);
        run.memory.truncate(2 * N as usize);
        run.is_defined.then_some(run.memory)
    }

    fn at(&self, (storage, own): Place) -> usize {
        let own = match own {
            Index::Known(own) => own,
            Index::Argument => self.index,
            Index::Counter => self.counter,
        };
        (own + [0, self.start, 2 * N][storage]) as usize
    }

    fn list(&mut self, statements: &[Statement]) {
        for own in statements {
            match own {
                Store(value, to) => {
                    let to = self.at(*to);
                    self.memory[to] = u64::from(*value);
                }
                Move(from, to) => {
                    let [from, to] = [from, to].map(|own| self.at(*own));
                    self.memory[to] = self.memory[from];
                }
                Fill(value, (storage, first)) => {
                    let to = self.at((*storage, Index::Known(*first)));
                    self.memory[to..to + 2].fill(u64::from(*value));
                }
                Copy(from, to, n) => {
                    let n = *n as usize;
                    let [from, to] = [from, to].map(|own| self.at((own.0, Index::Known(own.1))));
                    self.is_defined &= from == to || from.abs_diff(to) >= n;
                    self.memory.copy_within(from..from + n, to);
                }
                If(by, yes, no) => match [self.count, self.index][*by] > 1 {
                    true => self.list(yes),
                    false => self.list(no),
                },
                Loop(body) => {
                    let around = self.counter;
                    for counter in 0..self.count {
                        self.counter = counter;
                        self.list(body);
                    }
                    self.counter = around;
                }
            }
        }
    }
}

fn are_equal(original: &[Statement], planned: &[Statement]) -> bool {
    let [original, planned] = [original, planned].map(Builder::function);
    compare_modules(&original, &planned, false)[0].1 == Outcome::Equal
}

/// The arguments are known to be apart from all other storage if only one of them is used.
const USE: Statement = Store(0, (1, Index::Known(3)));

#[test]
fn branches_with_other_conditions_are_other_branches() {
    let place = |n| (0, Index::Known(n));
    let program = |read| {
        vec![
            USE,
            If(0, vec![Store(1, place(0))], vec![Store(2, place(0))]),
            If(1, vec![Store(1, place(1))], vec![Store(2, place(1))]),
            Move(place(read), place(2)),
        ]
    };
    assert!(are_equal(&program(1), &program(1)));
    assert!(!are_equal(&program(0), &program(1)));
}

#[test]
fn bytes_that_are_overwritten_in_part_are_not_those_before() {
    let program = |last| {
        let second = Store(2, (0, Index::Known(1)));
        vec![USE, Fill(1, (0, 0)), If(0, vec![second], Vec::new()), last]
    };
    let copy = program(Copy((0, 0), (0, 2), 2));
    assert!(are_equal(&copy, &copy));
    assert!(!are_equal(&copy, &program(Fill(1, (0, 2)))));
}

/// A loop computes elements in storage of the function or right where they are copied to.
#[test]
fn elements_are_computed_where_they_are_copied_to() {
    let program = |element, bytes| {
        let mut program = vec![
            Move((1, Index::Known(0)), (0, Index::Known(3))),
            Loop(vec![Store(1, (OWN, Index::Counter))]),
            Copy((OWN, 0), (0, 0), bytes),
        ];
        let copied = program.clone();
        if let Loop(body) = &mut program[1] {
            body[0] = Store(1, (OWN, element));
        }
        assert_eq!(remove_copy(&mut program), bytes == N);
        (copied, program)
    };
    let (copied, direct) = program(Index::Counter, N);
    assert!(are_equal(&copied, &direct));
    let (copied, direct) = program(Index::Argument, N);
    assert!(!are_equal(&copied, &direct));
}

#[test]
fn programs_found_equal_leave_the_same_memory() {
    let first = number("MEMORY_SEED", 0);
    let n_cases = number("MEMORY_CASES", 10_000);
    let (mut n_equal, mut n_changed) = (0, 0);
    for seed in first..first + n_cases {
        let mut random = Random(SplitMix64::seed_from_u64(seed));
        let original: Vec<Statement> = (0..2 + random.below(5))
            .map(|_| random.statement(2))
            .collect();
        let mut changed = original.clone();
        let is_direct = random.below(2) == 0 && remove_copy(&mut changed);
        for _ in 0..random.below(if is_direct { 2 } else { 3 }) {
            random.change(&mut changed);
        }
        if !are_equal(&original, &changed) {
            assert_ne!(original, changed, "seed {seed}");
            continue;
        }
        n_equal += 1;
        n_changed += u64::from(original != changed);
        for start in 0..=N {
            for index in 0..N {
                for count in 0..4 {
                    let [own, theirs] =
                        [&original, &changed].map(|own| Run::of(own, start, index, count));
                    // A copy may be undefined that is never read.
                    if own.is_none() || theirs.is_none() {
                        continue;
                    }
                    let mut pairs = own.iter().flatten().zip(theirs.iter().flatten());
                    assert!(
                        pairs.all(|(own, theirs)| *own == UNDEFINED || own == theirs),
                        "seed {seed}, {start}, {index}, {count}: {original:?} {changed:?}"
                    );
                }
            }
        }
    }
    println!("{n_equal} of {n_cases} pairs are equal, {n_changed} of them not the same");
    assert!(n_equal > n_cases / 3 && n_changed > n_cases / 25);
}
