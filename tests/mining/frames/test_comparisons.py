"""Comparisons as a table, in words, and as a picture's data."""

import pandas
import pytest

from mining.frames.survey import Survey

OPEN = pandas.DataFrame({"a": [1] * 4 + [0] * 4, "b": [1, 1, 1, 0, 1, 0, 0, 0]})
REPORTS = Survey(blocks={"x": ["c"]}, p=0.5, open=["a", "b"]).on(OPEN.assign(c=0))


def test_comparisons_of_open_answers_match_a_hand_calculation() -> None:
    found = REPORTS.compare("b", by="a")
    table = found.to_frame()
    assert table.estimate.tolist() == pytest.approx([0.75, 0.25, 0.5, 1.5])
    assert table.index.tolist() == ["with a", "without a", "difference", "lift"]
    low, high = found.interval()
    assert (low, high) == (table.low["difference"], table.high["difference"])
    wider = found.interval(0.99)
    assert wider[0] < low < 0 < high < wider[1]
    assert f"p = {found.p_value:.3g}" in found.summary()
    assert "few rows" in found.summary()
    assert "difference 0.5" in repr(found)
    assert "<table" in found._repr_html_()
