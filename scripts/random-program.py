#!/usr/bin/env python3
"""Prints a random, valid MLIR function on buffers. The seed determines the function.

    scripts/random-program.py SEED [--size N] | mem-run - --compare

The functions have lifetimes that are hard to analyze: buffers that loops rotate, swap, keep for two
iterations or replace on one path only; selects and branches that merge buffers; views written in
part; calls that return an argument; lookups of buffers that are not operands. Every buffer is written
before it is read, so results do not depend on the contents of fresh memory. Numbers stay in a small
range.
"""

import argparse
import random

BUFFER = "memref<8xf32>"
STRIDED = "memref<4xf32, strided<[{}], offset: {}>>"
SCALAR_MAP = "affine_map<(d0) -> (d0)>"
SQUARE_MAP = "affine_map<(d0, d1) -> (d0, d1)>"


class Program:
    def __init__(self, seed, size):
        self.random = random.Random(seed)
        self.left = size
        self.lines = []
        self.counter = 0
        self.functions = []

    def fresh(self, prefix="v"):
        self.counter += 1
        return f"%{prefix}{self.counter}"

    def emit(self, depth, text):
        self.lines.append("  " * depth + text)

    def constant(self, depth):
        value = self.fresh("c")
        number = self.random.choice([0.0, 0.125, 0.5, -0.75, 1.0])
        self.emit(depth, f"{value} = arith.constant {number:.6f} : f32")
        return value

    # Buffers ---------------------------------------------------------------------------------

    def allocate(self, depth):
        value = self.fresh("b")
        align = self.random.choice(["", " {alignment = 64 : i64}", " {alignment = 16 : i64}"])
        kind = "alloca" if self.random.random() < 0.03 and depth == 2 else "alloc"
        self.emit(depth, f"{value} = memref.{kind}(){align} : {BUFFER}")
        return value

    def new_buffer(self, depth, env):
        """Allocates a buffer and writes all of it, at once or after another statement."""
        value = self.allocate(depth)
        if self.random.random() < 0.2:
            self.statement(depth, env)
        self.write(depth, env, value)
        return value

    def write(self, depth, env, target):
        """Writes all of `target`, which may be uninitialized."""
        kind = self.random.randrange(4)
        if kind == 0:
            self.emit(depth, f"linalg.fill ins({self.constant(depth)} : f32) outs({target} : {BUFFER})")
        elif kind == 1:
            self.emit(depth, f"memref.copy {env.pick()}, {target} : {BUFFER} to {BUFFER}")
        elif kind == 2:
            self.elementwise(depth, env.pick(), env.pick(), target, False)
        else:
            self.lookup(depth, env.pick(), target)

    def elementwise(self, depth, a, b, target, reads_target):
        half = self.fresh("c")
        self.emit(depth, f"{half} = arith.constant {self.random.choice([0.25, 0.5])} : f32")
        self.emit(
            depth,
            f"linalg.generic {{indexing_maps = [{', '.join([SCALAR_MAP] * 3)}], iterator_types = [\"parallel\"]}} "
            f"ins({a}, {b} : {BUFFER}, {BUFFER}) outs({target} : {BUFFER}) {{",
        )
        x, y, z = self.fresh("x"), self.fresh("x"), self.fresh("x")
        self.emit(depth, f"^bb0({x}: f32, {y}: f32, {z}: f32):")
        total, scaled = self.fresh("x"), self.fresh("x")
        self.emit(depth + 1, f"{total} = arith.{self.random.choice(['addf', 'subf'])} {x}, {z if reads_target else y} : f32")
        self.emit(depth + 1, f"{scaled} = arith.mulf {total}, {half} : f32")
        self.emit(depth + 1, f"linalg.yield {scaled} : f32")
        self.emit(depth, "}")

    def lookup(self, depth, table, target):
        """Reads `table` in reverse, with a load inside the body."""
        self.emit(
            depth,
            f"linalg.generic {{indexing_maps = [{SCALAR_MAP}], iterator_types = [\"parallel\"]}} "
            f"outs({target} : {BUFFER}) {{",
        )
        x, i, j, y, last = (self.fresh("x") for _ in range(5))
        self.emit(depth, f"^bb0({x}: f32):")
        self.emit(depth + 1, f"{last} = arith.constant 7 : index")
        self.emit(depth + 1, f"{i} = linalg.index 0 : index")
        self.emit(depth + 1, f"{j} = arith.subi {last}, {i} : index")
        self.emit(depth + 1, f"{y} = memref.load {table}[{j}] : {BUFFER}")
        self.emit(depth + 1, f"linalg.yield {y} : f32")
        self.emit(depth, "}")

    # Statements ------------------------------------------------------------------------------

    def statement(self, depth, env):
        if self.left <= 0:
            return
        self.left -= 1
        simple = [self.update, self.partial, self.element, self.reshape, self.dynamic_view]
        merging = [self.select, self.born, self.born, self.call, self.other_size]
        nested = [self.loop, self.loop, self.loop, self.branch, self.repeat, self.parallel]
        weights = [(simple, 4), (merging, 3), (nested, 3 if depth < 5 else 0)]
        groups, weight = zip(*weights)
        group = self.random.choices(groups, weight)[0]
        self.random.choice(group)(depth, env)

    def block(self, depth, env):
        for _ in range(self.random.randint(1, 4)):
            self.statement(depth, env)

    def born(self, depth, env):
        env.add(self.new_buffer(depth, env))

    def update(self, depth, env):
        target = env.pick_writable()
        if self.random.random() < 0.5:
            self.write(depth, env, target)
        else:
            self.elementwise(depth, env.pick(), env.pick(), target, True)

    def part(self, depth, buffer):
        value = self.fresh("p")
        offset, stride = self.random.choice([(0, 1), (4, 1), (2, 1), (0, 2), (1, 2)])
        ty = STRIDED.format(stride, offset)
        self.emit(depth, f"{value} = memref.subview {buffer}[{offset}] [4] [{stride}] : {BUFFER} to {ty}")
        return value, ty

    def partial(self, depth, env):
        a, a_type = self.part(depth, env.pick())
        b, b_type = self.part(depth, env.pick_writable())
        if self.random.random() < 0.4:
            self.emit(depth, f"linalg.fill ins({self.constant(depth)} : f32) outs({b} : {b_type})")
        else:
            self.emit(depth, f"linalg.copy ins({a} : {a_type}) outs({b} : {b_type})")

    def other_size(self, depth, env):
        """Copies part of a buffer to a buffer of another size and, after other statements, from there."""
        n = self.random.choice([3, 5, 20, 100])
        count, offset = min(n, 8), self.random.randint(0, max(0, n - 8))
        ty, part = f"memref<{n}xf32>", f"memref<{count}xf32, strided<[1], offset: {offset}>>"
        buffer, view = self.fresh("w"), self.fresh("p")
        self.emit(depth, f"{buffer} = memref.alloc() : {ty}")
        self.emit(depth, f"linalg.fill ins({self.constant(depth)} : f32) outs({buffer} : {ty})")
        self.emit(depth, f"{view} = memref.subview {buffer}[{offset}] [{count}] [1] : {ty} to {part}")
        source, target = self.fresh("p"), self.fresh("p")
        short = f"memref<{count}xf32, strided<[1]>>"
        self.emit(depth, f"{source} = memref.subview {env.pick()}[0] [{count}] [1] : {BUFFER} to {short}")
        self.emit(depth, f"linalg.copy ins({source} : {short}) outs({view} : {part})")
        self.block(depth, env)
        self.emit(depth, f"{target} = memref.subview {env.pick_writable()}[0] [{count}] [1] : {BUFFER} to {short}")
        self.emit(depth, f"linalg.copy ins({view} : {part}) outs({target} : {short})")

    def dynamic_view(self, depth, env):
        ty = STRIDED.format(1, "?")
        index, view = self.index(depth, env, 4), self.fresh("p")
        self.emit(depth, f"{view} = memref.subview {env.pick_writable()}[{index}] [4] [1] : {BUFFER} to {ty}")
        self.emit(depth, f"linalg.fill ins({self.constant(depth)} : f32) outs({view} : {ty})")

    def index(self, depth, env, limit):
        value = self.fresh("i")
        if env.indices and self.random.random() < 0.6:
            bound = self.fresh("i")
            self.emit(depth, f"{bound} = arith.constant {limit} : index")
            self.emit(depth, f"{value} = arith.remui {self.random.choice(env.indices)}, {bound} : index")
        else:
            self.emit(depth, f"{value} = arith.constant {self.random.randrange(limit)} : index")
        return value

    def element(self, depth, env):
        x = self.fresh("x")
        self.emit(depth, f"{x} = memref.load {env.pick()}[{self.index(depth, env, 8)}] : {BUFFER}")
        if self.random.random() < 0.3:
            self.block(depth, env)
        self.emit(depth, f"memref.store {x}, {env.pick_writable()}[{self.index(depth, env, 8)}] : {BUFFER}")

    def reshape(self, depth, env):
        square = "memref<2x4xf32>"
        views = []
        for buffer in (env.pick(), env.pick_writable()):
            view = self.fresh("p")
            self.emit(depth, f"{view} = memref.expand_shape {buffer} [[0, 1]] output_shape [2, 4] : {BUFFER} into {square}")
            views.append(view)
        if self.random.random() < 0.3:
            self.statement(depth, env)
        self.emit(
            depth,
            f"linalg.generic {{indexing_maps = [{SQUARE_MAP}, {SQUARE_MAP}], iterator_types = [\"parallel\", \"parallel\"]}} "
            f"ins({views[0]} : {square}) outs({views[1]} : {square}) {{",
        )
        x, y, z = self.fresh("x"), self.fresh("x"), self.fresh("x")
        self.emit(depth, f"^bb0({x}: f32, {y}: f32):")
        self.emit(depth + 1, f"{z} = arith.subf {x}, {y} : f32")
        self.emit(depth + 1, f"linalg.yield {z} : f32")
        self.emit(depth, "}")
        # Keep numbers from growing in loops.
        target = env.pick_writable()
        self.elementwise(depth, target, target, target, False)

    def condition(self, depth, env):
        if self.random.random() < 0.3:
            return "%flag"
        x, y, flag = self.fresh("x"), self.fresh("x"), self.fresh("f")
        for value in (x, y):
            self.emit(depth, f"{value} = memref.load {env.pick()}[{self.index(depth, env, 8)}] : {BUFFER}")
        self.emit(depth, f"{flag} = arith.cmpf olt, {x}, {y} : f32")
        return flag

    def select(self, depth, env):
        flag, value = self.condition(depth, env), self.fresh("s")
        self.emit(depth, f"{value} = arith.select {flag}, {env.pick()}, {env.pick()} : {BUFFER}")
        env.add(value)

    def branch(self, depth, env):
        n = self.random.randint(0, 2)
        results = [self.fresh("r") for _ in range(n)]
        head = f"{', '.join(results)} = " if n else ""
        types = f" -> ({', '.join([BUFFER] * n)})" if n else ""
        flag = self.condition(depth, env)
        self.emit(depth, f"{head}scf.if {flag}{types} {{")
        for arm in range(2):
            if arm:
                self.emit(depth, "} else {")
            inner = env.child()
            self.block(depth + 1, inner)
            values = [self.yielded(depth + 1, inner) for _ in range(n)]
            self.end(depth + 1, "scf.yield", values)
        self.emit(depth, "}")
        for result in results:
            env.add(result)

    def yielded(self, depth, env):
        if self.random.random() < 0.4:
            return self.new_buffer(depth, env)
        return env.pick()

    def end(self, depth, op, values):
        if values:
            self.emit(depth, f"{op} {', '.join(values)} : {', '.join([BUFFER] * len(values))}")

    def loop(self, depth, env):
        """A loop with up to three loop-carried buffers, which are swapped, rotated, replaced or kept."""
        n = self.random.randint(0, 3)
        carried = [self.fresh("a") for _ in range(n)]
        starts = [self.yielded(depth, env) for _ in range(n)]
        results = [self.fresh("r") for _ in range(n)]
        zero, one, end, i = (self.fresh("i") for _ in range(4))
        self.emit(depth, f"{zero} = arith.constant 0 : index")
        self.emit(depth, f"{one} = arith.constant 1 : index")
        self.emit(depth, f"{end} = arith.constant {self.random.choice([0, 1, 2, 3, 4, 5])} : index")
        head = f"{', '.join(results)} = " if n else ""
        pairs = ", ".join(f"{a} = {s}" for a, s in zip(carried, starts))
        iter_args = f" iter_args({pairs}) -> ({', '.join([BUFFER] * n)})" if n else ""
        self.emit(depth, f"{head}scf.for {i} = {zero} to {end} step {one}{iter_args} {{")
        inner = env.child()
        inner.indices.append(i)
        for a in carried:
            inner.add(a)
        self.block(depth + 1, inner)
        self.end(depth + 1, "scf.yield", self.next_round(depth + 1, inner, carried))
        self.emit(depth, "}")
        for result in results:
            env.add(result)

    def next_round(self, depth, env, carried):
        n = len(carried)
        kind = self.random.randrange(4)
        if n == 0:
            return []
        if kind == 0:
            turn = self.random.randrange(n)
            return carried[turn:] + carried[:turn]
        if kind == 1:
            return [self.new_buffer(depth, env)] + carried[:-1]
        if kind == 2:
            return self.random.sample(carried, n)
        return [self.yielded(depth, env) for _ in range(n)]

    def repeat(self, depth, env):
        """A while loop with a counter and one or two loop-carried buffers."""
        n = self.random.randint(1, 2)
        starts = [self.yielded(depth, env) for _ in range(n)]
        zero, one, end, i, j, k, flag = (self.fresh("i") for _ in range(7))
        for value, number in ((zero, 0), (one, 1), (end, self.random.randint(0, 4))):
            self.emit(depth, f"{value} = arith.constant {number} : index")
        before = [self.fresh("a") for _ in range(n)]
        after = [self.fresh("a") for _ in range(n)]
        count, results = self.fresh("i"), [self.fresh("r") for _ in range(n)]
        types = ", ".join(["index"] + [BUFFER] * n)
        names = ", ".join([count] + results)
        pairs = ", ".join(f"{a} = {s}" for a, s in zip([i] + before, [zero] + starts))
        self.emit(depth, f"{names} = scf.while ({pairs}) : ({types}) -> ({types}) {{")
        inner = env.child()
        for a in before:
            inner.add(a)
        self.block(depth + 1, inner)
        self.emit(depth + 1, f"{flag} = arith.cmpi ult, {i}, {end} : index")
        passed = self.next_round(depth + 1, inner, before)
        self.emit(depth + 1, f"scf.condition({flag}) {', '.join([i] + passed)} : {types}")
        self.emit(depth, "} do {")
        head = ", ".join(f"{a}: {t}" for a, t in zip([j] + after, ["index"] + [BUFFER] * n))
        self.emit(depth, f"^bb0({head}):")
        inner = env.child()
        inner.indices.append(j)
        for a in after:
            inner.add(a)
        self.block(depth + 1, inner)
        self.emit(depth + 1, f"{k} = arith.addi {j}, {one} : index")
        passed = self.next_round(depth + 1, inner, after)
        self.emit(depth + 1, f"scf.yield {', '.join([k] + passed)} : {types}")
        self.emit(depth, "}")
        for result in results:
            env.add(result)

    def parallel(self, depth, env):
        """A parallel loop. Each iteration reads and writes its own element, through its own buffer."""
        zero, one, end, i, x, local = (self.fresh("i") for _ in range(6))
        for value, number in ((zero, 0), (one, 1), (end, 8)):
            self.emit(depth, f"{value} = arith.constant {number} : index")
        source, target = env.pick(), self.allocate(depth)
        y = self.fresh("x")
        self.emit(depth, f"scf.parallel ({i}) = ({zero}) to ({end}) step ({one}) {{")
        self.emit(depth + 1, f"{local} = memref.alloc() : memref<f32>")
        self.emit(depth + 1, f"{x} = memref.load {source}[{i}] : {BUFFER}")
        self.emit(depth + 1, f"memref.store {x}, {local}[] : memref<f32>")
        self.emit(depth + 1, f"{y} = memref.load {local}[] : memref<f32>")
        self.emit(depth + 1, f"memref.store {y}, {target}[{i}] : {BUFFER}")
        self.emit(depth, "}")
        env.add(target)

    def call(self, depth, env):
        """Calls a private function with its own buffers, which may return an argument or a new buffer."""
        if depth > 3 and self.functions and not self.functions[-1][0]:
            return
        if len(self.functions) < 3 and self.random.random() < 0.6 and env.top:
            self.function()
        made = [f for f in self.functions if f[0]]
        if not made:
            return
        _, name, returns = self.random.choice(made)
        operands = f"({env.pick()}, {env.pick_writable()}, %flag) : ({BUFFER}, {BUFFER}, i1)"
        if returns:
            result = self.fresh("r")
            self.emit(depth, f"{result} = func.call @{name}{operands} -> {BUFFER}")
            env.add(result)
        else:
            self.emit(depth, f"func.call @{name}{operands} -> ()")

    def function(self):
        lines, self.lines = self.lines, []
        name, returns = f"f{len(self.functions)}", self.random.random() < 0.4
        self.functions.append((False, name, returns))
        result = f" -> {BUFFER}" if returns else ""
        self.emit(1, f"func.func private @{name}(%s: {BUFFER}, %t: {BUFFER}, %flag: i1){result} {{")
        env = Environment(self.random, ["%s", "%t"], ["%t"])
        self.block(2, env)
        self.update(2, env)
        if returns:
            self.emit(2, f"return {env.pick()} : {BUFFER}")
        else:
            self.emit(2, "return")
        self.emit(1, "}")
        text, self.lines = self.lines, lines
        self.functions[int(name[1:])] = (text, name, returns)

    def main(self):
        arguments = [f"%in{i}: {BUFFER}" for i in range(2)] + [f"%out{i}: {BUFFER}" for i in range(4)]
        self.emit(1, f"func.func public @main({', '.join(arguments)}, %n: index, %flag: i1) {{")
        env = Environment(self.random, ["%in0", "%in1"], ["%out3"], top=True)
        env.indices.append("%n")
        self.born(2, env)
        while self.left > 0:
            self.statement(2, env)
        for i in range(3):
            self.emit(2, f"memref.copy {env.last(i)}, %out{i} : {BUFFER} to {BUFFER}")
        self.emit(2, "return")
        self.emit(1, "}")

    def text(self):
        self.main()
        functions = [line for made, _, _ in self.functions if made for line in made]
        return "\n".join(["module {"] + self.lines + functions + ["}"]) + "\n"


class Environment:
    """The buffers that may be read in a scope, and those that may be written."""

    def __init__(self, chance, readable, writable, top=False):
        self.random, self.top = chance, top
        self.readable, self.writable, self.indices = list(readable), list(writable), []

    def child(self):
        inner = Environment(self.random, self.readable, self.writable)
        inner.indices = list(self.indices)
        return inner

    def add(self, buffer):
        self.readable.append(buffer)
        self.writable.append(buffer)

    def pick(self):
        # Prefer recent buffers.
        if self.random.random() < 0.5:
            return self.random.choice(self.readable[-3:])
        return self.random.choice(self.readable)

    def pick_writable(self):
        return self.random.choice(self.writable[-4:])

    def last(self, i):
        return self.readable[max(0, len(self.readable) - 1 - i)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seed", type=int)
    parser.add_argument("--size", type=int, default=30, help="approximate number of statements")
    arguments = parser.parse_args()
    print(Program(arguments.seed, arguments.size).text(), end="")


if __name__ == "__main__":
    main()
