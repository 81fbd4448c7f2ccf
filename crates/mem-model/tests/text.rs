//! The text form: printing and parsing round-trip, every error is located, and no input makes the
//! parser panic, however mangled.

use mem_model::{TextErrorKind, parse_programs, print_programs};
use mem_testkit::{Rng, random_program};

const GOOD: &str = r#"mem-program 1
# A comment, and a blank line.

program "main"   # one more
buffer b0 "x \"quoted\"\u{1f980}" size 128 align 64 input external loc "a.mlir:3:5"
buffer b1 "t" size 18446744073709551615 align 64 intermediate planned
buffer b2 "u" size 64 align 64 constant placed "sram" 2048
pointer p0 "x" buffer b0 size 128
pointer p1 "m" merge
region r0 function
region r1 loop in r0
block bb0 in r0
  step s0 "memref.alloc" cycles 900 loc "a.mlir:4:5"
    allocates b1
    bind p1 = p0 p0
    use p0 may 0..128
    define p0 may 0..128 must 4..8
  edge bb1
    bind p1 = p1
block bb1 in r1
end
program "empty"
region r0 function
block bb0 in r0
end
"#;

#[test]
fn every_construct_round_trips() {
    let programs = parse_programs(GOOD).expect("a good text");
    assert_eq!(programs.len(), 2);
    assert_eq!(&*programs[0].buffers[0].name, "x \"quoted\"🦀");
    let step = &programs[0].steps[0];
    assert_eq!(
        (step.cycles, step.bindings[0].sources.len()),
        (Some(900), 2)
    );
    assert_eq!(step.accesses[0].must, None);
    let printed = print_programs(&programs);
    assert_eq!(parse_programs(&printed).as_ref(), Ok(&programs));
    assert_eq!(
        print_programs(&parse_programs(&printed).expect("printed")),
        printed
    );
}

#[test]
fn random_programs_round_trip() {
    for seed in 0..500 {
        let mut rng = Rng::new(seed);
        let mut program = random_program(&mut rng, 30);
        // Names with all characters that may trip a terminal or an editor.
        let odd = [
            "\"",
            "\\",
            "\n\r\t",
            "#",
            "\u{0}\u{7f}\u{85}\u{2028}",
            "é🦀",
            " ",
            "",
        ];
        for step in &mut program.steps {
            step.name = rng.pick(&odd).unwrap_or_default().into();
            step.location = rng.pick(&odd).unwrap_or_default().into();
        }
        let programs = vec![program.clone(), program];
        let text = print_programs(&programs);
        assert_eq!(parse_programs(&text), Ok(programs), "seed {seed}\n{text}");
    }
}

#[test]
fn mangled_texts_are_errors_or_programs_but_never_panics() {
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let text = match rng.chance(50) {
            true => GOOD.to_owned(),
            false => print_programs(&[random_program(&mut rng, 8)]),
        };
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..rng.between(1, 4) {
            let at = rng.below(chars.len());
            if chars.is_empty() {
                break;
            }
            match rng.below(4) {
                0 => chars.truncate(at),
                1 => drop(chars.remove(at)),
                2 => chars.insert(
                    at,
                    rng.pick(&['9', '"', '\\', '\n', 'b', '.', 'é']).unwrap(),
                ),
                _ => {
                    let lines: Vec<&str> = text.lines().collect();
                    let line = rng.pick(&lines).unwrap_or_default();
                    let line = line.replace(|c: char| c.is_ascii_digit(), "4294967296");
                    chars.splice(at..at, format!("\n{line}\n").chars());
                }
            }
        }
        let mangled: String = chars.into_iter().collect();
        if let Ok(programs) = parse_programs(&mangled) {
            assert_eq!(parse_programs(&print_programs(&programs)), Ok(programs));
        }
    }
}

