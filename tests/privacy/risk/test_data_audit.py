import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from privacy.policy import AUDIT_LEAST_ROWS
from privacy.risk import Audit, Observed, ObservedBlock, audit_design, audit_from_json, audit_rows
from privacy.risk.data_audit import (
    _invert_rate,
    _item_posteriors,
    _possible,
    _round_shares,
    likeliest_shares,
    reconstructed_prevalence,
)
from privacy.survey.design import Block, Design
from tests.fixtures.blocks import even
from tests.fixtures.posteriors import sent_row, truthful_posterior
from tests.vectors.designs import CHOICE, choice, live, opened, shielded, yes_no

TRUE = {(0, 0): 0.5, (1, 0): 0.1, (0, 1): 0.1, (1, 1): 0.3}


def expected_rows(block: Block, n: int, law: dict[tuple[int, ...], float]) -> ObservedBlock:
    """Return rows in their expected numbers, without randomness."""
    p = block.truth_probability / 10_000
    rows = np.array(sorted(law), dtype=np.uint8)
    decoy = 1 / 2 ** rows.shape[1]
    counts = np.array([round(n * (p * law[tuple(row)] + (1 - p) * decoy)) for row in rows.tolist()])
    return ObservedBlock(rows=rows, counts=np.append(counts, 0))


def design_of(block: Block) -> Design:
    return live(opened("you", yes_no("z")), block, group=CHOICE)


def audited(n: int = 4000) -> tuple[Block, Audit]:
    block = even(5000, 2)
    seen = expected_rows(block, n, TRUE)
    n_protected = int(seen.counts.sum())
    observed = Observed(
        n_direct=100, n_protected=n_protected, open=np.array([[100, n_protected]]), blocks={"b": seen}
    )
    return block, audit_rows(design_of(block), {"q0": [5000], "q1": [5000]}, observed)


def test_reconstructed_rows_give_the_risk_of_the_sent_rows() -> None:
    block, found = audited()
    part = found.blocks[0]
    assert (found.when, found.n, part.prior, part.n) == ("after", 4100, "joint", 4000)
    coins = {row: float(truthful_posterior(block, row, Fraction(share))) for row, share in TRUE.items()}
    over_half = [row for row in TRUE if coins[row] > 0.5]
    assert part.unmixing.truthful[0] == pytest.approx(sum(TRUE[row] for row in over_half))
    assert part.unmixing.highest == pytest.approx(max(coins.values()))
    assert found.group.direct_share == pytest.approx(100 / 4100)


def test_items_are_audited_with_the_reconstructed_distribution() -> None:
    block, found = audited()
    item = found.items[0]
    assert item.prevalence == pytest.approx(0.4)
    coin = float(truthful_posterior(block, (1, 1), Fraction(3, 10)))
    assert item.worst == pytest.approx(coin + (1 - coin) * 0.4)
    assert float(sent_row(block, (1, 1), Fraction(3, 10)).answer) < item.worst


def test_lightly_disguised_rows_are_audited_with_their_own_probability() -> None:
    """p = .5 and, for 2,000 people of the direct group, .8; both groups give the same answers."""
    block = replace(even(5000, 2), light=8000)
    strong, light = expected_rows(block, 4000, TRUE), expected_rows(even(8000, 2), 2000, TRUE)
    observed = Observed(
        n_direct=2000, n_protected=4000, open=np.array([[2000, 4000]]),
        blocks={"b": strong}, light={"b": light},
    )  # fmt: skip
    found = audit_rows(design_of(block), {"q0": [5000], "q1": [5000]}, observed)
    assert found.light is not None
    assert (found.light.n, found.light.blocks[0].n, found.blocks[0].n) == (2000, 2000, 4000)
    for audited_rows, p in ((found.blocks[0], 5000), (found.light.blocks[0], 8000)):
        coins = {row: float(truthful_posterior(even(p, 2), row, Fraction(TRUE[row]))) for row in TRUE}
        assert audited_rows.unmixing.highest == pytest.approx(max(coins.values()), rel=1e-3)
    coin = float(truthful_posterior(even(8000, 2), (1, 1), Fraction(3, 10)))
    assert found.light.items[0].worst == pytest.approx(coin + (1 - coin) * 0.4, rel=1e-3)
    assert audited()[1].light is None


