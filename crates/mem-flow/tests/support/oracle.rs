//! Compares dependences with a byte-precise execution. The fuzz target includes this file, too.

use std::collections::{BTreeMap, HashMap};

use mem_flow::dependence::{AccessId, Dependence, LiveWrites, Options, Source, analyze_dependence};
use mem_model::{
    AccessKind, BufferId, Bytes, PointerId, Program, StepId, parse_programs, print_programs,
};
use mem_testkit::{Features, Observer, Origin, Rng, Run, observe, random_dependence_program};

/// Translates the origin of a byte to the terms of the analysis.
pub(crate) fn source_of(origin: Origin) -> Source {
    match origin {
        Origin::Undefined => Source::Undefined,
        Origin::Entry => Source::Entry,
        Origin::Definition(step, index) => Source::Definition(AccessId { step, index }),
    }
}

/// A claim of the analysis: before step `second`, all bytes that `pointer` reaches are as they were
/// before step `first`, or were written by one of `same`.
#[derive(Clone)]
struct Unchanged {
    pointer: PointerId,
    first: StepId,
    second: StepId,
    same: Vec<AccessId>,
}

/// Compares an execution with the answers of the analysis, each of which is computed once.
struct Checker<'d, 'a> {
    dependence: &'d Dependence<'a>,
    live: LiveWrites,
    reaching: HashMap<AccessId, BTreeMap<(BufferId, Source), mem_model::IntervalSet<Bytes>>>,
    sole: HashMap<AccessId, Option<Source>>,
    overwritten: HashMap<BufferId, mem_model::IntervalSet<Bytes>>,
    unchanged: Vec<Unchanged>,
    /// The content that `unchanged` pointers reached before their first steps.
    before: HashMap<(PointerId, StepId), Vec<(Origin, u64)>>,
    /// Indexed by step: the pointers whose whole content has a single source before the step.
    sole_before: HashMap<StepId, Vec<(PointerId, Source)>>,
    wrong: Vec<String>,
}

impl<'d, 'a> Checker<'d, 'a> {
    fn new(dependence: &'d Dependence<'a>, rng: &mut Rng) -> Self {
        let mut checker = Self {
            dependence,
            live: dependence.live_writes(),
            reaching: HashMap::new(),
            sole: HashMap::new(),
            overwritten: HashMap::new(),
            unchanged: Vec::new(),
            before: HashMap::new(),
            sole_before: HashMap::new(),
            wrong: Vec::new(),
        };
        checker.choose_unchanged(rng);
        checker
    }

    /// Selects accesses to everything that a pointer reaches for which the analysis claims that the
    /// content is unchanged since an earlier step, or has a single source.
    fn choose_unchanged(&mut self, rng: &mut Rng) {
        let program = self.dependence.program();
        let accesses = || {
            program
                .steps
                .iter()
                .enumerate()
                .flat_map(|(step, of_step)| {
                    let step = StepId::new(step);
                    let numbered = (0..).zip(&of_step.accesses);
                    numbered.map(move |(index, access)| (AccessId { step, index }, access))
                })
        };
        for (id, access) in accesses() {
            let size = program.pointers[access.pointer.index()].size;
            let whole = size.map(|size| mem_model::Interval::new(Bytes::ZERO, size));
            let is_whole = access.detail.is_none() && (access.may.is_none() || access.may == whole);
            if !is_whole || !is_scoped(program, access.pointer) {
                continue;
            }
            let (pointer, second) = (access.pointer, id.step);
            if let Some(sole) = self.dependence.sole_source_before(id) {
                let of_step = self.sole_before.entry(second).or_default();
                of_step.push((pointer, sole));
            }
            let first = StepId::new(rng.below(second.index() + 1));
            let writes_all = accesses().filter(|(_, other)| {
                let is_same = other.pointer == pointer && other.kind == AccessKind::Define;
                is_same && other.detail.is_none() && whole.is_some() && other.must == whole
            });
            let mut same: Vec<AccessId> = writes_all.map(|(id, _)| id).collect();
            same.retain(|_| rng.below(2) == 0);
            let dependence = self.dependence;
            let is_unchanged = match same.is_empty() {
                true => dependence.is_unchanged(id, first, second),
                false => dependence.is_unchanged_but_for(id, first, second, &same),
            };
            if is_unchanged {
                self.unchanged.push(Unchanged {
                    pointer,
                    first,
                    second,
                    same,
                });
            }
        }
    }

    fn fail(&mut self, text: String) {
        if self.wrong.len() < 5 {
            self.wrong.push(text);
        }
    }

    fn check_live(&mut self, origin: Origin, buffer: BufferId, byte: u64, reader: &str) {
        let Source::Definition(id) = source_of(origin) else {
            return;
        };
        if self.live.is_dead(id) {
            self.fail(format!("{reader} reads {buffer}[{byte}] of dead {id:?}"));
        }
        if self.live.dead_bytes(id).contains(Bytes::new(byte)) {
            self.fail(format!(
                "{reader} reads dead byte {buffer}[{byte}] of {id:?}"
            ));
        }
    }
}

