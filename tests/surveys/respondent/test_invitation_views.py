"""The pages for inviting respondents."""

import csv
import json
import re
from html import unescape
from io import StringIO
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.intake.codes import read_code, receipt_key
from surveys.models import AuditEvent, Receipt, Survey, Version
from surveys.respondent.client_program import client
from surveys.respondent.invitations import MOST_AT_ONCE
from surveys.respondent.survey_digests import digest_in_link, digest_in_print
from surveys.respondent.survey_state import roots_of
from tests.conftest import SOAK
from tests.fixtures.devices import shipped_definition, survey_of
from tests.fixtures.invitations import codes_of, invited
from tests.fixtures.runs import definition, published
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

PAGE = "/en/staff/surveys/work/invitations/"
HAND_OUT = "/en/staff/surveys/work/hand-out/"
_REMINDER = r'<textarea id="reminder-([^"]+)"[^>]* lang="([^"]+)"[^>]*>(.*?)</textarea>'


@pytest.fixture
def version() -> Version:
    version = invited()
    Survey.objects.update(owner=member("ana", Role.RESEARCHER))
    return version


@pytest.fixture
def ana(client: Client, version: Version) -> Client:
    client.force_login(member("ana", Role.RESEARCHER))
    return client


def text_of(response: Any) -> str:
    return " ".join(unescape(response.content.decode()).split())


def make(client: Client, **values: Any) -> Any:
    return client.post(PAGE + "make", {"number": 3, "language": "en", "form": "sheet", **values})


@pytest.mark.soak
def test_a_sheet_shows_each_code_once_as_text_and_as_qr_code(ana: Client) -> None:
    response = make(ana)
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    html = response.content.decode()
    shown = re.findall(r'<p class="mono invitation-code" dir="ltr">([^<]+)</p>', html)
    assert len(shown) == html.count('class="qr"') == 3
    codes = [read_code(each) for each in shown]
    keys = {bytes(key) for key in Receipt.objects.values_list("key", flat=True)}
    assert {receipt_key(str(code), survey="work") for code in codes} == keys
    assert "style=" not in html
    file = json.loads(re.search(r'<script id="codes-file"[^>]*>(.*?)</script>', html, re.DOTALL)[1])  # type: ignore[index]
    assert file["name"] == "work-invitations.csv"
    assert [row["code"] for row in csv.DictReader(StringIO(file["text"]))] == shown


def test_the_csv_contains_codes_and_links_that_hide_codes_from_the_server(ana: Client) -> None:
    response = make(ana, number=2_000, form="csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="work-invitations.csv"'
    assert "no-store" in response["Cache-Control"]
    rows = list(csv.DictReader(StringIO(response.content.decode("utf-8-sig"))))
    digest = digest_in_link(roots_of(Survey.objects.get())[0])
    assert len(rows) == Receipt.objects.count() == 2_000
    for row in rows:
        address, _, fragment = row["address"].partition("#")
        assert address == "http://testserver/en/s/work/"
        assert fragment == f"c={read_code(row['code'])}&d={digest}"


@pytest.mark.soak
def test_cards_use_the_chosen_language(ana: Client) -> None:
    response = make(ana, number=1, language="zh-hans")
    assert "/zh-hans/s/work/#" in response.content.decode()
    assert "在工作中说出来" in response.content.decode()


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"number": 0}, "0 is not enough. Make at least one code."),
        ({"number": 10_001, "form": "csv"}, "You cannot create 10001 codes at once. Create at most 10000"),
        ({"number": 501}, ("A sheet can hold at most 500 codes. Choose the table, or make fewer codes.")),
        ({"number": "many"}, "Enter a whole number in digits, such as 1000."),
        ({"language": "tlh"}, ""),
        ({"form": "pdf"}, ""),
    ],
)
def test_invalid_code_requests_are_explained_and_create_none(
    ana: Client, values: dict[str, Any], said: str
) -> None:
    response = make(ana, **values)
    assert response.status_code == 422
    assert said in text_of(response)
    assert Receipt.objects.count() == 0


def test_codes_are_never_shown_again(ana: Client) -> None:
    html = make(ana).content.decode()
    code = re.search(r"invitation-code[^>]*>([^<]+)<", html)[1]  # type: ignore[index]
    plain = str(read_code(code))
    for page in (PAGE, "/en/staff/surveys/work/", "/client/surveys/work"):
        text = ana.get(page).content.decode()
        assert code not in text
        assert plain not in text


