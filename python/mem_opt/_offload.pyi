from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

@dataclass(frozen=True)
class Link:
    out_latency: float
    out_bandwidth: float
    in_latency: float
    in_bandwidth: float
    def seconds(self, direction: str, n_bytes: int) -> float: ...

@dataclass(frozen=True)
class Transfer:
    tensor: int
    direction: str
    before: int
    until: int

@dataclass(frozen=True)
class OffloadPlan:
    order: List[int]
    transfers: List[Transfer]
    peak: int
    makespan: float
    ideal_makespan: float
    lower_bound_makespan: float
    starts: List[float]
    spans: List[List[float]]
    placements: List[List[int]]
    @property
    def n_repeated(self) -> int: ...
    def copied(self, sizes: Sequence[int]) -> int: ...
    def to_json(self) -> Dict[str, Any]: ...
    @classmethod
    def from_json(cls, values: Dict[str, Any]) -> "OffloadPlan": ...

def plan_offload(
    sizes: Sequence[int],
    operations: Iterable[Tuple[float, bool, Sequence[int], Sequence[int]]],
    budget: Optional[int],
    link: Optional[Link] = None,
    stay: Iterable[int] = (),
    policy: Optional[str] = None,
) -> OffloadPlan: ...
