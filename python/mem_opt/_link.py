"""Copies between a device and its host while a step runs, and the nodes of graphs that ask for them.

Four functions are nodes of the forward and backward graphs: `offload` and `reload` issue a copy,
`offloaded` and `arrived` are where the step waits for one. A copy moves all bytes of a storage, so that
every layout survives bit for bit.

A link has an engine in each direction. On a GPU, engines are streams, the host's memory is pinned, and
events order them: nothing waits on the CPU. Elsewhere, engines are threads that take as long for a copy as
a stated bandwidth does, so that plans with copies can be tested without a GPU.

Device memory is allocated on the stream that computes, and given back after this stream has waited for the
last copy that uses it, so that the allocator needs to know nothing of the copies. Host memory comes from a
pool, where a buffer is free as soon as no tensor refers to it.
"""

from __future__ import annotations

import itertools
import queue
import threading
import time
import weakref

import torch
from torch.utils._python_dispatch import _disable_current_modes

from .errors import InternalError, InvalidInput

#: Links by number. Graphs refer to theirs by number, because nodes cannot hold objects.
_LINKS = weakref.WeakValueDictionary()
_NUMBERS = itertools.count()


def offload(value, link, transfer):
    """Issues a copy of the storage of a tensor to the host; returns the host's bytes."""
    return _LINKS[link].offload(value, transfer)


def offloaded(host, value, link, transfer):
    """Waits for a copy to the host, if it is under way: a backward part that runs twice finds it done. Until
    then, `value` stays."""
    _LINKS[link].wait(host, None)


def reload(host, link, transfer):
    """Issues a copy back to the device. The result is laid out as the tensor was when it left: kernels do
    not always return what they return while graphs are captured."""
    return _LINKS[link].reload(host, transfer)


def arrived(value, link, transfer):
    """Waits for a copy to the device, and returns its tensor."""
    _LINKS[link].wait(value, transfer)
    return value


#: Nodes that run although nothing reads their results.
WAITS = (offloaded, arrived)


class _Pool:
    """Host buffers, reused by size."""

    def __init__(self, is_pinned):
        self.is_pinned = is_pinned
        self._buffers = {}

    def take(self, n_bytes):
        """A buffer of `n_bytes` that no tensor uses, with an alias for the step."""
        for buffer in self._buffers.setdefault(n_bytes, []):
            # Nothing but the buffer's own tensor is left. A copy that is still under way ends before the next
            # one of this buffer begins.
            if torch._C._storage_Use_Count(buffer.storage._cdata) == buffer.n_idle:
                return buffer, buffer.alias()
        buffer = _Buffer(n_bytes, self.is_pinned)
        self._buffers[n_bytes].append(buffer)
        return buffer, buffer.alias()

    def n_bytes(self):
        """Bytes of all buffers."""
        return sum(size * len(buffers) for size, buffers in self._buffers.items())

    def find(self, host):
        """The buffer of an alias."""
        for buffer in self._buffers.get(host.numel(), ()):
            if buffer.pointer == host.data_ptr():
                return buffer
        raise InternalError("a copy back reads memory that is not from the pool")


class _Buffer:
    def __init__(self, n_bytes, is_pinned):
        #: What copies read and write. They share it, so that none that is under way keeps the buffer in use:
        #: how many buffers there are depends on the steps alone, and not on how long copies take.
        self.all = torch.empty(n_bytes, dtype=torch.uint8, pin_memory=is_pinned)
        self.storage, self.pointer = self.all.untyped_storage(), self.all.data_ptr()
        #: The last copy that uses the buffer; the next one waits for it.
        self.last = None
        #: Type, size, strides, offset and device of the tensor that left.
        self.layout = None
        self.n_idle = torch._C._storage_Use_Count(self.storage._cdata)

    def alias(self):
        """A tensor of all bytes that shares nothing else with the others: no version, no base."""
        return _over(self.storage, torch.uint8, (self.storage.nbytes(),), (1,), 0)


def _over(storage, dtype, size, stride, offset):
    own = torch.empty(0, dtype=dtype, device=storage.device)
    return own.set_(storage, offset, size, stride)


def _bytes_of(value):
    storage = value.untyped_storage()
    return _over(storage, torch.uint8, (storage.nbytes(),), (1,), 0)


