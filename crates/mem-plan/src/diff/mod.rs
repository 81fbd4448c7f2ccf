//! Compares two plans: the peaks of every function and level, and the buffers that appeared,
//! disappeared, changed their size, moved, or live longer. For people as text, for programs as JSON,
//! and for continuous integration as a limit on the growth of peaks.
//!
//! Only what a plan states is compared. A plan is read from any of its forms: the JSON of plans for
//! one level and for several, planned tables as JSON or CSV, and the text form of plans over several
//! levels, together with their problems.

mod compare;
mod limit;
mod read;
mod show;

pub use compare::{BufferChange, Change, Changed, PeakChange, PlanDiff, compare_plans};
pub use limit::{LimitError, PeakLimit};
pub use read::{PlanFile, PlanFileError, SizedBuffer, read_plan};
pub use show::{diff_json, diff_text};
