//! A function that is being built, block by block.

use mem_equivalence::program::{
    Block, BlockId, Edge, End, Fingerprint, Function, Layout, Location, Module, Operand, Rule,
    ScalarStep, Step, StepKind, ValueId, ValueType,
};

#[derive(Default)]
pub(crate) struct Body {
    pub(crate) types: Vec<ValueType>,
    pub(crate) blocks: Vec<Block>,
    n_steps: u32,
}

impl Body {
    pub(crate) fn value(&mut self, ty: ValueType) -> ValueId {
        self.types.push(ty);
        ValueId(self.types.len() as u32 - 1)
    }

    /// Begins a block, to which later steps belong.
    pub(crate) fn block(&mut self, arguments: Vec<ValueId>) -> BlockId {
        self.blocks.push(Block {
            arguments: arguments.into(),
            steps: Vec::new(),
            end: End {
                location: Location(1000),
                fingerprint: Fingerprint(2),
                rule: Rule::Unknown,
                operands: Box::default(),
                edges: Vec::new(),
            },
        });
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// The number of the last block.
    pub(crate) fn here(&self) -> usize {
        self.blocks.len() - 1
    }

    /// Adds a step to the last block. Its location is the number of steps before it.
    pub(crate) fn push(&mut self, kind: StepKind) {
        let step = Step {
            location: Location(self.n_steps),
            kind,
        };
        self.n_steps += 1;
        self.blocks.last_mut().expect("a block").steps.push(step);
    }

    pub(crate) fn edge(
        &mut self,
        from: usize,
        to: BlockId,
        values: Vec<(Option<ValueId>, ValueId)>,
    ) {
        self.blocks[from].end.edges.push(Edge { to, values });
    }

    /// Decides the edge of the last block.
    pub(crate) fn decide(&mut self, rule: Rule, operands: Vec<ValueId>) {
        let here = self.here();
        let end = &mut self.blocks[here].end;
        (end.rule, end.operands) = (rule, operands.into());
    }

    /// A value that is computed from scalars.
    pub(crate) fn compute(
        &mut self,
        fingerprint: u32,
        operands: &[ValueId],
        ty: ValueType,
    ) -> ValueId {
        let result = self.value(ty);
        let operand = |value: &ValueId| Operand {
            value: *value,
            reads: false,
            writes: false,
            writes_all: false,
            in_order: false,
        };
        self.push(StepKind::Compute {
            fingerprint: Fingerprint(fingerprint),
            operands: operands.iter().map(operand).collect(),
            results: Box::new([result]),
        });
        result
    }

    pub(crate) fn integer(&mut self, value: i64, ty: ValueType) -> ValueId {
        let result = self.value(ty);
        self.push(StepKind::Scalar(ScalarStep::Integer { value, result }));
        result
    }

    /// Returns a module with this function. `is_noalias`: whether no two arguments share a byte.
    pub(crate) fn module(self, is_noalias: bool) -> Module {
        let n_arguments = self.blocks[0].arguments.len();
        Module {
            functions: vec![Function {
                name: "main".to_owned(),
                is_public: true,
                is_referenced: false,
                location: Location(2000),
                types: self.types,
                blocks: self.blocks,
                is_noalias: vec![is_noalias; n_arguments],
            }],
        }
    }
}

/// A scalar of a number of bytes; eight for an index.
pub(crate) fn scalar(bytes: i64) -> ValueType {
    ValueType::Scalar {
        bytes: Some(bytes),
        is_index: bytes == 8,
    }
}

/// Storage of elements of four bytes, from an offset on: the size and the stride of each dimension.
pub(crate) fn elements(offset: Option<i64>, dims: &[(usize, usize)]) -> ValueType {
    let dims = dims.iter();
    let dims = dims.map(|(size, stride)| (Some(*size as i64), Some(*stride as i64)));
    let layout = Layout {
        element: 4,
        offset,
        dims: dims.collect(),
    };
    ValueType::Elements(layout.into())
}
