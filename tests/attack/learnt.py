"""The result of an attack, compared with guessing."""

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["AttackError", "Learnt", "as_lines"]


class AttackError(Exception):
    """An attack could not be run."""


@dataclass(frozen=True, kw_only=True)
class Learnt:
    """The result of one attack.

    Attributes
    ----------
    attack : str
    tried : str
        Target, and number of tries.
    learnt : str
    chance : str
        Expected result of guessing.
    beyond_chance : bool or None
        Whether the attack learnt more than promised; None if docs/privacy.md makes no promise against it.
    """

    attack: str
    tried: str
    learnt: str
    chance: str
    beyond_chance: bool | None


def as_lines(results: Iterable[Learnt]) -> Iterable[str]:
    """Yield each result as the command prints it.

    >>> line = Learnt(attack="guess", tried="3 rows", learnt="1 row", chance="1 row", beyond_chance=False)
    >>> list(as_lines([line]))
    ['  holds  guess (3 rows)', '         learnt: 1 row', '         chance: 1 row']
    """
    words = {True: "BROKEN", False: "holds", None: "said"}
    for each in results:
        yield f"{words[each.beyond_chance]:>7}  {each.attack} ({each.tried})"
        yield f"         learnt: {each.learnt}"
        yield f"         chance: {each.chance}"
