"""Questions whose answers share the coin of their block: yes or no, one option, or any number of options."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, cast

from privacy import validation
from privacy.coins import SCALE, Coins
from privacy.errors import PrivacyError
from privacy.survey.question import Question, Value

if TYPE_CHECKING:
    from privacy.arrays import Whole


class YesNo(Question):
    """A yes/no question."""

    is_categorical = True
    can_be_anchor = True
    can_be_computed = True

    def _check_options(self) -> None:
        if self.disguise is not None:
            raise PrivacyError("disguise.own", self.disguise, key=self.key)
        if self.options:
            raise PrivacyError("malformed.yes_no", self.options, key=self.key)

    @cached_property
    def item_keys(self) -> tuple[str, ...]:
        return (self.key,)

    def draw_decoy(self, coins: Coins) -> Value:
        return int(coins.draw() < self.unrelated[0])


class Choice(Question):
    """A choice of exactly one option."""

    is_binary = False
    is_categorical = True
    is_exclusive = True
    is_exhaustive = True
    can_be_computed = True

    @property
    def rarest_decoy(self) -> Fraction:
        return min(self.decoy_shares)

    @cached_property
    def patterns(self) -> int:
        return len(self.options)

    @property
    def parts(self) -> tuple[tuple[int, ...], ...]:
        return (tuple(range(self.n_items)),)

    @property
    def least_likely(self) -> Value:
        return self.unrelated.index(min(self.unrelated))

    @classmethod
    def uniform_shares(cls, count: int) -> tuple[int, ...]:
        part, rest = divmod(SCALE, count)
        return tuple(part + (position < rest) for position in range(count))

    def tables(self, shares: Sequence[int]) -> list[list[int]]:
        return [list(shares)]

    def of_tables(self, tables: Iterator[Whole]) -> list[int]:
        return [int(share) for share in next(tables)]

    def draw_decoy(self, coins: Coins) -> Value:
        draw = coins.draw()
        return next(option for option, edge in enumerate(self.cumulative) if draw < edge)

    def of_items(self, ticks: Sequence[int]) -> Value:
        return ticks.index(1)

    def ticks(self, value: Value | tuple[int | None, ...]) -> tuple[int | None, ...]:
        return tuple(int(value == option) for option in range(self.n_items))

    def probabilities(self, shares: Sequence[int], value: Value | tuple[int | None, ...]) -> list[int]:
        return [shares[cast(int, value)]]


class Several(Question):
    """A choice of any number of options."""

    is_several = True
    route_refusal = "asked_if.several"

    @property
    def n_draws(self) -> int:
        return self.n_items

    @property
    def answers(self) -> Sequence[Value]:
        return tuple(itertools.product((0, 1), repeat=self.n_items))

    def read(self, value: object) -> Value:
        name = f"answer to {self.key}"
        if not isinstance(value, list | tuple) or len(value) != len(self.options):
            raise PrivacyError("answer.entries", value, name=name, count=len(self.options))
        return tuple(validation.whole_number(entry, name, low=0, high=1, code="answer") for entry in value)

    def draw_decoy(self, coins: Coins) -> Value:
        return tuple(int(coins.draw() < share) for share in self.unrelated)

    def unpack(self, bits: int) -> Value:
        return tuple(bits >> shift & 1 for shift in range(self.n_items - 1, -1, -1))

    def of_parts(self, answers: Sequence[int]) -> Value:
        return tuple(answers)
