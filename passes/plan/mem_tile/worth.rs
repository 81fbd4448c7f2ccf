//! Whether tiles are worth it, and small enough: plans the program with and without them.
//!
//! Tiles are chosen by an estimate of the time or the memory that they take. The passes after this one change
//! the program further, and the planner has the last word on where buffers are. So both variants go through
//! these passes as copies, and are planned as the pipeline plans. Tiles stay only in functions that cost less
//! with them. If they are to save time, a third variant has only the groups that save most, and in a fourth one
//! engines copy rows tile by tile, with the groups of the variant that is better without.
//!
//! A function may have no plan, with the tiles or without. Then smaller tiles are tried, and at last those
//! that take the least memory, which do not depend on the limit. If there is no plan even then, the function
//! is left with those tiles, or without any, whichever needs less memory. The planner's error thus states the
//! least that has been found: with that limit, the last tiles that are tried have a plan.
//!
//! A call may be inlined, so the tiles of a callee count for its callers. Functions that call each other,
//! directly or not, keep their tiles together, or none of them does.

use mem_model::Bytes;
use mem_planner::TileTarget;

use crate::framework::{Failed, PassResult};
use crate::ir::{Op, Silence, symbol_uses};
use crate::plan::objective::{Costs, Lacking, Objective};
use crate::plan::tiled::functions_of;

use super::{Statistics, Tiled, Tiler};

/// Parts of a limit, in sixteenths, that tiles are made for if those for all of it do not fit: their memory
/// is only estimated.
const PARTS: [u64; 2] = [14, 12];

/// By how many percent groups must save time in the variant with fewer of them.
const MARGIN: u32 = 12;

/// What decides on the tiles of a module.
pub(super) struct Judge<'a> {
    pub(super) tiler: &'a Tiler<'a>,
    pub(super) objective: &'a Objective,
    /// Bytes of an arena, if it has a limit.
    pub(super) capacity: Option<Bytes>,
    /// The passes between the tiles and the plan.
    pub(super) passes: &'a str,
    /// Whether rows can be copied from and to the memory beside that of a budget.
    pub(super) may_stream: bool,
}

/// The plans of a variant.
struct Evaluated {
    costs: Costs,
    lacking: Lacking,
}

/// The plans of the variants that have been tried.
struct Tried {
    evaluated: Vec<Evaluated>,
    /// Which of them each function has.
    chosen: Vec<usize>,
}

impl Tried {
    /// The plans of the variant that a function has.
    fn of(&self, at: usize) -> &Evaluated {
        &self.evaluated[self.chosen[at]]
    }

    /// Adds the plans of a variant, which some functions have now. Returns whether there are any.
    fn take(&mut self, evaluated: Evaluated, is_taken: &[bool]) -> bool {
        let taken = self.chosen.iter_mut().zip(is_taken).filter(|(_, is)| **is);
        taken.for_each(|(own, _)| *own = self.evaluated.len());
        self.evaluated.push(evaluated);
        is_taken.contains(&true)
    }
}

