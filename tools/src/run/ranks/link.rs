//! A slow link between the ranks, and the time that a rank waits for others.
//!
//! All ranks are on one machine, and its messages are fast. For measurements, compiled code calls the
//! functions below in place of those of the library. A link carries the messages of a rank one after
//! the other: a message leaves when those before it have left, takes its bytes divided by the
//! bandwidth to leave, and arrives after the latency. A send is complete when the message has left, and
//! a receive when it has arrived. The time of arrival travels as a message of its own, on a communicator
//! of its own; all ranks read one clock. A reduction takes the time of a ring: a message of the whole
//! buffer there and back.
//!
//! The messages themselves are those of the library, so a message is never earlier than it would be
//! without the link. Only communicators that the program creates by splitting are known.

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::RanksError;
use super::worker::Library;

/// Speed of the link that each rank sends on.
#[derive(Clone, Copy, Debug)]
pub struct LinkSpeed {
    /// Time from the moment a message has left until it has arrived.
    pub latency: Duration,
    /// Bytes per second.
    pub bandwidth: f64,
}

impl LinkSpeed {
    /// The line of the manifest that states the speed.
    pub(super) fn line(&self) -> String {
        format!("{KIND} {} {}\n", self.latency.as_nanos(), self.bandwidth)
    }

    /// Reads what [`LinkSpeed::line`] writes; `None` if it is another line.
    pub(super) fn read(line: &str) -> Option<Self> {
        let numbers = line.strip_prefix(KIND)?.trim();
        let (latency, bandwidth) = numbers.split_once(' ')?;
        Some(Self {
            latency: Duration::from_nanos(latency.parse().ok()?),
            bandwidth: bandwidth.parse().ok()?,
        })
    }

    /// Nanoseconds that bytes take to leave.
    fn nanoseconds(&self, bytes: usize) -> u64 {
        (bytes as f64 / self.bandwidth * 1e9).ceil() as u64
    }
}

/// The kind of line in the manifest.
const KIND: &str = "link";

type Message = extern "C" fn(i64, i32, i64, i32, i32, i64, *mut i64) -> i32;

/// Functions of the library, with addresses and handles as integers.
#[derive(Clone, Copy)]
struct Mpi {
    isend: Message,
    irecv: Message,
    wait: extern "C" fn(*mut i64, i64) -> i32,
    allreduce: extern "C" fn(i64, i64, i32, i64, i64, i64) -> i32,
    barrier: extern "C" fn(i64) -> i32,
    duplicate: extern "C" fn(i64, *mut i64) -> i32,
    split: extern "C" fn(i64, i32, i32, *mut i64) -> i32,
    size_of: extern "C" fn(i64, *mut i32) -> i32,
    /// The type of a byte.
    byte: i64,
    world: i64,
}

/// A message in flight.
struct Flight {
    /// The request of the message.
    request: i64,
    /// The request of the message that carries the time of arrival.
    stamp: i64,
    /// The time of arrival, at a fixed address; that of a send is known.
    arrival: Box<u64>,
    /// Of a send: when the message has left.
    left: Option<u64>,
}

/// The link of this rank.
struct Link {
    mpi: Mpi,
    speed: LinkSpeed,
    /// When the last message has left.
    free: u64,
    /// By the handle that compiled code has: the library has one request for all messages that are
    /// over when they start.
    flights: HashMap<i64, Flight>,
    next: i64,
    /// By communicator: the one for times of arrival.
    stamps: HashMap<i64, i64>,
    /// Nanoseconds spent waiting in this run.
    waited: u64,
    /// The same for the runs before.
    runs: Vec<u64>,
}

static LINK: Mutex<Option<Link>> = Mutex::new(None);

fn link() -> MutexGuard<'static, Option<Link>> {
    LINK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Nanoseconds of the clock that all processes share.
fn now() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the clock exists, and the result is written to a valid address.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn sleep_until(end: u64) {
    while let Some(left) = end.checked_sub(now()).filter(|left| *left > 0) {
        std::thread::sleep(Duration::from_nanos(left));
    }
}

