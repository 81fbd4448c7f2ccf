"""`mem_opt.tflm` in the run time of TFLite Micro: the arena is the planned one, and outputs are equal bit for
bit. A tensor that is placed over a live one, or an offset that the run time ignores, would fail here."""

import re
import subprocess
import sys

import flatbuffers
import mem_opt
import mem_opt.tflm
import numpy as np
import pytest
from mem_opt.tflm import schema
from tflite_micro import runtime


class Model:
    """A model of 32-bit floats under construction."""

    def __init__(self):
        self.graph, self.model = schema.SubGraphT(), schema.ModelT()
        self.graph.tensors, self.graph.operators, self.graph.inputs = [], [], []
        self.model.version, self.model.buffers = 3, [schema.BufferT()]
        self.model.operatorCodes, self.model.subgraphs = [], [self.graph]

    def tensor(self, shape, data=None):
        own = schema.TensorT()
        own.name, own.shape = f"tensor {len(self.graph.tensors)}", list(shape)
        own.type, own.buffer = schema.TensorType.FLOAT32, len(self.model.buffers)
        buffer = schema.BufferT()
        if data is not None:
            buffer.data = np.frombuffer(np.asarray(data, "<f4").tobytes(), np.uint8)
        self.model.buffers.append(buffer)
        self.graph.tensors.append(own)
        return len(self.graph.tensors) - 1

    def integers(self, values):
        own = self.tensor((len(values),), values)
        tensor = self.graph.tensors[own]
        tensor.type = schema.TensorType.INT32
        self.model.buffers[tensor.buffer].data = np.frombuffer(np.array(values, "<i4").tobytes(), np.uint8)
        return own

    def input(self, shape):
        self.graph.inputs.append(self.tensor(shape))
        return self.graph.inputs[-1]

    def apply(self, name, inputs, shape, options=None):
        code, own = schema.OperatorCodeT(), schema.OperatorT()
        code.builtinCode = code.deprecatedBuiltinCode = getattr(schema.BuiltinOperator, name)
        code.version = 1
        own.opcodeIndex, own.inputs, own.outputs = len(self.model.operatorCodes), inputs, [self.tensor(shape)]
        if options is not None:
            kind = type(options).__name__[:-1]
            own.builtinOptions, own.builtinOptionsType = options, getattr(schema.BuiltinOptions, kind)
        self.model.operatorCodes.append(code)
        self.graph.operators.append(own)
        return own.outputs[0]

    def concatenate(self, inputs, shape):
        options = schema.ConcatenationOptionsT()
        options.axis = 1
        return self.apply("CONCATENATION", inputs, shape, options)

    def add(self, a, b, shape):
        return self.apply("ADD", [a, b], shape, schema.AddOptionsT())

    def finish(self, outputs):
        self.graph.outputs = outputs
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def dense(n_layers=4, width=48):
    """Layers that read all earlier results, as DenseNet has them, and two results."""
    model = Model()
    x = model.input((1, width))
    shift = model.tensor((1, width), np.linspace(-1, 1, width))
    grown, size = model.add(x, shift, (1, width)), width
    early = model.apply("TANH", [grown], (1, width))
    for _ in range(n_layers):
        new = model.apply("LOGISTIC", [grown], (1, size))
        grown = model.concatenate([grown, new], (1, 2 * size))
        size *= 2
        small = model.apply("TANH", [grown], (1, size))
        grown = model.add(grown, small, (1, size))
    return model.finish([model.apply("LOGISTIC", [grown], (1, size)), early]), width


def run(data, inputs, arena_size=1_000_000):
    interpreter = runtime.Interpreter.from_bytes(data, arena_size=arena_size)
    results = []
    for own in inputs:
        interpreter.set_input(own, 0)
        interpreter.invoke()
        results.append([interpreter.get_output(index).copy() for index in range(2)])
    return interpreter, results


def head(interpreter, capfd):
    """Bytes of the arena that hold tensors and scratch buffers."""
    capfd.readouterr()
    interpreter.print_allocations()
    out, err = capfd.readouterr()
    return int(re.search(r"Arena allocation head (\d+) bytes", out + err)[1])


def test_the_run_time_follows_the_plan_and_outputs_are_equal(capfd):
    data, width = dense()
    inputs = [np.random.default_rng(seed).standard_normal((1, width)).astype(np.float32) for seed in (0, 1)]
    planned = mem_opt.tflm.plan_model(data)
    plan = planned.plan
    assert plan.proven and plan.peak == plan.lower_bound
    theirs, expected = run(data, inputs)
    ours, own = run(planned.data, inputs)
    assert head(ours, capfd) == plan.peak <= head(theirs, capfd)
    for left, right in zip(own, expected):
        assert all(np.array_equal(a, b) for a, b in zip(left, right))
    assert not np.array_equal(own[0][0], own[1][0])


