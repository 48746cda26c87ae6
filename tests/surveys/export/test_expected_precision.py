"""What a planned number of answers is expected to show, against what the core says of the same numbers."""

from __future__ import annotations

import pytest

from mining.family import Family, rule_family
from mining.thresholds import Sides
from privacy.coins import SCALE
from privacy.planning.power import Plan, detectable_lift, detectable_support, standard_error
from surveys.export.expected_precision import ExpectedPrecision, expected_precision
from surveys.questionnaire.definition import Definition, definition_parse
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.drawn_exports import four_of_ten, three_of_eight
from tests.fixtures.runs import definition


def shown(found: Definition, n: int = 2_000) -> ExpectedPrecision:
    family = rule_family(found.design, Sides(), 2, ordered=False)
    return expected_precision(found.design, found.wording, n=n, family=family)


def test_each_item_has_the_error_that_the_library_gives_it() -> None:
    found = shown(definition_parse(definition(policy="protected")))
    assert [(item.key, item.share, item.n) for item in found.items] == [
        ("late", 0.3, 2_000), ("cheat", 0.3, 2_000), ("drink", 0.3, 2_000),
    ]  # fmt: skip
    cheat = Plan(p=0.6, theta_a=0.4, theta_b=0.4)
    assert found.items[1].error == standard_error(cheat, 0.3, 2_000)
    assert found.items[1].smallest == detectable_support(cheat, 2_000)


def test_of_a_question_in_turn_those_count_who_are_asked_it_and_skips_show_nothing() -> None:
    found = shown(definition_parse(three_of_eight()))
    assert {item.n for item in found.items} == {750}
    plan = Plan(p=0.75, theta_a=0.5 * (1 - 0.12), theta_b=0.5)
    assert found.items[1].error == pytest.approx(standard_error(plan, 0.3, 750), rel=1e-12)


def test_two_strengths_have_the_share_that_the_device_draws() -> None:
    document = definition_parse(four_of_ten())
    found = shown(document)
    share = document.design.group.direct_share
    assert share is not None
    plan = Plan(p=0.75, light=0.9, theta_a=0.5, k=share / SCALE)
    assert found.items[0].error == standard_error(plan, 0.3, 800)


def test_a_rule_needs_more_lift_after_the_correction() -> None:
    document = definition_parse(document_of(protected("b", yes_no("x"), yes_no("y"), p=6_000)))
    found = shown(document)
    # One test of one size: Benjamini and Yekutieli's sum over 1 is 1.
    assert found.tests == 1
    assert found.alone == found.corrected
    plan = Plan(p=0.6, theta_a=0.5)
    shares = [item.share for item in found.items]
    lift = detectable_lift(plan, 2_000, first=shares[0], second=shares[1])
    assert found.alone == (lift, lift)
    more = expected_precision(
        document.design,
        document.wording,
        n=2_000,
        family=Family(by_size=((2, 10), (3, 40))),
    )
    # Half of the level is the pairs': 20 tests, times 1 + 1/2 + ... + 1/50 = 4.499.
    assert more.tests == 90
    assert more.corrected == (detectable_lift(plan, 2_000, first=shares[0], second=shares[1], tests=90),) * 2


def test_too_few_people_find_nothing() -> None:
    document = definition_parse(definition(policy="protected"))
    found = shown(document, n=1)
    assert found.items[0].smallest is None
    assert found.has_pairs
    assert found.alone is None


def test_one_question_has_no_rules() -> None:
    found = shown(definition_parse(document_of(protected("b", yes_no("x"), p=6_000))))
    assert not found.has_pairs
    assert found.alone is found.corrected is None
