"""The stated number of forged rows shows a cross, and one fewer does not."""

from types import SimpleNamespace
from typing import cast

import pytest

from privacy.survey.layout import Layout, Record
from surveys.models import Run
from surveys.report.sentences.ledger_words import ledger_note
from surveys.runs.forged_rows import forged_rows, lifting_rows
from surveys.runs.ledger import crosses_of
from tests.attack.test_open_answers import EVERYTHING, answer, cells_of, survey
from tests.fixtures.devices import closed, stored
from tests.fixtures.runs import mined_run

pytestmark = pytest.mark.django_db


def test_forged_rows_are_stated_for_figures_that_cross_open_answers_of_an_open_link() -> None:
    version = survey("open-link")
    design = version.to_design()
    old, night, late = (design.item(key).index for key in ("old", "night", "late"))

    def stated(*items: int, **changed: object) -> int | None:
        asked = SimpleNamespace(**{"by_invitation": False, "practice": False, "known_truth": None} | changed)
        return lifting_rows(cast(Run, SimpleNamespace(design=design, survey=asked)), items)

    assert stated(night, old) == stated(old, night, old) == 90
    # A disguised answer adds no combinations.
    assert stated(old, night, late) == 90
    # One open question is no cross, nor are its answers with a disguised one.
    assert [stated(old), stated(old, old), stated(old, late), stated()] == [None] * 4
    for changed in ({"by_invitation": True}, {"practice": True}, {"known_truth": {"old": 0.5}}):
        assert stated(old, night, **changed) is None


def test_forged_rows_show_a_cross_as_the_page_says() -> None:
    """With this many rows, ten for each combination, a cross appears whatever the others answered."""
    version = survey("forged")
    items = tuple(version.to_design().item(key).index for key in ("old", "night"))
    assert forged_rows(version.to_design(), items) == 3 * 3 * 10
    people = (110, 3, 2, 6)
    answer(version, people)
    honest = mined_run(closed(version), EVERYTHING, anew=True)
    assert ("night", "old") not in cells_of(honest)
    assert "90" in " ".join(ledger_note(honest).lines)
    assert "The link was open" in " ".join(ledger_note(honest).lines)
    other = survey("lifted")
    answer(other, people)
    # No one left a question empty, so ten for each of four combinations suffice here.
    answer(other, (10, 10, 10, 10))
    assert cells_of(mined_run(closed(other), EVERYTHING, anew=True))["night", "old"] == 16


def test_one_forged_row_fewer_shows_no_cross_if_each_combination_is_rare() -> None:
    """The stated number suffices whatever the others answered; here it is also needed."""
    cells = [(old, night) for old in (None, 0, 1) for night in (None, 0, 1)]
    shown = []
    for slug, last in (("ninety", 10), ("fewer", 9)):
        version = survey(slug)
        layout = Layout(version.to_design())
        # No honest person gave the last combination.
        honest = [cells[0]] * 100
        forged = [cell for cell in cells[:-1] for _ in range(10)] + [cells[-1]] * last
        rows = [
            layout.pack(Record(direct=False, answers=(cell, (at % 2,)), refused=(False, False)))
            for at, cell in enumerate([*honest, *forged])
        ]
        stored(version, rows)
        run = mined_run(closed(version), EVERYTHING, anew=True)
        shown.append(crosses_of(run))
    assert shown == [{(0, 1): True}, {(0, 1): False}]
