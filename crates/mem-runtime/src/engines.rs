//! Copy engines: threads that copy in the background.
//!
//! A ticket is the number of a copy on its engine, and an engine counts how many are done: O(1) for each, whatever is under
//! way.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Bytes that are copied between two looks at the clock.
const CHUNK: usize = 64 << 10;

/// How fast an engine is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Bytes a second; more than zero.
    pub bandwidth: f64,
    /// What every copy takes in addition.
    pub latency: Duration,
}

impl Rate {
    /// How long a copy takes from its beginning until so many of its bytes are there.
    fn duration(self, bytes: usize) -> Duration {
        let transfer = Duration::try_from_secs_f64(bytes as f64 / self.bandwidth);
        self.latency
            .saturating_add(transfer.unwrap_or(Duration::MAX))
    }
}

/// A copy that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket {
    /// The number of the engine.
    pub engine: u16,
    /// The number of the copy on it, from one.
    pub number: u64,
}

/// Why a copy cannot begin, or cannot be waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CopyError {
    /// The program was planned for more engines than it runs with.
    #[error("there is no copy engine {0}")]
    NoEngine(u16),
    /// The system has no thread for the engine.
    #[error("copy engine {0} has no thread")]
    NoThread(u16),
    /// The engine could not do it.
    #[error("copy {number} on engine {engine} failed")]
    Failed {
        /// The number of the engine.
        engine: u16,
        /// The number of the copy on it.
        number: u64,
    },
    /// Nothing with this ticket has begun.
    #[error("copy {number} on engine {engine} never began")]
    NoCopy {
        /// The number of the engine.
        engine: u16,
        /// The number of the copy on it.
        number: u64,
    },
}

/// One copy, when it is done. Times are since the engines were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// What was copied.
    pub ticket: Ticket,
    /// How much.
    pub bytes: usize,
    /// When the program asked for it.
    pub issued: Duration,
    /// When the engine began.
    pub start: Duration,
    /// When the last byte was there.
    pub end: Duration,
    /// When the program first waited for it; `None`: not by its own ticket.
    pub needed: Option<Duration>,
}

impl Copied {
    /// How long the program waited for it.
    #[must_use]
    pub fn waited(&self) -> Duration {
        let needed = self.needed.unwrap_or(self.end);
        self.end.saturating_sub(needed)
    }
}

/// What engines have done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// All copies, by engine and in their order.
    pub copies: Vec<Copied>,
    /// How long the program waited for them in all.
    pub waited: Duration,
    /// Copies that nobody waited for.
    pub n_unawaited: u64,
}

/// Addresses that another thread copies between.
struct Job {
    from: *const u8,
    to: *mut u8,
    bytes: usize,
    issued: Duration,
    fails: bool,
}

// SAFETY: whoever begins a copy promises that the bytes are alive, and nobody else's, until it is waited for.
unsafe impl Send for Job {}

#[derive(Default)]
struct Progress {
    /// By engine: how many copies are done.
    n_done: Vec<u64>,
    copies: Vec<Copied>,
    waited: Duration,
    /// By engine: the latest copy that was waited for.
    awaited: Vec<u64>,
    /// When each was first waited for.
    needed: HashMap<Ticket, Duration>,
    /// Those that failed.
    failed: BTreeSet<Ticket>,
}

struct Shared {
    /// The number of the copy, of all, that fails.
    fails: Option<u64>,
    n_begun: AtomicU64,
    progress: Mutex<Progress>,
    arrived: Condvar,
    origin: Instant,
}

impl Shared {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        // Nothing panics while it holds the lock.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An engine that runs.
struct Engine {
    jobs: Sender<Job>,
    thread: JoinHandle<()>,
    n_begun: u64,
}

/// Copy engines, numbered from zero. A thread starts with the first copy of its engine; when the engines are dropped, what has begun
/// is finished.
pub struct Engines {
    rates: Vec<Option<Rate>>,
    running: Mutex<Vec<Option<Engine>>>,
    shared: Arc<Shared>,
}

impl Engines {
    /// As many engines as there are rates; `None`: as fast as memory.
    #[must_use]
    pub fn new(rates: Vec<Option<Rate>>) -> Self {
        Self::failing(rates, None)
    }

    /// Engines of which one fails: at the `fails`-th copy that begins, from one. For tests of what a program does then.
    #[must_use]
    pub fn failing(rates: Vec<Option<Rate>>, fails: Option<u64>) -> Self {
        let progress = Progress {
            n_done: vec![0; rates.len()],
            awaited: vec![0; rates.len()],
            ..Progress::default()
        };
        Self {
            running: Mutex::new(rates.iter().map(|_| None).collect()),
            rates,
            shared: Arc::new(Shared {
                fails,
                n_begun: AtomicU64::new(0),
                progress: Mutex::new(progress),
                arrived: Condvar::new(),
                origin: Instant::now(),
            }),
        }
    }

