"""Rotations: whole blocks of which each device asks only some, and positions that ask nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from privacy import validation
from privacy.errors import PrivacyError
from privacy.survey.booklets import Booklets

MOST_WAVES: Final = 24
"""Largest number of waves of a series: monthly waves for two years."""

MOST_BLANKS: Final = MOST_WAVES - 1
"""Largest number of positions of a rotation that ask nothing: one block in a series of most waves."""


@dataclass(frozen=True, kw_only=True)
class Rotation:
    """Blocks of which each device asks some, drawn at random.

    Parameters
    ----------
    blocks : tuple of str
        Keys of protected blocks, at least two.
    parts_per_person : int, 1 to len(blocks) + blanks - 1
        How many of them one device draws. A drawn block whose condition fails is not replaced.
    blanks : int, 0 to MOST_BLANKS
        Positions after the blocks that ask nothing. Series need them, in which a wave can leave a block out
        although there is no other (`privacy.survey.turns`).

    Raises
    ------
    PrivacyError
        ``rotation``, ``questions_per_person``, ``duplicate_key``, ``bad_key``.

    Examples
    --------
    >>> Rotation(blocks=("money", "health", "work"), parts_per_person=2).sets.share_asked((0, 1))
    Fraction(1, 3)

    With one block and one blank, half of the devices are asked the block.

    >>> alone = Rotation(blocks=("money",), parts_per_person=1, blanks=1)
    >>> alone.sets.share_asked((0,)), alone.least_asked
    (Fraction(1, 2), 0)
    """

    blocks: tuple[str, ...]
    parts_per_person: int
    blanks: int = 0

    def __post_init__(self) -> None:
        keys = tuple(
            validation.key(key, "part of a rotation")
            for key in validation.as_tuple(self.blocks, "parts of a rotation")
        )
        blanks = validation.whole_number(
            self.blanks, "blanks of a rotation", low=0, high=MOST_BLANKS, code="rotation"
        )
        object.__setattr__(self, "blanks", blanks)
        if not keys or len(keys) + blanks < 2:
            raise PrivacyError("rotation.parts", keys)
        validation.distinct(keys, "part of a rotation")
        object.__setattr__(self, "blocks", keys)
        object.__setattr__(self, "parts_per_person", self.sets.size)

    @property
    def sets(self) -> Booklets:
        """The sets of blocks from which a device draws one."""
        total = len(self.blocks) + self.blanks
        return Booklets(key="the rotating parts", total=total, size=self.parts_per_person)

    @property
    def least_asked(self) -> int:
        """Smallest number of blocks that one device draws; fewer than ``parts_per_person`` with blanks."""
        return max(self.parts_per_person - self.blanks, 0)


def check_rotations(rotations: Sequence[Rotation], is_protected: Mapping[str, bool]) -> None:
    """Refuse rotations that do not fit the blocks of a design.

    Parameters
    ----------
    rotations : sequence of Rotation
    is_protected : mapping of str to bool
        Whether each block is protected, by its key.

    Raises
    ------
    PrivacyError
        ``rotation``: not a rotation, an unknown or open block, or a block in two rotations.
    """
    seen_keys: set[str] = set()
    for rotation in rotations:
        validation.instance(rotation, "rotation", Rotation)
        for key in rotation.blocks:
            if key not in is_protected:
                raise PrivacyError("rotation.unknown", key, known=", ".join(is_protected))
            if not is_protected[key]:
                raise PrivacyError("rotation.open", key)
            if key in seen_keys:
                raise PrivacyError("rotation.twice", key)
            seen_keys.add(key)
