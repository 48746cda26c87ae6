"""Risk of a design: its summary."""

import math
from fractions import Fraction

import pytest

from privacy.risk.design_risk import DesignRisk


@pytest.mark.parametrize(("questions", "text"), [(1, "1 question"), (2, "2 questions"), (5, "5 questions")])
def test_a_summary_counts_questions(questions: int, text: str) -> None:
    found = DesignRisk(
        design="Warner's design",
        questions=questions,
        amplification=Fraction(4),
        epsilon=math.log(4),
        rho2=((0.5, 0.8),),
    )
    first, *_ = found.summary().splitlines()
    assert first == f"Warner's design, {text}: reports multiply odds by at most 4."
