"""Numbers that are stored as answered: figures equal those of the answers themselves."""

from dataclasses import replace
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pandas as pd
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.counting import CountCache
from mining.columns.row_patterns import observe, sent_counts, with_open_numbers
from mining.columns.row_writer import RowWriter, impossible_rows
from mining.frames.answer_kinds import number
from mining.frames.survey import Survey
from mining.inference import group_tests
from mining.itemsets import disguised_rows
from mining.open_floor import OpenFloor, large_crosses
from mining.pipeline import mine
from mining.thresholds import Thresholds
from privacy.estimation.counts import Columns
from privacy.estimation.estimates import estimates
from privacy.risk.data_audit import audit_rows
from privacy.scales.numeric_mechanisms import as_answered
from privacy.scales.window import NumberRange
from privacy.survey.block import Condition
from privacy.survey.design import Block, Design, GroupPolicy, Question
from tests.fixtures.refusals import refused
from tests.vectors.designs import CHOICE, live, opened, shielded, yes_no
from tests.vectors.scale_designs import open_number

HOURS = replace(as_answered(NumberRange(low=0, high=24)), spans=((0, 5), (9, 24)))
DESIGN = live(
    open_number("sleep", HOURS, "short", "long"),
    opened("you", yes_no("city")),
    shielded("a", 6000, yes_no("affair", 5000)),
)
SLEEP_RNG = np.random.default_rng(5)
N = 400
SLEEP = np.where(SLEEP_RNG.random(N) < 0.1, -1, SLEEP_RNG.binomial(24, 0.3, N))
CITY = SLEEP_RNG.integers(0, 2, N)


def packed(design: Design = DESIGN) -> bytes:
    cells = [SLEEP, CITY, SLEEP_RNG.integers(0, 2, N)]
    if design.group == CHOICE:
        cells.insert(0, SLEEP_RNG.integers(0, 2, N))
    return RowWriter(design).pack(np.stack(cells, axis=1))


def test_rows_accept_every_possible_value_and_none_out_of_range() -> None:
    rows = packed()
    assert impossible_rows(DESIGN, rows) is None
    with refused("cell"):
        RowWriter(DESIGN).pack(np.array([[25, 0, 0]]))


@pytest.mark.parametrize("design", [DESIGN, replace(DESIGN, group=CHOICE)])
def test_undisguised_values_and_ranges_are_counted_as_answered(design: Design) -> None:
    rows = packed(design)
    sent = sent_counts(design, 0, rows)
    assert (sent.direct + sent.protected).tolist() == np.bincount(SLEEP[SLEEP >= 0], minlength=25).tolist()
    cache = CountCache(BitMatrix.from_rows(design, rows))
    columns = [(0,), (1,), (design.asked_column(0),)]
    counts = cache.need(columns)
    wanted = [(SLEEP >= 0) & (SLEEP <= 5), SLEEP >= 9, SLEEP >= 0]
    assert [sum(counts[column]) for column in columns] == [int(own.sum()) for own in wanted]


@pytest.mark.parametrize("design", [DESIGN, replace(DESIGN, group=CHOICE)])
def test_people_with_a_unique_number_are_found(design: Design) -> None:
    rows = packed(design)
    observed = with_open_numbers(observe(BitMatrix.from_rows(design, rows)), design, rows)
    _pairs, people = np.unique(np.stack([SLEEP, CITY]), axis=1, return_counts=True)
    assert sorted(observed.open.sum(axis=1)) == sorted(people)
    audit = audit_rows(design, {"affair": [5000]}, observed)
    assert audit.open.unique == int((people == 1).sum()) > 0


def test_designs_without_open_numbers_are_left_unchanged() -> None:
    design = live(*DESIGN.blocks[1:])
    rows = RowWriter(design).pack(np.stack([CITY, CITY], axis=1))
    observed = observe(BitMatrix.from_rows(design, rows))
    assert with_open_numbers(observed, design, iter([])) is observed


