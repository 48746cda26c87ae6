"""The share of those asked for a number or a place who skip it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from privacy.estimation import SupportCounts, skipped, skipped_terms
from surveys.analysis.scales.question import Asked
from surveys.analysis.scales.wording import error_in_words, estimated, share_text
from surveys.formats.figures import Figure

__all__ = ["Skips", "skips_json", "skips_of"]


@dataclass(frozen=True, kw_only=True)
class Skips:
    """Who skips, as the page says it.

    Attributes
    ----------
    figure : Figure
        Their share with its interval.
    sent : str
        Chance that "skipped" is sent for an answer.
    """

    figure: Figure
    sent: str


def skips_of(asked: Asked) -> Skips | None:
    """Return who skips; None where the question cannot be skipped."""
    found = _estimated(asked)
    if found is None or asked.sent.skipping is None:
        return None
    return Skips(figure=estimated(*found), sent=share_text(float(asked.sent.skipping.lost)))


def skips_json(asked: Asked) -> dict[str, Any]:
    """Return the same for a file; nothing where the question cannot be skipped."""
    found = _estimated(asked)
    if found is None:
        return {}
    value, error = found[0], error_in_words(found[1])
    return {"share_who_skip": {"value": value, "standard_error": error}, "shares_are_of": "those who answer"}


def _estimated(asked: Asked) -> tuple[float, float] | None:
    """Share and standard error: unbiased, not clipped."""
    design = asked.run.version.to_design()
    block = design.block_of(asked.number)
    sent = asked.sent
    if sent.skipping is None:
        return None
    rows, answered = skipped_terms(block, design)
    counts = SupportCounts(
        {
            rows: (int(sent.direct.sum()), int(sent.protected.sum())),
            answered: (int(sent.direct[:-1].sum()), int(sent.protected[:-1].sum())),
        }
    )
    found = skipped(counts, block, design)
    return found.value, found.standard_error
