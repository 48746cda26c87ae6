"""The page that tests rules from elsewhere."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from surveys.models import RuleRow, Run
from tests.cast.runs import alice, answered, mined

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def run(client: Client) -> Run:
    client.force_login(alice())
    return mined(answered())


def test_the_rules_of_a_file_are_tested_here_and_nothing_is_kept(client: Client, run: Run) -> None:
    page = reverse("report:brought_rules", args=[run.pk])
    empty = client.get(page).content.decode()
    assert 'aria-current="page">Rules from elsewhere' in empty
    assert "rules hold here" not in empty
    file = SimpleUploadedFile(
        "rules.csv",
        b'"rules","support"\n"{late} => {cheat}",0.2\n"{late} => {drink}",0.1\n"{x} => {y}",0.1\n',
    )
    answer = client.post(page, {"file": file})
    text = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", answer.content.decode()))
    assert answer.status_code == 200
    assert "1 of 2 rules holds here" in text
    assert "corrected for 2 rules" in text
    assert "Line 4: This survey has no answer “x”." in text
    first, second = answer.context["table"].lines
    assert (first.antecedent, first.consequent, first.holds) == ("late", "cheat", True)
    assert (second.consequent, second.holds, second.confidence is None) == ("drink", False, False)
    assert "Each interval is of 97.50 %" in text
    assert "Each list is another look at the same answers" in text
    assert "suggested these rules" not in text


def test_what_this_survey_suggested_it_cannot_confirm(client: Client, run: Run) -> None:
    file = b"".join(client.get(reverse("report:rules_csv", args=[run.pk])).streaming_content)
    page = reverse("report:brought_rules", args=[run.pk])
    answer = client.post(page, {"file": SimpleUploadedFile("rules.csv", file)})
    assert answer.context["table"].from_here
    assert len(answer.context["table"].lines) == RuleRow.objects.filter(run=run).count()
    assert not answer.context["table"].others
    assert "cannot confirm it" in answer.content.decode()


def test_a_list_without_rules_is_refused_with_a_remedy(client: Client, run: Run) -> None:
    page = reverse("report:brought_rules", args=[run.pk])
    for given, said in (
        ({}, "The list has no rule."),
        ({"rules": "late => nothing known"}, "This survey has no answer “nothing known”."),
        ({"file": b"\xff\xfe"}, "The file is no text in UTF-8."),
        ({"file": b"a" * 4_000_001}, "The list is too long."),
    ):
        sent = {
            name: SimpleUploadedFile("rules.csv", value) if isinstance(value, bytes) else value
            for name, value in given.items()
        }
        answer = client.post(page, sent)
        assert answer.status_code == 422
        assert said in answer.content.decode()
