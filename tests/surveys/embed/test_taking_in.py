"""A tool's file becomes a closed survey whose figures are those of the same answers through Sottovoce's
page."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.forms.models import model_to_dict
from django.utils import timezone

from privacy.errors import PrivacyError
from surveys.embed import pages as module
from surveys.embed.pages import columns_named, file_take_in, packed_import, was_collected_elsewhere
from surveys.embed.reading import file_read
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Batch, Survey, Version
from surveys.models.staff import ANSWERS_READ
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.devices import closed, published, stored
from tests.fixtures.frames import three
from tests.fixtures.host_files import answers_of, bodies, by_digest, csv_of, exported, host_file, strings
from tests.fixtures.refusals import refused
from tests.fixtures.runs import mined

pytestmark = pytest.mark.django_db

PEOPLE = 2_000


def figures(version: Version) -> list[dict[str, Any]]:
    """Return every figure of a run on a survey: itemsets and rules, without the keys of their rows."""
    run = mined(version, anew=True)
    return [
        {name: value for name, value in model_to_dict(row).items() if name not in ("id", "run")}
        for rows in (run.itemsets, run.rules)
        for row in rows.order_by("pk")
    ]


def test_the_figures_are_those_of_the_same_answers_through_sottovoces_page() -> None:
    here = published({**three(), "slug": "here"})
    stored(here, bodies(definition_parse(three()), answers_of(PEOPLE)))
    own = figures(closed(here))
    read = file_read(host_file("a.csv", exported(three(), PEOPLE)), by_digest(three()))
    done = file_take_in(read, (), slug="there", by="alice", now=timezone.now(), reason="For a test.")
    assert done.n == PEOPLE
    assert len(own) > 5
    assert figures(Version.objects.select_related("survey").get(pk=done.version.pk)) == own
    # Neither the file's order nor its other contents are stored.
    packed = b"".join(bytes(batch.packed) for batch in Batch.objects.filter(version=done.version))
    sent = b"".join(bodies(definition_parse(three()), answers_of(PEOPLE)))
    assert sorted(packed) == sorted(sent)
    assert packed != sent


def test_it_is_closed_logged_and_known_as_collected_elsewhere() -> None:
    read = file_read(host_file("a.csv", exported(three())), by_digest(three()))
    done = file_take_in(
        read, read.columns, slug="there", by="alice", now=timezone.now(), reason="For a test."
    )
    assert Survey.objects.get(slug="there").state == "closed"
    assert was_collected_elsewhere(done.version.survey)
    assert not was_collected_elsewhere(published({**three(), "slug": "here"}).survey)
    event = AuditEvent.objects.get(action=ANSWERS_READ)
    assert (event.actor, event.detail) == ("alice", {"rows": 200, "batches": 1})
    assert [item.key for item in done.version.to_design().items][-2:] == [
        "column-1=value-1", "column-1=value-2",
    ]  # fmt: skip
    assert done.version.wording["blocks"][-1]["title"] == {
        "en": "Next to the protected part",
        "zh-hans": "受保护部分之外",
    }
    stored_texts = json.dumps([done.version.wording, done.version.design])
    for telling in ("R_1", "2026-01-01", "text 1", "ResponseId", "comment"):
        assert telling not in stored_texts


def test_everything_or_nothing() -> None:
    read = file_read(host_file("a.csv", exported(three())), by_digest(three()))
    published({**three(), "slug": "there"})
    with pytest.raises(SurveyError, match="there is already a survey"):
        file_take_in(read, (), slug="there", by="alice", now=timezone.now(), reason="For a test.")
    assert not Batch.objects.exists()


def test_a_column_that_cannot_be_open_is_refused() -> None:
    read = file_read(host_file("a.csv", exported(three())), by_digest(three()))
    assert columns_named(read, ["works nights", "works nights"]) == read.columns
    for name in ("comment", "nothing", "protected"):
        with pytest.raises(SurveyError, match="cannot be used as an unprotected question"):
            columns_named(read, [name])


def test_the_command_looks_and_then_takes_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


def test_the_command_lists_wrong_lines_and_leaves_them_out_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    definition, answers = tmp_path / "three.json", tmp_path / "answers.csv"
    definition.write_text(json.dumps(three()))
    lines = exported(three()).decode().splitlines()
    answers.write_text("\n".join([*lines, lines[1]]))
    call_command("read_answers", str(definition), str(answers), look=True)
    assert "Line 202 cannot be read: the same line as in an earlier line" in capsys.readouterr().out
    arguments = {"slug": "there", "reason": "For a test."}
    with pytest.raises(CommandError, match="1 lines of the file cannot be read: 202"):
        call_command("read_answers", str(definition), str(answers), **arguments)
    call_command("read_answers", str(definition), str(answers), leave_out=True, **arguments)
    assert AuditEvent.objects.get(action=ANSWERS_READ).detail == {"rows": 200, "batches": 1, "left_out": 1}


def test_answers_that_the_frame_cannot_have_disguised_are_refused() -> None:
    definition = definition_parse(three())
    body = bodies(definition, answers_of(1))
    lines = [["R", string] for string in strings(definition, body * 400)]
    read = file_read(host_file("a.csv", csv_of(["id", "protected"], lines)), by_digest(three()))
    with refused("misfit"):
        file_take_in(read, (), slug="there", by="alice", now=timezone.now(), reason="For a test.")
    assert not Survey.objects.filter(slug="there").exists()


BODIES = bodies(definition_parse(three()), answers_of(500))
ROWS = np.frombuffer(b"".join(BODIES), dtype=np.uint8).reshape(len(BODIES), -1)


def test_all_rows_are_kept_shuffled_in_batches_and_the_survey_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "ROWS_AT_A_TIME", 200)
    done = packed_import(three(), ROWS, action="tried", by="ada", now=timezone.now(), reason="A test.")
    batches = [bytes(batch.packed) for batch in Batch.objects.order_by("pk")]
    assert (done.n, done.batches, [len(packed) for packed in batches]) == (500, 3, [200, 200, 100])
    kept = b"".join(batches)
    assert Counter(kept) == Counter(b"".join(BODIES))
    # 500 rows in the same order have a probability far below 1e-100.
    assert kept != b"".join(BODIES)
    assert Survey.objects.get().state == "closed"
    assert AuditEvent.objects.get(action="tried").detail == {"rows": 500, "batches": 3}


def test_a_row_that_no_device_sends_and_a_name_that_is_taken_leave_nothing_behind() -> None:
    # Bits behind the last column are 0 in each row of a device.
    wrong = ROWS.copy()
    wrong[7, -1] |= 1
    with pytest.raises(PrivacyError):
        packed_import(three(), wrong, action="tried", by="ada", now=timezone.now(), reason="A test.")
    assert not Batch.objects.exists()
    published(three())
    with pytest.raises(SurveyError, match="there is already a survey"):
        packed_import(three(), ROWS, action="tried", by="ada", now=timezone.now(), reason="A test.")
    assert not Batch.objects.exists()
