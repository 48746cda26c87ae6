"""Context for the pages of releases: the list, the steps, a job's progress, and findings as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from anonymisation.microdata.pictures import before_and_after, lattice_drawing
from anonymisation.models import Release, ReleaseTable
from surveys.formats.figures import number
from surveys.models import Job

STEPS: Final = (
    ("columns", gettext_lazy("Columns")),
    ("trees", gettext_lazy("Groups of values")),
    ("study", gettext_lazy("The study")),
    ("bounds", gettext_lazy("Requirements")),
    ("release", gettext_lazy("The release")),
)
_PEOPLE: Final = gettext_lazy("people in the smallest group (k)")
STAGES: Final = {
    "": gettext_lazy("A worker starts it in a moment"),
    "receiving": gettext_lazy("Reading the table"),
    "reading": gettext_lazy("Reading the records"),
    "grouping": gettext_lazy("Grouping similar records"),
    "lattice": gettext_lazy("Comparing the ways to generalise"),
    "models": gettext_lazy("Merging groups until all requirements are met"),
    "checking": gettext_lazy("Checking, and comparing with earlier releases"),
    "comparing": gettext_lazy("Comparing the ways of grouping"),
    "writing": gettext_lazy("Writing the files"),
    "attacking": gettext_lazy("Attacking the release as a test"),
}
_WORTHLESS: Final = 0.02
"""Share of its bits; with less a column might as well be left out."""
_LIGHT: Final = 0.5
"""Share of the mean weight below which a column counts as light."""
MODELS: Final = {
    "k": gettext_lazy("records in each group, at least (k)"),
    "distinct_l": gettext_lazy("different values in each group, at least (l)"),
    "t": gettext_lazy("distance from the whole table, at most (t)"),
    "basic_beta": gettext_lazy("relative gain of a share, at most (beta)"),
    "enhanced_beta": gettext_lazy("relative gain of a share, at most (enhanced beta)"),
    "delta": gettext_lazy("change of a likelihood, less than (delta)"),
    "rho2": gettext_lazy("belief that rises, at most (rho2)"),
}


CHANCES: Final = (
    (
        "highest",
        gettext_lazy("probability that a record is identified, highest"),
        gettext_lazy("highest probability"),
    ),
    ("mean", gettext_lazy("probability that a record is identified, mean"), gettext_lazy("mean probability")),
    (
        "at_risk",
        gettext_lazy("share of records with a probability above 1 in 5"),
        gettext_lazy("share at risk"),
    ),
)
"""Measures of risk, each a share: key, name in a table, name at a bar."""


def listed(releases: Iterable[Release]) -> list[dict[str, Any]]:
    """Return the releases of a list, each with its state and until when its records stay."""
    shown = list(releases)
    ends = dict(ReleaseTable.objects.filter(release__in=shown).values_list("release_id", "ends_at"))
    return [
        {"release": release, "state": _state(release), "ends_at": ends.get(release.pk)} for release in shown
    ]


def _state(release: Release) -> str:
    if release.finished_at is not None:
        return _("created") if release.files is not None else _("created; files deleted")
    if release.job is None:
        return _("started")
    return {
        Job.State.QUEUED: _("in progress"),
        Job.State.RUNNING: _("in progress"),
        Job.State.FAILED: _("refused: see why"),
        Job.State.CANCELLED: _("cancelled"),
    }.get(Job.State(release.job.state), _("started"))


def is_editable(release: Release) -> bool:
    """Whether a release is neither made nor at work."""
    return release.finished_at is None and (release.job is None or release.job.is_over)


def steps_of(release: Release, here: str) -> dict[str, Any]:
    """Return the steps with their addresses, and until when the records stay."""
    table = ReleaseTable.objects.filter(release=release).values_list("ends_at", flat=True).first()
    editable = is_editable(release)
    links = [
        {
            "name": label,
            "address": reverse(f"releases:{step}", args=[release.pk])
            if editable and step != "release"
            else "",
            "here": step == here,
        }
        for step, label in STEPS
    ]
    index = [step for step, _label in STEPS].index(here)
    back = links[index - 1]["address"] if index else reverse("releases:begin")
    return {"links": links, "back": back, "ends_at": table, "telling": _telling(release.columns)}


def _telling(columns: Iterable[Mapping[str, Any]]) -> str:
    """Return which columns reveal a protected one; "" if none does."""
    pairs = [
        _("“%(name)s” determines “%(protected)s”.") % {"name": column["name"], "protected": protected}
        for column in columns
        for protected in column.get("tells", ())
    ]
    remedy = _("Anyone who learns one of the two learns the other. Leave this column out, or protect it too.")
    return " ".join([*pairs, remedy]) if pairs else ""


def progress_of(release: Release) -> dict[str, Any]:
    """Return the progress of a release's job, in the form of every waiting page."""
    job = release.job
    if job is None:
        return {}
    ahead = (
        Job.objects.filter(Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING), pk__lt=job.pk).count()
        if job.state == Job.State.QUEUED
        else 0
    )
    return {
        "state": job.state,
        "headline": _("Waiting behind %(count)s other jobs") % {"count": ahead}
        if ahead
        else str(STAGES.get(job.stage, job.stage)),
        "detail": _("Attempt %(attempt)s: an earlier worker stopped. No data was lost.")
        % {"attempt": job.attempts}
        if job.attempts > 1
        else "",
        "percent": round(100 * job.done / job.total) if job.total else None,
        "expected": "",
    }


