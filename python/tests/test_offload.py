"""Plans of operation graphs with copies beside the computation, their check, the correction of copies from
measurements, and the files of costs and plans. Each plan is executed by `Residence`, which shares nothing
with the planner; the tests of `Residence` break plans on purpose."""

import json
import warnings
from dataclasses import replace

import mem_opt
import pytest
from mem_opt import Link, OffloadPlan, Transfer, plan_offload
from mem_opt._costs import Costs, Store, fit_link
from mem_opt._feedback import Feedback, moved
from mem_opt._offload import Residence, begin_after, retimed
from mem_opt.errors import InternalError

MIB = 2**20
FAST = Link(0.0, 1e9, 0.0, 1e9)


def chain(n_layers, seconds=1e-3, is_pure=False):
    """A forward part of layers, each of which writes 1 MiB, and a backward part that reads them in reverse
    order. Returns sizes and operations; nothing can be computed again unless it is pure."""
    operations = [(seconds, is_pure, [own - 1] if own else [], [own]) for own in range(n_layers)]
    gradient = n_layers
    operations.append((seconds, False, [n_layers - 1], [gradient]))
    for own in reversed(range(n_layers - 1)):
        operations.append((seconds, False, [own, gradient], [gradient + 1]))
        gradient += 1
    return [MIB] * (gradient + 1), operations


@pytest.mark.parametrize("link", [None, Link(0.0, 1e3, 0.0, 1e3)])
def test_results_without_bytes_do_not_keep_operations_from_being_repeated(link):
    # The first result is needed at once and at the end, and costs less than the others.
    operations = [(1e-6, True, [], [0, 1]), (5e-6, True, [0], [2]), (5e-6, True, [2], [3])]
    operations += [(5e-6, False, [0, 1, 3], [4]), (0, False, [4], [])]
    plan = plan_offload([MIB, 0, MIB, MIB, 64], operations, 2 * MIB + 4096, link)
    assert plan.order == [0, 1, 2, 0, 3, 4] and not plan.transfers


def test_copies_make_room_beside_the_computation():
    sizes, operations = chain(12)
    plan = plan_offload(sizes, operations, 6 * MIB, Link(0.0, 2e9, 0.0, 2e9))
    assert plan.transfers and plan.n_repeated == 0
    state = Residence(sizes, operations, plan)
    assert state.peak <= plan.peak <= 6 * MIB
    assert {own.direction for own in plan.transfers} == {"out", "in"}
    # Each copy takes half the time of an operation, so that all are hidden.
    assert plan.makespan == pytest.approx(plan.ideal_makespan)
    assert plan.copied(sizes) == len(plan.transfers) * MIB


def test_without_a_link_nothing_is_copied():
    sizes, operations = chain(8, is_pure=True)
    plan = plan_offload(sizes, operations, 6 * MIB)
    assert not plan.transfers and plan.n_repeated > 0
    assert Residence(sizes, operations, plan).peak <= 6 * MIB


def test_slow_links_are_avoided():
    sizes, operations = chain(8, is_pure=True)
    slow = plan_offload(sizes, operations, 5 * MIB, Link(1.0, 1e6, 1.0, 1e6))
    fast = plan_offload(sizes, operations, 5 * MIB, Link(0.0, 1e11, 0.0, 1e11))
    assert not slow.transfers and slow.n_repeated
    assert fast.transfers and not fast.n_repeated


def test_each_direction_has_its_own_costs():
    link = Link(1e-3, 1e9, 2e-3, 4e9)
    assert link.seconds("out", 10**9) == pytest.approx(1.001)
    assert link.seconds("in", 10**9) == pytest.approx(0.252)
    sizes, operations = chain(8)
    plan = plan_offload(sizes, operations, 5 * MIB, link)
    for own, (begin, end) in zip(plan.transfers, plan.spans):
        assert end - begin == pytest.approx(link.seconds(own.direction, MIB), rel=1e-3)


def test_the_model_of_python_is_that_of_the_planner():
    sizes, operations = chain(10)
    link = Link(1e-4, 0.9e9, 2e-4, 0.7e9)
    plan = plan_offload(sizes, operations, 5 * MIB, link)
    again = retimed(sizes, operations, plan, link)
    assert again.starts == pytest.approx(plan.starts, abs=1e-7)
    assert again.makespan == pytest.approx(plan.makespan, abs=1e-7)


def test_tensors_that_stay_are_not_copied():
    sizes, operations = chain(8)
    plan = plan_offload(sizes, operations, 6 * MIB, FAST, stay=[0, 1])
    assert plan.transfers and not {own.tensor for own in plan.transfers} & {0, 1}


def test_equal_problems_have_equal_plans():
    sizes, operations = chain(12, is_pure=True)
    first, second = (plan_offload(sizes, operations, 5 * MIB, FAST) for _ in range(2))
    assert first == second


