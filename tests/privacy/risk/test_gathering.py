"""Classes of rows: how far a row may lie from its class, met by a row that does."""

from __future__ import annotations

import numpy as np
import pytest

from privacy.risk import budget
from privacy.risk.budget import Gathering, Part


def test_a_row_may_lie_as_far_from_its_class_as_the_slack_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two bins over ln P/q from 0 to 2: a rare row at .999 is in the bin of the frequent ones at 0."""
    monkeypatch.setattr(budget, "MOST_PRODUCTS", 2)
    log_ratio = np.array([0.0, 0.999, 2.0])
    rows = np.array([1e9, 1.0, 1.0])
    decoy = np.full(3, 1e-10)
    classes = Gathering(0.0, 0.0)
    classes.add(Part(key="q", prior=decoy * np.exp(log_ratio), decoy=decoy, rows=rows))
    log_prior, log_decoy, log_rows = classes.classes
    assert np.exp(log_rows).round().tolist() == [1e9 + 1, 1]
    distance = 0.999 - float((log_prior - log_decoy)[0])
    assert distance == pytest.approx(0.999, abs=1e-6)
    assert distance <= classes.slack
    assert classes.slack == pytest.approx(1.0)


def test_few_classes_are_exact() -> None:
    classes = Gathering(0.0, 0.0)
    for key in "ab":
        classes.add(Part(key=key, prior=np.array([0.8, 0.2]), decoy=np.array([0.5, 0.5])))
    assert classes.slack == 0
    log_prior, _, log_rows = classes.classes
    found = sorted(
        zip(np.exp(log_prior).round(12).tolist(), np.exp(log_rows).round(12).tolist(), strict=True)
    )
    assert found == [(0.04, 1.0), (0.16, 2.0), (0.64, 1.0)]
