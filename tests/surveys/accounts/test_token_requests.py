import ast
import csv
import importlib.util
import io
import json
import re
import sys
import threading
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone
from pytest_django import Settings

from surveys.accounts.roles import Role
from surveys.accounts.token_requests import process_limiter
from surveys.models import AuditEvent, Receipt, Run, Survey
from surveys.report.rules.rule_query import SORTS
from tests.conftest import ROOT
from tests.extensions import plugins
from tests.fixtures.api_clients import asked, moments_in, program_of, token_for
from tests.fixtures.runs import answered_version, audited_run, mined_run, open_version, published
from tests.fixtures.second_factor import with_app
from tests.fixtures.staff import browser_of, member
from tests.fixtures.web_server import WebServer

pytestmark = pytest.mark.django_db


LIST: Final = "/en/staff/surveys.json"


def test_token_requests_are_rate_limited_with_retry_after(settings: Settings) -> None:
    settings.API_PER_SECOND, settings.API_BURST = 1e-6, 1
    program, other = program_of(member("ana")), program_of(member("ben"))
    process_limiter.cache_clear()
    assert program.get(LIST).status_code == 200
    refused = program.get(LIST)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_often")
    assert int(refused.headers["Retry-After"]) > 0
    assert other.get(LIST).status_code == 200
    process_limiter.cache_clear()


def test_the_api_reports_answer_counts_in_steps_of_ten() -> None:
    """An exact count would change with each answer."""
    version = published("open", policy="protected")
    program = program_of(member("ana", Role.REVIEWER))
    seen, exact = [], []
    for number in range(27):
        process_limiter.cache_clear()
        seen.append(json.dumps([asked(program, path) for path in ("surveys.json", "surveys/open/runs.json")]))
        exact.append(Receipt.objects.filter(survey=version.survey).count())
        Receipt.objects.create(survey=version.survey, key=number.to_bytes(16, "big"), digest=b"\1" * 32)
    assert exact == list(range(27))
    assert [place for place in range(1, 27) if seen[place] != seen[place - 1]] == [5, 15, 25]


KNOWN = frozenset(
    {"$ref", "type", "properties", "required", "additionalProperties", "items", "enum", "minimum", "maximum"}
    | {"format", "description", "default"}
)


_TYPES: dict[str, Any] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}


def wrong_in(value: Any, schema: dict[str, Any], document: dict[str, Any], where: str = "$") -> Iterator[str]:
    """Yield the places where a value does not match a schema.

    Raises
    ------
    AssertionError
        The schema uses a keyword that this function does not check.
    """
    assert schema.keys() <= KNOWN, f"{where}: {schema.keys() - KNOWN} is not checked"
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/components/schemas/")
        yield from wrong_in(value, document["components"]["schemas"][name], document, where)
        return
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(_TYPES[one](value) for one in types):
        yield f"{where}: {value!r} is none of {types}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is none of {schema['enum']}"
    if value is not None and not _formed(value, schema.get("format", "")):
        yield f"{where}: {value!r} is no {schema['format']}"
    if isinstance(value, int | float) and value < schema.get("minimum", value):
        yield f"{where}: {value} is below {schema['minimum']}"
    if isinstance(value, dict):
        yield from _members(value, schema, document, where)
    if isinstance(value, list) and "items" in schema:
        for place, entry in enumerate(value):
            yield from wrong_in(entry, schema["items"], document, f"{where}[{place}]")


def _members(
    value: dict[str, Any], schema: dict[str, Any], document: dict[str, Any], where: str
) -> Iterator[str]:
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{where}: {name} is missing"
    properties = schema.get("properties", {})
    for name, entry in value.items():
        if name in properties:
            yield from wrong_in(entry, properties[name], document, f"{where}.{name}")
        elif schema.get("additionalProperties") is False:
            yield f"{where}: {name} is not in the schema"


