"""Imports of the frameworks that adapters need."""

from __future__ import annotations

import importlib

from .errors import MissingFramework


def require(adapter, *modules):
    """Imports `modules`, given with the package to install each from, and returns them."""
    imported = []
    for module, package in modules:
        try:
            imported.append(importlib.import_module(module))
        except ImportError as error:
            root = module.split(".")[0]
            if (error.name or "").split(".")[0] != root:
                # The framework is installed, and lacks something of its own.
                raise
            raise MissingFramework(
                f"mem_opt.{adapter} needs {root}, which is not installed: pip install {package}"
            ) from None
    return imported
