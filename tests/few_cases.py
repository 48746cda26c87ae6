"""Tests whose cases differ in data only: ``./test`` runs those that the marker `few` names, --soak all."""

from collections.abc import Collection, Iterable, Sequence

import pytest


def leave_to_soak(items: Iterable[pytest.Item], *, are_chosen: bool) -> None:
    """Mark as `soak` the cases that their test's marker `few` does not name.

    Parameters
    ----------
    items : iterable of pytest.Item
    are_chosen : bool
        Whether someone chose single cases by name, so that others of their tests are not there.
    """
    tests: dict[str, list[pytest.Function]] = {}
    for item in items:
        if item.get_closest_marker("few") is not None and isinstance(item, pytest.Function):
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for name, cases in tests.items():
        few = cases[0].get_closest_marker("few")
        assert few is not None
        ids = {case.callspec.id for case in cases}
        left = ids - set(few.args) if are_chosen else left_cases(name, few.args, ids)
        for case in cases:
            if case.callspec.id in left:
                case.add_marker("soak")


def left_cases(test: str, named: Sequence[str], cases: Collection[str]) -> set[str]:
    """Return the cases of a test that the marker `few` does not name.

    Parameters
    ----------
    test : str
        For the message.
    named : sequence of str
    cases : collection of str

    Raises
    ------
    pytest.UsageError
        The marker names all cases, none, or one that the test does not have.
    """
    if not 0 < len(set(named) & set(cases)) == len(named) < len(cases):
        raise pytest.UsageError(f"{test}: `few` names {list(named)}; the cases are {sorted(cases)}")
    return set(cases) - set(named)
