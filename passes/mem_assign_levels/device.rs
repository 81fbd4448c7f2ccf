//! A device that has all operands of all operations, arguments and constants beside its budget; and what is known of it.

use std::collections::{BTreeSet, HashMap, HashSet};

use mem_flow::LevelExtract;
use mem_model::{AccessTable, Bytes, LevelProblem, Port};
use mem_planner::{Advice, OffloadPolicy};

use crate::extract::Extraction;
use crate::mlir::Op;

/// The device.
#[derive(Default)]
pub(crate) struct Device {
    /// Bytes for what is planned.
    pub budget: Bytes,
    pub policy: OffloadPolicy,
    /// Names of tensors.
    pub pins: Pins,
    /// What was measured.
    pub timing: Option<Timing>,
}

/// Names of tensors for which the user has decided.
#[derive(Default)]
pub(crate) struct Pins {
    pub stay: BTreeSet<String>,
    pub leave: BTreeSet<String>,
    pub keep: BTreeSet<String>,
}

impl Pins {
    /// A name that the problems do not have.
    pub fn unknown<'a>(
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

/// Measured times.
#[derive(Default)]
pub(crate) struct Timing {
    /// Cycles of each run of an operation.
    pub cycles: HashMap<Op, u64>,
    /// By tensor, and operation that needs it back: how much earlier it is asked for.
    pub leads: HashMap<(String, Op), i64>,
}

impl Timing {
    /// Notes what a table says of a function.
    pub fn learn(
        &mut self,
        table: &AccessTable,
        extraction: &Extraction,
        problem: &LevelProblem,
        durations: &[u64],
    ) {
        let ops = extraction.step_ops.iter().zip(&problem.steps);
        for ((op, step), cycles) in ops.zip(durations) {
            self.cycles.insert(*op, cycles / step.repeats.max(1));
        }
        for lead in &table.leads {
            if let Some(op) = extraction.step_ops.get(lead.step) {
                self.leads.insert((lead.tensor.clone(), *op), lead.cycles);
            }
        }
    }
}

impl Device {
    /// Has a problem be what was measured: times of steps have all accesses in them.
    pub fn measure(&self, extraction: &Extraction, extract: &mut LevelExtract) {
        let Some(timing) = &self.timing else { return };
        let problem = &mut extract.problem;
        if let Some(device) = problem.hierarchy.levels.first_mut() {
            (device.read, device.write) = (Port::default(), Port::default());
        }
        for (step, op) in problem.steps.iter_mut().zip(&extraction.step_ops) {
            step.cycles = timing.cycles.get(op).copied().unwrap_or(step.cycles);
        }
    }

    /// What others have decided of a problem's tensors.
    pub fn advice(&self, extraction: &Extraction, problem: &LevelProblem) -> Advice {
        let numbers: HashMap<&str, usize> = problem
            .tensors
            .iter()
            .enumerate()
            .map(|(index, tensor)| (&*tensor.name, index))
            .collect();
        let of = |names: &BTreeSet<String>| {
            let known = names.iter().filter_map(|name| numbers.get(name.as_str()));
            known.copied().collect()
        };
        let mut leads = HashMap::new();
        if let Some(timing) = &self.timing {
            for (step, op) in extraction.step_ops.iter().enumerate() {
                for used in &problem.steps[step].uses {
                    let name = &problem.tensors[used.tensor].name;
                    if let Some(cycles) = timing.leads.get(&(name.clone(), *op)) {
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
