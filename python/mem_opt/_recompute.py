"""Operation graphs within a budget: which results to compute again, and when."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from . import _native
from .errors import InvalidInput


@dataclass(frozen=True)
class RecomputationPlan:
    """An order of execution within a budget. The plan has passed its check."""

    #: Operations by number, in execution order, repetitions included.
    order: list = field(repr=False)
    #: The highest address in use, in bytes.
    peak: int
    #: Sum of the costs of all executed operations.
    operations: int
    #: Sum of the costs of all operations, each executed once.
    ideal_operations: int
    #: Lower bound on `operations` over all plans within the budget.
    lower_bound_operations: int
    #: Tuples of tensor, offset, and first and end position in `order` of a stay in memory.
    placements: list = field(repr=False)


def plan_recomputation(sizes, operations, budget=None):
    """Plans an operation graph within `budget` bytes: results that do not fit are computed again.

    `sizes`: bytes of each tensor. `operations`: in execution order, tuples (cost, is_pure, reads, writes)
    with tensors by number. A pure operation may be repeated. Inputs and parameters are not part of the
    graph: every tensor is written before it is read.

    Raises `InvalidInput` if the graph is not valid, and `NoPlan` if no plan fits.
    """
    budget = None if budget is None else number("the budget", budget)
    answer = json.loads(_native.plan_graph(graph_text(sizes, operations), budget))
    placed = [(own["tensor"], own["offset"], own["first"], own["end"]) for own in answer["placements"]]
    names = ["order", "peak", "operations", "ideal_operations", "lower_bound_operations"]
    return RecomputationPlan(placements=placed, **{name: answer[name] for name in names})


def graph_text(sizes, operations):
    """An operation graph in the text form of the planner."""
    lines = [f"t {number('a size', size)}" for size in sizes]
    for cost, is_pure, reads, writes in operations:
        reads, writes = (
            ",".join(str(number("a tensor", tensor)) for tensor in tensors)
            for tensors in (reads, writes)
        )
        lines.append(f"s {number('a cost', cost)} {int(bool(is_pure))} r {reads} w {writes}")
    return "\n".join(lines) + "\n"


def number(what, value):
    """An integer from 0 to 2^63-1; `InvalidInput` if `value` is none."""
    try:
        own = value.__index__()
    except AttributeError:
        raise InvalidInput(f"{what} is {value!r}, expected an integer") from None
    if not 0 <= own < 2**63:
        raise InvalidInput(f"{what} is {own}, expected 0 to 2^63-1")
    return own
