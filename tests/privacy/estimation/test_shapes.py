"""Supports from all rows under rotation are exact, over every true row, drawing and coin."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.estimation.estimates import estimate
from privacy.estimation.margin_cells import Weighted, reweight, weighting_terms
from privacy.estimation.margins import Margin, margin_of
from privacy.estimation.moments import DrawnTables
from privacy.estimation.required_counts import contingency_tables, required_counts
from privacy.survey.booklets import Rotation
from privacy.survey.design import Condition, Conditions, Design, Question, is_asked
from tests.privacy.estimation.designs import ROTATING, design, opened, protected, single, yes_no
from tests.privacy.estimation.drawn_rows import (
    SCALE,
    a_law,
    counted,
    covariance_of,
    influences,
    sent,
    share_of,
    units,
    was_asked,
)
from tests.privacy.estimation.records import Row, columns, itemset_score, itemsets

DIRECT = {name: Fraction(1, 4) if name != "with a skip" else Fraction(0) for name in ROTATING}


def reachable(design: Design, most: int = 3) -> list[tuple[int, ...]]:
    return [
        items
        for items in itemsets(design, most)
        if design.drawn_together(design.items[item].question for item in items)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ROTATING)
def test_supports_from_all_rows_are_exact_with_exact_errors(name: str) -> None:
    rotating = ROTATING[name]
    law = a_law(rotating, seed=7, direct=DIRECT[name])
    rows = sent(rotating, law)
    for items in reachable(rotating):
        counts = counted(rotating, rows, required_counts([items], rotating), all_rows=True)
        found = estimate(counts, items, rotating)
        truth = share_of(rotating, law, items)
        _, parts = units(rotating, items)
        mu = {part: share_of(rotating, law, part) for part in parts}
        h = influences(rotating, rows, items, mu)
        assert found.all_rows == bool(parts)
        assert found.n_used == pytest.approx(SCALE, rel=1e-9)
        complete = sum(chance for row, chance in rows.items() if was_asked(rotating, row, items))
        assert found.n == pytest.approx(float(complete * SCALE), rel=1e-9)
        assert found.value == pytest.approx(float(truth), abs=1e-9)
        variance = covariance_of(rows, h, h)
        assert found.standard_error**2 * SCALE == pytest.approx(float(variance), rel=1e-8)
        about_these = variance - (truth - truth**2)
        assert found.standard_error_respondents**2 * SCALE == pytest.approx(float(about_these), rel=1e-7)


@pytest.mark.parametrize("name", ROTATING)
def test_supports_from_complete_rows_are_exact_with_exact_errors(name: str) -> None:
    rotating = ROTATING[name]
    law = a_law(rotating, seed=11, direct=DIRECT[name])
    rows = sent(rotating, law)
    for items in reachable(rotating):
        found = estimate(
            counted(rotating, rows, required_counts([items], rotating), all_rows=False), items, rotating
        )
        complete = {row: chance for row, chance in rows.items() if was_asked(rotating, row, items)}
        n = sum(complete.values())
        z = {row: itemset_score(rotating, row, items) for row in complete}
        truth = share_of(rotating, law, items)
        assert not found.all_rows
        assert found.n == found.n_used == pytest.approx(float(n * SCALE), rel=1e-9)
        assert found.value == pytest.approx(float(truth), abs=1e-9)
        square = sum(chance * z[row] ** 2 for row, chance in complete.items()) / n
        assert found.standard_error**2 * found.n == pytest.approx(float(square - truth**2), rel=1e-8)
        assert found.standard_error_respondents**2 * found.n == pytest.approx(float(square - truth), rel=1e-7)


MARRIED = Condition(question="married", options=("yes",))
STATES = single("state", options=3)


def routed(
    first: Question,
    condition: Condition | Conditions,
    *others: Question,
    refusal: int | None = None,
    in_turns: bool = False,
) -> Design:
    """Return a design with a conditional part that rotates its questions, or rotates with two others."""
    if in_turns:
        turns = Rotation(blocks=("b", "c", "d"), parts_per_person=2)
        return design(
            opened("o", first, *others),
            protected("b", 5000, yes_no("a", 5000), refusal=refusal, asked_if=condition),
            protected("c", 6000, yes_no("b", 5000)),
            protected("d", 7000, yes_no("c", 5000)),
            rotations=(turns,),
        )
    return design(
        opened("o", first, *others),
        protected(
            "b", 5000, yes_no("a", 5000), yes_no("b", 5000), yes_no("c", 5000), asks=2, refusal=refusal,
            asked_if=condition,
        ),
    )  # fmt: skip


def leads(design: Design, row: Row) -> bool:
    """Return whether the open answers of a row lead to the second block."""
    shown = dict(row.blocks)[0] or frozenset()
    answers: list[int | None] = []
    for number in range(len(design.blocks[0].questions)):
        own = [item for item in design.items if item.question == number]
        held = [item.option for item in own if item.index in shown]
        yes_no_question = design.questions[number].kind == "yes_no"
        answers.append(len(held) if yes_no_question else held[0] if held else None)
        if number not in row.answered:
            answers[-1] = None
    return is_asked(design.routes[1], [answers])


def asked_of_some(design: Design, seed: int) -> tuple[dict[Row, Fraction], set[int]]:
    """Return example probabilities of all true rows, and the open items that lead to the second block."""
    leading: set[int] = set()
    law: dict[Row, Fraction] = {}
    for row, chance in a_law(design, seed=seed, direct=Fraction(1, 4)).items():
        if leads(design, row):
            left = row
            leading.update(dict(row.blocks)[0] or ())
        else:
            own = {number for number, item in enumerate(design.questions) if design.block_of(number) == 1}
            left = Row(row.direct, tuple(part for part in row.blocks if part[0] != 1), row.answered - own)
        law[left] = law.get(left, Fraction(0)) + chance
    return law, leading


ONE_STATE = Condition(question="state", options=("o1",))
TWO_STATES = Condition(question="state", options=("o1", "o2"))
NOT_MARRIED = Condition(question="married", options=("no",))
BOTH = Conditions(joined="all", terms=(TWO_STATES, NOT_MARRIED))
EITHER = Conditions(joined="any", terms=(ONE_STATE, NOT_MARRIED))
MOODS = tuple(yes_no(f"mood{number}") for number in range(4))
MANY = Conditions(
    joined="any", terms=(NOT_MARRIED, *(Condition(question=mood.key, options=("no",)) for mood in MOODS))
)
ROUTED = {
    "draws questions": (routed(yes_no("married"), MARRIED), True),
    "and may be skipped": (routed(yes_no("married"), MARRIED, refusal=2000), True),
    "takes turns": (routed(yes_no("married"), MARRIED, in_turns=True), True),
    "takes turns and may be skipped": (routed(yes_no("married"), MARRIED, refusal=2000, in_turns=True), True),
    "one option, and may be skipped": (routed(STATES, ONE_STATE, refusal=2000), True),
    "two options": (routed(STATES, TWO_STATES), True),
    "two options, and may be skipped": (routed(STATES, TWO_STATES, refusal=2000), True),
    "a no, and takes turns": (routed(yes_no("married"), NOT_MARRIED, in_turns=True), True),
    "all of two answers": (routed(STATES, BOTH, yes_no("married"), refusal=2000), True),
    "any of two answers": (routed(STATES, EITHER, yes_no("married"), refusal=2000), True),
    "one of too many answers": (routed(yes_no("married"), MANY, *MOODS, refusal=2000), False),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUTED)
def test_a_conditional_rotating_part_uses_only_rows_that_could_draw_it(name: str) -> None:
    """If no column distinguishes these rows from unasked ones, only complete rows count."""
    some, all_rows = ROUTED[name]
    law, leading = asked_of_some(some, seed=19)
    rows = sent(some, law)
    wanted = {row: chance for row, chance in law.items() if 1 in dict(row.blocks)}
    could = sum(wanted.values())
    first = next(item.index for item in some.items if item.block == 1)
    for own in ((first,), (first, first + 1), (first, first + 2)):
        for items in (own, *((lead, *own) for lead in leading)):
            counts = counted(some, rows, required_counts([items], some), all_rows=True)
            found = estimate(counts, items, some)
            truth = share_of(some, wanted, items) / could
            assert found.all_rows == all_rows
            assert found.value == pytest.approx(float(truth), abs=1e-9)
            if not all_rows:
                assert found.n_used == found.n
                continue
            assert found.n_used == pytest.approx(float(could * SCALE), rel=1e-9)
            # The error agrees with its definition among the rows that could draw the part.
            eligible = {row: chance / could for row, chance in rows.items() if leads(some, row)}
            assert sum(eligible.values()) == 1
            _, parts = units(some, items)
            mu = {part: share_of(some, wanted, part) / could for part in parts}
            h = influences(some, eligible, items, mu)
            variance = covariance_of(eligible, h, h)
            n = float(could * SCALE)
            assert found.standard_error**2 * n == pytest.approx(float(variance), rel=1e-7)
            about_these = variance - (truth - truth**2)
            assert found.standard_error_respondents**2 * n == pytest.approx(float(about_these), rel=1e-6)


DRAWN = design(
    opened("o", yes_no("x"), yes_no("y")),
    protected("b", 5000, yes_no("a", 5000), yes_no("b", 4000), yes_no("c", 5000), asks=2, light=8000),
)
"""x is item 0 and y item 1; each device asks two of a, b, c (2, 3, 4)."""

LAW = a_law(DRAWN, seed=3, direct=Fraction(1, 4))
SENT = sent(DRAWN, LAW)
X = margin_of("x", {"yes": 0.3, "no": 0.7}, DRAWN)
Y = margin_of("y", {"yes": 0.6, "no": 0.4}, DRAWN)


def weigh(
    rows: dict[Row, Fraction], items: tuple[int, ...], margins: Sequence[Margin], *, all_rows: bool = True
) -> Weighted:
    counts = counted(DRAWN, rows, weighting_terms(items, margins, DRAWN), all_rows=all_rows)
    return reweight(counts, items, margins, DRAWN)


def cell_of(row: Row, margins: Sequence[Margin]) -> tuple[int, ...]:
    """Return the position of a row's answer in each margin, "yes" first."""
    mine = columns(DRAWN, row)
    return tuple(0 if item in mine else 1 for item, _ in zip((0, 1), margins, strict=False))


