"""`mem_opt.torch.compile`: training steps with copies and repetitions run on the CPU, with threads as the
link. Gradients must equal those of the unlimited step bit for bit, and what the step allocates is counted
and must stay within the budget. A copy that is read before it arrives, a host buffer that is reused while
it is needed, or memory that outlives a step would fail here."""

import gc
import json
import sys
from pathlib import Path

import mem_opt
import mem_opt.torch
import pytest
import torch
import torch._functorch.config
from mem_opt._offload import Residence
from mem_opt._session import Session
from mem_opt.torch import CopyThreads
from torch.utils._python_dispatch import TorchDispatchMode

sys.path.insert(0, str(Path(__file__).parent))

from metering import Ambient, Attention, Convolutions, Perceptron, are_equal  # noqa: E402

torch.set_num_threads(1)
torch.manual_seed(0)


class Narrow(torch.nn.Module):
    """Kernels of 16 bits do not return what is captured: statistics of batch normalization have fewer bits,
    and the loss has a storage of the size of its operands."""

    def __init__(self):
        super().__init__()
        self.layers = Convolutions().layers
        self.to(torch.bfloat16)

    def forward(self, x):
        y = self.layers(x)
        return torch.nn.functional.mse_loss(y, y * 0.5)


class Enlarging(torch.nn.Module):
    """Makes images larger by interpolation."""

    def __init__(self, mode):
        super().__init__()
        self.layers, self.mode = torch.nn.ModuleList(torch.nn.Conv2d(4, 4, 3, padding=1) for _ in range(3)), mode

    def forward(self, x):
        for layer in self.layers:
            x = torch.nn.functional.interpolate(torch.relu(layer(x)), scale_factor=2.0, mode=self.mode)
        return x.mean()


