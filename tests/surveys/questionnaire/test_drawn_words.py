"""Pages say in full sentences which questions a layout draws for each person."""

from privacy.survey.design import Block, Design, GroupPolicy, Question
from privacy.survey.rotation import Rotation
from surveys.questionnaire.drawn_words import drawn_sentences

NAMES = {"a": "Drank", "b": "Boss knows", "c": "Was offered"}


def block(key: str, questions: str, **members: int) -> Block:
    asked = tuple(Question(key=each, kind="yes_no", options=(), unrelated=(5000,)) for each in questions)
    return Block(key=key, protected=True, truth_probability=5000, questions=asked, **members)


def said(*blocks: Block, rotations: tuple[Rotation, ...] = ()) -> list[str]:
    design = Design(blocks=blocks, group=GroupPolicy(), use="live", rotations=rotations)
    return [*drawn_sentences(design, NAMES)]


def test_a_layout_that_asks_everyone_everything_needs_no_sentence() -> None:
    assert said(block("p", "abc")) == []


def test_drawn_questions_are_named_and_follow_ups_may_come_alone() -> None:
    """The import promised to ask everyone, and its layout asked each person 2 of 3 questions silently."""
    first, last = said(block("p", "abc", questions_per_person=2))
    assert "2 of these 3 questions, drawn at random: “Drank”, “Boss knows”, “Was offered”." in first
    assert "a follow-up without the question before it" in last


def test_parts_of_a_rotation_are_named_by_their_questions() -> None:
    turns = (Rotation(blocks=("p", "q"), parts_per_person=1),)
    assert said(block("p", "ab"), block("q", "c"), rotations=turns)[0].endswith(
        "1 of these 2 parts, drawn at random: “Drank”, “Boss knows”; “Was offered”."
    )
    assert said(block("p", "a"), block("q", "b"), rotations=turns)[0].endswith(
        "1 of these 2 questions, drawn at random: “Drank”, “Boss knows”."
    )
