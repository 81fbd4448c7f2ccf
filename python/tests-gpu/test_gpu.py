"""`mem_opt.torch.compile` with PyTorch's own allocator, streams, and events of a GPU: a real one, or a simulated
one, whose kernels compute nothing (`python/simulated-gpu`). Budgets are what the allocator counts. A buffer that is
given back too early, a peak that is taken from another program, or memory that outlives a step would fail here.

    python -m pytest python/tests-gpu
    python python/simulated-gpu/run.py -m pytest python/tests-gpu
"""

import gc
import subprocess
import sys
from pathlib import Path

import mem_opt
import pytest
import torch
from mem_opt._costs import fit_link
from mem_opt._measure import measure_link
from mem_opt._session import UNKNOWN
from mem_opt.torch import CopyStreams

sys.path[:0] = [str(Path(__file__).parents[1] / own) for own in ("benchmarks", "tests-clients")]

from networks import ResNet, Transformer, UNet, images, words  # noqa: E402
from test_link import LAYOUTS  # noqa: E402
from test_rows import Words, programs  # noqa: E402

if not torch.cuda.is_available():
    pytest.skip("there is no GPU; python/simulated-gpu simulates one", allow_module_level=True)

DEVICE = torch.device("cuda", torch.cuda.current_device())
IS_SIMULATED = torch.cuda.get_device_name() == "Simulated GPU"
MIB = 2**20

NETWORKS = {
    "gpt": (lambda: Transformer(4, 256, 4, 1000, 128, True), words(1000, 128), 32),
    "bert": (lambda: Transformer(3, 256, 4, 1000, 128, False), words(1000, 128), 32),
    "resnet": (lambda: ResNet(16, (1, 2, 2, 1), 10), images(64, 10), 256),
    "unet": (lambda: UNet(16, 3), images(64), 16),
    "loss": (lambda: Words(8000, False), words(8000, 128), 32),
    "scores": (lambda: Words(8000, True), words(8000, 128), 32),
}
#: Networks, types and divisors of the unlimited peak.
BUDGETS = [
    ("gpt", torch.float32, 1.5), ("gpt", torch.bfloat16, 1.5), ("bert", torch.bfloat16, 1.5),
    ("resnet", torch.float32, 1.5), ("resnet", torch.bfloat16, 1.4), ("unet", torch.float32, 1.5),
]  # fmt: skip


class Step:
    """A model, and its training step."""

    def __init__(self, name, dtype=torch.float32, budget=None, times=1, **options):
        make, arguments, batch = NETWORKS[name]
        torch._dynamo.reset()
        gc.collect()
        torch.cuda.empty_cache()
        torch.manual_seed(0)
        self.model = make().to(DEVICE, dtype)
        self.inputs = arguments(times * batch, dtype, DEVICE)
        self.compiled = mem_opt.torch.compile(self.model, budget, **options)

    def run(self):
        """One step. Returns the most bytes that were allocated."""
        self.model.zero_grad(set_to_none=True)
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        results = self.compiled(*self.inputs)
        (results[0] if isinstance(results, tuple) else results).backward()
        torch.cuda.synchronize()
        return torch.cuda.max_memory_allocated()

    def gradients(self):
        return [own.grad.to("cpu", copy=True) for own in self.model.parameters()]

    @property
    def session(self):
        return self.compiled.sessions[-1]

    @property
    def link(self):
        return self.session.link


_UNLIMITED = {}


def unlimited(name, dtype):
    """The peak of a step without a limit, and its gradients."""
    if (name, dtype) not in _UNLIMITED:
        step = Step(name, dtype, n_rounds=None)
        peak = max(step.run() for _ in range(2))
        _UNLIMITED[name, dtype] = peak, step.gradients()
    return _UNLIMITED[name, dtype]


@pytest.mark.parametrize("name, dtype, divisor", BUDGETS)
def test_the_allocator_never_counts_more_than_the_budget(name, dtype, divisor):
    peak, expected = unlimited(name, dtype)
    budget = int(peak / divisor)
    step = Step(name, dtype, budget)
    peaks = [step.run()]
    own = step.session
    # The first two plans do not know the workspaces of kernels, which the second step measures, and leave some room.
    assert own.planned.plan.peak <= (1 - UNKNOWN) * own.planned.available
    peaks += [step.run() for _ in range(7)]
    assert max(peaks[:2]) <= budget + max(own.costs.extra)
    assert max(peaks[2:]) <= budget
    assert own.n_compiled > 1 and (own.planned.plan.transfers or own.planned.plan.n_repeated)
    assert own.reserve == 0 and step.link.n_under_way == 0
    # What is planned is what is counted, but for what the planner leaves and workspaces.
    assert peaks[-1] >= 0.9 * budget
    if own.planned.plan.transfers:
        step_bytes = own.timeline.peak - own.timeline.held
        assert 0.9 * own.planned.plan.peak <= step_bytes <= own.planned.available
    if not IS_SIMULATED:
        assert all(torch.equal(a, b) for a, b in zip(step.gradients(), expected))


@pytest.mark.parametrize("name, share", [("loss", 0.5), ("scores", 0.75)])
def test_losses_never_have_all_scores_in_32_bits(name, share):
    peak, expected = unlimited(name, torch.bfloat16)
    budget = int(share * peak)
    step = Step(name, torch.bfloat16, budget)
    peaks = [step.run() for _ in range(6)]
    # What is returned besides the loss has a gradient, which PyTorch allocates.
    assert max(peaks) <= budget
    first, second = programs(step.session.graph.module)
    scores = 32 * 128 * 8000 * 2
    # Without a budget, three whole tensors in 32 bits are live at a time; by rows, two in 16 bits.
    assert peak > 6 * scores and 2 * scores < peaks[-1]
    assert first.target.workspace + second.target.workspace <= budget / 32
    if not IS_SIMULATED:
        assert all(torch.equal(a, b) for a, b in zip(step.gradients(), expected))


