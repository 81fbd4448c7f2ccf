//! The checker of tiles: a correct execution, and what it must reject. The program pads a tensor of
//! four rows by a row of zeros on each side and sums three neighboring rows.

use mem_check::{TileError, TileRows, TileStep, TileStorage, check_tiles};
use mem_model::{
    Along, BufferId, Bytes, IterationDimension, RowMap, StepId, Takeover, TileAccess, TileBuffer,
    TileOperand, TileOperation, TileProgram,
};

const INPUT: usize = 0;
const PADDED: usize = 1;
const RESULT: usize = 2;

const FILL: usize = 0;
const COPY: usize = 1;
const SUM: usize = 2;

fn operand(buffer: usize, access: TileAccess, covers_rows: bool, rows: (i64, i64)) -> TileOperand {
    TileOperand {
        bytes: Bytes::ZERO,
        buffer: BufferId::new(buffer),
        access,
        covers_rows,
        along: vec![Along::Rows(RowMap {
            dimension: 0,
            scale: 1,
            first: rows.0,
            last: rows.1,
        })],
    }
}

fn operation(extent: i64, operands: Vec<TileOperand>) -> TileOperation {
    TileOperation {
        name: String::new(),
        dimensions: vec![IterationDimension {
            extent,
            is_parallel: true,
        }],
        operands,
        is_copy: false,
        can_be_delayed: true,
    }
}

fn program() -> TileProgram {
    let buffer = |name: &str, rows: i64| TileBuffer {
        name: name.to_owned(),
        shape: vec![rows, 8],
        element: Bytes::new(4),
        is_private: name != "input",
        is_distinct: name != "input",
    };
    let copy = vec![
        operand(INPUT, TileAccess::Read, false, (0, 1)),
        operand(PADDED, TileAccess::Write, false, (1, 2)),
    ];
    let sum = vec![
        operand(PADDED, TileAccess::Read, false, (0, 3)),
        operand(RESULT, TileAccess::Write, true, (0, 1)),
    ];
    TileProgram {
        buffers: vec![buffer("input", 4), buffer("padded", 6), buffer("result", 4)],
        operations: vec![
            operation(6, vec![operand(PADDED, TileAccess::Write, true, (0, 1))]),
            operation(4, copy),
            operation(4, sum),
        ],
    }
}

const WINDOW: TileStorage = TileStorage::Window(0);
const KEPT: TileStorage = TileStorage::Window(1);

fn rows(storage: TileStorage, start: i64, end: i64) -> TileRows {
    TileRows {
        storage,
        start,
        end,
    }
}

fn buffer(index: usize, start: i64, end: i64) -> TileRows {
    rows(TileStorage::Buffer(BufferId::new(index)), start, end)
}

fn step(operation: usize, start: i64, end: i64, operands: Vec<TileRows>) -> TileStep {
    TileStep::Iterations {
        operation: StepId::new(operation),
        dimension: 0,
        start,
        end,
        operands: operands.into_iter().map(Some).collect(),
    }
}

fn copy(from: TileRows, to: TileRows) -> TileStep {
    TileStep::Copy { from, to }
}

/// One tile for each row of the result, with a window of three rows of the padded tensor.
fn tiles() -> Vec<TileStep> {
    let mut steps = vec![
        step(FILL, 0, 3, vec![rows(WINDOW, 0, 3)]),
        step(COPY, 0, 2, vec![buffer(INPUT, 0, 2), rows(WINDOW, 1, 3)]),
        step(SUM, 0, 1, vec![rows(WINDOW, 0, 3), buffer(RESULT, 0, 1)]),
    ];
    for row in 1..4 {
        steps.push(copy(rows(WINDOW, 1, 3), rows(KEPT, 0, 2)));
        steps.push(copy(rows(KEPT, 0, 2), rows(WINDOW, 0, 2)));
        steps.push(step(FILL, row + 2, row + 3, vec![rows(WINDOW, 2, 3)]));
        // The last row is padding.
        if row < 3 {
            let operands = vec![buffer(INPUT, row + 1, row + 2), rows(WINDOW, 2, 3)];
            steps.push(step(COPY, row + 1, row + 2, operands));
        }
        let operands = vec![rows(WINDOW, 0, 3), buffer(RESULT, row, row + 1)];
        steps.push(step(SUM, row, row + 1, operands));
    }
    steps
}

