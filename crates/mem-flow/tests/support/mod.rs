//! A short notation for programs and for lifetimes, so that a test shows both at a glance.
//!
//! One item per line: `block`; `alloc x`; `step a b -> c`, which reads all of a and b and writes
//! all of c (`c/2`: only half of it); `bind m = a b`; `edge 2 m=a n=b`. Names come from the two
//! lists; all buffers have 8 bytes. A lifetime is shown as its first and last points, where `2L` is
//! the late point of step 2.

use mem_flow::Lifetimes;
use mem_model::{
    Access, AccessKind, Binding, Block, BlockId, Buffer, BufferId, Bytes, Edge, Interval, Pointer,
    PointerId, PointerKind, Program, Region, RegionId, RegionKind, Role, Step, StepId, Storage,
};

/// Parses a program with these `buffers` (a leading `!` makes one external) and `merges`.
pub(crate) fn program(buffers: &str, merges: &str, text: &str) -> Program {
    let mut program = Program {
        name: "test".to_owned(),
        buffers: buffers.split_whitespace().map(buffer).collect(),
        regions: vec![Region {
            kind: RegionKind::Function,
            parent: None,
        }],
        ..Program::default()
    };
    for (index, buffer) in program.buffers.iter().enumerate() {
        let kind = PointerKind::Buffer(BufferId::new(index));
        program.pointers.push(pointer(&buffer.name, kind));
    }
    for merge in merges.split_whitespace() {
        program.pointers.push(pointer(merge, PointerKind::Merge));
    }
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        add_line(&mut program, line);
    }
    program
}

fn buffer(name: &str) -> Buffer {
    Buffer {
        name: name.trim_start_matches('!').into(),
        size: Bytes::new(8),
        alignment: Bytes::new(8),
        role: Role::Intermediate,
        storage: match name.starts_with('!') {
            true => Storage::External,
            false => Storage::Planned,
        },
        aliasing: Default::default(),
        location: Default::default(),
    }
}

fn pointer(name: &str, kind: PointerKind) -> Pointer {
    Pointer {
        name: name.into(),
        kind,
        size: Some(Bytes::new(8)),
    }
}

fn add_line(program: &mut Program, line: &str) {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    if word == "block" {
        let here = StepId::new(program.steps.len());
        program.blocks.push(Block {
            region: RegionId::new(0),
            steps: Interval::new(here, here),
            successors: Vec::new(),
        });
        return;
    }
    if word == "edge" {
        let (target, bindings) = rest.split_once(' ').unwrap_or((rest, ""));
        let edge = Edge {
            target: BlockId::new(target.parse().expect("a block")),
            bindings: bindings
                .split_whitespace()
                .map(|b| binding(program, b))
                .collect(),
        };
        program
            .blocks
            .last_mut()
            .expect("a block")
            .successors
            .push(edge);
        return;
    }
    let mut step = Step {
        name: word.into(),
        ..Step::default()
    };
    match word {
        "alloc" => step
            .allocates
            .push(BufferId::new(find(program, rest).index())),
        "bind" => step.bindings.push(binding(program, rest)),
        "step" => {
            let (uses, defines) = rest.split_once("->").unwrap_or((rest, ""));
            let add = |kind, names: &str, step: &mut Step| {
                let names = names.split_whitespace();
                step.accesses
                    .extend(names.map(|name| access(program, kind, name)));
            };
            add(AccessKind::Use, uses, &mut step);
            add(AccessKind::Define, defines, &mut step);
        }
        _ => panic!("unknown line: {line}"),
    }
    program.steps.push(step);
    program.blocks.last_mut().expect("a block").steps.end = StepId::new(program.steps.len());
}

fn binding(program: &Program, text: &str) -> Binding {
    let (target, sources) = text.split_once('=').expect("a binding");
    Binding {
        target: find(program, target.trim()),
        sources: sources
            .split_whitespace()
            .map(|name| find(program, name))
            .collect(),
    }
}

fn access(program: &Program, kind: AccessKind, name: &str) -> Access {
    let (name, size) = match name.strip_suffix("/2") {
        Some(name) => (name, 4),
        None => (name, 8),
    };
    let range = Some(Interval::new(Bytes::ZERO, Bytes::new(size)));
    Access {
        pointer: find(program, name),
        kind,
        may: range,
        must: range,
        detail: None,
    }
}

fn find(program: &Program, name: &str) -> PointerId {
    let index = program.pointers.iter().position(|p| &*p.name == name);
    PointerId::new(index.unwrap_or_else(|| panic!("no pointer {name}")))
}

/// Formats lifetimes as `a 0L-3L 5L-5L; b 1L-2L x2 avoiding m at 4`, without external buffers.
pub(crate) fn show(program: &Program, lifetimes: &Lifetimes) -> String {
    let mut parts = Vec::new();
    for (index, buffer) in program.buffers.iter().enumerate() {
        if buffer.storage == Storage::External {
            continue;
        }
        let mut text = buffer.name.to_string();
        for interval in lifetimes.live(BufferId::new(index)).iter() {
            let side = |point: u64| format!("{}{}", point / 2, ["E", "L"][point as usize % 2]);
            let (start, end) = (interval.start.index(), interval.end.index() - 1);
            text += &format!(" {}-{}", side(start), side(end));
        }
        if lifetimes.slots[index] != 1 {
            text += &format!(" x{}", lifetimes.slots[index]);
        }
        for rotation in lifetimes
            .rotations
            .iter()
            .filter(|r| r.buffer.index() == index)
        {
            let names = rotation
                .avoid
                .iter()
                .map(|p| program.pointers[p.index()].name.as_ref());
            let names: Vec<&str> = names.collect();
            text += &format!(" avoiding {} at {}", names.join(","), rotation.step.index());
        }
        parts.push(text);
    }
    parts.join("; ")
}
