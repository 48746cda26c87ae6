"""Shares by arm are exact on all possible rows of a small design with weights and rotation."""

import functools
import itertools
from dataclasses import replace

import numpy as np
import pytest
import scipy

from mining.columns import counted_rows
from mining.columns.counted_rows import group_sums
from privacy.arrays import Array
from privacy.estimation.arm_effects import arm_effects
from privacy.estimation.composed_parts import MEAN, Factor, Part, Side, event_factors
from privacy.scales.numeric_mechanisms import generalised_rr
from privacy.scales.window import NumberRange
from privacy.survey.design import Design
from privacy.survey.layout import Layout, Record
from tests.vectors.arm_designs import arms
from tests.vectors.designs import assigned, opened, yes_no
from tests.vectors.rotation_designs import fair, rotating
from tests.vectors.scale_designs import scale_block

HOURS = generalised_rr(NumberRange(low=0, high=2), 5000)
PATTERNS = np.array(list(itertools.product((0, 1), repeat=3)))
TURNS = [(0, 1), (0, 2), (1, 2)]
WEIGHTS = np.array([0.5, 2.0])
"""For people who do not live in a city, and for those who do."""

DESIGN = Design(
    blocks=(
        arms("told", 3000, 3000, 4000),
        opened("you", yes_no("city")),
        replace(rotating(fair("a", 3), 2), light=7500),
        replace(scale_block("hours", HOURS), light=generalised_rr(HOURS.range, 7500)),
    ),
    group=assigned(5000),
    use="live",
)
CITY = DESIGN.item("city").index
ITEMS = [item.index for item in DESIGN.items if item.block == 2]
NUMBER = next(number for number, question in enumerate(DESIGN.questions) if question.key == "hours")
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
    pack, rows = functools.cache(Layout(DESIGN).pack), []
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
    item = DESIGN.item(f"told=o{arm}").index
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
    monkeypatch.setattr(counted_rows, "_ROWS_OF_SUMS", 10_007)
    counts = people()
    rows = every_row(counts)
    half = len(rows) // Layout(DESIGN).n_bytes // 2 * Layout(DESIGN).n_bytes
    factors = [event_factors(outcome, DESIGN)[0] for outcome in OUTCOMES]
    sums = group_sums(DESIGN, factors, [in_arm(arm, weights) for arm in range(3)], [rows[:half], rows[half:]])
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
    factors = [event_factors(outcome, DESIGN)[0] for outcome in OUTCOMES]
    (sums,) = group_sums(DESIGN, factors, [in_arm(1, np.ones(2))], rows)
    n = len(rows) // Layout(DESIGN).n_bytes
    assert sums.totals[0] == pytest.approx(sums.totals[3] * 2 / 3)
    assert sums.totals[3] < n
    np.testing.assert_array_equal(sums.totals[:3], np.diag(sums.products.sum(axis=0))[:3])
