#!/usr/bin/env python3
"""Prints a network whose layers are wired irregularly, as the planner's operation graph or as MLIR.

    scripts/wired-network.py KIND [--seed N] [--image N] [--channels N] [--nodes N] [--form graph|mlir]

    randwire-ws, randwire-er, randwire-ba
               RandWire, small regime (Xie et al., ICCV 2019): three stages of 32 nodes, wired at random
               by Watts-Strogatz (4, 0.75), Erdos-Renyi (0.2) or Barabasi-Albert (5)
    randwire-cell
               one stage of the first kind, as measured by Serenity (Ahn et al., MLSys 2020)
    nasnet     NASNet-A mobile, 4 @ 1056 (Zoph et al., CVPR 2018)
    pnasnet    PNASNet-5 mobile (Liu et al., ECCV 2018)
    darts      DARTS, second order, for ImageNet (Liu et al., ICLR 2019)
    swiftnet   three cells of 21, 19 and 22 nodes, as SwiftNet has them (Zhang et al., 2019); the
               wiring, which is not published, is random

The layers of the graph are in the order in which a framework builds the network: node by node. Batch
normalization and activations are part of the layer before, and separable convolutions are two layers.
A sum adds one input after the other to the first two. In the MLIR form, each layer is a few operations
of linalg on buffers; windows are as large as strides, so that the tensors are those of the network, and
the work is small. The seed determines the wiring.
"""

import argparse
import random
import sys

SUM, CONCAT, CONV, DEPTHWISE, MAXIMUM, AVERAGE = "sum", "concat", "conv", "depthwise", "maximum", "average"
ELEMENT = 4


class Layer:
    """One layer: its kind, inputs, and shape (rows and columns, channels) of its result."""

    def __init__(self, kind, inputs, size, channels, window=1, stride=1):
        self.kind, self.inputs, self.size, self.channels = kind, inputs, size, channels
        self.window, self.stride = window, stride


