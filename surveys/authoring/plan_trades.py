"""On the plan page: where a plan gives one figure up for another, in sentences.

A layout that suits all figures can make a starred one less exact than another layout would. The page names
each case: stars that widen their own shares, and questions without which a starred figure is less exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.planning.changes import MOST_PEOPLE, NOTICEABLE
from privacy.planning.use import Use, strong, use_of
from surveys.formats.joints import join_sentences, series_text
from surveys.formats.numbers import count_text
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.draft_plan import Plan, plan
from surveys.questionnaire.use_words import figure_text, item_names, link_points, quote_names, widths_text
from surveys.questionnaire.waves import WaveLine


def trade_sentences(
    now: Plan, definition: Definition, aim: Aim, priced: Mapping[str, Use], *, waves: Sequence[WaveLine] = ()
) -> list[str]:
    """Say where a plan makes a starred figure less exact than it could be.

    Parameters
    ----------
    now : Plan
    definition, aim, waves
        As for `surveys.questionnaire.draft_plan.plan`.
    priced : mapping of str to Use
        As for `harm_sentences`.
    """
    names = item_names(now.definition, now.aim.labels)
    plain = plan(definition, replace(aim, wanted=()), waves=waves) if aim.wanted else None
    unstarred = () if plain is None else [use_of(strong(plain.definition.design), now.aim)]
    return [
        *(sentence for each in unstarred for sentence in star_sentences(now.use, each, names)),
        *harm_sentences(now.use, priced, names),
    ]


def harm_sentences(now: Use, priced: Mapping[str, Use], names: Mapping[str, str]) -> list[str]:
    """Say without which questions starred figures would be less exact; one sentence for equal figures.

    Parameters
    ----------
    now : Use
        What the plan shows.
    priced : mapping of str to Use
        What would be known without each question, by key (`surveys.questionnaire.plan_changes.costs`).
    names : mapping of str to str
        Names of questions and items, by key.

    Notes
    -----
    With fewer questions the search can choose another layout: one that can be published, one that needs fewer
    people, or one that suits the other figures better.
    """
    alike: dict[tuple[str, str], list[str]] = {}
    for key, without in priced.items():
        if harms := series_text(_harms(now, without, names)):
            alike.setdefault((harms, _fewer_people(now, without)), []).append(names[key])
    return [
        join_sentences(
            [
                ngettext(
                    "Without %(questions)s, another layout is chosen, and starred figures are less exact: "
                    "%(figures)s.",
                    "Without one of %(questions)s, another layout is chosen, and starred figures are less "
                    "exact: %(figures)s.",
                    len(questions),
                )
                % {"questions": quote_names(questions), "figures": harms},
                fewer,
            ]
        )
        for (harms, fewer), questions in alike.items()
    ]


def _harms(now: Use, without: Use, names: Mapping[str, str]) -> Iterator[str]:
    """Yield each starred figure that is noticeably worse without a question, after and before."""
    if now.power is not None and without.power is not None and without.power < now.power - NOTICEABLE:
        said = ""
        if now.difference is not None and without.difference is not None:
            said = link_instead(without.difference, now.difference)
        yield said or _("the link is found less often")
    for key in worse_keys(now, without):
        yield instead(without, now, key, names)


def _fewer_people(now: Use, without: Use) -> str:
    """Say how many people a plan needs to be published, if it cannot be, and fewer are needed without."""
    if now.is_useful or without.people_needed >= now.people_needed or without.people_needed > MOST_PEOPLE:
        return ""
    return _("In return, it can be published with %(after)s answers.") % {
        "after": count_text(max(without.people_needed, 1))
    }


def star_sentences(now: Use, unstarred: Use, names: Mapping[str, str]) -> list[str]:
    """Say which starred shares are less exact than they would be if nothing were starred.

    Parameters
    ----------
    now : Use
        What the plan shows.
    unstarred : Use
        What the layout chosen without stars would show, for the same aim.
    names : mapping of str to str
        Names of items, by key.

    Notes
    -----
    Two stars are about their link: both answers must be asked of the same people, which costs their shares
    (`privacy.planning.layouts.Layout.keeps_stars`). A single star widens its own figure only if a layout that
    narrows it could not be published.
    """
    wider = worse_keys(unstarred, now)
    if not wider:
        return []
    figures = {"figures": series_text(instead(unstarred, now, key, names) for key in wider)}
    if now.power is not None:
        return [
            _("The comparison has its price. Without stars, shares are more exact: %(figures)s.") % figures
        ]
    return [
        _("Without stars, figures would be more exact, but this plan could not be published: %(figures)s.")
        % figures
    ]


def worse_keys(before: Use, after: Use) -> list[str]:
    """Return the starred answers and numbers that are noticeably less exact after a change.

    Parameters
    ----------
    before, after : Use
    """
    return [
        key
        for key in before.aim.wanted
        if key in before.widths
        and key in after.widths
        and _seen_width(after, key) > _seen_width(before, key) + NOTICEABLE
    ]


def _seen_width(use: Use, key: str) -> float:
    """Return a half-width as the page shows it: for a share, at most 100 points."""
    return use.widths[key] if key in use.numbers else min(use.widths[key], 1)


def instead(after: Use, before: Use, key: str, names: Mapping[str, str]) -> str:
    """Write a figure after a change, and before it; empty if both read the same.

    Parameters
    ----------
    after, before : Use
    key : str
        An item or number.
    names : mapping of str to str
    """
    if figure_text(after, key, names) == figure_text(before, key, names):
        return ""
    return _("%(figure)s instead of %(before)s") % {
        "figure": figure_text(after, key, names),
        "before": widths_text(before, [key], names),
    }


def link_instead(after: float, before: float) -> str:
    """Write the smallest difference that is found 8 times in 10, after a change and before it.

    Parameters
    ----------
    after, before : float

    Returns
    -------
    str
        Empty if both read the same.

    Examples
    --------
    >>> link_instead(.301, .57), link_instead(.301, .305)
    ('the link is found at 31 instead of 57 points', '')
    """
    ends = {"after": link_points(after), "before": link_points(before)}
    if ends["after"] == ends["before"]:
        return ""
    return _("the link is found at %(after)s instead of %(before)s points") % ends
