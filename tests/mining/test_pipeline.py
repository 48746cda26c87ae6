import subprocess
import sys
from importlib.util import find_spec
from itertools import islice

import mlxtend
import numpy as np
import pandas
import pytest
from numpy.typing import NDArray

from benchmarks.simulation import simulate, study_design, true_rows
from mining import Progress, pipeline
from mining import pipeline as module
from mining.apriori import is_undisguised
from mining.columns.bitmatrix import BitMatrix
from mining.columns.row_patterns import SentCounts
from mining.columns.row_writer import words
from mining.frames.answer_kinds import number, one_of
from mining.frames.survey import Survey
from mining.open_floor import OpenFloor
from mining.pipeline import MiningResult, _number_reports, mine
from mining.thresholds import Sides, Thresholds
from privacy.errors import PrivacyError
from privacy.survey.design import Design
from tests.fixtures.questionnaires import ENGINES_HERE, grouped, undisguised
from tests.fixtures.refusals import refused
from tests.statistics import POWER, binomial_power, binomial_range

LOOSE = Thresholds(support=0.1, max_size=4)


def matrix_of(design: Design, n: int, seed: int) -> BitMatrix:
    rng = np.random.default_rng(seed)
    return BitMatrix.from_booleans(design, rng.random((n, len(design.items))) < 0.5, rng.random(n) < 0.3)


def simulated(n: int, seed: int, light: int | None = None) -> tuple[BitMatrix, NDArray[np.bool_]]:
    rng = np.random.default_rng(seed)
    design = study_design([2, 2], truth_probability=6000, unrelated=5000, light=light)
    truth = true_rows(n, [0.2, 0.4, 0.5, 0.3], 0.5, rng)
    return simulate(design, truth, rng.random(n) < 0.25, rng), truth


def figures(result: MiningResult) -> tuple[object, ...]:
    return (
        result.itemsets.itemsets,
        np.round(result.itemsets.estimates.value, 12).tolist(),
        np.round(result.itemsets.interval.low, 12).tolist(),
        result.rules.sides,
        np.round(result.rules.measures.lift.value, 9).tolist(),
    )


@pytest.mark.slow
def test_every_engine_gives_the_same_result() -> None:
    matrix, _ = simulated(800, seed=2)
    results = {engine: mine(matrix, matrix.design, LOOSE, engine=engine) for engine in ENGINES_HERE}
    for engine, result in results.items():
        assert figures(result) == figures(results["numpy"]), engine
        assert result.engine


def test_undisguised_rows_are_mined_by_mlxtend_apriori() -> None:
    matrix = matrix_of(undisguised(5), 200, seed=4)
    plain = mine(matrix, matrix.design, LOOSE)
    assert plain.engine == f"mlxtend {mlxtend.__version__} apriori"
    assert plain.n_candidates is None
    by_counts = mine(matrix, matrix.design, LOOSE, engine="numpy")
    assert by_counts.engine.endswith("counts")
    assert figures(plain) == figures(by_counts)
    assert len(plain.rules)


def test_no_engine_lists_small_crosses_of_open_answers() -> None:
    """Only nine of 300 people say yes to both of the first two items, and no engine reveals this."""
    items = np.zeros((300, 3), dtype=bool)
    items[:100, 0] = items[91:200, 1] = items[::2, 2] = True
    matrix = BitMatrix.from_booleans(undisguised(3), items, np.zeros(300, dtype=bool))
    found = {}
    for engine in ("mlxtend", "numpy"):
        result = mine(
            matrix,
            undisguised(3),
            Thresholds(support=0.01, max_size=3),
            engine=engine,
            floor=OpenFloor(least=10),
        )
        found[engine] = {tuple(one.items) for one in result.itemsets}
        assert ("apriori" in result.engine) == (engine == "mlxtend")
    assert found["mlxtend"] == found["numpy"]
    assert {(0, 2), (1, 2)} <= found["mlxtend"]
    assert not [items for items in found["mlxtend"] if {0, 1} <= set(items)]


def test_many_undisguised_rows_use_mlxtend_even_with_numba() -> None:
    matrix = matrix_of(undisguised(3), 60_000, seed=4)
    assert mine(matrix, matrix.design, LOOSE).engine == f"mlxtend {mlxtend.__version__} apriori"


def test_searches_too_large_for_mlxtend_use_bit_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = matrix_of(undisguised(5), 200, seed=4)
    assert mine(matrix, matrix.design, LOOSE, max_candidates=29).engine.endswith("counts")
    assert mine(matrix, matrix.design, LOOSE, max_candidates=30).engine.endswith("apriori")
    monkeypatch.setattr(module, "_MOST_CELLS_FOR_MLXTEND", 999)
    assert mine(matrix, matrix.design, LOOSE).engine.endswith("counts")


