"""The plan page of a series prices its waves: shared limits, limits for each wave, and other people."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.models import Survey, Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.promise_words import stated_promises
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


def part(*keys: str, p: int = 5000, refusal: int | None = 2500) -> dict[str, Any]:
    return protected("b", *(yes_no(key) for key in keys), p=p, refusal=refusal)


def imported(slug: str, *blocks: dict[str, Any], **changes: Any) -> Survey:
    return survey_import(document_of(*blocks, slug=slug, **changes), by="ana")


def publish(survey: Survey) -> Version:
    return survey_publish(survey, by="ana", now=timezone.now(), reason="A test.", is_readable_seen=True)


@pytest.mark.soak
def test_the_plan_page_prices_both_protections(client: Client) -> None:
    survey = imported("one", part("lie"), series="panel", waves=2)
    owner = member("ana", Role.RESEARCHER)
    Survey.objects.filter(pk=survey.pk).update(owner=owner, aim=Aim(people=300).to_json())
    client.force_login(owner)
    page = client.get(reverse("authoring:plan", args=["one"])).content.decode()
    said = re.sub(r"\s+", " ", page)
    assert "This is one of 2 surveys of the same people." in said
    assert re.search(
        r"If all of them share the limits: ±1\d\.\d points, and at most 90% from everything", said
    )
    assert "If each has the limits for itself: ±10.2 points, but at most 99% from everything" in said
    # 150 people in each wave: 10.2 times the root of 2.
    other_people = "If you invite other people to each instead, without a series: ±14.4 points"
    assert f"{other_people}, and at most 90%." in said


@pytest.mark.soak
def test_the_price_of_a_wave_counts_the_protection_of_the_first_one(client: Client) -> None:
    """The first wave kept the limits for itself: 9 for everything. The next one may share them, as root 3."""
    first = imported("one", part("lie", p=5581, refusal=1579), series="panel", waves=2, each_wave="whole")
    held = stated_promises(publish(first))["whole"]
    second = imported("two", part("lie", p=3000, refusal=2500), series="panel", waves=2)
    owner = member("ana", Role.RESEARCHER)
    Survey.objects.filter(pk=second.pk).update(owner=owner, aim=Aim(people=300).to_json())
    client.force_login(owner)
    page = client.get(reverse("authoring:plan", args=["two"])).content.decode()
    said = re.sub(r"\s+", " ", page)
    priced = re.search(r"share the limits: [^,]*, and at most (\d+)% from everything", said)
    promised = re.search(r"send[^.]* in them could make someone at most (\d+)% sure", said)
    assert priced
    assert promised
    assert priced[1] == promised[1]
    # 3 * 9 = 27, and not 3 * 3 = 9.
    assert (held["of_100"], priced[1]) == (90, "97")


def planned_page(client: Client, survey: Survey) -> str:
    owner = member("ana", Role.RESEARCHER)
    Survey.objects.filter(pk=survey.pk).update(owner=owner, aim=Aim(people=300).to_json())
    client.force_login(owner)
    page = client.get(reverse("authoring:plan", args=[survey.slug])).content.decode()
    return re.sub(r"\s+", " ", page)


def test_parts_take_turns_where_this_is_narrower(client: Client) -> None:
    """With codes and no stated protection, the plan chooses: ±14.4 points with turns, more with the root."""
    survey = imported("one", part("lie"), series="panel", waves=2)
    Survey.objects.filter(pk=survey.pk).update(by_invitation=True)
    said = planned_page(client, survey)
    turns = "each person is asked each of them once: ±14.4 points, and at most 90% from everything together."
    assert f"{turns} This plan does so." in said
    assert "each part in one survey only, if you use the same code or number every time" in said
    rooted = re.search(r"share the limits: ±(\d+\.\d) points", said)
    assert rooted
    assert float(rooted[1]) > 14.4


@pytest.mark.soak
@pytest.mark.parametrize(
    ("coded", "changes"), [(False, {}), (True, {"each_wave": "root"}), (True, {"practice": True})]
)
def test_parts_take_no_turns_without_codes_or_against_the_draft(
    client: Client, coded: bool, changes: dict[str, Any]
) -> None:
    survey = imported("one", part("lie"), series="panel", waves=2, **changes)
    Survey.objects.filter(pk=survey.pk).update(by_invitation=coded)
    said = planned_page(client, survey)
    assert "each part in one survey only" not in said
    assert ("take turns, so that each person" in said) == (coded and "practice" not in changes)
