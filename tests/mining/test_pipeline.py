import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from itertools import combinations, combinations_with_replacement, islice, product

import mlxtend
import numpy as np
import pandas
import pandas as pd
import pytest
from numpy.typing import NDArray

from benchmarks.simulation import simulate, study_design, true_rows
from mining import Progress, pipeline
from mining import pipeline as module
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.impossible_rows import impossible_rows
from mining.columns.random_words import words
from mining.columns.row_patterns import observe, with_open_numbers
from mining.columns.row_writer import RowWriter
from mining.columns.sent_counts import sent_counts
from mining.frames.answer_kinds import number, one_of
from mining.frames.survey import Survey
from mining.inference import group_tests
from mining.itemsets import disguised_rows
from mining.open_floor import OpenFloor, large_crosses
from mining.pipeline import MiningResult, is_undisguised, mine
from mining.thresholds import Sides, Thresholds
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.estimation.estimates import estimates
from privacy.risk.data_audit import audit_rows
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import as_answered
from privacy.survey.design import Block, Condition, Design, GroupPolicy, Question
from tests.fixtures.questionnaires import ENGINES_HERE, bodies, grouped, protected, questionnaire, undisguised
from tests.fixtures.refusals import refused
from tests.statistics import POWER, binomial_power, binomial_range
from tests.vectors.designs import CHOICE, live, opened, shielded, yes_no
from tests.vectors.scale_designs import open_number

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
    monkeypatch.setattr(module, "_MOST_CELLS_FOR_MLXTEND", 1000)
    assert mine(matrix, matrix.design, LOOSE).engine.endswith("apriori")
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
    assert stages == {"counting", "candidates", "rules"}
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


@pytest.mark.soak
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


HOURS = replace(as_answered(NumberRange(low=0, high=24)), spans=((0, 5), (9, 24)))


DESIGN = live(
    open_number("sleep", HOURS, "short", "long"),
    opened("you", yes_no("city")),
    shielded("a", 6000, yes_no("affair", 5000)),
)


SLEEP_RNG = np.random.default_rng(5)


MANY = 400


SLEEP = np.where(SLEEP_RNG.random(MANY) < 0.1, -1, SLEEP_RNG.binomial(24, 0.3, MANY))


CITY = SLEEP_RNG.integers(0, 2, MANY)


def packed(design: Design = DESIGN) -> bytes:
    cells = [SLEEP, CITY, SLEEP_RNG.integers(0, 2, MANY)]
    if design.group == CHOICE:
        cells.insert(0, SLEEP_RNG.integers(0, 2, MANY))
    return RowWriter(design).pack(np.stack(cells, axis=1))


def test_rows_accept_every_possible_value_and_none_out_of_range() -> None:
    rows = packed()
    assert impossible_rows(DESIGN, rows) is None
    with refused("cell"):
        RowWriter(DESIGN).pack(np.array([[25, 0, 0]]))


@pytest.mark.parametrize("design", [DESIGN, replace(DESIGN, group=CHOICE)])
def test_undisguised_values_and_ranges_are_counted_as_answered(design: Design) -> None:
    rows = packed(design)
    sent = sent_counts(design, 0, rows)
    assert (sent.direct + sent.protected).tolist() == np.bincount(SLEEP[SLEEP >= 0], minlength=25).tolist()
    cache = CountCache(BitMatrix.from_rows(design, rows))
    columns = [(0,), (1,), (design.asked_column(0),)]
    counts = cache.need(columns)
    wanted = [(SLEEP >= 0) & (SLEEP <= 5), SLEEP >= 9, SLEEP >= 0]
    assert [sum(counts[column]) for column in columns] == [int(own.sum()) for own in wanted]


