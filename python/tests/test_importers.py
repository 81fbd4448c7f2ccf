"""Importers, with dumps as the systems write them, shortened. A live range that is a step short, or a value
of another allocation, would fail here."""

import pickle

import mem_opt
import mem_opt.importers
import pytest

ASSIGNMENT = """BufferAssignment:
allocation 0: size 16384, maybe-live-out:
 value: <63 wrapped_tanh @0> (size=8192,offset=0): f32[32,64]{1,0}
 value: <79 dot @0> (size=16384,offset=0): f32[64,64]{1,0}
allocation 8: size 8192, parameter 4, shape |f32[32,64]| at ShapeIndex {}:
 value: <60 x.1 @0> (size=8192,offset=0): f32[32,64]{1,0}
allocation 10: size 16384, preallocated-temp:
 value: <72 multiply_add_fusion.3 @0> (size=8192,offset=0): f32[32,64]{1,0}
 value: <73 ynn_fusion.2 @0> (size=4096,offset=8192): f32[16,64]{1,0}
 value: <74 sort.2{1} @0> (size=8192,offset=8192): f32[32,64]{1,0}

Total bytes used: 1
"""

LIVE = """HloLiveRange (max 24):
  InstructionSequence:
    0:ws_0_.1
    23:tuple.1
  BufferLiveRange:
    x.1{}:0-24
    wrapped_tanh{}:6-21
    dot{}:22-24
    multiply_add_fusion.3{}:12-14
    ynn_fusion.2{}:13-15
    sort.2{1}:15-17
  Live ranges at 22 (peak):
    dot{}: 16384 bytes (cumulative: 16384 bytes)
"""


@pytest.fixture
def stem(tmp_path):
    (tmp_path / "m-buffer-assignment.txt").write_text(ASSIGNMENT)
    (tmp_path / "m-live-range.txt").write_text(LIVE)
    return tmp_path / "m"


def test_temporaries_of_xla_are_planned(stem):
    columns = mem_opt.importers.from_xla(stem)
    assert columns == {
        "id": ["multiply_add_fusion.3{}", "ynn_fusion.2{}", "sort.2{1}"],
        "lower": [12, 13, 15],
        "upper": [15, 16, 18],
        "size": [8192, 4096, 8192],
    }
    assert mem_opt.plan(columns).peak == 12288
    assert mem_opt.importers.from_xla(stem, kind=None)["id"][:3] == ["wrapped_tanh{}", "dot{}", "x.1{}"]
    assert mem_opt.importers.from_xla(stem, kind="maybe-live-out")["size"] == [8192, 16384]
    assert len(mem_opt.plan(mem_opt.importers.from_xla(stem, kind="thread-local"))) == 0


def test_other_files_are_no_dumps_of_xla(stem):
    live = stem.parent / "m-live-range.txt"
    live.write_text(LIVE.replace("ynn_fusion.2{}", "other{}"))
    with pytest.raises(mem_opt.InvalidInput, match=r"no live range of 'ynn_fusion.2\{\}'"):
        mem_opt.importers.from_xla(stem)
    live.write_text("nothing")
    with pytest.raises(mem_opt.InvalidInput, match="BufferLiveRange"):
        mem_opt.importers.from_xla(stem)
    live.write_text(LIVE)
    (stem.parent / "m-buffer-assignment.txt").write_text("nothing")
    with pytest.raises(mem_opt.InvalidInput, match="no buffer assignment"):
        mem_opt.importers.from_xla(stem)
    with pytest.raises(OSError):
        mem_opt.importers.from_xla(stem.parent / "none")


def event(action, address, size):
    return {"action": action, "addr": address, "size": size, "stream": 0, "time_us": 7, "frames": []}


def test_a_snapshot_of_torch_is_planned(tmp_path):
    trace = [
        event("segment_alloc", 0, 4096),
        event("alloc", 0, 512),
        event("free_requested", 99, 256),
        event("free_completed", 99, 256),
        event("alloc", 512, 1024),
        event("free_completed", 0, 512),
        event("alloc", 0, 2048),
    ]
    snapshot = {"segments": [], "device_traces": [trace, []]}
    columns = mem_opt.importers.from_torch_snapshot(snapshot)
    assert columns["lower"] == [0, 0, 2, 4]
    assert columns["upper"] == [3, 1, 5, 5]
    assert columns["size"] == [512, 256, 1024, 2048]
    assert mem_opt.plan(columns).peak == 3072
    blocks = [
        {"size": 2048, "requested_size": 2048, "state": "active_allocated"},
        {"size": 512, "state": "inactive"},
        {"size": 1024, "requested_size": 1000, "state": "active_awaiting_free"},
        {"address": 9000, "size": 64, "state": "active_allocated"},
    ]
    # Parameters are not in the trace. The first block is the last allocation, which is.
    segments = [{"device": own, "address": 0, "blocks": blocks} for own in (0, 1)]
    columns = mem_opt.importers.from_torch_snapshot({**snapshot, "segments": segments})
    assert columns["lower"] == [0, 0, 2, 4, 0, 0] and columns["upper"] == [3, 1, 5, 5, 5, 5]
    assert columns["size"] == [512, 256, 1024, 2048, 1000, 64]
    assert mem_opt.importers.from_torch_snapshot({**snapshot, "segments": segments}, 1)["upper"] == [1, 1, 1]
    columns = mem_opt.importers.from_torch_snapshot({"device_traces": [trace[3:]]})
    assert columns["lower"] == [0, 1, 0, 3] and columns["upper"] == [1, 4, 2, 4]
    assert mem_opt.plan(columns).peak == 3072
    columns = mem_opt.importers.from_torch_snapshot(snapshot)
    path = tmp_path / "snapshot.pickle"
    path.write_bytes(pickle.dumps(snapshot))
    assert mem_opt.importers.from_torch_snapshot(path) == columns
    assert mem_opt.importers.from_torch_snapshot(snapshot, device=1)["id"] == []
    for wrong in ({}, {"device_traces": []}, {"device_traces": [[{}]]}):
        with pytest.raises(mem_opt.InvalidInput, match="no trace of device 0"):
            mem_opt.importers.from_torch_snapshot(wrong)
