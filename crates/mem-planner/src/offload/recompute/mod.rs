//! Plans within a budget by recomputation alone, for devices without a link to a host; and orders of
//! execution for those with one.
//!
//! Without copies, a plan is an order of execution: the steps of the program in their order, and
//! repetitions of earlier steps before them. A value is in memory from the step that computes it to
//! its last use before it is computed again, so the order determines the bytes in use.
//!
//! * [`values`] is what the search knows of the program; [`order`] is an order and the cost of its
//!   changes.
//! * [`starts`] are orders to begin with: cheap values recomputed, and [`segments`] recomputed as a
//!   whole, also segments within segments.
//! * [`anneal`] improves the best starts.
//! * [`beside`] does the same for devices with a link, where copies make room.
//!
//! The formulation is that of the integer programs of Checkmate (P. Jain et al., MLSys 2020) and
//! Moccasin (B. Bartan et al., ICML 2023), with any number of repetitions at any place: what Moccasin
//! calls retention intervals are the lives of values here. Those programs take minutes to hours for
//! some hundreds of steps; the search takes a second, and proves nothing.

mod anneal;
mod beside;
mod order;
mod segments;
mod starts;
mod values;

use mem_cost::ideal_cycles;
use mem_model::{Advice, LevelPlan, LevelProblem, Repeatable, Repetition};
use rayon::prelude::*;

use super::profile::Profile;
use super::repeat::with_repetitions;
use super::swaps::short_of;
use super::timetable::{Timetable, Wishes};
use super::{Offload, tuning};
use crate::levels::{LevelAnswer, LevelNoFit};
pub(super) use anneal::Fit;
use anneal::{Heat, anneal, worths};
pub(super) use beside::{From, LinkRoom};
use order::{Cost, Excess, Order, Room};
pub(super) use order::{Element, elements_of, repetitions};
use segments::{Cuts, Segments};
use starts::Start;
pub(super) use values::Values;

/// The temperatures and the first price of bytes in excess where an order nearly fits.
const WARM: ([f64; 2], f64) = (
    [tuning::FIRST_HEATS[1], tuning::LAST_HEAT],
    tuning::EXCESS_PRICES[0],
);

/// Search for orders of a program.
pub(super) struct Recomputation<'a> {
    values: Values<'a>,
    /// Per value: the probability of trying to recompute it.
    worth: Vec<f64>,
    /// The step at which the program without repetitions needs the most bytes.
    turn: usize,
    plain: Vec<Element>,
}

impl<'a> Recomputation<'a> {
    /// `is_kept` is indexed by tensor: it must not be recomputed.
    pub(super) fn new(
        problem: &'a LevelProblem,
        repeatable: &[Repeatable],
        profile: &Profile,
        is_kept: &[bool],
    ) -> Self {
        let values = Values::new(problem, repeatable, profile, is_kept);
        let plain = Order::without_repetitions(problem.steps.len());
        let none = Room::new(0, problem.steps.len());
        let order = Order::new(&values, &none, &plain);
        // The first of equals.
        let steps = (0..order.len()).rev();
        let turn = steps.max_by_key(|step| order.over(*step)).unwrap_or(0);
        Self {
            worth: worths(&values),
            turn,
            plain,
            values,
        }
    }

    /// The order with these repetitions; `None` if a search would not come to it: it repeats single steps of
    /// a group, or steps where they must not be repeated.
    pub(super) fn order_of(&self, repetitions: &[Repetition]) -> Option<Vec<Element>> {
        let values = &self.values;
        let mut elements = Vec::with_capacity(self.plain.len() + repetitions.len());
        let mut rest = repetitions;
        for first in &self.plain {
            let before = first.step as usize;
            while let Some(head) = rest.first().filter(|own| own.before == before) {
                let group = values.group_of_step.get(head.step).copied().flatten()?;
                let steps = &values.groups[group as usize].steps;
                let (own, others) = rest.split_at_checked(steps.len())?;
                let is_whole = (own.iter().zip(steps))
                    .all(|(own, step)| own.before == before && own.step == *step as usize);
                if !is_whole || !values.is_allowed(group, before) {
                    return None;
                }
                elements.extend(elements_of(values, group));
                rest = others;
            }
            elements.push(*first);
        }
        rest.is_empty().then_some(elements)
    }

