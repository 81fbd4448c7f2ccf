"""Training steps of one captured graph: planned, compiled, measured, and planned again.

A session begins with what its folder knows of the graph: measured costs, and a plan with corrections. If
costs are missing, the first step runs by a plan that estimates them, and is measured; the second one runs
by the plan for the measured costs. If that copies, some more steps are measured, and copies back are moved
where a step has waited for them. The order that waited least is kept. Every plan is within the budget,
whatever it was made from.
"""

from __future__ import annotations

import hashlib
import platform
import warnings
from dataclasses import dataclass, replace

import torch
from torch._dynamo.backends.debugging import boxed_nop
from torch.utils._python_dispatch import _disable_current_modes

from . import __version__
from ._capture import eager_aot
from ._costs import Costs, Store, fit_link
from ._feedback import Feedback, moved
from ._joint_graph import JointGraph, changed_nodes, depending_on_gradients
from ._link import CopyStreams, CopyThreads
from ._measure import Recording, estimate, measure_link, warm_up
from ._offload import Residence, begin_after, retimed
from ._rows import by_rows
from ._sizes import GPU_UNIT, rounded
from ._split import cut_of, split_plan
from .errors import InternalError, NoPlan

#: Bytes beside results up to this fraction of the budget are reserved for the whole step.
SMALL = 0.01
#: The fraction of the room that is left for workspaces of kernels before they have been measured, if there is
#: a plan for the rest.
UNKNOWN = 0.05
#: The fraction of the budget by which what is allocated outside of the step may grow before it is planned
#: again.
SLACK = 0.01
#: A step that waits for copies for less than this fraction of its time needs no correction.
SETTLED = 0.01


@dataclass
class Settings:
    """What a user decides."""

    budget: int | None
    store: Store
    #: A link of `_link.py`; None: nothing is copied.
    link: object | None
    #: Number of steps that may be measured for corrections; None: nothing is measured.
    n_rounds: int | None
    device: torch.device


@dataclass
class Planned:
    """A plan and what it was made from."""

    plan: object
    #: The plan as the planner made it, without corrections.
    base: object
    #: Bytes of the storages, and of what operations need besides.
    sizes: list
    operations: list
    #: Bytes for the step.
    available: int | None
    #: Identifies the problem.
    problem: str
    #: Costs of the link that the plan was made for.
    link: object


