"""Rules that join numbers, places and items are exact on all possible rows, with exact errors."""

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from privacy.estimation.comparison import compare, comparison_factors, weighted_factors
from privacy.estimation.composed_parts import Factor, Part, Side, factors_of, states_of
from privacy.estimation.intervals import measure_rules
from privacy.estimation.joined_rows import JoinedRows, _rarest, joined_rows
from privacy.estimation.required_counts import required_counts
from privacy.scales.planar_level import PlanarLevel
from privacy.survey.block import default_refusal
from privacy.survey.block_channel import block_channel
from privacy.survey.design import Design, GroupPolicy
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import OPEN, TWO_BLOCKS, TWO_OF_THREE
from tests.privacy.estimation.drawn_rows import a_law, sent
from tests.privacy.estimation.records import Row, columns, sample
from tests.privacy.estimation.scale_rows import Truth, columns_of, counted, expected_rows, whole_rows
from tests.privacy.estimation.test_scale_items import DESIGN, KEEP, MAP, PEOPLE, ROWS, WAVE
from tests.vectors.designs import live, opened, shielded, yes_no
from tests.vectors.scale_designs import scale_block

WIDE = replace(
    MAP,
    levels=(replace(MAP.levels[0], rectangles=((0, 0, 3, 1),), frames=((0, 0, 3, 1, 2, 1),)),),
    regions=(),
)
"""Windows of two cells, which a region of the last two cells cuts."""

ALL_OF_IT = replace(
    MAP,
    mechanism="sm",
    levels=(
        PlanarLevel(numerator=4, denominator=1, rectangles=((0, 0, 4, 1),), frames=((0, 0, 4, 1, 1, 1),)),
    ),
    regions=(),
)
"""The same map with every place sensitive."""

APART = live(
    scale_block("age", WAVE),
    scale_block("home", WIDE),
    shielded("a", 6000, yes_no("x", 3000)),
    opened("b", yes_no("city")),
)
NUMBERS = live(
    scale_block("age", WAVE),
    scale_block("pay", replace(WAVE, floor=1, peak=2)),
    shielded("a", 6000, yes_no("x", 3000)),
    opened("b", yes_no("city")),
)
PLACES = live(scale_block("work", replace(MAP, regions=())), scale_block("home", WIDE), *APART.blocks[2:])
SKIPPED = replace(
    APART,
    blocks=tuple(
        replace(block, refusal=default_refusal(block)) if block.is_scale else block for block in APART.blocks
    ),
)
X, CITY = 0, 1
YOUNG = Part(question=0, target=(0, 1))
EAST = Part(question=1, target=((2, 0, 2, 1),))


def _code(factor, row: Truth, design: Design) -> int:
    if factor.question is not None:
        return row[factor.question]
    having = columns_of(design, row)
    return sum(1 << bit for bit, item in enumerate(factor.items) if item in having)


def _joined(antecedent: Side, consequent: Side, design: Design, rows: Mapping[Truth, int]) -> JoinedRows:
    factors = factors_of(antecedent, consequent, design)
    codes = [np.array([_code(factor, row, design) for row in rows]) for factor in factors]
    return joined_rows(
        factors, codes, np.array(list(rows.values())), direct=np.zeros(len(rows), dtype=np.bool_)
    )


def _has(part: Part, truth: Truth) -> bool:
    value = truth[part.question]
    if isinstance(part.target[0], int):
        return part.target[0] <= value <= part.target[1]
    return any(left <= value < left + width for left, _low, width, _height in part.target)


def _share(people: Mapping[Truth, int], *sides: Side) -> float:
    """Return the share of respondents with all items; skips have none."""
    having = sum(
        count
        for truth, count in people.items()
        if all(_has(part, truth) for side in sides for part in side.parts)
        and all(truth[2 + item] == 1 for side in sides for item in side.items)
    )
    return float(Fraction(having, sum(people.values())))


