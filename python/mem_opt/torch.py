"""Training steps of PyTorch within a budget of memory, a peak in bytes.

    import torch._inductor.config
    import mem_opt.torch

    torch._inductor.config.custom_partitioner_fn = mem_opt.torch.Partitioner(budget=64 * 2**20)
    model = torch.compile(model)

The partitioner splits a joint graph of forward and backward part so that, at every operation, the bytes of
all tensors that the step has allocated are at most the budget: activations, gradients and results.
Parameters, inputs and the gradients of results are not counted, nor is memory that a kernel uses
internally. What does not fit is computed again; the planner searches for the order of execution with the
fewest floating-point operations. Gradients do not change by a bit, because every operation is
computed by the same kernel from the same operands. Without a compiler that reorders or fuses
operations, as with `eager_backend`, the budget holds to the byte; a compiler may use less, or more.

`mem_opt.NoPlan` if no order of execution is found within the budget.
"""

from __future__ import annotations

from . import __version__
from ._frameworks import require
from .errors import InvalidInput

require("torch", ("torch", "torch==2.15.0"))

from torch._dynamo.backends.common import aot_autograd  # noqa: E402
from torch._dynamo.backends.debugging import boxed_nop  # noqa: E402
from torch._inductor.custom_graph_pass import CustomPartitionerFn  # noqa: E402

from ._joint_graph import JointGraph  # noqa: E402
from ._split import split  # noqa: E402

__all__ = ["Partitioner", "eager_backend"]


class Partitioner(CustomPartitionerFn):
    """A partitioner for `torch._inductor.config.custom_partitioner_fn`, and for `partition_fn` of
    AOTAutograd.

    `budget`: bytes; None: no tensor is computed again. `plans` has the plan of each graph so far, in the
    order of compilation.
    """

    def __init__(self, budget=None):
        if budget is not None and (not hasattr(budget, "__index__") or budget < 0):
            raise InvalidInput(f"budget is {budget!r}, expected bytes")
        self.budget = budget
        self.plans = []

    def __call__(self, gm, joint_inputs, *, num_fwd_outputs, static_lifetime_input_indices=None, **_):
        graph = JointGraph(gm, num_fwd_outputs)
        plan = graph.plan(self.budget)
        self.plans.append(plan)
        return split(graph, plan.order, static_lifetime_input_indices)

    def uuid(self):
        """Identifies what the partitioner does, for the caches of compiled code."""
        return f"mem_opt {__version__} {self.budget}"


def eager_backend(budget=None, partitioner=None):
    """A backend for `torch.compile` that plans within `budget` and runs the operations as they are, one
    after the other."""
    partitioner = Partitioner(budget) if partitioner is None else partitioner
    return aot_autograd(fw_compiler=boxed_nop, bw_compiler=boxed_nop, partition_fn=partitioner)
