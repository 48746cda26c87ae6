"""What a plan says about composite questions: the rule, careless answers, and what is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from mining.frames.answer_kinds import computed_words
from privacy.planning.careless_components import CARELESS_SHARE, careless_share
from privacy.survey.composite import Composite
from privacy.survey.design import Design


def slips_of(design: Design, names: Mapping[str, str]) -> dict[str, float]:
    """Return the share of people with no points whom careless answers count, by name of the question.

    Parameters
    ----------
    design : Design
    names : mapping of str to str
        Key -> name, if they differ.

    Notes
    -----
    One in a hundred answers to components is careless. Questions whose bias is unknown are left out, see
    `privacy.planning.careless_components.careless_share`.
    """
    found = {}
    for question in design.questions:
        share = None if question.computed is None else careless_share(question.computed)
        if share is not None:
            found[names.get(question.key, question.key)] = share
    return found


def composite_lines(design: Design, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the rule of each composite question, what slips add to it, and once what is lost.

    Parameters
    ----------
    design : Design
    names : mapping of str to str
        Key -> name, if they differ.
    """
    rules = {
        names.get(question.key, question.key): question.computed
        for question in design.questions
        if question.computed is not None
    }
    slips = slips_of(design, names)
    for name, rule in rules.items():
        yield f"{name}: {computed_words(rule)}."
        if name in slips:
            every, added = round(1 / CARELESS_SHARE), f"{100 * slips[name]:.1f}"
            yield (
                f"{name}: if people answer 1 in {every} components carelessly, {added} of 100 people without "
                f"any points are counted{_with_one_more(rule)}."
            )
    if rules:
        yield (
            "Never available beyond what an answer shows, because components are not sent: their shares, "
            "links between them, reliability (except from two halves), and another cut-off."
        )


def _with_one_more(rule: Composite) -> str:
    """Return what slips would add if the cut-off were one point higher; empty if that cannot be."""
    last = rule.levels[-1]
    most = sum(max(component.points) for component in rule.components)
    if len(rule.levels) != 2 or last.start is None or last.start >= most:
        return ""
    higher = replace(rule, levels=(rule.levels[0], replace(last, start=last.start + 1)))
    share = careless_share(higher)
    return "" if share is None else f", or {100 * share:.1f} with the cut-off {last.start + 1}"
