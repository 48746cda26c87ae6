"""Read an uploaded file in a child process, so that the web process unpacks nothing.

A file's stated size cannot be trusted: a few kilobytes can expand to gigabytes. The child has limits on
memory and time that no file can change, and yields the processor to respondents' answers.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils.translation import get_language

import surveys
from surveys.errors.error import SurveyError
from surveys.imports.child import MEGABYTES, SECONDS

PATIENCE: Final = 50.0
"""Elapsed seconds: less than a proxy waits for a page."""

_ROOT: Final = Path(str(surveys.__file__)).resolve().parent.parent
# Environment variables needed to find programs and libraries; none of the installation's secrets is among
# them. The rest keeps libraries from allocating memory for each processor.
_PASSED_ON: Final = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LANG", "LC_ALL", "TMPDIR")
_SPARING: Final = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}
_ONE_AT_A_TIME: Final = threading.Lock()


def read_in_child(
    read: Callable[..., tuple[Any, bytes]], raw: bytes, *arguments: Any, seconds: float | None = None
) -> tuple[Any, bytes]:
    """Unpack a file in a child process; each web process unpacks one at a time.

    Parameters
    ----------
    read : callable
        A top-level function of a module that needs no database; it is called with the file and `arguments`,
        and returns a JSON-serialisable value, and bytes.
    raw : bytes
        Sent to the child through a pipe, and stored nowhere else.
    *arguments : object
        JSON-serialisable values.
    seconds : float, optional
        Limit on the elapsed time, and on the wait for another file; `PATIENCE` if left out.

    Raises
    ------
    SurveyError
        Errors raised by `read`; ``upload``: too much memory or time, a failure, or another file being read.
    """
    seconds = PATIENCE if seconds is None else seconds
    request = {
        "read": [read.__module__, read.__name__],
        "arguments": arguments,
        "language": get_language() or "en",
        "locale": list(map(str, settings.LOCALE_PATHS)),
    }
    if not _ONE_AT_A_TIME.acquire(timeout=seconds):
        raise SurveyError("upload.waiting", retry_after=60)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "surveys.imports.child"],
            input=json.dumps(request).encode() + b"\n" + raw,
            stdout=subprocess.PIPE,
            # A library's warning may quote a value from the file, which must not be logged.
            stderr=subprocess.DEVNULL,
            cwd=_ROOT,
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ} | _SPARING,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SurveyError("upload.seconds", most=f"{seconds:g}") from None
    finally:
        _ONE_AT_A_TIME.release()
    if done.returncode == -signal.SIGXCPU:
        raise SurveyError("upload.seconds", most=SECONDS)
    head, _newline, payload = done.stdout.partition(b"\n")
    # A child killed by a signal reports nothing: native code dies so when out of memory, or on a damaged
    # file.
    answer: dict[str, Any] = json.loads(head) if done.returncode == 0 and head else {"memory": True}
    if "refused" in answer:
        refused = answer["refused"]
        raise SurveyError(refused.pop("case"), refused.pop("value", None), **refused)
    if "memory" in answer:
        raise SurveyError("upload.memory", most=MEGABYTES)
    if "failed" in answer:
        raise SurveyError("upload.failed", answer["failed"])
    return answer["plain"], payload
