//! Random loops that compute a slice in storage of their own and copy it to where the slice is, known only at run time,
//! and the same loops with the slice in place: programs that are found equal have to leave the same memory.
//!
//! `SLICES_CASES` and `SLICES_SEED` set the number of pairs and the first one.

mod support;

use mem_equivalence::program::{
    AccessStep, Fingerprint, Module, Number, StepKind, StorageStep, ValueId, ViewKind,
};
use mem_equivalence::{Outcome, compare_modules};
use mem_testkit::number;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use support::body::{Body, elements, scalar};

/// Number of slices, and of elements of each.
const N: u64 = 3;

/// What has never been written.
const UNDEFINED: u64 = u64::MAX;

/// Number of an element of a slice.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Column {
    Known(u64),
    Argument,
    /// The number of the iteration of the innermost loop.
    Counter,
}

/// Number of a slice.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Slice {
    Known(u64),
    Argument,
    /// The number of the iteration of the outermost loop.
    Counter,
    /// A number that each iteration of an inner loop increases, modulo [`N`].
    Counted,
}

/// An element: of the storage of each iteration of the outermost loop, or of a slice.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Own(Column),
    Out(Slice, Column),
}

/// A statement in the outermost loop.
#[derive(Clone, Debug, PartialEq)]
enum Statement {
    /// Stores a value that depends on the iteration of the innermost loop.
    Store(u32, Place),
    Move(Place, Place),
    If(Vec<Statement>, Vec<Statement>),
    Loop(Vec<Statement>),
    /// Copies all of the own storage to a slice.
    Copy(Slice),
}

use Statement::{Copy, If, Loop, Move, Store};

struct Random(SplitMix64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0.next_u64() % n
    }

    fn column(&mut self) -> Column {
        match self.below(6) {
            0 => Column::Known(self.below(N)),
            1 => Column::Argument,
            _ => Column::Counter,
        }
    }

    fn slice(&mut self) -> Slice {
        match self.below(8) {
            0 => Slice::Known(self.below(N)),
            1 => Slice::Argument,
            2..=3 => Slice::Counted,
            _ => Slice::Counter,
        }
    }

    fn place(&mut self) -> Place {
        match self.below(10) {
            0 => Place::Out(self.slice(), self.column()),
            _ => Place::Own(self.column()),
        }
    }

    fn statement(&mut self, depth: u64) -> Statement {
        match self.below(8) {
            0 if depth > 0 => If(self.list(depth - 1, 0), self.list(depth - 1, 0)),
            1..=2 if depth > 0 => Loop(self.list(depth - 1, 1)),
            3 => Move(self.place(), self.place()),
            _ => Store(self.below(3) as u32, self.place()),
        }
    }

    fn list(&mut self, depth: u64, least: u64) -> Vec<Statement> {
        let n = least + self.below(2);
        (0..n).map(|_| self.statement(depth)).collect()
    }

    /// The body of the outermost loop: loops, and a copy.
    fn program(&mut self) -> Vec<Statement> {
        let mut program = match self.below(4) {
            0 => self.list(0, 1),
            _ => Vec::new(),
        };
        program.push(Loop(self.list(2, 1)));
        program.push(Copy(self.slice()));
        program
    }

    /// Changes one statement of a list, or of one in it.
    fn change(&mut self, list: &mut Vec<Statement>) {
        let n = list.len() as u64;
        if n == 0 {
            return list.push(self.statement(0));
        }
        let at = self.below(n) as usize;
        match (&mut list[at], self.below(6)) {
            (Loop(body) | If(body, _), 0..=3) => self.change(body),
            (_, 0) => list.insert(at, self.statement(1)),
            (_, 1) => drop(list.remove(at)),
            (_, 2) => list.swap(at, self.below(n) as usize),
            (Store(_, to) | Move(_, to), 3..=4) => {
                *to = match *to {
                    Place::Own(_) => Place::Own(self.column()),
                    Place::Out(slice, _) if self.below(2) == 0 => Place::Out(slice, self.column()),
                    Place::Out(_, column) => Place::Out(self.slice(), column),
                }
            }
            (own, _) => *own = self.statement(0),
        }
    }
}

