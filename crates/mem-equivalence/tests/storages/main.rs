//! Random programs that exchange, choose and allocate storages in loops and branches, and changes
//! of them: programs that are found equal have to leave the same memory.

mod build;
mod run;
#[path = "../support/mod.rs"]
mod support;

use build::Builder;
use mem_equivalence::program::{Count, Edge, Module, Rule};
use mem_equivalence::{Outcome, compare_modules};
use mem_testkit::number;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use run::Run;
use support::body::scalar;

/// Number of variables that denote storages, and of elements of each storage.
const VARIABLES: usize = 3;
const N: usize = 2;

/// Number of slots of the arena.
const SLOTS: usize = 3;

/// Variable and element.
type Place = (usize, usize);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Times {
    Known(i64),
    /// As often as an argument says, with bounds that are known to be those of a counted loop.
    Argument,
    /// While a counter is below a number.
    Below(i64),
    /// While an unknown condition of a counter and an argument holds.
    While,
    Forever,
}

#[derive(Clone, Debug, PartialEq)]
enum Statement {
    Store(u32, Place),
    Move(Place, Place),
    Exchange(usize, usize),
    /// The variable denotes a new storage that is filled with a value, or a slot of the arena.
    Renew(usize, u32, Option<usize>),
    /// The storage that the variable denotes is freed, all of the arena if it is a slot.
    Free(usize),
    /// A variable denotes what one of two others denotes, depending on an argument.
    Choose(usize, usize, [usize; 2]),
    /// Conditions depend on an argument, or on the index of the innermost loop: the number 2 stands
    /// for an unknown function of the index, and 3 for whether the index is less than three.
    If(usize, Vec<Statement>, Vec<Statement>),
    Loop(Times, Vec<Statement>),
    /// Something that is observed outside.
    Event(u32),
}

use Statement::{Choose, Event, Exchange, Free, If, Loop, Move, Renew, Store};

struct Random(SplitMix64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }

    fn statement(&mut self, depth: usize) -> Statement {
        let place = |own: &mut Self| (own.below(VARIABLES), own.below(N));
        let value = self.below(3) as u32;
        match self.below(11) {
            0 if depth > 0 => If(self.below(4), self.list(depth - 1), self.list(depth - 1)),
            1 | 2 if depth > 0 => {
                let times = match self.below(6) {
                    0 => Times::Known(self.below(4) as i64),
                    1 => Times::Below(self.below(4) as i64),
                    2 => Times::While,
                    _ => Times::Argument,
                };
                let mut body = self.list(depth - 1);
                if self.below(3) == 0 {
                    // Two variables denote the instance that the last iteration has allocated.
                    let new = self.below(VARIABLES);
                    body.insert(0, Renew(new, value, None));
                    body.extend((0..VARIABLES).map(|own| Choose(0, own, [new; 2])));
                }
                Loop(times, body)
            }
            3..=5 => Exchange(self.below(VARIABLES), self.below(VARIABLES)),
            6 => Renew(self.below(VARIABLES), value, None),
            7 => {
                let of = [0; 2].map(|_: i32| self.below(VARIABLES));
                Choose(self.below(4), self.below(VARIABLES), of)
            }
            8 => Store(value, place(self)),
            _ => Move(place(self), place(self)),
        }
    }

    fn list(&mut self, depth: usize) -> Vec<Statement> {
        (0..self.below(5)).map(|_| self.statement(depth)).collect()
    }

    /// Changes one list of statements.
    fn change(&mut self, list: &mut Vec<Statement>) {
        let mut nested: Vec<&mut Vec<Statement>> = Vec::new();
        for own in list.iter_mut() {
            match own {
                If(_, yes, no) => nested.extend([yes, no]),
                Loop(_, body) => nested.push(body),
                _ => {}
            }
        }
        if !nested.is_empty() && self.below(3) > 0 {
            let at = self.below(nested.len());
            return self.change(nested.swap_remove(at));
        }
        if list.is_empty() {
            return list.push(self.statement(0));
        }
        let (at, other) = (self.below(list.len()), self.below(list.len()));
        match self.below(8) {
            0 => list.swap(at, other),
            1 => drop(list.remove(at)),
            2 => list.insert(other, list[at].clone()),
            3 => list[at] = self.statement(0),
            _ => {
                for own in list {
                    if let Renew(.., slot) = own {
                        *slot = Some(self.below(SLOTS));
                    }
                }
            }
        }
    }
}

fn places() -> impl Iterator<Item = Place> {
    (0..VARIABLES).flat_map(|variable| (0..N).map(move |element| (variable, element)))
}

fn outcome(original: &[Statement], planned: &[Statement]) -> Outcome {
    let [original, planned] = [original, planned].map(Builder::function);
    compare_modules(&original, &planned, false)[0].1.clone()
}

/// Storages in a loop that a condition chooses between have to be told apart.
fn choosing(times: Times, first: Statement, last: Statement) -> Vec<Statement> {
    let body = vec![first, Exchange(0, 1), Choose(0, 2, [0, 1]), last];
    vec![Loop(times, body)]
}