class Network:
    """Layers in the order in which they are built. A layer is denoted by its index; -1 is the image."""

    def __init__(self, image):
        self.image = image
        self.layers = []

    def shape(self, index):
        return (self.image, 3) if index < 0 else (self.layers[index].size, self.layers[index].channels)

    def add(self, kind, inputs, size, channels, window=1, stride=1):
        self.layers.append(Layer(kind, list(inputs), size, channels, window, stride))
        return len(self.layers) - 1

    def windowed(self, kind, source, channels, window, stride):
        size = -(-self.shape(source)[0] // stride)
        return self.add(kind, [source], size, channels, window, stride)

    def conv(self, source, channels, window=1, stride=1):
        return self.windowed(CONV, source, channels, window, stride)

    def separable(self, source, channels, window, stride=1):
        inner = self.windowed(DEPTHWISE, source, self.shape(source)[1], window, stride)
        return self.conv(inner, channels)

    def pool(self, kind, source, stride=1, window=3):
        return self.windowed(kind, source, self.shape(source)[1], window, stride)

    def sum(self, sources):
        if len(sources) == 1:
            return sources[0]
        return self.add(SUM, sources, *self.shape(sources[0]))

    def concat(self, sources):
        if len(sources) == 1:
            return sources[0]
        channels = sum(self.shape(source)[1] for source in sources)
        return self.add(CONCAT, sources, self.shape(sources[0])[0], channels)

    def depth_first(self):
        """The same network, with each layer right after those that it needs: the order in which a search
        from the result leaves them, which visits the inputs of a layer one after the other."""
        numbers, layers, todo = {}, [], [len(self.layers) - 1]
        while todo:
            index = todo[-1]
            missing = [own for own in self.layers[index].inputs if own >= 0 and own not in numbers]
            if missing:
                todo.append(missing[0])
                continue
            todo.pop()
            if index not in numbers:
                numbers[index] = len(layers)
                layers.append(self.layers[index])
        for layer in layers:
            layer.inputs = [numbers.get(own, own) for own in layer.inputs]
        network = Network(self.image)
        network.layers = layers
        return network


# RandWire ------------------------------------------------------------------------------------


def watts_strogatz(rng, n, neighbors=4, chance=0.75):
    edges = {frozenset((i, (i + k) % n)) for i in range(n) for k in range(1, neighbors // 2 + 1)}
    for k in range(1, neighbors // 2 + 1):
        for i in range(n):
            if rng.random() < chance:
                free = [j for j in range(n) if j != i and frozenset((i, j)) not in edges]
                if free:
                    edges.discard(frozenset((i, (i + k) % n)))
                    edges.add(frozenset((i, rng.choice(free))))
    return edges


def erdos_renyi(rng, n, chance=0.2):
    return {frozenset((i, j)) for i in range(n) for j in range(i) if rng.random() < chance}


def barabasi_albert(rng, n, links=5):
    edges, ends = set(), []
    targets = list(range(links))
    for i in range(links, n):
        edges |= {frozenset((i, j)) for j in targets}
        ends += targets + [i] * links
        chosen = set()
        while len(chosen) < links:
            chosen.add(rng.choice(ends))
        targets = sorted(chosen)
    return edges


def is_connected(edges, n):
    seen, todo = {0}, [0]
    while todo:
        i = todo.pop()
        for j in range(n):
            if j not in seen and frozenset((i, j)) in edges:
                seen.add(j)
                todo.append(j)
    return len(seen) == n


def in_queue(preds, succs):
    """The nodes of a graph in the order in which a queue yields them: nodes without predecessors, then each
    node when the last of its predecessors has left the queue."""
    missing = [len(own) for own in preds]
    queue = [node for node, count in enumerate(missing) if count == 0]
    for node in queue:
        for succ in succs[node]:
            missing[succ] -= 1
            if missing[succ] == 0:
                queue.append(succ)
    return queue


def random_stage(network, rng, wiring, source, channels, order, n=32):
    """A stage of randomly wired nodes, of half the size of its source."""
    edges = wiring(rng, n)
    while not is_connected(edges, n):
        edges = wiring(rng, n)
    preds = [[i for i in range(node) if frozenset((i, node)) in edges] for node in range(n)]
    succs = [[i for i in range(node + 1, n) if frozenset((i, node)) in edges] for node in range(n)]
    results = [None] * n
    for node in in_queue(preds, succs) if order == "queue" else range(n):
        if preds[node]:
            inputs = network.sum([results[i] for i in preds[node]])
            results[node] = network.separable(inputs, channels, 3)
        else:
            results[node] = network.separable(source, channels, 3, stride=2)
    return network.sum([result for result, used in zip(results, succs) if not used])


def randwire(wiring):
    def build(options):
        rng, c = random.Random(options.seed), options.channels or 78
        network = Network(options.image or 224)
        last = network.conv(network.conv(-1, c // 2, 3, 2), c, 3, 2)
        for factor in (1, 2, 4):
            last = random_stage(network, rng, wiring, last, factor * c, options.order)
        network.pool(AVERAGE, network.conv(last, 16 * c), 1, network.shape(last)[0])
        return network

    return build


def randwire_cell(options):
    rng, c = random.Random(options.seed), options.channels or 78
    network = Network(options.image or 16)
    source = network.conv(-1, max(1, c // 2), 1, 1)
    random_stage(network, rng, watts_strogatz, source, c, options.order, options.nodes or 32)
    return network


# Cells -----------------------------------------------------------------------------------------


def operation(network, name, source, channels, stride):
    kind, window = name[:3], int(name[3:] or 1)
    if kind == "sep":
        first = network.separable(source, channels, window, stride)
        return network.separable(first, channels, window)
    if kind == "dil":
        return network.separable(source, channels, window, stride)
    if kind in ("max", "avg"):
        return network.pool(MAXIMUM if kind == "max" else AVERAGE, source, stride, window)
    return source if stride == 1 else network.conv(source, channels, 1, stride)


def cell(network, sources, blocks, results, channels, is_reduction):
    """A cell: each block is the sum of two operations, each with the number of its source. Sources 0 and
    1 are the results of the cell before the last one, and of the last one."""
    smallest = min(network.shape(source)[0] for source in sources)
    states = []
    for source in sources:
        stride = -(-network.shape(source)[0] // smallest)
        states.append(network.conv(source, channels, 1, stride))
    for first, second in blocks:
        parts = []
        for name, at in (first, second):
            stride = 2 if is_reduction and at < 2 else 1
            parts.append(operation(network, name, states[at], channels, stride))
        states.append(network.sum(parts))
    return network.concat([states[at] for at in results])


NASNET = [
    (("sep3", 1), ("id", 1)),
    (("sep3", 0), ("sep5", 1)),
    (("avg3", 1), ("id", 0)),
    (("avg3", 0), ("avg3", 0)),
    (("sep5", 0), ("sep3", 0)),
], [0, 2, 3, 4, 5, 6]
NASNET_REDUCTION = [
    (("sep7", 0), ("sep5", 1)),
    (("max3", 1), ("sep7", 0)),
    (("avg3", 1), ("sep5", 0)),
    (("max3", 1), ("sep3", 2)),
    (("avg3", 2), ("id", 3)),
], [3, 4, 5, 6]
PNASNET = [
    (("sep5", 0), ("max3", 0)),
    (("sep7", 1), ("max3", 1)),
    (("sep5", 1), ("sep3", 1)),
    (("sep3", 4), ("max3", 1)),
    (("sep3", 0), ("id", 1)),
], [2, 3, 4, 5, 6]
DARTS = [
    (("sep3", 0), ("sep3", 1)),
    (("sep3", 0), ("sep3", 1)),
    (("sep3", 1), ("id", 0)),
    (("id", 0), ("dil3", 2)),
], [2, 3, 4, 5]
DARTS_REDUCTION = [
    (("max3", 0), ("max3", 1)),
    (("id", 2), ("max3", 1)),
    (("max3", 0), ("id", 2)),
    (("id", 2), ("max3", 1)),
], [2, 3, 4, 5]


def cells(stem, channels, plan, normal, reduction):
    """A network of cells; `plan` has a factor of the channels, and whether the cell reduces."""

    def build(options):
        network = Network(options.image or 224)
        c = options.channels or channels
        before = last = network.conv(-1, stem if not options.channels else c, 3, 2)
        for factor, is_reduction in plan:
            blocks, results = reduction if is_reduction else normal
            width = max(1, int(c * factor))
            result = cell(network, (before, last), blocks, results, width, is_reduction)
            before, last = last, result
        network.pool(AVERAGE, last, 1, network.shape(last)[0])
        return network

    return build


def stages(first, counts):
    """The cells of stages: `first`, and for each count so many cells, with a reduction in between."""
    plan, factor = list(first), 1
    for index, count in enumerate(counts):
        if index > 0:
            factor *= 2
            plan.append((factor, True))
        plan += [(factor, False)] * count
    return plan


def swiftnet(options):
    rng, c = random.Random(options.seed), options.channels or 16
    network = Network(options.image or 224)
    last = network.conv(-1, c, 3, 2)
    for index, n in enumerate((21, 19, 22)):
        width = c * (index + 1)
        states = [network.conv(last, width, 3, 2)]
        is_used = [False]
        for node in range(1, n):
            count = min(node, rng.choice((1, 1, 2, 2, 3)))
            chosen = sorted(rng.sample(range(max(0, node - 10), node), min(count, min(node, 10))))
            for at in chosen:
                is_used[at] = True
            joined = network.concat([states[at] for at in chosen])
            states.append(network.separable(joined, width, rng.choice((3, 5))))
            is_used.append(False)
        last = network.concat([own for own, used in zip(states, is_used) if not used])
    network.pool(AVERAGE, last, 1, network.shape(last)[0])
    return network


KINDS = {
    "randwire-ws": randwire(watts_strogatz),
    "randwire-er": randwire(erdos_renyi),
    "randwire-ba": randwire(barabasi_albert),
    "randwire-cell": randwire_cell,
    "nasnet": cells(32, 44, stages([(0.25, True), (0.5, True)], (4, 4, 4)), NASNET, NASNET_REDUCTION),
    "pnasnet": cells(32, 54, stages([(0.25, True), (0.5, True)], (3, 3, 3)), PNASNET, PNASNET),
    "darts": cells(48, 48, stages([(1, True), (1, True)], (4, 4, 4)), DARTS, DARTS_REDUCTION),
    "swiftnet": swiftnet,
}


# Forms -----------------------------------------------------------------------------------------


def print_graph(network, command):
    lines = [f"# {command}"]
    for own in network.layers:
        lines.append(f"t {own.size * own.size * own.channels * ELEMENT}")
    for index, own in enumerate(network.layers):
        reads = sorted({source for source in own.inputs if source >= 0})
        cost = own.size * own.size * own.channels * own.window * own.window
        if own.kind == CONV:
            cost *= network.shape(own.inputs[0])[1]
        lines.append(f"s {cost} 1 r {','.join(map(str, reads))} w {index}")
    return "\n".join(lines) + "\n"


class Writer:
    """Writes a network as a function on buffers: arguments are weights, then the image and the result."""

    def __init__(self, network):
        self.network = network
        self.arguments, self.lines = [], []
        self.counter = 0
        self.values = {}

    def text(self):
        image = self.buffer_type(*self.network.shape(-1))
        self.values[-1] = "%image", image
        last = len(self.network.layers) - 1
        for index, own in enumerate(self.network.layers):
            self.layer(index, own, index == last)
        arguments = self.arguments + [f"%image: {image}"]
        arguments.append(f"%result: {self.values[last][1]} {{bufferize.result}}")
        head = [
            "#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>",
            f"func.func @main({', '.join(arguments)}) {{",
            "  %zero = arith.constant 0.000000e+00 : f32",
            "  %lowest = arith.constant 0xFF800000 : f32",
        ]
        return "\n".join(head + self.lines + ["  return", "}"]) + "\n"

    def buffer_type(self, size, channels):
        return f"memref<1x{size}x{size}x{channels}xf32>"

    def fresh(self):
        self.counter += 1
        return f"%{self.counter - 1}"

    def emit(self, line):
        self.lines.append("  " + line)

    def alloc(self, kind):
        value = self.fresh()
        self.emit(f"{value} = memref.alloc() {{alignment = 64 : i64}} : {kind}")
        return value

    def layer(self, index, own, is_last):
        kind = self.buffer_type(own.size, own.channels)
        if own.kind in (CONV, DEPTHWISE, MAXIMUM, AVERAGE):
            source = self.padded(own)
            result = "%result" if is_last else self.alloc(kind)
            self.windowed(own, source, (result, kind))
        else:
            result = "%result" if is_last else self.alloc(kind)
            write = self.sum if own.kind == SUM else self.concat
            write([self.values[source] for source in own.inputs], (result, kind))
        self.values[index] = result, kind

    def window(self, own):
        """The rows of the small window that stands for the one of a layer."""
        return own.window if own.size == 1 else own.stride

    def padded(self, own):
        """The source with a border such that windows at each position exist."""
        source = self.values[own.inputs[0]]
        size, channels = self.network.shape(own.inputs[0])
        needed = (own.size - 1) * own.stride + self.window(own)
        if needed <= size:
            return source
        kind = self.buffer_type(needed, channels)
        value = self.alloc(kind)
        border = "%lowest" if own.kind == MAXIMUM else "%zero"
        self.emit(f"linalg.fill ins({border} : f32) outs({value} : {kind})")
        before = (needed - size) // 2
        strides = [needed * needed * channels, needed * channels, channels, 1]
        offset = before * strides[1] + before * strides[2]
        view = self.fresh()
        layout = f"strided<{strides}, offset: {offset}>"
        part = f"memref<1x{size}x{size}x{channels}xf32, {layout}>"
        self.emit(
            f"{view} = memref.subview {value}[0, {before}, {before}, 0] [1, {size}, {size}, {channels}] "
            f"[1, 1, 1, 1] : {kind} to {part}"
        )
        self.emit(f"memref.copy {source[0]}, {view} : {source[1]} to {part}")
        return value, kind

    def windowed(self, own, source, result):
        k, inner = self.window(own), self.network.shape(own.inputs[0])[1]
        names = {
            CONV: ("conv_2d_nhwc_hwcf", f"memref<{k}x{k}x{inner}x{own.channels}xf32>", "%zero"),
            DEPTHWISE: ("depthwise_conv_2d_nhwc_hwc", f"memref<{k}x{k}x{inner}xf32>", "%zero"),
            MAXIMUM: ("pooling_nhwc_max", f"memref<{k}x{k}xf32>", "%lowest"),
            AVERAGE: ("pooling_nhwc_sum", f"memref<{k}x{k}xf32>", "%zero"),
        }
        name, kind, start = names[own.kind]
        if own.kind in (CONV, DEPTHWISE):
            weights = f"%arg{len(self.arguments)}"
            self.arguments.append(f"{weights}: {kind}")
        else:
            weights = self.alloc(kind)
        self.emit(f"linalg.fill ins({start} : f32) outs({result[0]} : {result[1]})")
        self.emit(
            f"linalg.{name} {{dilations = dense<1> : tensor<2xi64>, strides = dense<{own.stride}> : "
            f"tensor<2xi64>}} ins({source[0]}, {weights} : {source[1]}, {kind}) "
            f"outs({result[0]} : {result[1]})"
        )
        if own.kind == CONV:
            self.generic([result], result, ["%r = arith.maximumf %in0, %zero : f32"], "%r")

    def sum(self, sources, result):
        self.generic(sources[:2], result, ["%s = arith.addf %in0, %in1 : f32"], "%s")
        for source in sources[2:]:
            self.generic([source], result, ["%s = arith.addf %in0, %out : f32"], "%s")

    def generic(self, sources, result, lines, value):
        maps = ", ".join(["#map"] * (len(sources) + 1))
        iterators = ", ".join(['"parallel"'] * 4)
        operands = ", ".join(value for value, _ in sources)
        kinds = ", ".join(kind for _, kind in sources)
        self.emit(
            f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}} "
            f"ins({operands} : {kinds}) outs({result[0]} : {result[1]}) {{"
        )
        scalars = ", ".join([f"%in{at}: f32" for at in range(len(sources))] + ["%out: f32"])
        self.emit(f"^bb0({scalars}):")
        for line in lines + [f"linalg.yield {value} : f32"]:
            self.emit("  " + line)
        self.emit("}")

    def concat(self, sources, result):
        size, total = result[1].split("x")[1], int(result[1].split("x")[3])
        at, strides = 0, [int(size) * int(size) * total, int(size) * total, total, 1]
        for value, kind in sources:
            channels, view = int(kind.split("x")[3]), self.fresh()
            part = f"memref<1x{size}x{size}x{channels}xf32, strided<{strides}, offset: {at}>>"
            self.emit(
                f"{view} = memref.subview {result[0]}[0, 0, 0, {at}] [1, {size}, {size}, {channels}] "
                f"[1, 1, 1, 1] : {result[1]} to {part}"
            )
            self.emit(f"memref.copy {value}, {view} : {kind} to {part}")
            at += channels


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--image", type=int, help="rows of the image; default: as published")
    parser.add_argument("--channels", type=int, help="channels of the first stage; default: as published")
    parser.add_argument("--nodes", type=int, help="nodes of randwire-cell; default: 32")
    parser.add_argument("--order", choices=["built", "depth", "queue"], default="built")
    parser.add_argument("--form", choices=["graph", "mlir"], default="graph")
    options = parser.parse_args()
    network = KINDS[options.kind](options)
    if options.order == "depth":
        network = network.depth_first()
    if options.form == "mlir":
        sys.stdout.write(Writer(network).text())
    else:
        sys.stdout.write(print_graph(network, f"scripts/wired-network.py {' '.join(sys.argv[1:])}"))


if __name__ == "__main__":
    main()