def test_values_outside_all_ranges_count_as_one_more_answer() -> None:
    """Many people sleep little or long in both groups, but only one in between lives in the city."""
    items = np.zeros((41, 4), dtype=bool)
    items[:20, 0] = items[20:40, 1] = True
    items[:10, 2] = items[20:30, 2] = True
    items[40, 2] = True
    for own, large in ((items, False), (items[:40], True)):
        matrix = BitMatrix.from_booleans(DESIGN, own, np.zeros(len(own), dtype=bool))
        assert large_crosses(CountCache(matrix), DESIGN, [(0, 2)], OpenFloor(least=10)) == [large]


def test_means_and_shares_of_open_numbers_match_the_answers() -> None:
    survey = Survey(
        blocks={"a": ["affair"]},
        p=0.6,
        open={
            "sleep": number(low=0, high=24, items=[{"key": "short", "from": 0, "to": 5}]),
            "city": None,
            "grade": number(low=1, high=6),
        },
    )
    assert [block.key for block in survey.design.blocks] == ["sleep", "open", "grade", "a"]
    truth = pd.DataFrame(
        {"sleep": SLEEP, "city": CITY, "grade": SLEEP_RNG.integers(1, 7, N), "affair": CITY}
    ).replace({"sleep": {-1: None}})
    sent = survey.disguise(truth, seed=1)
    assert (sent.sleep.dropna() == SLEEP[SLEEP >= 0]).all()
    assert (sent.grade == truth.grade - 1).all()
    reports = survey.on(sent)
    assert reports.mean("sleep").value == pytest.approx(SLEEP[SLEEP >= 0].mean())
    assert reports.mean("grade").value == pytest.approx(truth.grade.mean())
    assert reports.share("sleep=short").value == pytest.approx((SLEEP[SLEEP >= 0] <= 5).mean())
    with refused("disguise", "sleep"):
        Survey(blocks={"sleep": number(low=0, high=24)})
    with refused("disguise", "sleep"):
        Survey(blocks={"a": ["b"]}, p=0.5, open={"sleep": number(low=0, high=24, epsilon=2)})


LEAST = 10


def design_of(policy: GroupPolicy, light: int | None = None) -> Design:
    """Return a design: items 0-2 one choice, 3 and 4 yes/no, 5 and 6 ticked, all open; 7 protected."""
    open_questions = (
        Question(key="ward", kind="single", options=("a", "b", "c"), unrelated=()),
        Question(key="night", kind="yes_no", options=(), unrelated=()),
        Question(key="new", kind="yes_no", options=(), unrelated=()),
        Question(key="reads", kind="multi", options=("news", "novels"), unrelated=()),
    )
    late = Question(key="late", kind="yes_no", options=(), unrelated=(5000,))
    return Design(
        group=policy,
        use="live",
        blocks=(
            Block(key="you", protected=False, truth_probability=10_000,
                  questions=open_questions),
            Block(key="work", protected=True, truth_probability=6000,
                  questions=(late,), light=light),
        ),
    )  # fmt: skip


EVERYBODY = design_of(GroupPolicy())
RNG = np.random.default_rng(11)
WARD = RNG.choice(3, size=400, p=[0.6, 0.36, 0.04])
ROWS = np.column_stack(
    [*(option == WARD for option in range(3)), RNG.random((400, 5)) < [0.3, 0.05, 0.4, 0.04, 0.4]]
)
QUESTIONS: dict[int, tuple[int, ...]] = {
    0: (0, 1, 2),
    1: (0, 1, 2),
    2: (0, 1, 2),
    3: (3,),
    4: (4,),
    5: (5,),
    6: (6,),
}


def expected(items: tuple[int, ...]) -> bool:
    axes = {QUESTIONS[item] for item in items if item in QUESTIONS}
    if len(axes) < 2:
        return True
    columns = sorted({column for axis in axes for column in axis})
    _cells, people = np.unique(ROWS[:, columns], axis=0, return_counts=True)
    return bool((people >= LEAST).all())


def test_the_floor_passes_crosses_with_no_one_or_enough_people() -> None:
    count_cache = CountCache(BitMatrix.from_booleans(EVERYBODY, ROWS, np.zeros(400, dtype=bool)))
    itemsets = [items for size in (1, 2, 3, 4) for items in combinations(range(8), size)]
    found = large_crosses(count_cache, EVERYBODY, itemsets, OpenFloor(least=LEAST))
    assert found == [expected(items) for items in itemsets]
    assert {True, False} == set(found)


