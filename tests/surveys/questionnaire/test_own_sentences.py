"""Sentences that a definition states: their form, and what of them belongs to the wording."""

from typing import Any

import pytest

from surveys.questionnaire.definition import definition_read
from surveys.questionnaire.own_sentences import languages_without_promise, text_language
from tests.fixtures.runs import definition

OWN = {"sentences": {"0123456789ab": "Weiter"}, "texts": {"continue": "Weiter"}, "instead": {}, "lacks": 0}


def stated(**change: Any) -> dict[str, Any]:
    return {"format": 1, "languages": {"de": {**OWN, **change}}}


def test_sentences_are_part_of_the_wording_but_the_number_of_readers_is_not() -> None:
    plain = definition_read(definition("plain")).definition
    checks = {"de": {"readers": 2, "passed": 10}}
    own = definition_read(definition("plain") | {"sentences": stated() | {"checks": checks}}).definition
    read = definition_read(definition("plain") | {"sentences": stated()}).definition
    only = definition_read(
        definition("plain") | {"sentences": {"format": 1, "languages": {}, "checks": checks}}
    ).definition
    assert plain is not None
    assert own is not None
    assert read is not None
    assert only is not None
    assert own.wording["sentences"] == stated()
    assert own.wording_id == read.wording_id != plain.wording_id == only.wording_id


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        {"format": 2, "languages": {}},
        {"format": 1},
        {"format": 1, "languages": {"de": {"sentences": {}}}},
        stated(texts={"continue": "<b>Weiter</b>"}),
        stated(texts={"continue": " "}),
        stated(texts={"continue": 3}),
        stated(texts={"continue": "x" * 1_501}),
        stated(instead={"two_strengths": {"a": "&amp;"}}),
        stated(lacks=-1),
        stated(lacks=True),
        stated() | {"checks": {"de": {"readers": -1, "passed": 0}}},
        stated() | {"checks": {"de": 2}},
    ],
)
def test_sentences_in_another_form_are_refused_at_their_path(wrong: object) -> None:
    reading = definition_read(definition("wrong") | {"sentences": wrong})
    assert reading.definition is None
    assert [problem.path for problem in reading.problems] == ["sentences"]


def test_a_language_without_a_catalogue_is_spoken_only_if_the_survey_brings_it() -> None:
    own = {"sentences": {"format": 1, "languages": {"ha": OWN}}}
    assert [text_language({}, tag) for tag in ("de-at", "ha", "en-gb")] == ["de", "en", "en"]
    assert text_language(own, "ha") == "ha"
    assert [*languages_without_promise({}, ("en", "de", "ha"))] == ["ha"]
    assert [*languages_without_promise(own, ("ha",))] == []
    lacking = {"sentences": {"format": 1, "languages": {"ha": {**OWN, "lacks": 2}}}}
    assert [*languages_without_promise(lacking, ("ha",))] == ["ha"]
