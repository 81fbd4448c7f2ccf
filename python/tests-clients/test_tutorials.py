"""The tutorials and the README of the package: the Python blocks of a page run one after the other as one
program, and each prints what the page shows after it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: The frameworks that they need are in this environment.
PAGES = [
    "docs/tutorials/ExecuTorch.md",
    "docs/tutorials/TrainingBudget.md",
    "docs/tutorials/TFLiteMicro.md",
    "python/README.md",
]


def blocks(text):
    """Pairs of mark and text of the fenced blocks; a block that shows an output has the mark `prints`."""
    found, mark, before, lines = [], None, "", []
    for line in text.splitlines():
        if line.startswith("```"):
            if mark is None:
                mark, lines = line[3:], []
                mark = "prints" if before == "<!-- prints -->" else mark
            else:
                found.append((mark, "\n".join(lines)))
                mark = None
        elif mark is not None:
            lines.append(line)
        if line:
            before = line
    return found


@pytest.mark.parametrize("page", PAGES)
def test_the_programs_print_what_the_page_shows(page, tmp_path):
    parts, expected = [], []
    for mark, text in blocks((ROOT / page).read_text()):
        if mark == "python":
            parts.append(text)
        elif mark == "prints":
            expected.append(text)
    assert parts and len(expected) <= len(parts)
    program = tmp_path / "tutorial.py"
    program.write_text("\n".join(parts))
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    words = [sys.executable, str(program)]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == "\n".join(expected).splitlines()
