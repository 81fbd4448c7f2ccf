//! Addresses against the program.

use mem_model::{Plan, Program, Rotation};

use crate::CheckError;

/// Being written.
///
/// # Errors
/// None yet.
pub fn check_program_plan(
    _program: &Program,
    _rotations: &[Rotation],
    _plan: &Plan,
) -> Result<(), CheckError> {
    Ok(())
}
