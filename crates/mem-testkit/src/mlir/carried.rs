//! Requests that loops and branches carry to another place than the one in which they start.
//!
//! A loop starts the messages of the next iteration, and waits for those of the one before: first the
//! one and then the other, or the other way round. What is received goes to one buffer, to two that
//! change places, or to a new one in each iteration; what is sent comes from one buffer or from new ones.
//! Both ranks iterate equally often, so their messages match.

use super::{Generator, Scope};

/// The buffers of the messages of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Buffers {
    /// The same in all iterations.
    One,
    /// Two that change places, if the messages are received; new ones, if they are sent.
    Two,
    /// A new one in each iteration.
    New,
}

/// What a loop carries: names and types.
#[derive(Clone, Default)]
struct Carried {
    names: Vec<String>,
    types: Vec<String>,
}

impl Carried {
    fn push(&mut self, name: &str, ty: &str) {
        self.names.push(name.to_owned());
        self.types.push(ty.to_owned());
    }

    fn types(&self) -> String {
        self.types.join(", ")
    }
}

const REQUEST: &str = "!mpi.request";

impl Generator<'_> {
    /// A loop that carries requests to send, to receive, or both. The message that it does not carry
    /// blocks.
    pub(super) fn loop_of_requests(&mut self, scope: &mut Scope) {
        let tag = self.tag(scope);
        let size = self.size();
        let ty = format!("memref<{size}xf32>");
        let (sends, receives) = match self.rng.below(3) {
            0 => (true, false),
            1 => (false, true),
            _ => (true, true),
        };
        let waits_first = self.rng.chance(60);
        let of_received = match self.rng.below(3) {
            0 if waits_first => Buffers::One,
            1 => Buffers::New,
            _ => Buffers::Two,
        };
        let of_sent = [Buffers::One, Buffers::New][self.rng.below(2)];
        let sent = self.new_buffer(scope, size);
        let received = self.allocate(scope, size);
        let spare = self.allocate(scope, size);
        let mut start = Carried::default();
        let mut requests = Vec::new();
        // Receives start first: a send that blocks ends when its message is received.
        if receives {
            requests.push(self.request(scope, "mpi.irecv", &received, &tag));
        }
        match sends {
            true => requests.push(self.request(scope, "mpi.isend", &sent, &tag)),
            false => self.message(scope, "mpi.send", &sent, &tag),
        }
        if !receives {
            self.message(scope, "mpi.recv", &received, &tag);
        }
        requests.iter().for_each(|own| start.push(own, REQUEST));
        if of_received != Buffers::One {
            start.push(&received.name, &ty);
            start.push(&spare.name, &ty);
        }
        let bound = self.bound_of_loop(scope);
        let is_while = self.rng.chance(25);
        let (mut inner, inside, results) = match is_while {
            true => self.begin_while(scope, &start, &bound),
            false => self.begin_for(scope, &start, &bound),
        };
        let own: Vec<String> = inside[..requests.len()].to_vec();
        let (full, free) = match of_received {
            Buffers::One => (received.clone(), received.clone()),
            _ => {
                let named =
                    |index: usize| scope.merged(inside[requests.len() + index].clone(), size);
                (named(0), named(1))
            }
        };
        if waits_first {
            self.waits_in_any_order(&mut inner, &own);
            if self.rng.chance(50) {
                // Later, it may be received into: no name of it is left.
                let mut now = inner.clone();
                now.buffers.push(full.clone());
                self.block(&mut now);
            }
        }
        let target = match of_received {
            Buffers::One => full.clone(),
            Buffers::Two => free.clone(),
            Buffers::New => self.allocate(&inner, size),
        };
        let source = match of_sent {
            Buffers::One => {
                // Before the wait, it is still being sent.
                if waits_first || !sends {
                    self.write(&mut inner, &sent, false);
                }
                sent.clone()
            }
            _ => self.new_buffer(&mut inner, size),
        };
        let mut next = Vec::new();
        if receives {
            next.push(self.request(&inner, "mpi.irecv", &target, &tag));
        }
        match sends {
            true => next.push(self.request(&inner, "mpi.isend", &source, &tag)),
            false => self.message(&inner, "mpi.send", &source, &tag),
        }
        if !receives {
            self.message(&inner, "mpi.recv", &target, &tag);
        }
        self.meanwhile(&mut inner);
        if !waits_first {
            self.waits_in_any_order(&mut inner, &own);
            inner.buffers.push(full.clone());
            self.meanwhile(&mut inner);
        }
        let mut yielded = next;
        if of_received != Buffers::One {
            yielded.extend([target.name, full.name]);
        }
        let index = inside.last().filter(|_| is_while);
        self.end_loop(&inner, index, &yielded, &start);
        self.line(scope, "}");
        self.meanwhile(scope);
        self.waits_in_any_order(scope, &results[..requests.len()]);
        let last = match of_received {
            Buffers::One => received,
            _ => scope.merged(results[requests.len()].clone(), size),
        };
        scope.buffers.extend([last, sent]);
    }

    /// A branch starts a request in both of its arms, each with buffers of its own, perhaps passed on
    /// through a second branch.
    pub(super) fn branch_of_requests(&mut self, scope: &mut Scope) {
        let tag = self.tag(scope);
        let size = self.size();
        let ty = format!("memref<{size}xf32>");
        let flag = self.flag(scope);
        let results = [self.fresh(), self.fresh(), self.fresh()];
        let names = results.join(", ");
        self.line(
            scope,
            &format!("{names} = scf.if {flag} -> ({REQUEST}, {REQUEST}, {ty}) {{"),
        );
        for arm in 0..2 {
            if arm == 1 {
                self.line(scope, "} else {");
            }
            let mut inner = self.arm(scope);
            let sent = self.new_buffer(&mut inner, size);
            let received = self.allocate(&inner, size);
            let incoming = self.request(&inner, "mpi.irecv", &received, &tag);
            self.meanwhile(&mut inner);
            let outgoing = self.request(&inner, "mpi.isend", &sent, &tag);
            let yielded = format!("{outgoing}, {incoming}, {}", received.name);
            self.line(
                &inner,
                &format!("scf.yield {yielded} : {REQUEST}, {REQUEST}, {ty}"),
            );
        }
        self.line(scope, "}");
        self.meanwhile(scope);
        self.waits_in_any_order(scope, &results[..2]);
        let received = scope.merged(results[2].clone(), size);
        scope.buffers.push(received);
    }

    /// The number of iterations of a loop that both ranks execute.
    fn bound_of_loop(&mut self, scope: &Scope) -> String {
        let n = self.rng.below(5);
        match self.rng.chance(40) {
            true => "%n".to_owned(),
            false => self.constant(scope, n),
        }
    }

    fn waits_in_any_order(&mut self, scope: &mut Scope, requests: &[String]) {
        let mut requests = requests.to_vec();
        if self.rng.chance(50) {
            requests.reverse();
        }
        for request in requests {
            self.wait(scope, &request);
        }
    }

    /// Begins a counted loop. Returns the scope of its body, what it carries there, and its results.
    fn begin_for(
        &mut self,
        scope: &mut Scope,
        start: &Carried,
        bound: &str,
    ) -> (Scope, Vec<String>, Vec<String>) {
        let (zero, one) = (self.constant(scope, 0), self.constant(scope, 1));
        let i = self.fresh();
        let inside: Vec<String> = start.names.iter().map(|_| self.fresh()).collect();
        let results: Vec<String> = start.names.iter().map(|_| self.fresh()).collect();
        let pairs = inside.iter().zip(&start.names);
        let pairs: Vec<String> = pairs.map(|(to, from)| format!("{to} = {from}")).collect();
        let text = format!(
            "{} = scf.for {i} = {zero} to {bound} step {one} iter_args({}) -> ({}) {{",
            results.join(", "),
            pairs.join(", "),
            start.types(),
        );
        self.line(scope, &text);
        let mut inner = scope.clone();
        inner.depth += 1;
        inner.indices.push(i);
        (inner, inside, results)
    }

    /// Begins a loop with a condition, as [`Generator::begin_for`] does. The index is carried last.
    fn begin_while(
        &mut self,
        scope: &mut Scope,
        start: &Carried,
        bound: &str,
    ) -> (Scope, Vec<String>, Vec<String>) {
        let zero = self.constant(scope, 0);
        let mut all = start.clone();
        all.push(&zero, "index");
        let fresh =
            |own: &mut Self| -> Vec<String> { all.names.iter().map(|_| own.fresh()).collect() };
        let [before, inside, results] = [fresh(self), fresh(self), fresh(self)];
        let pairs = before.iter().zip(&all.names);
        let pairs: Vec<String> = pairs.map(|(to, from)| format!("{to} = {from}")).collect();
        let types = all.types();
        let text = format!(
            "{} = scf.while ({}) : ({types}) -> ({types}) {{",
            results.join(", "),
            pairs.join(", "),
        );
        self.line(scope, &text);
        let mut inner = scope.clone();
        inner.depth += 1;
        let i = before.last().cloned().unwrap_or_default();
        let flag = self.value(&inner, &format!("arith.cmpi ult, {i}, {bound} : index"));
        let passed = before.join(", ");
        self.line(&inner, &format!("scf.condition({flag}) {passed} : {types}"));
        self.line(scope, "} do {");
        let arguments = inside.iter().zip(&all.types);
        let arguments: Vec<String> = arguments.map(|(own, ty)| format!("{own}: {ty}")).collect();
        self.line(scope, &format!("^bb0({}):", arguments.join(", ")));
        inner
            .indices
            .push(inside.last().cloned().unwrap_or_default());
        (inner, inside, results)
    }

    /// Ends the body of a loop. `index`: that of a loop with a condition.
    fn end_loop(
        &mut self,
        scope: &Scope,
        index: Option<&String>,
        yielded: &[String],
        start: &Carried,
    ) {
        let (mut names, mut types) = (yielded.join(", "), start.types());
        if let Some(index) = index {
            let one = self.constant(scope, 1);
            let next = self.value(scope, &format!("arith.addi {index}, {one} : index"));
            names = format!("{names}, {next}");
            types = format!("{types}, index");
        }
        self.line(scope, &format!("scf.yield {names} : {types}"));
    }
}