def _formed(value: Any, wanted: str) -> bool:
    readers: dict[str, Any] = {"date": date.fromisoformat, "date-time": datetime.fromisoformat}
    try:
        found = readers[wanted](value) if wanted in readers else None
    except (TypeError, ValueError):
        return False
    return wanted != "date-time" or found.tzinfo is not None


DOCUMENT: Final[dict[str, Any]] = json.loads(
    (ROOT / "surveys/static/surveys/openapi.json").read_text(encoding="utf-8")
)


CLIENT: Final = ROOT / "docs" / "clients" / "sottovoce_client.py"


@pytest.fixture
def run() -> Run:
    """Return a finished run of the owner's survey."""
    found = audited_run(mined_run(answered_version()))
    Survey.objects.filter(pk=found.survey_id).update(owner=member("owner", Role.RESEARCHER))
    return found


def body_of(response: HttpResponseBase) -> bytes:
    return b"".join(response) if response.streaming else response.content  # type: ignore[attr-defined]


def schema_of(path: str) -> dict[str, Any]:
    response = DOCUMENT["paths"][path]["get"]["responses"]["200"]
    schema: dict[str, Any] = response["content"]["application/json"]["schema"]
    return schema


def addresses(resolver: Any, before: str = "") -> dict[str, Any]:
    """Return every view by its URL pattern."""
    found: dict[str, Any] = {}
    for pattern in resolver.url_patterns:
        address = before + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            found |= addresses(pattern, address)
        else:
            found[address] = pattern
    return found


def test_the_api_document_lists_exactly_the_files_accepting_tokens() -> None:
    files = set()
    for address, pattern in addresses(get_resolver()).items():
        if hasattr(pattern.callback, "accepts_token"):
            below = address.split("staff", 1)[1]
            files.add(re.sub(r"<\w+:(\w+)>", r"{\1}", below))
    assert {path for path in files if "log.csv" in path} == {"/log.csv"}
    assert files == set(DOCUMENT["paths"])


@pytest.mark.soak
def test_api_responses_match_their_schemas(run: Run) -> None:
    owner = member("owner", Role.RESEARCHER)
    program = program_of(owner)
    slug = run.survey.slug
    for path, address, query in (
        ("/surveys.json", "surveys.json", {}),
        ("/surveys/{slug}/runs.json", f"surveys/{slug}/runs.json", {}),
        *(each for plugin in plugins() for each in plugin.api_queries(owner)),
    ):
        answer = program.get(f"/en/staff/{address}", query)
        assert answer.status_code == 200, (address, answer.content)
        assert list(wrong_in(answer.json(), schema_of(path), DOCUMENT)) == [], address
        assert answer.headers["Cache-Control"] == "no-store"
        assert not answer.cookies
    assert asked(program, f"surveys/{slug}/runs.json")["runs"][0]["id"] == run.pk


def test_wrong_or_missing_parameters_are_refused_by_name(run: Run) -> None:
    program = program_of(member("owner", Role.RESEARCHER))
    parameters = DOCUMENT["paths"]["/runs/{run_id}/rules.{ending}"]["get"]["parameters"]
    assert parameters[-1]["schema"]["enum"] == list(SORTS)
    for address, words in (
        ("rules.csv?sort=bogus", "Sort: Use one of these: order, -order, n, -n, support"),
        ("rules.json?lift_form=2", "“lift_form”"),
        ("compare/comparison.csv", "by: Choose one of these. outcome: Choose one of these."),
        ("compare/comparison.json?by=nothing&outcome=late", "by: “nothing” cannot be chosen here."),
    ):
        answer = program.get(f"/en/staff/runs/{run.pk}/{address}")
        assert (answer.status_code, answer.json()["code"]) == (422, "parameters")
        assert words in answer.json()["detail"]


