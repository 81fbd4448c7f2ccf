//! A device that holds all operands of all operations, and arguments and constants in addition to
//! its budget.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use mem_model::{AccessTable, Bytes, Hierarchy, LevelId, LevelProblem, LinkUse, Port, TensorId};
use mem_planner::{Advice, OffloadPolicy};

use crate::extract::Extraction;

/// Decisions and measurements that apply to a device.
#[derive(Default)]
pub(crate) struct Device {
    pub policy: OffloadPolicy,
    /// Tensors for which the user has decided.
    pub pins: Pins,
    /// Measured times, if any.
    pub timing: Option<Timing>,
}

/// Names of tensors for which the user has decided.
#[derive(Default)]
pub(crate) struct Pins {
    /// Tensors that stay on the device from their first use to their last.
    pub stay: BTreeSet<String>,
    /// Tensors that are on the host whenever they are not in use.
    pub leave: BTreeSet<String>,
    /// Tensors that are not recomputed.
    pub keep: BTreeSet<String>,
}

impl Pins {
    /// A pinned name that occurs in none of the problems.
    pub(crate) fn unknown<'a>(
        &self,
        mut problems: impl Iterator<Item = &'a LevelProblem> + Clone,
    ) -> Option<&String> {
        let mut all = self.stay.iter().chain(&self.leave).chain(&self.keep);
        let known: HashSet<&str> = problems
            .by_ref()
            .flat_map(|problem| problem.tensors.iter().map(|tensor| &*tensor.name))
            .collect();
        all.find(|name| !known.contains(name.as_str()))
    }
}

/// Measured times of one function.
pub(crate) struct Timing {
    /// Name of the function.
    function: String,
    /// Indexed by step: cycles per execution.
    cycles: Vec<u64>,
    /// By tensor and by the step that needs it back: how many cycles earlier than modeled it is
    /// requested. Negative values mean later.
    leads: BTreeMap<(String, usize), i64>,
}

impl Timing {
    /// What an access table says about the function that it describes. `durations` is indexed by
    /// step.
    pub(crate) fn new(table: &AccessTable, problem: &LevelProblem, durations: &[u64]) -> Self {
        let steps = problem.steps.iter().zip(durations);
        let leads = table.leads.iter();
        Self {
            function: table.function.clone(),
            cycles: steps
                // A table has the sum over all executions of a step, a problem the cycles of one.
                .map(|(step, cycles)| cycles / step.repeats.max(1))
                .collect(),
            leads: leads
                .map(|lead| ((lead.tensor.clone(), lead.step), lead.cycles))
                .collect(),
        }
    }
}

impl Device {
    /// The measured times of a function, if there are any.
    fn timing_of(&self, extraction: &Extraction) -> Option<&Timing> {
        let timing = self.timing.as_ref();
        timing.filter(|timing| timing.function == extraction.program.name)
    }

    /// Applies measured times to a problem. They include all accesses, so accesses to the device
    /// cost nothing extra.
    pub(crate) fn measure(&self, extraction: &Extraction, problem: &mut LevelProblem) {
        let Some(timing) = self.timing_of(extraction) else {
            return;
        };
        if let Some(device) = problem.hierarchy.levels.first_mut() {
            // A default port costs nothing, whatever the number of bytes.
            (device.read, device.write) = (Port::default(), Port::default());
        }
        for (step, cycles) in problem.steps.iter_mut().zip(&timing.cycles) {
            // Measured times include waiting for messages.
            step.cycles = *cycles;
            (step.waits, step.link) = (0, LinkUse::None);
        }
    }

    /// Pins and measured lead times of the problem's tensors.
    pub(crate) fn advice(&self, extraction: &Extraction, problem: &LevelProblem) -> Advice {
        // Options and tables come from outside of the compilation, so they know tensors by name.
        let numbers: HashMap<&str, TensorId> = problem
            .tensors
            .iter()
            .enumerate()
            .map(|(index, tensor)| (&*tensor.name, TensorId::new(index)))
            .collect();
        let of = |names: &BTreeSet<String>| {
            let known = names.iter().filter_map(|name| numbers.get(name.as_str()));
            known.copied().collect()
        };
        let mut leads = BTreeMap::new();
        if let Some(timing) = self.timing_of(extraction) {
            for (step, own) in problem.steps.iter().enumerate() {
                for used in &own.uses {
                    let name = &problem.tensors[used.tensor.index()].name;
                    if let Some(cycles) = timing.leads.get(&(name.clone(), step)) {
                        leads.insert((used.tensor, step), *cycles);
                    }
                }
            }
        }
        Advice {
            stay: of(&self.pins.stay),
            leave: of(&self.pins.leave),
            keep: of(&self.pins.keep),
            leads,
        }
    }
}

/// Why an option and a hierarchy state no budget of a device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// Budgets are planned for two levels, given here by their names: tensors leave the first for
    /// the second.
    #[error("the hierarchy is no device and its host: its levels are {}", .0.join(", "))]
    Levels(Vec<String>),
    /// The whole capacity of the device is asked for, and it is unbounded.
    #[error("the device has no capacity, and there is no budget")]
    NoCapacity,
    /// Nothing fits.
    #[error("a budget of {0} bytes is not positive")]
    NotPositive(i64),
}

/// Device memory available to planned tensors, in bytes: `budget`, or the whole capacity if
/// `budget` is -1. Fails if the hierarchy is not a device and its host.
pub fn device_budget(hierarchy: &Hierarchy, budget: i64) -> Result<Bytes, DeviceError> {
    if hierarchy.levels.len() != 2 {
        let names = hierarchy.levels.iter().map(|level| level.name.clone());
        return Err(DeviceError::Levels(names.collect()));
    }
    match (budget, hierarchy.levels[LevelId::DEVICE.index()].capacity) {
        (-1, Some(capacity)) => Ok(capacity),
        (-1, None) => Err(DeviceError::NoCapacity),
        (budget, _) => u64::try_from(budget)
            .ok()
            .filter(|budget| *budget > 0)
            .map(Bytes::new)
            .ok_or(DeviceError::NotPositive(budget)),
    }
}
