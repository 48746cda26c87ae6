"""Derive answers from published shares: search all integer tables of people that fit the shares.

Each published share is one linear equation in the numbers of people with each combination of answers. One
equation reveals no one's answer. Together, they can leave a single possible answer for a person whose other
answers are known. A limit on single figures misses this.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import scipy

from privacy.arrays import Array, Whole

__all__ = ["Certain", "PublishedShare", "Tables", "certain_answers"]

MOST_CELLS: Final = 20_000
_INFEASIBLE: Final = 2
_EXACT: Final = 1e-9


@dataclass(frozen=True, kw_only=True)
class PublishedShare:
    """A published share of people.

    Parameters
    ----------
    having : mapping of int to int
        Question number -> answer number: the people counted.
    among : frozenset of int
        Questions that the base of the share answered. Answer 0 is "not answered".
    share : float
    half_width : float
        Largest rounding error; 0 if all digits are given.
    """

    having: Mapping[int, int]
    among: frozenset[int]
    share: float
    half_width: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Certain:
    """People whose answer can be derived.

    Parameters
    ----------
    known : tuple of int
        The answers that the attacker knows.
    answer : int
        The derived answer.
    people : int
        Number of these people.
    """

    known: tuple[int, ...]
    answer: int
    people: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Tables:
    """All tables of people that fit the published shares.

    Parameters
    ----------
    sizes : tuple of int
        Number of answers of each question, "not answered" included.
    shares : tuple of PublishedShare
    least, most : int
        Bounds of the number of people, equal if it is published exactly.

    Raises
    ------
    ValueError
        ``too_large`` if there are more than 20,000 combinations of answers.
    """

    sizes: tuple[int, ...]
    shares: tuple[PublishedShare, ...]
    least: int
    most: int

    def __post_init__(self) -> None:
        if math.prod(self.sizes) > MOST_CELLS:
            raise ValueError(
                f"{math.prod(self.sizes)} combinations of answers; at most {MOST_CELLS} are listed"
            )

    @cached_property
    def cells(self) -> Whole:
        """All combinations of answers, one per row."""
        return np.array(list(itertools.product(*map(range, self.sizes))), dtype=np.int64)

    @cached_property
    def _rows(self) -> tuple[scipy.sparse.csr_array, Array, Array]:
        """Coefficients of the published shares, with lower and upper bounds of each row."""
        rows, low, high = [np.ones(len(self.cells))], [float(self.least)], [float(self.most)]
        for share in self.shares:
            among = np.all([self.cells[:, column] > 0 for column in sorted(share.among)], axis=0)
            having = among & np.all(
                [self.cells[:, column] == answer for column, answer in share.having.items()], axis=0
            )
            # having - share * among = 0, up to rounding.
            rows.append(having - share.share * among)
            width = (share.half_width + _EXACT) * self.most
            low.append(-width)
            high.append(width)
        return scipy.sparse.csr_array(np.array(rows)), np.array(low), np.array(high)

    def may_answer(self, known: Mapping[int, int], question: int, answer: int, *, seconds: float) -> bool:
        """Return whether a person with these known answers may have given this answer.

        Parameters
        ----------
        known : mapping of int to int
            Question number -> answer number.
        question, answer : int
        seconds : float
            Time limit of the search; beyond it the answer counts as possible.
        """
        theirs = self.cells[:, question] == answer
        for column, other in known.items():
            theirs &= self.cells[:, column] == other
        rows, low, high = self._rows
        optimum = scipy.optimize.milp(
            np.zeros(len(self.cells)),
            integrality=np.ones(len(self.cells)),
            constraints=[
                scipy.optimize.LinearConstraint(rows, low, high),
                scipy.optimize.LinearConstraint(
                    scipy.sparse.csr_array(theirs[None, :].astype(float)), 1, np.inf
                ),
            ],
            options={"time_limit": seconds},
        )
        return bool(optimum.status != _INFEASIBLE)


def certain_answers(
    tables: Tables, people: Whole, *, known: Sequence[int], question: int, seconds: float = 10.0
) -> Iterator[Certain]:
    """Yield the people whose answer follows from the published shares and the attacker's knowledge.

    Parameters
    ----------
    tables : Tables
    people : int64 array, shape (people, questions)
        The truth. It serves to count the people concerned, and to skip needless searches: an answer is
        possible if someone with the same known answers gave it.
    known : sequence of int
        Questions whose answers the attacker knows for everyone.
    question : int
        Question whose answers the attacker derives.
    seconds : float
        Time limit of each search.

    Examples
    --------
    Of ten people, three are old, two late, one both: no one's lateness follows. If all the old are late,
    theirs follows.

    >>> def read(*counts):
    ...     had = ({0: 2}, {1: 2}, {0: 2, 1: 2})
    ...     return Tables(sizes=(3, 3), least=10, most=10, shares=tuple(PublishedShare(
    ...         having=having, among=frozenset(having), share=count / 10)
    ...         for having, count in zip(had, counts, strict=True)))
    >>> def people(both, old, late):
    ...     return np.array([[2, 2]] * both + [[2, 1]] * old + [[1, 2]] * late
    ...                     + [[1, 1]] * (10 - both - old - late))
    >>> list(certain_answers(read(3, 2, 1), people(1, 2, 1), known=[0], question=1))
    []
    >>> [(each.answer, each.people)
    ...  for each in certain_answers(read(3, 4, 3), people(3, 0, 1), known=[0], question=1)]
    [(2, 3)]
    """
    for known_answers, given in _by_profile(people, known, question):
        if len(set(given)) > 1:
            continue
        profile, answer = dict(zip(known, known_answers, strict=True)), given[0]
        others = (other for other in range(1, tables.sizes[question]) if other != answer)
        if not any(tables.may_answer(profile, question, other, seconds=seconds) for other in others):
            yield Certain(known=known_answers, answer=answer, people=len(given))


def _by_profile(
    people: Whole, known: Sequence[int], question: int
) -> Iterable[tuple[tuple[int, ...], list[int]]]:
    """Group the given answers to a question by the people's known answers."""
    answers: dict[tuple[int, ...], list[int]] = {}
    for person in people[people[:, question] > 0].tolist():
        answers.setdefault(tuple(person[column] for column in known), []).append(person[question])
    return sorted(answers.items())
