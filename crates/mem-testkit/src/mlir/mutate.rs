//! Random changes of programs, as text.

use std::collections::HashSet;
use std::ops::Range;

use crate::Rng;

/// Changes one place of a module, as MLIR prints it: a line is moved, repeated, removed or exchanged with the next one,
/// an operand or a number is replaced by another one of the module, or two of a line are exchanged. `None` if that
/// changes nothing, or if a value would be used before its definition in the text or be defined twice. (MLIR's parser
/// gives up on such text, and accesses memory that it has freed when values of a region have been referenced before.) Types
/// are not respected, so the result need not be valid.
#[must_use]
pub fn mutated_mlir(rng: &mut Rng, text: &str) -> Option<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = rng.below(lines.len());
    let choice = rng.below(9);
    match choice {
        0 if at + 1 < lines.len() => lines.swap(at, at + 1),
        1 => drop(lines.remove(at)),
        2 => {
            let line = lines[at].clone();
            lines.insert(rng.below(lines.len()), line);
        }
        3 => {
            let line = lines.remove(at);
            lines.insert(rng.below(lines.len()), line);
        }
        _ => {
            let find = match choice {
                0 | 4..=6 => operands,
                _ => numbers,
            };
            let own = find(&lines[at]);
            let own = own.get(rng.below(own.len()))?.clone();
            let others: Vec<(usize, Range<usize>)> = match choice {
                // In this line, which exchanges the two.
                6 | 8 => find(&lines[at])
                    .into_iter()
                    .map(|other| (at, other))
                    .collect(),
                _ => (0..lines.len())
                    .flat_map(|line| {
                        find(&lines[line])
                            .into_iter()
                            .map(move |other| (line, other))
                    })
                    .collect(),
            };
            let (line, other) = others.get(rng.below(others.len()))?.clone();
            let [mine, theirs] = [(at, &own), (line, &other)]
                .map(|(line, token)| lines[line][token.clone()].to_owned());
            let is_exchange = matches!(choice, 6 | 8) && own != other;
            // The later one first, so that the earlier one stays where it is.
            let mut changes = vec![(own, theirs)];
            if is_exchange {
                changes.push((other, mine));
            }
            changes.sort_by_key(|(token, _)| usize::MAX - token.start);
            for (token, with) in changes {
                lines[at].replace_range(token, &with);
            }
        }
    }
    let changed = lines.join("\n") + "\n";
    (changed != text && is_ordered(&changed)).then_some(changed)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The end of the results that a line defines.
fn end_of_results(line: &str) -> usize {
    match line.find(" = ") {
        Some(end) if line.trim_start().starts_with('%') => end,
        _ => 0,
    }
}

/// The names of values in a line, with the percent sign, except those of its results.
fn operands(line: &str) -> Vec<Range<usize>> {
    let from = end_of_results(line);
    names(line)
        .into_iter()
        .filter(|own| own.start >= from)
        .collect()
}

fn names(line: &str) -> Vec<Range<usize>> {
    let name = |(start, _): (usize, &str)| {
        let n = line
            .bytes()
            .skip(start + 1)
            .take_while(|own| is_word(*own))
            .count();
        start..start + 1 + n
    };
    line.match_indices('%').map(name).collect()
}

/// The whole numbers in a line that are words of their own.
fn numbers(line: &str) -> Vec<Range<usize>> {
    let (bytes, mut found, mut at) = (line.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        at += bytes[at..].iter().take_while(|own| is_word(**own)).count();
        let is_number = at > start && bytes[start..at].iter().all(u8::is_ascii_digit);
        if is_number && (start == 0 || bytes[start - 1] != b'%') {
            found.push(start..at);
        }
        at = at.max(start + 1);
    }
    found
}

/// Whether each value and each block is defined once in its region, and each value before its uses.
fn is_ordered(text: &str) -> bool {
    let mut regions: Vec<HashSet<&str>> = vec![HashSet::new()];
    for line in text.lines().map(str::trim) {
        if line.starts_with('}') {
            regions.pop();
        }
        let is_block = line.starts_with("^bb");
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        if is_block {
            outer.extend(line.split(['(', ':']).next());
        }
        let of_results = end_of_results(line);
        for name in names(line) {
            let follows = &line[name.end..];
            let is_argument = follows.starts_with(':') && (is_block || line.contains("func.func"));
            let text = &line[name.clone()];
            match (
                name.start < of_results || is_block && is_argument,
                is_argument || follows.starts_with(" = "),
            ) {
                (true, _) => outer.push(text),
                (_, true) => inner.push(text),
                _ if regions.iter().any(|own| own.contains(text)) => {}
                _ => return false,
            }
        }
        let mut new = outer.iter().chain(&inner);
        let Some(region) = regions.len().checked_sub(1) else {
            return false;
        };
        if new.any(|name| regions.iter().any(|own| own.contains(name))) {
            return false;
        }
        regions[region].extend(outer);
        if line.ends_with('{') {
            regions.push(inner.into_iter().collect());
        }
    }
    regions.len() == 1
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const PROGRAM: &str = "module {
  func.func @main(%arg0: memref<8xf32>, %arg1: index) {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %0 = memref.load %arg0[%c1] : memref<8xf32>
    scf.for %arg2 = %c1 to %arg1 step %c1 {
      memref.store %0, %arg0[%arg2] : memref<8xf32>
    }
    return
  }
}
";

    #[test]
    fn tokens_are_found() {
        let line = "    %0 = memref.load %arg0[%c1, 12] : memref<8xf32, 3>";
        let text =
            |all: Vec<Range<usize>>| all.into_iter().map(|own| &line[own]).collect::<Vec<_>>();
        assert_eq!(text(operands(line)), ["%arg0", "%c1"]);
        assert_eq!(text(numbers(line)), ["12", "3"]);
    }

    #[test]
    fn values_are_used_where_they_are_defined() {
        assert!(is_ordered(PROGRAM));
        let broken = [
            ("to %arg1", "to %arg2"),
            ("return", "memref.store %0, %arg0[%arg2] : memref<8xf32>"),
            ("%0 = memref", "%c1 = memref"),
            ("load %arg0[%c1]", "load %arg0[%1]"),
            ("    return\n  }\n", "    return\n"),
            ("    }\n    return\n  }\n", "    }\n    return\n  }\n}\n"),
        ];
        for (from, to) in broken {
            let changed = PROGRAM.replace(from, to);
            assert_ne!(changed, PROGRAM);
            assert!(!is_ordered(&changed), "{changed}");
        }
    }

    #[test]
    fn one_line_or_two_are_changed() {
        let mut rng = Rng::new(1);
        let mut all = BTreeSet::new();
        for _ in 0..2000 {
            if let Some(changed) = mutated_mlir(&mut rng, PROGRAM) {
                assert!(is_ordered(&changed) && changed != PROGRAM);
                all.insert(changed);
            }
        }
        let has = |text: &str| all.iter().any(|own| own.contains(text));
        assert!(
            has("%c1 = arith.constant 3") && has("load %arg0[%arg1]") && has("to %c1 step %arg1")
        );
        assert!(all.iter().any(|own| !own.contains("store")));
        assert!(all.len() > 40, "{}", all.len());
    }
}
