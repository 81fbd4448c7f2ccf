//! The text form of problems over several levels: printing and parsing round-trip, every error is
//! located, and no input makes the parser panic or allocate more than it has bytes. Plans are tested
//! in `mem-plan`, which finds some.

use mem_model::{
    Carrier, FunctionLevels, Lanes, LevelId, LinkId, LinkUse, MessageId, TensorId, TextErrorKind,
    TextFormat, parse_level_plans, parse_level_problems, print_level_plans, print_level_problems,
};
use mem_testkit::{Rng, random_odd_function, random_offload_function};

const GOOD: &str = r#"mem-levels 1
# A comment, and a blank line.

problem "main"   # one more
compute 1024
preloaded
level "sram" capacity 4096 align 64 read latency 2 bandwidth 64 write latency 2 bandwidth 0.5
level "dram" align 64 read latency 100 bandwidth 8 write latency 100 bandwidth 8
engine "in" link "dram" "sram"
operand "linalg.matmul" 1 in "sram" "dram"
tensor t0 "x" size 1024 align 64 home "dram" preloaded
tensor t1 "y" size 1024 align 64 frozen 0..1 1..2 within 0..2
tensor t2 "z \"\u{1f980}\"" size 1024 align 64 home "dram" result
step s0 "exp" cycles 16 repeats 4 block 0
  use t0 reads 1024
  use t1 writes 1024 all in "sram" takes-over t0
step s1 "matmul" cycles 64 block alone
  use t1 reads 1024
  use t2 reads 1024 writes 1024
end block 0
problem "train"
level "device" capacity 64 align 1 read latency 0 bandwidth 8 write latency 0 bandwidth 8
level "host" align 1 read latency 9 bandwidth 1 write latency 9 bandwidth 1
offload device "device" host "host" policy recompute
tensor t0 "a" size 32 align 4
tensor t1 "b" size 32 align 4
step s0 "exp" cycles 16 pure until s2
  use t0 writes 32 all
step s1 "exp" cycles 16 pure
  use t0 reads 32
  use t1 writes 32 all
  in-place t0 t1
stay t0 t1
keep t0
lead t0 before s1 cycles -12
end
"#;

/// The plan of the first problem above.
const PLAN: &str = r#"mem-level-plans 1
plan "main" strategy "by hand" lower-bound 0 cost 7
placement p0 t0 "x" in "dram" home steps 0..3
placement p1 t2 "z \"\u{1f980}\"" in "dram" home steps 0..3
placement p2 t0 "x" in "sram" at 64 steps 0..1
placement p3 t1 "y" in "sram" at 1088 steps 0..2
step s0 "exp" uses p2 p3
step s1 "matmul" uses p3 p1
transfer p0 to p2 before s0
transfer p2 to p0 before s1 until end moves
end
"#;

#[test]
fn every_clause_is_read_and_printed_back() {
    let functions = parse_level_problems(GOOD).expect("a good text");
    let [main, train] = &functions[..] else {
        panic!("two problems")
    };
    assert_eq!(main.problem.tensors[2].name, "z \"🦀\"");
    assert_eq!(main.problem.tensors[1].frozen.len(), 2);
    assert_eq!(main.problem.steps[0].uses[1].takes_over, Some(0));
    assert_eq!(main.problem.blocks, [0, usize::MAX - 1, 0]);
    assert!(main.offload.is_none());
    let offload = train.offload.as_ref().expect("a budget");
    assert_eq!(
        (offload.device, offload.host),
        (LevelId::new(0), LevelId::new(1))
    );
    assert_eq!(offload.repeatable[1].in_place, [(0, 1)]);
    assert_eq!(offload.advice.leads[&(TensorId::new(0), 1)], -12);
    let printed = print_level_problems(&functions);
    assert_eq!(parse_level_problems(&printed).as_ref(), Ok(&functions));
    // Apart from comments and escapes, the text above is what is printed.
    let lines = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty());
        lines
            .map(|line| line.replace("   # one more", ""))
            .collect()
    };
    assert_eq!(lines(&printed), lines(&GOOD.replace("\\u{1f980}", "🦀")));
}

