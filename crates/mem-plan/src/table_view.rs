//! Plans of tables as `mem-view` draws them: a table becomes a program whose steps have only
//! numbers.

use mem_model::{
    Aliasing, Buffer, BufferId, Bytes, Item, Part, Plan, Program, Role, Step, Storage,
};
use mem_view::FunctionPlan;

use crate::csv_table::Table;

/// A table, ready to be drawn with any of its plans.
#[derive(Clone, Debug)]
pub struct TableView {
    program: Program,
    parts: Vec<Vec<Part>>,
    unordered: Vec<(BufferId, BufferId)>,
}

impl TableView {
    /// Prepares a table; `name` is the title. Linear.
    #[must_use]
    pub fn new(name: &str, table: &Table) -> Self {
        let problem = &table.problem;
        let buffer = |item: &Item| Buffer {
            name: table.name(item.buffer).into(),
            size: item.size,
            alignment: item.alignment,
            role: Role::Intermediate,
            storage: Storage::Planned,
            aliasing: Aliasing::Private,
            location: Default::default(),
        };
        let step = |number: &u64| Step {
            name: format!("step {number}").into(),
            ..Step::default()
        };
        let pair = |&(a, b): &(usize, usize)| (BufferId::new(a), BufferId::new(b));
        Self {
            program: Program {
                name: name.to_owned(),
                buffers: problem.items.iter().map(buffer).collect(),
                steps: table.steps().iter().map(step).collect(),
                ..Program::default()
            },
            parts: problem
                .items
                .iter()
                .map(|item| item.parts.clone())
                .collect(),
            unordered: problem.conflicts.iter().map(pair).collect(),
        }
    }

    /// Returns what to draw for `plan`.
    #[must_use]
    pub fn with_plan<'a>(&'a self, plan: &'a Plan, capacity: Option<Bytes>) -> FunctionPlan<'a> {
        FunctionPlan {
            program: &self.program,
            parts: &self.parts,
            unordered: &self.unordered,
            level: "arena",
            capacity,
            plan,
            unknown: None,
            types: &[],
            groups: &[],
            untiled: &[],
            transfers: &[],
        }
    }
}
