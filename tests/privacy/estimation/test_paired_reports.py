"""Reports of two items of one block, from counts of columns."""

from dataclasses import replace

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.estimation.counts import SupportCounts
from privacy.estimation.paired_reports import columns_of_pair, paired_reports
from privacy.survey.design import Design, GroupPolicy
from tests.vectors.composite_designs import TOGETHER

HALVES = TOGETHER["two halves"]


def counted(design: Design, first: int, second: int, *groups: list[int]) -> SupportCounts:
    """Return the counts of rows by report: both items, the first, the second, neither, a skip."""
    both, one, other, neither, skipped = np.array(groups).T
    asked = both + one + other + neither + skipped
    columns = columns_of_pair(design, first, second)
    values = [asked, both + one, both + other, both, asked - skipped]
    table = dict(zip(columns, values, strict=True)) | {(): asked}
    return SupportCounts({key: (int(value[0]), int(value[1])) for key, value in table.items()})


def test_reports_come_from_the_counts_of_five_sets_of_columns() -> None:
    reports = paired_reports(counted(HALVES, 0, 1, [0] * 5, [30, 10, 12, 40, 8]), HALVES, 0, 1)
    assert reports.counts.tolist() == [[30, 10, 12, 40, 8]]
    assert reports.truths.tolist() == [0.5]
    # Random answers: a quarter are skips, the others each pattern equally often.
    assert reports.decoys.tolist() == [0.1875] * 4 + [0.25]
    assert reports.n == 100


def test_groups_keep_their_own_p() -> None:
    block = replace(HALVES.blocks[0], light=8000)
    design = Design(blocks=(block,), group=GroupPolicy(policy="choice"), use="live")
    reports = paired_reports(counted(design, 0, 1, [5, 1, 1, 3, 0], [30, 10, 12, 40, 8]), design, 0, 1)
    assert reports.truths.tolist() == [0.8, 0.5]
    assert reports.counts[0].tolist() == [5, 1, 1, 3, 0]


def test_scores_are_unbiased_for_both_items() -> None:
    reports = paired_reports(counted(HALVES, 0, 1, [0] * 5, [30, 10, 12, 40, 8]), HALVES, 0, 1)
    true = np.array([0.2, 0.1, 0.15, 0.45, 0.1])
    sent = 0.5 * true + 0.5 * reports.decoys
    for score, share in zip(reports.scores(), (0.3, 0.35), strict=True):
        assert float(score[0] @ sent) == pytest.approx(share)


def test_nobody_asked_both_is_refused() -> None:
    with pytest.raises(PrivacyError) as caught:
        paired_reports(counted(HALVES, 0, 1, [0] * 5, [0] * 5), HALVES, 0, 1)
    assert caught.value.case == "no_rows.asked"
