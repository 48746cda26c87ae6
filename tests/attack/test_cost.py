"""The number of forged rows that removes or overturns a figure of each page, next to 400 honest answers."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.scored_rows import scored_rows
from mining.itemsets import estimate_itemsets
from privacy.estimation.comparison import Comparison, compare, comparison_factors
from privacy.estimation.composed_parts import Side
from privacy.estimation.forged_shift import score_range, share_shift
from privacy.survey.design import Design
from tests.attack.cost import FIGURES, NO_FIGURES, NOT_OF_ANSWERS, WORLDS, Cost, cost_of, withheld_in
from tests.fixtures.forged_rows import with_report
from tests.fixtures.scale_runs import scale_rows
from tests.site.test_roles import ADDRESSES

HONEST = 400
COSTS = {
    "share": (1495, 42, 4846, 74),
    "number": (19, 18, 40, 35),
    "kept number": (566, 36, 1159, 66),
    "map": (None, 33, None, 63),
    "pair": (887, 35, 2823, 62),
    "mean by answer": (566, 20, 1159, 40),
    "group": (1495, 49, 4846, 82),
    "arms": (802, 55, 2520, 88),
    "regression": (1495, 49, 4846, 84),
    "weighted share": (1495, 40, 4846, 68),
    "predicted pair": (258, 22, 773, 22),
}
"""Removed and overturned next to 400, and next to 1,500 honest answers, as docs/attacks.md states them."""


@pytest.fixture(scope="module")
def design() -> Design:
    return WORLDS["town"].design()


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.few("share", why="the figure that everyone reads")
def test_a_figure_of_each_page_costs_what_the_docs_state(name: str) -> None:
    removed, overturned, *_ = COSTS[name]
    assert cost_of(FIGURES[name], HONEST) == Cost(removed=removed, overturned=overturned)


@pytest.mark.soak
@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_next_to_1500_answers_costs_what_the_docs_state(name: str) -> None:
    *_, removed, overturned = COSTS[name]
    assert cost_of(FIGURES[name], 1_500) == Cost(removed=removed, overturned=overturned)


def test_the_table_of_the_docs_has_a_row_for_each_figure() -> None:
    text = (Path(__file__).parents[2] / "docs/attacks.md").read_text()
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    stated = {cells[0]: cells[2:] for cells in lines if len(cells) == 6}
    for name, figure in FIGURES.items():
        wanted = ["never" if cost is None else f"{cost:,}" for cost in COSTS[name]]
        assert stated[figure.pages] == wanted


def test_every_address_has_a_row_or_shows_no_figure() -> None:
    """A new page or file must enter a row of the table, or say why it has none."""
    opened = {name for name, (get, _post) in ADDRESSES.items() if not get.startswith("405")}
    listed = {address for figure in FIGURES.values() for address in figure.addresses}
    groups = {name: name.rpartition(":")[0] for name in opened}
    assert listed.isdisjoint(NO_FIGURES)
    assert listed | NO_FIGURES.keys() == {
        name for name, group in groups.items() if group not in NOT_OF_ANSWERS
    }
    assert NOT_OF_ANSWERS.keys() <= set(groups.values())


@pytest.mark.parametrize("forged", [1, 17, 60])
def test_no_forged_row_moves_a_difference_further_than_stated(forged: int, design: Design) -> None:
    """The stated distance holds for each answer to both questions, and one reaches it if they are few."""
    honest, copies = scale_rows(design, HONEST), scale_rows(design, forged, seed=77)
    sides = (Side(items=(design.item(key).index,)) for key in ("drink", "late"))
    factors = comparison_factors(*sides, design)

    def compared(rows: list[bytes]) -> Comparison:
        return compare(scored_rows(design, factors, b"".join(rows)), forged=forged)

    before, reached = compared(honest).difference.value, []
    for late, drink in product((0, 1), repeat=2):
        rows = [with_report(design, row, "late", lambda _, own=late: own) for row in copies]
        rows = [with_report(design, row, "drink", lambda _, own=drink: own) for row in rows]
        after = compared([*honest, *rows])
        moved = abs(after.difference.value - before)
        assert moved <= after.difference.shift + 1e-12
        reached.append(bool(np.isclose(moved, after.difference.shift)))
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
