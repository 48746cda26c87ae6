"""Coefficients in statsmodels' names, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from privacy.regression.fitted_logit import Coefficients


class Line(Coefficients):
    """Two coefficients, 0 and twice their error."""

    def _of_response(self) -> tuple[list[str], np.ndarray, np.ndarray]:
        return ["constant", "age"], np.array([0.0, 1.0]), np.array([0.3, 0.5])


def test_errors_tests_and_intervals_belong_to_the_coefficients() -> None:
    line = Line()
    assert line.params.to_dict() == {"constant": 0, "age": 1}
    assert line.bse.to_dict() == {"constant": 0.3, "age": 0.5}
    assert line.pvalues.to_dict() == pytest.approx({"constant": 1, "age": 0.0455003}, abs=1e-7)
    assert line.conf_int(0.05).loc["age"].tolist() == pytest.approx([1 - 0.979982, 1 + 0.979982], abs=1e-6)
