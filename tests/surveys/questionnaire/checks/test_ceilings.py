"""Limits of epsilon, and remedies that meet them."""

import math
import re
from typing import Any

import pytest

from privacy.risk.budget import block_budget, budget
from privacy.survey.design import Block
from surveys.questionnaire.aim import Aim
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
    document_of,
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
