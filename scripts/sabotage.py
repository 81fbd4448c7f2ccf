#!/usr/bin/env python3
"""Breaks the plan of every model in every way that mem-break-plan provides, and records which check catches the break.
Maintains the table in docs/Trust.md.

    scripts/sabotage.py            checks that the table is current
    scripts/sabotage.py --write    writes the table
    scripts/sabotage.py MODEL...   only reports the breaks of these files that are not caught

The exit status is 1 if a break is not caught, or if the table is not current.
"""

import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import levels
import models

ROOT = models.ROOT
MEM_OPT = os.environ.get("MEM_OPT", models.RELEASE / "mem-opt")
TABLE = ROOT / "docs/Trust.md"
SEEDS = range(3)
EXTRA = [
    "lit-tests/run/sizes.mlir",
    "lit-tests/run/arena-argument.mlir",
    "examples/rotation.mlir",
    "lit-tests/passes/mem-break-plan/Inputs/globals.mlir",
]

# Programs with these kinds of breaks, which no other program has. Their other breaks are not counted.
EXCHANGES = ["lit-tests/passes/mem-break-plan/Inputs/exchanges.mlir",
             "lit-tests/passes/mem-break-plan/Inputs/exchanges-carried.mlir"]
OF_EXCHANGES = {"lost-request-wait", "late-request-wait", "onto-request", "early-result",
                "early-request-wait", "swapped-messages"}

# Files of hand-written plans, separated by `// -----`. All of the plans are correct.
WRITTEN = [
    "lit-tests/passes/mem-verify-plan/levels-right.mlir",
    "lit-tests/passes/mem-verify-plan/breakable.mlir",
]

# These breaks can be detected only by a comparison with the original program.
NEED_ORIGINAL = {"other-tensor", "lost-operation", "other-global", "other-attribute", "lost-name", "late-request-wait", "early-result",
                 "early-request-wait", "swapped-messages"}

# The diagnostics of each check, and the check's name in the table.
CHECKS = [
    (r"has the memory space of level|like an arena in level|but its arena has", "memory spaces"),
    (r"the original program has|that it has in the original|has no counterpart of this", "the original"),
    (r"over its own operand|and are apart here", "operands"),
    (r"which have common bytes|in another layout", "transfers"),
    (r"which may be '.*', whose bytes|may read '.*', whose bytes", "other names"),
    (r"is handed all of an arena", "callees"),
    (r"not up to date", "contents, levels"),
    (r"is waited for|of those is waited for|that is not waited for on every path|is under way when", "waits"),
    (r"recomputes what|is marked as a repetition", "repetition"),
    (r"over which a later instance", "contents, instances"),
    (r"reads '.*', over which", "contents"),
    (r"the slots of .* overlap|too few to keep away", "slots"),
    (r"'mem\.\w+' op ", "the operation's verifier"),
    (r"is not a multiple of|asks for an alignment|needs an alignment", "alignment"),
    (r"are outside the|have no address", "bounds"),
    (r"needs \d+ bytes, and is handed", "callees"),
    (r"states an arena of", "statements"),
    (r"claims that no plan", "statements"),
    (r"in level '", "capacity"),
]


def kinds():
    said = run(["mem-break-plan{kind=?}"], ROOT / "examples/chain.mlir").stderr
    return re.search(r"there are (.*)", said)[1].split(", ")


def run(passes, source, output=os.devnull):
    pipeline = f"--pass-pipeline=builtin.module({','.join(passes)})"
    command = [MEM_OPT, source, pipeline, "-o", output]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


def check_of(said):
    for pattern, name in CHECKS:
        if re.search(f"error: .*({pattern})", said):
            return name
    return None


def variants(source):
    """Yields options of the default pipeline: an arena inside the function; an arena as an argument; DRAM and a fast memory of
    a third of the peak; for training steps, a device with a budget of half of the peak."""
    yield "arena=inside"
    yield "arena=argument"
    source = pathlib.Path(source).resolve()
    peak = levels.peaks().get(str(source).removeprefix(f"{ROOT}/models/").removesuffix(".mlir"))
    if peak:
        yield f"hierarchy={levels.HIERARCHY} noalias-arguments=true capacity={peak // 3}"
    if peak and "_train_" in source.name and "lstm" not in source.name:
        yield f"hierarchy=gpu noalias-arguments=true budget={peak // 2}"


def split(source, original, options):
    """Runs the passes of the default pipeline before planning and writes the result to `original`. Returns the other passes."""
    pipeline = f"--pass-pipeline=builtin.module(mem-default-pipeline{{{options}}})"
    command = [MEM_OPT, ROOT / "examples/chain.mlir", pipeline, "--dump-pass-pipeline", "-o", os.devnull]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    passes = re.findall(r"^  (.*?),?$", said, re.M)
    planning = ("mem-plan", "mem-assign-levels", "mem-offload")
    first = next(index for index, name in enumerate(passes) if name.startswith(planning))
    done = run(passes[:first], source, original)
    assert done.returncode == 0, done.stderr[:300]
    # This script only tests the plan. Other tests validate the whole pipeline.
    return [name for name in passes[first:] if not name.startswith("mem-validate")]


