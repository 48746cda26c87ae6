"""Whatever is written into the forms of those who invite, nothing fails and nothing is half done."""

from __future__ import annotations

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from surveys.accounts.permissions import Role
from surveys.models import Receipt, Survey
from surveys.respondent.client_program import client
from surveys.respondent.invitations import MOST_AT_ONCE
from tests.fixtures.invitations import codes_of, invited
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

PAGE = "/en/staff/surveys/work/invitations/"
some = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
text = st.text(max_size=40)


@pytest.fixture
def ana(client: Client) -> Client:
    codes_of(invited(), 3)
    Survey.objects.update(owner=member("ana", Role.RESEARCHER))
    client.force_login(member("ana", Role.RESEARCHER))
    return client


@pytest.mark.soak
@some
@given(
    number=st.one_of(st.integers(-2, 12).map(str), text, st.integers(10_000).map(str)),
    language=st.one_of(st.sampled_from(["en", "zh-hans"]), text),
    form=st.one_of(st.sampled_from(["sheet", "csv"]), text),
)
def test_codes_are_made_or_the_form_is_shown_again(
    ana: Client, number: str, language: str, form: str
) -> None:
    before = Receipt.objects.count()
    values = {"number": number, "language": language, "form": form}
    status = ana.post(PAGE + "make", values).status_code
    assert status in {200, 422}
    made = Receipt.objects.count() - before
    assert 1 <= made <= MOST_AT_ONCE if status == 200 else made == 0


@pytest.mark.soak
@some
@given(which=st.one_of(st.just("named"), text), codes=st.text(max_size=200), confirm=text)
def test_only_what_is_named_is_taken_back(ana: Client, which: str, codes: str, confirm: str) -> None:
    status = ana.post(PAGE + "revoke", {"which": which, "codes": codes, "confirm": confirm}).status_code
    assert status in {302, 422}
    assert Receipt.objects.count() == 3


@some
@given(slug=st.text(st.characters(codec="utf-8", exclude_characters="/?#\x00"), max_size=20))
def test_other_addresses_lead_nowhere(ana: Client, slug: str) -> None:
    assert ana.get(f"/en/staff/surveys/{slug}x/invitations/").status_code == 404
    page = ana.get(f"/en/s/work/{slug}x/")
    # The page of respondents is the same for all surveys, and reveals nothing about any of them.
    assert page.status_code == 404 or page.content == client().index.content
