"""The sentences that travel with the page are those that its scripts ask for, no more and no fewer."""

import re
from collections.abc import Iterator

from django.contrib.staticfiles import finders

from surveys.client import FILES
from surveys.respond.outcome_texts import delivery_texts
from surveys.respond.texts import respondent_texts

BY_NAME = re.compile(r"texts\.(\w+)")
BY_PATTERN = re.compile(r"texts\[`([^`]+)`\]")
ENDINGS = re.compile(r"\$\{[^}]+\}")


def scripts() -> Iterator[str]:
    for name in FILES:
        path = finders.find(name)
        assert isinstance(path, str)
        with open(path, encoding="utf-8") as file:
            yield file.read()


def test_every_sentence_that_a_script_names_is_there() -> None:
    named = {name for script in scripts() for name in BY_NAME.findall(script)}
    assert named
    assert named - respondent_texts().keys() == set()


def test_every_sentence_is_used() -> None:
    whole = "".join(scripts())
    named = set(BY_NAME.findall(whole))
    patterns = [ENDINGS.sub(".*", pattern) for pattern in BY_PATTERN.findall(whole)]
    # Sentences about a delivery are found by the kind of its outcome.
    kinds = set(re.findall(r'"(\w+)"', whole))
    unused = [
        key
        for key in respondent_texts()
        if key not in named | kinds and not any(re.fullmatch(pattern, key) for pattern in patterns)
    ]
    assert unused == []


def test_the_page_of_a_closed_survey_carries_the_sentences_about_a_delivery() -> None:
    assert delivery_texts().items() <= respondent_texts().items()
    assert {"delivered_title", "found", "try_now", "waiting"} <= delivery_texts().keys()
