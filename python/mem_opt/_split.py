"""Writes an order of execution as a forward and a backward graph of PyTorch.

The forward graph ends before the first operation of the backward part. What later operations read and do
not compute themselves is saved: results of the forward graph, and inputs of the backward graph. Each
execution of an operation is a node of its own. Views are made just before they are used, from the latest
execution, so that no view holds a storage that the plan has given up.
"""

from __future__ import annotations

import operator

import torch
from torch import fx
from torch._functorch import partitioners
from torch._functorch._aot_autograd.descriptors import (
    SavedForBackwardsAOTOutput,
    SavedForBackwardsNoVcCheckAOTOutput,
)

from .errors import InternalError


def split(graph, order, static_input_indices=None):
    """Returns the modules of the forward and the backward part."""
    last = len(graph.operations)
    cut = next(at for at, own in enumerate(order) if own >= graph.n_forward)
    forward, backward = (
        [graph.operations[own] for own in part if own < last] for part in (order[:cut], order[cut:])
    )
    inputs = _Inputs(graph, static_input_indices)
    saved = _saved(graph, backward, inputs)
    # PyTorch keeps tensors without a check of their version apart, at the end.
    saved.sort(key=lambda node: bool(node.meta.get("saved_tensor_with_no_vc_check")))
    descriptions = graph.output.meta.get("desc") or [None] * len(graph.outputs)
    n_forward = graph.n_forward_outputs
    first = _Part(graph, inputs.forward, "forward")
    first.run(forward)
    first.end(graph.forward_outputs + saved, [*descriptions[:n_forward], *_descriptions(saved)])
    second = _Part(graph, saved + inputs.backward, "backward")
    second.run(backward)
    second.end(graph.backward_outputs, descriptions[n_forward:])
    return first.module(), second.module()


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
    checked = [not node.meta.get("saved_tensor_with_no_vc_check") for node in saved]
    return [kinds[not is_checked](index) for index, is_checked in enumerate(checked)]


def _saved(graph, backward, inputs):
    """What the backward part reads before it computes it, in the order of first use."""
    known, saved = set(inputs.backward), []

    def need(node):
        if node in known or node.op == "get_attr":
            return
        if node in graph.views and not _is_element_of_unknown(graph, node, known):
            for before in node.all_input_nodes:
                need(before)
            return
        known.add(node)
        saved.append(node)

    for node in backward:
        for before in node.all_input_nodes:
            need(before)
        known.add(node)
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

    def __init__(self, graph, inputs, kind):
        self.graph, self.kind = graph, kind
        self.new = fx.Graph()
        # Per node of the joint graph: its latest execution.
        self.latest = {}
        for node in inputs:
            self.latest[node] = self.new.placeholder(node.name)
            self.latest[node].meta = node.meta
        self.views_of = {}
        for view in graph.nodes:
            if view in graph.views:
                for before in view.all_input_nodes:
                    self.views_of.setdefault(before, []).append(view)

    def run(self, operations):
        """Appends executions."""
        for node in operations:
            copy = self._copy(node)
            self._forget_views(node)
            self.latest[node] = copy
            for element in self.views_of.get(node, []):
                # The tuple would hold all results for as long as one of them is used.
                if element.target is operator.getitem:
                    self.value(element)

    def value(self, node):
        """The latest execution of a node; a view of it may have to be made."""
        if node not in self.latest:
            if node not in self.graph.views and node.op != "get_attr":
                raise InternalError(f"the {self.kind} part reads {node.name}, and has not computed it")
            self.latest[node] = self._copy(node)
        return self.latest[node]

    def _copy(self, node):
        copy = self.new.node_copy(node, self.value)
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
        values = [self.value(node) if isinstance(node, fx.Node) else node for node in results]
        output = self.new.output(tuple(values))
        output.meta["desc"] = list(descriptions)

    def module(self):
        """Returns the graph as a module. Executions whose results are not used are left out."""
        self.new.eliminate_dead_code()
        self.new.lint()
        return fx._lazy_graph_module._make_graph_module(self.graph.module, self.new)