def test_peaks_of_earlier_programs_leave_the_room_as_it_is():
    peak, _ = unlimited("gpt", torch.float32)
    step = Step("gpt", budget=peak * 2 // 3)
    for _ in range(7):
        step.model.zero_grad(set_to_none=True)
        # It is freed immediately, but the allocator's peak stays until it is reset.
        torch.empty(4 * peak, dtype=torch.uint8, device=DEVICE)
        step.compiled(*step.inputs).backward()
    assert step.session.reserve == 0


def test_optimizers_take_from_the_room():
    peak, _ = unlimited("gpt", torch.float32)
    budget = peak * 3 // 4
    step = Step("gpt", budget=budget)
    optimizer = torch.optim.Adam(step.model.parameters(), foreach=False)
    available = []
    for _ in range(8):
        step.run()
        available.append(step.session.planned.available)
        optimizer.step()
    size = sum(own.nbytes for own in step.model.parameters())
    # Two states for each parameter exist after the first step; room is rounded.
    assert available[-1] <= available[0] - 2 * size + MIB
    assert step.run() <= budget


def test_nothing_leaks_over_a_hundred_steps():
    peak, _ = unlimited("gpt", torch.bfloat16)
    step = Step("gpt", torch.bfloat16, peak * 2 // 3)
    for _ in range(8):
        step.run()
    allocated, host = torch.cuda.memory_allocated(), step.link.pool.n_bytes()
    peaks = {step.run() for _ in range(100)}
    assert max(peaks) <= peak * 2 // 3
    assert torch.cuda.memory_allocated() == allocated
    assert step.link.pool.n_bytes() == host


@pytest.mark.parametrize("divisor", [2, 3, 5])
def test_out_of_memory_in_a_step_leaves_the_process_usable(divisor):
    peak, expected = unlimited("gpt", torch.float32)
    budget = peak * 2 // 3
    step = Step("gpt", budget=budget)
    for _ in range(8):
        step.run()
    step.model.zero_grad(set_to_none=True)
    torch.cuda.empty_cache()
    allocated = torch.cuda.memory_allocated()
    # Another program takes most of the device.
    total = torch.cuda.get_device_properties(DEVICE).total_memory
    torch.cuda.set_per_process_memory_fraction((allocated + (budget - allocated) / divisor) / total)
    try:
        with pytest.raises(torch.OutOfMemoryError):
            step.compiled(*step.inputs).backward()
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)
    step.model.zero_grad(set_to_none=True)
    gc.collect()
    assert step.link.n_under_way == 0
    assert torch.cuda.memory_allocated() <= allocated + MIB
    for _ in range(3):
        assert step.run() <= budget
    if not IS_SIMULATED:
        assert all(torch.equal(a, b) for a, b in zip(step.gradients(), expected))


# PyTorch's own copy to the device keeps these layouts.
@pytest.mark.parametrize("name", ["contiguous", "transposed", "channels last", "16 bits"])
def test_copies_to_the_host_and_back_keep_bits_and_layouts(name):
    link, value = CopyStreams(DEVICE), LAYOUTS[name]()
    own = value.to(DEVICE)
    host = link.offload(own, 0)
    link.wait(host, None)
    assert host.device.type == "cpu" and host.is_pinned()
    del own
    # Takes the memory that the tensor had.
    other = torch.full((value.numel(),), 7, device=DEVICE)
    back = link.reload(host, 1)
    link.wait(back, 1)
    assert torch.equal(back.cpu(), value) and back.stride() == value.stride()
    assert link.n_under_way == 0 and other.numel() == value.numel()


@pytest.mark.skipif(not IS_SIMULATED, reason="the real link is not known")
def test_the_measured_link_is_the_simulated_one():
    found = fit_link(measure_link(CopyStreams(DEVICE), DEVICE))
    for latency, bandwidth in ((found.out_latency, found.out_bandwidth), (found.in_latency, found.in_bandwidth)):
        assert latency == pytest.approx(8e-6, rel=0.01) and bandwidth == pytest.approx(50e9, rel=0.001)


def test_measuring_the_link_takes_no_more_than_the_room():
    room = 3 * MIB
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    held = torch.cuda.memory_allocated()
    samples = measure_link(CopyStreams(DEVICE), DEVICE, room)
    assert {n_bytes for _, n_bytes, _ in samples} == {1 << 16, 1 << 20}
    assert torch.cuda.max_memory_allocated() <= held + room


WARM = """
import torch
from mem_opt._measure import warm_up

device = torch.device("cuda", 0)
warm_up(device)
layer, value = torch.nn.Linear(64, 64, device=device), torch.ones(8, 64, device=device)
held = torch.cuda.memory_allocated()
layer(value).sum().backward()
layer.zero_grad()
assert torch.cuda.memory_allocated() == held, (held, torch.cuda.memory_allocated())
"""


def test_workspaces_of_matrix_products_exist_before_the_first_plan():
    # In a process that has multiplied nothing before.
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", WARM], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not IS_SIMULATED, reason="real times vary")
def test_steps_take_as_long_as_planned():
    """The time that issuing operations takes is not part of their cost: the device is busy meanwhile."""
    # Operations that take longer than issuing them does.
    peak = Step("gpt", torch.bfloat16, times=8, n_rounds=None).run()
    step = Step("gpt", torch.bfloat16, peak // 2, times=8)
    for _ in range(3):
        step.run()
    own = step.session
    assert own.planned.plan.transfers
    timeline = own._recording.timeline()
    assert timeline.seconds == pytest.approx(own.planned.plan.makespan, rel=0.02)
