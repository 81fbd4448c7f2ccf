#!/usr/bin/env bash
# Builds the documentation site: the documents as a book with search, and the interface of the Rust crates. Installs
# mdBook into the target folder if it is not there, which compiles it once. scripts/site-links.py then
# checks every link of the result.
# Usage: scripts/site.sh FOLDER
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
site=$(realpath --canonicalize-missing "$1")
target=$(realpath --canonicalize-missing "${CARGO_TARGET_DIR:-target}")
version=0.4.52

mdbook=$target/tools/bin/mdbook
if [[ "$("$mdbook" --version 2>/dev/null || true)" != "mdbook v$version" ]]; then
  echo "site: installing mdBook $version into $target/tools"
  # The search is all that the site needs of its default features.
  cargo install mdbook --version "$version" --locked --no-default-features --features search --root "$target/tools" --quiet
fi

# The sources of the book: links to files that are not in it lead to the copies beside it.
book=$target/site-sources
rm -rf "$book" "$site"
mkdir -p "$book/src"
scripts/site-sources.py "$book/src"
cat >"$book/book.toml" <<TOML
[book]
title = "mem-opt"
language = "en"

[build]
create-missing = false

[output.html]
no-section-label = true
# A page of all documents would have links that are relative to each of them.
[output.html.print]
enable = false
[output.html.search]
limit-results = 20
TOML
"$mdbook" build "$book" --dest-dir "$site"

RUSTDOCFLAGS="-D warnings" cargo doc --release --workspace --no-deps --quiet
cp -r "$target/doc" "$site/api"
scripts/site-links.py "$site"
echo "site: $site/index.html"
