"""Quotas in a definition: what is kept of them, and every refusal with its place and remedy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from surveys.authoring.changes import changes_of
from surveys.exchange.xlsform.export import losses_of, xlsform_file
from surveys.models import Survey
from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.problems import DefinitionError
from surveys.questionnaire.quotas import quotas_of
from tests.cast.devices import published, shipped_definition
from tests.cast.workbooks import workbook, xlsform_read

YEARS = "blocks[0].questions[0]"


def with_quotas(quotas: object, question: int = 0, block: int = 0, **changes: Any) -> dict[str, Any]:
    document = shipped_definition(**changes)
    document["blocks"][block]["questions"][question]["quotas"] = quotas
    return document


def test_a_quota_changes_the_wording_and_neither_answers_nor_chances() -> None:
    plain = definition_parse(shipped_definition())
    found = definition_parse(with_quotas({"6-on": 90, "to-1": 60}))
    assert found.design.design_id == plain.design.design_id
    assert found.wording_id != plain.wording_id
    # In the order of the options.
    assert list(quotas_of(found.wording)["years"].items()) == [("to-1", 60), ("6-on", 90)]
    # Without one nothing is written: digests of before there were quotas stay.
    nothing: tuple[object, ...] = ({}, None)
    for none in nothing:
        assert definition_parse(with_quotas(none)).wording_id == plain.wording_id
    assert quotas_of(definition_parse(with_quotas({"no": 50}, question=1)).wording) == {"leads": {"no": 50}}


def after_a_protected_part() -> dict[str, Any]:
    document = shipped_definition()
    open_part = {
        "key": "later",
        "protected": False,
        "title": {"en": "Later", "zh-hans": "later"},
        "questions": [
            {"key": "late", "kind": "yes_no", "text": {"en": "?", "zh-hans": "?"}, "quotas": {"yes": 50}}
        ],
    }
    return {**document, "blocks": [*document["blocks"], open_part]}


@pytest.mark.parametrize(
    ("document", "path", "words"),
    [
        (lambda: with_quotas({"to-1": 60}, block=1), "blocks[1].questions[0].quotas", "protected question"),
        (lambda: with_quotas({"office": 60}, question=2), "blocks[0].questions[2].quotas", "several answers"),
        (lambda: with_quotas({"never": 60}), f"{YEARS}.quotas.never", "nothing reads this; use one of to-1"),
        (lambda: with_quotas([60]), f"{YEARS}.quotas", "is not an object"),
        (lambda: with_quotas({"to-1": 0}), f"{YEARS}.quotas.to-1", "write a whole number"),
        (lambda: with_quotas({"to-1": True}), f"{YEARS}.quotas.to-1", "no number of answers"),
        (lambda: with_quotas({"to-1": 60.5}), f"{YEARS}.quotas.to-1", "60.5"),
        (lambda: with_quotas({"to-1": "many"}), f"{YEARS}.quotas.to-1", "many"),
        (lambda: with_quotas({"to-1": 10_000_001}), f"{YEARS}.quotas.to-1", "10000001"),
        (lambda: with_quotas({"to-1": 49}), f"{YEARS}.quotas.to-1", "let at least 50 in"),
        (after_a_protected_part, "blocks[3].questions[0].quotas", "move its part before all protected ones"),
        (
            lambda: with_quotas({"to-1": 60}, group={"policy": "assigned", "direct_share": 2000}),
            f"{YEARS}.quotas",
            "nothing is counted before closing",
        ),
    ],
)
def test_a_quota_that_cannot_be_kept_is_refused(
    document: Callable[[], dict[str, Any]], path: str, words: str
) -> None:
    found = {one.path: f"{one.message}; {one.remedy}" for one in definition_read(document()).problems}
    assert list(found) == [path]
    assert words in found[path]


def test_two_strengths_and_practice_may_have_quotas() -> None:
    assigned = {"policy": "assigned", "direct_share": 2000}
    assert definition_parse(with_quotas({"to-1": 60}, group={**assigned, "light": True}))
    assert definition_parse(with_quotas({"to-1": 1}, group=assigned, practice=True))


def test_an_xlsform_keeps_quotas_and_says_that_other_programs_do_not() -> None:
    definition = definition_parse(with_quotas({"to-1": 60, "6-on": 90}))
    file = xlsform_file(definition)
    assert "quotas: other programs let everybody in" in list(losses_of(definition))
    read = xlsform_read(file).document
    assert read["blocks"][0]["questions"][0]["quotas"] == {"to-1": 60, "6-on": 90}
    assert "quotas" not in read["blocks"][0]["questions"][1]


@pytest.mark.parametrize("cell", ["60", "to-1", "to-1 many", "to-1 60 | 6-on -1", "to-1 " + "9" * 13])
def test_a_cell_that_spells_no_quota_is_a_problem_of_its_row(cell: str) -> None:
    lines = [
        ["type", "name", "label::English (en)", "sotto_quotas"],
        ["select_one a", "sex", "?", cell],
    ]
    choices = [["list_name", "name", "label::English (en)"], ["a", "to-1", "1"], ["a", "6-on", "2"]]
    with pytest.raises(DefinitionError, match="is no quota"):
        xlsform_read(workbook(survey=lines, choices=choices))


@pytest.mark.django_db
def test_a_changed_quota_is_a_change_of_the_wording() -> None:
    version = published(with_quotas({"to-1": 60}))
    after = definition_parse(with_quotas({"to-1": 70}))
    [change] = changes_of(Survey.objects.get(), version, after)
    assert (change.kind, change.before, change.after) == ("wording", "60", "70")
    assert change.text == "work, years, to-1, quota: 60 becomes 70"
