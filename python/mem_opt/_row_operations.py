"""Operations that compute each row of their result from the same row of their operands.

A *row* is what a tensor without gaps has at one place of its leading dimensions, which are those whose sizes
multiply to the number of rows.
"""

from __future__ import annotations

import math

import torch
from torch import fx

aten = torch.ops.aten

#: Softmax, whose operand and result have the same rows.
SOFTMAX = (aten._softmax.default, aten._log_softmax.default)
#: Operations along one dimension: the positions of the dimension and of the operands among their arguments.
ALONG = {
    **{own: (1, (0,)) for own in SOFTMAX},
    aten._softmax_backward_data.default: (2, (0, 1)),
    aten._log_softmax_backward_data.default: (2, (0, 1)),
    aten.gather.default: (1, (0, 2)),
}  # fmt: skip
VIEWS = (aten.view.default, aten._unsafe_view.default, aten.detach.default, aten.alias.default)
CASTS = (aten._to_copy.default, torch.ops.prims.convert_element_type.default)
#: Operations by those that write their result where they are told.
WRITING = {own: own.overloadpacket.out for own in (*ALONG, aten.add.Tensor, aten.mul.Tensor, aten.div.Tensor)}
#: Elementwise operations that have one right result. On a CPU, others depend on how elements are distributed
#: over vectors and threads.
ROUNDED = ("abs", "add", "div", "eq", "masked_fill", "mul", "ne", "neg", "relu", "sub", "where")
#: Position of the kind of reduction among the arguments of the gradient of a loss; 0 is none.
REDUCTION = 4


def roles(node, n_rows):
    """The operands of an operation that computes rows, each from the same rows: whether it reads the same rows
    of an operand, or all of it. None: it is no such operation."""
    if node.op != "call_function" or not isinstance(node.target, torch._ops.OpOverload):
        return None
    if any(isinstance(own, fx.Node) for own in node.kwargs.values()):
        return None
    value, operands = node.meta.get("val"), node.all_input_nodes
    rest = rest_of(value, n_rows)
    if rest is None or node.target._schema.is_mutable:
        return None
    n_outer = value.dim() - len(rest)
    if node.target in VIEWS or node.target in CASTS:
        (operand,) = operands
        is_known = rest_of(operand.meta.get("val"), n_rows) is not None and _stays(node, operand)
        return {operand: True} if is_known else None
    if node.target in ALONG:
        at, positions = ALONG[node.target]
        if node.args[at] % value.dim() < n_outer:
            return None
        wanted, n_dimensions = {node.args[own] for own in positions}, (value.dim(),)
    elif node.target is aten.nll_loss_backward.default:
        # The gradients of a loss for each row, the scores and the target.
        wanted = {node.args[own] for own in ((1, 2) if node.args[REDUCTION] else (0, 1, 2))}
        n_dimensions = (1, 2)
    elif _is_elementwise(node):
        wanted, n_dimensions = {own for own in operands if not _has_one_row(own, value, n_outer)}, (value.dim(),)
    else:
        return None
    for own in wanted:
        if not _has_rows(own, value, n_outer) or own.meta["val"].dim() not in n_dimensions:
            return None
    return {own: own in wanted for own in operands} if wanted else None


def _stays(node, operand):
    """Whether a conversion is one of types alone."""
    is_plain = node.kwargs.get("memory_format") is None and not node.kwargs.get("pin_memory")
    return is_plain and node.meta["val"].device == operand.meta["val"].device


def _has_rows(node, result, n_outer):
    """Whether an operand has the rows of a result, and no gaps."""
    value = node.meta.get("val")
    return (
        isinstance(value, torch.Tensor)
        and value.shape[:n_outer] == result.shape[:n_outer]
        and value.is_contiguous()
    )


def _has_one_row(node, result, n_outer):
    """Whether an operand is the same for all rows of a result."""
    value = node.meta.get("val")
    if not isinstance(value, torch.Tensor):
        return False
    n_inner = result.dim() - n_outer
    return all(size == 1 for size in value.shape[: max(value.dim() - n_inner, 0)])


def _is_elementwise(node):
    """Whether each element of the result depends on elements of the operands at the same position, by bits."""
    tags, value = node.target.tags, node.meta["val"]
    if torch.Tag.pointwise not in tags or torch.Tag.nondeterministic_seeded in tags:
        return False
    # On a CPU, vectors and what is left of them are computed differently.
    return value.device.type != "cpu" or (
        node.target.overloadpacket.__name__ in ROUNDED and not node.kwargs
    )


def rest_of(value, n_rows):
    """The sizes of one row of a tensor; None: it is no tensor of so many rows, or has gaps."""
    if not isinstance(value, torch.Tensor) or not value.is_contiguous():
        return None
    for at in range(1, value.dim() + 1):
        if math.prod(value.shape[:at]) == n_rows:
            return tuple(value.shape[at:])
    return None


def storage_of(node):
    """Identifies the memory of a tensor."""
    value = node.meta.get("val")
    return value.untyped_storage()._cdata if isinstance(value, torch.Tensor) else None


def n_bytes_of(node):
    """Bytes of the elements of a tensor."""
    return node.meta["val"].nbytes
