//! Parser of problems over several levels, by recursive descent over lines. Ids are dense, so the
//! memory that a line allocates is bounded by its length, whatever numbers it contains.

use super::super::lines::{Line, Lines, parse_decimal};
use super::super::{TextError, TextErrorKind};
use super::print::alone;
use super::{FunctionLevels, PROBLEMS, VERSION};
use crate::{
    AcceptedOperand, Advice, Bytes, Carrier, CopyEngine, Hierarchy, Interval, Lanes, Level,
    LevelId, LevelProblem, LevelStep, LevelSubject, Link, LinkId, LinkUse, MessageId, OffloadInput,
    OffloadPolicy, Port, Repeatable, Tensor, TensorId, TensorUse,
};

/// Parses and validates all problems in `text`. Never panics, whatever the input.
///
/// # Errors
/// The first error, with its line and column.
pub fn parse_level_problems(text: &str) -> Result<Vec<FunctionLevels>, TextError> {
    let mut lines = Lines::new(text)?;
    lines.header(PROBLEMS, VERSION)?;
    let mut functions: Vec<FunctionLevels> = Vec::new();
    let mut names = std::collections::HashSet::new();
    while let Some(line) = lines.next_starting_with("problem") {
        let before = line.clone();
        let function = parse_function(line, &mut lines)?;
        // Plans refer to problems by name.
        if !names.insert(function.function.clone()) {
            return before.error(TextErrorKind::Duplicate(function.function));
        }
        functions.push(function);
    }
    match lines.next() {
        Some(line) => line.fail("'problem'"),
        None => Ok(functions),
    }
}

/// Line numbers of the entities of a problem, to locate errors found after parsing.
#[derive(Default)]
struct Places {
    levels: Vec<usize>,
    engines: Vec<usize>,
    operands: Vec<usize>,
    links: Vec<usize>,
    tensors: Vec<usize>,
    steps: Vec<usize>,
    roles: Option<usize>,
}

impl Places {
    fn line_of(&self, subject: LevelSubject) -> Option<usize> {
        let line = match subject {
            LevelSubject::Problem => None,
            LevelSubject::Roles => self.roles.as_ref(),
            LevelSubject::Level(index) => self.levels.get(index),
            LevelSubject::Engine(index) => self.engines.get(index),
            LevelSubject::Operand(index) => self.operands.get(index),
            LevelSubject::Link(index) => self.links.get(index),
            LevelSubject::Tensor(tensor) => self.tensors.get(tensor.index()),
            LevelSubject::Step(index) => self.steps.get(index),
        };
        line.copied()
    }
}

fn parse_function(mut head: Line, lines: &mut Lines) -> Result<FunctionLevels, TextError> {
    let head_line = head.number;
    let function = head.text("the function's name")?;
    head.end()?;
    let mut places = Places::default();
    let hierarchy = parse_hierarchy(lines, &mut places)?;
    let mut problem = LevelProblem {
        hierarchy,
        tensors: Vec::new(),
        steps: Vec::new(),
        blocks: Vec::new(),
    };
    let mut offload = match lines.next_starting_with("offload") {
        Some(line) => {
            places.roles = Some(line.number);
            Some(parse_offload(line, &problem.hierarchy)?)
        }
        None => None,
    };
    while let Some(line) = lines.next_starting_with("tensor") {
        places.tensors.push(line.number);
        let tensor = parse_tensor(line, problem.tensors.len(), &problem.hierarchy)?;
        problem.tensors.push(tensor);
    }
    while let Some(line) = lines.next_starting_with("step") {
        places.steps.push(line.number);
        parse_step(line, lines, &mut problem, offload.as_mut())?;
    }
    if let Some(offload) = &mut offload {
        offload.advice = parse_advice(lines, problem.tensors.len())?;
    }
    match lines.next_starting_with("end") {
        Some(mut line) => {
            parse_block(&mut line, &mut problem)?;
            line.end()?;
        }
        None => return lines.fail("a line that belongs here, in order, or 'end'"),
    }
    let function = FunctionLevels {
        function,
        problem,
        offload,
    };
    match function.validate() {
        Ok(()) => Ok(function),
        Err(error) => Err(TextError {
            line: places.line_of(error.subject()).unwrap_or(head_line),
            column: 1,
            kind: error.into(),
        }),
    }
}

