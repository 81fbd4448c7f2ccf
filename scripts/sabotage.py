#!/usr/bin/env python3
"""Breaks the plan of every model in every way that mem-break-plan knows, and asks who notices: writes the table in
docs/Trust.md, or checks that it says what happens now.

    scripts/sabotage.py            checks the table
    scripts/sabotage.py --write    writes it
    scripts/sabotage.py MODEL...   only says what is not caught of these (files that mem-opt can plan)

Exit status 1 if a break is not caught, or if the table is not current.
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

# Plans that are written by hand, one behind the other. Those that are wrong as they are are left out.
WRITTEN = [
    "lit-tests/passes/mem-verify-plan/levels-right.mlir",
    "lit-tests/passes/mem-verify-plan/breakable.mlir",
]

# Only who knows the program before planning can see these.
NEED_ORIGINAL = {"other-tensor", "lost-operation", "other-global", "other-attribute", "lost-name"}

# What each check says, and what it is called in the table.
CHECKS = [
    (r"the original program has|that it has in the original|has no counterpart of this", "the original"),
    (r"over its own operand|and are apart here", "operands"),
    (r"which have common bytes|in another layout", "transfers"),
    (r"which may be '.*', whose bytes|may read '.*', whose bytes", "other names"),
    (r"is handed all of an arena", "callees"),
    (r"not up to date", "contents, levels"),
    (r"is waited for|of those is waited for|that no later operation of its block waits for|is under way when", "waits"),
    (r"computes again what|to compute again what", "repetition"),
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
    """Options of the default pipeline: an arena from outside, and one inside; a fast memory of a third of that, in front of
    DRAM; for training steps half of it on a device, with a host behind it."""
    yield "arena=inside"
    yield "arena=argument"
    source = pathlib.Path(source).resolve()
    peak = levels.peaks().get(str(source).removeprefix(f"{ROOT}/models/").removesuffix(".mlir"))
    if peak:
        yield f"hierarchy={levels.HIERARCHY} noalias-arguments=true capacity={peak // 3}"
    if peak and "_train_" in source.name and "lstm" not in source.name:
        yield f"hierarchy=gpu noalias-arguments=true budget={peak // 2}"


def split(source, original, options):
    """Writes what the default pipeline makes of a program before it plans; returns the passes behind that."""
    pipeline = f"--pass-pipeline=builtin.module(mem-default-pipeline{{{options}}})"
    command = [MEM_OPT, ROOT / "examples/chain.mlir", pipeline, "--dump-pass-pipeline", "-o", os.devnull]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    passes = re.findall(r"^  (.*?),?$", said, re.M)
    planning = ("mem-plan", "mem-assign-levels", "mem-offload")
    first = next(index for index, name in enumerate(passes) if name.startswith(planning))
    done = run(passes[:first], source, original)
    assert done.returncode == 0, done.stderr[:300]
    # What the whole pipeline does is validated elsewhere: here is only the plan.
    return [name for name in passes[first:] if not name.startswith("mem-validate")]


def verify(claims, original, source, before=(), output=os.devnull):
    """Judges a plan, perhaps broken before."""
    options = " ".join(([f"original={original}"] if original else []) + claims)
    return run([*before, f"mem-verify-plan{{{options}}}"], source, output)


def break_one(plan, kind, seed):
    """None: there is nothing to break; else the name of the check that noticed, or "" if none did. A broken plan is judged as it
    is, and once more when it has been written and read back."""
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
    assert check, f"{kind}: nobody knows this check: {at_once.stderr[:300]}"
    assert check_of(done.stderr) == check, f"{kind}: judged in another way when it is read back: {done.stderr[:300]}"
    return check


@dataclasses.dataclass
class Plan:
    """A right plan, as text."""

    what: str
    file: pathlib.Path
    original: pathlib.Path | None
    claims: list[str]

    def check(self):
        """It is right when it is read, and when what was read is written and read again."""
        again = self.file.with_suffix(".again.mlir")
        first = verify(self.claims, self.original, self.file, output=again)
        second = verify(self.claims, self.original, again)
        for done in first, second:
            assert done.returncode == 0, f"{self.what}: a right plan is refused: {done.stderr[:300]}"
        again.unlink()


def break_model(source, all_kinds):
    """By kind and seed: what came of it."""
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
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda source: break_model(source, all_kinds), sources))
    results += [break_written(ROOT / source, all_kinds) for source in WRITTEN]
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
        print("docs/Trust.md is not current: scripts/sabotage.py --write")
    return 0 if is_caught and (is_current or "--write" in arguments) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
