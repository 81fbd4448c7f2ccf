from dataclasses import dataclass
from typing import Any, List, Optional

from ._plan import Plan

@dataclass(frozen=True)
class PlannedModel:
    data: bytes
    plan: Plan

def plan_model(data: bytes, *, several_subgraphs: bool = False, **search: Any) -> PlannedModel: ...
def main(words: Optional[List[str]] = None) -> int: ...
