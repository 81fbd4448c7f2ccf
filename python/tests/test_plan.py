"""`mem_opt.plan`: what it accepts, what it returns, and what it refuses. A plan that overlaps, an error
that becomes another one, or an argument that is ignored would fail here."""

import json
import os
import signal
import threading
import time
from pathlib import Path

import mem_opt
import numpy as np
import pytest

THREE = [(0, 2, 4096), (1, 3, 8192), (2, 4, 4096)]


def assert_no_overlap(rows, offsets):
    """Checks by brute force that buffers that are live at once share no byte."""
    for i, (lower, upper, size) in enumerate(rows):
        for j in range(i):
            other = rows[j]
            if lower < other[1] and other[0] < upper:
                assert offsets[i] + size <= offsets[j] or offsets[j] + other[2] <= offsets[i], (i, j)


def random_rows(n_buffers, seed):
    random = np.random.default_rng(seed)
    lower = random.integers(0, 2 * n_buffers, n_buffers)
    upper = lower + random.integers(1, 20, n_buffers)
    return np.stack([lower, upper, random.integers(1, 5000, n_buffers)], axis=1)


def test_a_small_plan_is_at_the_bound():
    plan = mem_opt.plan(THREE)
    assert (plan.peak, plan.lower_bound, plan.proven_bound, plan.proven) == (12288, 12288, 12288, True)
    assert plan.offsets.dtype == np.int64 and len(plan) == 3 and not plan.interrupted
    assert_no_overlap(THREE, plan.offsets)
    with pytest.raises(ValueError):
        plan.offsets[0] = 1


@pytest.mark.parametrize("strategy", mem_opt.STRATEGIES)
def test_every_strategy_plans(strategy):
    rows = random_rows(60, seed=3).tolist()
    plan = mem_opt.plan(rows, strategy=strategy, effort=100_000)
    assert_no_overlap(rows, plan.offsets)
    assert plan.lower_bound <= plan.peak == max(o + r[2] for o, r in zip(plan.offsets, rows))


def test_equal_arguments_give_equal_plans():
    rows = random_rows(80, seed=5)
    first, second = (mem_opt.plan(rows, seed=7, threads=threads, effort=200_000) for threads in (1, 2))
    assert (first.offsets == second.offsets).all()


def test_forms_of_buffers_are_equivalent():
    array = np.array([(*row, 64, -1) for row in THREE])
    names = ["lower", "upper", "size", "alignment", "offset"]
    columns = {name: array[:, index] for index, name in enumerate(names)}
    record = np.array([tuple(row) for row in array.tolist()], [(name, "i8") for name in names])
    unsigned = array[:, :4].astype(np.uint32)
    plans = [mem_opt.plan(form) for form in (array, array.tolist(), columns, record, unsigned)]
    assert all((plan.offsets == plans[0].offsets).all() for plan in plans)
    named = mem_opt.plan({**columns, "id": ["a", "b", "c"]})
    assert named.names == ["a", "b", "c"]


def test_alignments_and_fixed_offsets_are_honoured():
    plan = mem_opt.plan([(0, 9, 10, 64, -1), (0, 9, 10, 64, 128), (0, 9, 10, 32, -1)])
    assert plan.offsets[1] == 128
    assert plan.offsets[0] % 64 == 0 and plan.offsets[2] % 32 == 0


def test_relations_are_honoured():
    pair = [(0, 1, 100), (1, 2, 100)]
    assert mem_opt.plan(pair).peak == 100
    assert mem_opt.plan(pair, conflicts=[(0, 1)]).peak == 200
    both = [(0, 2, 100), (1, 3, 100)]
    assert mem_opt.plan(both).peak == 200
    assert mem_opt.plan(both, aliases=[4, 4]).peak == 100
    assert mem_opt.plan(both, in_place=[(1, 0)]).peak == 100
    assert mem_opt.plan(both, gaps=[(0, 1, 2)]).peak == 100
    assert mem_opt.plan(both, gaps=[(0, 1, 2, 0, 50)]).peak == 150
    assert mem_opt.plan(pair, reserved=[(0, 64)]).offsets.tolist() == [64, 64]
    apart = mem_opt.plan([*pair, (0, 2, 200)], penalties=[(0, 1, 5)])
    assert apart.peak == 300


def test_nothing_is_a_plan():
    plan = mem_opt.plan([])
    assert (len(plan), plan.peak, plan.offsets.tolist()) == (0, 0, [])
    assert mem_opt.plan([(3, 3, 0)]).peak == 0


