from typing import Any, Callable, List, Optional

from torch._inductor.custom_graph_pass import CustomPartitionerFn

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
