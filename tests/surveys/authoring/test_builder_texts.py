"""The sentences that the builder's page carries are those that its scripts ask for, no more and no fewer."""

import re
from pathlib import Path

from django.test import Client

from surveys.authoring.builder_texts import builder_texts
from surveys.respondent.client_program import client
from tests.conftest import ROOT

SCRIPTS = Path(ROOT, "surveys", "static", "surveys", "js")
BY_NAME = re.compile(r"texts\.(\w+)")
BY_PATTERN = re.compile(r"(?:texts\[|, )`([a-z_]*\$\{[^`]+)`")
ENDINGS = re.compile(r"\$\{[^}]+\}")
# A field is given the place that it edits, and the name of its label.
LABELS = re.compile(r"Field\(\s*app,\s*(?:\[[^\]]*\]|[\w.\"]+),\s*\"(\w+)\"")


def whole() -> str:
    # The picture of the odds is the respondent's own.
    scripts = [*sorted((SCRIPTS / "authoring").glob("*.js")), SCRIPTS / "label.js"]
    return "".join(script.read_text(encoding="utf-8") for script in scripts)


def test_every_sentence_that_a_script_of_the_builder_names_is_there() -> None:
    named = set(BY_NAME.findall(whole()))
    labels = set(LABELS.findall(whole()))
    assert (len(named) > 100, len(labels) > 25) == (True, True)
    assert (named | labels) - builder_texts().keys() == set()


def test_every_sentence_of_the_builder_is_used() -> None:
    source = whole()
    # A condition in the brackets chooses between the others; a hint is shown below its field.
    named = set(BY_NAME.findall(source)) | set(re.findall(r'"(\w+)"', source))
    patterns = [ENDINGS.sub(".*", pattern) for pattern in BY_PATTERN.findall(source)]
    unused = [
        key
        for key in builder_texts()
        if not named & {key, re.sub("_(hint|about)$", "", key)}
        and not any(re.fullmatch(pattern, key) for pattern in patterns)
    ]
    assert unused == []


def test_scripts_of_the_respondents_page_may_be_loaded_by_a_sandboxed_frame() -> None:
    files = client().program
    assert files
    for file in files:
        assert Client().get(file.url).headers["Access-Control-Allow-Origin"] == "*"