    /// What an order costs in some room.
    pub(super) fn cost_of(&self, room: &LinkRoom, elements: &[Element]) -> Cost {
        Order::new(&self.values, room.room(), elements).cost()
    }

    /// Orders that fit, the fastest first; or one that nearly does. `known`: another order to begin with.
    fn within(&self, room: &Room, known: Option<&Vec<Element>>) -> Result<Vec<Fit>, Fit> {
        let starts = self.starts(room);
        let chosen = self.chosen(room, &starts);
        let chosen: Vec<_> = known.into_iter().chain(chosen).collect();
        let n_trials = tuning::n_recompute_trials(self.plain.len());
        let [hot, warm] = tuning::FIRST_HEATS;
        let [cheap, dear] = tuning::EXCESS_PRICES;
        let heats = |first: f64| [first, tuning::LAST_HEAT];
        let mut found = self.round(room, &chosen, n_trials, (heats(hot), cheap));
        for _ in 0..tuning::REPAIRS {
            let Err(nearly) = &found else { break };
            // The starts are forgotten: none of them led to an order that fits.
            found = self.round(room, &[&nearly.1], n_trials, (heats(warm), dear));
        }
        self.improved(room, found?)
    }

    /// Orders that fit, from one that fits a few more granules.
    fn narrowed(&self, room: &Room, known: &Fit) -> Result<Vec<Fit>, Fit> {
        let n_trials = tuning::n_recompute_trials(self.plain.len()) / tuning::NARROWED_SHARE;
        self.round(room, &[&known.1], n_trials, WARM)
    }

    /// Improves the best orders. Returns the old and the new ones, the fastest first.
    fn improved(&self, room: &Room, mut found: Vec<Fit>) -> Result<Vec<Fit>, Fit> {
        let starts: Vec<&Vec<Element>> = found.iter().map(|own| &own.1).take(2).collect();
        let n_trials = tuning::n_recompute_trials(self.plain.len()) / 2;
        let better = self.round(room, &starts, n_trials, WARM)?;
        log::debug!(
            target: "offload",
            "recomputation within {} granules: {} cycles, then {}; without a limit {}",
            room.capacity,            found[0].0.cycles, better[0].0.cycles, self.values.ideal,
        );
        found.extend(better);
        for (cost, elements) in &mut found {
            let mut order = Order::new(&self.values, room, elements);
            order.prune();
            (*cost, *elements) = (order.cost(), order.elements());
        }
        found.sort_by_key(|own| (own.0.cycles, own.0.steps));
        let most = found[0].0.cycles + found[0].0.cycles / tuning::NEARLY_BEST;
        found.retain(|own| own.0.cycles <= most);
        found.dedup_by(|a, b| a.1 == b.1);
        Ok(found)
    }

    /// Anneals from the starts. Returns the orders that fit, the fastest first; or the order with the
    /// fewest bytes in excess.
    fn round(
        &self,
        room: &Room,
        starts: &[&Vec<Element>],
        n_trials: usize,
        heats: ([f64; 2], f64),
    ) -> Result<Vec<Fit>, Fit> {
        let found = self.chains(room, starts, n_trials, heats);
        let (fits, others): (Vec<_>, Vec<_>) = found.into_iter().partition(Result::is_ok);
        let mut fits: Vec<Fit> = fits.into_iter().flatten().collect();
        fits.sort_by_key(|own| (own.0.cycles, own.0.steps));
        let others = others.into_iter().filter_map(Result::err);
        match others.min_by_key(|own| own.0.over) {
            Some(nearly) if fits.is_empty() => Err(nearly),
            _ => Ok(fits),
        }
    }