fn check(steps: &[TileStep]) -> Result<(), TileError> {
    let operations = (StepId::new(0), StepId::new(3));
    check_tiles(
        &program(),
        operations,
        &[3, 2],
        steps,
        &[BufferId::new(RESULT)],
        &[],
    )
}

#[track_caller]
fn assert_wrong_value(found: &Result<(), TileError>) {
    assert!(
        matches!(found, Err(TileError::WrongValue { .. })),
        "{found:?}"
    );
}

#[test]
fn accepts_rows_that_are_kept() {
    assert_eq!(check(&tiles()), Ok(()));
}

/// The same tiles, with rows that are kept in the window: `moves` in place of the two copies.
fn in_place(moves: &[(i64, i64)]) -> Vec<TileStep> {
    let n = |(from, to): &(i64, i64)| from.abs_diff(*to).max(1) as i64;
    let moved = |own: &(i64, i64)| {
        let [from, to] = [own.0, own.1].map(|start| rows(WINDOW, start, start + n(own)));
        copy(from, to)
    };
    let replaced = |step: TileStep| match step {
        TileStep::Copy { from, .. } if from.storage == KEPT => Vec::new(),
        TileStep::Copy { .. } => moves.iter().map(moved).collect(),
        other => vec![other],
    };
    tiles().into_iter().flat_map(replaced).collect()
}

#[test]
fn accepts_rows_that_move_in_their_window() {
    assert_eq!(check(&in_place(&[(1, 0), (2, 1)])), Ok(()));
}

#[test]
fn rejects_rows_that_move_in_the_wrong_order() {
    let checked = check(&in_place(&[(2, 1), (1, 0)]));
    assert!(matches!(checked, Err(TileError::WrongValue { .. })));
}

#[test]
fn rejects_rows_that_do_not_all_move() {
    let checked = check(&in_place(&[(1, 0)]));
    assert!(matches!(checked, Err(TileError::WrongValue { .. })));
}

#[test]
fn rejects_copies_that_overlap() {
    let mut steps = in_place(&[]);
    steps.insert(3, copy(rows(WINDOW, 1, 3), rows(WINDOW, 0, 2)));
    let expected = TileError::OverlappingCopy { from: 1, to: 0 };
    assert_eq!(check(&steps), Err(expected));
}

#[test]
fn rejects_rows_that_do_not_outlive_their_window() {
    let mut steps = tiles();
    steps.insert(0, TileStep::Allocate(0));
    assert_eq!(check(&steps), Ok(()));
    let restored =
        |step: &TileStep| matches!(step, TileStep::Copy { to, .. } if to.storage == WINDOW);
    let at = steps.iter().position(restored).expect("rows are restored");
    steps.insert(at + 1, TileStep::Allocate(0));
    let checked = check(&steps);
    assert!(matches!(checked, Err(TileError::WrongValue { .. })));
}

#[test]
fn rejects_a_forgotten_remainder() {
    let mut steps = tiles();
    steps.pop();
    let wrong = TileError::WrongResult {
        buffer: "result".to_owned(),
        row: 3,
    };
    assert_eq!(check(&steps), Err(wrong));
}

#[test]
fn rejects_a_halo_that_is_one_row_short() {
    let mut steps = tiles();
    steps[1] = step(COPY, 0, 1, vec![buffer(INPUT, 0, 1), rows(WINDOW, 1, 2)]);
    let found = check(&steps);
    assert!(
        matches!(found, Err(TileError::WrongValue { row: 2, .. })),
        "{found:?}"
    );
    steps[1] = step(COPY, 0, 2, vec![buffer(INPUT, 0, 1), rows(WINDOW, 1, 2)]);
    let found = check(&steps);
    assert!(
        matches!(found, Err(TileError::WrongRows { .. })),
        "{found:?}"
    );
}