/// Whether a pointer is known to be a value of SSA form. Random programs use merges out of scope.
fn is_scoped(program: &Program, pointer: PointerId) -> bool {
    matches!(
        program.pointers[pointer.index()].kind,
        mem_model::PointerKind::Buffer(_)
    )
}

impl Observer for Checker<'_, '_> {
    fn read(&mut self, step: StepId, index: u32, buffer: BufferId, byte: u64, from: (Origin, u64)) {
        let id = AccessId { step, index };
        let dependence = self.dependence;
        let reaching = self.reaching.entry(id).or_insert_with(|| {
            let all = dependence.reaching(id).into_iter();
            all.map(|r| ((r.buffer, r.source), r.bytes)).collect()
        });
        let source = source_of(from.0);
        let is_found = reaching
            .get(&(buffer, source))
            .is_some_and(|bytes| bytes.contains(Bytes::new(byte)));
        if !is_found {
            self.fail(format!(
                "{id:?} reads {buffer}[{byte}] of {source:?}, which is missing"
            ));
        }
        let sole = self
            .sole
            .entry(id)
            .or_insert_with(|| dependence.sole_source(id));
        if sole.is_some_and(|sole| sole != source) {
            let sole = *sole;
            self.fail(format!(
                "{id:?} reads {buffer}[{byte}] of {source:?}, not of {sole:?}"
            ));
        }
        self.check_live(from.0, buffer, byte, &format!("{id:?}"));
    }

    fn observe(&mut self, buffer: BufferId, byte: u64, from: Origin) {
        let dependence = self.dependence;
        let overwritten = self.overwritten.entry(buffer);
        let overwritten = overwritten.or_insert_with(|| dependence.overwritten(buffer));
        let is_old = !matches!(from, Origin::Definition(..));
        if is_old && overwritten.contains(Bytes::new(byte)) {
            self.fail(format!("{buffer}[{byte}] is not overwritten"));
        }
        self.check_live(from, buffer, byte, "the caller");
    }

    fn before(&mut self, step: StepId, content: &dyn Fn(PointerId) -> Option<Vec<(Origin, u64)>>) {
        for (pointer, sole) in self.sole_before.get(&step).cloned().unwrap_or_default() {
            let now = content(pointer).unwrap_or_default();
            if now.iter().any(|(origin, _)| source_of(*origin) != sole) {
                self.fail(format!("{pointer} before {step} is not all of {sole:?}"));
            }
        }
        for claim in self.unchanged.clone() {
            let Unchanged { pointer, first, .. } = claim;
            let Some(now) = content(pointer) else {
                continue;
            };
            if claim.second == step
                && first != step
                && let Some(then) = self.before.get(&(pointer, first))
            {
                let is_first_same = claim.same.iter().any(|same| same.step == first);
                let is_kept = |(now, then): (&(Origin, u64), &(Origin, u64))| {
                    let is_same = |id: &AccessId| source_of(now.0) == Source::Definition(*id);
                    (now == then && !is_first_same) || claim.same.iter().any(is_same)
                };
                if now.len() != then.len() || !now.iter().zip(then).all(is_kept) {
                    self.fail(format!("{pointer} changes between {first} and {step}"));
                }
            }
            if first == step {
                self.before.insert((pointer, first), now);
            }
        }
    }
}

/// Analyzes a program and executes it along several random paths.
///
/// # Panics
/// If the analysis misses anything that an execution sees; reports `context` and the program.
pub(crate) fn check(context: &str, program: &Program, rng: &mut Rng, options: Options) {
    program.validate().expect("generated programs are valid");
    let text = print_programs(std::slice::from_ref(program));
    let again = parse_programs(&text).expect("what is printed can be read");
    assert_eq!(again, std::slice::from_ref(program), "{text}");
    let dependence = analyze_dependence(program, options);
    let mut checker = Checker::new(&dependence, rng);
    for _ in 0..6 {
        let run = Run {
            path: None,
            n_steps: 60,
        };
        checker.before.clear();
        observe(program, &run, rng, &mut checker);
    }
    if !checker.wrong.is_empty() {
        let text = print_programs(std::slice::from_ref(program));
        panic!("{context}:\n{}\n{text}", checker.wrong.join("\n"));
    }
}

/// Runs one case of the fuzzer. `data` determines the program and its executions.
pub(crate) fn check_tape(data: &[u8]) {
    let mut rng = Rng::from_tape(data);
    let features = Features::random(&mut rng);
    let size = 3 + rng.below(25);
    let max_search = rng.pick(&[usize::MAX, 1, 3]).unwrap_or(usize::MAX);
    let options = Options {
        max_search: max_search.min(Options::default().max_search),
    };
    let program = random_dependence_program(&mut rng, size, features);
    check("a tape", &program, &mut rng, options);
}
