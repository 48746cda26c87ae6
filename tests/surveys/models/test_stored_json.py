"""Stored JSON carries its format; an unknown one is refused by name, in its place, and is never lost."""

import json
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import JSONField
from django.test import Client
from django.urls import reverse

from surveys.accounts.roles import Role
from surveys.errors.error import SurveyError
from surveys.models import DraftRevision, Run, Survey
from surveys.models.stored_json import MEMBER, StoredJSON, UnreadableJSON, unreadable
from surveys.report.rules.waiting_rules import waiting_rules
from tests.fixtures.drafts import new_draft
from tests.fixtures.runs import answered_version, mined_run, published
from tests.fixtures.staff import browser_of

pytestmark = pytest.mark.django_db

SAYS = "This program does not know format 99 of"

WITHOUT_A_NUMBER = {
    "AuditEvent.detail": "a flat record for people; nothing computes from it",
    "Beat.says": "replaced by each heartbeat",
    "SchemaRecord.digests": "its row carries the format of the database",
    "Survey.title": "texts by language",
    "Survey.known_truth": "only of simulated surveys: shares by itemset",
    "Version.design": "carries its own version, which is part of its digest",
    "Version.wording": "read by devices; its digest is published",
    "Version.definition": "carries the number of the definition format",
    "Version.promises": "read by devices; its digest is published",
    "PublishOverride.findings": "printed as they were",
    "RuleInference.interest": "values by the name of their measure",
}
"""JSON columns that carry no format number, and why."""


def stored(row: Any, name: str) -> Any:
    field = row._meta.get_field(name)
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT "{field.column}" FROM {row._meta.db_table} WHERE id = %s', [row.pk])
        (text,) = cursor.fetchone()
    return json.loads(text)


def plant(row: Any, name: str, document: object) -> None:
    field = row._meta.get_field(name)
    with connection.cursor() as cursor:
        cursor.execute(
            f'UPDATE {row._meta.db_table} SET "{field.column}" = %s WHERE id = %s',
            [json.dumps(document), row.pk],
        )


def test_every_json_column_carries_a_format_or_says_why_not() -> None:
    without = {
        f"{model.__name__}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.local_fields
        if isinstance(field, JSONField) and not isinstance(field, StoredJSON)
    }
    assert without == set(WITHOUT_A_NUMBER)


def test_documents_carry_a_number_that_readers_do_not_see() -> None:
    survey = new_draft()
    assert stored(survey, "definition")[MEMBER] == 1
    assert MEMBER not in Survey.objects.get().definition
    assert MEMBER not in DraftRevision.objects.values_list("definition", flat=True)[0]
    assert Survey.objects.get().aim is None


def test_documents_stored_before_they_carried_a_number_are_read() -> None:
    survey = new_draft()
    before = survey.definition
    plant(survey, "definition", before)
    assert Survey.objects.get().definition == before


@pytest.mark.parametrize("number", [0, 2, 99, -1, "1", None, True, 1.5])
def test_unknown_formats_are_refused_by_every_use(number: object) -> None:
    document = StoredJSON(kind="result").read({MEMBER: number, "n": 3})
    assert isinstance(document, UnreadableJSON)
    assert "the result of this analysis" in unreadable({}, document)
    for use in (
        lambda: document["n"],
        lambda: document.get("n"),
        lambda: "n" in document,
        lambda: list(document),
        lambda: bool(document),
        lambda: len(document),
        lambda: {**document},
        lambda: document | {},
        lambda: dict(document.items()),
        lambda: json.dumps(document),
        lambda: document.copy(),
    ):
        with pytest.raises(SurveyError, match="does not know format") as refusal:
            use()
        assert refusal.value.code == "stored_format"


def test_an_unreadable_document_survives_saving_its_row() -> None:
    survey = new_draft()
    plant(survey, "aim", {MEMBER: 99, "later": [1]})
    again = Survey.objects.get()
    again.revision += 1
    again.save()
    assert stored(survey, "aim") == {MEMBER: 99, "later": [1]}


def test_members_are_selected_without_the_number() -> None:
    run = mined_run(answered_version())
    assert Run.objects.values_list("parameters__max_size", flat=True)[0] == run.thresholds.max_size
    assert Run.objects.filter(summary__has_key="inference").exists()


@pytest.mark.parametrize(("name", "page"), [("parameters", "about"), ("summary", "results")])
@pytest.mark.few("summary-results", why="the others execute nothing more")
def test_pages_about_several_runs_name_the_unreadable_one_in_its_place(name: str, page: str) -> None:
    version = answered_version()
    good, bad = mined_run(version), mined_run(version)
    plant(bad, name, {MEMBER: 99})
    client = browser_of("alice", Role.REVIEWER, Role.ADMINISTRATOR)
    addresses = ("/en/staff/", "/en/staff/surveys/habits/", "/en/staff/surveys/habits/export-data/")
    for address in (*addresses, "/en/admin/surveys/rulerow/", "/en/staff/review/"):
        response = client.get(address)
        assert response.status_code == 200, address
        if address != "/en/staff/":
            assert SAYS in response.content.decode(), address
    assert [one.rules for one in waiting_rules(Survey.objects.all())] == [()]
    assert client.get(f"/en/staff/runs/{good.pk}/results/").status_code == 200
    response = client.get(f"/en/staff/runs/{bad.pk}/{page}/")
    assert (response.status_code, SAYS in response.content.decode()) == (409, True)
    assert "Nothing was changed or lost" in response.content.decode()


@pytest.mark.parametrize("name", ["definition", "aim"])
def test_the_page_of_a_survey_names_an_unreadable_draft(name: str) -> None:
    survey = new_draft()
    plant(survey, name, {MEMBER: 99})
    client = browser_of("root", Role.RESEARCHER, Role.ADMINISTRATOR)
    response = client.get("/en/staff/surveys/work/")
    assert (response.status_code, SAYS in response.content.decode()) == (200, True)
    builder = client.get("/en/staff/surveys/work/build/")
    assert (builder.status_code, SAYS in builder.content.decode()) == (409, True)


def test_respondents_pages_do_not_depend_on_drafts_and_plans(client: Client) -> None:
    version = published("open")
    address = reverse("respond:page", args=[version.survey.slug])
    before = client.get(address)
    for name in ("definition", "aim"):
        plant(version.survey, name, {MEMBER: 99})
    after = client.get(address)
    assert (after.status_code, after.content) == (200, before.content)