RULES = {
    "number, place": (APART, Side(parts=(YOUNG,)), Side(parts=(EAST,))),
    "number and item, place": (APART, Side(items=(X,), parts=(YOUNG,)), Side(parts=(EAST,))),
    "both and an item, an open one": (APART, Side(items=(X,), parts=(YOUNG, EAST)), Side(items=(CITY,))),
    "two numbers": (NUMBERS, Side(parts=(YOUNG,)), Side(parts=(Part(question=1, target=(2, 3)),))),
    "two places": (PLACES, Side(parts=(Part(question=0, target=((0, 0, 1, 1),)),)), Side(parts=(EAST,))),
    "skipped ones": (SKIPPED, Side(items=(X,), parts=(YOUNG,)), Side(parts=(EAST,))),
}


def _skipping(people: Mapping[Truth, int], design: Design) -> Mapping[Truth, int]:
    """Return the same people, and some who skip the number, the place, or both."""
    if design is not SKIPPED:
        return people
    some = {
        (age, home, x, city): 1 + x
        for age, home in ((4, 1), (2, 4), (4, 4))
        for x in (0, 1)
        for city in (0, 1)
    }
    return {**people, **some}


LIGHTER = Design(
    blocks=(
        replace(APART.blocks[0], light=replace(WAVE, peak=9)),
        replace(
            scale_block("home", ALL_OF_IT),
            light=replace(ALL_OF_IT, levels=(replace(ALL_OF_IT.levels[0], numerator=9),)),
        ),
        replace(APART.blocks[2], light=8000),
        APART.blocks[3],
    ),
    group=GroupPolicy(policy="choice"),
    use="live",
)


def test_two_strength_measures_match_the_people_of_both_groups() -> None:
    antecedent, consequent = Side(items=(X,), parts=(YOUNG,)), Side(parts=(EAST,))
    groups = {direct: {who: n + 3 * direct * who[0] for who, n in PEOPLE.items()} for direct in (True, False)}
    factors = factors_of(antecedent, consequent, LIGHTER)
    sent, codes = [], []
    for direct, people in groups.items():
        for row, count_of_row in expected_rows(LIGHTER.in_group(direct=direct), people).items():
            sent.append((direct, count_of_row))
            codes.append([_code(factor, row, LIGHTER) + direct * factor.split for factor in factors])
    common = math.lcm(*(number.denominator for _, number in sent))
    joined = joined_rows(
        factors,
        list(np.array(codes).T),
        np.array([int(number * common) for _, number in sent]),
        direct=np.array([direct for direct, _ in sent]),
    )
    found = compare(joined)
    everybody = {who: groups[True][who] + groups[False][who] for who in PEOPLE}
    both, first, second = (
        _share(everybody, *sides) for sides in ((antecedent, consequent), (antecedent,), (consequent,))
    )
    assert found.both == pytest.approx(both, abs=1e-9)
    assert found.having.value == pytest.approx(both / first, abs=1e-8)
    assert found.lift.value == pytest.approx(both / first / second, abs=1e-8)
    assert found.n_direct == common * sum(groups[True].values())
    assert found.having.low < both / first < found.having.high


@pytest.mark.parametrize("name", RULES)
def test_rule_measures_are_unbiased_and_their_errors_are_exact(name: str) -> None:
    design, antecedent, consequent = RULES[name]
    people = _skipping(PEOPLE, design)
    rows = expected_rows(design, people)
    joined = _joined(antecedent, consequent, design, whole_rows(rows))
    found = compare(joined)
    both, first, second = (
        _share(people, *sides) for sides in ((antecedent, consequent), (antecedent,), (consequent,))
    )
    assert found.both == pytest.approx(both, abs=1e-9)
    assert found.having.value == pytest.approx(both / first, abs=1e-8)
    assert found.lift.value == pytest.approx(both / first / second, abs=1e-8)
    assert found.leverage.value == pytest.approx(both - first * second, abs=1e-9)
    # The same errors from the channels: each row's probability and score, factor by factor.
    scores = {row: _score(row, antecedent, consequent, design) for row in rows}
    n = sum(rows.values())
    second_moment = sum(float(count / n) * scores[row] ** 2 for row, count in rows.items())
    assert joined.scores[0] ** 2 @ joined.counts / found.n == pytest.approx(second_moment, rel=1e-7)
    assert found.having.low < both / first < found.having.high