def test_wrong_arguments_are_refused():
    sizes, operations = chain(3)
    with pytest.raises(mem_opt.InvalidInput, match="seconds"):
        plan_offload(sizes, [(-1.0, True, [], [0])], 10 * MIB)
    with pytest.raises(mem_opt.InvalidInput, match="bytes per second"):
        Link(0.0, 0.0, 0.0, 1.0)
    with pytest.raises(mem_opt.InvalidInput, match="there is no tensor 99"):
        plan_offload(sizes, operations, 10 * MIB, FAST, stay=[99])
    with pytest.raises(mem_opt.InvalidInput, match="policy"):
        plan_offload(sizes, operations, 10 * MIB, FAST, policy="none")
    with pytest.raises(mem_opt.NoPlan, match="does not fit"):
        plan_offload(sizes, operations, MIB, FAST)


def by_hand(order, transfers):
    spans = [[0.0, 0.0]] * len(transfers)
    return OffloadPlan(order, [Transfer(*own) for own in transfers], 0, 0.0, 0.0, 0.0, [], spans, [])


def test_residence_counts_until_the_last_event():
    sizes, operations = [1, 10, 100], [(0, False, [], [0]), (0, False, [0], [1]), (0, False, [0, 1], [2])]
    assert Residence(sizes, operations, by_hand([0, 1, 2], [])).bytes == [1, 11, 111]
    # Tensor 0 is away while operation 1 runs... which reads it.
    with pytest.raises(InternalError, match="operation 1 uses tensor 0, which is not on the device"):
        Residence(sizes, operations, by_hand([0, 1, 2], [(0, "out", 1, 1), (0, "in", 1, 2)]))
    late = [(0, False, [], [0]), (0, False, [], [1]), (0, False, [0, 1], [2])]
    plan = by_hand([0, 1, 2], [(0, "out", 1, 1), (0, "in", 2, 2)])
    assert Residence(sizes, late, plan).bytes == [1, 1, 1, 10, 11, 11, 111]


@pytest.mark.parametrize(
    "order, transfers, message",
    [
        ([0, 1], [], "leaves out an operation"),
        ([0, 1, 1, 2], [], "is not pure"),
        ([1, 0, 2], [], "not on the device"),
        ([0, 1, 2], [(1, "in", 2, 2)], "is not on the host"),
        ([0, 1, 2], [(1, "out", 1, 2)], "not on the device"),
    ],
)
def test_broken_plans_are_found(order, transfers, message):
    operations = [(0, False, [], [0]), (0, False, [0], [1]), (0, False, [0, 1], [2])]
    with pytest.raises(InternalError, match=message):
        Residence([1, 10, 100], operations, by_hand(order, transfers))


def test_changed_contents_are_found():
    # Operation 1 changes tensor 0 while it is copied; operation 2 reads it.
    operations = [(0, False, [], [0]), (0, False, [0], [0]), (0, False, [0], [1])]
    with pytest.raises(InternalError, match="changes while it is copied"):
        Residence([1, 1], operations, by_hand([0, 1, 2], [(0, "out", 1, 2)]))
    with pytest.raises(InternalError, match="other contents of tensor 0"):
        Residence([1, 1], operations, by_hand([0, 1, 2], [(0, "out", 1, 1), (0, "in", 2, 2)]))


def test_copies_back_do_not_cross_the_cut():
    plan = by_hand([0, 1, 2, 3], [(0, "out", 1, 2), (0, "in", 2, 3), (1, "in", 1, 2)])
    assert [own.before for own in begin_after(plan, 3).transfers] == [1, 1, 3]
    assert [own.before for own in begin_after(plan, 2).transfers] == [1, 2, 2]


def slow_start():
    """A plan whose copies back are hidden by the model, and how it looks with a link of half the speed."""
    sizes, operations = chain(12)
    return sizes, operations, plan_offload(sizes, operations, 7 * MIB, Link(0.0, 1.2e9, 0.0, 1.2e9))


def test_leads_move_copies_to_earlier_positions_within_the_budget():
    sizes, operations, plan = slow_start()
    back = [own for own in plan.transfers if own.direction == "in"]
    leads = {(own.tensor, own.until): 2e-3 for own in back}
    cut = 12
    for budget in (7 * MIB, 9 * MIB, 24 * MIB):
        own = moved(sizes, operations, plan, leads, budget, cut)
        assert Residence(sizes, operations, own).peak <= budget
        before = {(one.tensor, one.until): one.before for one in own.transfers if one.direction == "in"}
        earlier = [one.before - before[one.tensor, one.until] for one in back]
        assert all(0 <= change <= 2 for change in earlier)
        assert all(position >= cut for (_, until), position in before.items() if until >= cut)
    # With room for everything, only the cut and the copy out hold a copy back.
    assert sum(earlier) > 0
    assert moved(sizes, operations, plan, {}, 7 * MIB, cut) == plan


