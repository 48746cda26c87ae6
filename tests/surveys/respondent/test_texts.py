"""Sottovoce's own texts are exactly those that the client's scripts use."""

import json
import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.utils.translation import override

from surveys.respondent.client_program import client
from surveys.respondent.texts import instead_texts, texts_by_part

BY_NAME = re.compile(r"texts\.(\w+)")
BY_PATTERN = re.compile(r"texts\[`([^`]+)`\]")
ENDINGS = re.compile(r"\$\{[^}]+\}")


def scripts() -> Iterator[str]:
    parts = tuple(f"{part}-" for part in texts_by_part())
    for file in client().program:
        if file.name.endswith(".js") and not file.name.startswith(parts):
            yield file.content.decode()


def all_texts() -> dict[str, str]:
    parts = (*texts_by_part().values(), *instead_texts().values())
    return {key: text for part in parts for key, text in part.items()}


def test_every_text_that_a_script_uses_exists() -> None:
    named = {name for script in scripts() for name in BY_NAME.findall(script)}
    assert len(named) > 150
    assert named - all_texts().keys() == set()


def test_every_text_is_used() -> None:
    whole = "".join(scripts())
    named = set(BY_NAME.findall(whole))
    patterns = [ENDINGS.sub(".*", pattern) for pattern in BY_PATTERN.findall(whole)]
    # Texts about a delivery are looked up by the kind of its outcome.
    kinds = set(re.findall(r'"(\w+)"', whole))
    unused = [
        key
        for key in all_texts()
        if key not in named | kinds and not any(re.fullmatch(pattern, key) for pattern in patterns)
    ]
    assert unused == []


def test_replacement_texts_replace_existing_or_listed_texts() -> None:
    usual = {key for texts in texts_by_part().values() for key in texts}
    besides = {
        "two_strengths": {"disguised_lightly"},
        "by_invitation": {
            *("erase", "mistyped", "mistyped_kept", "send_again", "uninvited", "uninvited_title")
        },
        "strength_by_invitation": set(),
    }
    assert {kind: texts.keys() - usual for kind, texts in instead_texts().items()} == besides


@pytest.mark.parametrize("language", [language for language, _name in settings.LANGUAGES])
def test_each_language_file_contains_its_texts_unescaped(language: str) -> None:
    """With escapes, a Chinese file would be twice as large."""
    with override(language):
        wanted = texts_by_part()
    found = {part: client().file(f"{part}-{language}.js") for part in wanted}
    said: dict[str, str] = {}
    for part, file in found.items():
        assert file is not None
        content = file.content.decode()
        assert "\\u" not in content
        parts = re.fullmatch(r"export const texts=(.*);export const instead=.*;", content)
        assert parts is not None
        texts = json.loads(parts[1])
        # A page loads no text twice; with numbers and places, "scale" replaces "later".
        assert not texts.keys() & said.keys() - (wanted["later"].keys() if part == "scale" else set())
        said |= texts
        assert texts == wanted[part]
    assert said.keys() == {key for texts in wanted.values() for key in texts}
