"""Active filters of the rule table in words: to remove one by one, to name in an empty table."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from surveys.analysis.rule_query import LIMITS, SIDES, RuleQuery, rules_matching
from surveys.models import Run, Verdict
from surveys.questionnaire.labels import Labels


@dataclass(frozen=True, kw_only=True)
class ActiveFilter:
    """One filter.

    Attributes
    ----------
    text : str
    address : str
        Of the table without it.
    alone : int or None
        Rules that pass it when it is the only one; None where that was not asked.
    without : int or None
        Rules that pass all the others.
    """

    text: str
    address: str
    alone: int | None = None
    without: int | None = None


def active_filters(query: RuleQuery, labels: Labels) -> tuple[ActiveFilter, ...]:
    """Return the filters of a query."""
    return tuple(
        ActiveFilter(text=_text(part, labels), address=query.without(part).address())
        for part in query.parts()
    )


def emptying_filters(run: Run, query: RuleQuery, labels: Labels) -> tuple[ActiveFilter, ...]:
    """Return the filters that make a query match nothing.

    Those that let nothing through by themselves; if there are none, all of them with what the others let
    through, the best way out first.
    """
    parts = list(query.parts())
    alone = [rules_matching(run, part).count() for part in parts]
    guilty = [place for place, count in enumerate(alone) if not count] or range(len(parts))
    found = [
        ActiveFilter(
            text=_text(parts[place], labels),
            address=query.without(parts[place]).address(),
            alone=alone[place],
            without=rules_matching(run, query.without(parts[place])).count(),
        )
        for place in guilty
    ]
    return tuple(sorted(found, key=lambda one: -(one.without or 0)))


def _text(part: RuleQuery, labels: Labels) -> str:
    """Say what one filter asks for."""
    if part.text:
        return _("names “%(text)s”") % {"text": part.text}
    if part.item is not None:
        side = dict(SIDES)[part.side]
        return _("%(item)s on %(side)s") % {"item": labels.items[part.item].short, "side": side}
    if part.length is not None:
        return _("%(length)s items") % {"length": part.length}
    for name, yes, no in (
        ("holds", _("test holds"), _("test does not show it")),
        ("redundant", _("redundant"), _("not redundant")),
        ("maximal", _("maximal itemset"), _("in a longer itemset")),
    ):
        if asked := getattr(part, name):
            return yes if asked == "yes" else no
    if part.verdict:
        label = dict(Verdict.Opinion.choices).get(part.verdict, _("none"))
        return _("verdict: %(verdict)s") % {"verdict": label}
    return _limit_text(part)


def _limit_text(part: RuleQuery) -> str:
    [(name, value)] = part.limits
    of, end = LIMITS[name]
    measure = part.measure(of)
    sentence = {
        "from": _("%(measure)s from %(value)s"),
        "to": _("%(measure)s to %(value)s"),
        "above": _("interval of %(measure)s above %(value)s"),
        "below": _("interval of %(measure)s below %(value)s"),
    }[end]
    return sentence % {"measure": measure.label if measure else of, "value": f"{value:.6g}"}