@pytest.mark.parametrize("design", [DESIGN, replace(DESIGN, group=CHOICE)])
def test_people_with_a_unique_number_are_found(design: Design) -> None:
    rows = packed(design)
    observed = with_open_numbers(observe(BitMatrix.from_rows(design, rows)), design, rows)
    _pairs, people = np.unique(np.stack([SLEEP, CITY]), axis=1, return_counts=True)
    assert sorted(observed.open.sum(axis=1)) == sorted(people)
    audit = audit_rows(design, {"affair": [5000]}, observed)
    assert audit.open.unique == int((people == 1).sum()) > 0


def test_designs_without_open_numbers_are_left_unchanged() -> None:
    design = live(*DESIGN.blocks[1:])
    rows = RowWriter(design).pack(np.stack([CITY, CITY], axis=1))
    observed = observe(BitMatrix.from_rows(design, rows))
    assert with_open_numbers(observed, design, iter([])) is observed


def test_values_outside_all_ranges_count_as_one_more_answer() -> None:
    """Many people sleep little or long in both groups, but only one in between lives in the city."""
    items = np.zeros((41, 4), dtype=bool)
    items[:20, 0] = items[20:40, 1] = True
    items[:10, 2] = items[20:30, 2] = True
    items[40, 2] = True
    for own, large in ((items, False), (items[:40], True)):
        matrix = BitMatrix.from_booleans(DESIGN, own, np.zeros(len(own), dtype=bool))
        assert large_crosses(CountCache(matrix), DESIGN, [(0, 2)], OpenFloor(least=10)) == [large]


def test_means_and_shares_of_open_numbers_match_the_answers() -> None:
    survey = Survey(
        blocks={"a": ["affair"]},
        p=0.6,
        open={
            "sleep": number(low=0, high=24, items=[{"key": "short", "from": 0, "to": 5}]),
            "city": None,
            "grade": number(low=1, high=6),
        },
    )
    assert [block.key for block in survey.design.blocks] == ["sleep", "open", "grade", "a"]
    truth = pd.DataFrame(
        {"sleep": SLEEP, "city": CITY, "grade": SLEEP_RNG.integers(1, 7, MANY), "affair": CITY}
    ).replace({"sleep": {-1: None}})
    sent = survey.disguise(truth, seed=1)
    assert (sent.sleep.dropna() == SLEEP[SLEEP >= 0]).all()
    assert (sent.grade == truth.grade - 1).all()
    reports = survey.on(sent)
    assert reports.mean("sleep").value == pytest.approx(SLEEP[SLEEP >= 0].mean())
    assert reports.mean("grade").value == pytest.approx(truth.grade.mean())
    assert reports.share("sleep=short").value == pytest.approx((SLEEP[SLEEP >= 0] <= 5).mean())
    with refused("disguise", "sleep"):
        Survey(blocks={"sleep": number(low=0, high=24)})
    with refused("disguise", "sleep"):
        Survey(blocks={"a": ["b"]}, p=0.5, open={"sleep": number(low=0, high=24, epsilon=2)})


LEAST = 10


def design_of(policy: GroupPolicy, light: int | None = None) -> Design:
    """Return a design: items 0-2 one choice, 3 and 4 yes/no, 5 and 6 ticked, all open; 7 protected."""
    open_questions = (
        Question(key="ward", kind="single", options=("a", "b", "c"), unrelated=()),
        Question(key="night", kind="yes_no", options=(), unrelated=()),
        Question(key="new", kind="yes_no", options=(), unrelated=()),
        Question(key="reads", kind="multi", options=("news", "novels"), unrelated=()),
    )
    late = Question(key="late", kind="yes_no", options=(), unrelated=(5000,))
    return Design(
        group=policy,
        use="live",
        blocks=(
            Block(key="you", protected=False, truth_probability=10_000,
                  questions=open_questions),
            Block(key="work", protected=True, truth_probability=6000,
                  questions=(late,), light=light),
        ),
    )  # fmt: skip


EVERYBODY = design_of(GroupPolicy())


RNG = np.random.default_rng(11)


WARD = RNG.choice(3, size=400, p=[0.6, 0.36, 0.04])


