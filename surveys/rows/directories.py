"""Locate the columns of each survey in this home, and delete those no longer needed.

Every process cleans its home. The web process and the sweeper compute nothing, so this module does not load
the code that does.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from surveys.models import Survey

if TYPE_CHECKING:
    from privacy.survey.design import Design

__all__ = ["columns_clear", "directory_of"]


def directory_of(survey_id: int, design: Design) -> Path:
    """Return the directory with the segments of a survey's design."""
    return Path(settings.SOTTOVOCE_HOME) / "columns" / f"{survey_id}-{design.design_id[:32]}"


def columns_clear() -> None:
    """Delete from this home the columns, and files stored with them, that belong to no survey.

    They remain here if a survey is deleted elsewhere. They are derived data, and a directory is created only
    after its survey, so files deleted by mistake are made again.
    """
    shelves = Path(settings.SOTTOVOCE_HOME) / "columns"
    try:
        names = {path: path.name.partition("-")[0] for path in shelves.iterdir()}
    except OSError:
        return
    surveys_here = {path: int(name) for path, name in names.items() if name.isascii() and name.isdecimal()}
    owned = (
        set(Survey.objects.filter(pk__in=set(surveys_here.values())).values_list("pk", flat=True))
        if surveys_here
        else set()
    )
    for path, survey_id in surveys_here.items():
        if survey_id not in owned:
            shutil.rmtree(path, ignore_errors=True)
