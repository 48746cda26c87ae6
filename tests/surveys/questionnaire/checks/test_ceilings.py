"""Limits of epsilon, and remedies that meet them."""

import math
import re
from typing import Any

import pytest

from privacy.risk.budget import block_budget, budget
from privacy.survey.design import Block
from surveys.questionnaire.checks.ceilings import (
    Ceiling,
    fewest_left_out,
    largest_common_truth_probability,
    largest_truth_probability,
    site_ceilings,
)
from surveys.questionnaire.checks.check import check_definition
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.findings import Level
from surveys.questionnaire.waves import WaveLine
from tests.fixtures.checked_surveys import (
    CEILINGS,
    findings_of,
    protected,
    several,
    survey_of,
    unprotected,
    yes_no,
)
from tests.fixtures.rotating_drafts import rotating_document


def block_of(count: int, *, p: int = 5000) -> Block:
    return survey_of(protected("b", *(yes_no(f"q{n}") for n in range(count)), p=p)).design.blocks[0]


@pytest.mark.parametrize(
    ("epsilon", "level"), [(2.9, None), (3.0, None), (3.01, Level.WARN), (6.01, Level.REFUSE)]
)
def test_ceilings_allow_values_up_to_and_including_the_limit(epsilon: float, level: Level | None) -> None:
    assert Ceiling(warn=3, refuse=6).level(epsilon) is level


def test_the_largest_allowed_p_matches_the_formula() -> None:
    # (gamma - 1) q / (1 + (gamma - 1) q) with gamma = 19 and q = 1/32: 18/50 = .36.
    block = block_of(5)
    largest = largest_truth_probability(block, math.log(19))
    assert largest == 3600
    assert largest_truth_probability(block, math.log(18.9)) < 3600


def test_a_block_above_the_ceiling_is_refused_with_working_remedies() -> None:
    # Ten questions at p = 1/2: gamma 1,025, epsilon 6.93.
    asked = [yes_no(f"q{n}") for n in range(10)]
    (found,) = [one for one in findings_of(protected("b", *asked)) if one.code == "block_epsilon"]
    assert found.level is Level.REFUSE
    assert found.path == "blocks[0]"
    assert (
        found.message == "part “b” can reveal up to ε 6.93: above 6.00 a live survey needs a written reason"
    )
    # e^6 - 1 = 402.43 and q = 1/1024: p <= .28211.
    assert found.remedy == "set p to at most 28.21%"
    assert not [one for one in findings_of(protected("b", *asked, p=2821)) if one.is_refusal]
    assert [one for one in findings_of(protected("b", *asked, p=2822)) if one.is_refusal]


def test_blocks_above_the_ceiling_together_are_refused_with_working_remedies() -> None:
    blocks = [protected(f"b{n}", *(yes_no(f"q{n}{m}") for m in range(3)), p=5000) for n in range(4)]
    found = {one.code: one for one in findings_of(*blocks)}
    assert found["survey_epsilon"].level is Level.REFUSE
    # Four blocks have 4 ln 9 = 8.79, two have 4.39.
    assert "8.79" in found["survey_epsilon"].message
    assert "in “b0”, “b1”, “b2”, “b3”, or leave out “b0”, “b1”" in found["survey_epsilon"].remedy
    design = survey_of(*blocks).design
    placed = [("", block) for block in design.blocks]
    most = largest_common_truth_probability(placed, 6)
    # e^1.5 = 1 + 8 p/(1-p): p = 3.48/(8 + 3.48).
    assert most == int(10_000 * (math.e**1.5 - 1) / (8 + math.e**1.5 - 1))
    assert [block.key for block in fewest_left_out(placed, 6)] == ["b0", "b1"]
    mended = [{**block, "truth_probability": most} for block in blocks]
    assert "survey_epsilon" not in {one.code for one in findings_of(*mended) if one.is_refusal}


def test_repeated_wordings_of_one_question_trigger_the_epsilon_warning() -> None:
    # 5 ln 3 = 5.49 turns 50:50 into 243 of 244.
    (found,) = findings_of(*(protected(f"b{n}", yes_no(f"lie{n}"), p=5000) for n in range(5)))
    assert (found.code, found.level) == ("survey_epsilon", Level.WARN)
    assert "leave out “b0”, “b1”, “b2”" in found.remedy
    assert found.message.endswith("reveal up to ε 5.49: we recommend at most 2.94")
    pair = [protected(f"b{n}", yes_no(f"q{n}"), yes_no(f"r{n}"), p=5000) for n in range(2)]
    (found,) = findings_of(*pair)
    assert found.remedy.endswith("or leave out “b0”")


