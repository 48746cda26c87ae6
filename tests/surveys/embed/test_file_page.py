"""A survey tool's file: preview without storing, complete import, and figures as for our own answers."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from mining.thresholds import Thresholds
from privacy.errors import PrivacyError
from surveys.accounts.roles import Role
from surveys.embed import packed_import as packed_import_module
from surveys.embed.packed_import import packed_import
from surveys.embed.reading import file_read, suspects_of
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Batch, Survey
from surveys.models.audit_event import ANSWERS_READ
from surveys.questionnaire.definition import definition_parse
from surveys.runs.file_event import file_event
from surveys.runs.withheld import withheld_of
from tests.fixtures.devices import closed, published, stored
from tests.fixtures.embed_frames import framed, three, worded, yes_no
from tests.fixtures.forged_rows import with_report
from tests.fixtures.host_files import answers_of, bodies, by_digest, csv_of, exported, host_file, strings
from tests.fixtures.runs import mined_run
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

PAGE = "/en/staff/surveys/new/answers"
QUICK = Thresholds(support=0.3, max_size=2)


def uploaded(name: str, content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def given(
    client: Client, content: bytes, *definitions: dict[str, Any], name: str = "a.csv", **more: Any
) -> Any:
    files = [uploaded("part.json", json.dumps(document).encode()) for document in definitions]
    return client.post(PAGE, {"file": uploaded(name, content), "definitions": files, **more})


def words(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def three_worded() -> dict[str, Any]:
    """Return the wording of `three`'s only part, as a version stores it."""
    block: dict[str, Any] = definition_parse(three()).wording["blocks"][0]
    return block


def researcher(name: str) -> User:
    return member(name, Role.RESEARCHER)


@pytest.fixture
def ada(client: Client) -> Client:
    client.force_login(researcher("ada"))
    return client


@pytest.mark.soak
def test_the_preview_proposes_columns_and_stores_nothing(ada: Client) -> None:
    found = given(ada, exported(three()), three())
    assert found.status_code == 200
    text = words(found)
    assert "200 people answered." in text
    assert "Never read: ResponseId, StartDate, comment." in text
    assert 'name="open" value="works nights" checked' in found.content.decode()
    assert not Survey.objects.exists()


@pytest.mark.soak
def test_imports_become_closed_surveys_with_owner_and_origin(ada: Client) -> None:
    made = given(
        ada, exported(three()), three(), take="1", open="works nights", slug="there", reason="A test."
    )
    assert (made.status_code, made["Location"]) == (302, reverse("report:survey", args=["there"]))
    survey = Survey.objects.get(slug="there")
    assert (survey.owner.username, survey.state) == ("ada", "closed")
    assert file_event(survey)
    run = mined_run(survey.versions.get(), QUICK, anew=True)
    said = "It knows who sent each disguised answer, and when."
    ada.force_login(researcher("bo"))
    assert ada.get(reverse("audit:risk", args=["there"])).status_code == 404
    ada.force_login(survey.owner)
    assert said in words(ada.get(reverse("audit:risk", args=["there"])))
    assert said in words(ada.get(reverse("audit:run", args=[run.pk])))
    here = published({**three(), "slug": "here"})
    stored(here, bodies(definition_parse(three()), answers_of(200)))
    other = mined_run(closed(here), QUICK, anew=True)
    Survey.objects.filter(slug="here").update(owner=survey.owner)
    assert said not in words(ada.get(reverse("audit:risk", args=["here"])))
    assert said not in words(ada.get(reverse("audit:run", args=[other.pk])))


@pytest.mark.soak
def test_files_of_local_surveys_need_no_definition_for_their_owner(ada: Client) -> None:
    mine = {**three(), "slug": "mine"}
    published(mine)
    unknown = given(ada, exported(mine))
    assert unknown.status_code == 422
    assert "Nothing was imported." in words(unknown)
    Survey.objects.update(owner=researcher("ada"))
    found = given(ada, exported(mine))
    assert found.status_code == 200
    # The page proposes a free name.
    assert 'value="mine-2"' in found.content.decode()


