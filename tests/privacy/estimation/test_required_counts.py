"""Which counts an estimate needs, and the exact estimates from them."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import pytest

from privacy.estimation import required_counts as required_counts_module
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import BLANK, index_of
from privacy.estimation.estimates import estimate
from privacy.estimation.moments import DrawnTables
from privacy.estimation.required_counts import (
    ItemsetPair,
    Plan,
    PlannedEvent,
    contingency_tables,
    required_counts,
)
from privacy.survey.design import Condition, Conditions, Design
from privacy.survey.routing import is_asked
from tests.fixtures.questionnaires import grouped
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import (
    CHOICES,
    ENUMERATED,
    MIXED,
    ONE_BLOCK,
    OPEN,
    ROTATING,
    STRENGTHS_OF_BLOCKS,
    THREE_BLOCKS,
    TWO_BLOCKS,
    TWO_OF_THREE,
    routed,
    single,
    yes_no,
)
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
from tests.privacy.estimation.records import Row, columns, count, groups_of, itemset_score, itemsets, sample


def tally(asked: Design, rows: list[Row], pair: ItemsetPair, direct: bool) -> Counter[tuple[float, ...]]:
    """Count a group's rows by their scores of union, first and second itemset, from the records."""
    union = tuple(sorted({*pair[0], *pair[1]}))
    parts = (union, *pair)
    return Counter(
        tuple(round(float(itemset_score(asked, row, part)), 9) for part in parts)
        for row, of_direct in zip(rows, groups_of(asked, rows, union), strict=True)
        if of_direct == direct
    )


@pytest.mark.parametrize("name", ENUMERATED)
def test_each_cell_contains_rows_with_equal_scores(name: str) -> None:
    asked = ENUMERATED[name]
    rows = sample(asked, 60, seed=41)
    sets = list(itemsets(asked, 3))
    pairs: list[ItemsetPair] = [*itertools.product(sets[::3], [(), *sets[::4]])]
    seen = 0
    for part in contingency_tables(count(asked, rows, required_counts(pairs, asked)), pairs, asked):
        for place, position in enumerate(part.positions):
            seen += 1
            for direct, group in zip((True, False), part.groups, strict=True):
                shown: Counter[tuple[float, ...]] = Counter()
                scores = group.numerator[:, place] / group.truth[:, place, None]
                for number, score in zip(group.rows[place], scores.T, strict=True):
                    shown[tuple(np.round(score, 9) + 0.0)] += int(number)
                assert +shown == tally(asked, rows, pairs[position], direct=direct)
            assert part.n[place] == 60
    assert seen == len(pairs)


def test_two_options_of_one_choice_never_occur_together() -> None:
    pair: ItemsetPair = ((0, 3), (1,))
    needed = required_counts([pair], CHOICES)
    assert not any({0, 1} <= set(key) for key in needed)
    rows = sample(CHOICES, 50, seed=42)
    (part,) = contingency_tables(count(CHOICES, rows, needed), [pair], CHOICES)
    assert (part.rows >= 0).all()
    # No row or decoy can match both, so all scores of the union are 0.
    assert not any((group.rows * group.numerator[0]).any() for group in part.groups)


@pytest.mark.parametrize(
    ("pair", "number"), [(((0,), (2,)), 4), (((0, 2), (4,)), 8), (((0, 2, 4), ()), 8), ((0, 2, 4), 8)]
)
def test_an_event_needs_one_count_per_subset_of_its_parts(pair: PlannedEvent, number: int) -> None:
    assert len(required_counts([pair], THREE_BLOCKS)) == number


def test_an_unmatched_open_answer_needs_no_further_counts() -> None:
    # A = {oa, a}, B = {m=o0}: "a" and "a and m=o0" are not needed without oa.
    asked_oa = MIXED.asked_column(0)
    needed = set(required_counts([((0, 3), (4,))], MIXED))
    assert needed == {(asked_oa,), (4, asked_oa), (0,), (0, 3), (0, 4), (0, 3, 4)}


def test_an_undisguised_group_has_a_cell_per_combination_of_sides() -> None:
    pair: ItemsetPair = ((0, 2), (3, 4))
    counts = count(THREE_BLOCKS, sample(THREE_BLOCKS, 20, seed=44), required_counts([pair], THREE_BLOCKS))
    (part,) = contingency_tables(counts, [pair], THREE_BLOCKS)
    assert [group.rows.shape for group in part.groups] == [(1, 4), (1, 16)]
    other: ItemsetPair = ((0, 1), (3,))
    rows = sample(STRENGTHS_OF_BLOCKS, 20, seed=45)
    counts = count(STRENGTHS_OF_BLOCKS, rows, required_counts([other], STRENGTHS_OF_BLOCKS))
    (part,) = contingency_tables(counts, [other], STRENGTHS_OF_BLOCKS)
    direct, protected = part.groups
    assert direct.rows.shape == protected.rows.shape
    assert [group.truth[:, 0] for group in part.groups] == [
        pytest.approx([0.9 * 0.75, 0.9, 0.75]),
        pytest.approx([0.6 * 0.45, 0.6, 0.45]),
    ]


