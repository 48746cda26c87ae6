import itertools
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.sent_counts import SentCounts, sent_counts
from mining.frames.answer_kinds import number
from mining.frames.survey import Survey
from mining.pipeline import mine
from mining.predicted_itemsets import borrowed_itemsets
from mining.report_checks import (
    _number_reports,
    _tables,
    check_groups,
    check_reports,
    find_suspects,
    find_withheld,
)
from mining.three_way import three_way
from mining.thresholds import Thresholds
from privacy.estimation.fit_check import rows_to_explain
from privacy.survey.design import Block, Design, GroupPolicy, Question
from privacy.survey.layout import Layout, Record
from tests.fixtures.refusals import refused


def test_the_channel_of_a_skippable_number_is_exact() -> None:
    survey = Survey(blocks={"age": number(low=0, high=79, bin=10, epsilon=1)}, skip={"age": 0.4})
    skipping = survey.design.blocks[0].skipping
    assert skipping is not None
    exact = skipping.channel.as_array()
    counts = np.zeros(len(exact), dtype=np.int64)
    sent = SentCounts(direct=counts, protected=counts)
    ((_, reported),) = _number_reports(survey.design, 0, sent)
    assert reported.low[0] == pytest.approx(exact.min(axis=1), abs=1e-12)
    assert reported.high[0] == pytest.approx(exact.max(axis=1), abs=1e-12)


ALL = Thresholds(support=0.01, max_size=2)


def yes_no(key: str) -> Question:
    return Question(key=key, kind="yes_no", options=(), unrelated=(5000,))


def design_of(*blocks: tuple[str, ...], refusal: int | None = None) -> Design:
    return Design(
        group=GroupPolicy(),
        use="live",
        blocks=tuple(
            Block(
                key="+".join(keys),
                protected=True,
                truth_probability=5000,
                refusal=refusal,
                questions=tuple(map(yes_no, keys)),
            )
            for keys in blocks
        ),
    )


def cache_of(design: Design, rows: list[tuple[int, ...]], **more: object) -> CountCache:
    table = np.array(rows, dtype=np.bool_)
    matrix = BitMatrix.from_booleans(design, table, np.zeros(len(table), dtype=np.bool_))
    return CountCache(matrix, **more)  # type: ignore[arg-type]


def no_numbers(number: int) -> object:
    raise AssertionError(number)


def test_one_failing_question_withholds_itself_alone() -> None:
    """Half of 400 rows say yes to each of three questions; 700 further rows all say yes to the second."""
    design = design_of(("a",), ("b",), ("c",))
    honest = [(i & 1, i >> 1 & 1, i >> 2 & 1) for i in range(400)]
    cache = cache_of(design, honest + [(i & 1, 1, i >> 1 & 1) for i in range(700)])
    withheld = find_withheld(cache, no_numbers)  # type: ignore[arg-type]
    assert (list(withheld.questions), dict(withheld.pairs), dict(withheld.blocks)) == ([1], {}, {})
    assert withheld.rows == withheld.questions[1].rows < 700
    with refused("misfit"):
        check_reports(cache, no_numbers)  # type: ignore[arg-type]
    result = mine(cache.matrix, design, ALL, withheld=withheld)
    assert set(result.itemsets.itemsets) == {(0,), (2,), (0, 2)}


def test_a_failing_pair_withholds_only_figures_of_both() -> None:
    """With p = .5, at most 1/16 + 1/2 of rows say yes to both; and each alone is said by at most 3/4."""
    design = design_of(("a", "b"), ("c",))
    rows = [(1, 1, i & 1) for i in range(700)] + [(0, 0, i & 1) for i in range(300)]
    cache = cache_of(design, rows)
    withheld = find_withheld(cache, no_numbers)  # type: ignore[arg-type]
    assert (list(withheld.questions), list(withheld.pairs)) == ([], [(0, 1)])
    result = mine(cache.matrix, design, ALL, withheld=withheld)
    assert set(result.itemsets.itemsets) == {(0,), (1,), (2,), (0, 2), (1, 2)}
    guarded = cache_of(design, rows, withheld=withheld)
    guarded.need([(0,), (1,), (0, 2)])
    for read in (lambda: guarded.need([(0, 1, 2)]), lambda: guarded.of(np.array([[0, 2], [0, 1]]))):
        with refused("forged"):
            read()


def test_rows_are_counted_by_both_reports_of_each_pair() -> None:
    rows = [(0, 0, 1), *[(0, 1, 1)] * 2, *[(1, 0, 1)] * 3, *[(1, 1, 1)] * 4]
    cache = cache_of(design_of(("a",), ("b",), ("c",)), rows)
    # By the first report no and yes, then by the second. All say yes to the third question.
    assert _tables(cache, np.array([(0, 1), (0, 2)]), 1).tolist() == [[[1, 2], [3, 4]], [[0, 3], [0, 7]]]