@pytest.mark.soak
def test_files_are_read_with_the_published_wording_not_the_draft(ada: Client) -> None:
    mine = {**three(), "slug": "mine"}
    published(mine)
    Survey.objects.update(owner=researcher("ada"), definition={"sotto": 1})
    made = given(ada, exported(mine), take="1", slug="there", reason="A test.")
    assert made.status_code == 302
    assert Survey.objects.get(slug="there").versions.get().wording["blocks"][0] == three_worded()


def test_answers_are_never_attributed_to_another_question(ada: Client) -> None:
    """The second version has the same design, but its words, and the draft's, ask something else."""
    drug, blood = (worded(text, slug="mine") for text in ("Did you ever drug?", "Did you ever give blood?"))
    assert published(drug).design_id == published(blood).design_id
    Survey.objects.update(owner=researcher("ada"))
    for slug, document in (("of-drug", drug), ("of-blood", blood)):
        made = given(ada, exported(document, 300), take="1", slug=slug, reason="A test.")
        assert made.status_code == 302
        (question, *_others) = Survey.objects.get(slug=slug).versions.get().wording["blocks"][0]["questions"]
        assert question["text"] == document["blocks"][0]["questions"][0]["text"]
    # A file with lines of both versions is refused, and so is a definition with other words than the frame's.
    both_versions = exported(drug, 20) + b"".join(exported(blood, 20).splitlines(keepends=True)[1:])
    refused = given(ada, both_versions, take="1", slug="of-both", reason="A test.")
    assert refused.status_code == 422
    assert "20 lines of the file cannot be read" in words(refused)
    assert "a line of another version, with other words or another design" in words(refused)
    Survey.objects.update(owner=researcher("bo"))
    assert given(ada, exported(drug), blood).status_code == 422
    assert given(ada, exported(drug), drug).status_code == 200


@pytest.mark.usefixtures("read_here")
@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (b"a,b\n1,2\n", "a.csv", "sotto1."),
        (b"a,\x81\n", "a.csv", "UTF-8"),
        (b"nothing", "a.xlsx", "Excel"),
        (exported(framed(*map(yes_no, "abc"), truth_probability=5000)), "a.csv", "digest"),
    ],
)
def test_unreadable_files_are_rejected_with_an_explanation(
    ada: Client, content: bytes, name: str, said: str
) -> None:
    refused = given(ada, content, three(), name=name)
    assert refused.status_code == 422
    assert said in words(refused)
    assert not Survey.objects.exists()


def test_invalid_definitions_and_used_addresses_are_refused(ada: Client) -> None:
    assert given(ada, exported(three()), {"no": "definition"}).status_code == 422
    published({**three(), "slug": "there"})
    taken = given(ada, exported(three()), three(), take="1", slug="there", reason="A test.")
    assert taken.status_code == 422
    # The page still shows the findings and the choices.
    assert "200 people answered." in words(taken)
    assert 'name="open" value="works nights">' in taken.content.decode()
    odd = given(
        ada, exported(three()), three(), take="1", slug="no address", reason="A test.", open="works nights"
    )
    assert odd.status_code == 422
    assert "Use lower-case letters, digits and hyphens" in words(odd)
    assert "200 people answered." in words(odd)
    assert 'name="open" value="works nights" checked' in odd.content.decode()
    assert not Survey.objects.exclude(slug="there").exists()


@pytest.mark.soak
def test_failed_checks_ask_for_a_reason(ada: Client) -> None:
    bold = framed(*map(yes_no, "abc"), truth_probability=9900)
    refused = given(ada, exported(bold), bold, take="1", slug="there")
    assert refused.status_code == 422
    assert 'name="reason"' in refused.content.decode()
    assert not Survey.objects.exists()
    done = given(ada, exported(bold), bold, take="1", slug="there", reason="It was asked like this.")
    assert done.status_code == 302


