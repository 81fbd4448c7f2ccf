//! Roles of buffers as people think of them. The model knows whose a buffer is; a finer role is
//! taken from names and locations, in which differentiation and tiling leave marks, and from data flow
//! (`training.rs`).

use mem_model::{Buffer, Role};

use super::data::Kind;
use super::training::Training;

/// Marks of backward passes in names and locations, as JAX, PyTorch and Enzyme write them.
const GRADIENT: [&str; 4] = ["transpose(jvp", "grad", "backward", "adjoint"];

/// The role of a buffer. `n_steps`: number of steps during which it is live. A buffer that only one
/// step uses is a workspace of the step. An intermediate tensor without a mark is an activation, unless
/// data flow says that it is a gradient. `index`: number of the buffer in `training`.
pub(super) fn kind_in(training: &Training, index: usize, buffer: &Buffer, n_steps: usize) -> Kind {
    match buffer.role {
        Role::Input if training.is_parameter[index] => Kind::Weight,
        Role::Intermediate if training.is_gradient[index] => Kind::Gradient,
        _ => kind(buffer, n_steps),
    }
}

fn kind(buffer: &Buffer, n_steps: usize) -> Kind {
    let location = without_files(&buffer.location);
    let has = |mark: &str| buffer.name.contains(mark) || location.contains(mark);
    match buffer.role {
        Role::Constant => Kind::Weight,
        Role::Input if has("weight") || has("param") => Kind::Weight,
        Role::Input => Kind::Input,
        Role::Output => Kind::Output,
        Role::Intermediate if GRADIENT.into_iter().any(has) => Kind::Gradient,
        Role::Intermediate if has("tile") || has("window") => Kind::Tile,
        Role::Intermediate if n_steps <= 1 => Kind::Workspace,
        Role::Intermediate => Kind::Activation,
    }
}

/// A location without the files in it, whose names say nothing about buffers: a word that ends with a line
/// and a column, as in `jit(f)/add(/models/gradients.mlir:3:8)`.
fn without_files(location: &str) -> String {
    const ENDS: [char; 6] = ['(', ')', '[', ']', ',', ' '];
    let is_position = |text: &str| {
        let mut parts = text.rsplitn(3, ':');
        let mut is_number = || {
            let part = parts.next().unwrap_or_default();
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        is_number() && is_number() && parts.next().is_some()
    };
    let words = location.split_inclusive(ENDS);
    words
        .filter(|word| !is_position(word.trim_end_matches(ENDS)))
        .collect()
}

#[cfg(test)]
mod tests {
    use mem_model::parse_programs;

    use super::{Kind, kind};

    #[test]
    fn marks_and_lifetimes_tell_the_roles_of_intermediate_buffers() {
        let buffer = |text: &str| {
            let text = format!(
                "mem-program 1\nprogram \"f\"\nbuffer b0 {text}\nregion r0 function\n\
                 block bb0 in r0\nend\n"
            );
            parse_programs(&text).expect("a program")[0].buffers[0].clone()
        };
        let plain = buffer("\"a\" size 4 align 4 intermediate planned");
        assert_eq!(kind(&plain, 2), Kind::Activation);
        assert_eq!(kind(&plain, 1), Kind::Workspace);
        let backward = "\"a\" size 4 align 4 intermediate planned loc \"transpose(jvp(f))/dot\"";
        assert_eq!(kind(&buffer(backward), 2), Kind::Gradient);
        let in_file =
            "\"a\" size 4 align 4 intermediate planned loc \"jit(f)/add(/tile/grad.mlir:3:4)\"";
        assert_eq!(kind(&buffer(in_file), 2), Kind::Activation);
        let in_file = "\"a\" size 4 align 4 intermediate planned loc \"grad.mlir:3:4\"";
        assert_eq!(kind(&buffer(in_file), 2), Kind::Activation);
        let constant = buffer("\"a_grad\" size 4 align 4 constant external");
        assert_eq!(kind(&constant, 2), Kind::Weight);
    }
}
