//! Printer of problems over several levels.

use std::fmt::{Display, Formatter, Result as Formatted};

use super::super::print::{Optional, Quoted, line};
use super::{FunctionLevels, PROBLEMS, VERSION};
use crate::{
    Advice, Bytes, CopyEngine, Hierarchy, Interval, Lanes, Level, LevelId, LevelProblem, LevelStep,
    Link, LinkUse, OffloadInput, Port, Repeatable, Tensor, TensorId, TensorUse,
};

/// Prints `functions` in the text form, header included. Parsing the text yields equal functions if
/// they are [valid](FunctionLevels::validate).
#[must_use]
pub fn print_level_problems(functions: &[FunctionLevels]) -> String {
    let mut out = format!("{PROBLEMS} {VERSION}\n");
    for function in functions {
        print_function(&mut out, function);
    }
    out
}

fn print_function(out: &mut String, function: &FunctionLevels) {
    let FunctionLevels {
        function: name,
        problem,
        offload,
    } = function;
    line(out, format_args!("problem {}", Quoted(name)));
    print_hierarchy(out, &problem.hierarchy);
    if let Some(offload) = offload {
        let [device, host] = [offload.device, offload.host].map(|id| Named(problem, id));
        let policy = offload.policy.name();
        line(
            out,
            format_args!("offload device {device} host {host} policy {policy}"),
        );
    }
    for (index, tensor) in problem.tensors.iter().enumerate() {
        print_tensor(out, problem, TensorId::new(index), tensor);
    }
    for (index, step) in problem.steps.iter().enumerate() {
        let repeatable = offload.as_ref().and_then(|own| own.repeatable.get(index));
        print_step(out, problem, index, step, repeatable);
    }
    if let Some(OffloadInput { advice, .. }) = offload {
        print_advice(out, advice);
    }
    let block = BlockOf(problem, problem.steps.len());
    line(out, format_args!("end{block}"));
}

fn print_hierarchy(out: &mut String, hierarchy: &Hierarchy) {
    if hierarchy.compute != 0.0 {
        line(out, format_args!("compute {}", Speed(hierarchy.compute)));
    }
    if hierarchy.is_preloaded {
        line(out, format_args!("preloaded"));
    }
    let name = |level: &LevelId| Quoted(&hierarchy.levels[level.index()].name);
    for level in &hierarchy.levels {
        let Level {
            capacity,
            alignment,
            read,
            write,
            ..
        } = level;
        let capacity = Optional(" capacity ", *capacity);
        line(
            out,
            format_args!(
                "level {}{capacity} align {alignment} read {} write {}",
                Quoted(&level.name),
                ShownPort(read),
                ShownPort(write)
            ),
        );
    }
    for CopyEngine { name: own, links } in &hierarchy.engines {
        let links = links
            .iter()
            .map(|(from, to)| format!(" link {} {}", name(from), name(to)));
        let links: String = links.collect();
        line(out, format_args!("engine {}{links}", Quoted(own)));
    }
    for operand in &hierarchy.operands {
        let levels = operand
            .levels
            .iter()
            .map(|level| format!(" {}", name(level)));
        let levels: String = levels.collect();
        let (operation, index) = (Quoted(&operand.operation), operand.index);
        line(out, format_args!("operand {operation} {index} in{levels}"));
    }
    for Link {
        name,
        port,
        is_duplex,
    } in &hierarchy.links
    {
        // The only link of a machine that names none is not told from the others.
        if let Some(name) = name {
            let (name, port) = (Quoted(name), ShownPort(port));
            let duplex = if *is_duplex { " duplex" } else { "" };
            line(out, format_args!("rank-link {name} {port}{duplex}"));
        }
    }
}

fn print_tensor(out: &mut String, problem: &LevelProblem, id: TensorId, tensor: &Tensor) {
    let Tensor {
        name,
        size,
        alignment,
        home,
        is_result,
        is_preloaded,
        frozen,
        within,
    } = tensor;
    let home = Optional(" home ", home.map(|level| Named(problem, level)));
    let result = if *is_result { " result" } else { "" };
    let preloaded = if *is_preloaded { " preloaded" } else { "" };
    let keyword = if frozen.is_empty() { "" } else { " frozen" };
    let frozen: String = frozen
        .iter()
        .map(|own| format!(" {}", Steps(*own)))
        .collect();
    let within = Optional(" within ", within.map(Steps));
    let name = Quoted(name);
    line(
        out,
        format_args!(
            "tensor {id} {name} size {size} align {alignment}\
             {home}{result}{preloaded}{keyword}{frozen}{within}"
        ),
    );
}

