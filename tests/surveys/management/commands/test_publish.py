"""manage.py import_survey, publish and client: output, exit codes, errors."""

import json
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

import manage
from surveys.management.commands import dev
from surveys.models import AuditEvent, Survey
from surveys.questionnaire.checks.check import check_draft
from surveys.questionnaire.draft import draft_read
from tests.conftest import ROOT
from tests.fixtures.devices import shipped_definition

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "work.json"
    path.write_text(json.dumps(shipped_definition(slug="work")), encoding="utf-8")
    return path


def said(*command: Any) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


@pytest.mark.soak
def test_a_survey_is_imported_published_and_closed_from_the_command_line(file: Path) -> None:
    assert "work is a draft. Publish it: sottovoce publish work" in said("import_survey", file)
    assert "Version 1 of work is open at /en/s/work/" in said("publish", "work", "--readable-seen")
    assert "Sealed answers are accepted until" in said("publish", "work", "--close")
    assert "accepts nothing more" in said("publish", "work", "--close", "--now")
    assert Survey.objects.get().settled
    assert set(AuditEvent.objects.values_list("actor", flat=True)) == {"command line"}


def test_a_part_that_does_not_say_whether_it_is_protected_is(file: Path) -> None:
    document = shipped_definition(slug="work")
    number = next(at for at, block in enumerate(document["blocks"]) if not block["protected"])
    del document["blocks"][number]["protected"]
    document["blocks"] = [
        {name: value for name, value in block.items() if name != "asked_if"} for block in document["blocks"]
    ]
    file.write_text(json.dumps(document), encoding="utf-8")
    text = said("import_survey", file)
    assert f"Part {number + 1}: the file does not say whether it is protected, so it is." in text
    assert Survey.objects.get().definition["blocks"][number]["protected"] is True


def test_a_scheduled_survey_prints_its_opening_time_in_its_own_time_zone(file: Path) -> None:
    times = {"time_zone": "Asia/Shanghai", "opens_at": "2099-01-01T08:00"}
    document = shipped_definition(slug="work", **times)
    file.write_text(json.dumps(document), encoding="utf-8")
    said("import_survey", file)
    assert "Version 1 of work opens on 2099-01-01T08:00 (Asia/Shanghai)" in said(
        "publish", "work", "--readable-seen"
    )


def test_commands_print_json_for_scripts(file: Path) -> None:
    imported = json.loads(said("import_survey", file, "--json"))
    readable = {each["question"]: each["word"] for each in imported.pop("readable")}
    assert imported == {"survey": "work", "state": "draft", "practice": False, "protected": []}
    # Questions that are stored as answered are listed, none of which looks sensitive.
    assert set(readable.values()) == {""}
    assert "leads" in readable
    version = json.loads(said("publish", "work", "--readable-seen", "--json"))
    assert (version["version"], version["page"], len(version["design_id"])) == (1, "/en/s/work/", 64)
    closed = json.loads(said("publish", "work", "--close", "--now", "--json"))
    assert (closed["survey"], closed["settled"]) == ("work", True)


@pytest.mark.soak
def test_publishing_a_sensitive_readable_question_needs_an_option(file: Path) -> None:
    document = shipped_definition(slug="work")
    open_part = next(block for block in document["blocks"] if not block["protected"])
    open_part["questions"][0]["text"] = {"en": "Have you been raped?", "zh-hans": "你被强奸过吗？"}
    file.write_text(json.dumps(document))
    assert "Stored as answered: “Have you been raped?”" in said("import_survey", file)
    with pytest.raises(CommandError, match="although it is not plain background"):
        said("publish", "work")
    assert "Version 1 of work" in said("publish", "work", "--readable-seen")


@pytest.mark.soak
def test_a_changed_definition_of_an_open_survey_waits_for_publication(file: Path) -> None:
    said("import_survey", file)
    said("publish", "work", "--readable-seen")
    file.write_text(json.dumps(shipped_definition(slug="work", title={"en": "A", "zh-hans": "一"})))
    assert "its new version waits" in said("import_survey", file)
    assert "Version 2 of work" in said("publish", "work", "--readable-seen")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("import_survey", "nowhere.json"), "nowhere.json cannot be read"),
        (("publish", "nowhere"), "Unknown survey: 'nowhere'. Import a definition first"),
        *(
            ((command, "nowhere"), "Unknown survey: 'nowhere'")
            for command in ("audit", "delete_survey", "mine")
        ),
    ],
)
def test_unknown_surveys_and_files_are_named_in_the_error(command: tuple[str, str], says: str) -> None:
    with pytest.raises(CommandError, match=says):
        said(*command)


