import math

import pytest

from privacy.errors import PrivacyError
from privacy.sdc.classes import ClassMatrix
from privacy.sdc.requirements import Requirement, measure_models, verify


def test_verdicts_report_whether_each_model_holds():
    measured = measure_models(ClassMatrix.from_counts([[3, 1], [1, 3]]), "s", recursive_l=2)
    asked = Requirement(k=4, distinct_l=3, t=0.25, alpha=0.7, c=3, recursive_l=2, delta=1.0)
    verdicts = {one.model: one.holds for one in verify(measured, asked)}
    assert verdicts == {"k": True, "distinct_l": False, "t": True, "alpha": False, "c": False, "delta": True}


@pytest.mark.parametrize(
    "wish",
    [
        {"k": 0},
        {"distinct_l": 0},
        {"t": 1.5},
        {"alpha": -0.1},
        {"basic_beta": 0},
        {"delta": -1},
        {"c": 2},
        {"rho1": 0.2},
        {"rho2": 0.2},
        {"rho1": 0.5, "rho2": 0.2},
        {"k": math.nan},
    ],
)
def test_out_of_range_bounds_are_rejected(wish):
    with pytest.raises(PrivacyError):
        Requirement(**wish)
