"""Blocks: the questions that share one coin, or an open group of questions."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Final, Literal, TypeAlias, cast

from privacy import validation
from privacy.channels.refusal import Skipping, least_refusal
from privacy.coins import SCALE, words_below
from privacy.errors import PrivacyError
from privacy.survey.question import Disguise, Question, Value
from privacy.survey.strengths import Light, checked_light

__all__ = ["SKIPPED", "Block", "BlockAnswers", "Condition", "default_refusal"]

SKIPPED: Final = "skipped"
"""Stands for the answers of a block whose questions a respondent skips together."""

BlockAnswers: TypeAlias = Literal["skipped"] | tuple[Value, ...]
"""Whole answers of one block: one value per question, or `SKIPPED`."""


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
        validation.key(self.question, "question of asked_if")
        options = tuple(
            validation.key(option, "option of asked_if")
            for option in validation.listed(self.options, "options of asked_if")
        )
        if not options:
            raise PrivacyError("asked_if", options, question=self.question)
        validation.distinct(options, f"option of asked_if on {self.question}")
        object.__setattr__(self, "options", options)


@dataclass(frozen=True, kw_only=True)
class Block:
    """Questions that are disguised together by one coin, or an open group of questions.

    A number or a place stands alone in a protected block; its own disguise does everything there.

    Parameters
    ----------
    key : str
        Name of the block, unique in its design.
    protected : bool
        Whether the answers are disguised. A block that is not protected is *open*.
    truth_probability : int, ten-thousandths, 0 to 10,000
        Chance p that a protected block is reported as it is; 10,000 for an open block. The design
        narrows it to 1..9999 for protected blocks of live surveys. 0 for a number or a place: no coin is
        thrown for the block.
    refusal : int or None, ten-thousandths, 1 to 9999
        Chance that a decoy says "skipped"; None where skipping the block is not offered. Of a number or a
        place at least `privacy.channels.refusal.least_refusal`.
    asked_if : Condition or None
        Whom the block is asked; None for everybody.
    questions : tuple of Question
        At least one.
    light : int or Band or Windows, optional
        What devices of the direct group do: a truth probability p0 above that of the protected group, or, of
        a number or a place, a second disguise of the same answers with a higher bound. None where that group
        sends its answers as they are.

    Raises
    ------
    PrivacyError
        With codes ``bad_key``, ``truth_probability``, ``refusal``, ``refusal_low``, ``empty_block``,
        ``unrelated_probability``, ``lone``, ``light``, ``malformed``.

    Examples
    --------
    >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> block = Block(key="marriage", protected=True, truth_probability=5000, refusal=None,
    ...               asked_if=None, questions=(affair,), light=8000)
    >>> block.truth, block.truth_in(direct=True), block.in_group(direct=True).light
    (Fraction(1, 2), Fraction(4, 5), None)
    """

    key: str
    protected: bool
    truth_probability: int
    refusal: int | None
    asked_if: Condition | None
    questions: tuple[Question, ...]
    light: Light | None = None

    def __post_init__(self) -> None:
        validation.key(self.key, "block key")
        validation.truth_value(self.protected, f"protected of block {self.key}", code="malformed")
        probability = validation.whole_number(
            self.truth_probability,
            f"truth probability of block {self.key}",
            low=0,
            high=SCALE,
            code="truth_probability",
        )
        object.__setattr__(self, "truth_probability", probability)
        if self.refusal is not None:
            refusal = validation.whole_number(
                self.refusal,
                f"refusal of block {self.key}",
                low=1,
                high=SCALE - 1,
                code="refusal",
                advice="skip",
            )
            object.__setattr__(self, "refusal", refusal)
        if self.asked_if is not None and not isinstance(self.asked_if, Condition):
            raise PrivacyError("malformed.condition", self.asked_if, key=self.key)
        self._check_questions()
        if self.is_scale:
            self._check_scale()
        elif not self.protected:
            self._check_open()
        if self.light is not None:
            self._check_light()

    def _check_questions(self) -> None:
        questions = validation.listed(self.questions, f"questions of block {self.key}")
        if not questions:
            raise PrivacyError("empty_block", (), key=self.key)
        for question in questions:
            if not isinstance(question, Question):
                raise PrivacyError("malformed.block", question, key=self.key)
            if question.is_scale:
                if len(questions) > 1 or not self.protected:
                    raise PrivacyError("lone.block", question.key, kind=question.kind)
                continue
            if self.protected != bool(question.unrelated):
                raise PrivacyError(
                    "unrelated_probability.protected" if self.protected else "unrelated_probability.open",
                    question.unrelated,
                    question=question.key,
                    block=self.key,
                    count=len(question.unrelated),
                    wanted=question.n_items,
                )
        object.__setattr__(self, "questions", cast(tuple[Question, ...], questions))

    def _check_scale(self) -> None:
        question = self.questions[0]
        if self.truth_probability != 0:
            raise PrivacyError(
                "truth_probability.own_disguise", self.truth_probability, kind=question.kind, key=self.key
            )
        if self.refusal is not None:
            # Refuses a chance under which a skip would tell more than an answer.
            Skipping(disguise=self.disguise, refusal=self.refusal)

    def _check_open(self) -> None:
        if self.truth_probability != SCALE:
            raise PrivacyError("truth_probability.open", self.truth_probability, key=self.key, scale=SCALE)
        if self.refusal is not None:
            raise PrivacyError("refusal.open", self.refusal, key=self.key)

    def _check_light(self) -> None:
        if not self.protected:
            raise PrivacyError("light.open", self.light, key=self.key)
        light = checked_light(
            self.light,
            block=self.key,
            truth_probability=self.truth_probability,
            refusal=self.refusal,
            question=self.questions[0],
        )
        object.__setattr__(self, "light", light)

    def in_group(self, *, direct: bool) -> Block | None:
        """Return the block as the devices of one group follow it; None where they send answers as they are.

        A block that is returned has one strength: all that is said of a block holds of it.
        """
        if not self.protected:
            return None
        return self._light_block if direct else self._strong_block

    @cached_property
    def _strong_block(self) -> Block:
        return self if self.light is None else replace(self, light=None)

    @cached_property
    def _light_block(self) -> Block | None:
        if self.light is None:
            return None
        if isinstance(self.light, int):
            return replace(self, light=None, truth_probability=self.light)
        question = replace(self.questions[0], disguise=self.light)
        return replace(self, light=None, questions=(question,))

    def truth_in(self, *, direct: bool) -> Fraction:
        """Return p of one group: 1 where it sends the answers as they are."""
        mine = self.in_group(direct=direct)
        return Fraction(1) if mine is None else mine.truth

    @property
    def is_scale(self) -> bool:
        """Whether it holds one question that brings a disguise of its own."""
        return len(self.questions) == 1 and self.questions[0].is_scale

    @property
    def disguise(self) -> Disguise:
        """The disguise of the one question of such a block."""
        found = self.questions[0].disguise
        if not self.is_scale or found is None:
            raise PrivacyError("not_lone", self.key)
        return found

    @cached_property
    def skipping(self) -> Skipping | None:
        """How a number or a place is skipped; None for other blocks, and where no skip is offered."""
        if not self.is_scale or self.refusal is None:
            return None
        return Skipping(disguise=self.disguise, refusal=self.refusal)

    @cached_property
    def truth(self) -> Fraction:
        """p as a fraction.

        Of a number or a place: that of the law of its items and of its skip, 0 where it has neither.
        """
        if not self.is_scale:
            return Fraction(self.truth_probability, SCALE)
        if self.skipping is not None:
            return self.skipping.truth
        law = self.disguise.law if self.questions[0].options else None
        return Fraction(0) if law is None else law

    @cached_property
    def scale_total(self) -> int:
        """What the one draw of a number or a place lies below.

        Of two strengths the least common multiple of what each draws below: how many words a device takes
        until a draw counts is the same for both groups.
        """
        if self._light_block is not None:
            return math.lcm(self._strong_block.scale_total, self._light_block.scale_total)
        return self.disguise.total if self.skipping is None else self.skipping.total

    def scale_sent(self, value: int | None, draw: int, *, direct: bool = False) -> int | None:
        """Return what a group's device sends for a number or a place under a draw; None stands for a skip."""
        mine = self.in_group(direct=direct)
        if mine is None:
            return value
        draw //= self.scale_total // mine.scale_total
        if mine.skipping is not None:
            return mine.skipping.sent(value, draw)
        return None if value is None else mine.disguise.sent(value, draw)

    def scale_outputs(self, *, direct: bool) -> int:
        """Return how many values a group's device can send for a number or a place, a skip not counted."""
        mine = self.in_group(direct=direct)
        return self.patterns if mine is None else mine.disguise.outputs

    @property
    def patterns(self) -> int:
        """Number of different whole answers, "skipped" not counted."""
        return math.prod(question.patterns for question in self.questions)

    @property
    def n_draws(self) -> int:
        """Draws the block takes from everybody: the coin, the skip if offered, each decoy answer."""
        if not self.protected:
            return 0
        if self.is_scale:
            return words_below(self.scale_total)
        return 1 + (self.refusal is not None) + sum(question.n_draws for question in self.questions)


def default_refusal(block: Block) -> int:
    """Chance of "skipped" that makes skipping about as likely a decoy as any one pattern.

    Of a number or a place, the least chance under which a skip tells no more than an answer.

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
    if block.is_scale:
        return least_refusal(block.disguise)
    return -(-SCALE // (1 + block.patterns))