/// Computes in place what is copied at the end. Returns whether anything is.
fn in_place(program: &mut Vec<Statement>) -> bool {
    match program.pop() {
        Some(Copy(slice)) => {
            redirect(program, slice);
            true
        }
        last => {
            program.extend(last);
            false
        }
    }
}

fn redirect(list: &mut [Statement], slice: Slice) {
    let replace = |place: &mut Place| {
        if let Place::Own(column) = *place {
            *place = Place::Out(slice, column);
        }
    };
    for own in list {
        match own {
            Store(_, to) => replace(to),
            Move(from, to) => [from, to].into_iter().for_each(replace),
            If(yes, no) => [yes, no].into_iter().for_each(|own| redirect(own, slice)),
            Loop(body) => redirect(body, slice),
            Copy(_) => {}
        }
    }
}

/// Translates programs to the validator's input.
struct Builder {
    body: Body,
    out: ValueId,
    index: ValueId,
    count: ValueId,
    own: ValueId,
    /// The number of the iteration of the outermost loop, and of the innermost one.
    counters: [ValueId; 2],
    counted: ValueId,
}

impl Builder {
    fn function(program: &[Statement]) -> Module {
        let mut own = Self {
            body: Body::default(),
            out: ValueId(0),
            index: ValueId(1),
            count: ValueId(2),
            own: ValueId(0),
            counters: [ValueId(1); 2],
            counted: ValueId(1),
        };
        let all = [
            elements(Some(0), &[(N as usize, N as usize), (N as usize, 1)]),
            scalar(8),
            scalar(8),
        ];
        let arguments = all.map(|ty| own.body.value(ty)).to_vec();
        own.body.block(arguments);
        own.repeat(|own, counter| {
            own.counters = [counter; 2];
            own.own = own.body.value(elements(Some(0), &[(N as usize, 1)]));
            own.body.push(StepKind::Storage(StorageStep::Allocate {
                result: own.own,
                bytes: Some(4 * N as i64),
                sizes: Vec::new(),
                is_arena: false,
            }));
            own.counted = own.index;
            own.list(program);
        });
        own.body.module(true)
    }

    fn list(&mut self, list: &[Statement]) {
        for own in list {
            match own {
                Store(value, to) => {
                    let value = self
                        .body
                        .compute(10 + value, &[self.counters[1]], scalar(4));
                    self.store(value, *to);
                }
                Move(from, to) => {
                    let (from, indices) = self.place(*from);
                    let result = self.body.value(scalar(4));
                    self.body.push(StepKind::Access(AccessStep::Load {
                        from,
                        indices,
                        result,
                    }));
                    self.store(result, *to);
                }
                If(yes, no) => self.branch(yes, no),
                Loop(body) => {
                    let around = self.counters;
                    self.repeat(|own, counter| {
                        own.counters[1] = counter;
                        own.list(body);
                    });
                    self.counters = around;
                }
                Copy(slice) => self.copy(*slice),
            }
        }
    }

    fn copy(&mut self, slice: Slice) {
        let slice = self.slice(slice);
        let result = self.body.value(elements(None, &[(N as usize, 1)]));
        self.body.push(StepKind::Storage(StorageStep::View {
            result,
            source: self.out,
            kind: Box::new(ViewKind::Slice {
                offsets: vec![Number::Value(slice), Number::Constant(0)],
                sizes: vec![Number::Constant(1), Number::Constant(N as i64)],
                strides: vec![Number::Constant(1); 2],
            }),
        }));
        self.body.push(StepKind::Access(AccessStep::Copy {
            fingerprint: Fingerprint(1),
            from: self.own,
            to: result,
        }));
    }

