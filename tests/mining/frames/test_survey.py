"""A survey states its coins and probabilities once, and simulates devices' reports."""

from fractions import Fraction

import numpy as np
import pandas
import polars
import pyarrow
import pytest

from mining.frames.answer_kinds import any_of, number, one_of
from mining.frames.survey import Survey
from privacy.errors import PrivacyError
from privacy.survey.design import Design
from privacy.survey.group_policy import GroupPolicy
from tests.fixtures.refusals import refused
from tests.mining.frames.surveys import RICH, TRIAL, TRIAL_SENT, WORK, rich_people
from tests.statistics import POWER, chi_square, chi_square_limit, chi_square_power


@pytest.mark.parametrize("blocks", [["cheat", "drugs"], ("cheat",), {"cheat"}, "cheat"])
def test_questions_without_stated_coins_are_refused(blocks: object) -> None:
    with refused("blocks", "cheat"):
        Survey(blocks=blocks, p=0.5)  # type: ignore[arg-type]
    one = Survey(blocks={"work": ["cheat", "drugs"]}, p=0.5)
    two = Survey(blocks={"a": ["cheat"], "b": ["drugs"]}, p=0.5)
    frame = pandas.DataFrame(
        {"cheat": [1] * 100 + [0] * 100, "drugs": ([1] * 3 + [0]) * 25 + ([0] * 3 + [1]) * 25}
    )
    # Both items in .375 of 200 rows. One coin: (.375 - .5/4)/.5; two: 1.5^2 (.375) - .75 (.25) + .25 (.375).
    assert one.on(frame).share("cheat", "drugs").value == pytest.approx(0.5)
    wanted = 1.5 * 1.5 * 0.375 - 1.5 * 0.5 * 0.25 + 0.5 * 0.5 * 0.375
    assert two.on(frame).share("cheat", "drugs").value == pytest.approx(wanted)


def test_probabilities_must_be_fractions_that_devices_can_draw() -> None:
    for quarter in (0.25, "1/4", Fraction(1, 4)):
        assert Survey(blocks={"b": ["a"]}, p=quarter).design.blocks[0].truth_probability == 2500
    with refused("ten_thousandths", "1/3"):
        Survey(blocks={"b": ["a"]}, p=1 / 3)
    with pytest.raises(PrivacyError, match=r"0\.3333 or 0\.3334"):
        Survey(blocks={"b": ["a"]}, p="1/3")
    with refused("chance", 5000):
        Survey(blocks={"b": ["a"]}, p=5000)
    for theta in (0, 1):
        with pytest.raises(PrivacyError, match=f"theta of a = {theta}: .* above 0 and below 1"):
            Survey(blocks={"b": ["a"]}, p=0.5, theta=theta)
    with refused("truth_probability"):
        Survey(blocks={"b": ["a"]}, p=1)


@pytest.mark.parametrize(
    ("stated", "named"),
    [
        ({"p": {"c": 0.5}}, "c"),
        ({"p": {}}, "b"),
        ({"p": None}, "b"),
        ({"p": 0.5, "theta": {"x": 0.5}}, "x"),
        ({"p": 0.5, "theta": {}}, "a"),
        ({"p": 0.5, "skip": {"c": 0.1}}, "c"),
        ({"p": 0.5, "light": {"c": 0.8}}, "c"),
        ({"p": 0.5, "questions_per_person": {"c": 1}}, "c"),
        ({"p": 0.5, "open": "city"}, "city"),
        ({"p": 0.5, "skip": 0.1}, "skip"),
        ({"p": 0.5, "questions_per_person": 1}, "questions_per_person"),
    ],
)
def test_unknown_and_missing_block_settings_are_named_in_the_error(
    stated: dict[str, object], named: str
) -> None:
    with refused("blocks", named):
        Survey(blocks={"b": ["a"]}, **stated)  # type: ignore[arg-type]


def test_malformed_blocks_and_duplicate_keys_are_rejected() -> None:
    with refused("blocks", "cheat"):
        Survey(blocks={"work": "cheat"}, p=0.5)
    with refused("blocks", "job"):
        Survey(blocks={"work": {"job": ["a", "b"]}}, p=0.5)  # type: ignore[dict-item]
    with refused("duplicate_key", "'cheat' occurs twice"):
        Survey(blocks={"work": ["cheat"], "home": ["cheat"]}, p=0.5)


