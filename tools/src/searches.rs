//! The searches of `mem-opt` as its user sees them: progress on a terminal, and interrupts.
//!
//! While a search takes longer than a second, a line on standard error shows the pass, the best plan so
//! far, the lower bound and an estimate of the time that is left. Nothing is printed if standard error is no
//! terminal. The first interrupt ends all searches: passes go on with the best plans so far, which are
//! verified and written as always. The next one ends the process, and the output file is removed.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mem_planner::observe::{self, Event, Quantity, Searching};

use crate::ffi::memToolsRemoveOutput;

/// Searches that take less time are not shown.
const SHOWN_AFTER: Duration = Duration::from_secs(1);

/// Time between two updates of the line.
const TICK: Duration = Duration::from_millis(100);

/// Below this fraction of spent effort, the time that is left is not estimated.
const LEAST_SPENT: f64 = 0.02;

/// Exit status of a process that an interrupt has ended, as shells report it.
const INTERRUPTED: i32 = 130;

/// Whether there was an interrupt.
static WAS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The line, if there is a terminal.
static LINE: OnceLock<Mutex<Line>> = OnceLock::new();

/// Observes the searches of this process.
pub(crate) fn watch() {
    observe::observe(|event| {
        if let Event::Begin(_) = event {
            // Not earlier: LLVM installs a handler when it opens the output file, and before there is a
            // search, that handler does what it should.
            static ONCE: Once = Once::new();
            ONCE.call_once(|| {
                mem_command::on_interrupt(end_searches, end_process);
                show_line();
            });
        }
        if let Some(mut line) = line() {
            line.take(event);
        }
    });
}

/// The message at the end of a run that was interrupted. `is_failed`: whether there is no output.
pub(crate) fn report_interrupt(is_failed: bool) {
    if !WAS_INTERRUPTED.load(Ordering::Relaxed) {
        return;
    }
    if is_failed {
        eprintln!("mem-opt: interrupted before there was a plan: nothing is written");
    } else {
        eprintln!("mem-opt: interrupted: the plans are the best found so far, and verified");
    }
}

fn end_searches() {
    WAS_INTERRUPTED.store(true, Ordering::Relaxed);
    observe::stop_searches();
    clear();
    eprintln!("mem-opt: interrupted: ending the search; interrupt again to end without output");
}

fn end_process() {
    clear();
    // SAFETY: callable from any thread, at any time.
    unsafe { memToolsRemoveOutput() };
    eprintln!("mem-opt: interrupted: no output file is written");
    // SAFETY: ends the process at once. Destructors and handlers of `exit` would run while other threads
    // are still working.
    unsafe { libc::_exit(INTERRUPTED) }
}

fn line() -> Option<MutexGuard<'static, Line>> {
    let line = LINE.get()?;
    Some(line.lock().unwrap_or_else(PoisonError::into_inner))
}

fn clear() {
    if let Some(mut line) = line() {
        line.clear();
    }
}

/// Starts to update the line, if standard error is a terminal.
fn show_line() {
    if !std::io::stderr().is_terminal() {
        return;
    }
    LINE.get_or_init(|| Mutex::new(Line::default()));
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(TICK);
            if let Some(mut line) = line() {
                line.draw();
            }
        }
    });
}

/// The progress of the pass that is running.
#[derive(Default)]
struct Line {
    pass: &'static str,
    search: Option<Search>,
    bar: Option<ProgressBar>,
}

/// A search, from its first report.
#[derive(Clone, Copy)]
struct Search {
    state: Searching,
    /// When the pass reported its first search.
    since: Instant,
    /// When this effort began to be spent. A pass may search several times.
    effort_since: Instant,
    /// When the state was reported.
    reported: Instant,
}

