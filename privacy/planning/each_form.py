"""Send each form of something as one answer under one coin, instead of one answer about all forms.

*At least one of ten acts of violence* is the union of its forms: physical, sexual, psychological. One coin
for all answers gives the share of each form, and that of *at least one form* about as exactly as the union.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from privacy.survey.component import YES_NO
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import Gaps, Level, Step, usual_gaps

EACH_FORM: Final = "each_form"
"""The kind of this change of form."""
MOST_FORMS: Final = 3
"""Most forms that one change sends."""
LEAST_FORMS: Final = 2
LEAST_ACTS: Final = 2
"""Fewest components of a form."""

Forms = Mapping[str, tuple[str, ...]]
"""By the name of a form, the keys of its components, in their order."""


def is_union(rule: Composite) -> bool:
    """Return whether the answer is yes if at least one component is, and nothing else counts.

    Parameters
    ----------
    rule : Composite

    Examples
    --------
    >>> from privacy.survey.component import Component
    >>> acts = tuple(Component(key=key, kind="yes_no", points=(0, 1)) for key in "abc")
    >>> def least(count):
    ...     levels = Level(option="no"), Level(start=count, option="yes")
    ...     return Composite(components=acts, missing=Gaps(at_most=0, fill="no_points"), levels=levels)
    >>> is_union(least(1)), is_union(least(2))
    (True, False)
    """
    return (
        [level.start for level in rule.levels] == [None, 1]
        and not (rule.uses or rule.base or rule.placebo_of or rule.other_half or rule.missing.fills_mean)
        and all(
            tuple(each.choices) == YES_NO
            and tuple(each.points) == (0, 1)
            and not (each.asked_if or each.shared or each.instructed)
            for each in rule.components
        )
        and all(map(_counts_nothing_else, rule.steps))
    )


def _counts_nothing_else(step: Step) -> bool:
    """Return whether a step has points only if one of its components is true."""
    return (
        not step.points
        and step.missing is None
        and all(level.points == 0 if level.start is None else level.start >= 1 for level in step.levels)
        and all(level.points >= 0 for level in step.levels)
    )


def forms_of(rule: Composite, stems: Mapping[str, str]) -> Forms:
    """Return the forms of a union that could each be one answer; empty if there are none.

    Parameters
    ----------
    rule : Composite
    stems : mapping of str to str
        By component, the list or heading under which it was asked. There must be two or three of at least two
        components each, and every component must have one.

    Examples
    --------
    >>> from privacy.survey.component import Component
    >>> acts = tuple(Component(key=key, kind="yes_no", points=(0, 1)) for key in "abcd")
    >>> rule = Composite(components=acts, missing=Gaps(at_most=0, fill="no_points"),
    ...                  levels=(Level(option="no"), Level(start=1, option="yes")))
    >>> forms_of(rule, {"a": "physical", "b": "physical", "c": "sexual", "d": "sexual"})
    {'physical': ('a', 'b'), 'sexual': ('c', 'd')}
    """
    forms: dict[str, tuple[str, ...]] = {}
    for each in rule.components:
        stem = stems.get(each.key, "")
        forms[stem] = (*forms.get(stem, ()), each.key)
    is_possible = (
        is_union(rule)
        and "" not in forms
        and LEAST_FORMS <= len(forms) <= MOST_FORMS
        and all(len(own) >= LEAST_ACTS for own in forms.values())
    )
    return forms if is_possible else {}


def form_gaps(rule: Composite, acts: int) -> int:
    """Return how many components of one form may stay empty: a fifth, and no more than of the whole.

    Parameters
    ----------
    rule : Composite
        The rule of the union.
    acts : int
        Number of components of the form.
    """
    return min(rule.missing.at_most, usual_gaps(acts))


def form_rule(rule: Composite, keys: Collection[str]) -> Composite:
    """Return the rule of one form: yes if at least one of its components is true.

    Parameters
    ----------
    rule : Composite
        The rule of the union.
    keys : collection of str
        Components of the form.
    """
    own = tuple(each for each in rule.components if each.key in keys)
    return replace(
        rule,
        components=own,
        steps=(),
        missing=Gaps(at_most=form_gaps(rule, len(own)), fill="no_points"),
        levels=(Level(option="no"), Level(start=1, option="yes")),
    )
