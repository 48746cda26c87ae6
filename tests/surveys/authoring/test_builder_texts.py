"""The sentences that the builder's page carries are those that its scripts ask for, no more and no fewer."""

import re
from pathlib import Path

from surveys.authoring.builder_texts import builder_texts
from tests.conftest import ROOT

SCRIPTS = Path(ROOT, "surveys", "static", "surveys", "js")
BY_NAME = re.compile(r"texts\.(\w+)")
BY_PATTERN = re.compile(r"texts\[`([^`]+)`\]")
ENDINGS = re.compile(r"\$\{[^}]+\}")


def whole() -> str:
    # The picture of the odds is the respondent's own.
    scripts = [*sorted((SCRIPTS / "authoring").glob("*.js")), SCRIPTS / "label.js"]
    return "".join(script.read_text(encoding="utf-8") for script in scripts)


def test_every_sentence_that_a_script_of_the_builder_names_is_there() -> None:
    named = set(BY_NAME.findall(whole()))
    assert len(named) > 100
    assert named - builder_texts().keys() == set()


def test_every_sentence_of_the_builder_is_used() -> None:
    source = whole()
    # Others are chosen between by a condition in the brackets.
    named = set(BY_NAME.findall(source)) | set(re.findall(r'"(\w+)"', source))
    patterns = [ENDINGS.sub(".*", pattern) for pattern in BY_PATTERN.findall(source)]
    unused = [
        key
        for key in builder_texts()
        if key not in named and not any(re.fullmatch(pattern, key) for pattern in patterns)
    ]
    assert unused == []