@pytest.mark.parametrize("counts", [(580, 220, 200), (340, 160, 500)])
def test_the_highest_posterior_is_that_of_a_respondent_who_answers(counts: tuple[int, ...]) -> None:
    """p = .6, half of decoys skip, of people none or half; 20% have it: (.12 + .1 * .2)/(.12 + .1)."""
    block, n = even(6000, 1, refusal=5000), sum(counts)
    seen = ObservedBlock(rows=np.array([[0], [1]], dtype=np.uint8), counts=np.array(counts))
    observed = Observed(n_direct=0, n_protected=n, open=np.array([[0, n]]), blocks={"b": seen})
    (item,) = audit_rows(design_of(block), {"q0": [5000]}, observed).items
    assert (item.prevalence, item.alone, item.worst) == pytest.approx((0.2, 7 / 11, 7 / 11))


def test_small_samples_keep_the_stated_prevalences() -> None:
    block = even(5000, 2)
    seen = expected_rows(block, AUDIT_LEAST_ROWS - 4, TRUE)
    observed = Observed(n_direct=0, n_protected=96, open=np.array([[0, 96]]), blocks={"b": seen})
    found = audit_rows(design_of(block), {"q0": [100], "q1": [200]}, observed)
    assert found.blocks[0].prior == "stated"
    assert [item.prevalence for item in found.items] == [0.01, 0.02]


@pytest.mark.parametrize("n", [AUDIT_LEAST_ROWS - 1, AUDIT_LEAST_ROWS])
def test_a_hundred_rows_are_enough_to_estimate_prevalences(n: int) -> None:
    seen = ObservedBlock(rows=np.array([[0], [1]], dtype=np.uint8), counts=np.array([60, n - 60, 0]))
    observed = Observed(n_direct=0, n_protected=n, open=np.array([[0, n]]), blocks={"b": seen})
    found = audit_rows(design_of(even(5000, 1)), {"q0": [100]}, observed)
    assert (found.blocks[0].prior == "stated") == (n < AUDIT_LEAST_ROWS)
    # With p = 1/2, 40 of 100 reports say yes if 3 in 10 people have it.
    assert found.items[0].prevalence == pytest.approx(0.01 if n < AUDIT_LEAST_ROWS else 0.3)


def test_long_blocks_are_audited_by_their_items() -> None:
    block = even(5000, 8)
    rng = np.random.default_rng(4)
    rows = np.unique(rng.integers(0, 2, (120, 8)), axis=0).astype(np.uint8)
    seen = ObservedBlock(rows=rows, counts=np.append(np.full(len(rows), 2), 0))
    n = 2 * len(rows)
    observed = Observed(n_direct=0, n_protected=n, open=np.array([[0, n]]), blocks={"b": seen})
    found = audit_rows(design_of(block), {f"q{place}": [5000] for place in range(8)}, observed)
    assert found.blocks[0].prior == "marginals"
    assert 0 <= found.blocks[0].unmixing.truthful[0] <= 1


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 500), min_size=2, max_size=8), st.floats(0.05, 0.95))
def test_likeliest_shares_are_a_local_maximum(counts: list[int], p: float) -> None:
    n = len(counts)
    decoy = np.linspace(1, 2, n)
    decoy /= decoy.sum() * 1.2
    share = np.array(counts) / sum(counts)
    found = likeliest_shares(np.array(counts), decoy, p)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)

    def loss(shares: np.ndarray) -> float:  # type: ignore[type-arg]
        return -float(share @ np.log(p * shares + (1 - p) * decoy))

    best = minimize(
        loss,
        np.full(n, 1 / n),
        bounds=[(0, 1)] * n,
        constraints={"type": "eq", "fun": lambda shares: shares.sum() - 1},
        method="SLSQP",
    )
    assert loss(found) <= best.fun + 1e-7


