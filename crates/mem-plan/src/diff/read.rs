//! Reads what a comparison needs from a plan in any of its forms.

use mem_cost::simulate;
use mem_model::{
    FunctionLevelPlan, FunctionLevels, LevelId, LevelProblem, TextFormat, parse_level_plans,
};
use serde::Deserialize;

use crate::csv_table::Table;
use crate::levels::check_function;
use crate::report::Failure;

/// Name of the function and of the level of a table, which states neither.
const TABLE: [&str; 2] = ["table", "arena"];

/// A plan, as far as it is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanFile {
    /// The peak of each function in each level.
    pub peaks: Vec<Peak>,
    /// The makespan of each function in cycles, if the plan states them.
    pub makespans: Vec<(String, u64)>,
    /// Cycles of all accesses and copies.
    pub cost: Option<u64>,
    /// Number of transfers.
    pub n_transfers: Option<u64>,
    /// The buffers.
    pub buffers: Vec<SizedBuffer>,
}

/// The peak of a function in a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peak {
    /// Name of the function.
    pub function: String,
    /// Name of the level.
    pub level: String,
    /// Bytes of the arena.
    pub peak: u64,
    /// Lower bound on the peak, if the plan states it.
    pub lower_bound: Option<u64>,
}

/// A buffer with its size and places.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SizedBuffer {
    /// Name of its function.
    pub function: String,
    /// Its name, which need not be unique.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Source location; may be empty.
    pub location: String,
    /// Levels and offsets, in the order of the plan; the offset of existing storage is `None`.
    pub places: Vec<(String, Option<u64>)>,
    /// Number of steps at which it is live, if the plan states them.
    pub n_steps: Option<u64>,
}

/// Why a file is not a plan that can be compared.
#[derive(Debug, thiserror::Error)]
pub enum PlanFileError {
    /// JSON with errors, or without the keys of a plan.
    #[error("not a plan: {0}")]
    Json(#[from] serde_json::Error),
    /// Another version of the schema.
    #[error("plans of version {0} cannot be read; expected version 1")]
    Version(u64),
    /// JSON of another kind.
    #[error("not a plan, but {0}")]
    OtherDocument(&'static str),
    /// A table without offsets.
    #[error("the table has no plan: column 'offset' is absent or has empty cells")]
    NotPlaced,
    /// A place ends above 2^64.
    #[error("'{0}' ends above 2^64 bytes")]
    TooHigh(String),
    /// Plans over several levels state no sizes.
    #[error("plans over several levels are compared together with their problems: --problem FILE")]
    NoProblem,
    /// Neither of the forms.
    #[error(
        "not a plan; expected JSON (mem-print-plan{{format=json}}, mem-plan --json), a planned table \
         (.csv), or plans over several levels (mem-level-plans)"
    )]
    Unknown,
}

#[derive(Deserialize)]
struct Document {
    version: u64,
    functions: Vec<DocumentFunction>,
    buffers: Vec<DocumentBuffer>,
    transfers: Option<Vec<serde_json::Value>>,
    cost: Option<f64>,
}

#[derive(Deserialize)]
struct DocumentFunction {
    name: String,
    /// In plans for one level.
    level: Option<String>,
    peak: Option<u64>,
    lower_bound: u64,
    /// In plans over several levels.
    makespan: Option<u64>,
    #[serde(default)]
    levels: Vec<DocumentLevel>,
}

#[derive(Deserialize)]
struct DocumentLevel {
    name: String,
    peak: u64,
    lower_bound: u64,
}

#[derive(Deserialize)]
struct DocumentBuffer {
    function: String,
    name: String,
    size: u64,
    location: String,
    placements: Vec<DocumentPlace>,
}

#[derive(Deserialize)]
struct DocumentPlace {
    level: String,
    offset: Option<u64>,
    live: Vec<(u64, u64)>,
}