def conditional(rows: dict[Row, Fraction]) -> dict[Row, Fraction]:
    total = sum(rows.values())
    return {row: chance / total for row, chance in rows.items()}


@pytest.mark.parametrize("margins", [[X], [X, Y]], ids=["one margin", "two margins"])
@pytest.mark.parametrize("items", [(2,), (2, 3), (0, 2, 4)], ids=["one", "pair", "with an open item"])
def test_weighted_supports_and_errors_match_their_definition(
    items: tuple[int, ...], margins: list[Margin]
) -> None:
    got = weigh(SENT, items, margins)
    cells = sorted({cell_of(row, margins) for row in LAW})
    of_truth = [{row: c for row, c in LAW.items() if cell_of(row, margins) == cell} for cell in cells]
    of_sent = [{row: c for row, c in SENT.items() if cell_of(row, margins) == cell} for cell in cells]
    n = np.array([float(sum(one.values())) for one in of_sent])
    places = np.array(cells)
    weight = n.copy()
    for _round in range(300):
        for axis, margin in enumerate(margins):
            target = np.array([category.share for category in margin.categories])
            weight *= (target / np.bincount(places[:, axis], weights=weight))[places[:, axis]]
    share, variance = [], []
    for truth, rows in zip(of_truth, of_sent, strict=True):
        law, shown = conditional(truth), conditional(rows)
        mu = {part: share_of(DRAWN, law, part) for part in units(DRAWN, items)[1]}
        h = influences(DRAWN, shown, items, mu)
        share.append(float(share_of(DRAWN, law, items)))
        variance.append(float(covariance_of(shown, h, h)))
    values = np.array(share)
    assert got.value == pytest.approx(float(weight @ values), abs=1e-9)
    x = np.column_stack([np.ones(len(cells)), places])
    root = np.sqrt(weight)
    slopes = np.linalg.lstsq(root[:, None] * x, root * values, rcond=None)[0]
    residual = values - x @ slopes
    expected = (weight**2 * (np.array(variance) + residual**2) / n).sum()
    assert got.standard_error**2 * SCALE == pytest.approx(expected, rel=1e-7)
    complete = sum(chance for row, chance in SENT.items() if was_asked(DRAWN, row, items))
    assert got.n == pytest.approx(float(complete * SCALE), rel=1e-9)
    assert got.n_used == pytest.approx(SCALE, rel=1e-9)
    assert got.effective_n == pytest.approx(SCALE / (weight**2 / n).sum(), rel=1e-9)
    assert got.unweighted.all_rows
    assert got.unweighted.value == pytest.approx(float(share_of(DRAWN, LAW, items)), abs=1e-9)


