"""Outcomes of a place that can be compared: its regions."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from privacy.estimation.composed_parts import Part, Side
from privacy.scales.planar_window import PlanarWindowChannel, Region
from surveys.questionnaire.labels import answer_name
from surveys.report.results.choice import Choice, ScaleNames
from surveys.runs.places import regions_of


def place_choices(names: ScaleNames, windows: PlanarWindowChannel) -> Iterator[Choice]:
    """Yield the declared regions of a map, then its sensitive areas."""
    regions = regions_of(windows)
    choices: list[tuple[str, str, Region]] = [
        (label.key, label.option, region) for label, region in zip(names.items, regions.declared, strict=True)
    ]
    choices += [
        (f"{names.key}=sensitive-{position}", _("sensitive place %(place)s") % {"place": position}, region)
        for position, region in enumerate(regions.sensitive, start=1)
    ]
    for region_key, name, region in choices:
        yield Choice(
            key=region_key,
            name=answer_name(names.title, name),
            phrase=names.phrase(_("“%(question)s” %(answer)s"), answer=name),
            group=names.text,
            side=Side(parts=(Part(question=names.number, target=region),)),
        )
