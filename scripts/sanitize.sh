#!/usr/bin/env bash
# Builds mem-opt with AddressSanitizer, the C++ as well as the Rust, and runs the lit tests with it: nothing crosses the C
# boundary with a dangling pointer. Needs a nightly toolchain (rustup toolchain install nightly), and some ten minutes.
#
#   scripts/sanitize.sh [LIT ARGUMENTS]     without arguments: dialect, passes, pipelines, inputs
#
# MLIR itself is the distribution's and is not instrumented: what it leaks or holds is not looked at.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo +nightly --version >/dev/null || {
  echo "sanitize: there is no nightly toolchain: rustup toolchain install nightly --profile minimal" >&2
  exit 1
}
target=$(rustc -vV | sed -n 's/^host: //p')
build=${CARGO_TARGET_DIR:-target}/sanitize
export RUSTFLAGS="-Zsanitizer=address" CXXFLAGS="-fsanitize=address -fno-omit-frame-pointer"
cargo +nightly build --release --target "$target" --target-dir "$build" --workspace --lib --bins

# The distribution's containers and allocators are not annotated; a process that ends does not free; Rust has signal
# stacks of its own.
export ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=0:use_sigaltstack=0
unset RUSTFLAGS CXXFLAGS
llvm=${MLIR_SYS_220_PREFIX:-/usr/lib/llvm-22}
tests=("$@")
((${#tests[@]})) || tests=(lit-tests/dialect lit-tests/passes lit-tests/pipelines lit-tests/errors/inputs.mlir)
CARGO_TARGET_DIR=$(realpath "$build/$target") "$llvm/bin/lit" -sv -Dvia=mem-opt "${tests[@]}"
