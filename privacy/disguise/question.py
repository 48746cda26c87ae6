"""A question, and the distribution of the unrelated question that stands in for it in decoys."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

from privacy import validation
from privacy.coins import SCALE
from privacy.errors import DesignError

__all__ = ["KINDS", "Kind", "Question", "Value"]

Kind: TypeAlias = Literal["yes_no", "single", "multi"]
KINDS: Final = ("yes_no", "single", "multi")

Value: TypeAlias = int | tuple[int, ...]
"""One answer: 0 or 1 (yes/no), the position of an option (single), a 0 or 1 per option (multi)."""

MOST_OPTIONS: Final = 200


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
        validation.key(self.key, "question key", error=DesignError)
        validation.one_of(self.kind, f"kind of {self.key}", allowed=KINDS, code="kind", error=DesignError)
        options = tuple(
            validation.key(option, f"option of {self.key}", error=DesignError)
            for option in validation.listed(self.options, f"options of {self.key}", error=DesignError)
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
            for share in validation.listed(
                self.unrelated, f"unrelated probabilities of {self.key}", error=DesignError
            )
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
