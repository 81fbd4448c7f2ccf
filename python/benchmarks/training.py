"""Training steps of PyTorch within a budget: `mem_opt.torch.compile` beside what PyTorch has to offer.

    python python/benchmarks/training.py                          on a GPU, everything
    python python/benchmarks/training.py --small --device cpu     small networks, about a minute
    python python/benchmarks/training.py --write docs/TrainingGpu.md

Needs PyTorch 2.11 or newer and the wheel of `mem_opt`, and no network. Every method runs the operations as
PyTorch's eager kernels, so that the differences are those of memory. The peak of a step is what PyTorch's
allocator counts on a GPU, parameters included; on a CPU it is counted by operation, without what exists
before the step. A budget is a share of the peak without a limit.

Methods with a setting are given the one with the most memory within the budget. Those without run once, and
count where their peak is low enough.
"""

import argparse
import gc
import platform
import statistics
import sys
import tempfile
import time
from pathlib import Path

import torch
import torch._functorch.config as functorch_config
from torch._dynamo.backends.debugging import boxed_nop
from torch._functorch.partitioners import default_partition, min_cut_rematerialization_partition
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

sys.path.insert(0, str(Path(__file__).parent))

from networks import CASES, SMALL  # noqa: E402

import mem_opt  # noqa: E402
import mem_opt.torch  # noqa: E402
from mem_opt._capture import eager_aot  # noqa: E402
from mem_opt._measure import seconds_between  # noqa: E402

#: Settings of `activation_memory_budget` that are tried, from the most memory to the least.
SHARES_OF_ACTIVATIONS = (0.7, 0.5, 0.3, 0.2, 0.1, 0.0)
#: A budget is kept if the peak exceeds it by no more than this.
TOLERANCE = 1.02
#: Name of the GPU of `python/simulated-gpu`, whose kernels compute nothing.
SIMULATED = "Simulated GPU"
#: Bytes per second of the copy threads on a CPU.
CPU_LINK = 4e9


class Meter(TorchDispatchMode):
    """Counts the bytes of all storages that operations have allocated and that are still alive."""

    def __init__(self):
        super().__init__()
        self.live, self.peak = {}, 0

    @classmethod
    def ignore_compile_internals(cls):
        return True

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        operands = {own.untyped_storage()._cdata for own in tensors((args, kwargs))}
        results = function(*args, **kwargs)
        self.live = {key: own for key, own in self.live.items() if not own[0].expired()}
        for own in tensors(results):
            storage = own.untyped_storage()
            if storage._cdata not in operands and storage._cdata not in self.live:
                self.live[storage._cdata] = StorageWeakRef(storage), storage.nbytes()
        self.peak = max(self.peak, sum(n_bytes for _, n_bytes in self.live.values()))
        return results


def tensors(values):
    return [own for own in pytree.tree_leaves(values) if isinstance(own, torch.Tensor)]


# Methods. Each yields pairs of a setting and a function that makes a step of a model.


def graph_backend(partition):
    """Runs captured operations as they are. As for PyTorch's own compiler, the forward graph changes buffers
    itself: a partitioner that saves a buffer would otherwise fail."""
    return eager_aot(
        fw_compiler=boxed_nop, bw_compiler=boxed_nop, partition_fn=partition, keep_inference_input_mutations=True
    )


def unlimited(run, budget):
    """The captured step without a limit."""
    yield "", lambda model: torch.compile(model, backend=graph_backend(default_partition), dynamic=False)


def ours(run, budget):
    """This project."""

    def make(model):
        link = None if run.device.type == "cuda" else mem_opt.torch.CopyThreads(CPU_LINK)
        return mem_opt.torch.compile(model, budget, link=link, cache_dir=run.cache, n_rounds=run.n_rounds)

    yield "", make


def memory_budget(run, budget):
    """PyTorch's partitioner with a share of the memory of activations."""
    for share in SHARES_OF_ACTIVATIONS[1 :: 3] if run.is_small else SHARES_OF_ACTIVATIONS:

        def make(model, share=share):
            def partition(*arguments, **keywords):
                with functorch_config.patch(activation_memory_budget=share):
                    return min_cut_rematerialization_partition(*arguments, **keywords)

            return torch.compile(model, backend=graph_backend(partition), dynamic=False)

        yield f"{share}", make


