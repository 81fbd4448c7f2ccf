from dataclasses import dataclass
from typing import Iterable, List, Optional, Sequence, Tuple

@dataclass(frozen=True)
class RecomputationPlan:
    order: List[int]
    peak: int
    operations: int
    ideal_operations: int
    lower_bound_operations: int
    placements: List[Tuple[int, int, int, int]]

def plan_recomputation(
    sizes: Iterable[int],
    operations: Iterable[Tuple[int, bool, Sequence[int], Sequence[int]]],
    budget: Optional[int] = None,
) -> RecomputationPlan: ...
