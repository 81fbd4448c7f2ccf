"""Checks a function by rows (`_rows.py`) against the operations that it replaces.

A chunk is executed without contents, which tells the sizes of its values. Then its results are compared with
what they stand for, from the end to the operands: the same operations with the same arguments, on rows of the same
sizes, and operands in the same places. How the function was built is of no interest here.
"""

from __future__ import annotations

from itertools import zip_longest

from torch import fx
from torch.fx.passes.shape_prop import ShapeProp

from ._row_operations import ALONG, CASTS, VIEWS, WRITING, aten
from .errors import InternalError


def check(program, sources, sinks):
    """Raises `InternalError` if a `ByRows` of the nodes `sources` does not compute the nodes `sinks`."""
    text = f"the function of some rows of {', '.join(own.name for own in sinks)} is not what it replaces"
    try:
        comparison = _Comparison(program, sources, sinks)
    except RuntimeError as error:
        raise InternalError(f"{text}: {error}") from error
    if not comparison.is_equal():
        raise InternalError(text)


class _Comparison:
    def __init__(self, program, sources, sinks):
        self.sinks = sinks
        self.nodes = list(program.chunk.graph.nodes)
        arguments = [node for node in self.nodes if node.op == "placeholder"]
        #: Operands by the argument of a chunk, and arguments of results.
        self.operands = dict(zip(arguments, sources))
        self.places = arguments[len(sources) :]
        values = [node.meta["val"] for node in (*sources, *sinks)]
        chunks = [
            own if rest is None else own.view(program.n_rows, *rest)[: program.n_at_once]
            for own, rest in zip(values, program.rests)
        ]
        #: Pairs of nodes that are the same.
        self.known = set()
        ShapeProp(program.chunk).propagate(*chunks)

    def is_equal(self):
        """Whether each result is written once, with the values of its sink."""
        written = {place: [] for place in self.places}
        for node in self.nodes:
            if node.op == "call_function" and node.target._schema.is_mutable:
                place = node.args[0] if node.target is aten.copy_.default else node.kwargs.get("out")
                if place not in written:
                    return False
                written[place].append(node)
        return all(
            len(found) == 1 and self._writes(found[0], sink) for found, sink in zip(written.values(), self.sinks)
        )

    def _writes(self, new, sink):
        """Whether a node of the chunk writes rows of a sink."""
        if new.target is not aten.copy_.default:
            keywords = {name: own for name, own in new.kwargs.items() if name != "out"}
            return WRITING.get(sink.target) is new.target and self._have_same_operands(sink, new, keywords)
        value = new.args[1]
        # A copy converts what it copies.
        is_converted = sink.target in CASTS and value.target not in CASTS
        return self._is_same(sink.args[0] if is_converted else sink, value)

    def _is_same(self, old, new):
        """Whether a node of the chunk computes rows of a node of the graph."""
        if (old, new) in self.known:
            return True
        while new.target in VIEWS:
            new = new.args[0]
        while old.target in VIEWS and old is not self.operands.get(new):
            old = old.args[0]
        if new in self.operands:
            return old is self.operands[new]
        sizes = _shape(new)[1:]
        inner = tuple(old.meta["val"].shape[old.meta["val"].dim() - len(sizes) :])
        is_same = (
            old.target is new.target
            and inner == sizes
            and self._have_same_operands(old, new, new.kwargs)
        )
        if is_same:
            self.known.add((old, new))
        return is_same

    def _have_same_operands(self, old, new, keywords):
        if dict(old.kwargs) != dict(keywords):
            return False
        for at, (one, two) in enumerate(zip_longest(old.args, new.args)):
            if isinstance(one, fx.Node) != isinstance(two, fx.Node):
                return False
            if isinstance(one, fx.Node):
                is_equal = self._is_same(one, two)
            elif old.target in ALONG and at == ALONG[old.target][0]:
                # Counted from the last dimension.
                is_equal = _last(one, old.meta["val"].dim()) == _last(two, len(_shape(new)))
            else:
                is_equal = repr(one) == repr(two)
            if not is_equal:
                return False
        return True


def _shape(node):
    """Sizes of the value of a chunk."""
    return tuple(node.meta["tensor_meta"].shape)


def _last(dimension, n_dimensions):
    return dimension % n_dimensions - n_dimensions
