"""Active filters of the rule table in words: to remove one by one, to name in an empty table."""

from __future__ import annotations

from django.utils.translation import gettext as _

from surveys.figures.measures import SHOWN
from surveys.figures.rule_query import LIMITS, SIDES, RuleQuery, rules_matching
from surveys.models import Run, Verdict
from surveys.questionnaire.labels import Labels


def emptying_filters(run: Run, query: RuleQuery) -> list[tuple[RuleQuery, int, int]]:
    """Return the filters that make a query match nothing.

    Those that let nothing through by themselves; if there are none, all of them. Each with how many rules
    pass it alone, and how many pass all the others, the best way out first.
    """
    alone = [(part, rules_matching(run, part).count()) for part in query.parts()]
    guilty = [(part, count) for part, count in alone if not count] or alone
    filters = [(part, count, rules_matching(run, query.without(part)).count()) for part, count in guilty]
    return sorted(filters, key=lambda each: -each[2])


def filter_text(part: RuleQuery, labels: Labels) -> str:
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
        if wanted := getattr(part, name):
            return yes if wanted == "yes" else no
    if part.verdict:
        label = dict(Verdict.Opinion.choices).get(part.verdict, _("none"))
        return _("verdict: %(verdict)s") % {"verdict": label}
    return _limit_text(part)


def _limit_text(part: RuleQuery) -> str:
    [(name, value)] = part.limits
    of, end = LIMITS[name]
    sentence = _("%(measure)s from %(value)s") if end == "from" else _("%(measure)s to %(value)s")
    return sentence % {"measure": SHOWN[of].label, "value": f"{value:.6g}"}