def test_a_plan_is_replaced_and_reserialization_keeps_the_model():
    data, _ = dense()
    once = mem_opt.tflm.plan_model(data)
    twice = mem_opt.tflm.plan_model(once.data, seed=3)
    model = schema.ModelT.InitFromPackedBuf(twice.data, 0)
    assert [bytes(own.name) for own in model.metadata] == [b"OfflineMemoryAllocation"]
    content = np.frombuffer(bytes(model.buffers[model.metadata[0].buffer].data), "<i4")
    # Version, subgraph, number of tensors; the constant is the second tensor.
    assert content[:3].tolist() == [0, 0, len(model.subgraphs[0].tensors)] and content[4] == -1
    assert sorted(content[3:][content[3:] >= 0]) == sorted(twice.plan.offsets)
    before = schema.ModelT.InitFromPackedBuf(data, 0)
    assert [own.opcodeIndex for own in before.subgraphs[0].operators] == [
        own.opcodeIndex for own in model.subgraphs[0].operators
    ]


def test_models_that_cannot_be_planned_are_refused():
    data, _ = dense()
    for wrong, message in [(b"", "TFL3"), (b"\0" * 64, "TFL3"), (data[:200], "damaged")]:
        with pytest.raises(mem_opt.InvalidInput, match=message):
            mem_opt.tflm.plan_model(wrong)
    none = Model()
    none.model.subgraphs = []
    with pytest.raises(mem_opt.InvalidInput, match="the model has no subgraph"):
        mem_opt.tflm.plan_model(none.finish([]))
    dynamic = Model()
    x = dynamic.input((-1, 4))
    with pytest.raises(mem_opt.InvalidInput, match="'tensor 0' has a size that is known only at run time"):
        mem_opt.tflm.plan_model(dynamic.finish([dynamic.apply("TANH", [x], (-1, 4))]))


class Program(Model):
    """A model with control flow."""

    def flag(self):
        own = self.input((1,))
        self.graph.tensors[own].type = schema.TensorType.BOOL
        return own

    def subgraph(self, build):
        """Adds a subgraph, whose outputs `build` returns, and returns its number."""
        around, self.graph = self.graph, schema.SubGraphT()
        self.graph.tensors, self.graph.operators, self.graph.inputs = [], [], []
        self.model.subgraphs.append(self.graph)
        self.graph.outputs = build()
        self.graph, number = around, len(self.model.subgraphs) - 1
        return number

    def if_(self, condition, x, arms, shape):
        options = schema.IfOptionsT()
        options.thenSubgraphIndex, options.elseSubgraphIndex = arms
        return self.apply("IF", [condition, x], shape, options)

    def while_(self, x, condition, body, shape):
        options = schema.WhileOptionsT()
        options.condSubgraphIndex, options.bodySubgraphIndex = condition, body
        return self.apply("WHILE", [x], shape, options)


def branches(n_conditions=1, width=40):
    """Each condition runs one of the same two subgraphs, and what it had is read after it."""
    model, shape = Program(), (1, width)
    condition, x = model.flag(), model.input(shape)

    def arm(*names):
        def build():
            values = [model.input(shape)]
            for name in names:
                values.append(model.add(model.apply(name, [values[-1]], shape), values[0], shape))
            return values[-1:]

        return model.subgraph(build)

    arms = arm("TANH", "LOGISTIC", "TANH"), arm("LOGISTIC")
    for _ in range(n_conditions):
        before = model.apply("TANH", [x], shape)
        x = model.add(model.if_(condition, before, arms, shape), before, shape)
    return model.finish([x, before])


def loop(width=40):
    """Doubles a tensor until its first element is at least 100, beside another one."""
    model, shape = Program(), (1, width)
    limit = np.full((1, 1), 100.0)

    def condition():
        x = model.input(shape)
        first = model.apply("SLICE", [x, model.integers([0, 0]), model.integers([1, 1])], (1, 1), schema.SliceOptionsT())
        own = model.apply("LESS", [first, model.tensor((1, 1), limit)], (1, 1), schema.LessOptionsT())
        model.graph.tensors[own].type = schema.TensorType.BOOL
        return [own]

    def body():
        x = model.input(shape)
        y = model.apply("TANH", [x], shape)
        return [model.add(model.add(x, y, shape), model.add(x, y, shape), shape)]

    x = model.input(shape)
    beside = model.apply("LOGISTIC", [x], shape)
    y = model.while_(x, model.subgraph(condition), model.subgraph(body), shape)
    return model.finish([model.add(y, beside, shape), beside])