def test_a_survey_round_trips_through_its_design_document() -> None:
    again = Survey.of(RICH.design.to_json())
    assert again.design == RICH.design
    assert isinstance(again.design, Design)
    # The document has the keys of options, perks_car, and not their names.
    assert again.names == {}
    assert Survey.of(WORK.design.to_json()) == WORK != RICH
    assert len({Survey.of(WORK.design.to_json()), WORK}) == 1
    assert repr(WORK) == "<survey of work: cheat, drugs (p = 0.5); money: debts (p = 0.5)>"
    assert WORK.to_frame().loc["debts"].tolist() == ["money", "yes_no", 0.5, 0.3]
    assert "<td>money</td>" in WORK._repr_html_()


def test_reports_are_disguised_as_on_devices() -> None:
    """Compares reports of three answers with the exact channel of two coins."""
    n = 60_000
    truth = pandas.DataFrame({"cheat": [1] * n, "drugs": [0] * n, "debts": [1] * n})
    sent = WORK.disguise(truth, seed=8)
    counts = np.bincount(4 * sent.cheat + 2 * sent.drugs + sent.debts, minlength=8)
    decoys, true, money = np.array([0.3, 0.3, 0.2, 0.2]), np.array([0, 0, 1, 0]), [0.5 * 0.7, 0.5 * 0.3 + 0.5]
    chances = np.kron(0.5 * decoys + 0.5 * true, money)
    assert chi_square(counts.tolist(), chances.tolist()) < chi_square_limit(8)
    # A coin with truth probability .53 instead of .5 would be detected.
    off = np.kron(0.47 * decoys + 0.53 * true, money)
    assert chi_square_power(n, chances.tolist(), off.tolist()) > POWER


def test_a_simulation_depends_only_on_seed_and_survey() -> None:
    truth = rich_people(300).set_index(pandas.Index(range(1000, 1300)))
    first, second, other = (RICH.disguise(truth, seed=seed) for seed in (1, 1, 2))
    assert first.equals(second)
    assert not first.equals(other)
    assert first.index.equals(truth.index)
    # Everyone is asked two of three questions, and all open questions.
    assert (first[["debts", "loans", "tax"]].notna().sum(axis=1) == 2).all()
    assert (first.city == truth.city).all()
    assert first["work.skipped"].mean() < 0.1


def test_impossible_answers_are_refused_by_row() -> None:
    truth = pandas.DataFrame({"cheat": [1, None], "drugs": [0, 1], "debts": [1, 1]}, index=["ann", "bo"])
    with refused("reports", "bo"):
        WORK.disguise(truth, seed=1)
    with refused("frame", "debts"):
        WORK.disguise(truth.drop(columns="debts"), seed=1)


def test_drawn_questions_of_a_block_that_can_be_skipped_are_simulated() -> None:
    truth = pandas.DataFrame({"a": [1, 0], "c": [1, 1], "d": [0, 0]})
    survey = Survey(blocks={"b": ["a", "c", "d"]}, p=0.5, skip={"b": 0.1}, questions_per_person={"b": 2})
    assert set(survey.disguise(truth, seed=1)["b.asked"]) <= {"a c", "a d", "c d"}


NAMED = Survey(
    blocks={
        "工作": ["作弊 过", "drugs"],
        "m": {"last year": one_of("高 收入", "low"), "perks": any_of("a b", "c")},
    },
    p=0.7,
    open={"城市": one_of("上海", "北京")},
)


def named_people(n: int) -> pandas.DataFrame:
    rng = np.random.default_rng(5)
    return pandas.DataFrame(
        {
            "作弊 过": rng.choice(["Yes", "no"], n, p=[0.3, 0.7]),
            "drugs": rng.random(n) < 0.3,
            "last year": rng.choice(["高 收入", "low"], n),
            "perks=a b": rng.integers(0, 2, n),
            "perks=c": 1,
            "城市": rng.choice(["北京", "上海"], n),
        }
    )