    fn running(&self) -> MutexGuard<'_, Vec<Option<Engine>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has an engine copy `bytes` bytes, behind all that it was asked for before.
    ///
    /// # Errors
    /// If there is no such engine, or the system has no thread for it: then nothing is copied.
    ///
    /// # Safety
    /// Until the copy is waited for or the engines are dropped, the bytes at `from` are alive and nobody writes to them, and the
    /// bytes at `to` are alive and nobody else accesses them. They do not overlap.
    pub unsafe fn begin(
        &self,
        engine: u16,
        from: *const u8,
        to: *mut u8,
        bytes: usize,
    ) -> Result<Ticket, CopyError> {
        let mut running = self.running();
        let slot = running.get_mut(usize::from(engine));
        let slot = slot.ok_or(CopyError::NoEngine(engine))?;
        if slot.is_none() {
            *slot = Some(
                self.start(engine)
                    .map_err(|_| CopyError::NoThread(engine))?,
            );
        }
        let known = slot.as_mut().ok_or(CopyError::NoThread(engine))?;
        let job = Job {
            from,
            to,
            bytes,
            issued: self.shared.origin.elapsed(),
            fails: self.shared.fails
                == Some(self.shared.n_begun.fetch_add(1, Ordering::Relaxed) + 1),
        };
        known
            .jobs
            .send(job)
            .map_err(|_| CopyError::NoThread(engine))?;
        known.n_begun += 1;
        Ok(Ticket {
            engine,
            number: known.n_begun,
        })
    }

    fn start(&self, engine: u16) -> std::io::Result<Engine> {
        let (jobs, queue) = channel::<Job>();
        let shared = Arc::clone(&self.shared);
        let rate = self.rates[usize::from(engine)];
        let work = move || {
            for (job, number) in queue.into_iter().zip(1..) {
                let ticket = Ticket { engine, number };
                copy(&shared, ticket, &job, rate);
            }
        };
        let builder = std::thread::Builder::new().name(format!("copy engine {engine}"));
        Ok(Engine {
            jobs,
            thread: builder.spawn(work)?,
            n_begun: 0,
        })
    }

    /// Returns when a copy is done.
    ///
    /// # Errors
    /// If it never began, or failed.
    pub fn wait(&self, ticket: Ticket) -> Result<(), CopyError> {
        let Ticket { engine, number } = ticket;
        let index = usize::from(engine);
        {
            let running = self.running();
            let known = running.get(index).ok_or(CopyError::NoEngine(engine))?;
            let n_begun = known.as_ref().map_or(0, |engine| engine.n_begun);
            if number == 0 || number > n_begun {
                return Err(CopyError::NoCopy { engine, number });
            }
        }
        let start = Instant::now();
        let needed = self.shared.origin.elapsed();
        let mut progress = self.shared.progress();
        progress.needed.entry(ticket).or_insert(needed);
        while progress.n_done[index] < number {
            let woken = self.shared.arrived.wait(progress);
            progress = woken.unwrap_or_else(PoisonError::into_inner);
        }
        progress.waited += start.elapsed();
        progress.awaited[index] = progress.awaited[index].max(number);
        // Who waits for the last waits for all.
        let mut failed = progress.failed.iter();
        match failed.find(|own| own.engine == engine && own.number <= number) {
            Some(Ticket { engine, number }) => Err(CopyError::Failed {
                engine: *engine,
                number: *number,
            }),
            None => Ok(()),
        }
    }

    /// Finishes what has begun, and says what was done.
    #[must_use]
    pub fn finish(self) -> Usage {
        let n_begun = self.join();
        let mut progress = self.shared.progress();
        let open = n_begun.iter().zip(&progress.awaited);
        let n_unawaited = open.map(|(begun, awaited)| begun - awaited).sum();
        let mut copies = std::mem::take(&mut progress.copies);
        for copied in &mut copies {
            copied.needed = progress.needed.get(&copied.ticket).copied();
        }
        copies.sort_by_key(|copied| (copied.ticket.engine, copied.ticket.number));
        Usage {
            copies,
            waited: progress.waited,
            n_unawaited,
        }
    }

