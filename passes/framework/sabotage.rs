//! The option `break` of passes with a check of their own: an error that they introduce, so that tests can show that
//! the check finds it.

use crate::ir::{Diagnostic, Failed, Op};

/// The kind of error with a name, of all `kinds` that a pass knows; `None` for the empty name.
pub(crate) fn kind_of_error<T: Copy>(
    module: Op,
    pass: &str,
    kinds: &[(&str, T)],
    name: &str,
) -> Result<Option<T>, Failed> {
    if name.is_empty() {
        return Ok(None);
    }
    if let Some((_, kind)) = kinds.iter().find(|(own, _)| *own == name) {
        return Ok(Some(*kind));
    }
    let names: Vec<&str> = kinds.iter().map(|(own, _)| *own).collect();
    let text = format!(
        "{pass}: unknown value '{name}' for option 'break': expected {}",
        names.join(", ")
    );
    Diagnostic::option_error(module, "break", Some(name), text).fail()
}

/// Reports that a program has no place for an error.
pub(crate) fn remark_nothing_to_break(module: Op, pass: &str, name: &str) {
    let text = format!("{pass}: there is nothing to break: {name}");
    Diagnostic::remark(module.location(), text).emit();
}
