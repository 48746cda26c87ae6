"""On the plan page: leave a filter open, what that gains, and what it reveals about a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from privacy.planning.forms import FormChange
from surveys.authoring.plan_trades import instead, link_instead
from surveys.formats.joints import join_sentences, series_text
from surveys.formats.numbers import count_text
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.draft_plan import Plan
from surveys.questionnaire.form_words import filter_name
from surveys.questionnaire.open_filter import OPEN_FILTER, OpenFilter, open_filters
from surveys.questionnaire.use_words import item_names, points
from surveys.questionnaire.waves import WaveLine


@dataclass(frozen=True, kw_only=True)
class FilterOffer:
    """A filter that could be stored as answered.

    Attributes
    ----------
    name : str
        Text of its button.
    gives, reveals : str
        What it gains, and what is then known about a person.
    value : str
        Value of its button.
    """

    name: str
    gives: str
    reveals: str
    value: str


def filter_offers(
    definition: Definition, aim: Aim, now: Plan | None, *, waves: Sequence[WaveLine] = ()
) -> Iterator[FilterOffer]:
    """Yield the filters of a draft that could be stored as answered.

    Parameters
    ----------
    definition, aim, now, waves
        As for `surveys.questionnaire.open_filter.open_filters`.
    """
    names = item_names(definition, aim.labels)
    for each in open_filters(definition, aim, now, waves=waves):
        # Gains above 100 points are invisible, because pages show half-widths of at most 100 points.
        if points(each.shares[0].after) != points(each.shares[0].before):
            yield _offer(each, filter_name(definition.document, each.key), aim, names)


def _offer(each: OpenFilter, name: str, aim: Aim, names: Mapping[str, str]) -> FilterOffer:
    share = each.shares[0]
    return FilterOffer(
        name=_("Store “%(name)s” as answered") % {"name": name},
        gives=join_sentences(
            [
                _(
                    "Suppose %(some)s of %(people)s people say yes to it. Then “%(answer)s” is known for "
                    "these people within ±%(after)s instead of ±%(before)s points."
                )
                % {
                    "some": count_text(each.people),
                    "people": count_text(aim.people),
                    "answer": names[share.item],
                    "after": points(share.after),
                    "before": points(share.before),
                },
                _others(each, names),
            ]
        ),
        reveals=_(
            "Anyone with access to the data can then read who said yes to “%(name)s”. Their other answers "
            "stay disguised. People who say no are not asked the rest."
        )
        % {"name": name},
        value=f"form:{FormChange(kind=OPEN_FILTER, key=each.key).code}",
    )


def _others(each: OpenFilter, names: Mapping[str, str]) -> str:
    """Say what leaving the filter open does to the other figures."""
    before, after = each.uses
    figures = [
        _points_instead(f"“{names[share.item]}”", share.after, share.before) for share in each.shares[1:]
    ]
    own = {share.item for share in each.shares}
    left = [key for key in after.widths if key in before.widths and key not in own]
    stated = [key for key in left if key in after.aim.wanted or key in after.numbers]
    figures += [instead(after, before, key, names) for key in stated]
    if rest := [key for key in left if key not in stated]:
        widest = (max(use.half_widths[key] for key in rest) for use in (after, before))
        figures.append(_points_instead(_("the least exact of the other shares"), *widest))
    if after.difference is not None and before.difference is not None:
        figures.append(link_instead(after.difference, before.difference))
    changed = series_text(filter(None, figures))
    return _("Other figures: %(figures)s.") % {"figures": changed} if changed else ""


def _points_instead(name: str, after: float, before: float) -> str:
    """Write a figure after a change, and before it; empty if both read the same."""
    if points(after) == points(before):
        return ""
    return _("%(name)s ±%(after)s points instead of ±%(before)s points") % {
        "name": name,
        "after": points(after),
        "before": points(before),
    }
