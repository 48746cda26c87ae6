"""An export is signed: whatever is changed in it is found, without the server."""

from __future__ import annotations

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
from django.utils import timezone

from surveys.errors.error import SurveyError
from surveys.export.package import data_export
from surveys.export.signed_file import STATEMENT, snapshot_verify
from surveys.models import Run
from surveys.rows.signature import is_signed, signed, signing_key, snapshot_statement
from tests.cast.runs import answered, mined
from tests.conftest import ROOT

pytestmark = pytest.mark.django_db


def exported(run: Run, path: Path) -> Path:
    with path.open("wb+") as out:
        data_export(run, out, by=None, now=timezone.now())
    return path


def changed(
    path: Path, changes: dict[str, Callable[[bytes], bytes | None]], *more: tuple[str, bytes]
) -> Path:
    """Return a copy of an export in which some files are others, or gone, or more of them."""
    copy = path.with_name("changed.zip")
    with zipfile.ZipFile(path) as given, zipfile.ZipFile(copy, "w") as out:
        for name in given.namelist():
            content = changes.get(name, lambda same: same)(given.read(name))
            if content is not None:
                out.writestr(name, content)
        for name, content in more:
            out.writestr(name, content)
    return copy


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
        "not as it was",
    ),
    "fewer files": (
        {"snapshot.json": stated(lambda told: told["statement"]["files"].popitem())},
        "not as it was",
    ),
    "no signature": ({"snapshot.json": stated(lambda told: told.pop("signature"))}, "not as it was"),
    "no hex digits": ({"snapshot.json": stated(lambda told: told.update(key="*"))}, "not as it was"),
}


@pytest.fixture
def run() -> Run:
    return mined(answered())


def test_an_export_is_as_it_was_signed_and_the_same_rows_make_the_same_file(run: Run, tmp_path: Path) -> None:
    path = exported(run, tmp_path / "one.zip")
    statement = snapshot_verify(path, key=signing_key())
    assert statement["key"] == signing_key()
    assert {name: statement[name] for name in ("survey", "sha256", "rows")} == {
        "survey": run.survey.slug,
        "sha256": run.snapshot_digest,
        "rows": run.n,
    }
    again = exported(run, tmp_path / "two.zip")
    with zipfile.ZipFile(path) as first, zipfile.ZipFile(again) as second:
        assert first.read("rows.csv") == second.read("rows.csv")


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_is_changed_is_found(run: Run, tmp_path: Path, what: str) -> None:
    path = exported(run, tmp_path / "one.zip")
    change, said = CHANGES[what]
    with pytest.raises(SurveyError, match=said):
        snapshot_verify(changed(path, change))


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", ["more.txt", "rows.csv", STATEMENT])
def test_a_file_more_or_one_twice_is_found(run: Run, tmp_path: Path, name: str) -> None:
    path = exported(run, tmp_path / "one.zip")
    with zipfile.ZipFile(path) as archive:
        content = archive.read(name) if name in archive.namelist() else b"more"
    with pytest.raises(SurveyError, match=re.escape(name)):
        snapshot_verify(changed(path, {}, (name, content)))


def test_another_installation_signs_with_another_key(run: Run, tmp_path: Path, settings: Any) -> None:
    own = signing_key()
    settings.SECRET_KEY = "another one " * 5
    path = exported(run, tmp_path / "one.zip")
    assert snapshot_verify(path)["key"] != own
    with pytest.raises(SurveyError, match="another key"):
        snapshot_verify(path, key=own)


def test_what_is_no_export_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"no archive")
    for name in ("a.zip", "nothing.zip"):
        with pytest.raises(SurveyError, match="no signed statement"):
            snapshot_verify(tmp_path / name)


def test_a_statement_is_signed_alike_whenever_it_is_asked_for(run: Run) -> None:
    once = signed(snapshot_statement(run))
    assert once == signed(snapshot_statement(run))
    assert is_signed(once)
    assert not is_signed(once | {"statement": once["statement"] | {"batches": 0}})
    assert not is_signed({})


def test_the_command_needs_no_database(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = exported(run, tmp_path / "one.zip")
    call_command("verify-snapshot", str(path), key=signing_key(), json=True)
    assert json.loads(capsys.readouterr().out)["sha256"] == run.snapshot_digest
    home = {"SOTTO_HOME": str(tmp_path / "home"), "DATABASE_URL": "postgres://nobody@nowhere.invalid/none"}
    command = [sys.executable, "manage.py", "verify-snapshot"]
    done = subprocess.run(
        [*command, str(path)], cwd=ROOT, env=os.environ | home, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert run.snapshot_digest in done.stdout
    assert signing_key() in done.stdout
    wrong = changed(path, {"rows.csv": lines(another_row)})
    done = subprocess.run(
        [*command, str(wrong)], cwd=ROOT, env=os.environ | home, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "rows.csv" in done.stderr


def test_the_report_prints_the_key(run: Run, client: Any) -> None:
    from django.contrib.auth.models import User

    client.force_login(User.objects.create_user("ada", is_staff=True, is_superuser=True))
    for page in ("about", "report"):
        assert signing_key() in client.get(f"/en/staff/runs/{run.pk}/{page}/").content.decode()
