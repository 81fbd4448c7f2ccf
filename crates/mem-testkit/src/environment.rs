//! How much a test looks at.

/// The number in an environment variable; `otherwise` if there is none.
#[must_use]
pub fn number(variable: &str, otherwise: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}
