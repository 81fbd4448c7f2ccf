//! Choices that users make by name, and suggestions for names that are not quite right.

/// A name that none of the choices has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown {what} '{name}'; known: {}{}",
    known.join(", "),
    suggestion(name, known.iter().copied())
)]
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

/// Returns `"; did you mean 'x'?"` for the candidate that `name` is a misspelling of, or nothing.
#[must_use]
pub fn suggestion<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    match closest(name, candidates) {
        Some(near) => format!("; did you mean '{near}'?"),
        None => String::new(),
    }
}

/// Returns the candidate that takes the fewest edits, if those are few for a name of this length:
/// one for every three letters, and at least one. The first of several.
#[must_use]
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (name.chars().count() / 3).max(1);
    let near = candidates.into_iter().filter_map(|own| {
        let distance = distance(name, own);
        // A name of which every letter has to change is no misspelling of it.
        (distance <= most && distance < own.chars().count()).then_some((distance, own))
    });
    near.min_by_key(|(distance, _)| *distance)
        .map(|(_, own)| own)
}

/// The number of insertions, removals, replacements, and exchanges of neighbours that turn one name
/// into the other, where no letter is edited twice. Quadratic in the lengths.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect()];
    for (i, left) in a.iter().enumerate() {
        let mut next = vec![i + 1; b.len() + 1];
        for (j, right) in b.iter().enumerate() {
            let replaced = rows[1][j] + usize::from(left != right);
            let mut least = replaced.min(rows[1][j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *left == b[j - 1] && a[i - 1] == *right {
                least = least.min(rows[0][j - 1] + 1);
            }
            next[j + 1] = least;
        }
        rows.swap(0, 1);
        rows[1] = next;
    }
    rows[1][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        let wanted = [
            ("", "", 0),
            ("", "abc", 3),
            ("auto", "auto", 0),
            ("auo", "auto", 1),
            ("atuo", "auto", 1),
            ("autoo", "auto", 1),
            ("auti", "auto", 1),
            ("kitten", "sitting", 3),
            ("capcity", "capacity", 1),
        ];
        for (a, b, edits) in wanted {
            assert_eq!(distance(a, b), edits, "{a} {b}");
            assert_eq!(distance(b, a), edits, "{b} {a}");
        }
    }

    #[test]
    fn only_misspellings_have_a_suggestion() {
        let names = ["auto", "exact", "first-fit", "lifetime-queue"];
        assert_eq!(closest("auo", names), Some("auto"));
        assert_eq!(closest("firstfit", names), Some("first-fit"));
        assert_eq!(closest("lifetime_queue", names), Some("lifetime-queue"));
        assert_eq!(closest("fastest", names), None);
        assert_eq!(closest("", names), None);
        assert_eq!(closest("x", ["y"]), None);
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = |name: &str| {
            let found = named("fruit", &["apple", "pear"], |own| own, name);
            found.expect_err("unknown").to_string()
        };
        let wanted = "unknown fruit 'pera'; known: apple, pear; did you mean 'pear'?";
        assert_eq!(error("pera"), wanted);
        assert_eq!(error("nut"), "unknown fruit 'nut'; known: apple, pear");
    }
}
