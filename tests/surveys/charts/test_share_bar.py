"""The bar of a share: as long as the share, with its interval, cut at the edges and nowhere else."""

from __future__ import annotations

import re

from surveys.charts.share_bar import WIDTH, share_bar


def places(drawing: str, css: str, *names: str) -> list[tuple[float, ...]]:
    """Return the attributes of the parts of a class."""
    parts = re.findall(rf"<[a-z]+ [^>]*class=\"{css}\"[^>]*>", drawing)
    return [tuple(float(re.findall(rf' {name}="([^"]*)"', part)[0]) for name in names) for part in parts]


def test_the_bar_is_as_long_as_the_share_and_the_line_as_the_interval() -> None:
    drawing = share_bar(0.25, 0.125, 0.5, said="a quarter")
    assert "<title>a quarter</title>" in drawing
    inner = WIDTH - 2
    assert places(drawing, "share", "x", "width") == [(1, inner / 4)]
    (reach, *ends) = places(drawing, "reach", "x1", "x2")
    assert reach == (1 + inner / 8, 1 + inner / 2)
    assert ends == [(reach[0], reach[0]), (reach[1], reach[1])]
    assert "truth" not in drawing


def test_the_truth_is_marked() -> None:
    drawing = share_bar(0.5, 0.4, 0.6, said="half", truth=0.75)
    (diamond,) = re.findall(r'points="([\d.]+),', drawing)
    assert float(diamond) == 1 + (WIDTH - 2) * 0.75


def test_what_lies_outside_is_drawn_at_the_edge() -> None:
    drawing = share_bar(-0.1, -0.3, 1.2, said="beyond")
    assert places(drawing, "share", "width") == [(0,)]
    assert places(drawing, "reach", "x1", "x2")[0] == (1, WIDTH - 1)