def test_one_person_decides_whether_a_cross_is_large_enough() -> None:
    rows = np.zeros((40, 8), dtype=bool)
    rows[:, 0] = True
    rows[:20, 3] = True
    rows[10:20, 4] = rows[20:30, 4] = True
    for count, large in ((10, True), (11, False)):
        count_cache = CountCache(BitMatrix.from_booleans(EVERYBODY, rows, np.zeros(40, dtype=bool)))
        assert large_crosses(count_cache, EVERYBODY, [(3, 4)], OpenFloor(least=count)) == [large]


def test_reports_hide_small_crosses_and_nothing_else() -> None:
    matrix = BitMatrix.from_booleans(EVERYBODY, ROWS, np.zeros(400, dtype=bool))
    thresholds = Thresholds(support=1e-9, confidence=0.5, max_size=3)
    free = {tuple(one.items) for one in mine(matrix, EVERYBODY, thresholds).itemsets}
    floored = {
        tuple(one.items) for one in mine(matrix, EVERYBODY, thresholds, floor=OpenFloor(least=LEAST)).itemsets
    }
    assert floored == {items for items in free if expected(items)}
    assert floored < free


def test_with_two_strengths_rows_of_both_groups_count_as_disguised() -> None:
    for light, count in product((None, 9000), (0, 7)):
        design = design_of(GroupPolicy(policy="choice"), light)
        assert disguised_rows(design, count, 5) == 5 + (count if light else 0)


# The strength of a respondent's disguise counts as one more open answer.

FLOOR = 3
SMALL = Design(
    group=GroupPolicy(policy="choice"),
    use="live",
    blocks=(
        Block(
            key="you", protected=False, truth_probability=10_000,
            questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=()) for key in "ab"),
        ),
        Block(
            key="work", protected=True, truth_probability=6000, light=9000,
            questions=(Question(key="late", kind="yes_no", options=(), unrelated=(5000,)),),
        ),
    ),
)  # fmt: skip
"""Items 0 and 1 are open, 2 is protected."""

Person = tuple[int, int | None, int | None, int]
"""Direct or not; yes, no or empty for each open question; the reported protected answer."""


def matrix_of(people: tuple[Person, ...]) -> BitMatrix:
    rows = np.array([[a == 1, b == 1, c == 1] for _direct, a, b, c in people])
    asked = np.array([[a is not None, b is not None, True] for _direct, a, b, _c in people])
    return BitMatrix.from_booleans(
        SMALL, rows, np.array([bool(person[0]) for person in people]), is_asked=asked
    )


def all_figures(people: tuple[Person, ...]) -> tuple[object, ...]:
    """Return all figures of a run, including those by group and their tests, to almost all digits."""
    matrix = matrix_of(people)
    result = mine(
        matrix, SMALL, Thresholds(support=1e-9, confidence=1e-9, max_size=3),
        floor=OpenFloor(least=FLOOR),
    )  # fmt: skip
    by_group = group_tests(result, CountCache(matrix), least_direct=1)
    table = estimates(result.counts, result.itemsets.itemsets, SMALL, estimator="pooled")
    figures = [result.n, result.n_direct, result.itemsets.itemsets, tuple(result.rules.sides)]
    for some in (result.itemsets.estimates, table):
        figures += [
            tuple(np.round(getattr(some, name), 12).tolist())
            for name in ("value", "standard_error", "n", "n_direct", "direct", "protected")
        ]
    figures += [
        tuple(np.round(values, 9).tolist())
        for values in (result.itemsets.interval.low, result.itemsets.interval.high)
    ]
    measures = result.rules.measures
    figures += [
        tuple(np.round(getattr(getattr(measures, name), end), 9).tolist())
        for name in ("support", "confidence", "lift")
        for end in ("value", "low", "high")
    ]
    figures.append(tuple((items, round(each.p_value, 9)) for items, each in by_group.items()))
    return tuple(map(str, figures))


def crosses(people: tuple[Person, ...]) -> dict[Columns, dict[tuple[object, ...], int]]:
    """Count people by the strength of their disguise and one or both open answers."""
    named: dict[Columns, dict[tuple[object, ...], int]] = {}
    for places in ((1,), (2,), (1, 2)):
        cells = named.setdefault(places, {})
        for person in people:
            cell = (person[0], *(person[place] for place in places))
            cells[cell] = cells.get(cell, 0) + 1
    return named


