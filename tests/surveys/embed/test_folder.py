"""A frame as a folder: the same files, below the digest of its design and words, and nothing overwritten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from surveys.embed.frame import Around, frame_digest, frame_files
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.frames import three


@pytest.fixture
def definition(tmp_path: Path) -> Path:
    path = tmp_path / "three.json"
    path.write_text(json.dumps(three()))
    return path


def test_the_command_writes_the_files_of_a_frame(
    definition: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    call_command("embed", str(definition), out=out, host=["https://survey.uni.example"], json=True)
    said = json.loads(capsys.readouterr().out)
    parsed = definition_parse(three())
    digest = frame_digest(parsed)
    assert said == {"digest": digest, "folder": str(out / digest)}
    around = Around(hosts=("https://survey.uni.example",))
    wanted = frame_files(parsed.design, parsed.wording, around, digest=digest)
    below = Path(said["folder"])
    assert {path.relative_to(below).as_posix(): path.read_bytes() for path in below.rglob("*.*")} == wanted


def test_a_folder_that_holds_something_is_left_alone(definition: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is not empty"):
        call_command("embed", str(definition), out=tmp_path, host=["https://survey.uni.example"])
    assert [path.name for path in tmp_path.iterdir()] == ["three.json"]
