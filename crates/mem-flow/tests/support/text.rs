//! Small programs in text form, for tests of the dependence analysis.

use mem_flow::dependence::AccessId;
use mem_model::{Bytes, IntervalSet, Program, StepId, parse_programs};

/// Builds a program from a list of buffers and a body. Pointer `p<n>` is the start of buffer
/// `b<n>`.
pub(crate) fn program(buffers: &str, body: &str) -> Program {
    let mut text = "mem-program 1\nprogram \"test\"\n".to_owned();
    let (mut pointers, mut rest) = (String::new(), String::new());
    for (index, buffer) in buffers.split_whitespace().enumerate() {
        let (storage, size) = buffer.split_once(':').expect("kind:size");
        let (role, storage) = match storage {
            "local" => ("intermediate", "planned"),
            "arg" => ("input", "external alias argument"),
            "noalias" => ("input", "external alias reachable"),
            "unknown" => ("input", "external alias unknown"),
            other => panic!("{other}"),
        };
        text += &format!("buffer b{index} \"b{index}\" size {size} align 1 {role} {storage}\n");
        pointers += &format!("pointer p{index} \"p{index}\" buffer b{index} size {size}\n");
    }
    for line in body.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_whitespace().next() {
            Some("pointer") => pointers += &format!("{line}\n"),
            Some("symbol" | "token") => pointers += &format!("{line}\n"),
            _ => rest += &format!("{line}\n"),
        }
    }
    text += &pointers;
    text += "region r0 function\n";
    text += &rest;
    text += "end\n";
    let mut programs = parse_programs(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    programs.remove(0)
}

/// The access at position `index` of a step.
pub(crate) fn id(step: usize, index: u32) -> AccessId {
    AccessId {
        step: StepId::new(step),
        index,
    }
}

/// Formats bytes as `0..4+8..12`.
pub(crate) fn bytes(bytes: &IntervalSet<Bytes>) -> String {
    let shown: Vec<String> = bytes
        .iter()
        .map(|b| format!("{}..{}", b.start, b.end))
        .collect();
    shown.join("+")
}
