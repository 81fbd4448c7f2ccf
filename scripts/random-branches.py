#!/usr/bin/env python3
"""Runs random programs on tensors with branches between blocks, and compares with what they should compute.

    scripts/random-branches.py [--seeds FIRST LAST]      programs of these seeds, FIRST to LAST - 1
    scripts/random-branches.py --print SEED              prints one

Blocks pass tensors to each other in any order, also one tensor twice; loops may have several entries, blocks
may be unreachable, and operations write over tensors that are read later. Each program ends, because every
block counts down a number. `mem-run` has to be on the path; the exit status is 1 if a result differs.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

TENSOR = "tensor<4xf32>"
EXIT = -1
#: How many ways a terminator has.
WAYS = {"br": 1, "cond_br": 2, "switch": 3}
INPUTS = [np.array(values, np.float32) for values in ([1, 2, 3, 4], [10, -20, 30, 40])]


@dataclass
class Block:
    """A block: its operations, where it goes, and what it passes on the way."""

    arguments: list
    operations: list
    terminator: str
    #: Pairs of a block and the values that are passed.
    targets: list
    #: What the block passes to the exit when the number has reached zero.
    last: list = field(default_factory=list)


class Program:
    """A random program. Results are arguments of the exit block, by number, or an argument of the function."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.steps = seed % 7 + 1
        self.width = self.random.randint(1, 3)
        arguments = ["%x0", "%x1"]
        self.entry, self.visible = self._operations(arguments, "e", self.random.randint(0, 2))
        self.start = self._values(self.visible)
        n_blocks = self.random.randint(2, 6)
        self.blocks = [self._block(number, n_blocks) for number in range(n_blocks)]
        self.results = [self.random.randrange(self.width) for _ in range(self.random.randint(1, 3))]
        self.results += ["%x0"] * self.random.randint(0, 1)

    def _values(self, available):
        return [self.random.choice(available) for _ in range(self.width)]

    def _operations(self, available, prefix, count):
        """Operations: result, kind, operands, and the tensor to write over."""
        found, available = [], list(available)
        for number in range(count):
            kind = self.random.choice(["add", "negf", "fresh negf"])
            operands = [self.random.choice(available) for _ in range(2 if kind == "add" else 1)]
            found.append((f"%{prefix}_{number}", kind, operands, self.random.choice(available)))
            available.append(found[-1][0])
        return found, available

    def _block(self, number, n_blocks):
        arguments = [f"%b{number}_x{index}" for index in range(self.width)]
        operations, available = self._operations(
            self.visible + arguments, f"b{number}", self.random.randint(0, 3)
        )
        terminator = self.random.choice(["br", "cond_br", "cond_br", "switch"])
        targets = [
            (self.random.choice([EXIT, *range(n_blocks)]), self._values(available))
            for _ in range(WAYS[terminator])
        ]
        return Block(arguments, operations, terminator, targets, self._values(available))

    def run(self):
        """The results."""
        values = dict(zip(["%x0", "%x1"], INPUTS))

        def compute(operations):
            for result, kind, operands, _ in operations:
                own = [values[operand] for operand in operands]
                values[result] = own[0] + own[1] if kind == "add" else -own[0]

        compute(self.entry)
        passed, at, left = [values[own] for own in self.start], 0, self.steps
        while at != EXIT:
            block = self.blocks[at]
            values.update(zip(block.arguments, passed))
            compute(block.operations)
            left -= 1
            if left <= 0:
                at, names = EXIT, block.last
            elif block.terminator == "cond_br":
                at, names = block.targets[left % 2]
            else:
                at, names = block.targets[left % len(block.targets)]
            passed = [values[name] for name in names]
        return [passed[own] if isinstance(own, int) else values[own] for own in self.results]

    def text(self):
        """The program. Its function `main` negates the results, because a result that is an argument would be
        dropped."""
        types = ", ".join([TENSOR] * len(self.results))
        lines = [
            f"func.func private @program(%x0: {TENSOR}, %x1: {TENSOR}, %left: i32) -> ({types}) {{",
            *(f"  %c{value} = arith.constant {value} : i32" for value in range(4)),
            *self._print(self.entry),
            f"  cf.br {self._edge(0, self.start, '%left')}",
        ]
        for number, block in enumerate(self.blocks):
            lines += self._print_block(number, block)
        exit_values = ", ".join(f"%y{index}: {TENSOR}" for index in range(self.width))
        results = [f"%y{own}" if isinstance(own, int) else own for own in self.results]
        lines += [f"^exit({exit_values}):", f"  return {', '.join(results)} : {types}", "}"]
        return "\n".join([*lines, *self._print_main(types)]) + "\n"

    def _print(self, operations):
        for result, kind, operands, target in operations:
            if kind == "fresh negf":
                target = f"{result}_new"
                yield f"  {target} = tensor.empty() : {TENSOR}"
            own = f"{', '.join(operands)} : {', '.join([TENSOR] * len(operands))}"
            yield f"  {result} = linalg.{kind.split()[-1]} ins({own}) outs({target} : {TENSOR}) -> {TENSOR}"

    def _edge(self, target, values, left):
        types = ", ".join([TENSOR] * self.width)
        if target == EXIT:
            return f"^exit({', '.join(values)} : {types})"
        return f"^b{target}({', '.join(values)}, {left} : {types}, i32)"

    def _print_block(self, number, block):
        arguments = "".join(f"{own}: {TENSOR}, " for own in block.arguments)
        yield f"^b{number}({arguments}%i{number}: i32):"
        yield from self._print(block.operations)
        yield f"  %j{number} = arith.subi %i{number}, %c1 : i32"
        yield f"  %m{number} = arith.cmpi sgt, %j{number}, %c0 : i32"
        yield f"  cf.cond_br %m{number}, ^t{number}, {self._edge(EXIT, block.last, '')}"
        yield f"^t{number}:"
        edges = [self._edge(*target, f"%j{number}") for target in block.targets]
        if block.terminator == "br":
            yield f"  cf.br {edges[0]}"
            return
        yield f"  %r{number} = arith.remsi %j{number}, %c{len(edges)} : i32"
        if block.terminator == "cond_br":
            yield f"  %q{number} = arith.cmpi eq, %r{number}, %c1 : i32"
            yield f"  cf.cond_br %q{number}, {edges[1]}, {edges[0]}"
        else:
            yield f"  cf.switch %r{number} : i32, [default: {edges[0]}, 1: {edges[1]}, 2: {edges[2]}]"

    def _print_main(self, types):
        n_results = len(self.results)
        yield f"func.func private @negated(%x: {TENSOR}) -> {TENSOR} {{"
        yield f"  %new = tensor.empty() : {TENSOR}"
        yield f"  %y = linalg.negf ins(%x : {TENSOR}) outs(%new : {TENSOR}) -> {TENSOR}"
        yield f"  return %y : {TENSOR}\n}}"
        yield f"func.func @main(%x0: {TENSOR}, %x1: {TENSOR}, %steps: tensor<1xi32>) -> ({types}) {{"
        yield "  %c0 = arith.constant 0 : index"
        yield "  %left = tensor.extract %steps[%c0] : tensor<1xi32>"
        call = f"call @program(%x0, %x1, %left) : ({TENSOR}, {TENSOR}, i32) -> ({types})"
        yield f"  %r:{n_results} = {call}"
        for index in range(n_results):
            yield f"  %s{index} = call @negated(%r#{index}) : ({TENSOR}) -> {TENSOR}"
        yield f"  return {', '.join(f'%s{index}' for index in range(n_results))} : {types}\n}}"