@pytest.mark.parametrize(
    ("design", "direct", "expected"),
    [
        (undisguised(2), [False, True], True),
        (grouped([2], p=10_000), [False, True], True),
        (grouped([2]), [True, True], True),
        (grouped([2]), [False, True], False),
        (study_design([2], truth_probability=6000, unrelated=5000, light=9000), [True, True], False),
    ],
)
def test_rows_count_as_undisguised_if_no_device_changed_any(
    design: Design, direct: list[bool], expected: bool
) -> None:
    matrix = BitMatrix.from_booleans(design, np.eye(2, dtype=bool), np.array(direct))
    assert is_undisguised(matrix) is expected


def test_unasked_questions_rule_out_plain_mining() -> None:
    asked = np.array([[True, True], [True, False]])
    matrix = BitMatrix.from_booleans(undisguised(2), asked, np.zeros(2, dtype=bool), is_asked=asked)
    assert not is_undisguised(matrix)
    assert mine(matrix, matrix.design, Thresholds(support=0.1), engine="mlxtend").engine.endswith("counts")


def test_progress_is_reported_and_can_stop_a_run() -> None:
    matrix, _ = simulated(500, seed=7)
    seen: list[Progress] = []
    mine(matrix, matrix.design, LOOSE, seen.append)
    stages = {progress.stage for progress in seen}
    assert stages == {"counting", "candidates", "intervals", "rules"}
    for last in stages:

        def stop(progress: Progress, last: str = last) -> None:
            if progress.stage == last:
                raise InterruptedError

        with pytest.raises(InterruptedError):
            mine(matrix, matrix.design, LOOSE, stop)


def test_a_run_over_its_budget_is_refused() -> None:
    matrix, _ = simulated(500, seed=8)
    with pytest.raises(PrivacyError, match="more than 3 itemsets of 2 items"):
        mine(matrix, matrix.design, LOOSE, max_candidates=3)
    with pytest.raises(PrivacyError, match="rules, more than 1"):
        mine(matrix, matrix.design, LOOSE, max_rules=1)


@pytest.mark.parametrize(
    ("n", "mined", "thresholds", "message"),
    [
        (10, grouped([2], p=6001), LOOSE, "mine rows with their own design"),
        (0, grouped([2]), LOOSE, "there are 0 rows; wait for answers"),
        (
            10,
            grouped([2]),
            Thresholds(support=0.1, sides=Sides(consequent=(9,))),
            "the items allowed for the consequent include an unknown one: 9",
        ),
    ],
)
def test_wrong_designs_empty_data_and_unknown_items_are_refused(
    n: int, mined: Design, thresholds: Thresholds, message: str
) -> None:
    with pytest.raises(PrivacyError, match=message):
        mine(matrix_of(grouped([2]), n, seed=9), mined, thresholds)


@pytest.mark.parametrize(
    "design", [undisguised(3), grouped([3]), grouped([2, 1])], ids=["open", "one", "two"]
)
def test_mining_returns_nothing_if_no_itemset_is_frequent(design: Design) -> None:
    matrix = BitMatrix.from_booleans(design, np.zeros((40, 3), dtype=bool), np.zeros(40, dtype=bool))
    result = mine(matrix, design, Thresholds(support=0.9))
    assert (len(result.itemsets), len(result.rules)) == (0, 0)


@pytest.mark.soak
@pytest.mark.slow
def test_warming_up_loads_the_compiled_code() -> None:
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from mining.pipeline import warm_up; before = 'numba' in sys.modules; warm_up();"
            "print(before, 'mining.columns.counting_numba' in sys.modules)",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert told == ["False", str(find_spec("numba") is not None)]


def test_warm_up_does_nothing_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "find_spec", lambda name: None)
    monkeypatch.setattr(pipeline, "find_engine", lambda *arguments: pytest.fail("an engine was loaded"))
    pipeline.warm_up()


def assert_share(found: int, n: int, share: float, *, drift: float) -> None:
    """Assert a share, with one false alarm in a million runs and power .999 against `drift`."""
    low, high = binomial_range(n, share)
    assert low <= found <= high
    assert binomial_power(n, share, drift) > POWER
    assert binomial_power(n, share, -drift) > POWER


def test_simulated_rows_have_the_stated_supports() -> None:
    n, prevalences, dependence = 200_000, (0.1, 0.3, 0.5), 0.4
    rows = true_rows(n, prevalences, dependence, np.random.default_rng(20))
    for items in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)):
        chances = [prevalences[item] for item in items]
        stated = dependence * min(chances) + (1 - dependence) * float(np.prod(chances))
        assert_share(int(rows[:, items].all(axis=1).sum()), n, stated, drift=0.01)


