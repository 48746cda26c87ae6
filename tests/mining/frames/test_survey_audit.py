"""An audit of a survey, in fractions and with names."""

import math

import pytest

from mining.frames.answer_kinds import one_of
from mining.frames.survey import Survey
from privacy.risk.design_audit import audit_design
from tests.fixtures.refusals import refused
from tests.mining.frames.surveys import WORK


def test_an_audit_in_fractions_matches_the_product() -> None:
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
    assert WORK.audit("1/3").audit == WORK.audit(0.3333).audit
    third = Survey(blocks={"work": {"job": one_of("a", "b", "c")}}, p=0.5)
    rounded = {"a": 0.3334, "b": 0.3333, "c": 0.3333}
    assert third.audit({"job": dict.fromkeys("abc", 1 / 3)}).audit == third.audit({"job": rounded}).audit
    with refused("shares_sum", 9999):
        third.audit({"job": dict.fromkeys("abc", 0.3333)})
