"""Moves copies back to the device to earlier positions of a plan where a measured step has waited for them,
and to later ones where they were far too early.

A *lead* is how many seconds earlier than in the planner's plan a copy is issued. It changes by the time
that the step waited, and half as much after each change of direction, so that leads settle. A copy is
issued early only where the device has room for its tensor: the budget is kept, whatever the leads are.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

from ._offload import AWAIT, ISSUE, Residence, with_transfers

#: Waits of less than this fraction of the duration of a copy are tolerated.
TOLERATED = 0.1
#: A copy that has completed this many durations before it is awaited is too early.
TOO_EARLY = 2.0
#: Below this gain, a lead does not change any more.
LEAST_GAIN = 0.05
#: The longest lead, in durations of the copy.
MOST = 8.0


@dataclass
class _Lead:
    seconds: float = 0.0
    gain: float = 1.0
    is_later: bool | None = None


class Feedback:
    """Leads of all copies to the device, by tensor and the position that needs it."""

    def __init__(self, leads=()):
        self._known = {key: _Lead(seconds) for key, seconds in dict(leads).items()}

    def leads(self):
        """All leads that are not zero."""
        return {key: own.seconds for key, own in sorted(self._known.items()) if own.seconds}

    def learn(self, transfer, took, waited, early):
        """Learns from one copy: its duration, how long the step waited for it, and how long it was done
        before it was awaited, in seconds. Returns whether its lead changes."""
        if waited > TOLERATED * took:
            change, is_later = waited, False
        elif early > TOO_EARLY * took:
            change, is_later = -(early - took) / 2, True
        else:
            return False
        own = self._known.setdefault((transfer.tensor, transfer.until), _Lead())
        if own.is_later is not None and own.is_later != is_later:
            own.gain /= 2
        own.is_later = is_later
        before = own.seconds
        if own.gain >= LEAST_GAIN:
            own.seconds = min(max(own.seconds + own.gain * change, -took), MOST * took)
        return own.seconds != before


def moved(sizes, operations, plan, leads, budget, cut):
    """The plan with its copies back issued earlier by their leads, as far as `budget` permits, and not
    before position `cut` if they are awaited there or later."""
    # Those that are issued later make room for the others.
    wanted = [(leads.get((own.tensor, own.until), 0.0), own) for own in plan.transfers if own.direction == "in"]
    for lead, own in sorted(wanted, key=lambda pair: pair[0]):
        index = plan.transfers.index(own)
        if lead and own.before < own.until:
            plan = _moved_one(sizes, operations, plan, index, lead, budget, cut)
    return plan


def _moved_one(sizes, operations, plan, index, lead, budget, cut):
    own = plan.transfers[index]
    starts = [*plan.starts, plan.makespan]
    # The last position that starts early enough, to a picosecond.
    target = max(bisect_right(starts, starts[own.before] - lead + 1e-12) - 1, 0)
    if lead < 0:
        return _with_start(plan, index, min(max(target, own.before), own.until - 1))
    state = Residence(sizes, operations, plan)
    # The first position with room from there on.
    first = _first_possible(state, index, cut if own.until >= cut else 0)
    room = budget - sizes[own.tensor]
    at = next(at for at, (_, kind, other) in enumerate(state.events) if kind == ISSUE and other == index)
    best = own.before
    while at > 0:
        at -= 1
        position = state.events[at][0]
        if position < max(target, first) or state.bytes[at] > room:
            break
        # Only whole positions: the copy is issued after everything that is awaited there.
        if at == 0 or state.events[at - 1][0] < position:
            best = position
    return _with_start(plan, index, best) if best < own.before else plan


def _first_possible(state, index, least):
    """The first position at which a copy back can be issued: after its copy to the host has completed and
    after the last event of the tensor's previous stay."""
    own = state.plan.transfers[index]
    found = least
    for position, kind, other in state.events:
        if kind == ISSUE and other == index:
            return found
        if kind == AWAIT and state.plan.transfers[other].tensor == own.tensor:
            found = max(found, position)
        elif kind not in (AWAIT, ISSUE) and own.tensor in _used(state.operations[other]):
            found = max(found, position + 1)
    return found


def _used(operation):
    return {*operation[2], *operation[3]}


def _with_start(plan, index, before):
    transfers = list(plan.transfers)
    transfers[index] = replace(transfers[index], before=before)
    return with_transfers(plan, transfers)
