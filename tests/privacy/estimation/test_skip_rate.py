import numpy as np
import pytest

from privacy.estimation.counts import SupportCounts
from privacy.estimation.events import skipped_interval, skipped_terms
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import MIXED, ROUTED, SKIPPABLE
from tests.privacy.estimation.records import count, disguises, sample, true_rows


def test_the_share_that_skips_is_reconstructed_like_an_answer_with_decoy_chance_r() -> None:
    # p = .55, r = .15: (40/100 - .45 * .15) / .55
    counts = SupportCounts({(): (0, 100), (SKIPPABLE.answered_column(0),): (0, 60)})
    found = skipped_interval(counts, 0, SKIPPABLE)
    assert found.value == pytest.approx((0.4 - 0.45 * 0.15) / 0.55)
    assert found.standard_error == pytest.approx(np.sqrt(0.4 * 0.6 / 100) / 0.55)


def test_its_mean_over_every_disguise_is_the_truth() -> None:
    for row in true_rows(SKIPPABLE, direct=False):
        mean = sum(
            float(chance)
            * skipped_interval(count(SKIPPABLE, [sent], skipped_terms(0, SKIPPABLE)), 0, SKIPPABLE).value
            for sent, chance in disguises(SKIPPABLE, row)
        )
        assert mean == pytest.approx(float(dict(row.blocks)[0] is None), abs=1e-12)


def test_direct_skips_are_skips() -> None:
    rows = [row for row in sample(MIXED, 50, seed=21, direct=1.0) if row.direct]
    found = skipped_interval(count(MIXED, rows, skipped_terms(1, MIXED)), 1, MIXED)
    assert found.value == np.mean([dict(row.blocks)[1] is None for row in rows])


def test_shares_are_of_those_asked() -> None:
    assert skipped_terms(1, ROUTED) == ((ROUTED.asked_column(2),), (ROUTED.answered_column(1),))


def test_a_block_without_a_skip_is_refused_by_name() -> None:
    with refused("skip_not_offered", "block c"):
        skipped_terms(2, MIXED)


def test_an_unknown_block_is_refused() -> None:
    with refused("block", 7):
        skipped_interval(SupportCounts({}), 7, MIXED)