def _score(row: Truth, antecedent: Side, consequent: Side, design: Design) -> float:
    """Return a row's score for both sides, from each channel's weighted (least-variance) inverse."""
    z = 1.0
    for part in (*antecedent.parts, *consequent.parts):
        block = design.blocks[part.question]
        channel = block_channel(block).as_array()
        # Scores are least squares for equal shares of the answers, without skips.
        answers = channel.shape[1] - (block.refusal is not None)
        wanted = np.array([_has(part, (*[0] * part.question, x)) for x in range(answers)], dtype=float)
        inner = channel[: channel.shape[0] - (block.refusal is not None), :answers]
        inner = inner / inner.sum(axis=0)
        weight = np.diag(1 / (inner @ np.full(answers, 1 / answers)))
        solved = weight @ inner @ np.linalg.pinv(inner.T @ weight @ inner, rcond=1e-11) @ wanted
        if block.refusal is not None:
            # One constant for all answers and one for "skipped" correct for the skip.
            lost, said = channel[-1, 0], channel[-1, -1]
            decoy = channel[:-1, -1] / (1 - said)
            kept, middle = 1 - lost, float(decoy @ solved)
            system = np.array([[kept, lost], [1 - said, said]])
            lifted, skipped = np.linalg.solve(system, [0, -(1 - said) * middle / kept])
            solved = np.append(solved / kept + lifted, skipped)
        z *= solved[row[part.question]]
    for item in (*antecedent.items, *consequent.items):
        z *= (row[2] - 0.4 * 0.3) / 0.6 if item == X else row[3]
    return z


def test_parts_that_are_also_items_measure_like_items() -> None:
    counts = counted(DESIGN, ROWS, required_counts([((1, 2), (3,))], DESIGN))
    wanted = measure_rules(counts, [((1, 2), (3,))], DESIGN)[0]
    antecedent = Side(parts=(Part(question=0, target=(2, 3)), Part(question=1, target=((0, 0, 2, 1),))))
    joined = _joined(antecedent, Side(items=(3,)), DESIGN, ROWS)
    found = compare(joined)
    for one, other in (
        (found.having, wanted.confidence),
        (found.lift, wanted.lift),
        (found.leverage, wanted.leverage),
    ):
        assert one.value == pytest.approx(other.value, rel=1e-9)
        assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-6)
        assert one.standard_error == pytest.approx(other.standard_error, rel=1e-6)


def test_direct_rows_score_zero_or_one() -> None:
    one, other = factors_of(Side(parts=(YOUNG,)), Side(items=(X,)), APART)
    outputs = WAVE.outputs
    assert one.scores[0, outputs + 1 :].tolist() == [1, 1, 0, 0, 0]
    assert other.scores[2, 2:].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("antecedent", "consequent", "code"),
    [
        (Side(), Side(items=(X,)), "rule"),
        (Side(parts=(YOUNG,)), Side(parts=(Part(question=0, target=(2, 3)),)), "same_question"),
        (Side(parts=(Part(question=2, target=(0, 1)),)), Side(items=(X,)), "question"),
        (Side(parts=(Part(question=0, target=(2, 4)),)), Side(items=(X,)), "spans"),
        (Side(parts=(Part(question=0, target=((0, 0, 1, 1),)),)), Side(items=(X,)), "spans"),
        (Side(parts=(Part(question=1, target=(0, 1)),)), Side(items=(X,)), "regions"),
        (Side(parts=(Part(question=1, target=((0, 0, 1, 1),)),)), Side(items=(X,)), "no_score"),
        (Side(items=(X,)), Side(items=(X,)), "itemset"),
        (Side(parts=(YOUNG,) * 5), Side(items=(X,)), "too_large"),
        (Side(items=tuple(range(9))), Side(parts=(YOUNG,)), "too_large"),
    ],
)  # fmt: skip
def test_sides_that_cannot_be_joined_are_refused(antecedent: Side, consequent: Side, code: str) -> None:
    with refused(code):
        factors_of(antecedent, consequent, APART)


def test_comparisons_need_at_least_one_row() -> None:
    nobody = JoinedRows(
        counts=np.zeros(1, dtype=np.int64), scores=np.ones((3, 1)), n_direct=0, n_protected=0, smallest_cell=0
    )
    with refused("no_rows"):
        compare(nobody)