#[test]
fn rejects_padding_on_the_wrong_side() {
    let mut steps = tiles();
    steps[1] = step(COPY, 0, 2, vec![buffer(INPUT, 0, 2), rows(WINDOW, 0, 2)]);
    let found = check(&steps);
    assert_wrong_value(&found);
}

#[test]
fn rejects_tiles_in_reverse_order() {
    let steps = tiles();
    let (first, others) = steps.split_at(3);
    let reversed = others.rchunks(5).flatten().cloned();
    let reversed: Vec<TileStep> = first.iter().cloned().chain(reversed).collect();
    let found = check(&reversed);
    assert_wrong_value(&found);
}

#[test]
fn rejects_rows_that_are_computed_twice_in_place() {
    let mut steps = tiles();
    // The second copy would be the input of a sum of its own, if the operation accumulated.
    let again = steps[1].clone();
    steps.insert(2, again);
    let found = check(&steps);
    assert_wrong_value(&found);
}

#[test]
fn rejects_iterations_and_rows_out_of_bounds() {
    let mut steps = tiles();
    steps[0] = step(FILL, 0, 4, vec![rows(WINDOW, 0, 4)]);
    let found = check(&steps);
    assert!(
        matches!(found, Err(TileError::OutOfBounds { .. })),
        "{found:?}"
    );
    steps[0] = step(FILL, 4, 7, vec![rows(WINDOW, 0, 3)]);
    let found = check(&steps);
    assert!(
        matches!(found, Err(TileError::NotTileable { .. })),
        "{found:?}"
    );
}

#[test]
fn rejects_copies_of_the_wrong_rows() {
    let mut steps = tiles();
    steps[3] = copy(rows(WINDOW, 0, 2), rows(KEPT, 0, 2));
    let found = check(&steps);
    assert_wrong_value(&found);
}

const STAGES: [TileStorage; 2] = [TileStorage::Window(2), TileStorage::Window(3)];
const RESULTS: [TileStorage; 2] = [TileStorage::Window(4), TileStorage::Window(5)];

fn start(copy: usize, from: TileRows, to: TileRows) -> TileStep {
    TileStep::Start { from, to, copy }
}

/// The same tiles, with the input and the result in stages: while a tile is executed, rows of the input are
/// copied for the next one, and the row of the last one is copied to the result.
fn streamed() -> Vec<TileStep> {
    let mut steps = vec![copy(buffer(INPUT, 0, 2), rows(STAGES[0], 0, 2))];
    for row in 0..4 {
        let (own, other) = (row as usize % 2, 1 - row as usize % 2);
        let next = row + 2;
        if next < 4 {
            steps.push(start(
                0,
                buffer(INPUT, next, next + 1),
                rows(STAGES[other], 0, 1),
            ));
        }
        if row > 0 {
            steps.push(start(
                1,
                rows(RESULTS[other], 0, 1),
                buffer(RESULT, row - 1, row),
            ));
            steps.push(copy(rows(WINDOW, 1, 3), rows(KEPT, 0, 2)));
            steps.push(copy(rows(KEPT, 0, 2), rows(WINDOW, 0, 2)));
        }
        // The first tile computes all rows of the window, the others one.
        let (first, at) = if row == 0 { (0, 0) } else { (row + 2, 2) };
        steps.push(step(FILL, first, row + 3, vec![rows(WINDOW, at, 3)]));
        if row < 3 {
            let (first, at) = if row == 0 { (0, 1) } else { (row + 1, 2) };
            let end = row + 2;
            let read = rows(STAGES[own], 0, end - first);
            steps.push(step(COPY, first, end, vec![read, rows(WINDOW, at, 3)]));
        }
        let operands = vec![rows(WINDOW, 0, 3), rows(RESULTS[own], 0, 1)];
        steps.push(step(SUM, row, row + 1, operands));
        steps.extend([TileStep::Wait(0), TileStep::Wait(1)]);
    }
    steps.push(copy(rows(RESULTS[1], 0, 1), buffer(RESULT, 3, 4)));
    steps
}