def test_invitation_counts_are_rounded_while_the_survey_is_open(ana: Client, version: Version) -> None:
    codes = codes_of(version, 101)
    for code in codes[:17]:
        Receipt.objects.filter(key=receipt_key(code, survey="work")).update(digest=b"0" * 32)
    text = text_of(ana.get(PAGE))
    for name, count in (("created", "≈ 100"), ("used", "≈ 20"), ("unused or withdrawn", "≈ 80")):
        assert f"<dt>{name}</dt><dd>{count}</dd>" in text
    survey_close(survey_of(version), by="ana", now=timezone.now(), at_once=True)
    text = text_of(ana.get(PAGE))
    for name, count in (("created", "101"), ("used", "17"), ("unused or withdrawn", "84")):
        assert f"<dt>{name}</dt><dd>{count}</dd>" in text
    assert "Codes no longer work" in text


@pytest.mark.soak
def test_the_page_explains_what_a_code_list_reveals(ana: Client) -> None:
    said = (
        "Someone with both the list of codes and the database can see which codes were used, "
        "but not the answers."
    )
    assert said in text_of(ana.get(PAGE))
    assert said in text_of(make(ana))


@pytest.mark.soak
def test_letters_exist_in_every_language_of_the_survey(ana: Client) -> None:
    assert HAND_OUT in ana.get(PAGE).content.decode()
    html = ana.get(HAND_OUT).content.decode()
    first = re.findall(_REMINDER.replace("reminder", "first"), html, re.DOTALL)
    assert [(survey, text) for survey, text, _ in first] == [("en", "en"), ("zh-hans", "zh-hans")]
    assert "You are invited to answer “Speaking up at work”." in first[0][2]
    address = f"http://testserver/en/s/work/#d={digest_in_print(roots_of(Survey.objects.get())[0])}"
    assert f"{address} and enter this code. It works once." in first[0][2]
    assert "Your device will not open any other survey from this address." in first[0][2]
    assert html.count('class="qr"') == 2
    assert html.count(f'value="{address}"') == 1
    texts = re.findall(_REMINDER, html, re.DOTALL)
    assert [(survey, text) for survey, text, _ in texts] == [("en", "en"), ("zh-hans", "zh-hans")]
    assert "Speaking up at work" in texts[0][2]
    assert "http://testserver/en/s/work/" in texts[0][2]
    assert "http://testserver/zh-hans/s/work/" in texts[1][2]


def test_codes_can_be_revoked_individually_or_all_together(ana: Client, version: Version) -> None:
    first, *_others = codes_of(version, 3)
    response = ana.post(PAGE + "revoke", {"which": "named", "codes": f"\n {first.lower()}\n"}, follow=True)
    assert "The unused ones were withdrawn" in text_of(response)
    assert Receipt.objects.count() == 2
    assert ana.post(PAGE + "revoke", {"which": "all"}).status_code == 422
    assert Receipt.objects.count() == 2
    ana.post(PAGE + "revoke", {"which": "all", "confirm": "on"})
    assert Receipt.objects.count() == 0


@pytest.mark.parametrize("codes", ["", "not a code", "0" * 19, "x" * 200_000, "\n".join(["0" * 20] * 1_001)])
def test_invalid_codes_are_not_revoked(ana: Client, version: Version, codes: str) -> None:
    codes_of(version)
    page = ana.post(PAGE + "revoke", {"which": "named", "codes": codes})
    assert page.status_code == 422
    # One error; text that is too long used to be reported as missing, too.
    assert ("Enter at least one code" in text_of(page)) is (codes == "")
    assert Receipt.objects.count() == 1


@pytest.mark.soak
@pytest.mark.parametrize("way", ["publish", "make-live"])
def test_access_is_chosen_when_a_draft_is_published(client: Client, way: str) -> None:
    survey = survey_import(shipped_definition(slug="draft", practice=True), by="alice")
    Survey.objects.update(owner=member("ana", Role.RESEARCHER))
    client.force_login(member("ana", Role.RESEARCHER))
    page = "/en/staff/surveys/draft/"
    assert "You choose when you publish." in text_of(client.get(page))
    assert 'value="open" checked' in client.get(page + "publish").content.decode()
    sent = {
        "revision": survey.revision,
        "access": "invitation",
        "reason": "Made for a test.",
        "readable": "on",
    }
    assert client.post(page + "publish", {**sent, "access": "nobody"}).status_code == 422
    assert Survey.objects.get().by_invitation is False
    assert client.post(page + way, sent).status_code == 302
    # A draft made live keeps the previous choice, which can still be changed.
    assert Survey.objects.get().by_invitation is True
    assert Survey.objects.get().state == ("open" if way == "publish" else "draft")
    assert list(AuditEvent.objects.filter(action="survey_access").values_list("actor", flat=True)) == ["ana"]


