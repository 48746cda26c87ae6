"""Latent answers of a regression: of the response, of a disguised predictor, and skips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.channels.channel import Channel
from privacy.channels.retention import Retention
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.survey.design import Design

NO: Final = 0
YES: Final = 1
SKIPPED: Final = 2

Letter: TypeAlias = tuple[int | None, int]
"""True answers to the predictor, None where there is none, and to the response."""

Step: TypeAlias = tuple[str, int | None, bool]
"""An equation, the predictor's answer that it is tried with, and whether its event happens."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LatentAnswers:
    """The true letters, and how each group reports them.

    Parameters
    ----------
    letters : tuple of (int or None, int)
    channels : float array, shape (groups, reports, letters)
        The reports are in the order of the letters with skips, whether or not skips are reckoned as true.
    one_part : bool
        Whether predictor and response are skipped together.
    answered : tuple of int, optional
        The reports that skip nothing, where no letter is a skip and some reports are.

    Examples
    --------
    A response of a part that may be skipped, and a disguised predictor of an open response:

    >>> from fractions import Fraction
    >>> part = Retention.grouping(Fraction(1, 2), [Fraction(1, 2)] * 2, skip_probability=Fraction(1, 5))
    >>> LatentAnswers.of(response=[part]).letters
    ((None, 0), (None, 1), (None, 2))
    >>> die = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
    >>> answers = LatentAnswers.of(response=None, predictor=[die])
    >>> answers.letters, answers.channels[0, 3].round(3).tolist()  # reported "yes, yes"
    (((0, 0), (0, 1), (1, 0), (1, 1)), [0.0, 0.167, 0.0, 0.833])
    """

    letters: tuple[Letter, ...]
    channels: Array
    one_part: bool = False
    answered: tuple[int, ...] | None = None

    @classmethod
    def of(
        cls,
        *,
        response: Sequence[Retention | Channel] | None,
        predictor: Sequence[Retention | Channel] | None = None,
    ) -> LatentAnswers:
        """Return the answers to questions whose coins are apart.

        Parameters
        ----------
        response, predictor : sequence of Retention or Channel, one per group, optional
            Of two letters, or of three where the part may be skipped. None: reported as it is.

        Raises
        ------
        PrivacyError
            ``regression``: other numbers of letters.
        """
        groups = len(response or predictor or [None])
        open_ = [Retention.truthful(2)] * groups
        y, z = _matrices(response or open_), None if predictor is None else _matrices(predictor)
        answers = range(y.shape[2])
        if z is None:
            return cls(letters=tuple((None, answer) for answer in answers), channels=y)
        size = z.shape[1] * y.shape[1]
        return cls(
            letters=tuple((first, answer) for first in range(z.shape[2]) for answer in answers),
            channels=np.einsum("gab,gcd->gacbd", z, y).reshape(len(y), size, size),
        )

    @classmethod
    def together(cls, part: Sequence[Retention | Channel]) -> LatentAnswers:
        """Return the answers to two questions of one part.

        Parameters
        ----------
        part : sequence of Retention or Channel, one per group
            Of the pairs (no, no), (no, yes), (yes, no), (yes, yes) of predictor and response, and of a skip
            where the part may be skipped.
        """
        channels = _matrices(part, sizes=(4, 5))
        pairs: tuple[Letter, ...] = ((NO, NO), (NO, YES), (YES, NO), (YES, YES), (SKIPPED, SKIPPED))
        return cls(letters=pairs[: channels.shape[2]], channels=channels, one_part=True)

    @property
    def may_skip(self) -> bool:
        """Whether skips are among the true letters."""
        return any(SKIPPED in letter for letter in self.letters)

    def without_skips(self) -> LatentAnswers:
        """Return the same reports of people none of whom skips: decoys alone say so."""
        without = [position for position, letter in enumerate(self.letters) if SKIPPED not in letter]
        return LatentAnswers(
            letters=tuple(self.letters[position] for position in without),
            channels=self.channels[:, :, without],
            one_part=self.one_part,
            answered=tuple(without),
        )

    @cached_property
    def unbiased(self) -> Array:
        """W with W K = I by group, shape (groups, letters, reports): unbiased numbers of letters of a report.

        A report that skips, where nobody is taken to skip, is a decoy: it tells nothing of any letter, and
        counts for none.
        """
        answered = list(range(self.channels.shape[1])) if self.answered is None else list(self.answered)
        try:
            inverse = np.linalg.inv(self.channels[:, answered])
        except np.linalg.LinAlgError:
            raise PrivacyError("regression.no_information", 0) from None
        unbiased = np.zeros(self.channels.shape[:1] + self.channels.shape[:0:-1])
        unbiased[:, :, answered] = inverse
        return unbiased

    def path(self, letter: Letter) -> list[Step]:
        """Return what has to happen for a letter, one equation after the other."""
        z, y = letter
        steps: list[Step] = []
        if self.one_part and self.may_skip:
            steps.append(("skipped", None, letter == (SKIPPED, SKIPPED)))
            if letter == (SKIPPED, SKIPPED):
                return steps
        if z is not None:
            if not self.one_part and any(letter[0] == SKIPPED for letter in self.letters):
                steps.append(("predictor skipped", None, z == SKIPPED))
            if z != SKIPPED:
                steps.append(("predictor", None, z == YES))
        if not self.one_part and any(letter[1] == SKIPPED for letter in self.letters):
            steps.append(("skipped", z, y == SKIPPED))
        if y != SKIPPED:
            steps.append(("response", z, y == YES))
        return steps

    @cached_property
    def logits(self) -> tuple[tuple[str, int | None], ...]:
        """Equation and answer of the predictor, in the order of the steps."""
        steps = (step for letter in self.letters for step in self.path(letter))
        return tuple(dict.fromkeys((equation, z) for equation, z, _ in steps))

    @cached_property
    def branches(self) -> NDArray[np.int_]:
        """What each letter needs of each logit: its event 1, its failure 0, or nothing -1."""
        branches = np.full((len(self.letters), len(self.logits)), -1)
        for row, letter in enumerate(self.letters):
            for equation, z, event in self.path(letter):
                branches[row, self.logits.index((equation, z))] = event
        return branches


