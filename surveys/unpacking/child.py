"""Child process that unpacks one file from outside, within limits that the system holds.

``python -m surveys.unpacking.child`` takes a line of JSON and the file by standard input and answers by
standard output with a line of JSON and bytes. Its limits are set before it reads the first of them. It has
none of the installation's secrets, opens no database, and can write to no file.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import sys
from typing import Any, Final

__all__ = ["MEGABYTES", "NICENESS", "SECONDS", "main"]

MEGABYTES: Final = 1_000
"""Of memory: a third of it are the libraries that read Parquet."""
SECONDS: Final = 20
"""On a processor; the clock shows more where others come first."""
NICENESS: Final = 10
"""A tenth of a busy processor: answers of respondents come first, and a file is still read in time."""


def main() -> None:
    """Unpack the file of standard input by the function that its first line names."""
    _limit()
    request = json.loads(sys.stdin.buffer.readline())
    _prepare_words(request["language"], request["locale"])
    # Imported in the child alone, and after the limits.
    from surveys.errors.error import SurveyError

    module, name = request["read"]
    payload = b""
    answer: dict[str, Any]
    try:
        read = getattr(importlib.import_module(module), name)
        plain, payload = read(sys.stdin.buffer.read(), *request["arguments"])
        answer = {"plain": plain}
    except SurveyError as error:
        answer = {"refused": {"case": error.case, **error.fields}}
    except MemoryError:
        answer = {"memory": True}
    except Exception as error:
        # Its name only: the text may hold a value of the file.
        answer = {"failed": type(error).__name__}
    sys.stdout.buffer.write(json.dumps(answer, default=repr).encode() + b"\n" + payload)


def _limit() -> None:
    """Set the limits; respondents and everybody else go first."""
    most = MEGABYTES * 1_000_000
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    # macOS knows no limit of memory; those of time and of records hold there too.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    # Of a process that ranks behind others already it ranks no further behind.
    os.setpriority(os.PRIO_PROCESS, 0, max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))


def _prepare_words(language: str, locale: list[str]) -> None:
    """Let refusals be written in the language of their reader, by Django's words without its apps."""
    import django
    from django.conf import settings
    from django.utils.translation import activate

    settings.configure(USE_I18N=True, LOCALE_PATHS=locale)
    django.setup()
    activate(language)


if __name__ == "__main__":
    main()
    sys.stdout.buffer.flush()
    # Without farewell: a thread that Arrow is still starting aborts a process that ends in good order.
    os._exit(0)