    /// Runs the chains of annealing.
    fn chains(
        &self,
        room: &Room,
        starts: &[&Vec<Element>],
        n_trials: usize,
        (heats, price): ([f64; 2], f64),
    ) -> Vec<Result<Fit, Fit>> {
        let chains = (0..tuning::RECOMPUTE_CHAINS).into_par_iter();
        let found = chains.map(|chain| {
            let heat = Heat {
                n_trials,
                heats,
                price,
                // From the position alone, so that the threads do not matter.
                seed: chain as u64,
            };
            let start = starts[chain % starts.len()];
            anneal(&self.values, &self.worth, room, start, heat)
        });
        found.collect()
    }

    /// The same bytes at all steps.
    fn room(&self, bytes: u64) -> Room {
        Room::new(self.values.granules(bytes), self.plain.len())
    }

    /// All orders to begin with.
    fn starts(&self, room: &Room) -> Vec<Known> {
        let (values, turn) = (&self.values, self.turn);
        let mut starts = vec![Known::new(values, room, self.plain.clone())];
        let mut levels: Vec<u64> = values.groups.iter().map(|own| own.cycles).collect();
        levels.sort_unstable();
        levels.dedup();
        let stride = levels.len().div_ceil(tuning::COST_LEVELS).max(1);
        for level in levels.iter().step_by(stride) {
            let start = Start::cheap(values, turn, *level);
            starts.push(Known::new(values, room, start.elements()));
        }
        // Without values before the turn, there are no segments.
        if turn < 2 {
            return starts;
        }
        let cuts = Cuts::new(values, turn);
        let mut all: Vec<Segments> = (2..=tuning::SEGMENTS).map(|n| cuts.equal(n)).collect();
        for part in tuning::SEGMENT_SHARES {
            all.extend(cuts.within((f64::from(room.at[turn]) * part) as i64));
        }
        let orders = all.par_iter().flat_map_iter(|segments| {
            let strides = [1].into_iter().chain(tuning::NESTED_STRIDES);
            strides.map(move |stride| {
                let outer = segments.every(values, turn, stride);
                let outer = if stride == 1 { segments } else { &outer };
                let start = Start {
                    values,
                    turn,
                    is_dropped: outer.dropped(values, turn),
                    segments: Some(segments),
                    is_passing: not(segments.dropped(values, turn)),
                };
                Known::new(values, room, start.elements())
            })
        });
        starts.extend(orders.collect::<Vec<Known>>());
        starts
    }

    /// The starts that seem best: by their cost if bytes in excess have a price, the fastest that
    /// fits, and that with the least peak.
    fn chosen<'s>(&self, room: &Room, starts: &'s [Known]) -> Vec<&'s Vec<Element>> {
        let unit = self.values.longest as f64;
        let price = match room.excess {
            Excess::Forbidden => tuning::EXCESS_PRICES[0] / f64::from(room.capacity.max(1)) * unit,
            Excess::Copied { price } => price,
        };
        let energy = |own: &&Known| own.cost.priced(price);
        let fitting = starts.iter().filter(|own| own.cost.over == 0);
        let all = [
            starts.iter().min_by(|a, b| energy(a).total_cmp(&energy(b))),
            fitting.min_by_key(|own| own.cost.cycles),
            starts.iter().min_by_key(|own| (own.peak, own.cost.cycles)),
        ];
        let mut chosen: Vec<&Vec<Element>> = Vec::new();
        for own in all.into_iter().flatten() {
            if !chosen.contains(&&own.elements) {
                chosen.push(&own.elements);
            }
        }
        chosen
    }
}

/// An order to begin with.
struct Known {
    elements: Vec<Element>,
    cost: Cost,
    /// As [`Order::peak`].
    peak: i32,
}

impl Known {
    fn new(values: &Values, room: &Room, elements: Vec<Element>) -> Self {
        let order = Order::new(values, room, &elements);
        Self {
            cost: order.cost(),
            peak: order.peak(),
            elements,
        }
    }
}

fn not(all: Vec<bool>) -> Vec<bool> {
    all.into_iter().map(|own| !own).collect()
}

