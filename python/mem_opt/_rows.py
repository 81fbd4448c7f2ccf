"""Softmax and the operations around it, computed for some rows at a time.

The scores of all words are the largest tensors of a language model, and its loss needs several of them at a
time, most of them in 32 bits. But every row is computed from the same row of the operands alone. So these
operations become two, one for each part of the step: a function that reads the scores and computes the loss
of each row, and one that reads the scores and computes their gradient. Both go through the rows in *chunks*,
and what lies between is never in memory as a whole.

Results do not change by a bit. Kernels of softmax compute each row on its own, and elementwise ones each
element; chunks begin at multiples of `ALIGNMENT` bytes, so that rows are aligned as in the whole tensors.
Sums over rows and matrix products are left as they are, because their bits may depend on the number of rows.
"""

from __future__ import annotations

import hashlib
import math
import operator
from dataclasses import dataclass

import torch
from torch import fx

from ._row_operations import (
    ALONG, CASTS, SOFTMAX, VIEWS, WRITING, aten, n_bytes_of, rest_of, roles, storage_of
)  # fmt: skip
from ._rows_check import check
from ._sizes import GPU_UNIT, rounded

#: Chunks begin at multiples of so many bytes in every tensor. Kernels read a sixteenth of it at a time, or an eighth.
ALIGNMENT = 128
#: Operations are computed by rows if the most that any of them needs becomes less by this fraction of the
#: budget. They read more, which takes time.
SAVED = 1 / 8
#: The fraction of the budget for what lies between operands and results of a chunk.
CHUNK = 1 / 64
#: What no class is, for a target that must be ignored.
IGNORED = -100


