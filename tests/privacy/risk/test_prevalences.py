from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.posterior import bayes, posterior_bound
from privacy.risk.data_audit import Observed, ObservedBlock, audit_rows
from privacy.risk.prevalences import check_prevalence, fit_shares, quantise
from privacy.survey.block_channel import block_channel, block_rows
from privacy.survey.design import SKIPPED, Block
from tests.fixtures.blocks import even, stated
from tests.fixtures.posteriors import (
    prior_probability,
    sent_row,
    truthful_posterior,
    worst_row_odds,
)
from tests.fixtures.refusals import refused
from tests.vectors.designs import EXCLUSIVE, choice, live, shielded, yes_no

HALF = Fraction(1, 2)
BLOCK = shielded(
    "b",
    4500,
    yes_no("affair", 3000),
    choice("mood", 2000, 3000, 5000),
    choice("drugs", 100, 9900, multi=True),
    refusal=1500,
)
STATED = {"affair": [2000], "mood": [5000, 4000, 1000], "drugs": [300, 6000]}


def _even(p: int, questions: int) -> Block:
    return shielded("b", p, *(yes_no(f"q{number}", 5000) for number in range(questions)))


def test_priors_of_all_rows_sum_to_one() -> None:
    assert sum(prior_probability(BLOCK, STATED, row) for row in block_rows(BLOCK)) == 1
    # .85 * .2 * .4 * (.97 * .6)
    assert prior_probability(BLOCK, STATED, (1, 1, (0, 1))) == Fraction(85 * 2 * 4 * 97 * 6, 10_000_000)
    assert prior_probability(BLOCK, STATED, (1, None, None)) == Fraction(17, 100)


def test_the_prior_of_a_skip_is_its_share_among_decoys() -> None:
    assert prior_probability(BLOCK, STATED, SKIPPED) == Fraction(15, 100)
    assert prior_probability(_even(5000, 1), {"q0": [1]}, SKIPPED) == 0


def test_answer_posteriors_follow_bayes_rule_on_the_channel() -> None:
    rows = list(block_rows(BLOCK))
    channel = block_channel(BLOCK)
    prior = [prior_probability(BLOCK, STATED, row) for row in rows]
    for number, row in enumerate(rows):
        answers = bayes(prior, channel.row(number))
        assert sent_row(BLOCK, row, prior[number]).answer == answers[number]


@given(st.builds(Fraction, st.integers(0, 10_000), st.just(10_000)))
def test_answer_posteriors_are_at_least_the_coin_posteriors(prior: Fraction) -> None:
    row = (1, 1, (0, 1))
    assert truthful_posterior(BLOCK, row, prior) <= sent_row(BLOCK, row, prior).answer
    assert sent_row(BLOCK, row, Fraction(1)).answer == 1


@pytest.mark.parametrize(
    ("p", "expected"),
    [(3000, [65, 73, 82, 89, 94]), (5000, [75, 83, 90, 94, 97]), (7000, [85, 91, 95, 97, 99])],
)
def test_even_priors_give_the_published_posteriors(p: int, expected: list[int]) -> None:
    found = []
    for questions in range(1, 6):
        design = live(_even(p, questions))
        stated = {f"q{number}": [1000] for number in range(questions)}
        found.append(round(100 * worst_row_odds(design, stated, 0).even))
    assert found == expected


def test_even_priors_are_bounded_by_gamma_over_one_plus_gamma() -> None:
    channel = block_channel(_even(6000, 2))
    gamma = channel.amplification()
    assert gamma == 7
    assert sent_row(_even(6000, 2), (1, 1), HALF).even == posterior_bound(gamma, HALF) == Fraction(7, 8)
    # No prior with probability 1/2 for the row gives more, for any distribution of other rows.
    for rest in product(range(3), repeat=3):
        if sum(rest):
            prior = [*(Fraction(part, 2 * sum(rest)) for part in rest), Fraction(1, 2)]
            assert bayes(prior, channel.row(3))[3] == Fraction(7, 8)


@pytest.mark.parametrize(
    ("stated", "code"),
    [
        ({}, "prevalence"),
        ({"affair": [], "mood": [5000, 4000, 1000]}, "prevalence"),
        ({"affair": 2000, "mood": [5000, 4000, 1000]}, "prevalence"),
        ({"affair": [10_001], "mood": [5000, 4000, 1000]}, "prevalence"),
        ({"affair": [-1], "mood": [5000, 4000, 1000]}, "prevalence"),
        ({"affair": [True], "mood": [5000, 4000, 1000]}, "prevalence"),
        ({"affair": [0.2], "mood": [5000, 4000, 1000]}, "prevalence"),
        ({"affair": [2000], "mood": [5000, 5000]}, "prevalence"),
        ({"affair": [2000], "mood": [5000, 4000, 999]}, "shares_sum"),
    ],
    ids=repr,
)
def test_a_prevalence_must_be_a_distribution(stated: dict[str, Any], code: str) -> None:
    with refused(code):
        check_prevalence(BLOCK.questions[:2], stated)


