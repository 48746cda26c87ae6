"""What respondents were not told."""

import math

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from privacy.risk.amplification import promise
from surveys.accounts.roles import Role
from surveys.authoring.lifecycle import survey_close
from surveys.models import Survey
from surveys.questionnaire.understatements import understatements, understatements_of
from surveys.respondent.client_documents import documents_of
from surveys.server.doctor.diagnosis import CheckContext
from surveys.server.doctor.respondent_promises import pages_state_the_whole_risk
from tests.fixtures.staff import member
from tests.surveys.questionnaire.test_series import NOW, part, publish, published_before

pytestmark = pytest.mark.django_db


def test_staff_of_an_open_survey_are_told_what_its_page_understates(client: Client) -> None:
    older = published_before("one", part("lie", "steal", p=4000, refusal=300), series="")
    # One answer 1 + .4/(.6 .97 .5) = 2.37, a skip 1 + .4/(.6 .03) = 23.2.
    (said,) = understatements(older)
    assert said == (
        "The respondents’ page states at most 71% for one answer; a skip makes at most 96%. "
        "Publish a new version."
    )
    owner = member("ana", Role.RESEARCHER)
    Survey.objects.update(owner=owner)
    client.force_login(owner)
    for name in ("report:survey", "audit:risk"):
        assert said in client.get(reverse(name, args=["one"])).content.decode(), name
    context = CheckContext(address=None, client_digest=None, now=timezone.now())
    (finding,) = pages_state_the_whole_risk(context)
    assert (finding.level.name, said in finding.seen) == ("WARNING", True)
    # A new version states it, although design and wording are the same.
    new = publish(Survey.objects.get())
    assert (new.number, new.design_id, new.wording_id) == (3, older.design_id, older.wording_id)
    assert documents_of(new).root != documents_of(older).root
    assert understatements_of(Survey.objects.get()) == []
    (finding,) = pages_state_the_whole_risk(context)
    assert finding.level.name == "OK"
    assert said not in client.get(reverse("report:survey", args=["one"])).content.decode()


def test_no_one_is_told_about_pages_that_understate_nothing() -> None:
    assert understatements(published_before("one", part("lie", refusal=None), series="")) == []
    # A skip that reveals less than one answer: 1 + .5/(.5 .6) = 2.67, and 1 + .5/(.5 .4 .5) = 6.
    assert understatements(published_before("two", part("lie", refusal=6000), series="")) == []
    closed = published_before("three", part("lie", refusal=300), series="")
    assert understatements_of(closed.survey) != []
    survey_close(closed.survey, now=NOW, by="ana", at_once=True)
    assert understatements_of(Survey.objects.get(slug="three")) == []


def test_waves_that_were_published_before_without_a_total_are_told() -> None:
    first = published_before("one", part("lie", refusal=None))
    published_before("two", part("lie", refusal=None))
    (said,) = understatements(first)
    own = promise(first.to_design())
    assert own is not None
    assert said == (
        "The respondents’ page states at most 75% for everything sent; all 2 surveys of its series together "
        f"make at most {math.ceil(100 * 9 / 10)}%. Publish a new version."
    )
