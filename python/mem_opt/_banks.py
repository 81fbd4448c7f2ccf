"""Chooses which buffers go to which of several banks, the first of which is to be filled first.

A bank gets all buffers if they fit. Otherwise buffers leave it at the step with the most live bytes:
the one first whose size relieves the steps above the capacity best, in bytes above the capacity for a
byte that moves. Once the planner finds addresses for those that remain, each buffer that has left is
tried again, the largest first. Hence no buffer is in a later bank that the planner could place in an
earlier one beside the others. The choice is a heuristic; that property holds for all results.
"""

from __future__ import annotations

import numpy as np

#: Buffers that may leave a bank although live sums say that they fit, until addresses are found.
MOST_RETRIES = 64


def spread(items, fits):
    """Returns the items of each bank, and the items that no bank holds.

    `fits`: per bank, an object with `capacity` in bytes, `rows(items)` with a row (lower, upper, size) for
    each pinned buffer and then for each item, and `is_packed(items)`, which asks the planner.
    """
    chosen, left = [], list(items)
    for bank in fits:
        kept, left = _fill(bank, left)
        chosen.append(kept)
    return chosen, left


def _fill(bank, items):
    """Splits items into those that a bank holds and those that it does not."""
    rows = bank.rows(items)
    n_pinned = len(rows) - len(items)
    is_kept = np.ones(len(rows), bool)
    _relieve(rows, is_kept, n_pinned, bank.capacity)

    def kept():
        return [item for item, keep in zip(items, is_kept[n_pinned:]) if keep]

    retries = 0
    while is_kept[n_pinned:].any() and not bank.is_packed(kept()):
        # Live sums fit, and addresses do not: ask for a little less.
        retries += 1
        if retries > MOST_RETRIES:
            is_kept[n_pinned:] = False
            break
        lowered = _peak(rows[is_kept]) - 1
        _relieve(rows, is_kept, n_pinned, min(lowered, bank.capacity))
    spilled = [index for index in range(n_pinned, len(rows)) if not is_kept[index]]
    for index in sorted(spilled, key=lambda index: (-rows[index, 2], index)):
        is_kept[index] = True
        # Asking for live sums first saves most calls of the planner.
        if _peak(rows[is_kept]) > bank.capacity or not bank.is_packed(kept()):
            is_kept[index] = False
    left = [item for item, keep in zip(items, is_kept[n_pinned:]) if not keep]
    return kept(), left


def _live(rows):
    """Live bytes at each step from 0 to the last end."""
    changes = np.zeros(int(rows[:, 1].max(initial=0)) + 1, np.int64)
    np.add.at(changes, rows[:, 0], rows[:, 2])
    np.add.at(changes, rows[:, 1], -rows[:, 2])
    return np.cumsum(changes)


def _peak(rows):
    return int(_live(rows).max(initial=0))


def _relieve(rows, is_kept, n_pinned, capacity):
    """Takes buffers away until the live bytes fit the capacity at each step where that is possible
    without the pinned ones."""
    while True:
        excess = np.maximum(_live(rows[is_kept]) - capacity, 0)
        steps = [step for step in np.argsort(-excess, kind="stable").tolist() if excess[step] > 0]
        found = (_candidates(rows, is_kept, n_pinned, step) for step in steps)
        candidates = next((own for own in found if own), None)
        if candidates is None:
            return

        def relief(index, excess=excess):
            lower, upper, size = rows[index]
            return np.minimum(excess[lower:upper], size).sum() / size

        is_kept[max(candidates, key=lambda index: (relief(index), -index))] = False


def _candidates(rows, is_kept, n_pinned, step):
    """Buffers that are live at a step and may leave."""
    live = is_kept & (rows[:, 0] <= step) & (step < rows[:, 1]) & (rows[:, 2] > 0)
    return [index for index in np.nonzero(live)[0].tolist() if index >= n_pinned]
