"""A joint graph of PyTorch as an operation graph for the planner.

A *storage* is what the planner calls a tensor: memory that one operation allocates. Views of a storage,
and the elements of an operation's results, cost nothing and are not operations: they are made anew where
they are used. Storages of inputs are not planned.

In training, batch normalization also updates running statistics. A repetition can no longer read the old
ones, because the step has overwritten them. They do not influence the other results, so that it reads the
weight instead. To the planner, the updated statistics are results of separate operations, which follow the
first execution and are not repeated.
"""

from __future__ import annotations

import hashlib
import operator
import re

import torch
from torch import fx
from torch._functorch._aot_autograd.descriptors import InputMutationAOTOutput
from torch.utils import _pytree as pytree
from torch.utils.flop_counter import flop_registry

from ._offload import plan_offload
from ._recompute import plan_recomputation
from ._row_operations import n_bytes_of
from ._rows import ByRows
from .errors import InvalidInput, NoPlan


#: Batch normalization as it is captured. Operands: values, weight, bias, running mean and variance, whether
#: it trains, and others. Results: values, their mean and deviation, and the new running statistics.
BATCH_NORM = torch.ops.aten._native_batch_norm_legit_functional.default
WEIGHT, STATISTICS, TRAINS = 1, (3, 4), 5