@pytest.mark.soak
def test_invalid_lines_are_listed_and_omitted_on_request(ada: Client) -> None:
    lines = exported(three()).decode().splitlines()
    damaged = "\n".join([*lines, lines[1], lines[2].replace("sotto1.", "sotto1!")]).encode()
    found = given(ada, damaged, three())
    assert found.status_code == 200
    assert "2 lines cannot be read" in words(found)
    assert "Line 202, column protected: this answer line appeared earlier in the file" in words(found)
    assert "Line 203, column protected: not a line from a frame" in words(found)
    refused = given(ada, damaged, three(), take="1", slug="there", reason="A test.")
    assert refused.status_code == 422
    assert "2 lines of the file cannot be read: 202, 203" in words(refused)
    assert not Survey.objects.exists()
    made = given(ada, damaged, three(), take="1", slug="there", reason="A test.", leave_out="1")
    assert made.status_code == 302
    run = mined_run(Survey.objects.get(slug="there").versions.get(), QUICK, anew=True)
    said = "2 lines of the survey tool’s file could not be read and were left out."
    for name in ("report:results", "report:printed", "report:about"):
        assert said in words(ada.get(reverse(name, args=[run.pk])))
    whole = given(ada, exported(three()), three(), take="1", slug="whole", reason="A test.")
    assert whole.status_code == 302
    run = mined_run(Survey.objects.get(slug="whole").versions.get(), QUICK, anew=True)
    assert "could not be read" not in words(ada.get(reverse("report:results", args=[run.pk])))


@pytest.mark.soak
def test_answer_strings_in_comments_make_the_page_ask_for_columns(ada: Client) -> None:
    raw = exported(three()).replace(b"text 5\r\n", b"sotto1.\r\n")
    found = given(ada, raw, three())
    assert "200 people answered." in words(found)
    assert "Which columns hold the disguised answers?" in words(found)
    assert "1 of 200 filled cells" in words(found)
    assert 'name="strings" value="protected" checked' in found.content.decode()


@pytest.mark.soak
def test_files_without_suitable_open_columns_show_a_message(ada: Client) -> None:
    rows = [line.split(",")[2] for line in exported(three()).decode().splitlines()[1:]]
    found = given(ada, csv_of(["protected"], [[row] for row in rows]), three())
    assert "few enough different values to become an unprotected question" in words(found)


def test_the_command_previews_and_then_imports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    definition, answers = tmp_path / "three.json", tmp_path / "answers.csv"
    definition.write_text(json.dumps(three()))
    answers.write_bytes(exported(three()))
    call_command("read_answers", str(definition), str(answers), look=True)
    said = capsys.readouterr().out
    assert "200 people answered" in said
    assert "Proposed as open: works nights (no, yes)" in said
    assert "Never read: ResponseId, StartDate, comment" in said
    assert not Survey.objects.exists()
    arguments = {"open": ["works nights"], "slug": "there", "reason": "For a test.", "json": True}
    call_command("read_answers", str(definition), str(answers), **arguments)
    assert json.loads(capsys.readouterr().out)["survey"] == "there"
    with pytest.raises(CommandError, match="There is already a survey"):
        call_command("read_answers", str(definition), str(answers), **arguments)
    with pytest.raises(CommandError, match="Only one file"):
        call_command("read_answers", str(answers))
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("read_answers", str(definition), str(tmp_path / "nothing.csv"))


def test_the_command_lists_invalid_lines_and_can_omit_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    definition, answers = tmp_path / "three.json", tmp_path / "answers.csv"
    definition.write_text(json.dumps(three()))
    lines = exported(three()).decode().splitlines()
    answers.write_text("\n".join([*lines, lines[1]]))
    call_command("read_answers", str(definition), str(answers), look=True)
    assert "Line 202 cannot be read: this answer line appeared earlier" in capsys.readouterr().out
    arguments = {"slug": "there", "reason": "For a test."}
    with pytest.raises(CommandError, match="1 line of the file cannot be read: 202"):
        call_command("read_answers", str(definition), str(answers), **arguments)
    call_command("read_answers", str(definition), str(answers), leave_out=True, **arguments)
    assert AuditEvent.objects.get(action=ANSWERS_READ).detail == {"rows": 200, "batches": 1, "left_out": 1}


