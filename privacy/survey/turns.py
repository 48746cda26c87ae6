"""Turns: which blocks a person is asked in one wave of a series, by the person's invitation code or number.

Each block is asked in one wave only. A device computes the turn itself, so nobody can choose it after the
person has the code or number. All waves follow from the same code or number.
"""

from __future__ import annotations

import hashlib
import math
from typing import Final

from privacy import validation
from privacy.survey.booklets import Booklet
from privacy.survey.rotation import MOST_WAVES, Rotation

_PROTOCOL: Final = "sottovoce-turn-1"


def rotation_of_waves(blocks: tuple[str, ...], waves: int) -> Rotation:
    """Return the rotation of one wave in which each block is asked in one of several waves.

    Parameters
    ----------
    blocks : tuple of str
        Keys of the protected blocks, at least one.
    waves : int
        Number of waves, at least 2.

    Notes
    -----
    Each wave asks ceil(B / W) of B blocks; blanks make up the rest, so that all waves are equal.

    Examples
    --------
    >>> rotation_of_waves(("money",), 3)
    Rotation(blocks=('money',), parts_per_person=1, blanks=2)
    >>> rotation_of_waves(("money", "health", "work", "home"), 2)
    Rotation(blocks=('money', 'health', 'work', 'home'), parts_per_person=2, blanks=0)
    """
    waves = validation.whole_number(waves, "waves", low=2, high=MOST_WAVES, code="waves")
    each = -(-len(blocks) // waves)
    return Rotation(blocks=blocks, parts_per_person=each, blanks=each * waves - len(blocks))


def turn_of(rotation: Rotation, *, person: str, series: str, wave: int) -> Booklet:
    """Return the positions of a rotation that a person is asked in one wave, ascending; blanks included.

    Parameters
    ----------
    rotation : Rotation
        As `rotation_of_waves` returns it.
    person : str
        The code in the form that is sent, or the panel's number for the person.
    series : str
        Name of the series.
    wave : int, 1 to the number of waves
        The wave of the survey.

    Returns
    -------
    Booklet
        ``parts_per_person`` positions; those from ``len(rotation.blocks)`` on ask nothing.

    Raises
    ------
    PrivacyError
        ``waves``: the rotation has no such wave.

    Notes
    -----
    Positions are ordered by the SHA-256 of series, person and key of the block; wave w asks those at places
    (w - 1) a to w a - 1 for a parts a person. Digests of different keys are ordered in each way equally
    often. So each wave asks each set of a positions with equal probability over random persons, as `Booklets`
    assumes, and the sets of one person's waves are disjoint. The order of blocks in a questionnaire has no
    effect.
    Devices compute the same in ``turn.js``, with shared test vectors.

    Examples
    --------
    >>> alone = rotation_of_waves(("money",), 2)
    >>> [turn_of(alone, person="1111111111111111112B", series="diary", wave=wave) for wave in (1, 2)]
    [(1,), (0,)]
    """
    each = rotation.parts_per_person
    total = len(rotation.blocks) + rotation.blanks
    wave = validation.whole_number(wave, "wave", low=1, high=total // each, code="waves")
    # No key of a block contains an equals sign.
    keys = (*rotation.blocks, *(f"={number}" for number in range(rotation.blanks)))
    digests = [_digest(series, person, key) for key in keys]
    ordered = sorted(range(total), key=digests.__getitem__)
    return tuple(sorted(ordered[(wave - 1) * each : wave * each]))


def turns_of(rotation: Rotation, *, person: str, series: str) -> tuple[frozenset[int], ...]:
    """Return the positions of the blocks that a person is asked in each wave, without blanks.

    Parameters
    ----------
    rotation, person, series
        As for `turn_of`.

    Examples
    --------
    >>> alone = rotation_of_waves(("money",), 2)
    >>> turns_of(alone, person="1111111111111111112B", series="diary")
    (frozenset(), frozenset({0}))
    """
    count = len(rotation.blocks)
    waves = (count + rotation.blanks) // rotation.parts_per_person
    return tuple(
        frozenset(
            position
            for position in turn_of(rotation, person=person, series=series, wave=wave)
            if position < count
        )
        for wave in range(1, waves + 1)
    )


def n_turns(rotation: Rotation) -> int:
    """Return in how many ways the positions of a rotation can be divided among the waves.

    Parameters
    ----------
    rotation : Rotation
        As `rotation_of_waves` returns it.

    Notes
    -----
    With several blanks, some of these ways ask everyone the same.

    Examples
    --------
    Four blocks in two waves: C(4, 2) = 6.

    >>> n_turns(rotation_of_waves(("money", "health", "work", "home"), 2))
    6
    """
    total = len(rotation.blocks) + rotation.blanks
    each = rotation.parts_per_person
    ways = 1
    for left in range(total, 0, -each):
        ways *= math.comb(left, each)
    return ways


def _digest(series: str, person: str, key: str) -> bytes:
    return hashlib.sha256(f"{_PROTOCOL}\0{series}\0{person}\0{key}".encode()).digest()
