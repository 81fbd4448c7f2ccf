"""A lit test for each network in models/ in its full size: what every one of them owes.

1. It goes through the default pipeline without a complaint, and no allocation is left.
2. Debian's mlir-opt with the plugin reads and verifies the result, and prints it unchanged.
3. Planned again it stays as it is, byte for byte.
4. It goes on to memref operations that any mlir-opt knows.
5. All of that once more with the deallocations upstream's pipeline inserts, at the same peak.
6. Its peak and lower bound are not above those recorded in peaks.tsv.
7. Planned for a hierarchy that ships, its types say where data is: mlir-opt accepts them, also
   after the lowering, and planning again changes nothing. Models take turns with hierarchies; if
   MODEL_HIERARCHIES is set, each is planned for all of them.

A format of its own instead of a file of RUN lines for each model: a new model is tested because it
is there.
"""

import os
import pathlib
import re
import sys

import lit.formats
import lit.Test

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"))
import models

DEALLOCATE = "buffer-deallocation-pipeline,convert-bufferization-to-memref,canonicalize,cse"
# Upstream's deallocation reports this for branches back to an earlier block.
ONLY_STRUCTURED = "Only structured control-flow loops are supported"
UNSTRUCTURED_LOOPS = {
    "bufferized_cf/lstm_scan_t64_h512_b16",
    "bufferized_cf/lstm_scan_t64_h512_b16_inplace",
    "bufferized_cf/lstm_train_scan_t32_h256_b16",
    "bufferized_cf/mini_gpt_generate_while_c128_b1",
}
# The memory spaces of the levels of each hierarchy; others have none.
LEVELS = {
    "gpu": {"hbm": "#gpu.address_space<global>"},
    "gpu-workgroup": {
        "workgroup": "#gpu.address_space<workgroup>",
        "hbm": "#gpu.address_space<global>",
    },
    "microcontroller": {"tcm": "1", "sram": "2"},
    "npu": {"sram": "1"},
    "npu-3": {"local": "3", "shared": "2"},
}
ARENA = re.compile(r'mem.arena "([^"]*)".* : !mem.arena(?:<(.*)>)?$', re.MULTILINE)
KINDS = ("remark", "warning", "error")


class ModelFormat(lit.formats.TestFormat):
    """Finds the models and checks one at a time."""

    def __init__(self, llvm_bin, plugin):
        self.llvm_bin = llvm_bin
        self.plugin = plugin

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        for model in models.models():
            yield lit.Test.Test(suite, path_in_suite + (model,), local_config)

    def execute(self, test, lit_config):
        model = test.path_in_suite[-1]
        scratch = pathlib.Path(test.getExecPath())
        scratch.mkdir(parents=True, exist_ok=True)
        try:
            self.check_model(model, scratch)
        except (models.Failure, AssertionError) as failure:
            return lit.Test.FAIL, f"{model}: {failure}"
        return lit.Test.PASS, ""

    def mlir_opt(self, source, passes, output):
        plugin = [f"--load-dialect-plugin={self.plugin}", f"--load-pass-plugin={self.plugin}"]
        pipeline = [f"--pass-pipeline=builtin.module({passes})"] if passes else []
        return models.run(f"{self.llvm_bin}/mlir-opt", *plugin, source, *pipeline, "-o", output)

    def check_model(self, model, scratch):
        peak, bound = self.check_file(models.source(model), scratch)
        recorded = models.ratchet().get(model)
        assert recorded, "not in peaks.tsv; `make docs` records it"
        assert peak <= recorded[0], f"peak {peak}, was {recorded[0]}"
        assert bound <= recorded[1], f"lower bound {bound}, was {recorded[1]}"

        position = list(models.models()).index(model)
        for index, hierarchy in enumerate(LEVELS):
            if "MODEL_HIERARCHIES" in os.environ or index == position % len(LEVELS):
                self.check_spaces(model, hierarchy, scratch)

        with_deallocations = scratch / "deallocated.mlir"
        try:
            self.mlir_opt(models.source(model), DEALLOCATE, with_deallocations)
        except models.Failure as refusal:
            assert model in UNSTRUCTURED_LOOPS and ONLY_STRUCTURED in str(refusal), refusal
            return
        assert model not in UNSTRUCTURED_LOOPS, "upstream deallocates it now: test that"
        again = self.check_file(with_deallocations, scratch)
        assert again == (peak, bound), f"{again} with deallocations, {(peak, bound)} without"

    def check_spaces(self, model, hierarchy, scratch):
        planned, replanned, lowered = (
            scratch / f"{hierarchy}.{name}.mlir" for name in ("planned", "replanned", "lowered")
        )
        options = f"hierarchy={hierarchy} noalias-arguments=true"
        pipeline = f"mem-default-pipeline{{{options}}}"
        try:
            models.run(models.RELEASE / "mem-opt", models.source(model), *passes(pipeline), "-o", planned)
        except models.Failure as refusal:
            # Weights of large networks do not fit flash.
            assert "arguments and constants in" in str(refusal), refusal
            return
        text = planned.read_text()
        arenas = ARENA.findall(text)
        assert any(space for _, space in arenas), "no arena has a memory space"
        for level, space in arenas:
            wanted = LEVELS[hierarchy].get(level, "")
            assert space == wanted, f"{level} has memory space '{space}'"
            assert not space or f"f32, {space}>" in text, f"no tensor in memory space {space}"
        again = passes(f"mem-assign-levels{{{options}}}")
        models.run(models.RELEASE / "mem-opt", planned, *again, "-o", replanned)
        assert same(planned, replanned), f"{planned} planned again is {replanned}"
        self.mlir_opt(planned, "convert-mem-to-memref", lowered)
        for _, space in arenas:
            kept = not space or f"i8, {space}>" in lowered.read_text()
            assert kept, f"an arena lost its memory space {space}"
        models.run(f"{self.llvm_bin}/mlir-opt", lowered, "-o", os.devnull)

    def check_file(self, source, scratch):
        planned, printed, replanned = (
            scratch / f"{name}.mlir" for name in ("planned", "printed", "replanned")
        )
        plan, said = models.plan(source, planned)
        check_remarks(said)
        assert "memref.alloc" not in planned.read_text(), "an allocation is left"
        self.mlir_opt(planned, "", printed)
        assert same(planned, printed), f"{planned} is not how mlir-opt prints it"
        models.plan(planned, replanned)
        assert same(planned, replanned), f"{planned} planned again is {replanned}"
        lowered = scratch / "lowered.mlir"
        self.mlir_opt(planned, "convert-mem-to-memref", lowered)
        models.run(f"{self.llvm_bin}/mlir-opt", lowered, "-o", os.devnull)
        return models.figures(plan)


def passes(pipeline):
    return [f"--pass-pipeline=builtin.module({pipeline})"]


def check_remarks(said):
    """No diagnostic of any kind."""
    lines = said.splitlines()
    diagnostics = [line for line in lines if any(f": {kind}:" in line for kind in KINDS)]
    assert not diagnostics, "\n".join(diagnostics[:20])


def same(one, other):
    return one.read_bytes() == other.read_bytes()