def test_negative_leads_move_copies_to_later_positions():
    sizes, operations, plan = slow_start()
    leads = {(own.tensor, own.until): 9e-3 for own in plan.transfers if own.direction == "in"}
    plan = moved(sizes, operations, plan, leads, 24 * MIB, 12)
    own = next(own for own in plan.transfers if own.direction == "in" and own.until - own.before > 1)
    later = moved(sizes, operations, plan, {(own.tensor, own.until): -1.0}, 7 * MIB, 12)
    assert replace(own, before=own.until - 1) in later.transfers


def test_leads_settle():
    feedback, own = Feedback(), Transfer(3, "in", 5, 9)
    assert not feedback.learn(own, 1.0, 0.05, 0.0)
    assert feedback.learn(own, 1.0, 0.5, 0.0) and feedback.leads() == {(3, 9): 0.5}
    # Too early now: it changes by half of what it is too early, and half of that for the new direction.
    assert feedback.learn(own, 1.0, 0.0, 3.0) and feedback.leads() == {}
    for _ in range(20):
        feedback.learn(own, 1.0, 0.5, 0.0)
        feedback.learn(own, 1.0, 0.0, 3.0)
    assert not feedback.learn(own, 1.0, 0.5, 0.0)
    assert all(-1.0 <= lead <= 8.0 for lead in feedback.leads().values())


def test_links_are_fitted_to_measured_copies():
    link = Link(1e-4, 2e9, 3e-4, 5e8)
    sizes = [2**16, 2**20, 2**24]
    samples = [(way, size, link.seconds(way, size)) for way in ("out", "in") for size in sizes for _ in range(3)]
    # One copy that took long does not count.
    samples.append(("out", sizes[0], 1.0))
    own = fit_link(samples)
    assert vars(own) == pytest.approx(vars(link))
    # Never a negative latency.
    odd = fit_link([("out", 1000, 1e-6), ("out", 2000, 4e-6), ("in", 1000, 1e-6)])
    assert odd.out_latency == 0.0 and odd.in_bandwidth == pytest.approx(1e9)


def test_estimates_fill_gaps_at_the_measured_scale():
    assert Costs().merged([1.0, 2.0]) == [1.0, 2.0]
    assert Costs(seconds=[4.0, None, 2.0]).merged([2.0, 5.0, 1.0]) == [4.0, 10.0, 2.0]


def test_files_are_read_back_and_replaced_as_a_whole(tmp_path):
    store = Store(tmp_path / "new")
    assert store.costs("g", 2) is None and store.plan("g", "p") is None
    costs = Costs([1.5, None], [0, 8], [4, 0], Link(0.0, 1.0, 2.0, 3.0))
    store.save_costs("g", "cpu", costs)
    assert store.costs("g", 2) == costs
    sizes, operations = chain(6)
    plan = plan_offload(sizes, operations, 5 * MIB, FAST)
    leads = {(1, 7): 0.25, (0, 9): -1.0}
    store.save_plan("g", "p", plan, leads)
    assert store.plan("g", "p") == (plan, leads)
    store.save_plan("g", "p", plan, {})
    assert store.plan("g", "p") == (plan, {})
    assert sorted(own.name for own in (tmp_path / "new").iterdir()) == ["g.costs.json", "g.p.plan.json"]
    # Without a folder, nothing is kept.
    nothing = Store()
    nothing.save_costs("g", "cpu", costs)
    assert nothing.costs("g", 2) is None


@pytest.mark.parametrize(
    "break_it",
    [
        lambda values: values.update(version=99),
        lambda values: values.update(graph="another"),
        lambda values: values.update(seconds=[1.0]),
        lambda values: values.update(seconds=["a", "b"]),
        lambda values: values.update(seconds=[-1.0, 1.0]),
        lambda values: values.update(link={"speed": 1}),
        lambda values: values.pop("extra"),
        lambda values: values.update(grown=[-1, 0]),
    ],
)
def test_files_that_cannot_be_used_are_ignored(tmp_path, break_it):
    store = Store(tmp_path)
    store.save_costs("g", "cpu", Costs([1.0, 2.0], [0, 0], [0, 0]))
    path = tmp_path / "g.costs.json"
    values = json.loads(path.read_text())
    break_it(values)
    path.write_text(json.dumps(values))
    with pytest.warns(UserWarning, match="mem_opt ignores .*g.costs.json"):
        assert store.costs("g", 2) is None
    path.write_text("{half of a")
    with pytest.warns(UserWarning, match="ignores"):
        assert store.costs("g", 2) is None
    store.save_costs("g", "cpu", Costs([1.0, 2.0], [0, 0], [0, 0]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert store.costs("g", 2) is not None