class Counter(torch.nn.Module):
    """Reads a buffer, which it changes afterwards."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(64, 64)
        self.register_buffer("scale", torch.ones(64))

    def forward(self, x):
        x = self.layer(x) * (self.scale * 2.0)
        self.scale.mul_(0.5)
        for _ in range(4):
            x = torch.nn.functional.gelu(self.layer(x))
        return x.square().mean()


NETWORKS = {
    "narrow": (Narrow, (torch.randn(8, 3, 24, 24, dtype=torch.bfloat16),)),
    "perceptron": (Perceptron, (torch.randn(256, 64),)),
    "attention": (Attention, (torch.randn(4, 32, 32),)),
    "convolutions": (Convolutions, (torch.randn(8, 3, 24, 24),)),
    "counter": (Counter, (torch.randn(16, 64),)),
    "nearest": (lambda: Enlarging("nearest"), (torch.randn(2, 4, 8, 8),)),
    "bicubic": (lambda: Enlarging("bicubic"), (torch.randn(2, 4, 8, 8),)),
}
#: Budgets as divisors of the unlimited peak; smaller ones are less than the widest operation needs.
BUDGETS = [
    ("perceptron", 2), ("perceptron", 3), ("perceptron", 4), ("attention", 2), ("attention", 3),
    ("convolutions", 2), ("convolutions", 3), ("narrow", 2), ("narrow", 3),
]  # fmt: skip
#: Copies take about as long as the operations beside them.
BANDWIDTH = 2e9
#: The gradient of the loss, which the caller allocates.
TANGENT = 4


class Failing(TorchDispatchMode):
    """Runs out of memory at the allocation of a number."""

    def __init__(self, at):
        super().__init__()
        self.left = at

    @classmethod
    def ignore_compile_internals(cls):
        return True

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.left -= 1
        if self.left == 0:
            raise torch.OutOfMemoryError("injected")
        return function(*args, **(kwargs or {}))


class Step:
    """A model, and its training step."""

    def __init__(self, name, budget=None, **options):
        make, self.inputs = NETWORKS[name]
        torch._dynamo.reset()
        torch.manual_seed(0)
        self.model = make()
        self.link = options.setdefault("link", CopyThreads(BANDWIDTH))
        self.compiled = mem_opt.torch.compile(self.model, budget, **options)

    def run(self, seed=0):
        """One step. Returns the loss, gradients and buffers."""
        self.model.zero_grad()
        torch.manual_seed(seed)
        loss = self.compiled(*self.inputs)
        loss.backward()
        values = [loss.detach(), *(own.grad for own in self.model.parameters()), *self.model.buffers()]
        return [own.clone() for own in values]

    def metered(self, seed=0):
        """One step, and the most bytes that it has allocated at a time."""
        self.model.zero_grad()
        torch.manual_seed(seed)
        with Ambient() as meter:
            self.compiled(*self.inputs).backward()
        return meter.peak

    @property
    def session(self):
        return self.compiled.sessions[-1]

    @property
    def planned_peak(self):
        own = self.session.planned
        return Residence(own.sizes, own.operations, own.plan).peak


@pytest.fixture(scope="module")
def unlimited():
    """Per network: the values of some steps without a budget, and their peak."""
    found = {}
    for name in NETWORKS:
        step = Step(name, link=None, n_rounds=None)
        found[name] = [step.run(seed) for seed in range(6)], step.planned_peak
    return found


@pytest.fixture
def steady(monkeypatch):
    """Plans of estimated operations and of the link as it was set up. Steps are measured all the same, but
    what they find does not decide, so that every machine, however busy, tests the same plans."""

    def measure(link, device, room):
        return [
            (direction, n_bytes, link.latency + n_bytes / link.bandwidth)
            for direction in ("out", "in")
            for n_bytes in (1 << 16, 1 << 20)
        ]

    monkeypatch.setattr(mem_opt._session, "measure_link", measure)
    monkeypatch.setattr(mem_opt._costs.Costs, "merged", lambda self, estimates: estimates)


@pytest.mark.parametrize("name", NETWORKS)
def test_without_a_budget_nothing_is_copied_or_repeated(name, unlimited):
    step = Step(name)
    assert are_equal(step.run(), unlimited[name][0][0])
    assert not step.compiled.plan.transfers and not step.compiled.plan.n_repeated
    # So does the model as it is.
    own = Step(name)
    torch.manual_seed(0)
    own.model(*own.inputs).backward()
    grads = [parameter.grad for parameter in own.model.parameters()]
    torch.testing.assert_close(grads, unlimited[name][0][0][1 : 1 + len(grads)])


@pytest.mark.parametrize("name, divisor", BUDGETS)
def test_gradients_are_equal_and_budgets_are_kept(name, divisor, unlimited, steady):
    expected, peak = unlimited[name]
    budget = peak // divisor
    step = Step(name, budget)
    # The first plan is made from estimates, the next ones from what was measured, then corrected.
    for seed in range(4):
        assert are_equal(step.run(seed), expected[seed]), seed
        assert step.planned_peak <= budget
    assert step.session.n_compiled > 1 and step.compiled.plan.transfers
    # Normal steps, after those that are measured, allocate what was planned.
    step.session._rounds_left = 0
    for _ in range(2):
        measured = step.metered()
    assert measured <= budget + TANGENT
    assert measured >= 0.8 * step.planned_peak, "what is counted is what is planned"
    assert step.link.n_under_way == 0


@pytest.mark.parametrize("name, divisor", [("perceptron", 4), ("attention", 3), ("convolutions", 3)])
def test_measured_steps_keep_the_budget(name, divisor, unlimited):
    peak = unlimited[name][1]
    step = Step(name, peak // divisor)
    step.run()
    assert step.session._measures
    assert step.metered() <= peak // divisor + TANGENT
    assert step.session._recording.is_complete


def test_results_that_are_larger_than_captured_are_counted():
    step = Step("narrow")
    for seed in range(4):
        step.run(seed)
    grown = {node.name: n_bytes for node, n_bytes in zip(step.session.graph.operations, step.session.costs.grown)}
    assert grown["mse_loss"] > 1000 and grown["convolution"] == 0
    assert step.metered() <= step.planned_peak + TANGENT


@pytest.mark.parametrize("name", ["perceptron", "attention"])
def test_without_a_link_results_are_computed_again(name, unlimited):
    expected, peak = unlimited[name]
    step = Step(name, peak * 2 // 3, link=None)
    for seed in range(3):
        assert are_equal(step.run(seed), expected[seed])
    assert not step.compiled.plan.transfers and step.compiled.plan.n_repeated
    assert step.metered() <= peak * 2 // 3 + TANGENT


@pytest.mark.parametrize("name", ["convolutions", "narrow"])
def test_repeated_batch_normalization_needs_no_running_statistics(name, unlimited, steady):
    expected, peak = unlimited[name]
    step = Step(name, peak * 2 // 3, link=None)
    for seed in range(3):
        # The last values are the running statistics.
        assert are_equal(step.run(seed), expected[seed])
    own = step.session
    repeated = {index for index in own.planned.plan.order if own.planned.plan.order.count(index) > 1}
    assert any("batch_norm" in own.graph.operations[index].name for index in repeated)
    assert step.metered() <= peak * 2 // 3 + TANGENT


def test_what_reads_a_buffer_that_changes_is_not_repeated(unlimited, steady):
    expected, peak = unlimited["counter"]
    step = Step("counter", peak * 9 // 10, link=None)
    for seed in range(3):
        assert are_equal(step.run(seed), expected[seed])
    own = step.session
    assert own.planned.plan.n_repeated
    first = next(node for node in own.graph.operations if node.name == "mul")
    assert not own.graph.is_pure[first]


@pytest.mark.parametrize("name", ["nearest", "bicubic"])
def test_images_are_enlarged_by_the_kernels_of_eager_steps(name, unlimited, steady):
    expected, peak = unlimited[name]
    step = Step(name, peak * 9 // 10)
    for seed in range(2):
        assert are_equal(step.run(seed), expected[seed])
    names = {str(node.target) for node in step.session.graph.operations}
    assert any("upsample" in own and "backward" in own for own in names), names
    assert not any("index" in own for own in names), names
    # Decompositions are hidden only meanwhile.
    own = torch.ops.aten.upsample_nearest2d.vec
    assert set(mem_opt._capture.KEYS) <= set(own.py_kernels)
    torch.manual_seed(0)
    loss = step.model(*step.inputs)
    assert torch.equal(loss.detach(), expected[0][0])


def test_nothing_leaks_over_a_hundred_steps(unlimited):
    expected, peak = unlimited["perceptron"]
    step = Step("perceptron", peak // 3)
    for seed in range(8):
        step.run(seed % 6)

    def counted():
        gc.collect()
        return sum(isinstance(own, torch.Tensor) for own in gc.get_objects())

    n_tensors, host = counted(), step.link.pool.n_bytes()
    for index in range(100):
        assert are_equal(step.run(index % 6), expected[index % 6]), index
    assert counted() <= n_tensors + 2
    assert step.link.pool.n_bytes() == host
    assert step.link.n_under_way == 0


@pytest.mark.parametrize("at, is_copying", [(3, False), (20, False), (60, True), (100, False), (140, True)])
def test_out_of_memory_in_a_step_leaves_the_process_usable(at, is_copying, unlimited, steady):
    expected, peak = unlimited["perceptron"]
    step = Step("perceptron", peak // 3, n_rounds=None)
    step.run()
    step.model.zero_grad()
    # Slow copies are under way when memory runs out.
    step.link.latency, found, reset = 0.2, [], step.link.reset

    def counted():
        found.append(step.link.n_under_way)
        reset()

    step.link.reset = counted
    with pytest.raises(torch.OutOfMemoryError, match="injected"), Failing(at):
        step.compiled(*step.inputs).backward()
    assert len(found) == 1 and (found[0] > 0) is is_copying
    assert step.link.n_under_way == 0
    step.link.latency = 0.0
    host = step.link.pool.n_bytes()
    for seed in range(6):
        assert are_equal(step.run(seed), expected[seed])
    assert step.metered() <= peak // 3 + TANGENT
    assert step.link.pool.n_bytes() <= 2 * host


def test_a_copy_that_fails_is_an_error_of_the_step(unlimited, steady, monkeypatch):
    expected, peak = unlimited["perceptron"]
    step = Step("perceptron", peak // 3, n_rounds=None)
    step.run()

    def fail(self, other):
        raise torch.OutOfMemoryError("no host memory")

    with monkeypatch.context() as context:
        context.setattr(torch.Tensor, "copy_", fail)
        with pytest.raises(torch.OutOfMemoryError, match="no host memory"):
            step.run()
    assert step.link.n_under_way == 0
    assert are_equal(step.run(1), expected[1])


def test_steps_that_are_given_up_and_graphs_that_are_kept(unlimited):
    expected, peak = unlimited["perceptron"]
    step = Step("perceptron", peak // 3)
    with torch._functorch.config.patch(donated_buffer=False):
        for _ in range(8):
            step.run()
    for _ in range(3):
        step.compiled(*step.inputs)
    # Two graphs at a time, and a backward part that runs twice.
    step.model.zero_grad()
    first, second = step.compiled(*step.inputs), step.compiled(*step.inputs)
    second.backward()
    # As for everything that PyTorch compiles, a second backward part has to be asked for.
    with torch._functorch.config.patch(donated_buffer=False):
        first.backward(retain_graph=True)
        first.backward()
    grads = [own.grad for own in step.model.parameters()]
    assert are_equal(grads, [own + own + own for own in expected[0][1 : 1 + len(grads)]])
    with torch.no_grad():
        assert torch.equal(step.compiled(*step.inputs), expected[0][0])
    assert are_equal(step.run(2), expected[2])


def test_equal_costs_give_equal_plans(tmp_path, unlimited):
    expected, peak = unlimited["attention"]
    first = Step("attention", peak // 2, cache_dir=tmp_path)
    for seed in range(8):
        first.run(seed % 6)
    assert first.session._rounds_left == 0
    assert sorted(own.name.split(".")[-2] for own in tmp_path.iterdir()) == ["costs", "plan"]
    files = {own.name: own.read_bytes() for own in tmp_path.iterdir()}
    # Another process plans once, measures nothing, and has the corrections.
    for _ in range(2):
        other = Step("attention", peak // 2, cache_dir=tmp_path)
        for seed in range(3):
            assert are_equal(other.run(seed), expected[seed])
        assert other.session.n_compiled == 1 and other.session.timeline is None
        assert other.compiled.plan == first.compiled.plan
        assert other.session.feedback.leads() == first.session.feedback.leads()
    assert files == {own.name: own.read_bytes() for own in tmp_path.iterdir()}
    # From the costs alone, the planner finds the same plan.
    (plan,) = tmp_path.glob("*.plan.json")
    plan.unlink()
    other = Step("attention", peak // 2, cache_dir=tmp_path, n_rounds=None)
    other.run()
    assert other.session.planned.base == first.session.planned.base


def test_stored_plans_are_checked(tmp_path, unlimited, steady):
    expected, peak = unlimited["attention"]
    step = Step("attention", peak // 2, cache_dir=tmp_path)
    for seed in range(8):
        step.run(seed % 6)
    (path,) = tmp_path.glob("*.plan.json")
    values = json.loads(path.read_text())
    values["plan"]["transfers"].pop()
    values["plan"]["spans"].pop()
    path.write_text(json.dumps(values))
    with pytest.warns(UserWarning, match="ignores a stored plan"):
        other = Step("attention", peak // 2, cache_dir=tmp_path)
        assert are_equal(other.run(3), expected[3])


def test_measured_waits_move_copies(unlimited, steady):
    """A link that is slower than it was when its costs were measured: copies back have to begin earlier."""
    expected, peak = unlimited["perceptron"]
    step = Step("perceptron", peak // 2, link=CopyThreads(4e9))
    step.run(0)
    step.run(1)
    step.link.bandwidth, step.link.latency = 0.5e9, 2e-4
    positions = []
    for seed in range(8):
        assert are_equal(step.run(seed % 6), expected[seed % 6])
        back = [own for own in step.compiled.plan.transfers if own.direction == "in"]
        positions.append(sum(own.until - own.before for own in back))
        assert step.planned_peak <= peak // 2
    assert max(positions) > positions[0]
    assert any(lead > 0 for lead in step.session.feedback.leads().values()) or step.session._best[1] == {}


def test_report(tmp_path, unlimited):
    peak = unlimited["attention"][1]
    step = Step("attention", peak // 2)
    with pytest.raises(mem_opt.Error, match="before the first step"):
        step.compiled.report()
    for seed in range(5):
        step.run(seed)
    text = step.compiled.report(tmp_path / "page.html", title="a <step>")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == text == step.compiled.report(title="a <step>")
    assert "<h1>a &lt;step&gt;</h1>" in text
    modelled, measured = text.split("<h2>Measured</h2>")
    n_copies = len(step.compiled.plan.transfers)
    for part in (modelled.split("<h2>Modelled</h2>")[1], measured.split("<h2>Bytes")[0]):
        # Every operation and every copy is in both timelines.
        assert part.count("class='out'") + part.count("class='in'") == n_copies
        assert part.count("class='run'") + part.count("class='again'") >= len(step.session.graph.operations)
    assert "memory_map" not in text and "mm" in text
    assert "<svg" in step.compiled.memory_map().svg()


def test_budgets_as_text():
    assert [mem_opt.torch.n_bytes(own) for own in ("4GiB", "1.5 kB".upper(), "10", 7)] == [2**32, 1500, 10, 7]
    for budget in ("4 gigs", "-1", -1, 1.5, "GiB"):
        with pytest.raises(mem_opt.InvalidInput, match="expected bytes, as in 4294967296 or '4GiB'"):
            mem_opt.torch.compile(torch.nn.Linear(2, 2), budget)
    with pytest.raises(mem_opt.InvalidInput, match="n_rounds"):
        mem_opt.torch.compile(torch.nn.Linear(2, 2), 1, n_rounds=-1)
    with pytest.raises(mem_opt.InvalidInput, match="a link of 0 bytes"):
        CopyThreads(0)


def test_a_budget_that_is_too_small_is_an_error():
    with pytest.raises(mem_opt.NoPlan, match=r"does not fit at '\w+': \d+ bytes are missing"):
        Step("perceptron", 100_000).run()


def test_errors_name_operations_whatever_is_repeated_before_them():
    torch._dynamo.reset()
    layers = [torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.GELU()) for _ in range(4)]
    step = mem_opt.torch.compile(torch.nn.Sequential(*layers), 100_000, n_rounds=None)
    # The 34th position of 23 operations.
    text = r"widest operation, 'the end', needs \d+, and \d+ are enough; 'gelu_backward' does not fit at 'gelu_backward'"
    with pytest.raises(mem_opt.NoPlan, match=text):
        step(torch.randn(64, 64)).square().mean().backward()


def test_graphs_have_names_of_their_own_shapes():
    seen = set()
    for size in (64, 128):
        step = Step("perceptron")
        step.compiled(torch.randn(size, 64)).backward()
        seen.add(step.session.key)
    assert len(seen) == 2 and all(isinstance(own, Session) for own in step.compiled.sessions)
