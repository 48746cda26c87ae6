"""Findings on lists of yes/no questions."""

from surveys.questionnaire.checks.lists import check_lists
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.stems import in_full
from tests.fixtures.checked_surveys import protected, yes_no
from tests.surveys.questionnaire.test_stems import document, line, stem


def codes(of: dict) -> list[tuple[str, str]]:
    definition = definition_parse(of)
    return [(found.code, found.path) for found in check_lists(in_full(of), definition.design)]


def test_a_stem_without_lines_is_named() -> None:
    of = document(protected("b", line("a")), stems=[stem(), stem("gone")])
    assert codes(of) == [("unused_stem", "stems[1]")]


def test_a_line_that_means_the_others_is_found_in_a_list_that_rotation_splits() -> None:
    other = line("o", text={"en": "Other drugs"})
    part = protected("b", line("a"), line("c"), other, questions_per_person=2)
    assert codes(document(part)) == [("split_list", "blocks[0].questions[2]")]
    assert codes(document(protected("b", line("a"), line("c"), other))) == []
    whole = {**protected("b", yes_no("x"), yes_no("y"), line("a"), other), "questions_per_person": 2}
    assert codes(document({**whole, "booklets": [[0, 1], [2, 3]]})) == []
    exclusive = {**protected("b", line("a"), line("c"), line("d"), questions_per_person=2)}
    found = codes(document({**exclusive, "exclusive": [["a", "c"]]}))
    assert found == [("split_list", "blocks[0].questions[0]"), ("split_list", "blocks[0].questions[1]")]


def test_a_list_that_turns_of_whole_parts_split_is_found() -> None:
    other = line("o", text={"en": "Other drugs"})
    parts = [protected("b", line("a")), protected("c", line("d")), protected("e", other)]
    turns = [{"blocks": ["b", "c", "e"], "parts_per_person": 2}]
    assert codes({**document(*parts), "rotations": turns}) == [("split_list", "blocks[2].questions[0]")]
    assert codes(document(*parts)) == []
