//! Dumps problems over several levels, in the text form that the stand-alone planner replays.

use std::io::Write as _;
use std::path::Path;

use mem_model::{FunctionLevels, LevelId, OffloadInput, print_level_problems};
use mem_planner::{Advice, OffloadPolicy, Repeatable};

use crate::ir::{Diagnostic, Op, PassResult};

/// Writes problems to a file, or to standard output if the file is `-`.
pub(in crate::plan) fn dump(module: Op, problems: &[FunctionLevels], file: &str) -> PassResult {
    let text = print_level_problems(problems);
    let written = match file {
        "-" => std::io::stdout().write_all(text.as_bytes()),
        file => mem_view::replace_file(Path::new(file), &text),
    };
    written.or_else(|error| {
        let text = format!("cannot write {file}: {error}");
        Diagnostic::error(module.location(), text).fail()
    })
}

/// The input of planning within a budget as plain data.
pub(in crate::plan) fn offload_input(
    policy: OffloadPolicy,
    repeatable: &[Repeatable],
    advice: &Advice,
) -> OffloadInput {
    let mut policies = mem_model::OffloadPolicy::ALL.into_iter();
    let policy = policies.find(|own| own.name() == policy.name());
    let repeatable = repeatable.iter().cloned();
    let advice = advice.clone();
    OffloadInput {
        device: LevelId::new(0),
        host: LevelId::new(1),
        policy: policy.unwrap_or_default(),
        repeatable: repeatable
            .map(|own| mem_model::Repeatable {
                is_pure: own.is_pure,
                until: own.until,
                in_place: own.in_place,
            })
            .collect(),
        advice: mem_model::Advice {
            stay: advice.stay,
            leave: advice.leave,
            keep: advice.keep,
            leads: advice.leads,
        },
    }
}
