#!/usr/bin/env python3
"""Compares the plans of `mem-plan` for random training graphs within a budget with those of integer programming.

    scripts/exact-recomputation.py [--cases 100] [--seed 0] [--steps 16 40] [--seconds 60]

The graphs have a forward part with branches, and a backward part that needs its tensors. The integer program is that of
Checkmate (Jain et al., MLSys 2020), solved by HiGHS (`pip install highspy`): before each operation, any subset of the
earlier ones may be repeated, in the order of the program. It counts bytes; `mem-plan` finds addresses as well. Cases that
are not solved within the time limit are left out, and counted.

Prints the mean and the worst ratio of the operations of both. The exit status is 1 if the mean is above 1.01, a ratio above
1.05, or a plan is missing.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOL = os.environ.get("MEM_PLAN", ROOT / "target/release/mem-plan")
UNIT = 64


def graph(rng, n_steps):
    """Returns the operations of a random training step: cost, bytes of the result, and operands."""
    n_forward = n_steps // 2
    steps = []
    for step in range(n_forward):
        operands = {step - 1} if step else set()
        if step > 1 and rng.random() < 0.3:
            operands.add(rng.randrange(max(0, step - 6), step))
        steps.append((rng.choice((1, 2, 5, 20)), UNIT * rng.randint(1, 8), operands))
    # The gradient of an operation needs that of its users, its operands, and sometimes its result.
    gradient = {}
    for step in reversed(range(n_forward)):
        users = [other for other in range(n_forward) if step in steps[other][2]]
        operands = {gradient[user] for user in users} | set(steps[step][2])
        if rng.random() < 0.5 or not operands:
            operands.add(step)
        gradient[step] = len(steps)
        cost, size, _ = steps[step]
        steps.append((2 * cost, size, operands))
    return steps


def peak(steps):
    """Returns the bytes that are live at most without repetition."""
    last = {step: max([step] + [other for other in range(len(steps)) if step in steps[other][2]]) for step in range(len(steps))}
    return max(sum(steps[own][1] for own in range(step + 1) if last[own] >= step) for step in range(len(steps)))


def optimum(steps, budget, seconds):
    """Returns the least cost of an execution within a budget; None if there is none, NaN if the time is up."""
    import highspy

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("time_limit", float(seconds))
    solver.setOptionValue("threads", 1)
    n = len(steps)
    flag = lambda cost: solver.addVariable(0, 1, cost, highspy.HighsVarType.kInteger)
    # Stage t ends with the first execution of step t. `runs` has the steps that it executes, `kept` those whose results
    # it finds in memory.
    runs = [[flag(steps[step][0]) for step in range(stage + 1)] for stage in range(n)]
    kept = [[flag(0) for _ in range(stage)] for stage in range(n)] + [[0] * n]
    users = [[other for other in range(n) if step in steps[other][2]] for step in range(n)]
    for stage in range(n):
        solver.addConstr(runs[stage][stage] == 1)
        for step in range(stage + 1):
            for operand in steps[step][2]:
                solver.addConstr(runs[stage][step] <= runs[stage][operand] + kept[stage][operand])
        for step in range(stage):
            before = kept[stage - 1][step] if step < stage - 1 else 0
            solver.addConstr(kept[stage][step] <= runs[stage - 1][step] + before)
        used = sum(steps[step][1] * kept[stage][step] for step in range(stage))
        for step in range(stage + 1):
            used = used + steps[step][1] * runs[stage][step]
            solver.addConstr(used <= budget)
            for own in sorted(steps[step][2] | {step}):
                # The last user within the stage frees what the next stage does not find.
                ends = flag(0)
                solver.addConstr(ends <= runs[stage][step])
                if stage + 1 < n:
                    solver.addConstr(ends + kept[stage + 1][own] <= 1)
                for user in users[own]:
                    if step < user <= stage:
                        solver.addConstr(ends + runs[stage][user] <= 1)
                used = used - steps[own][1] * ends
    solver.run()
    status = solver.getModelStatus()
    if status == highspy.HighsModelStatus.kOptimal:
        return round(solver.getInfo().objective_function_value)
    return None if status == highspy.HighsModelStatus.kInfeasible else float("nan")


def planned(steps, budget):
    """Returns the cost of the plan of `mem-plan`; None if it finds none."""
    lines = [f"t {size}" for _, size, _ in steps]
    for step, (cost, _, operands) in enumerate(steps):
        lines.append(f"s {cost} 1 r {','.join(map(str, sorted(operands)))} w {step}")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "graph.fx")
        path.write_text("\n".join(lines) + "\n")
        done = subprocess.run([TOOL, path, "--budget", str(budget), "--json"], capture_output=True, text=True)
    return json.loads(done.stdout)["operations"] if done.returncode == 0 else None


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, nargs=2, default=(16, 40), metavar=("FROM", "TO"))
    parser.add_argument("--seconds", type=float, default=60)
    wants = parser.parse_args(arguments)
    ratios, unsolved, impossible, missing = [], 0, 0, 0
    for seed in range(wants.seed, wants.seed + wants.cases):
        rng = random.Random(seed)
        steps = graph(rng, rng.randint(*wants.steps))
        widest = max(size + sum(steps[operand][1] for operand in operands) for _, size, operands in steps)
        most = peak(steps)
        budget = widest + int((most - widest) * rng.random()) // UNIT * UNIT
        best, own = optimum(steps, budget, wants.seconds), planned(steps, budget)
        if best is None:
            impossible += 1
        elif best != best:
            unsolved += 1
        elif own is None:
            missing += 1
            print(f"seed {seed}: {len(steps)} steps within {budget} of {most} bytes: no plan, {best} is possible", flush=True)
        else:
            ratios.append(own / best)
            if own != best:
                print(f"seed {seed}: {len(steps)} steps within {budget} of {most} bytes: {own}, {best} is possible", flush=True)
    mean, worst = (sum(ratios) / len(ratios), max(ratios)) if ratios else (1, 1)
    print(f"{len(ratios)} cases: mean {mean:.5f}, worst {worst:.4f}; {missing} without a plan; "
          f"{impossible} impossible, {unsolved} not solved")
    return 1 if mean > 1.01 or worst > 1.05 or missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
