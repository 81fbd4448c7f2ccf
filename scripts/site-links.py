#!/usr/bin/env python3
"""Checks the links of the documentation site: every link to a page leads to a file, and every fragment to an
element of it. Links to other hosts are not followed.

Usage: scripts/site-links.py FOLDER
"""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links and the identifiers of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids.update(values[key] for key in ("id", "name") if values.get(key))
        for key in ("href", "src"):
            if values.get(key) and tag != "base":
                self.links.append(values[key])


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    # rustdoc checks the links of its own pages.
    files = [own for own in sorted(root.rglob("*.html")) if "api" not in own.relative_to(root).parts]
    pages = {own: Page(own.read_text()) for own in files}
    broken = []
    for file, page in pages.items():
        # The page for addresses that do not exist is served at any of them.
        if file.name in ("404.html", "toc.html"):
            continue
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            path = (file.parent / urllib.parse.unquote(url.path)).resolve() if url.path else file
            path = path / "index.html" if path.is_dir() else path
            fragment = urllib.parse.unquote(url.fragment)
            is_there = path.is_file() and (
                not fragment or path not in pages or fragment in pages[path].ids
            )
            if not is_there:
                broken.append(f"{file.relative_to(root)}: {link}")
    print(f"site: {sum(len(page.links) for page in pages.values())} links on {len(pages)} pages, {len(broken)} broken")
    if broken:
        print("\n".join(broken), file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