@pytest.mark.soak
def test_a_program_and_a_browser_download_the_same_bytes(run: Run) -> None:
    reader = member("ana", Role.REVIEWER)
    program, browser = program_of(reader), Client()
    browser.force_login(reader)
    for name in ("rules.csv", "rules.json", "itemsets.csv", "audit.json"):
        address = f"/en/staff/runs/{run.pk}/{name}"
        assert body_of(program.get(address)) == body_of(browser.get(address)) != b"", name


@pytest.mark.parametrize("header", ["Bearer ", "Bearer sottovoce_x", "bearer " + "x" * 5_000])
def test_invalid_tokens_are_rejected_with_a_challenge(header: str) -> None:
    answer = Client().get(LIST, headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "token"


@pytest.mark.parametrize("header", ["", "Basic cm9vdDpyb290"])
def test_requests_without_a_token_redirect_to_the_log_in_page(header: str) -> None:
    answer = Client().get(LIST, headers={"Authorization": header} if header else {})
    assert answer.status_code == 302
    assert "/staff/log-in/" in answer.headers["Location"]


def test_invalid_tokens_are_rejected_even_when_logged_in() -> None:
    browser = browser_of("root", Role.ADMINISTRATOR)
    assert browser.get(LIST).status_code == 200
    assert browser.get(LIST, headers={"Authorization": "Bearer sottovoce_x"}).status_code == 401


def test_tokens_give_no_access_to_pages_or_forms() -> None:
    program = program_of(member("root", Role.ADMINISTRATOR))
    for address in ("/en/staff/", "/en/staff/people/", "/en/staff/account/"):
        assert program.get(address).status_code == 302, address
        assert program.post(address).status_code in (302, 403, 405), address


@pytest.mark.parametrize("name", ["token", "access_token", "Access_Token", "api_key"])
def test_tokens_in_the_url_are_rejected_even_with_a_valid_header(name: str) -> None:
    ana = member("ana", Role.REVIEWER)
    token = token_for(ana)
    for client in (Client(), program_of(ana)):
        answer = client.get(f"{LIST}?{name}={token}")
        assert (answer.status_code, answer.json()["code"]) == (400, "token")
        assert token not in answer.content.decode()


def test_only_reading_methods_are_allowed() -> None:
    for method in ("post", "put", "patch", "delete", "options"):
        answer = getattr(program_of(member("ana")), method)(LIST)
        assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD")
        assert answer.json()["code"] == "method"
    assert program_of(member("ana")).head(LIST).status_code == 200


@pytest.mark.soak
def test_administrators_need_their_required_second_factor_to_read(settings: Settings) -> None:
    root, ana = member("root", Role.ADMINISTRATOR), member("ana", Role.REVIEWER)
    program, other = program_of(root), program_of(ana)
    settings.SECOND_FACTOR_FOR = frozenset({"administrators"})
    answer = program.get(LIST)
    assert (answer.status_code, answer.json()["code"]) == (403, "second_factor")
    assert other.get(LIST).status_code == 200
    with_app(root)
    assert program.get(LIST).status_code == 200


def test_token_permissions_follow_the_current_page_permissions(run: Run, settings: Settings) -> None:
    rules = f"/en/staff/runs/{run.pk}/rules.json"
    ana = member("ana", Role.REVIEWER)
    program, owner = program_of(ana), program_of(member("owner", Role.RESEARCHER))
    assert program.get(rules).status_code == owner.get(rules).status_code == 200
    assert program_of(member("ben", Role.RESEARCHER)).get(rules).status_code == 404
    assert program.get("/en/staff/log.csv").json()["code"] == "role"
    member("ana")
    assert program.get(rules).status_code == 403
    settings.SOTTOVOCE_RESEARCHERS_READ_REPORTS = False
    assert owner.get(rules).status_code == 403
    (listed,) = asked(owner, "surveys.json")["surveys"]
    assert listed["may_read_runs"] is False


@pytest.mark.soak
def test_surveys_of_other_researchers_look_nonexistent(run: Run) -> None:
    program = program_of(member("ben", Role.RESEARCHER))
    there, not_there = (
        program.get(f"/en/staff/surveys/{slug}/runs.json") for slug in (run.survey.slug, "nowhere")
    )
    assert there.status_code == not_there.status_code == 404
    assert there.content == not_there.content
    assert list(wrong_in(there.json(), {"$ref": "#/components/schemas/Problem"}, DOCUMENT)) == []


@pytest.mark.parametrize("state", ["queued", "running", "failed", "cancelled"])
def test_files_of_unfinished_runs_are_rejected_with_their_state(run: Run, state: str) -> None:
    type(run.job).objects.filter(pk=run.job_id).update(state=state)
    program = program_of(member("ana", Role.REVIEWER))
    for name in ("itemsets.csv", "rules.json", "audit.json", "rows.zip"):
        answer = program.get(f"/en/staff/runs/{run.pk}/{name}")
        assert answer.status_code == 409
        assert answer.json()["code"] == ("not_over" if state in ("queued", "running") else "no_result")
    assert asked(program, f"surveys/{run.survey.slug}/runs.json")["runs"][0]["state"] == state


@pytest.mark.parametrize("change", ["few", "outdated"])
def test_withheld_results_are_also_withheld_from_the_api(change: str) -> None:
    run = audited_run(mined_run(answered_version()))
    changed = {"n": 96} if change == "few" else {"summary": run.summary | {"drawing": "another"}}
    Run.objects.filter(pk=run.pk).update(**changed)
    program = program_of(member("ana", Role.REVIEWER, Role.ROWS))
    for name in ("itemsets.csv", "rules.csv", "audit.json", "rows.sav"):
        refused = program.get(f"/en/staff/runs/{run.pk}/{name}")
        assert (refused.status_code, refused.json()["code"]) == (409, "withheld")
        assert "96" not in refused.content.decode()
    (head,) = asked(program, f"surveys/{run.survey.slug}/runs.json")["runs"]
    assert (head["has_results"], head["withheld"]) == (False, change)


@pytest.mark.soak
def test_api_times_come_only_from_staff_actions(run: Run) -> None:
    asked_at = timezone.now().replace(year=2031, month=1, day=1, hour=12, minute=34, second=56)
    type(run.job).objects.filter(pk=run.job_id).update(created_at=asked_at)
    survey = Survey.objects.get(pk=run.survey_id)
    program = program_of(member("ana", Role.REVIEWER))
    everything = [asked(program, path) for path in ("surveys.json", f"surveys/{survey.slug}/runs.json")]
    until = None if survey.settled else survey.accepts_until
    acts = (run.version.published_at, survey.closed_at, until, asked_at)
    allowed = {act.replace(second=0, microsecond=0).isoformat() for act in acts if act is not None}
    assert moments_in(everything) == allowed


@pytest.mark.soak
def test_the_api_omits_the_newest_batch_of_an_open_survey() -> None:
    version = open_version(policy="protected")
    program = program_of(member("ana", Role.REVIEWER))
    (design,) = asked(program, f"surveys/{version.survey.slug}/runs.json")["designs"]
    assert design["n"] == 600


def test_row_exports_need_permission_and_are_logged(settings: Settings) -> None:
    run = mined_run(answered_version())
    here = f"/en/staff/runs/{run.pk}/rows"
    assert program_of(member("ana", Role.REVIEWER)).get(f"{here}.zip").json()["code"] == "role"
    assert program_of(member("stranger", Role.RESEARCHER)).get(f"{here}.zip").status_code == 404
    reader = program_of(member("rhea", Role.REVIEWER, Role.ROWS))
    assert reader.get(f"{here}.exe").status_code == 404
    settings.SECOND_FACTOR_FOR = frozenset({"exports"})
    assert reader.get(f"{here}.zip").json()["code"] == "second_factor"
    assert not AuditEvent.objects.filter(action="data_export").exists()
    settings.SECOND_FACTOR_FOR = frozenset()
    sent = reader.get(f"{here}.zip")
    assert (sent.status_code, sent["Content-Type"]) == (200, "application/zip")
    with zipfile.ZipFile(io.BytesIO(body_of(sent))) as archive:
        rows = list(csv.DictReader(io.StringIO(archive.read("rows.csv").decode(), newline="")))
    assert len(rows) == run.n
    event = AuditEvent.objects.get(action="data_export")
    assert (event.actor, event.detail["file"]) == ("rhea", "zip")
    assert body_of(reader.get(f"{here}.xml")).startswith(b"<?xml")


@pytest.fixture
def client_module() -> ModuleType:
    made = importlib.util.spec_from_file_location("sottovoce_client", CLIENT)
    assert made is not None
    assert made.loader is not None
    module = importlib.util.module_from_spec(made)
    made.loader.exec_module(module)
    return module


def test_the_client_needs_only_the_standard_library() -> None:
    tree = ast.parse(CLIENT.read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    roots = {name.name.split(".")[0] for node in imports for name in node.names}
    assert roots <= set(sys.stdlib_module_names)
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))


