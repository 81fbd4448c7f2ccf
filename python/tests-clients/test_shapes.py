"""`mem_opt.torch` and shapes: each shape of the arguments has a plan of its own, within the budget, and sizes that
are known only at run time are refused. A plan for another shape would compute something else."""

import mem_opt
import mem_opt.torch
import pytest
import torch

MESSAGE = "node .* has a size that is known only at run time: a budget in bytes needs static shapes, "


class Selection(torch.nn.Module):
    """The size of an intermediate result depends on values."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x):
        y = self.linear(x)
        return y[y > 0].sum()


@pytest.fixture
def model():
    torch._dynamo.reset()
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 8))


def gradients(step, model, x):
    return torch.autograd.grad(step(x).square().sum(), list(model.parameters()))


def test_each_shape_has_a_plan(model):
    budget = 400_000
    step = mem_opt.torch.compile(model, budget, link=False)
    peaks = set()
    for n_rows in (100, 50, 1, 100):
        x = torch.randn(n_rows, 64)
        own, expected = gradients(step, model, x), gradients(model, model, x)
        assert all(torch.equal(left, right) for left, right in zip(own, expected, strict=True))
        assert step.plan.peak <= budget
        peaks.add(step.plan.peak)
    assert len(step.sessions) == 3 and len(peaks) == 3


def test_sizes_that_are_marked_as_dynamic_are_refused(model):
    step = mem_opt.torch.compile(model, "1MiB")
    x = torch.randn(100, 64)
    torch._dynamo.mark_dynamic(x, 0)
    with pytest.raises(Exception, match=MESSAGE + "without sizes that are marked"):
        step(x)
    assert step.plan is None


def test_sizes_that_depend_on_values_are_refused():
    torch._dynamo.reset()
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        with pytest.raises(Exception, match=MESSAGE + ".*depend on values"):
            mem_opt.torch.compile(Selection(), "1MiB")(torch.randn(4, 8))


def test_the_partitioner_names_the_option(model):
    step = torch.compile(model, backend=mem_opt.torch.eager_backend(10**6))
    step(torch.randn(10, 64)).sum().backward()
    # PyTorch takes a size that changes to be dynamic.
    with pytest.raises(Exception, match=MESSAGE + r"torch.compile\(..., dynamic=False\)"):
        step(torch.randn(20, 64))