def test_rows_that_are_never_sent_have_undefined_odds() -> None:
    with pytest.raises(ZeroDivisionError):
        _ = sent_row(shielded("b", 10_000, yes_no("q", 5000)), (1,), Fraction(0)).coin
    assert sent_row(shielded("b", 0, yes_no("q", 5000)), SKIPPED, HALF).sent == 0


DESIGN, STATED_LINKED, SETS = EXCLUSIVE["two sets that share an answer"]


def seen(block: Block, counts: dict[tuple[int, ...], int]) -> Observed:
    """Return the protected rows of a survey with one block of yes/no questions."""
    rows = ObservedBlock(
        rows=np.array(list(counts), dtype=np.uint8), counts=np.array([*counts.values(), 0], dtype=np.int64)
    )
    n = sum(counts.values())
    return Observed(n_direct=0, n_protected=n, open=np.array([[0, n]]), blocks={block.key: rows})


@pytest.mark.parametrize("n", [400, 4_000])
def test_an_impossible_row_never_counts_as_true_after_launch(n: int) -> None:
    # With 3/8, 1/4, 1/4 and 1/8, the two answers occur together only in decoys, as often as expected.
    block = even(5000, 2)
    counts = {(0, 0): 3 * n // 8, (0, 1): n // 4, (1, 0): n // 4, (1, 1): n // 8}
    sets = [["q0", "q1"]]
    audit = audit_rows(live(block), stated(block, 5000), seen(block, counts), exclusive=sets)
    (part,) = audit.blocks
    assert part.prior == "joint"
    # True rows have shares 1/2, 1/4, 1/4 and 0, so .5 * .5 / (3/8) and .5 * .25 / (1/4).
    assert part.unmixing.highest == pytest.approx(2 / 3)
    assert part.unmixing.truthful[0] == pytest.approx(0.5)
    # The report (1, 1) leaves the prior unchanged, 1/4 for each answer.
    aware = {item.key: item.worst for item in audit.items}
    assert aware["q0"] == pytest.approx(1 / 2 + 1 / 2 * 0.25)


def test_impossible_rows_are_excluded_from_the_prior_of_large_blocks() -> None:
    block, n = even(5000, 6), 150
    counts = {(1, 1, 0, 0, 0, 0): n // 2, (1, 0, 0, 0, 0, 0): n // 2}
    sets = [["q0", "q1"]]
    found = audit_rows(live(block), stated(block, 2000), seen(block, counts), exclusive=sets)
    plain = audit_rows(live(block), stated(block, 2000), seen(block, counts))
    assert (found.blocks[0].prior, plain.blocks[0].prior) == ("marginals", "marginals")
    # All rows with q1 also show q0, so they are decoys and leave the prior unchanged.
    assert found.items[1].worst == pytest.approx(found.items[1].prevalence)
    assert plain.items[1].worst > plain.items[1].prevalence + 0.1


def test_shares_without_any_possible_row_are_not_fitted() -> None:
    assert fit_shares([np.array([0.0, 1.0])] * 2, np.array([[True, True], [True, False]])) is None


def test_rounding_to_ten_thousandths_keeps_answers_possible() -> None:
    assert quantise(np.array([9999, 1, 0]), np.array([1.0, 0.0, 0.0])).tolist() == [9999, 1, 0]


def test_fitting_stops_early_if_the_shares_are_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    # After launch, shares in any of 200 cells may sum to more than 1 by chance.
    stated_shares = [np.array([1 - share, share]) for share in (0.3, 0.31, 0.32, 0.33, 0.34)]
    allowed = np.indices([2] * 5).sum(axis=0) <= 1
    monkeypatch.setattr("privacy.risk.prevalences._MOST_SWEEPS", 30)
    soon = fit_shares(stated_shares, allowed)
    monkeypatch.setattr("privacy.risk.prevalences._MOST_SWEEPS", 300)
    late = fit_shares(stated_shares, allowed)
    assert soon is not None
    assert late is not None
    np.testing.assert_array_equal(soon, late)
