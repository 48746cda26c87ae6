"""The odds of one question: refused, warned of, mended, and no matter of parts of one question."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from privacy.risk.budget import budget
from surveys.authoring.publish import survey_import, survey_publish
from surveys.models import AuditEvent
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.finding import Level
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.problems import DefinitionError
from tests.fixtures.checked_surveys import document_of, findings_of, protected, yes_no


def rotating(p: int, *, per_person: int = 2, count: int = 10, **more: Any) -> dict[str, Any]:
    asked = [yes_no(f"q{number}") for number in range(count)]
    return protected("b", *asked, p=p, questions_per_person=per_person, **more)


def odds_of(*blocks: dict[str, Any], strength: str = "light") -> list[tuple[Level, str, str]]:
    found = findings_of(*blocks, aim=Aim(people=1_000_000, strength=strength))
    return [(one.level, one.message, one.remedy) for one in found if one.code == "question_odds"]


def test_up_to_the_recommendation_nothing_is_said() -> None:
    assert odds_of(rotating(8000)) == []


def test_above_it_a_warning_says_what_one_answer_tells_and_a_p_that_passes() -> None:
    ((level, message, remedy),) = odds_of(rotating(8001))
    assert level is Level.WARN
    assert "one answer to part “b” reveals more than recommended (odds 9.0)" in message
    assert "we recommend odds of 9 at most" in message
    assert remedy == "set p to at most 80 %"


@pytest.mark.parametrize(("strength", "p", "most"), [("medium", 6000, "4"), ("strong", 4000, "2.33")])
def test_what_is_recommended_is_what_the_protection_promises(strength: str, p: int, most: str) -> None:
    assert odds_of(rotating(p), strength=strength) == []
    ((level, message, _remedy),) = odds_of(rotating(p + 1), strength=strength)
    assert level is Level.WARN
    assert f"we recommend odds of {most} at most" in message


def test_above_the_other_ceiling_it_is_refused_though_epsilon_is_below_its_own() -> None:
    # ln(1 + .985/.015 * 4) = 5.57 is below 6; (1 + p)/(1 - p) = 132.
    document = document_of(rotating(9850))
    assert 5 < budget(definition_parse(document).design).epsilon < 6
    ((level, message, remedy),) = odds_of(rotating(9850))
    assert level is Level.REFUSE
    assert "above odds of 99 a live survey needs a written reason" in message
    assert "odds 132.3" in message
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