impl Line {
    fn take(&mut self, event: Event) {
        match event {
            Event::Begin(pass) => {
                self.clear();
                (self.pass, self.search) = (pass, None);
            }
            Event::Search(state) => {
                let now = Instant::now();
                let before = self.search.filter(|own| is_continued(&own.state, &state));
                self.search = Some(Search {
                    state,
                    since: self.search.map_or(now, |own| own.since),
                    effort_since: before.map_or(now, |own| own.effort_since),
                    reported: now,
                });
            }
            Event::Print => self.clear(),
            Event::End => {
                self.clear();
                self.search = None;
            }
        }
    }

    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn draw(&mut self) {
        let Some(search) = self.search else {
            return;
        };
        if observe::is_stopped() || search.since.elapsed() < SHOWN_AFTER {
            return;
        }
        let text = search.text(self.pass, Instant::now());
        let bar = self.bar.get_or_insert_with(|| {
            let target = ProgressDrawTarget::stderr();
            let bar =
                ProgressBar::with_draw_target(None, target).with_elapsed(search.since.elapsed());
            let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        });
        bar.set_message(text);
        bar.tick();
    }
}

/// Whether `now` is a later state of the search that was at `before`.
fn is_continued(before: &Searching, now: &Searching) -> bool {
    now.spent >= before.spent
}

impl Search {
    /// For example `mem-offload: best 5210000 cycles, bound 5000000 cycles (1.042); about 12 s left`.
    fn text(&self, pass: &str, now: Instant) -> String {
        let mut text = format!("{pass}: ");
        text += &match self.state.best {
            Some(best) => format!("best {}", shown(best)),
            None => "no plan yet".to_owned(),
        };
        if let Some(bound) = self.state.bound {
            text += &format!(", bound {}", shown(bound));
            if let Some(best) = self.state.best {
                let ratio = number(best) as f64 / number(bound).max(1) as f64;
                text += &format!(" ({ratio:.3})");
            }
        }
        if let Some(spent) = self.state.spent.filter(|spent| *spent >= LEAST_SPENT) {
            let elapsed = self.reported.duration_since(self.effort_since);
            let left = elapsed.as_secs_f64() * (1.0 - spent) / spent;
            let left = left - now.duration_since(self.reported).as_secs_f64();
            text += &format!("; about {:.0} s left", left.max(0.0));
        }
        text
    }
}

fn number(quantity: Quantity) -> u64 {
    match quantity {
        Quantity::Peak(bytes) => bytes.get(),
        Quantity::Cycles(cycles) => cycles,
    }
}

fn shown(quantity: Quantity) -> String {
    match quantity {
        Quantity::Peak(bytes) => bytes.human().to_string(),
        Quantity::Cycles(cycles) => format!("{cycles} cycles"),
    }
}

#[cfg(test)]
mod tests {
    use mem_model::Bytes;

    use super::*;

    fn text(state: Searching, elapsed: u64) -> String {
        let since = Instant::now();
        let reported = since + Duration::from_secs(elapsed);
        let search = Search {
            state,
            since,
            effort_since: since,
            reported,
        };
        search.text("mem-plan", reported + Duration::from_secs(1))
    }

    #[test]
    fn the_line_states_what_is_known() {
        let nothing = Searching {
            best: None,
            bound: None,
            spent: None,
        };
        assert_eq!(text(nothing, 2), "mem-plan: no plan yet");
        let peak = Searching {
            best: Some(Quantity::Peak(Bytes::new(3072))),
            bound: Some(Quantity::Peak(Bytes::new(2048))),
            ..nothing
        };
        assert_eq!(
            text(peak, 2),
            "mem-plan: best 3.0 KiB, bound 2.0 KiB (1.500)"
        );
        let cycles = Searching {
            best: Some(Quantity::Cycles(100)),
            spent: Some(0.25),
            ..nothing
        };
        assert_eq!(
            text(cycles, 4),
            "mem-plan: best 100 cycles; about 11 s left"
        );
    }

    #[test]
    fn a_search_that_starts_over_gets_a_new_estimate() {
        let at = |spent| Searching {
            best: None,
            bound: None,
            spent,
        };
        assert!(is_continued(&at(Some(0.2)), &at(Some(0.3))));
        assert!(!is_continued(&at(Some(0.9)), &at(Some(0.1))));
        assert!(is_continued(&at(None), &at(None)));
    }
}