impl Judge<'_> {
    /// Tiles the functions of the module for which that is worth it.
    pub(super) fn tile(&self) -> Result<Tiled, Failed> {
        let module = self.tiler.run.operation();
        let untiled = Variant(module.copied());
        let mut tiled = self.tiler.tile(module, self.tiler.planning.target)?;
        let first = tiled.functions.clone();
        let names = functions_of(module);
        let names = names.iter().map(|op| op.symbol().unwrap_or_default());
        let names: Vec<String> = names.collect();
        let components = components(module, &names);
        let functions = Functions {
            names: &names,
            components: &components,
        };
        let lacking = match tiled.n_groups() {
            0 => self.evaluated(module, true).lacking,
            _ => {
                let own = self.evaluated(module, false);
                let without = self.evaluated(untiled.0, false);
                let is_restored = is_worse(&names, &components, &own.costs, &without.costs);
                untiled.replace(module, &is_restored);
                tiled.restore(&is_restored);
                let mut tried = Tried {
                    chosen: is_restored.iter().map(|own| usize::from(*own)).collect(),
                    evaluated: vec![own, without],
                };
                self.save_time(&untiled, &functions, &mut tried, &mut tiled)?;
                let last = |at: usize| tried.of(at);
                let names = names.iter().enumerate();
                Lacking::of_functions(
                    names.filter_map(|(at, name)| Some((name.clone(), last(at).lacking.of(name)?))),
                )
            }
        };
        self.tile_finer(&untiled, &functions, (lacking, &first), &mut tiled)?;
        let functions = first.iter().zip(&tiled.functions);
        let lost = functions.filter(|(first, last)| first.groups > 0 && last.groups == 0);
        tiled.restored = lost.count() as u64;
        Ok(tiled)
    }

    /// Tries other tiles if they are to save time: fewer, and those whose rows engines copy.
    fn save_time(
        &self,
        untiled: &Variant,
        functions: &Functions<'_>,
        tried: &mut Tried,
        tiled: &mut Tiled,
    ) -> PassResult {
        let TileTarget::Time { hierarchy, .. } = self.tiler.planning.target else {
            return Ok(());
        };
        let target = |margin, streams| TileTarget::Time {
            hierarchy,
            margin,
            streams,
        };
        // The estimate is optimistic.
        let is_less = self.tile_as(target(MARGIN, false), untiled, functions, tried, tiled)?;
        let margin = if is_less { MARGIN } else { 0 };
        self.tile_as(target(margin, true), untiled, functions, tried, tiled)?;
        Ok(())
    }

    /// Tries other tiles. Returns whether they are better for some functions, which have them now.
    fn tile_as(
        &self,
        target: TileTarget<'_>,
        untiled: &Variant,
        functions: &Functions<'_>,
        tried: &mut Tried,
        tiled: &mut Tiled,
    ) -> Result<bool, Failed> {
        let Some((variant, own)) = self.variant(untiled, target)? else {
            return Ok(false);
        };
        let evaluated = self.evaluated(variant.0, false);
        let is_taken = |at: usize| {
            let members = functions.components.iter().enumerate();
            let mut members = members.filter(|(_, own)| **own == functions.components[at]);
            let others = tried.of(at);
            let is_less =
                |at: usize, own: &Costs, other: &Costs| own.is_less(other, &functions.names[at], 0);
            let is_worse = members
                .clone()
                .any(|(at, _)| is_less(at, &others.costs, &evaluated.costs));
            !is_worse && members.any(|(at, _)| is_less(at, &evaluated.costs, &others.costs))
        };
        let is_taken: Vec<bool> = (0..functions.names.len()).map(is_taken).collect();
        variant.replace(self.tiler.run.operation(), &is_taken);
        tiled.take(own, &is_taken);
        let is_some = tried.take(evaluated, &is_taken);
        Ok(is_some)
    }

    /// Tries smaller tiles for functions that have no plan. `first`: with the tiles for the target.
    fn tile_finer(
        &self,
        untiled: &Variant,
        functions: &Functions<'_>,
        (mut lacking, first): (Lacking, &[Statistics]),
        tiled: &mut Tiled,
    ) -> PassResult {
        let module = self.tiler.run.operation();
        let estimates = |own: &[Statistics]| own.iter().map(|own| own.after).collect();
        let mut known: Vec<(TileTarget<'_>, Vec<u64>)> =
            vec![(self.tiler.planning.target, estimates(first))];
        let (limited, least) = finer(self.tiler.planning.target, self.may_stream);
        for target in limited {
            let lacks = functions.needs(&lacking);
            if lacks.iter().all(Option::is_none) {
                return Ok(());
            }
            // Tiles that exceed a limit by the estimate are those of the smallest peak, for all smaller limits.
            let is_known = |at: usize| {
                let mut known = known.iter();
                known.any(|(other, estimates)| is_least(*other, estimates[at], target))
            };
            let mut all = (0..lacks.len()).filter(|at| lacks[*at].is_some());
            if all.all(is_known) {
                continue;
            }
            let Some((variant, own)) = self.variant(untiled, target)? else {
                return Ok(());
            };
            known.push((target, estimates(&own.functions)));
            let needed = functions.needs(&self.evaluated(variant.0, true).lacking);
            let is_taken = lacks.iter().zip(&needed);
            let is_taken: Vec<bool> = is_taken
                .map(|(lacks, needed)| lacks.is_some() && needed.is_none())
                .collect();
            variant.replace(module, &is_taken);
            tiled.take(own, &is_taken);
            let names = functions.names.iter().zip(&is_taken);
            lacking = Lacking::of_functions(names.filter_map(|(name, is_taken)| {
                let own = lacking.of(name)?;
                (!is_taken).then(|| (name.clone(), own))
            }));
        }
        let lacks = functions.needs(&lacking);
        let lacks: Vec<bool> = lacks.iter().map(Option::is_some).collect();
        if !lacks.contains(&true) {
            return Ok(());
        }
        // If nothing fits, what is left does not depend on the limit.
        let mut needs = functions.needs(&self.evaluated(untiled.0, true).lacking);
        untiled.replace(module, &lacks);
        tiled.restore(&lacks);
        for target in least {
            let Some((variant, own)) = self.variant(untiled, target)? else {
                return Ok(());
            };
            let needed = functions.needs(&self.evaluated(variant.0, true).lacking);
            let is_less = |at: usize| match (needed[at], needs[at]) {
                (Some(own), Some(other)) => own < other,
                (own, other) => own.is_none() && other.is_some(),
            };
            let is_taken = (0..lacks.len()).map(|at| lacks[at] && is_less(at));
            let is_taken: Vec<bool> = is_taken.collect();
            variant.replace(module, &is_taken);
            tiled.take(own, &is_taken);
            let all = needs.iter_mut().zip(needed).zip(&is_taken);
            all.filter(|(_, is_taken)| **is_taken)
                .for_each(|((own, needed), _)| *own = needed);
        }
        Ok(())
    }

    /// A copy of the program with the tiles for a target.
    fn variant(
        &self,
        untiled: &Variant,
        target: TileTarget<'_>,
    ) -> Result<Option<(Variant, Tiled)>, Failed> {
        // Passes run on operations inside that of this one.
        let Some(first) = self.tiler.run.operation().direct_ops().next() else {
            return Ok(None);
        };
        let inside = Variant(untiled.0.copied());
        inside.0.insert_before(first);
        let tiled = self.tiler.tile(inside.0, target)?;
        Ok(Some((Variant(inside.0.copied()), tiled)))
    }

    /// The costs of the functions of a variant after the passes, and what they lack; none if the passes
    /// fail. If `is_quick`, the costs only tell whether there are plans.
    fn evaluated(&self, variant: Op, is_quick: bool) -> Evaluated {
        let run = self.tiler.run;
        let evaluate = |copy: Op| {
            let is_ready: PassResult = match self.passes {
                "" => Ok(()),
                passes => run.run_passes(copy, passes),
            };
            is_ready?;
            let costs = match is_quick {
                true => self.objective.quick_costs(copy)?,
                false => self.objective.costs(copy)?,
            };
            let lacking = self.objective.lacking(copy, &costs, self.capacity)?;
            Ok(Evaluated { costs, lacking })
        };
        let copy = Variant(variant.copied());
        let none = || Evaluated {
            costs: Costs::known(Vec::new()),
            lacking: Lacking::default(),
        };
        // Passes run on operations inside that of this one.
        let Some(first) = run.operation().direct_ops().next() else {
            return none();
        };
        copy.0.insert_before(first);
        // Diagnostics appear once, when the passes run on the variant that has been chosen.
        let silence = Silence::new(copy.0.context());
        let evaluated: Result<Evaluated, Failed> = evaluate(copy.0);
        drop(silence);
        evaluated.unwrap_or_else(|Failed| none())
    }
}

