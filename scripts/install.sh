#!/usr/bin/env bash
# Installs what `make build` has built: binaries with completions and manual pages, the plugin, which is
# also the library for C, its header, and packages for CMake and pkg-config.
# Usage: [DESTDIR=STAGE] scripts/install.sh PREFIX
#
# With DESTDIR, files are written to STAGE/PREFIX, from where a package manager takes them. The
# installed tree can be moved: CMake's and pkg-config's files find it relative to themselves.
set -euo pipefail
prefix=${1:?usage: scripts/install.sh PREFIX}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
release=${CARGO_TARGET_DIR:-target}/release
llvm=${MLIR_SYS_220_PREFIX:-/usr/lib/llvm-22}
if [[ $prefix != /* ]]; then
  echo "install: PREFIX has to be an absolute path, not '$prefix'" >&2
  exit 2
fi
for built in mem-opt mem-run mem-plan mem-lsp-server mem-reduce libmem_opt.so libmem_runtime.a; do
  if [[ ! -e $release/$built ]]; then
    echo "install: $release/$built is missing; 'make build' builds it" >&2
    exit 1
  fi
done

root=${DESTDIR:-}$prefix
install -d "$root"/{bin,include,lib/cmake/mem-opt,lib/pkgconfig,share/doc/mem-opt}
install -m 755 "$release"/{mem-opt,mem-run,mem-plan,mem-lsp-server,mem-reduce} "$root/bin"
install -m 644 "$release"/{libmem_opt.so,libmem_runtime.a} "$root/lib"
install -m 644 include/mem-opt.h "$root/include"
install -m 644 LICENSE README.md CHANGELOG.md "$root/share/doc/mem-opt"

# Completions and manual pages, where bash, zsh, fish and man look.
completions=$root/share/bash-completion/completions
install -d "$completions" "$root"/share/{zsh/site-functions,fish/vendor_completions.d,man/man1}
for command in mem-opt mem-run mem-plan mem-lsp-server mem-reduce; do
  "$release/$command" --completions bash >"$completions/$command"
  "$release/$command" --completions zsh >"$root/share/zsh/site-functions/_$command"
  "$release/$command" --completions fish >"$root/share/fish/vendor_completions.d/$command.fish"
  "$release/$command" --man >"$root/share/man/man1/$command.1"
done
"$release/mem-plan" --man diff >"$root/share/man/man1/mem-plan-diff.1"

# Scripts for mem-reduce.
install -d "$root/share/mem-opt/interesting"
install -m 755 scripts/interesting/*.sh "$root/share/mem-opt/interesting"

# The values of the templates in packaging/.
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
repository=$(sed -n 's/^repository = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
llvm_version=$("$llvm/bin/llvm-config" --version)
archives=$(printf '%s ' "$llvm"/lib/libMLIRCAPI*.a)
fill() {
  sed -e "s|@VERSION@|$version|g" -e "s|@VERSION_MINOR@|${version%.*}|g" \
    -e "s|@REPOSITORY@|$repository|g" \
    -e "s|@LLVM_PREFIX@|$llvm|g" -e "s|@LLVM_VERSION@|$llvm_version|g" \
    -e "s|@LLVM_SONAME@|${llvm_version%.*}|g" -e "s|@ARCHIVES@|${archives% }|g" "packaging/$1.in" >"$2"
  chmod 644 "$2"
}
fill mem-optConfig.cmake "$root/lib/cmake/mem-opt/mem-optConfig.cmake"
fill mem-optConfigVersion.cmake "$root/lib/cmake/mem-opt/mem-optConfigVersion.cmake"
fill mem-opt.pc "$root/lib/pkgconfig/mem-opt.pc"
