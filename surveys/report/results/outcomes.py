"""Outcomes that can be compared, and their figures in a group as texts and as records for files."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.estimation.composed_parts import MEAN, Part, Side
from privacy.estimation.estimates import Measured
from privacy.scales.planar_window import PlanarWindowChannel, Region
from privacy.scales.window import WindowChannel
from surveys.formats.figures import (
    DIFFERENCES,
    MINUS,
    RATIOS,
    SHARES,
    bounds_text,
    file_columns,
    percent_text,
)
from surveys.models import Run
from surveys.questionnaire.labels import ItemLabel, Labels, answer_name, question_names, short_names
from surveys.report.sentences.findings import Phrase, item_phrase, phrase_of
from surveys.report.sentences.number_texts import known_error, number_text
from surveys.runs.places import regions_of

RANGE: Final = "range"
"""Suffix of the key of a range, whose ends the form asks for."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """An outcome to compare, or an answer to compare by.

    Attributes
    ----------
    key : str
        Its key in addresses and files.
    name : str
        Its name in titles and files.
    phrase : Phrase
        Its words in sentences.
    group : str
        The text of its question.
    side : Side
    channel : WindowChannel or None
        For a mean, the disguise of the number, which defines the unit of its values.
    is_range : bool
        Whether the form asks for its ends.
    """

    key: str
    name: str
    phrase: Phrase
    group: str
    side: Side
    channel: WindowChannel | None = None
    is_range: bool = False

    @property
    def words(self) -> str:
        """Its name in lists: the short name, or else the question with the answer."""
        return self.phrase.words

    @property
    def is_mean(self) -> bool:
        """Whether it is the mean of a number rather than a share."""
        return self.channel is not None

    @property
    def quantity(self) -> str:
        """The compared quantity in a sentence: a share of people, or a mean."""
        if self.is_mean:
            return self.words
        return _("the share of people who answered %(answer)s") % {"answer": self.words}

    def text(self, share: float) -> str:
        """Format a share in percent, or a mean in the unit of the answers."""
        if self.channel is None:
            return f"{percent_text(share)}%"
        return number_text(self.value(share), self.channel)

    def value(self, share: float) -> float:
        """Convert a mean from a share of its range to the unit of the answers; leave other shares."""
        return share if self.channel is None else float(self.channel.range.middle(0)) + self.gap(share)

    def gap(self, share: float) -> float:
        """Convert a difference or a standard error in the same way."""
        if self.channel is None:
            return share
        ticks = self.channel.range
        return share * float(ticks.middle(self.channel.inputs - 1) - ticks.middle(0))

    def gap_text(self, share: float, *, unit: bool = True, digits: int = 1) -> str:
        """Format a difference in points, or in the unit of the answers."""
        if self.channel is None:
            points = percent_text(share, digits)
            return _("%(points)s points") % {"points": points} if unit else points
        text = f"{self.gap(share):,.{self.channel.range.decimals + 1}f}"
        return text.replace("-", MINUS if text.strip("-0.") else "")

    def gap_texts(self, difference: Measured) -> dict[str, str]:
        """Format a difference and the ends of its interval."""
        return {
            end: self.gap_text(end_value, unit=end == "value")
            for end, end_value in ends_of(difference).items()
        }


def ends_of(estimate: Measured) -> dict[str, float]:
    """Return an estimate and the ends of its interval; if it is not estimable, the low end replaces it."""
    value = estimate.value if estimate.estimable else estimate.low
    return {"value": value, "low": estimate.low, "high": estimate.high}


def item_choice(label: ItemLabel) -> Choice:
    """Return the choice of an item."""
    return Choice(
        key=label.key,
        name=label.short,
        phrase=item_phrase(label),
        group=label.text,
        side=Side(items=(label.index,)),
    )


def choices_of(run: Run, labels: Labels) -> list[Choice]:
    """Return all outcomes of a run that can be compared, in the order of its questions."""
    choices: list[Choice] = []
    names, own_names = question_names(run.version, run.design), short_names(run.version)
    for number, question in enumerate(run.design.questions):
        question_labels = [
            label for label in labels.items if run.design.items[label.index].question == number
        ]
        disguise = question.disguise
        if isinstance(disguise, WindowChannel):
            choices += _number_choices(
                number, names[number].text, question.key, disguise, own_names.get(question.key)
            )
        elif isinstance(disguise, PlanarWindowChannel):
            choices += _place_choices(
                number,
                names[number].text,
                question.key,
                disguise,
                question_labels,
                own_names.get(question.key),
            )
        else:
            choices += [item_choice(label) for label in question_labels]
    return choices


def _number_choices(
    number: int, text: str, key: str, channel: WindowChannel, label: str | None
) -> Iterator[Choice]:
    mean = Side(parts=(Part(question=number, target=MEAN),))
    yield Choice(
        key=f"{key}:{MEAN}",
        name=_("%(question)s: on average") % {"question": label or key},
        phrase=phrase_of(
            _("“%(question)s” on average") % {"question": label or text}, is_named=label is not None
        ),
        group=text,
        side=mean,
        channel=channel,
    )
    yield Choice(
        key=f"{key}:{RANGE}",
        name=label or key,
        phrase=phrase_of(
            _("“%(question)s” from … to …") % {"question": label or text}, is_named=label is not None
        ),
        group=text,
        side=Side(parts=(Part(question=number, target=(0, channel.inputs - 1)),)),
        is_range=True,
    )


def _place_choices(
    number: int,
    text: str,
    key: str,
    windows: PlanarWindowChannel,
    region_labels: list[ItemLabel],
    place_label: str | None,
) -> Iterator[Choice]:
    regions = regions_of(windows)
    choices: list[tuple[str, str, Region]] = [
        (label.key, label.option, region)
        for label, region in zip(region_labels, regions.declared, strict=True)
    ]
    choices += [
        (f"{key}=sensitive-{position}", _("sensitive place %(place)s") % {"place": position}, region)
        for position, region in enumerate(regions.sensitive, start=1)
    ]
    for region_key, name, region in choices:
        yield Choice(
            key=region_key,
            name=answer_name(place_label or key, name),
            phrase=phrase_of(
                _("“%(question)s” %(answer)s") % {"question": place_label or text, "answer": name},
                is_named=place_label is not None,
            ),
            group=text,
            side=Side(parts=(Part(question=number, target=region),)),
        )


COLUMNS: Final = (
    "by", "by_label", "group", "people", "group_share", "drawn_share", "role", "outcome", "outcome_label",
    "share", "mean", "low", "high", "standard_error", "basis", "unclipped",
    "difference", "difference_low", "difference_high", "difference_standard_error",
    "difference_basis", "difference_unclipped",
    "lift", "lift_low", "lift_high", "lift_standard_error", "lift_basis", "lift_unclipped",
    "detectable_difference",
    "p_value", "p_holm", "n", "n_used", "few_rows", "weighted", "design_effect", "expected",
    "joint_statistic", "joint_degrees", "joint_rest_degrees", "joint_p_value", "drawn_share_p_value",
    "difference_shift", "flips",
    "invited", "response_rate", "response_difference", "response_low", "response_high", "response_p_value",
)  # fmt: skip
"""Columns of the files: a row for each outcome in each group."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A share or mean in one group, and its difference from the reference group."""

    choice: Choice
    group: str
    value: Measured
    difference: Measured | None = None

    @property
    def text(self) -> str:
        """The share or mean with its interval; only the interval if there are too few answers."""
        return interval_text(self.value, SHARES, self.choice.text)

    @property
    def difference_text(self) -> str:
        """The difference with its interval; a dash for the reference group."""
        return (
            "–"
            if self.difference is None
            else interval_text(self.difference, DIFFERENCES, self.choice.gap_text, self._end_text)
        )

    def _end_text(self, end: float) -> str:
        return self.choice.gap_text(end, unit=False)

    def record(self) -> dict[str, Any]:
        """Return its figures by the names in `COLUMNS`, in the unit of the answers."""
        choice, value = self.choice, _finite_figures(self.value, SHARES)
        figures: dict[str, Any] = {
            "outcome": choice.key,
            "outcome_label": choice.name,
            "mean" if choice.is_mean else "share": _apply(choice.value, value["value"]),
            "low": _apply(choice.value, value["low"]),
            "high": _apply(choice.value, value["high"]),
            "standard_error": _apply(choice.gap, value["standard_error"]),
            "basis": value["value_basis"],
            "unclipped": _apply(choice.value, value["value_unclipped"]),
        }
        if self.difference is not None:
            figures |= named_figures("difference", self.difference, choice)
        return figures


