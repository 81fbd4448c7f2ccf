#!/usr/bin/env bash
# Installs the Debian 12 packages that building and testing require, and reports what it installs. If
# all packages are present, it takes milliseconds, requires no network and changes nothing.
set -euo pipefail

packages=(
  libmlir-22-dev   # MLIR: headers, libMLIR, the C API as static archives
  mlir-22-tools    # mlir-opt, mlir-tblgen
  llvm-22-dev      # LLVM: headers, libLLVM, llvm-config, llvm-tblgen
  llvm-22-tools    # lit, FileCheck, not, split-file
  clang-22         # compiles the C++ glue; docs/ARCHITECTURE.md explains why not GCC
  libclang-22-dev  # bindgen reads MLIR's C headers with it
  # melior's macros read .td files with LLVM's TableGen, and therefore link all of LLVM statically.
  libpolly-22-dev
  libxml2-dev
  libz3-dev
  libzstd-dev
  zlib1g-dev
  g++              # links, and compiles melior's native code
  make
  python3          # lit
  python3-venv     # virtual environments for the tests of the Python package
  python3-numpy    # writes and reads the arrays of mem-run, in tests
  cmake            # builds a project on the installed package, in tests
  pkg-config       # builds another one
  chromium         # opens generated pages, in tests
  openmpi-bin      # mpirun, which runs programs on several ranks on this machine
  libopenmpi3      # the library that such programs call
)
oldest_cargo=1.90

# One line for each package that dpkg knows, such as `ii g++`.
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
  # Missing or stale package lists are the usual cause of a failure: fetch them, and try once more.
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

# `make test` checks formatting and lints.
missing=()
for tool in rustfmt clippy-driver; do
  "$tool" --version >/dev/null 2>&1 || missing+=("${tool%-driver}")
done
if ((${#missing[@]})) && command -v rustup >/dev/null; then
  echo "setup: installing ${missing[*]}"
  rustup component add "${missing[@]}"
fi
