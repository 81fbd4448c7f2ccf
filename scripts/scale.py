#!/usr/bin/env python3
"""Models a training step of a transformer on 1 to 1,024 ranks, and maintains the table in docs/Distributed.md.

    scripts/scale.py            checks that the table is current
    scripts/scale.py --write    writes the table

For each number of ranks, all ways to divide the work by data, tensors and pipeline stages are estimated, and the fastest one that
fits a device is planned: the program of a rank of the first stage, as kernels with the sizes and the times of the real operations.
The peak is that of its plan, and the time that of the model, links included. The exit status is 1 if the table is not current.
"""

import dataclasses
import itertools
import os
import re
import subprocess
import sys
import tempfile

import models

MEM_OPT = os.environ.get("MEM_OPT", models.RELEASE / "mem-opt")
DOCUMENT = models.ROOT / "docs/Distributed.md"
RANKS = tuple(2**n for n in range(11))

# The network: that of GPT-3 6.7B (T. Brown et al., "Language Models are Few-Shot Learners", 2020, table 2.1), without embeddings.
LAYERS, WIDTH, SEQUENCE, BATCH = 32, 4096, 2048, 512

# The device and its links: bytes, operations a nanosecond that are reached, bytes a nanosecond in each direction, nanoseconds, and
# the ranks of a node.
MEMORY = 80 * 2**30
COMPUTE = 312e12 * 0.45 / 1e9
INSIDE, INSIDE_LATENCY, NODE = 240.0, 5_000, 8
OUTSIDE, OUTSIDE_LATENCY = 25.0, 10_000

# Mixed precision: weights and gradients of two bytes, and twelve bytes of the optimizer.
STATE = 16


