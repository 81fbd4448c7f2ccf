"""Runs training steps on the CPU, and measures their memory and floating-point operations."""

import torch
import torch.utils._pytree as pytree
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.debugging import boxed_nop
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry


class Meter(TorchDispatchMode):
    """Counts the bytes of all storages that operations have allocated and that are still alive."""

    def __init__(self):
        super().__init__()
        self.live, self.peak, self.flops = {}, 0, 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        operands = {own.untyped_storage()._cdata for own in tensors((args, kwargs))}
        results = function(*args, **kwargs)
        packet = function._overloadpacket
        if packet in flop_registry:
            self.flops += flop_registry[packet](*args, **kwargs, out_val=results)
        self.live = {key: own for key, own in self.live.items() if not own[0].expired()}
        for own in tensors(results):
            storage = own.untyped_storage()
            if storage._cdata not in operands and storage._cdata not in self.live:
                self.live[storage._cdata] = StorageWeakRef(storage), storage.nbytes()
        self.peak = max(self.peak, sum(n_bytes for _, n_bytes in self.live.values()))
        return results


class Ambient(Meter):
    """Counts beside compiled code."""

    @classmethod
    def ignore_compile_internals(cls):
        return True


def tensors(values):
    return [own for own in pytree.tree_leaves(values) if isinstance(own, torch.Tensor)]


def train(make, inputs, partition):
    """One training step of a new model, as compiled with a partitioner. Returns the loss with gradients
    and buffers, the peak in bytes, and the floating-point operations."""
    meter = Meter()

    def metered(module, example_inputs):
        run = boxed_nop(module, example_inputs)

        def call(arguments):
            with meter:
                return run(arguments)

        call._boxed_call = True
        return call

    torch._dynamo.reset()
    torch.manual_seed(0)
    model = make()
    backend = aot_autograd(fw_compiler=metered, bw_compiler=metered, partition_fn=partition)
    torch.manual_seed(1)
    loss = torch.compile(model, backend=backend, dynamic=False)(*inputs)
    loss.backward(torch.ones_like(loss))
    values = [loss.detach(), *(own.grad for own in model.parameters()), *model.buffers()]
    return values, meter.peak, meter.flops


def are_equal(left, right):
    """Whether all values are equal, bit for bit."""
    assert len(left) == len(right)
    return all(torch.equal(a, b) for a, b in zip(left, right))


class Perceptron(torch.nn.Module):
    """Residual blocks of two layers, with a result besides the loss."""

    def __init__(self, n_blocks=5, width=64):
        super().__init__()
        self.blocks = torch.nn.ModuleList(
            torch.nn.Sequential(
                torch.nn.Linear(width, 4 * width),
                torch.nn.GELU(),
                torch.nn.Linear(4 * width, width),
                torch.nn.LayerNorm(width),
            )
            for _ in range(n_blocks)
        )

    def forward(self, x):
        for block in self.blocks:
            x = x + block(x)
        return (x * x).mean()


class Attention(torch.nn.Module):
    """A transformer, with views and a softmax."""

    def __init__(self, n_layers=2, width=32, n_heads=4):
        super().__init__()
        self.n_heads = n_heads
        self.layers = torch.nn.ModuleList(
            torch.nn.ModuleList(
                [torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width),
                 torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)]
            )
            for _ in range(n_layers)
        )

    def attend(self, mix, merge, x):
        batch, length, width = x.shape
        split = mix(x).view(batch, length, 3, self.n_heads, -1).permute(2, 0, 3, 1, 4)
        query, key, value = split.unbind(0)
        weights = (query @ key.transpose(-1, -2) / key.shape[-1] ** 0.5).softmax(-1)
        return merge((weights @ value).transpose(1, 2).reshape(batch, length, width))

    def forward(self, x):
        for mix, merge, up, down in self.layers:
            x = x + self.attend(mix, merge, x)
            x = x + down(torch.relu(up(x)))
        return x.pow(2).mean()


class Convolutions(torch.nn.Module):
    """Batch normalization changes buffers in the forward part; dropout draws random numbers."""

    def __init__(self):
        super().__init__()
        layers, n_channels = [], 3
        for width in (16, 16, 32, 32):
            layers += [torch.nn.Conv2d(n_channels, width, 3, padding=1), torch.nn.BatchNorm2d(width)]
            layers += [torch.nn.ReLU(), torch.nn.Dropout(0.2)]
            n_channels = width
        self.layers = torch.nn.Sequential(*layers, torch.nn.MaxPool2d(2))

    def forward(self, x):
        return self.layers(x).square().mean()
