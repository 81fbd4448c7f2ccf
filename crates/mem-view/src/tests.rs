//! A complete table and a complete JSON document: column alignment, row order and key names are the
//! interface for people and scripts.

use mem_model::{
    BufferId, Bytes, IntervalSet, Part, Placement, Plan, Point, StepId, parse_programs,
};

use crate::{FunctionPlan, Tradeoff, Untiled, plan_csv, plan_json, plan_table};

const TEXT: &str = r#"mem-program 1
program "main"
buffer b0 "weights" size 4096 align 64 constant external
buffer b1 "hidden" size 2048 align 64 intermediate planned loc "net.mlir:4:8"
buffer b2 "state" size 64 align 64 intermediate planned
buffer b3 "unused" size 8 align 8 intermediate planned
region r0 function
block bb0 in r0
  step s0 "fill"
  step s1 "matmul"
  step s2 "copy"
end
"#;

fn with_plan<T>(show: impl Fn(FunctionPlan<'_>) -> T) -> T {
    with_parts(|_| (), show)
}

fn with_parts<T>(change: impl Fn(&mut [Vec<Part>]), show: impl Fn(FunctionPlan<'_>) -> T) -> T {
    let program = &parse_programs(TEXT).expect("a program")[0];
    let steps = |parts: &[(usize, usize)]| -> IntervalSet<Point> {
        let part = |&(a, b)| mem_model::Interval::of_steps(StepId::new(a), StepId::new(b));
        parts.iter().map(part).collect()
    };
    let live = [
        steps(&[(0, 2)]),
        steps(&[(1, 2)]),
        steps(&[(0, 0), (2, 2)]),
        steps(&[]),
    ];
    let whole = |(buffer, live): (&mem_model::Buffer, _)| vec![Part::whole(buffer.size, live)];
    let mut parts: Vec<Vec<Part>> = program.buffers.iter().zip(live).map(whole).collect();
    change(&mut parts);
    let placement = |(buffer, slot, offset)| Placement {
        buffer: BufferId::new(buffer),
        slot,
        offset: Bytes::new(offset),
    };
    let plan = Plan {
        strategy: "by-hand".to_owned(),
        placements: [(1, 0, 128), (2, 0, 0), (2, 1, 64), (3, 0, 0)]
            .map(placement)
            .to_vec(),
        peak: Bytes::new(2176),
        lower_bound: Bytes::new(2176),
        proven_bound: Bytes::new(2176),
    };
    show(FunctionPlan {
        unknown: None,
        types: &[],
        groups: &[],
        untiled: &[],
        transfers: &[],
        program,
        parts: &parts,
        unordered: &[],
        level: "sram",
        capacity: Some(Bytes::new(1 << 20)),
        plan: &plan,
    })
}

#[test]
fn table_has_a_summary_and_a_row_for_each_slot() {
    let table = with_plan(|function| plan_table(&[function]));
    let wanted = "\
@main: 4 buffers in sram, by-hand
  peak 2176 (2.1 KiB), lower bound 2176, gap 0 %, sum of sizes 2184, capacity 1048576
  outside of the arena: 4096 bytes
  buffer   role          size    offset  slot  live   location
  state    intermediate    64         0     0  0 2
  state    intermediate    64        64     1  0 2
  hidden   intermediate  2048       128        1..2   net.mlir:4:8
  unused   intermediate     8         0        never
  weights  constant      4096  external        0..2
";
    assert_eq!(table, wanted);
}

#[test]
fn table_lists_what_tiles_bought() {
    let untiled = Untiled {
        operation: 7,
        accessed: Bytes::new(4096),
        live: Bytes::new(8192),
    };
    let table = with_plan(|function| {
        plan_table(&[FunctionPlan {
            groups: &[None, Some(0), Some(0)],
            untiled: &[None, Some(untiled), Some(untiled)],
            transfers: &[],
            ..function
        }])
    });
    let wanted = "
  group  operation in tiles  accessed whole  in a tile  live whole  in tiles
      0  copy                          4096          0        8192    * 2176
  most bytes are live, 2176, at step 2 ('copy'), in group 0
";
    assert!(table.ends_with(wanted), "{table}");
}

#[test]
fn csv_has_a_row_for_each_place_that_is_live() {
    let wanted = "\
id,lower,upper,size,alignment,gaps,in_place,offset
hidden,2,6,2048,64,,,128
state,0,6,64,64,2-4,,0
state#1,0,6,64,64,2-4,,64
";
    assert_eq!(with_plan(|function| plan_csv(&[function])), wanted);
}

#[test]
fn csv_has_gaps_for_parts_and_names_what_shares_bytes() {
    let halves = |parts: &mut [Vec<Part>]| {
        let live = |first: usize, last: usize| {
            let steps = mem_model::Interval::of_steps(StepId::new(first), StepId::new(last));
            std::iter::once(steps).collect()
        };
        let bytes = |low, high| mem_model::Interval::new(Bytes::new(low), Bytes::new(high));
        let part = |low, high, live| Part {
            bytes: bytes(low, high),
            live,
        };
        parts[1] = vec![part(0, 1024, live(1, 1)), part(1024, 2048, live(1, 2))];
        // In the bytes of the second half.
        parts[3] = vec![part(0, 8, live(2, 2))];
    };
    let shown = with_parts(halves, |function| {
        let mut plan = function.plan.clone();
        plan.placements[3].offset = Bytes::new(128 + 1024);
        plan_csv(&[FunctionPlan {
            plan: &plan,
            ..function
        }])
    });
    let wanted = "\
id,lower,upper,size,alignment,gaps,in_place,offset
hidden,2,6,2048,64,4-6@1024:2048,,128
state,0,6,64,64,2-4,,0
state#1,0,6,64,64,2-4,,64
unused,4,6,8,8,,hidden,1152
";
    assert_eq!(shown, wanted);
}

#[test]
fn csv_has_functions_one_after_the_other() {
    let text = with_plan(|function| plan_csv(&[function, function]));
    assert!(text.contains("\nmain/sram/hidden,2,6,2048,"), "{text}");
    assert!(text.contains("\nmain/sram/hidden.2,8,12,2048,"), "{text}");
}

#[test]
fn names_do_not_control_the_terminal() {
    let shown = with_plan(|function| {
        let level = "\u{1b}[2J";
        plan_table(&[FunctionPlan { level, ..function }])
    });
    assert!(shown.contains("in \\u{1b}[2J, "), "{shown}");
    let curve = Tradeoff {
        name: "\u{1b}[2J".to_owned(),
        ideal: 1,
        peak: Bytes::new(1),
        widest: Bytes::new(1),
        points: Vec::new(),
    };
    assert!(curve.text().starts_with("@\\u{1b}[2J: "));
}

#[test]
fn json_has_the_documented_keys() {
    let text = with_plan(|function| plan_json(&[function, function]));
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["version"], 1);
    assert_eq!(json["tool"], "mem-opt");
    assert_eq!(json["cost"], 0.0);
    assert_eq!(json["transfers"], serde_json::json!([]));
    assert_eq!(
        json["functions"][1]["steps"],
        serde_json::json!(["fill", "matmul", "copy"])
    );
    let level = serde_json::json!([
        {"name": "sram", "capacity": 1 << 20, "peak": 2176, "lower_bound": 2176}
    ]);
    assert_eq!(json["levels"], level, "functions share a level");
    assert_eq!(json["buffers"].as_array().map(Vec::len), Some(8));
    assert_eq!(json["buffers"][0]["placements"], serde_json::json!([]));
    let state = serde_json::json!({
        "function": "main", "name": "state", "role": "intermediate", "storage": "planned",
        "size": 64, "alignment": 64, "location": "",
        "placements": [
            {"level": "sram", "offset": 0, "slot": 0, "live": [[0, 0], [2, 2]]},
            {"level": "sram", "offset": 64, "slot": 1, "live": [[0, 0], [2, 2]]},
        ],
    });
    assert_eq!(json["buffers"][2], state);
}

#[test]
fn every_key_is_documented() {
    let schema = include_str!("../SCHEMA.md");
    let text = with_plan(|function| plan_json(&[function]));
    for part in text.split('"').skip(1).step_by(2) {
        let is_key = text.contains(&format!("\"{part}\": "));
        assert!(
            !is_key || schema.contains(&format!("`{part}`")),
            "{part} is not documented"
        );
    }
}

/// The first half of the hidden layer dies before the second.
fn split(parts: &mut [Vec<Part>]) {
    let part = |start, end, first, last| {
        let steps = mem_model::Interval::of_steps(StepId::new(first), StepId::new(last));
        Part {
            bytes: mem_model::Interval::new(Bytes::new(start), Bytes::new(end)),
            live: [steps].into_iter().collect(),
        }
    };
    parts[1] = vec![part(0, 1024, 1, 1), part(1024, 2048, 1, 2)];
}

#[test]
fn parts_with_lifetimes_of_their_own_are_told_apart() {
    let table = with_parts(split, |function| plan_table(&[function]));
    assert!(
        table.contains("  [0, 1024) 1, [1024, 2048) 1..2  "),
        "{table}"
    );
    let json = with_parts(split, |function| plan_json(&[function]));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let parts = &json["buffers"][1]["placements"][0]["parts"];
    assert_eq!(
        parts[0],
        serde_json::json!({"start": 0, "end": 1024, "live": [[1, 1]]})
    );
    assert_eq!(
        parts[1],
        serde_json::json!({"start": 1024, "end": 2048, "live": [[1, 2]]})
    );
}