/// The targets for smaller tiles, if those for a target do not fit, and those for tiles that take the least
/// memory. With `may_stream`, tiles within a budget at last copy rows of what they access as a whole.
fn finer(target: TileTarget<'_>, may_stream: bool) -> (Vec<TileTarget<'_>>, Vec<TileTarget<'_>>) {
    let parts = |limit: Bytes| {
        let part = move |part: u64| Bytes::new(limit.get() / 16 * part);
        PARTS.into_iter().map(part)
    };
    match target {
        TileTarget::Peak => (Vec::new(), Vec::new()),
        TileTarget::Capacity(limit) => {
            let limited = parts(limit).map(TileTarget::Capacity).collect();
            (limited, vec![TileTarget::Capacity(Bytes::ZERO)])
        }
        TileTarget::Budget { budget: limit, .. } => {
            let whole = |budget: Bytes| TileTarget::Budget {
                budget,
                streams: false,
            };
            let streamed = |budget: Bytes| TileTarget::Budget {
                budget,
                streams: true,
            };
            let mut limited: Vec<TileTarget<'_>> = parts(limit).map(whole).collect();
            let mut least = vec![whole(Bytes::ZERO)];
            if may_stream {
                limited.append(&mut least.clone());
                limited.extend(std::iter::once(limit).chain(parts(limit)).map(streamed));
                least.push(streamed(Bytes::ZERO));
            }
            (limited, least)
        }
        TileTarget::Time { .. } => (Vec::new(), vec![TileTarget::Peak]),
    }
}

/// Whether the tiles for a target are also those for another one, because they need `bytes` by the estimate.
fn is_least(target: TileTarget<'_>, bytes: u64, other: TileTarget<'_>) -> bool {
    let (limit, other) = match (target, other) {
        (TileTarget::Capacity(limit), TileTarget::Capacity(other)) => (limit, other),
        (
            TileTarget::Budget { budget, streams },
            TileTarget::Budget {
                budget: other,
                streams: may_stream,
            },
        ) if streams == may_stream => (budget, other),
        _ => return false,
    };
    bytes > limit.get() && other <= limit
}

/// The functions of a module, and numbers that are equal for those that call each other.
struct Functions<'a> {
    names: &'a [String],
    components: &'a [usize],
}

