"""Static files are collected when they are missing, changed or incomplete, and only then."""

import json
from pathlib import Path

import pytest
from pytest_django import Settings

from surveys.server.prepared_static import prepare_static
from tests.fixtures.collected_static import collect


def test_files_are_collected_again_only_after_changes(tmp_path: Path, settings: Settings) -> None:
    collect(tmp_path, settings, law="export const draw = 1;\n")
    said: list[str] = []

    def prepare() -> str:
        prepare_static(say=said.append)
        return said[-1]

    # Static files from an unknown collection are collected again.
    assert prepare() == "collecting static files"
    assert prepare() == "static files: up to date"
    (tmp_path / "source" / "law.js").write_text("export const draw = 2;\n")
    assert prepare() == "collecting static files"
    paths = json.loads((tmp_path / "root" / "staticfiles.json").read_text())["paths"]
    served = tmp_path / "root" / paths["law.js"]
    assert served.read_text() == "export const draw = 2;\n"
    assert prepare() == "static files: up to date"
    served.unlink()
    assert prepare() == "collecting static files"
    (tmp_path / "source" / "law.js").rename(tmp_path / "source" / "other.js")
    assert prepare() == "collecting static files"
    (tmp_path / "root" / "staticfiles.json").write_text("{")
    assert prepare() == "collecting static files"
    assert prepare() == "static files: up to date"


def test_interrupted_collection_starts_again(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    collect(tmp_path, settings, law="export const draw = 1;\n")
    said: list[str] = []
    prepare_static(say=said.append)
    (tmp_path / "source" / "law.js").write_text("export const draw = 2;\n")

    def fail(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("surveys.server.prepared_static.call_command", fail)
        with pytest.raises(KeyboardInterrupt):
            prepare_static(say=said.append)
    (tmp_path / "source" / "law.js").write_text("export const draw = 1;\n")
    prepare_static(say=said.append)
    assert said == ["collecting static files"] * 3
