//! The searches of a command as its user sees them: progress on a terminal, and interrupts.
//!
//! While a search takes longer than a second, a line on standard error shows the pass, the best plan so
//! far, the lower bound and an estimate of the time that is left. Nothing is printed if standard error is no
//! terminal. The first interrupt ends all searches: the command goes on with the best plans so far, which
//! are verified and written as always. The next one ends the process, without an output file.

use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mem_planner::observe::{self, Event, Quantity, Searching};

use crate::on_interrupt;

/// Searches that take less time are not shown.
const SHOWN_AFTER: Duration = Duration::from_secs(1);

/// Time between two updates of the line.
const TICK: Duration = Duration::from_millis(100);

/// Below this fraction of spent effort, the time that is left is not estimated.
const LEAST_SPENT: f64 = 0.02;

/// Exit status of a process that an interrupt has ended, as shells report it.
pub const INTERRUPTED: i32 = 130;

/// Whether there was an interrupt.
static WAS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The name of the command, for messages.
static COMMAND: OnceLock<&str> = OnceLock::new();

/// The line, if there is a terminal.
static LINE: OnceLock<Mutex<Line>> = OnceLock::new();

/// Observes the searches of this process, that of `command`. The second interrupt calls `end`, which
/// removes the output file and ends the process with status [`INTERRUPTED`]. `after_pass` is called at the
/// end of each pass.
pub fn watch(command: &'static str, end: fn(), after_pass: fn()) {
    let _ = COMMAND.set(command);
    observe::observe(move |event| {
        if let Event::Begin(_) = event {
            // Not earlier: before there is a search, whatever handles interrupts does what it should,
            // as LLVM's handler, which is installed together with the output file.
            static ONCE: Once = Once::new();
            ONCE.call_once(|| {
                on_interrupt(end_searches, move || end_process(end));
                show_line();
            });
        }
        if let Some(mut line) = line() {
            line.take(event);
        }
        if event == Event::End {
            after_pass();
        }
    });
}

/// The message at the end of a run that was interrupted, once. `is_failed`: whether there is no output.
pub fn report_interrupt(is_failed: bool) {
    if !WAS_INTERRUPTED.swap(false, Ordering::Relaxed) {
        return;
    }
    report(match is_failed {
        true => "interrupted before there was a plan: nothing is written",
        false => "interrupted: the plans are the best found so far, and verified",
    });
}

/// Prints a message of the command. A standard error that is closed is no reason to fail.
fn report(message: &str) {
    let command = COMMAND.get().unwrap_or(&"");
    let _ = writeln!(std::io::stderr(), "{command}: {message}");
}

fn end_searches() {
    WAS_INTERRUPTED.store(true, Ordering::Relaxed);
    observe::stop_searches();
    clear();
    report("interrupted: ending the search; interrupt again to end without output");
}

fn end_process(end: fn()) {
    clear();
    report("interrupted: no output file is written");
    end();
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
    /// The passes that run, each started by the one before it. A pass may run others on copies.
    passes: Vec<&'static str>,
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
                self.passes.push(pass);
                self.search = None;
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
                self.passes.pop();
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
        let pass = self.passes.last().unwrap_or(&"");
        let text = search.text(pass, Instant::now());
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
    fn a_pass_that_has_run_others_is_named_again() {
        let mut line = Line::default();
        for pass in ["mem-tile", "mem-cse"] {
            line.take(Event::Begin(pass));
        }
        assert_eq!(line.passes.last(), Some(&"mem-cse"));
        line.take(Event::End);
        assert_eq!(line.passes.last(), Some(&"mem-tile"));
        line.take(Event::End);
        assert!(line.passes.is_empty());
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
