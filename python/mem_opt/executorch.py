"""Plans the memory of ExecuTorch programs.

    from executorch.exir import ExecutorchBackendConfig
    import mem_opt.executorch

    config = ExecutorchBackendConfig(memory_planning_pass=mem_opt.executorch.memory_planning_pass())
    program = to_edge(torch.export.export(model, inputs)).to_executorch(config)

With a `TargetMemoryMap`, tensors are spread over banks: see `memory_planning_pass`.

Tensors with a `storage_base` lie within the storage of their base, which is live for as long as any of
them. The arenas of control-flow submodules are planned before the graph around them, whose tensors lie
above, as ExecuTorch's own planner does it: results of a branch stay in the branch's arena.
"""

from __future__ import annotations

import numpy as np

from . import plan
from ._banks import spread
from ._frameworks import require
from .errors import InvalidInput, NoPlan

require(
    "executorch", ("torch", "torch==2.15.0"), ("executorch.exir.memory_planning", "executorch==1.5.1")
)

from executorch.exir.banked_memory_planning import (  # noqa: E402
    Bank,
    BankPlacementError,
    TargetMemoryMap,
)
from executorch.exir.memory_planning import (  # noqa: E402
    MemoryAlgoResult,
    MemoryPlanningAlgorithmSuite,
    SpecAllocResult,
)
from executorch.exir.passes import MemoryPlanningPass  # noqa: E402
from executorch.exir.schema import DeviceType  # noqa: E402

__all__ = ["Bank", "BankPlacementError", "MemoryPlanner", "TargetMemoryMap", "memory_planning_pass"]

#: The arena of tensors that no pass has assigned to another one.
DEFAULT_ARENA = 1


def memory_planning_pass(target=None, **options):
    """Returns the pass for `ExecutorchBackendConfig(memory_planning_pass=...)`.

    `target`: a `TargetMemoryMap`. Tensors then go to the first bank for as long as they fit, and nothing
    is in a later bank that fits an earlier one; `BankPlacementError` if they do not fit all banks. A
    `mem_id` that an earlier pass has set is kept.

    `time_limit`, `effort`, `seed` and `threads` are those of `mem_opt.plan`; all other options are those
    of `MemoryPlanningPass`.
    """
    names = ("time_limit", "effort", "seed", "threads")
    search = {name: options.pop(name) for name in names if name in options}
    if target is not None and options.get("share_mutable_buffers"):
        raise InvalidInput("share_mutable_buffers needs the arena 2, which banks cannot leave to it")
    planner = MemoryPlanner(target, **search)
    suite = MemoryPlanningAlgorithmSuite(algo_list=[planner])
    return MemoryPlanningPass(memory_planning_algo=suite, **options)


