//! Builds small functions and compares them. Shared by tests, each of which uses a part of it.

#![allow(dead_code, reason = "every test uses another part")]

pub(crate) mod body;

use body::Body;
use mem_equivalence::program::{
    AccessStep, Arithmetic, BlockId, ChoiceStep, Fingerprint, Layout, Module, Number, Operand,
    Predicate, Rule, ScalarStep, StepKind, StorageStep, Tag, Ticket, Transfer, ValueId, ValueType,
    ViewKind,
};
use mem_equivalence::{Outcome, compare_modules};

pub(crate) const N: i64 = 16;
pub(crate) const BYTES: i64 = 4 * N;
pub(crate) const COPY: Fingerprint = Fingerprint(1);

/// A function under construction: `x` and `y` are arguments of [`N`] elements that share no byte.
pub(crate) struct Program {
    pub body: Body,
    pub x: ValueId,
    pub y: ValueId,
}

pub(crate) fn elements() -> ValueType {
    ValueType::Elements(
        Layout {
            element: 4,
            offset: Some(0),
            dims: vec![(Some(N), Some(1))],
        }
        .into(),
    )
}

pub(crate) fn scalar() -> ValueType {
    ValueType::Scalar {
        bytes: Some(8),
        is_index: false,
    }
}

impl Program {
    pub(crate) fn new() -> Self {
        let mut program = Self {
            body: Body::default(),
            x: ValueId(0),
            y: ValueId(1),
        };
        let arguments = vec![program.value(elements()), program.value(elements())];
        program.block(arguments);
        program
    }

    pub(crate) fn value(&mut self, ty: ValueType) -> ValueId {
        self.body.value(ty)
    }

    /// Begins a block.
    pub(crate) fn block(&mut self, arguments: Vec<ValueId>) {
        self.body.block(arguments);
    }

    pub(crate) fn push(&mut self, kind: StepKind) {
        self.body.push(kind);
    }

    /// Adds an edge to the last block.
    pub(crate) fn edge(&mut self, to: u32, values: &[(ValueId, ValueId)]) {
        let values = values.iter().map(|(from, to)| (Some(*from), *to));
        self.body
            .edge(self.body.here(), BlockId(to), values.collect());
    }

    /// Decides the edge of the last block by a value.
    pub(crate) fn decide(&mut self, by: ValueId) {
        self.body.decide(Rule::Unknown, vec![by]);
    }

    pub(crate) fn integer(&mut self, value: i64) -> ValueId {
        self.body.integer(value, scalar())
    }

    /// A scalar that only its fingerprint determines.
    pub(crate) fn opaque(&mut self) -> ValueId {
        self.body.compute(3, &[], scalar())
    }

    fn pointer(&mut self, source: ValueId) -> ValueId {
        let result = self.value(scalar());
        self.push(StepKind::Storage(StorageStep::Pointer { result, source }));
        result
    }

    /// A condition that depends on where the planner placed a storage.
    pub(crate) fn of_address(&mut self, source: ValueId) -> ValueId {
        let address = self.pointer(source);
        self.body.compute(3, &[address], scalar())
    }

    fn arithmetic(&mut self, operator: Arithmetic, operands: [ValueId; 2]) -> ValueId {
        let result = self.value(scalar());
        self.push(StepKind::Scalar(ScalarStep::Arithmetic {
            operator,
            operands,
            result,
        }));
        result
    }

    /// Whether the address of a view is in the first bytes of another one.
    pub(crate) fn points_into(&mut self, view: ValueId, other: ValueId, bytes: i64) -> ValueId {
        let ends = [view, other].map(|source| self.pointer(source));
        let distance = self.arithmetic(Arithmetic::Subtract, ends);
        let length = self.integer(bytes);
        let is_less = Arithmetic::Compare(Predicate::UnsignedLess, Fingerprint(5));
        self.arithmetic(is_less, [distance, length])
    }

