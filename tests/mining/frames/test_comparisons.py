"""Comparisons as a table, in words, and as a picture's data."""

import pandas
import pytest

from mining.frames.plan import one_of
from mining.frames.survey import Survey
from tests.fixtures.refusals import refused

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


def test_a_value_that_no_one_or_everyone_has_is_refused_by_name() -> None:
    """These gave a difference of nan from -1 to 1."""
    reports = REPORTS.__class__(
        design=REPORTS.design,
        packed=REPORTS.packed,
        frame=REPORTS.frame.assign(town=[*"xyxyxyxy"], age=range(8), one=1, mixed=[1, "a"] * 4, c=0),
    )
    assert reports.compare("b", by="town", at="x").n == 8
    assert reports.compare("b", by="mixed", at="a").n == 8
    for at in ("z", ["x"], 1, None.__class__):
        with refused("reports", "'town'"):
            reports.compare("b", by="town", at=at)
    with pytest.raises(ValueError, match="use one of 'x', 'y'"):
        reports.compare("b", by="town", at="z")
    with refused("reports", "'5'", "'age'"):
        reports.compare("b", by="age", at="5")
    with refused("reports", "everyone has 1 in 'one'"):
        reports.compare("b", by="one", at=1)
    job = Survey(blocks={"j": {"job": one_of("p", "q", "r")}}, p=0.5)
    sent = job.on(pandas.DataFrame({"job": [*"pqr"] * 100, "a": [0, 1] * 150}))
    assert sent.compare("a", by="job", at="p").n == 300
    with pytest.raises(ValueError, match="no one has 'z' in 'job'; use one of 'p', 'q', 'r'"):
        sent.compare("a", by="job", at="z")
