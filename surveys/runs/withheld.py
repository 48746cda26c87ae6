"""Questions of a run that have no figures because forged rows contradict them: one decision for all pages."""

from __future__ import annotations

from typing import Final

from privacy.estimation.withheld import NOTHING, Withheld
from surveys.models import Run

STORED: Final = "withheld"
"""Member of a run's summary."""


def withheld_of(run: Run) -> Withheld:
    """Return what no figure of a run may read. Its job decided this before it estimated anything.

    Raises
    ------
    ValueError
        The run's rows have not been checked.
    """
    if not run.summary:
        raise ValueError(f"the reports of run {run.pk} have not been checked")
    record = run.summary.get(STORED)
    return NOTHING if record is None else Withheld.from_json(record)


def is_withheld_whole(run: Run) -> bool:
    """Whether an earlier version of the program withheld all figures of a run for one question.

    It stored neither which other questions failed nor the figures that this version shows.
    """
    return bool(run.summary.get("misfit"))