class _Link:
    """What both kinds of links do: the pool, and copies under way by the address that they write."""

    def __init__(self, is_pinned):
        self.number = next(_NUMBERS)
        _LINKS[self.number] = self
        self.pool = _Pool(is_pinned)
        self._under_way = {}
        #: A list: copies are recorded there, with times. None: nothing is recorded.
        self.log = None

    def offload(self, value, transfer):
        with _disable_current_modes(), torch.no_grad():
            source = _bytes_of(value)
            buffer, host = self.pool.take(source.numel())
            buffer.layout = value.dtype, value.shape, value.stride(), value.storage_offset(), value.device
            buffer.last = self._copy("out", source, buffer.all, buffer.last, transfer)
            self._under_way[host.data_ptr()] = buffer.last
        return host

    def reload(self, host, transfer):
        buffer = self.pool.find(host)
        dtype, size, stride, offset, device = buffer.layout
        # Seen by whoever counts what is allocated on the device.
        value = torch.empty(host.numel(), dtype=torch.uint8, device=device)
        with _disable_current_modes(), torch.no_grad():
            result = _over(value.untyped_storage(), dtype, size, stride, offset)
            buffer.last = self._copy("in", buffer.all, value, buffer.last, transfer)
            self._under_way[result.untyped_storage().data_ptr()] = buffer.last
        return result

    def wait(self, destination, transfer):
        """Waits for the copy that writes a tensor. With a number, it must be under way."""
        job = self._under_way.pop(destination.untyped_storage().data_ptr(), None)
        if job is not None:
            self._wait(job)
        elif transfer is not None:
            raise InternalError(f"copy {transfer} is awaited, and was not issued")

    def reset(self):
        """Waits for all copies under way and forgets them: a step has failed, or was given up."""
        under_way, self._under_way = self._under_way, {}
        for job in under_way.values():
            self._wait(job, is_quiet=True)

    @property
    def n_under_way(self):
        """Number of copies that are issued and not awaited."""
        return len(self._under_way)


class CopyThreads(_Link):
    """A link for devices without copy engines: a thread in each direction, which takes `latency` seconds
    and then `bandwidth` bytes per second for a copy, or as long as copying the bytes takes."""

    def __init__(self, bandwidth, latency=0.0):
        if not bandwidth > 0 or not latency >= 0:
            raise InvalidInput(f"a link of {bandwidth!r} bytes per second and {latency!r} seconds of latency")
        super().__init__(is_pinned=False)
        self.bandwidth, self.latency = bandwidth, latency
        self._queues = {}

    def __repr__(self):
        return f"CopyThreads({self.bandwidth!r}, {self.latency!r})"

    def _copy(self, direction, source, destination, after, transfer):
        seconds = self.latency + source.numel() / self.bandwidth
        job = _Job(source, destination, seconds)
        if self.log is not None:
            self.log.append((transfer, job))
        if direction not in self._queues:
            self._queues[direction] = queue.SimpleQueue()
            thread = threading.Thread(target=_copy_all, args=(self._queues[direction],), daemon=True)
            thread.start()
            weakref.finalize(self, self._queues[direction].put, None)
        # One that is not ready is on the other engine's queue, or earlier on the same one.
        job.after = after
        self._queues[direction].put(job)
        return job

    def _wait(self, job, is_quiet=False):
        job.done.wait()
        if job.error is not None and not is_quiet:
            raise job.error

    def span(self, job):
        """Start and end of a copy that has been awaited, on the clock of `now`."""
        return job.start, job.end

    def now(self):
        """The time, for later comparison."""
        return time.perf_counter()


class _Job:
    def __init__(self, source, destination, seconds):
        self.source, self.destination, self.seconds = source, destination, seconds
        self.done, self.after, self.error = threading.Event(), None, None
        self.start = self.end = 0.0

    def run(self):
        if self.after is not None:
            self.after.done.wait()
        self.start = time.perf_counter()
        try:
            self.destination.copy_(self.source)
        except Exception as error:
            self.error = error
        rest = self.start + self.seconds - time.perf_counter()
        if rest > 0:
            time.sleep(rest)
        self.end = time.perf_counter()
        # The memory is free before whoever waits goes on.
        self.source = self.destination = self.after = None
        self.done.set()


def _copy_all(jobs):
    while (job := jobs.get()) is not None:
        job.run()
        del job


class CopyStreams(_Link):
    """The link of a GPU: a stream in each direction, and pinned memory."""

    def __init__(self, device=None):
        super().__init__(is_pinned=True)
        self.device = torch.device("cuda", torch.cuda.current_device()) if device is None else torch.device(device)
        self._streams = {direction: torch.cuda.Stream(self.device) for direction in ("out", "in")}

    def __repr__(self):
        return "CopyStreams()"

    def _copy(self, direction, source, destination, after, transfer):
        stream = self._streams[direction]
        # The source has been computed, and whoever used the destination's memory before has finished.
        stream.wait_stream(torch.cuda.current_stream(self.device))
        if after is not None:
            stream.wait_event(after[1])
        is_timed = self.log is not None
        begin, end = (torch.cuda.Event(enable_timing=is_timed) for _ in range(2))
        with torch.cuda.stream(stream):
            if is_timed:
                begin.record(stream)
            destination.copy_(source, non_blocking=True)
            end.record(stream)
        if is_timed:
            self.log.append((transfer, (begin, end)))
        return begin, end

    def _wait(self, job, is_quiet=False):
        torch.cuda.current_stream(self.device).wait_event(job[1])

    def span(self, job):
        """Events at the start and the end of a copy."""
        return job

    def now(self):
        """An event on the stream that computes."""
        event = torch.cuda.Event(enable_timing=True)
        event.record(torch.cuda.current_stream(self.device))
        return event