#[test]
fn loops_without_end_are_not_equal_to_others() {
    let program = |number| {
        let last = Store(1, (2, 0));
        Builder::function(&choosing(Times::Forever, Event(number), last))
    };
    let outcome = |a, b| {
        compare_modules(&program(a), &program(b), false)[0]
            .1
            .clone()
    };
    assert_ne!(outcome(1, 2), Outcome::Equal);
}

#[test]
fn storages_that_a_loop_exchanges_are_told_apart() {
    let first = Move((1, 0), (0, 1));
    for times in [Times::Known(3), Times::Below(3), Times::Argument] {
        let own = choosing(times, first.clone(), Store(1, (2, 0)));
        assert_eq!(outcome(&own, &own), Outcome::Equal, "{times:?}");
        // Allocations may become slots that are free.
        let renew = |slot| {
            let mut own = own.clone();
            own.insert(0, Renew(1, 2, slot));
            own
        };
        assert_eq!(outcome(&renew(None), &renew(Some(1))), Outcome::Equal);
        let other = choosing(times, first.clone(), Store(1, (1, 0)));
        assert_ne!(outcome(&own, &other), Outcome::Equal, "{times:?}");
    }
}

/// What an iteration with a small index writes is read in those with a larger index.
#[test]
fn iterations_decide_differently() {
    let program = |written: Vec<Statement>| {
        let body = vec![
            If(2, Vec::new(), written),
            Choose(2, 2, [0, 1]),
            Move((2, 1), (1, 0)),
        ];
        vec![Loop(Times::Argument, body), Store(0, (0, 1))]
    };
    let [own, other] = [Vec::new(), vec![Store(1, (0, 1))]].map(program);
    let outcome = outcome(&own, &other);
    assert!(matches!(outcome, Outcome::Unknown { .. }), "{outcome:?}");
}

/// Three instances of a tensor that each iteration allocates are alive at once.
#[test]
fn allocations_alternate_between_as_many_places_as_they_need() {
    let program = |variable| {
        let last = If(3, Vec::new(), vec![Store(1, (variable, 1))]);
        let body = vec![Exchange(1, 2), Exchange(0, 1), Renew(0, 2, None), last];
        // Only if it matters which storages these are, there are cases.
        let chosen = [[0, 1], [1, 2], [2, 0]].map(|of| Choose(0, of[0], of));
        let mut program = vec![Loop(Times::Argument, body)];
        program.extend(chosen);
        program
    };
    assert_eq!(outcome(&program(2), &program(2)), Outcome::Equal);
    let outcome = outcome(&program(2), &program(0));
    assert!(matches!(outcome, Outcome::Unknown { .. }), "{outcome:?}");
}

/// Two variables denote the same instance of a tensor when the next one is allocated.
#[test]
fn variables_denote_the_same_earlier_instance() {
    let program = |order: [usize; 2]| {
        let accesses = [Store(1, (1, 0)), Move((0, 0), (2, 0))];
        let mut body = vec![Renew(2, 0, None)];
        body.extend(order.map(|own| accesses[own].clone()));
        body.extend([0, 1].map(|variable| Choose(0, variable, [2, 2])));
        vec![Loop(Times::Argument, body)]
    };
    let [own, other] = [[0, 1], [1, 0]].map(program);
    assert_ne!(outcome(&own, &other), Outcome::Equal);
    assert_eq!(outcome(&own, &own), Outcome::Equal);
}

/// A loop with three ways out. One of them is found only when the loop is evaluated again, since
/// its condition is constant in the first iteration. `order`: the variables that it passes on.
fn breaking(order: [usize; VARIABLES]) -> Module {
    let mut own = Builder::new();
    let [zero, one] = [0, 1].map(|value| own.integer(value));
    let (index, counter) = (own.body.value(scalar(8)), own.body.value(scalar(8)));
    let upper = own.arguments[1];
    let rule = |is_first| {
        Rule::Count(Count {
            lower: zero,
            upper,
            step: one,
            index,
            body: 0,
            is_first,
        })
    };
    own.body.decide(rule(true), vec![zero, upper, one]);
    let (before, variables) = (own.body.here(), own.variables);
    let first = own.merge(vec![index, counter]);
    own.edge(before, first, vec![(Some(zero), counter)], variables);
    let of_loop = own.variables;
    let mut left = vec![(before, variables)];
    for (number, order) in [[1, 0, 2], [2, 0, 1], order].into_iter().enumerate() {
        let condition = match number {
            2 => own.less(counter, one),
            _ => own.body.compute(7 + number as u32, &[index], scalar(1)),
        };
        own.body.decide(Rule::Condition { yes: 0 }, vec![condition]);
        let from = own.body.here();
        let next = own.body.block(Vec::new());
        own.body.blocks[from].end.edges.push(Edge {
            to: next,
            values: Vec::new(),
        });
        left.push((from, order.map(|own| of_loop[own])));
    }
    let next = own.add(counter, one);
    own.body.decide(rule(false), Vec::new());
    let last = own.body.here();
    own.edge(last, first, vec![(Some(next), counter)], of_loop);
    left.push((last, of_loop));
    let after = own.merge(Vec::new());
    for (from, variables) in left {
        own.edge(from, after, Vec::new(), variables);
    }
    // Only if it matters which storages these are, there are cases.
    own.list(&[Store(1, (0, 0)), Move((1, 0), (2, 1))]);
    own.module()
}

