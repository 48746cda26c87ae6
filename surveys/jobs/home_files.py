"""Derived files in this home: keep them, and delete those of deleted surveys."""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from surveys.models import Survey

logger = logging.getLogger(__name__)

if TYPE_CHECKING:
    from privacy.survey.design import Design

SECONDS_BETWEEN_CLEARINGS: Final = 60.0


def directory_of(survey_id: int, design: Design) -> Path:
    """Return the directory with the segments of a survey's design."""
    return Path(settings.SOTTOVOCE_HOME) / "columns" / f"{survey_id}-{design.design_id[:32]}"


def keep_file(path: Path, write: Callable[[BinaryIO], None]) -> None:
    """Write a derived file and rename it into place; readers see all of it or nothing.

    If the disk is full or not writable, this only costs time later, because the file is computed again.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(draft, "xb", opener=_owners_only) as file:
            write(file)
        draft.replace(path)
    except OSError as error:
        logger.warning("%s cannot be kept in %s: %s", path.name, path.parent, error)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _owners_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def columns_clear() -> None:
    """Delete columns, and files stored with them, from this home if their survey no longer exists.

    They remain if the survey was deleted from another home. They are derived data, and a directory is created
    only after its survey, so files that were deleted by mistake are computed again.
    """
    columns_home = Path(settings.SOTTOVOCE_HOME) / "columns"
    try:
        names = {path: path.name.partition("-")[0] for path in columns_home.iterdir()}
    except OSError:
        return
    surveys_here = {path: int(name) for path, name in names.items() if name.isascii() and name.isdecimal()}
    live_ids = (
        set(Survey.objects.filter(pk__in=set(surveys_here.values())).values_list("pk", flat=True))
        if surveys_here
        else set()
    )
    for path, survey_id in surveys_here.items():
        if survey_id not in live_ids:
            shutil.rmtree(path, ignore_errors=True)


def clear_periodically() -> threading.Thread:
    """Remove files of deleted surveys from this home, repeatedly as long as the web process lives.

    Returns
    -------
    threading.Thread
        The thread that does it.
    """

    def go_on() -> None:
        while True:
            try:
                columns_clear()
            except (DatabaseError, InterfaceError) as error:
                logger.warning("this home was not cleared: %s", type(error).__name__)
            # A refused database ends this thread: every process refuses it and must be started anew.
            finally:
                connection.close()
            time.sleep(SECONDS_BETWEEN_CLEARINGS)

    thread = threading.Thread(target=go_on, name="clearing the home", daemon=True)
    thread.start()
    return thread
