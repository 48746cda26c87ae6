from __future__ import annotations

import math

import numpy as np

from surveys.runs.result_columns import or_null


def test_numbers_without_a_value_are_null_and_infinite_ones_stay() -> None:
    assert or_null([0.5, math.nan, math.inf]) == [0.5, None, math.inf]
    assert or_null(np.array([0.5, 2.0]), [False, True]) == [None, 2.0]
