"""Declarations of applications are found, read and checked without Django."""

import subprocess
import sys
from pathlib import Path

import pytest

from surveys.declarations import FILE, declaration_read, declarations
from tests.conftest import ROOT


def application(folder: Path, text: str = "") -> Path:
    folder.mkdir()
    (folder / "apps.py").touch()
    (folder / FILE).write_text(text, encoding="utf-8")
    return folder


def test_applications_are_found_by_their_files(tmp_path: Path) -> None:
    application(tmp_path / "b", 'not_in_backups = ["b_rows"]')
    application(tmp_path / "a")
    (application(tmp_path / "no_application") / "apps.py").unlink()
    (application(tmp_path / "undeclared") / FILE).unlink()
    found = [(each.name, each.folder, each.not_in_backups) for each in declarations(tmp_path)]
    assert found == [("a", tmp_path / "a", ()), ("b", tmp_path / "b", ("b_rows",))]
    assert declaration_read(tmp_path / "undeclared").not_in_backups == ()


@pytest.mark.parametrize(
    "text",
    [
        "not_in_backups = [",
        'left_out = ["b_rows"]',
        'not_in_backups = "b_rows"',
        "not_in_backups = [1]",
        'not_in_backups = ["surveys_survey"]',
        'not_in_backups = ["b_"]',
        'not_in_backups = ["b_rows; DROP TABLE b_rows"]',
    ],
)
def test_wrong_declarations_are_refused_with_their_path(tmp_path: Path, text: str) -> None:
    folder = application(tmp_path / "b", text)
    with pytest.raises(ValueError, match=FILE) as refused:
        declarations(tmp_path)
    assert str(folder / FILE) in str(refused.value)


def test_declarations_are_read_without_django() -> None:
    code = (
        "import sys; from surveys.declarations import declarations; declarations(); "
        "sys.exit(any(name.split('.')[0] == 'django' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