class JointGraph:
    """The nodes of a joint graph, their storages, and which nodes the forward part must run."""

    def __init__(self, module, n_forward_outputs):
        module.graph.eliminate_dead_code()
        self.module, self.n_forward_outputs = module, n_forward_outputs
        self.nodes = list(module.graph.nodes)
        (output,) = module.graph.find_nodes(op="output")
        self.output = output
        self.outputs = pytree.arg_tree_leaves(*output.args)
        self.forward_outputs = self.outputs[:n_forward_outputs]
        self.backward_outputs = self.outputs[n_forward_outputs:]
        self._check()
        self.is_tangent = depending_on_gradients(self.nodes)
        self._find_storages()
        self._order_operations()

    def _check(self):
        for node in self.nodes:
            if node.op not in ("placeholder", "call_function", "get_attr", "output"):
                raise InvalidInput(f"node {node.name}: cannot plan '{node.op}'")
            if node.op == "call_function" and node.target is not operator.getitem:
                if not isinstance(node.target, (torch._ops.OpOverload, ByRows)):
                    raise InvalidInput(f"node {node.name}: cannot plan calls of {node.target}")
            check_static(node, _values(node), "torch.compile(..., dynamic=False)")

    def _find_storages(self):
        """Which storages a node has, which node allocates each, and its bytes."""
        self.sizes, self.storages, self.allocates, self.views = [], {}, {}, set()
        known = {}
        for node in self.nodes:
            if node.op == "output":
                continue
            own, new = [], []
            taken_over = STATISTICS if _may_repeat_batch_norm(node) else ()
            for at, value in enumerate(_values(node)):
                if not isinstance(value, torch.Tensor):
                    continue
                storage = value.untyped_storage()
                key = storage._cdata
                number = known.get(key)
                if key not in known:
                    if node.op == "call_function":
                        number = len(self.sizes)
                        self.sizes.append(storage.nbytes())
                        new.append(number)
                    # What is taken over is allocated anew by the node that takes it out of the results.
                    if at not in taken_over:
                        known[key] = number
                if number is not None and number not in own:
                    own.append(number)
            self.storages[node], self.allocates[node] = own, new
            is_view = node.op == "call_function" and not new and not _is_mutable(node)
            if is_view and all(isinstance(value, torch.Tensor) for value in _values(node)):
                self.views.add(node)
        self._find_bases()
        # The planner must not mix up storages whose addresses were given anew while tracing.
        self._keep_alive = [_values(node) for node in self.nodes]

    def _find_bases(self):
        """Per storage: the node whose value it is as a whole, from which all its views can be made."""
        self.bases = {}
        for node in self.nodes:
            value = node.meta.get("val")
            if node.op == "call_function" and isinstance(value, torch.Tensor):
                for own in self.storages[node]:
                    self.bases.setdefault(own, node)

    def _immovable(self):
        """Storages that stay where they are: the caller has those of the forward results, and an operation
        that changes its operand returns another name of it. The state of random numbers is on the host."""
        found = {own for node in self.forward_outputs if isinstance(node, fx.Node)
                 for own in self.storages[node]}
        for node in self.operations:
            found.update(own for own in self.storages[node] if own not in self.allocates[node])
        for node in self.views:
            # A second name of a result, which is not made from the first one.
            if node.target is operator.getitem and node.args[0] not in self.views:
                found.update(own for own in self.storages[node] if self.bases[own] is not node)
        devices = {own: base.meta["val"].device for own, base in self.bases.items()}
        if any(own.type != "cpu" for own in devices.values()):
            found.update(own for own, device in devices.items() if device.type == "cpu")
        return sorted(found)

    def _order_operations(self):
        """Operations in execution order: those of the forward part first."""
        mutated = _mutated_operands(self.nodes)
        changed = changed_nodes(self.module.graph)
        forward = set()
        stack = [node for node in self.forward_outputs if isinstance(node, fx.Node)]
        # What changes an input belongs to the part in which it is traced.
        stack += [node for node in self.nodes if _has_effect(node) and node not in self.is_tangent]
        while stack:
            node = stack.pop()
            if node not in forward:
                forward.add(node)
                stack.extend(node.all_input_nodes)
        if any(node in self.is_tangent for node in forward):
            raise InvalidInput("a result of the forward part depends on gradients")
        operations = [
            node for node in self.nodes if node.op == "call_function" and node not in self.views
        ]
        first_backward = next(
            (index for index, node in enumerate(operations) if node in self.is_tangent), len(operations)
        )
        early = [n for i, n in enumerate(operations) if n in forward or i < first_backward]
        chosen = set(early)
        late = [node for node in operations if node not in chosen]
        self.operations, self.n_forward = early + late, len(early)
        # The caller holds the results of the forward part, so that repeating them frees nothing.
        results = {own for node in self.forward_outputs if isinstance(node, fx.Node)
                   for own in self.storages[node]}
        for node in late:
            if self._reads_any(node.all_input_nodes, mutated):
                raise InvalidInput(f"node {node.name} reads an input that the forward part changes")
        self.is_pure = {
            node: not _has_effect(node)
            # What takes statistics over follows the first execution only.
            and node.target is not operator.getitem
            and not self._reads_any(self.repeated_operands(node), changed)
            and results.isdisjoint(self.allocates[node])
            for node in operations
        }

    def repeated_arguments(self, node):
        """Arguments of a repetition of a node."""
        if not _may_repeat_batch_norm(node):
            return node.args
        return tuple(node.args[WEIGHT] if at in STATISTICS else own for at, own in enumerate(node.args))

    def repeated_operands(self, node):
        """Nodes that a repetition of a node reads."""
        found = []
        fx.node.map_arg((self.repeated_arguments(node), node.kwargs), found.append)
        return found

    def _reads_any(self, nodes, mutated):
        """Whether any of some nodes is a changed input, or a view of one."""
        stack = list(nodes)
        while stack:
            before = stack.pop()
            if before in mutated:
                return True
            if before in self.views:
                stack.extend(before.all_input_nodes)
        return False

    def reads(self, node):
        """Storages that a node reads."""
        return sorted({own for before in node.all_input_nodes for own in self.storages[before]})

    def plan(self, budget):
        """Plans the order of execution within `budget` bytes by floating-point operations."""
        costs = [flops(node) for node in self.operations]
        try:
            return plan_recomputation(self.sizes, self.costed(costs), budget)
        except NoPlan as error:
            raise NoPlan(self._with_names(str(error))) from None

    def plan_offload(self, sizes, operations, budget, link):
        """Plans the order of execution and copies over `link` by seconds. `sizes` begins with those of the
        storages, `operations` is `costed`; both may have more."""
        try:
            return plan_offload(sizes, operations, budget, link, self._immovable())
        except NoPlan as error:
            raise NoPlan(self._with_names(str(error))) from None

    def costed(self, costs):
        """The operations as the planner takes them, and the end."""
        operations = []
        for node, cost in zip(self.operations, costs):
            writes = self.allocates[node]
            # An operation that changes a storage writes it, too.
            changed = [own for own in self.storages[node] if own not in writes]
            operations.append((cost, self.is_pure[node], self.reads(node), writes + changed))
        # Results stay in memory until the end.
        results = {own for node in self.outputs if isinstance(node, fx.Node) for own in self.storages[node]}
        return [*operations, (0, False, sorted(results), [])]

    def workspaces(self):
        """Per operation: bytes that it is known to allocate besides its results."""
        return [node.target.workspace if isinstance(node.target, ByRows) else 0 for node in self.operations]

    def gradient_sizes(self):
        """Bytes of the gradients of results, which exist before the backward part and during it."""
        inputs = [node for node in self.nodes if _is_tangent_input(node)]
        return [n_bytes_of(node) for node in inputs if isinstance(node.meta.get("val"), torch.Tensor)]

    def digest(self):
        """Identifies the graph: what it computes from which shapes, whatever its nodes are called."""
        numbers = {node: index for index, node in enumerate(self.nodes)}
        lines = [str(self.n_forward_outputs)]
        for node in self.nodes:
            operands = fx.node.map_arg((node.args, node.kwargs), lambda own: numbers[own])
            values = [
                (str(own.dtype), tuple(own.shape), own.stride(), own.device.type)
                if isinstance(own, torch.Tensor) else repr(own)
                for own in _values(node)
            ]  # fmt: skip
            lines.append(f"{node.op} {node.target if node.op == 'call_function' else ''} {operands} {values}")
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:32]

    def _with_names(self, text):
        """Replaces the planner's names of tensors and operations by those of nodes."""
        allocating = {own: node for node in self.operations for own in self.allocates[node]}
        allocated = {own: node.name for own, node in allocating.items()}
        text = re.sub(r"'t(\d+)'", lambda own: f"'{allocated.get(int(own[1]), 'memory of a kernel')}'", text)
        names = [node.name for node in self.operations] + ["the end"]
        # Steps are numbered with repetitions, but for the widest one.
        text = re.sub(r"step s\d+ \(o(\d+)\)", lambda own: f"'{names[int(own[1])]}'", text)
        return re.sub(r"widest step, s(\d+),", lambda own: f"widest operation, '{names[int(own[1])]}',", text)


