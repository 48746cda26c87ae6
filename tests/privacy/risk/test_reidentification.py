from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from privacy.risk.prior import exclusive_prior, independent
from privacy.risk.reidentification import CERTAINTY_LEVELS, reidentification
from privacy.risk.row_distribution import row_distribution
from privacy.survey.design import Block
from tests.fixtures.blocks import blocks, even, stated, written_out
from tests.vectors.designs import shielded, yes_no


@pytest.mark.parametrize(
    ("prevalence", "share"), [(500, 0.914), (1000, 0.736), (2000, 0.376), (3000, 0.028), (5000, 0)]
)
def test_ten_rare_items_reveal_most_true_rows(prevalence: int, share: float) -> None:
    block = even(5000, 10)
    distribution = row_distribution(independent(block, stated(block, prevalence)))
    assert round(reidentification(distribution).truthful[2], 3) == share


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(blocks())
def test_reidentification_shares_match_full_enumeration(made: tuple[Block, dict[str, list[int]]]) -> None:
    block, prevalence = made
    found = reidentification(row_distribution(independent(block, prevalence)))
    _, prior, joint = written_out(block, prevalence)
    coin = block.truth_probability / 10_000 * prior / joint.sum(axis=1)
    for place, level in enumerate(CERTAINTY_LEVELS):
        # Rounding may put a row exactly at the level on either side.
        if (abs(coin - level) > 1e-9).all():
            assert found.truthful[place] == pytest.approx(prior[coin > level].sum(), abs=1e-9)
    assert found.highest == pytest.approx(coin.max(), abs=1e-9)


@pytest.mark.parametrize("refusal", [None, 300])
def test_rows_as_frequent_as_their_decoys_reveal_nothing(refusal: int | None) -> None:
    shares = [3000 + 13 * place**2 for place in range(16)]
    asked = [yes_no(f"q{place}", share) for place, share in enumerate(shares)]
    block = shielded("b", 5000, *asked, refusal=refusal)
    law = row_distribution(independent(block, {question.key: list(question.unrelated) for question in asked}))
    assert not law.exact
    # Only skipping sets decoys apart from respondents who answer: p/(p + (1 - p)(1 - r)).
    highest = 1 / (2 - (refusal or 0) / 10_000)
    assert reidentification(law).truthful == (highest > 0.5, 0, 0)
    assert law.highest_truthful_posterior[law.prior_mass > 0] == pytest.approx(highest)
    assert law.prior_mass.sum() == pytest.approx(1)


def test_a_row_at_a_level_up_to_rounding_does_not_exceed_it_and_impossible_rows_do_not_count() -> None:
    level = CERTAINTY_LEVELS[0]
    law: Any = SimpleNamespace(
        highest_truthful_posterior=np.array([level, level + 1e-12, level + 1e-6, 1.0]),
        prior_mass=np.array([0.1, 0.2, 0.3, 0.0]),
        sent_mass=np.array([0.4, 0.3, 0.3, 0.0]),
        exact=True,
    )
    found = reidentification(law)
    assert found.truthful == (pytest.approx(0.3), 0, 0)
    assert found.highest == level + 1e-6


def test_coarsened_blocks_keep_valid_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [yes_no(f"q{place}", 3000 + 170 * place) for place in range(12)]
    block = shielded("b", 5000, *asked)
    prevalence = {question.key: [900 + 41 * place] for place, question in enumerate(asked)}
    sets = [["q0", "q1", "q2", "q3"], ["q4", "q5", "q6", "q7"]]
    prior = exclusive_prior(block, prevalence, sets)
    assert prior is not None
    exact = row_distribution(prior)
    assert exact.exact
    monkeypatch.setattr("privacy.risk.row_classes.MOST_PRODUCTS", 128)
    rough = row_distribution(prior)
    assert 0 < rough.slack < 2
    assert len(rough.log_prior) < len(exact.log_prior)
    assert rough.prior_mass.sum() == pytest.approx(1)
    assert rough.decoy_mass.sum() == pytest.approx(1)
    assert rough.log_rows.max() > exact.log_rows.max()
    for told, bound in zip(reidentification(exact).truthful, reidentification(rough).truthful, strict=True):
        assert told <= bound + 1e-9
    assert rough.highest_truthful_posterior.max() >= exact.highest_truthful_posterior.max()
