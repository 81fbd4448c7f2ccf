//! One rank: runs its part under MPI.

use std::ffi::{CStr, c_int, c_void};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::RanksError;
use super::link::{self, LinkSpeed};
use crate::run::{ArrayFile, Options, Report, RunError, run_as};

/// The file that lists the arguments with values for each rank, and those whose values are wanted.
pub(super) const MANIFEST: &str = "manifest";

/// The file of one argument of one rank. `kind`: `in` or `out`.
pub(super) fn array_file(folder: &Path, kind: &str, argument: usize, rank: usize) -> PathBuf {
    folder.join(format!("{kind}{argument}-{rank}.npy"))
}

/// The file with the peak of one rank and its number of allocations.
pub(super) fn memory_file(folder: &Path, rank: usize) -> PathBuf {
    folder.join(format!("memory-{rank}"))
}

/// The file with the times of the runs of one rank: nanoseconds in all, and of waiting.
pub(super) fn times_file(folder: &Path, rank: usize) -> PathBuf {
    folder.join(format!("times-{rank}"))
}

/// The line of the manifest that gives each rank random values of its own.
pub(super) const OWN_SEED: &str = "seed";

/// Distance between the seeds of two runs, so that all ranks of both have different ones.
const RANK_SEEDS: u64 = 1024;

/// The MPI library, loaded such that compiled code finds it.
pub(super) struct Library {
    handle: *mut c_void,
    finalize: extern "C" fn() -> c_int,
}

impl Library {
    const NAME: &CStr = c"libmpi.so.40";

    fn symbol(handle: *mut c_void, name: &CStr) -> Result<*mut c_void, RanksError> {
        // SAFETY: the handle is that of a loaded library, and the name ends with a zero.
        let symbol = unsafe { libc::dlsym(handle, name.as_ptr()) };
        match symbol.is_null() {
            true => Err(RanksError::NoLibrary),
            false => Ok(symbol),
        }
    }

    /// The address of a function or a variable.
    pub(super) fn find(&self, name: &CStr) -> Result<*mut c_void, RanksError> {
        Self::symbol(self.handle, name)
    }

    fn initialize() -> Result<Self, RanksError> {
        // SAFETY: loading the library runs its initializers only.
        let handle =
            unsafe { libc::dlopen(Self::NAME.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
        if handle.is_null() {
            return Err(RanksError::NoLibrary);
        }
        type Initialize = extern "C" fn(*mut c_int, *mut c_void) -> c_int;
        let initialize = Self::symbol(handle, c"MPI_Init")?;
        let finalize = Self::symbol(handle, c"MPI_Finalize")?;
        // SAFETY: the functions have these types in every version of MPI.
        let (initialize, finalize) = unsafe {
            (
                std::mem::transmute::<*mut c_void, Initialize>(initialize),
                std::mem::transmute::<*mut c_void, extern "C" fn() -> c_int>(finalize),
            )
        };
        match initialize(std::ptr::null_mut(), std::ptr::null_mut()) {
            0 => Ok(Self { handle, finalize }),
            _ => Err(RanksError::NoLibrary),
        }
    }
}

/// Runs the rank that `mpirun` has given this process. Its values are in `folder`. If it fails, MPI
/// is not finalized, so that `mpirun` ends the others.
///
/// # Errors
/// As for one program.
pub fn run_worker(options: &Options, folder: &Path) -> Result<Report, RunError> {
    let rank = std::env::var("OMPI_COMM_WORLD_RANK").ok();
    let rank: usize = rank
        .and_then(|own| own.parse().ok())
        .ok_or(RanksError::NoRank)?;
    let library = Library::initialize()?;
    link::begin_worker();
    let refuse = |error| RunError::File {
        file: folder.to_owned(),
        error,
    };
    let manifest = fs::read_to_string(folder.join(MANIFEST)).map_err(refuse)?;
    let mut options = options.clone();
    for line in manifest.lines() {
        let Some((kind, number)) = line.split_once(' ') else {
            continue;
        };
        if kind == OWN_SEED {
            let of_run = options.seed.wrapping_mul(RANK_SEEDS);
            options.seed = of_run.wrapping_add(rank as u64);
            continue;
        }
        if let Some(speed) = LinkSpeed::read(line) {
            link::install(&library, speed)?;
            continue;
        }
        let Ok(argument) = number.parse() else {
            continue;
        };
        let file = ArrayFile {
            argument: Some(argument),
            file: array_file(folder, kind, argument, rank),
        };
        match kind {
            "in" => options.inputs.push(file),
            _ => options.outputs.push(file),
        }
    }
    // Ranks run in step: one that ran its program again would wait for the others forever.
    let report = run_as(&options, false)?;
    if report.is_success() {
        let (peak, n_allocations) = report.memory();
        let text = format!("{peak} {n_allocations}");
        fs::write(memory_file(folder, rank), text).map_err(refuse)?;
        let times = report.times().into_iter().zip(link::waited());
        let line = |time: Duration, waited: Duration| {
            format!("{} {}\n", time.as_nanos(), waited.as_nanos())
        };
        let times: String = times.map(|(time, waited)| line(time, waited)).collect();
        fs::write(times_file(folder, rank), times).map_err(refuse)?;
        (library.finalize)();
    }
    Ok(report)
}
