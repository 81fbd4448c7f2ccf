"""Configuration of the lit tests of the dialect and the passes.

`mem-opt` in a RUN line denotes this project's tool. In a second suite, `via-plugin`, it denotes
Debian's mlir-opt with the plugin loaded: every guarantee of a pass or an operation must hold in both.
RUN lines name passes with --pass-pipeline, because the passes of a plugin have no flags.

`-Dvia=mem-opt` and `-Dvia=plugin` select one of the suites. A test that applies only to mem-opt
states `UNSUPPORTED: via-plugin`. Outputs go to the target folder, never to the source tree.
"""

import os
import shutil
import subprocess

import lit.formats

is_nested = getattr(config, "is_via_plugin", False)  # via-plugin/lit.cfg.py loads this file
via = lit_config.params.get("via", "both")
if via not in ("both", "mem-opt", "plugin"):
    lit_config.fatal(f"expected via to be mem-opt, plugin or both, not '{via}'")
via_plugin = is_nested or via == "plugin"

tests = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(tests)
target = os.path.join(root, os.environ.get("CARGO_TARGET_DIR", "target"))
release = os.path.join(target, "release")
llvm_bin = os.path.join(os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22"), "bin")
plugin = os.path.join(release, "libmem_opt.so")

for needed in (os.path.join(release, "mem-opt"), plugin, os.path.join(llvm_bin, "FileCheck")):
    if not os.path.exists(needed):
        lit_config.fatal(f"{needed} is missing; `make build` builds it")

config.name = "via plugin" if via_plugin else "mem-opt"
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = tests
config.test_exec_root = os.path.join(target, "lit", config.name.replace(" ", "-"))
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "inputs", "__pycache__"]
if is_nested or via != "both":
    config.excludes.append("via-plugin")
if via_plugin:
    # A second run gains nothing for tests that execute programs, plan models or test the plugin itself.
    config.excludes += ["run", "models", "plugin", "packages"]
    config.available_features.add("via-plugin")
# Published instances from other projects, as described in instances/README.md.
instances = os.environ.get("MEM_INSTANCES")
if instances:
    config.available_features.add("published-instances")
    config.substitutions.append(("%published", os.path.abspath(instances)))
# The first Python on the path may be one without Debian's packages.
for python in ("python3", "/usr/bin/python3"):
    if subprocess.run([python, "-c", "import numpy"], capture_output=True, check=False).returncode == 0:
        config.available_features.add("numpy")
        config.substitutions.append(("%numpy-python", python))
        break
if shutil.which("chromium"):
    config.available_features.add("browser")
config.available_features.update(tool for tool in ("cmake", "pkg-config") if shutil.which(tool))
if os.path.exists(os.path.join(release, "mem-run")):
    config.available_features.add("mem-run")

mlir_opt_plugin = (
    f"{llvm_bin}/mlir-opt --load-dialect-plugin={plugin} --load-pass-plugin={plugin}"
)
config.substitutions += [
    ("%mlir-opt-plugin", mlir_opt_plugin),
    ("%plugin", plugin),
    ("%llvm_lib", os.path.join(os.path.dirname(llvm_bin), "lib")),
    ("%root", root),
    ("%models", os.path.join(root, "models")),
    ("%examples", os.path.join(root, "examples")),
]
if via_plugin:
    # Match the word only as a command, not as part of a path or of another name.
    config.substitutions.append((r"(?<![-\w./%])mem-opt(?![-\w./])", mlir_opt_plugin))

config.environment["PATH"] = os.pathsep.join([release, llvm_bin, os.environ.get("PATH", "")])
config.environment["LLVM_BIN"] = llvm_bin
# Scripts read this variable, too.
config.environment["CARGO_TARGET_DIR"] = target
config.plugin = plugin