def test_an_empty_cell_restricts_all_estimates_to_complete_rows() -> None:
    thinned = {
        row: chance
        for row, chance in SENT.items()
        if not (row.direct and 0 in columns(DRAWN, row) and was_asked(DRAWN, row, (2, 3)))
    }
    got = weigh(thinned, (2, 3), [X])
    assert got.n_used == got.n
    assert not got.unweighted.all_rows


def test_cells_without_fully_asked_respondents_are_rejected() -> None:
    thinned = {
        row: chance
        for row, chance in SENT.items()
        if not (0 in columns(DRAWN, row) and was_asked(DRAWN, row, (2, 3)))
    }
    with pytest.raises(PrivacyError, match="no respondent in these rows answered 'yes'") as refusal:
        weigh(thinned, (2, 3), [X])
    assert refusal.value.code == "empty_cell"


def test_a_part_with_several_conditions_weights_only_those_who_reach_it() -> None:
    """The population is the people who reach the part, so cells have the shares of their rows."""
    routed = design(
        opened("o", single("state", options=3), yes_no("y")),
        protected(
            "b", 5000, yes_no("a", 5000), yes_no("b", 4000), yes_no("c", 5000), asks=2, refusal=2000,
            asked_if=Condition(question="state", options=("o1", "o2")),
        ),
    )  # fmt: skip
    law: dict[Row, Fraction] = {}
    for row, chance in a_law(routed, seed=5, direct=Fraction(1, 4)).items():
        own = row.answered - {2, 3, 4} if 0 in columns(routed, row) else row.answered
        left = Row(row.direct, row.blocks if own == row.answered else row.blocks[:1], own)
        law[left] = law.get(left, Fraction(0)) + chance
    margin = margin_of("y", {"yes": 0.6, "no": 0.4}, routed)
    counts = counted(routed, sent(routed, law), weighting_terms((4, 5), [margin], routed), all_rows=True)
    got = reweight(counts, (4, 5), [margin], routed)
    led = {row: chance for row, chance in law.items() if not columns(routed, row) & {0}}
    expected = 0.0
    for share, yes in ((0.6, True), (0.4, False)):
        cell = conditional({row: chance for row, chance in led.items() if (3 in columns(routed, row)) == yes})
        expected += share * float(share_of(routed, cell, (4, 5)))
    assert got.value == pytest.approx(expected, abs=1e-9)
    assert got.n_used == pytest.approx(float(sum(led.values()) * SCALE), rel=1e-9)
    assert got.unweighted.all_rows


def test_an_itemset_has_one_event_and_a_pair_three() -> None:
    """Each of a and b was not asked, did not match, or matched: 9 cells, 4 of them without a "no"."""
    drawing = ROTATING["two of three"]
    rows = sent(drawing, a_law(drawing, seed=3, direct=Fraction(1, 4)))
    for sides, events in (((0, 1), ((0,),)), (((0,), (1,)), ((0, 1), (0,), (1,)))):
        counts = counted(drawing, rows, required_counts([sides], drawing), all_rows=True)
        (part,) = contingency_tables(counts, [sides], drawing)
        assert isinstance(part, DrawnTables)
        assert part.shape.events == events
        assert (len(part.shape.yes), part.shape.yes.sum()) == (9, 4)
