//! Access tables: a program of six steps, worked out by hand, and invalid tables.

use mem_cost::{PassiveError, modelled_table, passive_table, table_durations};
use mem_model::{
    AccessTable, Bytes, Direction, Hierarchy, LevelId, LevelProblem, LevelStep, Port, TableError,
    TensorAccess, TensorId, TensorUse,
};
use mem_testkit::{level, tensor};

/// Three tensors of ten bytes. Step 0 writes a; 1 reads a and writes b; 2 reads b and writes c; 3
/// reads c; 4 reads a and c; 5 reads b and writes c. The host transfers one byte per cycle.
fn six_steps() -> LevelProblem {
    let memory = |name: &str, bandwidth: f64| {
        let latency = 0;
        level(name, None, 1, Port { latency, bandwidth })
    };
    let used = |tensor: usize, writes: bool| TensorUse {
        tensor: TensorId::new(tensor),
        reads: Bytes::new(if writes { 0 } else { 10 }),
        writes: Bytes::new(if writes { 10 } else { 0 }),
        writes_all: writes,
        accepted: vec![LevelId::new(0)],
        takes_over: None,
    };
    let step = |reads: &[usize], writes: &[usize]| LevelStep {
        cycles: 5,
        repeats: 1,
        uses: reads
            .iter()
            .map(|tensor| used(*tensor, false))
            .chain(writes.iter().map(|tensor| used(*tensor, true)))
            .collect(),
        ..LevelStep::default()
    };
    LevelProblem {
        hierarchy: Hierarchy {
            // An unspecified bandwidth is free, so that only the host's side of a copy takes time.
            levels: vec![memory("device", 0.0), memory("host", 1.0)],
            ..Hierarchy::default()
        },
        tensors: ["a", "b", "c"]
            .map(|name| tensor(name.to_owned(), 10, 1))
            .to_vec(),
        steps: vec![
            step(&[], &[0]),
            step(&[0], &[1]),
            step(&[1], &[2]),
            step(&[2], &[]),
            step(&[0, 2], &[]),
            step(&[1], &[2]),
        ],
        blocks: Vec::new(),
    }
}

/// The device has room for two tensors. When c arrives, a is evicted; when a comes back, b is
/// evicted; when b comes back, a is clean and dropped without a copy. Without the forty cycles of
/// these copies, a step starts every five cycles.
#[test]
fn passive_mode_swaps_the_oldest_and_takes_its_time_away() {
    let problem = six_steps();
    let table = passive_table(&problem, "main", &[5; 6], Bytes::new(20)).expect("two fit");
    let copies: Vec<_> = table
        .copies
        .iter()
        .map(|copy| {
            (
                &*copy.tensor,
                copy.direction,
                copy.step,
                copy.time,
                copy.cycles,
            )
        })
        .collect();
    let expected = [
        ("a", Direction::Out, 2, 10, 10),
        ("b", Direction::Out, 4, 20, 10),
        ("a", Direction::In, 4, 20, 10),
        ("b", Direction::In, 5, 25, 10),
    ];
    assert_eq!(copies, expected);
    let rows: Vec<_> = table
        .accesses
        .iter()
        .map(|row| (&*row.tensor, row.step, row.access, row.time))
        .collect();
    let (read, write) = (TensorAccess::Read, TensorAccess::Write);
    let expected = [
        ("a", 0, write, 0),
        ("a", 1, read, 5),
        ("b", 1, write, 5),
        ("b", 2, read, 10),
        ("c", 2, write, 10),
        ("c", 3, read, 15),
        ("a", 4, read, 20),
        ("c", 4, read, 20),
        ("b", 5, read, 25),
        ("c", 5, write, 25),
    ];
    assert_eq!(rows, expected);
    assert_eq!((table.end, table.budget), (30, Some(20)));
    // The table equals that of the cost model.
    let modelled = modelled_table(&problem, "main", &[5; 6]);
    assert_eq!(modelled.accesses, table.accesses);
    assert_eq!(table_durations(&table, &problem), Ok(vec![5; 6]));
    let error = passive_table(&problem, "main", &[5; 6], Bytes::new(19));
    let (step, error) = error.expect_err("two tensors at once");
    assert_eq!(step, 1);
    assert!(matches!(error, PassiveError::Step { .. }), "{error}");
}

#[test]
fn tables_are_read_as_they_are_written() {
    let problem = six_steps();
    let table = passive_table(&problem, "main", &[5; 6], Bytes::new(20)).expect("two fit");
    assert_eq!(AccessTable::parse(&table.text()), Ok(table));
}

#[test]
fn anything_but_a_table_is_an_error() {
    let problem = six_steps();
    let table = modelled_table(&problem, "main", &[5; 6]);
    let text = table.text();
    let version = text.replace("\"version\": 1", "\"version\": 2");
    assert_eq!(AccessTable::parse(&version), Err(TableError::Version(2)));
    for wrong in [
        "",
        "{}",
        "[1]",
        &text.replace("\"end\"", "\"ende\""),
        &text.replace("\"clock\": 1000000000.0", "\"clock\": 0.0"),
        &text.replace("\"time\":5", "\"time\":-5"),
        &text[..text.len() / 2],
    ] {
        let error = AccessTable::parse(wrong);
        assert!(
            matches!(error, Err(TableError::Syntax(_))),
            "{wrong}: {error:?}"
        );
    }
}

#[test]
fn a_table_of_another_program_is_an_error() {
    let problem = six_steps();
    let table = modelled_table(&problem, "main", &[5; 6]);
    let why = |change: &dyn Fn(&mut AccessTable)| {
        let mut other = table.clone();
        change(&mut other);
        match table_durations(&other, &problem) {
            Err(TableError::Mismatch { why, .. }) => why,
            other => panic!("{other:?}"),
        }
    };
    type Change<'a> = &'a dyn Fn(&mut AccessTable);
    let cases: [(Change<'_>, &str); 5] = [
        (
            &|t| t.accesses[0].step = 9,
            "row 1 is of step 9, and there are 6",
        ),
        (
            &|t| t.accesses[0].tensor = "b".into(),
            "row 1 is of 'b', which step 0 does not access",
        ),
        (
            &|t| t.accesses[3].bytes = 11,
            "'b' has 11 bytes in row 4, and 10 in the program",
        ),
        (
            &|t| t.accesses[3].time = 99,
            "time goes backwards after row 4",
        ),
        (
            &|t| drop(t.accesses.drain(5..6)),
            "it has no row of step 3, which accesses 'c'",
        ),
    ];
    for (change, expected) in cases {
        assert_eq!(why(change), expected);
    }
}