def result_of(release: Release) -> dict[str, Any]:
    """Return the figures of a release that was made, with their names and pictures."""
    result = release.result
    loss, before, after = result["loss"], result["risk"]["before"], result["risk"]["after"]
    # A table without a protected column has no weights.
    weights = loss["weights"] or dict.fromkeys(loss["columns"], 1.0)
    errors = {name: loss["errors"][name] for name in loss["columns"]}
    losses = [
        {**errors[name], "name": name, "weight": weights[name] / sum(weights.values()), "lost": loss}
        for name, loss in loss["columns"].items()
    ]
    return {
        **result,
        "bounds": [
            {
                **bound,
                "model": _PEOPLE
                if bound["model"] == "k" and "people" in result
                else MODELS.get(bound["model"], bound["model"]),
                "asked": _figure(bound["asked"]),
                "reached": _figure(bound["reached"]),
            }
            for bound in result["bounds"]
            if bound["model"] != "k" or bound is result["bounds"][0]
        ],
        "risks": [(name, before[key], after[key]) for key, name, _short in CHANCES],
        "risk_picture": before_and_after(
            _("Risk, before and after"),
            [(str(short), before[key], after[key]) for key, _name, short in CHANCES],
            most=1.0,
        ),
        "use_picture": before_and_after(
            _("Bits of information in each column, before and after"),
            [(name, error["entropy"], error["information"]) for name, error in errors.items()],
        ),
        "methods": result["methods"].strip().split("\n\n"),
        "kept": 1 - loss["ncp"],
        "losses": losses,
        "given_up": given_up(losses),
        "certain": _certain(result, release.bounds),
        "knowing_more": any(attack["disclosed"] for attack in result["attacks"]["knowing"]),
        "lattice": lattice_drawing(result["lattice"]),
    }


def given_up(losses: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each column that is published and says next to nothing any more."""
    said = []
    for column in losses:
        if column["entropy"] and column["information"] < _WORTHLESS * column["entropy"]:
            said.append(
                _(
                    "“%(name)s” carries no information any more. It was lost in favour of the "
                    "other columns, because its weight is small."
                )
                if column["weight"] * len(losses) < _LIGHT
                else _(
                    "“%(name)s” carries no information any more. If you leave it out, the others keep more."
                )
            )
            said[-1] %= {"name": column["name"]}
    return said


def _certain(result: Mapping[str, Any], bounds: Mapping[str, Any]) -> list[str]:
    """Return for how many people or records each protected value can be certain, and why."""
    counted = result.get("people") or result["records"]
    unbounded = {
        attack["column"]: {**attack, "people": counted, "disclosed": attack["one_value_records"]}
        for attack in result["attacks"]["read_off"]
        if (bounds.get("columns", {}).get(attack["column"], {}).get("l") or 1) < 2
    }
    attempts = [(_("Someone who knows the generalised columns"), attack) for attack in unbounded.values()]
    knowing = _("Someone who also knows a person’s other protected columns")
    attempts += [(knowing, attack) for attack in result["attacks"]["knowing"]]
    text = (
        _(
            "%(who)s becomes certain of “%(column)s” for at most %(disclosed)s of %(people)s "
            "people. Reason: %(why)s"
        )
        if "people" in result
        else _(
            "%(who)s becomes certain of “%(column)s” in at most %(disclosed)s of %(people)s "
            "records. Reason: %(why)s"
        )
    )
    return [
        text
        % {
            "who": who,
            "why": _("you did not require a second value of it in each group (l).")
            if attack["column"] in unbounded
            else _("you assumed that others only know the generalised columns."),
            **attack,
        }
        for who, attack in attempts
        if attack["disclosed"]
    ]


def _figure(value: float) -> str:
    return f"{value:.0f}" if float(value).is_integer() else number(value)
