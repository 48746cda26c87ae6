"""The experiment on groups and unrelated questions (Kan and Cao, section 4): tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.charts.curves import Series, curves_svg
from trials.pages.paper import BAR, Number, Paper, Parameters, Progress, Row, Tables, counted, row_of
from trials.pages.reported_facts import grouping_facts
from trials.studies.experiment import GRID, READINGS, Conditions, leak, sweep
from trials.studies.mechanisms import GAMMA, MECHANISMS, compare_mechanisms

P_AT: Final = 0.3
K_AT: Final = 0.2
SIZES: Final = (500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
SWEEPS: Final = {"p": [(p, K_AT) for p in GRID], "k": [(P_AT, k) for k in GRID]}
NAMES: Final = {
    "direct": gettext_lazy("k asked directly (equations 7 to 16)"),
    "disguised": gettext_lazy("k disguised (section 4)"),
    "unrelated": gettext_lazy("unrelated question"),
    "gamma-diagonal": gettext_lazy("gamma-diagonal matrix"),
    "mask": gettext_lazy("flips bit by bit (MASK)"),
    "p": gettext_lazy("retention probability p"),
    "k": gettext_lazy("share k of the rows"),
}


def grouping_run(parameters: Parameters, progress: Progress, real: Conditions | None = None) -> Tables:
    """Run both sweeps in both readings, also on real rows where they are given; leak and mechanisms once."""
    seed, repetitions = parameters["seed"], parameters["repetitions"]
    swept = {"": Conditions(n=parameters["n"])} | ({} if real is None else {"data-": real})
    step = counted(progress, len(swept) * len(SWEEPS) * len(READINGS) * len(GRID) + len(GRID) + len(SIZES))
    tables: Tables = {}
    for prefix, conditions in swept.items():
        for number, (along, places) in enumerate(SWEEPS.items()):
            rows = tables[f"{prefix}sweep-{along}"] = []
            for reading in READINGS:
                for position, (p, k) in enumerate(places):
                    step()
                    rng = np.random.default_rng([seed, number, position, READINGS.index(reading)])
                    point = sweep(conditions, p=p, k=k, reading=reading, repetitions=repetitions, rng=rng)
                    rows.append(row_of(point))
    tables["leak"] = []
    for position, p in enumerate(GRID):
        step()
        shares = leak(swept[""], p, repetitions, np.random.default_rng([seed, 2, position]))
        names = ("recognised", "recognised_se", "expected")
        tables["leak"].append({"p": p, **dict(zip(names, shares, strict=True))})
    tables["mechanisms"] = []
    for position, n in enumerate(SIZES):
        step()
        rng = np.random.default_rng([seed, 3, position])
        tables["mechanisms"] += map(row_of, compare_mechanisms(n, repetitions=repetitions, rng=rng))
    return tables


def grouping_pictures(tables: Tables, parameters: Parameters, paper: bool) -> dict[str, SafeString]:
    """Draw the sweeps and the mechanisms."""
    bars = bars_said(parameters)
    error = _("mean error W = |S − S′| of a support")
    pictures = {}
    for name, rows in tables.items():
        if "sweep-" not in name:
            continue
        along = name[-1]
        fixed = f"k = {K_AT:g}" if along == "p" else f"p = {P_AT:g}"
        title = _("Error W by %(along)s: %(fixed)s, θ = %(theta)s; lines: formula") % {
            "along": along, "fixed": fixed, "theta": f"{Conditions.theta:g}",
        }  # fmt: skip
        if name.startswith("data-"):
            title = _("Real rows. %(title)s") % {"title": title}
        pictures[name] = curves_svg(
            [
                measured(str(NAMES[reading]), [row for row in rows if row["reading"] == reading], along)
                for reading in READINGS
            ],
            title=title, x_label=str(NAMES[along]), y_label=error, bars=bars, paper=paper,
        )  # fmt: skip
    threes = [row for row in tables["mechanisms"] if row["size"] == 3]
    pictures["mechanisms"] = curves_svg(
        [
            measured(str(NAMES[name]), [row for row in threes if row["mechanism"] == name], "n")
            for name in MECHANISMS
        ],
        title=_("Error of itemsets of 3 at equal privacy, γ = %(gamma)s") % {"gamma": f"{GAMMA:g}"},
        x_label=_("rows"), y_label=error, bars=bars, log_x=True, log_y=True, paper=paper,
    )  # fmt: skip
    return pictures


def bars_said(parameters: Parameters) -> str:
    """Say what the error bars of a picture are."""
    return _("± %(bar)s standard errors over %(repetitions)s repetitions") % {
        "bar": BAR, "repetitions": parameters["repetitions"],
    }  # fmt: skip


def measured(label: str, rows: Sequence[Row], across: str) -> Series:
    """Return measured errors as a curve with bars, and with the formula's heights where there are some."""
    rows = [row for row in rows if row["error"] is not None]
    return Series(
        label=label,
        x=[float(row[across]) for row in rows],
        y=[row["error"] for row in rows],
        errors=[BAR * (row["error_se"] or 0.0) for row in rows],
        expected=[row["expected"] for row in rows if "expected" in row],
    )


GROUPING: Final = Paper(
    name="experiment",
    title=gettext_lazy("Answers that hide in a group"),
    claim=gettext_lazy(
        "Nobody can be sure of one person’s answers, and what all answered together is still found with a "
        "small error: the smaller, the more rows are sent as they are."
    ),
    source=gettext_lazy(
        "Kan Yingying and Cao Tianjie, Privacy-preserving algorithm based on grouping unrelated-question "
        "model"
    ),
    numbers=(
        Number(name="seed", full=5, least=0, most=2**31 - 1),
        Number(
            name="repetitions", full=100, least=10, most=1_000
        ),
        Number(name="n", full=10_000, least=500, most=1_000_000),
    ),
    run=grouping_run,
    pictures=grouping_pictures,
    facts=grouping_facts,
)  # fmt: skip
