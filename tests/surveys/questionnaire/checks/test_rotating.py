"""What is to be thought over where each person is asked some questions only."""

import itertools
from dataclasses import replace

from privacy.risk.budget import budget
from privacy.survey import Block, Condition, Design, GroupPolicy, Rotation
from privacy.survey.booklets import Booklet
from surveys.authoring.problem_places import place_of
from surveys.questionnaire.checks.check import check_definition
from surveys.questionnaire.checks.finding import Finding, Level
from surveys.questionnaire.checks.rotating import check_rotating
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.checked_surveys import CEILINGS, unprotected
from tests.fixtures.rotating_drafts import rotating_document
from tests.vectors.designs import opened, shielded
from tests.vectors.designs import yes_no as question

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
    findings = list(check_rotating(design_of(*blocks, rotations=rotations), {"b": "Lying"}))
    assert all(one.level is Level.WARN for one in findings)
    return {one.code: one for one in findings}


def test_a_design_that_asks_everybody_the_same_is_told_nothing_of_it() -> None:
    assert found_in(part(10, None)) == {}


def test_four_of_ten_questions_in_a_balanced_list_are_told_nothing() -> None:
    # Any two of ten in two of fifteen sets: of 1,000 people 133 are asked both.
    assert {one.code for one in found_in(part(10, 4)).values()} == set()


def test_sets_that_nobody_shares_are_told_with_how_many_pass() -> None:
    found = found_in(part(20, 5))["own_combination"]
    assert "of 1000 people about 938 would have" in found.message
    assert "up to 434 combinations" in found.remedy
    opened_too = found_in(opened("you", *(question(f"o{n}") for n in range(6))), part(10, 4))
    assert "of 1000 people about 928" in opened_too["own_combination"].message


def test_decoys_of_a_rotating_part_that_are_not_even_cost_epsilon() -> None:
    found = found_in(part(10, 4, theta=3000))["rotating_decoys"]
    assert "“Lying”" in found.message
    assert "up to ε 5.00, and else ε 3.00" in found.message
    assert "rotating_decoys" not in found_in(part(10, 4))


def test_the_ceiling_counts_the_parts_of_a_rotation_that_tell_most() -> None:
    definition = definition_parse(rotating_document())
    # ε 3.00 of the ten, and of three short parts two with ε .69 each.
    assert round(budget(definition.design).epsilon, 2) == 4.39
    (survey,) = [
        one for one in check_definition(definition, ceilings=CEILINGS) if one.code == "survey_epsilon"
    ]
    assert "(“ten” 3.00, “home” 0.69, “work” 0.69) tell up to ε 4.39" in survey.message


def test_findings_have_a_place_in_the_builders_words() -> None:
    document = rotating_document()
    document["blocks"].insert(
        0, unprotected("you", {"key": "city", "kind": "yes_no", "text": {"en": "City?"}})
    )
    document["blocks"][2]["asked_if"] = {"question": "city", "options": ["yes"]}
    found = {one.code: one.path for one in check_definition(definition_parse(document), ceilings=CEILINGS)}
    assert found["rotation_routed"] == "rotations[0]"
    assert place_of(found["rotation_routed"], document)


def test_balanced_pairs_need_no_more_sets_than_pass() -> None:
    """Planes of seven points: any two questions in one of seven sets, three asked of each person."""
    lines = tuple(sorted(tuple(sorted((start + step) % 7 for step in (0, 1, 3))) for start in range(7)))
    found = found_in(part(7, 3, booklets=lines))
    assert {"own_combination", "booklets_unbalanced", "few_together"}.isdisjoint(found)
    assert "28 of the 35 sets of three" in found["never_together"].message
    assert set(itertools.chain.from_iterable(lines)) == set(range(7))
