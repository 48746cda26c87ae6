"""Facts of a run in words: who requested it, how long it took, the sides of its rules."""

from __future__ import annotations

from django.utils.translation import gettext as _

from surveys.formats.joints import list_text, series_text
from surveys.formats.numbers import number
from surveys.models import Job, Run
from surveys.runs.disclosure import Groups


def requester(job: Job) -> str:
    """Return the name of the requester of a job."""
    return job.requested_by.get_username() if job.requested_by else _("command line")


def direct_share(rows: Run | Groups) -> str:
    """Return the share of direct rows, k = n0/n."""
    return number(rows.n_direct / rows.n, 3) if rows.n and rows.n_direct is not None else ""


def duration_text(seconds: float | None) -> str:
    """Format a duration; return an empty text if it is unknown."""
    if seconds is None:
        return ""
    if seconds < 1:
        return _("%(milliseconds)s ms") % {"milliseconds": round(seconds * 1000)}
    return _("%(seconds)s s") % {"seconds": number(seconds, 1 if seconds < 100 else 0)}


def sides_text(run: Run) -> str:
    """Name the questions allowed on each side of a rule."""
    sides, design = run.thresholds.sides, run.design
    parts = []
    for text, items in ((_("before: %s"), sides.antecedent), (_("after: %s"), sides.consequent)):
        if items is not None:
            keys = dict.fromkeys(design.questions[design.items[item].question].key for item in items)
            parts.append(text % list_text(keys))
    if sides.longest_consequent is not None:
        parts.append(_("at most %s after the arrow") % sides.longest_consequent)
    return series_text(parts) or _("all items on both sides")
