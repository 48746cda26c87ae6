"""Compile by numba, and keep what is compiled on disk as long as no source that it may be made of changes.

numba asks only whether the file of the compiled function is as it was. Code that it took in from other
modules would stay as it was before they were edited. What is kept therefore bears a digest of all sources
beside the function and below: its own package's.
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

__all__ = ["compiled", "is_kept", "sources_digest"]

_VERSION_WITHIN: Final = 64
"""Bytes at the beginning of numba's index, which hold its version."""


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
    # Whether code is kept can be asked without loading numba.
    from numba import njit

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


def is_kept(function: Any) -> bool:
    """Whether code of a function, made of the sources as they are by the numba that is here, lies beside it.

    Loading it takes less than a second, compiling it some ten. Where numba is told to keep code elsewhere, or
    may not write beside the sources, it does not look there, and neither does this.

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
