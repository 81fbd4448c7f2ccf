#!/usr/bin/env python3
"""Runs the tutorials in docs/tutorials as they are printed, each in an empty folder.

A block after a comment with a path, `<!-- jax/step.py -->`, is a file of that name. A block marked
`bash` is run. If a block marked `text` follows, the command prints it, among other things. Tutorials
install packages from PyPI; `--environment FOLDER` uses the packages of a virtual environment
instead.

Usage: scripts/tutorials.py [--environment FOLDER] [TUTORIAL...]
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASE = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release"
BLOCK = re.compile(
    r"(?:<!-- \w+/(?P<file>\S+) -->\n)?```(?P<mark>\w+)\n(?P<text>.*?)\n```\n", re.DOTALL
)
INSTALL = re.compile(r"python3 -m venv|env/bin/pip install")


def run(command, folder):
    print("+", command, flush=True)
    path = f"{RELEASE}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    print(done.stdout, flush=True)
    if done.returncode != 0:
        sys.exit(f"status {done.returncode}: {command}")
    return done.stdout


def follow(document, environment):
    """Does what a tutorial says. Returns the number of commands."""
    printed, n_commands = "", 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if environment:
            (folder / "env").symlink_to(environment.resolve())
        for block in BLOCK.finditer(document.read_text()):
            text = block["text"]
            if block["file"]:
                (folder / block["file"]).write_text(text + "\n")
            elif block["mark"] == "bash" and not (environment and INSTALL.search(text)):
                printed = run(text, folder)
                n_commands += 1
            elif block["mark"] == "text" and text not in printed:
                sys.exit(f"{document}: not printed:\n{text}")
        for page in folder.glob("*.html"):
            # The page draws the plan that it contains.
            if not all(part in page.read_text() for part in ('<script id="data"', "buf0")):
                sys.exit(f"{document}: {page.name} has no plan")
    return n_commands


def main():
    known = {file.stem.lower(): file for file in sorted((ROOT / "docs" / "tutorials").glob("*.md"))}
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("tutorials", nargs="*", metavar="TUTORIAL", help=f"of {', '.join(known)}")
    parser.add_argument("--environment", type=pathlib.Path, help="virtual environment to use")
    arguments = parser.parse_args()
    unknown = set(arguments.tutorials) - set(known)
    if unknown:
        parser.error(f"no such tutorial: {', '.join(sorted(unknown))}")
    for name in arguments.tutorials or known:
        n_commands = follow(known[name], arguments.environment)
        if n_commands == 0:
            sys.exit(f"{known[name]}: no commands")
        print(f"{name}: {n_commands} commands ran")


if __name__ == "__main__":
    main()
