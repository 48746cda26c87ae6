"""Tables keep their index, and a picture draws the points and ends that its table states."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pandas
import pytest

from privacy.errors import PrivacyError
from privacy.library.designs import warner
from privacy.library.shares import prevalence
from privacy.library.shown_tables import Picture, data_frame, plot
from tests.fixtures.refusals import refused


def test_tables_have_the_given_index_and_what_is_about_them() -> None:
    plain = data_frame({"share": [0.1, 0.2]})
    assert (plain.index.tolist(), plain.attrs) == ([0, 1], {})
    named = data_frame({"share": [0.1, 0.2]}, index=["a", "b"], name="who", about={"method": "kept"})
    assert (named.index.tolist(), named.index.name) == (["a", "b"], "who")
    assert named.attrs == {"about": {"method": "kept"}}
    levels = data_frame({"share": [0.1, 0.2]}, index=[("a", 1), ("b", 2)], name=["who", "wave"])
    assert (levels.index.nlevels, list(levels.index.names)) == (2, ["who", "wave"])
    assert data_frame({"share": []}, index=[]).empty


def test_notebooks_show_a_picture_and_programs_its_title() -> None:
    picture = Picture("<svg><title>Three shares</title></svg>")
    assert picture._repr_svg_() == "<svg><title>Three shares</title></svg>"
    assert repr(picture) == "<picture of Three shares>"


FIGURE = prevalence({"yes": 40, "no": 60}, warner(p=0.7))


def test_a_table_and_its_picture_agree() -> None:
    table = FIGURE.to_frame()
    assert table.columns.tolist() == [
        "estimate", "standard_error", "low", "high", "n", "effective_n", "level", "basis", "unclipped",
    ]  # fmt: skip
    assert "<table" in FIGURE._repr_html_()
    picture = FIGURE.plot(level=0.9)
    assert picture._repr_svg_() == picture == plot(FIGURE.to_frame(0.9))
    assert FIGURE.name in picture


def drawn(table: pandas.DataFrame) -> tuple[dict[float, float], list[tuple[float, float, float]]]:
    """Return ticks by position, and the ends and point of each row, if any."""
    root = ET.fromstring(plot(table))
    space = "{http://www.w3.org/2000/svg}"
    texts = [(own.get("text-anchor"), float(own.get("x")), own.text) for own in root.iter(f"{space}text")]
    ticks = {
        x: float(text) for anchor, x, text in texts if anchor == "middle" and re.match(r"-?[\d.]+", text)
    }
    points = {own.get("cy"): float(own.get("cx")) for own in root.iter(f"{space}circle")}
    ends = [
        (float(own.get("x1")), float(own.get("x2")), points.get(own.get("y1"), np.nan))
        for own in root.iter(f"{space}line")
        if own.get("stroke-width")
    ]
    return ticks, ends


@pytest.mark.parametrize("name", ["share", "odds_ratio"])
def test_points_and_interval_ends_are_plotted_at_their_values(name: str) -> None:
    figures = {"low": [0.2, 1.5, 0.0], "high": [0.8, 4.0, np.inf]}
    table = pandas.DataFrame({name: [0.5, 2.0, np.nan], **figures}, index=["a", "<b>", "工作"])
    ticks, rows = drawn(table)
    of = np.log if name == "odds_ratio" else np.asarray
    values = of(np.array(list(ticks.values())))
    slope, start = np.polyfit(values, list(ticks), 1)
    for row, (low, high, value) in zip(table.itertuples(), rows[:2], strict=False):
        assert [low, high, value] == pytest.approx(
            [start + slope * of(own) for own in (row.low, row.high, row[1])], abs=1
        )
    low, high, value = rows[2]
    assert np.isnan(value)
    assert high == max(ticks)
    assert low >= min(ticks)
    same = pandas.DataFrame({name: [1.0], "low": [1.0], "high": [1.0]})
    assert len({*drawn(same)[1][0]}) == 1


def test_a_result_is_drawn_like_its_table() -> None:
    assert plot(FIGURE) == plot(FIGURE.to_frame())


def test_a_table_without_intervals_or_rows_is_refused() -> None:
    for table in (pandas.DataFrame({"share": [0.5]}), FIGURE.to_frame().iloc[:0]):
        with refused("plot", table.columns[0]):
            plot(table)
    with pytest.raises(PrivacyError, match="str is not a DataFrame"):
        plot("nonsense")  # type: ignore[arg-type]  # of someone who does not check types