def _finite_figures(estimate: Measured, possible: tuple[float, float]) -> dict[str, Any]:
    """Return value, basis, unclipped value, ends and error; infinite figures are None."""
    ends = (estimate.low, estimate.high) if estimate.estimable else (None, None)
    figures = file_columns("value", float(estimate.value), ends, possible) | {
        "low": estimate.low,
        "high": estimate.high,
        "standard_error": known_error(estimate.standard_error) if estimate.estimable else None,
    }
    return {
        name: float(figure) if isinstance(figure, int | float) and math.isfinite(figure) else None
        for name, figure in figures.items()
    } | {"value_basis": figures["value_basis"]}


def named_figures(name: str, estimate: Measured, choice: Choice | None = None) -> dict[str, Any]:
    """Return a difference or a lift by the names in `COLUMNS`."""
    figures = _finite_figures(estimate, RATIOS if choice is None else DIFFERENCES)
    columns = {"value": name, "value_basis": f"{name}_basis", "value_unclipped": f"{name}_unclipped"}
    columns |= {end: f"{name}_{end}" for end in ("low", "high", "standard_error")}
    return {
        column: figures[end] if choice is None or end == "value_basis" else _apply(choice.gap, figures[end])
        for end, column in columns.items()
    }


def _apply(change: Any, figure: float | None) -> float | None:
    return None if figure is None else change(figure)


@dataclass(frozen=True, kw_only=True)
class OutcomeRow:
    """One outcome in all groups.

    Attributes
    ----------
    name, p : str
    expected : str
        The expectation that was recorded in advance, if any.
    cells : tuple of Cell
    """

    name: str
    p: str
    expected: str = ""
    cells: tuple[Cell, ...]


def interval_text(
    estimate: Measured,
    possible: tuple[float, float],
    write: Callable[[float], str],
    write_end: Callable[[float], str] | None = None,
) -> str:
    """Format an estimate with its interval, or only its bounds.

    Parameters
    ----------
    estimate : Measured
    possible : (float, float)
        Bounds of the true value.
    write, write_end : callable
        Format the estimate, and the ends of its interval.
    """
    ends, write_end = (estimate.low, estimate.high), write_end or write
    if not estimate.estimable:
        texts = {"low": write_end(estimate.low), "high": write_end(estimate.high)}
        return _("too few to say: %(low)s to %(high)s") % texts
    if bounds := bounds_text(estimate.value, ends, possible, write):
        return _("too few to say: %(bounds)s") % {"bounds": bounds}
    texts = {"value": write(estimate.value), "low": write_end(estimate.low), "high": write_end(estimate.high)}
    return _("%(value)s (%(low)s to %(high)s)") % texts
