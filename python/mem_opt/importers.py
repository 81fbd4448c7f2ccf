"""Tables of buffers from what other systems record: XLA's buffer assignments, and memory snapshots of
PyTorch. Each function returns columns for `mem_opt.plan`.

    mem_opt.plan(mem_opt.importers.from_xla("dump/module_0008.jit_net.cpu_after_optimizations"))
    mem_opt.plan(mem_opt.importers.from_torch_snapshot("snapshot.pickle"))
"""

from __future__ import annotations

import pickle
import re

from .errors import InvalidInput

#: Allocations of XLA that its planner packs: what is neither a parameter nor a result.
TEMPORARIES = "preallocated-temp"

ALLOCATION = re.compile(r"allocation \d+: size \d+(?P<kinds>.*)")
VALUE = re.compile(r"\s+value: <\d+ (?P<name>\S+) @\d+> \(size=(?P<size>\d+),offset=\d+\)")
RANGE = re.compile(r"\s+(?P<name>\S+\{[\d,]*\}):(?P<first>\d+)-(?P<last>\d+)$")


def from_xla(stem, kind=TEMPORARIES):
    """Reads `STEM-buffer-assignment.txt` and `STEM-live-range.txt`, which XLA writes with
    `XLA_FLAGS="--xla_dump_to=DIR --xla_dump_hlo_as_text"`.

    `kind`: only values of allocations that are marked so, such as `preallocated-temp` and
    `maybe-live-out`; None: all. Values that XLA assigns to one address at different times are separate
    buffers. Both ends of XLA's live ranges are included, so an operand and the result of the instruction
    that uses it last are apart, even if XLA computes in place.
    """
    live = _live_ranges(_read(f"{stem}-live-range.txt"))
    columns = {"id": [], "lower": [], "upper": [], "size": []}
    for name, size in _values(_read(f"{stem}-buffer-assignment.txt"), kind):
        if name not in live:
            raise InvalidInput(f"{stem}-live-range.txt: there is no live range of '{name}'")
        first, last = live[name]
        for column, value in zip(columns.values(), (name, first, last + 1, size)):
            column.append(value)
    return columns


def _read(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def _values(lines, kind):
    """Names and sizes of the values in the allocations of a kind."""
    if not any(ALLOCATION.match(line) for line in lines):
        raise InvalidInput("this is no buffer assignment of XLA: it has no line 'allocation N: size ...'")
    is_wanted = False
    for line in lines:
        if allocation := ALLOCATION.match(line):
            is_wanted = kind is None or kind in re.split(r"[,:\s]+", allocation["kinds"])
        elif is_wanted and (value := VALUE.match(line)):
            name = value["name"]
            # The live ranges name the whole of a value, too.
            yield (name if name.endswith("}") else f"{name}{{}}"), int(value["size"])


def _live_ranges(lines):
    """First and last instruction of each value."""
    found = {}
    is_inside = False
    for line in lines:
        if line.strip() == "BufferLiveRange:":
            is_inside = True
        elif is_inside and (own := RANGE.match(line)):
            found[own["name"]] = int(own["first"]), int(own["last"])
        elif is_inside:
            break
    if not is_inside:
        raise InvalidInput("these are no live ranges of XLA: there is no line 'BufferLiveRange:'")
    return found


def from_torch_snapshot(snapshot, device=0):
    """Reads a snapshot of `torch.cuda.memory._snapshot()`, or the file of
    `torch.cuda.memory._dump_snapshot(path)`. Only read files that you trust: they are pickles.

    Each allocation is a buffer, and each allocation or release a step. What was allocated before the
    recording began is live from its start; what is not released, to its end. Parameters, for example, are
    live all the time.
    """
    if not isinstance(snapshot, dict):
        with open(snapshot, "rb") as file:
            snapshot = pickle.load(file)
    try:
        events = snapshot["device_traces"][device]
        events = [own for own in events if own["action"] in ("alloc", "free_completed")]
        steps = [(own["action"], own["addr"], own["size"]) for own in events]
    except (KeyError, IndexError, TypeError) as error:
        raise InvalidInput(f"this snapshot has no trace of device {device}: {error!r}") from None
    rows, live = [], {}
    # What is released by the first event, or is only there, is live for a step, too.
    n_steps = max(len(steps), 1)
    for step, (action, address, size) in enumerate(steps):
        if action == "alloc":
            live[address] = len(rows)
            rows.append([step, n_steps, size])
        elif address in live:
            rows[live.pop(address)][1] = step
        else:
            rows.append([0, max(step, 1), size])
    rows += [[0, n_steps, size] for address, size in _blocks_in_use(snapshot, device) if address not in live]
    lower, upper, sizes = (list(column) for column in zip(*rows)) if rows else ([], [], [])
    names = [f"allocation {index}" for index in range(len(rows))]
    return {"id": names, "lower": lower, "upper": upper, "size": sizes}


def _blocks_in_use(snapshot, device):
    """Addresses and requested sizes of what was in use when the snapshot was taken."""
    for segment in snapshot.get("segments", []):
        if segment.get("device", 0) != device:
            continue
        address = segment["address"]
        for block in segment["blocks"]:
            # Snapshots of older versions have no addresses: blocks follow each other.
            address = block.get("address", address)
            if block["state"] != "inactive":
                yield address, block.get("requested_size", block["size"])
            address += block["size"]