#[derive(Deserialize)]
struct TableDocument {
    version: u64,
    peak: u64,
    lower_bound: u64,
    buffers: Vec<TableBuffer>,
}

#[derive(Deserialize)]
struct TableBuffer {
    id: String,
    size: u64,
    offset: u64,
}

/// Reads the plan in `text`, the contents of `file`. `problems` are those of plans over several
/// levels in their text form.
///
/// # Errors
/// If it is not a plan, or not one of the problems.
pub fn read_plan(
    file: &str,
    text: &str,
    problems: Option<&[FunctionLevels]>,
) -> Result<PlanFile, Failure> {
    let failed = |error: PlanFileError| Failure::PlanFile(file.to_owned(), error);
    if text.trim_start().starts_with('{') {
        return read_json(text).map_err(failed);
    }
    if file.ends_with(".csv") {
        return of_table(&Table::parse(file, text)?).map_err(failed);
    }
    match TextFormat::of(text) {
        Some(TextFormat::LevelPlans) => {
            let problems = problems.ok_or_else(|| failed(PlanFileError::NoProblem))?;
            let plans = parse_level_plans(text, problems);
            let plans = plans.map_err(|error| Failure::Text(file.to_owned(), error))?;
            of_level_plans(problems, &plans)
        }
        _ => Err(failed(PlanFileError::Unknown)),
    }
}

fn read_json(text: &str) -> Result<PlanFile, PlanFileError> {
    let value: serde_json::Value = serde_json::from_str(text)?;
    let has = |key| value.get(key).is_some();
    if has("accesses") {
        return Err(PlanFileError::OtherDocument("an access table"));
    }
    if has("points") {
        return Err(PlanFileError::OtherDocument("a tradeoff curve"));
    }
    if has("traceEvents") {
        return Err(PlanFileError::OtherDocument("a trace"));
    }
    if has("order") {
        return Err(PlanFileError::OtherDocument("a plan of an operation graph"));
    }
    if has("proven_optimal") {
        return read_table(serde_json::from_value(value)?);
    }
    let document: Document = serde_json::from_value(value)?;
    if document.version != 1 {
        return Err(PlanFileError::Version(document.version));
    }
    let mut plan = PlanFile {
        // Costs are integers below 2^53, written as floating-point numbers by plans for one level.
        cost: document.cost.map(|cost| cost as u64),
        n_transfers: document.transfers.map(|all| all.len() as u64),
        ..PlanFile::default()
    };
    for own in document.functions {
        if let (Some(level), Some(peak)) = (own.level, own.peak) {
            plan.peaks.push(Peak {
                function: own.name.clone(),
                level,
                peak,
                lower_bound: Some(own.lower_bound),
            });
        }
        plan.peaks.extend(own.levels.into_iter().map(|level| Peak {
            function: own.name.clone(),
            level: level.name,
            peak: level.peak,
            lower_bound: Some(level.lower_bound),
        }));
        let makespan = own.makespan.map(|cycles| (own.name, cycles));
        plan.makespans.extend(makespan);
    }
    plan.buffers = document.buffers.into_iter().map(buffer).collect();
    Ok(plan)
}

fn buffer(own: DocumentBuffer) -> SizedBuffer {
    // All slots of a buffer have the same lifetime; places at other times add up.
    let steps = |place: &DocumentPlace| {
        let live = place.live.iter();
        live.fold(0_u64, |sum, (first, last)| {
            sum.saturating_add(last.saturating_sub(*first).saturating_add(1))
        })
    };
    let n_steps = own.placements.iter().map(steps).max();
    let places = own.placements.into_iter();
    SizedBuffer {
        function: own.function,
        name: own.name,
        size: own.size,
        location: own.location,
        places: places.map(|place| (place.level, place.offset)).collect(),
        n_steps,
    }
}