fn parse_hierarchy(lines: &mut Lines, places: &mut Places) -> Result<Hierarchy, TextError> {
    let mut hierarchy = Hierarchy::default();
    if let Some(mut line) = lines.next_starting_with("compute") {
        hierarchy.compute = speed(&mut line, "a number of operations per cycle")?;
        line.end()?;
    }
    if let Some(line) = lines.next_starting_with("preloaded") {
        hierarchy.is_preloaded = true;
        line.end()?;
    }
    while let Some(line) = lines.next_starting_with("level") {
        places.levels.push(line.number);
        hierarchy.levels.push(parse_level(line)?);
    }
    while let Some(mut line) = lines.next_starting_with("engine") {
        places.engines.push(line.number);
        let name = line.text("the engine's name")?;
        let mut links = Vec::new();
        while line.take_word("link") {
            let from = level(&mut line, &hierarchy)?;
            links.push((from, level(&mut line, &hierarchy)?));
        }
        line.end()?;
        hierarchy.engines.push(CopyEngine { name, links });
    }
    while let Some(mut line) = lines.next_starting_with("operand") {
        places.operands.push(line.number);
        let operation = line.text("the operation's name")?;
        let index = index(&mut line, "the number of an operand")?;
        line.word("in")?;
        let levels = levels(&mut line, &hierarchy)?;
        line.end()?;
        hierarchy.operands.push(AcceptedOperand {
            operation,
            index,
            levels,
        });
    }
    while let Some(mut line) = lines.next_starting_with("rank-link") {
        places.links.push(line.number);
        let name = line.text("the link's name")?;
        let port = port(&mut line)?;
        let is_duplex = line.take_word("duplex");
        line.end()?;
        hierarchy.links.push(Link {
            name: Some(name),
            port,
            is_duplex,
        });
    }
    Ok(hierarchy)
}

fn parse_level(mut line: Line) -> Result<Level, TextError> {
    let name = line.text("the level's name")?;
    let capacity = match line.take_word("capacity") {
        true => Some(line.bytes("a capacity in bytes")?),
        false => None,
    };
    let alignment = alignment(&mut line)?;
    line.word("read")?;
    let read = port(&mut line)?;
    line.word("write")?;
    let write = port(&mut line)?;
    line.end()?;
    Ok(Level {
        name,
        capacity,
        alignment,
        read,
        write,
    })
}

fn port(line: &mut Line) -> Result<Port, TextError> {
    line.word("latency")?;
    let latency = line.number("a number of cycles")?;
    line.word("bandwidth")?;
    let bandwidth = speed(line, "a number of bytes per cycle")?;
    Ok(Port { latency, bandwidth })
}

fn parse_offload(mut line: Line, hierarchy: &Hierarchy) -> Result<OffloadInput, TextError> {
    line.word("device")?;
    let device = level(&mut line, hierarchy)?;
    line.word("host")?;
    let host = level(&mut line, hierarchy)?;
    line.word("policy")?;
    let policy = line.one_of(OffloadPolicy::ALL, OffloadPolicy::name, "a policy")?;
    line.end()?;
    Ok(OffloadInput {
        device,
        host,
        policy,
        repeatable: Vec::new(),
        advice: Advice::default(),
    })
}

fn parse_tensor(mut line: Line, next: usize, hierarchy: &Hierarchy) -> Result<Tensor, TextError> {
    line.id_in_order("t", format_args!("t{next}"))?;
    let name = line.text("the tensor's name")?;
    line.word("size")?;
    let size = line.bytes("a size in bytes")?;
    let alignment = alignment(&mut line)?;
    let home = match line.take_word("home") {
        true => Some(level(&mut line, hierarchy)?),
        false => None,
    };
    let is_result = line.take_word("result");
    let is_preloaded = line.take_word("preloaded");
    let mut frozen = Vec::new();
    if line.take_word("frozen") {
        frozen.push(steps(&mut line)?);
        while let Some(own) = line.take(parse_steps) {
            frozen.push(own);
        }
    }
    let within = match line.take_word("within") {
        true => Some(steps(&mut line)?),
        false => None,
    };
    line.end()?;
    Ok(Tensor {
        name,
        size,
        alignment,
        home,
        is_result,
        is_preloaded,
        frozen,
        within,
    })
}

