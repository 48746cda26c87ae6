"""Languages of XLSForms are recognised by names and tags."""

import pytest

from surveys.imports.files.form_languages import language_tag


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
        ("العربية", "ar"),
        ("العربيّة", "ar"),
        ("हिन्दी", "hi"),
        ("Tiếng Việt", "vi"),
        ("Tiếng Việt (vi)", "vi"),
        ("Kreyòl ayisyen", "ht"),
        ("default", None),
        ("My tongue", None),
        ("Dialect (x)", None),
    ],
)
def test_language_names_and_tags_are_recognised(text: str, tag: str | None) -> None:
    assert language_tag(text) == tag
