"""What the practice page prints: margins, weighted supports, non-response, attention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from privacy.estimation.margins import JOIN, Margin
from surveys.analysis import weighting
from surveys.analysis.margins import Shares
from surveys.disclosure.disclosure import shown_count
from surveys.formats.figures import Figure, normal_figure, number, share_figure
from surveys.questionnaire.labels import Labels


@dataclass(frozen=True, kw_only=True)
class MarginLine:
    """One option: its share in the answers and in the population."""

    question: str
    option: str
    sample: str
    population: str


@dataclass(frozen=True, kw_only=True)
class WeightedLine:
    """One itemset, raw and weighted, ready to print."""

    items: str
    raw: Figure
    weighted: Figure | None
    difference: str
    design_effect: str
    effective_n: str
    n: str


@dataclass(frozen=True, kw_only=True)
class ResponseLine:
    """How many answered one question or block."""

    block: str
    questions: str
    asked: str
    missing: str
    error: str
    estimated: bool


@dataclass(frozen=True, kw_only=True)
class EffectLine:
    """What the silent ones could change for one item."""

    item: str
    answering: str
    low: str
    high: str
    invited_low: str
    invited_high: str


@dataclass(frozen=True, kw_only=True)
class AttendedLine:
    """One item, corrected by its anchors."""

    item: str
    anchors: str
    raw: str
    attentive: str
    corrected: Figure


def margin_lines(margins: Sequence[Margin], own: Shares) -> list[MarginLine]:
    """Set the population's shares beside those of the answers."""
    return [
        MarginLine(
            question=margin.key,
            option=category.label.replace(JOIN, ", "),
            sample=number(sum(own[margin.key][option] for option in category.label.split(JOIN))),
            population=number(category.share),
        )
        for margin in margins
        for category in margin.categories
    ]


def weighted_line(one: weighting.WeightedItemset, rows: weighting.Rows, labels: Labels) -> WeightedLine:
    """Return one itemset, raw and weighted."""
    found = one.found
    if found is None:
        empty = Figure(value="")
        return WeightedLine(
            items=labels.short(one.items), raw=empty, weighted=None, difference="", design_effect="",
            effective_n="", n="",
        )  # fmt: skip
    return WeightedLine(
        items=labels.short(one.items),
        raw=normal_figure(found.unweighted.value, found.unweighted.standard_error),
        weighted=normal_figure(found.value, found.standard_error),
        difference=number(found.value - found.unweighted.value),
        design_effect=number(found.design_effect, 2),
        effective_n=shown_count(round(found.effective_n)),
        n=shown_count(found.n),
    )


def response_line(one: weighting.Response, rows: weighting.Rows) -> ResponseLine:
    """Return one question or block."""
    return ResponseLine(
        block=rows.design.blocks[one.block].key,
        questions=", ".join(rows.design.questions[question].key for question in one.questions),
        asked=shown_count(one.asked),
        missing=number(one.missing),
        error=number(one.standard_error) if one.standard_error is not None else "",
        estimated=one.standard_error is not None,
    )


def effect_line(one: weighting.Effect, labels: Labels) -> EffectLine:
    """Return what the silent ones could change for an item."""
    return EffectLine(
        item=labels.short([one.item]),
        answering=number(one.answering),
        low=number(one.low),
        high=number(one.high),
        invited_low=number(one.invited_low),
        invited_high=number(one.invited_high),
    )


def attended_line(one: weighting.Attended, labels: Labels) -> AttendedLine:
    """Return one item corrected by its anchors."""
    found = one.found
    low, high = (found.low, found.high) if found.estimable else (None, None)
    return AttendedLine(
        item=labels.short([one.item]),
        anchors=_("%(never)s, %(always)s")
        % {"never": labels.short([one.never]), "always": labels.short([one.always])},
        raw=number(found.uncorrected),
        attentive=number(found.attentive),
        corrected=share_figure(found.value, low, high),
    )


def weight_records(
    rows: weighting.Rows, found: Sequence[weighting.WeightedItemset], labels: Labels
) -> list[dict[str, Any]]:
    """Return plain numbers by itemset, as files may hold them; those in too small cells are left out."""
    return [
        {
            "items": labels.keys(one.items),
            "raw": one.found.unweighted.value,
            "raw_standard_error": one.found.unweighted.standard_error,
            "weighted": one.found.value,
            "weighted_standard_error": one.found.standard_error,
            "design_effect": one.found.design_effect,
            "effective_n": one.found.effective_n,
            "n": one.found.n,
            "n_used": one.found.n_used,
        }
        for one in found
        if one.found is not None
    ]
