"""The design of a questionnaire: everything that determines the distribution of a device's report."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from privacy import validation
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.policy import LEAST_ARM, MOST_ARM_QUESTIONS
from privacy.survey import design_json
from privacy.survey.block import SKIPPED, Block, default_refusal
from privacy.survey.composed_block import check_composites, shared_filters
from privacy.survey.conditions import Condition, Conditions
from privacy.survey.group_policy import GroupPolicy
from privacy.survey.question import Kind, Question, Value
from privacy.survey.rotation import Rotation, check_rotations
from privacy.survey.routing import Route, routes

__all__ = [
    "MECHANISM",
    "SKIPPED",
    "Block",
    "Condition",
    "Conditions",
    "Design",
    "GroupPolicy",
    "Item",
    "Kind",
    "Question",
    "Value",
    "default_refusal",
]


MECHANISM: Final = 1
"""Version of the distribution of reports and of the wire layout; raised only if one of them changes."""

SCALE_MECHANISM: Final = 2
"""Version of designs that ask numbers or places; other designs keep theirs."""

STRENGTHS_MECHANISM: Final = 3
"""Version of designs with a light strength; layout and order of draws are unchanged."""

ROTATION_MECHANISM: Final = 4
"""Version of designs with rotating questions, which a device draws first (protocol coins-2)."""

ARMS_MECHANISM: Final = 6
"""Version of designs in which an invitation decides something, or with questions of arms. Arms are drawn
before groups and rotation, from separate words."""

COMPOSITE_MECHANISM: Final = 7
"""Version of designs with composite questions; layout and order of draws are unchanged."""

FILTER_MECHANISM: Final = 8
"""Version of designs in which composite questions of a block share a filter; layout and order of draws are
unchanged."""

STRENGTH: Final = "group"
"""Key for the random choice between the light and the strong strength. No question of arms has this key."""

MOST_BLOCKS: Final = 100
MOST_QUESTIONS: Final = 500
MOST_ITEMS: Final = 4_000
"""With these limits, the largest body has 576 bytes (the request cap is 64 kB). A device needs at most 4,216
words, or 10,453 if 99 blocks are numbers or places with two strengths and the longest possible draws. One
call of the platform's generator returns 16,384."""

Use: TypeAlias = Literal["live", "study"]


@dataclass(frozen=True, kw_only=True)
class Item:
    """A (question, option) pair, the unit of mining.

    Parameters
    ----------
    index : int
        Number of its column.
    block, question : int
        Numbers of its block and question in the whole design.
    option : int
        Position of its option; 0 for the "yes" of a yes/no question.
    key : str
        Such as ``"affair"`` for a yes/no question and ``"age=22"`` for an option.
    """

    index: int
    block: int
    question: int
    option: int
    key: str


