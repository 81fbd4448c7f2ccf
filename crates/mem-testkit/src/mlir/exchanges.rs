//! Exchanges between two ranks that run one program.
//!
//! Messages are sent where both ranks arrive: in blocks that neither the rank nor data decide about, or
//! in both arms of a branch on the rank. While a message travels, no statement writes what is sent or
//! accesses what is received. All exchanges but those of [`Generator::deadlock`] end even if a send
//! completes only when it is received.

use super::{Buffer, Generator, Scope};

/// How an operation names what it sends or receives, and the types of its operands.
fn operands(buffer: &Buffer, tag: &str) -> (String, String) {
    let operands = format!("({}, {tag}, %peer, %world)", buffer.name);
    (operands, format!("memref<{}xf32>, i32, i32", buffer.size))
}

impl Generator<'_> {
    /// Defines the rank, the other rank, and what messages need.
    pub(super) fn ranks(&mut self, scope: &Scope) {
        for text in [
            "%world = mpi.comm_world : !mpi.comm",
            "%first = arith.constant 0 : i32",
            "%second = arith.constant 1 : i32",
            "%rank = mpi.comm_rank(%world) : i32",
            "%peer = arith.subi %second, %rank : i32",
            "%is_first = arith.cmpi eq, %rank, %first : i32",
        ] {
            self.line(scope, text);
        }
    }

    /// Exchanges data with the other rank.
    pub(super) fn exchange(&mut self, scope: &mut Scope) {
        match self.rng.below(23) {
            0 => self.line(scope, "mpi.barrier(%world)"),
            1..=3 => self.reduction_of_ranks(scope),
            4..=7 => self.by_turns(scope),
            8..=10 => self.requests(scope),
            11..=13 => self.request_and_send(scope),
            14..=16 => self.request_and_receive(scope),
            17 => self.one_way(scope),
            18 => self.many(scope),
            19 | 20 => self.loop_of_requests(scope),
            21 => self.branch_of_requests(scope),
            _ if self.rng.chance(25) => self.deadlock(scope),
            _ => self.waits_in_arms(scope),
        }
    }

    fn reduction_of_ranks(&mut self, scope: &mut Scope) {
        let own = self.any(scope);
        let sum = self.allocate(scope, own.size);
        let ty = format!("memref<{}xf32>", own.size);
        let text = format!(
            "mpi.allreduce({}, {}, MPI_SUM, %world) : {ty}, {ty}",
            own.name, sum.name
        );
        self.line(scope, &text);
        scope.buffers.push(sum);
    }

    /// A tag that tells the messages of an exchange from all others.
    pub(super) fn tag(&mut self, scope: &Scope) -> String {
        let text = format!("arith.constant {} : i32", self.next);
        self.value(scope, &text)
    }

    pub(super) fn message(&mut self, scope: &Scope, name: &str, buffer: &Buffer, tag: &str) {
        let (operands, types) = operands(buffer, tag);
        // What nothing uses may be left out.
        let text = format!("{name}{operands} : {types}");
        if self.rng.chance(15) {
            self.value(scope, &format!("{text} -> !mpi.retval"));
        } else {
            self.line(scope, &text);
        }
    }

    /// Starts a request, and returns its name.
    pub(super) fn request(
        &mut self,
        scope: &Scope,
        name: &str,
        buffer: &Buffer,
        tag: &str,
    ) -> String {
        let (operands, types) = operands(buffer, tag);
        self.value(
            scope,
            &format!("{name}{operands} : {types} -> !mpi.request"),
        )
    }

    pub(super) fn wait(&mut self, scope: &Scope, request: &str) {
        self.line(scope, &format!("mpi.wait({request}) : !mpi.request"));
    }

    /// Other work, perhaps none.
    pub(super) fn meanwhile(&mut self, scope: &mut Scope) {
        if self.rng.chance(70) {
            let outside = std::mem::replace(&mut scope.in_flight, true);
            self.block(scope);
            scope.in_flight = outside;
        }
    }

    /// One rank sends and then receives, the other one the other way round.
    fn by_turns(&mut self, scope: &mut Scope) {
        let tag = self.tag(scope);
        let sent = self.any(scope);
        let received = self.allocate(scope, sent.size);
        let order = [["mpi.send", "mpi.recv"], ["mpi.recv", "mpi.send"]];
        self.line(scope, "scf.if %is_first {");
        for (arm, order) in order.into_iter().enumerate() {
            if arm == 1 {
                self.line(scope, "} else {");
            }
            let mut inner = self.arm(scope);
            for name in order {
                let buffer = if name == "mpi.send" { &sent } else { &received };
                self.message(&inner, name, buffer, &tag);
                if self.rng.chance(50) {
                    self.block(&mut inner);
                }
            }
        }
        self.line(scope, "}");
        scope.buffers.push(received);
    }

    /// The scope of a branch that only one rank takes.
    pub(super) fn arm(&self, scope: &Scope) -> Scope {
        let mut inner = scope.clone();
        inner.depth += 1;
        inner.is_uniform = false;
        inner
    }

    /// Both messages are requests, which are waited for in either order.
    fn requests(&mut self, scope: &mut Scope) {
        let tag = self.tag(scope);
        let size = self.size();
        let sent = self.new_buffer(scope, size);
        let received = self.allocate(scope, size);
        let mut both = [("mpi.isend", &sent), ("mpi.irecv", &received)];
        if self.rng.chance(50) {
            both.reverse();
        }
        let mut requests: Vec<String> = Vec::new();
        for (name, buffer) in both {
            requests.push(self.request(scope, name, buffer, &tag));
            self.meanwhile(scope);
        }
        if self.rng.chance(50) {
            requests.reverse();
        }
        for request in requests {
            self.wait(scope, &request);
            self.meanwhile(scope);
        }
        scope.buffers.extend([sent, received]);
    }

    /// A request to receive, and a send that blocks.
    fn request_and_send(&mut self, scope: &mut Scope) {
        let tag = self.tag(scope);
        let sent = self.any(scope);
        let received = self.allocate(scope, sent.size);
        let request = self.request(scope, "mpi.irecv", &received, &tag);
        if self.rng.chance(30) {
            self.meanwhile(scope);
        }
        self.message(scope, "mpi.send", &sent, &tag);
        self.meanwhile(scope);
        self.wait(scope, &request);
        scope.buffers.push(received);
    }

    /// A request to send, and a receive that blocks.
    fn request_and_receive(&mut self, scope: &mut Scope) {
        let tag = self.tag(scope);
        let size = self.size();
        let sent = self.new_buffer(scope, size);
        let received = self.allocate(scope, size);
        let request = self.request(scope, "mpi.isend", &sent, &tag);
        if self.rng.chance(50) {
            self.meanwhile(scope);
        }
        self.message(scope, "mpi.recv", &received, &tag);
        scope.buffers.push(received);
        self.meanwhile(scope);
        self.wait(scope, &request);
        scope.buffers.push(sent);
    }

    /// Both arms of a branch wait for a request.
    fn waits_in_arms(&mut self, scope: &mut Scope) {
        let tag = self.tag(scope);
        let size = self.size();
        let sent = self.new_buffer(scope, size);
        let received = self.allocate(scope, size);
        let outgoing = self.request(scope, "mpi.isend", &sent, &tag);
        let incoming = self.request(scope, "mpi.irecv", &received, &tag);
        let flag = self.flag(scope);
        let in_arms = [&outgoing, &incoming][self.rng.below(2)].clone();
        self.line(scope, &format!("scf.if {flag} {{"));
        for arm in 0..2 {
            if arm == 1 {
                self.line(scope, "} else {");
            }
            let mut inner = self.arm(scope);
            self.meanwhile(&mut inner);
            self.wait(&inner, &in_arms);
            self.meanwhile(&mut inner);
        }
        self.line(scope, "}");
        for request in [outgoing, incoming].iter().filter(|own| **own != in_arms) {
            self.wait(scope, request);
        }
        scope.buffers.extend([sent, received]);
    }

    /// Only one rank sends. Before, the other one has something else.
    fn one_way(&mut self, scope: &mut Scope) {
        let tag = self.tag(scope);
        let size = self.size();
        let buffer = self.new_buffer(scope, size);
        self.line(scope, "scf.if %is_first {");
        let inner = self.arm(scope);
        self.message(&inner, "mpi.send", &buffer, &tag);
        self.line(scope, "} else {");
        self.message(&inner, "mpi.recv", &buffer, &tag);
        self.line(scope, "}");
        scope.buffers.push(buffer);
    }

    /// Several messages that block, after as many requests to receive them.
    fn many(&mut self, scope: &mut Scope) {
        let tag = self.tag(scope);
        let size = self.size();
        let mut requests = Vec::new();
        for _ in 0..self.rng.between(2, 3) {
            let received = self.allocate(scope, size);
            requests.push((self.request(scope, "mpi.irecv", &received, &tag), received));
        }
        for _ in 0..requests.len() {
            let sent = self.of_size(scope, size);
            self.message(scope, "mpi.send", &sent, &tag);
            self.meanwhile(scope);
        }
        for (request, received) in requests {
            self.wait(scope, &request);
            scope.buffers.push(received);
        }
    }

    /// Both ranks send first. Unless the library keeps a copy, both wait forever.
    fn deadlock(&mut self, scope: &mut Scope) {
        let tag = self.tag(scope);
        let sent = self.any(scope);
        let received = self.allocate(scope, sent.size);
        self.message(scope, "mpi.send", &sent, &tag);
        self.message(scope, "mpi.recv", &received, &tag);
        scope.buffers.push(received);
    }
}