    pub(crate) fn select(
        &mut self,
        condition: ValueId,
        [yes, no]: [ValueId; 2],
        ty: ValueType,
    ) -> ValueId {
        let result = self.value(ty);
        self.push(StepKind::Choice(ChoiceStep::Select {
            condition,
            yes,
            no,
            result,
        }));
        result
    }

    pub(crate) fn arena(&mut self, bytes: i64) -> ValueId {
        let result = self.value(ValueType::Bytes(Some(bytes)));
        self.push(StepKind::Storage(StorageStep::Allocate {
            result,
            bytes: Some(bytes),
            sizes: Vec::new(),
            is_arena: true,
        }));
        result
    }

    pub(crate) fn view(&mut self, source: ValueId, start: i64, ty: ValueType) -> ValueId {
        let result = self.value(ty);
        self.push(StepKind::Storage(StorageStep::View {
            result,
            source,
            kind: Box::new(ViewKind::Bytes {
                start: Number::Constant(start),
                sizes: Vec::new(),
                bytes: None,
                limit: Some(BYTES),
            }),
        }));
        result
    }

    /// Elements in storage of their own.
    pub(crate) fn temporary(&mut self) -> ValueId {
        let arena = self.arena(BYTES);
        self.view(arena, 0, elements())
    }

    pub(crate) fn copy(&mut self, from: ValueId, to: ValueId) {
        self.push(StepKind::Access(AccessStep::Copy {
            fingerprint: COPY,
            from,
            to,
        }));
    }

    pub(crate) fn start(&mut self, from: ValueId, to: ValueId, tag: Option<Tag>) -> ValueId {
        let result = self.value(scalar());
        self.push(StepKind::Start(Box::new(Transfer {
            fingerprint: COPY,
            from,
            to,
            count: N,
            unit: 4,
            tag,
            result,
        })));
        result
    }

    pub(crate) fn wait(&mut self, ticket: ValueId) {
        self.push(StepKind::Await {
            ticket: Ticket::Value(ticket),
            count: None,
        });
    }

    pub(crate) fn free(&mut self, storage: ValueId) {
        self.push(StepKind::Free {
            fingerprint: Fingerprint(6),
            storage,
        });
    }

    /// Storage for one tag, and the tag.
    pub(crate) fn tag(&mut self) -> Tag {
        let tags = self.temporary();
        let index = self.integer(0);
        Tag {
            tags,
            indices: Box::new([index]),
        }
    }

    pub(crate) fn wait_tag(&mut self, tag: &Tag, count: i64) {
        self.push(StepKind::Await {
            ticket: Ticket::Tag(tag.clone()),
            count: Some(count),
        });
    }

    /// Computes `to` from `from`.
    pub(crate) fn compute(&mut self, from: ValueId, to: ValueId) {
        let operand = |value, writes: bool| Operand {
            value,
            reads: !writes,
            writes,
            writes_all: writes,
            in_order: true,
        };
        self.push(StepKind::Compute {
            fingerprint: Fingerprint(4),
            operands: Box::new([operand(from, false), operand(to, true)]),
            results: Box::default(),
        });
    }

    pub(crate) fn module(self) -> Module {
        self.body.module(true)
    }
}

pub(crate) fn compare(original: Program, planned: Program) -> Outcome {
    let outcomes = compare_modules(&original.module(), &planned.module(), false);
    let [(_, outcome)] = <[_; 1]>::try_from(outcomes).expect("one function");
    outcome
}

/// The reason why the behavior of a program is not defined.
pub(crate) fn undefined(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Undefined { why, cause, .. } => {
            assert!(cause.location.is_some());
            why
        }
        other => panic!("{other:?}"),
    }
}

/// The reason why a program was not followed.
pub(crate) fn reason(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Unknown {
            is_original: false,
            why,
            ..
        } => why,
        other => panic!("{other:?}"),
    }
}