    /// Ends all threads; returns how many copies each engine has made.
    fn join(&self) -> Vec<u64> {
        let running: Vec<Option<Engine>> = self.running().iter_mut().map(Option::take).collect();
        let ended = running.into_iter().map(|engine| {
            engine.map_or(0, |engine| {
                drop(engine.jobs);
                // It does not panic, and if it did, it would be done.
                let _ = engine.thread.join();
                engine.n_begun
            })
        });
        ended.collect()
    }
}

impl Drop for Engines {
    fn drop(&mut self) {
        self.join();
    }
}

/// Copies, not faster than the engine is.
fn copy(shared: &Shared, ticket: Ticket, job: &Job, rate: Option<Rate>) {
    let start = shared.origin.elapsed();
    let chunk = rate.map_or(job.bytes.max(1), |_| CHUNK);
    let mut done = 0;
    while done < job.bytes && !job.fails {
        let length = chunk.min(job.bytes - done);
        // SAFETY: `begin` was promised that these bytes are there, and nobody else's.
        unsafe { std::ptr::copy_nonoverlapping(job.from.add(done), job.to.add(done), length) };
        done += length;
        if let Some(rate) = rate {
            let due = start.saturating_add(rate.duration(done));
            std::thread::sleep(due.saturating_sub(shared.origin.elapsed()));
        }
    }
    let end = shared.origin.elapsed();
    let mut progress = shared.progress();
    progress.n_done[usize::from(ticket.engine)] = ticket.number;
    progress.copies.push(Copied {
        ticket,
        bytes: job.bytes,
        issued: job.issued,
        start,
        end,
        needed: None,
    });
    if job.fails {
        progress.failed.insert(ticket);
    }
    shared.arrived.notify_all();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(engines: &Engines, engine: u16, from: &[u8], to: &mut [u8]) -> Ticket {
        // SAFETY: callers keep both until the engines are gone.
        let begun = unsafe { engines.begin(engine, from.as_ptr(), to.as_mut_ptr(), from.len()) };
        begun.expect("the engine runs")
    }

    #[test]
    fn what_is_waited_for_is_there() {
        let from: Vec<u8> = (0..200_000_u32).map(|i| i as u8).collect();
        let mut to = vec![0; from.len()];
        let engines = Engines::new(vec![None, None]);
        let ticket = begin(&engines, 1, &from, &mut to);
        engines.wait(ticket).expect("it began");
        assert_eq!(from, to);
        let usage = engines.finish();
        assert_eq!((usage.copies.len(), usage.n_unawaited), (1, 0));
        assert_eq!(usage.copies[0].bytes, 200_000);
    }

    /// An engine that did not keep the order would hand on bytes that are not there yet.
    #[test]
    fn copies_of_one_engine_are_made_in_their_order() {
        let from = vec![7_u8; 100_000];
        let (mut middle, mut to) = (vec![0; from.len()], vec![0; from.len()]);
        let slow = Rate {
            bandwidth: 1e8,
            latency: Duration::ZERO,
        };
        let engines = Engines::new(vec![Some(slow)]);
        let middle_address = middle.as_mut_ptr();
        begin(&engines, 0, &from, &mut middle);
        // SAFETY: the first copy, to the same bytes, is done when this one begins.
        let last = unsafe { engines.begin(0, middle_address, to.as_mut_ptr(), from.len()) };
        engines.wait(last.expect("it runs")).expect("it began");
        assert_eq!(to, from);
        // Who waits for the last has waited for all.
        assert_eq!(engines.finish().n_unawaited, 0);
    }

    #[test]
    fn an_engine_is_no_faster_than_it_says() {
        let (from, mut to) = (vec![1_u8; 200_000], vec![0; 200_000]);
        let rate = Rate {
            bandwidth: 1e7,
            latency: Duration::from_millis(5),
        };
        let engines = Engines::new(vec![Some(rate)]);
        let ticket = begin(&engines, 0, &from, &mut to);
        engines.wait(ticket).expect("it began");
        let usage = engines.finish();
        let took = usage.copies[0].end - usage.copies[0].start;
        assert!(took >= Duration::from_millis(25), "{took:?}");
    }

    #[test]
    fn dropping_the_engines_finishes_what_has_begun() {
        let (from, mut to) = (vec![3_u8; 1_000_000], vec![0; 1_000_000]);
        let engines = Engines::new(vec![None]);
        begin(&engines, 0, &from, &mut to);
        assert_eq!(engines.finish().n_unawaited, 1);
        assert_eq!(from, to);
    }

    #[test]
    fn a_copy_that_fails_is_an_error_where_it_is_waited_for() {
        let (from, mut to) = ([1_u8; 8], [0_u8; 8]);
        let engines = Engines::failing(vec![None], Some(2));
        let [first, second] = [0, 1].map(|_| begin(&engines, 0, &from, &mut to));
        assert_eq!(engines.wait(first), Ok(()));
        let failed = CopyError::Failed {
            engine: 0,
            number: 2,
        };
        assert_eq!(engines.wait(second), Err(failed));
        // Whoever waits for what comes behind it is told, too.
        let third = begin(&engines, 0, &from, &mut to);
        assert_eq!(engines.wait(third), Err(failed));
        assert_eq!(engines.finish().copies.len(), 3);
    }

    #[test]
    fn what_never_began_is_an_error() {
        let engines = Engines::new(vec![None]);
        let ticket = |engine, number| Ticket { engine, number };
        let never = CopyError::NoCopy {
            engine: 0,
            number: 1,
        };
        assert_eq!(engines.wait(ticket(0, 1)), Err(never));
        assert_eq!(engines.wait(ticket(3, 1)), Err(CopyError::NoEngine(3)));
        let (from, mut to) = ([0_u8; 1], [0_u8; 1]);
        // SAFETY: nothing is copied.
        let begun = unsafe { engines.begin(2, from.as_ptr(), to.as_mut_ptr(), 1) };
        assert_eq!(begun, Err(CopyError::NoEngine(2)));
    }
}
