"""Cells sent under all draws, against the exact channel."""

import numpy as np
import pytest

from privacy.scales.planar_sent import sent_cells
from privacy.scales.row_coins import whole_numbers
from tests.vectors.scale_designs import PARTS, SECOND, UNEVEN, places

DISGUISES = [places("usm", PARTS), places("levels", PARTS, SECOND), places("u", UNEVEN)]


@pytest.mark.slow
@pytest.mark.parametrize("windows", DISGUISES)
def test_all_draws_together_give_the_exact_weights(windows) -> None:
    draws = np.arange(windows.total, dtype=object)
    weights = windows.weights
    for cell in (0, 33, 79):
        answers = np.full(windows.total, cell)
        sent = sent_cells(windows.area, windows.levels, answers, whole_numbers(draws, below=windows.total))
        assert np.bincount(sent, minlength=windows.outputs).tolist() == weights[:, cell].tolist()
        assert windows.are_decoys(draws).sum() == windows.decoys
