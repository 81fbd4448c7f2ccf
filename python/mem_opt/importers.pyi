from os import PathLike
from typing import Any, Dict, List, Optional, Union

TEMPORARIES: str

def from_xla(stem: Union[str, PathLike[str]], kind: Optional[str] = ...) -> Dict[str, List[Any]]: ...
def from_torch_snapshot(
    snapshot: Union[Dict[str, Any], str, PathLike[str]], device: int = 0
) -> Dict[str, List[Any]]: ...
