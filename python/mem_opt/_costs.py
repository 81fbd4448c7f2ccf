"""Measured costs of training steps: how long operations and copies take, and files that keep them.

A file has the measurements of one graph on one device, another one the plan of this graph within one
budget, with the corrections that runs have found. Files have a version, are replaced as a whole, and are
ignored, with a warning, if they cannot be used: whatever is in them can be measured again.
"""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ._offload import Link, OffloadPlan

#: Version of the files; one of another version is ignored.
VERSION = 1


@dataclass
class Costs:
    """What is known of one graph on one device."""

    #: Per operation: seconds, or None where nothing was measured.
    seconds: list = field(default_factory=list)
    #: Per operation: bytes that it allocated besides its results while it ran.
    extra: list = field(default_factory=list)
    #: Per operation: bytes by which its results are larger than when the graph was captured.
    grown: list = field(default_factory=list)
    #: The link to the host; None: not measured.
    link: Link | None = None

    def merged(self, estimates):
        """Seconds per operation: measured ones, and `estimates` where there are none. If some operations
        were measured, the estimates are scaled by how far they are off for those."""
        pairs = [(own, guess) for own, guess in zip(self.seconds, estimates) if own is not None]
        total = sum(guess for _, guess in pairs)
        scale = sum(own for own, _ in pairs) / total if total > 0 else 1.0
        known = self.seconds or [None] * len(estimates)
        return [guess * scale if own is None else own for own, guess in zip(known, estimates)]


def fit_link(samples):
    """The `Link` for measured copies: tuples of direction, bytes and seconds. Per direction, the line
    through the medians of all sizes with the least sum of squared relative errors, where neither latency
    nor time per byte is negative."""
    fitted = {}
    for direction in ("out", "in"):
        sizes = {}
        for own, n_bytes, seconds in samples:
            if own == direction:
                sizes.setdefault(n_bytes, []).append(seconds)
        fitted[direction] = _line([(n_bytes, _median(own)) for n_bytes, own in sorted(sizes.items())])
    (out_latency, out_bandwidth), (in_latency, in_bandwidth) = fitted["out"], fitted["in"]
    return Link(out_latency, out_bandwidth, in_latency, in_bandwidth)


def _median(values):
    values = sorted(values)
    return values[len(values) // 2]


def _line(points):
    """Latency, and bytes per second."""
    # Weights of 1 / seconds^2: an error of a tenth counts the same at every size.
    points = [(x, y, 1 / max(y, 1e-9) ** 2) for x, y in points if x > 0]
    if not points:
        return 0.0, 1e9
    total = sum(w for _, _, w in points)
    mean_x = sum(w * x for x, _, w in points) / total
    mean_y = sum(w * y for _, y, w in points) / total
    spread = sum(w * (x - mean_x) ** 2 for x, _, w in points)
    slope = sum(w * (x - mean_x) * (y - mean_y) for x, y, w in points) / spread if spread > 0 else 0.0
    latency = mean_y - slope * mean_x
    if slope <= 0 or latency < 0:
        # Through the origin.
        slope = sum(w * x * y for x, y, w in points) / sum(w * x * x for x, _, w in points)
        latency = 0.0
    return latency, 1 / max(slope, 1e-15)


class Store:
    """Files of costs and plans in a folder; None: nothing is kept."""

    def __init__(self, folder=None):
        self.folder = None if folder is None else Path(folder)

    def costs(self, graph, n_operations):
        """The measurements of a graph; None if there are none that can be used."""
        values = self._read(f"{graph}.costs.json", graph)
        if values is None:
            return None
        try:
            link = values["link"] and Link(**values["link"])
            costs = Costs(list(values["seconds"]), list(values["extra"]), list(values["grown"]), link)
            # Three comparisons, so that what is no number fails here.
            is_good = all(own is None or 0 <= own < 1e6 for own in costs.seconds)
            is_good &= all(0 <= own < 2**62 for own in costs.extra + costs.grown)
            is_good &= len(costs.seconds) == len(costs.extra) == len(costs.grown) == n_operations
        except (KeyError, TypeError, ValueError):
            is_good = False
        return costs if is_good else self._ignore(f"{graph}.costs.json")

    def save_costs(self, graph, device, costs):
        """Keeps measurements."""
        values = {"device": device, **vars(costs), "link": costs.link and asdict(costs.link)}
        self._write(f"{graph}.costs.json", graph, values)

    def plan(self, graph, problem):
        """The plan of a graph for a problem, an identifier of everything that it depends on, with the
        corrections: pairs of a plan and a dictionary; None if there is none that can be used."""
        name = f"{graph}.{problem}.plan.json"
        values = self._read(name, graph)
        if values is None:
            return None
        try:
            plan = OffloadPlan.from_json(values["plan"])
            leads = {(tensor, until): float(lead) for tensor, until, lead in values["leads"]}
            return plan, leads
        except (KeyError, TypeError, ValueError):
            return self._ignore(name)

    def save_plan(self, graph, problem, plan, leads):
        """Keeps a plan and its corrections."""
        rows = [[tensor, until, lead] for (tensor, until), lead in sorted(leads.items())]
        self._write(f"{graph}.{problem}.plan.json", graph, {"plan": plan.to_json(), "leads": rows})

    def _read(self, name, graph):
        if self.folder is None:
            return None
        try:
            values = json.loads((self.folder / name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            return self._ignore(name)
        is_own = isinstance(values, dict) and values.get("version") == VERSION and values.get("graph") == graph
        return values if is_own else self._ignore(name)

    def _ignore(self, name):
        warnings.warn(f"mem_opt ignores {self.folder / name}, which it cannot read", stacklevel=2)
        return None

    def _write(self, name, graph, values):
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"version": VERSION, "graph": graph, **values})
        # A reader finds the old file or the new one, never a part of one.
        handle, path = tempfile.mkstemp(prefix=name, suffix=".new", dir=self.folder)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(path, self.folder / name)
        except BaseException:
            os.unlink(path)
            raise
