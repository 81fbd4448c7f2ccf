#!/usr/bin/env bash
# For mem-reduce: is FILE a program whose plan has a peak above $PEAK bytes?
# Usage: PEAK=1MiB mem-reduce model.mlir --reduction-tree='traversal-mode=0 test=scripts/interesting/peak-above.sh'
#
# Exit status 1: yes, keep reducing; 0: no. That is what mlir-reduce expects.
mem_opt=$(dirname "$(realpath "$0")")/../../target/release/mem-opt
[[ -x $mem_opt ]] || mem_opt=mem-opt
# A program that is no longer valid MLIR, or that cannot be planned at all, fails for another reason.
plan() {
  "$mem_opt" "$1" -o /dev/null --pass-pipeline="builtin.module(mem-default-pipeline{$2})" 2>/dev/null
}
plan "$1" "" || exit 0
plan "$1" "capacity=${PEAK:?the variable PEAK is a size, as in 1MiB}" && exit 0
exit 1
