"""Rotating questions: pairs that no one is asked, and unique sets of questions."""

import itertools
from dataclasses import replace

import pytest

from privacy.survey.booklets import Booklet
from privacy.survey.design import Block, Condition, Design, GroupPolicy
from privacy.survey.rotation import Rotation
from surveys.authoring.problem_places import place_of
from surveys.questionnaire.checks.check import check_definition
from surveys.questionnaire.checks.rotation import check_rotating
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.findings import Finding, Level
from tests.fixtures.checked_surveys import (
    CEILINGS,
    unprotected,
)
from tests.fixtures.rotating_drafts import rotating_document
from tests.vectors.designs import opened, shielded
from tests.vectors.designs import yes_no as question

pytestmark = pytest.mark.django_db


P = 5439  # e^3 with four questions: p / (1 - p) = (e^3 - 1) / 16


def part(
    total: int,
    asked: int | None,
    *,
    key: str = "b",
    p: int = P,
    theta: int = 5000,
    booklets: tuple[Booklet, ...] | None = None,
    asked_if: Condition | None = None,
) -> Block:
    block = shielded(key, p, *(question(f"{key}{n}", theta) for n in range(total)), asked_if=asked_if)
    return replace(block, questions_per_person=asked, booklets=booklets)


def design_of(*blocks: Block, rotations: tuple[Rotation, ...] = ()) -> Design:
    return Design(blocks=blocks, group=GroupPolicy(), use="live", rotations=rotations)


def found_in(*blocks: Block, rotations: tuple[Rotation, ...] = ()) -> dict[str, Finding]:
    findings = list(check_rotating(design_of(*blocks, rotations=rotations), {"b": "Lying"}, people=1000))
    assert all(one.level is Level.WARN for one in findings)
    return {one.code: one for one in findings}


def test_designs_without_rotation_have_no_rotation_findings() -> None:
    assert found_in(part(10, None)) == {}


def test_four_of_ten_balanced_questions_cause_no_finding() -> None:
    # Any two of ten questions are in two of fifteen sets, so 133 of 1,000 people are asked both.
    assert {one.code for one in found_in(part(10, 4)).values()} == set()


def test_unique_question_sets_are_reported_with_a_limit() -> None:
    found = found_in(part(20, 5))["own_combination"]
    assert "of 1,000 people, about 938 would have" in found.message
    assert "up to 434 combinations" in found.remedy
    opened_too = found_in(opened("you", *(question(f"o{n}") for n in range(6))), part(10, 4))
    assert "of 1,000 people, about 928" in opened_too["own_combination"].message


def test_findings_locate_problems_in_the_builders_own_words() -> None:
    document = rotating_document()
    document["blocks"].insert(
        0, unprotected("you", {"key": "city", "kind": "yes_no", "text": {"en": "City?"}})
    )
    document["blocks"][2]["asked_if"] = {"question": "city", "options": ["yes"]}
    found = {one.code: one.path for one in check_definition(definition_parse(document), ceilings=CEILINGS)}
    assert found["rotation_routed"] == "rotations[0]"
    assert place_of(found["rotation_routed"], document)


def test_balanced_pairs_need_no_more_booklets() -> None:
    """A projective plane of seven points: three questions each, and any two in one of seven sets."""
    lines = tuple(sorted(tuple(sorted((start + step) % 7 for step in (0, 1, 3))) for start in range(7)))
    found = found_in(part(7, 3, booklets=lines))
    assert {"own_combination", "few_together"}.isdisjoint(found)
    said = found["never_together"].message
    assert said.startswith("28 of the 35 groups of three questions in part")
    assert set(itertools.chain.from_iterable(lines)) == set(range(7))


def test_the_check_states_how_many_questions_of_a_part_each_person_is_asked() -> None:
    """The check used to say "no one is asked all questions of 1 of the 1 sets of three"."""
    found = found_in(part(3, 2))["never_together"]
    assert found.message.startswith("each person is asked 2 of the 3 questions of part “")
    assert found.message.endswith("three of them go together is only predicted")
    assert "1 of the 1" not in found.message
    assert found.remedy.endswith("otherwise leave it as it is")
    alone = found_in(part(3, 1))["never_together"]
    assert alone.message.startswith("each person is asked one of the 3 questions of part “")
