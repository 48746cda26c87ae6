"""Our pictures as PDF: a file that readers take, as large as it says, with its lines and letters."""

from __future__ import annotations

import re
import zlib

import pytest

from surveys.charts import svg
from surveys.charts.histogram import Bar, histogram_svg
from surveys.charts.intervals import IntervalRow, shares_svg
from surveys.charts.pdf import pdf_of

BARS = [Bar(name="0", begin="0", share=0.2, low=0.1, high=0.3, shape=0.2)] * 4
PICTURES = {
    "intervals": shares_svg(
        [IntervalRow(name="Late − or 迟到?", text="", value=0.3, low=0.2, high=0.4)],
        title="Rows",
        unit="people",
    ),
    "histogram": histogram_svg(BARS, title="Bars", end="4", unit="u", share="s"),
}


def _content(pdf: bytes) -> str:
    (stream,) = re.findall(rb"stream\n(.*?)\nendstream", pdf, re.DOTALL)
    return zlib.decompress(stream).decode("ascii")


@pytest.mark.parametrize("name", PICTURES)
def test_every_object_begins_where_the_table_says_and_the_page_is_as_wide_as_asked(name: str) -> None:
    pdf = pdf_of(PICTURES[name], millimetres=120)
    start = int(re.findall(rb"startxref\n(\d+)", pdf)[0])
    assert pdf[start : start + 4] == b"xref"
    for number, begin in enumerate(re.findall(rb"(\d{10}) 00000 n", pdf), start=1):
        assert pdf[int(begin) :].startswith(b"%d 0 obj" % number)
    (wide, high) = (float(side) for side in re.findall(rb"MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)[0])
    assert wide == pytest.approx(120 / 25.4 * 72, abs=0.01)
    sides = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', PICTURES[name])[0]
    assert high / wide == pytest.approx(float(sides[1]) / float(sides[0]), abs=1e-4)


@pytest.mark.parametrize("name", PICTURES)
def test_it_holds_each_shape_and_each_text_of_the_picture(name: str) -> None:
    content, picture = _content(pdf_of(PICTURES[name], millimetres=120)), PICTURES[name]
    assert content.count("BT ") == picture.count("<text ")
    assert content.count(" re") == picture.count("<rect ")
    shapes = sum(picture.count(f"<{shape} ") for shape in ("line", "rect", "circle", "polyline", "polygon"))
    assert len(re.findall(r"^[BSf]$", content, re.MULTILINE)) == shapes
    assert content.count("q\n") == content.count("\nQ")


def test_chinese_letters_have_their_font_and_a_minus_one_that_there_is() -> None:
    content = _content(pdf_of(PICTURES["intervals"], millimetres=120))
    assert f"/F2 12 Tf <{'迟到'.encode('utf-16-be').hex()}> Tj" in content
    assert "Late – or ".encode("cp1252").hex() in content


def test_a_path_of_corners_is_drawn_where_its_part_is_and_as_large() -> None:
    picture = svg.drawing(10, 10, title="t")
    ground = picture.add("g", {"transform": "translate(2 8) scale(0.5 -0.5)"})
    ground.add("path", {"d": "M1 2h3v4h-3zM0 0v1", "fill": "#102030"})
    content = _content(pdf_of(svg.rendered(picture), millimetres=10))
    assert "0.5 0 0 -0.5 2 8 cm" in content
    assert "1 2 m\n4 2 l\n4 6 l\n1 6 l\nh\n0 0 m\n0 1 l\nf" in content


@pytest.mark.parametrize(
    ("name", "attributes"),
    [("path", {"d": "M0 0c1 1 2 2 3 3"}), ("ellipse", {"rx": "1"}), ("g", {"transform": "rotate(3)"})],
)
def test_what_has_no_operator_here_is_refused(name: str, attributes: dict[str, str]) -> None:
    picture = svg.drawing(10, 10, title="t")
    picture.add(name, attributes)
    with pytest.raises(ValueError, match=f"no PDF of .*{name}"):
        pdf_of(svg.rendered(picture), millimetres=10)
