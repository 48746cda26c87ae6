"""Pages say in full sentences which questions a layout draws for each person."""

from privacy.survey.design import Block, Design, GroupPolicy, Question
from privacy.survey.rotation import Rotation
from surveys.questionnaire.drawn_words import asked_sentences, drawn_sentences

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
    assert "follow-up may be asked without its question" in last


def test_parts_of_a_rotation_are_named_by_their_questions() -> None:
    turns = (Rotation(blocks=("p", "q"), parts_per_person=1),)
    assert said(block("p", "ab"), block("q", "c"), rotations=turns)[0].endswith(
        "1 of these 2 parts, drawn at random: “Drank”, “Boss knows”; “Was offered”."
    )
    assert said(block("p", "a"), block("q", "b"), rotations=turns)[0].endswith(
        "1 of these 2 questions, drawn at random: “Drank”, “Boss knows”."
    )


def test_one_sentence_says_it_if_all_protected_questions_are_drawn_from() -> None:
    """The plan named each of ten questions, which it also lists."""
    design = Design(blocks=(block("p", "abc", questions_per_person=2),), group=GroupPolicy(), use="live")
    first, *_last = asked_sentences(design, 2, NAMES)
    assert first == "Each person is asked 2 of the 3 protected questions, drawn at random."


def test_questions_are_named_if_others_are_asked_of_everyone() -> None:
    blocks = (block("p", "ab", questions_per_person=1), block("q", "c"))
    found = [*asked_sentences(Design(blocks=blocks, group=GroupPolicy(), use="live"), 2, NAMES)]
    assert any("1 of these 2 questions, drawn at random: “Drank”, “Boss knows”." in each for each in found)
