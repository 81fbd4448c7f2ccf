"""docs/StaticPlanner.md, which compares with MLIR's static memory planner, is current."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_document_is_current():
    subprocess.run(["cargo", "build", "--quiet", "--release", "--package", "mem-tools"], cwd=ROOT, check=True)
    environment = {**os.environ, "IREE_OPT": str(Path(sys.executable).with_name("iree-opt"))}
    script = ROOT / "scripts/compare-static-planner.py"
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