/// Replaces `old` in the valid text and expects an error at that position.
#[track_caller]
fn check_error(old: &str, new: &str, wanted: &str) {
    assert!(GOOD.contains(old), "{old} is not in the text");
    let error = parse_programs(&GOOD.replacen(old, new, 1)).expect_err("a bad text");
    assert_eq!(error.to_string(), wanted);
}

#[test]
fn mistakes_are_located() {
    check_error(
        "mem-program 1",
        "",
        "4:1: expected the header 'mem-program 1'",
    );
    check_error(
        "program 1",
        "program 2",
        "1:13: unknown version 2; this is version 1",
    );
    check_error(
        "size 128",
        "size big",
        "5:40: expected a size in bytes, found 'big'",
    );
    check_error(
        "615 align",
        "616 align",
        "6:20: 18446744073709551616 is not a number below 2^64",
    );
    check_error(
        "cycles 900",
        "cycles 900 core 4294967296",
        "13:42: expected the number of a core, below 2^32, found '4294967296'",
    );
    check_error("buffer b1", "buffer b7", "6:8: expected id b1, found b7");
    check_error(
        "constant",
        "precious",
        "7:32: expected a role, found 'precious'",
    );
    check_error("\"u\"", "\"u", "7:52: this string does not end on its line");
    check_error("x \\\"", "x \\q", "5:15: unknown escape in a string");
    check_error(
        "allocates b1",
        "allocates b1 b2",
        "14:18: expected the end of the line, found 'b2'",
    );
    check_error(
        "block bb1 in r1\n",
        "",
        "12:1: block bb0 refers to block bb1, which does not exist",
    );
    check_error(
        "region r1 loop",
        "buffer b3",
        "11:1: expected a line that belongs here, in order, or 'end', found 'buffer'",
    );
}

#[test]
fn ill_formed_programs_are_located_at_their_part() {
    check_error(
        "align 64 input",
        "align 48 input",
        "5:1: the alignment of buffer b0 is not a power of two",
    );
    check_error(
        "buffer b0 size 128\n",
        "buffer b9 size 128\n",
        "8:1: pointer p0 refers to buffer b9, which does not exist",
    );
    check_error(
        "must 4..8",
        "must 4..129",
        "13:1: step s0 must touch bytes that it may not touch",
    );
    check_error(
        "0..128\n    define",
        "9..8\n    define",
        "13:1: step s0 has a reversed byte range",
    );
    check_error(
        "bind p1 = p0 p0",
        "bind p0 = p1",
        "13:1: step s0 binds p0, which is not a merge",
    );
    check_error(
        "bind p1 = p1",
        "bind p1 =",
        "12:1: block bb0 binds p1 to nothing",
    );
    check_error(
        "edge bb1",
        "edge bb2",
        "12:1: block bb0 refers to block bb2, which does not exist",
    );
    check_error(
        "loop in r0",
        "loop in r1",
        "11:1: region r1 is not part of a tree rooted in the function",
    );
    check_error(
        "\"m\" merge",
        "\"x\" merge",
        "9:1: pointer p1 has the name of another",
    );
    check_error(
        "block bb0 in r0\nend\n",
        "end\n",
        "22:1: the program has no blocks",
    );
}

#[test]
fn a_file_that_was_cut_off_is_not_a_shorter_program() {
    let cut = GOOD.rfind("end").expect("an end");
    let error = parse_programs(&GOOD[..cut]).expect_err("cut off");
    assert_eq!(error.kind, TextErrorKind::Truncated);
}

#[test]
fn a_merge_that_nothing_binds_must_not_be_accessed_where_control_comes() {
    let text = "mem-program 1\nprogram \"p\"\npointer p0 \"m\" merge\nregion r0 function\n\
                block bb0 in r0\nstep s0 \"s\"\nuse p0\nend\n";
    let error = parse_programs(text).expect_err("never bound");
    assert_eq!(
        error.to_string(),
        "6:1: step s0 accesses p0, which is never bound"
    );
    let unreachable = text.replace("step", "block bb1 in r0\nstep");
    assert!(parse_programs(&unreachable).is_ok());
}
