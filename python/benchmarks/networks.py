"""Networks of the benchmark in plain PyTorch, with random parameters. Each computes its loss, so that the
whole step is one graph. `blocks` are what checkpoints go around."""

from dataclasses import dataclass
from typing import Callable

import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint


#: Parts of a text whose scores are computed one after the other.
PARTS = 8


class Network(nn.Module):
    """A network of blocks, each of which can be computed again in the backward part."""

    #: Whether blocks are checkpoints.
    is_checkpointed = False

    def run(self, block, *values):
        """Runs a block."""
        if self.is_checkpointed and torch.is_grad_enabled():
            return checkpoint(block, *values, use_reentrant=False)
        return block(*values)


class Layer(nn.Module):
    """A transformer layer."""

    def __init__(self, width, n_heads, is_causal, is_norm_first):
        super().__init__()
        self.n_heads, self.is_causal, self.is_norm_first = n_heads, is_causal, is_norm_first
        self.mix, self.merge = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)

    def attend(self, x):
        batch, length, width = x.shape
        parts = self.mix(x).view(batch, length, 3, self.n_heads, -1).permute(2, 0, 3, 1, 4)
        own = functional.scaled_dot_product_attention(*parts.unbind(0), is_causal=self.is_causal)
        return self.merge(own.transpose(1, 2).reshape(batch, length, width))

    def expand(self, x):
        return self.down(functional.gelu(self.up(x)))

    def forward(self, x):
        if self.is_norm_first:
            x = x + self.attend(self.first(x))
            return x + self.expand(self.second(x))
        x = self.first(x + self.attend(x))
        return self.second(x + self.expand(x))


class Transformer(Network):
    """GPT-2, causal with norms before each part and a tied embedding; or BERT, with norms after them."""

    def __init__(self, n_layers, width, n_heads, n_words, length, is_causal):
        super().__init__()
        self.words, self.places = nn.Embedding(n_words, width), nn.Embedding(length, width)
        self.layers = nn.ModuleList(Layer(width, n_heads, is_causal, is_causal) for _ in range(n_layers))
        self.last = nn.LayerNorm(width)
        for own in (self.words, self.places):
            nn.init.normal_(own.weight, std=0.02)

    def forward(self, words, targets):
        x = self.words(words) + self.places.weight[: words.shape[1]]
        for layer in self.layers:
            x = self.run(layer, x)
        # In parts: the scores of all words at once would be most of the memory of the step, in one operation.
        parts = zip(self.last(x).chunk(PARTS, 1), targets.chunk(PARTS, 1))
        return sum(self.run(self.loss, *part) for part in parts) / targets.numel()

    def loss(self, x, targets):
        scores = functional.linear(x, self.words.weight)
        return functional.cross_entropy(scores.flatten(0, 1), targets.flatten(), reduction="sum")


class Norm(nn.Module):
    """Normalization by the mean square, in 32 bits."""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        own = x.float()
        return self.weight * (own * torch.rsqrt(own.pow(2).mean(-1, keepdim=True) + 1e-5)).to(x.dtype)


