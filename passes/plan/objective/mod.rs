//! What variants of a program are compared by, such as orders of its operations: the plans that the
//! planners make of them.
//!
//! Fewer live bytes are no end in themselves: buffers may have to be placed with gaps, and with several
//! memory levels, what counts is the time of a plan. So each variant is planned as the pipeline would plan
//! it, and the IR is left as it is.

mod costs;

use mem_flow::problem;
use mem_model::{Bytes, Problem};
use mem_planner::{LevelPolicy, LevelStrategy, OffloadPolicy, Strategy};

use crate::extract::levels::{Device, LevelSettings};
use crate::extract::{Callees, Locations, Roots, checked_alignment, extract, functions_bottom_up};
use crate::ir::{Diagnostic, Failed, Op};
use crate::plan::levels::repeating::{makespans, widest_steps};
use crate::plan::levels::{Request, Settings, budgeted};

pub(crate) use crate::plan::levels::Measure;
pub(crate) use costs::{Costs, Lacking};

/// The options of a pass that determine how it compares variants, as users state them.
pub(crate) struct Comparison<'a> {
    /// The pass, for its diagnostics.
    pub pass: &'a str,
    pub strategy: &'a str,
    pub alignment: i64,
    /// Empty: one level.
    pub hierarchy: &'a str,
    pub capacity: i64,
    /// -1: no budget.
    pub budget: i64,
    pub spaces: &'a str,
    pub noalias_arguments: bool,
    /// What plans over several levels are compared by.
    pub measure: Measure,
}

/// What is to be low.
pub(crate) enum Objective {
    /// The size of the arena.
    Arena { strategy: Strategy, alignment: u64 },
    /// The modelled cycles of a plan over the levels of a hierarchy.
    Cycles(Box<Settings>, Measure),
    /// The makespan within a budget.
    Makespan(Box<LevelSettings>, Device),
}

impl Objective {
    /// The objective that the options state.
    pub(crate) fn new(module: Op, options: &Comparison<'_>) -> Result<Self, Failed> {
        if options.hierarchy.is_empty() {
            let strategy = options.strategy.parse().or_else(|error| {
                let text = format!("{}: {error}", options.pass);
                Diagnostic::error(module.location(), text).fail()
            })?;
            let alignment = checked_alignment(module, options.alignment)?;
            return Ok(Self::Arena {
                strategy,
                alignment,
            });
        }
        let request = Request {
            pass: options.pass,
            hierarchy: options.hierarchy,
            strategy: options.strategy,
            model: "serial",
            segment: 1,
            capacity: options.capacity,
            alignment: options.alignment,
            spaces: options.spaces,
            noalias_arguments: options.noalias_arguments,
            locations: Locations::Skip,
        };
        if options.budget == -1 {
            let settings = Box::new(Settings::new(module, &request)?);
            return Ok(Self::Cycles(settings, options.measure));
        }
        let (settings, _) = budgeted(module, &request, options.budget)?;
        Ok(Self::Makespan(Box::new(settings), Device::default()))
    }

    /// The same with plans of a policy, if the plans are those of searches.
    pub(crate) fn quick(&self) -> Option<Self> {
        match self {
            Self::Arena { .. } => None,
            Self::Cycles(settings, measure) => match settings.strategy {
                LevelStrategy::Policy(_) => None,
                _ => {
                    let policy = LevelPolicy::FarthestNextUse;
                    let mut settings = settings.clone();
                    settings.strategy = LevelStrategy::Policy(policy);
                    Some(Self::Cycles(settings, *measure))
                }
            },
            Self::Makespan(settings, _) => {
                let device = Device {
                    policy: OffloadPolicy::FarthestNextUse,
                    ..Device::default()
                };
                Some(Self::Makespan(settings.clone(), device))
            }
        }
    }

    /// Bytes beyond which buffers do not fit into the fastest level; `None` if the peak counts.
    pub(crate) fn capacity(&self) -> Option<Bytes> {
        match self {
            Self::Arena { .. } => None,
            Self::Cycles(settings, _) => settings.extract.hierarchy.levels.first()?.capacity,
            Self::Makespan(settings, _) => settings.budget,
        }
    }

    /// The costs of the functions as they are.
    pub(crate) fn costs(&self, module: Op) -> Result<Costs, Failed> {
        match self {
            Self::Arena {
                strategy,
                alignment,
            } => Ok(Costs::of_arenas(*strategy, arenas(module, *alignment))),
            Self::Cycles(settings, measure) => Ok(Costs::known(crate::plan::levels::costs(
                module, settings, *measure,
            )?)),
            Self::Makespan(settings, device) => {
                Ok(Costs::known(makespans(module, settings, device)?))
            }
        }
    }

    /// Costs that are known if and only if those of [`Self::costs`] are, and take less time.
    pub(crate) fn quick_costs(&self, module: Op) -> Result<Costs, Failed> {
        if let Some(quick) = self.quick() {
            let costs = quick.costs(module)?;
            if costs.are_known() {
                return Ok(costs);
            }
        }
        self.costs(module)
    }

    /// The functions that have no plan, according to their costs, or whose arena takes more than a
    /// capacity. What they need is the bytes of the arena or of the widest step, or those that are missing
    /// in a level.
    pub(crate) fn lacking(
        &self,
        module: Op,
        costs: &Costs,
        capacity: Option<Bytes>,
    ) -> Result<Lacking, Failed> {
        let needs = match self {
            Self::Arena { .. } => {
                let capacity = capacity.unwrap_or(Bytes::new(u64::MAX));
                return Ok(Lacking::of_functions(costs.larger_than(capacity)));
            }
            _ if costs.are_known() => return Ok(Lacking::default()),
            Self::Cycles(settings, _) => crate::plan::levels::missing(module, settings)?,
            Self::Makespan(settings, device) => widest_steps(module, settings, device)?,
        };
        let lacks = |(name, _): &(String, u64)| !costs.is_known(name);
        Ok(Lacking::of_functions(needs.into_iter().filter(lacks)))
    }
}

/// The problem of each function, by name; `None` if sizes are known only at run time.
fn arenas(module: Op, alignment: u64) -> Vec<(String, Option<Problem>)> {
    let functions = functions_bottom_up(module);
    let mut callees = Callees::new(module, &functions);
    let mut arenas = Vec::new();
    for function in functions {
        let mut extraction = extract(function.op, Roots::Buffers, Locations::Skip, &callees);
        for buffer in &mut extraction.program.buffers {
            buffer.alignment = buffer.alignment.max(Bytes::new(alignment));
        }
        callees.learn(&function, &extraction, false);
        let program = &extraction.program;
        let lifetimes = extraction.lifetimes().ok();
        let lifetimes = lifetimes.filter(|_| extraction.sizes.is_empty());
        let arena = lifetimes.map(|lifetimes| problem(program, &lifetimes));
        arenas.push((function.name, arena));
    }
    arenas
}