def checkpoints(run, budget):
    """`torch.utils.checkpoint` around every block, without a compiler."""

    def make(model):
        model.is_checkpointed = True
        return model

    yield "", make


def save_on_cpu(run, budget):
    """All saved tensors are copied to the host by hooks."""

    def make(model):
        def step(*arguments):
            with torch.autograd.graph.save_on_cpu(pin_memory=True):
                return model(*arguments)

        return step

    yield "", make


def activation_offloading(run, budget):
    """PyTorch's own offloading, of every activation that it may move."""

    def partition(module, *arguments, **keywords):
        for node in module.graph.nodes:
            value = node.meta.get("val")
            is_large = isinstance(value, torch.Tensor) and value.numel() * value.element_size() >= 2**20
            if node.op == "call_function" and is_large:
                node.meta["should_offload"] = True
        options = {"enable_activation_offloading": True, "activation_offload_separate_stream": True}
        if hasattr(functorch_config, "activation_reload_prefetch"):
            options["activation_reload_prefetch"] = True
        with functorch_config.patch(options):
            return min_cut_rematerialization_partition(module, *arguments, **keywords)

    yield "", lambda model: torch.compile(model, backend=graph_backend(partition), dynamic=False)


METHODS = {
    "mem_opt": ours,
    "activation_memory_budget": memory_budget,
    "checkpoint": checkpoints,
    "save_on_cpu": save_on_cpu,
    "activation offloading": activation_offloading,
}
#: Methods that copy to the host by means that a CPU does not have.
GPU_ONLY = ("save_on_cpu", "activation offloading")


