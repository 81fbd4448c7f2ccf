"""`mem_opt.importers` with a snapshot that PyTorch itself has made, of a training step on the CPU: PyTorch converts
a profile to the form of its recordings on a GPU. Memory that is released too early, or parameters that are
left out, would fail here."""

import pickle

import mem_opt
import mem_opt.importers
import torch
from torch.cuda._memory_viz import _profile_to_snapshot
from torch.profiler import ProfilerActivity, profile


def test_a_training_step_is_planned(tmp_path):
    model = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 8))
    x = torch.randn(128, 64)
    options = dict(profile_memory=True, record_shapes=True, with_stack=True)
    with profile(activities=[ProfilerActivity.CPU], **options) as recorded:
        for _ in range(2):
            model(x).sum().backward()
            model.zero_grad()
    snapshot = _profile_to_snapshot(recorded)
    path = tmp_path / "snapshot.pickle"
    path.write_bytes(pickle.dumps(snapshot))
    columns = mem_opt.importers.from_torch_snapshot(path)
    parameters = [own.numel() * own.element_size() for own in model.parameters()]
    n_steps = max(columns["upper"])
    always = [
        size for lower, upper, size in zip(columns["lower"], columns["upper"], columns["size"])
        if (lower, upper) == (0, n_steps)
    ]  # fmt: skip
    assert all(always.count(size) >= parameters.count(size) for size in parameters)
    # What was live at once, counted event by event.
    now = peak = sum(always)
    for event in snapshot["device_traces"][0]:
        if event["action"] == "alloc":
            now += event["size"]
            peak = max(peak, now)
        elif event["action"] == "free_completed":
            now -= event["size"]
    plan = mem_opt.plan(columns)
    assert plan.lower_bound == peak and plan.proven and plan.peak == peak
