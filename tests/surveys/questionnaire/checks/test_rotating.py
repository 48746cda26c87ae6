"""Checks of surveys that ask each person only some questions."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

from privacy.risk.budget import budget
from privacy.risk.constrained_prior import independent
from privacy.risk.leakage import reidentification
from privacy.risk.row_distribution import row_distribution
from privacy.survey.booklets import Booklet
from privacy.survey.design import Block, Condition, Design, GroupPolicy, Rotation
from surveys.authoring.api import place_of
from surveys.policy import MOST_COMPARED, UNIQUE_AMONG
from surveys.questionnaire.checks.check import check_definition, check_rotating
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.document import Finding, Level
from tests.fixtures.checked_surveys import (
    CEILINGS,
    findings_of,
    protected,
    survey_of,
    unprotected,
    yes_no,
)
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
    assert "of 1000 people, about 938 would have" in found.message
    assert "up to 434 combinations" in found.remedy
    opened_too = found_in(opened("you", *(question(f"o{n}") for n in range(6))), part(10, 4))
    assert "of 1000 people, about 928" in opened_too["own_combination"].message


def test_the_ceiling_counts_the_parts_of_a_rotation_that_tell_most() -> None:
    definition = definition_parse(rotating_document())
    # ε 3.00 of the ten, and of three short parts two with ε .69 each.
    assert round(budget(definition.design).epsilon, 2) == 4.39
    (survey,) = [
        one for one in check_definition(definition, ceilings=CEILINGS) if one.code == "survey_epsilon"
    ]
    assert "(“ten” 3.00, “home” 0.69, “work” 0.69) can together reveal up to ε 4.39" in survey.message


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
    assert {"own_combination", "few_together"}.isdisjoint(found)
    assert "28 of the 35 sets of three" in found["never_together"].message
    assert set(itertools.chain.from_iterable(lines)) == set(range(7))


def test_many_questions_far_from_what_is_expected_are_warned_of_with_the_worst_named() -> None:
    # Ten items of prevalence .1 at p = theta = 1/2: 73.6% of the true rows are recognised.
    asked = [yes_no(f"q{n}", prevalence=1000) for n in range(9)] + [yes_no("rare", prevalence=800)]
    (found,) = [one for one in findings_of(protected("b", *asked)) if one.code == "far_from_expected"]
    assert found.level is Level.WARN
    assert found.path == "blocks[0].questions[9]"
    block = survey_of(protected("b", *asked)).design.blocks[0]
    prevalence = {question["key"]: question["prevalence"] for question in asked}
    share = reidentification(row_distribution(independent(block, prevalence))).truthful[-1]
    assert f"{100 * share:.0f} of 100" in found.message
    assert "rare" in found.message


def test_the_p_of_the_warning_is_the_largest_that_passes() -> None:
    asked = [yes_no(f"q{n}", prevalence=500) for n in range(6)]
    (found,) = [one for one in findings_of(protected("b", *asked, p=3000)) if one.code == "far_from_expected"]
    share = float(re.fullmatch(r"set p to at most (.*)%, or ask fewer .*", found.remedy)[1])  # type: ignore[index]
    for p, passes in ((round(100 * share), True), (round(100 * share) + 1, False)):
        codes = [one.code for one in findings_of(protected("b", *asked, p=p))]
        assert ("far_from_expected" not in codes) is passes
    (one,) = [one for one in findings_of(protected("b", asked[0], p=9990)) if one.code == "far_from_expected"]
    assert "because random answers to q0 differ from" in one.message


def choose(key: str, options: int) -> dict[str, object]:
    return {
        "key": key,
        "kind": "single",
        "text": {"en": "Which?"},
        "options": [{"key": f"o{n}", "text": {"en": str(n)}} for n in range(options)],
    }


def test_open_questions_that_make_many_people_unique_are_warned_of() -> None:
    you = unprotected("you", choose("a", 20), choose("b", 20), choose("c", 10))
    (found,) = findings_of(you, protected("b1", yes_no("lie")))
    # 1000 (1 - 1/4000)^999 = 779.
    assert (found.code, found.level) == ("unique_open", Level.WARN)
    assert "(“Which?”, “Which?”, “Which?”) have 4,000 combinations" in found.message
    assert f"of {UNIQUE_AMONG} people, about 779" in found.message
    assert "answers directly" not in found.message
    # 1000 (1 - 1/C)^999 is at most 50 up to C = 333.
    assert "up to 333 combinations" in found.remedy
    (found,) = findings_of(you, protected("b1", yes_no("lie")), group={"policy": "choice"})
    assert "answers directly" in found.message


def test_a_few_coarse_open_questions_pass() -> None:
    you = unprotected("you", choose("a", 5), choose("b", 5))
    assert findings_of(you, protected("b1", yes_no("lie"))) == []


def test_more_drawn_answers_than_are_compared_are_told_and_cost_no_comparison() -> None:
    """The limit is checked first: with one question more, far from the expected draws, none is compared."""

    asked = [yes_no(f"q{n}", prevalence=1000) for n in range(MOST_COMPARED + 1)]
    blocks = [protected(f"b{n}", *asked[n : n + 10]) for n in range(0, MOST_COMPARED + 1, 10)]

    codes = [one.code for one in findings_of(*blocks[:-1])]
    assert codes.count("far_from_expected") == MOST_COMPARED / 10
    assert "not_compared" not in codes
    found = findings_of(*blocks)
    assert "far_from_expected" not in [one.code for one in found]
    (told,) = [one for one in found if one.code == "not_compared"]
    assert (told.level, told.path) == (Level.WARN, "")
    assert (
        f"draws {MOST_COMPARED + 1} independently, and at most {MOST_COMPARED} can be compared"
        in told.message
    )


def test_a_choice_of_one_counts_once_and_of_several_for_each_answer() -> None:
    def codes(kind: str) -> list[str]:
        shares = [1000] * 10
        asked = [
            {**choose(f"q{n}", 10), "kind": kind, "prevalence": shares, "unrelated": shares}
            for n in range(MOST_COMPARED // 10 + 1)
        ]
        return [one.code for one in findings_of(protected("b", *asked, p=1000))]

    assert "not_compared" not in codes("single")
    assert "not_compared" in codes("multi")
