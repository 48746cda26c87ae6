"""Which users may open the pages of numbers and places, and which requests these refuse."""

import pytest
from django.test import Client

from surveys.accounts.permissions import Role
from surveys.models import Survey
from surveys.runs import mining_job
from tests.fixtures.runs import alice, asked, mined
from tests.fixtures.scale_runs import scale_answered
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

PAGES = ("numbers/hours/", "numbers/wage/", "places/care/")
COMPARED = "outcome=hours%3Arange&outcome_from=50&by=care%3Driver"
FILES = (
    "numbers/wage/histogram.csv",
    "numbers/wage/figures.json",
    "places/care/cells.csv",
    "places/care/regions.csv",
    "places/care/map.geojson",
)


@pytest.mark.soak
def test_pages_and_files_open_to_those_who_may_read_the_report(client: Client) -> None:
    run = mined(scale_answered(400))
    here = f"/en/staff/runs/{run.pk}/"
    assert client.get(here + PAGES[0]).status_code == 302
    owner, other = member("owner", Role.RESEARCHER), member("other", Role.RESEARCHER)
    Survey.objects.filter(pk=run.survey_id).update(owner=owner)
    for who, status in ((owner, 200), (alice(), 200), (other, 404)):
        client.force_login(who)
        for path in PAGES + FILES:
            assert client.get(here + path).status_code == status, path
    client.force_login(alice())
    tabs = client.get(f"{here}itemsets/").content.decode()
    assert all(f'href="{here}{path}"' in tabs for path in PAGES)


def test_an_unknown_question_and_one_of_another_kind_are_refused_in_words(client: Client) -> None:
    run = mined(scale_answered(400))
    here = f"/en/staff/runs/{run.pk}/"
    client.force_login(alice())
    for path, words in (
        ("numbers/rent/", "This survey has no question “rent”."),
        ("numbers/care/", "“care” is not a number question."),
        ("places/late/", "“late” is not a place question."),
    ):
        response = client.get(here + path)
        assert (response.status_code, words in response.content.decode()) == (404, True)
    for path in ("numbers/care/histogram.csv", "numbers/hours/cells.csv", "places/care/histogram.csv"):
        assert client.get(here + path).status_code == 404


@pytest.mark.soak
def test_too_few_disguised_answers_show_nothing(client: Client) -> None:
    run = mined(scale_answered(180, hours_of_the_old=True))
    client.force_login(alice())
    response = client.get(f"/en/staff/runs/{run.pk}/numbers/hours/")
    text = response.content.decode()
    assert "Too few people sent a disguised answer to hours." in text
    assert "<svg" not in text
    assert client.get(f"/en/staff/runs/{run.pk}/numbers/hours/figures.json").status_code == 404


@pytest.mark.soak
@pytest.mark.parametrize(("n", "status"), [(1, 404), (2, 200)])
def test_one_practice_answer_has_no_error_and_shows_nothing(client: Client, n: int, status: int) -> None:
    run = mined(scale_answered(n, practice=True))
    client.force_login(alice())
    for path in ("numbers/hours/figures.json", "places/care/cells.csv"):
        assert client.get(f"/en/staff/runs/{run.pk}/{path}").status_code == status
    page = client.get(f"/en/staff/runs/{run.pk}/numbers/hours/").content.decode()
    assert ("With a single disguised answer to hours, no error can be computed." in page) == (n == 1)
    assert ("once there are 2 protected answers" in page) == (n == 1)


@pytest.mark.soak
def test_answers_that_all_say_the_same_are_not_called_exact(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One cell outside the sensitive places was sent by all, and one bin: chance alone hardly does that, so
    # such a run would say that its reports contradict the design.
    monkeypatch.setattr(mining_job, "check_reports", lambda *_rows: None)
    run = mined(scale_answered(200, alike=True))
    client.force_login(alice())
    here = f"/en/staff/runs/{run.pk}/"
    number, place, comparison = (
        client.get(here + path).content.decode() for path in (PAGES[0], PAGES[2], f"compare/?{COMPARED}")
    )
    assert "All answers carry the same value for it, so its standard error cannot be estimated." in number
    assert place.count('<span class="ends">[') == 2
    assert "exact</" not in number + place + comparison
    assert client.get(here + "numbers/hours/figures.json").json()["mean"]["standard_error"] is None
    outcomes = client.get(here + f"compare/comparison.json?{COMPARED}").json()["outcomes"]
    assert [line["n"] for line in outcomes] == [200] * len(outcomes) != []


def test_a_run_that_is_not_over_leads_to_where_it_is(client: Client) -> None:
    run = asked(scale_answered(400))
    client.force_login(alice())
    response = client.get(f"/en/staff/runs/{run.pk}/places/care/")
    assert response.headers["Location"] == f"/en/staff/runs/{run.pk}/"
    assert client.get(f"/en/staff/runs/{run.pk}/places/care/map.geojson").status_code == 404