def depending_on_gradients(nodes):
    """Nodes of a joint graph that depend on the gradients of its results."""
    found = set()
    for node in nodes:
        if _is_tangent_input(node) or any(before in found for before in node.all_input_nodes):
            found.add(node)
    return found


def changed_nodes(graph):
    """Nodes whose values do not keep their contents: operands of operations that change some of them, and inputs
    that PyTorch changes after the forward part, to results of the graph."""
    (output,) = graph.find_nodes(op="output")
    descriptions = output.meta.get("desc") or ()
    changed = [own.mutated_input for own in descriptions if isinstance(own, InputMutationAOTOutput)]
    inputs = {node for node in graph.find_nodes(op="placeholder") if node.meta.get("desc") in changed}
    return inputs | _mutated_operands(graph.nodes)


def _mutated_operands(nodes):
    changing = [node for node in nodes if node.op == "call_function" and _is_mutable(node)]
    return {before for node in changing for before in node.all_input_nodes}


def check_static(node, values, remedy):
    """Refuses values of a node whose sizes are known only at run time."""
    for value in values:
        if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)) or (
            isinstance(value, torch.Tensor) and _is_dynamic(value)
        ):
            raise InvalidInput(
                f"node {node.name} has a size that is known only at run time: a budget in bytes needs "
                f"static shapes, {remedy}"
            )


def flops(node):
    """Floating-point operations of a node by PyTorch's own count, at least 1."""
    packet = getattr(node.target, "overloadpacket", None)
    if packet not in flop_registry:
        return 1
    args, kwargs = pytree.tree_map_only(
        fx.Node, lambda own: own.meta["val"], (node.args, node.kwargs)
    )
    return max(int(flop_registry[packet](*args, **kwargs, out_val=node.meta["val"])), 1)


def accessed_bytes(node):
    """Bytes of all tensors that a node reads and writes."""
    if isinstance(node.target, ByRows):
        return node.target.accessed_bytes
    values = [own for other in [node, *node.all_input_nodes] for own in _values(other)]
    return sum(own.nbytes for own in values if isinstance(own, torch.Tensor))


def _values(node):
    return pytree.tree_leaves(node.meta.get("val"))


def _is_dynamic(tensor):
    return any(isinstance(size, torch.SymInt) for size in (*tensor.shape, *tensor.stride()))


def _is_tangent_input(node):
    name = node.name if node.op == "placeholder" else ""
    return name.startswith(("tangents", "bwd_seed_offset"))


def _draws(node):
    """Whether a node draws random numbers. Attention with dropout of probability zero does not."""
    if torch.Tag.nondeterministic_seeded not in node.target.tags:
        return False
    for at, argument in enumerate(node.target._schema.arguments):
        if argument.name == "dropout_p":
            own = node.args[at] if at < len(node.args) else node.kwargs.get("dropout_p", argument.default_value)
            return own != 0
    return True


def _may_repeat_batch_norm(node):
    """Whether a node is batch normalization with statistics of the batch, and with a weight that can take the
    place of the others: kernels require vectors of the same type."""
    if node.target is not BATCH_NORM or node.args[TRAINS] is not True:
        return False
    operands = [node.args[at] for at in (WEIGHT, *STATISTICS)]
    if not all(isinstance(own, fx.Node) for own in operands):
        return False
    kinds = {(own.meta["val"].dtype, own.meta["val"].shape) for own in operands}
    return len(kinds) == 1


def _is_mutable(node):
    return isinstance(node.target, torch._ops.OpOverload) and node.target._schema.is_mutable


def _has_effect(node):
    """Whether a node does more than compute its results from its operands."""
    if node.op != "call_function" or not isinstance(node.target, torch._ops.OpOverload):
        return False
    return _is_mutable(node) or _draws(node) or not node.users or node.is_impure(False)
