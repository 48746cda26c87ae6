"""Views of the rule table under a name: kept for a design, taken on each of its runs, forgotten for all."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from surveys.models import AuditEvent, Run, SavedView
from surveys.report.saved_views import MOST_VIEWS
from tests.cast.runs import LOOSE, alice, answered, mined

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return mined(answered(400, n_direct=0, policy="protected"))


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(alice())
    return client


def page_of(client: Client, run: Run, query: str = "") -> str:
    return client.get(reverse("report:run", args=[run.pk]) + query).content.decode()


def save(client: Client, run: Run, name: str, query: str) -> Any:
    return client.post(
        reverse("report:view_save", args=[run.pk]), {"name": name, "query": query}, follow=True
    )


@pytest.mark.soak
def test_a_view_is_saved_as_the_page_shows_it_and_leads_back_to_it(reader: Client, run: Run) -> None:
    shown = "?item=4&side=consequent&sort=-lift&lift_from=1"
    offered = re.search(r'name="query" value="([^"]*)"', page_of(reader, run, shown))
    assert offered
    answer = save(reader, run, "  To   drink ", html.unescape(offered[1]))
    assert "The view “To drink” is saved." in answer.content.decode()
    (view,) = SavedView.objects.all()
    assert (view.name, view.query, view.made_by) == ("To drink", shown, "alice")
    led = re.search(r'<a class="tag filter-tag" href="([^"]+)">To drink</a>', page_of(reader, run))
    assert led
    assert html.unescape(led[1]) == reverse("report:run", args=[run.pk]) + shown + "#rules"


@pytest.mark.soak
def test_a_view_is_there_on_all_runs_of_its_design_and_on_no_other(reader: Client, run: Run) -> None:
    save(reader, run, "Holds", "?holds=yes")
    again = mined(run.version, LOOSE)
    other = mined(answered(400, n_direct=0, policy="protected", slug="other"))
    assert [">Holds</a>" in page_of(reader, one) for one in (run, again, other)] == [True, True, False]
    Run.objects.filter(pk=again.pk).update(design_id="0" * 64)
    assert ">Holds</a>" not in page_of(reader, again)


def test_what_means_nothing_is_not_kept(reader: Client, run: Run) -> None:
    save(reader, run, "Odd", "?item=999&sort=job__message&javascript:alert(1)&page=7&holds=no")
    assert SavedView.objects.get().query == "?holds=no"


def test_the_same_name_stands_for_the_newest_view(reader: Client, run: Run) -> None:
    for query in ("?holds=yes", "?holds=no"):
        save(reader, run, "Mine", query)
    assert SavedView.objects.get().query == "?holds=no"


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\u202eb"])
def test_a_name_is_a_short_line_of_letters(reader: Client, run: Run, name: str) -> None:
    assert "Give the view a name" in save(reader, run, name, "?holds=yes").content.decode()
    assert not SavedView.objects.exists()


@pytest.mark.soak
def test_there_are_no_more_views_than_anybody_looks_through(reader: Client, run: Run) -> None:
    for number in range(MOST_VIEWS):
        save(reader, run, f"view {number}", "?holds=yes")
    assert "Forget one first" in save(reader, run, "one more", "?holds=yes").content.decode()
    save(reader, run, "view 0", "?holds=no")
    assert SavedView.objects.count() == MOST_VIEWS
    assert SavedView.objects.get(name="view 0").query == "?holds=no"


def test_a_view_is_forgotten_by_a_run_that_has_it(reader: Client, run: Run) -> None:
    save(reader, run, "Holds", "?holds=yes")
    view = SavedView.objects.get()
    other = mined(answered(400, n_direct=0, policy="protected", slug="other"))
    assert reader.post(reverse("report:view_delete", args=[other.pk, view.pk])).status_code == 404
    reader.post(reverse("report:view_delete", args=[run.pk, view.pk]))
    assert not SavedView.objects.exists()
    events = AuditEvent.objects.filter(action__startswith="view_").order_by("pk")
    assert [(event.action, event.detail) for event in events] == [
        ("view_save", {"name": "Holds"}), ("view_delete", {"name": "Holds"}),
    ]  # fmt: skip