class MemoryPlanner:
    """A memory planning algorithm of ExecuTorch, for `MemoryPlanningAlgorithmSuite`.

    `plans` has the plans of the last graph by arena: `planner.plans[1].html()` is a page.
    """

    def __init__(self, target=None, **search):
        self.target = target
        self.search = search
        self.plans = {}
        # By this name, the suite of algorithms reports which one it has picked.
        self.__name__ = "mem_opt"

    def __call__(self, alignment, specs, graph_module, graph_signature=None, extra_padding=0):
        graph = _Graph(alignment, list(specs), graph_module, extra_padding)
        arenas = self._arenas(graph)
        self.plans, offsets = {}, {}
        for mem_id, roots in sorted(arenas.items()):
            if roots:
                capacity = self._capacity(graph, mem_id)
                self.plans[mem_id] = self._plan(graph, mem_id, roots, capacity)
                base = graph.base(mem_id)
                placed = zip(roots, self.plans[mem_id].offsets.tolist())
                offsets.update((root, (mem_id, base + offset)) for root, offset in placed)
        return self._result(graph, offsets)

    def _arenas(self, graph):
        """Which arena has which storage."""
        arenas = {}
        free = []
        for root in graph.roots:
            mem_id = graph.pin(root)
            if mem_id is not None or self.target is None:
                arenas.setdefault(mem_id or DEFAULT_ARENA, []).append(root)
            else:
                free.append(root)
        if self.target is not None:
            _check_target(self.target, graph)
            for bank, chosen in zip(self.target.banks, self._spread(graph, arenas, free)):
                arenas.setdefault(bank.mem_id, []).extend(chosen)
        # In the order of the graph, which decides between equal plans.
        position = {root: index for index, root in enumerate(graph.roots)}
        return {mem_id: sorted(roots, key=position.get) for mem_id, roots in arenas.items()}

    def _spread(self, graph, pinned, free):
        """The free storages of each bank."""
        banks = self.target.banks
        fits = [_Fits(self, graph, bank, pinned.get(bank.mem_id, [])) for bank in banks]
        chosen, left = spread(free, fits)
        if left:
            root = left[0]
            raise BankPlacementError(
                f"no bank holds a buffer of {root.allocated_memory} bytes (shape {list(root.shape)}) beside "
                f"the others; {len(left)} buffers are left over. Memory map: {self.target.describe()}"
            )
        return chosen

    def _capacity(self, graph, mem_id):
        """Bytes for the tensors of an arena; None if there is no limit."""
        if self.target is None or not self.target.manages(mem_id):
            return None
        return max(0, self.target.bank(mem_id).size - graph.base(mem_id) - graph.padding)

    def _plan(self, graph, mem_id, roots, capacity):
        try:
            rows = graph.rows(roots, self._alignment(graph, mem_id))
            return plan(rows, capacity, names=graph.names(roots), **self.search)
        except NoPlan as error:
            bank = self.target.bank(mem_id)
            # Only pinned tensors get here: the others have been chosen so that they fit.
            raise BankPlacementError(
                f"the tensors that are pinned to bank {bank.name} (mem_id={mem_id}) do not fit its "
                f"{bank.size} bytes: {error}"
            ) from None

    def _alignment(self, graph, mem_id):
        if self.target is None or not self.target.manages(mem_id):
            return graph.alignment
        return self.target.bank(mem_id).alignment or graph.alignment

    def _result(self, graph, offsets):
        """Offsets of all tensors, and the sizes of the arenas."""
        result = MemoryAlgoResult({}, [])
        for mem_id in {mem_id for mem_id, _ in offsets.values()}:
            alignment = self._alignment(graph, mem_id)
            for spec in graph.specs:
                if offsets[graph.root(spec)][0] == mem_id:
                    spec.realign(alignment)
        for spec in graph.specs:
            root, inner = graph.within[spec]
            mem_id, offset = offsets[root]
            _check_inner(spec, root, inner, offset)
            result.spec_dict[spec] = SpecAllocResult(mem_id, 0, offset + inner)
        _number_objects(result)
        bases = graph.bases
        n_arenas = max([2, len(bases), *(mem_id + 1 for mem_id in self.plans)])
        result.bufsizes = [0] * n_arenas
        for mem_id in range(1, n_arenas):
            own = self.plans.get(mem_id)
            used = own.peak + graph.padding if own is not None else 0
            result.bufsizes[mem_id] = graph.base(mem_id) + used
        return result


class _Fits:
    """Whether storages fit a bank together with those that are pinned to it."""

    def __init__(self, planner, graph, bank, pinned):
        self.planner, self.graph, self.bank, self.pinned = planner, graph, bank, pinned
        self.capacity = planner._capacity(graph, bank.mem_id)
        self.alignment = planner._alignment(graph, bank.mem_id)

    def rows(self, roots):
        """Lower, upper and size of the storages, and of those that are pinned."""
        return self.graph.rows([*self.pinned, *roots], self.alignment)[:, :3]

    def is_packed(self, roots):
        """Whether the planner finds addresses."""
        rows = self.graph.rows([*self.pinned, *roots], self.alignment)
        try:
            plan(rows, self.capacity, **self.planner.search)
        except NoPlan:
            return False
        return True


