from os import PathLike
from typing import Any, Iterable, Mapping, Optional, Sequence, Tuple, Union

from numpy.typing import ArrayLike

from .errors import Error as Error
from .errors import InternalError as InternalError
from .errors import InvalidInput as InvalidInput
from .errors import MissingFramework as MissingFramework
from .errors import NoPlan as NoPlan
from ._offload import Link as Link
from ._offload import OffloadPlan as OffloadPlan
from ._offload import Transfer as Transfer
from ._offload import plan_offload as plan_offload
from ._plan import Plan as Plan
from ._recompute import RecomputationPlan as RecomputationPlan

__version__: str
STRATEGIES: Tuple[str, ...]

def plan(
    buffers: Union[ArrayLike, Mapping[str, ArrayLike], Any],
    capacity: Optional[int] = None,
    strategy: str = "auto",
    time_limit: Optional[float] = None,
    seed: int = 0,
    *,
    names: Optional[Iterable[object]] = None,
    gaps: Optional[ArrayLike] = None,
    conflicts: Optional[ArrayLike] = None,
    aliases: Optional[ArrayLike] = None,
    in_place: Optional[ArrayLike] = None,
    penalties: Optional[ArrayLike] = None,
    reserved: Optional[ArrayLike] = None,
    effort: Optional[int] = None,
    threads: int = 0,
) -> Plan: ...
def plan_csv(
    path: Union[str, PathLike[str]],
    capacity: Optional[int] = None,
    strategy: str = "auto",
    time_limit: Optional[float] = None,
    seed: int = 0,
    *,
    replan: bool = False,
    effort: Optional[int] = None,
    threads: int = 0,
) -> Plan: ...
def plan_recomputation(
    sizes: Iterable[int],
    operations: Iterable[Tuple[int, bool, Sequence[int], Sequence[int]]],
    budget: Optional[int] = None,
) -> RecomputationPlan: ...
