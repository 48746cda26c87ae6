"""A question for a place on a map."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from privacy import validation
from privacy.channels import amplification_below
from privacy.errors import PrivacyError
from privacy.scales.skips import Disguise
from privacy.survey.json_members import Shape, members_of, weight_of
from privacy.survey.question import ScaleQuestion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from privacy.arrays import Array
    from privacy.scales.planar_level import PlanarLevel
    from privacy.scales.planar_window import PlanarWindowChannel


_MEMBERS: Final = Shape(("mechanism", "area", "levels", "regions"))
_AREA_MEMBERS: Final = Shape(("west", "south", "east", "north", "columns", "rows"))
_LEVEL_MEMBERS: Final = Shape(("numerator", "denominator", "rectangles", "frames", "snap"), ("tiles",))


class Place(ScaleQuestion):
    """A place on a map."""

    is_map = True
    own_disguise = "PlanarWindowChannel"
    can_be_open = False

    @classmethod
    def read_disguise(cls, document: object) -> Disguise:
        # Imported here, because they need numpy: designs without places load without it.
        from privacy.scales.area import Area
        from privacy.scales.planar_window import PlanarWindowChannel

        members = members_of(document, "place", _MEMBERS)
        levels = tuple(_read_level(level) for level in validation.as_tuple(members["levels"], "levels"))
        area = Area(**members_of(members["area"], "area", _AREA_MEMBERS))
        return PlanarWindowChannel(**members | {"area": area, "levels": levels})

    def _at_epsilon(self, epsilon: float) -> Disguise:
        """Return the disguise at another epsilon.

        A place keeps its windows, so decoys show items with the same probabilities, and "skipped" stays as
        well hidden.
        """
        windows = cast("PlanarWindowChannel", self.scale)
        gamma = amplification_below(epsilon)
        level = replace(windows.levels[0], numerator=gamma.numerator, denominator=gamma.denominator)
        return replace(windows, levels=(level,))

    def part_scores(self, disguise: Any, target: Any) -> tuple[NDArray[Any], Array]:
        from privacy.scales.region_share import region_scores

        if not target or not all(isinstance(box, tuple) for box in target):
            raise PrivacyError("regions.region", target)
        return region_scores(disguise, target)


def _read_level(document: object) -> PlanarLevel:
    from privacy.scales.planar_level import PlanarLevel

    members = members_of(document, "level", _LEVEL_MEMBERS)
    weights = {name: weight_of(members[name], name) for name in ("numerator", "denominator")}
    return PlanarLevel(**members | weights)
