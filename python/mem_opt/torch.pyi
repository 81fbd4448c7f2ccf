from os import PathLike
from typing import Any, Callable, List, Literal, Optional, Union

import torch
from torch._inductor.custom_graph_pass import CustomPartitionerFn

from ._offload import OffloadPlan
from ._plan import Plan
from ._recompute import RecomputationPlan

class Partitioner(CustomPartitionerFn):
    budget: Optional[int]
    plans: List[RecomputationPlan]
    def __init__(self, budget: Optional[int] = None) -> None: ...
    def __call__(
        self,
        gm: Any,
        joint_inputs: Any,
        *,
        num_fwd_outputs: int,
        static_lifetime_input_indices: Optional[List[int]] = None,
        **_: Any,
    ) -> Any: ...
    def uuid(self) -> str: ...

def eager_backend(
    budget: Optional[int] = None, partitioner: Optional[Partitioner] = None
) -> Callable[..., Any]: ...

class CopyThreads:
    bandwidth: float
    latency: float
    def __init__(self, bandwidth: float, latency: float = 0.0) -> None: ...

class CopyStreams:
    device: torch.device
    def __init__(self, device: Union[None, str, torch.device] = None) -> None: ...

class PlannedModule(torch.nn.Module):
    module: torch.nn.Module
    @property
    def sessions(self) -> List[Any]: ...
    @property
    def plan(self) -> Optional[OffloadPlan]: ...
    def report(self, path: Union[None, str, PathLike[str]] = None, title: str = "Training step") -> str: ...
    def memory_map(self) -> Plan: ...

def n_bytes(budget: Union[int, str]) -> int: ...
def compile(
    model: torch.nn.Module,
    budget: Union[None, int, str] = None,
    *,
    link: Union[None, Literal[False], CopyThreads, CopyStreams] = None,
    cache_dir: Union[None, str, PathLike[str]] = None,
    n_rounds: Optional[int] = 4,
) -> PlannedModule: ...
