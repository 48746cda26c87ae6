"""Results shared by a secret address: who creates it, what it shows, and that it shows nothing afterwards."""

import re

import pytest
from django.test import Client
from django.urls import resolve, reverse
from django.utils import timezone

from surveys.accounts.page_sharing import page_share, page_unshare
from surveys.accounts.roles import Role
from surveys.models import AuditEvent, Run, SharedPage, Survey
from tests.fixtures.runs import SINGLES, answered_version, mined_run, published
from tests.fixtures.scale_runs import scale_answered
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db
UNKNOWN = "A" * 22


@pytest.fixture
def run() -> Run:
    return mined_run(answered_version(800, n_direct=0, policy="protected"))


def shared(run: Run, *, days: int = 7) -> tuple[SharedPage, str]:
    return page_share(run.survey, SharedPage.Kind.RESULTS, run=run, days=days, by="alice", now=timezone.now())


def read(token: str, *, page: str = "results") -> tuple[int, dict[str, str], str]:
    answer = Client().get(reverse(f"shared:{page}", args=[token]))
    headers = {name: value for name, value in answer.headers.items() if name != "Content-Length"}
    return answer.status_code, headers, answer.content.decode()


@pytest.mark.parametrize("page", ["results", "printed"])
def test_shared_links_open_only_the_results_and_report(run: Run, page: str) -> None:
    _shared, token = shared(run)
    status, headers, text = read(token, page=page)
    assert status == 200
    assert "Have you cheated?" in text
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Robots-Tag"] == "noindex, nofollow"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "form-action 'none'" in headers["Content-Security-Policy"]
    assert "Set-Cookie" not in headers
    assert "cookie" not in headers.get("Vary", "").lower()
    assert "<form" not in text
    # Links to the same page in the other language are allowed.
    links = re.findall(r'(?:href|src)="/(?:en|zh-hans)(/[^"#?]*)', text)
    led = {resolve(f"/en{link}").view_name for link in links}
    assert led <= {"shared:results", "shared:printed", "shared:picture"}


def test_the_printed_page_does_not_contain_the_token(run: Run) -> None:
    _shared, token = shared(run)
    _status, _headers, text = read(token, page="printed")
    without_languages = re.sub(r"<footer.*?</footer>", "", text, flags=re.DOTALL)
    assert token not in without_languages
    assert reverse("report:printed", args=[run.pk]) in without_languages


@pytest.mark.soak
def test_shared_numbers_and_places_include_their_charts() -> None:
    run = mined_run(scale_answered(400), SINGLES)
    _shared, token = shared(run)
    pictures, on_paper = (
        re.findall(r'src="(/en/shared/[^"]+\.svg)"', read(token, page=page)[2])
        for page in ("results", "printed")
    )
    assert len(pictures) == 1
    assert on_paper == pictures
    for picture in pictures:
        answer = Client().get(picture)
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/svg+xml")
        assert answer.headers["Cache-Control"] == "no-store"
    assert read(token, page="results")[2].count('<div class="scale-picture"><svg') == 2
    for key in ("nothing", "hours"):
        assert Client().get(reverse("shared:picture", args=[token, key])).status_code == 404


@pytest.mark.soak
def test_unknown_ended_and_expired_links_give_the_same_response(run: Run) -> None:
    ended, token_ended = shared(run)
    page_unshare(ended, by="alice", now=timezone.now())
    late, token_late = shared(run)
    SharedPage.objects.filter(pk=late.pk).update(until=timezone.now())
    for page in ("results", "printed"):
        answers = [read(token, page=page) for token in (UNKNOWN, token_ended, token_late, "x", "é")]
        assert answers[0][0] == 404
        assert [answer == answers[0] for answer in answers] == [True] * 5


@pytest.mark.soak
def test_an_owner_creates_a_link_sees_it_once_and_ends_it(client: Client, run: Run) -> None:
    owner = member("ana", Role.RESEARCHER)
    Survey.objects.filter(pk=run.survey_id).update(owner=owner)
    client.force_login(owner)
    page = reverse("report:share", args=[run.pk])
    assert page in client.get(reverse("report:results", args=[run.pk])).content.decode()
    assert "You have not created a link yet." in client.get(page).content.decode()
    made = client.post(page, {"days": "90"}).content.decode()
    found = re.search(r'value="http://testserver(/en/shared/([^/]+)/)"', made)
    assert found
    assert Client().get(found[1]).status_code == 200
    (kept,) = SharedPage.objects.all()
    assert found[2] not in client.get(page).content.decode()
    assert client.post(reverse("report:share_end", args=["habits", kept.pk])).status_code == 302
    assert Client().get(found[1]).status_code == 404
    # Ending it again does not log a second event.
    client.post(reverse("report:share_end", args=["habits", kept.pk]))
    events = AuditEvent.objects.filter(action__startswith="results_").order_by("pk")
    assert [(event.actor, event.action, event.target) for event in events] == [
        ("ana", "results_share", "habits"), ("ana", "results_unshare", "habits"),
    ]  # fmt: skip
    assert found[2] not in repr([event.detail for event in events])
    assert "ended" in client.get(page).content.decode()


def test_shared_links_cannot_be_ended_through_another_survey(client: Client, run: Run) -> None:
    made, _token = shared(run)
    client.force_login(member("adam", Role.ADMINISTRATOR))
    other = published("other").survey
    assert client.post(reverse("report:share_end", args=[other.slug, made.pk])).status_code == 404


@pytest.mark.soak
def test_only_offered_durations_are_accepted(client: Client, run: Run) -> None:
    client.force_login(member("adam", Role.ADMINISTRATOR))
    for days in ("", "0", "8", "36500", "many"):
        assert client.post(reverse("report:share", args=[run.pk]), {"days": days}).status_code == 422
    assert not SharedPage.objects.exists()


def test_researchers_cannot_share_reports_they_may_not_read(
    client: Client, run: Run, settings: object
) -> None:
    settings.SOTTOVOCE_RESEARCHERS_READ_REPORTS = False  # type: ignore[attr-defined]
    owner = member("ana", Role.RESEARCHER)
    Survey.objects.filter(pk=run.survey_id).update(owner=owner)
    client.force_login(owner)
    assert client.post(reverse("report:share", args=[run.pk]), {"days": "7"}).status_code == 403
