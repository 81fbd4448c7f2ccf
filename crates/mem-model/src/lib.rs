//! Data model of the memory planner: plain types shared by the analyses, the planners, the
//! checkers, the reports and the replay file; their validation and their text form. The crate is
//! independent of MLIR.
//!
//! Entities live in flat vectors indexed by dense, typed ids; names and source locations are stored
//! next to them. Intervals are half-open. Sizes and addresses are [`Bytes`], which offers checked
//! arithmetic only.

#![forbid(unsafe_code)]

mod access_table;
mod byte_size;
mod bytes;
mod contact;
mod hierarchy;
mod ids;
mod interval;
mod levels;
mod links;
mod names;
mod offload;
mod operations;
mod order;
mod pieces;
mod plan;
mod point;
mod program;
mod shared_set;
mod size;
mod text;
mod tiles;
mod validate;
mod validate_levels;

pub use access_table::{
    AccessTable, Direction, Lead, TableAccess, TableCopy, TableError, TensorAccess,
};
pub use byte_size::SizeError;
pub use bytes::{Bytes, HumanBytes};
pub use contact::{Contact, Partner};
pub use hierarchy::{AcceptedOperand, CopyEngine, Hierarchy, Level, Port};
pub use ids::{
    BlockId, BufferId, GapId, LevelId, LinkId, MessageId, PlacementId, PointerId, RegionId, StepId,
    SymbolId, TensorId, TokenId, TransferId,
};
pub use interval::{Interval, IntervalSet};
pub use levels::{
    LevelPlacement, LevelPlan, LevelProblem, LevelStep, LinkUse, Tensor, TensorUse, Transfer,
};
pub use links::{Carrier, Lanes, Link, MessageKind, Route};
pub use names::{UnknownName, closest, named, suggestion};
pub use offload::{Advice, OffloadInput, OffloadPolicy, Repeatable, Repetition};
pub use operations::{HostLink, Operation, OperationGraph};
pub use order::{MAX_IN_PLACE, OrderBuffer, OrderProblem, OrderProblemError, OrderStep};
pub use pieces::{CutPoints, MAX_PIECES};
pub use plan::{Item, Part, Penalty, Placement, Plan, Problem, Reuse, Rotation};
pub use point::Point;
pub use program::{
    Access, AccessKind, Aliasing, Binding, Block, Bound, Buffer, Detail, Edge, Literal, Pointer,
    PointerKind, Program, Region, RegionKind, Role, Rows, Step, Storage, Symbol, SymbolicRange,
    bindings,
};
pub use shared_set::SharedSet;
pub use size::{RelativePlan, Size};
pub use text::{
    FunctionLevelPlan, FunctionLevels, TextError, TextErrorKind, TextFormat, parse_level_plans,
    parse_level_problems, parse_operation_graph, parse_programs, print_level_plans,
    print_level_problems, print_programs,
};
pub use tiles::{
    Along, IterationDimension, MAX_EXTENT, Range, RowMap, Stream, Takeover, Tile, TileAccess,
    TileBuffer, TileGroup, TileOperand, TileOperation, TileProgram, TileRun, TiledOperation,
    Window, WindowRange,
};
pub use validate::{ProgramError, Subject};
pub use validate_levels::{LevelProblemError, LevelSubject};
