"""The tests of the folder above once more, with Debian's mlir-opt and the plugin as `mem-opt`.

A suite of its own, so that one run of lit covers both and counts both.
"""

import os

config.is_via_plugin = True
folder = os.path.dirname(os.path.abspath(__file__))
config.load_from_path(os.path.join(os.path.dirname(folder), "lit.cfg.py"), lit_config)
