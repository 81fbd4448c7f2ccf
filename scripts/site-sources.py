#!/usr/bin/env python3
"""Writes the sources of the documentation site: the documents, with a table of contents.

Documents link to files of the repository, as they do where the repository is shown. On the site, links between
documents stay, and every other file that a document names is copied beside them, so that all links lead
somewhere without a network.

Usage: scripts/site-sources.py FOLDER
"""

import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What a reader wants first; the other documents follow under "Design and comparisons".
PARTS = {
    "Use": ["Models", "Hierarchies", "Training", "TrainingSmall", "TrainingSimulated", "Distributed", "Viewers",
            "Remarks", "Commands"],
    "Reference": ["Passes", "Dialect", "Dependence", "Embedding", "FirstPass", "GLOSSARY"],
}
# At the end, without numbers. mdBook turns links to documents into links to pages, so all that are linked are here.
OTHERS = {
    "Python package": "python/README.md",
    "Instances": "instances/README.md",
    "Data of the pages of plans": "crates/mem-view/SCHEMA.md",
    "Contributing": "CONTRIBUTING.md",
    "Changelog": "CHANGELOG.md",
    "Security": "SECURITY.md",
}
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")


def title(document):
    """The first heading of a document."""
    for line in document.read_text().splitlines():
        if line.startswith("# "):
            return line[2:].strip()
    return document.stem


def contents(documents):
    """The table of contents: the README, tutorials, and the parts above."""
    named = {document.stem: document for document in documents}
    tutorials = [own for own in documents if own.parent.name == "tutorials"]
    parts = {"Tutorials": tutorials}
    for part, names in PARTS.items():
        parts[part] = [named[name] for name in names if name in named]
    rest = set(documents).difference(*parts.values())
    parts["Design and comparisons"] = sorted(rest)
    lines = ["# Summary", "", "[mem-opt](README.md)"]
    for part, members in parts.items():
        lines += ["", f"# {part}", ""]
        lines += [f"- [{title(own)}]({own.relative_to(ROOT)})" for own in members]
    lines += ["", "---", "", *(f"[{name}]({path})" for name, path in OTHERS.items())]
    return "\n".join(lines) + "\n"


def index_link(link):
    """A link to the README of a folder, of which mdBook makes the index of the folder without changing links."""
    return link[0] if "://" in link[2] else link[0].replace("/README.md", "/index.md")


def main():
    target = pathlib.Path(sys.argv[1])
    documents = sorted((ROOT / "docs").rglob("*.md"))
    others = [ROOT / name for name in ("README.md", *OTHERS.values())]
    (target / "SUMMARY.md").write_text(contents(documents))
    in_book = {*documents, *others}
    for document in in_book:
        copy = target / document.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = document.read_text()
        for match in LINK.finditer(text):
            linked = match.group(2)
            if "://" in linked or linked.startswith("mailto:"):
                continue
            path = (document.parent / linked).resolve()
            if path in in_book or not path.is_relative_to(ROOT):
                continue
            beside = target / path.relative_to(ROOT)
            beside.parent.mkdir(parents=True, exist_ok=True)
            if path.is_file():
                shutil.copyfile(path, beside)
            elif path.is_dir():
                beside.mkdir(exist_ok=True)
                names = sorted(own.name for own in path.iterdir())
                (beside / "index.html").write_text("<pre>" + "\n".join(names) + "</pre>\n")
        copy.write_text(LINK.sub(index_link, text))


if __name__ == "__main__":
    main()