def test_every_problem_of_a_definition_is_listed(file: Path) -> None:
    document = shipped_definition(slug="Work")
    document["blocks"][1]["questions"][0]["unrelated"] = [0]
    file.write_text(json.dumps(document))
    with pytest.raises(CommandError) as caught:
        said("import_survey", file)
    lines = str(caught.value).splitlines()
    assert lines[0].startswith('slug: "Work"')
    assert lines[1].startswith("blocks[1].questions[0].unrelated: ")


def test_commands_refuse_surveys_in_the_wrong_state(file: Path) -> None:
    said("import_survey", file)
    with pytest.raises(CommandError, match=r"never published\. Publish it first"):
        said("publish", "work", "--close")
    said("publish", "work", "--readable-seen")
    with pytest.raises(CommandError, match="exactly this definition"):
        said("publish", "work", "--readable-seen")
    said("publish", "work", "--close")
    with pytest.raises(CommandError, match="with --now"):
        said("publish", "work", "--close")
    with pytest.raises(CommandError, match=r"is closed\. Write another slug into the file"):
        said("import_survey", file)
    with pytest.raises(CommandError, match=r"is closed\. Duplicate it on the page “New survey”"):
        said("publish", "work", "--readable-seen")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["import_survey", "nowhere.json"], 1),
        (["import_survey"], 2),
        (["publish", "--soon", "work"], 2),
        (["publish", "work", "--now"], 2),
        (["client", "--help"], 0),
        (["import_survey", "--help"], 0),
        (["publish", "--help"], 0),
    ],
)
def test_exit_codes_distinguish_refusal_misuse_and_success(
    arguments: list[str], code: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["manage.py", *arguments])
    with pytest.raises(SystemExit) as ended:
        manage.main()
    assert ended.value.code == code, capfd.readouterr().err


@pytest.mark.soak
def test_a_failing_process_prints_the_reason_without_a_traceback() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "import_survey", "nowhere.json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "nowhere.json cannot be read" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["dev", "demo"])
@pytest.mark.parametrize(
    "host", ["bad.invalid", "999.1.1.1", "[::1]", "", "a..b", "ü" * 70, "127.0.0.1:8000"]
)
def test_an_unknown_host_is_refused_as_a_host(command: str, host: str) -> None:
    """The web server accepts only numbers, and ended again and again."""
    with pytest.raises(CommandError, match=f"argument --host: {re.escape(repr(host))} is not an address"):
        call_command(command, f"--host={host}")


def test_names_of_this_machine_are_looked_up() -> None:
    assert dev.host("localhost") in {"127.0.0.1", "::1"}


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", ""])
def test_an_invalid_port_is_refused_with_the_allowed_range(port: str) -> None:
    with pytest.raises(CommandError, match=f"'{port}' is not a port; choose a number from 1 to 65535"):
        call_command("dev", f"--port={port}")


@pytest.mark.soak
def test_publish_prints_every_finding(file: Path) -> None:
    """docs/checks.md promises the findings in the output: this way, nobody has seen the builder."""
    document = shipped_definition(slug="work")
    document["blocks"][1].pop("refusal")
    file.write_text(json.dumps(document), encoding="utf-8")
    said("import_survey", file)
    definition = draft_read(Survey.objects.get()).definition
    assert definition is not None
    findings = check_draft(Survey.objects.get(), definition)
    warnings = [one.message for one in findings if not one.is_refusal]
    refusals = [one.message for one in findings if one.is_refusal]
    assert warnings
    assert refusals
    errors = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("publish", "work", "--readable-seen", stderr=errors)
    assert all(message in str(refused.value) for message in refusals)
    # Lines begin with a capital letter.
    assert all(message[1:] in errors.getvalue() for message in warnings)
    text = said("publish", "work", "--readable-seen", "--reason", "a test")
    assert text.startswith("Version 1 of work is open")
    assert all(message[1:] in text for message in (*warnings, *refusals))
    assert (text.count("warns: "), text.count("stops: ")) == (len(warnings), len(refusals))


@pytest.mark.soak
def test_publish_returns_its_findings_to_scripts(file: Path) -> None:
    said("import_survey", file)
    finding, *_ = json.loads(said("publish", "work", "--readable-seen", "--json"))["findings"]
    assert {"level", "code", "path", "message", "remedy"} <= finding.keys()
