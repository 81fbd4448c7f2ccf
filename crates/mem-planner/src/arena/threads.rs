//! Work that several threads share, with results that do not depend on their number.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Creates threads, 0 for one per core; `None`: the calling thread does the work.
pub(super) fn pool(n_threads: usize) -> Option<rayon::ThreadPool> {
    if n_threads == 1 {
        return None;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
    pool.build().ok()
}

/// Runs two tasks, at once if there are threads.
pub(super) fn both<A: Send, B: Send>(
    pool: Option<&rayon::ThreadPool>,
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    match pool {
        Some(pool) => pool.join(first, second),
        None => (first(), second()),
    }
}

/// Runs the tasks `0..n_tasks`, and returns the results up to the first that is `last`, or of all if none
/// is. Threads may run tasks past that one in vain.
pub(super) fn until<T: Send>(
    pool: Option<&rayon::ThreadPool>,
    n_tasks: usize,
    task: impl Fn(usize) -> T + Sync,
    is_last: impl Fn(&T) -> bool + Sync,
) -> Vec<T> {
    let (next, end) = (AtomicUsize::new(0), AtomicUsize::new(n_tasks));
    let results = Mutex::new(Vec::new());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= end.load(Ordering::Relaxed) {
                return;
            }
            let result = task(number);
            if is_last(&result) {
                end.fetch_min(number + 1, Ordering::Relaxed);
            }
            let mut results = results.lock().expect("no task panics");
            results.push((number, result));
        }
    };
    match pool.filter(|_| n_tasks > 1) {
        Some(pool) => drop(pool.broadcast(|_| work())),
        None => work(),
    }
    let mut results = results.into_inner().expect("no task panics");
    results.sort_unstable_by_key(|(number, _)| *number);
    results.truncate(end.into_inner());
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_end_with_the_first_that_is_last_whatever_the_threads() {
        for n_threads in [1, 2, 5] {
            let pool = pool(n_threads);
            for last in 0..12 {
                let results = until(pool.as_ref(), 10, |n| n * n, |own| *own >= last * last);
                let expected: Vec<usize> = (0..10).take(last + 1).map(|n| n * n).collect();
                assert_eq!(results, expected);
            }
        }
    }

    #[test]
    fn one_thread_runs_no_task_in_vain() {
        let n_runs = AtomicUsize::new(0);
        let task = |number| (n_runs.fetch_add(1, Ordering::Relaxed), number).1;
        assert_eq!(until(None, 10, task, |number| *number == 3).len(), 4);
        assert_eq!(n_runs.into_inner(), 4);
    }
}