#[test]
fn plans_are_read_and_printed_back() {
    let functions = parse_level_problems(GOOD).expect("a good text");
    let plans = parse_level_plans(PLAN, &functions).expect("a good plan");
    assert_eq!(plans.len(), 1);
    let printed = print_level_plans(&[(&functions[0], &plans[0])]);
    assert_eq!(printed, PLAN.replace("\\u{1f980}", "🦀"));
}

#[test]
fn random_problems_round_trip() {
    let mut n_offload = 0;
    for seed in 0..1000 {
        let rng = &mut Rng::new(seed);
        let mut functions = vec![random_odd_function(rng, 12)];
        if rng.chance(30) {
            functions.push(random_offload_function(rng, 8));
        }
        n_offload += usize::from(functions[0].offload.is_some());
        for function in &functions {
            assert_eq!(function.validate(), Ok(()), "seed {seed}");
        }
        let text = print_level_problems(&functions);
        assert_eq!(
            parse_level_problems(&text),
            Ok(functions),
            "seed {seed}\n{text}"
        );
    }
    assert!(n_offload > 50, "{n_offload}");
}

/// Changes characters and lines of a text, and inserts numbers that are out of range.
fn mangled(rng: &mut Rng, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..rng.between(1, 4) {
        let at = rng.below(chars.len());
        if chars.is_empty() {
            break;
        }
        match rng.below(6) {
            0 => chars.truncate(at),
            1 => drop(chars.remove(at)),
            2 => {
                let inserted = ['9', '"', '\\', '\n', 't', '.', 'é', '-', 'e'];
                chars.insert(at, rng.pick(&inserted).unwrap_or('0'));
            }
            3 | 4 => {
                if let Some(digit) = chars[at..].iter().position(char::is_ascii_digit) {
                    let numbers = ["0", "3", "4294967296", "18446744073709551615", "1e400"];
                    let number = rng.pick(&numbers).unwrap_or("0").chars();
                    chars.splice(at + digit..=at + digit, number);
                }
            }
            _ => {
                let lines: Vec<&str> = text.lines().collect();
                let line = rng.pick(&lines).unwrap_or_default();
                chars.splice(at..at, format!("\n{line}\n").chars());
            }
        }
    }
    chars.into_iter().collect()
}

#[test]
fn mangled_texts_are_errors_or_values_but_never_panics() {
    let functions = parse_level_problems(GOOD).expect("a good text");
    let (mut n_problems, mut n_plans) = (0, 0);
    for seed in 0..5000 {
        let rng = &mut Rng::new(seed);
        let text = match rng.chance(50) {
            true => GOOD.to_owned(),
            false => print_level_problems(&[random_odd_function(rng, 6)]),
        };
        if let Ok(functions) = parse_level_problems(&mangled(rng, &text)) {
            n_problems += 1;
            let printed = print_level_problems(&functions);
            assert_eq!(parse_level_problems(&printed), Ok(functions), "seed {seed}");
        }
        if let Ok(plans) = parse_level_plans(&mangled(rng, PLAN), &functions) {
            n_plans += 1;
            let pairs: Vec<_> = plans.iter().map(|plan| (&functions[0], plan)).collect();
            let printed = print_level_plans(&pairs);
            assert_eq!(
                parse_level_plans(&printed, &functions),
                Ok(plans),
                "seed {seed}"
            );
        }
    }
    // Not everything is rejected right away.
    assert!(n_problems > 100 && n_plans > 100, "{n_problems}, {n_plans}");
}

/// Replaces `old` in the valid problems and expects an error at that position.
#[track_caller]
fn check_error(old: &str, new: &str, wanted: &str) {
    assert!(GOOD.contains(old), "{old} is not in the text");
    let error = parse_level_problems(&GOOD.replacen(old, new, 1)).expect_err("a bad text");
    assert_eq!(error.to_string(), wanted);
}

