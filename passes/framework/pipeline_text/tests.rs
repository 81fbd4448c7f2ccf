//! Texts of pipelines that are accepted, and the parts of others that are wrong.

use super::*;

const fn spec(
    name: &'static std::ffi::CStr,
    kind: OptionKind,
    choices: &'static [&'static str],
) -> OptionSpec {
    OptionSpec {
        name,
        about: c"",
        default: c"",
        kind,
        choices,
        range: (i64::MIN, i64::MAX),
        example: "2",
    }
}

static SPECS: [OptionSpec; 7] = [
    spec(c"strategy", OptionKind::Choice, &["auto", "exact"]),
    spec(c"capacity", OptionKind::Size, &[]),
    spec(c"segment", OptionKind::Integer, &[]),
    spec(c"optimize", OptionKind::Boolean, &[]),
    spec(c"output", OptionKind::String, &[]),
    spec(c"hierarchy", OptionKind::Hierarchy, &[]),
    OptionSpec {
        range: (0, 100),
        ..spec(c"threshold", OptionKind::Integer, &[])
    },
];

/// The wrong part of a pipeline, and the message.
fn error(text: &str) -> Option<(String, String)> {
    let known = Known {
        options: &|name| (name == "plan").then_some(&SPECS[..]),
        anchor: &|name| (name == "plan").then_some("builtin.module"),
        is_known: &|name| ["plan", "cse"].contains(&name),
        names: &|| vec!["plan".to_owned(), "cse".to_owned()],
    };
    let error = check_pipeline(text, &known).err()?;
    Some((text[error.span].to_owned(), error.message))
}

#[test]
fn what_passes_accept_is_accepted() {
    let accepted = [
        "",
        "builtin.module(plan,cse)",
        "builtin.module( plan , func.func(cse) )",
        "builtin.module(plan{strategy=exact capacity=1MiB segment=-3 optimize})",
        "builtin.module(plan{strategy='exact' hierarchy=npu},cse{whatever=1})",
        "builtin.module(plan{output=\"a b, c(d)\" optimize=0 capacity=-1})",
        "builtin.module(plan{hierarchy=\"\" optimize=False})",
        "any(plan)",
    ];
    for text in accepted {
        assert_eq!(error(text), None, "{text}");
    }
}

#[test]
fn text_without_a_meaning_is_left_to_the_parser() {
    for text in ["{}", ",,,", "=", "plan}"] {
        let found = error(text);
        assert!(
            found
                .as_ref()
                .is_none_or(|(_, message)| message.starts_with("no pass")),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn braces_and_parentheses_without_their_counterpart_are_found() {
    let brace = "this brace is not closed: expected '}' after the options";
    let parenthesis = "this parenthesis is not closed: expected ')' after the passes";
    for (text, part, message) in [
        ("builtin.module(plan{", "{", brace),
        ("plan{strategy=auto", "{", brace),
        ("(((", "(", parenthesis),
        ("builtin.module(plan", "(", parenthesis),
        ("))", ")", "this parenthesis closes nothing"),
        ("any(plan))", ")", "this parenthesis closes nothing"),
    ] {
        assert_eq!(
            error(text),
            Some((part.to_owned(), message.to_owned())),
            "{text}"
        );
    }
}

#[test]
fn misspellings_are_found_where_they_are() {
    let found = |part: &str, message: &str| Some((part.to_owned(), message.to_owned()));
    assert_eq!(
        error("builtin.module(plam)"),
        found(
            "plam",
            "no pass or pipeline is called 'plam'; did you mean 'plan'?"
        )
    );
    assert_eq!(
        error("builtin.module(cse,func.func(other{x=1}))"),
        found("other", "no pass or pipeline is called 'other'")
    );
    assert_eq!(
        error("builtin.module(plan{capcity=3})"),
        found(
            "capcity",
            "plan: no such option 'capcity': expected strategy, capacity, segment, optimize, output, \
             hierarchy or threshold; did you mean 'capacity'?"
        )
    );
    assert_eq!(
        error("builtin.module(plan{capacity=3 strategy=\"axact\"})"),
        found(
            "axact",
            "plan: unknown value 'axact' for option 'strategy': expected auto or exact; did you mean \
             'exact'?"
        )
    );
}

#[test]
fn passes_on_other_operations_are_found() {
    let (part, message) = error("builtin.module(func.func(cse, plan))").expect("an error");
    assert_eq!(part, "plan");
    assert_eq!(
        message,
        "'plan' runs on 'builtin.module', not on 'func.func': expected it outside of 'func.func(...)'"
    );
    assert_eq!(error("builtin.module(func.func(cse),plan)"), None);
}

#[test]
fn passes_and_options_are_mentioned_where_they_are() {
    let known = Known {
        options: &|name| (name == "plan").then_some(&SPECS[..]),
        anchor: &|_| None,
        is_known: &|_| true,
        names: &Vec::new,
    };
    let text = "builtin.module( cse,plan{optimize output=\"a b\"})";
    let mentions = check_pipeline(text, &known).expect("a pipeline");
    let shown = mentions.iter().map(|own| {
        let option = own.option.as_ref();
        let option = option.map(|(key, value)| (key.as_str(), value.as_str()));
        (own.owner.as_str(), &text[own.span.clone()], option)
    });
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            ("cse", "cse", None),
            ("plan", "plan", None),
            ("plan", "optimize", Some(("optimize", ""))),
            ("plan", "output", Some(("output", "a b"))),
        ]
    );
}

#[test]
fn values_of_the_wrong_kind_are_found() {
    let message = |text: &str| error(text).expect("an error").1;
    assert_eq!(
        message("plan{capacity=1M}"),
        "plan: invalid value for option 'capacity': unknown unit 'M' in '1M': did you mean 'MiB' or \
         'MB'?"
    );
    assert_eq!(
        message("plan{capacity=8EiB}"),
        "plan: invalid value for option 'capacity': '8EiB' is too large: sizes are below 8EiB"
    );
    assert_eq!(
        message("plan{threshold=101}"),
        "plan: invalid value '101' for option 'threshold': expected a number from 0 to 100"
    );
    assert_eq!(
        message("plan{optimize segment}"),
        "plan: option 'segment' has no value: expected one, as in segment=2"
    );
    assert_eq!(
        message("plan{segment=few}"),
        "plan: invalid value 'few' for option 'segment': expected a number"
    );
    assert_eq!(
        message("plan{optimize=ture}"),
        "plan: invalid value 'ture' for option 'optimize': expected true or false; did you mean 'true'?"
    );
    assert!(message("plan{hierarchy=nqu}").ends_with("; did you mean 'npu'?"));
}

#[test]
fn sizes_may_be_absent() {
    assert_eq!(parse_size("-1"), Ok(-1));
    assert_eq!(parse_size("64KiB"), Ok(65_536));
    assert_eq!(parse_size("14.03MiB"), Ok(14_711_521));
    assert!(parse_size("-1KiB").is_err());
    assert!(parse_size("").is_err());
}