class _Graph:
    """What the planner knows of a graph."""

    def __init__(self, alignment, specs, graph_module, padding):
        if alignment < 1 or alignment & (alignment - 1):
            raise InvalidInput(f"alignment {alignment} is not a power of two")
        self.alignment, self.specs, self.padding = alignment, specs, padding
        self.bases = list(getattr(graph_module, "input_mem_buffer_sizes", None) or [])
        #: Per spec: the spec whose storage it is in, and where.
        self.within = {spec: _storage(spec) for spec in specs}
        planned = set(specs)
        for spec, (root, _) in self.within.items():
            if root not in planned:
                raise InvalidInput(f"the storage of {spec} is of {root}, which is not planned")
        self.roots = [spec for spec in specs if spec.storage_base is None]
        self.lifetimes = {}
        for spec, (root, _) in self.within.items():
            start, end = spec.lifetime
            if start is None or end is None:
                raise InvalidInput(f"{spec} has no lifetime")
            first, last = self.lifetimes.get(root, (start, end))
            self.lifetimes[root] = (min(first, start), max(last, end))

    def root(self, spec):
        """The spec whose storage a spec is in."""
        return self.within[spec][0]

    def pin(self, root):
        """The arena that an earlier pass has chosen for a storage, or None."""
        return root.mem_id

    def base(self, mem_id):
        """Bytes of an arena that submodules use."""
        return self.bases[mem_id] if mem_id < len(self.bases) else 0

    def rows(self, roots, alignment):
        """The storages as the planner reads them. An arena begins above the submodules'."""
        rows = np.empty((len(roots), 4), np.int64)
        for index, root in enumerate(roots):
            first, last = self.lifetimes[root]
            # The end of a lifetime is its last step.
            rows[index] = first, last + 1, root.realign(alignment), alignment
        return rows

    def names(self, roots):
        """A name for each storage: its type and shape."""
        kinds = (str(root.dtype).replace("torch.", "") for root in roots)
        return [
            f"{index}: {kind}[{','.join(map(str, root.shape))}]"
            for index, (root, kind) in enumerate(zip(roots, kinds))
        ]


def _storage(spec):
    """The spec at the end of a chain of bases, and the offset within it."""
    inner, seen = 0, {spec}
    while spec.storage_base is not None:
        if spec.storage_base_offset < 0:
            raise InvalidInput(f"the offset of {spec} within its base is negative")
        inner += spec.storage_base_offset
        spec = spec.storage_base
        if spec in seen:
            raise InvalidInput(f"{spec} is its own base")
        seen.add(spec)
    return spec, inner


def _check_inner(spec, root, inner, offset):
    """A spec is aligned, and within its base."""
    if spec is root:
        return
    base = spec.storage_base
    if spec.storage_base_offset + spec.allocated_memory > base.allocated_memory:
        raise InvalidInput(f"{spec} ends beyond its base, {base}")
    if (offset + inner) % spec.alignment:
        raise InvalidInput(f"{spec} is not aligned to {spec.alignment} within its base")


def _number_objects(result):
    """Gives specs that share bytes, at whatever time, the same object, as ExecuTorch's verifier asks."""
    arenas = {}
    for spec, own in result.spec_dict.items():
        arenas.setdefault(own.mem_id, []).append((own.mem_offset, spec.allocated_memory, own))
    for placed in arenas.values():
        number, end = -1, -1
        for offset, size, own in sorted(placed, key=lambda entry: entry[:2]):
            if offset >= end:
                number += 1
            end = max(end, offset + size)
            own.mem_obj_id = number


def _check_target(target, graph):
    """The conditions of ExecuTorch's own planner of banks."""
    for bank in target.banks:
        if bank.alignment is not None and bank.alignment % graph.alignment:
            raise BankPlacementError(
                f"bank {bank.name} has alignment {bank.alignment}, expected a multiple of the graph's, "
                f"{graph.alignment}"
            )
    others = sorted({spec.device.name for spec in graph.specs if spec.device != DeviceType.CPU})
    if others:
        raise BankPlacementError(f"banks are memories of the CPU, and the graph has tensors on {others[0]}")
