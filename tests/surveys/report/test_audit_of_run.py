"""The audit page of a run: which values it shows and hides, and which users it refuses."""

import pytest
from django.test import Client

from surveys.estimates.audit import audit_of_run
from surveys.models import Run
from surveys.questionnaire.schedule import survey_join_series
from surveys.templatetags.audits import number, percent
from tests.fixtures.runs import alice, answered, asked, audited, mined

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(alice())
    return client


def test_a_run_shows_the_audit_that_it_stored(reader: Client) -> None:
    run = audited(mined(answered(800, n_direct=160)))
    response = reader.get(f"/en/staff/runs/{run.pk}/audit/")
    text = response.content.decode()
    audit = audit_of_run(run)
    assert audit is not None
    surest = max(audit.items, key=lambda item: item.worst)
    assert response.status_code == 200
    for shown in (
        percent(max(block.unmixing.highest for block in audit.blocks)),
        surest.key,
        number(audit.epsilon),
        *(one.key for one in audit.blocks),
    ):
        assert shown in text
    assert "whole rows" in text


def test_the_file_has_the_figures_of_the_page(reader: Client) -> None:
    run = audited(mined(answered(800, n_direct=160)))
    response = reader.get(f"/en/staff/runs/{run.pk}/audit.json")
    audit = audit_of_run(run)
    assert audit is not None
    assert response.json() == {"run": run.pk, "survey": "habits", "audit": audit.to_json()}
    assert "attachment" in response.headers["Content-Disposition"]


def test_a_run_that_is_not_over_leads_to_its_page(reader: Client) -> None:
    run = asked(answered(slug="waiting"))
    response = reader.get(f"/en/staff/runs/{run.pk}/audit/")
    assert (response.status_code, response.headers["Location"]) == (302, f"/en/staff/runs/{run.pk}/")
    assert reader.get(f"/en/staff/runs/{run.pk}/audit.json").status_code == 404


@pytest.mark.parametrize("stored", [None, {"when": "another version wrote this"}])
def test_a_run_without_a_readable_audit_says_so(reader: Client, stored: object) -> None:
    run = mined(answered())
    Run.objects.filter(pk=run.pk).update(summary=run.summary | {"audit": stored})
    text = reader.get(f"/en/staff/runs/{run.pk}/audit/").content.decode()
    assert "This run has no audit" in text
    assert reader.get(f"/en/staff/runs/{run.pk}/audit.json").status_code == 404


def test_strangers_see_no_audit(client: Client) -> None:
    run = mined(answered())
    assert client.get(f"/en/staff/runs/{run.pk}/audit/").status_code == 302


def test_a_report_says_what_the_series_costs_that_its_survey_belongs_to(reader: Client) -> None:
    version = answered(200, n_direct=0, slug="first")
    other = answered(200, n_direct=0, slug="second")
    for survey in (version.survey, other.survey):
        survey_join_series(survey, "panel")
    run = audited(mined(version))
    text = reader.get(f"/en/staff/runs/{run.pk}/about/").content.decode()
    # Twice ln(1 + .6/(.4 * .2)) + ln(1 + .7/(.3 * .5)).
    assert "answered all 2 surveys of the series panel revealed at most ε 7.75 in total" in text
    text = reader.get(f"/en/staff/runs/{run.pk}/audit/").content.decode()
    assert "epsilon over 2 waves" in text
    assert '<th scope="row">work</th>' in text