fn check_streamed(steps: &[TileStep]) -> Result<(), TileError> {
    let operations = (StepId::new(0), StepId::new(3));
    let windows = [3, 2, 2, 2, 1, 1];
    check_tiles(
        &program(),
        operations,
        &windows,
        steps,
        &[BufferId::new(RESULT)],
        &[],
    )
}

#[test]
fn accepts_rows_that_are_copied_during_other_tiles() {
    assert_eq!(check_streamed(&streamed()), Ok(()));
}

/// Removes a wait for a copy, which comes after so many others.
fn without_wait(copy: usize, others: usize) -> Vec<TileStep> {
    let mut steps = streamed();
    let mut waits = (0..steps.len()).filter(|at| steps[*at] == TileStep::Wait(copy));
    let at = waits.nth(others).expect("a wait");
    steps.remove(at);
    steps
}

#[test]
fn rejects_rows_that_are_not_waited_for() {
    // The next tile reads rows of the input that are not there yet.
    let found = check_streamed(&without_wait(0, 1));
    assert_wrong_value(&found);
    // The same copy starts again, of the input or of the result; or nothing waits for the last one.
    for (copy, others) in [(0, 0), (1, 1), (1, 3)] {
        let found = check_streamed(&without_wait(copy, others));
        assert!(
            matches!(found, Err(TileError::InFlight { .. })),
            "{copy} {others}: {found:?}"
        );
    }
}

#[test]
fn rejects_rows_that_are_overwritten_while_they_are_copied() {
    // With one stage for the results, a tile overwrites what is copied of the last one.
    let shared = |rows: &mut TileRows| {
        if rows.storage == RESULTS[1] {
            rows.storage = RESULTS[0];
        }
    };
    let mut steps = streamed();
    for step in &mut steps {
        match step {
            TileStep::Start { from, .. } | TileStep::Copy { from, .. } => shared(from),
            TileStep::Iterations { operands, .. } => operands.iter_mut().flatten().for_each(shared),
            _ => {}
        }
    }
    let found = check_streamed(&steps);
    assert!(
        matches!(found, Err(TileError::InFlight { .. })),
        "{found:?}"
    );
}

#[test]
fn rejects_rows_in_the_place_of_others() {
    let mut steps = streamed();
    let last = steps.len() - 1;
    steps[last] = copy(rows(RESULTS[1], 0, 1), buffer(RESULT, 2, 3));
    assert_eq!(
        check_streamed(&steps),
        Err(TileError::MisplacedRow { row: 2 })
    );
    let mut steps = streamed();
    steps[0] = copy(buffer(INPUT, 1, 3), rows(STAGES[0], 0, 2));
    let found = check_streamed(&steps);
    assert_wrong_value(&found);
}

const OPERAND: usize = 0;
const BETWEEN: usize = 1;
const TAKER: usize = 2;

/// An operation computes a buffer, the group computes another one of the same shape from it row by row, and
/// the last operation reads that.
fn taking() -> TileProgram {
    let buffer = |name: &str| TileBuffer {
        name: name.to_owned(),
        shape: vec![4, 8],
        element: Bytes::new(4),
        is_private: true,
        is_distinct: true,
    };
    let own = |id, access| operand(id, access, access == TileAccess::Write, (0, 1));
    let [read, write] = [TileAccess::Read, TileAccess::Write];
    TileProgram {
        buffers: vec![buffer("operand"), buffer("between"), buffer("taker")],
        operations: vec![
            operation(4, vec![own(OPERAND, write)]),
            operation(4, vec![own(OPERAND, read), own(BETWEEN, write)]),
            operation(4, vec![own(BETWEEN, read), own(TAKER, write)]),
            operation(4, vec![own(TAKER, read)]),
        ],
    }
}

