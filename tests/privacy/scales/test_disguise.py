"""Numbers and places have one face towards designs: questions, number of items, bounds of a decoy."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest

from privacy.channels.channel import ScaleDisguise
from privacy.errors import PrivacyError
from privacy.scales.area import Area
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.window import NumberRange, WindowChannel
from privacy.survey.question import Question

BAND = WindowChannel(
    mechanism="keep", range=NumberRange(low=0, high=2), window=1, cyclic=False,
    floor=1, peak=4, coin=0, lean=0, step=0, spans=((0, 1),),
)  # fmt: skip
LEVEL = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),))
MAP = PlanarWindowChannel(
    mechanism="usm", area=Area(west=0, south=0, east=40, north=10, columns=4, rows=1), levels=(LEVEL,)
)


def test_what_is_asked_and_what_bounds_a_decoy() -> None:
    assert (BAND.kind, BAND.n_declared, BAND.decoy_bound) == ("number", 1, Fraction(5))
    assert (MAP.kind, MAP.n_declared, MAP.decoy_bound) == ("place", 0, Fraction(3))
    assert BAND.domain == replace(BAND, peak=9).domain != replace(BAND, spans=()).domain
    assert MAP.domain == replace(MAP, levels=(replace(LEVEL, numerator=4),)).domain


@pytest.mark.parametrize(("kind", "given"), [("number", MAP), ("place", BAND)])
def test_a_question_takes_its_own_kind_of_disguise_alone(kind: str, given: ScaleDisguise) -> None:
    with pytest.raises(PrivacyError) as refused:
        Question(key="a", kind=kind, options=(), unrelated=(), disguise=given)  # type: ignore[arg-type]
    assert refused.value.code == "disguise"
    # What merely has the name of a kind, as a question has, is no disguise.
    alike = SimpleNamespace(kind=kind, n_declared=0)
    with pytest.raises(PrivacyError) as refused:
        Question(key="a", kind=kind, options=(), unrelated=(), disguise=alike)  # type: ignore[arg-type]
    assert refused.value.code == "disguise"
