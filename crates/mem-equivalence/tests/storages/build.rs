//! Translation of statements to the validator's input.

use mem_equivalence::program::{
    AccessStep, Arithmetic, BlockId, ChoiceStep, Count, Edge, Fingerprint, Module, Number,
    Predicate, Rule, ScalarStep, StepKind, StorageStep, ValueId, ValueType, ViewKind,
};

use super::Statement::{self, Choose, Event, Exchange, Free, If, Loop, Move, Renew, Store};
use super::support::body::{Body, elements, scalar};
use super::{N, Place, SLOTS, Times, VARIABLES, places};

/// A program that is being built.
pub(crate) struct Builder {
    pub(crate) body: Body,
    pub(crate) variables: [ValueId; VARIABLES],
    pub(crate) arena: ValueId,
    pub(crate) arguments: [ValueId; 2],
    /// The index of the innermost loop, or the first argument.
    pub(crate) index: ValueId,
}

impl Builder {
    pub(crate) fn function(statements: &[Statement]) -> Module {
        let mut own = Self::new();
        own.list(statements);
        own.module()
    }

    pub(crate) fn new() -> Self {
        let mut own = Self {
            body: Body::default(),
            variables: [ValueId(0); VARIABLES],
            arena: ValueId(0),
            arguments: [ValueId(1), ValueId(2)],
            index: ValueId(1),
        };
        let arguments = [
            elements(Some(0), &[(N * VARIABLES, 1)]),
            scalar(8),
            scalar(8),
        ];
        let arguments = arguments.map(|ty| own.body.value(ty)).to_vec();
        own.body.block(arguments);
        let bytes = 4 * (N * SLOTS) as i64;
        own.arena = own.body.value(ValueType::Bytes(Some(bytes)));
        own.body.push(StepKind::Storage(StorageStep::Allocate {
            result: own.arena,
            bytes: Some(bytes),
            sizes: Vec::new(),
            is_arena: true,
        }));
        for variable in 0..VARIABLES {
            own.renew(variable, variable as u32, None);
        }
        own
    }

    /// Ends a program by writing what its variables denote to an argument.
    pub(crate) fn module(mut self) -> Module {
        for (variable, element) in places() {
            let value = self.load((variable, element));
            self.store(value, ValueId(0), N * variable + element);
        }
        self.body.module(true)
    }

    /// Begins a block in which variables have values of their own.
    pub(crate) fn merge(&mut self, mut arguments: Vec<ValueId>) -> BlockId {
        self.variables = [0; VARIABLES].map(|_: i32| self.body.value(elements(Some(0), &[(N, 1)])));
        arguments.extend(self.variables);
        self.body.block(arguments)
    }

    /// Adds an edge that passes on the variables of one block as those of another.
    pub(crate) fn edge(
        &mut self,
        from: usize,
        to: BlockId,
        mut values: Vec<(Option<ValueId>, ValueId)>,
        variables: [ValueId; VARIABLES],
    ) {
        let arguments = &self.body.blocks[to.0 as usize].arguments;
        let own = arguments[arguments.len().saturating_sub(VARIABLES)..].to_vec();
        values.extend(variables.into_iter().map(Some).zip(own));
        self.body.blocks[from].end.edges.push(Edge { to, values });
    }

    pub(crate) fn integer(&mut self, value: i64) -> ValueId {
        let result = self.body.value(scalar(8));
        self.body
            .push(StepKind::Scalar(ScalarStep::Integer { value, result }));
        result
    }

    pub(crate) fn less(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let result = self.body.value(scalar(1));
        self.body.push(StepKind::Scalar(ScalarStep::Arithmetic {
            operator: Arithmetic::Compare(Predicate::UnsignedLess, Fingerprint(6)),
            operands: [a, b],
            result,
        }));
        result
    }

    pub(crate) fn add(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let result = self.body.value(scalar(8));
        self.body.push(StepKind::Scalar(ScalarStep::Arithmetic {
            operator: Arithmetic::Add,
            operands: [a, b],
            result,
        }));
        result
    }

    fn store(&mut self, value: ValueId, to: ValueId, element: usize) {
        let indices = vec![self.integer(element as i64)];
        self.body.push(StepKind::Access(AccessStep::Store {
            value,
            to,
            indices: indices.into(),
        }));
    }

    fn load(&mut self, (variable, element): Place) -> ValueId {
        let indices = vec![self.integer(element as i64)];
        let (from, result) = (self.variables[variable], self.body.value(scalar(4)));
        self.body.push(StepKind::Access(AccessStep::Load {
            from,
            indices: indices.into(),
            result,
        }));
        result
    }

    fn renew(&mut self, variable: usize, value: u32, slot: Option<usize>) {
        let result = self.body.value(elements(Some(0), &[(N, 1)]));
        match slot {
            None => self.body.push(StepKind::Storage(StorageStep::Allocate {
                result,
                bytes: Some(4 * N as i64),
                sizes: Vec::new(),
                is_arena: false,
            })),
            Some(slot) => self.body.push(StepKind::Storage(StorageStep::View {
                result,
                source: self.arena,
                kind: Box::new(ViewKind::Bytes {
                    start: Number::Constant((4 * N * slot) as i64),
                    sizes: Vec::new(),
                    bytes: None,
                    limit: None,
                }),
            })),
        }
        self.variables[variable] = result;
        let value = self.body.compute(10 + value, &[], scalar(4));
        self.body
            .push(StepKind::Access(AccessStep::Fill { value, to: result }));
    }

