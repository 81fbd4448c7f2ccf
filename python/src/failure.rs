//! Failures as the exceptions of `mem_opt/errors.py`.

use mem_plan::Failure;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::plan::Plan;

/// Creates an exception of the named class, or the error that prevented that.
fn exception(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let create = || -> PyResult<Bound<'_, PyAny>> {
        py.import("mem_opt.errors")?
            .getattr(class)?
            .call1((message,))
    };
    create().map_or_else(|error| error, PyErr::from_value)
}

/// The input of the user is not valid.
pub(crate) fn invalid(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "InvalidInput", message)
}

/// A bug of this package.
pub(crate) fn internal(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "InternalError", message)
}

/// Buffers that do not fit, with the best plan beyond the capacity.
pub(crate) fn no_fit(py: Python<'_>, failure: &Failure, plan: Plan) -> PyErr {
    let error = exception(py, "NoPlan", &message(failure));
    match Py::new(py, plan).and_then(|plan| error.value(py).setattr("plan", plan)) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// Creates the exception for a failure.
pub(crate) fn raise(py: Python<'_>, failure: Failure) -> PyErr {
    let class = match &failure {
        Failure::NoFit(..) => "NoPlan",
        Failure::Levels(_, reason) if reason.is_negative_answer() => "NoPlan",
        Failure::Internal(..) | Failure::InternalLevels(..) => "InternalError",
        _ => "InvalidInput",
    };
    exception(py, class, &message(&failure))
}

/// The text of a failure without the words for a terminal.
fn message(failure: &Failure) -> String {
    match failure {
        // Line 0: the buffers come from arrays.
        Failure::Csv(_, 0, error) => error.to_string(),
        Failure::Csv(file, line, error) => format!("{file}:{line}: {error}"),
        Failure::NoFit(_, text) => text.clone(),
        Failure::Plan(_, error) => error.to_string(),
        Failure::Levels(_, failure) => failure.to_string(),
        other => other.to_string(),
    }
}