fn parse_step(
    mut line: Line,
    lines: &mut Lines,
    problem: &mut LevelProblem,
    offload: Option<&mut OffloadInput>,
) -> Result<(), TextError> {
    let next = problem.steps.len();
    line.id_in_order("s", format_args!("s{next}"))?;
    let name = line.text("the step's name")?;
    line.word("cycles")?;
    let cycles = line.number("a number of cycles")?;
    let waits = match line.take_word("waits") {
        true => line.number("a number of cycles")?,
        false => 0,
    };
    let repeats = match line.take_word("repeats") {
        true => line.number("a number of executions")?,
        false => 1,
    };
    let link = parse_link(&mut line, &problem.hierarchy)?;
    parse_block(&mut line, problem)?;
    let mut repeatable = Repeatable::default();
    if offload.is_some() {
        repeatable.is_pure = line.take_word("pure");
        if line.take_word("until") {
            repeatable.until = Some(line.id("s", "a step")?);
        }
    }
    line.end()?;
    let uses = parse_uses(lines, problem)?;
    if let Some(offload) = offload {
        while let Some(mut line) = lines.next_starting_with("in-place") {
            let operand = position(&mut line, &uses)?;
            repeatable
                .in_place
                .push((operand, position(&mut line, &uses)?));
            line.end()?;
        }
        offload.repeatable.push(repeatable);
    }
    problem.steps.push(LevelStep {
        name,
        cycles,
        waits,
        link,
        repeats,
        uses,
    });
    Ok(())
}

/// Parses the part of a step in messages.
fn parse_link(line: &mut Line, hierarchy: &Hierarchy) -> Result<LinkUse, TextError> {
    let message = |line: &mut Line| line.id("m", "a message").map(MessageId::new);
    let cycles = |line: &mut Line| {
        line.word("link")?;
        line.number("a number of cycles")
    };
    if line.take_word("starts") {
        return Ok(LinkUse::Starts {
            message: message(line)?,
            cycles: cycles(line)?,
            on: parse_carrier(line, hierarchy)?,
        });
    }
    if line.take_word("awaits") {
        let all = line.take_word("all");
        return Ok(LinkUse::Awaits(match all {
            true => None,
            false => Some(message(line)?),
        }));
    }
    if line.take_word("copies") {
        return Ok(LinkUse::Copies(message(line)?));
    }
    match line.take_word("blocks") {
        true => Ok(LinkUse::Blocks {
            cycles: cycles(line)?,
            on: parse_carrier(line, hierarchy)?,
        }),
        false => Ok(LinkUse::None),
    }
}

/// Parses where a message travels. Links that the hierarchy does not name are not named here either.
fn parse_carrier(line: &mut Line, hierarchy: &Hierarchy) -> Result<Carrier, TextError> {
    let mut carrier = Carrier::default();
    if line.take_word("on") {
        let before = line.clone();
        let name = line.text("the name of a link between ranks")?;
        let mut links = hierarchy.links.iter();
        match links.position(|own| own.name.as_ref() == Some(&name)) {
            Some(link) => carrier.link = LinkId::new(link),
            None => return before.fail("the name of a link between ranks"),
        }
    }
    if line.take_word("out") {
        carrier.lanes = Lanes::Out;
    } else if line.take_word("in") {
        carrier.lanes = Lanes::In;
    }
    Ok(carrier)
}

/// Parses the block of the next gap. Whether all gaps have one is checked at the end.
fn parse_block(line: &mut Line, problem: &mut LevelProblem) -> Result<(), TextError> {
    if !line.take_word("block") {
        return Ok(());
    }
    let block = match line.take_word("alone") {
        true => alone(problem.blocks.len()),
        false => index(line, "a block's number, or 'alone'")?,
    };
    problem.blocks.push(block);
    Ok(())
}

fn parse_uses(lines: &mut Lines, problem: &LevelProblem) -> Result<Vec<TensorUse>, TextError> {
    let mut uses = Vec::new();
    // The operand that a use takes over may follow it.
    let mut operands: Vec<(usize, Line)> = Vec::new();
    while let Some(mut line) = lines.next_starting_with("use") {
        let tensor = tensor(&mut line, problem.tensors.len())?;
        let mut amount = |keyword| match line.take_word(keyword) {
            true => line.bytes("a number of bytes"),
            false => Ok(Bytes::ZERO),
        };
        let (reads, writes) = (amount("reads")?, amount("writes")?);
        let writes_all = line.take_word("all");
        let accepted = match line.take_word("in") {
            true => levels(&mut line, &problem.hierarchy)?,
            false => Vec::new(),
        };
        if line.take_word("takes-over") {
            operands.push((uses.len(), line.clone()));
            line.id("t", "a tensor")?;
        }
        line.end()?;
        uses.push(TensorUse {
            tensor,
            reads,
            writes,
            writes_all,
            accepted,
            takes_over: None,
        });
    }
    for (result, mut line) in operands {
        let operand = position(&mut line, &uses)?;
        uses[result].takes_over = Some(operand);
    }
    Ok(uses)
}

