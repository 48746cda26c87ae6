"""Where the columns of each survey lie in this home, and which of them are of no use any more.

Every part clears its home, and the web and the sweeper compute nothing: what computes is not loaded for that.
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
    """Return where the segments of a design of a survey are."""
    return Path(settings.SOTTO_HOME) / "columns" / f"{survey_id}-{design.design_id[:32]}"


def columns_clear() -> None:
    """Remove from this home the columns, and what is kept beside them, that no survey owns.

    A survey that was deleted elsewhere leaves them here. They are computed, and a directory is made only
    after its survey: what is removed by mistake is made again.
    """
    shelves = Path(settings.SOTTO_HOME) / "columns"
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
