"""Compute the variance of supports where questions are asked in parts, some of them in turn.

At uniform truth and per respondent, as in `privacy.risk.efficiency`: divide by n.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from privacy import validation

__all__ = ["AskedPart", "mean_variance", "variance_of_size"]

Turns = tuple[tuple[int, ...], int]
"""Parts by their numbers, and how many of them each person is asked."""


@dataclass(frozen=True, kw_only=True)
class AskedPart:
    """Yes/no questions that share a coin, and how many of them each person is asked.

    Parameters
    ----------
    questions : int
        m.
    truth : float, in (0, 1]
        p.
    per_person : int, optional
        j of the m, all sets of j equally likely; everybody is asked all where it is left out.
    unrelated : float
        theta, alike for all questions, with which a part is disguised of which everybody is asked all; where
        questions rotate decoys are taken to be fair coins.
    inverse_shares : tuple of float, optional
        Where the sets asked are a list: for 1, 2, ... questions the mean over all sets of so many of
        1 / share of people who are asked them together.
    """

    questions: int
    truth: float
    per_person: int | None = None
    unrelated: float = 0.5
    inverse_shares: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse numbers outside their ranges."""
        validation.whole_number(self.questions, "number of questions", low=1, high=500)
        validation.real_number(self.truth, "truth probability", low=0, high=1, open_ends=False)
        if self.per_person is not None:
            validation.whole_number(
                self.per_person, "questions asked of a person", low=1, high=self.questions
            )

    def inverse_share(self, size: int) -> float:
        """Return 1 / f of so many questions, f the share of people who are asked them together."""
        if self.inverse_shares is not None:
            return self.inverse_shares[size - 1] if size <= len(self.inverse_shares) else math.inf
        asked = self.questions if self.per_person is None else self.per_person
        if size > asked:
            return math.inf
        return math.comb(self.questions, asked) / math.comb(self.questions - size, asked - size)

    def excess(self, size: int) -> float:
        """Return by how much E z^2 of so many items of the part exceeds that of the truth, times 4^size.

        Notes
        -----
        Where all are asked z = ([all shown] - d)/p with d = (1 - p) theta^k, and E z^2 is as it is there.
        Where questions rotate it is the sum of 1/(f_A p^2) over the non-empty sets A of the k items.
        """
        if size == 0:
            return 0.0
        if self.per_person is None:
            decoy = (1 - self.truth) * self.unrelated**size
            shown = self.truth * 0.5**size + decoy
            square = (shown * (1 - decoy) ** 2 + (1 - shown) * decoy**2) / self.truth**2
            return 4.0**size * square - 1
        return (
            math.fsum(math.comb(size, a) * self.inverse_share(a) for a in range(1, size + 1)) / self.truth**2
        )


def variance_of_size(parts: Sequence[AskedPart], size: int, *, rotations: Sequence[Turns] = ()) -> float:
    """Return n times the variance of a support of so many items, the mean over all sets of so many questions.

    Parameters
    ----------
    parts : sequence of AskedPart
    size : int
    rotations : sequence of (tuple of int, int)
        Parts by their numbers, and how many of these each person is asked, all sets alike.

    Returns
    -------
    float
        Infinite where nobody is asked some of these sets.

    Notes
    -----
    A support is 2^-k times the signed sum of the coefficients of its subsets. Parts draw independently, so
    variances of coefficients multiply over parts, but for 1/f of parts that rotate: C(B, a)/C(B - t, a - t)
    for t of B parts of which a are asked.

    Examples
    --------
    Two parts of one question with p = 1/2: a share has 1/4 / p^2 = 1, their pair (1 + 4)(1 + 4)/16 - 1/16.

    >>> coins = [AskedPart(questions=1, truth=.5)] * 2
    >>> variance_of_size(coins, 1), variance_of_size(coins, 2)
    (1.0, 1.5)

    Two of three questions at e^eps = 5.

    >>> [round(variance_of_size([AskedPart(questions=3, truth=.5, per_person=2)], k), 12) for k in (1, 2, 3)]
    [1.5, 1.5, inf]
    """
    turns = {number: place for place, (numbers, _asked) in enumerate(rotations) for number in numbers}
    # Sums over sets of k questions of the product of 1 + excess: outside of rotations, and of each rotation
    # by how many of its parts a coefficient touches.
    total = [1.0] + [0.0] * size
    touched: list[list[list[float]]] = [[[1.0] + [0.0] * size] for _rotation in rotations]
    for number, part in enumerate(parts):
        most = min(size, part.questions)
        plain = [float(math.comb(part.questions, k)) for k in range(most + 1)]
        excess = [0.0] + [plain[k] * part.excess(k) for k in range(1, most + 1)]
        if number not in turns:
            total = _times(total, [a + b for a, b in zip(plain, excess, strict=True)])
            continue
        before = touched[turns[number]]
        after = [_times(poly, plain) for poly in before] + [[0.0] * (size + 1)]
        for count, poly in enumerate(before):
            after[count + 1] = [a + b for a, b in zip(after[count + 1], _times(poly, excess), strict=True)]
        touched[turns[number]] = after
    for (numbers, asked), polys in zip(rotations, touched, strict=True):
        together = [0.0] * (size + 1)
        for count, poly in enumerate(polys):
            share = math.comb(len(numbers) - count, asked - count) if count <= asked else 0
            inverse = math.comb(len(numbers), asked) / share if share else math.inf
            together = [a + (b * inverse if b else 0.0) for a, b in zip(together, poly, strict=True)]
        total = _times(total, together)
    sets = math.comb(sum(part.questions for part in parts), size)
    return (total[size] / sets - 1) / 4.0**size


def mean_variance(
    parts: Sequence[AskedPart], sizes: Sequence[int], *, rotations: Sequence[Turns] = ()
) -> float:
    """Return the mean of `variance_of_size` over these sizes."""
    return math.fsum(variance_of_size(parts, size, rotations=rotations) for size in sizes) / len(sizes)


def _times(one: Sequence[float], other: Sequence[float]) -> list[float]:
    """Return the product of two polynomials, as long as the first one is."""
    return [
        math.fsum(one[k - i] * other[i] for i in range(min(k + 1, len(other))) if one[k - i] and other[i])
        for k in range(len(one))
    ]
