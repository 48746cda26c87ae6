"""The number of forged rows that removes or overturns a figure of each page, next to 400 honest answers."""

from itertools import product

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.counted_rows import counted_rows
from mining.columns.counting import CountCache
from mining.itemsets import estimate_itemsets
from privacy.estimation.comparison import Comparison, compare, comparison_factors
from privacy.estimation.composed_parts import Side
from privacy.estimation.forged_shift import score_range, share_shift
from privacy.survey.design import Design
from surveys.questionnaire.definition import definition_parse
from tests.attack.cost import FIGURES, Cost, cost_of, withheld_in
from tests.fixtures.forged_rows import town_definition, with_report
from tests.fixtures.scale_runs import scale_rows

HONEST = 400
COSTS = {
    "share": Cost(removed=1495, overturned=42),
    "number": Cost(removed=19, overturned=18),
    "kept number": Cost(removed=566, overturned=36),
    "map": Cost(removed=None, overturned=33),
    "pair": Cost(removed=887, overturned=35),
    "mean by answer": Cost(removed=566, overturned=20),
    "regression": Cost(removed=1495, overturned=48),
    "weighted share": Cost(removed=1495, overturned=40),
    "group": Cost(removed=1495, overturned=49),
}
"""As docs/attacks.md states them."""


@pytest.fixture(scope="module")
def design() -> Design:
    return definition_parse(town_definition()).design


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_of_each_page_costs_what_the_docs_state(name: str, design: Design) -> None:
    honest, copies = scale_rows(design, HONEST), scale_rows(design, HONEST, seed=77)
    assert cost_of(design, honest, copies, FIGURES[name]) == COSTS[name]


@pytest.mark.parametrize("forged", [1, 17, 60])
def test_no_forged_row_moves_a_difference_further_than_stated(forged: int, design: Design) -> None:
    """The stated distance holds for each answer to both questions, and one reaches it if they are few."""
    honest, copies = scale_rows(design, HONEST), scale_rows(design, forged, seed=77)
    sides = (Side(items=(design.item(key).index,)) for key in ("drink", "late"))
    factors = comparison_factors(*sides, design)

    def compared(rows: list[bytes]) -> Comparison:
        return compare(counted_rows(design, factors, b"".join(rows)), forged=forged)

    before, reached = compared(honest).difference.value, []
    for late, drink in product((0, 1), repeat=2):
        rows = [with_report(design, row, "late", lambda _, own=late: own) for row in copies]
        rows = [with_report(design, row, "drink", lambda _, own=drink: own) for row in rows]
        after = compared([*honest, *rows])
        moved = abs(after.difference.value - before)
        assert moved <= after.shift + 1e-12
        reached.append(bool(np.isclose(moved, after.shift)))
    # Without 60 rows of a score, few of which are there, the difference could be larger still.
    assert any(reached) == (forged < 60)


def test_rows_that_remove_one_question_leave_all_others(design: Design) -> None:
    figure, honest = FIGURES["number"], scale_rows(design, HONEST)
    copies = [with_report(design, row, "wage", lambda _: 149) for row in scale_rows(design, 40, seed=77)]
    wage = design.question_number("wage")
    for number, removed in ((18, []), (19, [wage]), (40, [wage])):
        withheld = withheld_in(design, [*honest, *copies[:number]])
        assert list(withheld.questions) == removed
        assert not withheld.pairs
        assert withheld.rows <= number
    assert figure.questions == ("wage",)


@pytest.mark.parametrize(("key", "report"), [("late", 1), ("late", 0), ("drink", 1), ("drink", 0)])
@pytest.mark.parametrize("forged", [1, 17, 120])
def test_no_forged_row_moves_a_share_further_than_stated(
    key: str, report: int, forged: int, design: Design
) -> None:
    """The stated distance holds for each report, and one of the two reports reaches it."""
    honest = scale_rows(design, HONEST)
    copies = scale_rows(design, forged, seed=77)
    items = (design.item(key).index,)

    def share(rows: list[bytes]) -> float:
        cache = CountCache(BitMatrix.from_rows(design, b"".join(rows)))
        return float(estimate_itemsets(cache, design, [items])[0].estimate.value)

    before = share(honest)
    after = share([*honest, *(with_report(design, row, key, lambda _: report) for row in copies)])
    stated = share_shift(design, items, value=after, n=HONEST + forged, rows=forged)
    moved = abs(after - before)
    assert moved <= stated + 1e-12
    low, high = score_range(design, items)
    reaches = (high - after >= after - low) == (report == 1)
    assert np.isclose(moved, stated) == reaches
