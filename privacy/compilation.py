"""Compile with numba and cache the compiled code on disk until one of its source files changes.

numba only checks the file of the compiled function, so edits to code that is inlined from other modules would
go unnoticed. The cache key therefore includes a digest of all sources in the function's package and below.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import FunctionType
from typing import Any, Final

_VERSION_WITHIN: Final = 64
"""Number of bytes at the start of numba's index file that contain its version."""


def compile_function(function: Any) -> Any:
    """Compile a function to run without the GIL, and cache the code on disk if possible.

    Parameters
    ----------
    function : function
        All functions compiled with it must be in its package or below.

    Returns
    -------
    numba's dispatcher
    """
    # Imported here so that is_kept works without loading numba.
    from numba import njit

    try:
        # numba names its cache files after the qualified name, so that is where the digest goes.
        clone = FunctionType(
            function.__code__,
            function.__globals__,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        clone.__module__ = function.__module__
        clone.__qualname__ = (
            f"{function.__qualname__}-{sources_digest(function.__module__.rpartition('.')[0])}"
        )
        return njit(nogil=True, cache=True)(clone)
    except (OSError, RuntimeError):
        # Without sources or a cache directory, every process compiles the function again.
        return njit(nogil=True)(function)


def is_kept(function: Any) -> bool:
    """Return whether the cache holds a function compiled from the current sources by the installed numba.

    Loading cached code takes less than a second, compiling about ten. The result is False if numba is
    configured to cache elsewhere or cannot write next to the sources.

    Parameters
    ----------
    function : callable
        A function that numba compiles on its first call.
    """
    package, _, module = function.__module__.rpartition(".")
    try:
        made_by = version("numba").encode()
        name = f"{module}.{function.__qualname__}-{sources_digest(package)}"
        folder = files(package).joinpath("__pycache__")
        if os.environ.get("NUMBA_CACHE_DIR") or not os.access(str(folder), os.W_OK):
            return False
        for entry in folder.iterdir():
            if entry.name.startswith(name) and entry.name.endswith(".nbi"):
                return made_by in entry.read_bytes()[:_VERSION_WITHIN]
    except (OSError, PackageNotFoundError):
        pass
    return False


@cache
def sources_digest(package: str) -> str:
    """Return a digest of all sources in a package and its subpackages.

    Parameters
    ----------
    package : str
        Dotted name of the package.

    Raises
    ------
    OSError
        The package is installed without sources.
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