def _matrices(part: Sequence[Retention | Channel], sizes: tuple[int, int] = (2, 3)) -> Array:
    matrices = [(channel if isinstance(channel, Channel) else channel.matrix).as_array() for channel in part]
    if len({matrix.shape for matrix in matrices}) != 1 or matrices[0].shape[1] not in sizes:
        letters = [matrix.shape[1] for matrix in matrices]
        raise PrivacyError("regression.letters", letters, least=sizes[0], most=sizes[1])
    return np.stack(matrices)


def report_channels(design: Design, items: Sequence[int]) -> Sequence[Retention | Channel]:
    """Return the channel by which each group reports its items of one block, the direct group first.

    Parameters
    ----------
    design : Design
    items : sequence of int
        Of one protected block; the first item's answer changes last, a skip is the last letter.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="b", protected=True,
    ...     truth_probability=5000, refusal=None, asked_if=None,
    ...     questions=(Question(key="a", kind="yes_no", options=(), unrelated=(5000,)),)),))
    >>> [channel.matrix[1, 1] for channel in report_channels(design, [0])]
    [Fraction(1, 1), Fraction(3, 4)]
    """
    block = design.blocks[design.items[items[0]].block]
    q = [Fraction(1)]
    for item in items:
        yes = design.questions[design.items[item].question].unrelated[design.items[item].option]
        q = [share * chance for share in q for chance in (1 - Fraction(yes, SCALE), Fraction(yes, SCALE))]
    skip = None if block.refusal is None else Fraction(block.refusal, SCALE)
    return [
        Retention.grouping(block.truth_in(direct=direct), q, skip_probability=skip)
        for direct in (True, False)
    ]
