"""Compile by numba, and keep what is compiled on disk as long as no source that it may be made of changes.

Importing this module needs numba.

numba asks only whether the file of the compiled function is as it was. Code that it took in from other
modules would stay as it was before they were edited. What is kept therefore bears a digest of all sources
beside the function and below: its own package's.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import FunctionType
from typing import Any

from numba import njit

__all__ = ["compiled", "sources_digest"]


def compiled(function: Any) -> Any:
    """Compile a function without the interpreter's lock; kept on disk where there is room for it.

    Parameters
    ----------
    function : function
        What it calls and is to be compiled with it stands in its own package or below.

    Returns
    -------
    numba's dispatcher
    """
    try:
        # numba names what it keeps after the qualified name.
        named = FunctionType(
            function.__code__,
            function.__globals__,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        named.__module__ = function.__module__
        named.__qualname__ = (
            f"{function.__qualname__}-{sources_digest(function.__module__.rpartition('.')[0])}"
        )
        return njit(nogil=True, cache=True)(named)
    except (OSError, RuntimeError):
        # No sources to tell apart, or no directory to keep code in: every process compiles for itself.
        return njit(nogil=True)(function)


@cache
def sources_digest(package: str) -> str:
    """Digest the sources of a package and all below it.

    Raises
    ------
    OSError
        Where it comes without its sources.
    """
    digest = blake2b(digest_size=6)
    for source in _sources(files(package)):
        text = source.read_bytes()
        digest.update(f"{source.name} {len(text)}\n".encode())
        digest.update(text)
    return digest.hexdigest()


def _sources(folder: Traversable) -> Iterator[Traversable]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _sources(entry)
        elif entry.name.endswith(".py"):
            yield entry
