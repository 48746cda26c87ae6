"""Rotating parts in a definition: what is read, and every refusal with its place and remedy."""

from __future__ import annotations

from typing import Any

import pytest

from privacy.survey.booklets import Rotation
from privacy.survey.design import ROTATION_MECHANISM, Design
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.problems import DefinitionError
from tests.fixtures.checked_surveys import document_of
from tests.fixtures.rotating_drafts import rotating_document, ten_of


def problems(document: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(DefinitionError) as caught:
        definition_parse(document)
    assert all(problem.message and problem.remedy for problem in caught.value.problems)
    return {problem.path: str(problem) for problem in caught.value.problems}


def test_a_part_says_how_many_of_its_questions_each_person_is_asked() -> None:
    design = definition_parse(rotating_document()).design
    ten = design.blocks[0]
    assert (ten.questions_per_person, ten.n_booklets, ten.most_asked) == (4, 30, 4)
    assert design.rotations == (Rotation(blocks=("home", "work", "sport"), parts_per_person=2),)
    assert design.mechanism == ROTATION_MECHANISM
    assert Design.from_json(design.to_json()) == design


def test_without_a_list_all_sets_are_asked() -> None:
    (ten,) = definition_parse(document_of(ten_of(together=None))).design.blocks
    assert (ten.booklets, ten.n_booklets) == (None, 210)
    assert (
        "booklets" not in definition_parse(document_of(ten_of(together=None))).design.to_json()["blocks"][0]
    )
