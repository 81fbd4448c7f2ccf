//! Threads that stand for the copy engines of the hierarchy a program is planned for.

use std::time::Duration;

use melior::ir::Module;
use mem_model::{CopyEngine, Hierarchy, LevelId};
use mem_opt::internals::{Op, hierarchy_of};
use mem_runtime::Rate;

/// The speed of each copy engine of a module's hierarchy, if the hierarchy runs at `clock` cycles
/// per second; memory speed without a clock. A program without a hierarchy has a single engine.
pub(super) fn rates(module: &Module, clock: Option<f64>) -> Vec<Option<Rate>> {
    match hierarchy_of(Op::from(module)) {
        Some(hierarchy) => {
            let engines = hierarchy.engines.iter();
            let rate = |engine| clock.and_then(|clock| rate(&hierarchy, engine, clock));
            engines.map(rate).collect()
        }
        None => vec![None],
    }
}

/// The speed of an engine is that of its slowest link, where each byte is first read and then
/// written.
fn rate(hierarchy: &Hierarchy, engine: &CopyEngine, clock: f64) -> Option<Rate> {
    let level = |id: LevelId| &hierarchy.levels[id.index()];
    let ports = |link: &(LevelId, LevelId)| [level(link.0).read, level(link.1).write];
    let cycles_per_byte = |link: &(LevelId, LevelId)| {
        let stated = ports(link).into_iter().filter(|port| port.bandwidth > 0.0);
        stated.map(|port| 1.0 / port.bandwidth).sum::<f64>()
    };
    let latency = |link| {
        ports(link)
            .iter()
            .map(|port| port.latency as f64)
            .sum::<f64>()
    };
    let slowest = engine.links.iter().map(cycles_per_byte).fold(0.0, f64::max);
    let latency = engine.links.iter().map(latency).fold(0.0, f64::max);
    Some(Rate {
        bandwidth: (slowest > 0.0).then(|| clock / slowest)?,
        latency: Duration::try_from_secs_f64(latency / clock).ok()?,
    })
}