def test_words_are_unsigned_32_bit_integers() -> None:
    drawn = np.array(list(islice(words(np.random.default_rng(21)), 20_000)))
    assert drawn.min() >= 0
    for bit in range(32):
        assert_share(int((drawn >> bit & 1).sum()), 20_000, 0.5, drift=0.03)
    assert drawn.max() < 1 << 32


@pytest.mark.parametrize(("prevalence", "dependence"), [(1.1, 0.0), (-0.1, 0.0), (0.5, 1.5)])
def test_invalid_probabilities_are_refused(prevalence: float, dependence: float) -> None:
    with pytest.raises(PrivacyError, match="use a number in") as refusal:
        true_rows(10, [prevalence], dependence, np.random.default_rng(1))
    assert refusal.value.code == ("dependence" if dependence > 1 else "prevalence")


N = 800
ITEMS = [f"q{at}" for at in range(60)]


@pytest.mark.parametrize("share", [0, 1])
def test_rotating_weighted_clustered_surveys_fit_at_shares_0_and_1(share: int) -> None:
    survey = Survey(blocks={"b": ITEMS[:30], "c": ITEMS[30:]}, p=0.6, questions_per_person={"b": 4, "c": 4})
    reports = survey.disguise(pandas.DataFrame(dict.fromkeys(ITEMS, [share] * N)), seed=56)
    reports["w"] = np.random.default_rng(56).uniform(0.2, 5, N)
    reports["school"] = np.repeat(np.arange(20), N // 20)
    figure = survey.on(reports, weights="w", clusters="school").share("q0")
    low, high = figure.interval(0.999999)
    assert low <= share <= high


@pytest.mark.parametrize("share", [0, 1])
def test_two_strengths_skips_choices_and_numbers_fit(share: int) -> None:
    survey = Survey(
        blocks={
            "work": ["cheat", "drugs"],
            "place": {"where": one_of("home", "school", "road")},
            "age": number(low=0, high=79, bin=10, epsilon=1),
        },
        p={"work": 0.5, "place": 0.4, "age": 0.5},
        skip={"work": 0.2, "age": 0.4},
    )
    truth = {
        "cheat": share,
        "drugs": share,
        "where": "home",
        "age": 75 * share,
        "work.skipped": 0,
        "age.skipped": 0,
    }
    survey.on(survey.disguise(pandas.DataFrame([truth] * N), seed=56))


def test_undisguised_columns_are_refused_before_any_estimate() -> None:
    survey = Survey(blocks={"work": ["cheat", "drugs"]}, p=0.5)
    frame = pandas.DataFrame({"cheat": [1] * 60 + [0] * 740, "drugs": [1, 0] * 400})
    with refused("misfit", "cheat"):
        survey.on(frame)


def test_undisguised_numbers_are_refused() -> None:
    survey = Survey(blocks={"age": number(low=0, high=79, bin=10, epsilon=0.5)})
    sent = survey.disguise(pandas.DataFrame({"age": [5] * N}), seed=56)
    survey.on(sent)
    with pytest.raises(PrivacyError, match="sent by another disguise"):
        survey.on(pandas.DataFrame({"age": [sent["age"].max()] * N}))


def test_pairs_reveal_one_coin_stated_as_two() -> None:
    one = Survey(blocks={"work": ["cheat", "drugs"]}, p=0.5)
    two = Survey(blocks={"a": ["cheat"], "b": ["drugs"]}, p=0.5)
    truth = pandas.DataFrame({"cheat": [1] * 10_000, "drugs": [1] * 10_000})
    reports = one.disguise(truth, seed=56)
    one.on(reports)
    with pytest.raises(PrivacyError, match="questions that share a coin differ"):
        two.on(reports)


def test_the_channel_of_a_skippable_number_is_exact() -> None:
    survey = Survey(blocks={"age": number(low=0, high=79, bin=10, epsilon=1)}, skip={"age": 0.4})
    skipping = survey.design.blocks[0].skipping
    assert skipping is not None
    exact = skipping.channel.as_array()
    counts = np.zeros(len(exact), dtype=np.int64)
    sent = SentCounts(direct=counts, protected=counts)
    ((_, reported),) = _number_reports(survey.design, 0, sent)
    assert reported.low[0] == pytest.approx(exact.min(axis=1), abs=1e-12)
    assert reported.high[0] == pytest.approx(exact.max(axis=1), abs=1e-12)
