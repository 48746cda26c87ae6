"""Facts that every JSON file of a number or a place has."""

from __future__ import annotations

from typing import Any, cast

from privacy.scales.skips import Disguise
from surveys.formats.disguise_bounds import epsilon_text, gamma_text
from surveys.formats.figures import SHARES, file_columns, known_error
from surveys.report.run_facts import run_record
from surveys.runs.scale_question import ScaleQuestion, skips_of


def scale_record(scale: ScaleQuestion, method: str) -> dict[str, Any]:
    """Return the facts about a run and one of its questions, with the method of the file's figures."""
    disguise = cast(Disguise, scale.question.disguise)
    return run_record(scale.run) | {
        "question": scale.question.key,
        "text": scale.text,
        "mechanism": disguise.mechanism,
        # A number that is stored as answered has no privacy bound.
        "amplification": None if disguise.is_as_answered else gamma_text(disguise),
        "epsilon_of_the_question": None if disguise.is_as_answered else epsilon_text(disguise),
        "n_of_the_question": scale.reports.n,
        "cells_hidden_below": scale.least_people,
        "method": method,
        **skips_json(scale),
    }


def skips_json(scale: ScaleQuestion) -> dict[str, Any]:
    """Return the share of skips for a file; empty if the question cannot be skipped."""
    skips = skips_of(scale)
    if skips is None:
        return {}
    share = file_columns("value", skips.value, (skips.low, skips.high), SHARES)
    share |= {
        "standard_error": known_error(skips.standard_error),
        "low": skips.low,
        "high": skips.high,
    }
    return {"share_who_skip": share, "shares_are_of": "those who answer"}
