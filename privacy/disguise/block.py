"""Questions, and the blocks of questions that share one coin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias, cast

from privacy import validation
from privacy.coins import SCALE
from privacy.errors import DesignError

__all__ = [
    "KINDS",
    "SKIPPED",
    "Block",
    "BlockAnswers",
    "Condition",
    "Kind",
    "Question",
    "Value",
    "default_refusal",
]

Kind: TypeAlias = Literal["yes_no", "single", "multi"]
Value: TypeAlias = int | tuple[int, ...]
"""One answer: 0 or 1 (yes/no), the position of an option (single), a 0 or 1 per option (multi)."""

KINDS: Final = ("yes_no", "single", "multi")
SKIPPED: Final = "skipped"
"""Stands for the answers of a block whose questions a respondent skips together."""

BlockAnswers: TypeAlias = Literal["skipped"] | tuple[Value, ...]
"""Whole answers of one block: one value per question, or `SKIPPED`."""

MOST_OPTIONS: Final = 200


def _key(value: object, name: str) -> str:
    return validation.key(value, name, error=DesignError)


def _tuple(value: object, name: str) -> tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise DesignError("malformed", f"{name} = {value!r} is not a list", value, "give a list")
    return tuple(value)


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question and the distribution of its unrelated counterpart.

    Parameters
    ----------
    key : str
        Name of the question, unique in its design.
    kind : {"yes_no", "single", "multi"}
        Yes or no; exactly one of the options; any number of the options.
    options : tuple of str
        Keys of the options, at least two and at most 200; empty for yes/no.
    unrelated : tuple of int, ten-thousandths, each 1 to 9999
        Chances of the decoy answer: one of "yes" (yes/no), one per option that sum to 10,000
        (single), one of "ticked" per option (multi). Empty for a question of an open block.

    Raises
    ------
    DesignError
        With codes ``bad_key``, ``kind``, ``too_few_options``, ``too_large``, ``duplicate_key``,
        ``unrelated_probability``, ``shares_sum``, ``malformed``.

    Examples
    --------
    >>> Question(key="affair", kind="yes_no", options=(), unrelated=(5000,)).patterns
    2
    >>> Question(key="age", kind="single", options=("22", "27", "32"), unrelated=()).item_keys
    ('age=22', 'age=27', 'age=32')
    """

    key: str
    kind: Kind
    options: tuple[str, ...]
    unrelated: tuple[int, ...]

    def __post_init__(self) -> None:
        _key(self.key, "question key")
        validation.one_of(self.kind, f"kind of {self.key}", allowed=KINDS, code="kind", error=DesignError)
        options = tuple(
            _key(option, f"option of {self.key}") for option in _tuple(self.options, f"options of {self.key}")
        )
        object.__setattr__(self, "options", options)
        self._check_options()
        shares = tuple(
            validation.whole_number(
                share,
                f"unrelated probability of {self.key}",
                low=1,
                high=SCALE - 1,
                code="unrelated_probability",
                remedy=f"give ten-thousandths from 1 to {SCALE - 1}: a decoy that never or always says so "
                "gives true answers away",
                error=DesignError,
            )
            for share in _tuple(self.unrelated, f"unrelated probabilities of {self.key}")
        )
        object.__setattr__(self, "unrelated", shares)
        if shares:
            self._check_shares()

    def _check_options(self) -> None:
        count = len(self.options)
        if self.kind == "yes_no":
            if count:
                raise DesignError(
                    "malformed",
                    f"yes/no question {self.key} has options {self.options!r}",
                    self.options,
                    "leave its options empty",
                )
            return
        if count < 2:
            raise DesignError(
                "too_few_options",
                f"question {self.key} is a choice with {count} option{'s' * (count != 1)}",
                self.options,
                "give it at least two options, or ask it as yes/no",
            )
        if count > MOST_OPTIONS:
            raise DesignError(
                "too_large",
                f"question {self.key} has {count} options",
                count,
                f"give it at most {MOST_OPTIONS} options",
            )
        validation.distinct(self.options, f"option of {self.key}", error=DesignError)

    def _check_shares(self) -> None:
        if len(self.unrelated) != self.n_items:
            raise DesignError(
                "unrelated_probability",
                f"question {self.key} has {len(self.unrelated)} unrelated probabilities {self.unrelated!r}",
                self.unrelated,
                f"give exactly {self.n_items}",
            )
        if self.kind == "single" and sum(self.unrelated) != SCALE:
            raise DesignError(
                "shares_sum",
                f"the decoy shares of {self.key} sum to {sum(self.unrelated)}",
                self.unrelated,
                f"make them sum to {SCALE}",
            )

    @property
    def n_items(self) -> int:
        """Number of items: 1 for yes/no, one per option else."""
        return len(self.options) or 1

    @property
    def item_keys(self) -> tuple[str, ...]:
        """Keys of its items: the question's key, or ``question=option`` per option."""
        return tuple(f"{self.key}={option}" for option in self.options) or (self.key,)

    @property
    def patterns(self) -> int:
        """Number of different answers."""
        return len(self.options) if self.kind == "single" else 1 << self.n_items

    @property
    def n_draws(self) -> int:
        """Draws a decoy answer takes."""
        return len(self.options) if self.kind == "multi" else 1

    @cached_property
    def cumulative(self) -> tuple[int, ...]:
        """Running sums of the decoy shares of a single choice; the last one is 10,000."""
        return tuple(sum(self.unrelated[: end + 1]) for end in range(len(self.unrelated)))


