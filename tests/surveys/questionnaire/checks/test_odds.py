"""Odds of one answer and of a skip above their ceilings, and remedies that meet them."""

import math
import re
from typing import Any

import pytest

from privacy.risk.budget import budget
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.findings import Level
from tests.fixtures.checked_surveys import (
    document_of,
    findings_of,
    protected,
    yes_no,
)


def rotating(p: int, *, per_person: int = 2, count: int = 10, **more: Any) -> dict[str, Any]:
    asked = [yes_no(f"q{number}") for number in range(count)]
    return protected("b", *asked, p=p, questions_per_person=per_person, **more)


def odds_of(*blocks: dict[str, Any], strength: str = "light") -> list[tuple[Level, str, str]]:
    found = findings_of(*blocks, aim=Aim(people=1_000_000, strength=strength))
    return [(one.level, one.message, one.remedy) for one in found if one.code == "question_odds"]


def test_odds_within_the_recommendation_cause_no_finding() -> None:
    assert odds_of(rotating(8000)) == []


def test_excessive_odds_warn_and_suggest_an_acceptable_p() -> None:
    ((level, message, remedy),) = odds_of(rotating(8001))
    assert level is Level.WARN
    assert "one answer to part “b” reveals more than recommended (odds 9.0)" in message
    assert "we recommend odds of at most 9" in message
    assert remedy == "set p to at most 80%"


@pytest.mark.parametrize(("strength", "p", "most"), [("medium", 6000, "4"), ("strong", 4000, "2.33")])
def test_recommended_odds_match_the_promised_protection(strength: str, p: int, most: str) -> None:
    assert odds_of(rotating(p), strength=strength) == []
    ((level, message, _remedy),) = odds_of(rotating(p + 1), strength=strength)
    assert level is Level.WARN
    assert f"we recommend odds of at most {most}" in message


def test_odds_above_their_ceiling_are_refused_although_epsilon_is_below_its_own() -> None:
    # ln(1 + .985/.015 * 4) = 5.57 is below 6; (1 + p)/(1 - p) = 132.
    document = document_of(rotating(9850))
    assert 5 < budget(definition_parse(document).design).epsilon < 6
    ((level, message, remedy),) = odds_of(rotating(9850))
    assert level is Level.REFUSE
    assert "above odds of 99, a live survey needs a written reason" in message
    assert "odds 132.3" in message
    assert remedy == "set p to at most 98%"
    assert odds_of(rotating(9800))[0][0] is Level.WARN


@pytest.mark.parametrize("count", [1, 2])
def test_the_odds_of_a_lone_question_are_judged_like_those_of_several(count: int) -> None:
    # (1 + p)/(1 - p) = 199, with epsilon 5.3 or 6.0, which is below its ceiling for the lone question.
    part = protected("b", *(yes_no(f"lie{number}") for number in range(count)), p=9900)
    ((level, message, remedy),) = odds_of(part)
    assert level is Level.REFUSE
    assert "odds 199.0" in message
    assert remedy == "set p to at most 98%"


def test_the_odds_of_a_number_are_judged_by_its_epsilon() -> None:
    hours = {
        "key": "hours", "kind": "number", "text": {"en": "How many hours?"},
        "number": {"mechanism": "keep", "low": 0, "high": 59, "bin": 10, "epsilon": 5},
    }  # fmt: skip
    part = {"key": "b", "protected": True, "title": {"en": "b"}, "questions": [hours], "no_skip": "A test."}
    ((level, _message, remedy),) = odds_of(part)
    assert (level, remedy) == (Level.REFUSE, "set its ε to at most 4.59")
    assert 4.59 < math.log(99) < 4.6


def skips_of(*blocks: dict[str, Any], strength: str = "light") -> list[tuple[Level, str, str]]:
    found = findings_of(*blocks, aim=Aim(people=1_000_000, strength=strength))
    return [(one.level, one.message, one.remedy) for one in found if one.code == "skip_odds"]


@pytest.mark.parametrize(("strength", "most"), [("light", 9), ("medium", 9), ("strong", 4)])
def test_a_skip_within_the_limit_of_the_protection_passes(strength: str, most: int) -> None:
    # 1 + p/((1 - p) r) at p = 1/2: r = 1/8, or 1/3.
    least = math.ceil(10_000 / (most - 1))
    assert skips_of(protected("b", yes_no("lie"), refusal=least), strength=strength) == []
    part = protected("b", yes_no("lie"), refusal=least - 1)
    ((level, message, remedy),) = skips_of(part, strength=strength)
    assert level is Level.WARN
    assert "“Prefer not to say” to part “b” reveals more than recommended" in message
    assert f"we recommend odds of at most {most}" in message
    assert remedy.startswith(f"make at least {least / 100:g}% of random answers skips, or set p to at most ")
    truth = float(re.findall(r"p to at most ([\d.]+)%", remedy)[0]) * 100
    assert skips_of({**part, "truth_probability": round(truth)}, strength=strength) == []
    assert skips_of({**part, "truth_probability": round(truth) + 1}, strength=strength) != []


def test_a_revealing_skip_is_refused() -> None:
    ((level, message, _remedy),) = skips_of(protected("b", yes_no("lie"), refusal=100))
    assert level is Level.REFUSE
    assert "odds 101.0" in message