/// A plan without copies. Its addresses are searched for; if they do not fit, the next order is for
/// fewer bytes. `known`: repetitions to begin with, or none.
pub(super) fn plan(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    advice: &Advice,
    is_kept: &[bool],
    known: &[Repetition],
) -> Option<Offload> {
    let profile = Profile::new(problem)?;
    let search = Recomputation::new(problem, repeatable, &profile, is_kept);
    let pack = |found: &Fit, effort: u64| {
        let repetitions = repetitions(&found.1);
        Packed::new(problem, repeatable, advice, repetitions, effort)
    };
    let ideal = ideal_cycles(problem);
    let mut room = profile.capacity;
    let known = Some(known).filter(|own| !own.is_empty());
    let known = known.and_then(|own| search.order_of(own));
    let mut found = search.within(&search.room(room), known.as_ref());
    let mut closest: Option<Packed> = None;
    for round in 0..tuning::RECOMPUTE_PACK_ROUNDS {
        let fits = match found {
            Ok(fits) => fits,
            // It tells what is missing, unless an order for more bytes has nearly been packed.
            Err(nearly) => {
                closest = closest.or_else(|| pack(&nearly, 0));
                break;
            }
        };
        let few = &fits[..fits.len().min(tuning::PACKED_WELL)];
        let all = |fits: &[Fit], effort: u64| -> Vec<Packed> {
            let packed = fits.par_iter().map(|own| pack(own, effort));
            packed.collect::<Vec<_>>().into_iter().flatten().collect()
        };
        let mut packed = all(&fits, 0);
        let is_fit = |own: &Packed| own.peak <= profile.capacity;
        if !packed.iter().any(is_fit) {
            packed.extend(all(few, tuning::PACK_EFFORT));
        }
        // In the order of their cycles: the fastest that has addresses is the answer.
        if let Some(first) = packed.iter().position(is_fit) {
            let best = packed.swap_remove(first);
            return Some(best.offload(problem, ideal, profile.capacity));
        }
        let least = packed.into_iter().min_by_key(|own| own.peak)?;
        let over = least.peak - profile.capacity;
        if closest.as_ref().is_none_or(|own| least.peak < own.peak) {
            closest = Some(least);
        }
        // In the second half of the rounds, twice as much each time: a few bytes may be missing in every round.
        let n_late = (round + 1).saturating_sub(tuning::RECOMPUTE_PACK_ROUNDS / 2);
        let least = (profile.capacity / tuning::LEAST_REDUCTION) << n_late;
        // Half of it: an order for fewer bytes is likely to be packed better as well.
        room = room.saturating_sub((over / 2).max(least));
        found = search.narrowed(&search.room(room), &fits[0]);
    }
    Some(closest?.offload(problem, ideal, profile.capacity))
}

/// An order with addresses.
struct Packed {
    repetitions: Vec<Repetition>,
    problem: LevelProblem,
    plan: LevelPlan,
    /// Highest address in use.
    peak: u64,
}

impl Packed {
    fn new(
        problem: &LevelProblem,
        repeatable: &[Repeatable],
        advice: &Advice,
        repetitions: Vec<Repetition>,
        effort: u64,
    ) -> Option<Self> {
        let extended = with_repetitions(problem, repeatable, &repetitions);
        let profile = Profile::new(&extended)?;
        let wishes = Wishes::new(advice, &extended);
        let timetable = Timetable::without_copies(&extended, &profile, &wishes);
        let mut plan = timetable.plan();
        let peak = timetable.place(&mut plan, profile.capacity, effort)?;
        Some(Self {
            repetitions,
            plan,
            peak,
            problem: extended,
        })
    }

    fn offload(self, problem: &LevelProblem, ideal: u64, capacity: u64) -> Offload {
        let short = short_of(&self.problem, &self.plan, capacity);
        let n_steps = problem.steps.len();
        log::debug!(
            target: "offload",
            "{n_steps} steps, {} repetitions: peak {} of {capacity} bytes",
            self.repetitions.len(), self.peak,
        );
        let answer = LevelAnswer {
            plan: self.plan,
            strategy: "recompute",
            lower_bound: 0,
        };
        Offload {
            repetitions: self.repetitions,
            makespan: ideal_cycles(&self.problem),
            problem: self.problem,
            plan: short.map_or(Ok(answer), |short: LevelNoFit| Err(short)),
            ideal,
            least: ideal,
        }
    }
}