/// Each tile reads a row of the operand, and writes the row of the result in its place.
fn taking_tiles() -> Vec<TileStep> {
    let tile = |row: i64| {
        let window = rows(WINDOW, 0, 1);
        [
            step(1, row, row + 1, vec![buffer(OPERAND, row, row + 1), window]),
            step(2, row, row + 1, vec![window, buffer(OPERAND, row, row + 1)]),
        ]
    };
    (0..4).flat_map(tile).collect()
}

fn check_taking(program: &TileProgram, steps: &[TileStep]) -> Result<(), TileError> {
    let operations = (StepId::new(1), StepId::new(3));
    let takeover = Takeover {
        result: BufferId::new(TAKER),
        operand: BufferId::new(OPERAND),
    };
    let results = [OPERAND, TAKER].map(BufferId::new);
    check_tiles(program, operations, &[1], steps, &results, &[takeover])
}

#[track_caller]
fn assert_wrong_takeover(found: &Result<(), TileError>) {
    assert!(
        matches!(found, Err(TileError::WrongTakeover { .. })),
        "{found:?}"
    );
}

#[test]
fn accepts_a_result_in_the_place_of_an_operand() {
    assert_eq!(check_taking(&taking(), &taking_tiles()), Ok(()));
}

#[test]
fn rejects_rows_of_an_operand_that_have_been_taken_over() {
    // A row is read once more after the result has been written there.
    let mut steps = taking_tiles();
    steps.extend(taking_tiles().drain(..2));
    assert_wrong_value(&check_taking(&taking(), &steps));
    // The last row is missing: the operand is still there.
    let steps = &taking_tiles()[..6];
    let found = check_taking(&taking(), steps);
    assert!(
        matches!(found, Err(TileError::WrongResult { .. })),
        "{found:?}"
    );
}

#[test]
fn rejects_takeovers_of_what_is_needed() {
    let mut program = taking();
    let read = operand(OPERAND, TileAccess::Read, false, (0, 1));
    program.operations[3].operands.push(read);
    assert_wrong_takeover(&check_taking(&program, &taking_tiles()));
    let mut program = taking();
    let write = operand(TAKER, TileAccess::Write, true, (0, 1));
    program.operations[0].operands.push(write);
    assert_wrong_takeover(&check_taking(&program, &taking_tiles()));
    let mut program = taking();
    program.buffers[OPERAND].shape = vec![4, 16];
    assert_wrong_takeover(&check_taking(&program, &taking_tiles()));
    let mut program = taking();
    program.buffers[OPERAND].is_private = false;
    assert_wrong_takeover(&check_taking(&program, &taking_tiles()));
}

/// An operation reads an operand and writes the result in its place.
#[test]
fn takeovers_within_an_operation() {
    for (last, is_right) in [(1, true), (2, false)] {
        let mut program = taking();
        let read = operand(OPERAND, TileAccess::Read, false, (0, last));
        program.operations[2].operands.insert(0, read);
        // Rows after the last one are not read.
        program.operations[2].dimensions[0].extent = 5 - last;
        let mut steps = Vec::new();
        for row in 0..4 {
            let operands = vec![buffer(OPERAND, row, row + 1), rows(WINDOW, 0, 1)];
            steps.push(step(1, row, row + 1, operands));
            if row < 5 - last {
                let operands = vec![
                    buffer(OPERAND, row, row + last),
                    rows(WINDOW, 0, 1),
                    buffer(OPERAND, row, row + 1),
                ];
                steps.push(step(2, row, row + 1, operands));
            }
        }
        let found = check_taking(&program, &steps);
        match is_right {
            true => assert_eq!(found, Ok(())),
            false => assert_wrong_takeover(&found),
        }
    }
}
