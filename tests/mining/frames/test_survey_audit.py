"""An audit of a survey, in fractions and with names."""

import math

import pytest

from mining.frames.answer_kinds import number, one_of
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


def test_a_summary_has_the_bounds_and_a_table_if_there_are_items() -> None:
    """Of 100 people 30 send "yes" about cheating: 10 truthfully, and 20 as a decoy, of whom 4 cheat."""
    audit = WORK.audit({"cheat": 0.2, "drugs": "1/10", "debts": 0.4})
    bounds, posteriors, *table = audit.summary().splitlines()
    assert bounds.endswith("epsilon at most 3.26.")
    assert posteriors.startswith("Largest posterior from a prior of 1%")
    assert [line.split() for line in table] == [
        ["worst", "alone", "prevalence"],
        ["item"],
        ["cheat", "0.579", f"{14 / 30:.3f}", "0.2"],
        ["drugs", "0.289", "0.250", "0.1"],
        ["debts", "0.743", "0.743", "0.4"],
    ]
    pay = Survey(blocks={"pay": number(low=0, high=79, bin=10, epsilon=2)}).audit({})
    assert [line.partition(" ")[0] for line in pay.summary().splitlines()] == ["All", "Largest"]
    assert Survey(blocks={}, open={"sex": None}).audit({}).summary() == "No question is disguised."
