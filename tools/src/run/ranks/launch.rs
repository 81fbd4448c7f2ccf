//! Starts the ranks under `mpirun`, on this machine, and waits until they have ended.
//!
//! A rank that fails ends all others: it exits without finalizing MPI, which `mpirun` notices.
//! When this process ends or the time limit expires, `mpirun` is killed.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::RanksError;

/// Time between two looks at whether the ranks have ended.
const PAUSE: Duration = Duration::from_millis(20);

/// Time that `mpirun` has to end the ranks before it is killed itself.
const GRACE: Duration = Duration::from_secs(5);

/// Everything is on this machine: ranks share memory, and `mpirun` itself uses the loopback device.
const SETTINGS: [(&str, &str); 6] = [
    ("btl", "self,vader"),
    ("btl_vader_single_copy_mechanism", "none"),
    ("oob_tcp_if_include", "lo"),
    ("plm", "isolated"),
    ("rmaps_base_oversubscribe", "1"),
    ("hwloc_base_binding_policy", "none"),
];

/// On a slow link, the library takes messages of up to two million bytes as they are sent. Otherwise, a
/// large message travels only while both ranks are in the library, which no link is to blame for.
const EAGER: [(&str, &str); 3] = [
    ("btl_vader_eager_limit", "2000000"),
    ("btl_vader_free_list_num", "8"),
    ("btl_vader_segment_size", "134217728"),
];

/// How each line of a rank's output starts.
fn tag(rank: usize) -> String {
    format!("[1,{rank}]<stderr>:")
}

/// Runs a program as `n` ranks; `is_slow`: the program slows messages down.
///
/// # Errors
/// If a rank fails, or if the ranks do not end in time. Their messages are then on standard error.
pub(super) fn launch(
    (n, is_slow): (usize, bool),
    program: &Path,
    arguments: &[&OsStr],
    limit: Duration,
    scratch: &Path,
) -> Result<(), RanksError> {
    let mut command = Command::new("mpirun");
    command.args(["--allow-run-as-root", "--quiet", "--tag-output", "-n"]);
    command.arg(n.to_string());
    let eager = EAGER.iter().filter(|_| is_slow);
    for (name, value) in SETTINGS.iter().chain(eager) {
        command.args(["--mca", name, value]);
    }
    command.arg(program).args(arguments);
    // Sockets and shared memory are in the folder that is removed in the end.
    command.env("TMPDIR", scratch);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    // SAFETY: `prctl` is async-signal-safe, and has no effect on this process.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
            Ok(())
        });
    }
    let mut child = command.spawn().map_err(RanksError::Launch)?;
    let stderr = child.stderr.take();
    let reader = std::thread::spawn(move || {
        let lines = stderr
            .map(BufReader::new)
            .into_iter()
            .flat_map(|own| own.lines());
        lines.map_while(Result::ok).collect::<Vec<String>>()
    });
    let (status, is_late) = wait(&mut child, limit)?;
    let lines = reader.join().unwrap_or_default();
    let is_success = status.success() && !is_late;
    show(&lines, is_success);
    match (is_success, is_late) {
        (true, _) => Ok(()),
        (false, true) => Err(RanksError::Late(limit.as_secs())),
        (false, false) => Err(RanksError::Failed),
    }
}

/// Waits for the end; true if the time was over first.
fn wait(
    child: &mut std::process::Child,
    limit: Duration,
) -> Result<(std::process::ExitStatus, bool), RanksError> {
    let start = Instant::now();
    let mut asked = None;
    loop {
        if let Some(status) = child.try_wait().map_err(RanksError::Launch)? {
            return Ok((status, asked.is_some()));
        }
        if asked.is_none() && start.elapsed() > limit {
            asked = Some(Instant::now());
            // SAFETY: the process has not been waited for, so its number is its own.
            unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGTERM) };
        }
        if asked.is_some_and(|asked| asked.elapsed() > GRACE) {
            child.kill().map_err(RanksError::Launch)?;
        }
        std::thread::sleep(PAUSE);
    }
}

/// Shows what the ranks said: all of it after a failure, otherwise the messages of the first rank,
/// because all say the same about one program.
fn show(lines: &[String], is_success: bool) {
    let first = tag(0);
    for line in lines {
        match line.strip_prefix(&first) {
            Some(own) if is_success => eprintln!("{own}"),
            _ if is_success => {}
            _ => eprintln!("{line}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a script as two ranks, with a limit in seconds. Returns the outcome and the time it took.
    fn launch_script(script: &str, limit: u64) -> (Result<(), RanksError>, Duration) {
        let folder = tempfile::tempdir().unwrap();
        let arguments: [&OsStr; 2] = ["-c".as_ref(), script.as_ref()];
        let start = Instant::now();
        let limit = Duration::from_secs(limit);
        let outcome = launch(
            (2, false),
            Path::new("/bin/sh"),
            &arguments,
            limit,
            folder.path(),
        );
        (outcome, start.elapsed())
    }

    #[test]
    fn ranks_end_by_themselves() {
        let (outcome, _) = launch_script("exit 0", 60);
        assert!(outcome.is_ok(), "{outcome:?}");
    }

    #[test]
    fn a_rank_that_fails_ends_the_others() {
        let script = "test $OMPI_COMM_WORLD_RANK = 0 && exec sleep 300; exit 3";
        let (outcome, time) = launch_script(script, 200);
        assert!(matches!(outcome, Err(RanksError::Failed)), "{outcome:?}");
        assert!(time < Duration::from_secs(100), "{time:?}");
    }

    #[test]
    fn ranks_that_do_not_end_are_ended() {
        let folder = tempfile::tempdir().unwrap();
        let pid = folder.path().join("pid");
        let script = format!("echo $$ >> {}; exec sleep 300", pid.display());
        let (outcome, time) = launch_script(&script, 3);
        assert!(matches!(outcome, Err(RanksError::Late(3))), "{outcome:?}");
        assert!(time < Duration::from_secs(100), "{time:?}");
        let ranks = std::fs::read_to_string(pid).unwrap();
        assert_eq!(ranks.lines().count(), 2);
        for rank in ranks.lines() {
            let is_running = Path::new("/proc").join(rank).join("exe").exists();
            assert!(!is_running, "process {rank} is left");
        }
    }
}