def test_bands_of_a_large_range_need_no_matrix() -> None:
    fine = replace(KEEP, range=replace(KEEP.range, high=9_999), spans=())
    design = live(scale_block("age", fine), opened("b", yes_no("city")))
    (factor, _) = factors_of(Side(parts=(Part(question=0, target=(0, 99)),)), Side(items=(0,)), design)
    p, q = float(fine.retention_probability), 0.01
    assert np.unique(factor.scores[0, : fine.outputs]).tolist() == pytest.approx(
        [-(1 - p) * q / p, (1 - (1 - p) * q) / p]
    )
    with refused("too_large"):
        wave = replace(fine, window=7)
        factors_of(
            Side(parts=(Part(question=0, target=(0, 99)),)),
            Side(items=(0,)),
            live(scale_block("age", wave), *design.blocks[1:]),
        )


def joined_of(
    design: Design, factors: Sequence[Factor], rows: Sequence[Row], counts: np.ndarray
) -> JoinedRows:
    having = [columns(design, row) for row in rows]
    direct = np.array([row.direct for row in rows])
    drawn = [factor.draws for factor in factors if factor.draws is not None]
    is_asked = [[column in own for own in having] for own_drawn in drawn for column in own_drawn.columns]
    codes = [
        np.array(
            [sum(1 << place for place, item in enumerate(factor.items) if item in own) for own in having]
        )
        + direct * factor.split
        for factor in factors
    ]
    return joined_rows(factors, codes, counts, direct=direct, is_asked=np.array(is_asked) if drawn else None)


def test_possible_cells_without_rows_are_included_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    design = TWO_BLOCKS
    by, outcome = Side(items=(0,)), Side(items=(2,))
    factors = comparison_factors(by, outcome, design)
    possible = math.prod(len(states_of(factor, factor.split).codes) for factor in factors)
    rows = [row for row in sent(design, a_law(design, seed=3, direct=Fraction(0))) if not row.direct][:3]

    def cells(limit: int) -> list[int]:
        monkeypatch.setattr("privacy.estimation.joined_rows.MOST_POSSIBLE", limit)
        return sorted(joined_of(design, factors, rows, np.array([5, 6, 7])).counts.tolist())

    observed = [number for number in cells(possible - 1) if number]
    assert sum(observed) == 18
    assert cells(possible - 1) == observed
    # One empty cell for each possible score that no row has.
    assert cells(possible)[: -len(observed)] == [0] * (len(cells(possible)) - len(observed)) != []
    assert cells(possible)[-len(observed) :] == observed


def test_each_combination_of_two_answers_may_have_one_row() -> None:
    matches = [np.array([0, 1, 0, 1], dtype=bool), np.array([0, 0, 1, 1], dtype=bool)]
    everyone = np.ones(4, dtype=bool)
    assert _rarest(matches, np.array([1, 1, 1, 1]), everyone) == 1
    assert _rarest(matches, np.array([5, 4, 3, 2]), everyone) == 2
    assert _rarest(matches, np.array([5, 0, 3, 2]), everyone) == 0
    assert _rarest(matches, np.array([1, 1, 1, 1]), np.array([1, 1, 1, 0], dtype=bool)) == 0
    assert _rarest([], np.array([3, 4, 0, 0]), everyone) == 7


def test_rows_of_both_groups_are_counted() -> None:
    rows = sample(TWO_BLOCKS, 90, seed=4, direct=0.3)
    factors = comparison_factors(Side(items=(0,)), Side(items=(2,)), TWO_BLOCKS)
    joined = joined_of(TWO_BLOCKS, factors, rows, np.full(90, 2))
    n_direct = 2 * sum(row.direct for row in rows)
    assert 0 < n_direct < 180
    assert (joined.n_direct, joined.n_protected) == (n_direct, 180 - n_direct)


def test_the_smallest_cell_is_that_of_both_answers_as_sent() -> None:
    rows = sample(TWO_BLOCKS, 300, seed=4, direct=0.0)
    factors = comparison_factors(Side(items=(0,)), Side(items=(2,)), TWO_BLOCKS)
    joined = joined_of(TWO_BLOCKS, factors, rows, np.ones(300, dtype=np.int64))
    cells = Counter((0 in columns(TWO_BLOCKS, row), 2 in columns(TWO_BLOCKS, row)) for row in rows)
    assert len(cells) == 4
    assert joined.smallest_cell == min(cells.values())