class LlamaLayer(nn.Module):
    """A layer whose attention has fewer keys and values than queries, with places turned into angles."""

    def __init__(self, width, inner, n_heads, n_keys):
        super().__init__()
        self.n_heads, self.n_keys, size = n_heads, n_keys, width // n_heads
        self.query, self.merge = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.key, self.value = (nn.Linear(width, n_keys * size, bias=False) for _ in range(2))
        self.gate, self.up = (nn.Linear(width, inner, bias=False) for _ in range(2))
        self.down = nn.Linear(inner, width, bias=False)
        self.first, self.second = Norm(width), Norm(width)

    def attend(self, x, cosines, sines):
        batch, length, width = x.shape
        parts = (self.query, self.n_heads), (self.key, self.n_keys), (self.value, self.n_keys)
        query, key, value = (own(x).view(batch, length, n, -1).transpose(1, 2) for own, n in parts)
        query, key = (own * cosines + turned(own) * sines for own in (query, key))
        key, value = (own.repeat_interleave(self.n_heads // self.n_keys, 1) for own in (key, value))
        own = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.merge(own.transpose(1, 2).reshape(batch, length, width))

    def forward(self, x, cosines, sines):
        x = x + self.attend(self.first(x), cosines, sines)
        own = self.second(x)
        return x + self.down(functional.silu(self.gate(own)) * self.up(own))


def turned(x):
    """The second half of each vector before the first one, with the opposite sign."""
    one, two = x.chunk(2, -1)
    return torch.cat([-two, one], -1)


class Llama(Network):
    """Llama as in other libraries: the loss is computed in 32 bits, of all words at once."""

    def __init__(self, n_layers, width, inner, n_heads, n_keys, n_words, length):
        super().__init__()
        self.words, self.scores = nn.Embedding(n_words, width), nn.Linear(width, n_words, bias=False)
        self.layers = nn.ModuleList(LlamaLayer(width, inner, n_heads, n_keys) for _ in range(n_layers))
        self.last, size = Norm(width), width // n_heads
        angles = torch.outer(torch.arange(length), 1e4 ** -(torch.arange(0, size, 2) / size)).repeat(1, 2)
        self.register_buffer("cosines", angles.cos())
        self.register_buffer("sines", angles.sin())
        for own in (self.words, self.scores):
            nn.init.normal_(own.weight, std=0.02)

    def forward(self, words, targets):
        x = self.words(words)
        for layer in self.layers:
            x = self.run(layer, x, self.cosines, self.sines)
        return self.run(self.loss, self.last(x), targets)

    def loss(self, x, targets):
        return functional.cross_entropy(self.scores(x).float().flatten(0, 1), targets.flatten())


class Bottleneck(nn.Module):
    """A block of ResNet-50."""

    def __init__(self, n_inputs, width, stride):
        super().__init__()
        n_outputs = 4 * width
        self.layers = nn.Sequential(
            nn.Conv2d(n_inputs, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, n_outputs, 1, bias=False), nn.BatchNorm2d(n_outputs),
        )  # fmt: skip
        is_same = n_inputs == n_outputs and stride == 1
        own = [nn.Conv2d(n_inputs, n_outputs, 1, stride, bias=False), nn.BatchNorm2d(n_outputs)]
        self.other = nn.Identity() if is_same else nn.Sequential(*own)

    def forward(self, x):
        return functional.relu(self.layers(x) + self.other(x))


class ResNet(Network):
    """ResNet-50, and smaller ones."""

    def __init__(self, width, depths, n_classes):
        super().__init__()
        own = [nn.Conv2d(3, width, 7, 2, 3, bias=False), nn.BatchNorm2d(width), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
        self.stem = nn.Sequential(*own)
        self.blocks, n_inputs = nn.ModuleList(), width
        for stage, depth in enumerate(depths):
            for index in range(depth):
                stride = 2 if stage and not index else 1
                self.blocks.append(Bottleneck(n_inputs, width << stage, stride))
                n_inputs = 4 * (width << stage)
        self.last = nn.Linear(n_inputs, n_classes)

    def forward(self, images, targets):
        x = self.run(self.stem, images)
        for block in self.blocks:
            x = self.run(block, x)
        return functional.cross_entropy(self.last(x.mean((2, 3))), targets)


def convolutions(n_inputs, n_outputs):
    """Two convolutions of a U-Net."""
    return nn.Sequential(
        nn.Conv2d(n_inputs, n_outputs, 3, padding=1), nn.GroupNorm(4, n_outputs), nn.SiLU(),
        nn.Conv2d(n_outputs, n_outputs, 3, padding=1), nn.GroupNorm(4, n_outputs), nn.SiLU(),
    )  # fmt: skip


class UNet(Network):
    """A U-Net, whose long connections keep results of the first layers until the last ones."""

    def __init__(self, width, n_levels):
        super().__init__()
        widths = [width << level for level in range(n_levels)]
        self.down = nn.ModuleList(convolutions(a, b) for a, b in zip([3, *widths], widths))
        self.up = nn.ModuleList(convolutions(a + b, b) for a, b in zip(widths[:0:-1], widths[-2::-1]))
        self.last = nn.Conv2d(width, 3, 1)

    def forward(self, images, targets):
        x, kept = images, []
        for index, block in enumerate(self.down):
            x = self.run(block, functional.max_pool2d(x, 2) if index else x)
            kept.append(x)
        for index, block in enumerate(self.up):
            x = functional.interpolate(x, scale_factor=2.0, mode="nearest")
            x = self.run(block, torch.cat([x, kept[-2 - index]], 1))
        return functional.mse_loss(self.last(x), targets)


@dataclass(frozen=True)
class Case:
    """A network with the shapes of its arguments."""

    title: str
    make: Callable
    #: Arguments for a batch, a type of numbers and a device.
    arguments: Callable
    batch: int


def words(n_words, length):
    """Arguments of a transformer."""

    def arguments(batch, dtype, device):
        one, two = (torch.randint(n_words, (batch, length)) for _ in range(2))
        return one.to(device), two.to(device)

    return arguments


def images(size, n_classes=None):
    """Arguments of a network for images: classes, or images again."""

    def arguments(batch, dtype, device):
        own = torch.randn(batch, 3, size, size)
        target = torch.randn(own.shape).to(dtype) if n_classes is None else torch.randint(n_classes, (batch,))
        return own.to(device, dtype), target.to(device)

    return arguments


CASES = {
    "gpt2-small": Case(
        "GPT-2 small, 1024 words", lambda: Transformer(12, 768, 12, 50257, 1024, True), words(50257, 1024), 32
    ),
    "gpt2-medium": Case(
        "GPT-2 medium, 1024 words", lambda: Transformer(24, 1024, 16, 50257, 1024, True), words(50257, 1024), 16
    ),
    "bert-base": Case(
        "BERT-base, 512 words", lambda: Transformer(12, 768, 12, 30522, 512, False), words(30522, 512), 64
    ),
    "llama-1b": Case(
        "Llama of 1.1 billion, 2048 words", lambda: Llama(22, 2048, 5632, 32, 4, 32000, 2048), words(32000, 2048), 4
    ),
    "resnet50": Case("ResNet-50, 224 pixels", lambda: ResNet(64, (3, 4, 6, 3), 1000), images(224, 1000), 128),
    "unet": Case("U-Net, 256 pixels", lambda: UNet(64, 5), images(256), 32),
}

#: The same networks, small enough for a CPU.
SMALL = {
    "gpt2-small": Case("GPT, 3 layers of 32", lambda: Transformer(3, 32, 2, 61, 32, True), words(61, 32), 8),
    "gpt2-medium": Case("GPT, 4 layers of 48", lambda: Transformer(4, 48, 4, 61, 32, True), words(61, 32), 8),
    "bert-base": Case("BERT, 3 layers of 32", lambda: Transformer(3, 32, 2, 61, 32, False), words(61, 32), 8),
    "llama-1b": Case("Llama, 3 layers of 32", lambda: Llama(3, 32, 64, 4, 2, 509, 32), words(509, 32), 8),
    "resnet50": Case("ResNet, 4 blocks, 32 pixels", lambda: ResNet(8, (1, 1, 1, 1), 10), images(32, 10), 32),
    "unet": Case("U-Net, 3 levels, 32 pixels", lambda: UNet(8, 3), images(32), 4),
}
