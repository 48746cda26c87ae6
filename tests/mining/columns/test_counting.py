from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mining import Progress
from mining.columns.bitmatrix import BitMatrix
from privacy.errors import PrivacyError
from privacy.survey.design import Question
from tests.fixtures.questionnaires import (
    ENGINES_HERE,
    EVERYTHING,
    bodies,
    grouped,
    opened,
    questionnaire,
    true_rows,
)
from tests.mining.columns.counted import count

EACH_ENGINE = pytest.mark.parametrize("engine", ENGINES_HERE)


def by_hand(
    items: NDArray[np.bool_], direct: NDArray[np.bool_], requests: list[tuple[int, ...]]
) -> list[list[int]]:
    matched = [items[:, list(request)].all(axis=1) for request in requests]
    return [[int((rows & direct).sum()), int((rows & ~direct).sum())] for rows in matched]


@pytest.mark.slow
@settings(deadline=None)
@given(
    n=st.sampled_from([0, 1, 2, 63, 64, 65, 127, 128, 129, 1000]),
    n_items=st.integers(1, 9),
    share=st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]),
    seed=st.integers(0, 2**32 - 1),
)
@pytest.mark.soak
def test_counts_equal_brute_force(n: int, n_items: int, share: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    items, direct = rng.random((n, n_items)) < share, rng.random(n) < rng.random()
    matrix = BitMatrix.from_booleans(grouped([n_items]), items, direct)
    requests = [request for size in range(5) for request in combinations(range(n_items), size)]
    rng.shuffle(requests)
    expected = by_hand(items, direct, requests)
    for engine in ENGINES_HERE:
        assert count(matrix, requests, engine=engine).tolist() == expected, engine


@pytest.mark.slow
@pytest.mark.parametrize("words", [64, 192, 512, 3 * 512])
@pytest.mark.parametrize("beyond", [-1, 0, 1, 77])
def test_counts_are_correct_across_word_boundaries(words: int, beyond: int) -> None:
    n = 64 * words + beyond
    items = np.random.default_rng(n).random((n, 6)) < 0.6
    direct = np.zeros(n, dtype=bool)
    matrix = BitMatrix.from_booleans(grouped([6]), items, direct)
    requests = [request for size in (1, 2, 3) for request in combinations(range(6), size)]
    expected = by_hand(items, direct, requests)
    for engine in ENGINES_HERE:
        assert count(matrix, requests, engine=engine).tolist() == expected, engine


@EACH_ENGINE
def test_a_thousand_items_and_long_requests_are_counted_correctly(engine: str) -> None:
    rng = np.random.default_rng(5)
    items = rng.random((300, 1000)) < 0.95
    direct = rng.random(300) < 0.5
    reads = [
        Question(
            key=f"reads{part}", kind="multi", options=tuple(f"book{j}" for j in range(200)), unrelated=()
        )
        for part in range(5)
    ]
    matrix = BitMatrix.from_booleans(questionnaire(opened("shelf", *reads)), items, direct)
    requests = [
        tuple(sorted(rng.choice(1000, size=size, replace=False).tolist())) for size in (1, 2, 5, 20) * 50
    ]
    assert count(matrix, requests, engine=engine).tolist() == by_hand(items, direct, requests)


@EACH_ENGINE
def test_counting_accepts_no_requests_and_no_rows(engine: str) -> None:
    matrix = BitMatrix.from_booleans(grouped([2]), np.ones((0, 2), dtype=bool), np.ones(0, dtype=bool))
    assert count(matrix, [], engine=engine).shape == (0, 2)
    assert count(matrix, [(0, 1)], engine=engine).tolist() == [[0, 0]]


def test_asked_and_answered_columns_are_counted_like_any_other() -> None:
    rows = true_rows(300, seed=4)
    matrix = BitMatrix.from_rows(EVERYTHING, bodies(EVERYTHING, rows, np.ones(300, dtype=bool), seed=4))
    age, smokes = EVERYTHING.question_number("age"), EVERYTHING.question_number("smokes")
    requests = [
        (EVERYTHING.asked_column(age),),
        (EVERYTHING.asked_column(smokes),),
        (EVERYTHING.asked_column(age), EVERYTHING.answered_column(1)),
    ]
    told = ["age" in row["you"] for row in rows]
    unskipped = [row["habits"] != "skipped" for row in rows]
    expected = [sum(told), 300, sum(t and u for t, u in zip(told, unskipped, strict=True))]
    assert count(matrix, requests)[:, 0].tolist() == expected


def test_requests_can_be_an_array() -> None:
    items = np.random.default_rng(6).random((90, 5)) < 0.5
    matrix = BitMatrix.from_booleans(grouped([5]), items, np.zeros(90, dtype=bool))
    pairs = list(combinations(range(5), 2))
    assert np.array_equal(count(matrix, np.array(pairs)), count(matrix, pairs))


def test_progress_reports_grow_to_the_total(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mining.columns.counting._WORDS_BETWEEN_WATCHES", 8)
    matrix = BitMatrix.from_booleans(grouped([6]), np.eye(6, dtype=bool), np.zeros(6, dtype=bool))
    seen: list[Progress] = []
    count(matrix, list(combinations(range(6), 2)), progress=seen.append)
    assert [progress.done for progress in seen] == [8, 15]
    assert {(progress.stage, progress.total) for progress in seen} == {("counting", 15)}


def test_the_progress_callback_can_stop_counting() -> None:
    def stop(progress: Progress) -> None:
        raise InterruptedError

    matrix = BitMatrix.from_booleans(grouped([2]), np.eye(2, dtype=bool), np.zeros(2, dtype=bool))
    with pytest.raises(InterruptedError):
        count(matrix, [(0,)], progress=stop)


@pytest.mark.parametrize("column", [-1, 5])
def test_unknown_columns_are_refused(column: int) -> None:
    matrix = BitMatrix.from_booleans(grouped([2]), np.eye(2, dtype=bool), np.zeros(2, dtype=bool))
    with pytest.raises(PrivacyError, match=f"column {column} is unknown; use columns from 0 to 4") as refusal:
        count(matrix, [(0,), (0, column)])
    assert (refusal.value.code, refusal.value.value) == ("unknown_column", column)
