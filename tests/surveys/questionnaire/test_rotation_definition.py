"""Rotating parts in a definition: what is read, and every refusal with its place and remedy."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from privacy.survey.booklets import Rotation
from privacy.survey.design import ROTATION_MECHANISM, Design
from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.problems import DefinitionError
from tests.cast.checked_surveys import document_of, protected, unprotected, yes_no
from tests.cast.rotating_drafts import rotating_document, ten_of
from tests.cast.scale_runs import scale_definition


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


def test_a_part_near_the_truth_asks_no_more_than_an_audit_can_look_at() -> None:
    """An audit lists all rows of such a part: at 30 questions they were more than a server has memory for."""
    many = protected("a", *(yes_no(f"q{number}") for number in range(19)), mechanism="near_truth", radius=1)
    found = problems(document_of(many))
    assert "19 questions near the truth" in found["blocks[0].questions"]
    assert "at most 18" in found["blocks[0].questions"]
    asked = definition_parse(document_of(many | {"questions_per_person": 18})).design
    assert asked.blocks[0].most_asked == 18


def test_without_the_new_members_a_design_stays_as_it_was() -> None:
    plain = document_of(protected("a", yes_no("x"), yes_no("y")))
    stated = copy.deepcopy(plain)
    stated["blocks"][0]["questions_per_person"] = None
    stated["blocks"][0]["booklets"] = None
    stated["rotations"] = []
    before, after = definition_parse(plain), definition_parse(stated)
    assert before.design.to_json() == after.design.to_json()
    assert (before.design.mechanism, before.wording_id) == (1, after.wording_id)
    assert not {"rotations", "questions_per_person", "booklets"} & {
        *before.design.to_json(),
        *before.design.to_json()["blocks"][0],
    }


@pytest.mark.parametrize(
    ("changes", "member", "named"),
    [
        ({"questions_per_person": 10}, "questions_per_person", "10 is outside 1..9"),
        ({"questions_per_person": 0}, "questions_per_person", "0"),
        ({"questions_per_person": "4"}, "questions_per_person", "'4'"),
        ({"questions_per_person": None}, "booklets", "lists booklets"),
        ({"questions_per_person": 3}, "booklets", "(0, 1,"),
        ({"booklets": [[0, 1, 2, 3], [4, 5, 6, 7]]}, "booklets", "question 8"),
        ({"booklets": [[0, 1, 2, 10]] * 2}, "booklets", "10"),
        ({"booklets": [[0, 1, 2, 3]]}, "booklets", "1 booklets"),
        ({"protected": False, "truth_probability": 10_000}, "", ""),
    ],
)
def test_what_a_part_cannot_say_is_refused_at_its_place(
    changes: dict[str, Any], member: str, named: str
) -> None:
    document = document_of(ten_of() | changes)
    found = problems(document)
    path = f"blocks[0].{member}" if member else next(iter(found))
    assert path.startswith("blocks[0]")
    assert named in found[path]


def test_a_number_cannot_rotate() -> None:
    document = scale_definition()
    place = next(n for n, block in enumerate(document["blocks"]) if "truth_probability" not in block)
    document["blocks"][place]["questions_per_person"] = 1
    assert f"blocks[{place}].questions_per_person" in problems(document)


def test_an_open_part_cannot_rotate() -> None:
    open_part = unprotected(
        "open", *({"key": key, "kind": "yes_no", "text": {"en": key}} for key in ("x", "y"))
    )
    found = problems(document_of(open_part | {"questions_per_person": 1}, ten_of()))
    assert "open" in found["blocks[0].questions_per_person"]


@pytest.mark.parametrize(
    ("rotation", "path", "named"),
    [
        (
            {"blocks": ["home", "work", "sport"], "parts_per_person": 3},
            ".parts_per_person",
            "3 is outside 1..2",
        ),
        ({"blocks": ["home", "gone"], "parts_per_person": 1}, ".blocks", "'gone'"),
        ({"blocks": ["home", "open"], "parts_per_person": 1}, ".blocks", "open"),
        ({"blocks": ["home"], "parts_per_person": 1}, ".blocks", "home"),
        ({"blocks": ["home", "home"], "parts_per_person": 1}, ".blocks", "home"),
        ({"blocks": ["home", "work"]}, ".parts_per_person", "missing"),
        ({"blocks": ["home", "work"], "parts_per_person": 1, "more": 1}, ".more", "nothing reads this"),
        (["home"], "", "not an object"),
    ],
)
def test_a_rotation_that_cannot_be_is_refused_at_its_place(rotation: Any, path: str, named: str) -> None:
    document = rotating_document(rotations=[rotation])
    document["blocks"].append(unprotected("open", {"key": "o", "kind": "yes_no", "text": {"en": "O?"}}))
    found = problems(document)
    assert list(found) == [f"rotations[0]{path}"]
    assert named in found[f"rotations[0]{path}"]


def test_of_two_rotations_the_one_that_does_not_go_with_the_other_is_named() -> None:
    first = {"blocks": ["home", "work"], "parts_per_person": 1}
    found = problems(
        rotating_document(rotations=[first, {"blocks": ["work", "sport"], "parts_per_person": 1}])
    )
    assert list(found) == ["rotations[1].blocks"]
    assert "rotations" in problems(rotating_document(rotations={"blocks": []}))


def test_a_draft_with_problems_elsewhere_still_has_its_rotating_parts() -> None:
    document = rotating_document()
    document["title"] = {}
    reading = definition_read(document)
    assert reading.definition is None
    assert reading.blocks[0][1].questions_per_person == 4
