"""Which questions of a rotating part a device asks, drawn before any answer."""

from __future__ import annotations

from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.survey.booklets import Booklet, Drawn
from privacy.survey.design import Design


def everything(design: Design) -> Drawn:
    """Return all questions of all blocks, which is what a device asks without rotation.

    Parameters
    ----------
    design : Design
        A design without rotation.
    """
    return tuple(tuple(range(len(block.questions))) for block in design.blocks)


def checked_drawn(design: Design, drawn: Drawn | None) -> Drawn:
    """Return the questions that a device asks, or refuse an impossible draw.

    Parameters
    ----------
    design : Design
        The device's design.
    drawn : Drawn or None
        Questions that the device drew; None without rotation.

    Raises
    ------
    PrivacyError
        ``drawn``: it is missing although the design rotates, or no device draws it.
    """
    if drawn is None:
        if design.rotates:
            raise PrivacyError("drawn", drawn)
        return everything(design)
    drawn_keys = {block.key for block, positions in zip(design.blocks, drawn, strict=False) if positions}
    fits = len(drawn) == len(design.blocks) and all(
        block.booklet_number(positions) is not None or (not positions and design.in_rotation(block.key))
        for block, positions in zip(design.blocks, drawn, strict=True)
    )
    if not fits or any(
        not rotation.least_asked <= len(drawn_keys.intersection(rotation.blocks)) <= rotation.parts_per_person
        for rotation in design.rotations
    ):
        raise PrivacyError("drawn", drawn)
    return drawn


def draw_questions(design: Design, coins: Coins, *, turn: Booklet | None = None) -> Drawn:
    """Draw which questions one device asks.

    Parameters
    ----------
    design : Design
    coins : Coins
        A separate source of coins: respondents see these draws before they answer, and devices send them
        undisguised.
    turn : Booklet, optional
        In a series, the positions of the first rotation's blocks that this person is asked in this wave
        (`privacy.survey.turns.turn_of`). They replace the draw for it.

    Returns
    -------
    Drawn

    Notes
    -----
    A device draws one number below C(B, a) for each rotation, in design order. It then draws one number below
    the number of booklets for each rotating block, in design order, even if a rotation left that block out.
    Each draw uses exact rejection (`privacy.coins.Coins.below`); sets are numbered in lexicographic order.

    Examples
    --------
    >>> from privacy.survey.question import Question
    >>> from privacy.survey.design import Block, Design, GroupPolicy, Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abc")
    >>> design = Design(blocks=(Block(key="money", protected=True, truth_probability=5000,
    ...     questions=questions, questions_per_person=2),), group=GroupPolicy(), use="live")
    >>> draw_questions(design, Coins([3, 2]))  # 3 is rejected: there are three booklets, 0 to 2
    ((1, 2),)
    """
    left_out: set[str] = set()
    for number, rotation in enumerate(design.rotations):
        part_set = rotation.sets[coins.below(rotation.sets.count)]
        if turn is not None and number == 0:
            part_set = turn
        left_out.update(key for part, key in enumerate(rotation.blocks) if part not in part_set)
    booklets: list[Booklet] = []
    for block, all_of_it in zip(design.blocks, everything(design), strict=True):
        booklet = block.booklet(coins.below(block.n_booklets)) if block.is_rotating else all_of_it
        booklets.append(() if block.key in left_out else booklet)
    return tuple(booklets)
