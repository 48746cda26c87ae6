"""The picture of windows: where they lie, what tells them apart without colour, and the smallest one."""

from xml.dom.minidom import parseString

from privacy.scales.area import Area
from surveys.charts.place_windows import LEAST, PlaceMark, Words, place_windows_svg

AREA = Area(west=0, south=0, east=10**6, north=10**6, columns=1000, rows=1000)
WORDS = Words(title="t <", sensitive="area", window="window", location="place")


def test_a_window_lies_around_its_place_and_is_never_too_small_to_be_seen():
    marks = [
        PlaceMark(number=1, column=500, row=500, window=(400, 400, 200, 200)),
        PlaceMark(number=2, column=10, row=990, window=(10, 990, 1, 1)),
        PlaceMark(number=3, column=999, row=0, window=None),
    ]
    drawing = parseString(place_windows_svg(AREA, [(300, 300, 400, 400)], marks, WORDS))
    boxes = drawing.getElementsByTagName("rect")
    windows = [box for box in boxes if box.getAttribute("fill-opacity")]
    # The third is that of the key.
    assert len(windows) == 3
    assert float(windows[1].getAttribute("width")) == LEAST
    # The area, its key, and the second of two windows that could overlap.
    dashed = [box.getAttribute("stroke-dasharray") for box in boxes if box.getAttribute("stroke-dasharray")]
    assert sorted(dashed) == ["1.5 2.5", "5 3", "5 3"]
    places = drawing.getElementsByTagName("circle")
    for window, place in zip(windows[:2], places, strict=False):
        left, width = (float(window.getAttribute(name)) for name in ("x", "width"))
        assert left <= float(place.getAttribute("cx")) <= left + width
    # Row 0 is in the south: below.
    assert float(places[2].getAttribute("cy")) > float(places[1].getAttribute("cy"))
    assert [text.firstChild.data for text in drawing.getElementsByTagName("text")][:3] == ["1", "2", "3"]
