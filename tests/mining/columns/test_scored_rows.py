"""Rows counted by their scores, single rows and sums by group, against rows counted one by one."""

import functools
import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import scipy

from mining.columns import scored_rows
from mining.columns.bitmatrix import BitMatrix
from mining.columns.scored_rows import group_sums, row_scores
from mining.columns.scored_rows import scored_rows as scored_rows_of
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.arm_effects import arm_effects
from privacy.estimation.comparison import compare
from privacy.estimation.composed_parts import Factor, Part, Side, event_factors, factors_of
from privacy.estimation.counts import SupportCounts
from privacy.estimation.intervals import measure_rules
from privacy.estimation.joined_rows import joined_rows
from privacy.estimation.required_counts import required_counts
from privacy.scales.decoded_numbers import MEAN
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import generalised_rr
from privacy.survey.design import Condition, Design
from privacy.survey.layout import Layout, Record
from privacy.survey.rotation import Rotation
from tests.mining.columns.counted import count
from tests.mining.columns.test_sent_counts import DESIGN as DESIGN_OF_PATTERNS
from tests.mining.columns.test_sent_counts import KEEP, ROWS, STRENGTHS, records_of
from tests.vectors.arm_designs import arms
from tests.vectors.designs import assigned, live, opened, shielded, yes_no
from tests.vectors.rotation_designs import fair, rotating
from tests.vectors.scale_designs import scale_block

HOURS = generalised_rr(NumberRange(low=0, high=2), 5000)


PATTERNS = np.array(list(itertools.product((0, 1), repeat=3)))


TURNS = [(0, 1), (0, 2), (1, 2)]


WEIGHTS = np.array([0.5, 2.0])
"""For people who do not live in a city, and for those who do."""


DESIGN_OF_GROUPS = Design(
    blocks=(
        arms("told", 3000, 3000, 4000),
        opened("you", yes_no("city")),
        replace(rotating(fair("a", 3), 2), light=7500),
        replace(scale_block("hours", HOURS), light=generalised_rr(HOURS.range, 7500)),
    ),
    group=assigned(5000),
    use="live",
)


CITY = DESIGN_OF_GROUPS.item("city").index


ITEMS = [item.index for item in DESIGN_OF_GROUPS.items if item.block == 2]


NUMBER = next(number for number, question in enumerate(DESIGN_OF_GROUPS.questions) if question.key == "hours")


OUTCOMES = [*(Side(items=(item,)) for item in ITEMS), Side(parts=(Part(question=NUMBER, target=MEAN),))]


P, KEPT = (0.5, 0.75), (0.25, 0.625)
"""For strong and light disguise: probabilities that two answers, and a number, are reported truthfully."""


TIMES = ((10, 2, 4, 2), (13, 1, 6, 1))
"""Of 16 rows, how many show the true pair of answers, and any other; of 8, the true number, and any other."""


def people() -> Array:
    """Return the number of people by arm, city, strength, the three answers, and the number."""
    return np.random.default_rng(4).integers(0, 3, size=(3, 2, 2, len(PATTERNS), 3))


def every_row(counts: Array) -> bytes:
    """Return every row that these people can send, as often as expected."""
    pack, rows = functools.cache(Layout(DESIGN_OF_GROUPS).pack), []
    for place, n in np.ndenumerate(counts):
        arm, city, direct, pattern, hours = map(int, place)
        same, other, near, far = TIMES[direct]
        for turn, sent, said in itertools.product(TURNS, itertools.product((0, 1), repeat=2), range(3)):
            truth = tuple(PATTERNS[pattern][each] for each in turn)
            record = Record(
                direct=bool(direct),
                answers=(
                    (arm,),
                    (city,),
                    tuple(sent[turn.index(each)] if each in turn else None for each in range(3)),
                    (said,),
                ),
                refused=(False,) * 4,
                drawn=((0,), (0,), turn, (0,)),
            )
            times = (same if sent == truth else other) * (near if said == hours else far)
            rows += [pack(record)] * (int(n) * times)
    return b"".join(rows)


def in_arm(arm: int, weights: Array) -> Factor:
    """Return the weight of a row in an arm; the city is the first bit of a code, the arm the second."""
    codes = np.arange(4)
    own = np.where(codes >> 1 == 1, weights[codes & 1], 0.0)
    item = DESIGN_OF_GROUPS.item(f"told=o{arm}").index
    return Factor(
        question=None, items=(CITY, item), scores=np.concatenate([own, own])[None], split=4, draws=None
    )