def check(seed, folder):
    """Runs a program, and returns what is wrong; None if nothing is."""
    program = Program(seed)
    (folder / "program.mlir").write_text(program.text())
    command = ["mem-run", "program.mlir", "--compare", "-O0"]
    for number, value in enumerate([*INPUTS, np.array([program.steps], np.int32)]):
        np.save(folder / f"input{number}.npy", value)
        command += ["--input", f"input{number}.npy"]
    for number in range(len(program.results)):
        command += ["--output", f"output{number}.npy"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return "does not end"
    if done.returncode != 0:
        return f"exit status {done.returncode}\n{done.stderr}"
    for number, expected in enumerate(program.run()):
        own = -np.load(folder / f"output{number}.npy")
        if not np.array_equal(own, expected):
            return f"result {number} is {own}, expected {expected}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 100), metavar=("FIRST", "LAST"))
    parser.add_argument("--print", type=int, metavar="SEED", dest="shown", help="print a program")
    arguments = parser.parse_args()
    if arguments.shown is not None:
        print(Program(arguments.shown).text(), end="")
        return 0
    n_wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(*arguments.seeds):
            wrong = check(seed, Path(folder))
            if wrong:
                n_wrong += 1
                print(f"seed {seed}: {wrong}")
    print(f"{len(range(*arguments.seeds)) - n_wrong} programs are right, {n_wrong} wrong")
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