def test_failing_skips_withhold_their_block() -> None:
    """With r = .1 and p = .5, at least 1 row in 20 must skip each part; here no row skips the first."""
    design = design_of(("a", "b"), ("c",), refusal=1000)
    layout, rows = Layout(design), []
    for row_number in range(600):
        skips = row_number % 10 == 0
        answers = ((row_number & 1, row_number >> 1 & 1), (None if skips else row_number >> 2 & 1,))
        rows.append(layout.pack(Record(direct=False, answers=answers, refused=(False, skips))))
    cache = CountCache(BitMatrix.from_rows(design, b"".join(rows)))
    withheld = find_withheld(cache, no_numbers)  # type: ignore[arg-type]
    assert (list(withheld.blocks), list(withheld.questions), dict(withheld.pairs)) == ([0], [0, 1], {})
    result = mine(cache.matrix, design, ALL, withheld=withheld)
    assert set(result.itemsets.itemsets) == {(2,)}
    # About 30 of 600 honest rows would have skipped.
    assert withheld.rows == withheld.blocks[0].rows > 300


def test_predicted_pairs_are_estimated_without_a_failing_question() -> None:
    """Devices ask 2 of 5 questions. 1,800 forged rows say yes to the first, and to another at random."""
    keys = tuple("abcde")
    asked = Design(
        group=GroupPolicy(),
        use="live",
        blocks=(
            Block(
                key="part",
                protected=True,
                truth_probability=5000,
                questions_per_person=2,
                questions=tuple(map(yes_no, keys)),
            ),
        ),
    )
    layout, draws = Layout(asked), list(itertools.combinations(range(5), 2))

    def row(draw: tuple[int, ...], values: dict[int, int]) -> bytes:
        answers = (tuple(values[at] if at in draw else None for at in range(5)),)
        return layout.pack(Record(direct=False, answers=answers, refused=(False,), drawn=(draw,)))

    def rows(first: int) -> bytes:
        coins = random.Random(1)
        honest = [
            row(draw, {at: coins.getrandbits(1) for at in draw})
            for number in range(1_500)
            for draw in [draws[number % 10]]
        ]
        forged = [
            row(draw, {draw[0]: first, draw[1]: coins.getrandbits(1)})
            for number in range(1_800)
            for draw in [draws[number % 4]]
        ]
        return b"".join(honest + forged)

    found = []
    for first in (1, 0):
        matrix = BitMatrix.from_rows(asked, rows(first))
        withheld = find_withheld(CountCache(matrix), no_numbers)  # type: ignore[arg-type]
        assert (list(withheld.questions), list(withheld.pairs)) == ([0], [])
        cache = CountCache(matrix, withheld=withheld)
        found.append((borrowed_itemsets(cache, least=0.01, size=3), three_way(cache)))
        assert found[-1][0]
        assert all(0 not in own.items for own in found[-1][0])
    # The reports to the failing question change nothing.
    assert str(found[0]) == str(found[1])


@pytest.mark.parametrize(("count", "n", "most"), [(90, 100, 0.5), (30, 430, 0.0114), (400, 400, 0.3)])
def test_the_least_number_of_rows_explains_a_count_and_one_fewer_does_not(
    count: int, n: int, most: float
) -> None:
    limit = 1e-4 / 30
    rows = rows_to_explain(count, n, most, limit)

    def tail(removed: int) -> float:
        """P(count - removed or more) by summing the binomial probabilities."""
        from scipy.stats import binom

        return float(binom.pmf(np.arange(count - removed, n - removed + 1), n - removed, most).sum())

    assert tail(rows) >= limit > tail(rows - 1)


def packed(design: Design, rows: list[tuple[tuple[int, ...], ...]], *, direct: bool = False) -> bytes:
    layout = Layout(design)
    return b"".join(
        layout.pack(Record(direct=direct, answers=answers, refused=(False,) * len(answers)))
        for answers in rows
    )


@pytest.mark.parametrize("answer", [1, 0])
def test_suspects_are_all_rows_with_the_report_that_is_too_frequent(answer: int) -> None:
    """Half of 400 rows say yes to each of three questions; 700 further rows all answer the second alike."""
    design = design_of(("a",), ("b",), ("c",))
    rows = [((i & 1,), (i >> 1 & 1,), (i >> 2 & 1,)) for i in range(400)]
    rows += [((i & 1,), (answer,), (i >> 1 & 1,)) for i in range(700)]
    data = packed(design, rows)
    (found,) = find_suspects(design, data)
    withheld = find_withheld(CountCache(BitMatrix.from_rows(design, data)), no_numbers)  # type: ignore[arg-type]
    assert (found.question, found.forged) == (1, withheld.questions[1].rows)
    assert found.positions.tolist() == [place for place, row in enumerate(rows) if row[1] == (answer,)]
    assert len(found.positions) == 900


