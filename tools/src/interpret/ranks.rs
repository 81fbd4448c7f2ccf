//! Several ranks, each of which runs the program, and the messages between them.
//!
//! A rank runs until it would have to wait for another one, and is then run again from the start when
//! another rank has got farther. Every choice that it makes is recorded, so that it does the same
//! again. Ranks take turns until all have ended, or until none gets any farther: a deadlock.
//!
//! What the library may choose is chosen at random: a message that is sent without waiting for it is
//! read when it starts, or as late as possible; one that is received is written when it starts, if it
//! has arrived, or where it is waited for, and until then its bytes hold garbage. Whether a send ends
//! before its message is received is a setting, because programs may rely on it.
//!
//! Messages from one rank to another with one tag arrive in the order in which they were sent. There is
//! one communicator, that of all ranks. A message is as long as the buffer that receives it.

use std::cell::RefCell;
use std::rc::Rc;

use melior::ir::Module;
use mem_opt::internals::{Attribute, Op};

use super::data::{Data, Memref};
use super::memory::{Symbol, symbol};
use super::{Fault, Machine, Outcome, Settings, run};

/// When a send ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sends {
    /// At once: the library keeps a copy.
    Buffered,
    /// When the other rank has started to receive the message.
    Synchronous,
}

/// Contents of a memref, element by element.
type Contents = Vec<Vec<u64>>;

/// What a rank has started.
#[derive(Clone, Debug)]
enum Post {
    Send {
        to: usize,
        tag: i64,
        /// `None` until the library reads it.
        contents: Option<Contents>,
    },
    Receive {
        from: usize,
        tag: i64,
        /// Whether the message is written when it is started.
        is_early: bool,
    },
    Collective {
        /// Everything that has to be the same on all ranks.
        what: Symbol,
        contents: Contents,
    },
}

impl Post {
    /// The direction, the other rank and the tag of a message.
    const fn message(&self) -> Option<(bool, usize, i64)> {
        match self {
            Self::Send { to, tag, .. } => Some((true, *to, *tag)),
            Self::Receive { from, tag, .. } => Some((false, *from, *tag)),
            Self::Collective { .. } => None,
        }
    }
}

/// All ranks.
struct World {
    sends: Sends,
    /// Per rank: what it has started, in order.
    posts: Vec<Vec<Post>>,
}

impl World {
    fn n_ranks(&self) -> usize {
        self.posts.len()
    }

    /// The number of the post that matches message `number` of `rank`.
    fn match_of(&self, rank: usize, number: usize) -> Option<(usize, usize)> {
        let own = &self.posts[rank];
        let (sends, other, tag) = own[number].message()?;
        let is_alike = |post: &&Post| post.message() == Some((sends, other, tag));
        let n_before = own[..number].iter().filter(is_alike).count();
        let wanted = Some((!sends, rank, tag));
        let theirs = self.posts.get(other)?.iter().enumerate();
        let mut theirs = theirs.filter(|(_, post)| post.message() == wanted);
        theirs.nth(n_before).map(|(at, _)| (other, at))
    }

    /// What arrives for the receive `number` of `rank`, if it has been read.
    fn arrived(&self, rank: usize, number: usize) -> Option<&Contents> {
        let (other, at) = self.match_of(rank, number)?;
        match &self.posts[other][at] {
            Post::Send { contents, .. } => contents.as_ref(),
            _ => None,
        }
    }

    /// What each rank contributes to the collective operation `number` of `rank`.
    fn contributions(&self, rank: usize, number: usize) -> Result<Vec<Contents>, Fault> {
        let is_collective = |post: &&Post| post.message().is_none();
        let n_before = self.posts[rank][..number]
            .iter()
            .filter(is_collective)
            .count();
        let mut all = Vec::new();
        let mut kinds = Vec::new();
        for posts in &self.posts {
            match posts.iter().filter(is_collective).nth(n_before) {
                Some(Post::Collective { what, contents }) => {
                    all.push(contents.clone());
                    kinds.push(*what);
                }
                _ => return Err(Fault::Blocked),
            }
        }
        kinds.dedup();
        match kinds.len() {
            1 => Ok(all),
            _ => Err(Fault::Mismatch),
        }
    }

