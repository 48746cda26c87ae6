"""Definitions whose protected parts take turns over the waves of a series.

Each person is asked each part in one wave only. Devices compute in which from the invitation's code or the
panel's number (`privacy.survey.turns`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.risk.budget import budget
from privacy.survey.design import Design
from privacy.survey.rotation import MOST_WAVES
from privacy.survey.turns import rotation_of_waves
from surveys.questionnaire.document import Node
from surveys.questionnaire.stated_waves import LEAST_WAVES, ROTATE
from surveys.questionnaire.waves import WaveLine

TURN: Final = "turn"
"""Member of wordings: what devices need, besides the code or number, to compute a person's turn."""


def takes_turns(document: Mapping[str, Any]) -> bool:
    """Return whether the protected parts of a definition take turns; those of practice surveys do not."""
    return document.get("each_wave") == ROTATE and document.get("practice") is not True


def check_turn(survey: Node) -> None:
    """Note a missing or impossible number of this wave if parts take turns, and one that is not needed."""
    wave, waves = survey.at("wave"), survey.value.get("waves")
    if survey.value.get("each_wave") != ROTATE:
        if wave.value is not None:
            wave.wrong(
                _("no parts take turns over the series"), _("write rotate in each_wave, or leave this out")
            )
        return
    if isinstance(waves, bool) or not isinstance(waves, int) or not survey.value.get("series"):
        survey.at("waves").wrong(
            _("parts can take turns only over the waves of a series"),
            _("name the series, and write its number of waves from %(least)s to %(most)s"),
            least=LEAST_WAVES,
            most=MOST_WAVES,
        )
    elif isinstance(wave.value, bool) or not isinstance(wave.value, int) or not 1 <= wave.value <= waves:
        wave.wrong(
            _("%(value)s is not the number of a wave"),
            _("write which of the %(waves)s waves this survey is, from 1"),
            waves=waves,
        )
    if survey.value.get("rotations"):
        survey.at("rotations").wrong(
            _("the parts take turns over the series already"), _("leave the rotations out")
        )


def with_turns(design: Design | None, survey: Node) -> Design | None:
    """Return a design whose protected blocks take turns if its definition says so.

    Check questions are asked in every wave, because everyone knows their true answers.

    Returns
    -------
    Design or None
        None if there was none, or after noting why its blocks cannot take turns.
    """
    if design is None or not takes_turns(survey.value):
        return design
    keys = tuple(block.key for block in design.blocks if block.protected and not block.is_anchor)
    if not keys:
        survey.at("each_wave").wrong(
            _("no protected part can take turns"), _("protect a part, or write root")
        )
        return None
    try:
        return replace(design, rotations=(rotation_of_waves(keys, survey.value["waves"]),), mechanism=0)
    except PrivacyError as error:
        survey.at("each_wave").note_refusal(error)
        return None


def turn_stated(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the member `TURN` of a wording; empty if no parts take turns."""
    if not takes_turns(document):
        return {}
    return {TURN: {"series": document["series"], "wave": document["wave"]}}


def without_turns(design: Design) -> Design:
    """Return a design that asks everyone all of its blocks, as all waves together ask one person."""
    return replace(design, rotations=(), mechanism=0)


def summed_over_waves(
    design: Design, wording: Mapping[str, Any], waves: Sequence[WaveLine]
) -> tuple[Design, Sequence[WaveLine]]:
    """Return the design and the other waves whose epsilons add up to those of one person in all waves.

    Parameters
    ----------
    design : Design
    wording : mapping
        Of the same version or definition; it says whether parts take turns.
    waves : sequence of WaveLine
        The other waves of the series.
    """
    return (without_turns(design), ()) if TURN in wording else (design, waves)


def epsilons_of_other_waves(
    design: Design, wording: Mapping[str, Any], waves: Iterable[WaveLine]
) -> list[float]:
    """Return the epsilons of a series' other waves for one person.

    If parts take turns, what one wave leaves out is divided equally among the others.
    """
    if TURN not in wording:
        return [wave.epsilon for wave in waves]
    rotation = design.rotations[0]
    n_others = (len(rotation.blocks) + rotation.blanks) // rotation.parts_per_person - 1
    rest = budget(without_turns(design)).epsilon - budget(design).epsilon
    return [max(rest, 0.0) / n_others] * n_others


def turning_parts(design: Design) -> str:
    """Return a digest of the blocks that take turns, and of who disguises: all waves must have the same."""
    document = design.to_json()
    keys = document["rotations"][0]["blocks"]
    blocks = [block for block in document["blocks"] if block["key"] in keys]
    text = json.dumps({"blocks": blocks, "group": document["group"]}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
