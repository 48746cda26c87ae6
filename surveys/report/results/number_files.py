"""The files of a number question: its histogram as CSV, all its figures as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from django.http import Http404
from django.http.response import HttpResponseBase

from privacy.printed import Measured
from privacy.scales.em import GAIN, MOST_STEPS
from surveys.formats.figures import NO_ERROR, SHARES, file_columns, known_error
from surveys.formats.file_responses import csv_file, json_file
from surveys.formats.json_numbers import finite
from surveys.report.results.scale_record import scale_record
from surveys.report.run_facts import run_csv
from surveys.report.sentences.number_texts import bounds_in_unit
from surveys.runs.numbers import band_of, figures_of, spans_of
from surveys.runs.scale_question import ScaleQuestion

BAR_COLUMNS: Final = (
    "question", "from", "to", "share", "share_se", "share_low", "share_high", "share_basis",
    "share_unclipped", "share_shift", "shape", "n",
)  # fmt: skip

NUMBER_METHOD: Final = (
    "Shares of bars and the mean are unbiased; quantiles follow from the unbiased running sum of shares. "
    "Intervals of shares and quantiles contain all values that a test of the running sum accepts, with the "
    "variance at the tested value, so they are not symmetric about the estimate. The interval of the mean is "
    "normal. The shape is estimated by expectation-maximisation, smoothed by [1, 2, 1] / 4 after each step. "
    "It blurs true edges and has no errors."
)

STORED_NUMBER_METHOD: Final = (
    "Answers are stored as given. Shares of bars, the mean and the quantiles are those of the answers. "
    "Intervals of shares and quantiles contain all values that a test of the running sum accepts, with the "
    "variance at the tested value, so they are not symmetric about the estimate. The interval of the mean is "
    "normal. There is no shape: nothing was disguised, so nothing needs smoothing."
)

OPEN_METHOD: Final = (
    "Answers are stored as given. Each bar has enough people, or none. The bars were made once, from all "
    "answers of the settled survey, and every figure depends only on the number of people in each: mean and "
    "quantiles are those of people spread evenly over their bar. Intervals of shares and quantiles contain "
    "all values that a test of the running sum accepts, with the variance at the tested value. The interval "
    "of the mean is normal. There is no shape: nothing was disguised, so nothing needs smoothing."
)


def histogram_csv(scale: ScaleQuestion) -> Iterator[str]:
    """Yield the lines of the histogram's CSV file, the header first."""
    return run_csv(scale.run, BAR_COLUMNS, _bars(scale))


def number_json(scale: ScaleQuestion) -> dict[str, Any]:
    """Return the releasable figures of a number question."""
    channel, figures = band_of(scale), figures_of(scale)
    mean, bins = figures.mean, figures.bins
    mean_bounds = mean and bounds_in_unit((mean.value, mean.low, mean.high), channel)

    def write(value: float) -> float | str:
        return channel.range.value_text(value) or value

    is_stored = channel.is_as_answered
    stored_method = OPEN_METHOD if scale.spans else STORED_NUMBER_METHOD
    return scale_record(scale, stored_method if is_stored else NUMBER_METHOD) | {
        "range": channel.range.to_json(),
        "stops": None if is_stored else {"gain_per_answer_below": GAIN, "steps_at_most": MOST_STEPS},
        "shape": None
        if is_stored
        else bins and {"steps": bins.shape.fit.steps, "reason": bins.shape.fit.reason},
        "mean": mean
        and {
            "value": None if mean_bounds else write(mean.value),
            "basis": "bounds" if mean_bounds else "estimate",
            "unclipped": write(mean.value),
            "standard_error": known_error(mean.standard_error),
            "low": write(mean.low) if known_error(mean.standard_error) else None,
            "high": write(mean.high) if known_error(mean.standard_error) else None,
            **_basis_of_figure(mean),
        },
        "quantiles": [
            {
                "share": quantile.share,
                "value": write(quantile.value),
                "low": write(quantile.low),
                "high": write(quantile.high),
                "parts": [[write(end) for end in part] for part in quantile.parts],
                "estimable": quantile.estimable,
                "gaps": len(quantile.parts) > 1,
                **_basis_of_figure(quantile),
            }
            for quantile in (bins.quantiles if bins else ())
        ],
        "histogram": list(_bars(scale)),
    }


def _basis_of_figure(figure: Measured) -> dict[str, Any]:
    """Return what a file says next to each mean and quantile."""
    return {
        "n": figure.n,
        "effective_n": figure.effective_n,
        "level": figure.level,
        "shift": finite(figure.shift or 0.0),
    }


def _bars(scale: ScaleQuestion) -> Iterator[dict[str, Any]]:
    channel, figures = band_of(scale), figures_of(scale)
    if figures.bins is None:
        return
    bars, ticks = figures.bins.bars, channel.range
    shares = {
        "share": bars.value,
        "share_se": np.where(bars.standard_error > NO_ERROR, bars.standard_error, np.inf),
        "share_low": bars.low,
        "share_high": bars.high,
        "share_shift": bars.shifts,
        "shape": figures.bins.shape.shares,
    }
    for position, (first, last) in enumerate(spans_of(scale)):
        yield {
            "question": scale.question.key,
            "from": ticks.text(ticks.low + first * ticks.bin),
            "to": ticks.text(ticks.low + (last + 1) * ticks.bin - 1),
            **{name: finite(float(figures_of_name[position])) for name, figures_of_name in shares.items()},
            **file_columns(
                "share",
                float(bars.value[position]),
                (float(bars.low[position]), float(bars.high[position])),
                SHARES,
            ),
            **({"shape": None} if channel.is_as_answered else {}),
            "n": scale.reports.n,
        }


def number_file(scale: ScaleQuestion, file: str, name: str) -> HttpResponseBase:
    """Send a file of a number: its bars, or all its figures."""
    if file == "histogram.csv":
        return csv_file(histogram_csv(scale), f"{name}.csv")
    if file == "figures.json":
        return json_file(number_json(scale), f"{name}.json")
    raise Http404
