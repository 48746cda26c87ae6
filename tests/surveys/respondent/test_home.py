"""The home page: the picture of the method, and each role's task in one press."""

import re
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client
from django.urls import reverse

from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create
from surveys.models import Survey
from surveys.respondent.home import tasks_of
from tests.fixtures.runs import definition, published
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db
HOME = "/en/"


def drafted(owner: User, slug: str, *, day: int = 20) -> Survey:
    now = datetime(2026, 11, day, tzinfo=UTC)
    return draft_create(
        definition(slug), slug=slug, by=owner.get_username(), now=now, source="file", owner=owner
    )


def labels(user: Any) -> list[str]:
    return [task.label for task in tasks_of(User.objects.get(pk=user.pk))]


def test_visitors_have_no_tasks() -> None:
    assert tasks_of(AnonymousUser()) == []


@pytest.mark.soak
def test_a_researcher_continues_with_the_last_saved_draft_then_the_last_survey() -> None:
    rita, other = member("rita", Role.RESEARCHER), member("other", Role.RESEARCHER)
    assert labels(rita) == ["Create a survey", "All surveys"]
    drafted(other, "not-hers", day=29)
    assert labels(rita) == ["Create a survey", "All surveys"]
    survey = published("open").survey
    Survey.objects.filter(pk=survey.pk).update(owner=rita, saved_at=datetime(2026, 11, 28, tzinfo=UTC))
    assert labels(rita) == ["Open “Habits <b>&</b> work”", "All surveys", "Create a survey"]
    drafted(rita, "older", day=2)
    drafted(rita, "newer", day=3)
    assert tasks_of(User.objects.get(pk=rita.pk))[0].address == reverse("authoring:builder", args=["newer"])


def test_a_reviewer_reviews_rules() -> None:
    assert labels(member("rob", Role.REVIEWER)) == ["Review rules", "All surveys"]


def test_an_administrator_sees_the_health_and_on_a_new_installation_invites_people() -> None:
    adam = member("adam", Role.ADMINISTRATOR)
    assert labels(adam) == ["Create a survey", "Surveys and health", "Invite a person"]
    drafted(member("rita", Role.RESEARCHER), "hers")
    assert labels(adam) == ["Create a survey", "Surveys and health"]


@pytest.mark.soak
def test_an_account_that_only_downloads_rows_learns_whom_to_ask(client: Client) -> None:
    rows = member("rows", Role.ROWS)
    assert labels(rows) == []
    client.force_login(rows)
    assert "Ask an administrator to make you a researcher" in client.get(HOME).content.decode()


@pytest.mark.soak
@pytest.mark.parametrize("role", [Role.RESEARCHER, Role.REVIEWER, Role.ADMINISTRATOR])
def test_every_task_opens_with_one_press(client: Client, role: Role) -> None:
    user = member("someone", role)
    client.force_login(user)
    if role != Role.REVIEWER:
        drafted(user, "mine")
    tasks = tasks_of(User.objects.get(pk=user.pk))
    page = client.get(HOME)
    for task in tasks:
        assert f'href="{task.address}"' in page.content.decode()
        assert client.get(task.address).status_code == 200
    # The first is the only filled button.
    filled = re.findall(r'class="button" href="([^"]+)"', page.content.decode())
    assert filled == [tasks[0].address]


@pytest.mark.soak
def test_titles_are_escaped_and_pages_of_staff_are_not_cached(client: Client) -> None:
    rita = member("rita", Role.RESEARCHER)
    drafted(rita, "habits")
    assert "no-store" not in client.get(HOME).headers.get("Cache-Control", "")
    client.force_login(rita)
    page = client.get(HOME)
    assert "Continue “Habits &lt;b&gt;&amp;&lt;/b&gt; work”" in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]


@pytest.mark.soak
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_picture_has_a_caption_for_each_drawing(client: Client, language: str) -> None:
    text = client.get(f"/{language}/").content.decode()
    picture = ElementTree.fromstring(
        text[text.index('<ol class="way method">') : text.index("</ol>") + 5]
    )  # our own page
    for step in picture:
        drawing, caption = step
        assert drawing.get("aria-hidden") == "true"
        assert len("".join(caption.itertext()).strip()) > 20
    assert len(picture) == 3
