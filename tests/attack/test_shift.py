"""Forged rows move a figure as far as its page states, and never further.

Next to 400 honest answers, an attacker sends rows that report the same. Next to each figure, the page states
how far so many rows could have moved it. Each attack tries every report: none moves the figure further than
is stated next to these rows, one reaches the stated distance, and one row fewer does not. Where another
report matters more once the forged rows are there, the attack reaches a part of the distance.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, cast

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.sent_counts import sent_counts
from privacy.arrays import Array
from privacy.estimation import margin_cells
from privacy.estimation.withheld import Evidence, Withheld
from privacy.printed import Measured
from privacy.scales import decoded_numbers, quantities
from privacy.scales import region_share as region_share_module
from privacy.scales.decoded_numbers import mean
from privacy.scales.planar_mean import mean_place
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.quantities import bars, quantiles
from privacy.scales.region_share import region_share
from privacy.scales.window import WindowChannel
from privacy.survey.design import Design
from surveys.questionnaire.definition import definition_parse
from surveys.report.results.stated_margins import margins_of
from surveys.runs.disclosure import disclosure
from surveys.runs.regression import Model, item_regression
from surveys.runs.releasable_rows import ReleasableRows
from surveys.runs.weighted_itemsets import weighted_itemsets
from tests.fixtures.forged_rows import town_definition, with_report
from tests.fixtures.scale_runs import scale_rows

HONEST: Final = 400
FORGED: Final = 17

Read = Callable[[Design, Sequence[bytes], int], tuple[Array, Array]]
"""Figures from packed rows, and how far a number of forged rows could have moved each."""


@dataclass(frozen=True, kw_only=True)
class Attack:
    """Figures, and the reports that attack them.

    Attributes
    ----------
    read : Read
    reports : mapping of str to sequence of int
        Reports to try to each question.
    part : float
        Part of the stated distance that the best attack reaches for each figure.
    """

    read: Read
    reports: dict[str, Sequence[int]]
    part: float = 0.9999


def released(design: Design, rows: Sequence[bytes], forged: int) -> ReleasableRows:
    """Return rows as a run reads them that withholds nothing here, but knows of forged rows."""
    matrix = BitMatrix.from_rows(design, b"".join(rows))
    known = Withheld(pairs={(5, 6): Evidence(rows=forged, n=len(rows))}) if forged else Withheld()
    return ReleasableRows(
        version=cast("Any", None),
        matrix=matrix,
        precomputed=None,
        disclosure=disclosure(n=len(rows), practice=False),
        reports=matrix,
        withheld=known,
    )


def of_number(key: str, figure: str) -> Read:
    def read(design: Design, rows: Sequence[bytes], forged: int) -> tuple[Array, Array]:
        number = design.question_number(key)
        channel = cast("WindowChannel", design.questions[number].disguise)
        groups = sent_counts(design, number, b"".join(rows)).groups(channel)
        if figure == "mean":
            found = mean(channel, groups, forged=forged)
            return np.array([found.value]), np.array([found.shift])
        if figure == "bars":
            edges = np.unique(np.linspace(0, channel.inputs, 5).astype(int))
            some = bars(channel, groups, edges, forged=forged)
            return some.value, some.shift
        each = quantiles(channel, groups, (0.25, 0.5, 0.9), forged=forged)
        return np.array([own.value for own in each]), np.array([own.shift for own in each])

    return read


def of_place(figure: str) -> Read:
    def read(design: Design, rows: Sequence[bytes], forged: int) -> tuple[Array, Array]:
        number = design.question_number("care")
        windows = cast("PlanarWindowChannel", design.questions[number].disguise)
        groups = sent_counts(design, number, b"".join(rows)).groups(windows)
        if figure == "regions":
            shares = [region_share(windows, groups, region, forged=forged) for region in windows.regions]
            return np.array([own.value for own in shares]), np.array([own.shift for own in shares])
        place = mean_place(windows, groups, forged=forged)
        east, north = (
            own.value * metres
            for own, metres in zip((place.longitude, place.latitude), place.metres, strict=True)
        )
        return np.array([east, north]), np.array(place.shifts)

    return read


def weighted(design: Design, rows: Sequence[bytes], forged: int) -> tuple[Array, Array]:
    """Return the weighted shares of two answers."""
    margins = margins_of({"age": {"young": 0.4, "old": 0.6}}, design)
    items = [(design.item(key).index,) for key in ("drink", "late")]
    lines = weighted_itemsets(released(design, rows, forged), items, margins)
    own = [line.estimate for line in lines if line.estimate is not None]
    return np.array([one.value for one in own]), np.array([one.shift for one in own])


def coefficients(design: Design, rows: Sequence[bytes], forged: int) -> tuple[Array, Array]:
    """Return coefficients of drinking on age and on being late, then standardised shares and differences."""
    model = Model(response=design.item("drink").index, disguised=design.item("late").index, questions=(0,))
    fit = item_regression(released(design, rows, forged), model)
    lines = {**{str(item): line for item, line in fit.coefficients.items()}, "constant": fit.constant}
    lines["predictor"] = lines.pop(str(design.item("late").index))
    shares = [share.share for some in fit.shares.values() for share in some]
    differences = [share.difference for some in fit.shares.values() for share in some[1:]]
    figures: list[Measured] = [*lines.values(), *shares, *differences]
    return np.array([one.value for one in figures]), np.array([one.shift for one in figures])


# A square wave of 100 bins has 150 reports, and a place one of 99 cells.
ATTACKS: Final = {
    "mean of a number": Attack(read=of_number("wage", "mean"), reports={"wage": range(150)}),
    "bars of a number": Attack(read=of_number("wage", "bars"), reports={"wage": range(150)}),
    "bars of a kept number": Attack(read=of_number("hours", "bars"), reports={"hours": range(8)}),
    "quantiles of a number": Attack(
        read=of_number("wage", "quantiles"), reports={"wage": range(150)}, part=0.65
    ),
    "quantiles of a kept number": Attack(read=of_number("hours", "quantiles"), reports={"hours": range(8)}),
    "regions of a map": Attack(read=of_place("regions"), reports={"care": range(99)}),
    "mean place": Attack(read=of_place("mean"), reports={"care": range(99)}, part=0.93),
    "weighted shares": Attack(
        read=weighted, reports={"age": range(2), "drink": range(2), "late": range(2)}, part=0.88
    ),
    "regression": Attack(
        read=coefficients, reports={"age": range(2), "drink": range(2), "late": range(2)}, part=0.75
    ),
}


@cache
def design_of() -> Design:
    return definition_parse(town_definition()).design


def attacked(attack: Attack, number: int) -> Sequence[list[bytes]]:
    """Return the rows of each attack with so many forged rows."""
    design = design_of()
    honest, copies = scale_rows(design, HONEST), scale_rows(design, number, seed=77)
    cases = [list(copies)]
    for key, reports in attack.reports.items():
        cases = [
            [with_report(design, row, key, lambda _, report=report: report) for row in rows]
            for rows in cases
            for report in reports
        ]
    return [[*honest, *rows] for rows in cases]


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.few("mean of a number", why="a sum of many values; flips of shares are exact tests")
def test_forged_rows_move_a_figure_as_far_as_stated_and_no_further(name: str) -> None:
    attack, design = ATTACKS[name], design_of()
    before, _ = attack.read(design, scale_rows(design, HONEST), 0)
    reached, farthest = np.zeros(len(before)), np.zeros(len(before))
    for rows in attacked(attack, FORGED):
        after, stated = attack.read(design, rows, FORGED)
        moved = np.abs(after - before)
        assert (moved <= stated * (1 + 1e-6) + 1e-9).all()
        reached = np.maximum(reached, moved / stated)
        farthest = np.maximum(farthest, moved)
    assert (reached > attack.part).all()
    # One row fewer moves no figure so far.
    for rows in attacked(attack, FORGED - 1):
        after, _ = attack.read(design, rows, 0)
        assert (np.abs(after - before) < farthest).all()


def exceeds(attack: Attack) -> bool:
    """Whether some forged rows move a figure further than is stated next to them."""
    design = design_of()
    before, _ = attack.read(design, scale_rows(design, HONEST), 0)
    figures = (attack.read(design, rows, FORGED) for rows in attacked(attack, FORGED))
    return any((np.abs(after - before) > stated + 1e-9).any() for after, stated in figures)


def test_a_page_that_states_too_little_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: pages state nine tenths of each distance, or that of one row fewer."""

    def less(own: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given, **named: own(*given, **named) * 0.9

    for module in (decoded_numbers, quantities, region_share_module):
        monkeypatch.setattr(module, "ratio_shift", less(module.ratio_shift))
    for name in ("mean of a number", "bars of a kept number", "regions of a map"):
        assert exceeds(ATTACKS[name])
    whole = margin_cells._shift
    monkeypatch.setattr(
        margin_cells, "_shift", lambda cells, found, share, forged: whole(cells, found, share, forged - 1)
    )
    assert exceeds(ATTACKS["weighted shares"])


def test_rows_that_could_all_be_forged_leave_no_bound() -> None:
    """Without other rows there is no other estimate."""
    design = design_of()
    rows = scale_rows(design, 30)
    for name in ("mean of a number", "bars of a number", "quantiles of a number", "regions of a map"):
        _, stated = ATTACKS[name].read(design, rows, 30)
        assert np.isinf(stated).all()


def test_nothing_is_stated_without_forged_rows() -> None:
    design = design_of()
    for attack in ATTACKS.values():
        _, stated = attack.read(design, scale_rows(design, HONEST), 0)
        assert not stated.any()
    assert replace(Withheld()).rows == 0
