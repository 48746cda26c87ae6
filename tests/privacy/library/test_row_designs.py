"""Designs of rows, one for all or one for each."""

import numpy as np
import pandas
import pytest

from privacy.library.designs import warner
from privacy.library.row_designs import design_text, report_groups, row_designs
from tests.fixtures.refusals import refused

WEAK, STRONG = warner(p=0.8), warner(p=0.7)


def test_one_design_belongs_to_every_row() -> None:
    for rows, number in ((pandas.Series(["yes", "no"]), 2), (None, 0)):
        made, which = row_designs(WEAK, rows)
        assert (made, which.tolist()) == ([WEAK], [0] * number)


def test_designs_of_counts_are_refused() -> None:
    with refused("answers", "counts"):
        row_designs([WEAK, STRONG], None)


def test_reports_are_counted_by_design() -> None:
    rows = report_groups("used", [WEAK, STRONG], np.array([0, 1, 0, 0]), np.array([1, 1, 0, 1]))
    assert rows.counts.tolist() == [[1, 2], [0, 1]]
    # A report of yes is expected from 1 - p of those who would say no, and from p of the others.
    assert rows.low.ravel() == pytest.approx([0.2, 0.2, 0.3, 0.3])
    assert rows.high.ravel() == pytest.approx([0.8, 0.8, 0.7, 0.7])


def test_further_designs_are_counted_in_words() -> None:
    assert design_text([WEAK]) == "warner(p=0.8)"
    assert design_text([WEAK, STRONG, warner(p=0.9)]) == "warner(p=0.8) and 2 more designs"