def test_a_capacity_that_is_too_small_has_a_memory_map_and_the_best_plan():
    with pytest.raises(mem_opt.NoPlan, match="(?s)12288 are needed.*at step 1.*b holds 8192") as caught:
        mem_opt.plan(THREE, capacity=12287, names=["a", "b", "c"])
    assert caught.value.plan.peak == 12288
    assert mem_opt.plan(THREE, capacity=12288).capacity == 12288


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(buffers=[(0, 1)]), r"shape \(1, 2\)"),
        (dict(buffers=[(0, 1, 1.5)]), "1.5 is not an integer"),
        (dict(buffers=np.ones((1, 3))), "expected integers, not float64"),
        (dict(buffers=[("a", "b", "c")]), "expected integers"),
        (dict(buffers=[(0, 1, 2), (0, 1)]), "buffers"),
        (dict(buffers=[(0, 1, -1)]), "column 'size': -1 is less than 0"),
        (dict(buffers=[(0, 1, 2**63)]), r"more than 2\^63-1"),
        (dict(buffers=[(0, 1, 2**70)]), r"more than 2\^63-1"),
        (dict(buffers=[(0, 1, 2**62)] * 3), r"add up to more than 2\^63-1"),
        (dict(buffers=[(2, 1, 4)]), "buffer '0': it ends at 1, before it begins at 2"),
        (dict(buffers=[(0, 1, 4, 3)]), "alignment 3 is not a power of two"),
        (dict(buffers=[(0, 1, 4, 0)]), "alignment 0 is not a power of two"),
        (dict(buffers=[(0, 1, 4, 1, 0)] * 2), "'0' .4 bytes at 0. and '1' .* overlap"),
        (dict(buffers=[(0, 1, 4, 4, 2)]), "cannot be there"),
        (dict(buffers={"lower": [0], "upper": [1]}), "no column 'size'"),
        (dict(buffers={"lower": [0], "upper": [1], "size": [1], "sise": [1]}), "unknown column 'sise'"),
        (dict(buffers={"lower": [0], "upper": [1, 2], "size": [1]}), "1 sizes and 2 of 'upper'"),
        (dict(buffers=THREE, names=["a"]), "3 buffers have 1 names"),
        (dict(buffers=THREE, conflicts=[(0, 3)]), "no buffer 3 among 3"),
        (dict(buffers=THREE, conflicts=[(1, 1)]), "'1' is related to itself"),
        (dict(buffers=THREE, conflicts=[0, 1]), "expected rows of 2 numbers"),
        (dict(buffers=THREE, in_place=[(2, 2)]), "'2' is related to itself"),
        (dict(buffers=THREE, aliases=[0]), "expected 3 groups"),
        (dict(buffers=THREE, gaps=[(0, 1, 9)]), "gap 1-9 is not inside"),
        (dict(buffers=THREE, reserved=[(5, 2)]), r"\(5, 2\) is no range"),
        (dict(buffers=THREE, strategy="best"), "strategy: .*best"),
        (dict(buffers=THREE, strategy=None), "expected a name"),
        (dict(buffers=THREE, capacity=-1), "capacity is -1"),
        (dict(buffers=THREE, capacity="1"), "capacity is '1', expected an integer"),
        (dict(buffers=THREE, capacity=2**64), "capacity is"),
        (dict(buffers=THREE, time_limit=-1), "time_limit"),
        (dict(buffers=THREE, time_limit=float("nan")), "time_limit"),
        (dict(buffers=THREE, seed=1.5), "seed is 1.5"),
        (dict(buffers=THREE, threads=-1), "threads is -1"),
        (dict(buffers=None), "buffers"),
    ],
)
def test_invalid_arguments_are_refused(arguments, message):
    with pytest.raises(mem_opt.InvalidInput, match=message):
        mem_opt.plan(**arguments)


def hard_rows():
    """A problem that no strategy solves within seconds: buffers cut from a rectangle."""
    table = Path(__file__).parents[2] / "instances/cut/150.csv"
    return np.loadtxt(table, dtype=np.int64, delimiter=",", skiprows=1)[:, 1:4]


def interrupt_soon(seconds=0.5):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_ctrl_c_keeps_the_best_plan():
    # Processes that a shell starts in the background ignore the signal, and so does Python in them.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    rows = hard_rows()
    timer = interrupt_soon()
    started = time.monotonic()
    plan = mem_opt.plan(rows, strategy="genetic", time_limit=60)
    timer.join()
    assert plan.interrupted and time.monotonic() - started < 30
    assert_no_overlap(rows.tolist(), plan.offsets)


def test_other_threads_run_during_a_search():
    counts = [0]
    is_over = threading.Event()

    def count():
        while not is_over.wait(0.001):
            counts[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    mem_opt.plan(hard_rows(), strategy="genetic", time_limit=1, threads=1)
    is_over.set()
    thread.join()
    # With the lock held, the thread would wait for the whole second.
    assert counts[0] > 50


def test_plans_are_drawn_and_described():
    plan = mem_opt.plan(THREE, names=["alpha", "beta", "gamma"], capacity=20000)
    page, picture = plan.html("A title"), plan.svg("A title")
    assert page.lower().startswith("<!doctype html") and "A title" in page and "beta" in page
    assert "<svg" in picture and "A title" in picture
    assert "<svg" in plan._repr_svg_() and "<svg" in plan._repr_html_()
    document = json.loads(plan.to_json())
    assert document["peak"] == 12288 and document["capacity"] == 20000
    assert [row["offset"] for row in document["buffers"]] == plan.offsets.tolist()
    assert plan.to_csv().splitlines()[0] == "id,lower,upper,size,alignment,offset"
    assert "3 buffers" in repr(plan)


def test_recomputation_keeps_a_budget():
    # A chain forward, and back: operation i writes tensor i, the way back reads tensor i and the last.
    n, sizes = 8, [100] * 16
    operations = [(10, True, [i - 1] if i else [], [i]) for i in range(n)]
    operations += [(10, True, [n + i - 1, n - 1 - i], [n + i]) for i in range(n)]
    free = mem_opt.plan_recomputation(sizes, operations)
    assert free.operations == free.ideal_operations == 160 and free.order == list(range(16))
    tight = mem_opt.plan_recomputation(sizes, operations, budget=500)
    assert tight.peak <= 500 and tight.operations > 160 and len(tight.order) > 16
    assert tight.lower_bound_operations <= tight.operations
    with pytest.raises(mem_opt.NoPlan):
        mem_opt.plan_recomputation(sizes, operations, budget=299)
    with pytest.raises(mem_opt.InvalidInput, match="line 2"):
        mem_opt.plan_recomputation([1], [(1, True, [0], [])])
    with pytest.raises(mem_opt.InvalidInput, match="a size is -1"):
        mem_opt.plan_recomputation([-1], [])
