"""The sessions of docs/library.md run as they stand there, and their files are what the page says."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sottovoce
from privacy.library import designs
from privacy.library.designs import ResponseDesign

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "library.md"
BORROWING = ROOT / "docs" / "borrowing.md"


@pytest.mark.parametrize(("page", "examples"), [(PAGE, 20), (BORROWING, 8)])
def test_the_sessions_of_the_page_run_as_they_stand(
    monkeypatch: pytest.MonkeyPatch, page: Path, examples: int
) -> None:
    monkeypatch.chdir(ROOT)
    # What a fence ends does not belong to the output before it.
    session = re.sub(r"^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(session, {}, page.name, str(page), 0)
    assert len(test.examples) > examples
    found: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    runner.run(test, out=found.append)
    assert not runner.failures, "".join(found)


def test_the_page_lists_every_design() -> None:
    listed = re.findall(r"^\| `(\w+)\(", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    made = {name for name in sottovoce.__dir__() if name in designs.__all__}
    assert sorted(listed) == sorted(made)
    assert isinstance(designs.truthful(), ResponseDesign)


def test_the_file_of_answers_was_drawn_as_the_page_says() -> None:
    """22 % affairs, odds ratios of .7 * .12 / (.08 * .10) = 10.5 and .35 * .45 / (.55 * .65) = .44."""
    rng = np.random.default_rng(13)
    truth = rng.choice(4, size=1_200, p=[0.70, 0.08, 0.10, 0.12])

    def said(answer: np.ndarray) -> np.ndarray:
        die = rng.integers(1, 7, size=len(answer))
        return np.where(die == 1, 1, np.where(die == 6, 0, answer))

    answers = {"affair": said(truth // 2), "debts": said(truth % 2)}
    woman = rng.random(len(truth)) < np.where(truth // 2 == 1, 0.35, 0.55)
    age = rng.integers(18, 80, size=len(truth))
    drawn = pd.DataFrame({**answers, "sex": np.where(woman, "woman", "man"), "age": age})
    pd.testing.assert_frame_equal(drawn, pd.read_csv(ROOT / "docs" / "library" / "forced-response.csv"))


def test_the_file_of_coins_was_drawn_as_the_page_says() -> None:
    rng = np.random.default_rng(21)
    n = 2_400
    cheat = rng.random(n) < 0.3
    truth = pd.DataFrame(
        {
            "cheat": cheat,
            "drugs": rng.random(n) < np.where(cheat, 0.5, 0.15),
            "debts": rng.random(n) < 0.4,
        }
    )
    survey = sottovoce.Survey(blocks={"work": ["cheat", "drugs"], "money": ["debts"]}, p=0.5, theta=0.5)
    drawn = survey.disguise(truth, seed=21).assign(year=rng.integers(1, 4, n), school=rng.integers(1, 41, n))
    pd.testing.assert_frame_equal(drawn, pd.read_csv(ROOT / "docs" / "library" / "coins.csv"))
