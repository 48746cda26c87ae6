"""Words for the result of a release: bounds, chances of attackers, and lost detail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from anonymisation.microdata.bars_picture import before_and_after
from anonymisation.microdata.lattice_picture import lattice_drawing
from anonymisation.models import Release
from anonymisation.releases.counted import counted_sentence
from surveys.formats.numbers import number

_PEOPLE: Final = gettext_lazy("people in the smallest group (k)")
_WORTHLESS: Final = 0.02
"""Smallest share of its information that a column must keep to be worth publishing."""

_LIGHT: Final = 0.5
"""Share of the mean weight below which a column's weight counts as small."""

MODELS: Final = {
    "k": gettext_lazy("records in each group, at least (k)"),
    "distinct_l": gettext_lazy("different values in each group, at least (l)"),
    "t": gettext_lazy("distance from the whole table, at most (t)"),
    "basic_beta": gettext_lazy("relative gain of a share, at most (beta)"),
    "enhanced_beta": gettext_lazy("relative gain of a share, at most (enhanced beta)"),
    "delta": gettext_lazy("change in how likely a value is, below (delta)"),
    "rho2": gettext_lazy("belief after the release, at most (rho2)"),
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
"""Measures of risk, each a share: key, name in a table, name in a chart."""

_CHANCES_OF_PEOPLE: Final = {
    "highest": gettext_lazy("probability that a person is identified, highest"),
    "mean": gettext_lazy("probability that a person is identified, mean"),
    "at_risk": gettext_lazy("share of people with a probability above 1 in 5"),
}
"""The same names if people can have several records."""


def result_of(release: Release) -> dict[str, Any]:
    """Return the figures of a finished release, with their names and charts."""
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
        "risks": [
            (_CHANCES_OF_PEOPLE[key] if "people" in result else name, before[key], after[key])
            for key, name, _short in CHANCES
        ],
        "risk_picture": before_and_after(
            _("Risk, before and after"),
            [(str(short), before[key], after[key]) for key, _name, short in CHANCES],
            most=1.0,
        ),
        "use_picture": before_and_after(
            _("Bits of information in each column, before and after"),
            [(name, error["entropy"], error["information"]) for name, error in errors.items()],
        ),
        "counted_sentence": counted_sentence(result["counted"], result["records"], result.get("people"))
        if "counted" in result
        else "",
        "methods": result["methods"].strip().split("\n\n"),
        "kept": 1 - loss["ncp"],
        "losses": losses,
        "given_up": given_up(losses),
        "certain": _certain(result, release.bounds),
        "knowing_more": any(attack["disclosed"] for attack in result["attacks"]["knowing"]),
        "lattice": lattice_drawing(result["lattice"]),
    }


def given_up(losses: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each published column that has lost nearly all its information."""
    warnings = []
    for column in losses:
        if column["entropy"] and column["information"] < _WORTHLESS * column["entropy"]:
            warnings.append(
                _(
                    "“%(name)s” carries no information any more. It was lost in favour of the "
                    "other columns, because its weight is small."
                )
                if column["weight"] * len(losses) < _LIGHT
                else _(
                    "“%(name)s” carries no information any more. If you leave it out, the others keep more."
                )
            )
            warnings[-1] %= {"name": column["name"]}
    return warnings


def _certain(result: Mapping[str, Any], bounds: Mapping[str, Any]) -> list[str]:
    """Return sentences on how many people's or records' protected values can become certain, and why."""
    total = result.get("people") or result["records"]
    by_column = {
        attack["column"]: {**attack, "people": total, "disclosed": attack["one_value_records"]}
        for attack in result["attacks"]["read_off"]
        if (bounds.get("columns", {}).get(attack["column"], {}).get("l") or 1) < 2
    }
    attempts = [(_("Someone who knows the generalised columns"), attack) for attack in by_column.values()]
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
            if attack["column"] in by_column
            else _("you assumed that others only know the generalised columns."),
            **attack,
        }
        for who, attack in attempts
        if attack["disclosed"]
    ]


def _figure(value: float) -> str:
    return f"{value:.0f}" if float(value).is_integer() else number(value)
