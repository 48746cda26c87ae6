"""Bars of numbers that are stored as answered: made once, for every figure of the number.

Each bar has ten people or none. All figures of the number use the bars: its distribution, mean, quantiles and
extremes, its declared ranges, and comparisons. They are made from all rows of a settled survey and stored, so
that no two figures differ by the people between two cut points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from privacy.arrays import Whole
from privacy.estimation.composed_parts import Factor, Side
from privacy.scales.decoded_numbers import MEAN
from privacy.scales.open_bars import coarsened, first_bins, merged
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.models import CutPoints, Run
from surveys.policy import LEAST_PROFILE
from surveys.runs.cut_points import stored_cuts
from surveys.runs.interim_or_final import combines
from surveys.runs.map_tiles import check_map

if TYPE_CHECKING:
    from privacy.scales.window import WindowChannel

MOST_BARS: Final = 120
"""Most bars of a number; with more bins, a bar covers several."""


def open_numbers(design: Design) -> list[int]:
    """Return the numbers of the questions whose number is stored as answered."""
    return [
        number
        for number, question in enumerate(design.questions)
        if question.has_mean and not design.blocks[design.block_of(number)].protected
    ]


def span_of(design: Design, item: int) -> tuple[int, int]:
    """Return the first and the last bin of an item of a number."""
    declared_item = design.items[item]
    disguise = design.questions[declared_item.question].disguise
    bins = np.flatnonzero(disguise.item_values(declared_item.option))  # type: ignore[union-attr]  # it is a number
    return int(bins[0]), int(bins[-1])


def is_union(bars: Sequence[int], span: tuple[int, int], size: int) -> bool:
    """Whether a range of bins is a union of bars of a number with this many bins.

    >>> is_union([0, 3, 6], (3, 7), 8), is_union([0, 3, 6], (0, 3), 8)
    (True, False)
    """
    return span[0] in bars and span[1] + 1 in (*bars, size)


def _size(design: Design, number: int) -> int:
    return cast("WindowChannel", design.questions[number].disguise).inputs


def stored_bars(run: Run, number: int) -> list[int] | None:
    """Return the first bin of each bar of a number that is stored as answered; None if none were made."""
    cuts = stored_cuts(run, number)
    return None if cuts is None else [int(start) for start in cuts.cuts]


def bars_for(run: Run, number: int) -> list[int] | None:
    """Return the bars that all figures of a number must use; None if each bin may be shown.

    Raises
    ------
    SurveyError
        ``waits``: the number is stored as answered, and the run is not final or has no bars yet.
    """
    if run.survey.practice or number not in open_numbers(run.design):
        return None
    bars = stored_bars(run, number) if combines(run) else None
    if bars is None and run.survey.known_truth is None:
        raise SurveyError("waits", least=LEAST_PROFILE)
    return bars


def make_bars(run: Run, people_by_bin: Callable[[int], Whole], *, now: datetime) -> None:
    """Store the bars of each open number, once; rows that joined later only merge them."""
    design = run.design
    for number in open_numbers(design):
        people = people_by_bin(number)
        bars = stored_bars(run, number)
        new = (
            _first_bars(design, number, people) if bars is None else merged(bars, people, least=LEAST_PROFILE)
        )
        if new != bars:
            CutPoints.objects.get_or_create(
                survey=run.survey,
                design_id=run.design_id,
                question=number,
                snapshot_digest=run.snapshot_digest,
                defaults={"cuts": new, "at": now},
            )


def _first_bars(design: Design, number: int, people: Whole) -> list[int]:
    size = len(people)
    spans = [span_of(design, item.index) for item in design.items if item.question == number]
    ends = {end for first, last in spans for end in (first, last + 1) if 0 < end < size}
    return first_bins(
        people, least=LEAST_PROFILE, units=range(0, size, -(-size // MOST_BARS)), preferred=sorted(ends)
    )


def check_ranges(run: Run, by: Side, outcome: Side) -> None:
    """Refuse ranges of an open number that are not a union of its bars, and any of its figures before these.

    Raises
    ------
    SurveyError
        ``profile.bars``, ``waits``
    """
    for part in (part for side in (by, outcome) for part in side.parts):
        bars = bars_for(run, part.question)
        check_map(run, part.question)
        if bars is None or part.target == MEAN:
            continue
        disguise = cast("WindowChannel", run.design.questions[part.question].disguise)
        if not is_union(bars, cast("tuple[int, int]", part.target), disguise.inputs):
            starts = ", ".join(
                disguise.range.text(disguise.range.low + bin_ * disguise.range.bin) for bin_ in bars
            )
            raise SurveyError("profile.bars", least=LEAST_PROFILE, starts=starts)


def in_bars(run: Run, factors: Sequence[Factor]) -> tuple[Factor, ...]:
    """Return factors in which all bins of a bar of an open number have the same score."""
    return tuple(_one_in_bars(run, factor) for factor in factors)


def _one_in_bars(run: Run, factor: Factor) -> Factor:
    bars = None if factor.question is None else bars_for(run, factor.question)
    if bars is None or factor.question is None:
        return factor
    size = _size(run.design, factor.question)
    groups = (factor.scores[:, : factor.split], factor.scores[:, factor.split :])
    scores = np.concatenate([coarsened(group_scores, bars, size) for group_scores in groups], axis=1)
    return replace(factor, scores=scores)
