"""Migrations are added, never rewritten, so that every database made since then can be upgraded."""

from hashlib import sha256
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests/migrations.sha256"
SAYS = (
    "Migrations are added, never rewritten, because a database that has applied one does not apply it again."
    " Undo the change and add a migration instead (CONTRIBUTING.md, Migrations)"
)


def digests(root: Path) -> dict[str, str]:
    """Return the SHA-256 of each module in packages named ``migrations``, by path relative to the root."""
    folders = ("surveys", "anonymisation", "mining", "privacy", "sottovoce")
    files = [file for folder in folders for file in (root / folder).glob("**/migrations/*.py")]
    return {
        file.relative_to(root).as_posix(): sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.name != "__init__.py"
    }


def listed(text: str) -> dict[str, str]:
    """Return the digest of each path in the format of ``sha256sum``."""
    return {path: digest for digest, path in (line.split("  ", 1) for line in text.splitlines())}


def rewritten(there: dict[str, str], recorded: dict[str, str]) -> list[str]:
    """Return the recorded migrations that have other contents now or are gone."""
    return sorted(path for path, digest in recorded.items() if there.get(path) != digest)


def test_no_migration_was_rewritten_or_removed() -> None:
    changed = rewritten(digests(ROOT), listed(LIST.read_text(encoding="utf-8")))
    assert changed == [], SAYS


def test_every_migration_is_listed() -> None:
    there, recorded = digests(ROOT), listed(LIST.read_text(encoding="utf-8"))
    lines = [f"{digest}  {path}" for path, digest in sorted(there.items()) if path not in recorded]
    assert lines == [], f"add these lines to {LIST.relative_to(ROOT)}"


@pytest.mark.parametrize("change", ["rewritten", "removed", "renamed"])
def test_a_planted_change_is_found(change: str, tmp_path: Path) -> None:
    folder = tmp_path / "surveys/migrations"
    folder.mkdir(parents=True)
    first = folder / "0001_initial.py"
    first.write_text("operations = []\n", encoding="utf-8")
    recorded = digests(tmp_path)
    assert list(recorded) == ["surveys/migrations/0001_initial.py"]
    (folder / "0002_more.py").write_text("operations = []\n", encoding="utf-8")
    assert rewritten(digests(tmp_path), recorded) == []
    if change == "rewritten":
        first.write_text("operations = [1]\n", encoding="utf-8")
    elif change == "removed":
        first.unlink()
    else:
        first.rename(folder / "0001_first.py")
    assert rewritten(digests(tmp_path), recorded) == ["surveys/migrations/0001_initial.py"]
