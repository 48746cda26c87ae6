"""The version of the code that counts depends on its content alone."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from surveys.jobs import provenance


@pytest.fixture(autouse=True)
def fresh() -> None:
    provenance.code_version.cache_clear()


def package(path: Path, name: str, **files: str) -> object:
    place = path / name
    place.mkdir(parents=True)
    for stem, text in files.items():
        (place / f"{stem}.py").write_text(text, encoding="utf-8")

    return SimpleNamespace(__path__=[str(place)])


def version(monkeypatch: pytest.MonkeyPatch, *packages: object) -> str:
    provenance.code_version.cache_clear()
    monkeypatch.setattr(provenance, "_PACKAGES", packages)
    return provenance.code_version()


def test_the_code_version_depends_on_content_and_not_on_location(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = version(monkeypatch, package(tmp_path / "one", "law", a="1", b="2"))
    assert version(monkeypatch, package(tmp_path / "two", "law", a="1", b="2")) == first


@pytest.mark.parametrize(
    "files", [{"a": "1", "b": "3"}, {"a": "1"}, {"a": "2", "b": "1"}, {"b": "2", "c": "1"}]
)
def test_changed_content_or_file_names_change_the_code_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]
) -> None:
    first = version(monkeypatch, package(tmp_path / "one", "law", a="1", b="2"))
    assert version(monkeypatch, package(tmp_path / "two", "law", **files)) != first


def test_the_running_code_has_a_16_digit_version() -> None:
    assert len(provenance.code_version()) == 16
    assert int(provenance.code_version(), 16) > 0
