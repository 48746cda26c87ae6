"""A survey of yes/no questions that is only planned: its numbers, and the design that they represent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from privacy import validation
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.survey.block import Block
from privacy.survey.condition import GroupPolicy
from privacy.survey.design import Design
from privacy.survey.question import Question

__all__ = ["MOST_QUESTIONS", "PlannedSurvey"]

MOST_QUESTIONS: Final = 60


@dataclass(frozen=True, kw_only=True)
class PlannedSurvey:
    """Yes/no questions, alike within each block, as they are imagined before a draft is written.

    Parameters
    ----------
    truth_probability, unrelated : int, ten-thousandths, 1 to 9,999
        p of every block, theta of every question.
    block_sizes : tuple of int
        Questions of each block, at most 60 together.
    prevalence : int, or tuple of int, ten-thousandths, each 1 to 9,999
        Expected share of "yes": one for all questions, or one for those of each block.

    Raises
    ------
    PrivacyError
        ``truth_probability``, ``unrelated_probability``, ``prevalence``, ``block_sizes``.
    """

    truth_probability: int
    unrelated: int
    block_sizes: tuple[int, ...]
    prevalence: int | tuple[int, ...]

    def __post_init__(self) -> None:
        _probability(self.truth_probability, "truth_probability")
        _probability(self.unrelated, "unrelated_probability")
        sizes = validation.listed(self.block_sizes, "block sizes", code="block_sizes")
        whole = tuple(
            validation.whole_number(size, "block size", low=1, high=MOST_QUESTIONS, code="block_sizes")
            for size in sizes
        )
        if not 1 <= sum(whole) <= MOST_QUESTIONS:
            raise PrivacyError("block_sizes", whole, total=sum(whole), most=MOST_QUESTIONS)
        object.__setattr__(self, "block_sizes", whole)
        shares = self.prevalence if isinstance(self.prevalence, tuple) else (self.prevalence,)
        for share_of_yes in shares:
            _probability(share_of_yes, "prevalence")
        if len(shares) not in (1, len(whole)):
            raise PrivacyError("prevalence.blocks", shares, count=len(shares), blocks=len(whole))

    @property
    def prevalences(self) -> tuple[int, ...]:
        """Expected share of "yes" in each block, in ten-thousandths."""
        shares = self.prevalence if isinstance(self.prevalence, tuple) else (self.prevalence,)
        return shares if len(shares) == len(self.block_sizes) else shares * len(self.block_sizes)

    def design(self) -> Design:
        """Return the questionnaire: question1, question2, ... in block1, block2, ..."""
        numbers = iter(range(1, sum(self.block_sizes) + 1))
        blocks = tuple(
            Block(
                key=f"block{position}",
                protected=True,
                truth_probability=self.truth_probability,
                refusal=None,
                asked_if=None,
                questions=tuple(
                    Question(
                        key=f"question{next(numbers)}", kind="yes_no", options=(), unrelated=(self.unrelated,)
                    )
                    for _ in range(size)
                ),
            )
            for position, size in enumerate(self.block_sizes, start=1)
        )
        return Design(blocks=blocks, group=GroupPolicy(), use="live")

    def stated(self) -> dict[str, list[int]]:
        """Return the prevalences as an audit takes them."""
        blocks = zip(self.design().blocks, self.prevalences, strict=True)
        return {question.key: [share] for block, share in blocks for question in block.questions}


def _probability(value: int, code: str) -> None:
    validation.whole_number(value, code.replace("_", " "), low=1, high=SCALE - 1, code=code)
