//! Programs that train, in several ways, and programs that do not.

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
        own.map(|(buffer, _)| buffer.name.to_string()).collect()
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

/// Activations that only the backward pass reads, such as those that a loop keeps for another one, may
/// be computed from all weights, but not from the labels. A learning rate is no source of gradients.
#[test]
fn activations_for_the_backward_pass_are_not_gradients() {
    let mut buffers = LAYERS.to_vec();
    buffers.extend([("kept", "intermediate", 12), ("rate", "input", 4)]);
    let steps: [(&[&str], &[&str]); 10] = [
        (&["x", "w1"], &["h"]),
        (&["h", "w2"], &["logits"]),
        (&["logits"], &["kept"]),
        (&["logits", "label"], &["loss"]),
        (&["kept", "label", "logits"], &["dlogits"]),
        (&["h", "dlogits"], &["dw2"]),
        (&["w2", "dlogits"], &["dh"]),
        (&["x", "dh"], &["dw1"]),
        (&["w1", "dw1", "rate"], &["w1_new"]),
        (&["w2", "dw2", "rate"], &["w2_new"]),
    ];
    let (gradients, parameters) = gradients(&buffers, &steps);
    assert_eq!(gradients, ["dlogits", "dh", "dw1", "dw2"]);
    assert_eq!(parameters, ["w1", "w2"]);
}

#[test]
fn what_leads_to_returned_gradients_only_is_a_gradient() {
    let buffers = [
        ("x", "input", 16),
        ("label", "input", 12),
        ("w1", "input", 16),
        ("w2", "input", 20),
        ("h", "intermediate", 8),
        ("logits", "intermediate", 12),
        ("dlogits", "intermediate", 12),
        ("dh", "intermediate", 8),
        ("dw1", "output", 16),
        ("dw2", "output", 20),
        ("loss", "output", 4),
    ];
    let steps: [(&[&str], &[&str]); 7] = [
        (&["x", "w1"], &["h"]),
        (&["h", "w2"], &["logits"]),
        (&["logits", "label"], &["loss"]),
        (&["logits", "label"], &["dlogits"]),
        (&["h", "dlogits"], &["dw2"]),
        (&["w2", "dlogits"], &["dh"]),
        (&["x", "dh"], &["dw1"]),
    ];
    let (found, parameters) = gradients(&buffers, &steps);
    assert_eq!(found, ["dlogits", "dh"]);
    // The input has the size of the first weight.
    assert_eq!(parameters, ["w2"]);
    // Without a loss, the results may be states.
    let steps = steps.map(|(reads, writes)| match writes {
        ["loss"] => (&[][..], writes),
        _ => (reads, writes),
    });
    assert!(gradients(&buffers, &steps).0.is_empty());
}

/// The gradients of two weights, accumulated in a loop that carries them.
#[test]
fn gradients_that_a_loop_carries_are_found() {
    let text = r#"mem-program 1
program "f"
buffer b0 "w1" size 16 align 4 input external
buffer b1 "w2" size 20 align 4 input external
buffer b2 "x" size 8 align 4 input external
buffer b3 "y" size 12 align 4 intermediate planned
buffer b4 "kept" size 12 align 4 intermediate planned
buffer b5 "dy" size 12 align 4 intermediate planned
buffer b6 "zero1" size 16 align 4 intermediate planned
buffer b7 "dw1" size 16 align 4 intermediate planned
buffer b8 "zero2" size 20 align 4 intermediate planned
buffer b9 "dw2" size 20 align 4 intermediate planned
buffer b10 "w1_new" size 16 align 4 output external
buffer b11 "w2_new" size 20 align 4 output external
buffer b12 "loss" size 4 align 4 output external
buffer b13 "label" size 12 align 4 input external
pointer p0 "w1" buffer b0
pointer p1 "w2" buffer b1
pointer p2 "x" buffer b2
pointer p3 "y" buffer b3
pointer p4 "kept" buffer b4
pointer p5 "dy" buffer b5
pointer p6 "zero1" buffer b6
pointer p7 "dw1" buffer b7
pointer p8 "zero2" buffer b8
pointer p9 "dw2" buffer b9
pointer p10 "w1_new" buffer b10
pointer p11 "w2_new" buffer b11
pointer p12 "loss" buffer b12
pointer p13 "label" buffer b13
pointer p14 "carried1" merge
pointer p15 "carried2" merge
region r0 function
region r1 loop in r0
block bb0 in r0
  step s0 "forward"
    use p0
    use p1
    use p2
    define p3
  step s1 "keep"
    use p3
    define p4
  step s2 "loss"
    use p3
    use p13
    define p12
  step s3 "difference"
    use p3
    use p13
    define p5
  step s4 "fill"
    define p6
  step s5 "fill"
    define p8
  edge bb1
    bind p14 = p6
    bind p15 = p8
block bb1 in r1
  step s6 "add"
    use p14
    use p4
    use p5
    define p7
  step s7 "add"
    use p15
    use p4
    use p5
    define p9
  edge bb1
    bind p14 = p7
    bind p15 = p9
  edge bb2
block bb2 in r0
  step s8 "update"
    use p0
    use p14
    define p10
  step s9 "update"
    use p1
    use p15
    define p11
end
"#;
    let program = &parse_programs(text).unwrap_or_else(|error| panic!("{error}"))[0];
    let found = training(program);
    let names = |is: &[bool]| -> Vec<String> {
        let own = program.buffers.iter().zip(is).filter(|(_, is)| **is);
        own.map(|(buffer, _)| buffer.name.to_string()).collect()
    };
    assert_eq!(names(&found.is_gradient), ["dy", "dw1", "dw2"]);
    assert_eq!(names(&found.is_parameter), ["w1", "w2"]);
}