def test_names_that_are_not_valid_keys_label_columns_and_results() -> None:
    truth = named_people(4000)
    sent = NAMED.disguise(truth, seed=1)
    assert set(sent.columns) == set(truth.columns)
    assert (sent["城市"] == truth["城市"]).all()
    assert set(sent["last year"]) == {"高 收入", "low"}
    reports = NAMED.on(sent)
    share = reports.share("作弊 过", "perks=a b")
    assert share.name == "share of 作弊 过 and perks=a b"
    both = ((truth["作弊 过"] == "Yes") & (truth["perks=a b"] == 1)).mean()
    assert abs(share.value - both) < 5 * share.standard_error
    assert {"作弊 过", "last year=高 收入", "城市=北京 & 作弊 过"} <= set(reports.supports(size=2).index)
    assert ("城市=北京", "drugs") in reports.rules(size=2).index
    assert reports.compare("drugs", by="last year=高 收入").n == 4000
    fit = reports.regression("`作弊 过` ~ drugs + 城市")
    assert fit.params.index.tolist() == ["Intercept", "drugs", "城市[T.北京]"]
    plan = NAMED.plan(2000, guesses={"作弊 过": 0.3}, wanted="作弊 过", protection=None)
    assert plan.to_frame().share["作弊 过"] == 0.3
    shares = {"作弊 过": 0.2, "drugs": 0.3, "last year": {"高 收入": 0.4, "low": 0.6}, "perks": 0.2}
    assert NAMED.audit(shares).to_frame().prevalence["last year=高 收入"] == 0.4
    # Keys are internal: a column may have the name of one, and errors name the columns of the table.
    assert NAMED.on(sent.assign(q1=5, o1=5)).share("作弊 过").value == reports.share("作弊 过").value
    with refused("reports", "作弊 过"):
        NAMED.on(sent.assign(**{"作弊 过": None}))
    with refused("frame", "no column '作弊 过'"):
        NAMED.disguise(truth.drop(columns="作弊 过"), seed=1)
    with refused("answers", "last year", "'o1'", "'高 收入', 'low'"):
        NAMED.on(sent.assign(**{"last year": "o1"}))


def test_generated_keys_do_not_clash_with_existing_ones() -> None:
    survey = Survey(blocks={"b": ["q1", "第一", "第二"], "b1": ["q2"]}, p=0.5)
    assert survey.names == {"q3": "第一", "q4": "第二"}
    assert Survey(blocks={"b": ["q1"]}, p=0.5).names == {}
    with refused("blocks", "' '"):
        Survey(blocks={"b": [" "]}, p=0.5)


@pytest.mark.parametrize("missing", ["drop", "refuse"])
def test_rows_missing_an_answer_are_refused_or_omitted_and_counted(missing: str) -> None:
    truth = pandas.DataFrame({"cheat": [1, 0] * 600, "drugs": [0, 1, 1] * 400, "debts": [1, 0, 0] * 400})
    rng = np.random.default_rng(1)
    sent = WORK.disguise(truth, seed=1).assign(w=1.5, age=rng.normal(size=1200), club=[0.0, 1.0] * 600)
    holes = sent.astype({"debts": "Int64"})
    holes.loc[[3, 7], "debts"] = pandas.NA
    holes.loc[9, "w"] = np.nan
    holes.loc[11, ["age", "club"]] = np.nan
    if missing == "refuse":
        with refused("reports", "'debts' is empty in row 3; 2 of 1,200 rows lack an answer"):
            WORK.on(holes, weights="w")
        return
    reports = WORK.on(holes, weights="w", missing="drop")
    rest = WORK.on(sent.drop([3, 7, 9]), weights="w")
    assert (reports.n, reports.dropped) == (1197, 3)
    assert reports.share("debts").value == rest.share("debts").value
    assert "3 rows without an answer left out" in repr(reports)
    assert "3 rows without an answer left out" in reports.share("debts").summary()
    fit = reports.regression("debts ~ age")
    assert (fit.nobs, fit.dropped) == (1196, 1)
    assert reports.compare("debts", by="club").n == 1196
    with refused("reports", "ignore"):
        WORK.on(sent, missing="ignore")


def test_arrow_and_polars_tables_are_read_with_categories_and_gaps() -> None:
    answers = {"cheat": [True, False] * 300, "drugs": ["Yes", "no", "no"] * 200, "debts": [0, 1] * 300}
    plain = WORK.disguise(pandas.DataFrame(answers), seed=2)
    for truth in (polars.DataFrame(answers), pyarrow.table(answers)):
        assert WORK.disguise(truth, seed=2).equals(plain)  # type: ignore[arg-type]
    columns = {name: plain[name].tolist() for name in plain} | {"size": ["S", "L"] * 300}
    table = polars.DataFrame(columns).with_columns(polars.col("size").cast(polars.Enum(["S", "L"])))
    arrow = pyarrow.Table.from_pandas(plain.assign(size=pandas.Categorical(["S", "L"] * 300, ["S", "L"])))
    for own in (table, table.lazy(), arrow):
        reports = WORK.on(own)
        assert reports.share("cheat").value == WORK.on(plain).share("cheat").value
        assert reports.frame["size"].cat.categories.tolist() == ["S", "L"]
    empty = polars.DataFrame(columns | {"cheat": [None] * 3 + columns["cheat"][3:]})
    assert (WORK.on(empty, missing="drop").n, WORK.on(empty, missing="drop").dropped) == (597, 3)
    with refused("frame", "list"):
        WORK.on([1, 0])


