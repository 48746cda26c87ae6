"""A plan's precision by hand, what it says to write down, and an audit in fractions."""

from __future__ import annotations

import math

import pytest

from mining.frames.questions import one_of
from mining.frames.survey import Survey
from privacy.risk.design_audit import audit_design
from tests.cast.refusals import refused
from tests.mining.frames.surveys import WORK

PLAN = WORK.plan(epsilon=3, n=1000, prevalence=0.1)


def test_the_precision_of_an_item_is_that_of_its_channel() -> None:
    shown = PLAN.p * 0.1 + (1 - PLAN.p) * 0.4
    half = 1.959964 * math.sqrt(shown * (1 - shown) / 1000) / PLAN.p
    row = PLAN.to_frame().loc["cheat"]
    assert row.half_width == pytest.approx(half, abs=1e-6)
    assert (row.low, row.high) == pytest.approx((0.1 - half, 0.1 + half), abs=1e-6)
    assert PLAN.to_frame(0.99).loc["cheat", "half_width"] == pytest.approx(
        half * 2.575829 / 1.959964, abs=1e-6
    )
    assert row.people_for_5_points == math.ceil(1000 * (half / 0.05) ** 2)


def test_a_preregistration_holds_what_a_reviewer_asks_for() -> None:
    text = PLAN.preregistration()
    for part in (PLAN.survey.design.design_id, f"p = {PLAN.p:g}", "1,000 people", "6 hypotheses", "cheat"):
        assert part in text
    assert f"epsilon {PLAN.epsilon:.3f} of 3" in PLAN.summary()


def test_an_audit_in_fractions_is_that_of_the_product() -> None:
    audit = WORK.audit({"cheat": 0.2, "drugs": "1/10", "debts": 0.4})
    wanted = audit_design(WORK.design, {"cheat": [2000], "drugs": [1000], "debts": [4000]})
    assert audit.audit == wanted
    assert audit.to_frame().worst.tolist() == [item.worst for item in wanted.items]
    assert f"epsilon at most {audit.epsilon:.3g}" in audit.summary()
    job = Survey(blocks={"work": {"job": one_of("a", "b")}}, p=0.5)
    assert job.audit({"job": {"a": 0.3, "b": 0.7}}).epsilon == pytest.approx(math.log(3))
    with refused("blocks", "drugs"):
        WORK.audit({"cheat": 0.2})
    with refused("blocks", "job"):
        job.audit(0.2)
    with refused("ten_thousandths", "1/3"):
        WORK.audit("1/3")
