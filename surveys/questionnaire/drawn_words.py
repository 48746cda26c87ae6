"""Which questions a layout draws at random for each person, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _

from privacy.survey.design import Design
from surveys.formats.joints import list_text, series_text
from surveys.formats.numbers import count_text


def asked_sentences(design: Design, per_person: int | None, names: Mapping[str, str]) -> Iterator[str]:
    """Yield how many questions each person is asked, and what `drawn_sentences` says.

    Parameters
    ----------
    design : Design
    per_person : int or None
        Number of protected questions that each person is asked of the drawn ones; None or 0 if none is drawn.
    names : mapping of str to str
        Names of questions, by key.
    """
    if not per_person:
        return
    besides = [*_asked_of_everyone(design)]
    opening = (
        _("Each person is asked %(count)s of the protected questions, besides %(others)s.")
        if besides
        else _("Each person is asked %(count)s of the protected questions.")
    )
    yield opening % {"count": count_text(per_person), "others": list_text(besides)}
    rotated = {key for each in design.rotations for key in each.blocks}
    if len({len(block.questions) for block in design.blocks if block.key in rotated}) > 1:
        yield _("Some are asked more, because a list is asked as a whole.")
    yield from drawn_sentences(design, names)


def drawn_sentences(design: Design, names: Mapping[str, str]) -> Iterator[str]:
    """Yield sentences on the questions drawn for each person, and on follow-ups; nothing if none are drawn.

    Parameters
    ----------
    design : Design
    names : mapping of str to str
        Names of questions, by key.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> asked = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abc")
    >>> part = Block(key="p", protected=True, truth_probability=5000, questions=asked, questions_per_person=2)
    >>> design = Design(blocks=(part,), group=GroupPolicy(), use="live")
    >>> [*drawn_sentences(design, {"a": "Drank", "b": "Boss knows", "c": "Was offered"})][0]
    'Each person is asked 2 of these 3 questions, drawn at random: “Drank”, “Boss knows”, “Was offered”.'
    """
    blocks = {block.key: block for block in design.blocks}

    def quoted(key: str) -> str:
        return list_text(f"“{names[question.key]}”" for question in blocks[key].questions)

    for block in design.blocks:
        if block.is_rotating:
            yield _(
                "Each person is asked %(asked)s of these %(count)s questions, drawn at random: %(questions)s."
            ) % {
                "asked": count_text(block.most_asked),
                "count": count_text(len(block.questions)),
                "questions": quoted(block.key),
            }
    for rotation in design.rotations:
        is_single = all(len(blocks[key].questions) == 1 for key in rotation.blocks)
        sentence = (
            _("Each person is asked %(asked)s of these %(count)s questions, drawn at random: %(questions)s.")
            if is_single
            else _("Each person is asked %(asked)s of these %(count)s parts, drawn at random: %(questions)s.")
        )
        yield sentence % {
            "asked": count_text(rotation.parts_per_person),
            "count": count_text(len(rotation.blocks)),
            "questions": (list_text if is_single else series_text)(map(quoted, rotation.blocks)),
        }
    if design.rotates:
        yield _(
            "So someone may be asked one of them without another, such as a follow-up without the question "
            "before it. If the follow-up makes no sense alone, reword it, or send both as one answer."
        )


def _asked_of_everyone(design: Design) -> Iterator[str]:
    """Yield the kinds of protected questions in a design that are never drawn."""
    protected = [block for block in design.blocks if block.protected]
    if any(question.has_mean for block in protected for question in block.questions):
        yield _("numbers")
    if any(question.is_map for block in protected for question in block.questions):
        yield _("places")
    if any(block.asked_if for block in protected):
        yield _("questions with a condition")
