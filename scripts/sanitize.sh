#!/usr/bin/env bash
# Builds mem-opt with AddressSanitizer, both the C++ and the Rust, and runs the lit tests with it, to find dangling pointers that
# cross the C boundary. Requires a nightly toolchain (rustup toolchain install nightly), and takes about ten minutes.
#
#   scripts/sanitize.sh [LIT ARGUMENTS]     default: dialect, passes, pipelines, errors/inputs.mlir
#
# MLIR itself comes from the distribution and is not instrumented: its leaks and accesses are not checked.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo +nightly --version >/dev/null || {
  echo "sanitize: no nightly toolchain; install it with: rustup toolchain install nightly --profile minimal" >&2
  exit 1
}
target=$(rustc -vV | sed -n 's/^host: //p')
build=${CARGO_TARGET_DIR:-target}/sanitize
export RUSTFLAGS="-Zsanitizer=address" CXXFLAGS="-fsanitize=address -fno-omit-frame-pointer"
cargo +nightly build --release --target "$target" --target-dir "$build" --workspace --lib --bins

# The distribution's containers and allocators are not annotated, a process does not free its memory when it exits, and Rust
# installs its own signal stacks.
export ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=0:use_sigaltstack=0
unset RUSTFLAGS CXXFLAGS
llvm=${MLIR_SYS_220_PREFIX:-/usr/lib/llvm-22}
tests=("$@")
((${#tests[@]})) || tests=(lit-tests/dialect lit-tests/passes lit-tests/pipelines lit-tests/errors/inputs.mlir)
CARGO_TARGET_DIR=$(realpath "$build/$target") "$llvm/bin/lit" -sv -Dvia=mem-opt "${tests[@]}"
