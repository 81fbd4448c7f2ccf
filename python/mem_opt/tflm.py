"""Plans the arena of TFLite Micro models.

    import mem_opt.tflm

    planned = mem_opt.tflm.plan_model(model)      # the bytes of a .tflite file
    pathlib.Path("planned.tflite").write_bytes(planned.data)

The offsets of all tensors are written into the model, as metadata `OfflineMemoryAllocation`, which the run
time reads when it allocates tensors. `python -m mem_opt.tflm model.tflite -o planned.tflite` does the same.

The run time places scratch buffers of kernels itself, into what the plan leaves free at the time or above.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

import numpy as np

from . import plan
from ._frameworks import require
from ._plan import Plan
from .errors import Error, InvalidInput

schema, flatbuffers = require(
    "tflm",
    (
        "tflite_micro.tensorflow.lite.micro.python.schema_py_generated",
        "tflite_micro==0.dev20261023182759",
    ),
    ("flatbuffers", "flatbuffers"),
)

__all__ = ["PlannedModel", "plan_model"]

#: The name of the metadata that the run time looks for.
METADATA = "OfflineMemoryAllocation"
#: Alignment of the run time's buffers, in bytes.
ALIGNMENT = 16
#: An offset that the run time is to choose itself.
ONLINE = -1
#: Bytes of a scalar by type.
SIZES = {
    "FLOAT64": 8, "INT64": 8, "UINT64": 8, "COMPLEX64": 8, "COMPLEX128": 16, "FLOAT32": 4, "INT32": 4,
    "UINT32": 4, "FLOAT16": 2, "INT16": 2, "UINT16": 2, "INT8": 1, "UINT8": 1, "BOOL": 1,
}  # fmt: skip


@dataclass(frozen=True)
class PlannedModel:
    """A model with the plan in it."""

    #: The bytes of a .tflite file.
    data: bytes
    #: The plan of the tensors, whose names are those of the model.
    plan: Plan


def plan_model(data, **search):
    """Plans the tensors of a model, the bytes of a .tflite file. A plan that is already in the model is
    replaced. `search`: options of `mem_opt.plan`, such as `time_limit`.

    Raises `InvalidInput` for models with several subgraphs, whose tensors the metadata cannot tell apart,
    and with tensors whose sizes are known only at run time.
    """
    model = _read(data)
    (graph,) = model.subgraphs
    lifetimes = _lifetimes(graph)
    tensors = [own for own in sorted(lifetimes) if _is_planned(model, graph.tensors[own])]
    rows = np.empty((len(tensors), 4), np.int64)
    for row, own in zip(rows, tensors):
        first, last = lifetimes[own]
        n_bytes = _bytes(graph.tensors[own])
        row[:] = first, last + 1, -(-n_bytes // ALIGNMENT) * ALIGNMENT, ALIGNMENT
    planned = plan(rows, names=[_name(graph.tensors[own]) for own in tensors], **search)
    offsets = np.full(len(graph.tensors), ONLINE, np.int64)
    offsets[tensors] = planned.offsets
    if offsets.max(initial=0) >= 2**31:
        raise InvalidInput("the metadata has offsets of 32 bits, and the arena is larger than 2 GiB")
    # Version, subgraph, and number of tensors come first.
    _write_metadata(model, np.array([0, 0, len(offsets), *offsets], "<i4").tobytes())
    builder = flatbuffers.Builder(len(data) + 4096)
    builder.Finish(model.Pack(builder), b"TFL3")
    return PlannedModel(bytes(builder.Output()), planned)


def _read(data):
    data = bytes(data)
    if data[4:8] != b"TFL3":
        raise InvalidInput("this is no TFLite model: it has no mark 'TFL3'")
    try:
        model = schema.ModelT.InitFromPackedBuf(data, 0)
    except Exception as error:
        # The generated code does not check what it reads.
        raise InvalidInput(f"this TFLite model is damaged: {error}") from None
    if len(model.subgraphs or []) != 1:
        n_graphs = len(model.subgraphs or [])
        raise InvalidInput(f"the model has {n_graphs} subgraphs, expected 1: offsets cannot be told apart")
    return model


def _indices(values):
    """Numbers of tensors; -1 stands for an operand that is not given."""
    return [int(own) for own in ([] if values is None else values) if own >= 0]


def _lifetimes(graph):
    """First and last step of each tensor as the run time counts them: inputs are there at step 0, operation
    i is step i + 1, and outputs stay until the end."""
    lifetimes = {}

    def use(tensor, step):
        first, _ = lifetimes.get(tensor, (step, step))
        lifetimes[tensor] = first, step

    operators = graph.operators or []
    for tensor in _indices(graph.inputs):
        use(tensor, 0)
    for step, operator in enumerate(operators, 1):
        for tensor in _indices(operator.outputs) + _indices(operator.inputs):
            use(tensor, step)
    for tensor in _indices(graph.outputs):
        use(tensor, len(operators))
    return lifetimes


def _is_planned(model, tensor):
    """Whether a tensor is neither a constant nor a variable, which the run time keeps elsewhere."""
    data = model.buffers[tensor.buffer].data
    return (data is None or len(data) == 0) and not tensor.isVariable


def _bytes(tensor):
    """The size of a tensor."""
    shape = [] if tensor.shape is None else [int(size) for size in tensor.shape]
    if min(shape, default=0) < 0:
        raise InvalidInput(f"tensor '{_name(tensor)}' has a size that is known only at run time")
    names = {value: name for name, value in vars(schema.TensorType).items() if not name.startswith("_")}
    name = names.get(tensor.type)
    if name == "INT4":
        return -(-int(np.prod(shape, dtype=np.int64)) // 2)
    if name not in SIZES:
        raise InvalidInput(f"tensor '{_name(tensor)}' has type {name}, whose size is not known")
    return SIZES[name] * int(np.prod(shape, dtype=np.int64))


def _name(tensor):
    name = tensor.name or b""
    return name.decode(errors="replace") if isinstance(name, bytes) else name


def _write_metadata(model, content):
    """Adds the metadata, or replaces what is there."""
    model.metadata = model.metadata or []
    for own in model.metadata:
        if _name(own) == METADATA:
            model.buffers[own.buffer].data = np.frombuffer(content, np.uint8)
            return
    buffer, own = schema.BufferT(), schema.MetadataT()
    buffer.data = np.frombuffer(content, np.uint8)
    own.name, own.buffer = METADATA, len(model.buffers)
    model.buffers.append(buffer)
    model.metadata.append(own)


def main(words=None):
    """The command `python -m mem_opt.tflm`."""
    parser = argparse.ArgumentParser(
        prog="python -m mem_opt.tflm", description="Writes a plan of the arena into a TFLite Micro model."
    )
    parser.add_argument("file", help="the model (.tflite)")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="write the model here")
    parser.add_argument("--time-limit", type=float, metavar="SECONDS", help="search for this long")
    given = parser.parse_args(words)
    try:
        with open(given.file, "rb") as file:
            planned = plan_model(file.read(), time_limit=given.time_limit)
        with open(given.output, "wb") as file:
            file.write(planned.data)
    except (Error, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(planned.plan.summary(), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
