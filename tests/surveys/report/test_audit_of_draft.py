"""The audit of a draft: from stated values, before the first respondent answers."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from surveys.authoring.draft_state import budget_state
from surveys.authoring.publish import survey_import
from surveys.questionnaire.draft_reading import draft_read
from tests.fixtures.runs import definition
from tests.fixtures.scale_runs import lit, scale_definition

pytestmark = pytest.mark.django_db

ADDRESS = "/en/staff/surveys/habits/audit/"


def text_of(client: Client) -> str:
    return " ".join(client.get(ADDRESS).content.decode().split())


def test_a_draft_is_audited_before_it_is_published(admin_client: Client) -> None:
    document = definition()
    document["blocks"][1]["exclusive"] = [["late", "cheat"]]
    survey = survey_import(document, by="alice")
    text = text_of(admin_client)
    # 1 + .6/(.4 * .5 * .4) for the two questions at work.
    assert '<td class="num">8.5</td>' in text
    assert "possible answer" in text
    assert "random answers of part work that cannot be true</dt><dd>20%</dd>" in text
    # The builder's own display of the risk includes it too.
    work, _life = budget_state(draft_read(survey))["blocks"]
    assert work["together"]["sets"] == [[[0, 0], [1, 0]]]
    publishing = admin_client.get(reverse("authoring:publish", args=["habits"])).content.decode()
    assert ADDRESS in publishing


def test_numbers_and_places_have_the_limits_of_both_strengths(admin_client: Client) -> None:
    survey_import(lit(scale_definition("lit", light=True, everywhere=True)), by="alice")
    text = admin_client.get("/en/staff/surveys/lit/audit/").content.decode()
    table = text.partition('id="scales-title"')[2].partition("</table>")[0]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in table.split("</tr>")[1:-1]]
    lightly = ' <span class="soft">lightly disguised</span>'
    assert [(row[0], row[3]) for row in rows] == [
        ("hours", "3"),
        ("wage", "3"),
        ("care", "5"),
        (f"hours{lightly}", "3.5"),
        (f"wage{lightly}", "3.5"),
        (f"care{lightly}", "5.5"),
    ]


def test_a_draft_that_cannot_be_read_has_no_audit(admin_client: Client) -> None:
    survey = survey_import(definition(), by="alice")
    survey.definition = {**survey.definition, "title": {}}
    survey.save()
    assert "Complete the draft to see its audit" in text_of(admin_client)
