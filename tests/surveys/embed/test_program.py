"""A frame's program: the respondent's modules, and only those that a design needs."""

from __future__ import annotations

import subprocess
from pathlib import Path

from surveys.embed.frame import frame_scripts, frame_style
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.frames import rotating, three


def test_a_frame_loads_what_its_design_needs() -> None:
    assert list(frame_scripts(definition_parse(three()).design)) == ["embed.js"]
    drawn = frame_scripts(definition_parse(rotating()).design)
    assert list(drawn) == ["embed.js", "drawing.js"]


def test_each_script_of_a_frame_is_one_that_a_browser_reads(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for name, content in frame_scripts(definition_parse(rotating()).design).items():
        (tmp_path / name).write_bytes(content)
        subprocess.run(["node", "--check", tmp_path / name], check=True)


def test_the_style_is_that_of_the_pages_without_what_a_frame_does_not_show() -> None:
    style = frame_style().decode()
    assert all(part in style for part in (".choices", ".button", ".error", ".note", "prefers-color-scheme"))
    assert not any(part in style for part in (".map", ".masthead", "/*", "\n"))
    assert style.count("{") == style.count("}")
