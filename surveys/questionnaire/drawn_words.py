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
    protected = [question for block in design.blocks if block.protected for question in block.questions]
    if not besides and _draws_single_questions(design) == len(protected):
        # The page lists them all.
        yield _("Each person is asked %(count)s of the %(all)s protected questions, drawn at random.") % {
            "count": count_text(per_person),
            "all": count_text(len(protected)),
        }
        yield _alone()
        return
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
        yield _alone()


def _alone() -> str:
    """Say what drawing questions means for follow-ups."""
    return _("A follow-up may be asked without its question: reword it, or send both as one answer.")


def _draws_single_questions(design: Design) -> int:
    """Return from how many questions a single draw takes some, one by one; 0 for other layouts."""
    sizes = {block.key: len(block.questions) for block in design.blocks}
    within = [block for block in design.blocks if block.is_rotating]
    if len(within) + len(design.rotations) != 1:
        return 0
    if within:
        return len(within[0].questions)
    (rotation,) = design.rotations
    return len(rotation.blocks) if all(sizes[key] == 1 for key in rotation.blocks) else 0


def _asked_of_everyone(design: Design) -> Iterator[str]:
    """Yield the kinds of protected questions in a design that are never drawn."""
    protected = [block for block in design.blocks if block.protected]
    if any(question.has_mean for block in protected for question in block.questions):
        yield _("numbers")
    if any(question.is_map for block in protected for question in block.questions):
        yield _("places")
    if any(block.asked_if for block in protected):
        yield _("questions with a condition")
