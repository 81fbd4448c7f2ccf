//! What limits groups.

use mem_model::StepId;

use super::super::group::Refusal;
use super::super::limits::TileLimit;
use super::{Builder, keeping};
use crate::{TileTarget, plan_tiles};

#[test]
fn what_can_only_run_as_a_whole_ends_groups() {
    let mut builder = Builder::default();
    let input = builder.buffer(64, 100, false);
    let wide = builder.operation(&[input], None, (1, 1), 1000);
    let last = builder.operation(&[wide], None, (1, 1), 100);
    let program = builder.end(last);
    let plan = plan_tiles(&program, &keeping(TileTarget::Peak));
    let operations = (StepId::new(0), StepId::new(2));
    assert_eq!(plan.widest, [operations]);
    let limit = TileLimit {
        operations,
        operation: StepId::new(2),
        refusal: Refusal::NotTileable,
    };
    assert_eq!(plan.limits(&program), [limit]);
}

#[test]
fn what_others_see_is_written_as_a_whole() {
    let mut builder = Builder::default();
    let input = builder.buffer(64, 100, false);
    let first = builder.operation(&[input], None, (1, 1), 100);
    let second = builder.operation(&[first], None, (1, 1), 100);
    let last = builder.operation(&[second], None, (1, 1), 100);
    let mut program = builder.program;
    program.buffers[last.index()].is_private = false;
    let plan = plan_tiles(&program, &keeping(TileTarget::Peak));
    let limits = plan.limits(&program);
    let [limit] = &limits[..] else {
        panic!("{limits:?}");
    };
    assert_eq!(limit.operation, StepId::new(2));
    assert_eq!(limit.refusal, Refusal::VisibleWrite);
}