def test_forged_lines_are_listed_and_cost_only_their_question(ada: Client) -> None:
    """400 people answered; 900 lines say no to c, which a fifth of honest rows must affirm."""
    definition = definition_parse(three())
    honest = bodies(definition, answers_of(400))
    copies = bodies(definition, answers_of(900, seed=9), seed=8)
    forged = [with_report(definition.design, body, "c", lambda _: 0) for body in copies]
    made = strings(definition, [*honest, *forged])
    content = csv_of(["id", "protected"], [[f"R{number}", string] for number, string in enumerate(made)])
    page = words(given(ada, content, three()))
    found = re.search(r"([\d,]+) of these ([\d,]+) answers to c, at least, are forged", page)
    assert found is not None
    forged_lines, equal_lines = (int(number.replace(",", "")) for number in found.groups())
    assert 0 < forged_lines <= 900 <= equal_lines
    assert re.search(r"Column protected, lines [2-9]", page)
    (own,) = suspects_of(file_read(host_file("a.csv", content), by_digest(three())))
    assert set(range(402, 1302)) <= set(own.lines)
    made_survey = given(ada, content, three(), take="1", slug="there", reason="A test.")
    assert made_survey.status_code == 302
    run = mined_run(Survey.objects.get(slug="there").versions.get(), QUICK, anew=True)
    assert list(withheld_of(run).questions) == [2]
    results = words(ada.get(reverse("report:results", args=[run.pk])))
    assert "No figure of “c” is shown" in results
    assert "The link was open" not in results
    assert results.count("forged answers: up to") >= 2


@pytest.mark.soak
def test_lines_that_no_device_can_send_are_left_out_and_listed(ada: Client) -> None:
    definition = definition_parse(three())
    possible = bodies(definition, answers_of(200))
    # In devices' rows, the padding bits are 0.
    impossible = possible[0][:-1] + bytes([possible[0][-1] | 1])
    made = strings(definition, [*possible, impossible])
    content = csv_of(["id", "protected"], [[f"R{number}", string] for number, string in enumerate(made)])
    page = words(given(ada, content, three()))
    assert "Line 202, column protected: a device cannot have sent this" in page
    assert "These lines are left out. Every report will state their number." in page
    assert given(ada, content, three(), take="1", slug="there", reason="A test.").status_code == 302
    assert AuditEvent.objects.get(action=ANSWERS_READ).detail["left_out"] == 1


BODIES = bodies(definition_parse(three()), answers_of(500))
ROWS = np.frombuffer(b"".join(BODIES), dtype=np.uint8).reshape(len(BODIES), -1)


@pytest.mark.soak
def test_imported_rows_are_stored_in_shuffled_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_import_module, "ROWS_IN_A_BATCH", 200)
    done = packed_import(three(), ROWS, action="tried", by="ada", now=timezone.now(), reason="A test.")
    batches = [bytes(batch.packed) for batch in Batch.objects.order_by("pk")]
    assert (done.n, done.batches, [len(packed) for packed in batches]) == (500, 3, [200, 200, 100])
    kept = b"".join(batches)
    assert Counter(kept) == Counter(b"".join(BODIES))
    # The same order of 500 rows has a probability far below 1e-100.
    assert kept != b"".join(BODIES)
    assert Survey.objects.get().state == "closed"
    assert AuditEvent.objects.get(action="tried").detail == {"rows": 500, "batches": 3}


def test_invalid_rows_and_used_names_store_nothing() -> None:
    # In devices' rows, the padding bits are 0.
    wrong = ROWS.copy()
    wrong[7, -1] |= 1
    with pytest.raises(PrivacyError):
        packed_import(three(), wrong, action="tried", by="ada", now=timezone.now(), reason="A test.")
    assert not Batch.objects.exists()
    published(three())
    with pytest.raises(SurveyError, match="there is already a survey"):
        packed_import(three(), ROWS, action="tried", by="ada", now=timezone.now(), reason="A test.")
    assert not Batch.objects.exists()
