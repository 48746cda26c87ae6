"""The worked example: simulated people who underreport by eight points, from definition to results."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.management.commands import demo
from surveys.management.commands.demo import COPIED, INVENTED, SHY, experiment_answer
from surveys.models import Receipt, Run, Survey
from surveys.questionnaire.definition import definition_parse
from surveys.runs.arm_results import ArmResults, arm_results
from tests.fixtures.devices import closed, shipped_definition
from tests.fixtures.runs import mined_run
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


def example(n: int) -> ArmResults:
    survey = survey_import(shipped_definition("templates/experiment"), by="alice")
    version = survey_publish(survey, by="alice", now=timezone.now(), is_readable_seen=True)
    experiment_answer(version, people=n, say=lambda text: None)
    run = mined_run(closed(version))
    results = arm_results(run, "group")
    told = arm_results(run, "explanation")
    p_value = told.effects.joint.p_value
    assert p_value is not None
    assert p_value > 1e-4
    assert results.share_p_value > 1e-4
    return results


def test_the_shipped_experiment_parses_in_both_languages_with_both_groupings() -> None:
    definition = definition_parse(shipped_definition("templates/experiment"))
    assert definition.languages == ("en", "zh-hans")
    assert definition.design.has_two_strengths
    assert len(definition.design.arms) == 1


def test_the_command_creates_the_example_once_and_prints_its_url(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Any, capsys: Any
) -> None:
    settings.SOTTOVOCE_HOME = tmp_path
    monkeypatch.setattr(demo, "EXPERIMENT_PEOPLE", 250)
    for _time in range(2):
        call_command("demo", "--experiment", "--address", "http://sottovoce.example/")
        (run,) = Run.objects.all()
        said = capsys.readouterr().out
        assert f"http://sottovoce.example/en/staff/runs/{run.pk}/compare/?by=arms/group" in said
    assert run.version.survey.practice
    assert run.version.aim["expected"] == {"copied": "deny", "invented": "deny"}
    assert run.n == 250


@pytest.mark.parametrize(("practice", "owned"), [(False, False), (False, True), (True, True)])
def test_the_demo_never_answers_an_existing_survey(practice: bool, owned: bool) -> None:
    document = shipped_definition("templates/experiment", slug=demo.EXPERIMENT_SLUG) | {"practice": practice}
    survey = survey_import(document, by="alice")
    if owned:
        Survey.objects.update(owner=member("ana", Role.RESEARCHER))
    survey_publish(survey, by="alice", now=timezone.now(), is_readable_seen=True)
    with pytest.raises(CommandError, match=demo.EXPERIMENT_SLUG):
        call_command("demo", "--experiment")
    survey.refresh_from_db()
    assert survey.state == Survey.State.OPEN
    assert not Receipt.objects.exists()


@pytest.mark.soak
def test_estimates_of_the_example_cover_the_simulated_effect() -> None:
    # Within five standard errors; with more people, below, the effect is detected.
    results = example(800)
    effects = results.effects
    for group, light in enumerate((0, 1)):
        assert abs(effects.shares[group, 0] - (COPIED - SHY * light)) < 5 * effects.errors[group, 0]
        assert abs(effects.shares[group, 1] - INVENTED) < 5 * effects.errors[group, 1]
    assert abs(effects.differences[0, 1]) < 5 * effects.difference_errors[0, 1]


@pytest.mark.soak
def test_six_thousand_people_reveal_an_eight_point_effect() -> None:
    # The power is .9, and this seed detects the effect.
    results = example(6_000)
    low, high = results.effects.interval(1, 0)
    assert low < -SHY < high < 0
