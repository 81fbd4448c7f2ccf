"""Plans the arena of TFLite Micro models.

    import mem_opt.tflm

    planned = mem_opt.tflm.plan_model(model)      # the bytes of a .tflite file
    pathlib.Path("planned.tflite").write_bytes(planned.data)

The offsets of all tensors are written into the model, as metadata `OfflineMemoryAllocation`, which the run
time reads when it allocates tensors. `python -m mem_opt.tflm model.tflite -o planned.tflite` does the same.

The run time places scratch buffers of kernels itself, into what the plan leaves free at the time or above.

Models with control flow, `IF`, `WHILE` and `CALL_ONCE`, have several subgraphs. The offsets of their tensors
follow each other in the metadata, which older run times do not know: they give tensor 3 of each subgraph the
offset of tensor 3 of the first one, and compute something else. Such models therefore are an error, unless
`several_subgraphs` states that the run time is as new as the one that this module is tested with.
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
#: Operators that run other subgraphs: their names, and the options with the numbers of the subgraphs, in the
#: order of execution.
CONTROL_FLOW = {
    schema.BuiltinOperator.IF: ("IF", ("thenSubgraphIndex", "elseSubgraphIndex")),
    schema.BuiltinOperator.WHILE: ("WHILE", ("condSubgraphIndex", "bodySubgraphIndex")),
    schema.BuiltinOperator.CALL_ONCE: ("CALL_ONCE", ("initSubgraphIndex",)),
}
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


def plan_model(data, *, several_subgraphs=False, **search):
    """Plans the tensors of a model, the bytes of a .tflite file. A plan that is already in the model is
    replaced. `search`: options of `mem_opt.plan`, such as `time_limit`.

    `several_subgraphs`: also plan models with control flow, for a run time that is not older than
    tflite_micro 0.dev20261023182759.

    Raises `InvalidInput` for other models with several subgraphs, for subgraphs that run themselves, and for
    tensors whose sizes are known only at run time.
    """
    model = _read(data)
    if len(model.subgraphs) > 1 and not several_subgraphs:
        raise InvalidInput(_why_refused(model))
    lifetimes = _lifetimes(model)
    tensors = [key for key in sorted(lifetimes) if _is_planned(model, _tensor(model, key))]
    rows = np.empty((len(tensors), 4), np.int64)
    for row, key in zip(rows, tensors):
        first, last = lifetimes[key]
        n_bytes = _bytes(_tensor(model, key))
        row[:] = first, last + 1, -(-n_bytes // ALIGNMENT) * ALIGNMENT, ALIGNMENT
    planned = plan(rows, names=[_full_name(model, key) for key in tensors], **search)
    # The tensors of a subgraph follow those of the one before.
    starts = np.cumsum([0, *(len(graph.tensors or []) for graph in model.subgraphs)])
    offsets = np.full(starts[-1], ONLINE, np.int64)
    offsets[[starts[number] + own for number, own in tensors]] = planned.offsets
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
    if not model.subgraphs:
        raise InvalidInput("the model has no subgraph")
    return model


def _called(model, operator):
    """The operator's name if it runs other subgraphs, else None, and the numbers of those."""
    codes = model.operatorCodes or []
    if operator.opcodeIndex >= len(codes):
        raise InvalidInput(f"this TFLite model is damaged: there is no operator code {operator.opcodeIndex}")
    code = codes[operator.opcodeIndex]
    # The older field has the codes below 127.
    name, fields = CONTROL_FLOW.get(max(code.builtinCode, code.deprecatedBuiltinCode), (None, ()))
    numbers = [getattr(operator.builtinOptions, field, -1) for field in fields]
    for number in numbers:
        if not 0 <= number < len(model.subgraphs):
            raise InvalidInput(f"this TFLite model is damaged: {name} runs subgraph {number}")
    return name, numbers


def _why_refused(model):
    """The error for a model with several subgraphs. It names the operators that run them."""
    calls = [
        f"operator {index} of subgraph {number} is {name}"
        for number, graph in enumerate(model.subgraphs)
        for index, operator in enumerate(graph.operators or [])
        if (name := _called(model, operator)[0])
    ]
    text = "; ".join(calls[:3]) + ("; ..." if len(calls) > 3 else "")
    return (
        f"the model has {len(model.subgraphs)} subgraphs{': ' if text else ''}{text}; run times before "
        "tflite_micro 0.dev20261023182759 apply the offsets of the first one to all: several_subgraphs=True, or "
        "--several-subgraphs, plans for a run time that does not"
    )


def _indices(values):
    """Numbers of tensors; -1 stands for an operand that is not given."""
    return [int(own) for own in ([] if values is None else values) if own >= 0]


def _lifetimes(model):
    """First and last step of each tensor, a pair of subgraph and index, as the run time counts them. Inputs
    are there at the first step of their subgraph, each operator is a step, and outputs stay until the
    subgraph ends. The steps of subgraphs that an operator runs follow its own, and it ends with the last of
    them. Tensors of a subgraph that runs several times live from the first to the last time."""
    lifetimes = {}

    def use(number, tensors, step):
        n_tensors = len(model.subgraphs[number].tensors or [])
        for own in _indices(tensors):
            if own >= n_tensors:
                raise InvalidInput(f"this TFLite model is damaged: subgraph {number} has no tensor {own}")
            first, last = lifetimes.get((number, own), (step, step))
            lifetimes[number, own] = min(first, step), max(last, step)

    def visit(number, step, around):
        """Returns the last step."""
        if number in around:
            raise InvalidInput(f"subgraph {number} runs itself")
        graph = model.subgraphs[number]
        use(number, graph.inputs, step)
        for operator in graph.operators or []:
            step += 1
            use(number, operator.outputs, step)
            use(number, operator.inputs, step)
            for called in _called(model, operator)[1]:
                step = visit(called, step + 1, {*around, number})
            use(number, operator.outputs, step)
            use(number, operator.inputs, step)
        use(number, graph.outputs, step)
        return step

    visit(0, 0, frozenset())
    return lifetimes


def _tensor(model, key):
    number, own = key
    return model.subgraphs[number].tensors[own]


def _full_name(model, key):
    prefix = f"subgraph {key[0]}: " if key[0] else ""
    return prefix + _name(_tensor(model, key))


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
    parser.add_argument(
        "--several-subgraphs", action="store_true",
        help="plan models with control flow, for run times from tflite_micro 0.dev20261023182759 on",
    )  # fmt: skip
    given = parser.parse_args(words)
    options = dict(time_limit=given.time_limit, several_subgraphs=given.several_subgraphs)
    try:
        with open(given.file, "rb") as file:
            planned = plan_model(file.read(), **options)
        with open(given.output, "wb") as file:
            file.write(planned.data)
    except (Error, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(planned.plan.summary(), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
