// A misspelled pass, option or value is an error that shows where it is, with a suggestion if one name is close.
// Passes and pipelines check their own options, so the plugin says the same.
//
// UNSUPPORTED: via-plugin
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-pln)' 2>&1 | FileCheck %s --check-prefix=PASS --strict-whitespace
//        PASS:--pass-pipeline:1:16: error: no pass or pipeline is called 'mem-pln'; did you mean 'mem-plan'?
//   PASS-NEXT:builtin.module(mem-pln)
//   PASS-NEXT:               ^~~~~~~
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{capacity=1)' 2>&1 | FileCheck %s --check-prefix=BRACE
// BRACE: --pass-pipeline:1:24: error: this brace is not closed: expected '}' after the options
// BRACE-NEXT: builtin.module(mem-plan{capacity=1)
// BRACE-NEXT: ^
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan' 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: --pass-pipeline:1:15: error: this parenthesis is not closed: expected ')' after the passes
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(cse))' 2>&1 | FileCheck %s --check-prefix=CLOSED
// CLOSED: --pass-pipeline:1:20: error: this parenthesis closes nothing
//
// RUN: not mem-opt %s --pass-pipeline='mem-plan' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: --pass-pipeline:1:1: error: expected passes inside of an operation, as in 'builtin.module(mem-plan)'
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(func.func(canonicalise))' 2>&1 | FileCheck %s --check-prefix=UPSTREAM
// UPSTREAM: --pass-pipeline:1:26: error: no pass or pipeline is called 'canonicalise'; did you mean 'canonicalize'?
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(cse,mem-plan{capcity=3})' 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: --pass-pipeline:1:29: error: mem-plan: no such option 'capcity': expected strategy, level, capacity, alignment, arena, spread, spaces or dump; did you mean 'capacity'?
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{strategy=first-fitt})' 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: --pass-pipeline:1:46: error: mem-default-pipeline: unknown value 'first-fitt' for option 'strategy': expected auto, {{.*}}; did you mean 'first-fit'?
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=nqu})' 2>&1 | FileCheck %s --check-prefix=HIERARCHY
// HIERARCHY: --pass-pipeline:1:44: error: no hierarchy 'nqu': there are {{.*}}; did you mean 'npu'?
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-inline{max-operations=few})' 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: --pass-pipeline:1:42: error: mem-inline: invalid value 'few' for option 'max-operations': expected a number
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{optimize=ture})' 2>&1 | FileCheck %s --check-prefix=BOOLEAN
// BOOLEAN: error: mem-default-pipeline: invalid value 'ture' for option 'optimize': expected true or false; did you mean 'true'?
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{alignment=48})' 2>&1 | FileCheck %s --check-prefix=ALIGNMENT
// ALIGNMENT: --pass-pipeline:1:35: error: mem-plan: invalid value for option 'alignment': an alignment of 48 bytes is not a power of two between 1 and 1048576
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-offload{hierarchy=gpu budget=-64})' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: --pass-pipeline:1:49: error: mem-offload: invalid value for option 'budget': '-64' is negative
//
// The flags of passes, and the plugin.
// RUN: not mem-opt %s --mem-plan=capcity=3 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: not %mlir-opt-plugin %s --pass-pipeline='builtin.module(mem-plan{capcity=3})' 2>&1 | FileCheck %s --check-prefix=PLUGIN
// PLUGIN: error: --pass-pipeline:1:25: error: mem-plan: no such option 'capcity': expected {{.*}}; did you mean 'capacity'?
// PLUGIN-NEXT: builtin.module(mem-plan{capcity=3})
// PLUGIN-NEXT: {{^}}                        ^~~~~~~{{$}}
// FLAG: <command line>:1:12: error: mem-plan: no such option 'capcity': expected {{.*}}; did you mean 'capacity'?
// FLAG-NEXT: --mem-plan=capcity=3
// FLAG-NEXT: {{^}}           ^~~~~~~{{$}}
//
// What is right runs: quotes, nested anchors, options without a value.
// RUN: mem-opt %s -o /dev/null --pass-pipeline='builtin.module( mem-default-pipeline{ strategy="exact" optimize  hierarchy="" } , func.func( cse ) )'
//
// RUN: not mem-opt --help=mem-pln 2>&1 | FileCheck %s --check-prefix=HELP
// HELP: mem-opt: error: no pass or pipeline of mem-opt is called 'mem-pln'; did you mean 'mem-plan'?
//
// mem-plan reads no MLIR, and says what it reads.
// RUN: not mem-plan %s 2>&1 | FileCheck %s --check-prefix=MLIR
// RUN: cp %s %t.txt
// RUN: not mem-plan %t.txt 2>&1 | FileCheck %s --check-prefix=MLIR
// MLIR: error: mem-plan does not read MLIR, but tables of buffers (.csv), programs that mem-plan{dump=FILE} wrote, problems over several levels, and operation graphs (.fx); first run mem-opt

func.func @f() {
  return
}