def test_a_survey_with_every_feature_matches_its_stated_design() -> None:
    opened, work, money, pay = RICH.design.blocks
    assert [question.key for question in opened.questions] == ["year", "city"]
    assert (work.truth_probability, work.refusal, money.truth_probability) == (6000, 1000, 2500)
    assert [question.unrelated for question in work.questions] == [
        (5000,),
        (5000, 2000, 3000),
        (4000,),
        (4000,),
    ]
    assert (money.questions_per_person, pay.disguise.inputs) == (2, 8)
    assert RICH.design.group == GroupPolicy()


def test_single_choice_decoys_are_even_and_must_sum_to_one() -> None:
    design = Survey(blocks={"b": {"job": one_of("x", "y", "z")}}, p=0.5).design
    assert design.questions[0].unrelated == (3334, 3333, 3333)
    assert Survey(blocks={"b": ["a"]}, p=0.5, direct=True).design.group.policy == "choice"
    light = Survey(blocks={"b": ["a"]}, p=0.5, light=0.8).design
    assert light.blocks[0].light == 8000
    with refused("shares_sum"):
        Survey(blocks={"b": {"job": one_of("x", "y")}}, p=0.5, theta={"job": {"x": 0.5, "y": 0.4}})
    with pytest.raises(PrivacyError, match="one_of has no options"):
        Survey(blocks={"b": {"job": one_of()}}, p=0.5)
    with refused("blocks", "w"):
        Survey(blocks={"b": {"job": one_of("x", "y")}}, p=0.5, theta={"job": {"w": 0.5, "y": 0.5}})


def test_numbers_of_other_types_are_read_as_python_numbers() -> None:
    assert number(low=np.int64(0), high=np.float64(79), bin=10) == number(low=0, high=79, bin=10)
    dropped = TRIAL.on(
        TRIAL_SENT.assign(pay=TRIAL_SENT.pay.astype(object).where(TRIAL_SENT.index > 4, pandas.NA)),
        missing="drop",
    )
    assert dropped.dropped == 5


def test_each_option_of_any_of_is_one_answer() -> None:
    """As k yes/no questions: the same design, and old tables and calls keep working."""
    survey = Survey(
        {"work": {"cheat": None, "perks": any_of("car", "phone")}},
        p=0.5,
        theta={"cheat": 0.5, "perks": {"car": 0.3, "phone": 0.4}},
    )
    assert [question.kind for question in survey.design.questions] == ["yes_no"] * 3
    assert [question.unrelated for question in survey.design.questions] == [(5000,), (3000,), (4000,)]
    plain = Survey(
        {"work": ["cheat", "perks_car", "perks_phone"]},
        p=0.5,
        theta={"cheat": 0.5, "perks_car": 0.3, "perks_phone": 0.4},
    )
    assert survey.design == plain.design
    truth = pandas.DataFrame(
        {"cheat": [1, 0] * 200, "perks=car": [1] * 400, "perks=phone": [0, 1, 1, 1] * 100}
    )
    sent = survey.disguise(truth, seed=3)
    assert {"perks=car", "perks=phone"} <= {*sent.columns}
    share = survey.on(sent).share("perks=car").value
    # A design from its document reads the same table by its keys.
    assert Survey.of(survey.design.to_json()).on(sent).share("perks_car").value == share
    planned = survey.plan(400, guesses={"cheat": 0.5, "perks": 0.2})
    assert [*planned.to_frame().index] == ["cheat", "perks=car", "perks=phone"]
    assert (
        survey.audit({"cheat": 0.5, "perks": 0.2}).epsilon
        == survey.audit({"cheat": 0.5, "perks": {"car": 0.2, "phone": 0.2}}).epsilon
    )
    one = Survey({"b": {"perks": any_of("car")}}, p=0.5)
    assert len(one.design.questions) == 1
    with refused("too_few_options"):
        Survey({"b": {"perks": any_of()}}, p=0.5)
    with refused("duplicate_key"):
        Survey({"b": {"perks": any_of("car", "car")}}, p=0.5)
    with refused("blocks", "bike"):
        Survey({"b": {"perks": any_of("car")}}, p=0.5, theta={"perks": {"bike": 0.5}})
    clash = Survey({"b": {"perks_car": None, "perks": any_of("car")}}, p=0.5)
    assert len({question.key for question in clash.design.questions}) == 2
