#!/usr/bin/env python3
"""Prints one layer of self-attention with a residual connection, as linalg on memrefs, in the way in which BERT is exported:
matrix products of all rows, batched ones of all heads, and a softmax of separate operations.

    attention.py BATCH SEQUENCE HEADS WIDTH [--apart]

--apart: batch and sequence are dimensions of their own, and so are batch and heads, as in exports that do not flatten them.
"""

import sys

batch, sequence, heads, width = map(int, sys.argv[1:5])
is_apart = "--apart" in sys.argv
model = heads * width
lines, types = [], {}


def memref(*shape):
    return f"memref<{'x'.join(map(str, shape))}xf32>"


def new(operation, shape):
    name = f"%v{len(types)}"
    types[name] = memref(*shape)
    lines.append(f"{name} = {operation} {types[name]}")
    return name


def alloc(*shape):
    return new("memref.alloc() :", shape)


def zeros(*shape, value="%zero"):
    result = alloc(*shape)
    lines.append(f"linalg.fill ins({value} : f32) outs({result} : {types[result]})")
    return result


def view(kind, source, groups, shape):
    output = f" output_shape {list(shape)}" if kind == "expand" else ""
    return new(f"memref.{kind}_shape {source} {groups}{output} : {types[source]} into", shape)


def listed(values):
    return f"{', '.join(values)} : {', '.join(types[value] for value in values)}"


def named(name, sources, target, suffix=""):
    lines.append(f"linalg.{name} ins({listed(sources)}) outs({listed([target])}){suffix}")
    return target


def generic(sources, target, maps, iterators, body):
    names = ", ".join(f"affine_map<{own}>" for own in maps)
    kinds = ", ".join(f'"{own}"' for own in iterators)
    arguments = ", ".join(f"%i{at}: f32" for at in range(len(sources)))
    lines.append(
        f"linalg.generic {{indexing_maps = [{names}], iterator_types = [{kinds}]}} ins({listed(sources)}) "
        f"outs({listed([target])}) {{\n  ^bb0({arguments}, %o: f32):\n    {body}\n    linalg.yield %r : f32\n  }}"
    )
    return target


# The dimensions of rows of the model, and of the heads.
rows = (batch, sequence) if is_apart else (batch * sequence,)
all_heads = (batch, heads) if is_apart else (batch * heads,)
h = "b, h" if is_apart else "b"


def product(left, right, target, order, maps):
    kinds = ["reduction" if own == "k" else "parallel" for own in order.split(", ")]
    names = [f"({order}) -> ({own})" for own in maps]
    body = "%p = arith.mulf %i0, %i1 : f32\n    %r = arith.addf %o, %p : f32"
    return generic([left, right], target, names, kinds, body)


def project(source, weights):
    target = zeros(*rows, model)
    if is_apart:
        return product(source, weights, target, "b, s, o, k", ["b, s, k", "k, o", "b, s, o"])
    return named("matmul", [source, weights], target)


def batched(left, right, columns):
    target = zeros(*all_heads, sequence, columns)
    if is_apart:
        return product(left, right, target, "b, h, i, j, k", ["b, h, i, k", "b, h, k, j", "b, h, i, j"])
    return named("batch_matmul", [left, right], target)


def split(source, order):
    """Separates the heads."""
    groups = [[0], [1], [2, 3]] if is_apart else [[0, 1], [2, 3]]
    separate = view("expand", source, groups, (batch, sequence, heads, width))
    shape = [(batch, sequence, heads, width)[at] for at in order]
    moved = named("transpose", [separate], alloc(*shape), f" permutation = {order}")
    return moved if is_apart else view("collapse", moved, [[0, 1], [2], [3]], (*all_heads, *shape[2:]))


def join(source):
    """The heads of each row, one after the other."""
    if not is_apart:
        source = view("expand", source, [[0, 1], [2], [3]], (batch, heads, sequence, width))
    moved = named("transpose", [source], alloc(batch, sequence, heads, width), " permutation = [0, 2, 1, 3]")
    return view("collapse", moved, [[0], [1], [2, 3]] if is_apart else [[0, 1], [2, 3]], (*rows, model))


CUBE, ROWS = f"({h}, i, j) -> ({h}, i, j)", f"({h}, i, j) -> ({h}, i)"
PARALLEL = ["parallel"] * (len(all_heads) + 2)


def reduction(source, value, operator):
    target = zeros(*all_heads, sequence, value=value)
    body = f"%r = arith.{operator} %i0, %o : f32"
    return generic([source], target, [CUBE, ROWS], [*PARALLEL[1:], "reduction"], body)


def square():
    return alloc(*all_heads, sequence, sequence)


arguments = {"%x": (*rows, model), "%out": (*rows, model)}
arguments |= {f"%w{at}": (model, model) for at in range(4)}
types |= {name: memref(*shape) for name, shape in arguments.items()}
query, keys = split(project("%x", "%w0"), [0, 2, 1, 3]), split(project("%x", "%w1"), [0, 2, 3, 1])
values = split(project("%x", "%w2"), [0, 2, 1, 3])
scores = batched(query, keys, sequence)
scaled = generic([scores], square(), [CUBE, CUBE], PARALLEL, "%r = arith.mulf %i0, %scale : f32")
largest = reduction(scaled, "%least", "maximumf")
shifted = generic([scaled, largest], square(), [CUBE, ROWS, CUBE], PARALLEL, "%r = arith.subf %i0, %i1 : f32")
powers = generic([shifted], square(), [CUBE, CUBE], PARALLEL, "%r = math.exp %i0 : f32")
total = reduction(powers, "%zero", "addf")
weights = generic([powers, total], square(), [CUBE, ROWS, CUBE], PARALLEL, "%r = arith.divf %i0, %i1 : f32")
joined = join(batched(weights, values, width))
result = named("add", [project(joined, "%w3"), "%x"], alloc(*rows, model))
lines.append(f"memref.copy {result}, %out : {types[result]} to {types[result]}")

print(f"func.func @main({', '.join(f'{name}: {types[name]}' for name in arguments)}) {{")
print("  %zero = arith.constant 0.0 : f32\n  %least = arith.constant 0xFF800000 : f32")
print("  %scale = arith.constant 0.125 : f32")
for line in lines:
    print(f"  {line}")
print("  return\n}")
