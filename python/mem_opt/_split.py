"""Writes an order of execution as a forward and a backward graph of PyTorch.

The forward graph ends before the first operation of the backward part. What later operations read and do
not compute themselves is saved: results of the forward graph, and inputs of the backward graph. Each
execution of an operation is a node of its own. Views are made just before they are used, from the latest
execution, so that no view holds a storage that the plan has given up.

Copies of a plan become nodes, too. A tensor that leaves in the forward part and returns in the backward
part is saved as its bytes on the host.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass

import torch
from torch import fx
from torch._functorch import partitioners
from torch._functorch._aot_autograd.descriptors import (
    SavedForBackwardsAOTOutput,
    SavedForBackwardsNoVcCheckAOTOutput,
)

from ._link import WAITS, arrived, offload, offloaded, reload
from ._offload import ISSUE, RUN, events
from .errors import InternalError


@dataclass(frozen=True)
class _Host:
    """The bytes of a storage on the host, as they are saved for the backward part."""

    storage: int


@dataclass(frozen=True)
class _Event:
    """Part of a plan: an operation runs, or a copy is issued or awaited."""

    position: int
    kind: int
    #: The operation, and whether it has run before.
    node: object = None
    is_again: bool = False
    #: Number of the copy.
    number: int = None
    transfer: object = None


def split(graph, order, static_input_indices=None):
    """Returns the modules of the forward and the backward part of an order of execution."""
    steps = [(at, RUN, own) for at, own in enumerate(order)]
    return _split(graph, _events(graph, steps, ()), order, static_input_indices, None)


def split_plan(graph, plan, link, static_input_indices=None):
    """Returns the modules of the two parts of a plan with copies, over the link of number `link`."""
    found = _events(graph, events(plan), plan.transfers)
    return _split(graph, found, plan.order, static_input_indices, link)


def cut_of(graph, order):
    """Position of the first operation of the backward part."""
    return next(at for at, own in enumerate(order) if own >= graph.n_forward)


def _events(graph, listed, transfers):
    """Events of a plan with nodes in place of numbers, without the end."""
    found, seen = [], set()
    for position, kind, index in listed:
        if kind != RUN:
            found.append(_Event(position, kind, number=index, transfer=transfers[index]))
        elif index < len(graph.operations):
            found.append(_Event(position, kind, node=graph.operations[index], is_again=index in seen))
            seen.add(index)
    return found


def _split(graph, found, order, static_input_indices, link):
    cut = cut_of(graph, order)
    # Copies to the host that begin or end between the parts belong to the forward part, which frees memory
    # for whatever runs between them.
    is_early = [
        own.position < cut or (own.position == cut and own.kind != RUN and own.transfer.direction == "out")
        for own in found
    ]
    forward, backward = (
        [own for own, early in zip(found, is_early) if early is wanted] for wanted in (True, False)
    )
    inputs = _Inputs(graph, static_input_indices)
    saved = _saved(graph, backward, inputs)
    # PyTorch keeps tensors without a check of their version apart, at the end.
    saved.sort(key=_is_unchecked)
    descriptions = graph.output.meta.get("desc") or [None] * len(graph.outputs)
    n_forward = graph.n_forward_outputs
    first = _Part(graph, inputs.forward, "forward", link)
    first.run(forward)
    first.end(graph.forward_outputs + saved, [*descriptions[:n_forward], *_descriptions(saved)])
    second = _Part(graph, saved + inputs.backward, "backward", link)
    second.run(backward)
    second.end(graph.backward_outputs, descriptions[n_forward:])
    return first.module(), second.module()


def _is_unchecked(saved):
    """Whether PyTorch does not check the version of what is saved."""
    return isinstance(saved, fx.Node) and bool(saved.meta.get("saved_tensor_with_no_vc_check"))


class _Inputs:
    """The inputs of the two graphs, besides what is saved."""

    def __init__(self, graph, static_input_indices):
        inputs = graph.module.graph.find_nodes(op="placeholder")
        primals = [node for node in inputs if partitioners._is_primal(node)]
        seeds = [node for node in inputs if partitioners._is_fwd_seed_offset(node)]
        self.forward = primals + seeds
        later = (partitioners._is_tangent, partitioners._is_bwd_seed_offset, partitioners._is_backward_state)
        self.backward = [node for kind in later for node in inputs if kind(node)]
        if len(self.forward) + len(self.backward) != len(inputs):
            raise InternalError("the joint graph has an input that is of neither part")
        for index, node in enumerate(primals):
            node.meta["is_static_input"] = index in (static_input_indices or ())


def _descriptions(saved):
    kinds = (SavedForBackwardsAOTOutput, SavedForBackwardsNoVcCheckAOTOutput)
    return [kinds[_is_unchecked(own)](index) for index, own in enumerate(saved)]


def _saved(graph, backward, inputs):
    """What the backward part reads before it computes it, in the order of first use: nodes, and bytes on
    the host."""
    known, saved = set(inputs.backward), []

    def need_host(host):
        if host not in known:
            known.add(host)
            saved.append(host)

    def need(node):
        if node in known or node.op == "get_attr":
            return
        if node in graph.views and not _is_element_of_unknown(graph, node, known):
            for before in node.all_input_nodes:
                need(before)
            return
        known.add(node)
        saved.append(node)

    for own in backward:
        if own.kind == RUN:
            for before in graph.repeated_operands(own.node) if own.is_again else own.node.all_input_nodes:
                need(before)
            known.add(own.node)
            continue
        host, base = _Host(own.transfer.tensor), graph.bases[own.transfer.tensor]
        if own.transfer.direction == "out":
            need(base)
            # If it is only awaited here, it is under way between the parts.
            known.add(host) if own.kind == ISSUE else need_host(host)
        elif own.kind == ISSUE:
            need_host(host)
            known.add(base)
    for node in graph.backward_outputs:
        if isinstance(node, fx.Node):
            need(node)
    return saved


def _is_element_of_unknown(graph, node, known):
    """Whether a node is a result of an operation with several that the part does not run itself. Such
    results are saved one by one; the parts of a view with several are not, because the view is made anew."""
    if node.target is not operator.getitem:
        return False
    source = node.args[0]
    return source not in graph.views and source not in known


class _Part:
    """A graph under construction."""

    def __init__(self, graph, inputs, kind, link):
        self.graph, self.kind, self.link = graph, kind, link
        self.new = fx.Graph()
        # Per node of the joint graph: its latest execution. Per `_Host`: the bytes on the host.
        self.latest = {}
        # Per number of a copy to the device: its destination, until it is awaited.
        self.arriving = {}
        for own in inputs:
            if isinstance(own, _Host):
                self.latest[own] = self.new.placeholder(f"{graph.bases[own.storage].name}_host")
                self.latest[own].meta = {"val": _host_bytes(graph, own.storage)}
            else:
                self.latest[own] = self.new.placeholder(own.name)
                self.latest[own].meta = own.meta
        self.views_of = {}
        for view in graph.nodes:
            if view in graph.views:
                for before in view.all_input_nodes:
                    self.views_of.setdefault(before, []).append(view)

    def run(self, found):
        """Appends executions and copies."""
        for own in found:
            if own.kind == RUN:
                new = self._execute(own.node, own.is_again)
            elif own.kind == ISSUE:
                new = self._issue(own.number, own.transfer)
            else:
                new = self._await(own.number, own.transfer)
            # Tells recordings which event of the plan this is.
            new.meta["mem_opt"] = own.position, own.kind, own.number

    def _execute(self, node, is_again):
        copy = self._copy(node, self.graph.repeated_arguments(node) if is_again else node.args)
        self._forget_views(node)
        self.latest[node] = copy
        for element in self.views_of.get(node, []):
            # The tuple would hold all results for as long as one of them is used.
            if element.target is operator.getitem:
                self.value(element)
        return copy

    def _issue(self, number, transfer):
        base, host = self.graph.bases[transfer.tensor], _Host(transfer.tensor)
        if transfer.direction == "out":
            new = self._call(offload, (self.value(base), self.link, number))
            new.meta["val"] = _host_bytes(self.graph, transfer.tensor)
            self.latest[host] = new
        else:
            new = self._call(reload, (self.value(host), self.link, number))
            new.meta["val"] = base.meta["val"]
            self.arriving[number] = new
        return new

    def _await(self, number, transfer):
        base = self.graph.bases[transfer.tensor]
        if transfer.direction == "out":
            host = self.value(_Host(transfer.tensor))
            return self._call(offloaded, (host, self.value(base), self.link, number))
        new = self._call(arrived, (self.arriving.pop(number), self.link, number))
        new.meta["val"] = base.meta["val"]
        self._forget_views(base)
        self.latest[base] = new
        return new

    def _call(self, function, arguments):
        new = self.new.call_function(function, arguments)
        if self.kind == "backward":
            new.meta["autograd_backward"] = True
        return new

    def value(self, node):
        """The latest execution of a node; a view of it may have to be made."""
        if node not in self.latest:
            if isinstance(node, _Host):
                raise InternalError(f"the {self.kind} part copies back what it has not on the host")
            if node not in self.graph.views and node.op != "get_attr":
                raise InternalError(f"the {self.kind} part reads {node.name}, and has not computed it")
            self.latest[node] = self._copy(node, node.args)
        return self.latest[node]

    def _copy(self, node, arguments):
        """Appends a node with other arguments, nodes of the joint graph."""
        arguments, keywords = fx.node.map_arg((arguments, node.kwargs), self.value)
        copy = self.new.create_node(node.op, node.target, arguments, keywords, node.name, node.type)
        copy.meta = dict(node.meta)
        if self.kind == "backward":
            copy.meta["autograd_backward"] = True
        return copy

    def _forget_views(self, node):
        stack = list(self.views_of.get(node, []))
        while stack:
            view = stack.pop()
            self.latest.pop(view, None)
            stack.extend(self.views_of.get(view, []))

    def end(self, results, descriptions):
        """Appends the output."""
        values = [self.value(own) if isinstance(own, (fx.Node, _Host)) else own for own in results]
        output = self.new.output(tuple(values))
        output.meta["desc"] = list(descriptions)

    def module(self):
        """Returns the graph as a module. Executions whose results are not used are left out."""
        self.new.eliminate_dead_code(lambda node: node.target in WAITS or node.is_impure())
        self.new.lint()
        return fx._lazy_graph_module._make_graph_module(self.graph.module, self.new)


def _host_bytes(graph, storage):
    """Stands for the bytes of a storage on the host while graphs are compiled."""
    mode = graph.bases[storage].meta["val"].fake_mode
    with mode:
        return torch.empty(graph.sizes[storage], dtype=torch.uint8)