def test_reconstructed_choice_shares_sum_to_one_without_skips() -> None:
    block = shielded("b", 5000, choice("mood", 2000, 3000, 5000), refusal=2000)
    truth, decoy = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.3, 0.5])
    # A quarter of the people skip, and a fifth of the decoys.
    shown = 0.5 * 0.75 * truth + 0.5 * 0.8 * decoy
    counts = np.array([*np.round(10_000 * shown), round(10_000 * (0.5 * 0.25 + 0.5 * 0.2))]).astype(np.int64)
    found = reconstructed_prevalence(block, np.eye(3, dtype=np.uint8), counts)["mood"]
    assert sum(found) == 10_000
    assert found == pytest.approx([5000, 3000, 2000], abs=5)


def test_impossible_estimates_are_clipped_before_use_as_priors() -> None:
    block = even(5000, 1)
    rows = np.array([[0], [1]], np.uint8)
    assert reconstructed_prevalence(block, rows, np.array([90, 10, 0]))["q0"] == [0]
    assert reconstructed_prevalence(block, rows, np.array([10, 90, 0]))["q0"] == [10_000]
    mood = shielded("b", 5000, choice("mood", 5000, 5000))
    assert reconstructed_prevalence(mood, np.eye(2, dtype=np.uint8), np.array([0, 100, 0]))["mood"] == [
        0,
        10_000,
    ]


def rotating_rows(n: int) -> tuple[Block, ObservedBlock]:
    """Return expected rows for two of three questions with shares .2, .5 and .8, and a tenth of skips."""
    block = replace(even(6000, 3, refusal=1000), questions_per_person=2)
    shares, rows, asked, counts, skipped = (0.2, 0.5, 0.8), [], [], [], 0.0
    for booklet in ((0, 1), (0, 2), (1, 2)):
        for row in product((0, 1), repeat=2):
            true = np.prod(
                [shares[at] if bit else 1 - shares[at] for at, bit in zip(booklet, row, strict=True)]
            )
            rows.append([dict(zip(booklet, row, strict=True)).get(at, 0) for at in range(3)])
            asked.append([int(at in booklet) for at in range(3)])
            counts.append(n / 3 * (0.6 * 0.9 * true + 0.4 * 0.9 / 4))
        skipped += n / 3 * (0.6 * 0.1 + 0.4 * 0.1)
    bits = np.array(rows, dtype=np.uint8)
    return block, ObservedBlock(
        rows=bits,
        counts=np.round([*counts, skipped]).astype(np.int64),
        is_asked=np.array(asked, dtype=np.uint8),
    )


def test_rotating_rows_are_audited_by_the_questions_each_was_asked() -> None:
    block, seen = rotating_rows(300_000)
    n = int(seen.counts.sum())
    observed = Observed(n_direct=0, n_protected=n, open=np.array([[0, n]]), blocks={"b": seen}, own=30)
    found = audit_rows(live(opened("you", yes_no("z")), block), {f"q{k}": [5000] for k in range(3)}, observed)
    assert [item.prevalence for item in found.items] == pytest.approx([0.2, 0.5, 0.8], abs=2e-4)
    part, law = found.blocks[0], {f"q{k}": [share] for k, share in enumerate((2000, 5000, 8000))}
    before = audit_design(live(block), law).blocks[0]
    assert (part.prior, part.n) == ("marginals", n)
    # With expected numbers, the reconstructed prior gives the same results as the stated prevalences.
    assert part.unmixing.truthful == pytest.approx(before.unmixing.truthful, abs=1e-3)
    assert part.unmixing.highest == pytest.approx(before.unmixing.highest, abs=1e-3)
    assert [item.worst for item in found.items] == pytest.approx(
        [item.worst for item in audit_design(live(block), law).items], abs=1e-3
    )
    assert found.own is not None
    assert (found.own.share, found.own.counted) == (30 / n, True)
    assert audit_from_json(json.loads(json.dumps(found.to_json()))).own == found.own
    assert (len(part.booklet), len(part.questions)) == (2, 3)