    fn store(&mut self, value: ValueId, to: Place) {
        let (to, indices) = self.place(to);
        self.body
            .push(StepKind::Access(AccessStep::Store { value, to, indices }));
    }

    fn place(&mut self, place: Place) -> (ValueId, Box<[ValueId]>) {
        match place {
            Place::Own(column) => (self.own, Box::new([self.column(column)])),
            Place::Out(slice, column) => {
                let indices = [self.slice(slice), self.column(column)];
                (self.out, Box::new(indices))
            }
        }
    }

    fn column(&mut self, column: Column) -> ValueId {
        match column {
            Column::Known(value) => self.body.integer(value as i64, scalar(8)),
            Column::Argument => self.index,
            Column::Counter => self.counters[1],
        }
    }

    fn slice(&mut self, slice: Slice) -> ValueId {
        match slice {
            Slice::Known(value) => self.body.integer(value as i64, scalar(8)),
            Slice::Argument => self.index,
            Slice::Counter => self.counters[0],
            Slice::Counted => self.counted,
        }
    }

    fn branch(&mut self, yes: &[Statement], no: &[Statement]) {
        let before = self.body.here();
        self.body.blocks[before].end.operands = Box::new([self.counters[1]]);
        let counted = self.counted;
        let mut ends = Vec::new();
        for list in [yes, no] {
            let block = self.body.block(Vec::new());
            self.body.edge(before, block, Vec::new());
            self.counted = counted;
            self.list(list);
            ends.push((self.body.here(), self.counted));
        }
        self.counted = self.body.value(scalar(8));
        let after = self.body.block(vec![self.counted]);
        for (end, counted) in ends {
            let values = vec![(Some(counted), self.counted)];
            self.body.edge(end, after, values);
        }
    }

    /// A loop that carries its counter and what is counted. The first number is not known to be zero, so that no
    /// element is known before the program runs.
    fn repeat(&mut self, fill: impl FnOnce(&mut Self, ValueId)) {
        let zero = self.body.compute(6, &[], scalar(8));
        let before = self.body.here();
        let [counter, counted] = [0; 2].map(|_| self.body.value(scalar(8)));
        let header = self.body.block(vec![counter, counted]);
        let values = vec![(Some(zero), counter), (Some(self.counted), counted)];
        self.body.edge(before, header, values);
        let continues = self.body.compute(3, &[counter, self.count], scalar(8));
        let decision = self.body.here();
        self.body.blocks[decision].end.operands = Box::new([continues]);
        let first = self.body.block(Vec::new());
        self.body.edge(decision, first, Vec::new());
        self.counted = counted;
        fill(self, counter);
        let next = self.body.compute(4, &[counter], scalar(8));
        let more = self.body.compute(5, &[self.counted], scalar(8));
        let last = self.body.here();
        let values = vec![(Some(next), counter), (Some(more), counted)];
        self.body.edge(last, header, values);
        let after = self.body.block(Vec::new());
        self.body.edge(decision, after, Vec::new());
        self.counted = counted;
    }
}

/// An execution of a program.
struct Run {
    /// The slices, and then the own storage.
    memory: Vec<u64>,
    index: u64,
    count: u64,
    counters: [u64; 2],
    counted: u64,
}

impl Run {
    /// What a program leaves in the slices.
    fn of(program: &[Statement], index: u64, count: u64) -> Vec<u64> {
        let mut run = Self {
            memory: (100..100 + N * N).chain([0; N as usize]).collect(),
            index,
            count,
            counters: [0; 2],
            counted: 0,
        };
        for counter in 0..count {
            run.counters = [counter; 2];
            run.counted = index;
            run.memory[(N * N) as usize..].fill(UNDEFINED);
            run.list(program);
        }
        run.memory.truncate((N * N) as usize);
        run.memory
    }

