"""The risk of a named design agrees with the audit of a survey, and with Bayes by hand."""

import math
from fractions import Fraction

import pytest

from privacy.library import designs
from privacy.library.designs import ResponseDesign
from privacy.risk import audit_design, risk
from privacy.survey.design import Block, Design, GroupPolicy
from tests.fixtures.blocks import even
from tests.fixtures.refusals import refused
from tests.vectors.designs import shielded, yes_no


@pytest.mark.parametrize(
    ("law", "blocks"),
    [
        (designs.grouping(p=0.5, theta=0.5), [even(5000, 3)]),
        (
            designs.unrelated_question(p=0.5, theta=0.5),
            [shielded(key, 5000, yes_no(key, 5000)) for key in "abc"],
        ),
    ],
    ids=["one coin", "three coins"],
)
def test_risk_bounds_match_the_survey_audit(law: ResponseDesign, blocks: list[Block]) -> None:
    design = Design(blocks=tuple(blocks), group=GroupPolicy(), use="live")
    audit = audit_design(design, {question.key: [2000] for question in design.questions})
    found = risk(law, questions=3)
    assert found.epsilon == pytest.approx(audit.epsilon, abs=1e-12)
    for one, other in zip(found.rho2, audit.rho2, strict=True):
        assert one == pytest.approx(other, abs=1e-12)


def test_posteriors_of_yes_and_no_follow_bayes_rule() -> None:
    found = risk(designs.warner(p=0.7), prevalence=0.2)
    by_report = {one.report: one for one in found.posteriors}
    assert by_report["yes"].alone == Fraction(2 * 7, 2 * 7 + 8 * 3)
    assert by_report["no"].alone == Fraction(2 * 3, 2 * 3 + 8 * 7)
    assert all(one.most == one.alone for one in found.posteriors)


def test_answers_sharing_a_coin_raise_the_posterior_of_a_yes() -> None:
    """All three yes by p = theta = 1/2 at a share of 1/2: .5 + .5/8 of those who have all, else .5/8."""
    (no, yes) = risk(designs.grouping(p=0.5, theta=0.5), questions=3, prevalence=0.5).posteriors
    assert yes.alone == Fraction(3, 4)
    assert yes.most == (9 + 3 * 1) / Fraction(9 + 7 * 1)
    assert no.most == Fraction(1, 4)


def test_separate_coins_leave_the_posterior_of_a_yes_unchanged() -> None:
    (_, yes) = risk(designs.unrelated_question(p=0.5, theta=0.5), questions=3, prevalence=0.5).posteriors
    assert yes.alone == yes.most == Fraction(3, 4)


def test_reports_that_prove_the_answer_have_infinite_epsilon() -> None:
    found = risk(designs.mangat(p=0.7))
    assert found.amplification is None
    assert math.isinf(found.epsilon)
    assert found.rho2[0][1] == 1.0
    assert "∞" in found.summary()


def test_repr_and_summary_describe_the_risk() -> None:
    found = risk(designs.unrelated_question(p=0.5, theta=0.5), questions=3, prevalence=0.1)
    assert repr(found) == "<risk of unrelated_question(p=0.5, theta=0.5), 3 questions: epsilon 3.3>"
    assert "from a prior of 1%, 5%, 10%, 20%, 50%: 21.4%, 58.7%, 75%," in found.summary()
    assert "Report 'yes': 'yes' goes from 10% to 25% by itself" in found.summary()
    assert found.to_frame().loc[0.1, "rho2"] == pytest.approx(0.75)


def test_invalid_risk_arguments_are_rejected() -> None:
    with refused("questions", 0):
        risk(designs.warner(p=0.7), questions=0)
    with refused("rho1", 1.0):
        risk(designs.warner(p=0.7), rho1=[1.0])
    with refused("chance", "prevalence"):
        risk(designs.warner(p=0.7), prevalence=2)
    with refused("designs", "generalised_rr"):
        risk(designs.generalised_rr(list("abc"), p=0.7), prevalence=0.1)
    with refused("designs"):
        risk("warner")  # type: ignore[arg-type]
