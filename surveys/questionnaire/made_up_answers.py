"""Three made-up people who answer the components of a composite question, and what devices compute from it.

The builder shows the same people (`static/surveys/js/authoring/made-up-people.js`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.survey.component import YES_NO, Component, Given
from privacy.survey.composite import Composite
from surveys.formats.joints import list_text
from surveys.questionnaire.composites import COMPONENTS
from surveys.questionnaire.languages import text_in

_EVERY: Final = 3
"""The second person answers every third component with the most points."""


def made_up_answers(rule: Composite) -> list[dict[str, Given]]:
    """Return the answers of three people, by key of the component; gaps are absent.

    The fewest points everywhere; the most for every third component, with a gap at the last one if gaps are
    allowed and there are more than three; the most everywhere.

    Examples
    --------
    >>> from privacy.survey.composite_parts import Gaps, Level
    >>> acts = tuple(Component(key=key, kind="yes_no", points=(0, 1)) for key in "abcd")
    >>> rule = Composite(components=acts, missing=Gaps(at_most=1, fill="no_points"), levels=(
    ...     Level(option="no"), Level(start=1, option="yes")))
    >>> [list(person.values()) for person in made_up_answers(rule)]
    [[0, 0, 0, 0], [1, 0, 0], [1, 1, 1, 1]]
    """
    counted = [place for place, each in enumerate(rule.components) if not each.instructed]
    last = counted[-1] if counted else -1
    gap = last if rule.missing.at_most and len(rule.components) > _EVERY else None
    middle = {
        component.key: _extreme(component, is_most=place % _EVERY == 0)
        for place, component in enumerate(rule.components)
        if place != gap
    }
    least, most = (
        {component.key: _extreme(component, is_most=is_most) for component in rule.components}
        for is_most in (False, True)
    )
    return [least, middle, most]


def _extreme(component: Component, *, is_most: bool) -> Given:
    """Return the first answer with the fewest or the most points."""
    if component.instructed:
        return component.choices.index(component.instructed)
    if component.is_several:
        return tuple(int(own > 0 if is_most else own < 0) for own in component.points)
    values: list[Any] = [*range(len(component.choices))]
    if component.low is not None:
        values = [component.low, component.high, *(band.low for band in component.bands)]
    return (max if is_most else min)(values, key=component.points_of)


def made_up_open(rule: Composite, options: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """Return what the three people answer to the open questions that have points, by key of the question.

    Parameters
    ----------
    rule : Composite
    options : mapping
        Keys of the options of each open question, in order.
    """

    def extreme(points: Mapping[str, int], keys: Sequence[str], *, is_most: bool) -> str:
        return (max if is_most else min)(keys, key=lambda key: points.get(key, 0))

    people = [
        {use.question: extreme(dict(use.points), options[use.question], is_most=is_most) for use in rule.uses}
        for is_most in (False, True)
    ]
    return [people[0], people[0], people[1]]


@dataclass(frozen=True, kw_only=True)
class MadeUpTable:
    """The three people as a table.

    Attributes
    ----------
    rows : tuple of (str, tuple of str)
        Text of each component, with the people's answers.
    sums, sent : tuple of str
        Their sums, and the answers that are disguised and sent.
    """

    rows: tuple[tuple[str, tuple[str, ...]], ...]
    sums: tuple[str, ...]
    sent: tuple[str, ...]


def made_up_table(
    rule: Composite, wording: Mapping[str, Any], options: Mapping[str, Sequence[str]]
) -> MadeUpTable:
    """Return the three people for a composite question.

    Parameters
    ----------
    rule : Composite
    wording : mapping
        Of the question.
    options : mapping
        Keys of the options of the open questions, as for `made_up_open`.
    """
    chosen = made_up_open(rule, options)
    people = made_up_answers(rule)
    asked = [set(rule.asked(answers, open_)) for answers, open_ in zip(people, chosen, strict=True)]
    words = {entry["key"]: entry for entry in wording.get(COMPONENTS, ())}
    rows = tuple(
        (
            text_in(words.get(component.key, {}).get("text")) or component.key,
            tuple(
                _answer(component, words.get(component.key, {}), answers.get(component.key))
                if component.key in keys
                else _("not asked")
                for answers, keys in zip(people, asked, strict=True)
            ),
        )
        for component in rule.components
    )
    results = [rule.evaluate(answers, open_) for answers, open_ in zip(people, chosen, strict=True)]
    totals = [rule.total(answers, open_) for answers, open_ in zip(people, chosen, strict=True)]
    return MadeUpTable(
        rows=rows,
        sums=tuple("–" if total is None else str(total) for total in totals),
        sent=tuple(_sent(result, wording) for result in results),
    )


def _answer(component: Component, wording: Mapping[str, Any], value: Given) -> str:
    if value is None:
        return _("left empty")
    names = [_(key) if key in YES_NO else _option(wording, key) for key in component.choices]
    if component.is_several and not isinstance(value, int):
        ticked = [name for name, tick in zip(names, value, strict=True) if tick]
        return list_text(ticked) if ticked else _("none of these")
    return names[value] if names and isinstance(value, int) else str(value)


def _option(wording: Mapping[str, Any], key: str) -> str:
    found = (option["text"] for option in wording.get("options") or () if option["key"] == key)
    return text_in(next(found, None)) or key


def _sent(result: str | int | None, wording: Mapping[str, Any]) -> str:
    if result is None:
        return _("a skip")
    if isinstance(result, int):
        return str(result)
    return _(result) if result in YES_NO and not wording.get("options") else _option(wording, result)
