"""Sottovoce's own sentences are those that the client's scripts ask for, no more and no fewer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.utils.translation import override

from surveys.respondent.client_program import client
from surveys.respondent.first_texts import first_texts
from surveys.respondent.texts import instead_texts, later_texts, rare_texts

BY_NAME = re.compile(r"texts\.(\w+)")
BY_PATTERN = re.compile(r"texts\[`([^`]+)`\]")
ENDINGS = re.compile(r"\$\{[^}]+\}")


def scripts() -> Iterator[str]:
    for file in client().program:
        if file.name.endswith(".js") and not file.name.startswith(("first-", "later-", "rare-")):
            yield file.content.decode()


def all_texts() -> dict[str, str]:
    parts = (first_texts(), later_texts(), rare_texts(), *instead_texts().values())
    return {key: text for part in parts for key, text in part.items()}


def test_every_sentence_that_a_script_names_is_there() -> None:
    named = {name for script in scripts() for name in BY_NAME.findall(script)}
    assert len(named) > 150
    assert named - all_texts().keys() == set()


def test_every_sentence_is_used() -> None:
    whole = "".join(scripts())
    named = set(BY_NAME.findall(whole))
    patterns = [ENDINGS.sub(".*", pattern) for pattern in BY_PATTERN.findall(whole)]
    # Sentences about a delivery are found by the kind of its outcome.
    kinds = set(re.findall(r'"(\w+)"', whole))
    unused = [
        key
        for key in all_texts()
        if key not in named | kinds and not any(re.fullmatch(pattern, key) for pattern in patterns)
    ]
    assert unused == []


def test_what_is_said_instead_is_said_of_something_that_is_said_otherwise() -> None:
    usual = first_texts().keys() | later_texts().keys() | rare_texts().keys()
    besides = {
        "two_strengths": {"disguised_lightly"},
        "by_invitation": {
            *("erase", "mistyped", "send_again", "uninvited", "uninvited_title"),
        },
        "strength_by_invitation": set(),
    }
    assert {kind: texts.keys() - usual for kind, texts in instead_texts().items()} == besides


@pytest.mark.parametrize("language", [language for language, _name in settings.LANGUAGES])
def test_each_language_has_its_sentences_as_they_are(language: str) -> None:
    """Written with their own characters: a Chinese file would weigh twice as much else."""
    found = {part: client().file(f"{part}-{language}.js") for part in ("first", "later", "rare")}
    with override(language):
        wanted = {"first": first_texts(), "later": later_texts(), "rare": rare_texts()}
    said: dict[str, str] = {}
    for part, file in found.items():
        assert file is not None
        lines = file.content.decode().splitlines()
        assert "\\u" not in file.content.decode()
        texts = json.loads(re.fullmatch(r"export const texts = (.*);", lines[0])[1])  # type: ignore[index]
        # Later screens do not load texts again that the first screen loaded.
        assert not texts.keys() & said.keys()
        said |= texts
        assert texts.items() <= wanted[part].items()
    assert said.keys() == {key for texts in wanted.values() for key in texts}
