"""`mem_opt.executorch` in ExecuTorch's portable runtime: arenas at the bound, outputs equal bit for bit to
those of its own plans, banks. A storage that moves or dies early would change an output."""

import mem_opt
import mem_opt.executorch as adapter
import pytest
import torch
from executorch.exir import ExecutorchBackendConfig, to_edge
from executorch.exir.banked_memory_planning import planned_mem_ids
from executorch.exir.memory_planning import Verifier
from executorch.exir.passes import MemoryPlanningPass
from executorch.exir.tensor import TensorSpec
from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer
from torchvision.models.resnet import Bottleneck, ResNet


class Residual(torch.nn.Module):
    """Branches of several sizes, two results, and a view. All instances have the same weights."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.wide = torch.nn.Conv2d(3, 48, 3, padding=1)
        self.narrow = torch.nn.Conv2d(48, 16, 1)
        self.again = torch.nn.Conv2d(16, 48, 3, padding=1)
        self.down = torch.nn.Conv2d(48, 64, 3, stride=2, padding=1)
        self.last = torch.nn.Linear(64, 10)

    def forward(self, x):
        x = torch.relu(self.wide(x))
        x = torch.relu(self.again(torch.relu(self.narrow(x))) + x)
        x = torch.cat([torch.relu(self.down(x)), torch.sigmoid(self.down(x))], dim=2)
        return self.last(x.mean((2, 3))), x.view(1, -1)[:, :7]


class Branches(torch.nn.Module):
    """Control flow: each arm has an arena of its own, and results that outlive it."""

    def forward(self, x):
        before = torch.sin(x) * 2

        def larger(x):
            return (torch.cos(x @ x) + 1,)

        def smaller(x):
            return (torch.exp(x) - x,)

        (chosen,) = torch.cond(x.sum() > 0, larger, smaller, (before,))
        return torch.relu(chosen + before) @ torch.tanh(before) + chosen


class State(torch.nn.Module):
    """A buffer that the program changes."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(8))

    def forward(self, x):
        self.total.add_(x)
        return (self.total * 2).relu() + x.exp()


def lower(module, inputs, planning):
    exported = torch.export.export(module.eval(), inputs)
    config = ExecutorchBackendConfig(memory_planning_pass=planning)
    return to_edge(exported).to_executorch(config)


def arenas(program):
    return list(program._emitter_output.program.execution_plan[0].non_const_buffer_sizes)


def run(program, *calls):
    module = _load_for_executorch_from_buffer(program.buffer)
    # The runtime reuses the memory of outputs in the next call.
    return [[out.clone() for out in module.forward(list(inputs))] for inputs in calls]


def assert_equal(left, right):
    flat = [[out for call in own for out in call] for own in (left, right)]
    assert len(flat[0]) == len(flat[1]) > 0
    assert all(torch.equal(a, b) for a, b in zip(*flat))


def planner_of(planning):
    return planning.memory_planning_algo.algo_list[0]


def image(seed=0):
    torch.manual_seed(seed)
    return (torch.randn(1, 3, 16, 16),)


def square(seed):
    torch.manual_seed(seed)
    return (torch.randn(6, 6),)


def bottlenecks():
    """A network whose greedy plan is above the bound."""
    torch.manual_seed(0)
    return ResNet(Bottleneck, [1, 2, 1, 1], num_classes=10)


@pytest.mark.parametrize("make, is_lower", [(Residual, False), (bottlenecks, True)])
def test_a_network_is_at_the_bound_with_equal_outputs(make, is_lower):
    module, calls = make(), [image(0), image(1)]
    theirs, ours = MemoryPlanningPass(), adapter.memory_planning_pass()
    own, other = lower(module, calls[0], ours), lower(module, calls[0], theirs)
    plan = planner_of(ours).plans[1]
    assert arenas(own) == [0, plan.peak] and plan.peak == plan.lower_bound and plan.proven
    assert (arenas(own)[1] < arenas(other)[1]) == is_lower
    assert_equal(run(own, *calls), run(other, *calls))
    expected = module(*calls[1])
    expected = expected[0] if isinstance(expected, tuple) else expected
    torch.testing.assert_close(run(own, calls[1])[0][0], expected, rtol=1e-3, atol=1e-4)


def test_their_verifier_accepts_the_plan():
    program = lower(Residual(), image(), adapter.memory_planning_pass())
    module = program.exported_program().graph_module
    verifier = Verifier(module, True, True, True, program.exported_program().graph_signature)
    assert verifier.verify_storage_reuse() > 0


@pytest.mark.parametrize("alloc_input", [True, False])
@pytest.mark.parametrize("alloc_output", [True, False])
def test_inputs_and_outputs_are_planned_or_left_to_the_caller(alloc_input, alloc_output):
    options = dict(alloc_graph_input=alloc_input, alloc_graph_output=alloc_output)
    ours = adapter.memory_planning_pass(**options)
    own, other = lower(Residual(), image(), ours), lower(Residual(), image(), MemoryPlanningPass(**options))
    assert arenas(own)[1] == planner_of(ours).plans[1].lower_bound
    assert_equal(run(own, image(2)), run(other, image(2)))


def test_results_of_branches_survive():
    calls = [square(0), square(1), tuple(-abs(x) for x in square(2)), tuple(abs(x) for x in square(3))]
    own = lower(Branches(), calls[0], adapter.memory_planning_pass())
    other = lower(Branches(), calls[0], MemoryPlanningPass())
    assert arenas(own)[1] <= arenas(other)[1]
    assert_equal(run(own, *calls), run(other, *calls))


