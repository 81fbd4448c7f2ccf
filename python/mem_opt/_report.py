"""Pages about a training step: the measured timeline beside the modelled one, and the memory map."""

from __future__ import annotations

from html import escape

import numpy as np

from ._offload import ISSUE, RUN, Residence

#: Width of a timeline, and height of a lane, in pixels.
WIDTH, LANE = 1000, 22

STYLE = """
body { font: 14px sans-serif; margin: 2em auto; max-width: 1100px; color: #222 }
table { border-collapse: collapse } td, th { padding: 2px 12px; text-align: right; border-bottom: 1px solid #ddd }
td:first-child, th:first-child { text-align: left }
.run { fill: #7fa8d1 } .again { fill: #e0a458 } .wait { fill: #c8453b } .out { fill: #6aa56e } .in { fill: #9a7bb5 }
.bytes { fill: #d7e3ef; stroke: #4d7ba8 } .limit { stroke: #c8453b; stroke-dasharray: 4 } svg text { font-size: 12px }
"""

LANES = ("operations", "copies out", "copies back")


def page(title, session):
    """The page of a session, as a complete document of HTML. Equal sessions give equal pages."""
    planned, timeline = session.planned, session.timeline
    plan = planned.plan
    modelled = _modelled(planned)
    measured = None if timeline is None else _measured(timeline, plan)
    end = max(plan.makespan, 0.0 if timeline is None else timeline.seconds) or 1.0
    names = [node.name for node in session.graph.operations] + ["the end"]
    parts = [
        f"<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>{escape(title)}</title>",
        f"<style>{STYLE}</style></head><body><h1>{escape(title)}</h1>",
        _summary(session),
        "<h2>Modelled</h2>", _lanes(modelled, plan, names, end),
        "<h2>Measured</h2>",
        "<p>No step has been measured.</p>" if measured is None else _lanes(measured, plan, names, end),
        "<p>Blue: operations; orange: repeated operations; red: the step waits; green and violet: copies to "
        "the host and back. The time between the two parts of the step is left out.</p>",
        "<h2>Bytes on the device</h2>", _bytes(planned, end),
        _waits(session, names),
        "</body></html>",
    ]  # fmt: skip
    return "\n".join(parts) + "\n"


def _modelled(planned):
    """Rows of lane, kind, begin, end, and number of an operation or a copy."""
    plan, rows, seen, now = planned.plan, [], set(), 0.0
    for start, index in zip(plan.starts, plan.order):
        if start > now:
            rows.append((0, "wait", now, start, None))
        now = start + planned.operations[index][0]
        rows.append((0, "again" if index in seen else "run", start, now, index))
        seen.add(index)
    for number, (begin, end) in enumerate(plan.spans):
        rows.append(_copy_row(plan, number, begin, end))
    return rows


def _measured(timeline, plan):
    rows, seen = [], set()
    for (position, kind, _), (begin, end) in sorted(timeline.events.items(), key=lambda own: own[1]):
        if kind == RUN:
            index = plan.order[position] if position < len(plan.order) else None
            rows.append((0, "again" if index in seen else "run", begin, end, index))
            seen.add(index)
        elif kind != ISSUE:
            rows.append((0, "wait", begin, end, None))
    for number, (begin, end) in sorted(timeline.copies.items()):
        if number < len(plan.transfers):
            rows.append(_copy_row(plan, number, begin, end))
    return rows


def _copy_row(plan, number, begin, end):
    direction = plan.transfers[number].direction
    return 1 if direction == "out" else 2, direction, begin, end, number


def _lanes(rows, plan, names, end):
    found = []
    for lane, name in enumerate(LANES):
        found.append(f"<text x='0' y='{lane * LANE + 15}'>{name}</text>")
    for lane, kind, begin, until, index in rows:
        x, width = 90 + begin / end * (WIDTH - 90), max((until - begin) / end * (WIDTH - 90), 0.2)
        if lane:
            name = names_of_tensor(plan, index)
        else:
            name = "waits" if index is None else names[index] if index < len(names) else ""
        title = f"{name}: {begin * 1e3:.3f} to {until * 1e3:.3f} ms"
        found.append(
            f"<rect class='{kind}' x='{x:.2f}' y='{lane * LANE + 2}' width='{width:.2f}' height='{LANE - 4}'>"
            f"<title>{escape(title)}</title></rect>"
        )
    return _svg(found, len(LANES) * LANE)