ROWS = np.column_stack(
    [*(option == WARD for option in range(3)), RNG.random((400, 5)) < [0.3, 0.05, 0.4, 0.04, 0.4]]
)


QUESTIONS: dict[int, tuple[int, ...]] = {
    0: (0, 1, 2),
    1: (0, 1, 2),
    2: (0, 1, 2),
    3: (3,),
    4: (4,),
    5: (5,),
    6: (6,),
}


def expected(items: tuple[int, ...]) -> bool:
    axes = {QUESTIONS[item] for item in items if item in QUESTIONS}
    if len(axes) < 2:
        return True
    columns = sorted({column for axis in axes for column in axis})
    _cells, people = np.unique(ROWS[:, columns], axis=0, return_counts=True)
    return bool((people >= LEAST).all())


def test_the_floor_passes_crosses_with_no_one_or_enough_people() -> None:
    count_cache = CountCache(BitMatrix.from_booleans(EVERYBODY, ROWS, np.zeros(400, dtype=bool)))
    itemsets = [items for size in (1, 2, 3, 4) for items in combinations(range(8), size)]
    found = large_crosses(count_cache, EVERYBODY, itemsets, OpenFloor(least=LEAST))
    assert found == [expected(items) for items in itemsets]
    assert {True, False} == set(found)


def test_one_person_decides_whether_a_cross_is_large_enough() -> None:
    rows = np.zeros((40, 8), dtype=bool)
    rows[:, 0] = True
    rows[:20, 3] = True
    rows[10:20, 4] = rows[20:30, 4] = True
    for count, large in ((10, True), (11, False)):
        count_cache = CountCache(BitMatrix.from_booleans(EVERYBODY, rows, np.zeros(40, dtype=bool)))
        assert large_crosses(count_cache, EVERYBODY, [(3, 4)], OpenFloor(least=count)) == [large]


def test_reports_hide_small_crosses_and_nothing_else() -> None:
    matrix = BitMatrix.from_booleans(EVERYBODY, ROWS, np.zeros(400, dtype=bool))
    thresholds = Thresholds(support=1e-9, confidence=0.5, max_size=3)
    free = {tuple(one.items) for one in mine(matrix, EVERYBODY, thresholds).itemsets}
    floored = {
        tuple(one.items) for one in mine(matrix, EVERYBODY, thresholds, floor=OpenFloor(least=LEAST)).itemsets
    }
    assert floored == {items for items in free if expected(items)}
    assert floored < free


def test_with_two_strengths_rows_of_both_groups_count_as_disguised() -> None:
    for light, count in product((None, 9000), (0, 7)):
        design = design_of(GroupPolicy(policy="choice"), light)
        assert disguised_rows(design, count, 5) == 5 + (count if light else 0)


FLOOR = 3


SMALL = Design(
    group=GroupPolicy(policy="choice"),
    use="live",
    blocks=(
        Block(
            key="you", protected=False, truth_probability=10_000,
            questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=()) for key in "ab"),
        ),
        Block(
            key="work", protected=True, truth_probability=6000, light=9000,
            questions=(Question(key="late", kind="yes_no", options=(), unrelated=(5000,)),),
        ),
    ),
)  # fmt: skip
"""Items 0 and 1 are open, 2 is protected."""


Person = tuple[int, int | None, int | None, int]
"""Direct or not; yes, no or empty for each open question; the reported protected answer."""


def open_number_matrix(people: tuple[Person, ...]) -> BitMatrix:
    rows = np.array([[a == 1, b == 1, c == 1] for _direct, a, b, c in people])
    asked = np.array([[a is not None, b is not None, True] for _direct, a, b, _c in people])
    return BitMatrix.from_booleans(
        SMALL, rows, np.array([bool(person[0]) for person in people]), is_asked=asked
    )