/// A text of `GOOD`, what replaces it, and the error.
const PROBLEM_MISTAKES: &[(&str, &str, &str)] = &[
    (
        "mem-levels 1",
        "mem-program 1",
        "1:1: expected the header 'mem-levels 1'",
    ),
    (
        "levels 1",
        "levels 2",
        "1:12: unknown version 2; this is version 1",
    ),
    (
        "capacity 4096",
        "capacity lots",
        "7:23: expected a capacity in bytes, found 'lots'",
    ),
    (
        "bandwidth 0.5",
        "bandwidth -1",
        "7:91: expected a number of bytes per cycle, found '-1'",
    ),
    (
        "bandwidth 0.5",
        "bandwidth 1e400",
        "7:91: expected a number of bytes per cycle, found '1e400'",
    ),
    (
        "engine \"in\"",
        "level \"dram\" align 1 read latency 0 bandwidth 0 write latency 0 bandwidth 0\nengine \"in\"",
        "9:1: level l2 has the name of another",
    ),
    (
        "link \"dram\"",
        "link \"rom\"",
        "9:18: there is no level 'rom'",
    ),
    ("t1 \"y\"", "t2 \"y\"", "12:8: expected id t1, found t2"),
    (
        "size 1024 align 64 frozen",
        "size 18446744073709551616 align 64 frozen",
        "12:20: 18446744073709551616 is not a number below 2^64",
    ),
    (
        "align 64 frozen",
        "align 48 frozen",
        "12:1: the alignment of tensor t1 is not a power of two",
    ),
    (
        "frozen 0..1 1..2",
        "frozen 1..2 0..1",
        "12:1: the frozen intervals of tensor t1 are empty, or not in ascending order",
    ),
    (
        "within 0..2",
        "within 0..99999999999",
        "12:1: the interval of tensor t1 is reversed, or ends after the program",
    ),
    (
        "within 0..2",
        "within 2",
        "12:58: expected an interval of steps, as in 2..5, found '2'",
    ),
    (
        "use t0 reads 1024",
        "use t7 reads 1024",
        "15:7: there is no t7",
    ),
    (
        "use t2 reads 1024 writes",
        "use t1 reads 1024 writes",
        "17:1: step s1 uses a tensor twice",
    ),
    (
        "takes-over t0",
        "takes-over t2",
        "16:47: expected a tensor that the step uses, found 't2'",
    ),
    (
        "block alone",
        "",
        "4:1: 2 blocks are given for 2 steps and the end",
    ),
    (
        "end block 0",
        "",
        "21:1: expected a line that belongs here, in order, or 'end', found 'problem'",
    ),
    (
        "problem \"train\"",
        "problem \"main\"",
        "21:9: there is another function 'main'",
    ),
    (
        "device \"device\"",
        "device \"host\"",
        "24:1: a budget takes two levels: the device, which is the faster one, and its host",
    ),
    (
        "policy recompute",
        "policy best",
        "24:44: expected a policy, found 'best'",
    ),
    (
        "until s2",
        "until s3",
        "27:1: step s0 refers to a step, which does not exist",
    ),
    ("stay t0 t1", "stay t0 t2", "33:9: there is no t2"),
    (
        "cycles -12",
        "cycles +12",
        "35:26: expected a number of cycles, possibly negative, found '+12'",
    ),
    (
        "repeats 4 block 0",
        "repeats 4 block 0 pure",
        "14:43: expected the end of the line, found 'pure'",
    ),
];

#[test]
fn mistakes_in_problems_are_located() {
    for &(old, new, wanted) in PROBLEM_MISTAKES {
        check_error(old, new, wanted);
    }
    let error = parse_level_problems(&GOOD[..GOOD.len() - 4]).expect_err("truncated");
    assert_eq!(error.kind, TextErrorKind::Truncated);
}

