"""Documents that scripts generate: each is either written, or compared with what it would be."""

import pathlib

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"


def keep(name, text, words):
    """Writes a document if `words`, the arguments of the script, ask for it; otherwise checks that it is current.
    Returns the exit status."""
    path = DOCS / name
    if "--write" in words:
        path.write_text(text)
        return 0
    is_current = path.exists() and path.read_text() == text
    if not is_current:
        print(f"docs/{name} is out of date; --write writes it")
    return 0 if is_current else 1
