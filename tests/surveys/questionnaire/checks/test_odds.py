"""The odds of one question: refused, warned of, mended, and no matter of parts of one question."""

from __future__ import annotations

from fractions import Fraction
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from privacy.risk.budget import budget, question_odds
from privacy.survey.block import Block
from privacy.survey.question import Question
from surveys.authoring.publish import survey_import, survey_publish
from surveys.models import AuditEvent
from surveys.questionnaire.checks import Level
from surveys.questionnaire.checks.odds import check_odds, largest_truth_probability_at_odds
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.problems import DefinitionError
from surveys.questionnaire.recommended import recommended
from tests.cast.checked_surveys import CEILINGS, document_of, findings_of, protected, yes_no


def rotating(p: int, *, per_person: int = 2, count: int = 10, **more: Any) -> dict[str, Any]:
    asked = [yes_no(f"q{number}") for number in range(count)]
    return protected("b", *asked, p=p, questions_per_person=per_person, **more)


def odds_of(*blocks: dict[str, Any]) -> list[tuple[Level, str, str]]:
    return [
        (one.level, one.message, one.remedy) for one in findings_of(*blocks) if one.code == "question_odds"
    ]


def test_up_to_the_recommendation_nothing_is_said() -> None:
    assert odds_of(rotating(8000)) == []


def test_above_it_a_warning_says_what_one_answer_tells_and_a_p_that_passes() -> None:
    ((level, message, remedy),) = odds_of(rotating(8001))
    assert level is Level.WARN
    assert "right up to 91 of 100 times where the chance was even (odds 9.0)" in message
    assert "we recommend odds of 9 at most" in message
    assert remedy == "set p to at most 80 %"


def test_above_the_other_ceiling_it_is_refused_though_epsilon_is_below_its_own() -> None:
    # ln(1 + .985/.015 * 4) = 5.57 is below 6; (1 + p)/(1 - p) = 132.
    document = document_of(rotating(9850))
    assert 5 < budget(definition_parse(document).design).epsilon < 6
    ((level, message, remedy),) = odds_of(rotating(9850))
    assert level is Level.REFUSE
    assert "above odds of 99 a live survey needs a written reason" in message
    assert "99.25 of 100" in message
    assert remedy == "set p to at most 98 %"
    assert odds_of(rotating(9800))[0][0] is Level.WARN


def test_rare_drawn_answers_are_the_other_remedy() -> None:
    part = protected("b", yes_no("lie", theta=500), yes_no("steal"), p=4000)
    # 1 + .4/(.6 * .05) = 14.3; drawn evenly 2.3.
    ((_level, message, remedy),) = odds_of(part)
    assert "odds 14.3" in message
    assert remedy.endswith("draw all of its answers equally often: then the odds are 2.3")


def test_a_part_of_one_question_is_judged_by_its_epsilon() -> None:
    assert odds_of(protected("b", yes_no("lie"), p=9000)) == []


@given(st.integers(1, 9999), st.integers(100, 9900), st.none() | st.integers(1, 9000), st.floats(1.01, 500))
def test_the_largest_p_keeps_the_odds_and_one_step_more_does_not(
    p: int, theta: int, refusal: int | None, most: float
) -> None:
    asked = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(theta,)) for key in "ab")

    def odds(truth: int) -> Fraction:
        found = question_odds(
            Block(
                key="b",
                protected=True,
                truth_probability=truth,
                refusal=refusal,
                asked_if=None,
                questions=asked,
            )
        )
        assert found is not None
        return found

    block = Block(
        key="b", protected=True, truth_probability=p, refusal=refusal, asked_if=None, questions=asked
    )
    share = largest_truth_probability_at_odds(block, most)
    assert odds(share) <= most
    assert share == 9999 or odds(share + 1) > most
    assert bool(list(check_odds([("b", block)], CEILINGS.odds))) == (odds(p) > 9)


def test_the_recommended_design_keeps_both_ceilings() -> None:
    found = recommended(definition_parse(document_of(rotating(8100))), ceilings=CEILINGS)
    assert found is not None
    # At epsilon 3 two of ten questions may have p = 82 %: odds of 10, so it is 80 %.
    assert found.design.blocks[0].truth_probability == 8000
    assert [change.key for change in found.changes] == ["b"]


@pytest.mark.django_db
def test_publishing_is_refused_without_a_reason_and_the_reason_is_logged_with_the_finding() -> None:
    survey = survey_import(document_of(rotating(9850)), by="ana")
    with pytest.raises(DefinitionError, match="odds of 99"):
        survey_publish(survey, by="ana", now=timezone.now())
    with pytest.raises(CommandError, match="odds of 99"):
        call_command("publish", survey.slug, stdout=StringIO())
    version = survey_publish(survey, by="ana", now=timezone.now(), reason="The board asked for two of ten.")
    assert "question_odds" in {one["code"] for one in version.override.findings}
    event = AuditEvent.objects.get(action="survey_publish_override")
    assert "question_odds" in str(event.detail)