/// Makes the functions of this module stand for those of the library.
pub(super) fn install(library: &Library, speed: LinkSpeed) -> Result<(), RanksError> {
    let symbol = |name: &CStr| library.find(name);
    // SAFETY: the functions have these signatures in every version of MPI. Pointers and handles are
    // passed as integers of the same size.
    let mpi = unsafe {
        Mpi {
            isend: std::mem::transmute::<*mut c_void, Message>(symbol(c"MPI_Isend")?),
            irecv: std::mem::transmute::<*mut c_void, Message>(symbol(c"MPI_Irecv")?),
            wait: std::mem::transmute::<*mut c_void, extern "C" fn(*mut i64, i64) -> i32>(symbol(
                c"MPI_Wait",
            )?),
            allreduce: std::mem::transmute::<
                *mut c_void,
                extern "C" fn(i64, i64, i32, i64, i64, i64) -> i32,
            >(symbol(c"MPI_Allreduce")?),
            barrier: std::mem::transmute::<*mut c_void, extern "C" fn(i64) -> i32>(symbol(
                c"MPI_Barrier",
            )?),
            duplicate: std::mem::transmute::<*mut c_void, extern "C" fn(i64, *mut i64) -> i32>(
                symbol(c"MPI_Comm_dup")?,
            ),
            split: std::mem::transmute::<*mut c_void, extern "C" fn(i64, i32, i32, *mut i64) -> i32>(
                symbol(c"MPI_Comm_split")?,
            ),
            size_of: std::mem::transmute::<*mut c_void, extern "C" fn(i64, *mut i32) -> i32>(
                symbol(c"MPI_Type_size")?,
            ),
            byte: symbol(c"ompi_mpi_byte")? as i64,
            world: symbol(c"ompi_mpi_comm_world")? as i64,
        }
    };
    let mut own = Link {
        mpi,
        speed,
        free: 0,
        flights: HashMap::new(),
        next: 1,
        stamps: HashMap::new(),
        waited: 0,
        runs: Vec::new(),
    };
    own.know(mpi.world);
    *link() = Some(own);
    Ok(())
}

/// Whether this process is a rank, for which the library has been initialized.
static IS_RANK: AtomicBool = AtomicBool::new(false);

/// Marks this process as a rank.
pub(super) fn begin_worker() {
    IS_RANK.store(true, Ordering::Relaxed);
}

/// Does nothing, successfully: the library is initialized once, and both programs run in between.
extern "C" fn initialize(_: i64, _: i64) -> i32 {
    0
}

extern "C" fn finalize() -> i32 {
    0
}

/// Prints what a failed assertion says, before it aborts. The output of a rank is no terminal, so that
/// the C library would keep the text in a buffer, which is lost.
extern "C" fn print(text: *const c_char) -> i32 {
    // SAFETY: compiled code passes a string that ends with a zero.
    let text = unsafe { CStr::from_ptr(text) };
    // At once: what is written in parts may be mixed with what other ranks write.
    let line = format!("error: {}\n", text.to_string_lossy());
    // If standard error is closed, the message is lost; the program aborts in any case.
    let _ = std::io::stderr().write_all(line.as_bytes());
    0
}

/// The functions that compiled code calls in place of those of the library: a few of a rank, and most
/// if there is a link.
pub(in crate::run) fn symbols() -> Vec<(&'static str, *const c_void)> {
    let mut symbols = Vec::new();
    if IS_RANK.load(Ordering::Relaxed) {
        symbols.push(("MPI_Init", initialize as *const c_void));
        symbols.push(("MPI_Finalize", finalize as *const c_void));
        symbols.push(("puts", print as *const c_void));
    }
    if link().is_none() {
        return symbols;
    }
    symbols.extend([
        ("MPI_Send", send as *const c_void),
        ("MPI_Recv", receive as *const c_void),
        ("MPI_Isend", start_send as *const c_void),
        ("MPI_Irecv", start_receive as *const c_void),
        ("MPI_Wait", wait as *const c_void),
        ("MPI_Allreduce", reduce as *const c_void),
        ("MPI_Barrier", barrier as *const c_void),
        ("MPI_Comm_split", split as *const c_void),
    ]);
    symbols
}

/// Begins a run: all ranks begin at the same time.
pub(in crate::run) fn begin() {
    if let Some(own) = link().as_mut() {
        (own.mpi.barrier)(own.mpi.world);
        own.waited = 0;
    }
}

/// Ends a run.
pub(in crate::run) fn end() {
    if let Some(own) = link().as_mut() {
        own.runs.push(own.waited);
    }
}

/// How long each run has waited.
pub(super) fn waited() -> Vec<Duration> {
    let own = link();
    let runs = own.iter().flat_map(|own| &own.runs);
    runs.map(|time| Duration::from_nanos(*time)).collect()
}

impl Link {
    /// Prepares a communicator. All its ranks do.
    fn know(&mut self, comm: i64) {
        let mut own = 0;
        (self.mpi.duplicate)(comm, &raw mut own);
        self.stamps.insert(comm, own);
    }

    fn bytes(&self, count: i32, ty: i64) -> usize {
        let mut size = 0;
        (self.mpi.size_of)(ty, &raw mut size);
        usize::try_from(i64::from(count) * i64::from(size)).unwrap_or(0)
    }

