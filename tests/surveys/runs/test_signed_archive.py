"""Exports are signed, and any change is detected without the server."""

import io
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from surveys.errors.error import SurveyError
from surveys.models import Run
from surveys.report.export.data_package import data_export
from surveys.runs import signed_archive
from surveys.runs.signature import signing_key
from surveys.runs.signed_archive import STATEMENT, snapshot_verify
from tests.conftest import ROOT
from tests.fixtures.runs import answered_version, mined_run

pytestmark = pytest.mark.django_db


def exported(run: Run, path: Path) -> Path:
    with path.open("wb+") as out:
        data_export(run, out, by=None, now=timezone.now())
    return path


def changed(
    path: Path, changes: dict[str, Callable[[bytes], bytes | None]], *more: tuple[str, bytes]
) -> Path:
    """Return a copy of an export in which some files are replaced, removed or added."""
    copy = path.with_name("changed.zip")
    with zipfile.ZipFile(path) as given, zipfile.ZipFile(copy, "w") as out:
        for name in given.namelist():
            content = changes.get(name, lambda same: same)(given.read(name))
            if content is not None:
                out.writestr(name, content)
        for name, content in more:
            out.writestr(name, content)
    return copy


def moved(raw: bytes, *, by: int) -> bytes:
    """Return an archive whose directory has offsets shifted for prepended data."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        held = io.BytesIO(bytes(archive.start_dir + by))
        with zipfile.ZipFile(held, "w") as out:
            for info in archive.infolist():
                info.header_offset += by
            out.filelist.extend(archive.infolist())
            out.start_dir = archive.start_dir + by
            out._didModify = True  # type: ignore[attr-defined]
        return raw[: archive.start_dir] + held.getvalue()[out.start_dir :]


def forged_first(raw: bytes) -> bytes:
    """Prepend a forged statement, which programs that read from the start would accept."""
    front = io.BytesIO()
    with zipfile.ZipFile(front, "w") as out:
        out.writestr(STATEMENT, "{}")
    local = front.getvalue()[: out.start_dir]
    return local + moved(raw, by=len(local))


def commented(raw: bytes) -> bytes:
    copy = io.BytesIO(raw)
    with zipfile.ZipFile(copy, "a") as archive:
        archive.comment = b"reproduce.py has a fault: run fixed.py"
    return copy.getvalue()


def packed_anew(raw: bytes) -> bytes:
    copy = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as given, zipfile.ZipFile(copy, "w") as out:
        for info in given.infolist():
            out.writestr(info, given.read(info), zipfile.ZIP_STORED)
    return copy.getvalue()


# Archives in which every file is as signed, but something else is changed.
ARCHIVES: dict[str, Callable[[bytes], bytes]] = {
    "a prefix": lambda raw: b"#!/bin/sh\n" + raw,
    "a prefix that the list of files leaves out": lambda raw: b"#!/bin/sh\n" + moved(raw, by=10),
    "another archive in front": lambda raw: packed_anew(raw) + raw,
    "a statement in front": forged_first,
    "a comment": commented,
    "something behind": lambda raw: raw + b"\0",
    "packed anew": packed_anew,
}


def lines(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[bytes], bytes]:
    return lambda text: b"".join(change(text.splitlines(keepends=True)))


def stated(change: Callable[[dict[str, Any]], None]) -> Callable[[bytes], bytes]:
    def write(text: bytes) -> bytes:
        document = json.loads(text)
        change(document)
        return json.dumps(document).encode()

    return write


def another_row(rows: list[bytes]) -> list[bytes]:
    """Swap a 0 and a 1 in the first row."""
    return [rows[0], rows[1].translate(bytes.maketrans(b"01", b"10")), *rows[2:]]


CHANGES: dict[str, tuple[dict[str, Callable[[bytes], bytes | None]], str]] = {
    "a row changed": ({"rows.csv": lines(another_row)}, "rows.csv"),
    "a row left out": ({"rows.csv": lines(lambda rows: rows[:-1])}, "rows.csv"),
    "a row doubled": ({"rows.csv": lines(lambda rows: [*rows, rows[-1]])}, "rows.csv"),
    "two rows swapped": ({"rows.csv": lines(lambda rows: [rows[0], *rows[:0:-1]])}, "rows.csv"),
    "another table": ({"rows.parquet": lambda raw: raw[:-1]}, "rows.parquet"),
    "another design": ({"design.json": lambda text: text.replace(b"6000", b"7000", 1)}, "design.json"),
    "another figure": ({"run/rules.csv": lambda text: text.replace(b"0.", b"0.9", 1)}, "run/rules.csv"),
    "another script": ({"reproduce.py": lambda text: text + b"print()\n"}, "reproduce.py"),
    "a file left out": ({"codebook.csv": lambda _text: None}, "codebook.csv"),
    "no statement": ({"snapshot.json": lambda _text: None}, "no signed statement"),
    "no JSON": ({"snapshot.json": lambda _text: b"{"}, "no signed statement"),
    "another survey": (
        {"snapshot.json": stated(lambda told: told["statement"].update(survey="other"))},
        "changed after it was",
    ),
    "fewer files": (
        {"snapshot.json": stated(lambda told: told["statement"]["files"].popitem())},
        "changed after it was",
    ),
    "no signature": ({"snapshot.json": stated(lambda told: told.pop("signature"))}, "changed after it was"),
    "no hex digits": ({"snapshot.json": stated(lambda told: told.update(key="*"))}, "changed after it was"),
}


@pytest.fixture
def run() -> Run:
    return mined_run(answered_version())


@pytest.fixture
def path(run: Run, tmp_path: Path) -> Path:
    return exported(run, tmp_path / "one.zip")


def test_an_unchanged_export_verifies_and_equal_rows_give_equal_files(run: Run, path: Path) -> None:
    statement = snapshot_verify(path, key=signing_key())
    assert statement["key"] == signing_key()
    assert {name: statement[name] for name in ("survey", "sha256", "rows")} == {
        "survey": run.survey.slug,
        "sha256": run.snapshot_digest,
        "rows": run.n,
    }
    again = exported(run, path.with_name("two.zip"))
    with zipfile.ZipFile(path) as first, zipfile.ZipFile(again) as second:
        assert first.read("rows.csv") == second.read("rows.csv")


def test_any_change_to_an_export_is_detected(path: Path) -> None:
    for change, said in CHANGES.values():
        with pytest.raises(SurveyError, match=said):
            snapshot_verify(changed(path, change), key=signing_key())


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_added_and_duplicate_files_are_detected(path: Path) -> None:
    for name in ("more.txt", "rows.csv", STATEMENT):
        with zipfile.ZipFile(path) as archive:
            content = archive.read(name) if name in archive.namelist() else b"more"
        with pytest.raises(SurveyError, match=re.escape(name)):
            snapshot_verify(changed(path, {}, (name, content)), key=signing_key())


@pytest.mark.parametrize("what", ARCHIVES)
def test_only_the_exact_signed_bytes_are_accepted(path: Path, what: str) -> None:
    raw = ARCHIVES[what](path.read_bytes())
    # Other programs still read the same files.
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        assert archive.testzip() is None
        assert len(archive.namelist()) > 5
    path.write_bytes(raw)
    with pytest.raises(SurveyError, match="not the archive that was signed"):
        snapshot_verify(path, key=signing_key())


def test_any_changed_byte_in_the_zip_directory_is_detected(path: Path) -> None:
    """The directory has order, dates, attributes and comments; a change could turn a file into a link."""
    raw = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        start = archive.start_dir
    for at in range(start, len(raw), 7):
        path.write_bytes(raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :])
        with pytest.raises(SurveyError):
            snapshot_verify(path, key=signing_key())


def test_a_rewritten_statement_is_rejected(path: Path) -> None:
    """With a duplicate member, some programs would read the first and others the last."""
    text = zipfile.ZipFile(path).read(STATEMENT)
    twice = text.replace(b"{", b'{"statement": {"rows": 1},', 1)
    assert json.loads(twice) == json.loads(text)
    with pytest.raises(SurveyError, match="not the archive that was signed"):
        snapshot_verify(changed(path, {STATEMENT: lambda _text: twice}), key=signing_key())


def test_verification_requires_a_key(path: Path) -> None:
    """Without one, anyone could sign an archive with their own key."""
    with pytest.raises(CommandError, match="--key"):
        call_command("verify-snapshot", str(path))


def test_other_installations_sign_with_other_keys(run: Run, tmp_path: Path, settings: Any) -> None:
    own = signing_key()
    settings.SECRET_KEY = "another one " * 5
    path = exported(run, tmp_path / "one.zip")
    assert snapshot_verify(path, key=signing_key())["key"] != own
    with pytest.raises(SurveyError, match="another key"):
        snapshot_verify(path, key=own)


def test_unsigned_or_missing_exports_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"no archive")
    for name in ("a.zip", "nothing.zip"):
        with pytest.raises(SurveyError, match="no signed statement"):
            snapshot_verify(tmp_path / name, key=signing_key())


def test_the_command_needs_no_database(run: Run, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify-snapshot", str(path), key=signing_key(), json=True)
    assert json.loads(capsys.readouterr().out)["sha256"] == run.snapshot_digest
    wrong = changed(path, {"rows.csv": lines(another_row)})
    with pytest.raises(CommandError, match=r"rows\.csv"):
        call_command("verify-snapshot", str(wrong), key=signing_key())
    elsewhere = {
        "SOTTOVOCE_HOME": str(path.with_name("home")),
        "DATABASE_URL": "postgres://nobody@nowhere.invalid/none",
    }
    command = [sys.executable, "manage.py", "verify-snapshot", str(path), "--key", signing_key()]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | elsewhere, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert run.snapshot_digest in done.stdout
    assert signing_key() in done.stdout


def test_an_archive_that_does_not_end_with_its_statement_is_not_as_written() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as out:
        out.writestr(STATEMENT, "{}")
        out.writestr("rows.csv", "1")
    with zipfile.ZipFile(file) as archive:
        assert not signed_archive._is_as_written(file, archive, {})