    /// How far all ranks have come.
    fn progress(&self) -> usize {
        let weight = |post: &Post| match post {
            Post::Send { contents, .. } => 1 + usize::from(contents.is_some()),
            _ => 1,
        };
        self.posts.iter().flatten().map(weight).sum()
    }
}

/// A message in flight.
struct Request {
    /// Number of its start among those of the rank.
    number: usize,
    memref: Rc<Memref>,
    is_over: bool,
}

/// The part of a machine that communicates.
pub(super) struct Endpoint {
    world: Rc<RefCell<World>>,
    rank: usize,
    /// How much the rank has started in this run.
    n_posts: usize,
    requests: Vec<Request>,
}

impl Endpoint {
    /// Whether a message has not been waited for.
    pub(super) fn is_in_flight(&self) -> bool {
        self.requests.iter().any(|own| !own.is_over)
    }
}

/// Runs a function of `module` on several ranks, with arguments derived from `settings`. Memrefs hold
/// other values on each rank, and all other arguments are equal.
///
/// # Errors
/// Returns a [`Fault`] if the program has undefined behavior, contains an unsupported operation, or ends
/// in a deadlock.
pub fn interpret_ranks(
    module: &Module,
    function: &str,
    (n_ranks, sends): (usize, Sends),
    settings: Settings,
) -> Result<Vec<Outcome>, Fault> {
    let module = Op::from(module);
    let world = World {
        sends,
        posts: vec![Vec::new(); n_ranks],
    };
    let world = Rc::new(RefCell::new(world));
    let mut outcomes: Vec<Option<Outcome>> = vec![None; n_ranks];
    while outcomes.contains(&None) {
        let before = (world.borrow().progress(), outcomes.iter().flatten().count());
        for (rank, outcome) in outcomes.iter_mut().enumerate() {
            if outcome.is_some() {
                continue;
            }
            let mut machine = Machine::new(module, settings.of_rank(rank));
            machine.endpoint = Some(Endpoint {
                world: Rc::clone(&world),
                rank,
                n_posts: 0,
                requests: Vec::new(),
            });
            match run(&mut machine, module, function, settings.inputs, rank) {
                Ok(own) => *outcome = Some(own),
                Err(Fault::Blocked) => {}
                Err(fault) => return Err(fault),
            }
        }
        let after = (world.borrow().progress(), outcomes.iter().flatten().count());
        if before == after {
            return Err(Fault::Deadlock);
        }
    }
    Ok(outcomes.into_iter().flatten().collect())
}

impl Settings {
    /// The settings of one rank.
    fn of_rank(self, rank: usize) -> Self {
        let rank = rank as u64;
        Self {
            choices: self
                .choices
                .wrapping_mul(0x2545_f491_4f6c_dd1d)
                .wrapping_add(rank),
            ..self
        }
    }
}

impl Machine {
    /// Executes an operation of `mpi`. Returns whether `op` is one.
    pub(super) fn exchange(&mut self, op: Op) -> Result<bool, Fault> {
        if !op.name().starts_with("mpi.") {
            return Ok(false);
        }
        let Some(endpoint) = &self.endpoint else {
            return Ok(false);
        };
        let (rank, n_ranks) = (endpoint.rank, endpoint.world.borrow().n_ranks());
        let mut number = 0;
        match op.name() {
            "mpi.init" | "mpi.comm_world" => {}
            // All messages have to be over.
            "mpi.finalize" if endpoint.is_in_flight() => return Err(Fault::NeverAwaited),
            "mpi.finalize" => {}
            "mpi.comm_rank" => number = rank as i64,
            "mpi.comm_size" => number = n_ranks as i64,
            "mpi.retval_check" => number = 1,
            "mpi.send" | "mpi.recv" => {
                let request = self.start(op)?;
                self.finish_message(request)?;
            }
            "mpi.isend" | "mpi.irecv" => number = self.start(op)? as i64,
            "mpi.wait" => {
                let request = self.integers(op, 0)?[0];
                self.finish_message(usize::try_from(request).map_err(|_| Fault::Garbage)?)?;
            }
            "mpi.barrier" => drop(self.collective(symbol("barrier"), Vec::new())?),
            "mpi.allreduce" => self.reduce(op)?,
            _ => return Ok(false),
        }
        // Returned is a status, a number, or both in this order.
        let results: Vec<_> = op.results().collect();
        for (at, result) in results.iter().enumerate() {
            let is_last = at + 1 == results.len() && result.ty().to_string() != "!mpi.retval";
            self.set(*result, Data::Integer(if is_last { number } else { 0 }));
        }
        Ok(true)
    }

