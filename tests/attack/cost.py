"""What a figure costs: forged rows that remove it, and forged rows that overturn it, for each page.

Anyone with an open link can send rows. Enough rows that contradict the design *remove* the figures of a
question: they are withheld. Rows that a device could have sent *overturn* a figure: its estimate leaves the
95% interval that the honest rows alone give. The attack sends the most harmful rows, one more at a time, and
reads the figure as the page does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from mining.columns.bitmatrix import BitMatrix
from mining.columns.counted_rows import counted_rows
from mining.columns.counting import CountCache
from mining.columns.row_patterns import sent_counts
from mining.itemsets import estimate_itemsets
from mining.report_checks import find_withheld
from privacy.estimation.comparison import compare, comparison_factors
from privacy.estimation.composed_parts import MEAN, Part, Side
from privacy.estimation.withheld import NOTHING
from privacy.scales.decoding import mean
from privacy.scales.window import WindowChannel
from privacy.survey.design import Design
from surveys.report.results.weights import margins_of
from surveys.runs.disclosure import disclosure
from surveys.runs.regression import Model, item_regression
from surveys.runs.releasable_rows import ReleasableRows
from surveys.runs.weighting import weighted_itemsets
from tests.fixtures.forged_rows import with_report

__all__ = ["FIGURES", "Cost", "Figure", "cost_of"]

MOST: Final = 16_384
"""Forged rows beyond which an attack is given up."""

Interval = tuple[float, float, float]
"""An estimate with its low and high end."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A figure of a page, and the rows that attack it.

    Attributes
    ----------
    pages : str
        Pages and files that show it.
    questions : tuple of str
        Keys of the questions that it reads.
    forged : mapping of str to int
        What a forged row reports to each of them.
    read : callable
        Returns the figure from packed rows of a design.
    """

    pages: str
    questions: tuple[str, ...]
    forged: dict[str, int]
    read: Callable[[Design, Sequence[bytes]], Interval]


@dataclass(frozen=True, kw_only=True)
class Cost:
    """Forged rows that remove or overturn a figure; None if `MOST` do not.

    Attributes
    ----------
    removed, overturned : int or None
    """

    removed: int | None
    overturned: int | None


def cost_of(design: Design, honest: Sequence[bytes], copies: Sequence[bytes], figure: Figure) -> Cost:
    """Return the least numbers of forged rows that remove and that overturn a figure.

    Parameters
    ----------
    design : Design
    honest : sequence of bytes
        Rows of honest devices.
    copies : sequence of bytes
        Rows like those of devices, whose other answers the forged rows keep.
    figure : Figure
    """
    rows = list(copies)
    for key, report in figure.forged.items():
        rows = [with_report(design, row, key, lambda _, report=report: report) for row in rows]

    def sent(number: int) -> list[bytes]:
        return [*honest, *(rows[at % len(rows)] for at in range(number))]

    numbers = [design.question_number(key) for key in figure.questions]
    _, low, high = figure.read(design, honest)
    return Cost(
        removed=_least(lambda number: not withheld_in(design, sent(number)).permits(numbers)),
        overturned=_least(lambda number: not low <= figure.read(design, sent(number))[0] <= high),
    )


def withheld_in(design: Design, rows: Sequence[bytes]) -> Any:
    """Return what a run of these rows withholds."""
    data = b"".join(rows)
    return find_withheld(
        CountCache(BitMatrix.from_rows(design, data)), lambda number: sent_counts(design, number, data)
    )


def _least(holds: Callable[[int], bool]) -> int | None:
    """Return the least number for which something holds that holds from some number on."""
    high = 1
    while not holds(high):
        high *= 2
        if high > MOST:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _share(key: str) -> Callable[[Design, Sequence[bytes]], Interval]:
    def read(design: Design, rows: Sequence[bytes]) -> Interval:
        cache = CountCache(BitMatrix.from_rows(design, b"".join(rows)))
        (row,) = estimate_itemsets(cache, design, [(design.item(key).index,)])
        return row.interval.value, row.interval.low, row.interval.high

    return read


def _mean(key: str) -> Callable[[Design, Sequence[bytes]], Interval]:
    def read(design: Design, rows: Sequence[bytes]) -> Interval:
        number = design.question_number(key)
        channel = cast("WindowChannel", design.questions[number].disguise)
        found = mean(channel, sent_counts(design, number, b"".join(rows)).groups(channel))
        return found.value, found.low, found.high

    return read


def _difference(outcome: Side | str, by: str) -> Callable[[Design, Sequence[bytes]], Interval]:
    def read(design: Design, rows: Sequence[bytes]) -> Interval:
        of = outcome if isinstance(outcome, Side) else Side(items=(design.item(outcome).index,))
        factors = comparison_factors(Side(items=(design.item(by).index,)), of, design)
        found = compare(
            counted_rows(design, factors, b"".join(rows)), mean=isinstance(outcome, Side)
        ).difference
        return found.value, found.low, found.high

    return read


def _released(design: Design, rows: Sequence[bytes]) -> ReleasableRows:
    matrix = BitMatrix.from_rows(design, b"".join(rows))
    return ReleasableRows(
        version=cast("Any", None),
        matrix=matrix,
        precomputed=None,
        disclosure=disclosure(n=len(rows), practice=False),
        reports=matrix,
        withheld=NOTHING,
    )


def _coefficient(response: str, question: str, answer: str) -> Callable[[Design, Sequence[bytes]], Interval]:
    def read(design: Design, rows: Sequence[bytes]) -> Interval:
        model = Model(
            response=design.item(response).index,
            disguised=None,
            questions=(design.question_number(question),),
        )
        own = item_regression(_released(design, rows), model).coefficients[design.item(answer).index]
        return own.odds_ratio, own.low, own.high

    return read


def _weighted(key: str) -> Callable[[Design, Sequence[bytes]], Interval]:
    def read(design: Design, rows: Sequence[bytes]) -> Interval:
        margins = margins_of({"age": {"young": 0.4, "old": 0.6}}, design)
        (own,) = weighted_itemsets(_released(design, rows), [(design.item(key).index,)], margins)
        assert own.estimate is not None
        half = 1.96 * own.estimate.standard_error
        return own.estimate.value, own.estimate.value - half, own.estimate.value + half

    return read


# Of the survey in `tests.fixtures.forged_rows`. A square wave of 100 bins with epsilon 1 has 150 reports.
FIGURES: Final = {
    "share": Figure(
        pages="results, itemsets, report to print, text for your paper, shared link, their files",
        questions=("drink",),
        forged={"drink": 1},
        read=_share("drink"),
    ),
    "number": Figure(
        pages="distribution of a number", questions=("wage",), forged={"wage": 149}, read=_mean("wage")
    ),
    "kept number": Figure(
        pages="range of a number", questions=("hours",), forged={"hours": 7}, read=_share("hours=50-up")
    ),
    "map": Figure(
        pages="map, its regions", questions=("care",), forged={"care": 9}, read=_share("care=river")
    ),
    "pair": Figure(
        pages="compare, your question, rules, review",
        questions=("late", "drink"),
        forged={"late": 1, "drink": 1},
        read=_difference("late", "drink"),
    ),
    "mean by answer": Figure(
        pages="compare a mean",
        questions=("hours", "late"),
        forged={"hours": 7, "late": 1},
        read=_difference(Side(parts=(Part(question=4, target=MEAN),)), "late"),
    ),
    "regression": Figure(
        pages="regression",
        questions=("age", "drink"),
        forged={"age": 1, "drink": 1},
        read=_coefficient("drink", "age", "age=old"),
    ),
    "weighted share": Figure(
        pages="weights and non-response, weights.csv",
        questions=("age", "drink"),
        forged={"age": 1, "drink": 1},
        read=_weighted("drink"),
    ),
    "group": Figure(
        pages="groups of an experiment, or of an open answer",
        questions=("age", "drink"),
        forged={"age": 1, "drink": 1},
        read=_difference("drink", "age=old"),
    ),
}
"""A figure of each page."""