def test_access_cannot_change_after_publication(ana: Client, version: Version) -> None:
    before = Survey.objects.get().by_invitation
    sent = {"revision": Survey.objects.get().revision, "access": "open"}
    ana.post("/en/staff/surveys/work/publish", sent)
    assert Survey.objects.get().by_invitation is before is True


@pytest.fixture
def adam(client: Client) -> Client:
    client.force_login(member("adam", Role.ADMINISTRATOR))
    return client


@pytest.mark.soak
def test_letters_for_open_surveys_contain_only_the_link(adam: Client) -> None:
    published("all", policy="protected")
    html = adam.get("/en/staff/surveys/all/hand-out/").content.decode()
    digest = digest_in_print(roots_of(Survey.objects.get())[0])
    assert f"Open http://testserver/en/s/all/#d={digest} to answer." in html
    assert "enter your code" not in html
    assert f"you still can: open http://testserver/en/s/all/#d={digest}." in html


@pytest.mark.soak
def test_letters_and_codes_use_the_configured_client_address(adam: Client, settings: Any) -> None:
    settings.SOTTOVOCE_CLIENT_ORIGINS = ["https://page.example.org", "https://other.example.org"]
    invited(slug="theirs")
    assert (
        "Open https://page.example.org/en/s/theirs/#d="
        in adam.get("/en/staff/surveys/theirs/hand-out/").content.decode()
    )
    sent = {"number": 1, "form": "csv", "language": "zh-hans"}
    table = adam.post("/en/staff/surveys/theirs/invitations/make", sent).content.decode()
    assert ",https://page.example.org/zh-hans/s/theirs/#c=" in table


def test_letters_promise_a_disguise_only_if_all_are_protected(adam: Client) -> None:
    for slug, policy, promised in (("all", "protected", True), ("some", "assigned", False)):
        published(slug, policy=policy)
        html = adam.get(f"/en/staff/surveys/{slug}/hand-out/").content.decode()
        assert ("disguises your answers" in html) is promised


@pytest.mark.soak
def test_drafts_and_closed_surveys_offer_no_handout(adam: Client) -> None:
    survey_import(definition("draft"), by="alice")
    over = published("over").survey
    survey_close(over, by="alice", now=timezone.now(), at_once=True)
    for slug, said in (("draft", "The draft is not published"), ("over", "The survey is closed")):
        assert said in text_of(adam.get(f"/en/staff/surveys/{slug}/hand-out/"))


some = settings(
    max_examples=30 if SOAK else 10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
text = st.text(max_size=40)


@pytest.fixture
def inviting(client: Client) -> Client:
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
def test_any_input_creates_codes_or_shows_the_form_again(
    inviting: Client, number: str, language: str, form: str
) -> None:
    before = Receipt.objects.count()
    values = {"number": number, "language": language, "form": form}
    status = inviting.post(PAGE + "make", values).status_code
    assert status in {200, 422}
    made = Receipt.objects.count() - before
    assert 1 <= made <= MOST_AT_ONCE if status == 200 else made == 0


@pytest.mark.soak
@some
@given(which=st.one_of(st.just("named"), text), codes=st.text(max_size=200), confirm=text)
def test_arbitrary_input_revokes_no_unnamed_codes(
    inviting: Client, which: str, codes: str, confirm: str
) -> None:
    status = inviting.post(PAGE + "revoke", {"which": which, "codes": codes, "confirm": confirm}).status_code
    assert status in {302, 422}
    assert Receipt.objects.count() == 3


@pytest.mark.soak
@some
@given(slug=st.text(st.characters(codec="utf-8", exclude_characters="/?#\x00"), max_size=20))
def test_unknown_invitation_urls_are_not_found(inviting: Client, slug: str) -> None:
    assert inviting.get(f"/en/staff/surveys/{slug}x/invitations/").status_code == 404
    page = inviting.get(f"/en/s/work/{slug}x/", follow=True)
    # What follows a survey's name is ignored. The redirect stays on this server.
    assert all(re.fullmatch(r"/en/s/work/([-\w]+/)?", url, re.ASCII) for url, _status in page.redirect_chain)
    # The respondents' page is the same for all surveys, so it reveals nothing.
    assert page.status_code == 404 or page.content == client().index.content
