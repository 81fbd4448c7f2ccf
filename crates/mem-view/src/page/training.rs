//! Finds the gradients of a training step by data flow, for programs whose names say nothing.
//!
//! An *update* writes a result of the size of an argument, and its last step reads that argument: a
//! weight, a momentum, or a running mean. It is the update of a *parameter* if another operand of the
//! step was computed from the argument: a gradient is computed from activations, and they from the
//! weight. All gradients of a training step are computed from the loss, hence from all parameters. In
//! inference, states may be updated as well, as in recurrent networks, but not each from all others: a
//! program has gradients only if at least two parameters influence the updates of all.
//!
//! A *gradient* is an intermediate tensor that is computed from all these parameters, and that updates
//! depend on, but no other result does: the last activations lead to the loss as well.
//!
//! It is a heuristic for colours, and errs towards activations: a program that returns gradients rather
//! than weights, has no loss among its results or a single parameter is not recognized, or not completely.
//! Two fields that a solver updates from each other look like parameters. Accesses through pointers
//! that stand for several buffers are ignored. O(accesses · arguments / 64).

use fixedbitset::FixedBitSet;
use mem_model::{AccessKind, BufferId, Program, Role, Step};

/// Buffers with a role that only data flow tells.
pub(super) struct Training {
    /// Per buffer: whether it is the gradient of something.
    pub is_gradient: Vec<bool>,
    /// Per buffer: whether it is an argument that is updated by gradients.
    pub is_parameter: Vec<bool>,
}

/// What is known about the contents of a buffer.
#[derive(Clone, Default)]
struct Contents {
    /// Arguments that they were computed from, by the number of the buffer.
    from: FixedBitSet,
    /// The argument that they are a copy of.
    copy_of: Option<usize>,
    /// Arguments of the same size that the last step to compute them read, each with what the other
    /// operands of the step were computed from.
    updates: Vec<(usize, FixedBitSet)>,
}

/// Analyzes a function.
pub(super) fn training(program: &Program) -> Training {
    let contents = contents(program);
    let is_result = results(program);
    let parameters = parameters(&contents, &is_result);
    let n_buffers = program.buffers.len();
    let mut found = Training {
        is_gradient: vec![false; n_buffers],
        is_parameter: vec![false; n_buffers],
    };
    if parameters.len() < 2 {
        return found;
    }
    let reached = reached(program, &contents, &is_result);
    for (index, buffer) in program.buffers.iter().enumerate() {
        let from = &contents[index].from;
        found.is_gradient[index] = buffer.role == Role::Intermediate
            && reached[index] == UPDATES
            && parameters.iter().all(|own| from.contains(*own));
    }
    for parameter in parameters {
        found.is_parameter[parameter] = true;
    }
    found
}

/// Buffers that a step accesses through pointers of their own.
fn accessed(program: &Program, step: &Step, kind: AccessKind) -> Vec<usize> {
    let own = step.accesses.iter().filter(|own| own.kind == kind);
    let buffers = own.filter_map(|own| program.pointers[own.pointer.index()].kind.buffer());
    buffers.map(BufferId::index).collect()
}

/// Whether a step only copies.
fn is_copy(step: &Step) -> bool {
    const COPIES: [&str; 6] = [
        "mem.load",
        "mem.store",
        "mem.swap",
        "mem.move",
        "memref.copy",
        "linalg.copy",
    ];
    COPIES.contains(&step.name.as_str())
}

/// Per buffer: its contents after the last step. Loops are executed twice.
fn contents(program: &Program) -> Vec<Contents> {
    let mut contents = vec![Contents::default(); program.buffers.len()];
    let is_looping = program.regions.len() > 1;
    for _ in 0..=usize::from(is_looping) {
        for (index, buffer) in program.buffers.iter().enumerate() {
            if buffer.role == Role::Input {
                contents[index] = Contents {
                    copy_of: Some(index),
                    ..Contents::default()
                };
                contents[index].from.grow_and_insert(index);
            }
        }
        for step in &program.steps {
            execute(program, step, &mut contents);
        }
    }
    contents
}

