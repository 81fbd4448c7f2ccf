//! Operation graphs: the operations of a program with their costs and the tensors that they read
//! and write, as frameworks capture them for rematerialization. An operation graph states neither
//! addresses nor a memory hierarchy; [`OperationGraph::within`] makes it a problem with a budget.

use crate::{
    Advice, Bytes, CopyEngine, FunctionLevels, Hierarchy, Level, LevelId, LevelProblem, LevelStep,
    OffloadInput, OffloadPolicy, Port, Repeatable, Tensor, TensorId, TensorUse,
};

/// One operation of an [`OperationGraph`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operation {
    /// Cost of one execution, in arithmetic operations.
    pub cost: u64,
    /// Whether the operation may be repeated: it computes the same results from the same operands,
    /// and has no other effects.
    pub is_pure: bool,
    /// Tensors that it reads, each once.
    pub reads: Vec<TensorId>,
    /// Tensors that it writes, each once. A tensor that it does not read as well is overwritten as a
    /// whole. One of no bytes has no contents: nothing depends on it.
    pub writes: Vec<TensorId>,
}

/// The link between a device and its host: one engine in each direction, beside computation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HostLink {
    /// Copies from the device to the host. Latencies are in arithmetic operations, bandwidths in
    /// bytes in the time of one.
    pub out: Port,
    /// Copies from the host to the device.
    pub back: Port,
}

impl HostLink {
    /// A link without latency that copies `bandwidth` bytes in the time of one arithmetic operation,
    /// in each direction.
    #[must_use]
    pub const fn symmetric(bandwidth: f64) -> Self {
        let port = Port {
            latency: 0,
            bandwidth,
        };
        Self {
            out: port,
            back: port,
        }
    }
}

/// Operations in execution order, and the tensors between them. Inputs and parameters are not part
/// of the graph: their storage is not planned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperationGraph {
    /// Sizes of the tensors.
    pub tensors: Vec<Bytes>,
    /// The operations, in execution order.
    pub operations: Vec<Operation>,
}

impl OperationGraph {
    /// The problem of executing the graph within `budget` bytes. A cycle of the problem is one
    /// arithmetic operation. With a `link`, tensors may be copied to a host of unlimited size and
    /// back, in both directions at once and beside computation; without one, no engine reaches the
    /// host, and the planner can only recompute. Linear.
    #[must_use]
    pub fn within(
        &self,
        function: String,
        budget: Bytes,
        link: Option<HostLink>,
    ) -> FunctionLevels {
        let tensors = self.tensors.iter().enumerate();
        let steps = self.operations.iter().enumerate();
        FunctionLevels {
            function,
            problem: LevelProblem {
                hierarchy: hierarchy(budget, link),
                tensors: tensors.map(|(id, size)| tensor(id, *size)).collect(),
                steps: steps.map(|(id, own)| self.step(id, own)).collect(),
                blocks: Vec::new(),
            },
            offload: Some(OffloadInput {
                device: LevelId::DEVICE,
                host: LevelId::HOST,
                policy: OffloadPolicy::Auto,
                repeatable: self.operations.iter().map(repeatable).collect(),
                advice: Advice::default(),
            }),
        }
    }

    fn step(&self, id: usize, own: &Operation) -> LevelStep {
        // One use for a tensor that is updated in place: each tensor is listed once.
        let news = own.writes.iter().filter(|id| !own.reads.contains(id));
        // Some kernels have results without bytes, which must not keep them from being repeated.
        let has_bytes = |id: &&TensorId| self.tensors[id.index()] > Bytes::ZERO;
        let uses = own.reads.iter().chain(news).filter(has_bytes);
        let uses = uses.map(|tensor| {
            let size = self.tensors[tensor.index()];
            let amount = |is_done: bool| if is_done { size } else { Bytes::ZERO };
            let is_read = own.reads.contains(tensor);
            TensorUse {
                tensor: *tensor,
                reads: amount(is_read),
                writes: amount(own.writes.contains(tensor)),
                writes_all: !is_read,
                // The host holds tensors, and computes nothing with them.
                accepted: vec![LevelId::DEVICE],
                takes_over: None,
            }
        });
        LevelStep {
            name: format!("o{id}"),
            cycles: own.cost,
            repeats: 1,
            uses: uses.collect(),
            ..LevelStep::default()
        }
    }
}

fn repeatable(own: &Operation) -> Repeatable {
    Repeatable {
        is_pure: own.is_pure,
        until: None,
        in_place: Vec::new(),
    }
}

fn tensor(id: usize, size: Bytes) -> Tensor {
    Tensor {
        name: format!("t{id}"),
        size,
        alignment: Bytes::new(1),
        home: None,
        is_result: false,
        is_preloaded: false,
        frozen: Vec::new(),
        within: None,
    }
}

/// A device of `budget` bytes whose accesses are part of the cost of operations, and its host.
fn hierarchy(budget: Bytes, link: Option<HostLink>) -> Hierarchy {
    let (device, host) = (LevelId::DEVICE, LevelId::HOST);
    let level = |name: &str, capacity: Option<Bytes>, read: Port, write: Port| Level {
        name: name.to_owned(),
        capacity,
        alignment: Bytes::new(1),
        read,
        write,
    };
    let engine = |name: &str, links: &[(LevelId, LevelId)]| CopyEngine {
        name: name.to_owned(),
        links: links.to_vec(),
    };
    let free = Port::default();
    // A copy reads one level and writes the other: the host's ports have the whole cost.
    let ports = link.unwrap_or(HostLink::symmetric(0.0));
    Hierarchy {
        levels: vec![
            level("device", Some(budget), free, free),
            level("host", None, ports.back, ports.out),
        ],
        engines: match link {
            Some(_) => vec![
                engine("out", &[(device, host)]),
                engine("in", &[(host, device)]),
            ],
            // Without any engine, the processor could copy; one without links copies nothing.
            None => vec![engine("none", &[])],
        },
        ..Hierarchy::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_has_the_costs_of_both_directions() {
        let port = |latency, bandwidth| Port { latency, bandwidth };
        let link = HostLink {
            out: port(3, 2.0),
            back: port(7, 4.0),
        };
        let graph = OperationGraph::default();
        let hierarchy = graph
            .within("f".to_owned(), Bytes::new(9), Some(link))
            .problem
            .hierarchy;
        let host = &hierarchy.levels[LevelId::HOST.index()];
        assert_eq!((host.write, host.read), (link.out, link.back));
        assert_eq!(hierarchy.levels[0].read, Port::default());
        assert!(hierarchy.connects(LevelId::DEVICE, LevelId::HOST));
        let alone = graph.within("f".to_owned(), Bytes::new(9), None).problem;
        assert!(!alone.hierarchy.connects(LevelId::DEVICE, LevelId::HOST));
    }

    #[test]
    fn tensors_without_bytes_are_not_used() {
        let ids = |all: &[usize]| all.iter().copied().map(TensorId::new).collect();
        let operation = |reads: &[usize], writes: &[usize]| Operation {
            reads: ids(reads),
            writes: ids(writes),
            ..Operation::default()
        };
        let graph = OperationGraph {
            tensors: [8, 0, 4].map(Bytes::new).to_vec(),
            operations: vec![operation(&[], &[0, 1]), operation(&[0, 1], &[1, 2])],
        };
        let problem = graph.within("f".to_owned(), Bytes::new(9), None).problem;
        let used = |at: usize| problem.steps[at].uses.iter().map(|own| own.tensor.index());
        assert_eq!(used(0).collect::<Vec<_>>(), [0]);
        assert_eq!(used(1).collect::<Vec<_>>(), [0, 2]);
    }
}
