"""Two sets of reports are compared in one share or mean."""

import numpy as np
import pandas
import pytest

from mining.frames.reports import Reports
from mining.frames.survey import Survey
from mining.frames.waves import TwoWaves
from tests.fixtures.refusals import refused

SURVEY = Survey(blocks={"a": ["cheat"], "b": ["late"]}, p=0.6)


def reports(n: int, cheat: float, seed: int) -> Reports:
    rng = np.random.default_rng(seed)
    people = pandas.DataFrame({"cheat": rng.random(n) < cheat, "late": rng.random(n) < 0.3}).astype(int)
    return SURVEY.on(SURVEY.disguise(people, seed=seed))


def test_the_change_of_two_waves_is_that_of_both_shares() -> None:
    before, after = reports(800, 0.2, 1), reports(600, 0.3, 2)
    found = before.compare(after, "cheat")
    assert isinstance(found, TwoWaves)
    one, two = before.share("cheat"), after.share("cheat")
    assert found.value == pytest.approx(two.value - one.value)
    assert found.standard_error == pytest.approx(np.hypot(one.standard_error, two.standard_error))
    table = found.to_frame()
    assert list(table.index) == ["before", "after", "change", "change, answers opposed"]
    assert (table.low["change"], table.high["change"]) == found.interval()
    assert table.n.tolist() == [800, 600, 600, 600]
    assert set(table.level) == {0.95}
    assert table.low["change, answers opposed"] <= table.low["change"]
    assert "negatively related" in found.summary()
    assert "change of share of cheat" in repr(found)


def test_too_few_answers_print_no_change() -> None:
    found = reports(20, 0.5, 3).compare(reports(400, 0.3, 4), "cheat")
    assert found.interval() == (-1.0, 1.0)
    assert set(found.to_frame().basis[["before", "change"]]) == {"too few"}


def test_a_change_names_one_question_of_both() -> None:
    before, after = reports(100, 0.2, 5), reports(100, 0.2, 6)
    with refused("reports"):
        before.compare(after)  # type: ignore[call-overload]
    with refused("reports"):
        before.compare(after, "cheat", at_least_one=["cheat", "late"])  # type: ignore[call-overload]
    with refused("unknown_item", "lost"):
        before.compare(after, "lost")


def test_a_change_of_few_answers_is_printed_as_bounds() -> None:
    """It was printed as a number, without n, where its interval contains every possible change."""
    survey = Survey(blocks={"b": ["cheat"]}, p=0.5)
    few = survey.on(pandas.DataFrame({"cheat": [1, 0] * 6}))
    text = repr(few.compare(few, "cheat"))
    assert text == "<change of share of cheat: too few answers to say: -1 to 1, n = 12 and 12>"


def test_a_summary_names_its_level() -> None:
    found = reports(400, 0.2, 1).compare(reports(400, 0.3, 2), "cheat")
    assert isinstance(found, TwoWaves)
    assert found.summary().splitlines()[0].endswith(", 95% intervals")
    assert found.summary(0.9).splitlines()[0].endswith(", 90% intervals")
