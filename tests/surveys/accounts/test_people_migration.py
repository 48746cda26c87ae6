"""What the migration that introduced roles does to those who were there before."""

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.utils import timezone

from surveys.access.roles import WORKING, Role, roles_of
from surveys.authoring.drafts import draft_create
from surveys.authoring.publish import survey_import
from surveys.models import Survey
from tests.fixtures.runs import definition

people = import_module("surveys.migrations.0009_people")
pytestmark = pytest.mark.django_db


def migrated() -> None:
    people.give_roles(apps, None)
    people.give_surveys(apps, None)


def test_staff_may_read_what_they_could_read_and_superusers_are_administrators() -> None:
    staff = User.objects.create_user("dora", is_staff=True)
    root = User.objects.create_superuser("root")
    outsider = User.objects.create_user("bob")
    for _twice in range(2):
        migrated()
        assert roles_of(staff) == {Role.RESEARCHER, Role.REVIEWER}
        assert roles_of(root) == {Role.ADMINISTRATOR}
        assert not outsider.groups.exists()
    assert Group.objects.filter(name__in=WORKING).count() == 3


def test_a_survey_goes_to_the_account_that_made_it_in_the_browser() -> None:
    dora = User.objects.create_user("dora", is_staff=True)
    now = timezone.now()
    for slug, maker in (("hers", "dora"), ("gone", "charlie")):
        draft_create(definition(slug), slug=slug, by=maker, now=now, source="scratch")
    survey_import(definition("imported"), by="command line")
    migrated()
    owners = {survey.slug: survey.owner for survey in Survey.objects.select_related("owner")}
    assert owners == {"hers": dora, "gone": None, "imported": None}


def test_an_address_that_was_used_before_tells_nothing_of_its_survey_now() -> None:
    User.objects.create_user("dora", is_staff=True)
    draft_create(
        definition("habits"), slug="habits", by="dora", now=timezone.now(), source="scratch"
    ).delete()
    survey_import(definition("habits"), by="command line")
    migrated()
    assert Survey.objects.get(slug="habits").owner is None


def test_going_back_takes_the_roles_and_nobody() -> None:
    dora = User.objects.create_user("dora", is_staff=True)
    migrated()
    people.take_roles(apps, None)
    assert roles_of(dora) == frozenset()
    assert User.objects.filter(pk=dora.pk, is_staff=True).exists()
