"""What a notebook shows of a result: its table, and its picture where matplotlib is."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from privacy.library.designs import truthful, warner
from privacy.library.shares import prevalence
from tests.fixtures.refusals import refused

FIGURE = prevalence({"yes": 40, "no": 60}, warner(p=0.7))


class Axes:
    """Axes that remember what was drawn."""

    def __init__(self) -> None:
        self.drawn: dict[str, Any] = {}

    def errorbar(self, x: Any, y: Any, *, xerr: Any, **_: Any) -> None:
        self.drawn |= {"x": x, "y": y, "xerr": xerr}

    def set_yticks(self, at: Any, labels: Any) -> None:
        self.drawn |= {"at": at, "labels": labels}

    def set_xlabel(self, text: str) -> None:
        self.drawn["label"] = text


def test_a_table_and_a_picture_say_the_same() -> None:
    table = FIGURE.to_frame()
    assert table.columns.tolist() == ["estimate", "standard_error", "low", "high"]
    assert "<table" in FIGURE._repr_html_()
    axes = Axes()
    assert FIGURE.plot(ax=axes) is axes
    (low,), (high,) = axes.drawn["xerr"]
    assert (FIGURE.value - low, FIGURE.value + high) == pytest.approx(FIGURE.interval())
    assert (axes.drawn["labels"], axes.drawn["label"]) == ([FIGURE.name], "estimate, 95 % interval")


def test_without_matplotlib_a_picture_is_refused_and_with_it_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with refused("plot", "matplotlib"):
        FIGURE.plot()
    axes = Axes()
    monkeypatch.setitem(sys.modules, "matplotlib", SimpleNamespace(__path__=[]))
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", SimpleNamespace(subplots=lambda: (None, axes)))
    assert prevalence({"yes": 5, "no": 5}, truthful()).plot() is axes
    assert np.allclose(axes.drawn["x"], 0.5)
