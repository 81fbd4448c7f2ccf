"""Runs a Python program with a simulated GPU, which needs neither a GPU nor its driver.

    python python/simulated-gpu/run.py --no-contents python/benchmarks/training.py --methods mem_opt --no-batches
    python python/simulated-gpu/run.py -m pytest python/tests-gpu

PyTorch's own allocator, streams, and events run; kernels compute nothing (`runtime.cpp`). So the peaks that the
program finds are those of a GPU but for the workspaces of cuDNN, which is switched off, and times are those of a crude
model. Results are meaningless. Options before the program:

    --bytes N         bytes of the GPU
    --no-contents     copies of more than 16 KiB move nothing: networks of any size need no memory

Needs a C++ compiler, and PyTorch for CUDA 13 with the headers that come with it.
"""

import argparse
import hashlib
import os
import runpy
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

SOURCE = Path(__file__).with_name("runtime.cpp")
#: What the dynamic linker looks for when PyTorch asks for the driver.
DRIVER = "libcuda.so.1"


def library():
    """Compiles the runtime in the folder for temporary files, unless it is there, and returns its path."""
    packages = Path(sysconfig.get_path("purelib"))
    code = hashlib.sha256(SOURCE.read_bytes() + str(packages).encode()).hexdigest()[:16]
    path = Path(tempfile.gettempdir()) / f"simulated-gpu-{os.getuid()}-{code}" / DRIVER
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(f".{os.getpid()}")
        headers = [f"-I{packages / 'nvidia' / 'cu13' / 'include'}"]
        # PyTorch comes without the headers that these include; those of Triton are complete.
        headers += ["-isystem", str(packages / "triton" / "backends" / "nvidia" / "include")]
        flags = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-fPIC", "-shared", f"-Wl,-soname,{DRIVER}"]
        subprocess.run(["c++", *flags, *headers, str(SOURCE), "-o", str(new)], check=True)
        new.rename(path)
    return path


def main():
    if "libcuda" in os.environ.get("LD_PRELOAD", ""):
        import torch

        # The runtime has no cuDNN.
        torch.backends.cudnn.enabled = False
        torch.backends.cuda.enable_cudnn_sdp(False)
        sys.argv = sys.argv[1:]
        if sys.argv[0] == "-m":
            sys.argv = sys.argv[1:]
            runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        else:
            sys.path[0] = str(Path(sys.argv[0]).parent)
            runpy.run_path(sys.argv[0], run_name="__main__")
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bytes", type=int, help="bytes of the GPU")
    parser.add_argument("--no-contents", action="store_true", help="copies of more than 16 KiB move nothing")
    parser.add_argument("-m", nargs=argparse.REMAINDER, metavar="MODULE", help="a module, and its options")
    parser.add_argument("program", nargs=argparse.REMAINDER, help="a Python program, and its options")
    own = parser.parse_args()
    program = ["-m", *own.m] if own.m else own.program
    if not program:
        parser.error("there is no program")
    settings = {"SIMULATED_GPU_CONTENTS": "0" if own.no_contents else "1"}
    if own.bytes is not None:
        settings["SIMULATED_GPU_BYTES"] = str(own.bytes)
    # Anew, because the dynamic linker loads the runtime when a process starts.
    environment = {**os.environ, **settings, "LD_PRELOAD": str(library())}
    os.execve(sys.executable, [sys.executable, __file__, *program], environment)


if __name__ == "__main__":
    main()
