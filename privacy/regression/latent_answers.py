"""Latent answers of a regression: disguised response and predictor, and skips, as letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.channels import Channel, Retention
from privacy.errors import PrivacyError

NO: Final = 0

YES: Final = 1

SKIPPED_REPORT: Final = 2

Letter: TypeAlias = tuple[int | None, int]
"""True answers to the predictor (None if there is no disguised predictor) and to the response."""

EventStep: TypeAlias = tuple[str, int | None, bool]
"""An equation, the predictor's answer that it depends on, and whether its event happens."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LatentAnswers:
    """The true letters (combinations of latent answers), and how each group reports them.

    Parameters
    ----------
    letters : tuple of (int or None, int)
    channels : float array, shape (groups, reports, letters)
        Reports are in the order of the letters including skips, even if no true letter is a skip.
    one_part : bool
        Whether predictor and response are in one block, and so are skipped together.
    answered : tuple of int, optional
        Positions of reports without a skip, if reports can be skips but true letters cannot.

    Examples
    --------
    A response that may be skipped, and a disguised predictor of an open response:

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
        """Return the latent answers to questions that do not share a coin.

        Parameters
        ----------
        response, predictor : sequence of Retention or Channel, one per group, optional
            Channels with two letters, or three if the question may be skipped. None for an undisguised
            response, or for no disguised predictor.

        Raises
        ------
        PrivacyError
            ``regression``: a channel has another number of letters.
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
        """Return the latent answers to two questions of one block.

        Parameters
        ----------
        part : sequence of Retention or Channel, one per group
            Channels of the pairs (no, no), (no, yes), (yes, no), (yes, yes) of predictor and response, and of
            a skip if the block may be skipped.
        """
        channels = _matrices(part, sizes=(4, 5))
        pairs: tuple[Letter, ...] = (
            (NO, NO),
            (NO, YES),
            (YES, NO),
            (YES, YES),
            (SKIPPED_REPORT, SKIPPED_REPORT),
        )
        return cls(letters=pairs[: channels.shape[2]], channels=channels, one_part=True)

    @property
    def may_skip(self) -> bool:
        """Whether skips are among the true letters."""
        return any(SKIPPED_REPORT in letter for letter in self.letters)

    def without_skips(self) -> LatentAnswers:
        """Return the same reports, assuming that no one skips: every reported skip is then a decoy."""
        without = [position for position, letter in enumerate(self.letters) if SKIPPED_REPORT not in letter]
        return LatentAnswers(
            letters=tuple(self.letters[position] for position in without),
            channels=self.channels[:, :, without],
            one_part=self.one_part,
            answered=tuple(without),
        )

    @cached_property
    def unbiased(self) -> Array:
        """W with W K = I for each group, shape (groups, letters, reports): unbiased counts of letters.

        If no one is assumed to skip, a reported skip is a decoy, which says nothing about the letter. Its
        entries are 0.
        """
        positions = list(range(self.channels.shape[1])) if self.answered is None else list(self.answered)
        try:
            inverse = np.linalg.inv(self.channels[:, positions])
        except np.linalg.LinAlgError:
            raise PrivacyError("regression.no_information", 0) from None
        result = np.zeros(self.channels.shape[:1] + self.channels.shape[:0:-1])
        result[:, :, positions] = inverse
        return result

    def path(self, letter: Letter) -> list[EventStep]:
        """Return the events that lead to a letter, one equation after another."""
        z, y = letter
        steps: list[EventStep] = []
        if self.one_part and self.may_skip:
            steps.append(("skipped", None, letter == (SKIPPED_REPORT, SKIPPED_REPORT)))
            if letter == (SKIPPED_REPORT, SKIPPED_REPORT):
                return steps
        if z is not None:
            if not self.one_part and any(letter[0] == SKIPPED_REPORT for letter in self.letters):
                steps.append(("predictor skipped", None, z == SKIPPED_REPORT))
            if z != SKIPPED_REPORT:
                steps.append(("predictor", None, z == YES))
        if not self.one_part and any(letter[1] == SKIPPED_REPORT for letter in self.letters):
            steps.append(("skipped", z, y == SKIPPED_REPORT))
        if y != SKIPPED_REPORT:
            steps.append(("response", z, y == YES))
        return steps

    @cached_property
    def logits(self) -> tuple[tuple[str, int | None], ...]:
        """Equation and predictor's answer of each logit, in the order of the steps."""
        steps = (step for letter in self.letters for step in self.path(letter))
        return tuple(dict.fromkeys((equation, z) for equation, z, _ in steps))

    @cached_property
    def branches(self) -> NDArray[np.int_]:
        """For each letter and logit: 1 if the letter requires its event, 0 its failure, -1 neither."""
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