class Session:
    """Calls a graph. PyTorch compiles it on the first call, and whenever the plan changes."""

    def __init__(self, module, settings):
        self.module, self.settings = module, settings
        # Without a link, times are taken all the same.
        self.link = settings.link or _clock(settings.device)
        self.graph = self.planned = self.timeline = self.key = None
        self.costs, self.feedback = None, Feedback()
        #: Plans without corrections, by problem.
        self._bases = {}
        self.n_compiled, self.reserve = 0, 0
        self._compiled = self._recording = self._best = self._link_costs = None
        self._rounds_left = settings.n_rounds or 0

    def __call__(self, *arguments):
        if self._recording is not None and self._recording.is_complete:
            self._learn(self._recording.timeline())
        self._recording = None
        is_first = self.n_compiled == 0
        if is_first:
            warm_up(self.settings.device)
        if self._compiled is None or self._has_less_room():
            self._compile(arguments)
        # The first step also loads kernels and starts threads.
        if self._measures and not is_first and torch.is_grad_enabled():
            self._recording = Recording(self.link, self.settings.device, not self.costs.seconds)
        return self._compiled(*arguments)

    @property
    def _measures(self):
        """Whether the next step is measured."""
        if self.settings.n_rounds is None or self.planned is None:
            return False
        return not self.costs.seconds or (self._rounds_left > 0 and bool(self.planned.plan.transfers))

    def _compile(self, arguments):
        self._compiled = None
        parts = {part: self._compiler(part) for part in ("forward", "backward")}
        backend = eager_aot(
            fw_compiler=parts["forward"], bw_compiler=parts["backward"], inference_compiler=boxed_nop,
            partition_fn=self._partition,
        )  # fmt: skip
        self._compiled = backend(self.module, list(arguments))
        self.n_compiled += 1

    def _compiler(self, part):
        def compile_part(module, example_inputs):
            run = boxed_nop(module, example_inputs)

            def call(arguments):
                return self._run(part, run, module, arguments)

            call._boxed_call = True
            return call

        return compile_part

    def _run(self, part, run, module, arguments):
        recording = self._recording
        try:
            if recording is None or part in recording.parts:
                return run(arguments)
            return recording.run(part, module, arguments)
        except BaseException:
            # Copies under way would write memory that is given back.
            self._recording = None
            self.link.reset()
            raise

    def _partition(self, module, joint_inputs, *, num_fwd_outputs, static_lifetime_input_indices=None, **_):
        late, changed = depending_on_gradients(module.graph.nodes), changed_nodes(module.graph)
        by_rows(module, late, changed, self.settings.budget)
        self.graph = JointGraph(module, num_fwd_outputs)
        self.key = _digest(self.graph.digest(), _device_name(self.settings.device), torch.__version__)
        if self.costs is None:
            known = self.settings.store.costs(self.key, len(self.graph.operations))
            self.costs = known or Costs()
        self.planned = self._plan(self._available())
        return split_plan(self.graph, self.planned.plan, self.link.number, static_lifetime_input_indices)

    def _available(self):
        """Bytes for what the step allocates."""
        budget, device = self.settings.budget, self.settings.device
        if budget is None or device.type != "cuda":
            return budget
        held = torch.cuda.memory_allocated(device)
        # Rounded, so that plans do not depend on a few bytes.
        available = (budget - held - self.reserve) // 2**20 * 2**20
        if available <= 0:
            raise NoPlan(f"{held} bytes are allocated before the step, of a budget of {budget}")
        return available

    def _has_less_room(self):
        """Whether more is allocated outside of the step than when it was planned."""
        if self.planned is None or self.planned.available is None:
            return False
        # A few bytes more or less are no reason to plan again.
        return self._available() < self.planned.available - SLACK * self.settings.budget

    def _plan(self, available):
        graph, device = self.graph, self.settings.device
        link = self._measured_link(available)
        estimates = [estimate(node, device.type) for node in graph.operations]
        unit = GPU_UNIT if device.type == "cuda" else 1
        sizes = list(graph.sizes)
        for node, n_bytes in zip(graph.operations, self.costs.grown):
            if n_bytes and graph.allocates[node]:
                sizes[graph.allocates[node][0]] += n_bytes
        sizes = [rounded(size, unit) for size in sizes]
        operations = graph.costed(self.costs.merged(estimates))
        extra = graph.workspaces()
        if self.costs.extra:
            extra = list(map(max, extra, self.costs.extra))
        reserved = _add_extra(sizes, operations, extra, available)
        gradients = 0
        if device.type == "cuda":
            gradients = sum(rounded(size, unit) for size in graph.gradient_sizes())
        try:
            room, problem, base = self._within(available, reserved + gradients, sizes, operations, link)
        except NoPlan as error:
            if gradients <= SMALL * available:
                raise
            raise NoPlan(f"{error}\n  note: gradients of results hold {gradients} bytes") from None
        plan = base
        cut = cut_of(graph, plan.order)
        if link is not None:
            if room is not None:
                plan = moved(sizes, operations, plan, self.feedback.leads(), room, cut)
            plan = retimed(sizes, operations, plan, link)
        _check(sizes, operations, plan, room)
        return Planned(plan, base, sizes, operations, available, problem, link)

    def _within(self, available, reserved, sizes, operations, link):
        """The room of the step, what identifies its problem, and the plan without corrections."""
        rooms = [None if available is None else max(available - reserved, 0)]
        if rooms[0] is not None and self.settings.device.type == "cuda" and not self.costs.seconds:
            rooms.insert(0, int(rooms[0] * (1 - UNKNOWN)))
        for room in rooms:
            # Everything that a plan depends on.
            problem = _digest(repr((__version__, sizes, operations, room, link)))
            try:
                return room, problem, self._base_plan(problem, sizes, operations, room, link)
            except NoPlan:
                if room == rooms[-1]:
                    raise

    def _base_plan(self, problem, sizes, operations, room, link):
        """The plan without corrections: from an earlier compilation, the store, or the planner."""
        if problem in self._bases:
            return self._bases[problem]
        found = self._stored(problem, sizes, operations, room)
        if found is not None:
            plan, leads = found
            self.feedback, self._rounds_left = Feedback(leads), 0
        else:
            plan = self.graph.plan_offload(sizes, operations, room, link)
            plan = begin_after(plan, cut_of(self.graph, plan.order))
            is_final = self.costs.seconds or self.settings.n_rounds is None
            if is_final and not (plan.transfers and self._rounds_left):
                self.settings.store.save_plan(self.key, problem, plan, {})
        self._bases[problem] = plan
        return plan

    def _stored(self, problem, sizes, operations, room):
        """The plan of the store with its corrections, if it is one of this problem."""
        found = self.settings.store.plan(self.key, problem)
        if found is None:
            return None
        try:
            _check(sizes, operations, found[0], room)
        except (InternalError, LookupError, TypeError, ValueError) as error:
            warnings.warn(f"mem_opt ignores a stored plan: {error}", stacklevel=2)
            return None
        return found

    def _measured_link(self, available):
        """Costs of the link as they were measured, for this graph or just now."""
        if self.settings.link is None:
            return None
        if self.costs.link is None:
            # Graphs are compiled with tensors that have no memory.
            with _disable_current_modes():
                self.costs.link = fit_link(measure_link(self.link, self.settings.device, available))
        return self.costs.link

    def _learn(self, timeline):
        """Learns from a measured step. The next one is compiled anew if its plan changes."""
        self.timeline = timeline
        planned, n_operations = self.planned, len(self.graph.operations)
        if not self.costs.seconds:
            order = planned.plan.order
            seconds = timeline.operation_seconds(order, n_operations)
            extra, grown = timeline.operation_bytes(order, n_operations)
            self.costs = replace(self.costs, seconds=seconds, extra=extra, grown=grown)
            self.settings.store.save_costs(self.key, _device_name(self.settings.device), self.costs)
            self._compiled = None
            return
        is_over = timeline.peak is not None and self.settings.budget is not None
        if is_over and timeline.peak > self.settings.budget:
            self.reserve += timeline.peak - self.settings.budget
            self._compiled = None
        if self._rounds_left > 0:
            self._correct(timeline)

    def _correct(self, timeline):
        self._rounds_left -= 1
        used, plan = self.feedback.leads(), self.planned.plan
        if self._best is None or timeline.waited < self._best[0]:
            self._best = timeline.waited, used
        changes = False
        for number, (waited, early) in timeline.waits().items():
            own = plan.transfers[number]
            if own.direction == "in":
                changes |= self.feedback.learn(own, timeline.durations[number], waited, early)
        if timeline.waited <= SETTLED * timeline.seconds or not changes or self._rounds_left == 0:
            # What waited least so far.
            self._rounds_left = 0
            self.feedback = Feedback(self._best[1])
            self._save()
        if self.feedback.leads() != used:
            self._compiled = None

    def _save(self):
        """Keeps the plan as the planner made it, with the corrections."""
        own = self.planned
        self.settings.store.save_plan(self.key, own.problem, own.base, self.feedback.leads())


def _check(sizes, operations, plan, room):
    """Executes a plan; `InternalError` if it is not right or exceeds the room."""
    peak = Residence(sizes, operations, plan).peak
    if room is not None and peak > room:
        raise InternalError(f"the plan takes {peak} bytes, of {room}")


def _add_extra(sizes, operations, extra, available):
    """Adds what operations allocate besides their results: as tensors of their own if it is much, and
    otherwise as bytes that are reserved for the whole step, which are returned."""
    reserved = 0
    for index, n_bytes in enumerate(extra):
        if available is None or n_bytes <= SMALL * available:
            reserved = max(reserved, n_bytes)
            continue
        seconds, is_pure, reads, writes = operations[index]
        operations[index] = seconds, is_pure, reads, [*writes, len(sizes)]
        sizes.append(n_bytes)
    return reserved


def _clock(device):
    """A link that copies nothing, for its clock."""
    return CopyStreams(device) if device.type == "cuda" else CopyThreads(1e9)


def _digest(*texts):
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:32]


def _device_name(device):
    """The device as measurements depend on it."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    return f"{platform.machine()} {platform.processor()} {torch.get_num_threads()} threads"