def all_figures(people: tuple[Person, ...]) -> tuple[object, ...]:
    """Return all figures of a run, including those by group and their tests, to almost all digits."""
    matrix = open_number_matrix(people)
    result = mine(
        matrix, SMALL, Thresholds(support=1e-9, confidence=1e-9, max_size=3),
        floor=OpenFloor(least=FLOOR),
    )  # fmt: skip
    by_group = group_tests(result, CountCache(matrix), least_direct=1)
    table = estimates(result.counts, result.itemsets.itemsets, SMALL, estimator="pooled")
    figures = [result.n, result.n_direct, result.itemsets.itemsets, tuple(result.rules.sides)]
    for some in (result.itemsets.estimates, table):
        figures += [
            tuple(np.round(getattr(some, name), 12).tolist())
            for name in ("value", "standard_error", "n", "n_direct", "direct", "protected")
        ]
    figures += [
        tuple(np.round(values, 9).tolist())
        for values in (result.itemsets.interval.low, result.itemsets.interval.high)
    ]
    measures = result.rules.measures
    figures += [
        tuple(np.round(getattr(getattr(measures, name), end), 9).tolist())
        for name in ("support", "confidence", "lift")
        for end in ("value", "low", "high")
    ]
    figures.append(tuple((items, round(each.p_value, 9)) for items, each in by_group.items()))
    return tuple(map(str, figures))


def crosses(people: tuple[Person, ...]) -> dict[Columns, dict[tuple[object, ...], int]]:
    """Count people by the strength of their disguise and one or both open answers."""
    named: dict[Columns, dict[tuple[object, ...], int]] = {}
    for places in ((1,), (2,), (1, 2)):
        cells = named.setdefault(places, {})
        for person in people:
            cell = (person[0], *(person[place] for place in places))
            cells[cell] = cells.get(cell, 0) + 1
    return named


YES_NO = (0, 1)


WORLDS: list[tuple[list[Person], int]] = [
    ([(d, a, 1, 1) for d in YES_NO for a in (0, 1, None)], 7),
    ([(d, a, 1, c) for d in YES_NO for a in YES_NO for c in YES_NO], 6),
]
"""Possible kinds of people, and their number: one leaves a question empty, or protected answers differ."""


@pytest.mark.parametrize("worlds", WORLDS)
@pytest.mark.soak
def test_all_figures_together_hide_small_crosses_with_the_answer_mode(
    worlds: tuple[list[Person], int],
) -> None:
    """In all worlds of six or seven people, the figures do not determine any number below the minimum.

    Shares of single questions and group sizes are public, and so is everything that follows: if all
    respondents say yes, so do the lightly disguised ones.
    """
    kinds, n = worlds
    figures: dict[object, list[tuple[Person, ...]]] = {}
    margins: dict[object, list[tuple[Person, ...]]] = {}
    of_margins: dict[tuple[Person, ...], object] = {}
    for people in combinations_with_replacement(kinds, n):
        if any(person[1] is not None for person in people):
            figures.setdefault(all_figures(people), []).append(people)
            margin = tuple(tuple(sorted(map(str, each))) for each in zip(*people, strict=True))
            margins.setdefault(margin, []).append(people)
            of_margins[people] = margin
    few = 0
    for alike in figures.values():
        for cell in product(YES_NO, (0, 1, None)):
            numbers = {count_of(people, cell) for people in alike}
            if any(0 < number < FLOOR for number in numbers):
                few += 1
                by_margins = {count_of(people, cell) for people in margins[of_margins[alike[0]]]}
                assert len(numbers) > 1 or len(by_margins) == 1, (cell, alike)
    assert few > 100


def count_of(people: tuple[Person, ...], cell: tuple[object, ...]) -> int:
    return sum(person[:2] == cell for person in people)