def test_several_subgraphs_are_refused_unless_the_run_time_is_new():
    message = "3 subgraphs: operator 1 of subgraph 0 is IF; run times before .*several_subgraphs=True"
    with pytest.raises(mem_opt.InvalidInput, match=message):
        mem_opt.tflm.plan_model(branches())
    with pytest.raises(mem_opt.InvalidInput, match=r"operator 7 of subgraph 0 is IF; \.\.\.; run"):
        mem_opt.tflm.plan_model(branches(5))
    endless = Program()
    x = endless.input((1, 4))
    itself = endless.subgraph(lambda: [endless.while_(endless.input((1, 4)), 1, 1, (1, 4))])
    with pytest.raises(mem_opt.InvalidInput, match="subgraph 1 runs itself"):
        data = endless.finish([endless.while_(x, itself, itself, (1, 4))])
        mem_opt.tflm.plan_model(data, several_subgraphs=True)
    wrong = Program()
    with pytest.raises(mem_opt.InvalidInput, match="damaged: IF runs subgraph 7"):
        mem_opt.tflm.plan_model(wrong.finish([wrong.if_(wrong.flag(), wrong.input((1, 4)), (0, 7), (1, 4))]))


@pytest.mark.parametrize("n_conditions", [1, 4])
@pytest.mark.parametrize("flag", [False, True])
def test_branches_compute_the_same(n_conditions, flag, capfd):
    values = np.random.default_rng(n_conditions).standard_normal((1, 40)).astype(np.float32)
    run_both(branches(n_conditions), [np.array([flag]), values], capfd)


def test_loops_compute_the_same(capfd):
    (total, _), plan = run_both(loop(), [np.linspace(3, 5, 40, dtype=np.float32).reshape(1, 40)], capfd)
    assert 100 <= total[0, 0] < 300
    assert {own.split(":")[0] for own in plan.names} >= {"subgraph 1", "subgraph 2"}


def test_operands_and_results_live_while_subgraphs_run():
    model, shape = Program(), (1, 4)
    flag, x = model.flag(), model.input(shape)
    arms = [model.subgraph(lambda: [model.apply("TANH", [model.input(shape)], shape)]) for _ in range(2)]
    y = model.if_(flag, x, arms, shape)
    data = model.finish([model.apply("TANH", [y], shape)])
    lifetimes = mem_opt.tflm._lifetimes(schema.ModelT.InitFromPackedBuf(data, 0))
    # The arms are steps 2 and 3, and 4 and 5.
    assert [lifetimes[1, 0], lifetimes[1, 1], lifetimes[2, 0], lifetimes[2, 1]] == [(2, 3), (3, 3), (4, 5), (5, 5)]
    assert [lifetimes[0, own] for own in (flag, x, y)] == [(0, 5), (0, 5), (1, 6)]


def run_both(data, inputs, capfd):
    """Runs a model twice with its own plan and with ours, and returns the outputs and the plan."""
    planned = mem_opt.tflm.plan_model(data, several_subgraphs=True)
    assert planned.plan.proven
    runs = []
    for own in (data, planned.data):
        interpreter = runtime.Interpreter.from_bytes(own, arena_size=1_000_000)
        for _ in range(2):
            for number, value in enumerate(inputs):
                interpreter.set_input(value, number)
            interpreter.invoke()
        runs.append(([interpreter.get_output(number).copy() for number in range(2)], head(interpreter, capfd)))
    (expected, theirs), (own, ours) = runs
    assert all(np.array_equal(a, b) for a, b in zip(own, expected))
    assert ours == planned.plan.peak <= theirs
    return own, planned.plan


def test_the_command_writes_a_model(tmp_path):
    data, _ = dense()
    (tmp_path / "in.tflite").write_bytes(data)
    words = [sys.executable, "-m", "mem_opt.tflm", "in.tflite", "-o", "out.tflite", "--several-subgraphs"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "no plan has a lower peak" in done.stderr
    assert (tmp_path / "out.tflite").read_bytes() == mem_opt.tflm.plan_model(data).data
    (tmp_path / "in.tflite").write_bytes(b"no model")
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith("error: ") and "Traceback" not in done.stderr