    fn list(&mut self, list: &[Statement]) {
        for own in list {
            match own {
                Store(value, to) => {
                    let to = self.at(*to);
                    self.memory[to] = 1000 * u64::from(*value + 1) + self.counters[1];
                }
                Move(from, to) => {
                    let [from, to] = [from, to].map(|own| self.at(*own));
                    self.memory[to] = self.memory[from];
                }
                If(yes, no) => match self.counters[1] > 0 {
                    true => self.list(yes),
                    false => self.list(no),
                },
                Loop(body) => {
                    let around = self.counters;
                    for counter in 0..self.count {
                        self.counters[1] = counter;
                        self.list(body);
                        self.counted = (self.counted + 1) % N;
                    }
                    self.counters = around;
                }
                Copy(slice) => {
                    let own = (N * N) as usize;
                    let to = (N * self.slice(*slice)) as usize;
                    self.memory.copy_within(own..own + N as usize, to);
                }
            }
        }
    }

    fn slice(&self, slice: Slice) -> u64 {
        match slice {
            Slice::Known(own) => own,
            Slice::Argument => self.index,
            Slice::Counter => self.counters[0],
            Slice::Counted => self.counted,
        }
    }

    fn at(&self, place: Place) -> usize {
        let (slice, column) = match place {
            Place::Own(column) => (N, column),
            Place::Out(slice, column) => (self.slice(slice), column),
        };
        let column = match column {
            Column::Known(own) => own,
            Column::Argument => self.index,
            Column::Counter => self.counters[1],
        };
        (N * slice + column) as usize
    }
}

fn are_equal(original: &[Statement], planned: &[Statement]) -> bool {
    let [original, planned] = [original, planned].map(Builder::function);
    compare_modules(&original, &planned, false)[0].1 == Outcome::Equal
}

/// Loops that write a slice in place, which is where it will be copied to.
#[test]
fn slices_are_computed_where_they_are_copied_to() {
    let program = |slice, column| {
        let inner = vec![Loop(vec![Store(1, Place::Own(column))])];
        vec![Loop(inner), Copy(slice)]
    };
    for (slice, is_fixed) in [
        (Slice::Counter, true),
        (Slice::Argument, true),
        (Slice::Counted, false),
    ] {
        let copied = program(slice, Column::Counter);
        let mut direct = copied.clone();
        assert!(in_place(&mut direct));
        assert_eq!(are_equal(&copied, &direct), is_fixed, "{slice:?}");
        let mut other = program(slice, Column::Argument);
        assert!(in_place(&mut other) && !are_equal(&copied, &other));
    }
}

#[test]
fn programs_found_equal_leave_the_same_slices() {
    let first = number("SLICES_SEED", 0);
    let n_cases = number("SLICES_CASES", 1500);
    let (mut n_equal, mut n_in_place) = (0, 0);
    for seed in first..first + n_cases {
        let mut random = Random(SplitMix64::seed_from_u64(seed));
        let original = random.program();
        let mut changed = original.clone();
        let is_in_place = random.below(4) > 0 && in_place(&mut changed);
        for _ in 0..random.below(3) {
            random.change(&mut changed);
        }
        if !are_equal(&original, &changed) {
            assert_ne!(original, changed, "seed {seed}");
            continue;
        }
        n_equal += 1;
        n_in_place += u64::from(is_in_place);
        for (index, count) in (0..N).flat_map(|index| (0..=N).map(move |count| (index, count))) {
            let [own, theirs] = [&original, &changed].map(|own| Run::of(own, index, count));
            let mut pairs = own.iter().zip(&theirs);
            assert!(
                pairs.all(|(own, theirs)| *own == UNDEFINED || own == theirs),
                "seed {seed}, {index}, {count}: {original:?} {changed:?}"
            );
        }
    }
    println!("{n_equal} of {n_cases} pairs are equal, {n_in_place} of them in place");
    assert!(n_equal > n_cases / 10 && n_in_place > n_cases / 50);
}