def wanted_of(
    counts: Array, weights: Array, middle: Array | None = None
) -> tuple[Array, Array, Array, Array]:
    """Return one arm's shares and means, from the truths and the disguises, and how many were asked each.

    Then, by strength: squared weights, and products about the means or `middle`.
    """
    city, direct, pattern, hours = (axis.ravel() for axis in np.indices(counts.shape))
    n, w = counts.ravel(), weights[city]
    truth = np.column_stack([PATTERNS[pattern], hours / 2])
    mean = (w * n) @ truth / (w @ n)
    p, kept = np.array(P)[direct], np.array(KEPT)[direct]
    lies = PATTERNS[pattern] * p[:, None] + (1 - p[:, None]) / 2
    covariance = np.zeros((len(n), 4, 4))
    for i, j in itertools.product(range(3), repeat=2):
        both = lies[:, i] if i == j else p * truth[:, i] * truth[:, j] + (1 - p) / 4
        covariance[:, i, j] = (both - lies[:, i] * lies[:, j]) / p**2
    chances = kept[:, None] * (np.arange(3) == hours[:, None]) + (1 - kept[:, None]) / 3
    said = np.arange(3) / 2
    covariance[:, 3, 3] = (chances @ said**2 - (chances @ said) ** 2) / kept**2
    residual = truth - (mean if middle is None else middle)
    products = residual[:, :, None] * residual[:, None, :] + covariance
    # Each question is asked in two of three turns, each pair in one turn, and the number in all.
    together = np.array([[2, 1, 1, 2], [1, 2, 1, 2], [1, 1, 2, 2], [2, 2, 2, 3]])
    asked = 128 * np.diag(together) * (w @ n)
    squares = w**2 * n * (direct == [[0], [1]])
    return mean, asked, squares.sum(axis=1), 128 * together * np.einsum("sx,xij->sij", squares, products)


@pytest.mark.parametrize("weights", [np.ones(2), WEIGHTS], ids=["alike", "weighted"])
def test_sums_by_arm_are_exact_on_every_possible_row(weights: Array, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scored_rows, "_ROWS_OF_SUMS", 10_007)
    counts = people()
    rows = every_row(counts)
    half = len(rows) // Layout(DESIGN_OF_GROUPS).n_bytes // 2 * Layout(DESIGN_OF_GROUPS).n_bytes
    factors = [event_factors(outcome, DESIGN_OF_GROUPS)[0] for outcome in OUTCOMES]
    sums = group_sums(
        DESIGN_OF_GROUPS, factors, [in_arm(arm, weights) for arm in range(3)], [rows[:half], rows[half:]]
    )
    found = arm_effects(sums, [[0], [1], [2], [3]])
    means, asked, squares, products = map(
        np.array, zip(*(wanted_of(own, weights) for own in counts), strict=True)
    )
    np.testing.assert_allclose(found.shares, means, rtol=1e-10)
    variances = np.diagonal(products.sum(axis=1), axis1=1, axis2=2) / asked**2
    np.testing.assert_allclose(found.errors, np.sqrt(variances), rtol=1e-9)
    np.testing.assert_allclose(found.difference_errors, np.sqrt(variances[1:] + variances[0]), rtol=1e-9)
    # If nothing differs, each strength has the same products per squared weight in all arms.
    precision = found.sizes
    for _ in range(2):
        middle = np.average(means, axis=0, weights=precision)
        common = sum(wanted_of(own, weights, middle)[3] for own in counts)
        covariances = np.einsum("as,sij->aij", squares / squares.sum(axis=0), common)
        covariances /= asked[:, :, None] * asked[:, None]
        precision = 1 / np.diagonal(covariances, axis1=1, axis2=2)
    gaps = np.concatenate([own - means[0] for own in means[1:]])
    joint = np.kron(np.ones((2, 2)), covariances[0]) + scipy.linalg.block_diag(*covariances[1:])
    assert found.joint.statistic == pytest.approx(gaps @ np.linalg.solve(joint, gaps), rel=1e-8)
    assert found.joint.degrees == 8


def test_unasked_respondents_are_not_counted_as_no() -> None:
    """Rotating questions must be estimated from the respondents who drew them."""
    rows = every_row(people())
    factors = [event_factors(outcome, DESIGN_OF_GROUPS)[0] for outcome in OUTCOMES]
    (sums,) = group_sums(DESIGN_OF_GROUPS, factors, [in_arm(1, np.ones(2))], rows)
    n = len(rows) // Layout(DESIGN_OF_GROUPS).n_bytes
    assert sums.totals[0] == pytest.approx(sums.totals[3] * 2 / 3)
    assert sums.totals[3] < n
    np.testing.assert_array_equal(sums.totals[:3], np.diag(sums.products.sum(axis=0))[:3])


