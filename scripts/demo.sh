#!/usr/bin/env bash
# Plans one model and shows the plan. Usage: scripts/demo.sh MODEL.mlir
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
model=$1
target=${CARGO_TARGET_DIR:-target}
name=$(basename "$model" .mlir)
out=$target/demo
mkdir -p "$out"

passes="mem-default-pipeline"
passes+=",mem-print-plan{format=summary output=$out/$name.summary.txt}"
passes+=",mem-print-plan{format=table output=$out/$name.plan.txt}"
passes+=",mem-print-plan{format=json output=$out/$name.plan.json}"
passes+=",mem-print-plan{format=html output=$out/$name.html}"
start=$(date +%s%N)
"$target/release/mem-opt" "$model" --pass-pipeline="builtin.module($passes)" -o "$out/$name.planned.mlir"
milliseconds=$((($(date +%s%N) - start) / 1000000))

n_lines=$(wc -l <"$out/$name.plan.txt")
cat <<END

$model: an address for every intermediate tensor, in $milliseconds ms

END
cat "$out/$name.summary.txt"
cat <<END

sum: the total size, with one allocation per tensor; peak: the size of the one arena that holds all tensors;
bound: the most bytes that are live at one step, so no plan without transfers has a lower peak.

END
head -n 16 "$out/$name.plan.txt" | cut -c 1-100
cat <<END
  ... $((n_lines - 16)) more lines in $out/$name.plan.txt

the plan as a page    $out/$name.html (open it in a browser)
the planned program   $out/$name.planned.mlir
the plan as JSON      $out/$name.plan.json
more models           docs/Models.md

To run the commands of README.md:

  export PATH="$(cd "$target/release" && pwd):\$PATH"
END
