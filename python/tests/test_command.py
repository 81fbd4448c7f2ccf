"""The command `python -m mem_opt`, as a user types it: output, exit status and messages."""

import json
import subprocess
import sys
from importlib import metadata, resources

import pytest

TABLE = "id,lower,upper,size,alignment\na,0,2,4096,64\nb,1,3,8192,64\nc,2,4,4096,64\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    return path


def command(*words):
    words = [sys.executable, "-m", "mem_opt", *map(str, words)]
    return subprocess.run(words, capture_output=True, text=True, timeout=60)


def test_a_table_gets_offsets(table, tmp_path):
    done = command(table)
    assert done.returncode == 0, done.stderr
    header, *rows = done.stdout.splitlines()
    assert header == "id,lower,upper,size,alignment,offset" and len(rows) == 3
    assert done.stderr.startswith("peak 12288, lower bound 12288")
    out = tmp_path / "out.json"
    assert command(table, "--json", "-o", out).returncode == 0
    assert json.loads(out.read_text())["proven_optimal"] is True
    assert "<svg" in command(table, "--svg").stdout
    assert "<html" in command(table, "--html").stdout


def test_a_capacity_that_is_too_small_is_exit_status_1(table):
    done = command(table, "--capacity", 12000)
    assert done.returncode == 1
    assert "error: no placement exists within 12000 bytes" in done.stderr
    # The best plan is written all the same.
    assert done.stdout.startswith("id,lower")


@pytest.mark.parametrize(
    "text, message",
    [
        ("id,lower,upper\n", ":1: no column 'size'"),
        (TABLE + "d,5,4,1,1\n", ":5: it ends at 4, before it begins at 5"),
        ("id,lower,upper,size\n\xff,1", ":2:"),
    ],
)
def test_bad_tables_are_exit_status_2(tmp_path, text, message):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    done = command(path)
    assert done.returncode == 2 and message in done.stderr and "Traceback" not in done.stderr


def test_bad_usage_is_exit_status_2(tmp_path, table):
    for words in [(), (tmp_path / "none.csv",), (table, "--strategy", "best"), (table, "--seed", "-1")]:
        done = command(*words)
        assert done.returncode == 2 and "Traceback" not in done.stderr, words
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"id,lower\xff\xfe")
    assert command(binary).returncode == 2


def test_the_wheel_has_types_and_a_version():
    files = resources.files("mem_opt")
    assert files.joinpath("py.typed").is_file() and files.joinpath("__init__.pyi").is_file()
    import mem_opt

    assert metadata.version("mem-opt") == mem_opt.__version__
    assert "abi3" in mem_opt._native.__file__


def test_a_capacity_may_have_a_unit(table):
    assert command(table, "--capacity", "12KiB").returncode == 0
    done = command(table, "--capacity", "0.01MiB")
    assert done.returncode == 1 and "10485" in done.stderr, done.stderr
    for text in ("12XiB", "1.5", "-1", "many"):
        done = command(table, f"--capacity={text}")
        assert done.returncode == 2 and "--capacity" in done.stderr and text in done.stderr, done.stderr
        assert "Traceback" not in done.stderr
