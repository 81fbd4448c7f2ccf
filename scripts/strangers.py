#!/usr/bin/env python3
"""Runs the pipelines on every example in the documentation of MLIR's own operations.

    scripts/strangers.py             all dialects; prints a table
    scripts/strangers.py memref scf  only these dialects
    scripts/strangers.py --write     also writes the table to docs/Trust.md

The examples come from the installed .td files. Most are incomplete fragments, which the script completes. It wraps a fragment
in a function whose arguments are the undefined values, with types derived from the parser's diagnostics. It declares callees,
removes ellipses, and adds the dialect to abbreviated operation names. If a fragment still does not parse as a whole, the
script tries each paragraph, and then each line. Every program that parses must be accepted, or rejected with a diagnostic.

The exit status is 1 if a program crashes, hangs or panics, fails without a diagnostic, or causes an internal error. Such
programs are kept, and their paths are printed.
"""

import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import models

MEM_OPT = models.RELEASE / "mem-opt"
INCLUDE = pathlib.Path(os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22")) / "include/mlir/Dialect"
DIALECTS = {
    "memref": "MemRef",
    "linalg": "Linalg",
    "scf": "SCF",
    "cf": "ControlFlow",
    "bufferization": "Bufferization",
    "vector": "Vector",
    "affine": "Affine",
    "async": "Async",
    "gpu": "GPU",
    "func": "Func",
    "tensor": "Tensor",
    "arith": "Arith",
}
PIPELINES = ["mem-to-memref-pipeline", "mem-default-pipeline{optimize=false}"]
CRASHES = ["panicked", "PLEASE submit a bug report", "internal error", "Stack dump", "stack backtrace"]
SECONDS = 20
TABLE = models.ROOT / "docs/Trust.md"


def examples(folder):
    """Yields the fenced code blocks of .td files."""
    for file in sorted((INCLUDE / folder).rglob("*.td")):
        text = file.read_text(errors="replace")
        for number, match in enumerate(re.finditer(r"```(?:mlir|)[ \t]*\n(.*?)```", text, re.S)):
            yield f"{file.stem}.{number}", match[1]


SHORT = {
    "load": "memref.load",
    "store": "memref.store",
    "alloc": "memref.alloc",
    "dealloc": "memref.dealloc",
    "call": "func.call",
    "addf": "arith.addf",
    "addi": "arith.addi",
    "mulf": "arith.mulf",
    "muli": "arith.muli",
    "constant": "arith.constant",
}


def tidied(fragment):
    """Removes or replaces the parts of a fragment that no parser accepts."""
    lines = []
    for line in fragment.split("\n"):
        line = re.sub(r"//.*", "", line)
        line = re.sub(r"(%[\w$#]+(?::\d+)?) = \.\.\. *: *(\S.*)$", r'\1 = "test.made"() : () -> (\2)', line)
        if re.search(r"(= |^\s*)\.\.\.\s*$", line):
            continue
        for short, name in SHORT.items():
            line = re.sub(rf"(^\s*|= ){short}(?=[ (])", rf"\1{name}", line)
        lines.append(line)
    return "\n".join(lines)


def declarations(fragment):
    """Returns declarations of functions that a fragment calls but does not define."""
    pattern = r"call @([\w$.]+)\([^\n]*?\)\s*:\s*(\([^\n]*?\)\s*->\s*(?:\([^\n]*?\)|[^\s{,]+))"
    there = set(re.findall(r"func[^\n]* @([\w$.]+)", fragment))
    wanted = {name: ty for name, ty in re.findall(pattern, fragment) if name not in there}
    return "".join(f"func.func private @{name}{ty}\n" for name, ty in wanted.items())


def pieces(fragment):
    """Returns modules that parse: the whole fragment, or those of its parts that do."""
    if whole := completed(fragment):
        return [whole]
    fragment = tidied(fragment)
    found = completed(fragment)
    if found:
        return [found]
    parts = [part for part in re.split(r"\n\s*\n", fragment) if part.strip()]
    if len(parts) > 1:
        return [piece for part in parts for piece in pieces_of(part)]
    return pieces_of(fragment)


def pieces_of(part):
    whole = completed(part)
    if whole:
        return [whole]
    lines = [line for line in part.split("\n") if line.strip()]
    return [piece for line in lines if len(lines) > 1 and (piece := completed(line))]


def run(source, pipeline=""):
    passes = [f"--pass-pipeline=builtin.module({pipeline})"] if pipeline else []
    command = [MEM_OPT, "--allow-unregistered-dialect", *passes, "-o", os.devnull]
    try:
        return subprocess.run(command, input=source, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None


def completed(fragment):
    """Returns the fragment as a module that parses, or None."""
    if is_whole(fragment):
        return fragment
    types = collections.OrderedDict()
    for _ in range(60):
        arguments = ", ".join(f"{name}: {ty}" for name, ty in types.items())
        source = f"func.func @example({arguments}) {{\n{fragment}\nreturn\n}}\n{declarations(fragment)}"
        done = run(source)
        if done is None:
            return None
        if done.returncode == 0:
            return source
        said = done.stderr
        if undeclared := re.search(r"use of undeclared SSA value name", said):
            line, column = map(int, re.search(r"<stdin>:(\d+):(\d+): error: use of undeclared", said).groups())
            name = re.match(r"%[\w$.#-]+", source.split("\n")[line - 1][column - 1 :])
            if not name or name[0].split("#")[0] in types:
                return None
            types[name[0].split("#")[0]] = "index"
        elif wrong := re.search(r"use of value '(%[\w$.-]+)' expects different type than prior uses: '(.*?)' vs '(.*?)'", said):
            if wrong[1] not in types or types[wrong[1]] == wrong[2]:
                return None
            types[wrong[1]] = wrong[2]
        else:
            return None
    return None


def is_whole(fragment):
    done = run(fragment)
    return done is not None and done.returncode == 0 and re.search(r"\bfunc\.func\b", fragment)


def verdict(source):
    """Returns "planned", "nothing to plan", "refused", or the kind of failure."""
    best = "nothing to plan"
    for pipeline in PIPELINES:
        done = run(source, pipeline)
        if done is None:
            return "hangs"
        if done.returncode not in (0, 1) or any(word in done.stderr for word in CRASHES):
            return "crashes"
        if done.returncode == 1:
            if not re.search(r"<stdin>:\d+:\d+: error: ", done.stderr):
                return "fails without a diagnostic"
            best = "refused"
        elif best != "refused" and "nothing to plan" not in done.stderr:
            best = "planned"
    return best


def look_at(item):
    dialect, name, fragment = item
    found = pieces(fragment)
    # The worst verdict; if all are acceptable, the most informative.
    order = ["crashes", "hangs", "fails without a diagnostic", "refused", "planned", "nothing to plan"]
    verdicts = sorted(((verdict(source), source) for source in found), key=lambda v: order.index(v[0]))
    what, source = verdicts[0] if verdicts else ("does not parse", None)
    return dialect, name, source, what, len(found)


def main(arguments):
    names = [name for name in arguments if not name.startswith("--")] or list(DIALECTS)
    items = [(dialect, *example) for dialect in names for example in examples(DIALECTS[dialect])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(look_at, items))
    good = ["planned", "nothing to plan", "refused", "does not parse"]
    counts = {dialect: collections.Counter() for dialect in names}
    scratch = None
    n_programs = collections.Counter()
    for dialect, name, source, what, n_pieces in results:
        counts[dialect][what] += 1
        n_programs[dialect] += n_pieces
        if what not in good:
            scratch = scratch or pathlib.Path(tempfile.mkdtemp(prefix="strangers-"))
            file = scratch / f"{dialect}.{name}.mlir"
            file.write_text(source)
            print(f"{what}: {file}")
    text = "| dialect | examples | parse | programs | planned | nothing to plan | refused | anything else |\n"
    text += "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
    for dialect, count in counts.items():
        total = sum(count.values())
        other = total - sum(count[what] for what in good)
        parse = total - count["does not parse"]
        numbers = [total, parse, n_programs[dialect], *(count[what] for what in good[:3]), other]
        text += f"| {dialect} | {' | '.join(map(str, numbers))} |\n"
    print(text, end="")
    if "--write" in arguments:
        models.write_block(TABLE, "strangers", text)
    return 1 if scratch else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