#[test]
fn edges_that_are_found_late_are_cases() {
    let [own, other] = [[0, 2, 1], [2, 1, 0]].map(breaking);
    let outcome = compare_modules(&own, &other, false)[0].1.clone();
    assert!(matches!(outcome, Outcome::Unknown { .. }), "{outcome:?}");
}

impl Random {
    /// Frees what a variable denotes, and lets it denote a new storage.
    fn free(&mut self, list: &mut Vec<Statement>) {
        let at = self.below(list.len() + 1);
        match list.get_mut(at) {
            Some(If(_, yes, no)) if self.below(3) > 0 => match self.below(2) {
                0 => self.free(yes),
                _ => self.free(no),
            },
            Some(Loop(_, body)) if self.below(3) > 0 => self.free(body),
            _ => {
                let variable = self.below(VARIABLES);
                list.splice(at..at, [Free(variable), Renew(variable, 2, None)]);
            }
        }
    }
}

/// The statements without those that free storage.
fn without_frees(list: &[Statement]) -> Vec<Statement> {
    let kept = list.iter().filter(|own| !matches!(own, Free(_)));
    kept.map(|own| match own {
        If(by, yes, no) => If(*by, without_frees(yes), without_frees(no)),
        Loop(times, body) => Loop(*times, without_frees(body)),
        own => own.clone(),
    })
    .collect()
}

#[test]
fn programs_found_equal_access_nothing_that_has_been_freed() {
    let first = number("MEMORY_SEED", 0);
    let n_cases = number("MEMORY_CASES", 2_000);
    let [mut n_equal, mut n_undefined, mut n_refused, mut n_open] = [0; 4];
    for seed in first..first + n_cases {
        let mut random = Random(SplitMix64::seed_from_u64(seed));
        let n = 1 + random.below(4);
        let mut freeing: Vec<Statement> = (0..n).map(|_| random.statement(2)).collect();
        for _ in 0..1 + random.below(2) {
            random.free(&mut freeing);
        }
        let original = without_frees(&freeing);
        let found = outcome(&original, &freeing);
        let mut runs = (0..4).flat_map(|a| (0..8).map(move |b| [a, b]));
        let is_defined = runs.all(|arguments| Run::of(&freeing, arguments).is_some());
        match &found {
            Outcome::Equal => assert!(is_defined, "seed {seed}: {freeing:?}"),
            Outcome::Undefined { .. } => {
                n_undefined += 1;
                // An execution knows one function for each condition, and some code is not executed.
                n_refused += u64::from(is_defined);
            }
            _ => n_open += u64::from(is_defined && outcome(&original, &original) == Outcome::Equal),
        }
        n_equal += u64::from(found == Outcome::Equal);
    }
    println!(
        "{n_equal} of {n_cases} programs are equal, {n_undefined} are not defined, {n_refused} of them never when executed; \
         {n_open} are not followed because of frees"
    );
    assert!(n_equal > n_cases / 4 && n_undefined > n_cases / 20);
}

#[test]
fn programs_found_equal_leave_the_same_memory() {
    let first = number("MEMORY_SEED", 0);
    let n_cases = number("MEMORY_CASES", 3_000);
    let (mut n_equal, mut n_changed, mut n_open) = (0, 0, 0);
    for seed in first..first + n_cases {
        let mut random = Random(SplitMix64::seed_from_u64(seed));
        let n = 2 + random.below(4);
        let original: Vec<Statement> = (0..n).map(|_| random.statement(2)).collect();
        let mut changed = original.clone();
        for _ in 0..random.below(3) {
            random.change(&mut changed);
        }
        // A single program is printed.
        if n_cases == 1 {
            println!("{original:?}\n{changed:?}");
        }
        let outcome = outcome(&original, &changed);
        if outcome != Outcome::Equal {
            // A difference is certain; what cannot be followed may still be equal.
            n_open += u64::from(original == changed);
            let is_certain = matches!(outcome, Outcome::Different(_));
            assert!(original != changed || !is_certain, "seed {seed}");
            continue;
        }
        n_equal += 1;
        n_changed += u64::from(original != changed);
        for arguments in (0..4).flat_map(|a| (0..8).map(move |b| [a, b])) {
            let [own, theirs] = [&original, &changed].map(|own| Run::of(own, arguments));
            assert_eq!(
                own, theirs,
                "seed {seed}, {arguments:?}: {original:?} {changed:?}"
            );
        }
    }
    println!(
        "{n_equal} of {n_cases} pairs are equal, {n_changed} of them not the same; \
         {n_open} programs are not followed"
    );
    assert!(n_equal > n_cases / 3 && n_changed > n_cases / 25 && n_open < n_cases / 10);
}
