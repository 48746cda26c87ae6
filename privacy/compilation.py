"""Compile with numba and cache the compiled code on disk until one of its source files changes.

numba only checks the file of the compiled function, so code inlined from other modules would stay stale
after an edit. The cache is therefore keyed by a digest of all sources in the function's package and below.
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
"""Bytes at the beginning of numba's index, which hold its version."""


def compile_function(function: Any) -> Any:
    """Compile a function without the interpreter's lock; kept on disk where there is room for it.

    Parameters
    ----------
    function : function
        The function; everything that it calls and that is compiled with it must be in its package or below.

    Returns
    -------
    numba's dispatcher
    """
    # Whether code is kept can be asked without loading numba.
    from numba import njit

    try:
        # numba names its cache files after the qualified name.
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
        # No sources to distinguish, or no cache directory: every process compiles for itself.
        return njit(nogil=True)(function)


def is_kept(function: Any) -> bool:
    """Return whether the cache holds a function compiled from the current sources by the installed numba.

    Loading takes less than a second, compiling about ten. If numba is configured to cache elsewhere, or
    cannot write next to the sources, this check does not look there either.

    Parameters
    ----------
    function : callable
        That numba compiles when it is first called.
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
    """Digest the sources of a package and all below it.

    Parameters
    ----------
    package : str
        Its dotted name.

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