def test_a_repeated_set_of_columns_is_requested_once() -> None:
    needed: tuple[Columns, ...] = required_counts([((0, 1), (0,))], ONE_BLOCK)
    assert len(set(needed)) == len(needed)
    counts = SupportCounts.from_array(needed, np.ones((len(needed), 2), dtype=np.int64))
    assert len(counts) == len(needed)


def test_each_sub_itemset_is_requested_once_if_all_were_asked() -> None:
    plan = Plan.of_itemsets(grouped([2, 1]), np.array([[0, 1], [0, 2]]))
    # All rows, {0, 1}, and then {0}, {2} and {0, 2} for the itemset over both blocks.
    requests = {tuple(column for column in request if column != BLANK) for request in plan.requests.tolist()}
    assert requests == {(), (0, 1), (0,), (2,), (0, 2)}


def test_rows_of_undisguised_groups_are_counted_together() -> None:
    pair: ItemsetPair = ((0,), (1,))
    rows = sample(OPEN, 90, seed=7)
    (part,) = contingency_tables(count(OPEN, rows, required_counts([pair], OPEN)), [pair], OPEN)
    (counts,) = part.row_counts
    with_both = sum({0, 1} <= columns(OPEN, row) for row in rows)
    assert (counts.sum(), counts[0, -1], part.matching.tolist()) == (90, with_both, [with_both])
    assert part.matching_cells.tolist() == [[False, False, False, True]]
    rows = sample(ONE_BLOCK, 90, seed=7)
    (part,) = contingency_tables(
        count(ONE_BLOCK, rows, required_counts([pair], ONE_BLOCK)), [pair], ONE_BLOCK
    )
    assert [own.sum() for own in part.row_counts] == [
        sum(row.direct == group for row in rows) for group in (True, False)
    ]


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


@pytest.mark.parametrize("items", [(0.5,), (0, 1.5), (True,)])
def test_items_that_are_not_whole_numbers_are_refused(items: tuple[int, ...]) -> None:
    with refused("item"):
        required_counts([items], ONE_BLOCK)


def test_contradictory_counts_name_the_itemset() -> None:
    """If six of ten rows have a, six c and one both, then -1 row has neither."""
    counts = {(): (0, 10), (0,): (0, 6), (2,): (0, 6), (0, 2): (0, 1)}
    with refused("count", "(0, 2)", "-1"):
        list(contingency_tables(SupportCounts(counts), [(0,), (0, 2)], TWO_BLOCKS))
    plan = Plan.of_itemsets(TWO_BLOCKS, np.array([[0, 2]]))
    numbers = np.array([counts[tuple(row[row != BLANK].tolist())] for row in plan.requests])
    with refused("count", "-1", "of 0"):
        list(plan.tables(numbers))


def test_requests_are_listed_once_even_if_no_code_holds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    itemsets = np.array([[0, 1], [0, 2], [0, 1]])
    assert Plan.of_itemsets(ONE_BLOCK, itemsets).keys == [(), (0, 1), (0, 2)]
    monkeypatch.setattr("privacy.estimation.required_counts.set_codes", lambda _sets, _base: None)
    assert Plan.of_itemsets(ONE_BLOCK, itemsets).keys == [(), (0, 1), (0, 2)]


def test_rows_that_someone_selects_are_counted_as_a_whole() -> None:
    """Otherwise each of two rotating questions is counted if it was asked, and if the answer was yes."""
    a, b = 3, 4
    assert required_counts([(0, 1)], TWO_OF_THREE, within=(a, b)) == ((a, b), (0, 1))
    for too_few in ((), (a,), (b,)):
        with refused("within"):
            required_counts([(0, 1)], TWO_OF_THREE, within=too_few)
    plan = Plan(index_of(TWO_OF_THREE), within=(a, b))
    plan.add([np.array([[0], [1]])], np.arange(2))
    # Both events share one count of the rows.
    assert sorted(map(sorted, plan.requests.tolist())) == [[BLANK, 0, b], [BLANK, 1, a], [BLANK, a, b]]
    every = {(), (a,), (b,), (0,), (1,), (0, b), (1, a), (a, b), (0, 1)}
    found = required_counts([(0, 1)], TWO_OF_THREE)
    assert (set(found), len(found)) == (every, len(every))
    assert required_counts([(0, 1)], ONE_BLOCK) == ((), (0, 1))


@pytest.fixture
def forgotten() -> Iterator[Callable[[], None]]:
    """Return a function that forgets cached plans, which is also called after the test."""

    def forget() -> None:
        required_counts_module._shape.cache_clear()
        required_counts_module._plan_events.cache_clear()

    yield forget
    forget()


@pytest.mark.parametrize(("most", "is_complete"), [(1, True), (2, False)])
def test_events_of_too_many_drawn_items_use_complete_rows(
    most: int, is_complete: bool, monkeypatch: pytest.MonkeyPatch, forgotten: Callable[[], None]
) -> None:
    monkeypatch.setattr(required_counts_module, "MOST_DRAWN", most)
    forgotten()
    assert ({*required_counts([(0, 1)], TWO_OF_THREE)} == {(3, 4), (0, 1)}) == is_complete
