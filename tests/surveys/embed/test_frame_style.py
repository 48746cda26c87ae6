"""A frame's style sheet."""

import re

from surveys.embed.frame_style import frame_style


def test_frame_styles_omit_unused_rules() -> None:
    style = frame_style().decode()
    assert all(part in style for part in (".choices", ".button", ".error", ".note", "prefers-color-scheme"))
    assert not any(part in style for part in (".map", ".masthead", "/*", "\n"))
    assert style.count("{") == style.count("}")
    assert set(re.findall(r"(?<=[{;])--[\w-]+", style)) == set(re.findall(r"(?<=var\()--[\w-]+", style))
