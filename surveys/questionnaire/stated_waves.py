"""Statements that a definition may make about the waves of a series."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.survey.rotation import MOST_WAVES
from surveys.questionnaire.document import Node

LEAST_WAVES: Final = 2
ROOT: Final = "root"
"""Each wave has the root of the odds, so that all waves together keep the limits of one survey."""
WHOLE: Final = "whole"
"""Each wave has all of the odds, so that all waves together reveal more."""
ROTATE: Final = "rotate"
"""Protected parts take turns: each person is asked each of them in one wave only, with all of the odds."""
OF_SERIES: Final = ("series", "waves", "each_wave", "wave")
"""Members of a definition that a survey of other people does not have."""


def check_waves(survey: Node) -> None:
    """Note an impossible number of waves, and an unknown protection of each."""
    waves, each = survey.at("waves"), survey.at("each_wave")
    if waves.value is not None and (
        isinstance(waves.value, bool)
        or not isinstance(waves.value, int)
        or not LEAST_WAVES <= waves.value <= MOST_WAVES
    ):
        waves.wrong(
            _("%(value)s is not a number of waves"),
            _("write a whole number from %(least)s to %(most)s"),
            least=LEAST_WAVES,
            most=MOST_WAVES,
        )
    elif waves.value is not None and not survey.value.get("series"):
        waves.wrong(_("the survey belongs to no series"), _("name the series, or leave this out"))
    if each.value not in (None, ROOT, WHOLE, ROTATE):
        each.wrong(_("unknown protection of a wave: %(value)s"), _("write root, whole or rotate"))


def in_layout(document: Mapping[str, Any], each_wave: str) -> dict[str, Any]:
    """Return a definition of a series with another protection of each wave; the first wave if none is stated.

    Parameters
    ----------
    document : mapping
        The definition.
    each_wave : {"root", "whole", "rotate"}
    """
    if each_wave != ROTATE:
        return {name: value for name, value in document.items() if name != "wave"} | {"each_wave": each_wave}
    alike = {name: value for name, value in document.items() if name != "rotations"}
    return {**alike, "each_wave": each_wave, "wave": document.get("wave") or 1}
