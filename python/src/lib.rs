//! The native part of the Python package `mem_opt`: the planner of one level for tables of buffers,
//! and the planner of operation graphs within a budget.
//!
//! `mem_opt/__init__.py` checks the arguments of users and converts arrays; this module expects what
//! it passes. Tables of numbers arrive as the bytes of C-contiguous arrays of `int64`, because the
//! stable interface of Python 3.9 has no buffers. All functions release the interpreter lock while
//! they plan. Errors become the exceptions of `mem_opt/errors.py`.

#![deny(unsafe_code)]

mod buffers;
mod failure;
mod interrupt;
mod plan;

use mem_model::{Bytes, HostLink, OffloadPolicy, Port, TensorId, parse_operation_graph};
use mem_plan::{GraphSettings, Table, graph_json};
use mem_planner::Strategy;
use pyo3::prelude::*;

use buffers::Buffers;
use failure::{internal, invalid, raise};
use plan::{Plan, Search};

/// Plans the buffers of arrays.
#[pyfunction]
fn plan_buffers(py: Python<'_>, buffers: &Buffers, search: Search) -> PyResult<Plan> {
    let table = buffers.table().map_err(|error| invalid(py, &error))?;
    plan::plan(py, table, buffers.reserved.clone(), search)
}

/// Plans a table of buffers; `file` is for messages.
#[pyfunction]
fn plan_csv(py: Python<'_>, file: &str, text: &str, search: Search) -> PyResult<Plan> {
    let table = Table::parse(file, text).map_err(|failure| raise(py, failure))?;
    plan::plan(py, table, Vec::new(), search)
}

/// Plans an operation graph within `budget` bytes. `link` has latency and bandwidth of copies to a
/// host, then those of copies back, in units of the costs; `None`: there is no host. The tensors
/// `stay` are neither copied nor recomputed. Returns the plan as JSON, in the form of
/// `mem-plan GRAPH.fx --json`.
#[pyfunction]
#[pyo3(signature = (text, budget, link=None, policy=None, stay=Vec::new()))]
fn plan_graph(
    py: Python<'_>,
    text: &str,
    budget: Option<u64>,
    link: Option<(u64, f64, u64, f64)>,
    policy: Option<&str>,
    stay: Vec<usize>,
) -> PyResult<String> {
    let port = |latency, bandwidth| Port { latency, bandwidth };
    let policy = policy.map(str::parse::<OffloadPolicy>).transpose();
    let settings = GraphSettings {
        budget: budget.map(Bytes::new),
        link: link.map(|own| HostLink {
            out: port(own.0, own.1),
            back: port(own.2, own.3),
        }),
        policy: policy.map_err(|error| invalid(py, &format!("policy: {error}")))?,
        stay: stay.into_iter().map(TensorId::new).collect(),
    };
    let graph = parse_operation_graph(text).map_err(|error| {
        let place = format!("line {}, column {}", error.line, error.column);
        invalid(py, &format!("{place}: {}", error.kind))
    })?;
    let planned = py.detach(|| {
        std::panic::catch_unwind(|| mem_plan::plan_graph("graph", &graph, &settings, None))
    });
    match planned {
        Ok(Ok(planned)) => Ok(graph_json(&planned)),
        Ok(Err(failure)) => Err(raise(py, failure)),
        Err(_) => Err(internal(py, "the planner of operation graphs panicked")),
    }
}

/// Names of all strategies.
#[pyfunction]
fn strategies() -> Vec<&'static str> {
    let all = Strategy::ALL.into_iter();
    all.map(|strategy| strategy.name()).collect()
}

/// The module `mem_opt._native`.
#[pymodule(name = "_native")]
fn native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Buffers>()?;
    module.add_class::<Plan>()?;
    module.add_function(wrap_pyfunction!(plan_buffers, module)?)?;
    module.add_function(wrap_pyfunction!(plan_csv, module)?)?;
    module.add_function(wrap_pyfunction!(plan_graph, module)?)?;
    module.add_function(wrap_pyfunction!(strategies, module)?)
}
