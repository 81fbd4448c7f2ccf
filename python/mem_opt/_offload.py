"""Operation graphs within a budget beside a link to a host: what to copy, what to compute again, and when.

Times are in seconds here, and in nanoseconds for the planner, whose costs are integers. Positions are
indices of the plan's `order`, repetitions included; the length of the order is a position, too. At each
position, copies that are due are awaited first, then copies are issued, then the operation runs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

from . import _native
from ._recompute import graph_text, number
from .errors import InternalError, InvalidInput

#: Nanoseconds in a second.
NANOSECONDS = 1e9


@dataclass(frozen=True)
class Link:
    """Costs of copies between a device and its host. Both directions work at the same time."""

    #: Seconds before the first byte of a copy to the host, and bytes per second after that.
    out_latency: float
    out_bandwidth: float
    #: The same for copies back.
    in_latency: float
    in_bandwidth: float

    def __post_init__(self):
        for name in ("out_latency", "in_latency"):
            if not 0 <= getattr(self, name) < 1e6:
                raise InvalidInput(f"{name} is {getattr(self, name)!r}, expected seconds")
        for name in ("out_bandwidth", "in_bandwidth"):
            if not 0 < getattr(self, name) < 1e18:
                raise InvalidInput(f"{name} is {getattr(self, name)!r}, expected bytes per second")

    def seconds(self, direction, n_bytes):
        """How long a copy takes."""
        latency, bandwidth = (
            (self.out_latency, self.out_bandwidth) if direction == "out" else (self.in_latency, self.in_bandwidth)
        )
        return latency + n_bytes / bandwidth

    def native(self):
        """The link in the units of the planner."""
        return (
            round(self.out_latency * NANOSECONDS), self.out_bandwidth / NANOSECONDS,
            round(self.in_latency * NANOSECONDS), self.in_bandwidth / NANOSECONDS,
        )  # fmt: skip


@dataclass(frozen=True)
class Transfer:
    """A copy of a tensor to the host (`out`) or back (`in`)."""

    tensor: int
    direction: str
    #: Position before which it is issued.
    before: int
    #: Position that waits for it.
    until: int


@dataclass(frozen=True)
class OffloadPlan:
    """An order of execution within a budget, with copies beside it. The plan has passed its check."""

    #: Operations by number, in execution order, repetitions included.
    order: list = field(repr=False)
    #: Copies in the order in which they are issued.
    transfers: list = field(repr=False)
    #: The highest address in use, in bytes.
    peak: int
    #: Modelled seconds of the whole plan, of the operations alone, and a lower bound over all plans.
    makespan: float
    ideal_makespan: float
    lower_bound_makespan: float
    #: Modelled start of each executed operation, in seconds.
    starts: list = field(repr=False)
    #: Modelled start and end of each copy, in seconds.
    spans: list = field(repr=False)
    #: Tuples of tensor, offset, and first and end position of a stay on the device.
    placements: list = field(repr=False)

    @property
    def n_repeated(self):
        """Number of executions beyond the first of each operation."""
        return len(self.order) - len(set(self.order))

    def copied(self, sizes):
        """Bytes copied in both directions."""
        return sum(sizes[own.tensor] for own in self.transfers)

    def to_json(self):
        """The plan as values of JSON."""
        values = dict(vars(self))
        values["transfers"] = [[own.tensor, own.direction, own.before, own.until] for own in self.transfers]
        return values

    @classmethod
    def from_json(cls, values):
        """The plan of `to_json`; `KeyError`, `TypeError` or `ValueError` if it is not one."""
        transfers = [Transfer(*own) for own in values["transfers"]]
        return cls(**{**values, "transfers": transfers})


def plan_offload(sizes, operations, budget, link=None, stay=(), policy=None):
    """Plans an operation graph within `budget` bytes: what does not fit is copied to a host and back
    beside the computation, or computed again, whichever takes less time.

    `sizes`: bytes of each tensor. `operations`: in execution order, tuples (seconds, is_pure, reads,
    writes) with tensors by number. A pure operation may be repeated. `link`: a `Link`; None: nothing is
    copied. `stay`: tensors that are neither copied nor computed again. `policy`: `auto`, `swap`,
    `recompute`, `checkpoints` or `farthest-next-use`.

    Raises `InvalidInput` if the graph is not valid, and `NoPlan` if no plan fits.
    """
    sizes, operations = list(sizes), list(operations)
    timed = [(_nanoseconds(own[0]), *own[1:]) for own in operations]
    budget = None if budget is None else number("the budget", budget)
    stay = [number("a tensor", tensor) for tensor in stay]
    if any(tensor >= len(sizes) for tensor in stay):
        raise InvalidInput(f"there is no tensor {max(stay)} among {len(sizes)}")
    native = None if link is None else link.native()
    answer = json.loads(_native.plan_graph(graph_text(sizes, timed), budget, native, policy, stay))
    seconds = [answer[name] / NANOSECONDS for name in ("makespan", "ideal_operations", "lower_bound_makespan")]
    copies = answer["transfers"]
    plan = OffloadPlan(
        order=answer["order"],
        transfers=[Transfer(*(own[name] for name in ("tensor", "direction", "before", "until"))) for own in copies],
        peak=answer["peak"],
        makespan=seconds[0],
        ideal_makespan=seconds[1],
        lower_bound_makespan=seconds[2],
        starts=[start / NANOSECONDS for start in answer["starts"]],
        spans=[[own["start"] / NANOSECONDS, own["end"] / NANOSECONDS] for own in copies],
        placements=[[own["tensor"], own["offset"], own["first"], own["end"]] for own in answer["placements"]],
    )
    if budget is not None and Residence(sizes, operations, plan).peak > budget:
        raise InternalError("the plan exceeds its budget")
    return plan


def _nanoseconds(seconds):
    if not isinstance(seconds, (int, float)) or not 0 <= seconds < 1e6:
        raise InvalidInput(f"an operation takes {seconds!r}, expected seconds")
    return max(round(seconds * NANOSECONDS), 1)


#: What happens at a position, in this order.
AWAIT, ISSUE, RUN = range(3)


def events(plan):
    """What a plan does, in order: tuples of position, kind, and the index of a transfer, or the number of
    an operation."""
    waits, issues = {}, {}
    for index, own in enumerate(plan.transfers):
        issues.setdefault(own.before, []).append(index)
        waits.setdefault(own.until, []).append(index)
    for position in range(len(plan.order) + 1):
        for index in waits.get(position, ()):
            if plan.transfers[index].before < position:
                yield position, AWAIT, index
        for index in issues.get(position, ()):
            yield position, ISSUE, index
            if plan.transfers[index].until <= position:
                yield position, AWAIT, index
        if position < len(plan.order):
            yield position, RUN, plan.order[position]


def retimed(sizes, operations, plan, link):
    """The plan with the modelled times of its copies where they are now. An engine runs its copies in the
    order in which they are issued."""
    free = {"out": 0.0, "in": 0.0}
    spans = [None] * len(plan.transfers)
    starts, now = [], 0.0
    for _, kind, index in events(plan):
        if kind == RUN:
            starts.append(now)
            now += operations[index][0]
        elif kind == ISSUE:
            own = plan.transfers[index]
            begin = max(now, free[own.direction])
            free[own.direction] = begin + link.seconds(own.direction, sizes[own.tensor])
            spans[index] = [begin, free[own.direction]]
        else:
            now = max(now, spans[index][1])
    return replace(plan, starts=starts, spans=spans, makespan=max([now, *(end for _, end in spans)]))


class Residence:
    """Executes a plan without computing anything: checks that every operation finds the contents that it
    finds without repetitions and copies, and counts the bytes on the device after each event.

    Memory is held from the operation or the issue of the copy that writes it to the last event that uses
    it, as the executed graphs hold it. Raises `InternalError` if the plan is not right.
    """

    def __init__(self, sizes, operations, plan):
        self.sizes, self.operations, self.plan = sizes, operations, plan
        self.events = list(events(plan))
        #: Stays on the device: tensor, first and last event.
        self.stays = []
        self._device, self._host, self._arriving = {}, {}, {}
        self._expected = _contents(operations)
        self._run()
        held = [0] * (len(self.events) + 1)
        for tensor, first, last in self.stays:
            held[first] += sizes[tensor]
            held[last + 1] -= sizes[tensor]
        #: Bytes on the device at each event.
        self.bytes = []
        for change in held[:-1]:
            self.bytes.append((self.bytes[-1] if self.bytes else 0) + change)
        self.peak = max(self.bytes, default=0)

    def _run(self):
        ran = set()
        for at, (_, kind, index) in enumerate(self.events):
            if kind == RUN:
                self._execute(at, index, index in ran)
                ran.add(index)
            elif kind == ISSUE:
                self._issue(at, self.plan.transfers[index])
            else:
                self._await(at, self.plan.transfers[index])
        if ran != set(range(len(self.operations))):
            raise InternalError("the plan leaves out an operation")

    def _execute(self, at, index, is_again):
        _, is_pure, reads, writes = self.operations[index]
        if is_again and not is_pure:
            raise InternalError(f"operation {index} is repeated, and is not pure")
        for tensor in reads:
            if self._use(at, tensor, f"operation {index}") != self._expected[index][tensor]:
                raise InternalError(f"operation {index} finds other contents of tensor {tensor}")
        for tensor in writes:
            if tensor not in reads:
                self._begin(at, tensor)
            self._device[tensor][1] = index

    def _begin(self, at, tensor):
        self.stays.append([tensor, at, at])
        self._device[tensor] = [len(self.stays) - 1, None]

    def _use(self, at, tensor, what):
        if tensor not in self._device or tensor in self._arriving:
            raise InternalError(f"{what} uses tensor {tensor}, which is not on the device")
        stay, contents = self._device[tensor]
        self.stays[stay][2] = at
        return contents

    def _issue(self, at, transfer):
        tensor = transfer.tensor
        if transfer.direction == "out":
            self._host[tensor] = self._use(at, tensor, "a copy")
        elif tensor not in self._host:
            raise InternalError(f"tensor {tensor} is copied back, and is not on the host")
        else:
            self._begin(at, tensor)
            self._arriving[tensor] = self._host[tensor]

    def _await(self, at, transfer):
        tensor = transfer.tensor
        if transfer.direction == "out":
            if tensor in self._arriving or self._host[tensor] != self._use(at, tensor, "a copy"):
                raise InternalError(f"tensor {tensor} changes while it is copied")
            return
        self._device[tensor][1] = self._arriving.pop(tensor)
        self._use(at, tensor, "a copy")


def _contents(operations):
    """Per operation: which operation wrote each of its operands, in program order."""
    written, found = {}, []
    for index, (_, _, reads, writes) in enumerate(operations):
        found.append({tensor: written.get(tensor) for tensor in reads})
        written.update((tensor, index) for tensor in writes)
    return found


def begin_after(plan, cut):
    """The plan without copies back that are issued before position `cut` and awaited there or later: the
    forward part cannot hand over a copy that is under way. They are issued at `cut`."""
    changed = [
        replace(own, before=cut) if own.direction == "in" and own.before < cut <= own.until else own
        for own in plan.transfers
    ]
    return with_transfers(plan, changed)


def with_transfers(plan, transfers):
    """The plan with its copies, in other places."""
    ranked = sorted(range(len(transfers)), key=lambda index: transfers[index].before)
    return replace(
        plan,
        transfers=[transfers[index] for index in ranked],
        spans=[plan.spans[index] for index in ranked],
    )
