"""Commands and programs meet a survey with composite questions: files, frames and the API."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import reverse

from surveys.models import Run, Survey, Version
from surveys.watch import file_comparison
from surveys.watch.download import BROWSERS
from tests.fixtures.api_clients import program_of
from tests.fixtures.devices import closed, published, stored
from tests.fixtures.runs import SINGLES, alice, audited_run, mined_run
from tests.fixtures.violence_survey import FORMS, violence_answered, violence_definition, violence_rows

pytestmark = pytest.mark.django_db
NEVER_SENT = "Computed on each device from 5 questions that are never sent."
LOST = "Only this answer is sent, so no one can compute the following: the share of one of"


def said(*command: Any, **options: Any) -> str:
    out = io.StringIO()
    call_command(*command, stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "violence.json"
    path.write_text(json.dumps(violence_definition()), encoding="utf-8")
    return path


def content_of(response: HttpResponseBase) -> bytes:
    assert response.status_code == 200, response
    return b"".join(response.streaming_content) if response.streaming else response.content  # type: ignore[attr-defined]


def test_publishing_from_the_command_line_says_what_is_chosen_for_good(file: Path) -> None:
    said("import_survey", file)
    lines = said("publish", "violence").splitlines()
    of_forms = [line for line in lines if line.startswith("for good: ")]
    assert len(of_forms) == 3
    assert of_forms[0].startswith(
        f"for good: “Physical violence by a partner in the last 12 months”: {NEVER_SENT} Yes means yes to at "
    )
    assert LOST in of_forms[0]


@pytest.mark.soak
def test_scripts_read_which_questions_are_computed(file: Path) -> None:
    said("import_survey", file)
    assert json.loads(said("publish", "violence", "--json"))["computed"] == list(FORMS)


@pytest.mark.soak
def test_the_page_that_publishes_says_it_too(client: Client) -> None:
    from surveys.authoring.drafts import survey_import

    survey = survey_import(violence_definition(), by="alice")
    Survey.objects.filter(pk=survey.pk).update(owner=alice())
    client.force_login(User.objects.create_superuser("dora"))
    page = client.get(reverse("authoring:publish", args=["violence"])).content.decode()
    assert "You choose this now and for good" in page
    assert page.count(LOST) == 3
    chinese = client.get(reverse("authoring:publish", args=["violence"]).replace("/en/", "/zh-hans/"))
    assert "这是现在一次定下的" in chinese.content.decode()


@pytest.mark.soak
def test_a_survey_goes_from_a_file_to_results_by_commands(file: Path) -> None:
    said("import_survey", file)
    said("publish", "violence")
    version = Version.objects.get()
    stored(version, violence_rows(version.to_design(), 300))
    said("publish", "violence", "--close", "--now")
    mined = said("mine", "violence", "--support", ".02", "--max-size", "2", "--inline")
    assert "from 300 answers" in mined
    audit = json.loads(said("audit", "violence"))
    (block,) = audit["before"]["blocks"]
    assert block["questions"] == list(FORMS), "an attacker learns about what is sent"
    assert "slapped" not in json.dumps(audit)


def test_a_frame_of_a_part_with_composites_is_written_and_read_back(tmp_path: Path) -> None:
    own = violence_definition()
    own["blocks"] = own["blocks"][1:]
    definition = tmp_path / "framed.json"
    definition.write_text(json.dumps(own), encoding="utf-8")
    lines = said(
        "embed", str(definition), out=tmp_path / "frame", host=["https://tool.example"], reason="A test."
    )
    assert lines.count("for good: ") == 3
    names = {path.name for path in (tmp_path / "frame").rglob("*")}
    assert {"frame-composites.js", "index.html"} <= names


@pytest.mark.soak
def test_programs_download_every_file_of_a_run_with_composites() -> None:
    run = mined_run(violence_answered(), SINGLES)
    audited_run(run)
    program = program_of(User.objects.create_superuser("dora"))

    def file_of(name: str) -> bytes:
        return content_of(program.get(f"/en/staff/runs/{run.pk}/{name}"))

    assert json.loads(file_of("audit.json"))
    for name in ("rules.csv", "itemsets.csv", "rows.dta"):
        assert b"slapped" not in file_of(name), "figures and columns are of what is sent"
    assert b"Disguised, computed: Physical violence" in file_of("rows.dta")
    assert b"Computed on each device from 5 questions" in file_of("rows.sav")
    assert NEVER_SENT in file_of("rows.xml").decode()
    lines = csv.DictReader(io.StringIO(file_of("itemsets.csv").decode("utf-8-sig")))
    assert {"physical", "sexual", "psychological"} <= {line["items"] for line in lines}


@pytest.mark.soak
def test_json_files_say_which_questions_devices_computed() -> None:
    run = mined_run(violence_answered(), SINGLES)
    program = program_of(User.objects.create_superuser("dora"))
    for name in ("rules.json", "compare/comparison.json?outcome=physical&by=sexual"):
        computed = json.loads(content_of(program.get(f"/en/staff/runs/{run.pk}/{name}")))["computed"]
        assert list(computed) == list(FORMS)
        assert computed["physical"][0] == NEVER_SENT
        assert any(line.startswith(LOST) for line in computed["physical"])


@pytest.mark.soak
def test_programs_ask_for_at_least_one_as_the_description_says() -> None:
    run = mined_run(violence_answered(), SINGLES)
    program = program_of(User.objects.create_superuser("dora"))
    described = json.loads(Path("surveys/static/surveys/openapi.json").read_text(encoding="utf-8"))
    operation = described["paths"]["/runs/{run_id}/compare/comparison.{ending}"]["get"]
    (parameter,) = [own for own in operation["parameters"] if own.get("name") == "any_of"]
    assert (parameter["schema"]["type"], parameter["explode"]) == ("array", True)
    query = "&".join(f"any_of={form}" for form in FORMS)
    address = f"/en/staff/runs/{run.pk}/compare/comparison.json"
    read = json.loads(content_of(program.get(f"{address}?{query}&by=everyone")))
    (record,) = read["outcomes"]
    assert (record["outcome"], record["group"]) == ("physical|sexual|psychological", "everyone")
    answer = program.get(f"{address}?any_of=physical&by=everyone")
    assert answer.status_code == 422
    assert "Tick at least two answers" in answer.json()["detail"]
    assert answer.json()["type"] == "urn:sottovoce:problem:parameters"


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_the_watcher_finds_a_changed_component(
    live_server: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A component's text is wording and its points are design: both are in the survey's digest."""
    monkeypatch.setitem(file_comparison.compare.__kwdefaults__, "browsers", BROWSERS[:1])
    version = published(violence_definition())
    address = f"{live_server.url}/en/s/violence/"
    call_command("watch", address)
    before = capsys.readouterr().out
    assert before.startswith("as built")
    changed = violence_definition(slug="changed")
    changed["blocks"][1]["questions"][0]["computed"]["components"][0]["text"]["en"] = "Did a partner hug you?"
    reworded = published(changed)
    assert reworded.design_id == version.design_id
    assert reworded.wording_id != version.wording_id
    call_command("watch", f"{live_server.url}/en/s/changed/")
    after = capsys.readouterr().out
    assert before.split("survey ")[1].split(",")[0] != after.split("survey ")[1].split(",")[0]


@pytest.mark.soak
def test_letters_of_versions_that_differ_in_points_have_different_codes() -> None:
    from surveys.respondent.survey_digests import survey_digest

    one = published(violence_definition())
    other = violence_definition(slug="other")
    other["blocks"][1]["questions"][0]["computed"]["levels"][1]["from"] = 2
    two = published(other)
    assert one.design_id != two.design_id
    assert survey_digest(one) != survey_digest(two)
    assert closed(two).to_design() != one.to_design()
    assert Run.objects.count() == 0