def test_open_questions_and_direct_answers_do_not_count_towards_epsilon() -> None:
    open_block = unprotected("you", several("pets", "cat", "dog"))
    blocks = (open_block, protected("b", yes_no("lie")))
    assert findings_of(*blocks, group={"policy": "choice"}) == []
    assert budget(survey_of(*blocks).design).epsilon == pytest.approx(math.log(3))


def wave(slug: str, epsilon: float, most: float | None = None) -> WaveLine:
    return WaveLine(slug=slug, title=slug, epsilon=epsilon, most=most or epsilon)


def test_a_wave_is_refused_when_the_series_exceeds_the_ceiling() -> None:
    block = protected("b", yes_no("lie"))
    assert findings_of(block, series="panel") == []
    (found,) = findings_of(block, series="panel", waves=(wave("first", 3.0), wave("second", 2.5)))
    assert (found.code, found.level, found.path) == ("series_epsilon", Level.REFUSE, "series")
    assert "first (3.00), second (2.50)" in found.message
    assert "6.60" in found.message
    # The remaining .5 allows p = (e^.5 - 1)/2 / (1 + (e^.5 - 1)/2) = .2449.
    assert "at most 24.49%" in found.remedy
    assert block_budget(block_of(1, p=2449)).epsilon <= 0.5 < block_budget(block_of(1, p=2450)).epsilon


def test_an_exhausted_series_suggests_asking_different_people() -> None:
    (found,) = findings_of(protected("b", yes_no("lie")), series="panel", waves=(wave("first", 12.5),))
    assert found.remedy == ("ask different people from those in the earlier waves, and remove the series")


def test_remedies_name_parts_by_title_and_only_adjustable_settings() -> None:
    """Numbers have no p, and parts that keep their p are not named."""
    hours = {
        "key": "hours", "kind": "number", "text": {"en": "How many hours?"},
        "number": {"mechanism": "keep", "low": 0, "high": 59, "bin": 10, "epsilon": 4},
    }  # fmt: skip
    number = {"key": "time", "protected": True, "title": {"en": "Your time"}, "questions": [hours]}
    work = {**protected("work", yes_no("late"), yes_no("lie"), p=6000), "title": {"en": "At work"}}
    home = {**protected("home", yes_no("shout"), p=500), "title": {"en": "At home"}}
    found = {one.code: one for one in findings_of(number, work, home)}
    assert found["block_epsilon"].message.startswith("part “Your time” can reveal up to ε ")
    told = found["survey_epsilon"]
    assert told.message.startswith("all protected parts together (“Your time” ")
    mended = re.fullmatch(
        r"set p to at most (.*)% in “At work”, or leave out “Your time”, "
        r"or set ε to at most (.*) in “Your time”",
        told.remedy,
    )
    assert mended
    for blocks in (
        (number, {**work, "truth_probability": round(100 * float(mended[1]))}, home),
        (work, home),
        (_with_epsilon(number, float(mended[2])), work, home),
    ):
        assert "survey_epsilon" not in {one.code for one in findings_of(*blocks) if one.level is told.level}


def _with_epsilon(part: dict[str, Any], epsilon: float) -> dict[str, Any]:
    (question,) = part["questions"]
    return {**part, "questions": [{**question, "number": {**question["number"], "epsilon": epsilon}}]}


def test_the_shipped_ceilings_equal_those_used_in_these_tests() -> None:
    assert site_ceilings() == CEILINGS


def test_the_ceiling_counts_the_most_revealing_rotating_blocks() -> None:
    definition = definition_parse(rotating_document())
    # The ten questions have ε 3.00, and two of the three short parts ε .69 each.
    assert round(budget(definition.design).epsilon, 2) == 4.39
    (survey,) = [
        one for one in check_definition(definition, ceilings=CEILINGS) if one.code == "survey_epsilon"
    ]
    assert "(“ten” 3.00, “home” 0.69, “work” 0.69) can together reveal up to ε 4.39" in survey.message