fn parse_advice(lines: &mut Lines, n_tensors: usize) -> Result<Advice, TextError> {
    let mut advice = Advice::default();
    let pinned = [
        ("stay", &mut advice.stay),
        ("leave", &mut advice.leave),
        ("keep", &mut advice.keep),
    ];
    for (keyword, tensors) in pinned {
        if let Some(mut line) = lines.next_starting_with(keyword) {
            while !line.is_at_end() {
                tensors.insert(tensor(&mut line, n_tensors)?);
            }
        }
    }
    while let Some(mut line) = lines.next_starting_with("lead") {
        let before = line.clone();
        let tensor = tensor(&mut line, n_tensors)?;
        line.word("before")?;
        let step = line.id("s", "a step")?;
        line.word("cycles")?;
        let cycles = line.read("a number of cycles, possibly negative", |word| {
            parse_decimal(word.strip_prefix('-').unwrap_or(word))?;
            word.parse().ok()
        })?;
        line.end()?;
        if advice.leads.insert((tensor, step), cycles).is_some() {
            return before.fail("a tensor and a step without another lead");
        }
    }
    Ok(advice)
}

fn alignment(line: &mut Line) -> Result<Bytes, TextError> {
    line.word("align")?;
    line.bytes("an alignment in bytes")
}

pub(super) fn index(line: &mut Line, wanted: &'static str) -> Result<usize, TextError> {
    let read = |word: &str| usize::try_from(parse_decimal(word)?).ok();
    line.read(wanted, read)
}

fn speed(line: &mut Line, wanted: &'static str) -> Result<f64, TextError> {
    line.read(wanted, |word| {
        // `f64` also parses signs, infinities and "nan".
        let is_plain = word.starts_with(|c: char| c.is_ascii_digit());
        let speed: f64 = word.parse().ok().filter(|_| is_plain)?;
        speed.is_finite().then_some(speed)
    })
}

/// Parses the name of a level.
pub(super) fn level(line: &mut Line, hierarchy: &Hierarchy) -> Result<LevelId, TextError> {
    let before = line.clone();
    let name = line.text("a level's name")?;
    match hierarchy.find(&name) {
        Some(level) => Ok(level),
        None => before.error(TextErrorKind::Unknown(format!("level '{name}'"))),
    }
}

/// Parses one level or more.
fn levels(line: &mut Line, hierarchy: &Hierarchy) -> Result<Vec<LevelId>, TextError> {
    let mut levels = vec![level(line, hierarchy)?];
    while line.is_at_text() {
        levels.push(level(line, hierarchy)?);
    }
    Ok(levels)
}

/// Parses the id of one of `n_tensors` tensors.
pub(super) fn tensor(line: &mut Line, n_tensors: usize) -> Result<TensorId, TextError> {
    known(line, "t", "a tensor", n_tensors).map(TensorId::new)
}

/// Parses an id below `n`.
pub(super) fn known(
    line: &mut Line,
    prefix: &'static str,
    what: &'static str,
    n: usize,
) -> Result<usize, TextError> {
    match line.take(|word| id(word, prefix).filter(|id| *id < n)) {
        Some(id) => Ok(id),
        None => {
            let before = line.clone();
            let id = line.id(prefix, what)?;
            before.error(TextErrorKind::Unknown(format!("{prefix}{id}")))
        }
    }
}

fn id(word: &str, prefix: &str) -> Option<usize> {
    usize::try_from(parse_decimal(word.strip_prefix(prefix)?)?).ok()
}

/// Parses a tensor that a step uses, and returns the position of the use.
fn position(line: &mut Line, uses: &[TensorUse]) -> Result<usize, TextError> {
    line.read("a tensor that the step uses", |word| {
        let tensor = id(word, "t")?;
        uses.iter().position(|used| used.tensor.index() == tensor)
    })
}

pub(super) fn steps(line: &mut Line) -> Result<Interval<usize>, TextError> {
    line.read("an interval of steps, as in 2..5", parse_steps)
}

fn parse_steps(word: &str) -> Option<Interval<usize>> {
    let (start, end) = word.split_once("..")?;
    let step = |digits| usize::try_from(parse_decimal(digits)?).ok();
    Some(Interval::new(step(start)?, step(end)?))
}
