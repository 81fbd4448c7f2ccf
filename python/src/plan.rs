//! Plans as objects of Python.

use std::time::Duration;

use mem_model::{Bytes, Interval};
use mem_plan::{
    Failure, PlannedTable, Table, TableSettings, TableView, plan_table, table_json, table_summary,
};
use mem_planner::{PlanOptions, Strategy, Watch};
use mem_view::{plan_page, plan_svg};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::failure::{internal, invalid, no_fit, raise};
use crate::interrupt::{self, Searched};

/// Effort of a search without a time limit, as of the command `mem-plan`.
const EFFORT: u64 = 200_000_000;

/// Settings of a search, as a dictionary of Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Search {
    strategy: String,
    capacity: Option<u64>,
    time_limit: Option<f64>,
    effort: Option<u64>,
    seed: u64,
    threads: usize,
    /// Whether fixed offsets of the buffers do not count.
    replan: bool,
}

impl Search {
    fn settings(&self, reserved: Vec<Interval<Bytes>>) -> Result<TableSettings, String> {
        let strategy: Strategy = self
            .strategy
            .parse()
            .map_err(|e| format!("strategy: {e}"))?;
        let options = PlanOptions::default()
            .with_seed(self.seed)
            .with_threads(self.threads);
        let limit = self.time_limit.map(Duration::try_from_secs_f64);
        let limit = limit.transpose().map_err(|e| format!("time_limit: {e}"))?;
        Ok(TableSettings {
            strategy,
            capacity: self.capacity.map(Bytes::new),
            reserved,
            replan: self.replan,
            options: match limit {
                Some(limit) => options
                    .with_effort(self.effort.unwrap_or(u64::MAX))
                    .with_time_limit(limit),
                None => options.with_effort(self.effort.unwrap_or(EFFORT)),
            },
        })
    }
}

/// Plans a table and checks the plan.
pub(crate) fn plan(
    py: Python<'_>,
    table: Table,
    reserved: Vec<Interval<Bytes>>,
    search: Search,
) -> PyResult<Plan> {
    let settings = search
        .settings(reserved)
        .map_err(|error| invalid(py, &error))?;
    let Searched {
        result,
        is_interrupted,
    } = interrupt::run(py, |stop| {
        let watch = Watch {
            stop: Some(stop),
            progress: None,
        };
        plan_table(&table, &settings, watch)
    })?;
    let planned = result.map_err(|_| internal(py, "the planner panicked"))?;
    let (planned, failure) = planned.map_err(|failure: Failure| raise(py, failure))?;
    let plan = Plan {
        table,
        planned,
        capacity: settings.capacity,
        is_interrupted,
    };
    match failure {
        Some(failure) => Err(no_fit(py, &failure, plan)),
        None => Ok(plan),
    }
}

/// A checked plan.
#[pyclass(module = "mem_opt._native", frozen)]
pub(crate) struct Plan {
    table: Table,
    planned: PlannedTable,
    capacity: Option<Bytes>,
    is_interrupted: bool,
}

#[pymethods]
impl Plan {
    /// The offsets as the bytes of an array of `int64`.
    fn offsets<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let placements = self.planned.plan.placements.iter();
        // The planner keeps offsets below 2^63.
        let offsets = placements.flat_map(|own| own.offset.get().to_ne_bytes());
        PyBytes::new(py, &offsets.collect::<Vec<u8>>())
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        let items = self.table.problem.items.iter();
        let name = |item: &mem_model::Item| self.table.name(item.buffer).to_owned();
        items.map(name).collect()
    }

    #[getter]
    fn peak(&self) -> u64 {
        self.planned.plan.peak.get()
    }

    #[getter]
    fn lower_bound(&self) -> u64 {
        self.planned.plan.lower_bound.get()
    }

    #[getter]
    fn proven_bound(&self) -> u64 {
        self.planned.plan.proven_bound.get()
    }

    #[getter]
    fn proven(&self) -> bool {
        self.planned.plan.is_optimal()
    }

    #[getter]
    fn strategy(&self) -> String {
        self.planned.plan.strategy.clone()
    }

    #[getter]
    fn capacity(&self) -> Option<u64> {
        self.capacity.map(Bytes::get)
    }

    #[getter]
    fn seconds(&self) -> f64 {
        self.planned.seconds
    }

    #[getter]
    fn interrupted(&self) -> bool {
        self.is_interrupted
    }

    fn summary(&self) -> String {
        table_summary(&self.planned)
    }

    fn html(&self, py: Python<'_>, title: &str) -> String {
        py.detach(|| self.draw(title, plan_page))
    }

    fn svg(&self, py: Python<'_>, title: &str) -> String {
        py.detach(|| self.draw(title, plan_svg))
    }

    fn to_json(&self) -> String {
        table_json(&self.table, self.capacity, &self.planned)
    }

    fn to_csv(&self) -> String {
        self.table.with_offsets(&self.planned.plan)
    }
}

impl Plan {
    fn draw(&self, title: &str, view: fn(&[mem_view::FunctionPlan<'_>]) -> String) -> String {
        let picture = TableView::new(title, &self.table);
        view(&[picture.with_plan(&self.planned.plan, self.capacity)])
    }
}
