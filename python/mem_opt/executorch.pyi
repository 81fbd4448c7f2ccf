from typing import Any, Dict, Iterable, Optional

from executorch.exir.banked_memory_planning import Bank as Bank
from executorch.exir.banked_memory_planning import BankPlacementError as BankPlacementError
from executorch.exir.banked_memory_planning import TargetMemoryMap as TargetMemoryMap
from executorch.exir.memory_planning import MemoryAlgoResult
from executorch.exir.passes import MemoryPlanningPass
from executorch.exir.tensor import TensorSpec

from ._plan import Plan

def memory_planning_pass(
    target: Optional[TargetMemoryMap] = None, **options: Any
) -> MemoryPlanningPass: ...

class MemoryPlanner:
    target: Optional[TargetMemoryMap]
    plans: Dict[int, Plan]
    def __init__(self, target: Optional[TargetMemoryMap] = None, **search: Any) -> None: ...
    def __call__(
        self,
        alignment: int,
        specs: Iterable[TensorSpec],
        graph_module: Any,
        graph_signature: Any = None,
        extra_padding: int = 0,
    ) -> MemoryAlgoResult: ...
