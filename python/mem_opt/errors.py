"""Exceptions of the package. All derive from `Error`."""

from __future__ import annotations


class Error(Exception):
    """Base of all exceptions of this package."""


class InvalidInput(Error, ValueError):
    """The arguments describe no problem: the text says which number is wrong, and why."""


class NoPlan(Error):
    """The buffers do not fit. The text has the memory map: the buffers that hold the memory.

    `plan` is the best plan beyond the capacity; None if there is none.
    """

    plan = None


class InternalError(Error):
    """A bug of this package, for example a plan that fails its check."""


class MissingFramework(Error, ImportError):
    """The framework of an adapter is not installed: the text says what to install."""
