"""The code of *don't know* or *refused* is not added up, and the proposal says how such an answer counts."""

import pytest

from surveys.imports.drafts.questionnaire import points_of
from surveys.imports.pasted_text import read_paste

MOOD = (
    "Mood\n0 = never, 1 = sometimes, 2 = often, {code}\n1. I am sad\n2. I am tense\nSum of 3 or more: {level}"
)


def proposal(text: str) -> str:
    (found,) = [note.message for note in read_paste(text).notes if note.asks == "score"]
    return found


@pytest.mark.parametrize(
    "text",
    [
        MOOD.format(code="9 = no answer", level="a case"),
        MOOD.format(code="7 = refused", level="a case"),
        MOOD.format(code="99 = don't know", level="a case"),
        MOOD.format(code="3 = does not apply", level="a case"),
        "Stimmung\n0 = nie, 1 = manchmal, 2 = oft, 9 = keine Angabe\n1. traurig\n2. leer\nAb 3 Punkten: X",
        "Humeur\n0 = jamais, 1 = parfois, 2 = souvent, 8 = ne sait pas\n1. triste\n2. tendu\nTotal ≥ 3 : cas",
        "睡眠\n0=从不，1=有时，2=经常，9=不适用\n1. 我服用安眠药\n2. 我喝酒助眠\n总分3分及以上为有问题",
        "Mood\n1. Sad?\nNever (0)\nSometimes (1)\nOften (2)\nDon't know (9)\n2. Tense?\n"
        "Never (0)\nSometimes (1)\nOften (2)\nDon't know (9)\nAdd the points. 3 or more: a case.",
    ],
)
def test_codes_of_missing_answers_are_not_added_up(text: str) -> None:
    survey = read_paste(text)
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2, 0]] * 2
    assert "(0 to 4)" in proposal(text)
    assert "no points, and not counted as missing: “" in proposal(text)


def test_points_between_those_of_others_are_kept_and_named() -> None:
    text = (
        "Views\n0 = no, 1 = don't know, 2 = yes\n1. I would lie\n2. I would steal\nSum of 3 or more: at risk"
    )
    assert [points_of(each) for each in read_paste(text).questions] == [[0, 1, 2]] * 2
    assert "points for “don't know”: 1" in proposal(text)


def test_codes_in_unknown_words_are_named() -> None:
    said = proposal(MOOD.format(code="9 = egal", level="a case"))
    assert "points for “egal”: 9" in said


def test_a_reversed_item_gives_missing_answers_no_points() -> None:
    text = MOOD.format(code="9 = no answer", level="a case").replace("sad", "calm (R)")
    assert [points_of(each) for each in read_paste(text).questions] == [[2, 1, 0, 0], [0, 1, 2, 0]]
    text = "Mood\n0 = not applicable, 1 = never, 4 = often\n1. I am calm (R)\n2. I am sad\n5 or more: a case"
    assert [points_of(each) for each in read_paste(text).questions] == [[0, 4, 1], [0, 1, 4]]


def test_does_not_apply_is_a_grade_among_answers_in_its_words() -> None:
    text = (
        "Schlaf\n0 = trifft nicht zu, 1 = trifft eher zu, 2 = trifft zu\n1. Ich wache auf.\n"
        "2. Ich schlafe gut (umgepolt).\nAb 3 Punkten: Störung"
    )
    assert [points_of(each) for each in read_paste(text).questions] == [[0, 1, 2], [2, 1, 0]]
    assert "missing" not in proposal(text)
