"""Audit pages of drafts and runs, and the shared page that describes risks in words."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from surveys.accounts.page_sharing import page_share, page_unshare
from surveys.accounts.roles import Role
from surveys.authoring.api import budget_state
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.jobs.lease import FAULT
from surveys.models import AuditEvent, Job, SharedPage, Survey
from surveys.questionnaire.draft import draft_read
from surveys.questionnaire.series_membership import survey_join_series
from surveys.questionnaire.use_words import item_names
from surveys.runs.audit import audit_of_run
from surveys.runs.look import look_of
from surveys.templatetags.figures import number_or_unbounded, percent_three_digits
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.pages import open_page
from tests.fixtures.runs import answered_version, audited_run, definition, mined_run
from tests.fixtures.scale_runs import scale_definition, with_light
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey() -> Survey:
    return survey_import(definition(policy="protected"), by="alice")


@pytest.fixture
def builder(client: Client, survey: Survey) -> Client:
    owner = member("ana", Role.RESEARCHER)
    Survey.objects.filter(pk=survey.pk).update(owner=owner)
    client.force_login(owner)
    return client


def shared(survey: Survey) -> tuple[SharedPage, str]:
    return page_share(survey, SharedPage.Kind.RISK, days=7, by="ana", now=timezone.now())


def read(token: str, page: str = "risk") -> tuple[int, str]:
    answer = Client().get(reverse(f"shared:{page}", args=[token]))
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert "Set-Cookie" not in answer.headers
    return answer.status_code, answer.content.decode()


def article(page: str) -> str:
    found = re.search(r"<article.*</article>", page, re.DOTALL)
    assert found
    return found[0]


def test_shared_links_show_the_staff_page_without_actions(builder: Client, survey: Survey) -> None:
    own = builder.get(reverse("audit:risk", args=[survey.slug])).content.decode()
    _shared, token = shared(survey)
    status, page = read(token)
    assert status == 200
    ours, theirs = (
        re.sub(r'<p class="no-print">.*?</p>', "", article(one), flags=re.DOTALL) for one in (own, page)
    )
    assert ours.split() == theirs.split()
    assert "<form" not in page
    assert reverse("authoring:plan", args=[survey.slug]) in own
    assert "/staff/" not in page


def test_shared_links_open_a_preview_that_cannot_send(survey: Survey) -> None:
    _shared, token = shared(survey)
    page = read(token)[1]
    assert "Have you cheated?" in page
    assert "Below 40 / 40 or older" in page
    assert f'href="{reverse("shared:preview", args=[token])}"' in page
    preview = Client().get(reverse("shared:preview", args=[token]))
    assert "connect-src 'none'" in preview.headers["Content-Security-Policy"]
    assert "Have you cheated?" in preview.content.decode()
    survey_publish(survey, by="alice", now=timezone.now(), is_readable_seen=True)
    draft = Survey.objects.get(pk=survey.pk).definition
    text = json.dumps(draft).replace("Have you cheated?", "Is this a later thought?")
    Survey.objects.filter(pk=survey.pk).update(definition=json.loads(text))
    seen = read(token, "preview")[1]
    # The page shows the published questions, not later edits of the draft.
    assert "Have you cheated?" in seen
    assert "Is this a later thought?" not in seen


def test_a_share_link_is_created_and_ended_on_the_page(builder: Client, survey: Survey) -> None:
    page = reverse("audit:risk", args=[survey.slug])
    made = builder.post(page, {"days": "30"}).content.decode()
    found = re.search(r'value="http://testserver/en/shared/([^/]+)/risk/"', made)
    assert found
    (kept,) = SharedPage.objects.all()
    assert (kept.survey_id, kept.run_id) == (survey.pk, None)
    assert found[1] not in builder.get(page).content.decode()
    assert builder.post(reverse("report:share_end", args=[survey.slug, kept.pk])).headers["Location"] == page
    assert read(found[1])[0] == 404
    events = AuditEvent.objects.filter(action__startswith="risk_").order_by("pk")
    assert [event.action for event in events] == ["risk_share", "risk_unshare"]
    assert builder.post(page, {"days": "8"}).status_code == 422


@pytest.mark.soak
def test_a_share_link_shows_one_page_only() -> None:
    run = mined_run(answered_version(800, n_direct=0, policy="protected"))
    _results, of_run = page_share(
        run.survey, SharedPage.Kind.RESULTS, run=run, days=7, by="ana", now=timezone.now()
    )
    _risk, of_survey = shared(run.survey)
    pages = ("results", "printed", "risk", "preview")
    assert [read(of_run, page)[0] for page in pages] == [200, 200, 404, 404]
    assert [read(of_survey, page)[0] for page in pages] == [404, 404, 200, 200]


def test_ended_links_and_links_of_other_pages_give_the_same_response(survey: Survey) -> None:
    ended, token = shared(survey)
    page_unshare(ended, by="ana", now=timezone.now())
    assert read(token) == read("A" * 22)


def test_the_shared_page_follows_the_draft_until_publication(survey: Survey) -> None:
    _shared, token = shared(survey)
    assert "No one has been asked yet." in read(token)[1]
    survey_publish(survey, by="alice", now=timezone.now(), is_readable_seen=True)
    assert "Version 1, published on" in read(token)[1]
    Survey.objects.filter(pk=survey.pk).update(definition={"sotto": 1})
    assert read(token)[0] == 200


def test_an_incomplete_draft_is_reported_as_incomplete(builder: Client, survey: Survey) -> None:
    Survey.objects.filter(pk=survey.pk).update(definition={"sotto": 1})
    _shared, token = shared(survey)
    assert "is not complete" in read(token)[1]
    assert "Complete the draft" in builder.get(reverse("audit:risk", args=[survey.slug])).content.decode()


def test_the_page_compares_the_design_with_the_recommendation_and_gives_reasons() -> None:
    modest = survey_import(document_of(protected("a", yes_no("steal"), p=3000)), by="alice")
    page = read(shared(modest)[1])[1]
    assert "follows the recommendation" in page
    assert "Lightly disguised" not in page
    document = document_of(protected("a", *(yes_no(f"q{n}") for n in range(9))), slug="bold")
    bold = survey_import(document, by="alice")
    assert "protects less than recommended" in read(shared(bold)[1])[1]
    survey_publish(bold, by="alice", now=timezone.now(), reason="The law asks for it.", is_readable_seen=True)
    page = read(shared(bold)[1])[1]
    assert "alice published it anyway" in page
    assert "The law asks for it." in page


ADDRESS = "/en/staff/surveys/habits/audit/"


def test_levels_of_an_audit_have_their_names(admin_client: Client) -> None:
    """They were listed as "mood=level-1", although their names are low, middle and high."""
    document = definition(policy="protected")
    draft = survey_import(document, by="alice")
    names = {f"{key}" for key in item_names(draft_read(draft).designed).values()}  # type: ignore[arg-type]
    page = admin_client.get(f"/en/staff/surveys/{draft.slug}/audit/").content.decode()
    shown = [name for name in names if f'<th scope="row">{name}' in page]
    assert shown
    assert "=" not in "".join(re.findall('<th scope="row">(.*?)<', page))


def test_a_draft_is_audited_before_it_is_published(admin_client: Client) -> None:
    document = definition()
    document["blocks"][1]["exclusive"] = [["late", "cheat"]]
    survey = survey_import(document, by="alice")
    text = open_page(admin_client, ADDRESS)
    # 1 + .6/(.4 * .5 * .4) for the two questions at work.
    assert '<td class="num">8.5</td>' in text
    assert "possible answer" in text
    assert "random answers of part work that cannot be true</dt><dd>20%</dd>" in text
    # The builder's own display of the risk includes it too.
    work, _life = budget_state(survey, draft_read(survey))["blocks"]
    assert work["together"]["sets"] == [[[0, 0], [1, 0]]]
    publishing = admin_client.get(reverse("authoring:publish", args=["habits"])).content.decode()
    assert ADDRESS in publishing


def test_numbers_and_places_show_the_limits_of_both_strengths(admin_client: Client) -> None:
    survey = survey_import(with_light(scale_definition("lit", light=True, everywhere=True)), by="alice")
    assert "Lightly disguised people are less protected" in read(shared(survey)[1])[1]
    text = admin_client.get("/en/staff/surveys/lit/audit/").content.decode()
    table = text.partition('id="scales-title"')[2].partition("</table>")[0]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in table.split("</tr>")[1:-1]]
    lightly = ' <span class="soft">lightly disguised</span>'
    assert [(row[0], row[3]) for row in rows] == [
        ("hours", "3"),
        ("wage", "3"),
        ("care", "5"),
        (f"hours{lightly}", "3.5"),
        (f"wage{lightly}", "3.5"),
        (f"care{lightly}", "5.5"),
    ]


def test_an_unreadable_draft_has_no_audit(admin_client: Client) -> None:
    survey = survey_import(definition(), by="alice")
    survey.definition = {**survey.definition, "title": {}}
    survey.save()
    assert "Complete the draft to see its audit" in open_page(admin_client, ADDRESS)


def test_no_page_calls_sottovoces_first_shares_those_of_the_reader(admin_client: Client) -> None:
    survey_import(definition(), by="alice")
    text = open_page(admin_client, ADDRESS)
    assert "shares that you expect" not in text
    assert "Sottovoce filled in those that you have not changed." in text


@pytest.mark.soak
def test_parts_whose_shares_were_not_estimated_are_named(reader: Client) -> None:
    run = audited_run(mined_run(answered_version(800, n_direct=160)))
    address = f"/en/staff/runs/{run.pk}/audit/"
    assert "Without estimated shares" not in open_page(reader, address)
    for block in run.summary["audit"]["blocks"]:
        block["prior"] = "stated" if block["key"] == "life" else block["prior"]
    run.save()
    assert "No shares were estimated here for these parts: life." in open_page(reader, address)


@pytest.mark.soak
def test_a_run_shows_the_audit_that_it_stored_and_its_file_has_the_same_figures(reader: Client) -> None:
    run = audited_run(mined_run(answered_version(800, n_direct=160)))
    response = reader.get(f"/en/staff/runs/{run.pk}/audit/")
    text = response.content.decode()
    audit = audit_of_run(run)
    assert audit is not None
    surest = max(audit.items, key=lambda item: item.worst)
    assert response.status_code == 200
    for shown in (
        percent_three_digits(max(block.unmixing.highest for block in audit.blocks)),
        surest.key,
        number_or_unbounded(audit.epsilon),
        *(one.key for one in audit.blocks),
    ):
        assert shown in text
    assert "whole rows" in text
    response = reader.get(f"/en/staff/runs/{run.pk}/audit.json")
    look = look_of(run)
    assert look is not None
    assert response.json() == {
        "run": run.pk, "survey": "habits", "look": look.to_json(), "audit": audit.to_json(),
    }  # fmt: skip
    assert "attachment" in response.headers["Content-Disposition"]


def test_a_run_whose_audit_failed_says_why(reader: Client) -> None:
    run = mined_run(answered_version())
    Job.objects.filter(pk=run.audit_job_id).update(state=Job.State.FAILED, message=FAULT)
    text = reader.get(f"/en/staff/runs/{run.pk}/audit/").content.decode()
    assert f"This run has no audit. {FAULT}" in text.replace("&#x27;", "'")
    assert reader.get(f"/en/staff/runs/{run.pk}/audit.json").status_code == 409


@pytest.mark.soak
def test_a_report_states_the_total_epsilon_of_its_series(reader: Client) -> None:
    version = answered_version(200, n_direct=0, slug="first")
    other = answered_version(200, n_direct=0, slug="second")
    for survey in (version.survey, other.survey):
        survey_join_series(survey, "panel")
    run = audited_run(mined_run(version))
    text = reader.get(f"/en/staff/runs/{run.pk}/about/").content.decode()
    # Twice ln(1 + .6/(.4 * .2)) + ln(1 + .7/(.3 * .5)).
    assert "answered all 2 surveys of the series panel revealed at most ε 7.75 in total" in text
    text = reader.get(f"/en/staff/runs/{run.pk}/audit/").content.decode()
    assert "epsilon over 2 waves" in text
    assert '<th scope="row">work</th>' in text
