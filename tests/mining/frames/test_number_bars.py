"""The histogram of a number has named bars whose shares sum to 1, and none if there are too few people."""

import pandas
import pytest

import sottovoce

SURVEY = sottovoce.Survey(blocks={"pay": sottovoce.number(low=0, high=79, bin=10, epsilon=3)})


def test_bars_cover_the_range_and_their_shares_sum_to_one() -> None:
    truth = pandas.DataFrame({"pay": [number % 80 for number in range(2_000)]})
    bars = SURVEY.on(SURVEY.disguise(truth, seed=1)).histogram("pay")
    assert bars.index[0].startswith("0–")
    assert bars.index[-1].endswith("–79")
    assert bars.share.sum() == pytest.approx(1)
    assert (bars.low < bars.share).all()
    assert bars.index.name == "pay"


def test_too_few_people_have_no_bars() -> None:
    bars = SURVEY.on(SURVEY.disguise(pandas.DataFrame({"pay": [10] * 5}), seed=1)).histogram("pay")
    assert len(bars) == 0
    assert list(bars.columns)[:4] == ["share", "standard_error", "low", "high"]
