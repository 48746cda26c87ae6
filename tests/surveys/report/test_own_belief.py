"""A prior belief entered on the page of risks: the odds of the audit, and refusals."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from surveys.accounts.permissions import Role
from surveys.accounts.tokens import page_share
from surveys.authoring.publish import survey_import
from surveys.estimates.audit import audited_survey
from surveys.models import SharedPage, Survey
from surveys.report.audit import posteriors
from tests.fixtures.runs import definition
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey() -> Survey:
    return survey_import(definition(policy="protected"), by="alice")


def after(likelihood: float, before: float) -> float:
    odds = likelihood * before / (1 - before)
    return 100 * odds / (1 + odds)


def test_one_answer_and_everything_multiply_the_odds_by_those_of_the_promise(survey: Survey) -> None:
    audited = audited_survey(survey)
    assert audited is not None
    for before in ("10", "0.5", "99"):
        form, found = posteriors(audited, {"before": before})
        assert form.is_valid()
        # One answer: 1 + .7 / (.3 x .5). Everything: that, and 1 + .6 / (.4 x .5 x .4) of the other part.
        limits = (17 / 3, 17 / 3 * 8.5)
        assert [100 * posterior for _title, posterior in found] == pytest.approx(
            [after(odds, float(before) / 100) for odds in limits]
        )


def test_the_page_asks_answers_and_refuses_and_an_address_shows_none_of_it(
    client: Client, survey: Survey
) -> None:
    owner = member("ana", Role.RESEARCHER)
    Survey.objects.filter(pk=survey.pk).update(owner=owner)
    client.force_login(owner)
    address = reverse("audit:risk", args=[survey.slug])
    assert "at most this sure afterwards" not in client.get(address).content.decode()
    page = client.get(address, {"before": "10"})
    assert page.status_code == 200
    assert re.search(r"Everything one device sends</th><td class=\"num\">[\d.]+%", page.content.decode())
    for wrong in ("0", "100", "often", ""):
        page = client.get(address, {"before": wrong})
        assert (page.status_code, 'class="error"' in page.content.decode()) == (422, True)
    _shared, token = page_share(survey, SharedPage.Kind.RISK, days=7, by="ana", now=timezone.now())
    answer = Client().get(reverse("shared:risk", args=[token]), {"before": "10"})
    assert "Try your own numbers" not in answer.content.decode()
