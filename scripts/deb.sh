#!/usr/bin/env bash
# Packs what `make build` has built into a Debian package.
# Usage: scripts/deb.sh FOLDER    writes FOLDER/mem-opt_VERSION_ARCHITECTURE.deb and prints its path
set -euo pipefail
folder=$(realpath "${1:?usage: scripts/deb.sh FOLDER}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
stage=$(mktemp --directory)
trap 'rm -rf "$stage"' EXIT

DESTDIR=$stage scripts/install.sh /usr
strip --strip-unneeded "$stage"/usr/bin/* "$stage/usr/lib/libmem_opt.so"
install -d "$stage/DEBIAN"

# Packages of the shared libraries that the binaries need directly, not less than as installed here.
needed=$(for file in "$stage"/usr/bin/* "$stage/usr/lib/libmem_opt.so"; do
  objdump -p "$file" | sed -n 's/^ *NEEDED *//p'
done | sort --unique)
depends=$(for library in $needed; do
  [[ $library == ld-linux* ]] && continue
  path=$(ldd "$stage/usr/bin/mem-run" | sed -n "s|^\t$library => \(/[^ ]*\).*|\1|p")
  # Debian lists files without the link from /lib to /usr/lib.
  dpkg-query --search "$(realpath "$path")" 2>/dev/null ||
    dpkg-query --search "$(realpath "$path" | sed 's|^/usr||')"
done | cut -d: -f1 | sort --unique | while read -r package; do
  # Without Debian's revision.
  dpkg-query --show --showformat='${Package} (>= ${source:Upstream-Version}), ' "$package"
done)

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
architecture=$(dpkg --print-architecture)
cat >"$stage/DEBIAN/control" <<END
Package: mem-opt
Version: $version
Architecture: $architecture
Maintainer: mem-opt developers <mem-opt@users.noreply.github.com>
Section: devel
Priority: optional
Homepage: $(sed -n 's/^repository = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
Installed-Size: $(du --summarize --apparent-size --block-size=1K "$stage/usr" | cut -f1)
Depends: ${depends%, }
Recommends: mlir-22-tools
Suggests: libmlir-22-dev
Description: memory planner for tensor programs
 Plans the memory of tensor programs in MLIR: every tensor gets an address in
 an arena, or a place in a hierarchy of memories, and a checker proves that no
 tensor is overwritten while it is live. Contains mem-opt, mem-run, mem-plan,
 mem-lsp-server, mem-reduce, the plugin for mlir-opt-22, and the library for C and C++.
END
file="$folder/mem-opt_${version}_$architecture.deb"
dpkg-deb --root-owner-group --build "$stage" "$file" >/dev/null
echo "$file"