@dataclass(frozen=True, kw_only=True)
class Condition:
    """Ask a block only of those who gave one of these answers to an earlier open question.

    Parameters
    ----------
    question : str
        Key of a yes/no or single-choice question of an earlier open block.
    options : tuple of str
        Keys of the options that lead on; ``"yes"`` and ``"no"`` for a yes/no question.
    """

    question: str
    options: tuple[str, ...]

    def __post_init__(self) -> None:
        _key(self.question, "question of asked_if")
        options = tuple(
            _key(option, "option of asked_if") for option in _tuple(self.options, "options of asked_if")
        )
        if not options:
            raise DesignError(
                "asked_if",
                f"asked_if on {self.question} names no option",
                options,
                "name the options that lead to the block",
            )
        validation.distinct(options, f"option of asked_if on {self.question}", error=DesignError)
        object.__setattr__(self, "options", options)


@dataclass(frozen=True, kw_only=True)
class Block:
    """Questions that are disguised together by one coin, or an open group of questions.

    Parameters
    ----------
    key : str
        Name of the block, unique in its design.
    protected : bool
        Whether the answers are disguised. A block that is not protected is *open*.
    truth_probability : int, ten-thousandths, 0 to 10,000
        Chance p that a protected block is reported as it is; 10,000 for an open block. The design
        narrows it to 1..9999 for protected blocks of live surveys.
    refusal : int or None, ten-thousandths, 1 to 9999
        Chance that a decoy says "skipped"; None where skipping the block is not offered.
    asked_if : Condition or None
        Whom the block is asked; None for everybody.
    questions : tuple of Question
        At least one.

    Raises
    ------
    DesignError
        With codes ``bad_key``, ``truth_probability``, ``refusal``, ``empty_block``,
        ``unrelated_probability``, ``malformed``.
    """

    key: str
    protected: bool
    truth_probability: int
    refusal: int | None
    asked_if: Condition | None
    questions: tuple[Question, ...]

    def __post_init__(self) -> None:
        _key(self.key, "block key")
        validation.truth_value(
            self.protected, f"protected of block {self.key}", code="malformed", error=DesignError
        )
        probability = validation.whole_number(
            self.truth_probability,
            f"truth probability of block {self.key}",
            low=0,
            high=SCALE,
            code="truth_probability",
            error=DesignError,
        )
        object.__setattr__(self, "truth_probability", probability)
        if self.refusal is not None:
            refusal = validation.whole_number(
                self.refusal,
                f"refusal of block {self.key}",
                low=1,
                high=SCALE - 1,
                code="refusal",
                remedy=f"give ten-thousandths from 1 to {SCALE - 1}, or none where skipping is not offered",
                error=DesignError,
            )
            object.__setattr__(self, "refusal", refusal)
        if self.asked_if is not None and not isinstance(self.asked_if, Condition):
            raise DesignError(
                "malformed",
                f"asked_if of block {self.key} = {self.asked_if!r} is no condition",
                self.asked_if,
                "give a Condition or None",
            )
        self._check_questions()
        if not self.protected:
            self._check_open()

    def _check_questions(self) -> None:
        questions = _tuple(self.questions, f"questions of block {self.key}")
        if not questions:
            raise DesignError(
                "empty_block", f"block {self.key} has no question", (), "give it a question or drop the block"
            )
        for question in questions:
            if not isinstance(question, Question):
                raise DesignError(
                    "malformed",
                    f"block {self.key} holds {question!r}",
                    question,
                    "fill it with Question objects",
                )
            if self.protected != bool(question.unrelated):
                state, remedy = (
                    ("protected", f"give {question.n_items}")
                    if self.protected
                    else ("open", "leave them empty")
                )
                raise DesignError(
                    "unrelated_probability",
                    f"question {question.key} of {state} block {self.key} has "
                    f"{len(question.unrelated)} unrelated probabilities",
                    question.unrelated,
                    remedy,
                )
        object.__setattr__(self, "questions", cast(tuple[Question, ...], questions))

    def _check_open(self) -> None:
        if self.truth_probability != SCALE:
            raise DesignError(
                "truth_probability",
                f"open block {self.key} has truth probability {self.truth_probability}",
                self.truth_probability,
                f"set it to {SCALE}, or protect the block",
            )
        if self.refusal is not None:
            raise DesignError(
                "refusal",
                f"open block {self.key} has refusal {self.refusal}",
                self.refusal,
                "leave it out: any open question may stay empty",
            )

    @property
    def patterns(self) -> int:
        """Number of different whole answers, "skipped" not counted."""
        return math.prod(question.patterns for question in self.questions)

    @property
    def n_draws(self) -> int:
        """Draws the block takes from everybody: the coin, the skip if offered, each decoy answer."""
        if not self.protected:
            return 0
        return 1 + (self.refusal is not None) + sum(question.n_draws for question in self.questions)


def default_refusal(block: Block) -> int:
    """Chance of "skipped" that makes skipping about as likely a decoy as any one pattern.

    Parameters
    ----------
    block : Block
        Its present refusal does not matter.

    Returns
    -------
    int
        10,000 / (1 + number of answer patterns), in ten-thousandths, rounded up: at decoy chances of
        1/2 a skip is then never less likely, hence never more telling, than an answer.

    Examples
    --------
    >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> block = Block(key="marriage", protected=True, truth_probability=5000, refusal=None,
    ...               asked_if=None, questions=(affair,))
    >>> default_refusal(block)
    3334
    """
    return -(-SCALE // (1 + block.patterns))
