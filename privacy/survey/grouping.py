"""Draws and disguises of a device: arms of an experiment, then the answers to each block under one coin.

Arms are drawn before groups, rotation and disguises. In the improved grouping unrelated-question model, the
device of a protected respondent reports each protected block unchanged with probability p. Otherwise it
reports a decoy: each question's answer is drawn independently from its unrelated distribution.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Literal, TypeAlias, cast

from privacy.channels import Channel, Retention
from privacy.coins import SCALE, Coins
from privacy.errors import PrivacyError
from privacy.survey.block import SKIPPED, Block, BlockAnswers
from privacy.survey.booklets import Booklet, Drawn
from privacy.survey.design import STRENGTH, Design, is_asked
from privacy.survey.layout import Record
from privacy.survey.question import Question, Value


def arm_at(question: Question, draw: int) -> int:
    """Return the arm that a draw selects: the first option whose cumulative share exceeds it.

    Parameters
    ----------
    question : Question
        A question of arms; its shares are ten-thousandths that sum to 10,000.
    draw : int
        From 0 to 9,999.

    Examples
    --------
    >>> told = Question(key="told", kind="single", options=("short", "long"), unrelated=(),
    ...                 shares=(4000, 6000))
    >>> arm_at(told, 3999), arm_at(told, 4000), arm_at(told, 9999)
    (0, 1, 1)
    """
    return _position(question.shares, draw)


def _position(shares: Iterable[int], draw: int) -> int:
    return bisect_right(list(accumulate(shares)), draw)


def invited_draw(digest: bytes, *, survey: str, decision: str) -> int:
    """Return the number below 10,000 that an invitation determines; it replaces the device's draw.

    Parameters
    ----------
    digest : bytes
        The 32-byte digest under which the invitation code is stored.
    survey : str
        Key of the survey.
    decision : str
        Key of the question of arms, or ``"group"``.

    Notes
    -----
    The number is the first 8 bytes, big-endian, of SHA-256("sotto-arm-1" 0 survey 0 decision 0 digest),
    modulo 10,000. The probabilities of any two numbers differ by at most 5e-16.

    Examples
    --------
    >>> invited_draw(bytes(32), survey="a", decision="told")
    7168
    """
    names = b"".join(name.encode() + b"\0" for name in ("sotto-arm-1", survey, decision))
    return int.from_bytes(hashlib.sha256(names + digest).digest()[:8], "big") % SCALE


def invited_arms(design: Design, digests: Iterable[bytes], *, survey: str) -> dict[str, int]:
    """Count invitations by the arm that they determine; empty if devices draw everything.

    Parameters
    ----------
    design : Design
        A design whose invitations determine a question of arms, or the strength.
    digests : iterable of bytes
        Digests under which the codes are stored.
    survey : str
        Key of the survey, part of the hash input.
    """
    counts = dict.fromkeys(design.invited_shares, 0)
    names, shares = list(counts), design.invited_shares.values()
    for digest in digests if counts else ():
        counts[names[_position(shares, invited_draw(digest, survey=survey, decision=design.invited))]] += 1
    return counts


def draw_arms(design: Design, coins: Coins, *, place: int | None = None) -> tuple[int, ...]:
    """Draw one respondent's arm in each question of arms.

    Parameters
    ----------
    design : Design
    coins : Coins
        A separate source of coins: these draws are shown to the respondent and sent undisguised.
    place : int, optional
        The invitation's number for the question that it determines; the device's own draw is discarded.

    Returns
    -------
    tuple of int
        Positions of options, by question of arms in design order.

    Notes
    -----
    There is one draw per question, in design order (see `arm_at`), independent of all other draws. So within
    an arm, reports have the distribution of the design.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy
    >>> told = Question(key="told", kind="single", options=("short", "long"), unrelated=(),
    ...                 shares=(4000, 6000))
    >>> design = Design(blocks=(Block(key="told", protected=False, truth_probability=10_000,
    ...     questions=(told,)),), group=GroupPolicy(), use="live")
    >>> design.mechanism, draw_arms(design, Coins([4_294_967_295, 3999])), draw_arms(design, Coins([4000]))
    (6, (0,), (1,))
    """
    draws = [(design.questions[number], coins.draw()) for number in design.arms]
    return tuple(
        arm_at(question, place if question.key == design.invited and place is not None else draw)
        for question, draw in draws
    )


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


Answers: TypeAlias = Mapping[str, object]
"""``{block key: "skipped" | {question key: value}}``; blocks that are not asked are absent."""

BlockTruth: TypeAlias = tuple[Value | None, ...] | None
"""Values by question (None: an empty open question); None for a block that was skipped or not asked."""


def read_answers(
    design: Design, answers: Answers, drawn: Drawn | None = None
) -> tuple[tuple[BlockTruth, bool], ...]:
    """Return each block's values, and whether it was skipped.

    Parameters
    ----------
    design : Design
        The design that asks the questions.
    answers : mapping
        ``{block key: "skipped" | {question key: value}}``. A value is 0 or 1 (yes/no), the position
        of an option (single choice), a list of a 0 or 1 per option (multi-select), the number of a bin
        (number) or of a cell (place). Leave out blocks that are not asked, blocks that a rotation omitted and
        open questions without an answer. A protected block must be complete or ``"skipped"``. For a rotating
        block, give the answers to the booklet.
    drawn : Drawn, optional
        The questions that the device asks, if the design rotates.

    Returns
    -------
    tuple of (values, skipped)
        In design order. Values are None for a block that was skipped or not asked; a single value is None for
        a question that was not asked or left empty.

    Raises
    ------
    PrivacyError
        With codes ``unknown_block``, ``unknown_question``, ``not_asked``, ``missing_block``,
        ``half_answered``, ``skip_not_offered``, ``answer``, ``drawn``, ``arms``, ``malformed``.
    """
    booklets = checked_drawn(design, drawn)
    answers = _check_keys(answers, {block.key for block in design.blocks}, "block")
    result: list[tuple[BlockTruth, bool]] = []
    earlier: list[tuple[Value | None, ...]] = []
    for block, route, positions in zip(design.blocks, design.routes, booklets, strict=True):
        of_block = answers.get(block.key)
        if not positions or not is_asked(route, earlier):
            if block.key in answers:
                raise PrivacyError("not_asked", of_block, block=block.key)
            result.append((None, False))
        elif isinstance(of_block, str) and of_block == SKIPPED:
            if block.refusal is None:
                raise PrivacyError("skip_not_offered.block", of_block, block=block.key)
            result.append((None, True))
        else:
            result.append((_read_block(block, of_block, positions), False))
        earlier.append(result[-1][0] or (None,) * len(block.questions))
    return tuple(result)


def _read_block(block: Block, answers: object, positions: Booklet) -> tuple[Value | None, ...]:
    drawn_keys = {block.questions[position].key for position in positions}
    if answers is None:
        if block.protected:
            raise PrivacyError("missing_block", block=block.key)
        answers = {}
    values = _check_keys(answers, drawn_keys, "question")
    if block.protected and len(values) < len(drawn_keys):
        missing = [question.key for question in block.questions if question.key in drawn_keys - set(values)]
        raise PrivacyError("half_answered", missing, block=block.key, missing=", ".join(missing))
    for question in block.questions:
        if question.is_arm and question.key not in values:
            raise PrivacyError("arms.missing", question.key)
    return tuple(
        question.read(values[question.key]) if question.key in values else None
        for question in block.questions
    )


def _check_keys(answers: object, keys: set[str], kind: str) -> Mapping[str, object]:
    if not isinstance(answers, Mapping):
        raise PrivacyError("malformed.mapping", answers, kind=kind)
    for key in answers:
        if key not in keys:
            raise PrivacyError(
                "unknown_key", key, code=f"unknown_{kind}", kind=kind, known=", ".join(sorted(keys))
            )
    return answers


BlockPattern: TypeAlias = Literal["skipped"] | Sequence[Value | None]
"""`SKIPPED`, or one value per question of the block; None matches any answer."""


def draw_group(design: Design, coins: Coins, *, place: int | None = None) -> bool:
    """Draw the group of one respondent under the policy ``"assigned"``; True for the direct group.

    The first draw is compared with the direct share. If the invitation decides the group, its number
    (`privacy.survey.grouping.invited_draw`) replaces the draw.

    Parameters
    ----------
    design : Design
        A design with the policy "assigned".
    coins : Coins
        Gives one draw, unless the invitation decides.
    place : int, optional
        The invitation's number, in 0..9,999.

    Raises
    ------
    PrivacyError
        ``group_policy``: another policy, under which devices do not draw the group.
    """
    share = design.group.direct_share
    if share is None:
        raise PrivacyError("group_policy", design.group.policy)
    draw = coins.draw()
    return (place if design.invited == STRENGTH and place is not None else draw) < share


def disguise(
    design: Design, answers: Answers, *, direct: bool, coins: Coins, drawn: Drawn | None = None
) -> Record:
    """Disguise the true answers of one respondent.

    Parameters
    ----------
    design : Design
        Mechanism and probabilities.
    answers : mapping
        True answers, in the form that `privacy.survey.grouping.read_answers` describes.
    direct : bool
        Whether the respondent is in the direct group. Its answers are sent undisguised, or lightly disguised
        if the design has a light strength.
    coins : Coins
        Source of the `design.draws` draws. Their number does not depend on answers, group or coins.
    drawn : Drawn, optional
        The questions that the device asks (`privacy.survey.grouping.draw_questions`); required if the design
        rotates.

    Returns
    -------
    Record
        The record to send; `privacy.survey.layout.Layout.pack` encodes it.

    Raises
    ------
    PrivacyError
        The answers do not fit the design, or ``group``: the policy has no such group.

    Notes
    -----
    For each protected block, in design order, the device draws the coin (truth iff below p); if a skip is
    offered, its decoy (skipped iff below r); and for each question its decoy. A yes/no question uses one draw
    (yes iff below theta), a single choice one (the first option whose cumulative share exceeds the draw), a
    multi-select one per option. In a rotating block, the device draws decoys for all questions and keeps
    those of the booklet. It chooses between truth and decoy only afterwards, so the number of words that it
    uses reveals nothing about the answers. A number or a place instead uses one draw below the total of its
    disguise, or of its `privacy.scales.skips.Skipping` if it may be skipped. With two strengths, the draw
    is below the least common multiple L of both totals, and a group with total T uses the draw div (L / T).

    References
    ----------
    Kan and Cao, section 3 (alpha, beta and theta there), but with one coin per block instead of one per
    respondent.

    Examples
    --------
    >>> from privacy.survey.question import Question
    >>> from privacy.survey.design import GroupPolicy
    >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     questions=(affair,)),), group=GroupPolicy(), use="live")
    >>> yes = {"marriage": {"affair": 1}}
    >>> disguise(design, yes, direct=False, coins=Coins([5999, 5000])).answers  # coin below p: truth
    ((1,),)
    >>> disguise(design, yes, direct=False, coins=Coins([6000, 5000])).answers  # decoy: no
    ((0,),)
    """
    if not design.group.allows(direct=direct):
        raise PrivacyError("group", direct, policy=design.group.policy)
    reports: list[tuple[Value | None, ...]] = []
    skips: list[bool] = []
    asked_of: list[Booklet] = []
    truths = read_answers(design, answers, drawn)
    for block, positions, (values, skipped) in zip(
        design.blocks, checked_drawn(design, drawn), truths, strict=True
    ):
        is_asked = skipped or values is not None
        if block.protected and block.is_scale:
            draw = coins.below(block.scale_total)
            if is_asked:
                truth = None if values is None else cast(int, values[0])
                value = block.scale_sent(truth, draw, direct=direct)
                values, skipped = (None, True) if value is None else ((value,), False)
        elif block.protected:
            coin, strength = coins.draw(), block.in_group(direct=direct)
            decoy_skipped = block.refusal is not None and coins.draw() < block.refusal
            decoys = [question.draw_decoy(coins) for question in block.questions]
            decoy = tuple(value if position in positions else None for position, value in enumerate(decoys))
            if is_asked and strength is not None and coin >= strength.truth_probability:
                values, skipped = (None, True) if decoy_skipped else (decoy, False)
        reports.append((None,) * len(block.questions) if values is None else values)
        skips.append(skipped)
        asked_of.append(positions if is_asked else ())
    return Record(
        direct=direct,
        answers=tuple(reports),
        refused=tuple(skips),
        drawn=tuple(asked_of) if design.rotates else None,
    )


def unrelated_probability(block: Block, pattern: BlockPattern) -> Fraction:
    """Return the probability q that a decoy of a protected block shows a pattern.

    Parameters
    ----------
    block : Block
        A protected block.
    pattern : "skipped", or sequence of (value or None), one per question
        None matches any answer; entries of a multi-select value may be None as well.

    Returns
    -------
    Fraction
        r for "skipped", otherwise (1 - r) times the product over questions, with r = 0 if no skip is
        offered.

    Examples
    --------
    >>> from privacy.survey.question import Question
    >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(3000,))
    >>> mood = Question(key="mood", kind="single", options=("low", "high"), unrelated=(2000, 8000))
    >>> block = Block(key="marriage", protected=True, truth_probability=5000, refusal=1000,
    ...               questions=(affair, mood))
    >>> unrelated_probability(block, (1, 0))  # .9 * .3 * .2
    Fraction(27, 500)
    >>> unrelated_probability(block, (1, None)), unrelated_probability(block, "skipped")
    (Fraction(27, 100), Fraction(1, 10))
    """
    _check_coin(block)
    return pattern_probability(block, block.unrelated, pattern)


def pattern_probability(block: Block, shares: Mapping[str, Sequence[int]], pattern: BlockPattern) -> Fraction:
    """Return the probability of a pattern if answers are independent and skips as likely as in decoys.

    Parameters
    ----------
    block : Block
        Protected.
    shares : mapping of question key to sequence of int
        Ten-thousandths, one per item.
    pattern : "skipped", or sequence of (value or None), one per question
        As for `unrelated_probability`.
    """
    skipped = Fraction(block.refusal or 0, SCALE)
    if isinstance(pattern, str):
        return skipped
    probabilities = [
        probability
        for question, value in zip(block.questions, pattern, strict=True)
        if value is not None
        for probability in question.probabilities(shares[question.key], value)
    ]
    return (1 - skipped) * _product(probabilities)


def _product(probabilities: Sequence[int]) -> Fraction:
    # Multiply integers so that the fraction is reduced once, not after each factor.
    return Fraction(math.prod(probabilities), SCALE ** len(probabilities))


def item_probability(design: Design, signs: Mapping[int, bool]) -> Fraction:
    """Return the probability that a decoy has some given items and lacks others.

    Parameters
    ----------
    design : Design
    signs : mapping of int to bool
        By item number, all items in one protected block; True for "has it", False for "answered without it".

    Examples
    --------
    Two options of one single choice exclude each other:

    >>> from privacy.survey.question import Question
    >>> from privacy.survey.design import GroupPolicy
    >>> mood = Question(key="mood", kind="single", options=("low", "fair", "high"),
    ...                 unrelated=(2000, 3000, 5000))
    >>> block = Block(key="b", protected=True, truth_probability=5000,
    ...               questions=(mood,))
    >>> design = Design(blocks=(block,), group=GroupPolicy(), use="live")
    >>> item_probability(design, {0: True, 1: True}), item_probability(design, {0: False, 1: False})
    (Fraction(0, 1), Fraction(1, 2))
    """
    block_ids = {design.items[index].block for index in signs}
    if len(block_ids) != 1:
        raise PrivacyError("blocks.items", sorted(signs), count=len(block_ids))
    block = design.blocks[block_ids.pop()]
    check_protected(block)
    probability = 1 - Fraction(block.refusal or 0, SCALE)
    for number in {design.items[index].question for index in signs}:
        question = design.questions[number]
        options = {
            design.items[index].option: yes
            for index, yes in signs.items()
            if design.items[index].question == number
        }
        if question.is_exclusive:
            fitting = (
                share
                for option, share in enumerate((*question.decoy_shares, 1 - sum(question.decoy_shares)))
                if all((option == other) == yes for other, yes in options.items())
            )
            # The last share is the probability of having none of the items: 0 for a single choice.
            probability *= sum(fitting, Fraction(0))
        else:
            pattern = tuple(options.get(option) for option in range(question.n_items))
            probability *= _product(question.probabilities(question.unrelated, pattern))
    return probability


def check_protected(block: Block) -> None:
    """Refuse a block that is not disguised.

    Parameters
    ----------
    block : Block

    Raises
    ------
    PrivacyError
        ``open_block``: the block is stored as answered.
    """
    if not block.protected:
        raise PrivacyError("open_block", block.key)


def _check_not_rotating(block: Block) -> None:
    if block.is_rotating:
        raise PrivacyError("rotating", block.key)


def _check_coin(block: Block) -> None:
    check_protected(block)
    if block.is_scale:
        raise PrivacyError("lone", block.key)


def block_rows(block: Block) -> Iterator[BlockAnswers]:
    """Yield every complete row of answers to a block, the last question varying fastest; "skipped" is last.

    Parameters
    ----------
    block : Block
        A block that does not rotate.

    Raises
    ------
    PrivacyError
        ``rotating``: no device sends a complete row; see `privacy.survey.block.Block.of_booklet`.
    """
    _check_not_rotating(block)
    yield from itertools.product(*(question.answers for question in block.questions))
    if block.refusal is not None:
        yield SKIPPED


def block_channel(block: Block, *, direct: bool = False) -> Channel:
    """Return the channel of a protected block in one group; true rows are in the order of `block_rows`.

    Parameters
    ----------
    block : Block
        A protected block that does not rotate.
    direct : bool, optional
        Whether to return the channel of the direct (undisguised or lightly disguised) group.

    Notes
    -----
    channel[y, x] = p [x = y] + (1 - p) q(y), the same for every respondent of the group who is asked. It is
    the identity if the group sends its answers undisguised. The size grows with the square of the number of
    rows, so at most 1,024 rows are allowed.

    Raises
    ------
    PrivacyError
        ``open_block``, ``rotating`` or ``too_large``.
    """
    check_protected(block)
    _check_not_rotating(block)
    strength = block.in_group(direct=direct)
    if block.patterns > 1024 and (strength is None or not strength.is_scale):
        raise PrivacyError("too_large.patterns", block.patterns, block=block.key)
    if strength is None:
        return Retention.truthful(block.patterns + (block.refusal is not None)).matrix
    if strength.is_scale:
        return strength.disguise.channel if strength.skipping is None else strength.skipping.channel
    return Retention(
        retention_probability=strength.truth,
        unrelated=tuple(unrelated_probability(strength, row) for row in block_rows(strength)),
    ).matrix