impl Functions<'_> {
    /// Per function, the most bytes that it or those that it is connected to by calls lack a plan for;
    /// `None` if all of them have plans.
    fn needs(&self, lacking: &Lacking) -> Vec<Option<u64>> {
        let needs = |component: &usize| {
            let members = self.names.iter().zip(self.components);
            let own = members.filter(|(_, own)| *own == component);
            own.filter_map(|(name, _)| lacking.of(name)).max()
        };
        self.components.iter().map(needs).collect()
    }
}

/// A copy of the module, which is erased when it goes out of scope.
struct Variant(Op);

impl Variant {
    /// Replaces functions of the module by those of this variant.
    fn replace(&self, module: Op, which: &[bool]) {
        let copy = Self(self.0.copied());
        let functions = functions_of(module).into_iter().zip(functions_of(copy.0));
        for ((function, other), _) in functions.zip(which).filter(|(_, is)| **is) {
            other.move_before(function);
            function.erase();
        }
    }
}

impl Drop for Variant {
    fn drop(&mut self) {
        self.0.erase();
    }
}

/// Whether each function has to do without tiles: unless one of those that it is connected to by calls
/// costs less with them, and none costs more.
fn is_worse(names: &[String], components: &[usize], tiled: &Costs, untiled: &Costs) -> Vec<bool> {
    let is_worse = |component: &usize| {
        let members = || {
            names
                .iter()
                .zip(components)
                .filter(|(_, own)| *own == component)
        };
        let is_better = members().any(|(name, _)| tiled.is_less(untiled, name, 0));
        let is_worse = members().any(|(name, _)| untiled.is_less(tiled, name, 0));
        !is_better || is_worse
    };
    components.iter().map(is_worse).collect()
}

/// Numbers that are equal for functions which call each other, directly or not, and for those of the same
/// name.
fn components(module: Op, names: &[String]) -> Vec<usize> {
    let functions = functions_of(module);
    let mut components: Vec<usize> = (0..functions.len()).collect();
    let mut join = |a: usize, b: usize| {
        let (from, to) = (components[a], components[b]);
        components
            .iter_mut()
            .filter(|own| **own == from)
            .for_each(|own| *own = to);
    };
    let uses = symbol_uses(module);
    for (index, name) in names.iter().enumerate() {
        if let Some(other) = names[..index].iter().position(|other| other == name) {
            join(index, other);
        }
        for (user, _) in uses.iter().filter(|(_, used)| used == name) {
            let mut around = std::iter::successors(Some(*user), |op| op.parent());
            let caller = around.find_map(|op| functions.iter().position(|own| *own == op));
            if let Some(caller) = caller {
                join(index, caller);
            }
        }
    }
    components
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_tiles_that_are_tried_do_not_depend_on_the_limit() {
        let target = |(bytes, streams): (u64, bool)| TileTarget::Budget {
            budget: Bytes::new(bytes),
            streams,
        };
        let budget = |bytes: u64, may_stream: bool| finer(target((bytes, false)), may_stream);
        let (limited, least) = budget(160, false);
        assert_eq!(limited, [(140, false), (120, false)].map(target));
        assert_eq!(least, [(0, false)].map(target));
        let (limited, least) = budget(160, true);
        let whole = [(140, false), (120, false), (0, false)];
        let streamed = [(160, true), (140, true), (120, true)];
        let both: Vec<TileTarget<'_>> = whole.into_iter().chain(streamed).map(target).collect();
        assert_eq!(limited, both);
        assert_eq!(least, [(0, false), (0, true)].map(target));
        assert_eq!(budget(1, true).1, least);
        assert_eq!(
            finer(TileTarget::Capacity(Bytes::new(16)), true).1,
            [TileTarget::Capacity(Bytes::ZERO)]
        );
        assert_eq!(finer(TileTarget::Peak, true), (Vec::new(), Vec::new()));
    }

    #[test]
    fn limits_below_the_smallest_peak_have_the_same_tiles() {
        let capacity = |bytes: u64| TileTarget::Capacity(Bytes::new(bytes));
        assert!(is_least(capacity(100), 101, capacity(80)));
        assert!(!is_least(capacity(100), 100, capacity(80)));
        assert!(!is_least(capacity(80), 101, capacity(100)));
        let budget = |bytes: u64, streams: bool| TileTarget::Budget {
            budget: Bytes::new(bytes),
            streams,
        };
        assert!(is_least(budget(100, true), 101, budget(100, true)));
        assert!(!is_least(budget(100, false), 101, budget(80, true)));
        assert!(!is_least(budget(100, false), 101, capacity(80)));
    }

    #[test]
    fn functions_that_call_each_other_lack_what_any_of_them_does() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let functions = Functions {
            names: &names,
            components: &[0, 1, 0],
        };
        let lacking = [("a".to_owned(), 3), ("c".to_owned(), 5)];
        let needs = functions.needs(&Lacking::of_functions(lacking));
        assert_eq!(needs, [Some(5), None, Some(5)]);
    }
}