@dataclasses.dataclass(frozen=True)
class Division:
    """How many parts data, tensors and layers are divided into."""

    data: int
    tensors: int
    stages: int

    @property
    def ranks(self):
        return self.data * self.tensors * self.stages

    @property
    def microbatches(self):
        return BATCH // self.data

    @property
    def layers(self):
        return LAYERS // self.stages

    @property
    def weights(self):
        """Weights of a rank."""
        return 12 * WIDTH * WIDTH * self.layers // self.tensors

    @property
    def activation(self):
        """Bytes between two layers, which all ranks of a group have."""
        return 2 * SEQUENCE * WIDTH

    @property
    def kept(self):
        """Bytes that a layer keeps for its gradients, of one sequence (V. Korthikanti et al., "Reducing Activation Recomputation in
        Large Transformer Models", 2022, with attention computed block by block)."""
        return SEQUENCE * WIDTH * (10 + 24 // self.tensors)

    @property
    def forward(self):
        """Nanoseconds of one layer of one sequence, two reductions among the ranks of a group included."""
        operations = 24 * SEQUENCE * WIDTH * WIDTH + 4 * SEQUENCE * SEQUENCE * WIDTH
        n = self.tensors
        reduction = 2 * (n - 1) / n * self.activation / INSIDE + 2 * (n - 1) * INSIDE_LATENCY if n > 1 else 0
        return operations / n / COMPUTE + 2 * reduction

    @property
    def backward(self):
        return 2 * self.forward

    @property
    def gradients(self):
        """Nanoseconds to reduce all gradients, as the model counts them."""
        is_inside = self.data * self.tensors <= NODE
        bandwidth, latency = (INSIDE, INSIDE_LATENCY) if is_inside else (OUTSIDE, OUTSIDE_LATENCY)
        return 2 * (2 * self.weights / bandwidth + latency) if self.data > 1 else 0

    @property
    def idle(self):
        """Nanoseconds in which a stage waits for others to begin or to end."""
        return (self.stages - 1) * self.layers * (self.forward + self.backward)

    def estimate(self):
        """Nanoseconds of a step, and bytes of a rank."""
        work = self.microbatches * self.layers * (self.forward + self.backward)
        in_flight = min(self.stages, self.microbatches)
        held = STATE * self.weights + in_flight * self.layers * self.kept
        return work + self.idle + self.gradients, held

    def is_possible(self):
        return self.tensors <= NODE and LAYERS % self.stages == 0 and BATCH % self.data == 0 and self.stages <= self.microbatches


def divisions(ranks):
    powers = [2**n for n in range(ranks.bit_length())]
    every = (Division(*parts) for parts in itertools.product(powers, repeat=3))
    return [own for own in every if own.ranks == ranks and own.is_possible()]


def program(own, microbatches):
    """The program of a rank of the first stage: one forward and one backward pass alternate once the pipeline is full."""
    activation, kept, weights = (f"memref<{bytes}xi8>" for bytes in (own.activation, own.kept, 2 * own.weights))
    gradients = f"memref<{own.weights}xi16>"
    lines, number = [], itertools.count()

    def kernel(name, cycles, uses, defines, adds=()):
        of = lambda group: ", ".join(value for value, _ in group) + " : " + ", ".join(ty for _, ty in group)
        also = f" may_defines({of(adds)})" if adds else ""
        head = f'mem.kernel "{name}{next(number)}" uses({of([*uses, *adds])}) defines({of(defines)}){also}'
        lines.append(f"{head} {{cycles = {round(cycles)} : i64}}")

    def buffer(ty):
        value = f"%b{next(number)}"
        lines.append(f"{value} = memref.alloc() : {ty}")
        return value, ty

    def message(kind, value):
        name, ty = value
        lines.append(f"mpi.{kind}({name}, %tag, %next, %world) : {ty}, i32, i32")

    saved = {}

    def forward(batch):
        value = ("%x", activation)
        for layer in range(own.layers):
            out, saved[batch, layer] = buffer(activation), buffer(kept)
            kernel("forward", own.forward, [value, ("%w", weights)], [out, saved[batch, layer]])
            value = out
        if own.stages > 1:
            message("send", value)
        else:
            saved[batch, "end"] = value

    received = {}

    def receive(batch):
        if own.stages > 1 and batch < microbatches:
            received[batch] = buffer(activation)
            message("recv", received[batch])

    def backward(batch):
        value = received[batch] if own.stages > 1 else saved[batch, "end"]
        for layer in reversed(range(own.layers)):
            out = buffer(activation)
            kernel("backward", own.backward, [value, saved[batch, layer], ("%w", weights)], [out], [("%g", gradients)])
            value = out

    ahead = min(own.stages, microbatches)
    for batch in range(ahead):
        forward(batch)
    receive(0)
    for batch in range(microbatches):
        # One part of the batch ahead of its use.
        receive(batch + 1)
        backward(batch)
        if batch + ahead < microbatches:
            forward(batch + ahead)
    if own.data > 1:
        lines.append(f"mpi.allreduce(%g, %sum, MPI_SUM, %alike) : {gradients}, {gradients}")
    arguments = f"%x: {activation}, %w: {weights}, %g: {gradients}, %sum: {gradients}"
    head = [f"func.func @main({arguments}) {{", "%world = mpi.comm_world : !mpi.comm"]
    # Ranks are numbered by stage, then by part of the data, then by part of the tensors.
    head += ["%tag = arith.constant 0 : i32", "%rank = mpi.comm_rank(%world) : i32"]
    head += [f"%tensors = arith.constant {own.tensors} : i32", f"%all = arith.constant {own.data * own.tensors} : i32"]
    head += ["%next = arith.addi %rank, %all : i32"]
    # The ranks with the same weights.
    head += ["%stage = arith.divui %rank, %all : i32", "%inside = arith.remui %rank, %all : i32"]
    head += ["%part = arith.remui %rank, %tensors : i32", "%first = arith.muli %stage, %all : i32"]
    head += ["%color = arith.addi %first, %part : i32", "%alike = mpi.comm_split(%world, %color, %inside) : !mpi.comm"]
    return "\n".join([*head, *lines, "return", "}\n"])


MACHINE = """module attributes {{mem.hierarchy = #mem.hierarchy<#mem.level<"memory", alignment = 256>, compute = 1.0{links}>}} {{}}
"""
LINKS = f""", ranks = [{{stages}}, {{data}}, {{tensors}}],
  links = [#mem.link<"inside", latency = {INSIDE_LATENCY}, bandwidth = {INSIDE}, duplex>,
           #mem.link<"outside", latency = {OUTSIDE_LATENCY}, bandwidth = {OUTSIDE}, duplex>],
  routes = [#mem.route<"inside", node = {NODE}>, #mem.route<"outside">]"""


def plan(own, microbatches, options, figure):
    """Plans the program of a rank, and returns a figure of the passes."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as source:
        source.write(program(own, microbatches))
        source.flush()
        pipeline = f"--pass-pipeline=builtin.module(mem-default-pipeline{{noalias-arguments=true {options}}})"
        command = [MEM_OPT, source.name, pipeline, "--mlir-pass-statistics", "-o", os.devnull]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr[:2000]
    return int(re.search(rf"(\d+) {figure} ", done.stderr)[1])


def peak(own, microbatches, overlap):
    """Bytes of the arena."""
    return plan(own, microbatches, f"overlap={overlap}", "peak")


def time(own, microbatches, overlap, has_links):
    """Nanoseconds of the model."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as machine:
        links = LINKS.format(stages=own.stages, data=own.data, tensors=own.tensors) if has_links else ""
        machine.write(MACHINE.format(links=links))
        machine.flush()
        options = f"hierarchy={machine.name} strategy=initial overlap={overlap}"
        return plan(own, microbatches, options, "makespan")


def step(own, overlap):
    """Returns the peak of a rank, and the nanoseconds of a step and of waiting. When the pipeline is full, every further part of the
    batch takes as long as the one before."""
    few = min(own.microbatches, own.stages + 2)
    more = own.microbatches - few
    times = []
    for has_links in (True, False):
        many, less = time(own, few, overlap, has_links), time(own, few - 1, overlap, has_links) if more else 0
        times.append(many + more * (many - less))
    return peak(own, few, overlap), times[0] + own.idle, times[0] - times[1]


def row(ranks):
    fitting = [own for own in divisions(ranks) if own.estimate()[1] <= MEMORY]
    if not fitting:
        least = min(divisions(ranks), key=lambda own: own.estimate()[1])
        held = least.estimate()[1] / 2**30
        return f"| {ranks:,} | {least.data} × {least.tensors} × {least.stages} | | | does not fit: {held:.0f} GiB | | | |\n"
    own = min(fitting, key=lambda own: own.estimate()[0])
    before, blocking, waits = step(own, "off")
    planned, overlapped, less = step(own, "any")
    state = STATE * own.weights / 2**30
    tokens = BATCH * SEQUENCE / (overlapped / 1e9) / ranks
    return (
        f"| {ranks:,} | {own.data} × {own.tensors} × {own.stages} | {state:.1f} | {before / 2**30:.2f} → {planned / 2**30:.2f} | {blocking / 1e9:.2f} | "
        f"{overlapped / 1e9:.2f} | {waits / 1e6:,.0f} → {less / 1e6:,.0f} | {tokens:,.0f} |\n"
    )


HEAD = """| ranks | data × tensors × stages | state, GiB | planned peak, GiB | step, s | with overlap, s | waiting, ms | tokens/s and rank |
| ---: | --- | ---: | --- | ---: | ---: | --- | ---: |
"""


def main(arguments):
    new = HEAD + "".join(row(ranks) for ranks in RANKS)
    if "--write" in arguments:
        models.write_block(DOCUMENT, "scale", new)
        return 0
    is_current = models.block(DOCUMENT, "scale")[1] == new
    if not is_current:
        print("docs/Distributed.md is out of date; `scripts/scale.py --write` writes it anew")
    return 0 if is_current else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