def names_of_tensor(plan, number):
    """A copy in words."""
    own = plan.transfers[number]
    return f"tensor {own.tensor} {'to the host' if own.direction == 'out' else 'back'}"


def _svg(found, height):
    return f"<svg width='{WIDTH}' height='{height}' role='img'>" + "".join(found) + "</svg>"


def _bytes(planned, end):
    """Bytes on the device over modelled time."""
    plan = planned.plan
    state = Residence(planned.sizes, planned.operations, plan)
    highest = max(state.peak, planned.available or 0, 1)
    starts = [*plan.starts, plan.makespan]

    def x(position):
        return 90 + starts[position] / end * (WIDTH - 90)

    def y(value):
        return 120 - value / highest * 110

    points, known = [f"90,{y(0):.1f}"], 0
    for (position, _, _), value in zip(state.events, state.bytes):
        points += [f"{x(position):.2f},{y(known):.1f}", f"{x(position):.2f},{y(value):.1f}"]
        known = value
    points.append(f"{x(len(plan.order)):.2f},{y(0):.1f}")
    found = [f"<polygon class='bytes' points='{' '.join(points)}'/>"]
    if planned.available is not None:
        at = y(planned.available)
        found.append(f"<line class='limit' x1='90' x2='{WIDTH}' y1='{at:.1f}' y2='{at:.1f}'/>")
    found.append(f"<text x='0' y='15'>{state.peak / 2**20:.1f} MiB</text>")
    return _svg(found, 125)


def _summary(session):
    planned, timeline = session.planned, session.timeline
    plan = planned.plan
    peak = Residence(planned.sizes, planned.operations, plan).peak
    waited = plan.makespan - sum(planned.operations[own][0] for own in plan.order)
    counted = "-" if timeline is None or timeline.peak is None else f"{timeline.peak - timeline.held:,}"
    rows = [
        ("", "modelled", "measured"),
        ("time of the step, ms", _ms(plan.makespan), "-" if timeline is None else _ms(timeline.seconds)),
        ("waits for copies, ms", _ms(max(waited, 0.0)), "-" if timeline is None else _ms(timeline.waited)),
        ("without a budget, ms", _ms(plan.ideal_makespan), ""),
        ("at least, ms", _ms(plan.lower_bound_makespan), ""),
        ("bytes of the step", f"{peak:,}", counted),
        ("budget of the step", "none" if planned.available is None else f"{planned.available:,}", ""),
        ("bytes copied", f"{plan.copied(planned.sizes):,}", ""),
        ("operations, repeated", f"{len(plan.order)}, {plan.n_repeated}", ""),
    ]
    return _table(rows)


def _ms(seconds):
    return f"{seconds * 1e3:.3f}"


def _table(rows):
    head, *body = rows
    return "<table>" + _line(head, "th") + "".join(_line(own, "td") for own in body) + "</table>"


def _line(cells, tag):
    return "<tr>" + "".join(f"<{tag}>{escape(str(own))}</{tag}>" for own in cells) + "</tr>"


def _waits(session, names):
    """The copies that the measured step waited for, longest first."""
    plan, timeline = session.planned.plan, session.timeline
    if timeline is None or not plan.transfers:
        return ""
    leads = session.feedback.leads()
    rows = [("copy", "needed by", "takes, ms", "waited, ms", "lead, ms")]
    waits = sorted(timeline.waits().items(), key=lambda own: (-own[1][0], own[0]))
    for number, (waited, _) in waits[:20]:
        if number >= len(plan.transfers):
            continue
        own = plan.transfers[number]
        user = names[plan.order[own.until]] if own.until < len(plan.order) else "the end"
        lead = leads.get((own.tensor, own.until), 0.0)
        tensor = session.graph.bases[own.tensor].name
        direction = "out" if own.direction == "out" else "back"
        rows.append((f"{tensor} {direction}", user, _ms(timeline.durations[number]), _ms(waited), _ms(lead)))
    return "<h2>Waits</h2>" + _table(rows)


def memory_map(session):
    """The buffers of a plan, for `mem_opt.plan`: names and rows of first and end position, size, alignment
    and address."""
    planned = session.planned
    names, rows = [], []
    for tensor, offset, first, end in planned.base.placements:
        node = session.graph.bases.get(tensor)
        names.append(f"{node.name if node else 'memory of a kernel'} from {first}")
        rows.append((first, end, planned.sizes[tensor], 1, offset))
    return names, np.array(rows, np.int64).reshape(-1, 5)
