//! Access tables and the cost model: tables that the model predicts, and the durations of steps that
//! a measured table implies.

use mem_model::{
    AccessTable, Bytes, Direction, LevelId, LevelProblem, TableAccess, TableCopy, TableError,
    TensorUse,
};

use crate::{Passive, PassiveError, PassiveTensor, PassiveUse, swap_cost};

/// Creates the table of a program without a memory limit, from the cost model.
#[must_use]
pub fn modelled_table(problem: &LevelProblem, function: &str, durations: &[u64]) -> AccessTable {
    let mut table = AccessTable::empty(function, None);
    let mut now = 0_u64;
    for (step, cycles) in durations.iter().enumerate() {
        table.add(problem, step, now);
        now = now.saturating_add(*cycles);
    }
    table.end = now;
    table
}

/// Creates the table of a program in passive mode, from the cost model: copies take place on
/// demand between steps, and all times exclude them.
///
/// # Errors
/// The number of the first step whose tensors cannot be made resident, and the reason.
pub fn passive_table(
    problem: &LevelProblem,
    function: &str,
    durations: &[u64],
    budget: Bytes,
) -> Result<AccessTable, (usize, PassiveError)> {
    let own = problem.tensors.iter().map(|tensor| PassiveTensor {
        size: tensor.size,
        alignment: tensor
            .alignment
            .max(problem.hierarchy.levels[LevelId::DEVICE.index()].alignment),
    });
    let host = problem
        .hierarchy
        .levels
        .get(LevelId::HOST.index())
        .and_then(|level| level.capacity);
    let mut passive = Passive::new(own.collect(), budget, host);
    let mut table = AccessTable::empty(function, Some(budget));
    let lifetimes = problem.lifetimes();
    // Wall-clock time, and the share of it spent in copies.
    let (mut now, mut copied) = (0_u64, 0_u64);
    for (step, cycles) in durations.iter().enumerate() {
        let planned = problem.steps[step].uses.iter();
        let planned = planned.filter(|used| problem.tensors[used.tensor.index()].home.is_none());
        let uses: Vec<PassiveUse> = planned.map(PassiveUse::from).collect();
        for copy in passive.access(&uses).map_err(|error| (step, error))? {
            let [away, back] = swap_cost(&problem.hierarchy, copy.size);
            let cycles = if copy.is_out { away } else { back };
            table.copies.push(TableCopy {
                tensor: problem.tensors[copy.tensor.index()].name.clone(),
                step,
                direction: if copy.is_out {
                    Direction::Out
                } else {
                    Direction::In
                },
                time: now - copied,
                cycles,
            });
            now = now.saturating_add(cycles);
            copied = copied.saturating_add(cycles);
        }
        table.add(problem, step, now - copied);
        now = now.saturating_add(*cycles);
        for used in &uses {
            if lifetimes[used.tensor.index()].is_some_and(|life| life.end == step + 1) {
                passive.release(used.tensor);
            }
        }
    }
    table.end = now - copied;
    Ok(table)
}

/// Returns the cycles of each step: from the start of a step that accesses tensors to the start
/// of the next one. Steps without rows take no cycles. A step that runs several times gets the
/// sum over its executions.
///
/// # Errors
/// If the table does not match the program: a row with an unknown step, another tensor or
/// another size; time that goes backwards; or a missing row for a step that accesses a tensor
/// without a home.
pub fn table_durations(
    table: &AccessTable,
    problem: &LevelProblem,
) -> Result<Vec<u64>, TableError> {
    let mismatch = |why: String| TableError::Mismatch {
        function: table.function.clone(),
        why,
    };
    let mut sums = vec![0_u64; problem.steps.len()];
    let mut has_row = vec![false; problem.steps.len()];
    let mut rows = (1..).zip(&table.accesses).peekable();
    while let Some((number, row)) = rows.next() {
        check_row(problem, number, row).map_err(mismatch)?;
        let next_time = rows.peek().map_or(table.end, |(_, next)| next.time);
        if next_time < row.time {
            return Err(mismatch(format!("time goes backwards after row {number}")));
        }
        let sum = &mut sums[row.step];
        *sum = sum.saturating_add(next_time - row.time);
        has_row[row.step] = true;
    }
    check_no_row_is_missing(problem, &has_row).map_err(mismatch)?;
    Ok(sums)
}

/// Checks that a row of a table is one of an access of the program.
fn check_row(problem: &LevelProblem, number: usize, row: &TableAccess) -> Result<(), String> {
    let tensor = |used: &TensorUse| &problem.tensors[used.tensor.index()];
    let Some(step) = problem.steps.get(row.step) else {
        let n = problem.steps.len();
        return Err(format!(
            "row {number} is of step {}, and there are {n}",
            row.step
        ));
    };
    let mut tensors = step.uses.iter().map(tensor);
    let Some(tensor) = tensors.find(|tensor| tensor.name == row.tensor) else {
        return Err(format!(
            "row {number} is of '{}', which step {} does not access",
            row.tensor, row.step
        ));
    };
    let size = tensor.size.get();
    if size != row.bytes {
        return Err(format!(
            "'{}' has {} bytes in row {number}, and {size} in the program",
            row.tensor, row.bytes
        ));
    }
    Ok(())
}

/// Checks that every step that accesses a tensor without a home has a row.
fn check_no_row_is_missing(problem: &LevelProblem, has_row: &[bool]) -> Result<(), String> {
    for (index, step) in problem.steps.iter().enumerate() {
        let mut tensors = step
            .uses
            .iter()
            .map(|used| &problem.tensors[used.tensor.index()])
            .filter(|tensor| tensor.home.is_none());
        if let Some(tensor) = tensors.next().filter(|_| !has_row[index]) {
            return Err(format!(
                "it has no row of step {index}, which accesses '{}'",
                tensor.name
            ));
        }
    }
    Ok(())
}
