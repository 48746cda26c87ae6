"""Figures of a study on paper, as they are written and refused."""

from __future__ import annotations

import pytest

from privacy.library import PaperStudy, Quantity
from privacy.library.study import chance, counted, two_chances
from tests.fixtures.refusals import refused


def test_an_interval_reaches_to_both_sides_of_the_raw_value_and_is_not_cut() -> None:
    found = Quantity(name="share", value=-0.01, standard_error=0.02)
    low, high = found.interval()
    assert (low, high) == pytest.approx((-0.01 - 1.959964 * 0.02, -0.01 + 1.959964 * 0.02), abs=1e-7)
    assert found.outside
    with refused("level"):
        found.interval(1)


def test_a_study_says_what_lies_outside_and_knows_its_quantities_by_name() -> None:
    study = PaperStudy(
        method="m", n=1_200, quantities=(Quantity(name="share", value=1.2, standard_error=0.1),)
    )
    assert study.summary().endswith("to 1.396; outside what is possible, not clipped")
    assert study.to_frame().loc["share"].round(3).tolist() == [1.2, 0.1, 1.004, 1.396]
    assert repr(study) == "<m: 1 quantities, n = 1,200>"
    with pytest.raises(KeyError):
        study["honesty"]


def test_chances_and_counts_that_cannot_be_are_refused_by_name() -> None:
    for wrong in (0, 1):
        with refused("paper", "p1 is"):
            chance(wrong, "p1")
    with refused("chance"):
        chance(1.2, "p")
    with refused("paper", "both 0.3"):
        two_chances(0.3, 3 / 10, ("p1", "p2"))
    for yes, n in ((6, 5), (-1, 5), (1, 1), (1.5, 5), (True, 5)):
        with refused("paper", "sample 1"):
            counted(yes, n, "sample 1")