def test_state_survives_between_calls():
    calls = [(torch.arange(8.0) * scale,) for scale in (1, -2, 3)]
    own = lower(State(), calls[0], adapter.memory_planning_pass())
    other = lower(State(), calls[0], MemoryPlanningPass())
    assert_equal(run(own, *calls), run(other, *calls))


class Module:
    """What the planner reads of a graph module."""

    def __init__(self, bases=()):
        self.input_mem_buffer_sizes = list(bases)


def spec(n_bytes, first, last, base=None, inner=0, mem_id=None):
    own = TensorSpec(torch.uint8, torch.Size([n_bytes]))
    own.lifetime = [first, last]
    own.storage_base, own.storage_base_offset, own.mem_id = base, inner, mem_id
    return own


def test_aliases_lie_in_their_base_which_lives_as_long_as_they_do():
    base = spec(64, 0, 1)
    view = spec(16, 1, 5, base, 32)
    inner = spec(16, 2, 6, view, 0)
    other = spec(64, 4, 6)
    result = adapter.MemoryPlanner()(16, [inner, view, base, other], Module())
    at = {key: own.mem_offset for key, own in result.spec_dict.items()}
    assert at[view] == at[inner] == at[base] + 32
    # The base would be dead at step 4 but for its views.
    assert {at[base], at[other]} == {0, 64} and result.bufsizes == [0, 128]
    objects = {key: own.mem_obj_id for key, own in result.spec_dict.items()}
    assert objects[base] == objects[view] == objects[inner] != objects[other]


def test_both_ends_of_a_lifetime_are_included():
    result = adapter.MemoryPlanner()(16, [spec(32, 0, 1), spec(32, 1, 2), spec(32, 2, 3)], Module())
    first, second, third = (own.mem_offset for own in result.spec_dict.values())
    assert first == third != second and result.bufsizes == [0, 64]


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: [base := spec(32, 0, 1), spec(32, 1, 2, base, 16)], "ends beyond its base"),
        (lambda: [base := spec(32, 0, 1), spec(16, 1, 2, base, 8)], "not aligned to 16"),
        (lambda: [spec(16, 0, 1, spec(32, 0, 1))], "not planned"),
        (lambda: [spec(16, None, None)], "no lifetime"),
    ],
)
def test_aliases_that_cannot_be_are_refused(make, message):
    with pytest.raises(mem_opt.InvalidInput, match=message):
        adapter.MemoryPlanner()(16, make(), Module())


def test_arenas_of_submodules_and_padding_are_kept_free():
    result = adapter.MemoryPlanner()(16, [spec(20, 0, 1), spec(5, 1, 2, mem_id=3)], Module([0, 100, 7]), None, 64)
    assert [own.mem_offset for own in result.spec_dict.values()] == [100, 0]
    # 20 and 5 bytes, rounded up; arena 2 belongs to submodules alone.
    assert result.bufsizes == [0, 100 + 32 + 64, 7, 16 + 64]
    assert adapter.MemoryPlanner()(16, [], Module()).bufsizes == [0, 0]


def banks(fast, slow=10**9, **options):
    Bank = adapter.Bank
    return adapter.TargetMemoryMap([Bank("fast", fast, 1, **options), Bank("slow", slow, 2)])


def bound_of_residual():
    planning = adapter.memory_planning_pass()
    lower(Residual(), image(), planning)
    return planner_of(planning).plans[1].lower_bound


def test_a_fast_bank_of_the_bound_holds_everything():
    bound = bound_of_residual()
    own = lower(Residual(), image(), adapter.memory_planning_pass(banks(bound)))
    assert arenas(own)[:2] == [0, bound] and sum(arenas(own)[2:]) == 0
    assert set(planned_mem_ids(own.exported_program().graph_module)) == {1}


@pytest.mark.parametrize("share", [0.25, 0.6, 0.9])
def test_a_small_fast_bank_is_full_and_outputs_are_equal(share):
    fast = int(share * bound_of_residual())
    planning = adapter.memory_planning_pass(banks(fast))
    own = lower(Residual(), image(), planning)
    assert 0 < arenas(own)[1] <= fast and arenas(own)[2] > 0
    first, second = (planner_of(planning).plans[mem_id] for mem_id in (1, 2))
    assert first.peak <= fast and len(first) + len(second) > 10
    assert_equal(run(own, image(3)), run(lower(Residual(), image(), MemoryPlanningPass()), image(3)))


def test_pins_and_capacities_of_banks_are_kept():
    specs = [spec(64, 0, 2, mem_id=2), spec(64, 0, 2), spec(64, 1, 3), spec(16, 0, 9, mem_id=5)]
    result = adapter.MemoryPlanner(banks(64, 128))(16, specs, Module())
    assert [own.mem_id for own in result.spec_dict.values()] in ([2, 1, 2, 5], [2, 2, 1, 5])
    with pytest.raises(adapter.BankPlacementError, match="1 buffers are left over"):
        adapter.MemoryPlanner(banks(64, 64))(16, specs, Module())
    pinned = [spec(80, 0, 2, mem_id=1)]
    with pytest.raises(adapter.BankPlacementError, match="pinned to bank fast"):
        adapter.MemoryPlanner(banks(64))(16, pinned, Module())
    with pytest.raises(adapter.BankPlacementError, match="expected a multiple of the graph's, 16"):
        adapter.MemoryPlanner(banks(64, alignment=8))(16, [], Module())
    wide = adapter.MemoryPlanner(banks(128, alignment=64))(16, [spec(5, 0, 1), spec(5, 0, 1)], Module())
    assert sorted(own.mem_offset for own in wide.spec_dict.values()) == [0, 64]
    with pytest.raises(mem_opt.InvalidInput, match="share_mutable_buffers"):
        adapter.memory_planning_pass(banks(64), share_mutable_buffers=True)
