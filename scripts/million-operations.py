#!/usr/bin/env python3
"""Plans programs of many operations with the default pipeline, and prints time and memory beside mlir-opt's.

Usage: scripts/million-operations.py [--operations N] [--binary FILE] [--print] [KIND]...

Kinds of programs, all in one function:

* copies: a chain of allocations and copies, which the optimizations remove.
* residual: layers that add two tensors elementwise, the last one and one of some layers before, as in a residual network.
  Allocations, structured operations and the operations in their bodies are counted.
* loops: layers that a loop over their elements computes.
* nest: such layers in a loop of their own.
* fused: layers that a nest of loops computes slice by slice, through tensors for one slice, as fusion leaves them.
* carried: loops that exchange two tensors in each iteration.
* unbounded: such loops that iterate a number of times known only at run time.
* renewed: such loops that pass a tensor on to the next iteration, each of which allocates one.
* branches: layers that one of two blocks computes.
* selected: layers that read one of two tensors.

Columns: operations, elapsed and processor seconds, and the maximum resident set in MiB, of mem-opt and of
`mlir-opt --canonicalize --cse`.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MLIR_OPT = "/usr/lib/llvm-22/bin/mlir-opt"
TYPE = "memref<256xf32>"

# Layers between the two operands of an addition: several are live at once, some of them for long.
DISTANCES = (2, 5, 3, 17, 2, 64)


def function(lines, arguments=""):
    """A function of these lines, from a tensor to another one."""
    yield f"func.func @main(%b0: {TYPE}, %out: {TYPE}{arguments}) {{\n"
    yield from lines
    yield "  return\n}\n"


def copies(n_operations):
    """An allocation and a copy each time."""
    n_layers = n_operations // 2
    for layer in range(1, n_layers):
        yield f"  %b{layer} = memref.alloc() : {TYPE}\n"
        yield f"  memref.copy %b{layer - 1}, %b{layer} : {TYPE} to {TYPE}\n"
    yield f"  memref.copy %b{n_layers - 1}, %out : {TYPE} to {TYPE}\n"


def residual(n_operations):
    """An allocation, a structured operation and the two operations of its body each time."""
    n_layers = n_operations // 4
    for layer in range(1, n_layers):
        other = max(0, layer - DISTANCES[layer % len(DISTANCES)])
        yield f"  %b{layer} = memref.alloc() : {TYPE}\n"
        yield f"  linalg.add ins(%b{layer - 1}, %b{other} : {TYPE}, {TYPE}) outs(%b{layer} : {TYPE})\n"
    yield f"  memref.copy %b{n_layers - 1}, %out : {TYPE} to {TYPE}\n"


LOOP = "scf.for %i = %c0 to %c8 step %c1"
BOUNDS = "".join(f"  %c{n} = arith.constant {n} : index\n" for n in (0, 1, 8))


def loop_layers(n_operations):
    """An allocation, and a loop with three operations and its end each time."""
    for layer in range(1, n_operations // 6):
        yield f"  %b{layer} = memref.alloc() : {TYPE}\n  {LOOP} {{\n"
        yield f"    %v = memref.load %b{layer - 1}[%i] : {TYPE}\n    %w = arith.addf %v, %v : f32\n"
        yield f"    memref.store %w, %b{layer}[%i] : {TYPE}\n  }}\n"
    yield f"  memref.copy %b{n_operations // 6 - 1}, %out : {TYPE} to {TYPE}\n"


def loops(n_operations):
    yield BOUNDS
    yield from loop_layers(n_operations)


def nest(n_operations):
    yield f"{BOUNDS}  scf.for %t = %c0 to %c8 step %c1 {{\n"
    yield from loop_layers(n_operations)
    yield "  }\n"


def fused(n_operations):
    """Three allocations, and six loops with ten operations and their ends each time."""
    yield BOUNDS
    layer_type, slice_type = "memref<8x8xf32>", "memref<8xf32>"
    n_layers = n_operations // 26
    for layer in range(1, n_layers):
        before, x, t, s = f"%x{layer - 1}", f"%x{layer}", f"%t{layer}", f"%s{layer}"
        for name, of_name in ((x, layer_type), (t, slice_type), (s, slice_type)):
            yield f"  {name} = memref.alloc() : {of_name}\n"
        inner = f"  {LOOP.replace('%i', '%j')}"
        yield f"  {LOOP} {{\n  {inner} {{\n      memref.store %zero, {t}[%j] : {slice_type}\n    }}\n"
        yield f"  {inner} {{\n    {inner.replace('%j', '%k')} {{\n        %v = memref.load {before}[%i, %k] : {layer_type}\n"
        yield f"        %u = memref.load {t}[%j] : {slice_type}\n        %w = arith.addf %u, %v : f32\n"
        yield f"        memref.store %w, {t}[%j] : {slice_type}\n      }}\n    }}\n"
        yield f"  {inner} {{\n      %v = memref.load {t}[%j] : {slice_type}\n      %w = math.exp %v : f32\n"
        yield f"      memref.store %w, {s}[%j] : {slice_type}\n    }}\n"
        yield f"  {inner} {{\n      %v = memref.load {s}[%j] : {slice_type}\n"
        yield f"      memref.store %v, {x}[%i, %j] : {layer_type}\n    }}\n  }}\n"
    yield f"  memref.copy %x{n_layers - 1}, %y : {layer_type} to {layer_type}\n"


def carried(n_operations, loop=LOOP):
    """Two allocations and copies, and a loop with an addition, its body and its end each time."""
    yield BOUNDS
    n_layers = n_operations // 11
    for layer in range(1, n_layers):
        for name in (f"%x{layer}", f"%y{layer}"):
            yield f"  {name} = memref.alloc() : {TYPE}\n"
            yield f"  linalg.copy ins(%b{layer - 1} : {TYPE}) outs({name} : {TYPE})\n"
        yield f"  %b{layer}, %o{layer} = {loop} iter_args(%p = %x{layer}, %q = %y{layer}) -> ({TYPE}, {TYPE}) {{\n"
        yield f"    linalg.add ins(%p, %p : {TYPE}, {TYPE}) outs(%q : {TYPE})\n    scf.yield %q, %p : {TYPE}, {TYPE}\n  }}\n"
    yield f"  memref.copy %b{n_layers - 1}, %out : {TYPE} to {TYPE}\n"


UNBOUNDED = "scf.for %i = %c0 to %n step %c1"


def unbounded(n_operations):
    yield from carried(n_operations, UNBOUNDED)


def renewed(n_operations):
    """An allocation and a copy, and a loop with an allocation, an addition, its body and its end each time."""
    yield BOUNDS
    n_layers = n_operations // 9
    for layer in range(1, n_layers):
        yield f"  %x{layer} = memref.alloc() : {TYPE}\n  linalg.copy ins(%b{layer - 1} : {TYPE}) outs(%x{layer} : {TYPE})\n"
        yield f"  %b{layer} = {UNBOUNDED} iter_args(%p = %x{layer}) -> ({TYPE}) {{\n    %q = memref.alloc() : {TYPE}\n"
        yield f"    linalg.add ins(%p, %p : {TYPE}, {TYPE}) outs(%q : {TYPE})\n    scf.yield %q : {TYPE}\n  }}\n"
    yield f"  memref.copy %b{n_layers - 1}, %out : {TYPE} to {TYPE}\n"


def selected(n_operations):
    """Two allocations and structured operations with their bodies, and a choice each time."""
    n_layers = n_operations // 9
    for layer in range(1, n_layers):
        for operation, name in (("exp", f"%x{layer}"), ("log", f"%y{layer}")):
            yield f"  {name} = memref.alloc() : {TYPE}\n"
            yield f"  linalg.{operation} ins(%b{layer - 1} : {TYPE}) outs({name} : {TYPE})\n"
        yield f"  %b{layer} = arith.select %c, %x{layer}, %y{layer} : {TYPE}\n"
    yield f"  memref.copy %b{n_layers - 1}, %out : {TYPE} to {TYPE}\n"


def branches(n_operations):
    """An allocation and a branch, and two blocks with a structured operation, its body and a branch each time."""
    yield "  cf.br ^begin1\n"
    n_layers = n_operations // 10
    for layer in range(1, n_layers):
        yield f"^begin{layer}:\n  %b{layer} = memref.alloc() : {TYPE}\n  cf.cond_br %c, ^yes{layer}, ^no{layer}\n"
        for block, name in (("yes", "add"), ("no", "mul")):
            operands = f"%b{layer - 1}, %b{layer - 1} : {TYPE}, {TYPE}"
            yield f"^{block}{layer}:\n  linalg.{name} ins({operands}) outs(%b{layer} : {TYPE})\n  cf.br ^begin{layer + 1}\n"
    yield f"^begin{n_layers}:\n  memref.copy %b{n_layers - 1}, %out : {TYPE} to {TYPE}\n"


KINDS = {own.__name__: own for own in (copies, residual, loops, nest, fused, carried, unbounded, renewed, branches, selected)}
ARGUMENTS = dict.fromkeys(("branches", "selected"), ", %c: i1") | dict.fromkeys(("unbounded", "renewed"), ", %n: index")
ARGUMENTS["fused"] = ", %x0: memref<8x8xf32>, %y: memref<8x8xf32>, %zero: f32"


def program(kind, n_operations):
    """The lines of a program."""
    return function(KINDS[kind](n_operations), ARGUMENTS.get(kind, ""))


def measure(command):
    """Elapsed seconds, processor seconds and MiB of a process."""
    start = time.monotonic()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(command)} failed")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", default=list(KINDS), help=", ".join(KINDS))
    parser.add_argument("--operations", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--binary", default=str(ROOT / "target/release/mem-opt"), metavar="FILE")
    parser.add_argument("--print", action="store_true", help="print the programs instead")
    given = parser.parse_args()
    if given.print:
        for kind in given.kinds:
            sys.stdout.writelines(program(kind, given.operations))
        return
    print(f"{'program':<10} {'operations':>10} {'elapsed':>8} {'CPU':>6} {'MiB':>6}   mlir-opt {'elapsed':>8} {'CPU':>6} {'MiB':>6}")
    for kind in given.kinds:
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.writelines(program(kind, given.operations))
            file.flush()
            own = measure([given.binary, file.name, "--mem-default-pipeline", "-o", os.devnull])
            theirs = measure([MLIR_OPT, file.name, "--canonicalize", "--cse", "-o", os.devnull])
        numbers = [f"{elapsed:8.1f} {cpu:6.1f} {mib:6.0f}" for elapsed, cpu, mib in (own, theirs)]
        print(f"{kind:<10} {given.operations:>10,} {numbers[0]}            {numbers[1]}", flush=True)


if __name__ == "__main__":
    main()
