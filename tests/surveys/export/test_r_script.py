"""The script in R gives a run's figures again, and notices one that is off."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from mining.thresholds import Thresholds
from surveys.models import Version
from tests.cast.exports import (
    everything,
    faint,
    lightly,
    move_a_figure_by_a_millionth,
    records,
    script,
    unpacked,
)
from tests.cast.r_scripts import compared, in_r
from tests.cast.runs import answered, mined

pytestmark = [pytest.mark.django_db, pytest.mark.r]


@pytest.mark.parametrize(
    ("made", "thresholds"),
    [
        pytest.param(
            everything,
            Thresholds(support=0.12, max_size=2, confidence=0.2),
            id="population",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            everything,
            Thresholds(support=0.12, max_size=2, target="respondents", estimator="pooled"),
            id="respondents",
        ),
        pytest.param(answered, Thresholds(support=0.1, max_size=3), id="rules of three"),
        pytest.param(
            faint,
            Thresholds(support=0.001, max_size=3),
            id="smallest chance of truth",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            lightly, Thresholds(support=0.05, max_size=3), id="two strengths", marks=pytest.mark.soak
        ),
        pytest.param(
            lightly,
            Thresholds(support=0.05, max_size=2, target="respondents", estimator="pooled"),
            id="two strengths, respondents",
        ),
    ],
)
def test_it_compares_what_the_python_script_compares_and_finds_every_figure_the_same(
    tmp_path: Path, made: Callable[[], Version], thresholds: Thresholds
) -> None:
    where = unpacked(mined(made(), thresholds), tmp_path)
    done = in_r(where)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every figure is the same." in done.stdout
    assert compared(done.stdout).keys() == compared(script(where).stdout).keys()
    assert len(records(where / "run" / "rules.csv")) > 10


def test_it_notices_a_figure_that_is_off_by_a_millionth(tmp_path: Path) -> None:
    where = unpacked(mined(answered(), Thresholds(support=0.1, max_size=2)), tmp_path)
    move_a_figure_by_a_millionth(where)
    done = in_r(where)
    assert done.returncode == 1
    assert re.search(r"confidence_low +1\.00e-06 +DIFFERS", done.stdout)
    assert done.stdout.count("DIFFERS") == 1
