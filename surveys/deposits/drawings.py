"""The way through the lattice as a picture, risk against what is lost, beside a table that says the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from surveys.formats.figures import number
from surveys.release.drawings import curve

__all__ = ["lattice_drawing"]


def lattice_drawing(lattice: Mapping[str, Any]) -> dict[str, Any]:
    """Draw risk and loss from the table as it was to the generalisation that was chosen.

    Parameters
    ----------
    lattice : mapping
        ``names`` and ``path``, as `surveys.deposits.findings` stores them; empty without global recoding.
    """
    if not lattice:
        return {}
    path = lattice["path"]
    risks = [(float(node["height"]), node["at_risk"]) for node in path]
    losses = [(float(node["height"]), node["ncp"]) for node in path]
    picture = curve(
        _("Risk and loss along the lattice"),
        [(_("share at risk"), risks), (_("information lost"), losses)],
        _("steps of generalising"),
        _("share"),
    )
    return {
        "names": lattice["names"],
        "picture": _safe(picture),
        "rows": [
            {
                **node,
                "at_risk": number(node["at_risk"]),
                "mean": number(node["mean"]),
                "ncp": number(node["ncp"]),
            }
            for node in path
        ],
    }


def _safe(svg: str) -> SafeString:
    # Every text in a drawing went through html.escape and the rest are numbers, so bandit may overlook it.
    return mark_safe(svg)  # nosec B308 B703
