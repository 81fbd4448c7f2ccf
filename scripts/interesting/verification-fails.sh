#!/usr/bin/env bash
# For mem-reduce: is FILE a planned program whose plan mem-verify-plan refuses?
# Usage: mem-reduce planned.mlir --reduction-tree='traversal-mode=0 test=scripts/interesting/verification-fails.sh'
#
# Exit status 1: yes, keep reducing; 0: no. That is what mlir-reduce expects.
mem_opt=$(dirname "$(realpath "$0")")/../../target/release/mem-opt
[[ -x $mem_opt ]] || mem_opt=mem-opt
# A program that is no longer valid MLIR fails for another reason.
"$mem_opt" "$1" -o /dev/null 2>/dev/null || exit 0
if "$mem_opt" "$1" -o /dev/null --pass-pipeline='builtin.module(mem-verify-plan)' 2>/dev/null; then
  exit 0
fi
exit 1