def test_rotating_rows_of_a_block_that_no_one_may_skip_are_audited_like_its_design() -> None:
    block, seen = rotating_rows(300_000)
    block = replace(block, refusal=None)
    sent = replace(seen, counts=np.append(seen.counts[:-1], 0))
    n = int(sent.counts.sum())
    observed = Observed(n_direct=0, n_protected=n, open=np.empty((0, 2)), blocks={"b": sent}, own=None)
    found = audit_rows(live(block), {f"q{number}": [5000] for number in range(3)}, observed)
    stated = audit_design(live(block), {f"q{at}": [share] for at, share in enumerate((2000, 5000, 8000))})
    assert [item.worst for item in found.items] == pytest.approx(
        [item.worst for item in stated.items], abs=1e-3
    )


def test_rows_with_two_answers_that_exclude_each_other_are_impossible() -> None:
    """The last option of the choice, and "yes" to the question after it."""
    block = shielded("b", 5000, yes_no("x", 5000), choice("mood", 3000, 3000, 4000), yes_no("z", 5000))
    rows = np.array([[0, 0, 0, 1, 1], [0, 0, 0, 1, 0], [1, 1, 0, 0, 1]], dtype=np.uint8)
    assert _possible(block, rows, [((1, 2), (2, 0))]).tolist() == [False, True, True, True]
    assert _possible(block, rows, []).tolist() == [True] * 4


def test_a_rate_is_inverted_within_0_and_1_and_says_nothing_without_p() -> None:
    """(.5 - .4 * .25) / .6 = 2/3; below .1 no one has it, and above .7 everyone."""
    assert _invert_rate(np.array([0.5, 0.05, 0.9]), 0.25, 0.6).tolist() == pytest.approx([2 / 3, 0, 1])
    assert _invert_rate(np.array([0.2, 0.9]), 0.25, 0.0).tolist() == [0.5, 0.5]


def test_rounded_shares_of_a_choice_sum_to_ten_thousand() -> None:
    single, several = choice("a", options=3), choice("b", options=3, multi=True)
    assert _round_shares(single, np.array([1.0, 1.0, 1.0])) == [3334, 3333, 3333]
    assert _round_shares(single, np.array([0.2, 0.2, 0.1])) == [4000, 4000, 2000]
    assert _round_shares(single, np.zeros(3)) == [3334, 3333, 3333]
    assert _round_shares(several, np.array([0.33333, 0.5, 1.0])) == [3333, 5000, 10_000]


def test_a_row_that_was_sent_once_counts_and_one_that_was_not_does_not() -> None:
    """.6 of those who sent "yes" told the truth, and of the others .3 have it: .6 + .4 * .3 = .72."""
    prior: Any = SimpleNamespace(
        block=shielded("b", 5000, yes_no("a", 5000)), prevalence={"a": [3000]}, shares=None
    )
    rows = np.array([[0], [1], [1]], dtype=np.uint8)
    seen: Any = SimpleNamespace(
        prior="independent", counts=np.array([9, 1, 0, 0]), coin=np.array([0.2, 0.6, 0.9, 0.0])
    )
    assert _item_posteriors(prior, rows, seen, None) == pytest.approx({"a": 0.72})


@pytest.mark.parametrize(("no", "prevalence"), [(65, 0.2), (64, 0.5)])
def test_a_hundred_rows_replace_the_stated_prevalence(no: int, prevalence: float) -> None:
    """Of 100 rows 35 say "yes", where .25 + .5 share are expected."""
    block = even(5000, 1)
    seen = ObservedBlock(rows=np.array([[0], [1]], dtype=np.uint8), counts=np.array([no, 35, 0]))
    observed = Observed(n_direct=0, n_protected=no + 35, open=np.array([[0, no + 35]]), blocks={"b": seen})
    (item,) = audit_rows(design_of(block), {"q0": [5000]}, observed).items
    assert item.prevalence == pytest.approx(prevalence)