    /// Starts a message. Returns a handle for it, and the status of the library.
    fn start(
        &mut self,
        is_send: bool,
        (address, count, ty): (i64, i32, i64),
        (other, tag, comm): (i32, i32, i64),
    ) -> (i64, i32) {
        let (mut arrival, mut left) = (0, None);
        if is_send {
            let bytes = self.bytes(count, ty);
            self.free = self.free.max(now()) + self.speed.nanoseconds(bytes);
            arrival = self.free + self.speed.latency.as_nanos() as u64;
            left = Some(self.free);
        }
        let start = if is_send {
            self.mpi.isend
        } else {
            self.mpi.irecv
        };
        let (mut request, mut stamp) = (0, 0);
        let mut arrival = Box::new(arrival);
        let stamps = self.stamps.get(&comm).copied().unwrap_or(comm);
        let place = (&raw mut *arrival) as i64;
        start(place, 8, self.mpi.byte, other, tag, stamps, &raw mut stamp);
        let status = start(address, count, ty, other, tag, comm, &raw mut request);
        let flight = Flight {
            request,
            stamp,
            arrival,
            left,
        };
        let handle = self.next;
        self.next += 1;
        self.flights.insert(handle, flight);
        (handle, status)
    }

    fn finish(&mut self, handle: i64) -> i32 {
        let begin = now();
        let Some(mut flight) = self.flights.remove(&handle) else {
            return 1;
        };
        let status = (self.mpi.wait)(&raw mut flight.request, 0);
        (self.mpi.wait)(&raw mut flight.stamp, 0);
        sleep_until(flight.left.unwrap_or(*flight.arrival));
        self.waited += now() - begin;
        status
    }
}

/// Calls `body` with the link, which exists if compiled code calls.
fn with(body: impl FnOnce(&mut Link) -> i32) -> i32 {
    link().as_mut().map_or(1, body)
}

/// Starts a message, and writes its handle.
fn start(
    is_send: bool,
    message: (i64, i32, i64),
    other: (i32, i32, i64),
    request: *mut i64,
) -> i32 {
    with(|own| {
        let (started, status) = own.start(is_send, message, other);
        // SAFETY: compiled code passes the address of a handle.
        unsafe { request.write(started) };
        status
    })
}

extern "C" fn start_send(
    address: i64,
    count: i32,
    ty: i64,
    to: i32,
    tag: i32,
    comm: i64,
    request: *mut i64,
) -> i32 {
    start(true, (address, count, ty), (to, tag, comm), request)
}

extern "C" fn start_receive(
    address: i64,
    count: i32,
    ty: i64,
    from: i32,
    tag: i32,
    comm: i64,
    request: *mut i64,
) -> i32 {
    start(false, (address, count, ty), (from, tag, comm), request)
}

extern "C" fn send(address: i64, count: i32, ty: i64, to: i32, tag: i32, comm: i64) -> i32 {
    with(|own| {
        let (request, _) = own.start(true, (address, count, ty), (to, tag, comm));
        own.finish(request)
    })
}

extern "C" fn receive(
    address: i64,
    count: i32,
    ty: i64,
    from: i32,
    tag: i32,
    comm: i64,
    _status: i64,
) -> i32 {
    with(|own| {
        let (request, _) = own.start(false, (address, count, ty), (from, tag, comm));
        own.finish(request)
    })
}

extern "C" fn wait(request: *mut i64, _status: i64) -> i32 {
    // SAFETY: compiled code passes the address of a handle.
    let handle = unsafe { request.read() };
    with(|own| own.finish(handle))
}

extern "C" fn reduce(from: i64, to: i64, count: i32, ty: i64, operator: i64, comm: i64) -> i32 {
    with(|own| {
        let begin = now();
        let status = (own.mpi.allreduce)(from, to, count, ty, operator, comm);
        let one = own.speed.nanoseconds(own.bytes(count, ty)) + own.speed.latency.as_nanos() as u64;
        sleep_until(begin + 2 * one);
        own.waited += now() - begin;
        status
    })
}

extern "C" fn barrier(comm: i64) -> i32 {
    with(|own| {
        let begin = now();
        let status = (own.mpi.barrier)(comm);
        own.waited += now() - begin;
        status
    })
}

extern "C" fn split(comm: i64, color: i32, key: i32, new: *mut i64) -> i32 {
    with(|own| {
        let status = (own.mpi.split)(comm, color, key, new);
        // SAFETY: compiled code passes the address of a handle, which the library has written.
        own.know(unsafe { new.read() });
        status
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_take_time() {
        let speed = LinkSpeed {
            latency: Duration::from_millis(1),
            bandwidth: 1e6,
        };
        assert_eq!(speed.nanoseconds(1000), 1_000_000);
        assert_eq!(speed.nanoseconds(0), 0);
        let read = LinkSpeed::read(speed.line().trim_end());
        assert!(read.is_some_and(|own| own.latency == speed.latency && own.bandwidth == 1e6));
        assert!(LinkSpeed::read("in 0").is_none());
    }

    #[test]
    fn without_a_link_nothing_is_replaced() {
        assert!(symbols().is_empty());
        begin();
        end();
        assert!(waited().is_empty());
    }
}