    fn endpoint(&mut self) -> Result<&mut Endpoint, Fault> {
        self.endpoint.as_mut().ok_or(Fault::Garbage)
    }

    /// Records that the rank starts something, unless it is known from an earlier run. Returns its number
    /// among those of the rank, and whether it is new.
    fn post(&mut self, post: Post) -> Result<(usize, bool), Fault> {
        let endpoint = self.endpoint()?;
        let number = endpoint.n_posts;
        endpoint.n_posts += 1;
        let mut world = endpoint.world.borrow_mut();
        let own = &mut world.posts[endpoint.rank];
        let is_new = own.len() == number;
        if is_new {
            own.push(post);
        }
        Ok((number, is_new))
    }

    /// Starts a message, and returns the number of its request.
    fn start(&mut self, op: Op) -> Result<usize, Fault> {
        let memref = self.memref(op.operand(0))?;
        let [tag, other] = [1, 2].map(|index| self.get(op.operand(index)));
        let (tag, other) = (self.integer(&tag?)?, self.integer(&other?)?);
        let other = usize::try_from(other).map_err(|_| Fault::Mismatch)?;
        let is_early = self.below(2) == 0;
        let sends = op.name().ends_with("send");
        let post = match sends {
            true => Post::Send {
                to: other,
                tag,
                contents: None,
            },
            false => Post::Receive {
                from: other,
                tag,
                is_early: false,
            },
        };
        let (number, is_new) = self.post(post)?;
        if sends && is_early {
            self.read_message(number, &memref)?;
        }
        if !sends {
            self.start_receive(number, &memref, is_new && is_early)?;
        }
        let requests = &mut self.endpoint()?.requests;
        requests.push(Request {
            number,
            memref,
            is_over: false,
        });
        Ok(requests.len() - 1)
    }

    /// Lets the library read what is sent, unless it has been read.
    fn read_message(&mut self, number: usize, memref: &Memref) -> Result<(), Fault> {
        let own = self.contents(memref)?;
        let endpoint = self.endpoint()?;
        let mut world = endpoint.world.borrow_mut();
        if let Post::Send { contents, .. } = &mut world.posts[endpoint.rank][number] {
            contents.get_or_insert(own);
        }
        Ok(())
    }

    /// Writes a message that has arrived, or spoils the bytes that it will be written to.
    fn start_receive(
        &mut self,
        number: usize,
        memref: &Memref,
        may_be_early: bool,
    ) -> Result<(), Fault> {
        let endpoint = self.endpoint()?;
        let mut world = endpoint.world.borrow_mut();
        let arrived = world.arrived(endpoint.rank, number).cloned();
        let mut is_early_now = false;
        if let Post::Receive { is_early, .. } = &mut world.posts[endpoint.rank][number] {
            *is_early |= may_be_early && arrived.is_some();
            is_early_now = *is_early;
        }
        drop(world);
        match arrived.filter(|_| is_early_now) {
            Some(contents) => self.write_message(memref, &contents),
            None => {
                for indices in memref.indices() {
                    let salt = self.random.next();
                    self.memory
                        .spoil(memref.at(&indices)?, memref.element, salt)?;
                }
                Ok(())
            }
        }
    }