YES_NO = (0, 1)
WORLDS: list[tuple[list[Person], int]] = [
    ([(d, a, 1, 1) for d in YES_NO for a in (0, 1, None)], 7),
    ([(d, a, 1, c) for d in YES_NO for a in YES_NO for c in YES_NO], 6),
]
"""Possible kinds of people, and their number: one leaves a question empty, or protected answers differ."""


@pytest.mark.parametrize("worlds", WORLDS)
@pytest.mark.soak
def test_all_figures_together_hide_small_crosses_with_the_answer_mode(
    worlds: tuple[list[Person], int],
) -> None:
    """In all worlds of six or seven people, the figures do not determine any number below the minimum.

    Shares of single questions and group sizes are public, and so is everything that follows: if all
    respondents say yes, so do the lightly disguised ones.
    """
    kinds, n = worlds
    figures: dict[object, list[tuple[Person, ...]]] = {}
    margins: dict[object, list[tuple[Person, ...]]] = {}
    of_margins: dict[tuple[Person, ...], object] = {}
    for people in combinations_with_replacement(kinds, n):
        if any(person[1] is not None for person in people):
            figures.setdefault(all_figures(people), []).append(people)
            margin = tuple(tuple(sorted(map(str, each))) for each in zip(*people, strict=True))
            margins.setdefault(margin, []).append(people)
            of_margins[people] = margin
    few = 0
    for alike in figures.values():
        for cell in product(YES_NO, (0, 1, None)):
            numbers = {count_of(people, cell) for people in alike}
            if any(0 < number < FLOOR for number in numbers):
                few += 1
                by_margins = {count_of(people, cell) for people in margins[of_margins[alike[0]]]}
                assert len(numbers) > 1 or len(by_margins) == 1, (cell, alike)
    assert few > 100


def count_of(people: tuple[Person, ...], cell: tuple[object, ...]) -> int:
    return sum(person[:2] == cell for person in people)


def test_figures_never_expose_small_crosses_with_the_answering_mode() -> None:
    """By counting, no listed itemset has a cell of the full cross below the minimum."""
    rng = np.random.default_rng(71)
    listed = refused = 0
    for _ in range(300):
        n = int(rng.integers(20, 60))
        people = tuple(
            (
                int(rng.random() < 0.4),
                *(None if rng.random() < 0.05 else int(rng.random() < 0.4) for _ in "ab"),
                1,
            )
            for _ in range(n)
        )
        matrix = matrix_of(people)
        itemsets: list[Columns] = [(0, 2), (1, 2), (0, 1, 2)]
        found = large_crosses(CountCache(matrix), SMALL, itemsets, OpenFloor(least=FLOOR))
        cells = crosses(people)
        for items, places, large in zip(itemsets, ((1,), (2,), (1, 2)), found, strict=True):
            assert large == (min(cells[places].values()) >= FLOOR), items
        listed, refused = listed + sum(found), refused + 3 - sum(found)
    assert listed > 100
    assert refused > 100


def test_a_conditional_question_counts_as_its_open_answer() -> None:
    led = Design(
        group=SMALL.group,
        use="live",
        blocks=(
            SMALL.blocks[0],
            replace(SMALL.blocks[1], asked_if=Condition(question="a", options=("yes",))),
        ),
    )
    for few, large in ((FLOOR - 1, False), (FLOOR, True)):
        rows = np.zeros((40, 3), dtype=bool)
        direct = np.arange(40) < 10
        rows[:few, 0] = rows[20:30, 0] = True
        asked = np.ones((40, 3), dtype=bool)
        asked[:, 2] = rows[:, 0]
        cache = CountCache(BitMatrix.from_booleans(led, rows, direct, is_asked=asked))
        assert large_crosses(cache, led, [(2,)], OpenFloor(least=FLOOR)) == [large]
        assert large_crosses(cache, led, [()], OpenFloor(least=FLOOR), beside=[2]) == [large]
        assert large_crosses(cache, led, [(0,)], OpenFloor(least=FLOOR)) == [True]
