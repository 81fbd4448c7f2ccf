//! Malformed inputs: valid ones with changed bytes, pieces of text moved around, and numbers out of
//! range. Each yields an error or a plan; nothing panics. `INPUT_CASES` sets the number of cases,
//! `INPUT_SEED` the first seed; fuzz/ runs the same checks under a fuzzer.

#[path = "support/inputs.rs"]
mod inputs;

use mem_model::{parse_level_problems, print_level_plans};
use mem_plan::{LevelSettings, plan_function};
use mem_testkit::{Rng, number};

const TABLE: &str = "\
id,lower,upper,size,alignment,gaps,offset,conflicts,alias,in_place,penalties
a,0,4,64,16,,,,,,
b,2,9,128,,3-5 6-7@0:64,,,,a,
c,4,6,32,8,,128,,,,a:5 b:2
d,7,12,32,1,,,a c,x,,
e,9,14,32,1,,,,x,,
";

const PIECES: [&str; 27] = [
    "0",
    "1",
    "-1",
    "18446744073709551615",
    "9223372036854775807",
    "9223372036854775808",
    "1e9",
    "nan",
    ",",
    ",,",
    "\"",
    "\n",
    " ",
    "@",
    ":",
    "-",
    "a",
    "b",
    "\u{fffd}",
    "buffer",
    "step s0",
    "..",
    "t1",
    " frozen 1..3",
    " home \"ram\"",
    " block alone",
    " repeats 3",
];

/// Returns `text` with a few random changes.
fn change(rng: &mut Rng, text: &str) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..rng.between(1, 6) {
        let at = rng.below(text.len() + 1);
        let end = (at + rng.between(0, 6)).min(text.len());
        let piece: Vec<char> = match rng.below(4) {
            // A piece from elsewhere in the text.
            0 => {
                let from = rng.below(text.len() + 1);
                text[from..(from + rng.below(40)).min(text.len())].to_vec()
            }
            1 => Vec::new(),
            _ => rng.pick(&PIECES).unwrap_or("").chars().collect(),
        };
        text.splice(at..end, piece);
    }
    text.into_iter().collect()
}

/// Returns `text` with other numbers in a few places.
fn renumber(rng: &mut Rng, text: &str) -> String {
    const NUMBERS: [&str; 9] = [
        "0",
        "1",
        "2",
        "3",
        "5",
        "64",
        "1024",
        "9223372036854775807",
        "18446744073709551615",
    ];
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..rng.between(1, 3) {
        let from = rng.below(text.len());
        let Some(skipped) = text[from..].iter().position(char::is_ascii_digit) else {
            continue;
        };
        let start = from + skipped;
        let digits = text[start..].iter().take_while(|c| c.is_ascii_digit());
        let end = start + digits.count();
        let number = rng.pick(&NUMBERS).unwrap_or("0").chars();
        text.splice(start..end, number);
    }
    text.into_iter().collect()
}

fn try_all(original: &str, check: impl Fn(&str) -> bool) {
    try_all_with(change, number("INPUT_CASES", 3000), original, check);
}

fn try_all_with(
    change: fn(&mut Rng, &str) -> String,
    n_cases: u64,
    original: &str,
    check: impl Fn(&str) -> bool,
) {
    assert!(check(original));
    let first = number("INPUT_SEED", 0);
    let mut n_good = 0;
    for seed in first..first + n_cases {
        let text = change(&mut Rng::new(seed), original);
        let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&text)));
        match checked {
            Ok(is_good) => n_good += u64::from(is_good),
            Err(_) => panic!("seed {seed}:\n{text}"),
        }
    }
    // Not everything is rejected right away.
    assert!(n_good > n_cases / 100);
}

#[test]
fn tables() {
    try_all(TABLE, inputs::check_table);
}

#[test]
fn programs() {
    try_all(include_str!("../examples/lstm.mem"), inputs::check_programs);
}

#[test]
fn level_problems() {
    let example = include_str!("../examples/two.levels");
    // Planning takes milliseconds.
    let n_cases = number("INPUT_CASES", 3000) / 8;
    try_all_with(change, n_cases, example, inputs::check_levels);
    try_all_with(renumber, n_cases, example, inputs::check_levels);
}

#[test]
fn level_plans() {
    let functions = parse_level_problems(include_str!("../examples/two.levels"));
    let functions = functions.expect("a good example");
    let plan = |function| plan_function(function, &LevelSettings::default()).expect("a plan");
    let plans: Vec<_> = functions.iter().map(plan).collect();
    let pairs: Vec<_> = functions.iter().zip(&plans).collect();
    let check = |text: &str| inputs::check_level_plans(text, &functions);
    let n_cases = number("INPUT_CASES", 3000);
    try_all_with(renumber, n_cases, &print_level_plans(&pairs), check);
}
