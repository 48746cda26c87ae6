"""Say in a sentence which package a development command lacks, instead of Python's traceback.

The packages `benchmarks`, `tests` and `examples` call this when ``python -m`` imports them, before the
command imports anything else.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parents[1]


def sentence(command: str, package: str) -> str:
    """Return a message that names a missing package and how to install it.

    Parameters
    ----------
    command : str
        Name of the module that was started.
    package : str
        Name of the package.

    Examples
    --------
    >>> print(sentence("tests.where", "pytest"))
    tests.where needs the package pytest. Install it with ./test --install, then type: \
.venv/bin/python -m tests.where
    """
    return (
        f"{command} needs the package {package}. Install it with ./test --install, then type: "
        f".venv/bin/python -m {command}"
    )


def explain_missing_packages() -> None:
    """Replace the traceback of a missing package, if ``python -m`` is starting a command."""
    # Python sets this while it searches for the module to start; pytest and scripts set something else.
    if sys.argv[:1] == ["-m"]:
        sys.excepthook = _explain


def _explain(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    package = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    # A missing module of this project is a bug and needs its traceback.
    if not package or (ROOT / package).exists() or (ROOT / f"{package}.py").exists():
        sys.__excepthook__(kind, error, trace)
        return
    command = sys.orig_argv[sys.orig_argv.index("-m") + 1]
    sys.stderr.write(f"{sentence(command, package)}\n")