    fn condition(&mut self, by: usize) -> ValueId {
        if by == 3 {
            let three = self.integer(3);
            return self.less(self.index, three);
        }
        let of = *self.arguments.get(by).unwrap_or(&self.index);
        self.body.compute(5, &[of], scalar(1))
    }

    pub(crate) fn list(&mut self, statements: &[Statement]) {
        for own in statements {
            match own {
                Store(value, (variable, element)) => {
                    let value = self.body.compute(10 + value, &[], scalar(4));
                    self.store(value, self.variables[*variable], *element);
                }
                Move(from, (variable, element)) => {
                    let value = self.load(*from);
                    self.store(value, self.variables[*variable], *element);
                }
                Exchange(a, b) => self.variables.swap(*a, *b),
                Renew(variable, value, slot) => self.renew(*variable, *value, *slot),
                Free(variable) => self.body.push(StepKind::Free {
                    fingerprint: Fingerprint(8),
                    storage: self.variables[*variable],
                }),
                Choose(by, to, [yes, no]) => {
                    let (condition, result) = (
                        self.condition(*by),
                        self.body.value(elements(Some(0), &[(N, 1)])),
                    );
                    self.body.push(StepKind::Choice(ChoiceStep::Select {
                        condition,
                        yes: self.variables[*yes],
                        no: self.variables[*no],
                        result,
                    }));
                    self.variables[*to] = result;
                }
                If(by, yes, no) => self.branch(*by, [yes, no]),
                Loop(times @ (Times::Known(_) | Times::Argument), body) => self.count(*times, body),
                Loop(times, body) => self.repeat(*times, body),
                Event(number) => self.body.push(StepKind::Event {
                    fingerprint: Fingerprint(20 + number),
                    operands: Box::default(),
                    results: Box::default(),
                }),
            }
        }
    }

    fn branch(&mut self, by: usize, lists: [&[Statement]; 2]) {
        let condition = self.condition(by);
        self.body
            .decide(Rule::Condition { yes: 0 }, vec![condition]);
        let (before, variables) = (self.body.here(), self.variables);
        let ends = lists.map(|list| {
            let block = self.merge(Vec::new());
            self.edge(before, block, Vec::new(), variables);
            self.list(list);
            (self.body.here(), self.variables)
        });
        let after = self.merge(Vec::new());
        for (end, variables) in ends {
            self.edge(end, after, Vec::new(), variables);
        }
    }

    fn count(&mut self, times: Times, body: &[Statement]) {
        let [lower, step] = [0, 1].map(|own| self.integer(own));
        let upper = match times {
            Times::Known(n) => self.integer(n),
            _ => self.arguments[1],
        };
        let index = self.body.value(scalar(8));
        let rule = |is_first| {
            Rule::Count(Count {
                lower,
                upper,
                step,
                index,
                body: 0,
                is_first,
            })
        };
        self.body.decide(rule(true), vec![lower, upper, step]);
        let (before, variables) = (self.body.here(), self.variables);
        let first = self.merge(vec![index]);
        self.edge(before, first, Vec::new(), variables);
        let outer = std::mem::replace(&mut self.index, index);
        self.list(body);
        self.index = outer;
        self.body.decide(rule(false), Vec::new());
        let (last, of_body) = (self.body.here(), self.variables);
        self.edge(last, first, Vec::new(), of_body);
        let after = self.merge(Vec::new());
        self.edge(before, after, Vec::new(), variables);
        self.edge(last, after, Vec::new(), of_body);
    }

    fn repeat(&mut self, times: Times, body: &[Statement]) {
        let zero = self.integer(0);
        let (before, variables) = (self.body.here(), self.variables);
        let counter = self.body.value(scalar(8));
        let header = self.merge(vec![counter]);
        self.edge(before, header, vec![(Some(zero), counter)], variables);
        let condition = match times {
            Times::Below(n) => {
                let n = self.integer(n);
                self.less(counter, n)
            }
            Times::Forever => self.integer(1),
            _ => self
                .body
                .compute(3, &[counter, self.arguments[1]], scalar(1)),
        };
        self.body
            .decide(Rule::Condition { yes: 0 }, vec![condition]);
        let (decision, of_header) = (self.body.here(), self.variables);
        let first = self.merge(Vec::new());
        self.edge(decision, first, Vec::new(), of_header);
        let outer = std::mem::replace(&mut self.index, counter);
        self.list(body);
        self.index = outer;
        let one = self.integer(1);
        let next = self.add(counter, one);
        let (last, of_body) = (self.body.here(), self.variables);
        self.edge(last, header, vec![(Some(next), counter)], of_body);
        let after = self.merge(Vec::new());
        self.edge(decision, after, Vec::new(), of_header);
    }
}
