"""The script gives the figures again of surveys of which devices draw the questions."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mining.thresholds import Sides, Thresholds
from surveys.estimates.run_summary import draw_facts
from surveys.models import Run
from tests.fixtures.drawn_exports import drawn, four_of_ten, parts_in_turn, three_of_eight, two_parts
from tests.fixtures.exports import records, script, unpacked
from tests.fixtures.runs import mined

pytestmark = pytest.mark.django_db

Document = Callable[[], dict[str, Any]]

# Items are counted from 0: of most surveys 0 to 2 are open.
ABOUT_ONE, ABOUT_ANOTHER = Sides(consequent=(4,)), Sides(consequent=(9,))
CASES: dict[str, tuple[Document, int, Thresholds]] = {
    "3 of 8": (
        three_of_eight,
        0,
        Thresholds(support=0.04, max_size=3, confidence=0.3, sides=ABOUT_ONE),
    ),
    "3 of 8, another": (three_of_eight, 0, Thresholds(support=0.04, max_size=3, sides=ABOUT_ANOTHER)),
    "4 of 10, two strengths": (
        four_of_ten,
        1_000,
        Thresholds(support=0.04, max_size=3, sides=ABOUT_ONE),
    ),
    "two parts": (
        two_parts,
        500,
        Thresholds(support=0.04, max_size=3, confidence=0.2, sides=ABOUT_ONE),
    ),
    "two parts, another": (
        two_parts,
        500,
        Thresholds(support=0.04, max_size=3, sides=ABOUT_ANOTHER),
    ),
    "parts in turn": (parts_in_turn, 700, Thresholds(support=0.04, max_size=3, sides=ABOUT_ONE)),
    "parts in turn, another": (
        parts_in_turn,
        700,
        Thresholds(support=0.04, max_size=3, sides=ABOUT_ANOTHER),
    ),
}


def run_of(case: str, *, avoided: str | None = None) -> Run:
    document, n_direct, thresholds = CASES[case]
    run = mined(drawn(document(), 2_800, n_direct=n_direct, avoided=avoided), thresholds)
    facts = draw_facts(run)
    assert facts is not None
    assert facts.all_rows == (avoided is None)
    return run


@pytest.mark.soak
@pytest.mark.parametrize("case", CASES)
def test_the_script_gives_every_figure_of_all_rows_again(tmp_path: Path, case: str) -> None:
    done = script(unpacked(run_of(case), tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every figure is the same." in done.stdout
    rules = records(tmp_path / "run" / "rules.csv")
    assert len(rules) > 10
    assert max(line["items"].count("&") for line in records(tmp_path / "run" / "itemsets.csv")) == 2
    # A single rule may lack an error because all people are on one side; the other rules are still compared.
    compared = set(re.findall(r"^rules +(\w+)", done.stdout, re.MULTILINE))
    assert compared == set(rules[0]) - {"antecedent", "consequent"}


@pytest.mark.soak
def test_where_some_avoid_a_question_complete_rows_alone_count_in_both(tmp_path: Path) -> None:
    done = script(unpacked(run_of("3 of 8", avoided="q3"), tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every figure is the same." in done.stdout


@pytest.mark.soak
def test_complete_rows_alone_do_not_give_the_figures_of_all_rows(tmp_path: Path) -> None:
    where = unpacked(run_of("3 of 8"), tmp_path)
    settings = where / "run" / "settings.json"
    text = settings.read_text(encoding="utf-8")
    assert text.count('"parts_count": true') == 1
    settings.write_text(text.replace('"parts_count": true', '"parts_count": false'), encoding="utf-8")
    done = script(where)
    assert done.returncode == 1
    differs = set(re.findall(r"^itemsets +(\w+) .*DIFFERS$", done.stdout, re.MULTILINE))
    assert {"support", "support_se", "support_low", "support_high"} <= differs
    assert "n" not in differs