@dataclass(frozen=True, kw_only=True)
class Design:
    """Blocks, group policy and use of a questionnaire; valid by construction.

    Parameters
    ----------
    blocks : tuple of Block
        At least one, at most 100, with at most 500 questions and 4,000 items together.
    group : GroupPolicy
        Determines which respondents answer directly.
    use : {"live", "study"}
        A live design must protect: 0 < p < 1 in each protected block. A study design is never shown to
        respondents and may have p = 0 or p = 1.
    rotations : tuple of Rotation, optional
        Sets of blocks of which each device asks some. A block belongs to at most one rotation.
    invited : str, optional
        Key of the question of arms that the invitation decides, or ``"group"`` for the strength under the
        policy ``"assigned"``; empty if devices draw everything.
    mechanism : int, optional
        Version of the distribution of reports and of the wire layout: 8 if composite questions share a
        filter, else 7 if the answer to a question is computed from components, else 6 if there are arms or an
        invitation decides, else 4 if questions or blocks rotate, else 3 if blocks have a light strength, else
        2 if a number or a place is asked, else 1.
        The blocks determine it; a value passed in must agree.

    Raises
    ------
    PrivacyError
        With codes ``empty_design``, ``too_large``, ``duplicate_key``, ``truth_probability``,
        ``asked_if``, ``use``, ``mechanism``, ``light``, ``rotation``, ``arms``, ``invited_arm``,
        ``computed``, ``malformed``.

    Notes
    -----
    Counting and estimation number columns in the same way. With I items, Q questions and B blocks, items are
    columns 0..I-1, "question j was asked" is column I+j, and "block b was asked and not skipped" is column
    I+Q+b.

    Examples
    --------
    >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> age = Question(key="age", kind="single", options=("22", "27"), unrelated=())
    >>> design = Design(blocks=(
    ...     Block(key="you", protected=False, truth_probability=10_000,
    ...           questions=(age,)),
    ...     Block(key="marriage", protected=True, truth_probability=6_000,
    ...           questions=(affair,))), group=GroupPolicy(), use="live")
    >>> [item.key for item in design.items]
    ['age=22', 'age=27', 'affair']
    >>> design.asked_column(0), design.answered_column(1), design.n_columns, design.draws
    (3, 6, 7, 2)
    """

    blocks: tuple[Block, ...]
    group: GroupPolicy
    use: Use
    rotations: tuple[Rotation, ...] = ()
    invited: str = ""
    mechanism: int = 0
    _routes: tuple[Route | None, ...] = field(init=False, repr=False, compare=False, default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", validation.as_tuple(self.blocks, "blocks"))
        for block in self.blocks:
            validation.instance(block, "block", Block)
        validation.instance(self.group, "group", GroupPolicy)
        validation.one_of(self.use, "use", allowed=("live", "study"), code="use")
        object.__setattr__(self, "rotations", validation.as_tuple(self.rotations, "rotations"))
        check_rotations(self.rotations, {block.key: block.protected for block in self.blocks})
        self._check_mechanism()
        self._check_size()
        validation.distinct((block.key for block in self.blocks), "block key")
        validation.distinct((question.key for question in self.questions), "question key")
        for block in self.blocks:
            self._check_truth_probability(block)
        self._check_strengths()
        self._check_arms()
        # Resolve conditions here, so that the constructor refuses those that cannot be resolved.
        object.__setattr__(self, "_routes", routes(self.blocks))
        check_composites(self.blocks)

    def _check_mechanism(self) -> None:
        needed = SCALE_MECHANISM if any(block.is_scale for block in self.blocks) else MECHANISM
        needed = STRENGTHS_MECHANISM if self.has_two_strengths else needed
        needed = ROTATION_MECHANISM if self.rotates else needed
        needed = ARMS_MECHANISM if self.arms or self.invited else needed
        needed = COMPOSITE_MECHANISM if any(question.computed for question in self.questions) else needed
        needed = FILTER_MECHANISM if any(map(shared_filters, self.blocks)) else needed
        mechanism = self.mechanism
        if isinstance(mechanism, bool) or mechanism not in (0, needed):
            raise PrivacyError("mechanism", mechanism, needed=needed)
        object.__setattr__(self, "mechanism", needed)

    def _check_size(self) -> None:
        if not self.blocks:
            raise PrivacyError("empty_design", ())
        for name, size, most in (
            ("blocks", len(self.blocks), MOST_BLOCKS),
            ("questions", len(self.questions), MOST_QUESTIONS),
            ("items", sum(question.n_items for question in self.questions), MOST_ITEMS),
        ):
            if size > most:
                raise PrivacyError("too_large.design", size, name=name, most=most)

    def _check_truth_probability(self, block: Block) -> None:
        if block.protected and block.is_scale:
            self._check_disguise(block)
            return
        if not block.protected or self.use == "study" or 0 < block.truth_probability < SCALE:
            return
        raise PrivacyError(
            "truth_probability.zero" if block.truth_probability == 0 else "truth_probability.one",
            block.truth_probability,
            block=block.key,
            scale=SCALE,
        )

    def _check_disguise(self, block: Block) -> None:
        disguise = block.disguise
        if self.use == "live" and disguise.sensitive_amplification is None:
            raise PrivacyError("disguise.unbounded", disguise.mechanism, block=block.key)

    def _check_strengths(self) -> None:
        if not self.has_two_strengths:
            return
        if self.group.policy == "protected":
            raise PrivacyError("light.policy", self.group.policy)
        for block in self.blocks:
            if block.protected and block.light is None:
                raise PrivacyError("light.missing", None, key=block.key)

    def _check_arms(self) -> None:
        if len(self.arms) > MOST_ARM_QUESTIONS:
            raise PrivacyError("arms.many", len(self.arms), most=MOST_ARM_QUESTIONS)
        for number in self.arms:
            block = self.blocks[self.block_of(number)]
            # Every device draws an arm, and respondents see no question, so the block can have no others.
            if len(block.questions) > 1 or block.asked_if is not None or self.in_rotation(block.key):
                raise PrivacyError("arms.block", block.key)
            if self.questions[number].key == STRENGTH:
                raise PrivacyError("arms.key", STRENGTH)
        if not isinstance(self.invited, str) or (self.invited and not self.invited_shares):
            arm_keys = [self.questions[number].key for number in self.arms]
            raise PrivacyError("invited_arm", self.invited, known=", ".join([*arm_keys, STRENGTH]))
        least = min(self.invited_shares.values(), default=LEAST_ARM)
        if least < LEAST_ARM:
            raise PrivacyError("invited_arm.share", least, least=LEAST_ARM, most=SCALE - LEAST_ARM)

    @property
    def arms(self) -> tuple[int, ...]:
        """Numbers of the questions of arms, in design order."""
        return tuple(number for number, question in enumerate(self.questions) if question.is_arm)

    @cached_property
    def invited_shares(self) -> dict[str, int]:
        """Shares of the arms or strengths that the invitation decides, in the order of the draw."""
        if self.invited == STRENGTH and self.has_two_strengths and self.group.direct_share is not None:
            return {"light": self.group.direct_share, "strong": SCALE - self.group.direct_share}
        arms = {question.key: question for question in self.questions if question.is_arm}
        arm_question = arms.get(self.invited)
        return (
            {} if arm_question is None else dict(zip(arm_question.options, arm_question.shares, strict=True))
        )

    @property
    def has_two_strengths(self) -> bool:
        """Whether the direct group is lightly disguised too."""
        return any(block.light is not None for block in self.blocks)

    @cached_property
    def rotates(self) -> bool:
        """Whether each device asks only some questions, drawn before any answer."""
        return bool(self.rotations) or any(block.is_rotating for block in self.blocks)

    def in_rotation(self, block: str) -> bool:
        """Whether a device asks the block with this key only if a rotation draws it."""
        return any(block in rotation.blocks for rotation in self.rotations)

    def drawn_together(self, questions: Iterable[int]) -> Fraction:
        """Return the probability that one device draws all of these questions.

        Notes
        -----
        Booklets of different blocks are drawn independently, so their probabilities multiply. The probability
        that a rotation draws d given blocks together is C(B - d, a - d) / C(B, a), which does not factor.
        """
        by_block: dict[int, set[int]] = {}
        for number in questions:
            block = self.block_of(number)
            by_block.setdefault(block, set()).add(number - self.first_questions[block])
        keys = {self.blocks[block].key for block in by_block}
        probabilities = [self.blocks[block].share_asked(positions) for block, positions in by_block.items()]
        for rotation in self.rotations:
            parts = (part for part, key in enumerate(rotation.blocks) if key in keys)
            probabilities.append(rotation.sets.share_asked(parts))
        return math.prod(probabilities, start=Fraction(1))

    @property
    def protects(self) -> bool:
        """Whether devices disguise the answers to any question."""
        return any(block.protected for block in self.blocks)

    @property
    def sends_undisguised(self) -> bool:
        """Whether some devices send the answers to protected blocks undisguised."""
        return self.protects and self.group.allows(direct=True) and not self.has_two_strengths

    def in_group(self, *, direct: bool) -> Design | None:
        """Return the design of one group's devices, with a single strength.

        Returns
        -------
        Design or None
            None if the policy has no such group, or if it sends its answers undisguised.

        Examples
        --------
        >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
        >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=5000,
        ...     questions=(affair,), light=8000),),
        ...     group=GroupPolicy(policy="choice"), use="live")
        >>> [design.in_group(direct=direct).blocks[0].truth_probability for direct in (True, False)]
        [8000, 5000]
        """
        if not self.group.allows(direct=direct) or (direct and self.sends_undisguised):
            return None
        blocks = tuple(block.in_group(direct=direct) or block for block in self.blocks)
        return replace(self, blocks=blocks, group=GroupPolicy(), invited="", mechanism=0)

    def __hash__(self) -> int:
        """Return a cached hash, because each step of a search looks up the design in caches."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.blocks, self.group, self.use, self.rotations, self.invited, self.mechanism))

    def __getstate__(self) -> dict[str, object]:
        # String hashes differ between processes.
        return {name: value for name, value in self.__dict__.items() if name != "_hash"}

    @property
    def routes(self) -> tuple[Route | None, ...]:
        """Condition of each block; None for a block that everyone is asked."""
        return self._routes

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """All questions in design order; their positions are the numbers used everywhere."""
        return tuple(question for block in self.blocks for question in block.questions)

    @cached_property
    def first_questions(self) -> tuple[int, ...]:
        """Number of the first question of each block."""
        sizes = [len(block.questions) for block in self.blocks]
        return tuple(sum(sizes[:block]) for block in range(len(sizes)))

    @cached_property
    def _blocks_of_questions(self) -> tuple[int, ...]:
        return tuple(number for number, block in enumerate(self.blocks) for _ in block.questions)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """All items in design order."""
        rows = [
            (self.block_of(number), number, option, item_key)
            for number, question in enumerate(self.questions)
            for option, item_key in enumerate(question.item_keys)
        ]
        return tuple(
            Item(index=index, block=block, question=question, option=option, key=item_key)
            for index, (block, question, option, item_key) in enumerate(rows)
        )

    @cached_property
    def _items_by_key(self) -> dict[str, Item]:
        return {item.key: item for item in self.items}

    def item(self, item_key: str) -> Item:
        """Return the item with this key; refuse an unknown one."""
        item = self._items_by_key.get(item_key)
        if item is None:
            for question in self.questions:
                rule = question.computed
                if rule is not None and item_key in [component.key for component in rule.components]:
                    raise PrivacyError("unknown_item.component", item_key, key=question.key)
            raise PrivacyError(
                "unknown_item.design", item_key, items_by_key=", ".join(list(self._items_by_key)[:20])
            )
        return item

    def question_number(self, question_key: str) -> int:
        """Return the number of the question with this key; refuse an unknown one."""
        for number, question in enumerate(self.questions):
            if question.key == question_key:
                return number
        keys = ", ".join(question.key for question in self.questions[:20])
        raise PrivacyError("unknown_key", question_key, code="unknown_question", kind="question", known=keys)

    def block_of(self, question: int) -> int:
        """Return the number of the block that holds question number `question`."""
        return self._blocks_of_questions[question]

    def asked_column(self, question: int) -> int:
        """Return the number of the column "question number `question` was asked"."""
        return len(self.items) + range(len(self.questions))[question]

    def answered_column(self, block: int) -> int:
        """Return the number of the column "block number `block` was asked and not skipped"."""
        return len(self.items) + len(self.questions) + range(len(self.blocks))[block]

    @property
    def n_columns(self) -> int:
        """Number of columns: items, questions and blocks."""
        return len(self.items) + len(self.questions) + len(self.blocks)

    def can_be_missing(self, question: int) -> bool:
        """Whether a record may lack question number `question`: it is open, or not everyone is asked."""
        block = self.blocks[self.block_of(question)]
        is_drawn = block.is_rotating or self.in_rotation(block.key)
        return not block.protected or block.asked_if is not None or is_drawn

    @cached_property
    def draws(self) -> int:
        """Number of draws to disguise one record, without the draw of an assigned group."""
        return sum(block.n_draws for block in self.blocks)

    def to_json(self) -> dict[str, Any]:
        """Return the design as nested dictionaries and lists, ready for ``json.dumps``."""
        return design_json.write(self)

    @classmethod
    def from_json(cls, document: object) -> Design:
        """Read what `to_json` returns, refusing missing, unknown and malformed parts."""
        return cls(**design_json.read(document))

    @cached_property
    def design_id(self) -> str:
        """Return the SHA-256 (64 hex digits) of the canonical JSON: sorted keys, no blanks, ASCII."""
        text = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()
