//! Prints a table of buffers whose lowest peak is known: a rectangle of steps and bytes that is cut
//! into pieces. Generates the files in `instances/cut`.
//!
//! ```sh
//! cargo run --release -p mem-testkit --example cut -- SEED PIECES STEPS BYTES > instances/cut/PIECES.csv
//! ```

use mem_testkit::{Rng, cut_rectangle};

fn main() {
    let numbers: Option<Vec<u64>> = std::env::args().skip(1).map(|n| n.parse().ok()).collect();
    let Some(&[seed, n_pieces, n_steps, n_bytes]) = numbers.as_deref() else {
        eprintln!("expected four numbers: SEED PIECES STEPS BYTES");
        std::process::exit(2);
    };
    let mut rng = Rng::new(seed);
    let problem = cut_rectangle(&mut rng, n_pieces as usize, n_steps, n_bytes);
    println!("id,lower,upper,size");
    for (id, item) in problem.items.iter().enumerate() {
        for live in item.parts.iter().flat_map(|part| part.live.iter()) {
            let (lower, upper) = (live.start.step().index(), live.end.step().index());
            println!("{id},{lower},{upper},{}", item.size.get());
        }
    }
}
