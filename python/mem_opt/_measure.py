"""Times of the nodes of graphs while they run, times of copies, and estimates where nothing was measured."""

from __future__ import annotations

from collections import defaultdict

import torch
from torch import fx
from torch.utils._pytree import tree_leaves

from ._joint_graph import accessed_bytes, flops
from ._offload import ISSUE, RUN

#: Per type of device: floating-point operations per second in 32 bits and in fewer, bytes per second, and
#: seconds to start an operation. They decide only until something is measured.
SPEEDS = {"cpu": (2e10, 1e10, 5e9, 5e-6), "cuda": (3e13, 3e14, 1e12, 5e-6)}

#: Cycles of a GPU's clock in which an operation can be issued: about 0.2 ms.
BUSY_CYCLES = 400_000

#: Bytes of the copies that are measured.
SIZES = (1 << 16, 1 << 20, 1 << 22, 1 << 24)


def estimate(node, device_type):
    """Estimated seconds of a node."""
    wide, narrow, bandwidth, start = SPEEDS.get(device_type, SPEEDS["cpu"])
    value = node.meta.get("val")
    is_narrow = isinstance(value, torch.Tensor) and value.element_size() < 4
    return start + max(flops(node) / (narrow if is_narrow else wide), accessed_bytes(node) / bandwidth)


def measure_link(link, device, room=None, repeats=3):
    """Measured copies in both directions, from their issue to the end of the wait for them: tuples of
    direction, bytes and seconds. They take at most `room` bytes on the device, if the smallest ones do."""
    samples = []
    # A tensor, and what comes back.
    for n_bytes in [own for own in SIZES if room is None or own == SIZES[0] or 2 * own <= room]:
        value = torch.zeros(n_bytes, dtype=torch.uint8, device=device)
        # The first round pays for pinning memory and starting threads.
        for attempt in range(repeats + 1):
            keep_busy(device)
            times = [link.now()]
            host = link.offload(value, 0)
            link.wait(host, 0)
            times.append(link.now())
            link.wait(link.reload(host, 1), 1)
            times.append(link.now())
            if value.is_cuda:
                torch.cuda.synchronize(device)
            if attempt:
                for direction, begin, end in zip(("out", "in"), times, times[1:]):
                    samples.append((direction, n_bytes, seconds_between(begin, end)))
            del host
    return samples


def warm_up(device):
    """Lets a GPU's library of matrix products allocate what it keeps: for the thread that calls, and for the
    one of backward parts."""
    if device.type == "cuda":
        with torch.inference_mode(False), torch.enable_grad(), torch.device(device):
            value = torch.ones(2, 2, requires_grad=True)
            # With a vector that is added, which needs a workspace of its own.
            torch.addmm(value[0], value, value).sum().backward()


def keep_busy(device):
    """Keeps a GPU busy while the CPU issues what is timed next: the time that this takes is not measured."""
    if device.type == "cuda":
        torch.cuda._sleep(BUSY_CYCLES)


def seconds_between(begin, end):
    """Seconds between two times of a link: numbers, or events of a GPU that have completed."""
    if isinstance(begin, float):
        return end - begin
    return begin.elapsed_time(end) / 1e3


