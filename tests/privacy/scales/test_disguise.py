"""What numbers and places have in common as disguises."""

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest

from privacy.errors import PrivacyError
from privacy.scales.area import Area
from privacy.scales.disguise import ScaleDisguise
from privacy.scales.number_range import NumberRange
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.window import WindowChannel
from privacy.survey.question import Question

BAND = WindowChannel(
    mechanism="keep", range=NumberRange(low=0, high=2), window=1, cyclic=False,
    floor=1, peak=4, coin=0, lean=0, step=0, spans=((0, 1),),
)  # fmt: skip
LEVEL = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),))
MAP = PlanarWindowChannel(
    mechanism="usm", area=Area(west=0, south=0, east=40, north=10, columns=4, rows=1), levels=(LEVEL,)
)


def test_bands_and_maps_report_their_items_and_decoy_bound() -> None:
    assert (BAND.n_declared, BAND.decoy_bound) == (1, Fraction(5))
    assert (MAP.n_declared, MAP.decoy_bound) == (0, Fraction(3))
    assert BAND.domain == replace(BAND, peak=9).domain != replace(BAND, spans=()).domain
    assert MAP.domain == replace(MAP, levels=(replace(LEVEL, numerator=4),)).domain


@pytest.mark.parametrize(("kind", "given"), [("number", MAP), ("place", BAND)])
def test_questions_accept_only_disguises_of_their_own_kind(kind: str, given: ScaleDisguise) -> None:
    with pytest.raises(PrivacyError) as refused:
        Question(key="a", kind=kind, options=(), unrelated=(), disguise=given)  # type: ignore[arg-type]
    assert refused.value.code == "disguise"
    # An object with the right attributes, such as a question, is not a disguise.
    alike = SimpleNamespace(kind=kind, n_declared=0)
    with pytest.raises(PrivacyError) as refused:
        Question(key="a", kind=kind, options=(), unrelated=(), disguise=alike)  # type: ignore[arg-type]
    assert refused.value.code == "disguise"


def test_numbers_have_no_exact_places_outside_their_levels() -> None:
    assert (BAND.exact_outside, BAND.is_exact_in(((0, 1),))) == (False, False)
    assert (MAP.exact_outside, MAP.is_as_answered, MAP.sends_the_answer) == (True, False, False)
    assert [MAP.is_exact_in(((left, 0, 1, 1),)) for left in range(4)] == [False, False, True, True]
