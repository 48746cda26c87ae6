"""Shares corrected for careless answers."""

import numpy as np
import pytest

from privacy.library import anchored_crosswise
from tests.fixtures.published_studies import published
from tests.fixtures.refusals import refused

CMDATA = [[148, 425], [311, 1116]]


def test_the_published_crosswise_study_is_reproduced() -> None:
    found = anchored_crosswise(CMDATA, p=0.15, anchor_p=0.15)
    values = {quantity.name: round(quantity.value, 5) for quantity in found.quantities}
    assert values == {"share": 0.10536, "share, uncorrected": 0.195, "attentive": 0.77286}
    assert (round(found["share, uncorrected"].standard_error, 5), found.n) == (0.01445, 2_000)


def test_the_crosswise_counts_match_the_rows() -> None:
    rows = published("cwise_cmdata.csv")
    counts = [[int(((y == rows.Y) & (a == rows.A)).sum()) for a in (0, 1)] for y in (0, 1)]
    assert counts == CMDATA


def test_errors_match_the_numerical_slopes() -> None:
    shares, n, step = np.array(CMDATA).ravel() / 2_000, 2_000, 1e-6

    def corrected(cells: np.ndarray) -> float:
        same, anchor = cells[2] + cells[3], cells[1] + cells[3]
        return 0.5 + 0.5 * ((same - 0.5) / (0.15 - 0.5)) * (0.5 - 0.15) / (anchor - 0.5)

    slopes = np.array(
        [(corrected(shares + step * e) - corrected(shares - step * e)) / (2 * step) for e in np.eye(4)]
    )
    variance = slopes @ (np.diag(shares) - np.outer(shares, shares)) @ slopes / (n - 1)
    found = anchored_crosswise(CMDATA, p=0.15, anchor_p=0.15)["share"]
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=1e-6)


def test_careless_answers_cancel_at_any_rate() -> None:
    for attentive in (0.3, 0.8, 1.0):
        truth, p, q, n = 0.12, 0.2, 0.3, 10**8
        same = attentive * (truth * p + (1 - truth) * (1 - p)) + (1 - attentive) / 2
        anchor = attentive * (1 - q) + (1 - attentive) / 2
        cells = [[(1 - same) * (1 - anchor), (1 - same) * anchor], [same * (1 - anchor), same * anchor]]
        counts = [[round(n * cell) for cell in row] for row in cells]
        found = anchored_crosswise(counts, p=p, anchor_p=q)
        assert [found["share"].value, found["attentive"].value] == pytest.approx([truth, attentive], abs=1e-6)


def test_contradictory_studies_are_refused() -> None:
    with refused("paper", "attend"):
        anchored_crosswise([[300, 100], [400, 200]], p=0.15, anchor_p=0.15)
    for p, q in ((0.5, 0.2), (0.2, 0.5)):
        with refused("paper", "0.5"):
            anchored_crosswise(CMDATA, p=p, anchor_p=q)
    with refused("paper", "rows of [2]"):
        anchored_crosswise([[1, 2]], p=0.2, anchor_p=0.2)
    with refused("paper", "count"):
        anchored_crosswise([[1, 2], [3, -1]], p=0.2, anchor_p=0.2)
