"""Form of a rule of one's own over parts of numbers and places, and items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.errors import PrivacyError
from privacy.estimation.composed_parts import Part, Side
from privacy.scales.place_specification import cells_of, degrees_of
from privacy.scales.planar_window import PlanarWindowChannel, Region
from privacy.scales.window import WindowChannel
from privacy.survey.design import Design
from surveys.errors.core_refusals import sentences
from surveys.errors.error import SurveyError
from surveys.figures.scales.place_estimates import regions_of
from surveys.questionnaire.labels import Labels

__all__ = ["JoinForm", "Named", "ScalePart", "region_names"]

LEFT: Final = "left"
RIGHT: Final = "right"
BOX: Final = "box"
EDGES: Final = {
    "west": gettext_lazy("west"),
    "south": gettext_lazy("south"),
    "east": gettext_lazy("east"),
    "north": gettext_lazy("north"),
}


@dataclass(frozen=True, kw_only=True)
class Named:
    """One side of a rule, what pages call it, and its parts as files write them in any language."""

    side: Side
    name: str
    keys: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class _NamedPart:
    part: Part
    name: str
    key: str


@dataclass(frozen=True, kw_only=True)
class ScalePart:
    """The fields of one number or place in the form."""

    key: str
    text: str
    unit: str
    bounds: str
    side: forms.BoundField
    fields: tuple[forms.BoundField, ...]
    box: tuple[forms.BoundField, ...]


def region_names(windows: PlanarWindowChannel, names: Mapping[str, str]) -> list[tuple[str, str, Region]]:
    """Return key, name and cells of each region of a map; `names` are of the declared ones, in order."""
    regions = regions_of(windows)
    declared = [
        (key, name, region) for (key, name), region in zip(names.items(), regions.declared, strict=True)
    ]
    others = [
        (f"sensitive-{position}", _("sensitive place %(place)s") % {"place": position}, region)
        for position, region in enumerate(regions.sensitive, start=1)
    ]
    return declared + others


class JoinForm(forms.Form):
    """Both sides of a rule: for each number and place a part, and items."""

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        design: Design,
        labels: Labels,
        texts: Mapping[int, tuple[str, str]],
    ) -> None:
        super().__init__(data)
        self.design, self.labels, self.texts = design, labels, texts
        self.regions: dict[int, list[tuple[str, str, Region]]] = {}
        items = [
            (str(item.index), item.short)
            for item in labels.items
            if not design.questions[design.items[item.index].question].is_scale
        ]
        for side, label in ((LEFT, _("Items of the left side")), (RIGHT, _("Items of the right side"))):
            self.fields[side] = forms.MultipleChoiceField(
                label=label,
                choices=items,
                required=False,
                widget=forms.SelectMultiple(attrs={"size": min(6, max(2, len(items)))}),
            )
        for number in texts:
            self._add_part(number)

    def _add_part(self, number: int) -> None:
        question = self.design.questions[number]
        self.fields[f"side-{number}"] = forms.ChoiceField(
            label=_("Side"),
            choices=(("", _("left out")), (LEFT, _("left side")), (RIGHT, _("right side"))),
            required=False,
        )
        if isinstance(question.disguise, WindowChannel):
            for name, label in (("from", _("from")), ("to", _("to"))):
                self.fields[f"{name}-{number}"] = forms.CharField(label=label, required=False, max_length=30)
        elif isinstance(question.disguise, PlanarWindowChannel):
            names = {
                item.key: item.option
                for item in self.labels.items
                if self.design.items[item.index].question == number
            }
            self.regions[number] = region_names(question.disguise, names)
            self.fields[f"region-{number}"] = forms.ChoiceField(
                label=_("in"),
                choices=[(key, name) for key, name, _region in self.regions[number]]
                + [(BOX, _("the rectangle below"))],
                required=False,
            )
            for edge, word in EDGES.items():
                self.fields[f"{edge}-{number}"] = forms.FloatField(label=word, required=False)

    def parts(self) -> Iterator[ScalePart]:
        """Yield the fields of each number and place."""
        for number, (text, unit) in self.texts.items():
            question = self.design.questions[number]
            bounds, names, box = "", [f"region-{number}"], [f"{edge}-{number}" for edge in EDGES]
            if isinstance(question.disguise, WindowChannel):
                ticks = question.disguise.range
                bounds = _("%(low)s to %(high)s, in whole bins") % {
                    "low": ticks.text(ticks.low),
                    "high": ticks.text(ticks.high),
                }
                names, box = [f"from-{number}", f"to-{number}"], []
            yield ScalePart(
                key=question.key,
                text=text,
                unit=unit,
                bounds=bounds,
                side=self[f"side-{number}"],
                fields=tuple(self[name] for name in names),
                box=tuple(self[name] for name in box),
            )

    def clean(self) -> dict[str, Any]:
        """Read both sides; what cannot be read is said beside its field."""
        given = super().clean() or {}
        named_parts: dict[str, list[_NamedPart]] = {LEFT: [], RIGHT: []}
        for number in self.texts:
            side = given.get(f"side-{number}")
            if not side:
                continue
            if self._lacks_edges(number, given):
                self.add_error(f"region-{number}", _("Give all four edges of the rectangle."))
                continue
            try:
                named_parts[side].append(self._part(number, given))
            except PrivacyError as error:
                self._say(number, error)
        self.sides = {side: self._named(side, parts, given) for side, parts in named_parts.items()}
        if not self.errors and not all(named.side for named in self.sides.values()):
            self.add_error(None, _("Put a part or an item on each side."))
        return given

    def address(self) -> str:
        """Return the rule as the query of an address: what was filled in, and takes part.

        Only of a form that is valid.
        """
        given = self.cleaned_data
        filled = [(side, item) for side in (LEFT, RIGHT) for item in given[side]]
        for number in self.texts:
            names = [f"side-{number}", f"from-{number}", f"to-{number}", f"region-{number}"]
            if given.get(f"region-{number}") == BOX:
                names += [f"{edge}-{number}" for edge in EDGES]
            if given[f"side-{number}"]:
                filled += [(name, given[name]) for name in names if given.get(name) not in (None, "")]
        return urlencode(filled)

    def _named(self, side: str, parts: list[_NamedPart], given: Mapping[str, Any]) -> Named:
        items = tuple(sorted(int(item) for item in given.get(side) or ()))
        labels = [self.labels.items[item] for item in items]
        return Named(
            side=Side(items=items, parts=tuple(each.part for each in parts)),
            name=", ".join([each.name for each in parts] + [label.short for label in labels]),
            keys=tuple([each.key for each in parts] + [label.key for label in labels]),
        )

    def _say(self, number: int, error: PrivacyError) -> None:
        if number in self.regions:
            words = _(
                "Give a rectangle on the map, larger than a cell, west below east and south below north."
            )
            self.add_error(f"region-{number}", words)
        else:
            self.add_error(f"side-{number}", sentences(error))

    def _lacks_edges(self, number: int, given: Mapping[str, Any]) -> bool:
        return given.get(f"region-{number}") == BOX and None in (
            given.get(f"{edge}-{number}") for edge in EDGES
        )

    def _part(self, number: int, given: Mapping[str, Any]) -> _NamedPart:
        question = self.design.questions[number]
        disguise = question.disguise
        if isinstance(disguise, WindowChannel):
            ticks = disguise.range
            texts = [given.get(f"{name}-{number}") or "" for name in ("from", "to")]
            first = ticks.bin_of(texts[0]) if texts[0] else 0
            last = ticks.bin_of(texts[1]) if texts[1] else ticks.bins - 1
            low = ticks.text(ticks.low + first * ticks.bin)
            high = ticks.text(ticks.low + (last + 1) * ticks.bin - 1)
            name = _("%(question)s from %(low)s to %(high)s") % {
                "question": question.key,
                "low": low,
                "high": high,
            }
            part = Part(question=number, wanted=(first, last))
            return _NamedPart(part=part, name=name, key=f"{question.key}={low}..{high}")
        region = given.get(f"region-{number}")
        for key, name, cells in self.regions[number]:
            if key == region:
                return _NamedPart(
                    part=Part(question=number, wanted=cells),
                    name=f"{question.key}: {name}",
                    key=f"{question.key}={key.removeprefix(f'{question.key}=')}",
                )
        windows = disguise
        if not isinstance(windows, PlanarWindowChannel):
            raise SurveyError("kind.place", question=question.key)
        edges = {edge: given.get(f"{edge}-{number}") for edge in EDGES}
        box = cells_of(windows.area, edges)
        name = _("%(question)s: %(columns)s × %(rows)s cells") % {
            "question": question.key,
            "columns": box[2],
            "rows": box[3],
        }
        corners = ",".join(f"{edge:.7f}" for edge in degrees_of(windows.area, box).values())
        part = Part(question=number, wanted=(box,))
        return _NamedPart(part=part, name=name, key=f"{question.key}={corners}")
