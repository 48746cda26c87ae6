"""Languages of headers: by name, own name or tag."""

from __future__ import annotations

import pytest

from surveys.imports.language_names import language_tag


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("English", "en"),
        ("English (UK)", "en"),
        ("English (en)", "en"),
        ("Français (fr)", "fr"),
        ("Chinese (Simplified)", "zh-hans"),
        ("Chinese (Traditional)", "zh-hant"),
        ("中文", "zh-hans"),
        ("Português (BR)", "pt"),
        ("Kiswahili", "sw"),
        ("Somali (so)", "so"),
        ("Swahili (sw)", "sw"),
        ("zh_Hans", "zh-hans"),
        ("Arabic", "ar"),
        ("default", None),
        ("My tongue", None),
        ("Dialect (x)", None),
    ],
)
def test_a_name_or_a_tag_is_known(text: str, tag: str | None) -> None:
    assert language_tag(text) == tag
