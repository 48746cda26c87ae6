"""A frame loads the scripts that its design needs, and no others."""

import subprocess
from pathlib import Path

from surveys.embed.frame_scripts import frame_scripts
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.embed_frames import rotating, three


def test_frames_load_only_the_scripts_their_design_needs() -> None:
    assert list(frame_scripts(definition_parse(three()).design)) == ["embed.js"]
    drawn = frame_scripts(definition_parse(rotating()).design)
    assert list(drawn) == ["embed.js", "drawing.js"]


def test_frame_scripts_are_valid_javascript(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for name, content in frame_scripts(definition_parse(rotating()).design).items():
        (tmp_path / name).write_bytes(content)
        subprocess.run(["node", "--check", tmp_path / name], check=True)
