"""The scripts give the figures again of surveys of which rows near the true one are sent."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from mining.thresholds import Sides, Thresholds
from surveys.models import Run, Version
from tests.cast.drawn_exports import drawn, near_some
from tests.cast.exports import records, script, unpacked
from tests.cast.near_part import near_survey
from tests.cast.r_scripts import in_r
from tests.cast.runs import mined

pytestmark = pytest.mark.django_db

ABOUT_ONE = Sides(consequent=(4,))
CASES: dict[str, tuple[Callable[[], Version], Thresholds]] = {
    "all": (
        lambda: near_survey(1_000),
        Thresholds(support=0.15, max_size=3, confidence=0.3, sides=ABOUT_ONE),
    ),
    "all, respondents": (
        lambda: near_survey(1_000),
        Thresholds(support=0.15, max_size=2, target="respondents", sides=ABOUT_ONE),
    ),
    "some, two strengths": (
        lambda: drawn(near_some(), 1_500, n_direct=500),
        Thresholds(support=0.15, max_size=3, correction="holm", sides=ABOUT_ONE),
    ),
    "some, pooled, respondents": (
        lambda: drawn(near_some(), 1_500, n_direct=500),
        Thresholds(support=0.15, max_size=2, estimator="pooled", target="respondents", sides=ABOUT_ONE),
    ),
    "some, complete rows": (
        lambda: drawn(near_some(), 1_500, n_direct=500, avoided="n3"),
        Thresholds(support=0.15, max_size=2, sides=ABOUT_ONE),
    ),
}


def run_of(case: str) -> Run:
    survey, thresholds = CASES[case]
    return mined(survey(), thresholds)


@pytest.mark.soak
@pytest.mark.parametrize("case", CASES)
def test_the_script_gives_every_figure_again(tmp_path: Path, case: str) -> None:
    where = unpacked(run_of(case), tmp_path)
    done = script(where)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every figure is the same." in done.stdout
    assert len(records(tmp_path / "run" / "rules.csv")) > 4
    if case == "all":
        # Another law gives other figures: what is compared would notice.
        text = (where / "reproduce.py").read_text(encoding="utf-8")
        assert len(re.findall('"near": \\[$', text, re.MULTILINE)) == 1
        plain = re.sub(r'"inverse": \[\s+1.0,', '"inverse": [1.01,', text)
        (where / "reproduce.py").write_text(plain, encoding="utf-8")
        assert script(where).returncode == 1


@pytest.mark.r
@pytest.mark.parametrize("case", CASES)
def test_the_script_in_r_gives_every_figure_again(tmp_path: Path, case: str) -> None:
    done = in_r(unpacked(run_of(case), tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every figure is the same." in done.stdout
