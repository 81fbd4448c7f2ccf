//! Copy engines: threads that copy in the background.
//!
//! A ticket is the number of a copy on its engine, and an engine counts its completed copies. Both
//! take O(1), regardless of the number of copies in flight.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Number of bytes copied between two looks at the clock.
const CHUNK: usize = 64 << 10;

/// Speed of an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Bytes per second; greater than zero.
    pub bandwidth: f64,
    /// Additional time of each copy.
    pub latency: Duration,
}

impl Rate {
    /// Time from the start of a copy until its first `bytes` bytes have been copied.
    fn duration(self, bytes: usize) -> Duration {
        let transfer = Duration::try_from_secs_f64(bytes as f64 / self.bandwidth);
        self.latency
            .saturating_add(transfer.unwrap_or(Duration::MAX))
    }
}

/// Handle of a copy that was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket {
    /// Index of the engine.
    pub engine: u16,
    /// Number of the copy on its engine, starting at one.
    pub number: u64,
}

/// Why a copy cannot be started or waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CopyError {
    /// The program was planned for more engines than it runs with.
    #[error("there is no copy engine {0}")]
    NoEngine(u16),
    /// The system cannot provide a thread for the engine.
    #[error("copy engine {0} has no thread")]
    NoThread(u16),
    /// The engine failed to perform the copy.
    #[error("copy {number} on engine {engine} failed")]
    Failed {
        /// Index of the engine.
        engine: u16,
        /// Number of the copy on its engine.
        number: u64,
    },
    /// No copy with this ticket was started.
    #[error("copy {number} on engine {engine} never began")]
    NoCopy {
        /// Index of the engine.
        engine: u16,
        /// Number of the copy on its engine.
        number: u64,
    },
}

/// Record of a completed copy. Times are relative to the creation of the engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The copy's ticket.
    pub ticket: Ticket,
    /// Number of bytes.
    pub bytes: usize,
    /// When the program issued the copy.
    pub issued: Duration,
    /// When the engine started the copy.
    pub start: Duration,
    /// When the copy completed.
    pub end: Duration,
    /// When the program first waited for the copy; `None` if it never waited for this ticket.
    pub needed: Option<Duration>,
}

impl Copied {
    /// Returns how long the program stalled for the copy.
    #[must_use]
    pub fn waited(&self) -> Duration {
        let needed = self.needed.unwrap_or(self.end);
        self.end.saturating_sub(needed)
    }
}

/// Statistics of all engines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// All copies, by engine, in issue order.
    pub copies: Vec<Copied>,
    /// Total time that the program spent waiting.
    pub waited: Duration,
    /// Number of copies that the program never waited for.
    pub n_unawaited: u64,
}

/// A copy in an engine's queue.
struct Job {
    from: *const u8,
    to: *mut u8,
    bytes: usize,
    issued: Duration,
    fails: bool,
}

// SAFETY: the caller of `Engines::begin` promises that the bytes stay alive, and are not accessed
// in conflict with the copy, until the wait.
unsafe impl Send for Job {}

#[derive(Default)]
struct Progress {
    /// Per engine: number of completed copies.
    n_done: Vec<u64>,
    copies: Vec<Copied>,
    waited: Duration,
    /// Per engine: number of the latest copy waited for.
    awaited: Vec<u64>,
    /// When each copy was first waited for.
    needed: HashMap<Ticket, Duration>,
    /// Copies that failed.
    failed: BTreeSet<Ticket>,
}

struct Shared {
    /// Number of the copy that fails, counted over all engines from one.
    fails: Option<u64>,
    n_begun: AtomicU64,
    progress: Mutex<Progress>,
    arrived: Condvar,
    origin: Instant,
}

impl Shared {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        // Nothing panics while holding the lock.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running engine.
struct Engine {
    jobs: Sender<Job>,
    thread: JoinHandle<()>,
    n_begun: u64,
}

/// Copy engines, numbered from zero. An engine's thread starts with its first copy. Dropping the
/// engines finishes all copies in flight.
pub struct Engines {
    rates: Vec<Option<Rate>>,
    running: Mutex<Vec<Option<Engine>>>,
    shared: Arc<Shared>,
}

impl Engines {
    /// Creates one engine per rate; `None` stands for an engine as fast as memory.
    #[must_use]
    pub fn new(rates: Vec<Option<Rate>>) -> Self {
        Self::failing(rates, None)
    }

    /// Creates engines of which the `fails`-th copy to be started, counted from one, fails. For
    /// tests of a program's error handling.
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

    /// Enqueues a copy of `bytes` bytes on an engine, after all copies enqueued there before.
    ///
    /// # Errors
    /// If there is no such engine, or the system cannot provide a thread for it. Nothing is copied
    /// then.
    ///
    /// # Safety
    /// Until the copy is waited for or the engines are dropped, the bytes at `from` must stay alive
    /// and must not be written, and the bytes at `to` must stay alive and must not be accessed
    /// otherwise. The two ranges must not overlap.
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
        // Still under the lock, so that numbers follow the order of the queue.
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

    /// Blocks until a copy is complete.
    ///
    /// # Errors
    /// If the copy was never started, or if it or an earlier copy of its engine failed.
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
        // Copies of an engine complete in order: waiting for one waits for all before it.
        let mut failed = progress.failed.iter();
        match failed.find(|own| own.engine == engine && own.number <= number) {
            Some(Ticket { engine, number }) => Err(CopyError::Failed {
                engine: *engine,
                number: *number,
            }),
            None => Ok(()),
        }
    }

    /// Finishes all copies in flight, and returns the statistics.
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

    /// Joins all threads. Returns the number of copies of each engine.
    fn join(&self) -> Vec<u64> {
        let running: Vec<Option<Engine>> = self.running().iter_mut().map(Option::take).collect();
        let ended = running.into_iter().map(|engine| {
            engine.map_or(0, |engine| {
                drop(engine.jobs);
                // The thread does not panic; if it did, nothing would be left to do.
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

/// Performs a copy, no faster than the engine's rate.
fn copy(shared: &Shared, ticket: Ticket, job: &Job, rate: Option<Rate>) {
    let start = shared.origin.elapsed();
    let chunk = rate.map_or(job.bytes.max(1), |_| CHUNK);
    let mut done = 0;
    while done < job.bytes && !job.fails {
        let length = chunk.min(job.bytes - done);
        // SAFETY: the caller of `begin` promises that these bytes are alive and not accessed
        // otherwise.
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
        // SAFETY: callers keep both buffers alive until the engines are dropped.
        let begun = unsafe { engines.begin(engine, from.as_ptr(), to.as_mut_ptr(), from.len()) };
        begun.expect("the engine runs")
    }

    #[test]
    fn awaited_transfers_are_complete() {
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

    /// An engine that reorders copies would read bytes that have not arrived yet.
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
        // SAFETY: the first copy, to the same bytes, completes before this one starts.
        let last = unsafe { engines.begin(0, middle_address, to.as_mut_ptr(), from.len()) };
        engines.wait(last.expect("it runs")).expect("it began");
        assert_eq!(to, from);
        // Waiting for the last copy waits for all.
        assert_eq!(engines.finish().n_unawaited, 0);
    }

    #[test]
    fn an_engine_is_no_faster_than_its_bandwidth() {
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
    fn dropping_the_engines_finishes_transfers_in_flight() {
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
        // Waiting for a later copy reports the failure as well.
        let third = begin(&engines, 0, &from, &mut to);
        assert_eq!(engines.wait(third), Err(failed));
        assert_eq!(engines.finish().copies.len(), 3);
    }

    #[test]
    fn waiting_without_a_transfer_is_an_error() {
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