def verify(claims, original, source, before=(), output=os.devnull):
    """Verifies a plan. The passes `before` may break the plan first."""
    options = " ".join(([f"original={original}"] if original else []) + claims)
    return run([*before, f"mem-verify-plan{{{options}}}"], source, output)


def break_one(plan, kind, seed):
    """Breaks a plan. Returns the name of the check that catches the break, "" if none does, or None if there is nothing to
    break. The broken plan is verified at once, and again after it has been printed and parsed."""
    # The verifier is told that no two arguments share a byte, so dropping that statement breaks nothing.
    if kind == "not-disjoint" and "noalias-arguments=true" in plan.claims:
        return None
    breaking = f"mem-break-plan{{kind={kind} seed={seed}}}"
    at_once = verify(plan.claims, plan.original, plan.file, [breaking])
    if "there is nothing to break" in at_once.stderr:
        return None
    text = plan.file.with_name(f"{plan.file.stem}-{kind}-{seed}.mlir")
    done = run([breaking], plan.file, text)
    if done.returncode == 0:
        done = verify(plan.claims, plan.original, text)
    text.unlink(missing_ok=True)
    if at_once.returncode == 0 or done.returncode == 0:
        return ""
    check = check_of(at_once.stderr)
    assert check, f"{kind}: unknown check: {at_once.stderr[:300]}"
    assert check_of(done.stderr) == check, f"{kind}: another check fails after parsing: {done.stderr[:300]}"
    return check


@dataclasses.dataclass
class Plan:
    """A correct plan, as a file."""

    what: str
    file: pathlib.Path
    original: pathlib.Path | None
    claims: list[str]

    def check(self):
        """Asserts that the plan is accepted, and accepted again after it has been printed and parsed."""
        again = self.file.with_suffix(".again.mlir")
        first = verify(self.claims, self.original, self.file, output=again)
        second = verify(self.claims, self.original, again)
        for done in first, second:
            assert done.returncode == 0, f"{self.what}: a correct plan is rejected: {done.stderr[:300]}"
        again.unlink()


def break_model(source, all_kinds):
    """Breaks the plans of one program. Returns the kind and the check of each break."""
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        for number, options in enumerate(variants(source)):
            planned = pathlib.Path(scratch) / f"{number}.mlir"
            original = pathlib.Path(scratch) / f"{number}-original.mlir"
            done = run(split(source, original, options), original, planned)
            assert done.returncode == 0, done.stderr[:300]
            claims = [option for option in options.split() if option.startswith("noalias-arguments=")]
            found += break_all(Plan(f"{source}, {options}", planned, original, claims), all_kinds)
    return found


def break_written(source, all_kinds):
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        for number, part in enumerate(source.read_text().split("// -----")):
            planned = pathlib.Path(scratch) / f"{number}.mlir"
            planned.write_text(part)
            found += break_all(Plan(f"{source}, part {number}", planned, None, []), all_kinds)
    return found


def break_all(plan, all_kinds):
    plan.check()
    found = []
    for kind in all_kinds:
        for seed in SEEDS:
            if kind in NEED_ORIGINAL and not plan.original:
                break
            check = break_one(plan, kind, seed)
            if check is None:
                break
            found.append((kind, check))
            if not check:
                print(f"{plan.what}: {kind}, seed {seed} is not caught")
    return found


def table(results, all_kinds):
    text = "| kind | programs | breaks | caught | by |\n| --- | ---: | ---: | ---: | --- |\n"
    for kind in all_kinds:
        of_kind = [[check for k, check in found if k == kind] for found in results]
        checks = collections.Counter(check for found in of_kind for check in found)
        total, missed = sum(checks.values()), checks.pop("", 0)
        by = ", ".join(f"{name} {count}" for name, count in checks.most_common())
        programs = sum(bool(found) for found in of_kind)
        text += f"| {kind} | {programs} | {total} | {total - missed} | {by} |\n"
    return text


def main(arguments):
    all_kinds = kinds()
    given = [argument for argument in arguments if not argument.startswith("--")]
    sources = given or [models.source(model) for model in models.models()]
    if not given:
        sources += [ROOT / name for name in EXTRA if (ROOT / name).exists()]
    others = [kind for kind in all_kinds if kind not in OF_EXCHANGES]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda source: break_model(source, all_kinds if given else others), sources))
    if not given:
        results.extend(break_model(ROOT / own, sorted(OF_EXCHANGES)) for own in EXCHANGES)
    results += [break_written(ROOT / source, others) for source in WRITTEN]
    is_caught = all(check for found in results for _, check in found)
    if given:
        breaks = collections.Counter(kind for found in results for kind, _ in found)
        print(f"{sum(breaks.values())} breaks of {len(breaks)} kinds, {'all caught' if is_caught else 'not all caught'}")
        return 0 if is_caught else 1
    new = table(results, all_kinds)
    is_current = models.block(TABLE, "sabotage")[1] == new
    if "--write" in arguments:
        models.write_block(TABLE, "sabotage", new)
    elif not is_current:
        print("docs/Trust.md is out of date; `scripts/sabotage.py --write` writes it anew")
    return 0 if is_caught and (is_current or "--write" in arguments) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