JOINED_CITY, AFFAIR = (DESIGN_OF_PATTERNS.item("city").index, DESIGN_OF_PATTERNS.item("affair").index)


AGE, HOME, LATE = 1, 2, 3


BLOCK_OF_AFFAIR = 4


@pytest.mark.parametrize(
    ("antecedent", "consequent"),
    [
        (Side(parts=(Part(question=AGE, target=(4, 11)),)), Side(items=(AFFAIR,))),
        (Side(items=(JOINED_CITY,), parts=(Part(question=LATE, target=(0, 5)),)), Side(items=(AFFAIR,))),
        (
            Side(parts=(Part(question=AGE, target=(0, 3)),)),
            Side(parts=(Part(question=LATE, target=(6, 11)),)),
        ),
    ],
)
@pytest.mark.parametrize("design", [DESIGN_OF_PATTERNS, STRENGTHS], ids=["one strength", "two strengths"])
def test_score_counts_match_row_by_row_counts(design: Design, antecedent: Side, consequent: Side) -> None:
    factors = factors_of(antecedent, consequent, design)
    records = records_of(design, 300)
    rows = b"".join(Layout(design).pack(record) for record in records)
    found = scored_rows_of(design, factors, [rows[: len(rows) // 2], rows[len(rows) // 2 :]])
    scores: Counter[tuple[float, ...]] = Counter()
    direct = 0
    for record in records:
        codes = []
        for factor in factors:
            if factor.question is None:
                shows = [
                    record.answers[0][0] if item == JOINED_CITY else record.answers[BLOCK_OF_AFFAIR][0]
                    for item in factor.items
                ]
                codes.append(
                    sum(int(bit) << place for place, bit in enumerate(shows)) | record.direct << len(shows)
                )
                continue
            value = record.answers[factor.question][0]
            outputs = design.questions[factor.question].disguise.outputs
            codes.append(None if value is None else value + (outputs + 1) * record.direct)
        if None in codes:
            continue
        direct += record.direct
        product = np.prod(
            [factor.scores[:, code] for factor, code in zip(factors, codes, strict=True)], axis=0
        )
        scores[tuple(product.round(9).tolist())] += 1
    kept = {
        tuple(own.round(9).tolist()): int(count)
        for own, count in zip(found.scores.T, found.counts, strict=True)
        if count
    }
    assert kept == scores
    assert (found.n_direct, found.n_protected) == (direct, sum(scores.values()) - direct)
    assert compare(found).n == sum(scores.values())


def test_more_distinct_rows_than_allowed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scored_rows, "MOST_DIFFERENT", 3)
    factors = factors_of(
        Side(parts=(Part(question=AGE, target=(0, 3)),)),
        Side(parts=(Part(question=LATE, target=(6, 11)),)),
        DESIGN_OF_PATTERNS,
    )
    with pytest.raises(PrivacyError, match="more than 3 different scores") as caught:
        scored_rows_of(DESIGN_OF_PATTERNS, factors, ROWS)
    assert caught.value.code == "too_large"
    assert "wider bins" in caught.value.remedy


def test_as_many_distinct_rows_as_allowed_are_counted_to_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """All rows arrive twice, the second time when the number is reached."""
    factors = factors_of(
        Side(parts=(Part(question=AGE, target=(0, 3)),)),
        Side(parts=(Part(question=LATE, target=(6, 11)),)),
        DESIGN_OF_PATTERNS,
    )
    twice = ROWS + ROWS
    expected = scored_rows_of(DESIGN_OF_PATTERNS, factors, twice)
    monkeypatch.setattr(scored_rows, "MOST_DIFFERENT", 1)
    with pytest.raises(PrivacyError) as caught:
        scored_rows_of(DESIGN_OF_PATTERNS, factors, twice)
    monkeypatch.setattr(scored_rows, "MOST_DIFFERENT", caught.value.value)
    monkeypatch.setattr(scored_rows, "_ROWS_AT_A_TIME", len(ROWS) // Layout(DESIGN_OF_PATTERNS).n_bytes)
    found = scored_rows_of(DESIGN_OF_PATTERNS, factors, [ROWS, ROWS])
    assert found.counts.tolist() == expected.counts.tolist()


IN_TURN = replace(
    live(
        opened("you", yes_no("city")),
        replace(shielded("a", 6000, *(yes_no(key, 5000) for key in "xyz")), questions_per_person=2),
        replace(
            scale_block("age", KEEP, "young", "middle"),
            key="b",
            asked_if=Condition(question="city", options=("yes",)),
        ),
        shielded("c", 5000, yes_no("t", 5000)),
    ),
    rotations=(Rotation(blocks=("b", "c"), parts_per_person=1),),
)
"""Half of the respondents in cities are asked their age, in addition to two of three questions."""


def test_rotating_rows_match_row_by_row_counts() -> None:
    first = IN_TURN.item("x").index
    rule = Side(items=(first,), parts=(Part(question=4, target=KEEP.spans[0]),)), Side(items=(first + 1,))
    factors = factors_of(*rule, IN_TURN)
    age, items = factors
    assert (age.question, items.items) == (4, (first, first + 1))
    records, codes, asked = [], [], []
    shown = itertools.product((0, 1), ((0, 1), (0, 2), (1, 2)), range(4), (None, 0, 1, 5))
    for number, (city, booklet, bits, value) in enumerate(shown):
        answers = [bits & 1, bits >> 1]
        own = [answers[booklet.index(place)] if place in booklet else None for place in range(3)]
        turn = () if value is None else (0,)
        # Respondents outside cities are not asked, whichever block was drawn.
        sent = value if city else None
        record = Record(
            direct=False,
            answers=((city,), tuple(own), (sent,), (1 if value is None else None,)),
            refused=(False,) * 4,
            drawn=((0,), booklet, turn if city else (), (0,) if value is None else ()),
        )
        times = 1 + number % 4
        records += [record] * times
        if city:
            codes += [(value or 0, (own[0] or 0) | (own[1] or 0) << 1)] * times
            asked += [(value is not None, 0 in booklet, 1 in booklet)] * times
    rows = b"".join(Layout(IN_TURN).pack(record) for record in records)
    n = len(codes)
    wanted = joined_rows(
        factors,
        list(np.array(codes).T),
        np.ones(n, dtype=np.int64),
        direct=np.zeros(n, dtype=np.bool_),
        is_asked=np.array(asked).T,
    )
    half = len(records) // 2 * Layout(IN_TURN).n_bytes
    found = scored_rows_of(IN_TURN, factors, [rows[:half], rows[half:]], all_rows=True)
    assert found.all_rows
    assert (found.counts.sum(), found.n_protected) == (n, sum(map(all, asked)))
    np.testing.assert_allclose(found.scores, wanted.scores, rtol=1e-11, atol=1e-11)
    np.testing.assert_array_equal(found.counts, wanted.counts)
    complete = scored_rows_of(IN_TURN, factors, rows)
    assert not complete.all_rows
    assert complete.counts.sum() == complete.n_protected == found.n_protected
    measured = compare(found)
    assert measured.n_used == n
    same = (first, IN_TURN.item("age=young").index), (first + 1,)
    requests = required_counts([same], IN_TURN)
    table = count(BitMatrix.from_rows(IN_TURN, rows), requests)
    counts = SupportCounts.from_array(requests, table, all_rows=True)
    (of_items,) = measure_rules(counts, [same], IN_TURN)
    assert (of_items.all_rows, of_items.n, of_items.n_used) == (True, measured.n, n)
    for one, other in (
        (measured.having, of_items.confidence),
        (measured.lift, of_items.lift),
        (measured.leverage, of_items.leverage),
    ):
        assert one.value == pytest.approx(other.value, rel=1e-12, abs=1e-12)
        assert one.estimable == other.estimable
        if other.standard_error is None:
            assert one.standard_error is None
        else:
            assert one.standard_error == pytest.approx(other.standard_error, rel=1e-9)
        assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-6, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("design", [DESIGN_OF_PATTERNS, STRENGTHS], ids=["one strength", "two strengths"])
def test_single_row_scores_match_the_counted_scores(design: Design) -> None:
    factors = factors_of(
        Side(parts=(Part(question=LATE, target=(0, 5)),)), Side(items=(JOINED_CITY, AFFAIR)), design
    )
    rows = b"".join(Layout(design).pack(record) for record in records_of(design, 300))
    scores, is_complete = row_scores(design, factors, rows)
    counted = scored_rows_of(design, factors, rows)
    assert int(is_complete.sum()) == counted.counts.sum() < 300
    assert scores.sum(axis=1) == pytest.approx(counted.scores @ counted.counts, abs=1e-9)
    assert (scores**2).sum(axis=1) == pytest.approx(counted.scores**2 @ counted.counts, abs=1e-9)
    assert (scores[:, ~is_complete] == 0).all()
