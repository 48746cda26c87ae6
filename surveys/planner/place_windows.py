"""The windows of a draft's places on their map, after figure 1 of Feng and Zhu, beside their table."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.risk.sentences import percent
from privacy.scales.planar_examples import PlaceExample, place_examples
from privacy.scales.planar_window import PlanarWindowChannel
from surveys.charts.place_windows import PlaceMark, Words, place_windows_svg
from surveys.formats.figures import number
from surveys.questionnaire.definition import Definition

__all__ = ["PlaceWindows", "WindowRow", "draft_windows"]


@dataclass(frozen=True, kw_only=True)
class WindowRow:
    """One place of the picture; all texts, `level` empty where there is only one."""

    number: int
    where: str
    level: str
    window: str
    near: str
    inside: str


@dataclass(frozen=True, kw_only=True)
class PlaceWindows:
    """The picture of one question and its rows."""

    key: str
    picture: SafeString
    rows: tuple[WindowRow, ...]
    several_levels: bool
    may_be_skipped: bool


def draft_windows(definition: Definition) -> tuple[PlaceWindows, ...]:
    """Return the windows of each place of a draft that is disguised, by the figures of its own design."""
    return tuple(
        _windows(block.questions[0].key, block.disguise, may_be_skipped=block.skipping is not None)
        for block in definition.design.blocks
        if block.protected and block.is_scale and isinstance(block.disguise, PlanarWindowChannel)
    )


def _windows(key: str, windows: PlanarWindowChannel, *, may_be_skipped: bool) -> PlaceWindows:
    examples = place_examples(windows)
    sensitive = [box for level in windows.levels for box in level.rectangles]
    words = Words(
        title=_("Sensitive areas and windows of “%(name)s”") % {"name": key},
        sensitive=_("sensitive area") if windows.exact_outside else _("all of the map is sensitive"),
        window=_("window: most reports come from it"),
        location=_("a place, by its number in the table"),
    )
    marks = [
        PlaceMark(number=position, column=example.column, row=example.row, window=example.window)
        for position, example in enumerate(examples, start=1)
    ]
    return PlaceWindows(
        key=key,
        picture=place_windows_svg(windows.area, sensitive, marks, words),
        rows=tuple(_row(position, example, windows) for position, example in enumerate(examples, start=1)),
        several_levels=len(windows.levels) > 1,
        may_be_skipped=may_be_skipped,
    )


def _row(position: int, example: PlaceExample, windows: PlanarWindowChannel) -> WindowRow:
    where = {
        "middle": _("in the middle of a sensitive area"),
        "edge": _("at its edge"),
        "outside": _("outside: sent as it is, or exchanged"),
    }
    size = "–"
    if example.window is not None:
        across, up = windows.area.cell_metres
        size = _("%(across)s × %(up)s m") % {
            "across": number(example.window[2] * across, 0),
            "up": number(example.window[3] * up, 0),
        }
    return WindowRow(
        number=position,
        where=where[example.where],
        level="–" if example.level is None else str(example.level + 1),
        window=size,
        near=percent(float(example.near)),
        inside=percent(float(example.inside)),
    )
