"""The benchmark of printed figures has a row for each figure, and depends only on its seed."""

from itertools import islice

import numpy as np
import pytest

from benchmarks import shown

SURVEYS = 20


@pytest.mark.soak
def test_every_printed_figure_has_a_row_determined_by_the_seed() -> None:
    lines = list(shown.table(shown.KINDS, SURVEYS, 1))
    named = [line.split("|")[1].strip() for line in lines[2:]]
    wanted = ("share", "Compare", "odds ratio", "Your question", "Itemsets", "supports()", "Rules")
    more = ("Did it help?", "number: median", "number: bars", "regression", "range at every look")
    last = (
        "two waves of the demonstration",
        "predicted pairs",
        "region",
        "share by clusters",
        "weighted share",
        "Compare, rare",
    )
    for figure in (*wanted, *more, *last):
        assert any(figure in name for name in named), figure
    assert lines == list(shown.table(shown.KINDS, SURVEYS, 1))


@pytest.mark.soak
def test_intervals_with_too_little_coverage_are_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals of half the width contain the truth in far fewer than 93% of surveys."""
    honest = np.array([point[:2] for point in shown.shares()])
    assert honest[:, 1].min() > 0.93
    interval = shown.share_of("share", "", np.array([60, 40]), np.array([-0.5, 1.5])).__class__.interval
    monkeypatch.setattr(
        "privacy.library.shares.Figure.interval", lambda figure, level=0.95: interval(figure, 0.68)
    )
    # One design is enough, because the same code computes all intervals.
    assert max(held for _, held, _ in islice(shown.shares(), 3)) < 0.8


@pytest.mark.soak
def test_a_planted_change_between_two_waves_of_the_demonstration_is_in_its_interval() -> None:
    """False alarms below 1e-6 (.95 - 5.1 errors of 200 pairs); intervals of half the width hold in .67."""
    name, (_printed, held, setting) = next(shown.demonstration(np.random.default_rng(11), 200))
    assert (name, setting) == (
        "change between two waves of the demonstration",
        "1000 people, 0.0 of them in both",
    )
    assert held > 0.871
