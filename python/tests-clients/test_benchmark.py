"""The benchmark of training steps, on small networks and the CPU: every network within half of its peak,
with equal gradients. A method that stops working, or a budget that is not kept, would fail here."""

import subprocess
import sys
from pathlib import Path

BENCHMARK = Path(__file__).parents[1] / "benchmarks" / "training.py"


def test_every_network_within_a_half(tmp_path):
    page = tmp_path / "table.md"
    words = ["--small", "--device", "cpu", "--methods", "mem_opt", "checkpoint", "--write", str(page)]
    command = [sys.executable, "-W", "ignore", str(BENCHMARK), *words, "--steps", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert text.strip() == done.stdout.strip()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    unlimited = [row for row in rows if row[1] == "no limit"]
    ours = [row for row in rows if row[1] == "mem_opt"]
    assert len(unlimited) == len(ours) == 6 and sum(row[1] == "checkpoint" for row in rows) == 6
    for row, free in zip(ours, unlimited):
        peak, limit = (float(own[3].replace(",", "")) for own in (row, free))
        assert row[6] == free[6] == "equal", row
        # Rounded to hundredths of a MiB.
        assert peak <= 1.02 * limit / 2 + 0.01, row


def test_the_largest_batch_is_found(tmp_path):
    words = ["--small", "--device", "cpu", "--networks", "gpt2-small", "--methods", "checkpoint", "--batches"]
    command = [sys.executable, "-W", "ignore", str(BENCHMARK), *words, "--steps", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    found = [line.split("|") for line in done.stdout.splitlines() if line.startswith("| checkpoint |")]
    (row,) = [cells for cells in found if cells[2].strip().isdigit()]
    assert int(row[2]) > 8