fn execute(program: &Program, step: &Step, contents: &mut [Contents]) {
    let read = accessed(program, step, AccessKind::Use);
    let written = accessed(program, step, AccessKind::Define);
    if let (true, [from], [to]) = (is_copy(step), &read[..], &written[..]) {
        contents[*to] = contents[*from].clone();
        return;
    }
    // Steps that initialize what another one computes do not count.
    if read.is_empty() {
        return;
    }
    let mut from = FixedBitSet::default();
    read.iter()
        .for_each(|own| from.union_with(&contents[*own].from));
    let size = |buffer: usize| program.buffers[buffer].size;
    let mut arguments: Vec<usize> = read
        .iter()
        .filter_map(|own| contents[*own].copy_of)
        .collect();
    arguments.sort_unstable();
    arguments.dedup();
    let update = |argument: usize| {
        let mut others = FixedBitSet::default();
        let other = read
            .iter()
            .filter(|own| contents[**own].copy_of != Some(argument));
        other.for_each(|own| others.union_with(&contents[*own].from));
        (argument, others)
    };
    let updates: Vec<(usize, FixedBitSet)> = arguments.into_iter().map(update).collect();
    for own in written {
        contents[own].from.union_with(&from);
        contents[own].copy_of = None;
        let updates = updates
            .iter()
            .filter(|(argument, _)| size(*argument) == size(own));
        contents[own].updates = updates.cloned().collect();
    }
}

/// Per buffer: whether it is a result, which includes arguments that are overwritten.
fn results(program: &Program) -> Vec<bool> {
    let outputs = program.buffers.iter().map(|own| own.role == Role::Output);
    let mut is_result: Vec<bool> = outputs.collect();
    for step in &program.steps {
        for own in accessed(program, step, AccessKind::Define) {
            is_result[own] |= program.buffers[own].role == Role::Input;
        }
    }
    is_result
}

/// The parameters that influence the updates of all parameters.
fn parameters(contents: &[Contents], is_result: &[bool]) -> Vec<usize> {
    let results = contents.iter().zip(is_result).filter(|(_, is)| **is);
    let updates = results.flat_map(|(own, _)| &own.updates);
    let updates: Vec<&(usize, FixedBitSet)> = updates
        .filter(|(argument, others)| others.contains(*argument))
        .collect();
    let mut parameters: Vec<usize> = updates.iter().map(|(argument, _)| *argument).collect();
    parameters.sort_unstable();
    parameters.dedup();
    parameters.retain(|own| updates.iter().all(|(_, others)| others.contains(*own)));
    parameters
}

/// Results that a buffer influences, as bits.
const UPDATES: u8 = 1;
const OTHERS: u8 = 2;

