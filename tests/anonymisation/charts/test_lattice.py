"""The picture of a lattice: kinds told apart by shape, one mark a place, the way as dashes."""

from xml.dom.minidom import parseString

from anonymisation.charts.lattice import HEIGHT, TOP, WIDTH, Dot, Words, lattice_svg
from tests.fixtures.drawn import assert_readable

WORDS = Words(title="t", loss="lost <", risk="risk", path="way", kinds=("below", "good", "minimal", "chosen"))
DOTS = [
    Dot(loss=0, risk=1, kind="below"),
    Dot(loss=0.5, risk=0.4, kind="good"),
    Dot(loss=0.5, risk=0.4, kind="good"),
    Dot(loss=0.4, risk=0.2, kind="minimal", said="[1, 0]"),
    Dot(loss=0.6, risk=0, kind="chosen", said="[1, 1]"),
]


def test_each_kind_has_a_shape_of_its_own_and_the_way_is_dashed():
    picture = lattice_svg(DOTS, [DOTS[0], DOTS[3], DOTS[4]], WORDS)
    assert_readable(picture)
    drawing = parseString(picture)
    circles = drawing.getElementsByTagName("circle")
    polygons = drawing.getElementsByTagName("polygon")
    # The key has one of each; two alike on one place are drawn once.
    assert sorted(one.getAttribute("r") for one in circles) == ["1.75", "1.75", "3.5", "3.5"]
    assert sorted(len(one.getAttribute("points").split()) for one in polygons) == [3, 3, 4, 4]
    (_key, way) = drawing.getElementsByTagName("polyline")
    assert way.getAttribute("stroke-dasharray")
    assert len(way.getAttribute("points").split()) == 3


def test_what_is_lost_goes_to_the_right_and_what_is_at_risk_upwards():
    drawing = parseString(lattice_svg(DOTS, DOTS[:1], WORDS))
    marks = [one for one in drawing.getElementsByTagName("circle") if float(one.getAttribute("cy")) > 60]
    below, good = ((float(one.getAttribute("cx")), float(one.getAttribute("cy"))) for one in marks)
    assert below[0] < good[0] < WIDTH
    assert TOP <= below[1] < good[1] < HEIGHT
