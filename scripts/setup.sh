#!/usr/bin/env bash
# Installs from Debian 12 what building and testing need, and says so. Looks before it asks: with
# everything in place it takes milliseconds, needs no network and changes nothing.
set -euo pipefail

packages=(
  libmlir-22-dev   # MLIR: headers, libMLIR, the C API as static archives
  mlir-22-tools    # mlir-opt, mlir-tblgen
  llvm-22-dev      # LLVM: headers, libLLVM; llvm-config, llvm-tblgen with it
  llvm-22-tools    # lit, FileCheck, not, split-file
  clang-22         # compiles the C++ glue; docs/ARCHITECTURE.md says why not GCC
  libclang-22-dev  # bindgen reads MLIR's C headers with it
  # melior's macros read .td files with LLVM's TableGen, and link all of LLVM statically for it.
  libpolly-22-dev
  libxml2-dev
  libz3-dev
  libzstd-dev
  zlib1g-dev
  g++              # links, and compiles what melior brings
  make
  python3          # lit
  chromium         # opens the pages that pictures are on, in a test
)
oldest_cargo=1.90

# One line for each package dpkg knows, as in `ii g++`.
states=$(dpkg-query --show --showformat='${db:Status-Abbrev}${Package}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  [[ $'\n'$states$'\n' == *$'\n'?"i $package"$'\n'* ]] || missing+=("$package")
done

if ((${#missing[@]})); then
  echo "setup: installing ${missing[*]}"
  as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || {
      echo "setup: neither root nor sudo; as root, run: apt-get install ${missing[*]}" >&2
      exit 1
    }
    as_root=(sudo)
  fi
  export DEBIAN_FRONTEND=noninteractive
  install=("${as_root[@]}" apt-get install --yes --quiet --no-install-recommends "${missing[@]}")
  # Package lists that are absent or stale are the usual reason for a failure: fetch them once.
  if ! "${install[@]}" </dev/null; then
    echo "setup: fetching package lists"
    "${as_root[@]}" apt-get update --quiet </dev/null
    "${install[@]}" </dev/null
  fi
fi

how_to_get_cargo="curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh"
if ! command -v cargo >/dev/null; then
  echo "setup: cargo is missing; get Rust $oldest_cargo or newer with: $how_to_get_cargo" >&2
  exit 1
fi
version=$(cargo --version)
version=${version#cargo }
version=${version%% *}
if [[ $(printf '%s\n' "$oldest_cargo" "$version" | sort --version-sort | head -n 1) != "$oldest_cargo" ]]; then
  echo "setup: cargo $version is older than $oldest_cargo; update with: rustup update stable" >&2
  exit 1
fi