/// A text of `PLAN`, what replaces it, and the error.
const PLAN_MISTAKES: &[(&str, &str, &str)] = &[
    (
        "plan \"main\"",
        "plan \"other\"",
        "2:6: there is no problem 'other'",
    ),
    (
        "cost 7",
        "cost",
        "2:50: expected a number of cycles, found the end of the line",
    ),
    (
        "placement p0",
        "repeat s0 before s1\nplacement p0",
        "3:8: expected no repetition, since the problem has no budget, found 's0'",
    ),
    (
        "p0 t0 \"x\"",
        "p0 t0 \"y\"",
        "3:17: t0 has another name in the problem: 'x'",
    ),
    (
        "in \"sram\" at 64",
        "in \"rom\" at 64",
        "5:24: there is no level 'rom'",
    ),
    (
        "steps 0..1",
        "steps 0..4",
        "5:43: expected an interval of steps of the program, found '0..4'",
    ),
    (
        "s0 \"exp\"",
        "s0 \"log\"",
        "7:9: s0 has another name in the problem: 'exp'",
    ),
    (
        "uses p2 p3",
        "uses p2",
        "7:22: expected a placement for each use of the step, found the end of the line",
    ),
    ("uses p2 p3", "uses p2 p4", "7:23: there is no p4"),
    (
        "step s1 \"matmul\" uses p3 p1\n",
        "",
        "8:1: expected a line for each step, after the placements, found 'transfer'",
    ),
    ("before s0", "before s9", "9:26: there is no s9"),
];

#[test]
fn mistakes_in_plans_are_located() {
    let functions = parse_level_problems(GOOD).expect("a good text");
    for &(old, new, wanted) in PLAN_MISTAKES {
        assert!(PLAN.contains(old), "{old} is not in the text");
        let text = PLAN.replacen(old, new, 1);
        let error = parse_level_plans(&text, &functions).expect_err("a bad text");
        assert_eq!(error.to_string(), wanted);
    }
    let twice = format!("{PLAN}{}", &PLAN[PLAN.find('\n').expect("lines") + 1..]);
    let error = parse_level_plans(&twice, &functions).expect_err("two plans");
    assert_eq!(error.to_string(), "12:6: there is another function 'main'");
}

/// A step is repeated after its execution, and repetitions are in execution order.
#[test]
fn repetitions_are_in_order() {
    let function = FunctionLevels {
        function: "train".to_owned(),
        ..parse_level_problems(GOOD)
            .expect("a good text")
            .swap_remove(1)
    };
    let text = |repetitions: &str| {
        format!(
            "mem-level-plans 1\nplan \"train\" strategy \"\" lower-bound 0 cost 0\n{repetitions}\
             placement p0 t0 \"a\" in \"device\" at 0 steps 0..3\n\
             placement p1 t1 \"b\" in \"device\" at 32 steps 0..3\n\
             step s0 \"exp\" uses p0\nstep s1 \"exp\" uses p0\nstep s2 \"exp\" uses p0 p1\nend\n"
        )
    };
    let functions = [function];
    let good = text("repeat s0 before s1\n");
    let plans = parse_level_plans(&good, &functions).expect("a good plan");
    assert_eq!(print_level_plans(&[(&functions[0], &plans[0])]), good);
    let out_of_order =
        "3:8: this repetition is out of order, or repeats a step that has not been executed";
    for (bad, wanted) in [
        ("repeat s1 before s1\n", out_of_order),
        ("repeat s0 before s2\n", "3:18: there is no s2"),
    ] {
        let error = parse_level_plans(&text(bad), &functions).expect_err("a bad plan");
        assert_eq!(error.to_string(), wanted);
    }
}

#[test]
fn the_header_states_the_format() {
    assert_eq!(TextFormat::of(GOOD), Some(TextFormat::LevelProblems));
    assert_eq!(TextFormat::of(PLAN), Some(TextFormat::LevelPlans));
    let commented = "# mem-levels\n\n  mem-program 1\n";
    assert_eq!(TextFormat::of(commented), Some(TextFormat::Programs));
    assert_eq!(TextFormat::of("id,lower,upper,size\n"), None);
    assert_eq!(TextFormat::of(""), None);
}

