"""Composite questions of one block: filters that several of them share, placebo indices and halves.

Respondents answer a shared filter once. Each composite question that contains it is computed from the same
answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from privacy.errors import PrivacyError
from privacy.survey.component import YES_NO, Component

if TYPE_CHECKING:
    from privacy.survey.block import Block
    from privacy.survey.composite import Composite
    from privacy.survey.question import Question


def shared_filters(block: Block) -> dict[str, tuple[int, ...]]:
    """Return, by key of a shared filter, the positions of the questions that contain it.

    Parameters
    ----------
    block : Block

    Examples
    --------
    >>> from privacy.survey.block import Block
    >>> from privacy.survey.component import When, Whens
    >>> from privacy.survey.composite import Composite
    >>> from privacy.survey.composite_parts import Gaps, Level
    >>> from privacy.survey.question import Question
    >>> ever = Component(key="ever", kind="yes_no", points=(0, 1), shared=True)
    >>> after_yes = Whens(terms=(When(component="ever", options=("yes",)),))
    >>> rules = [Composite(
    ...     components=(ever, Component(key=key, kind="yes_no", points=(0, 1), asked_if=after_yes)),
    ...     levels=(Level(option="no"), Level(start=2, option="yes")),
    ...     missing=Gaps(at_most=0, fill="no_points")) for key in ("hit", "kicked")]
    >>> questions = tuple(Question(key=f"{rule.components[1].key}-lately", kind="yes_no", options=(),
    ...     unrelated=(5000,), computed=rule) for rule in rules)
    >>> shared_filters(Block(key="b", protected=True, truth_probability=5000, questions=questions))
    {'ever': (0, 1)}
    """
    found: dict[str, list[int]] = {}
    for position, question in enumerate(block.questions):
        for component in question.computed.components if question.computed else ():
            if component.shared:
                found.setdefault(component.key, []).append(position)
    return {key: tuple(positions) for key, positions in found.items()}


def block_components(block: Block) -> tuple[Component, ...]:
    """Return the components of all composite questions of a block, a shared filter once.

    Parameters
    ----------
    block : Block
    """
    rules = [question.computed for question in block.questions if question.computed is not None]
    return tuple({each.key: each for rule in rules for each in rule.components}.values())


def is_tied(block: Block) -> bool:
    """Whether questions of a block must stay together: they share a filter, or one names another.

    Parameters
    ----------
    block : Block
    """
    rules = [question.computed for question in block.questions if question.computed is not None]
    return bool(shared_filters(block)) or any(rule.placebo_of or rule.other_half for rule in rules)


def check_composites(blocks: Sequence[Block]) -> None:
    """Refuse keys that name two questions or components, and rules that refer to what they cannot use.

    Parameters
    ----------
    blocks : sequence of Block
        All blocks of a design, in order.

    Raises
    ------
    PrivacyError
        ``computed``
    """
    seen = {question.key for block in blocks for question in block.questions}
    protected = {question.key for block in blocks if block.protected for question in block.questions}
    shared: set[str] = set()
    earlier: dict[str, Question] = {}
    for block in blocks:
        check_together(block)
        for component in block_components(block):
            if component.shared and component.key in shared:
                raise PrivacyError("computed.shared_elsewhere", component.key, block=block.key)
            if component.key in seen:
                raise PrivacyError("twice", component.key, code="computed", name="component key")
            seen.add(component.key)
            if component.shared:
                shared.add(component.key)
        for question in block.questions:
            for key, options in question.computed.sources if question.computed else ():
                _check_source(question.key, earlier.get(key), key, options, protected=protected)
        if not block.protected:
            earlier |= {question.key: question for question in block.questions}


def check_together(block: Block) -> None:
    """Refuse composite questions of one block that do not go together.

    Parameters
    ----------
    block : Block

    Raises
    ------
    PrivacyError
        ``computed``: they have a component in common that is not a shared filter, stated in the same way in
        each; only one of them has a shared filter; or a placebo index or a half names no suitable question.
    """
    owners: dict[str, tuple[str, Component]] = {}
    for question in block.questions:
        for component in question.computed.components if question.computed else ():
            first, other = owners.setdefault(component.key, (question.key, component))
            if first != question.key:
                _check_equal(component, other, first=first, second=question.key)
        _check_partners(question, block)
    for key, positions in shared_filters(block).items():
        if len(positions) == 1:
            raise PrivacyError("computed.shared_once", key, question=owners[key][0])


def _check_equal(component: Component, other: Component, *, first: str, second: str) -> None:
    if not (component.shared and other.shared):
        raise PrivacyError("computed.shared", component.key, first=first, second=second)
    differing = [
        each.name for each in fields(component) if getattr(component, each.name) != getattr(other, each.name)
    ]
    if differing:
        names = ", ".join(differing)
        raise PrivacyError("computed.shared_differs", component.key, first=first, second=second, names=names)


def _check_source(
    own: str, source: Question | None, key: str, options: Iterable[str], *, protected: set[str]
) -> None:
    if source is None:
        case = "computed.source_protected" if key in protected else "computed.source"
        raise PrivacyError(case, key, key=own)
    if source.route_refusal:
        raise PrivacyError("computed.source_kind", key, key=own)
    choices = source.options or YES_NO
    for option in options:
        if option not in choices:
            raise PrivacyError("computed.source_option", option, key=key, known=", ".join(choices))


def _check_partners(question: Question, block: Block) -> None:
    """Refuse a placebo index or a half whose partner is not a composite question that can be compared."""
    rule = question.computed
    if rule is None:
        return
    rules = {each.key: (each, each.computed) for each in block.questions if each.computed is not None}
    for member, key in (("placebo_of", rule.placebo_of), ("other_half", rule.other_half)):
        if not key:
            continue
        if key == question.key or key not in rules:
            raise PrivacyError("computed.partner", key, member=member, key=question.key, block=block.key)
        partner, other = rules[key]
        if other.placebo_of or other.other_half:
            raise PrivacyError("computed.partner_chain", key, member=member, key=question.key)
        if (partner.kind, partner.options) != (question.kind, question.options):
            raise PrivacyError("computed.partner_options", key, member=member, key=question.key)
        if not _are_asked_together(block, question, partner):
            raise PrivacyError("computed.partner_apart", key, member=member, key=question.key)
    if rule.other_half:
        _check_halves(question, rule, *rules[rule.other_half])
    named = [other.other_half for _each, other in rules.values() if other.other_half]
    if rule.other_half and named.count(rule.other_half) > 1:
        raise PrivacyError("computed.halves_three", rule.other_half, key=question.key)


def _are_asked_together(block: Block, *questions: Question) -> bool:
    """Whether some device asks all of these questions."""
    places = {block.questions.index(question) for question in questions}
    if block.booklets is not None:
        return any(places <= set(booklet) for booklet in block.booklets)
    return len(places) <= block.most_asked


def _check_halves(question: Question, rule: Composite, partner: Question, other: Composite) -> None:
    if not question.is_binary or question.options:
        raise PrivacyError("computed.halves_kind", question.kind, key=question.key)
    common = {each.key for each in rule.components} & {each.key for each in other.components}
    if common:
        raise PrivacyError("computed.halves_shared", sorted(common)[0], key=question.key, other=partner.key)
    counts = [sum(not each.instructed for each in half.components) for half in (rule, other)]
    if abs(counts[0] - counts[1]) > 1:
        raise PrivacyError(
            "computed.halves_length", counts[0], key=question.key, other=partner.key, count=counts[1]
        )


def partners(block: Block, member: str) -> Mapping[int, int]:
    """Return, by position of a placebo index or a half, the position of the question that it names.

    Parameters
    ----------
    block : Block
    member : {"placebo_of", "other_half"}
    """
    places = {question.key: position for position, question in enumerate(block.questions)}
    return {
        places[question.key]: places[key]
        for question in block.questions
        if question.computed is not None and (key := getattr(question.computed, member))
    }