def test_the_smallest_cell_of_open_answers_counts_those_who_have_them_or_not() -> None:
    rows = sample(OPEN, 60, seed=4, direct=0.0)
    joined = joined_of(
        OPEN, factors_of(Side(items=(0,)), Side(items=(1,)), OPEN), rows, np.ones(60, dtype=np.int64)
    )
    cells = Counter((0 in columns(OPEN, row), 1 in columns(OPEN, row)) for row in rows)
    assert len(cells) == 4
    assert joined.smallest_cell == min(cells.values())


TOWNS = live(
    opened("o", yes_no("city"), yes_no("town")),
    shielded("a", 6000, yes_no("x", 5000)),
    shielded("b", 4500, yes_no("y", 5000)),
)
"""Items 0 and 1 are open, 2 and 3 are disguised."""


def _smallest_cell(
    factors: Sequence[Factor], items: Sequence[int], protected: Sequence[int], direct: Sequence[int] = ()
) -> int:
    """Return the smallest cell of rows counted in binary order: none of the items, ..., all."""
    every = list(itertools.product((0, 1), repeat=len(items)))
    rows = [(is_direct, having) for is_direct, n in ((0, protected), (1, direct)) for having in every if n]
    codes = [
        np.array(
            [
                is_direct * factor.split
                + sum(having[items.index(item)] << place for place, item in enumerate(factor.items))
                for is_direct, having in rows
            ]
        )
        for factor in factors
    ]
    return joined_rows(
        factors,
        codes,
        np.array([*protected, *direct]),
        direct=np.array([is_direct == 1 for is_direct, _having in rows]),
    ).smallest_cell


@pytest.mark.parametrize("smallest", range(4))
def test_each_cell_of_two_open_answers_may_be_the_smallest(smallest: int) -> None:
    counts = [11, 12, 13, 14]
    counts[smallest] = 2
    assert _smallest_cell(factors_of(Side(items=(0,)), Side(items=(1,)), TOWNS), (0, 1), counts) == 2


def test_groups_form_separate_cells_only_if_one_disguises_an_answer() -> None:
    many, few = (11, 12, 13, 14), (8, 7, 6, 4)
    opened = factors_of(Side(items=(0,)), Side(items=(1,)), TOWNS)
    assert _smallest_cell(opened, (0, 1), many, few) == 14 + 4
    disguised = factors_of(Side(items=(2,)), Side(items=(3,)), TOWNS)
    assert _smallest_cell(disguised, (2, 3), many, few) == 4
    assert _smallest_cell(disguised, (2, 3), few, many) == 4


def test_people_without_the_open_answer_of_a_side_form_one_cell_whatever_they_say_in_disguise() -> None:
    factors = factors_of(Side(items=(0, 2)), Side(items=(3,)), TOWNS)
    # Outside the city 4 + 3 say no to y, and 5 + 2 say yes, each with either answer to x.
    assert _smallest_cell(factors, (0, 2, 3), (4, 5, 3, 2, 9, 10, 11, 12)) == 4 + 3


def test_rows_without_a_weight_are_in_no_cell_and_all_others_count() -> None:
    plain = factors_of(Side(items=(2,)), Side(items=(3,)), TOWNS)
    weighted = weighted_factors(plain, (0, 1), np.array([0, 0.5, 1.5, 0]))
    neither, city, town, both = (1, 1, 1, 1), (5, 6, 7, 8), (20, 21, 22, 23), (1, 1, 1, 1)
    assert _smallest_cell(weighted, (0, 1, 2, 3), (*neither, *town, *city, *both)) == 5 + 20


@pytest.mark.parametrize(("both", "rows"), [(0, 0), (1, 23), (2, 24)])
def test_one_row_that_was_asked_both_lets_all_rows_count(both: int, rows: int) -> None:
    """Ten further rows were asked the first of two items only, and twelve the second."""
    factors = comparison_factors(Side(items=(0,)), Side(items=(1,)), TWO_OF_THREE)
    found = joined_rows(
        factors,
        [np.zeros(3, dtype=np.int64) for _factor in factors],
        np.array([both, 10, 12]),
        direct=np.zeros(3, dtype=np.bool_),
        is_asked=np.array([[True, True, False], [True, False, True]]),
    )
    assert (found.all_rows, found.counts.sum(), found.n_protected) == (both > 0, rows, both)