/// Steps that start, await and block for messages, within a budget.
const MESSAGES: &str = r#"mem-levels 1
problem "ranks"
level "device" capacity 64 align 1 read latency 0 bandwidth 8 write latency 0 bandwidth 8
level "host" align 1 read latency 9 bandwidth 1 write latency 9 bandwidth 1
offload device "device" host "host" policy swap
tensor t0 "a" size 32 align 4
step s0 "isend" cycles 0 starts m0 link 74
  use t0 reads 32
step s1 "wait" cycles 58 waits 58 repeats 2 awaits m0
step s2 "wait" cycles 0 awaits all
step s3 "allreduce" cycles 148 waits 140 blocks link 148
end
"#;

#[test]
fn messages_are_read_and_printed_back() {
    let functions = parse_level_problems(MESSAGES).expect("a good text");
    let steps = &functions[0].problem.steps;
    assert_eq!(steps[3].computing(), 8);
    assert_eq!(
        steps[3].link,
        LinkUse::Blocks {
            cycles: 148,
            on: Carrier::default()
        }
    );
    assert_eq!(steps[1].link, LinkUse::Awaits(Some(MessageId::new(0))));
    assert_eq!(print_level_problems(&functions), MESSAGES);
    // A copy is waited for as a message is, and needs no link.
    let copied = MESSAGES.replace("starts m0 link 74", "copies m0");
    let functions = parse_level_problems(&copied).expect("a good text");
    let first = functions[0].problem.steps[0].link;
    assert_eq!(first, LinkUse::Copies(MessageId::new(0)));
    assert_eq!((first.cycles(), first.carrier()), (0, None));
    assert_eq!(print_level_problems(&functions), copied);
    let named = MESSAGES
        .replace(
            "offload",
            "rank-link \"near\" latency 1 bandwidth 8\nrank-link \"far\" latency 9 bandwidth 1 duplex\noffload",
        )
        .replace("m0 link 74", "m0 link 74 on \"far\" out")
        .replace("blocks link 148", "blocks link 148 on \"near\"");
    let functions = parse_level_problems(&named).expect("a good text");
    let (link, lanes) = (LinkId::new(1), Lanes::Out);
    let first = functions[0].problem.steps[0].link.carrier();
    assert_eq!(first, Some(Carrier { link, lanes }));
    assert_eq!(print_level_problems(&functions), named);
    let mistakes = [
        (
            "rank-link \"near\" latency 1",
            "rank-link \"far\" latency 2 bandwidth 1\nrank-link \"near\" latency 1",
            "7:1: link 2 between ranks has the name of another",
        ),
        (
            "on \"far\"",
            "on \"away\"",
            "9:47: expected the name of a link between ranks, found a string",
        ),
        (
            "on \"near\"",
            "on \"near\" in",
            "13:1: step s3 refers to a link between ranks, or a direction of it, which does not exist",
        ),
    ];
    for (old, new, wanted) in mistakes {
        let error = parse_level_problems(&named.replacen(old, new, 1)).expect_err("a bad text");
        assert_eq!(error.to_string(), wanted);
    }
    let mistakes = [
        (
            "m0 link 74",
            "m0 link 74 pure",
            "7:1: step s0 uses the link between ranks, and may not be repeated",
        ),
        ("m0 link 74", "m0 74", "7:36: expected link, found '74'"),
        (
            "waits 58",
            "waits 59",
            "9:1: step s1 waits longer than it takes",
        ),
        (
            "awaits m0",
            "awaits m1",
            "9:1: step s1 refers to a message, which does not exist",
        ),
        (
            "awaits all",
            "starts m0 link 3",
            "10:1: step s2 starts a message that has been started",
        ),
        (
            "awaits all",
            "copies m0",
            "10:1: step s2 starts a message that has been started",
        ),
    ];
    for (old, new, wanted) in mistakes {
        let text = MESSAGES.replacen(old, new, 1);
        let error = parse_level_problems(&text).expect_err("a bad text");
        assert_eq!(error.to_string(), wanted);
    }
}
