"""Rotation: draw which questions a device asks, before any answer (protocol coins-2)."""

from __future__ import annotations

from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.survey.booklets import Booklet, Drawn
from privacy.survey.design import Design

__all__ = ["checked_drawn", "draw_questions", "everything"]


def everything(design: Design) -> Drawn:
    """Return the asked questions of a design without rotation: all questions of all blocks.

    Parameters
    ----------
    design : Design
        In which nothing rotates.
    """
    return tuple(tuple(range(len(block.questions))) for block in design.blocks)


def checked_drawn(design: Design, drawn: Drawn | None) -> Drawn:
    """Return the asked questions of a device, or refuse a draw that is impossible.

    Parameters
    ----------
    design : Design
        That the device disguises by.
    drawn : Drawn or None
        Draw of a device; None without rotation.

    Raises
    ------
    PrivacyError
        ``drawn``: it is missing where the design rotates, or no device draws it.
    """
    if drawn is None:
        if design.rotates:
            raise PrivacyError("drawn.missing")
        return everything(design)
    drawn_keys = {block.key for block, positions in zip(design.blocks, drawn, strict=False) if positions}
    fits = len(drawn) == len(design.blocks) and all(
        block.booklet_number(positions) is not None or (not positions and design.in_rotation(block.key))
        for block, positions in zip(design.blocks, drawn, strict=True)
    )
    if not fits or any(
        len(drawn_keys.intersection(rotation.blocks)) != rotation.parts_per_person
        for rotation in design.rotations
    ):
        raise PrivacyError("drawn", drawn)
    return drawn


def draw_questions(design: Design, coins: Coins) -> Drawn:
    """Draw which questions one device asks.

    Parameters
    ----------
    design : Design
    coins : Coins
        A separate source of coins: these draws are seen before the answers are given, and sent undisguised.

    Returns
    -------
    Drawn

    Notes
    -----
    One number below C(B, a) per rotation, in design order, then one below the number of booklets per rotating
    block, in design order and whether or not its part was drawn. Each by exact rejection, see
    `privacy.coins.Coins.below`; sets are numbered in lexicographic order.

    Examples
    --------
    >>> from privacy.survey import Block, Design, GroupPolicy, Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abc")
    >>> design = Design(blocks=(Block(key="money", protected=True, truth_probability=5000, refusal=None,
    ...     asked_if=None, questions=questions, questions_per_person=2),), group=GroupPolicy(), use="live")
    >>> draw_questions(design, Coins([3, 2]))  # 3 is thrown away: there are three booklets, 0 to 2
    ((1, 2),)
    """
    left_out: set[str] = set()
    for rotation in design.rotations:
        drawn = rotation.sets[coins.below(rotation.sets.count)]
        left_out.update(key for part, key in enumerate(rotation.blocks) if part not in drawn)
    booklets: list[Booklet] = []
    for block, all_of_it in zip(design.blocks, everything(design), strict=True):
        booklet = block.booklet(coins.below(block.n_booklets)) if block.is_rotating else all_of_it
        booklets.append(() if block.key in left_out else booklet)
    return tuple(booklets)