def test_figures_never_expose_small_crosses_with_the_answering_mode() -> None:
    """By counting, no listed itemset has a cell of the full cross below the minimum."""
    rng = np.random.default_rng(71)
    listed = refused = 0
    for _ in range(300):
        n = int(rng.integers(20, 60))
        people = tuple(
            (
                int(rng.random() < 0.4),
                *(None if rng.random() < 0.05 else int(rng.random() < 0.4) for _ in "ab"),
                1,
            )
            for _ in range(n)
        )
        matrix = open_number_matrix(people)
        itemsets: list[Columns] = [(0, 2), (1, 2), (0, 1, 2)]
        found = large_crosses(CountCache(matrix), SMALL, itemsets, OpenFloor(least=FLOOR))
        cells = crosses(people)
        for items, places, large in zip(itemsets, ((1,), (2,), (1, 2)), found, strict=True):
            assert large == (min(cells[places].values()) >= FLOOR), items
        listed, refused = listed + sum(found), refused + 3 - sum(found)
    assert listed > 100
    assert refused > 100


def test_a_conditional_question_counts_as_its_open_answer() -> None:
    led = Design(
        group=SMALL.group,
        use="live",
        blocks=(
            SMALL.blocks[0],
            replace(SMALL.blocks[1], asked_if=Condition(question="a", options=("yes",))),
        ),
    )
    for few, large in ((FLOOR - 1, False), (FLOOR, True)):
        rows = np.zeros((40, 3), dtype=bool)
        direct = np.arange(40) < 10
        rows[:few, 0] = rows[20:30, 0] = True
        asked = np.ones((40, 3), dtype=bool)
        asked[:, 2] = rows[:, 0]
        cache = CountCache(BitMatrix.from_booleans(led, rows, direct, is_asked=asked))
        assert large_crosses(cache, led, [(2,)], OpenFloor(least=FLOOR)) == [large]
        assert large_crosses(cache, led, [()], OpenFloor(least=FLOOR), beside=[2]) == [large]
        assert large_crosses(cache, led, [(0,)], OpenFloor(least=FLOOR)) == [True]


def test_more_itemsets_than_the_limit_are_refused_with_a_support_that_lists_fewer() -> None:
    matrix, _ = simulated(500, seed=8)
    found = len(mine(matrix, matrix.design, LOOSE).itemsets)
    assert len(mine(matrix, matrix.design, LOOSE, max_itemsets=found).itemsets) == found
    for limit in range(found):
        with pytest.raises(PrivacyError, match="reach the thresholds") as refused:
            mine(matrix, matrix.design, LOOSE, max_itemsets=limit)
        assert (refused.value.code, refused.value.value) == ("max_itemsets", found)
        support = float(str(refused.value.fields["support"]))
        if refused.value.case == "max_itemsets.shorter":
            assert support > 1
            continue
        higher = replace(LOOSE, support=support)
        assert len(mine(matrix, matrix.design, higher, max_itemsets=limit).itemsets) <= limit


def plain(n_direct: int, n_protected: int, *, p: int = 10_000, gap: bool = False) -> BitMatrix:
    """Return rows of an open question x, which the last row may leave empty, and a disguised one y."""
    block = protected("b", yes_no("y", 5000), p=p)
    design = questionnaire(opened("open", yes_no("x", None)), block, policy="choice")
    n = n_direct + n_protected
    rows = [{"open": {"x": int(at % 3 == 0)}, "b": {"y": at % 2}} for at in range(n)]
    if gap:
        rows[-1]["open"] = {}
    direct = np.arange(n) < n_direct
    return BitMatrix.from_rows(design, bodies(design, rows, direct, 1))


@pytest.mark.parametrize(
    ("matrix", "shown"),
    [
        (plain(5, 6), True),
        (plain(5, 6, gap=True), False),
        (plain(5, 0, p=5_000), True),
        (plain(5, 1, p=5_000), False),
        (plain(0, 6, p=5_000), False),
    ],
)
def test_plain_mining_needs_true_answers_of_everyone_to_everything(matrix: BitMatrix, shown: bool) -> None:
    assert is_undisguised(matrix) == shown
