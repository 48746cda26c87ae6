"""The result of an attack, beside chance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["AttackError", "Learnt", "as_lines"]


class AttackError(Exception):
    """An attack that could not be run."""


@dataclass(frozen=True, kw_only=True)
class Learnt:
    """One attack.

    Attributes
    ----------
    attack : str
    tried : str
        Against what, and how often.
    learnt : str
    chance : str
        What somebody who only guesses learns.
    beyond_chance : bool or None
        Whether it learnt more than is promised; None where no promise stands against it, which
        docs/privacy.md says.
    """

    attack: str
    tried: str
    learnt: str
    chance: str
    beyond_chance: bool | None


def as_lines(results: Iterable[Learnt]) -> Iterable[str]:
    """Yield each attack as the command prints it.

    >>> line = Learnt(attack="guess", tried="3 rows", learnt="1 row", chance="1 row", beyond_chance=False)
    >>> list(as_lines([line]))
    ['  holds  guess (3 rows)', '         learnt: 1 row', '         chance: 1 row']
    """
    words = {True: "BROKEN", False: "holds", None: "said"}
    for each in results:
        yield f"{words[each.beyond_chance]:>7}  {each.attack} ({each.tried})"
        yield f"         learnt: {each.learnt}"
        yield f"         chance: {each.chance}"
