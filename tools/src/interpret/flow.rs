//! Control flow: functions, blocks and structured operations.

use mem_opt::internals::{Attribute, Block, Op, Region, Value};

use super::data::{Data, all_indices};
use super::{Fault, MOST_STEPS, Machine};

/// The outcome of executing a block.
enum Next {
    /// Control continues at another block of the region, with these arguments.
    Block(Block, Vec<Data>),
    /// Control leaves the region with these values.
    Leave(Vec<Data>),
}

impl Machine {
    pub(super) fn call(&mut self, function: Op, arguments: Vec<Data>) -> Result<Vec<Data>, Fault> {
        let body = function.regions().next();
        let body = body.ok_or_else(|| Fault::Unsupported("func.func".to_owned()))?;
        self.region(body, arguments)
    }

    /// Executes a region from its entry block.
    pub(super) fn region(
        &mut self,
        region: Region,
        mut arguments: Vec<Data>,
    ) -> Result<Vec<Data>, Fault> {
        let Some(mut block) = region.first_block() else {
            return Ok(Vec::new());
        };
        loop {
            for (argument, data) in block.arguments().zip(arguments) {
                self.set(argument, data);
            }
            match self.block(block)? {
                Next::Block(target, data) => (block, arguments) = (target, data),
                Next::Leave(data) => return Ok(data),
            }
        }
    }

    fn block(&mut self, block: Block) -> Result<Next, Fault> {
        let mut at = block.first_op();
        while let Some(op) = at {
            self.n_steps += 1;
            if self.n_steps > MOST_STEPS {
                return Err(Fault::Endless);
            }
            at = op.next();
            if at.is_none() {
                return self.terminator(op);
            }
            self.op(op)?;
        }
        Ok(Next::Leave(Vec::new()))
    }

    fn data(&self, values: impl Iterator<Item = Value>) -> Result<Vec<Data>, Fault> {
        values.map(|value| self.get(value)).collect()
    }

    fn terminator(&mut self, op: Op) -> Result<Next, Fault> {
        let successors: Vec<Block> = op.successors().collect();
        match op.name() {
            "cf.br" => Ok(Next::Block(successors[0], self.data(op.operands())?)),
            "cf.cond_br" => {
                let first = successors[0].arguments().count();
                let holds = self.truth(&self.get(op.operand(0))?)?;
                let (target, skip, take) = match holds {
                    true => (successors[0], 1, first),
                    false => (successors[1], 1 + first, usize::MAX),
                };
                let data = self.data(op.operands().skip(skip).take(take))?;
                Ok(Next::Block(target, data))
            }
            _ if successors.is_empty() => {
                if op.results().next().is_some() || !is_end(op.name()) {
                    // A block without a terminator.
                    self.op(op)?;
                    return Ok(Next::Leave(Vec::new()));
                }
                Ok(Next::Leave(self.data(op.operands())?))
            }
            name => Err(Fault::Unsupported(name.to_owned())),
        }
    }

    fn op(&mut self, op: Op) -> Result<(), Fault> {
        let is_exchange = self.exchange(op)?;
        if is_exchange
            || self.structured(op)?
            || self.storage(op)?
            || self.linalg(op)?
            || self.scalar(op)?
        {
            return Ok(());
        }
        Err(Fault::Unsupported(op.name().to_owned()))
    }

    /// Executes calls and operations whose regions are control flow. Returns whether `op` is one.
    fn structured(&mut self, op: Op) -> Result<bool, Fault> {
        let results = match op.name() {
            "func.call" => {
                let callee = op.attribute("callee");
                let callee = callee.as_ref().and_then(Attribute::symbol);
                let callee = callee.and_then(|name| self.function(name));
                let callee = callee.ok_or_else(|| Fault::Unsupported("a callee".to_owned()))?;
                let arguments = self.data(op.operands())?;
                self.call(callee, arguments)?
            }
            "scf.if" => {
                let arm = usize::from(!self.truth(&self.get(op.operand(0))?)?);
                match op.regions().nth(arm) {
                    Some(region) => self.region(region, Vec::new())?,
                    None => Vec::new(),
                }
            }
            "scf.for" => self.counted_loop(op)?,
            "scf.while" => self.while_loop(op)?,
            "scf.parallel" => self.parallel_loop(op)?,
            "scf.execute_region" | "memref.alloca_scope" => match op.regions().next() {
                Some(region) => self.region(region, Vec::new())?,
                None => Vec::new(),
            },
            _ => return Ok(false),
        };
        for (result, data) in op.results().zip(results) {
            self.set(result, data);
        }
        Ok(true)
    }

    fn counted_loop(&mut self, op: Op) -> Result<Vec<Data>, Fault> {
        let bounds: Result<Vec<i64>, Fault> = (0..3)
            .map(|index| self.integer(&self.get(op.operand(index))?))
            .collect();
        let [start, end, step] = bounds?[..] else {
            return Err(Fault::Garbage);
        };
        let mut carried = self.data(op.operands().skip(3))?;
        let body = op.regions().next().ok_or(Fault::Garbage)?;
        let mut at = start;
        while at < end && step > 0 {
            let arguments = [Data::Integer(at)].into_iter().chain(carried).collect();
            carried = self.region(body, arguments)?;
            at += step;
        }
        Ok(carried)
    }

    fn while_loop(&mut self, op: Op) -> Result<Vec<Data>, Fault> {
        let regions: Vec<Region> = op.regions().collect();
        let mut carried = self.data(op.operands())?;
        loop {
            let mut told = self.region(regions[0], carried)?;
            if told.is_empty() {
                return Err(Fault::Garbage);
            }
            let continues = self.truth(&told.remove(0))?;
            if !continues {
                return Ok(told);
            }
            carried = self.region(regions[1], told)?;
        }
    }

    /// Executes the iterations of a parallel loop in random order.
    fn parallel_loop(&mut self, op: Op) -> Result<Vec<Data>, Fault> {
        let body = op.regions().next().ok_or(Fault::Garbage)?;
        let n = body.first_block().map_or(0, |b| b.arguments().count());
        let numbers = self.integers(op, 0)?;
        if numbers.len() != 3 * n {
            return Err(Fault::Unsupported("a reduction".to_owned()));
        }
        let count = |i: usize| {
            (numbers[n + i] - numbers[i])
                .max(0)
                .div_euclid(numbers[2 * n + i].max(1))
        };
        let has_rest =
            |i: usize| (numbers[n + i] - numbers[i]).max(0) % numbers[2 * n + i].max(1) > 0;
        let sizes: Vec<i64> = (0..n).map(|i| count(i) + i64::from(has_rest(i))).collect();
        let mut rounds = all_indices(&sizes);
        for last in (1..rounds.len()).rev() {
            let other = self.below(last as u64 + 1) as usize;
            rounds.swap(last, other);
        }
        for round in rounds {
            let index = |i: usize| Data::Integer(numbers[i] + round[i] * numbers[2 * n + i]);
            self.region(body, (0..n).map(index).collect())?;
        }
        Ok(Vec::new())
    }
}

/// Whether an operation terminates a region.
fn is_end(name: &str) -> bool {
    let ends = [
        "func.return",
        "scf.condition",
        "scf.reduce",
        "memref.alloca_scope.return",
    ];
    name.ends_with(".yield") || ends.contains(&name)
}