fn print_step(
    out: &mut String,
    problem: &LevelProblem,
    index: usize,
    step: &LevelStep,
    repeatable: Option<&Repeatable>,
) {
    let LevelStep {
        name,
        cycles,
        waits,
        link,
        repeats,
        uses,
    } = step;
    let (name, block) = (Quoted(name), BlockOf(problem, index));
    let repeats = Optional(" repeats ", Some(*repeats).filter(|repeats| *repeats != 1));
    let pure = match repeatable.is_some_and(|own| own.is_pure) {
        true => " pure",
        false => "",
    };
    let until = Optional(" until s", repeatable.and_then(|own| own.until));
    let waits = Optional(" waits ", Some(*waits).filter(|waits| *waits > 0));
    let link = LinkText(problem, *link);
    line(
        out,
        format_args!(
            "step s{index} {name} cycles {cycles}{waits}{repeats}{link}{block}{pure}{until}"
        ),
    );
    for used in uses {
        print_use(out, problem, uses, used);
    }
    for (operand, result) in repeatable.into_iter().flat_map(|own| &own.in_place) {
        let [operand, result] = [operand, result].map(|position| uses[*position].tensor);
        line(out, format_args!("  in-place {operand} {result}"));
    }
}

/// Displays the part of a step in messages.
struct LinkText<'a>(&'a LevelProblem, LinkUse);

impl Display for LinkText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Formatted {
        match self.1 {
            LinkUse::None => Ok(()),
            LinkUse::Starts {
                message, cycles, ..
            } => write!(f, " starts {message} link {cycles}"),
            LinkUse::Awaits(Some(message)) => write!(f, " awaits {message}"),
            LinkUse::Awaits(None) => write!(f, " awaits all"),
            LinkUse::Copies(message) => write!(f, " copies {message}"),
            LinkUse::Blocks { cycles, .. } => write!(f, " blocks link {cycles}"),
        }?;
        let Some(carrier) = self.1.carrier() else {
            return Ok(());
        };
        let link = self.0.hierarchy.links.get(carrier.link.index());
        if let Some(name) = link.and_then(|own| own.name.as_ref()) {
            write!(f, " on {}", Quoted(name))?;
        }
        match carrier.lanes {
            Lanes::Both => Ok(()),
            Lanes::Out => write!(f, " out"),
            Lanes::In => write!(f, " in"),
        }
    }
}

fn print_use(out: &mut String, problem: &LevelProblem, uses: &[TensorUse], used: &TensorUse) {
    let amount = |bytes: Bytes| Some(bytes).filter(|own| *own != Bytes::ZERO);
    let reads = Optional(" reads ", amount(used.reads));
    let writes = Optional(" writes ", amount(used.writes));
    let all = if used.writes_all { " all" } else { "" };
    let keyword = if used.accepted.is_empty() { "" } else { " in" };
    let levels = used.accepted.iter();
    let levels: String = levels
        .map(|own| format!(" {}", Named(problem, *own)))
        .collect();
    let operand = used.takes_over.map(|position| uses[position].tensor);
    let operand = Optional(" takes-over ", operand);
    let tensor = used.tensor;
    line(
        out,
        format_args!("  use {tensor}{reads}{writes}{all}{keyword}{levels}{operand}"),
    );
}

fn print_advice(out: &mut String, advice: &Advice) {
    let pinned = [
        ("stay", &advice.stay),
        ("leave", &advice.leave),
        ("keep", &advice.keep),
    ];
    for (keyword, tensors) in pinned {
        if !tensors.is_empty() {
            let tensors = tensors.iter().map(|tensor| format!(" {tensor}"));
            let tensors: String = tensors.collect();
            line(out, format_args!("{keyword}{tensors}"));
        }
    }
    for ((tensor, step), cycles) in &advice.leads {
        line(
            out,
            format_args!("lead {tensor} before s{step} cycles {cycles}"),
        );
    }
}

/// Displays a level by its name.
pub(super) struct Named<'a>(pub(super) &'a LevelProblem, pub(super) LevelId);

impl Display for Named<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Formatted {
        Quoted(&self.0.hierarchy.levels[self.1.index()].name).fmt(f)
    }
}

/// Displays an interval of steps.
pub(super) struct Steps(pub(super) Interval<usize>);

impl Display for Steps {
    fn fmt(&self, f: &mut Formatter<'_>) -> Formatted {
        write!(f, "{}..{}", self.0.start, self.0.end)
    }
}

/// Displays the block of a gap, if the problem has blocks.
struct BlockOf<'a>(&'a LevelProblem, usize);

impl Display for BlockOf<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Formatted {
        match self.0.blocks.get(self.1) {
            // Gaps without a position in the IR count down from the largest number.
            Some(block) if *block == alone(self.1) => write!(f, " block alone"),
            Some(block) => write!(f, " block {block}"),
            None => Ok(()),
        }
    }
}

/// Number of the block that contains only the gap before step `gap`.
pub(super) const fn alone(gap: usize) -> usize {
    usize::MAX - gap
}

struct ShownPort<'a>(&'a Port);

impl Display for ShownPort<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Formatted {
        let Port { latency, bandwidth } = self.0;
        write!(f, "latency {latency} bandwidth {}", Speed(*bandwidth))
    }
}

/// Displays a speed with the fewest digits that identify it.
struct Speed(f64);

impl Display for Speed {
    fn fmt(&self, f: &mut Formatter<'_>) -> Formatted {
        match self.0 {
            // Also of a negative zero.
            0.0 => write!(f, "0"),
            speed if (1e-6..1e16).contains(&speed) => write!(f, "{speed}"),
            speed => write!(f, "{speed:e}"),
        }
    }
}
