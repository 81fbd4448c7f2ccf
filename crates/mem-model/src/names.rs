//! Choices that users make by name.

/// A name that none of the choices has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} '{name}'; known: {}", known.join(", "))]
pub struct UnknownName {
    /// What the choices are, in the singular.
    pub what: &'static str,
    /// The unknown name.
    pub name: String,
    /// The names of all choices.
    pub known: Vec<&'static str>,
}

/// Returns the choice with a name, out of `all`. `what`: what the choices are, in the singular.
///
/// # Errors
///
/// Returns [`UnknownName`] if none of them has the name.
pub fn named<T: Copy>(
    what: &'static str,
    all: &[T],
    name_of: impl Fn(T) -> &'static str,
    name: &str,
) -> Result<T, UnknownName> {
    let mut choices = all.iter().copied();
    let found = choices.find(|choice| name_of(*choice) == name);
    found.ok_or_else(|| UnknownName {
        what,
        name: name.to_owned(),
        known: all.iter().copied().map(name_of).collect(),
    })
}
