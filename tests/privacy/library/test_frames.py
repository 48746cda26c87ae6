"""Reading pandas objects: accepted answers, and refusals that name the value and a remedy."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pandas
import pandas as pd
import pytest

from privacy.errors import PrivacyError
from privacy.estimation.sampling_units import SamplingUnits
from privacy.library.designs import warner
from privacy.library.frames import (
    Picture,
    UnitSums,
    aligned,
    column_weights,
    data_frame,
    level_groups,
    pick,
    plot,
    read_column,
    sampling_units,
    units_of,
)
from privacy.library.shares import prevalence
from tests.fixtures.refusals import refused

YES_NO = ("no", "yes")


def test_missing_or_repeated_columns_of_a_frame_are_refused_by_name() -> None:
    frame = pd.DataFrame([[1, 2, 3]], columns=["a", "b", "b"])
    assert [column.tolist() for column in pick(frame, ["a"])] == [[1]]
    with refused("frame", "2 columns", "'b'"):
        pick(frame, ["a", "b"])
    with refused("frame", "'c'"):
        pick(frame, ["c"])
    with refused("frame", "no row"):
        pick(frame[:0], ["a"])
    with refused("frame", "list"):
        pick([[1]], ["a"])  # type: ignore[arg-type]


def test_a_record_with_a_missing_value_is_refused_with_its_row() -> None:
    frame = pd.DataFrame({"age": [30, None, 40]}, index=["x", "y", "z"])
    with refused("frame", "'age'", "1 of 3", "'y'"):
        read_column(frame, "age")


@pytest.mark.soak
def test_pandas_is_imported_only_when_needed() -> None:
    program = """
import sys
import privacy
from privacy.risk import risk
assert privacy.prevalence({"yes": 60, "no": 40}, privacy.warner(p=.7)).n == 100
assert risk(privacy.warner(p=.7)).epsilon < 1
assert "pandas" not in sys.modules, "pandas"
privacy.distribution({"yes": 60, "no": 40}, privacy.warner(p=.7))
assert "pandas" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)


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


def test_values_of_columns_form_groups_up_to_twenty_values() -> None:
    few = pd.Series(["x", "y", "x"], name="town")
    many = pd.Series(range(21), name="street")
    assert set(level_groups([few])) == {"town = x", "town = y"}
    assert level_groups([many]) == {}
    assert len(level_groups([many[:20]])) == 20
    assert len(level_groups([many], most=21)) == 21


def test_values_given_for_each_row_belong_to_its_label_or_place() -> None:
    rows = pd.Series(["yes", "no", "yes"], index=["ann", "bob", "cy"])
    labelled = pd.Series([1.0, 2.0, 3.0, 9.0], index=["cy", "ann", "bob", "dee"])
    assert aligned(labelled, rows, "weights").tolist() == [2.0, 3.0, 1.0]
    assert aligned((5, 6, 7), rows, "weights").tolist() == [5, 6, 7]
    assert aligned(labelled, rows, "weights").name == "weights"
    for wrong, code in (
        ([1, 2], "answers"),
        (5, "answers"),
        ({"ann": 1}, "answers"),
        ("abc", "answers"),
        ([[1, 2, 3]], "answers"),
        (pd.Series([1.0, 2.0], index=["ann", "bob"]), "answers"),
        (pd.Series([1.0, 2.0, 3.0], index=["ann", "ann", "bob"]), "answers"),
    ):
        with refused(code):
            aligned(wrong, rows, "weights")


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


def test_weights_from_a_millionth_of_a_millionth_to_its_inverse_are_read() -> None:
    frame = pd.DataFrame({"w": [1e-12, 1.0, 1e12], "text": ["a", "b", "c"]}, index=["x", "y", "z"])
    assert column_weights(frame, "w").tolist() == [1e-12, 1.0, 1e12]
    for weight in (0.9e-12, 1.1e12, 0.0, -1.0):
        with refused("regression", "'z'"):
            column_weights(frame.assign(w=[1.0, 2.0, weight]), "w")
    with refused("regression", "text"):
        column_weights(frame, "text")


SCORES = np.array([[1.0, 0, 0, 1, 1], [0.0, 1, 1, 0, 0]])


def test_rows_are_summed_into_units() -> None:
    """Weights 1, 2, 1, 3, 1: (sum)^2 / sum of squares = 64/16."""
    codes, mass = np.array([0, 1, 1, 0, 0]), np.array([1.0, 2, 1, 3, 1])
    plain = UnitSums.of(SCORES, codes, None, None)
    assert (plain.scores.tolist(), plain.base.tolist()) == (SCORES.tolist(), [1] * 5)
    assert (plain.clusters, plain.effective_n, plain.smallest_cell, plain.respondents) == (None, 5, 2, 5)
    weighted = UnitSums.of(SCORES, codes, mass, None)
    assert weighted.scores.tolist() == [[1, 0, 0, 3, 1], [0, 2, 1, 0, 0]]
    assert (weighted.base.tolist(), weighted.effective_n) == ([1, 2, 1, 3, 1], 4)
    assert weighted.clusters is not None
    assert weighted.counts.tolist() == [1] * 5
    clustered = UnitSums.of(SCORES, codes, mass, SamplingUnits(members=np.array([0, 0, 1, 1, 1])))
    assert clustered.scores.tolist() == [[1, 4], [2, 1]]
    assert clustered.base.tolist() == [3, 5]
    assert clustered.clusters is not None
    assert clustered.clusters.count == 2


def test_clusters_and_strata_are_columns_of_the_table() -> None:
    frame = pd.DataFrame({"town": [*"aabcdefghij"], "region": [*"xxxxxyyyyyy"]})
    assert units_of(frame, None, None) is None
    both = units_of(frame, "town", "region")
    assert both is not None
    assert both.members.tolist() == [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert both.strata is not None
    assert both.strata.tolist() == [0] * 4 + [1] * 6
    towns, rows = units_of(frame, "town", None), units_of(frame, None, "region")
    assert towns is not None
    assert rows is not None
    assert (towns.members.tolist(), towns.strata) == (both.members.tolist(), None)
    assert rows.members.tolist() == [*range(11)]
    assert rows.strata is not None
    assert rows.strata.tolist() == [0] * 5 + [1] * 6


def test_rows_without_a_cluster_or_stratum_are_counted() -> None:
    town, region = pd.Series([*"aabcdefghijk"], name="town"), pd.Series([*"xxxxxxyyyyyy"], name="region")
    with refused("clusters", "town"):
        sampling_units(town.where(town != "b"), None)
    with pytest.raises(PrivacyError) as found:
        sampling_units(town.where(~town.isin(["b", "c"])), None)
    assert found.value.fields["missing"] == 2
    assert found.value.fields["count"] == 9
    with pytest.raises(PrivacyError) as found:
        sampling_units(None, region.where(region != "x"))
    assert found.value.fields["missing"] == 6
    with pytest.raises(PrivacyError) as found:
        sampling_units(town, region.where(region.index != 0, "y"))
    assert found.value.case == "clusters.two_strata"
    assert found.value.value == "a"
    with pytest.raises(PrivacyError) as found:
        sampling_units(None, region.where(region.index != 0, "z"))
    assert (found.value.case, found.value.value) == ("clusters.lone", "z")