@pytest.mark.parametrize("address", ["http://survey.example.org", "survey.example.org", "ftp://localhost"])
def test_the_client_sends_no_token_unencrypted(client_module: ModuleType, address: str) -> None:
    with pytest.raises(ValueError, match="https://"):
        client_module.Sottovoce(address, token="sottovoce_x")


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_the_client_reads_a_live_server(client_module: ModuleType, tmp_path: Path) -> None:
    run = audited_run(mined_run(answered_version()))
    token = token_for(member("ana", Role.REVIEWER, Role.ROWS))
    with WebServer(tmp_path / "web.log") as server:
        address = f"http://127.0.0.1:{server.port}"
        sottovoce = client_module.Sottovoce(address, token=token)
        (survey,) = sottovoce.get("surveys.json")["surveys"]
        (listed,) = sottovoce.get(f"surveys/{survey['slug']}/runs.json")["runs"]
        assert listed["id"] == run.pk
        assert len(sottovoce.get(f"runs/{run.pk}/rules.csv")) == run.rules.count()
        assert len(sottovoce.get(f"runs/{run.pk}/itemsets.csv")) == run.itemsets.count()
        assert sottovoce.get(f"runs/{run.pk}/audit.json")["run"] == run.pk
        assert zipfile.is_zipfile(io.BytesIO(sottovoce.get(f"runs/{run.pk}/rows.zip")))
        with pytest.raises(client_module.Problem) as refused:
            client_module.Sottovoce(address, token="sottovoce_x").get("surveys.json")
        assert (refused.value.status, refused.value.code) == (401, "token")


def test_the_client_honours_retry_after_and_stops_after_its_retries(
    client_module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Busy(BaseHTTPRequestHandler):
        refusals = 2

        def do_GET(self) -> None:
            self.send_response(429 if Busy.refusals else 200)
            self.send_header(
                "Content-Type", "application/problem+json" if Busy.refusals else "application/json"
            )
            self.send_header("Retry-After", "7")
            self.end_headers()
            self.wfile.write(b'{"code": "too_often"}')
            Busy.refusals = max(0, Busy.refusals - 1)

    waits: list[float] = []
    monkeypatch.setattr(client_module.time, "sleep", waits.append)
    with HTTPServer(("127.0.0.1", 0), Busy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        assert client_module.Sottovoce(address, token="t", retries=2).get("x.json") == {"code": "too_often"}
        assert waits == [7, 7]
        Busy.refusals = 2
        with pytest.raises(client_module.Problem) as refused:
            client_module.Sottovoce(address, token="t", retries=1).get("x.json")
        assert refused.value.status == 429
        server.shutdown()
