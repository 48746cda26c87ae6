from pathlib import Path
from types import SimpleNamespace

import pytest

from surveys.jobs import provenance


@pytest.fixture(autouse=True)
def fresh() -> None:
    provenance.code_version.cache_clear()


def room(path: Path, name: str, **files: str) -> object:
    place = path / name
    place.mkdir(parents=True)
    for stem, text in files.items():
        (place / f"{stem}.py").write_text(text, encoding="utf-8")

    return SimpleNamespace(__path__=[str(place)])


def version(monkeypatch: pytest.MonkeyPatch, *rooms: object) -> str:
    provenance.code_version.cache_clear()
    monkeypatch.setattr(provenance, "_ROOMS", rooms)
    return provenance.code_version()


def test_equal_texts_have_equal_versions_wherever_they_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = version(monkeypatch, room(tmp_path / "one", "law", a="1", b="2"))
    assert version(monkeypatch, room(tmp_path / "two", "law", a="1", b="2")) == first


@pytest.mark.parametrize(
    "files", [{"a": "1", "b": "3"}, {"a": "1"}, {"a": "2", "b": "1"}, {"b": "2", "c": "1"}]
)
def test_any_other_text_or_name_has_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]
) -> None:
    first = version(monkeypatch, room(tmp_path / "one", "law", a="1", b="2"))
    assert version(monkeypatch, room(tmp_path / "two", "law", **files)) != first


def test_the_code_that_runs_has_a_version_of_16_digits() -> None:
    assert len(provenance.code_version()) == 16
    assert int(provenance.code_version(), 16) > 0