class Run:
    """What to run, and on what."""

    def __init__(self, arguments):
        self.device = torch.device(arguments.device)
        self.is_simulated = device_name(self.device).startswith(SIMULATED)
        self.is_small, self.n_steps, self.n_rounds = arguments.small, arguments.steps, arguments.rounds
        self.cache = arguments.cache or tempfile.mkdtemp(prefix="mem_opt")

    def model(self, case, dtype):
        torch.manual_seed(0)
        return case.make().to(self.device, dtype)

    def inputs(self, case, dtype, batch):
        torch.manual_seed(1)
        return case.arguments(batch, dtype, self.device)

    def measure(self, case, dtype, batch, make, n_warm, limit=None):
        """Time of a step in seconds, its peak, and its gradients; a text: why there are none. If the peak
        exceeds `limit`, only the peak is measured."""
        torch._dynamo.reset()
        gc.collect()
        if self.device.type == "cuda":
            torch.cuda.empty_cache()
        try:
            return self._measure(case, dtype, batch, make, n_warm, limit)
        except torch.OutOfMemoryError:
            return "out of memory"
        except mem_opt.NoPlan:
            return "no plan"
        except Exception as error:
            found = error
            while found is not None:
                if isinstance(found, mem_opt.NoPlan) or "NoPlan" in str(type(found)) or "does not fit" in str(found):
                    return "no plan"
                found = found.__cause__
            return f"failed: {type(error).__name__}: {str(error).splitlines()[0][:80]}"

    def _measure(self, case, dtype, batch, make, n_warm, limit):
        model, inputs = self.model(case, dtype), self.inputs(case, dtype, batch)
        step = make(model)

        def once():
            model.zero_grad(set_to_none=True)
            step(*inputs).backward()

        for _ in range(n_warm):
            once()
        peak = self._peak(once)
        if limit is not None and peak > limit:
            return None, peak, None
        seconds = []
        for _ in range(self.n_steps):
            self._synchronize()
            begin = self._now()
            once()
            end = self._now()
            self._synchronize()
            seconds.append(seconds_between(begin, end))
        if self.device.type == "cuda":
            peak = max(peak, torch.cuda.max_memory_allocated())
        gradients = [own.grad.detach().to("cpu", copy=True) for own in model.parameters() if not self.is_simulated]
        return statistics.median(seconds), peak, gradients

    def _peak(self, once):
        """The most bytes allocated during a step."""
        if self.device.type == "cuda":
            torch.cuda.reset_peak_memory_stats()
            once()
            self._synchronize()
            return torch.cuda.max_memory_allocated()
        # What the last step has left is not of this one.
        with Meter() as meter:
            once()
        return meter.peak

    def _now(self):
        """The time: seconds, or an event of the GPU."""
        if self.device.type != "cuda":
            return time.perf_counter()
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def _synchronize(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize()


def difference(own, expected):
    """How gradients differ, in words; nothing if none were computed."""
    if not expected:
        return ""
    if all(torch.equal(a, b) for a, b in zip(own, expected)):
        return "equal"
    largest = 0.0
    for a, b in zip(own, expected):
        scale = b.double().abs().max().item()
        largest = max(largest, (a.double() - b.double()).abs().max().item() / (scale or 1.0))
    return f"{largest:.1e}"


def mib(n_bytes):
    return f"{n_bytes / 2**20:,.2f}" if n_bytes < 2**25 else f"{n_bytes / 2**20:,.0f}"


def warm_steps(run, name):
    """Steps before the measured ones: plans of `mem_opt` settle meanwhile."""
    return run.n_rounds + 3 if name == "mem_opt" else 2


def budgets(run, case, dtype, shares, methods):
    """Rows of a table: every method within every budget."""
    reference = run.measure(case, dtype, case.batch, next(unlimited(run, None))[1], 2)
    if isinstance(reference, str):
        return [("1", "no limit", "", "", reference, "", "")]
    seconds, peak, gradients = reference
    # Whether kernels give the same bits twice.
    again = run.measure(case, dtype, case.batch, next(unlimited(run, None))[1], 2)[2]
    rows = [("1", "no limit", "", mib(peak), f"{seconds * 1e3:.2f}", "1.000", difference(again, gradients))]
    fixed = {}
    for share in shares:
        budget = int(peak / share)
        for name in methods:
            rows.append(_row(run, case, dtype, f"1/{share}", budget, name, reference, fixed))
            print("  ", *rows[-1], file=sys.stderr)
    return rows


def _row(run, case, dtype, label, budget, name, reference, known):
    """One method within one budget."""
    lowest = None
    for setting, make in METHODS[name](run, budget):
        key = name, setting
        # Budgets get smaller, so that what exceeded one exceeds the next.
        if name == "mem_opt" or key not in known:
            limit = TOLERANCE * budget
            known[key] = run.measure(case, dtype, case.batch, make, warm_steps(run, name), limit)
        result = known[key]
        if isinstance(result, str):
            lowest = lowest or (setting, result)
            continue
        if result[1] <= TOLERANCE * budget:
            seconds, peak, gradients = result
            ratio = f"{seconds / reference[0]:.3f}"
            return label, name, setting, mib(peak), f"{seconds * 1e3:.2f}", ratio, difference(gradients, reference[2])
        if lowest is None or isinstance(lowest[1], str) or result[1] < lowest[1][1]:
            lowest = setting, result
    setting, result = lowest
    if isinstance(result, str):
        return label, name, setting, "", result, "", ""
    return label, name, setting, mib(result[1]), "exceeds the budget", "", ""


def batches(run, case, dtype, methods):
    """Rows of a table: the largest batch of each method in the bytes that the step takes without a limit, and the
    largest one that is as fast per sample as the largest of checkpoints."""
    reference = run.measure(case, dtype, case.batch, next(unlimited(run, None))[1], 2)
    if isinstance(reference, str):
        return []
    room = reference[1]
    found = {"no limit": [(case.batch, room, case.batch / reference[0])]}
    for name in methods:
        found[name] = []
        for quarters in (5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64):
            batch = case.batch * quarters // 4
            result = _fitting(run, case, dtype, batch, room, name)
            if result is None:
                break
            found[name].append((batch, result[1], batch / result[0]))
        print("  ", name, *found[name], file=sys.stderr)
    # A percent is within what measurements vary by.
    slowest = 0.99 * found["checkpoint"][-1][2] if found.get("checkpoint") else None
    rows = []
    for name, own in found.items():
        if not own:
            rows.append((name, "no larger one", "", "", ""))
            continue
        batch, peak, rate = own[-1]
        fast = max((batch for batch, _, rate in own if slowest is not None and rate >= slowest), default="")
        rows.append((name, str(batch), mib(peak), f"{rate:.1f}", str(fast)))
    return rows


def _fitting(run, case, dtype, batch, room, name):
    for _, make in METHODS[name](run, room):
        result = run.measure(case, dtype, batch, make, warm_steps(run, name), TOLERANCE * room)
        if not isinstance(result, str) and result[1] <= TOLERANCE * room:
            return result
    return None


def table(head, rows):
    """A table of Markdown."""
    lines = [head, tuple("---" if own in ("budget", "method", "setting") else "---:" for own in head), *rows]
    return "\n".join(f"| {' | '.join(own)} |" for own in lines) + "\n"


def device_name(device):
    if device.type == "cuda":
        return f"{torch.cuda.get_device_name()}, CUDA {torch.version.cuda}"
    return f"CPU ({platform.machine()}, {torch.get_num_threads()} threads), a link of {CPU_LINK / 1e9:.0f} GB/s"


BATCHES = ("method", "largest batch", "peak, MiB", "samples per second", "largest as fast as checkpoints")
HEAD = ("budget", "method", "setting", "peak, MiB", "step, ms", "of no limit", "gradients")


def report(run, arguments):
    """The whole document."""
    cases = SMALL if run.is_small else CASES
    parts = [
        f"# Training steps within a budget, {'on a simulated GPU' if run.is_simulated else 'measured'}\n",
        "<!-- Generated by `python/benchmarks/training.py --write`; do not edit. -->\n",
        f"mem_opt {mem_opt.__version__}, PyTorch {torch.__version__}, Python {platform.python_version()}, "
        f"{device_name(run.device)}. Medians of {run.n_steps} steps. [Training.md](Training.md) describes "
        "methods and limits.\n",
    ]
    has_host = run.device.type == "cuda"
    methods = [name for name in METHODS if name in arguments.methods and (has_host or name not in GPU_ONLY)]
    if not has_host:
        parts.append(f"Methods that need a GPU are left out: {', '.join(GPU_ONLY)}.\n")
    if run.is_small:
        parts.append(
            "The networks are so small that the times say little, above all beside other programs: peaks and "
            "gradients are what this is for. `no plan`: one operation alone needs more.\n"
        )
    if run.is_simulated:
        parts.append(
            "Peaks are what PyTorch's allocator counts. Kernels compute nothing, and their times are those of a crude "
            "model: matrix products take as long as their arithmetic at 600 TFLOP/s (bf16) or 50 TFLOP/s, other "
            "kernels as long as an elementwise one with as many threads at 3.5 TB/s, and copies over the link as long "
            "as at 50 GB/s. Without cuDNN, convolutions are slower, and attention runs PyTorch's own kernels.\n"
        )
    for name in arguments.networks:
        for kind in arguments.dtypes:
            case, dtype = cases[name], {"f32": torch.float32, "bf16": torch.bfloat16}[kind]
            print(case.title, kind, file=sys.stderr)
            parts.append(f"## {case.title}, batch {case.batch}, {kind}\n")
            parts.append(table(HEAD, budgets(run, case, dtype, arguments.shares, methods)))
            if arguments.batches:
                rows = batches(run, case, dtype, methods)
                parts.append(table(BATCHES, rows))
            if arguments.write:
                # What is measured is kept, whatever happens to the rest.
                Path(arguments.write).write_text("\n".join(parts), encoding="utf-8")
    return "\n".join(parts)


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--small", action="store_true", help="small networks, a budget of one half, 32 bits")
    parser.add_argument("--networks", nargs="+", choices=list(CASES), default=list(CASES))
    parser.add_argument("--dtypes", nargs="+", choices=["f32", "bf16"])
    parser.add_argument("--shares", nargs="+", type=int, help="budgets as divisors of the unlimited peak")
    parser.add_argument("--methods", nargs="+", choices=list(METHODS), default=list(METHODS))
    parser.add_argument("--batches", action=argparse.BooleanOptionalAction, help="search the largest batches")
    parser.add_argument("--steps", type=int, help="measured steps")
    parser.add_argument("--rounds", type=int, help="measured steps that may correct a plan")
    parser.add_argument("--cache", help="folder for measured costs and plans; otherwise a temporary one")
    parser.add_argument("--write", metavar="FILE", help="write the document to a file")
    own = parser.parse_args(words)
    own.dtypes = own.dtypes or (["f32"] if own.small else ["bf16", "f32"])
    own.shares = sorted(own.shares or ([2] if own.small else [2, 3, 4]))
    own.rounds = (2 if own.small else 4) if own.rounds is None else own.rounds
    own.steps = own.steps or (3 if own.small else 10)
    own.batches = not own.small if own.batches is None else own.batches
    return own


def main(words=None):
    arguments = parse(words)
    if arguments.device == "cpu":
        torch.set_num_threads(1)
    print(report(Run(arguments), arguments))


if __name__ == "__main__":
    main()
