"""Forged rows and predicted pairs: the stated distance is reached by injection, and never exceeded."""

import functools
import random

import numpy as np
import pytest

from mining import forged_predictions
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.forged_predictions import CountsWithout, forged_columns, prediction_shifts
from mining.predicted_itemsets import borrowed_itemsets
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.survey.design import Design
from privacy.survey.layout import Layout, Record
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.rotating_exports import body_of, three_of_eight

HONEST = 600


@functools.cache
def design_of() -> Design:
    return definition_parse(three_of_eight()).design


@functools.cache
def honest_rows() -> tuple[bytes, ...]:
    """Rows of 600 devices."""
    rng = random.Random(4)
    rows = (body_of(design_of(), rng) for _ in range(HONEST))
    return tuple(row for row in rows if row is not None)


def cache_of(rows: list[bytes]) -> CountCache:
    return CountCache(BitMatrix.from_rows(design_of(), b"".join(rows)))


def forged_row(columns: set[int]) -> bytes:
    """Return the row that has these columns."""
    design = design_of()
    drawn = tuple(at for at in range(8) if design.asked_column(design.question_number(f"q{at}")) in columns)
    said = {item.question for item in design.items if item.index in columns}
    first = design.question_number("q0")
    answers = tuple(int(first + at in said) if at in drawn else None for at in range(8))
    age = next(item for item in design.items if item.question == 0 and item.index in columns)
    chosen = [item.index for item in design.items if item.question == 0].index(age.index)
    return Layout(design).pack(
        Record(
            direct=False,
            answers=((chosen, int(1 in said)), answers),
            refused=(False, False),
            drawn=((0, 1), drawn),
        )
    )


def predicted(cache: CountCache, pair: Columns) -> float:
    (own,) = [own for own in borrowed_itemsets(cache, least=0.0, size=2, also=[pair]) if own.items == pair]
    return own.value


def test_leaving_rows_out_of_counts_equals_counting_the_other_rows() -> None:
    design = design_of()
    pair = (design.item("q0").index, design.item("q5").index)
    for columns in forged_columns(design, pair):
        row = forged_row(columns)
        mixed, honest = cache_of([*honest_rows(), *[row] * 40]), cache_of([*honest_rows()])
        without = CountsWithout(mixed, columns, 40)
        requests = np.array(
            [[-1, -1], *([first, second] for first in range(11) for second in range(first + 1, 21))]
        )
        assert (without.of(requests) == honest.of(requests)).all()


@pytest.mark.parametrize("forged", [9, 30])
@pytest.mark.few("9", why="the fewest rows")
def test_forged_rows_move_a_predicted_pair_as_far_as_stated(forged: int) -> None:
    """Eight kinds of rows attack. None moves it further than stated next to these rows, and one so far."""
    design = design_of()
    pair = (design.item("q1").index, design.item("q6").index)
    before, reached = predicted(cache_of([*honest_rows()]), pair), []
    for columns in forged_columns(design, pair):
        mixed = cache_of([*honest_rows(), *[forged_row(columns)] * forged])
        stated = prediction_shifts(mixed, [pair], forged=forged)[pair]
        moved = abs(predicted(mixed, pair) - before)
        assert moved <= stated + 1e-9
        reached.append(moved == pytest.approx(stated, rel=1e-6))
    assert any(reached)


def test_longer_itemsets_have_no_distance_and_no_row_moves_nothing() -> None:
    design, cache = design_of(), cache_of([*honest_rows()])
    a, b, c = (design.item(f"q{at}").index for at in range(3))
    assert prediction_shifts(cache, [(a, b, c)], forged=5) == {}
    assert prediction_shifts(cache, [(a, b)], forged=0) == {(a, b): 0.0}


def test_rows_to_leave_out_are_halved_until_there_are_that_many(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def predict(_: CountCache, left_out: int) -> dict[Columns, float]:
        tried.append(left_out)
        if left_out > 10:
            raise PrivacyError("count", left_out)
        return {(0, 1): 0.5}

    monkeypatch.setattr(forged_predictions, "_predictions", predict)
    cache = cache_of(list(honest_rows()[:10]))
    assert forged_predictions._without(cache, {0, 1}, 45) == {(0, 1): 0.5}
    assert tried == [45, 22, 11, 5]


@pytest.mark.parametrize(("code", "tried"), [("count", [3, 1, 0]), ("no_rows", [3])])
def test_other_refusals_are_raised_and_so_is_one_without_rows_to_leave_out(
    code: str, tried: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []

    def predict(_: CountCache, left_out: int) -> dict[Columns, float]:
        found.append(left_out)
        raise PrivacyError(code, left_out)

    monkeypatch.setattr(forged_predictions, "_predictions", predict)
    with pytest.raises(PrivacyError):
        forged_predictions._without(cache_of(list(honest_rows()[:10])), {0, 1}, 3)
    assert found == tried
