"""Questions and pairs whose reports the design cannot have produced, and the access to all others.

Anyone with an open link can send rows, and a few that contradict the design show that some were forged. The
questions that they contradict have no figures. All figures of the other questions stay, and say how many rows
were not sent by a device.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np

from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.survey.design import Design


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """How many rows would explain the reports to a question, a pair or a block.

    Parameters
    ----------
    rows : int
        Least number of rows that no device with the design sent.
    n : int
        Rows that were asked it.
    """

    rows: int
    n: int


@dataclass(frozen=True, kw_only=True)
class Withheld:
    """What the figures of some rows may not read.

    Parameters
    ----------
    questions : mapping of int to Evidence
        By number of the question: no figure may read it.
    pairs : mapping of (int, int) to Evidence
        By numbers of two questions, the smaller first: no figure may read both.
    blocks : mapping of int to Evidence
        By number of the block, whose skips contradict the design: no figure may read any of its questions.
    keys : tuple of str
        Keys of all questions of the design, for error messages.
    """

    questions: Mapping[int, Evidence] = field(default_factory=dict)
    pairs: Mapping[tuple[int, int], Evidence] = field(default_factory=dict)
    blocks: Mapping[int, Evidence] = field(default_factory=dict)
    keys: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self._all)

    @property
    def _all(self) -> list[Evidence]:
        return [*self.questions.values(), *self.pairs.values(), *self.blocks.values()]

    @cached_property
    def rows(self) -> int:
        """Rows that no device sent, at least: the most that any question, pair or block needs."""
        return max((evidence.rows for evidence in self._all), default=0)

    def reason(self, questions: Iterable[int]) -> PrivacyError | None:
        """Return why no figure may read these questions together; None if one may."""
        numbers = sorted(set(questions))
        for number in numbers:
            if number in self.questions:
                return self._error(self.questions[number], number)
        for pair in itertools.combinations(numbers, 2):
            if pair in self.pairs:
                return self._error(self.pairs[pair], *pair)
        return None

    def check(self, questions: Iterable[int]) -> None:
        """Refuse to read these questions together if what they report contradicts the design.

        Raises
        ------
        PrivacyError
            ``forged``

        Examples
        --------
        >>> withheld = Withheld(questions={1: Evidence(rows=20, n=430)}, keys=("late", "cheat"))
        >>> withheld.check([0])
        >>> withheld.check([0, 1])  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        privacy.errors.PrivacyError: no figure of “cheat” is shown: at least 20 of 430 answers are forged; ...
        """
        reason = self.reason(questions)
        if reason is not None:
            raise reason

    def permits(self, questions: Iterable[int]) -> bool:
        """Whether a figure may read these questions together."""
        return self.reason(questions) is None

    def allowed(self, design: Design, itemsets: Whole) -> Flags:
        """Flag the itemsets that figures may read.

        Parameters
        ----------
        design : Design
        itemsets : int array, shape (m, size)
            Items; -1 and columns that are not items are allowed.
        """
        columns = np.asarray(itemsets, dtype=np.int64)
        if not self:
            return np.ones(len(columns), dtype=np.bool_)
        # Index -1 and columns that are not items read the last position.
        question_of = np.array([*(item.question for item in design.items), -1])
        numbers = question_of[np.minimum(columns, len(design.items))]
        refused = np.isin(numbers, list(self.questions)).any(axis=1)
        for first, second in self.pairs:
            refused |= (numbers == first).any(axis=1) & (numbers == second).any(axis=1)
        return np.asarray(~refused)

    def check_columns(self, design: Design, requests: Iterable[Collection[int]]) -> None:
        """Refuse counts of rows that would read a withheld question or pair.

        Raises
        ------
        PrivacyError
            ``forged``
        """
        if not self:
            return
        for columns in requests:
            self.check(
                {design.items[column].question for column in columns if 0 <= column < len(design.items)}
            )

    def _error(self, evidence: Evidence, *numbers: int) -> PrivacyError:
        first, second = self.keys[numbers[0]], self.keys[numbers[-1]]
        case = "forged.question" if len(numbers) == 1 else "forged.pair"
        return PrivacyError(case, first, rows=evidence.rows, n=evidence.n, first=first, second=second)

    def to_json(self) -> dict[str, Any]:
        """Return the record that a run stores."""
        return {
            "questions": [[number, finding.rows, finding.n] for number, finding in self.questions.items()],
            "pairs": [[*pair, finding.rows, finding.n] for pair, finding in self.pairs.items()],
            "blocks": [[number, finding.rows, finding.n] for number, finding in self.blocks.items()],
            "keys": list(self.keys),
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Withheld:
        """Return what `to_json` stored.

        >>> own = Withheld(pairs={(0, 2): Evidence(rows=5, n=90)}, keys=("a", "b", "c"))
        >>> Withheld.from_json(own.to_json()) == own
        True
        """
        return cls(
            questions={number: Evidence(rows=rows, n=n) for number, rows, n in record["questions"]},
            pairs={(first, second): Evidence(rows=rows, n=n) for first, second, rows, n in record["pairs"]},
            blocks={number: Evidence(rows=rows, n=n) for number, rows, n in record["blocks"]},
            keys=tuple(record["keys"]),
        )


NOTHING: Final = Withheld()
"""For rows whose reports fit their design."""
