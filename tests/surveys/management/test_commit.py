import subprocess
from pathlib import Path

import pytest

from surveys.management import __main__ as command_line
from surveys.management import commit
from surveys.management.commit import commit_of, installed_commit


def git(place: Path, *arguments: str) -> str:
    who = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org")
    done = subprocess.run(["git", *who, *arguments], cwd=place, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    place = tmp_path / "checkout"
    place.mkdir()
    (place / ".gitattributes").write_text(".git_archival.txt export-subst\n")
    (place / ".git_archival.txt").write_text("node: $Format:%H$\n")
    git(place, "init", "--quiet")
    git(place, "add", ".")
    git(place, "commit", "--quiet", "--message", "Begin")
    return place


@pytest.mark.soak
def test_a_checkout_reports_its_commit_and_changes(checkout: Path) -> None:
    head = git(checkout, "rev-parse", "HEAD")
    assert commit_of(checkout) == head[:12]
    # A tag does not replace the commit.
    git(checkout, "tag", "v1.0")
    assert commit_of(checkout) == head[:12]
    (checkout / ".gitattributes").write_text("")
    assert commit_of(checkout) == f"{head[:12]}+changed"


def test_an_unpacked_archive_reports_its_commit(checkout: Path, tmp_path: Path) -> None:
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    git(checkout, "archive", "--output", str(tmp_path / "archive.tar"), "HEAD")
    subprocess.run(["tar", "-xf", tmp_path / "archive.tar", "-C", unpacked], check=True)
    assert commit_of(unpacked) == git(checkout, "rev-parse", "HEAD")[:12]


def test_a_copy_without_history_reports_no_commit(checkout: Path, tmp_path: Path) -> None:
    assert commit_of(tmp_path) == ""
    (tmp_path / ".git_archival.txt").write_text("node: $Format:%H$\n")
    assert commit_of(tmp_path) == ""
    # A copy with an unreadable history reports none either.
    (tmp_path / ".git").write_text("gitdir: nowhere\n")
    assert commit_of(tmp_path) == ""


def test_the_commit_recorded_by_the_build_takes_precedence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "commit.txt").write_text("0123456789ab\n")
    monkeypatch.setattr(commit, "_NAMED", tmp_path / "commit.txt")
    installed_commit.cache_clear()
    try:
        said = command_line.installed_program()
    finally:
        installed_commit.cache_clear()
    assert said == f"{command_line.installed_version()} (commit 0123456789ab)"
    monkeypatch.setattr(command_line, "installed_commit", lambda: "")
    assert command_line.installed_program() == command_line.installed_version()
