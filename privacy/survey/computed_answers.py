"""Compute the answers to composite questions from their components, as a device does before it disguises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privacy.errors import PrivacyError
from privacy.survey.component import YES_NO, Given
from privacy.survey.design import SKIPPED, Block, Design


def with_computed(design: Design, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return a respondent's answers in the form that `privacy.survey.true_answers.read_answers` describes.

    Parameters
    ----------
    design : Design
    answers : mapping
        As for `read_answers`, but the value of a composite question is a mapping from components to their
        answers; a component that is absent or None is a gap.

    Returns
    -------
    dict
        Composite questions have the computed answers. If one of them is a skip, its whole block is skipped.

    Raises
    ------
    PrivacyError
        ``computed``: a composite is a skip, but its block cannot be skipped; or a shared filter has two
        answers. ``answer``, ``malformed``.

    Examples
    --------
    >>> from privacy.survey.component import Component
    >>> from privacy.survey.composite import Composite
    >>> from privacy.survey.composite_parts import Gaps, Level
    >>> from privacy.survey.design import GroupPolicy, Question
    >>> rule = Composite(components=tuple(Component(key=key, kind="yes_no", points=(0, 1)) for key in "ab"),
    ...     levels=(Level(option="no"), Level(start=1, option="yes")), missing=Gaps(at_most=0, fill="mean"))
    >>> question = Question(key="any", kind="yes_no", options=(), unrelated=(5000,), computed=rule)
    >>> design = Design(blocks=(Block(key="acts", protected=True, truth_probability=5000, refusal=2000,
    ...     questions=(question,)),), group=GroupPolicy(), use="live")
    >>> [with_computed(design, {"acts": {"any": given}}) for given in ({"a": 0, "b": 1}, {})]
    [{'acts': {'any': 1}}, {'acts': 'skipped'}]
    """
    chosen: dict[str, str | None] = {}
    computed: dict[str, Any] = {}
    for block in design.blocks:
        if block.key not in answers:
            continue
        own = answers[block.key]
        computed[block.key] = own if own == SKIPPED or own is None else _computed(block, own, chosen)
        if not block.protected and isinstance(own, Mapping):
            for question in block.questions:
                value = own.get(question.key)
                if isinstance(value, int) and question.is_categorical:
                    chosen[question.key] = (question.options or YES_NO)[value]
    return computed


def _computed(block: Block, answers: Any, chosen: Mapping[str, str | None]) -> Any:
    """Return the answers to one block with its composite questions computed, or that it is skipped."""
    found = dict(answers)
    shared: dict[str, Given] = {}
    for question in block.questions:
        if question.computed is None or question.key not in found:
            continue
        given: Mapping[str, Given] = found[question.key]
        if not isinstance(given, Mapping):
            raise PrivacyError("malformed.mapping", given, kind="component")
        for component in question.computed.components:
            own = given.get(component.key)
            if component.shared and shared.setdefault(component.key, own) != own:
                raise PrivacyError("computed.shared_answers", component.key, question=question.key)
        answer = question.computed.evaluate(given, chosen)
        if answer is None and block.refusal is None:
            raise PrivacyError("computed.gaps", question.key, block=block.key)
        if answer is None:
            return SKIPPED
        found[question.key] = question.computed_value(answer)
    return found
