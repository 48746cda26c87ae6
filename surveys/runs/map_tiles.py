"""Tiles of maps with exact places: made once, for every figure of the map."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.models import CutPoints, Run
from surveys.policy import LEAST_PROFILE
from surveys.runs.cut_points import stored_cuts
from surveys.runs.interim_or_final import combines


def is_exact_map(design: Design, number: int) -> bool:
    """Whether a question asks for a place that is sent exactly outside the sensitive areas."""
    disguise = design.questions[number].disguise
    return disguise is not None and disguise.exact_outside


@dataclass(frozen=True, kw_only=True)
class Tiles:
    """The pieces of a map with exact places: position and cells per side, and what is suppressed.

    Parameters
    ----------
    column, row, side : list of int
        South-western cell and cells per side of each piece.
    hidden : list of bool
    hidden_regions : list of str
        Keys of the regions that are suppressed with these pieces.
    """

    column: list[int]
    row: list[int]
    side: list[int]
    hidden: list[bool]
    hidden_regions: list[str]


def stored_tiles(run: Run, number: int) -> Tiles | None:
    """Return the pieces of a map that is shown already; None if none is."""
    cuts = stored_cuts(run, number)
    return None if cuts is None else Tiles(**cuts.cuts)


def store_tiles(run: Run, number: int, tiles: Tiles, *, now: datetime) -> Tiles:
    """Store the pieces of a map, once; return those that are stored."""
    cuts, _new = CutPoints.objects.get_or_create(
        survey=run.survey,
        design_id=run.design_id,
        question=number,
        snapshot_digest=run.snapshot_digest,
        defaults={"cuts": asdict(tiles), "at": now},
    )
    return Tiles(**cuts.cuts)


def check_map(run: Run, number: int) -> None:
    """Refuse a map with exact places before its run is final.

    Raises
    ------
    SurveyError
        ``waits``
    """
    if is_exact_map(run.design, number) and not combines(run):
        raise SurveyError("waits", least=LEAST_PROFILE)
