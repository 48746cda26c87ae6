"""A question for a number in a range."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from privacy.errors import PrivacyError
from privacy.scales.skips import Disguise
from privacy.survey.composite import Composite
from privacy.survey.json_members import Shape, members_of, weight_of
from privacy.survey.question import ScaleQuestion, Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from privacy.arrays import Array
    from privacy.scales.window import WindowChannel


_MEMBERS: Final = Shape(
    ("mechanism", "range", "window", "cyclic", "floor", "peak", "coin", "lean", "step", "spans")
)
_RANGE_MEMBERS: Final = Shape(("low", "high", "decimals", "bin"), ("calendar",))


class Number(ScaleQuestion):
    """A number in a range."""

    has_mean = True
    own_disguise = "WindowChannel"
    can_be_computed = True

    @classmethod
    def read_disguise(cls, document: object) -> Disguise:
        # Imported here, because they need numpy: designs without numbers load without it.
        from privacy.scales.number_range import NumberRange
        from privacy.scales.window import WindowChannel

        members = members_of(document, "number", _MEMBERS)
        weights = {name: weight_of(members[name], name) for name in ("floor", "peak", "coin", "lean", "step")}
        values = NumberRange(**members_of(members["range"], "range", _RANGE_MEMBERS))
        return WindowChannel(**members | weights | {"range": values})

    @property
    def has_lighter(self) -> bool:
        from privacy.scales.numeric_mechanisms import BY_EPSILON

        return self.scale.mechanism in BY_EPSILON and super().has_lighter

    def _at_epsilon(self, epsilon: float) -> Disguise:
        """Return the disguise at another epsilon; the mechanism narrows its window as epsilon grows."""
        from privacy.scales.numeric_mechanisms import BY_EPSILON

        channel = cast("WindowChannel", self.scale)
        return replace(BY_EPSILON[channel.mechanism](channel.range, epsilon), spans=channel.spans)

    def part_scores(self, disguise: Any, target: Any) -> tuple[NDArray[Any], Array]:
        from privacy.scales.decoded_numbers import part_scores

        return part_scores(disguise, target)

    def _check_levels(self, rule: Composite) -> None:
        if rule.levels:
            raise PrivacyError("computed.number_levels", len(rule.levels), key=self.key)
        values = cast(Any, self.scale).range
        if values.decimals or values.calendar is not None:
            raise PrivacyError("computed.number_whole", values.decimals, key=self.key)
        low, high = rule.reach.sums[0], rule.reach.sums[-1]
        if low < values.low or high > values.high:
            raise PrivacyError(
                "computed.number_range", values.low, key=self.key, low=low, high=high, end=values.high
            )

    def level_ends(self, count: int) -> tuple[tuple[str, str], ...]:
        """Return the first and the last number of levels of about equally many bins.

        Examples
        --------
        >>> from privacy.scales.numeric_mechanisms import square_wave
        >>> from privacy.scales.number_range import NumberRange
        >>> wave = square_wave(NumberRange(low=0, high=40), 1.0)
        >>> Number(key="hours", kind="number", options=(), unrelated=(), disguise=wave).level_ends(3)
        (('0', '12'), ('13', '26'), ('27', '40'))
        """
        values = cast(Any, self.scale).range
        if values.bins < count:
            return ()
        starts = [values.low + values.bins * part // count * values.bin for part in range(count + 1)]
        return tuple((values.text(start), values.text(end - 1)) for start, end in itertools.pairwise(starts))

    def computed_value(self, answer: str | int) -> Value:
        values = cast(Any, self.scale).range
        return int((cast(int, answer) - values.low) // values.bin)