class Recording:
    """What one training step took: per event of its plan, when it began and ended.

    With `is_profile`, each operation is timed on its own, and what it allocates is counted. Such a step takes
    several times as long as others, and its copies overlap with other operations than usual.
    """

    def __init__(self, link, device, is_profile):
        self.link, self.device, self.is_profile = link, device, is_profile
        #: Begin and end of each event, by position, kind and number.
        self.marks = {}
        #: Bytes beyond the results while an operation ran, by position.
        self.extra = {}
        #: Bytes by which results are larger than they were when the graph was captured, by position.
        self.grown = {}
        #: Begin and end of each part.
        self.parts = {}
        self.copies = []
        #: The highest number of bytes on the device, and the number before the step; None: the device does not
        #: count.
        self.peak = self.held = None

    @property
    def is_complete(self):
        """Whether both parts have run."""
        return len(self.parts) == 2

    def run(self, part, module, arguments):
        """Runs a part of the step."""
        self.link.log = []
        is_counting = self.device.type == "cuda"
        try:
            if is_counting:
                if self.held is None:
                    self.held = torch.cuda.memory_allocated(self.device)
                # The highest number since then is one of this step.
                torch.cuda.reset_peak_memory_stats(self.device)
            begin = self.link.now()
            results = _Timed(module, self).boxed_run(arguments)
            self.parts[part] = begin, self.link.now()
            self.copies += self.link.log
            if is_counting:
                self.peak = max(self.peak or 0, torch.cuda.max_memory_allocated(self.device))
        finally:
            self.link.log = None
        return results

    def timeline(self):
        """The step as `Timeline`, once everything has completed."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
        return Timeline(self)


class _Timed(fx.Interpreter):
    """Runs a graph node by node, and frees each value after its last use, as the compiled graph does."""

    def __init__(self, module, recording):
        super().__init__(module, garbage_collect_values=True)
        self.recording = recording
        self.profiles_gpu = recording.is_profile and recording.device.type == "cuda"

    def run_node(self, node):
        mark = node.meta.get("mem_opt")
        if mark is None:
            return super().run_node(node)
        own, link = self.recording, self.recording.link
        if self.profiles_gpu:
            before = self._prepare()
        begin = link.now()
        result = super().run_node(node)
        own.marks[mark] = begin, link.now()
        if own.is_profile and mark[1] == RUN:
            own.grown[mark[0]] = _new_bytes(node, result) - _new_bytes(node, node.meta["val"])
        if self.profiles_gpu:
            highest = torch.cuda.max_memory_allocated(own.device)
            after = torch.cuda.memory_allocated(own.device)
            own.extra[mark[0]] = max(highest - max(before, after), 0)
        return result

    def _prepare(self):
        """Bytes on the device before an operation, whose peak is counted anew."""
        own = self.recording
        own.peak = max(own.peak or 0, torch.cuda.max_memory_allocated(own.device))
        torch.cuda.reset_peak_memory_stats(own.device)
        before = torch.cuda.memory_allocated(own.device)
        # Last: the device must still be busy when the operation has been issued.
        keep_busy(own.device)
        return before


def _new_bytes(node, results):
    """Bytes of the storages of results; what a node changes in place is among both of two results."""
    storages = [own.untyped_storage() for own in tree_leaves(results) if isinstance(own, torch.Tensor)]
    return sum({own._cdata: own.nbytes() for own in storages}.values())


class Timeline:
    """A measured step in seconds since its start. The time between the two parts is left out."""

    def __init__(self, recording):
        (begin, end), (second, last) = (recording.parts[part] for part in ("forward", "backward"))
        forward = seconds_between(begin, end)
        pause = seconds_between(end, second)

        def at(time):
            own = seconds_between(begin, time)
            return own if own <= forward else max(own - pause, forward)

        self.seconds = forward + seconds_between(second, last)
        #: Begin and end of each event, by position, kind and number.
        self.events = {mark: (at(own), at(other)) for mark, (own, other) in recording.marks.items()}
        #: Begin and end of each copy, by number. Copies run on while nothing is computed, so that only
        #: their durations are exact.
        self.copies, self.durations = {}, {}
        for number, job in recording.copies:
            first, until = recording.link.span(job)
            self.copies[number] = at(first), at(until)
            self.durations[number] = seconds_between(first, until)
        self.extra, self.grown = recording.extra, recording.grown
        self.peak, self.held = recording.peak, recording.held

    def operation_seconds(self, order, n_operations):
        """Per operation: the mean of the measured seconds of its executions; None: it was not measured."""
        found = defaultdict(list)
        for (position, kind, _), (begin, end) in self.events.items():
            if kind == RUN:
                found[order[position]].append(end - begin)
        return [sum(found[own]) / len(found[own]) if own in found else None for own in range(n_operations)]

    def operation_bytes(self, order, n_operations):
        """Per operation: bytes beyond its results while it ran, and bytes by which its results were larger
        than they were when the graph was captured."""
        found = []
        for measured in (self.extra, self.grown):
            per_operation = [0] * n_operations
            for position, n_bytes in measured.items():
                if position < len(order) and order[position] < n_operations:
                    per_operation[order[position]] = max(per_operation[order[position]], n_bytes)
            found.append(per_operation)
        return found

    def waits(self):
        """Per number of an awaited copy: seconds that the step waited, and how long the copy was done
        before."""
        found = {}
        for (_, kind, number), (begin, end) in self.events.items():
            if kind not in (RUN, ISSUE) and number in self.copies:
                found[number] = end - begin, max(begin - self.copies[number][1], 0.0)
        return found

    @property
    def waited(self):
        """Seconds that the step waited for copies."""
        return sum(own for own, _ in self.waits().values())
