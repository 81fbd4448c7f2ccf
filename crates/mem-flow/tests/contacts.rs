//! Which storage steps access together: small programs, with sizes of two pages unless they state others.

#[expect(dead_code, reason = "the other tests show lifetimes")]
mod support;

use mem_flow::{analyze_lifetimes, contacts, problem};
use mem_model::{Bytes, Partner, Program, Region, RegionId, RegionKind};
use support::program;

/// A program with buffers of the given numbers of bytes, or of two pages each.
fn sized(buffers: &str, merges: &str, text: &str, sizes: &[u64]) -> Program {
    let mut program = program(buffers, merges, text);
    let sizes = sizes.iter().copied().chain(std::iter::repeat(8192));
    for (buffer, size) in program.buffers.iter_mut().zip(sizes) {
        buffer.size = Bytes::new(size);
    }
    for pointer in &mut program.pointers {
        pointer.size = pointer
            .kind
            .buffer()
            .map(|buffer| program.buffers[buffer.index()].size);
    }
    program
}

#[track_caller]
fn check(program: &Program, wanted: &str) {
    let lifetimes = analyze_lifetimes(program).expect("a valid program");
    let problem = problem(program, &lifetimes);
    let name = |item: usize| {
        let own = &problem.items[item];
        format!("{}.{}", program.buffers[own.buffer.index()].name, own.slot)
    };
    let contacts = contacts(program, &problem);
    let shown = contacts.iter().map(|contact| {
        let other = match contact.other {
            Partner::Item(other) => name(other),
            Partner::Outside => "outside".to_owned(),
        };
        format!("{} {other} {}", name(contact.item), contact.weight)
    });
    assert_eq!(shown.collect::<Vec<_>>().join("; "), wanted);
}

#[test]
fn steps_that_write_connect_what_they_access() {
    let text = "block\n step -> a\n step a -> b\n step a b -> c\n step a b c";
    check(
        &sized("a b c", "", text, &[]),
        "a.0 b.0 2; a.0 c.0 2; b.0 c.0 2",
    );
}

#[test]
fn each_step_adds_to_the_weight_and_the_smaller_buffer_decides() {
    let text = "block\n step -> a\n step a -> b\n step b -> a\n step a b";
    check(&sized("a b", "", text, &[8192, 12300]), "a.0 b.0 4");
}

#[test]
fn small_buffers_are_in_contact_with_nothing() {
    let text = "block\n step in -> a\n step a -> b\n step a b";
    check(&sized("a b !in", "", text, &[4095, 8192, 4095]), "");
}

#[test]
fn arguments_are_outside() {
    let text = "block\n step in -> a\n step a in more -> out\n step more -> out";
    check(&sized("a !in !more !out", "", text, &[]), "a.0 outside 4");
}

#[test]
fn steps_in_loops_count_more() {
    let text = "block\n step -> a\n edge 1\n block\n step a -> b\n step b\n edge 1\n edge 2\n block\n step a";
    let mut program = sized("a b", "", text, &[]);
    check(&program, "a.0 b.0 2");
    program.regions.push(Region {
        kind: RegionKind::Loop,
        parent: Some(RegionId::new(0)),
    });
    program.blocks[1].region = RegionId::new(1);
    check(&program, "a.0 b.0 16");
}

#[test]
fn a_merge_stands_for_all_that_it_may_denote() {
    let text = "block\n step -> a\n step -> b\n bind m = a b\n step m -> c\n step c";
    check(&sized("a b c", "m", text, &[]), "a.0 c.0 2; b.0 c.0 2");
}

#[test]
fn a_step_with_many_operands_has_no_contacts() {
    let names: Vec<String> = (0..40).map(|n| format!("b{n}")).collect();
    let names = names.join(" ");
    let text = format!("block\n step -> {names}\n step {names}");
    check(&sized(&names, "", &text, &[]), "");
}
