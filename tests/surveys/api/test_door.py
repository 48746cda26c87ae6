"""The way in for programs: tokens and nothing else, and refusals that a program can read."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from releases.models import Deposit
from surveys.access.roles import Role
from surveys.api.door import process_limiter
from surveys.models import Job, Run, Survey
from tests.cast.deposits import opened_deposit
from tests.cast.json_schema import wrong_in
from tests.cast.programs import asked, program_of, token_for
from tests.cast.runs import answered, audited, mined
from tests.cast.second_factor import with_app
from tests.cast.staff import member
from tests.surveys.test_roles import DOORS, PEOPLE, everywhere

pytestmark = pytest.mark.django_db

# The door of the page that tells the same, and the status for who gets in; the survey asks for no number.
ADDRESSES: Final = {
    "api:me": "staff 200",
    "api:surveys": "staff 200",
    "api:survey": "page 200",
    "api:versions": "page 200",
    "api:version": "page 200",
    "api:runs": "report 200",
    "api:run": "report 200",
    "api:prevalences": "report 200",
    "api:itemsets": "report 200",
    "api:rules": "report 200",
    "api:arms": "report 422",
    "api:number": "report 404",
    "api:place": "report 404",
    "api:audit": "report 200",
    "api:label": "report 200",
    "api:deposits": "builds 200",
    "api:deposit": "builds 200",
    # without a question
    "api:deposit_answer": "builds 422",
}
OPEN: Final = {"api:openapi", "api:nothing"}


@pytest.fixture
def run() -> Run:
    """Return a finished run of a survey that belongs to the owner."""
    found = audited(mined(answered()))
    Survey.objects.filter(pk=found.survey_id).update(owner=member("owner", Role.RESEARCHER))
    opened_deposit(member("owner", Role.RESEARCHER))
    return found


def people() -> dict[str, User]:
    return {
        "outsider": User.objects.create_user("outsider"),
        "staff": member("staff"),
        "owner": member("owner", Role.RESEARCHER),
        "researcher": member("researcher", Role.RESEARCHER),
        "reviewer": member("reviewer", Role.REVIEWER),
        "administrator": member("administrator", Role.ADMINISTRATOR),
    }


def address_of(name: str, run: Run) -> str:
    known = {"slug": run.survey.slug, "number": 1, "run_id": run.pk, "question": "age"}
    known["made_id"] = Deposit.objects.latest("pk").pk
    pattern = everywhere()[name].pattern
    return reverse(name, kwargs={part: known[part] for part in pattern.converters})


@pytest.mark.soak
def test_everybody_gets_what_the_doors_of_the_pages_say(run: Run) -> None:
    names = {name for name in everywhere() if name.startswith("api:")}
    assert names == set(ADDRESSES) | OPEN
    programs = {who: program_of(user) for who, user in people().items()} | {"nobody": Client()}
    wrong = []
    for name, line in ADDRESSES.items():
        door, status = line.split()
        for who, outcome in zip(PEOPLE, DOORS[door], strict=True):
            # There is no page to log in on, and an account that is no member's has no token that opens.
            expected = {"login": "401", "in": status}.get(outcome, outcome)
            expected = "401" if who == "outsider" else expected
            got = programs[who].get(address_of(name, run))
            if str(got.status_code) != expected:
                wrong.append(f"{name}: {who} gets {got.status_code}, not {expected}")
            if got.headers["Cache-Control"] != "no-store":
                wrong.append(f"{name}: a cache may keep what {who} reads")
            if got.cookies:
                wrong.append(f"{name}: {who} is given a cookie")
    assert wrong == []


@pytest.mark.soak
def test_reports_left_to_reviewers_are_left_to_their_programs(run: Run, settings: Settings) -> None:
    owner = program_of(member("owner", Role.RESEARCHER))
    assert owner.get(address_of("api:rules", run)).status_code == 200
    settings.SOTTO_RESEARCHERS_READ_REPORTS = False
    assert owner.get(address_of("api:rules", run)).status_code == 403
    (listed,) = asked(owner, "surveys")["data"]
    assert listed["may_read_runs"] is False


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic cm9vdDpyb290", "Bearer sotto_x", "x" * 5_000]
)
def test_what_is_no_token_is_refused_with_a_challenge(header: str) -> None:
    answer = Client().get("/api/v1/me", headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "token"


def test_a_log_in_opens_nothing_so_no_page_can_have_a_browser_ask() -> None:
    browser = Client()
    browser.force_login(member("root", Role.ADMINISTRATOR))
    assert browser.get("/api/v1/surveys").status_code == 401


@pytest.mark.parametrize("name", ["token", "access_token", "Access_Token", "api_key"])
def test_a_token_in_the_address_is_refused_whatever_the_header_says(name: str) -> None:
    ana = member("ana", Role.REVIEWER)
    token = token_for(ana)
    assert Client().get(f"/api/v1/me?{name}={token}").json()["code"] == "token"
    answer = program_of(ana).get(f"/api/v1/me?{name}={token}")
    assert answer.status_code == 400
    assert token not in answer.content.decode()


def test_what_changes_something_is_refused_before_anything_is_looked_at() -> None:
    for method in ("post", "put", "patch", "delete", "options"):
        answer = getattr(program_of(member("ana")), method)("/api/v1/surveys")
        assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD")
        assert answer.json()["code"] == "method"
    assert program_of(member("ana")).head("/api/v1/surveys").status_code == 200


def test_an_administrator_who_needs_a_second_factor_reads_nothing_without(settings: Settings) -> None:
    root, ana = member("root", Role.ADMINISTRATOR), member("ana", Role.REVIEWER)
    program, other = program_of(root), program_of(ana)
    settings.SECOND_FACTOR_FOR = frozenset({"administrators"})
    answer = program.get("/api/v1/surveys")
    assert (answer.status_code, answer.json()["code"]) == (403, "second_factor")
    assert other.get("/api/v1/surveys").status_code == 200
    with_app(root)
    assert program.get("/api/v1/surveys").status_code == 200


def test_a_role_that_is_taken_away_is_gone_at_the_next_request(run: Run) -> None:
    ana = member("ana", Role.REVIEWER)
    program = program_of(ana)
    assert program.get(address_of("api:run", run)).status_code == 200
    member("ana")
    assert program.get(address_of("api:run", run)).status_code == 403


def test_a_token_that_asks_too_often_waits_and_others_do_not(settings: Settings) -> None:
    settings.API_PER_SECOND, settings.API_BURST = 1, 3
    one, other = program_of(member("ana")), program_of(member("ben"))
    process_limiter.cache_clear()
    statuses = [one.get("/api/v1/me").status_code for _ in range(8)]
    assert statuses[:3] == [200, 200, 200]
    refused = one.get("/api/v1/me")
    # Eight requests take less than the five seconds that five more tokens would.
    assert 429 in statuses
    assert refused.status_code == 429 or statuses.count(200) < 8
    assert other.get("/api/v1/me").status_code == 200
    process_limiter.cache_clear()


def test_a_refusal_for_asking_too_often_names_the_time(settings: Settings) -> None:
    settings.API_PER_SECOND, settings.API_BURST = 1e-6, 1
    program = program_of(member("ana"))
    process_limiter.cache_clear()
    assert program.get("/api/v1/me").status_code == 200
    refused = program.get("/api/v1/me")
    process_limiter.cache_clear()
    assert (refused.status_code, refused.json()["code"]) == (429, "too_often")
    assert int(refused.headers["Retry-After"]) > 0


@pytest.mark.parametrize("address", ["", "survey", "surveys/", "runs/x", "runs/1/rules.csv", "../staff/"])
def test_where_nothing_is_a_program_reads_so(address: str) -> None:
    answer = Client().get(f"/api/v1/{address}")
    assert answer.status_code == 404
    assert answer.json()["remedy"].endswith("/api/v1/openapi.json.")


def test_somebody_elses_survey_and_one_that_is_not_there_are_the_same(run: Run) -> None:
    program = program_of(member("ben", Role.RESEARCHER))
    there, not_there = (program.get(f"/api/v1/surveys/{slug}") for slug in (run.survey.slug, "nowhere"))
    assert there.status_code == not_there.status_code == 404
    assert there.content == not_there.content


def test_each_refusal_is_a_problem_as_the_document_says(run: Run) -> None:
    document = json.loads(Client().get("/api/v1/openapi.json").content)
    program = program_of(member("ana", Role.REVIEWER))
    here = f"/api/v1/runs/{run.pk}"
    refused = {
        f"{here}?x=1": (400, "parameter"),
        f"{here}/rules?page=0": (400, "parameter"),
        f"{here}/rules?page=1&page=2": (400, "parameter"),
        f"{here}/rules?page_size=201": (400, "parameter"),
        f"{here}/rules?sort=price": (400, "parameter"),
        f"{here}/rules?sort=also": (400, "parameter"),
        f"{here}/rules?item=nothing": (400, "parameter"),
        f"{here}/rules?lift_from=much": (400, "parameter"),
        f"{here}/rules?size=50": (400, "parameter"),
        f"{here}/itemsets?least=much": (400, "parameter"),
        f"{here}/itemsets?page=x": (400, "parameter"),
        f"{here}/itemsets?page=٣": (400, "parameter"),
        f"{here}/prevalences?language=fr": (400, "parameter"),
        f"{here}/places/age?smoothing=yes": (400, "parameter"),
        f"{here}/numbers/age": (404, "nothing"),
        "/api/v1/runs/99999999999999999999": (404, "nothing"),
        "/api/v1/surveys?state=gone": (400, "parameter"),
        "/api/v1/surveys?practice=1": (400, "parameter"),
        f"/api/v1/surveys/{run.survey.slug}/runs?state=gone": (400, "parameter"),
        f"/api/v1/surveys/{run.survey.slug}/versions/2": (404, "nothing"),
    }
    wrong: dict[str, Any] = {}
    for address, expected in refused.items():
        answer = program.get(address)
        problem = answer.json()
        if (answer.status_code, problem["code"]) != expected:
            wrong[address] = problem
        schema = {"$ref": "#/components/schemas/Problem"}
        wrong |= {f"{address} {one}": "" for one in wrong_in(problem, schema, document)}
        assert problem["remedy"]
    assert wrong == {}


@pytest.mark.soak
@pytest.mark.parametrize("state", ["queued", "running", "failed", "cancelled"])
def test_figures_of_a_run_that_has_none_are_refused_by_its_state(run: Run, state: str) -> None:
    Job.objects.filter(pk=run.job_id).update(state=state)
    program = program_of(member("ana", Role.REVIEWER))
    for name in ("prevalences", "itemsets", "rules", "numbers/age", "places/age", "audit"):
        answer = program.get(f"/api/v1/runs/{run.pk}/{name}")
        assert answer.status_code == 409
        assert answer.json()["code"] == ("not_over" if state in ("queued", "running") else "no_result")
    assert asked(program, f"runs/{run.pk}")["state"] == state
