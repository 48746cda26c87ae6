"""Pictures of the distribution of a number."""

import itertools
import re

import pytest

from surveys.formats.histogram import BOTTOM, CHARACTER, HEIGHT, TOP, Bar, histogram_svg
from surveys.formats.svg import Axis

pytestmark = pytest.mark.django_db


def test_chart_coordinates_match_the_figures() -> None:
    bars = [
        Bar(name="0", begin="0", share=0.2, low=0.1, high=0.3, shape=0.15),
        Bar(name="1", begin="1", share=-0.05, low=-0.1, high=0.15, shape=0.1),
        Bar(name="3", begin="3", share=0.3, low=0.2, high=0.4, shape=0.25),
    ]
    drawing = histogram_svg(bars, title="t", end="4", unit="u", share="s")
    up = Axis(low=0, high=1, start=HEIGHT - BOTTOM, end=TOP, step=0.25)
    # The axis always covers 0 to 100%. A bar below 0 is drawn at the edge, and its text has only its bound.
    assert all(f">{percent}%</text>" in drawing for percent in (0, 25, 50, 75, 100))
    assert "1: at most 15.0%</title>" in drawing
    for bar in bars:
        assert f'y1="{up.position(bar.low):g}"' in drawing
        assert f'y2="{up.position(bar.high):g}"' in drawing
        assert f'y="{up.position(max(bar.share, 0)):g}"' in drawing
        assert f",{up.position(bar.shape):g}" in drawing
    assert drawing.count("<polyline") == 1
    assert drawing.count("<rect") == 3


@pytest.mark.parametrize(("begins", "end"), [("2024-01-{:02d}", "2024-01-31"), ("{}", "31"), ("{:06d}", "1")])
def test_histogram_labels_never_overlap(begins: str, end: str) -> None:
    for count in (1, 2, 5, 20, 24, 30):
        bars = [
            Bar(name="", begin=begins.format(place + 1), share=0.1, low=0.0, high=0.2, shape=0.1)
            for place in range(count)
        ]
        drawing = histogram_svg(bars, title="t", end=end, unit="u", share="s")
        found = re.findall(
            rf'<text x="([^"]+)" y="{HEIGHT - BOTTOM + 16}"[^>]*anchor="(\w+)">([^<]+)', drawing
        )
        spans = sorted(
            (float(x) - (width := CHARACTER * len(text)) * (0.5 if anchor == "middle" else 1), width)
            for x, anchor, text in found
        )
        assert spans
        for (left, width), (following, _width) in itertools.pairwise(spans):
            assert left + width < following, (count, found)
