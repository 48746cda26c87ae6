"""Blocks: the questions that share one coin, or questions that are stored as answered."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Final, Literal, TypeAlias, cast

from privacy import validation
from privacy.coins import SCALE, words_below
from privacy.errors import PrivacyError
from privacy.scales.skips import Disguise, Skipping, least_refusal
from privacy.survey.booklets import Booklet, Booklets
from privacy.survey.conditions import Condition, Conditions
from privacy.survey.light import Light, checked_light
from privacy.survey.question import Question, ScaleQuestion, Value

SKIPPED: Final = "skipped"
"""Replaces the answers to a block that the respondent skipped."""

BlockAnswers: TypeAlias = Literal["skipped"] | tuple[Value, ...]
"""Complete answers to one block: one value per question, or `SKIPPED`."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """Questions that are disguised together by one coin, or an open group of questions.

    A number or a place is the only question of its protected block and has its own disguise.

    Parameters
    ----------
    key : str
        Name of the block, unique in its design.
    protected : bool
        Whether the answers are disguised. A block that is not protected is *open*.
    truth_probability : int, ten-thousandths, 0 to 10,000
        Probability p that a protected block is reported unchanged. 10,000 for an open block; 1 to 9,999 for
        protected blocks of live surveys (checked by the design); 0 for a number or a place, which does not
        use the block's coin.
    refusal : int or None, ten-thousandths, 1 to 9999
        Probability that a decoy says "skipped"; None if the block cannot be skipped. For a number or a
        place, at least `privacy.scales.skips.least_refusal`.
    asked_if : Condition or Conditions or None
        The condition for asking the block; None to ask everyone.
    questions : tuple of Question
        At least one.
    light : int or WindowChannel or PlanarWindowChannel, optional
        Disguise of the direct group: a truth probability p0 above that of the protected group or, for a
        number or a place, a second disguise of the same answers with a higher bound. None if that group
        sends its answers undisguised.
    questions_per_person : int, optional, 1 to len(questions) - 1
        How many questions of a protected block one device asks, drawn before any answer; None for all.
    booklets : tuple of Booklet, optional
        The sets from which a device draws one; None for all sets of `questions_per_person`.

    Raises
    ------
    PrivacyError
        With codes ``bad_key``, ``truth_probability``, ``refusal``, ``refusal_low``, ``empty_block``,
        ``unrelated_probability``, ``lone``, ``light``, ``questions_per_person``, ``booklets``,
        ``malformed``.

    Examples
    --------
    >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> block = Block(key="marriage", protected=True, truth_probability=5000,
    ...               questions=(affair,), light=8000)
    >>> block.truth, block.truth_in(direct=True), block.in_group(direct=True).light
    (Fraction(1, 2), Fraction(4, 5), None)
    """

    key: str
    protected: bool
    truth_probability: int
    refusal: int | None = None
    asked_if: Condition | Conditions | None = None
    questions: tuple[Question, ...]
    light: Light | None = None
    questions_per_person: int | None = None
    booklets: tuple[Booklet, ...] | None = None

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
            probability = validation.whole_number(
                self.refusal,
                f"refusal of block {self.key}",
                low=1,
                high=SCALE - 1,
                code="refusal",
                advice="skip",
            )
            object.__setattr__(self, "refusal", probability)
        if self.asked_if is not None:
            validation.instance(self.asked_if, f"asked_if of block {self.key}", Condition, Conditions)
        self._check_questions()
        if not self.protected:
            self._check_open()
        elif self.is_scale:
            self._check_scale()
        if self.light is not None:
            self._check_light()
        self._check_booklets()

    def _check_questions(self) -> None:
        questions = cast(
            tuple[Question, ...], validation.as_tuple(self.questions, f"questions of block {self.key}")
        )
        if not questions:
            raise PrivacyError("empty_block", (), key=self.key)
        for question in questions:
            validation.instance(question, f"question of block {self.key}", Question)
            if question.is_scale:
                self._check_lone(question, len(questions))
                continue
            if self.protected != bool(question.unrelated):
                raise PrivacyError(
                    "unrelated_probability.number" if self.protected else "unrelated_probability.open",
                    question.unrelated,
                    key=question.key,
                    block=self.key,
                    count=len(question.unrelated),
                    n_items=question.n_items,
                )
            if question.computed is not None and not self.protected:
                raise PrivacyError("computed.open", question.key, block=self.key)
            if question.computed is not None and question.computed.instructed and self.refusal is None:
                raise PrivacyError(
                    "computed.instructed_skip", question.computed.instructed[0], block=self.key
                )
        object.__setattr__(self, "questions", questions)
        # Answers to other questions in the block would not be publicly known.
        if self.is_anchor and (
            len(self.questions) > 1 or not self.questions[0].can_be_anchor or not self.protected
        ):
            raise PrivacyError("anchor.block", self.key)

    def _check_lone(self, question: Question, count: int) -> None:
        """Refuse a number or place that shares its block, or whose disguise does not suit the block."""
        if count > 1:
            raise PrivacyError("lone.block", question.key, kind=question.kind)
        if not self.protected and not question.can_be_open:
            raise PrivacyError("lone.open", question.key)
        disguise = question.disguise
        if disguise is not None and disguise.is_as_answered == self.protected:
            case = "disguise.protected" if self.protected else "disguise.open"
            raise PrivacyError(case, disguise.mechanism, key=question.key)

    def _check_scale(self) -> None:
        question = self.questions[0]
        if self.truth_probability != 0:
            raise PrivacyError(
                "truth_probability.own_disguise", self.truth_probability, kind=question.kind, key=self.key
            )
        if self.refusal is not None:
            # The constructor refuses a probability at which a skip would reveal more than an answer.
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
            decoy_skip_probability=self.refusal,
            question=self.questions[0],
        )
        object.__setattr__(self, "light", light)

    def _check_booklets(self) -> None:
        if self.questions_per_person is None:
            if self.booklets is not None:
                raise PrivacyError("booklets.alone", self.booklets, key=self.key)
            return
        if not self.has_coin:
            case = "questions_per_person.scale" if self.is_scale else "questions_per_person.open"
            raise PrivacyError(case, self.questions_per_person, key=self.key)
        object.__setattr__(self, "questions_per_person", self.sets.size)
        object.__setattr__(self, "booklets", self.sets.listed)

    @cached_property
    def sets(self) -> Booklets:
        """The possible sets of questions of a rotating block."""
        if self.questions_per_person is None:
            raise PrivacyError("questions_per_person.none", self.key)
        return Booklets(
            key=self.key, total=len(self.questions), size=self.questions_per_person, listed=self.booklets
        )

    @property
    def is_anchor(self) -> bool:
        """Whether the true answer is publicly known; privacy bounds exclude such a block."""
        return any(question.anchor for question in self.questions)

    @property
    def unrelated(self) -> dict[str, tuple[int, ...]]:
        """Probability of each item in a decoy, in ten-thousandths, by question key."""
        return {question.key: question.unrelated for question in self.questions}

    @cached_property
    def is_rotating(self) -> bool:
        """Whether each device asks only some of its questions."""
        return self.questions_per_person is not None

    @property
    def most_asked(self) -> int:
        """Number of questions that one device asks."""
        return self.questions_per_person or len(self.questions)

    @property
    def n_booklets(self) -> int:
        """Number of booklets from which a device draws; 1 if it asks all questions."""
        return self.sets.count if self.is_rotating else 1

    def booklet(self, number: int) -> Booklet:
        """Return the positions of the questions in a booklet."""
        return self.sets[number] if self.is_rotating else tuple(range(len(self.questions)))

    def booklet_number(self, positions: Iterable[int]) -> int | None:
        """Return the number of the booklet that asks exactly these positions; None if no booklet does."""
        if self.is_rotating:
            return self.sets.number_of(positions)
        return 0 if sorted(positions) == list(range(len(self.questions))) else None

    def share_asked(self, positions: Iterable[int]) -> Fraction:
        """Return the share f of booklets that ask all of these positions."""
        return self.sets.share_asked(positions) if self.is_rotating else Fraction(1)

    def of_booklet(self, positions: Iterable[int]) -> Block:
        """Return a block with only these questions, all of which are asked.

        Its properties describe a device with this booklet.
        """
        if not self.is_rotating:
            return self
        selection = tuple(self.questions[position] for position in positions)
        return replace(self, questions=selection, questions_per_person=None, booklets=None)

    @cached_property
    def worst_booklet(self) -> Booklet:
        """The booklet with the least likely decoy, and so the one whose answers reveal most.

        Notes
        -----
        The least likely decoy of a booklet has probability min(r, (1 - r) prod min_v q_i(v)). It is smallest
        for the questions with the smallest q_i.

        Examples
        --------
        >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(share,))
        ...                   for key, share in (("a", 5000), ("b", 3000), ("c", 4000)))
        >>> Block(key="money", protected=True, truth_probability=5000,
        ...       questions=questions, questions_per_person=2).worst_booklet
        (1, 2)
        """
        if not self.is_rotating:
            return tuple(range(len(self.questions)))
        return self.sets.least([question.rarest_decoy for question in self.questions])

    def in_group(self, *, direct: bool) -> Block | None:
        """Return the block for one group's devices; None if they send answers undisguised.

        The returned block has a single strength, so all its properties apply.
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
        """Return p of one group: 1 if it sends answers undisguised."""
        strength = self.in_group(direct=direct)
        return Fraction(1) if strength is None else strength.truth

    @property
    def has_coin(self) -> bool:
        """Whether one coin decides for all questions: protected, and no question has its own disguise."""
        return self.protected and not self.is_scale

    @cached_property
    def is_scale(self) -> bool:
        """Whether its only question is a number or place, with its own disguise (the identity if open)."""
        return len(self.questions) == 1 and self.questions[0].is_scale

    @property
    def disguise(self) -> Disguise:
        """The disguise of its only question, a number or a place."""
        disguise = self.questions[0].disguise
        if disguise is None:
            raise PrivacyError("not_lone", self.key)
        return disguise

    @property
    def has_lighter(self) -> bool:
        """Whether the disguise of its only question has an adjustable epsilon."""
        return cast(ScaleQuestion, self.questions[0]).has_lighter

    def lighter(self, epsilon: float) -> Disguise:
        """Return the disguise of its only question with another epsilon (`ScaleQuestion.lighter`)."""
        return cast(ScaleQuestion, self.questions[0]).lighter(epsilon)

    @cached_property
    def skipping(self) -> Skipping | None:
        """The skip of a number or a place; None for other blocks, and if no skip is offered."""
        if not self.is_scale or self.refusal is None:
            return None
        return Skipping(disguise=self.disguise, refusal=self.refusal)

    @cached_property
    def truth(self) -> Fraction:
        """p as a fraction.

        For a disguised number or place, this is the retention probability of its skip or else of its items;
        0 if it has neither.
        """
        if not self.protected or not self.is_scale:
            return Fraction(self.truth_probability, SCALE)
        if self.skipping is not None:
            return self.skipping.truth
        p = self.disguise.retention_probability if self.questions[0].options else None
        return Fraction(0) if p is None else p

    @cached_property
    def scale_total(self) -> int:
        """Exclusive upper limit of the single draw for a number or a place.

        With two strengths, it is the least common multiple of their limits. The number of words that a device
        reads until a draw is accepted then does not depend on the group.
        """
        if self._light_block is not None:
            return math.lcm(self._strong_block.scale_total, self._light_block.scale_total)
        return self.disguise.total if self.skipping is None else self.skipping.total

    def scale_sent(self, value: int | None, draw: int, *, direct: bool = False) -> int | None:
        """Return what a group's device sends for a number or a place, given a draw; None means a skip."""
        strength = self.in_group(direct=direct)
        if strength is None:
            return value
        draw //= self.scale_total // strength.scale_total
        if value is None and strength.skipping is None:
            return None
        # Imported here because the process that receives answers must not load numpy.
        from privacy.scales.sent_rows import row_sent

        return row_sent(strength.skipping or strength.disguise, value, draw)

    def scale_outputs(self, *, direct: bool) -> int:
        """Return how many values a group's device can send for a number or a place, without the skip."""
        strength = self.in_group(direct=direct)
        return self.patterns if strength is None else strength.disguise.outputs

    @cached_property
    def patterns(self) -> int:
        """Number of different complete answers, without "skipped"."""
        return math.prod(question.patterns for question in self.questions)

    @property
    def fewest_patterns(self) -> int:
        """Smallest number of different complete answers over all booklets."""
        if not self.is_rotating:
            return self.patterns
        counts = [question.patterns for question in self.questions]
        return math.prod(counts[position] for position in self.sets.least(counts))

    @property
    def n_draws(self) -> int:
        """Number of draws of each device: the coin, the skip if offered, and each decoy."""
        if not self.protected:
            return 0
        if self.is_scale:
            return words_below(self.scale_total)
        return 1 + (self.refusal is not None) + sum(question.n_draws for question in self.questions)


def default_refusal(block: Block) -> int:
    """Return the probability of "skipped" in decoys that makes it about as likely as any pattern of answers.

    For a number or a place, return the smallest probability at which a skip reveals no more than an answer.

    Parameters
    ----------
    block : Block
        Its current refusal is ignored.

    Returns
    -------
    int
        10,000 / (1 + number of answer patterns), in ten-thousandths, rounded up. At decoy probabilities of
        1/2, a skip is then never less likely than an answer, and so never reveals more. For a rotating block,
        the number is that of the booklet with the fewest patterns.

    Examples
    --------
    >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> block = Block(key="marriage", protected=True, truth_probability=5000,
    ...               questions=(affair,))
    >>> default_refusal(block)
    3334
    """
    if block.is_scale:
        return least_refusal(block.disguise)
    return -(-SCALE // (1 + block.fewest_patterns))
