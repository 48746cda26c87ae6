"""Singling out: minimal sets of columns that identify a record (Sweeney 2002)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.sdc.generalisation_cost import distinct_rows
from privacy.sdc.table import Column

__all__ = ["SinglingSet", "singling_sets"]


@dataclass(frozen=True, kw_only=True)
class SinglingSet:
    """A minimal set of columns that singles out a record.

    Parameters
    ----------
    columns : tuple of str
        The set.
    people : int
        How many it singles out whom no part of it does.
    example : int
        Record number of the first of them.
    smallest : bool
        True when no part of it singles out anybody at all: a minimal quasi-identifier of the table.
    """

    columns: tuple[str, ...]
    people: int
    example: int
    smallest: bool


def singling_sets(
    columns: Sequence[Column],
    *,
    external: Sequence[Column] | None = None,
    longest: int | None = None,
    most_sets: int = 20_000,
) -> tuple[SinglingSet, ...]:
    """Find all column sets Q that are minimal for some person p with f_g(f_c(p)[Q]) = p.

    Parameters
    ----------
    columns : sequence of Column
        Of the table; f_c takes a person to a record.
    external : sequence of Column or None
        A list of people with columns of the same names: f_g looks a projection up there, and singles out when
        exactly one person of the list has it. None looks up in the table itself, the worst case: an attacker
        who knows of everybody in it.
    longest : int or None
        Largest size of a set.
    most_sets : int
        Bound on the sets tried.

    Returns
    -------
    tuple of SinglingSet
        By size, then in the order of the columns.

    Raises
    ------
    PrivacyError
        When no column is shared with the list, or too many sets would be tried.

    Examples
    --------
    >>> sex = Column(name="sex", role="quasi_identifier", kind="categorical", values=("F", "M"),
    ...              codes=np.array([0, 0, 1, 1], dtype=np.int32))
    >>> age = Column(name="age", role="quasi_identifier", kind="categorical", values=("25", "30"),
    ...              codes=np.array([0, 1, 0, 0], dtype=np.int32))
    >>> [(single.columns, single.people, single.smallest) for single in singling_sets([sex, age])]
    [(('age',), 1, True), (('sex', 'age'), 1, False)]
    """
    by_name = {column.name: column for column in external or ()}
    used = [column for column in columns if external is None or column.name in by_name]
    if not used:
        raise PrivacyError(
            "unknown_column.table", tuple(by_name), columns=", ".join(column.name for column in columns)
        )
    n = len(used[0].codes)
    if external is None:
        codes, listed = [column.codes.astype(np.int64) for column in used], 0
    else:
        codes, listed = [_together(column, by_name[column.name]) for column in used], n
    sets: list[SinglingSet] = []
    nobody = np.zeros(n, dtype=bool)
    before: dict[tuple[int, ...], Flags] = {}
    tried = 0
    for size in range(1, min(longest or len(used), len(used)) + 1):
        current: dict[tuple[int, ...], Flags] = {}
        for chosen in combinations(range(len(used)), size):
            tried += 1
            if tried > most_sets:
                raise PrivacyError("too_many_sets.columns", len(used), most=most_sets)
            alone = _alone([codes[position] for position in chosen], n, listed)
            # Who is alone in a set is alone in every larger one, so the sets one smaller tell all that is
            # known.
            known = nobody.copy()
            for left_out in range(size):
                known |= before.get(chosen[:left_out] + chosen[left_out + 1 :], nobody)
            if alone.any():
                current[chosen] = alone
            fresh = alone & ~known
            if fresh.any():
                sets.append(
                    SinglingSet(
                        columns=tuple(used[position].name for position in chosen),
                        people=int(fresh.sum()),
                        example=int(np.argmax(fresh)),
                        smallest=not known.any(),
                    )
                )
        before = current
    return tuple(sets)


def _alone(codes: Sequence[Whole], n: int, listed: int) -> Flags:
    """Return which of the first n records agree with exactly one of those from the place `listed` on."""
    number = distinct_rows(codes)[1]
    agreeing = np.bincount(number[listed:], minlength=int(number.max()) + 1)
    return np.asarray(agreeing[number[:n]] == 1)


def _together(column: Column, listed: Column) -> Whole:
    """Encode the table's and the list's records over their common values."""
    code_of = {text: code for code, text in enumerate(column.values)}
    translate = np.array(
        [code_of.setdefault(text, len(code_of)) for text in listed.values] or [0], dtype=np.int64
    )
    return np.concatenate([column.codes.astype(np.int64), translate[listed.codes]])
