"""Adapters without their frameworks, and the choice of banks, which needs none. A traceback of an import
where a sentence should be, or a buffer in the second bank that fits the first, would fail here."""

import importlib.util

import mem_opt
import numpy as np
import pytest
from mem_opt._banks import spread

ADAPTERS = {"executorch": "torch", "torch": "torch", "tflm": "tflite_micro"}


@pytest.mark.parametrize("adapter, framework", ADAPTERS.items())
def test_without_its_framework_an_adapter_says_what_to_install(adapter, framework):
    if importlib.util.find_spec(framework):
        pytest.skip(f"{framework} is installed")
    with pytest.raises(mem_opt.MissingFramework, match=rf"mem_opt\.{adapter} needs {framework}.*pip install"):
        importlib.import_module(f"mem_opt.{adapter}")
    # Users catch the error of imports.
    assert issubclass(mem_opt.MissingFramework, ImportError)


class Bank:
    """A bank for rows of (lower, upper, size)."""

    def __init__(self, capacity, pinned=()):
        self.capacity, self.pinned = capacity, list(pinned)

    def rows(self, items):
        return np.array([*self.pinned, *items], np.int64).reshape(-1, 3)

    def is_packed(self, items):
        try:
            mem_opt.plan(self.rows(items), self.capacity, effort=100_000)
        except mem_opt.NoPlan:
            return False
        return True


def random_items(n_items, seed):
    random = np.random.default_rng(seed)
    lower = random.integers(0, n_items, n_items)
    upper = lower + random.integers(1, 8, n_items)
    return [tuple(row) for row in np.stack([lower, upper, random.integers(1, 900, n_items)], 1).tolist()]


def test_a_bank_of_the_bound_holds_everything():
    items = random_items(50, seed=1)
    bound = mem_opt.plan(items).peak
    chosen, left = spread(items, [Bank(bound), Bank(10**9)])
    assert chosen == [items, []] and left == []


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("share", [0.3, 0.7, 0.95])
def test_nothing_spills_that_fits_the_first_bank(seed, share):
    items = random_items(40, seed)
    bank = Bank(int(share * mem_opt.plan(items).peak), pinned=[(0, 20, 50)])
    (first, second), left = spread(items, [bank, Bank(10**9)])
    assert sorted(first + second) == sorted(items) and left == []
    assert bank.is_packed(first)
    assert second
    for item in second:
        assert not bank.is_packed([*first, item]), item


def test_what_no_bank_holds_is_left():
    chosen, left = spread([(0, 2, 100), (0, 2, 60), (3, 4, 90)], [Bank(80), Bank(90)])
    assert chosen == [[(0, 2, 60)], [(3, 4, 90)]] and left == [(0, 2, 100)]


def test_pinned_buffers_that_exceed_a_bank_leave_the_others_no_room():
    chosen, left = spread([(0, 2, 10), (5, 6, 10)], [Bank(50, pinned=[(0, 2, 60)]), Bank(100)])
    assert chosen == [[], [(0, 2, 10), (5, 6, 10)]] and left == []
