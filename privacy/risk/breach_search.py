"""Search for the property of the largest posterior given one observed value, without listing properties."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

__all__ = ["Search"]


class Search:
    """Depth first over kinds of values, by falling likelihood, in whole numbers."""

    def __init__(self, prior: Sequence[Fraction], likelihood: Sequence[Fraction], rho1: Fraction) -> None:
        scale = math.lcm(*(share.denominator for share in prior), rho1.denominator)
        chances = math.lcm(*(chance.denominator for chance in likelihood))
        self.value_scale = scale * chances
        able = [value for value, share in enumerate(prior) if share > 0 and likelihood[value] > 0]

        def kind(value: int) -> tuple[Fraction, Fraction]:
            return -likelihood[value], -prior[value]

        self.kinds = [list(same) for _, same in groupby(sorted(able, key=kind), key=kind)]
        self.weight = [int(prior[same[0]] * scale) for same in self.kinds]
        self.chance = [int(likelihood[same[0]] * chances) for same in self.kinds]
        self.room = int(rho1 * scale)
        self.bound = Fraction(self._promise(0, self.room))
        self.best = -1
        self.taken: list[int] = []
        self.finished = True

    @property
    def members(self) -> tuple[int, ...]:
        """The values of the best property so far."""
        return tuple(
            sorted(
                value for same, count in zip(self.kinds, self.taken, strict=False) for value in same[:count]
            )
        )

    def _promise(self, first: int, room: int) -> int:
        """Bound what the kinds from `first` on can add: the last of them is taken in part, to the unit."""
        total = 0
        for position in range(first, len(self.kinds)):
            mass = min(room, self.weight[position] * len(self.kinds[position]))
            total += mass * self.chance[position]
            room -= mass
            if room == 0:
                break
        return total

    def run(self, most_nodes: int) -> None:
        """Search; `finished` says whether everything was looked at."""
        nodes = 0
        stack: list[tuple[int, int, int, tuple[int, ...]]] = [(0, self.room, 0, ())]
        while stack:
            position, room, value, taken = stack.pop()
            if value > self.best:
                self.best, self.taken = value, list(taken)
            if position == len(self.kinds) or value + self._promise(position, room) <= self.best:
                continue
            nodes += 1
            if nodes > most_nodes:
                self.finished = False
                return
            most = min(len(self.kinds[position]), room // self.weight[position])
            # As many as fit are looked at first: they lie on top of the stack.
            for count in range(most + 1):
                mass = count * self.weight[position]
                stack.append(
                    (position + 1, room - mass, value + mass * self.chance[position], (*taken, count))
                )