fn read_table(document: TableDocument) -> Result<PlanFile, PlanFileError> {
    if document.version != 1 {
        return Err(PlanFileError::Version(document.version));
    }
    let buffers = document.buffers.into_iter().map(|own| SizedBuffer {
        function: TABLE[0].to_owned(),
        name: own.id,
        size: own.size,
        location: String::new(),
        places: vec![(TABLE[1].to_owned(), Some(own.offset))],
        n_steps: None,
    });
    Ok(PlanFile {
        peaks: vec![table_peak(document.peak, Some(document.lower_bound))],
        buffers: buffers.collect(),
        ..PlanFile::default()
    })
}

fn table_peak(peak: u64, lower_bound: Option<u64>) -> Peak {
    Peak {
        function: TABLE[0].to_owned(),
        level: TABLE[1].to_owned(),
        peak,
        lower_bound,
    }
}

/// A table whose rows have offsets.
fn of_table(table: &Table) -> Result<PlanFile, PlanFileError> {
    let (mut peak, mut buffers) = (0, Vec::new());
    for item in &table.problem.items {
        let name = table.name(item.buffer).to_owned();
        let offset = item.fixed.ok_or(PlanFileError::NotPlaced)?;
        let end = offset.checked_add(item.size);
        let end = end.ok_or_else(|| PlanFileError::TooHigh(name.clone()))?;
        peak = peak.max(end.get());
        buffers.push(SizedBuffer {
            function: TABLE[0].to_owned(),
            name,
            size: item.size.get(),
            location: String::new(),
            places: vec![(TABLE[1].to_owned(), Some(offset.get()))],
            n_steps: None,
        });
    }
    let lower_bound = mem_planner::lower_bound(&table.problem);
    Ok(PlanFile {
        peaks: vec![table_peak(peak, lower_bound.map(|bytes| bytes.get()))],
        buffers,
        ..PlanFile::default()
    })
}

/// Plans over several levels; each is checked against its problem, so that its figures are true.
fn of_level_plans(
    problems: &[FunctionLevels],
    plans: &[FunctionLevelPlan],
) -> Result<PlanFile, Failure> {
    let mut all = PlanFile {
        cost: Some(0),
        n_transfers: Some(0),
        ..PlanFile::default()
    };
    for own in plans {
        let named = |function: &&FunctionLevels| function.function == own.function;
        let Some(function) = problems.iter().find(named) else {
            continue;
        };
        let problem = check_function(function, own)
            .map_err(|error| Failure::Levels(own.function.clone(), error))?;
        add_function(&mut all, function, &problem, own);
    }
    Ok(all)
}

fn add_function(
    all: &mut PlanFile,
    function: &FunctionLevels,
    problem: &LevelProblem,
    own: &FunctionLevelPlan,
) {
    let plan = &own.plan;
    for (index, level) in problem.hierarchy.levels.iter().enumerate() {
        let peak = plan.peak(problem, LevelId::new(index)).unwrap_or_default();
        all.peaks.push(Peak {
            function: function.function.clone(),
            level: level.name.clone(),
            peak: peak.get(),
            lower_bound: None,
        });
    }
    let makespan = simulate(problem, plan).makespan;
    all.makespans.push((function.function.clone(), makespan));
    all.cost = all.cost.map(|cost| cost.saturating_add(plan.cost));
    let n_transfers = plan.transfers.len() as u64;
    all.n_transfers = all.n_transfers.map(|n| n + n_transfers);
    let mut places = vec![Vec::new(); problem.tensors.len()];
    for place in &plan.placements {
        let level = &problem.hierarchy.levels[place.level.index()];
        let place_of = (level.name.clone(), place.offset.map(|own| own.get()));
        places[place.tensor.index()].push(place_of);
    }
    let tensors = problem.tensors.iter().zip(places);
    all.buffers
        .extend(tensors.map(|(tensor, places)| SizedBuffer {
            function: function.function.clone(),
            name: tensor.name.clone(),
            size: tensor.size.get(),
            location: String::new(),
            places,
            n_steps: None,
        }));
}