def test_suspects_are_only_rows_of_the_group_that_does_not_fit() -> None:
    """With p = .8 in the direct group, 9 in 10 may say yes; with p = .5, only 3 in 4 may."""
    a, b = design_of(("a",), ("b",)).blocks
    design = Design(
        group=GroupPolicy(policy="choice"),
        use="live",
        blocks=(replace(a, light=8000), replace(b, light=8000)),
    )
    direct = packed(design, [((int(i % 20 > 2),), (i & 1,)) for i in range(400)], direct=True)
    protected = packed(design, [((1,), (i & 1,)) for i in range(400)])
    assert [own.question for own in find_suspects(design, direct)] == []
    (found,) = find_suspects(design, direct + protected)
    assert (found.question, found.positions.tolist()) == (0, list(range(400, 800)))


def test_suspects_of_a_number_sent_its_frequent_value() -> None:
    survey = Survey(blocks={"age": number(low=0, high=79, bin=10, epsilon=1), "work": ["cheat"]}, p=0.5)
    layout = Layout(survey.design)
    disguise = survey.design.questions[0].disguise
    assert disguise is not None
    honest = np.rint(800 * disguise.as_array()[:, 4]).astype(int).tolist()
    sent = [value for value, count in enumerate(honest) for _ in range(count)] + [2] * 900
    rows = [(value, place & 1) for place, value in enumerate(sent)]
    data = b"".join(
        layout.pack(Record(direct=False, answers=((value,), (yes,)), refused=(False, False)))
        for value, yes in rows
    )
    suspects = {(own.question, tuple(own.positions.tolist())) for own in find_suspects(survey.design, data)}
    assert suspects == {(0, tuple(place for place, row in enumerate(rows) if row[0] == 2))}
    cache = CountCache(BitMatrix.from_rows(survey.design, data))
    withheld = find_withheld(cache, lambda number: sent_counts(survey.design, number, data))
    assert (list(withheld.questions), dict(withheld.pairs)) == ([0], {})


def test_a_group_that_does_not_fit_is_refused_by_its_name() -> None:
    """Half of 4,000 rows in the north say yes, and 9 in 10 of 300 in the south, of at most 3 in 4."""
    design = design_of(("a",), ("b",))
    north = [(i & 1, i >> 1 & 1) for i in range(4000)]
    south = [(i & 1, int(i % 10 > 0)) for i in range(300)]

    def group(rows: list[tuple[int, int]]) -> tuple[CountCache, Any]:
        return cache_of(design, rows), no_numbers

    check_groups({"all": group(north + south), "north": group(north)})
    with refused("misfit", "b (south)", 270, 300):
        check_groups({"north": group(north), "south": group(south)})
    pair = [(1, 1)] * 210 + [(0, 0)] * 90
    one_block = design_of(("a", "b"))
    as_groups = {"west": (cache_of(one_block, pair[:12] + pair[-12:]), no_numbers)}
    check_groups(as_groups)  # type: ignore[arg-type]
    with refused("misfit", "a (east)", "b (east)"):
        check_groups({**as_groups, "east": (cache_of(one_block, pair), no_numbers)})  # type: ignore[dict-item]


def test_rows_of_several_answers_add_up_only_if_each_row_gives_one() -> None:
    """Options 0 and 1 are each sent by 200 of 600 rows; honest devices send .1 + .9 * .0833 at most, 105.

    The rows that explain one option of a single choice cannot explain the other.
    """
    explained = {}
    for kind in ("single", "multi"):
        shares = (*[833] * 8, *[834] * 4)
        question = Question(key="q", kind=kind, options=tuple(f"o{n}" for n in range(12)), unrelated=shares)
        block = Block(key="b", protected=True, truth_probability=1000, questions=(question,))
        answers = np.repeat(np.arange(12), [200, 200, *[20] * 10])
        rows = answers[:, None] == np.arange(12)
        design = Design(group=GroupPolicy(), use="live", blocks=(block,))
        matrix = BitMatrix.from_booleans(design, rows, np.zeros(600, dtype=np.bool_))
        explained[kind] = find_withheld(CountCache(matrix), no_numbers).questions[0].rows  # type: ignore[arg-type]
    # A multiple choice has more counts to test, so each of its tests is stricter and needs fewer rows.
    assert explained["single"] >= 2 * explained["multi"] > 0
