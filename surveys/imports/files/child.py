"""Child process that unpacks one uploaded file, within limits that the operating system enforces.

``python -m surveys.imports.files.child`` reads a line of JSON and the file from standard input, and writes a
line of JSON and bytes to standard output. Its limits are set before it reads the first byte. It has none of
the installation's secrets, opens no database, and cannot write to any file.

The limits bound two processes together: the child has at most `MEGABYTES`, and its caller, which has about
100 MB, receives at most `MOST_ANSWER` bytes and makes at most eight times as much of them once the child has
ended. So reading a file needs at most 1 GB.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import math
import os
import resource
import sys
from collections.abc import Sequence
from typing import Any, Final

MEGABYTES: Final = 800
"""Memory limit. Libraries that read Parquet need two fifths of it."""
MOST_ANSWER: Final = 50_000_000
"""Most bytes that the child may answer."""
SECONDS: Final = 20
"""Limit on processor time. Elapsed time is longer if other processes have priority."""
NICENESS: Final = 10
"""Leaves the child a tenth of a busy processor: respondents come first, but files are still read in time."""


def main() -> None:
    """Unpack the file from standard input with the function that the first line names."""
    _limit()
    request = json.loads(sys.stdin.buffer.readline())
    _prepare_words(request["language"], request["settings"])
    # Imported after the limits are set.
    from privacy.errors import PrivacyError

    module, name = request["read"]
    pieces: Sequence[bytes | memoryview] = ()
    answer: dict[str, Any]
    try:
        read = getattr(importlib.import_module(module), name)
        plain, pieces = read(sys.stdin.buffer.read(), *request["arguments"])
        sizes = [memoryview(piece).nbytes for piece in pieces]
        answer = {"plain": plain, "sizes": sizes}
        check_answer(sum(sizes), request["most"])
    except PrivacyError as error:
        answer, pieces = {"refused": {"case": error.case, **error.fields}}, ()
    except MemoryError:
        answer = {"memory": True}
    except Exception as error:
        # Only the name, because the message may contain a value from the file.
        answer = {"failed": type(error).__name__}
    sys.stdout.buffer.write(json.dumps(answer, default=repr).encode() + b"\n")
    sys.stdout.buffer.writelines(pieces)


def check_answer(size: int, most: int) -> None:
    """Refuse an answer of more than `most` bytes; the error names both sizes."""
    from surveys.errors.error import SurveyError

    if size > most:
        raise SurveyError("upload.answer", size=math.ceil(size / 1e6), most=most // 1_000_000)


def _limit() -> None:
    """Set the limits, and give all other processes priority."""
    most = MEGABYTES * 1_000_000
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    # macOS does not support memory limits. Those on time and file size apply there too.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    # Do not raise a priority that is already lower.
    os.setpriority(os.PRIO_PROCESS, 0, max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))


def _prepare_words(language: str, given: dict[str, Any]) -> None:
    """Set up error messages in the reader's language, with Django's catalogues but without a database."""
    import django
    from django.conf import settings
    from django.utils.translation import activate

    settings.configure(USE_I18N=True, **given)
    django.setup()
    activate(language)


if __name__ == "__main__":
    main()
    sys.stdout.buffer.flush()
    # Skip the normal shutdown, which a thread that Arrow is still starting would abort.
    os._exit(0)
