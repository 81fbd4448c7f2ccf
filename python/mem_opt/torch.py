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

`compile` is for whole training steps. It measures what operations and copies take, also copies to the
host's memory and back beside the computation, and corrects the plan from what it measures:

    step = mem_opt.torch.compile(model, budget="4GiB")
    step(x).backward()

`mem_opt.NoPlan` if no order of execution is found within the budget.
"""

from __future__ import annotations

from pathlib import Path

from . import __version__, plan
from ._costs import Store
from ._frameworks import require
from .errors import Error, InvalidInput

require("torch", ("torch", "torch==2.15.0"))

import torch  # noqa: E402
from torch._dynamo.backends.debugging import boxed_nop  # noqa: E402
from torch._inductor.custom_graph_pass import CustomPartitionerFn  # noqa: E402
from torch.utils import _pytree as pytree  # noqa: E402

from ._capture import eager_aot  # noqa: E402
from ._joint_graph import JointGraph, check_static  # noqa: E402
from ._link import CopyStreams, CopyThreads  # noqa: E402
from ._report import memory_map, page  # noqa: E402
from ._session import Session, Settings  # noqa: E402
from ._sizes import n_bytes  # noqa: E402
from ._split import split  # noqa: E402

__all__ = ["CopyStreams", "CopyThreads", "Partitioner", "PlannedModule", "compile", "eager_backend"]


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
        own = graph.plan(self.budget)
        self.plans.append(own)
        return split(graph, own.order, static_lifetime_input_indices)

    def uuid(self):
        """Identifies what the partitioner does, for the caches of compiled code."""
        return f"mem_opt {__version__} {self.budget}"


def eager_backend(budget=None, partitioner=None):
    """A backend for `torch.compile` that plans within `budget` and runs the operations as they are, one
    after the other."""
    partitioner = Partitioner(budget) if partitioner is None else partitioner
    return eager_aot(fw_compiler=boxed_nop, bw_compiler=boxed_nop, partition_fn=partitioner)


class PlannedModule(torch.nn.Module):
    """A module whose training steps run within a budget; see `compile`."""

    def __init__(self, module, settings):
        super().__init__()
        self.module = module
        self._settings, self._sessions = settings, []

        def backend(graph, example_inputs):
            for node in graph.graph.nodes:
                values = pytree.tree_leaves(node.meta.get("example_value"))
                check_static(node, values, "without sizes that are marked as dynamic or depend on values")
            session = Session(graph, settings)
            self._sessions.append(session)
            # PyTorch must not capture what plans and compiles.
            return torch._dynamo.disable(session)

        self._step = torch.compile(module, backend=backend, fullgraph=True, dynamic=False)

    def forward(self, *arguments, **keywords):
        return self._step(*arguments, **keywords)

    @property
    def sessions(self):
        """One for each captured graph: one for each shape of the arguments, for example."""
        return [own for own in self._sessions if own.planned is not None]

    @property
    def plan(self):
        """The plan of the latest graph; None before the first step."""
        return self.sessions[-1].planned.plan if self.sessions else None

    def report(self, path=None, title="Training step"):
        """A page with the measured step beside the modelled one, as text of HTML, and in a file if there is
        a `path`."""
        text = page(title, self._latest())
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def memory_map(self):
        """The addresses of the planner's plan as a `mem_opt.Plan`, which draws itself. PyTorch's allocator
        chooses its own addresses."""
        names, rows = memory_map(self._latest())
        return plan(rows, names=names)

    def _latest(self):
        if not self.sessions:
            raise Error("there is no plan before the first step")
        return self.sessions[-1]


def compile(model, budget=None, *, link=None, cache_dir=None, n_rounds=4):
    """Returns `model` as a module whose training steps run within `budget`, bytes or a text as `4GiB`.

    On a GPU, the budget is for all that PyTorch has allocated there: parameters, gradients, the states of
    optimizers, and what the step allocates. Elsewhere, where nothing counts what is allocated, it is for
    what the step allocates: activations, gradients and results. What does not fit is copied to the host and
    back, or computed again.

    `link`: how copies are made; None: `CopyStreams` on a GPU, elsewhere nothing is copied; False: nothing is
    copied anywhere. `cache_dir`: folder for measured costs and plans; without one, they are forgotten.
    `n_rounds`: at most this many steps are measured to correct copies back that the step waits for, after one
    that measures costs; None: nothing is measured.

    The model must be captured as a whole, with static shapes; every shape is a plan of its own. Sizes that
    are marked as dynamic, or depend on values, are an error.
    """
    device = next((own.device for own in model.parameters()), torch.device("cpu"))
    if n_rounds is not None and (not hasattr(n_rounds, "__index__") or n_rounds < 0):
        raise InvalidInput(f"n_rounds is {n_rounds!r}, expected a number of steps")
    if link is None and device.type == "cuda":
        link = CopyStreams(device)
    if link is False:
        link = None
    budget = None if budget is None else n_bytes(budget)
    return PlannedModule(model, Settings(budget, Store(cache_dir), link, n_rounds, device))
