"""Copies over the threads that stand for a link. A layout that changes on the way, a buffer that is reused
too early, or a copy that is faster than the link would fail here."""

import gc
import time

import mem_opt.torch
import pytest
import torch
from mem_opt._costs import fit_link
from mem_opt._measure import SIZES, measure_link
from mem_opt.errors import InternalError
from mem_opt.torch import CopyThreads


def there_and_back(link, value):
    host = link.offload(value, 0)
    link.wait(host, 0)
    back = link.reload(host, 1)
    link.wait(back, 1)
    return back


LAYOUTS = {
    "contiguous": lambda: torch.randn(3, 5),
    "transposed": lambda: torch.randn(3, 5).t(),
    "channels last": lambda: torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last),
    "part of a storage": lambda: torch.randn(100)[7:31:3],
    "expanded": lambda: torch.randn(4, 1).expand(4, 6),
    "16 bits": lambda: torch.randn(9).bfloat16(),
    "booleans": lambda: torch.rand(9) < 0.5,
    "a number": lambda: torch.tensor(3.5),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts_survive(name):
    value = LAYOUTS[name]()
    back = there_and_back(CopyThreads(1e9), value)
    assert torch.equal(back, value) and back.dtype == value.dtype
    assert (back.stride(), back.storage_offset()) == (value.stride(), value.storage_offset())
    assert back.untyped_storage().nbytes() == value.untyped_storage().nbytes()
    assert back.data_ptr() != value.data_ptr()


def test_a_copy_takes_as_long_as_the_link():
    link = CopyThreads(bandwidth=1e8, latency=0.01)
    value = torch.zeros(10**6, dtype=torch.uint8)
    begin = time.perf_counter()
    link.wait(link.offload(value, 0), 0)
    assert time.perf_counter() - begin >= 0.02


def test_directions_work_at_the_same_time_and_each_in_order():
    # Much longer than a busy machine keeps a thread waiting.
    link = CopyThreads(bandwidth=1e9, latency=0.5)
    value = torch.arange(1000)
    hosts = [link.offload(value, index) for index in range(2)]
    for host in hosts:
        link.wait(host, None)
    begin = time.perf_counter()
    link.log = []
    back = link.reload(hosts[0], 2)
    again = link.offload(value, 3)
    link.wait(back, 2)
    link.wait(again, 3)
    (one, first), (two, second) = link.log
    assert (one, two) == (2, 3)
    (begin, end), (other_begin, other_end) = link.span(first), link.span(second)
    assert max(begin, other_begin) < min(end, other_end)


def test_a_copy_out_and_back_without_a_wait_between_is_in_order():
    link = CopyThreads(bandwidth=1e9, latency=0.02)
    # Memory that is given out again must not have these bytes by chance.
    value = torch.randn(1000)
    # The second copy begins after the first one, and the engine of the other direction waits for it.
    first, second = link.offload(value + 1, 0), link.offload(value, 1)
    back = link.reload(second, 2)
    link.wait(back, 2)
    link.wait(first, 0)
    assert torch.equal(back, value)


def test_buffers_are_reused_when_no_tensor_refers_to_them():
    link = CopyThreads(1e9)
    first = link.offload(torch.full((100,), 1.0), 0)
    second = link.offload(torch.full((100,), 2.0), 1)
    assert link.pool.n_bytes() == 800
    for host in (first, second):
        link.wait(host, None)
    pointer = first.data_ptr()
    del first, host
    gc.collect()
    third = link.offload(torch.full((100,), 3.0), 2)
    assert third.data_ptr() == pointer and link.pool.n_bytes() == 800
    # The other one is still in use.
    back = link.reload(second, 3)
    link.wait(back, 3)
    assert torch.equal(back, torch.full((100,), 2.0))
    link.reset()
    assert link.n_under_way == 0


def test_copies_under_way_do_not_keep_buffers_in_use():
    # How many buffers there are must not depend on how long copies take.
    link = CopyThreads(bandwidth=1e9, latency=0.05)
    values, back = [torch.full((100,), float(index)) for index in range(4)], []
    for index, value in enumerate(values):
        host = link.offload(value, index)
        back.append(link.reload(host, index))
        del host
    assert link.n_under_way > 0 and link.pool.n_bytes() == 400
    for index, (value, own) in enumerate(zip(values, back)):
        link.wait(own, index)
        assert torch.equal(own, value)


def test_reset_waits_for_copies_under_way():
    # As above: the copy must not end before the next line.
    link = CopyThreads(bandwidth=1e9, latency=0.5)
    begin = time.perf_counter()
    host = link.offload(torch.arange(10), 0)
    assert link.n_under_way == 1
    link.reset()
    assert link.n_under_way == 0 and time.perf_counter() - begin >= 0.5
    # Whoever still waits for the copy to the host finds it done.
    link.wait(host, None)
    with pytest.raises(InternalError, match="copy 5 is awaited, and was not issued"):
        link.wait(torch.zeros(3), 5)


def test_the_measured_link_is_the_stated_one():
    link = CopyThreads(bandwidth=5e8, latency=1e-3)
    samples = measure_link(link, torch.device("cpu"), repeats=1)
    assert len(samples) == 2 * len(SIZES)
    for direction, n_bytes, seconds in samples:
        # Never faster than stated; how much slower depends on what else runs.
        assert seconds >= 1e-3 + n_bytes / 5e8, direction
    # If what else runs delays a small copy only, the line through all sizes is too low at the large ones.
    fitted = fit_link(samples)
    for latency, bandwidth in ((fitted.out_latency, fitted.out_bandwidth), (fitted.in_latency, fitted.in_bandwidth)):
        assert latency + SIZES[-1] / bandwidth >= 0.5 * (1e-3 + SIZES[-1] / 5e8)
    assert mem_opt.torch.CopyThreads is CopyThreads
