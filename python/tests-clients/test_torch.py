"""`mem_opt.torch`: budgets that hold when a training step runs on the CPU, gradients that are equal bit for
bit, and never more floating-point operations than PyTorch's partitioner at the peak that it reaches. A
view of an old execution, a random number that is drawn twice, or a changed buffer would fail here."""

import sys
from pathlib import Path

import mem_opt
import mem_opt.torch
import pytest
import torch
import torch._functorch.config
import torch._inductor.config
from torch._functorch.partitioners import default_partition, min_cut_rematerialization_partition

sys.path.insert(0, str(Path(__file__).parent))

from metering import Attention, Convolutions, Perceptron, are_equal, train  # noqa: E402

torch.manual_seed(0)
NETWORKS = {
    "perceptron": (Perceptron, (torch.randn(256, 64),)),
    "attention": (Attention, (torch.randn(4, 32, 32),)),
    "convolutions": (Convolutions, (torch.randn(8, 3, 24, 24),)),
}


@pytest.fixture(scope="module", params=NETWORKS)
def network(request):
    """A model and its inputs, and its step without recomputation."""
    make, inputs = NETWORKS[request.param]
    return make, inputs, train(make, inputs, default_partition)


def test_without_a_budget_nothing_is_repeated(network):
    make, inputs, (values, peak, flops) = network
    partitioner = mem_opt.torch.Partitioner()
    own, own_peak, own_flops = train(make, inputs, partitioner)
    (plan,) = partitioner.plans
    assert len(plan.order) == len(set(plan.order)) and own_flops == flops
    assert are_equal(own, values) and own_peak <= peak


#: Of the peak without recomputation. Random numbers are drawn once, and their results stay.
SHARES = [
    ("perceptron", 0.8), ("perceptron", 0.4), ("attention", 0.8), ("attention", 0.6),
    ("convolutions", 0.9), ("convolutions", 0.78),
]  # fmt: skip


@pytest.mark.parametrize("name, share", SHARES)
def test_budgets_are_kept_and_gradients_are_equal(name, share):
    make, inputs = NETWORKS[name]
    values, peak, flops = train(make, inputs, default_partition)
    budget = int(share * peak)
    partitioner = mem_opt.torch.Partitioner(budget)
    own, own_peak, own_flops = train(make, inputs, partitioner)
    (plan,) = partitioner.plans
    assert own_peak <= plan.peak <= budget
    assert len(plan.order) > len(set(plan.order)), "something is repeated"
    assert are_equal(own, values)


@pytest.mark.parametrize("name", ["perceptron", "attention"])
def test_never_more_operations_than_theirs_at_the_same_peak(name):
    make, inputs = NETWORKS[name]
    for share in (1.0, 0.3, 0.0):
        with torch._functorch.config.patch(activation_memory_budget=share):
            values, peak, flops = train(make, inputs, min_cut_rematerialization_partition)
        own, own_peak, own_flops = train(make, inputs, mem_opt.torch.Partitioner(peak))
        assert own_peak <= peak and own_flops <= flops, share
        assert are_equal(own, values)


def test_a_budget_that_cannot_be_kept_says_who_holds_the_memory():
    make, inputs = NETWORKS["perceptron"]
    with pytest.raises(Exception, match=r"does not fit at '\w+': \d+ bytes are missing(?s:.*)note: '") as caught:
        train(make, inputs, mem_opt.torch.Partitioner(100_000))
    assert "'t1'" not in str(caught.value)


def test_invalid_budgets_and_graphs_are_refused():
    for budget in (-1, 1.5, "1"):
        with pytest.raises(mem_opt.InvalidInput, match="budget"):
            mem_opt.torch.Partitioner(budget)
    model = torch.compile(torch.nn.Linear(4, 4), backend=mem_opt.torch.eager_backend(10**6), dynamic=True)
    with pytest.raises(Exception, match="static shapes"):
        model(torch.randn(7, 4)).sum().backward()


def test_the_eager_backend_and_its_second_call():
    torch._dynamo.reset()
    model = Perceptron(n_blocks=2)
    compiled = torch.compile(model, backend=mem_opt.torch.eager_backend(2_000_000))
    for seed in range(2):
        torch.manual_seed(seed)
        x = torch.randn(256, 64)
        expected = torch.autograd.grad(model(x), list(model.parameters()))
        own = torch.autograd.grad(compiled(x), list(model.parameters()))
        assert are_equal(own, expected)


def test_inductor_compiles_both_parts():
    torch._dynamo.reset()
    model, x = Perceptron(n_blocks=2, width=16), torch.randn(64, 16)
    expected = torch.autograd.grad(model(x), list(model.parameters()))
    partitioner = mem_opt.torch.Partitioner(200_000)
    # Code that an earlier run has compiled and cached would not need the partitioner.
    options = {"custom_partitioner_fn": partitioner, "force_disable_caches": True}
    with torch._inductor.config.patch(options):
        own = torch.autograd.grad(torch.compile(model)(x), list(model.parameters()))
    assert len(partitioner.plans) == 1
    torch.testing.assert_close(own, expected, rtol=1e-4, atol=1e-6)
