"""Summaries of a run: whether it may be shown, who requested it, and what its figures rest on."""

from __future__ import annotations

import shlex
from dataclasses import replace

from django.utils.translation import gettext as _

from mining.thresholds import Sides, Thresholds
from privacy.errors import PrivacyError
from surveys.formats.figures import number
from surveys.models import Job, Run
from surveys.rows.disclosure import Disclosure, Groups, disclosure
from surveys.rows.releasable_rows import drawing_of


def has_results(run: Run) -> bool:
    """Whether any result may be shown."""
    return run.job.state == Job.State.FINISHED and shown_of(run).results


def misfit_of(run: Run) -> PrivacyError | None:
    """Return why a run's reports contradict its design; None where they fit. Pages show no figures then."""
    found = run.summary.get("misfit")
    return found and PrivacyError(found["case"], **found["fields"])


def is_disguised_here(run: Run) -> bool:
    """Whether answers came undisguised and were disguised before anything was computed."""
    return run.version.holds_undisguised and not is_outdated(run)


def requester(job: Job) -> str:
    """Return the name of the requester of a job."""
    return job.requested_by.get_username() if job.requested_by else _("command line")


def shown_of(run: Run) -> Disclosure:
    """Return what may be shown of a run's snapshot."""
    policy = disclosure(n=run.n or 0, practice=run.survey.practice)
    return replace(policy, results=False) if is_outdated(run) else policy


def is_outdated(run: Run) -> bool:
    """Whether a result is of undisguised answers as they came, or of another drawing of them than today's.

    Anyone who had figures of two drawings would know more of a person than one disguised row tells.
    """
    drawing = drawing_of(run.version)
    is_other = bool(drawing) and run.summary.get("drawing") != drawing
    return is_other and run.job.state == Job.State.FINISHED


def direct_share(rows: Run | Groups) -> str:
    """Return k = n0/n."""
    return number(rows.n_direct / rows.n, 3) if rows.n and rows.n_direct is not None else ""


def command_line(run: Run) -> str:
    """Return the command that asks for the same run on the same design; empty where no command does.

    The demonstration lists rules that end in one item, which the command cannot ask for.
    """
    thresholds, sides = run.thresholds, run.thresholds.sides
    asked = Thresholds(
        support=thresholds.support,
        confidence=thresholds.confidence,
        lift=thresholds.lift,
        max_size=thresholds.max_size,
        sides=Sides(antecedent=sides.antecedent, consequent=sides.consequent),
    )
    if asked != thresholds:
        return ""
    words = ["manage.py", "mine", run.survey.slug, "--design", run.design_id[:12]]
    words += ["--support", f"{thresholds.support:g}", "--confidence", f"{thresholds.confidence:g}"]
    if thresholds.lift is not None:
        words += ["--lift", f"{thresholds.lift:g}"]
    words += ["--max-size", str(thresholds.max_size)]
    for name, items in (("--antecedent", sides.antecedent), ("--consequent", sides.consequent)):
        if items is not None:
            words += [name, ",".join(run.design.items[item].key for item in items)]
    if run.last_batch is not None:
        words += ["--last-batch", str(run.last_batch)]
    return shlex.join([*words, "--json"])


def duration_text(seconds: float | None) -> str:
    """Write how long something took; nothing where that is not known."""
    if seconds is None:
        return ""
    if seconds < 1:
        return _("%(milliseconds)s ms") % {"milliseconds": round(seconds * 1000)}
    return _("%(seconds)s s") % {"seconds": number(seconds, 1 if seconds < 100 else 0)}


def sides_text(run: Run) -> str:
    """Say which questions may stand on which side of a rule."""
    sides, design = run.thresholds.sides, run.design
    parts = []
    for text, items in ((_("before: %s"), sides.antecedent), (_("after: %s"), sides.consequent)):
        if items is not None:
            keys = dict.fromkeys(design.questions[design.items[item].question].key for item in items)
            parts.append(text % ", ".join(keys))
    if sides.longest_consequent is not None:
        parts.append(_("at most %s after the arrow") % sides.longest_consequent)
    return "; ".join(parts) or _("all items on both sides")
