#!/usr/bin/env python3
"""Tests the crates as they are published, and Rust projects that use them.

1. `cargo publish --dry-run` packs every crate that needs no MLIR, and `cargo package` the crate mem-opt.
2. The packed crates are built, each against the others as they are packed.
3. The projects that docs/Embedding.md describes are written to an empty folder: the files are the
   blocks of the document after comments with their paths. They build against the packed crates,
   which stand in for a registry, and print what they should.

Usage: scripts/crates.py
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
FILE = re.compile(r"<!-- (\S+/\S+) -->\n```\w+\n(.*?)\n```\n", re.DOTALL)
EXPECTED = {
    "planner": ["buffer 0 at ", "buffer 1 at ", "buffer 2 at ", "peak 96, lower bound 96"],
    "embedder": ['mem.arena "arena", 256', "bufferize.result"],
}


def cargo(*arguments, folder=ROOT, **options):
    print("+ cargo", *arguments, flush=True)
    return subprocess.run(["cargo", *arguments], cwd=folder, check=True, text=True, **options)


def crates():
    """The published crates of the workspace that need no MLIR, and those that do."""
    metadata = json.loads(cargo("metadata", "--format-version=1", stdout=subprocess.PIPE).stdout)
    names = {package["id"]: package["name"] for package in metadata["packages"]}
    needs = {
        node["id"]: [d["pkg"] for d in node["deps"] if any(k["kind"] is None for k in d["dep_kinds"])]
        for node in metadata["resolve"]["nodes"]
    }

    def reaches_mlir(package, seen):
        if package in seen:
            return False
        seen.add(package)
        return names[package] == "mlir-sys" or any(reaches_mlir(p, seen) for p in needs[package])

    pure, with_mlir = [], []
    for package in metadata["packages"]:
        if package["id"] in metadata["workspace_members"] and package["publish"] != []:
            (with_mlir if reaches_mlir(package["id"], set()) else pure).append(package["name"])
    return sorted(pure), sorted(with_mlir)


def select(names):
    return [argument for name in names for argument in ("--package", name)]


def version():
    return re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]


def unpack(names, folder):
    """Unpacks the packed crates, and returns the part of a manifest that makes cargo use them."""
    folder.mkdir()
    lines = ["", "[patch.crates-io]"]
    for name in names:
        packed = TARGET / "package" / f"{name}-{version()}.crate"
        subprocess.run(["tar", "-xzf", packed, "-C", folder], check=True)
        lines.append(f'{name} = {{ path = "{folder}/{name}-{version()}" }}')
    return "\n".join(lines) + "\n"


def run(command, project, folder):
    """Runs cargo on a project in the folder. All of them share what they build."""
    # What is compiled is not debugged.
    environment = {
        **os.environ,
        "CARGO_TARGET_DIR": str(folder / "target"),
        "CARGO_PROFILE_DEV_DEBUG": "0",
        "CARGO_INCREMENTAL": "0",
    }
    return cargo(*command, folder=project, env=environment, stdout=subprocess.PIPE).stdout


def main():
    pure, with_mlir = crates()
    assert "mem-planner" in pure and "mem-opt" in with_mlir, (pure, with_mlir)
    # They are built below, once. Cargo would build each as often as it is packed into another one.
    cargo("publish", "--dry-run", "--allow-dirty", "--no-verify", "--quiet", *select(pure))
    # A crate that depends on others of the workspace can be packed only together with them.
    cargo("package", "--allow-dirty", "--no-verify", "--quiet", *select([*pure, "mem-opt"]))

    document = (ROOT / "docs" / "Embedding.md").read_text()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        registry = folder / "registry"
        patch = unpack([*pure, "mem-opt"], registry)
        members = ", ".join(f'"{name}-{version()}"' for name in pure)
        (registry / "Cargo.toml").write_text(f'[workspace]\nresolver = "3"\nmembers = [{members}]\n{patch}')
        run(["build", "--quiet"], registry, folder)
        # The crate mem-opt, on which a project depends, is in no workspace.
        (registry / "Cargo.toml").unlink()
        print("packed crates: ok")

        for name, text in FILE.findall(document):
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            is_manifest = file.name == "Cargo.toml"
            file.write_text(text + "\n" + (patch if is_manifest else ""))
        for project, lines in EXPECTED.items():
            output = run(["run", "--quiet"], folder / project, folder)
            missing = [line for line in lines if line not in output]
            if missing:
                sys.exit(f"{project} did not print {missing}:\n{output}")
            print(f"{project}: ok")


if __name__ == "__main__":
    main()