    fn write_message(&mut self, memref: &Memref, contents: &Contents) -> Result<(), Fault> {
        let indices = memref.indices();
        if indices.len() != contents.len() {
            return Err(Fault::Mismatch);
        }
        for (indices, cells) in indices.iter().zip(contents) {
            self.memory.paste(memref.at(indices)?, cells)?;
        }
        Ok(())
    }

    fn contents(&mut self, memref: &Memref) -> Result<Contents, Fault> {
        let all = memref.indices().into_iter();
        all.map(|indices| self.memory.copy_of(memref.at(&indices)?, memref.element))
            .collect()
    }

    /// Lets the library read everything that is on its way: the rank cannot go on.
    fn stop(&mut self) -> Fault {
        let Ok(endpoint) = self.endpoint() else {
            return Fault::Garbage;
        };
        let open = endpoint.requests.iter().filter(|own| !own.is_over);
        let open: Vec<_> = open
            .map(|own| (own.number, Rc::clone(&own.memref)))
            .collect();
        for (number, memref) in open {
            if let Err(fault) = self.read_message(number, &memref) {
                return fault;
            }
        }
        Fault::Blocked
    }

    /// Waits for a message.
    fn finish_message(&mut self, request: usize) -> Result<(), Fault> {
        let endpoint = self.endpoint()?;
        let own = endpoint.requests.get(request).ok_or(Fault::Garbage)?;
        if own.is_over {
            return Err(Fault::AwaitedTwice);
        }
        let (number, memref) = (own.number, Rc::clone(&own.memref));
        // What is sent is read at the latest possible time.
        self.read_message(number, &memref)?;
        let endpoint = self.endpoint()?;
        let world = endpoint.world.borrow();
        let rank = endpoint.rank;
        let is_met = world.match_of(rank, number).is_some();
        let (is_done, written) = match &world.posts[rank][number] {
            Post::Send { .. } => (is_met || world.sends == Sends::Buffered, None),
            Post::Receive { is_early, .. } => {
                let contents = world.arrived(rank, number).cloned();
                (contents.is_some(), contents.filter(|_| !is_early))
            }
            Post::Collective { .. } => (true, None),
        };
        drop(world);
        if !is_done {
            return Err(self.stop());
        }
        if let Some(contents) = written {
            self.write_message(&memref, &contents)?;
        }
        self.endpoint()?.requests[request].is_over = true;
        Ok(())
    }

    /// Takes part in a collective operation. Returns what all ranks contribute.
    fn collective(&mut self, what: Symbol, contents: Contents) -> Result<Vec<Contents>, Fault> {
        let (number, _) = self.post(Post::Collective { what, contents })?;
        let endpoint = self.endpoint()?;
        let all = endpoint.world.borrow().contributions(endpoint.rank, number);
        match all {
            Err(Fault::Blocked) => Err(self.stop()),
            other => other,
        }
    }

    fn reduce(&mut self, op: Op) -> Result<(), Fault> {
        let (from, to) = (self.memref(op.operand(0))?, self.memref(op.operand(1))?);
        let is_disjoint = from.base.allocation != to.base.allocation || {
            let ends = |memref: &Memref| -> Result<Vec<i64>, Fault> {
                let all = memref.indices();
                let start = |indices: &Vec<i64>| memref.at(indices).map(|own| own.start);
                all.iter().map(start).collect()
            };
            let (reads, writes) = (ends(&from)?, ends(&to)?);
            let meets = |a: &i64| writes.iter().any(|b| (a - b).abs() < from.element);
            !reads.iter().any(meets) || reads == writes
        };
        if !is_disjoint {
            return Err(Fault::Overlap);
        }
        let operator = op.attribute("op").map(Attribute::integer);
        let shape = (from.indices().len(), from.element);
        let what = symbol(("allreduce", format!("{operator:?}"), shape));
        let own = self.contents(&from)?;
        let all = self.collective(what, own)?;
        for (number, indices) in to.indices().iter().enumerate() {
            let parts: Vec<&Vec<u64>> = all.iter().filter_map(|own| own.get(number)).collect();
            let sum = symbol((what, parts));
            self.memory.write(to.at(indices)?, to.element, sum)?;
        }
        Ok(())
    }
}
