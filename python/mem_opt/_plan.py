"""Plans of buffers."""

from __future__ import annotations

import numpy as np


class Plan:
    """A plan of buffers, which has passed its check.

    A notebook draws it: time goes to the right, addresses go up, and each buffer is a rectangle.
    """

    def __init__(self, native):
        self._native = native
        offsets = np.frombuffer(native.offsets(), np.int64)
        offsets.flags.writeable = False
        self._offsets = offsets

    @property
    def offsets(self):
        """The offset of each buffer in bytes, in the order of the buffers: a read-only array."""
        return self._offsets

    @property
    def names(self):
        """The names of the buffers."""
        return self._native.names

    @property
    def peak(self):
        """The size of the arena in bytes: the highest end of a buffer."""
        return self._native.peak

    @property
    def lower_bound(self):
        """The largest number of bytes that are live at one step; no plan has a lower peak."""
        return self._native.lower_bound

    @property
    def proven_bound(self):
        """The best proven lower bound on the peak of every plan; at least `lower_bound`."""
        return self._native.proven_bound

    @property
    def proven(self):
        """Whether it is proven that no plan has a lower peak."""
        return self._native.proven

    @property
    def strategy(self):
        """The strategy that found the plan."""
        return self._native.strategy

    @property
    def capacity(self):
        """The capacity that was asked for, in bytes, or None."""
        return self._native.capacity

    @property
    def seconds(self):
        """Seconds that the planner took."""
        return self._native.seconds

    @property
    def interrupted(self):
        """Whether Ctrl-C ended the search."""
        return self._native.interrupted

    def summary(self):
        """One line about the peak, the bound and the strategy."""
        return self._native.summary()

    def html(self, title="plan"):
        """A page for a browser, complete in itself: zoom, search, what is live at a step."""
        return self._native.html(title)

    def svg(self, title="plan"):
        """A picture."""
        return self._native.svg(title)

    def to_json(self):
        """The plan as JSON, in the form of `mem-plan TABLE.csv --json`."""
        return self._native.to_json()

    def to_csv(self):
        """The table of buffers with the column `offset`."""
        return self._native.to_csv()

    def __len__(self):
        return len(self._offsets)

    def __repr__(self):
        return f"<mem_opt.Plan of {len(self)} buffers: {self.summary()}>"

    def _repr_svg_(self):
        return self.svg()

    def _repr_html_(self):
        # Some notebooks prefer HTML to SVG. The page of `html` is for a window of its own.
        return self.svg()
