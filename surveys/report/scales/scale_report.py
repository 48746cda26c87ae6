"""What the pages of a number and of a place say alike: who answered, under which disguise, and who skips."""

from __future__ import annotations

from dataclasses import dataclass

from privacy.channels.planar_window import Windows
from surveys.analysis.scales.number_estimates import band_of
from surveys.analysis.scales.place_suppression import windows_of
from surveys.analysis.scales.question import Asked
from surveys.analysis.scales.wording import mechanism_text, promise_of
from surveys.disclosure.disclosure import shown_count
from surveys.report.scales.skips import Skips, skips_of

__all__ = ["ScaleReport", "scale_report"]


@dataclass(frozen=True, kw_only=True)
class ScaleReport:
    """The head of the page of a scale question; counts and bounds as they are written."""

    key: str
    text: str
    n: str
    n_direct: str
    mechanism: str
    gamma: str
    epsilon: str
    exact_outside: bool
    split_sample: bool
    skips: Skips | None


def scale_report(asked: Asked) -> ScaleReport:
    """Return what the page of a number or a place begins with."""
    disguise = band_of(asked) if asked.question.kind == "number" else windows_of(asked)
    gamma, epsilon = promise_of(disguise)
    return ScaleReport(
        key=asked.question.key,
        text=asked.text,
        n=shown_count(asked.sent.n),
        n_direct=shown_count(asked.n_direct) if asked.n_direct else "",
        mechanism=mechanism_text(disguise.mechanism),
        gamma=gamma,
        epsilon=epsilon,
        exact_outside=isinstance(disguise, Windows) and disguise.exact_outside,
        split_sample=asked.run.thresholds.halves,
        skips=skips_of(asked),
    )