class ByRows:
    """A function of tensors, computed for some rows at a time. Nodes of graphs call it."""

    def __init__(self, chunk, rests, results, n_rows, limit):
        """`chunk`: a module that computes rows of all results from rows of the operands, and writes them to the
        rows of its last arguments; `rests`: per operand, the sizes of one of its rows, or None if chunks read it
        as it is. `results`: what the results look like as a whole. `limit`: bytes for what lies between."""
        self.chunk, self.rests, self.n_rows = chunk, rests, n_rows
        self.results = [(tuple(own.shape), own.dtype, own.device) for own in results]
        # A power of two. Operands that all rows share have rows of no bytes.
        fewest = max(ALIGNMENT // math.gcd(ALIGNMENT, node.meta.get("row", 0)) for node in chunk.graph.nodes)
        self.n_at_once = max(limit // max(self._workspace(fewest), 1), 1) * fewest
        #: Bytes that are allocated besides the results.
        self.workspace = self._workspace(min(self.n_at_once, n_rows))
        #: Bytes that all operations read and write.
        self.accessed_bytes = n_rows * sum(
            own.meta["row"]
            for node in chunk.graph.nodes if node.op == "call_function" and node.target not in VIEWS
            for own in {node, *node.all_input_nodes}
        )  # fmt: skip
        text = f"{chunk.graph} {rests} {self.results} {n_rows} {self.n_at_once}"
        self.__name__ = self.__qualname__ = f"by_rows_{hashlib.sha256(text.encode()).hexdigest()[:16]}"

    def __call__(self, *operands):
        results = [torch.empty(shape, dtype=dtype, device=device) for shape, dtype, device in self.results]
        whole = [
            own if rest is None else own.view(self.n_rows, *rest)
            for own, rest in zip((*operands, *results), self.rests)
        ]
        for first in range(0, self.n_rows, self.n_at_once):
            end = first + self.n_at_once
            self.chunk(*(own if rest is None else own[first:end] for own, rest in zip(whole, self.rests)))
        return tuple(results)

    def __str__(self):
        return self.__name__

    def _workspace(self, n_rows):
        """The most bytes between operands and results for so many rows."""
        nodes = list(self.chunk.graph.nodes)
        last = {before: at for at, node in enumerate(nodes) for before in node.all_input_nodes}
        for node in reversed(nodes):
            if node.target in VIEWS:
                (before,) = node.all_input_nodes
                last[before] = max(last[before], last[node])
        live, most = {}, 0
        for at, node in enumerate(nodes):
            if node.op == "call_function" and node.target not in VIEWS and not node.target._schema.is_mutable:
                live[node] = rounded(node.meta["row"] * n_rows, GPU_UNIT)
            most = max(most, sum(live.values()))
            live = {own: n_bytes for own, n_bytes in live.items() if last[own] > at}
        return most


def by_rows(module, is_late, changed, budget):
    """Lets a joint graph compute softmax by rows where that saves memory. `is_late`: nodes that depend on
    gradients. `changed`: nodes whose values lose their contents. `budget`: bytes; None: the graph stays as it is.
    """
    if budget is None:
        return
    module.graph.eliminate_dead_code()
    changed = set(map(storage_of, changed))
    seen = set()
    for seed in list(module.graph.nodes):
        if seed in seen or seed.target not in SOFTMAX or not _is_along_rows(seed):
            continue
        region = _Region(seed, is_late)
        seen |= region.members
        if region.widest() > SAVED * budget:
            losses = _pick_losses(module.graph, region)
            if not _replace(module.graph, _Region(seed, is_late), changed, budget):
                for node, arguments in losses:
                    node.args = arguments
    module.graph.eliminate_dead_code()
    module.graph.lint()


def _is_along_rows(node):
    """Whether softmax goes along the last dimension of a tensor without gaps."""
    value = node.meta["val"]
    return value.dim() > 0 and value.numel() > 0 and bool(roles(node, value.numel() // value.shape[-1]))


def _pick_losses(graph, region):
    """Lets losses read one score of each row instead of all. Kernels add up rows in an order that depends on
    their number alone. Returns the losses with their former arguments."""
    found = []
    for node in [user for own in region.nodes for user in own.users]:
        if node.target is not aten.nll_loss_forward.default:
            continue
        scores, target, weight, reduction, ignored = node.args
        if weight is not None or target.meta["val"].dtype != torch.int64:
            continue
        with graph.inserting_before(node):
            is_ignored = _call(graph, aten.eq.Scalar, target, ignored)
            index = _call(graph, aten.masked_fill.Scalar, target, is_ignored, 0)
            index = _call(graph, aten.view.default, index, [region.n_rows, 1])
            picked = _call(graph, aten.gather.default, scores, 1, index)
            first = _call(graph, aten._to_copy.default, is_ignored, dtype=torch.int64)
            first = _call(graph, aten.mul.Tensor, first, IGNORED)
        found.append((node, node.args))
        node.args = picked, first, None, reduction, IGNORED
    return found


def _call(graph, function, *arguments, **keywords):
    """Appends a call with what it returns for the tensors that stand for its operands."""
    node = graph.call_function(function, arguments, keywords)
    values = fx.node.map_arg((arguments, keywords), lambda own: own.meta["val"])
    node.meta["val"] = function(*values[0], **values[1])
    return node


class _Region:
    """Operations on the same rows, with a softmax among them."""

    def __init__(self, seed, is_late):
        value = seed.meta["val"]
        self.seed, self.n_rows, self.is_late = seed, value.numel() // value.shape[-1], is_late
        self.members, stack = {seed}, [seed]
        while stack:
            node = stack.pop()
            near = [own for own in self.sliced(node) if self._is_as_large(own)]
            near += [own for own in node.users if node in self.sliced(own)]
            for own in near:
                if own not in self.members and self._is_large(own):
                    self.members.add(own)
                    stack.append(own)
        self.order = {node: at for at, node in enumerate(seed.graph.nodes)}
        self.nodes = sorted(self.members, key=self.order.get)
        self.sinks = [own for own in self.nodes if own.target not in VIEWS and self.outside(own)]

    def _is_large(self, node):
        """Whether a node computes rows of several elements, or reads them."""
        rows = {node, *self.sliced(node)} if roles(node, self.n_rows) else ()
        return any(n_bytes_of(own) > 8 * self.n_rows for own in rows)

    def sliced(self, node):
        """Operands of which a node reads the rows that it computes."""
        return [own for own, is_sliced in (roles(node, self.n_rows) or {}).items() if is_sliced]

    def _is_as_large(self, node):
        """Whether the operands of a node are no larger than its result. The result of others is better kept."""
        return sum(map(n_bytes_of, {self.root(own) for own in self.sliced(node)})) <= n_bytes_of(node)

    def root(self, node):
        """What a node is a view of."""
        while node.target in VIEWS and self.sliced(node):
            node = node.args[0]
        return node

    def outside(self, node):
        """Users of a node that stay in the graph."""
        return [
            own for own in node.users
            if own not in self.members or (own.target in VIEWS and self.outside(own))
        ]  # fmt: skip

    def widest(self):
        """The most bytes that the operands and the result of one operation have."""
        return max(
            sum(map(n_bytes_of, {node, *map(self.root, self.sliced(node))}))
            for node in self.nodes if node.target not in VIEWS
        )  # fmt: skip


@dataclass
class _Group:
    """Operations of a region that become one node."""

    program: ByRows
    sources: list
    sinks: list

    def need(self):
        """Bytes of operands and results, and between them."""
        return sum(map(n_bytes_of, {*self.sources, *self.sinks})) + self.program.workspace

    def place(self, region):
        """The node before which all operands are known and no result is used; None: there is none."""
        first = min((user for own in self.sinks for user in region.outside(own)), key=region.order.get)
        is_after = all(region.order[own] < region.order[first] for own in self.sources)
        return first if is_after else None


def _replace(graph, region, changed, budget):
    """Replaces a region, if that saves enough memory. Returns whether it does."""
    limit = int(CHUNK * budget)
    early = [own for own in region.sinks if own not in region.is_late]
    late = [own for own in region.sinks if own in region.is_late]
    # What is in memory anyway is not computed again.
    groups = [_group(region, sinks, known, limit) for sinks, known in ((early, ()), (late, early)) if sinks]
    if max(own.need() for own in groups) > region.widest() - SAVED * budget:
        return False
    # Where nothing is between operands and results, operations stay as they are.
    groups = [own for own in groups if own.program.workspace]
    places = [own.place(region) for own in groups]
    # Operands are read later than before, and once more.
    is_overwritten = any(storage_of(own) in changed for group in groups for own in group.sources)
    if not places or None in places or is_overwritten:
        return False
    replaced = []
    for own, place in zip(groups, places):
        check(own.program, own.sources, own.sinks)
        with graph.inserting_before(place):
            name = region.seed.name + ("_backward" if own.sinks is late else "") + "_by_rows"
            new = graph.create_node("call_function", own.program, tuple(own.sources), name=name)
            new.meta["val"] = tuple(sink.meta["val"] for sink in own.sinks)
            for index, sink in enumerate(own.sinks):
                element = graph.call_function(operator.getitem, (new, index))
                element.meta = dict(sink.meta)
                replaced.append((sink, element))
    # Last, because the later node may read results of the earlier one.
    for sink, element in replaced:
        # Operations that are replaced, too, may come before.
        stay = set(region.outside(sink))
        sink.replace_all_uses_with(element, lambda user: user in stay or user not in region.members)
    return True


def _group(region, sinks, known, limit):
    """The function of some sinks. `known`: members that are not computed again."""
    n_rows = region.n_rows
    wanted, stack = set(), list(sinks)
    while stack:
        node = stack.pop()
        if node not in wanted:
            wanted.add(node)
            stack += [own for own in region.sliced(node) if own in region.members and own not in known]
    copied = [own for own in region.nodes if own in wanted]
    chunk, values, sources, rests = fx.Graph(), {}, [], []

    def argument(node, is_sliced):
        new = chunk.placeholder(f"argument_{len(rests)}")
        new.meta["row"] = n_bytes_of(node) // n_rows if is_sliced else 0
        rests.append(rest_of(node.meta["val"], n_rows) if is_sliced else None)
        return new

    for node in copied:
        for own, is_sliced in roles(node, n_rows).items():
            if (own, is_sliced) not in values and not (is_sliced and own in wanted):
                values[own, is_sliced] = argument(own, is_sliced)
                sources.append(own)
    places = [argument(own, True) for own in sinks]
    for node in copied:
        values[node, True] = _copy(chunk, node, n_rows, values)
    for own, place in zip(sinks, places):
        _write(chunk, values[own, True], place)
    chunk.output(None)
    chunk.eliminate_dead_code()
    found = [own.meta["val"] for own in sinks]
    return _Group(ByRows(fx.GraphModule({}, chunk), rests, found, n_rows, limit), sources, sinks)


def _write(chunk, value, place):
    """Appends what writes rows of a result to their place."""
    if value.target in CASTS and not value.users:
        # What copies them converts them.
        new = chunk.call_function(aten.copy_.default, (place, value.args[0]))
    elif value.target in WRITING and not value.users:
        new = chunk.call_function(WRITING[value.target], value.args, {**value.kwargs, "out": place})
    else:
        new = chunk.call_function(aten.copy_.default, (place, value))
    new.meta = {"row": value.meta["row"]}


def _copy(chunk, node, n_rows, values):
    """Appends a node to the graph of a chunk, where rows are the first dimension."""
    kinds, value = roles(node, n_rows), node.meta["val"]
    rest = rest_of(value, n_rows)
    if node.target in VIEWS:
        new = chunk.call_function(aten.view.default, (values[node.args[0], True], [-1, *rest]))
    else:
        arguments, keywords = fx.node.map_arg(
            (node.args, node.kwargs), lambda own: _operand(chunk, own, kinds[own], len(rest), values)
        )
        new = chunk.call_function(node.target, arguments, keywords)
    if node.target in ALONG:
        at = ALONG[node.target][0]
        new.update_arg(at, node.args[at] % value.dim() - value.dim() + len(rest) + 1)
    new.meta = {"row": n_bytes_of(node) // n_rows}
    return new


def _operand(chunk, node, is_sliced, n_inner, values):
    """An operand of an operation on rows with so many inner dimensions."""
    shape = node.meta["val"].shape
    if is_sliced or len(shape) <= n_inner:
        return values[node, is_sliced]
    # Its leading dimensions are those of rows, and of size one.
    new = chunk.call_function(aten.view.default, (values[node, False], list(shape[len(shape) - n_inner :])))
    new.meta = {"row": 0}
    return new
