"""Plans memory for tensor programs: an address for every buffer in one arena, so that buffers that are
live at once share no byte, and the peak is low.

>>> import mem_opt
>>> plan = mem_opt.plan([(0, 2, 4096), (1, 3, 8192), (2, 4, 4096)])
>>> plan.peak, plan.lower_bound, plan.proven
(12288, 12288, True)

The adapters are modules of their own, which need their frameworks: `mem_opt.executorch`,
`mem_opt.torch` and `mem_opt.tflm`.
"""

from __future__ import annotations

from . import _native
from ._buffers import native_buffers
from ._offload import Link, OffloadPlan, Transfer, plan_offload
from ._plan import Plan
from ._recompute import RecomputationPlan, plan_recomputation
from .errors import Error, InternalError, InvalidInput, MissingFramework, NoPlan

__version__ = _native.__version__
__all__ = [
    "Error",
    "InternalError",
    "InvalidInput",
    "Link",
    "MissingFramework",
    "NoPlan",
    "OffloadPlan",
    "Plan",
    "RecomputationPlan",
    "STRATEGIES",
    "Transfer",
    "plan",
    "plan_csv",
    "plan_offload",
    "plan_recomputation",
]

#: Names of all strategies, as docs/Planner.md describes them.
STRATEGIES = tuple(_native.strategies())


def plan(
    buffers,
    capacity=None,
    strategy="auto",
    time_limit=None,
    seed=0,
    *,
    names=None,
    gaps=None,
    conflicts=None,
    aliases=None,
    in_place=None,
    penalties=None,
    reserved=None,
    effort=None,
    threads=0,
):
    """Plans buffers, checks the plan, and returns it.

    `buffers`: an array of integers with a row for each buffer and the columns lower, upper, size and
    optionally alignment and offset; or a mapping, a data frame or a structured array with columns of
    these names. A buffer is live in the steps [lower, upper). Its offset is a multiple of its alignment,
    a power of two (1 by default). An offset fixes the buffer there; -1 leaves the choice to the planner.

    `capacity`: bytes available. The search stops at any plan that fits; without a capacity, it searches
    for the lowest peak. `strategy`: one of `STRATEGIES`. `time_limit`: seconds to search, instead of until
    the effort is spent. `effort`: examined buffers; ten million take about a second. Equal arguments
    give equal plans on every machine, unless there is a time limit.

    Relations between buffers, by row number:

    * `gaps`, rows (buffer, from, to) or (buffer, from, to, low, high): in the steps [from, to) no byte of
      the buffer is live, or only the bytes [low, high);
    * `conflicts`, pairs that share no byte although they are never live at once;
    * `aliases`, one group number for each buffer: buffers of a group are one storage; -1 for no group;
    * `in_place`, pairs (result, operand): the result may take over the operand's bytes;
    * `penalties`, rows (buffer, buffer, cost): pairs that should rather not share bytes.

    `reserved`: rows (low, high) of addresses that no buffer may use. `names`: for messages and pictures,
    or the column `id`.

    The interpreter lock is released. Ctrl-C ends the search with the best plan so far, whose
    `interrupted` is true.

    Raises `InvalidInput` if the arguments are not valid, and `NoPlan` if the buffers do not fit.
    """
    native = native_buffers(buffers, names, gaps, conflicts, aliases, in_place, penalties, reserved)
    search = _search(capacity, strategy, time_limit, seed, effort, threads)
    return _planned(_native.plan_buffers, native, search)


def plan_csv(
    path,
    capacity=None,
    strategy="auto",
    time_limit=None,
    seed=0,
    *,
    replan=False,
    effort=None,
    threads=0,
):
    """Plans a table of buffers in a CSV file, as the command `mem-plan` does.

    The columns id, lower, upper and size are required; alignment, gaps, offset, conflicts, alias,
    in_place and penalties are optional. `replan`: the offsets in the table do not count.
    """
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path}: {error}") from None
    search = _search(capacity, strategy, time_limit, seed, effort, threads, replan)
    return _planned(_native.plan_csv, str(path), text, search)


def _search(capacity, strategy, time_limit, seed, effort, threads, replan=False):
    """Settings of a search, as the native module reads them."""
    numbers = {"capacity": capacity, "effort": effort, "seed": seed, "threads": threads}
    limit = {"capacity": 2**63, "threads": 2**16}
    for name, value in numbers.items():
        if value is None and name in ("capacity", "effort"):
            continue
        try:
            value = numbers[name] = value.__index__()
        except AttributeError:
            raise InvalidInput(f"{name} is {value!r}, expected an integer") from None
        if not 0 <= value < limit.get(name, 2**64):
            raise InvalidInput(f"{name} is {value}, expected 0 to {limit.get(name, 2**64) - 1}")
    if not isinstance(strategy, str):
        raise InvalidInput(f"strategy is {strategy!r}, expected a name")
    if time_limit is not None:
        try:
            time_limit = float(time_limit)
        except (TypeError, ValueError):
            raise InvalidInput(f"time_limit is {time_limit!r}, expected seconds") from None
    return {**numbers, "strategy": strategy, "time_limit": time_limit, "replan": bool(replan)}


def _planned(function, *arguments):
    """Calls a function of the native module, and wraps its plans."""
    try:
        return Plan(function(*arguments))
    except NoPlan as error:
        if error.plan is not None:
            error.plan = Plan(error.plan)
        raise
