"""Plans that repeat operations against integer programming, on graphs that are small enough for it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_plans_are_as_short_as_those_of_integer_programming():
    subprocess.run(["cargo", "build", "--quiet", "--release", "--package", "mem-plan"], cwd=ROOT, check=True)
    script = ROOT / "scripts/exact-recomputation.py"
    cases = ["--cases", "20", "--steps", "8", "14", "--seed", "1000"]
    done = subprocess.run([sys.executable, script, *cases], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mean 1.00000" in done.stdout, done.stdout