/// Per buffer: whether it influences updates, and other results.
fn reached(program: &Program, contents: &[Contents], is_result: &[bool]) -> Vec<u8> {
    let end = contents
        .iter()
        .zip(is_result)
        .map(|(own, is_result)| match is_result {
            true if own.updates.is_empty() => OTHERS,
            true => UPDATES,
            false => 0,
        });
    let mut reached: Vec<u8> = end.collect();
    let is_looping = program.regions.len() > 1;
    for _ in 0..=usize::from(is_looping) {
        for step in program.steps.iter().rev() {
            let written = accessed(program, step, AccessKind::Define);
            let all = written.iter().fold(0, |all, own| all | reached[*own]);
            for own in accessed(program, step, AccessKind::Use) {
                reached[own] |= all;
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use mem_model::parse_programs;

    use super::training;

    /// A program of steps `(reads, writes)` on buffers with a name and a role.
    fn gradients(
        buffers: &[(&str, &str, u64)],
        steps: &[(&[&str], &[&str])],
    ) -> (Vec<String>, Vec<String>) {
        let mut text = "mem-program 1\nprogram \"f\"\n".to_owned();
        for (index, (name, role, size)) in buffers.iter().enumerate() {
            let storage = if *role == "intermediate" {
                "planned"
            } else {
                "external"
            };
            text += &format!("buffer b{index} \"{name}\" size {size} align 4 {role} {storage}\n");
        }
        for (index, (name, ..)) in buffers.iter().enumerate() {
            text += &format!("pointer p{index} \"{name}\" buffer b{index}\n");
        }
        text += "region r0 function\nblock bb0 in r0\n";
        let number = |name: &str| {
            let found = buffers.iter().position(|own| own.0 == name);
            found.expect("a buffer of this name")
        };
        for (index, (reads, writes)) in steps.iter().enumerate() {
            text += &format!("  step s{index} \"op\"\n");
            reads
                .iter()
                .for_each(|own| text += &format!("    use p{}\n", number(own)));
            writes
                .iter()
                .for_each(|own| text += &format!("    define p{}\n", number(own)));
        }
        text += "end\n";
        let program = &parse_programs(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))[0];
        let found = training(program);
        let names = |is: &[bool]| {
            let own = program.buffers.iter().zip(is).filter(|(_, is)| **is);
            own.map(|(buffer, _)| buffer.name.clone()).collect()
        };
        (names(&found.is_gradient), names(&found.is_parameter))
    }

    const LAYERS: [(&str, &str, u64); 14] = [
        ("x", "input", 8),
        ("label", "input", 12),
        ("w1", "input", 16),
        ("w2", "input", 20),
        ("m1", "input", 16),
        ("h", "intermediate", 8),
        ("logits", "intermediate", 12),
        ("dlogits", "intermediate", 12),
        ("dh", "intermediate", 8),
        ("dw1", "intermediate", 16),
        ("dw2", "intermediate", 20),
        ("w1_new", "output", 16),
        ("w2_new", "output", 20),
        ("loss", "output", 4),
    ];

    #[test]
    fn what_updates_are_computed_from_beyond_the_loss_is_a_gradient() {
        let steps: [(&[&str], &[&str]); 9] = [
            (&["x", "w1"], &["h"]),
            (&["h", "w2"], &["logits"]),
            (&["logits", "label"], &["loss"]),
            (&["logits", "label"], &["dlogits"]),
            (&["h", "dlogits"], &["dw2"]),
            (&["w2", "dlogits"], &["dh"]),
            (&["x", "dh"], &["dw1"]),
            (&["w1", "dw1"], &["w1_new"]),
            (&["w2", "dw2"], &["w2_new"]),
        ];
        let (gradients, parameters) = gradients(&LAYERS, &steps);
        assert_eq!(gradients, ["dlogits", "dh", "dw1", "dw2"]);
        assert_eq!(parameters, ["w1", "w2"]);
    }

    /// Layers of a recurrent network update their states from themselves and the layers before.
    #[test]
    fn states_of_inference_have_no_gradients() {
        let buffers = [
            ("x", "input", 4),
            ("h1", "input", 8),
            ("h2", "input", 12),
            ("z1", "intermediate", 8),
            ("z2", "intermediate", 12),
            ("h1_new", "output", 8),
            ("h2_new", "output", 12),
        ];
        let steps: [(&[&str], &[&str]); 4] = [
            (&["x", "h1"], &["z1"]),
            (&["h1", "z1"], &["h1_new"]),
            (&["h1_new", "h2"], &["z2"]),
            (&["h2", "z2"], &["h2_new"]),
        ];
        let (gradients, parameters) = gradients(&buffers, &steps);
        assert!(
            gradients.is_empty() && parameters.is_empty(),
            "{gradients:?} {parameters:?}"
        );
    }

    /// A residual connection from the argument to the result is no update by a gradient.
    #[test]
    fn a_residual_network_has_no_gradients() {
        let buffers = [
            ("x", "input", 8),
            ("w", "input", 16),
            ("a", "intermediate", 8),
            ("y", "output", 8),
        ];
        let steps: [(&[&str], &[&str]); 2] = [(&["x", "w"], &["a"]), (&["x", "a"], &["y"])];
        assert!(gradients(&buffers, &steps).0.is_empty());
    }
}
