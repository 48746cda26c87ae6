"""The effect of each policy number of the core, with literal numbers, so that a change fails a test."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas
import pytest

from mining import predicted_itemsets
from mining.columns.bitmatrix import BitMatrix
from mining.frames.survey import Survey
from mining.multiple_testing import Decisions
from mining.pipeline import mine
from mining.thresholds import Thresholds
from privacy.always_valid import always_valid_half_width
from privacy.channels import Retention, amplification_below
from privacy.effective_rows import few_effective_text
from privacy.errors import PrivacyError
from privacy.estimation.borrowed_pairs import PairFigures, borrow, publishable_pairs
from privacy.estimation.counts import SupportCounts
from privacy.estimation.draw_tests import DrawTest
from privacy.estimation.homogeneity import stratum_homogeneity_test
from privacy.estimation.intervals import measure_rules
from privacy.estimation.margins import margin_of
from privacy.library.designs import truthful, unrelated_question
from privacy.library.shares import prevalence
from privacy.planning.layouts import AskedQuestion, LaidPart, Layout, LayoutGoal
from privacy.planning.light_strengths import proposed_light
from privacy.planning.power import power_for_difference
from privacy.planning.use import Goal, pair_of
from privacy.printed import basis_of
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.logistic import FittedLogit
from privacy.regression.regression import regress
from privacy.risk import Observed, ObservedBlock, audit_rows
from privacy.risk.report import BlockAudit
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import generalised_rr
from privacy.scales.quantities import quantiles
from privacy.scales.scale_groups import scale_groups
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.reidentification_risk import risk
from privacy.sdc.unsafe_columns import refuse_unsafe
from privacy.survey.design import Design, GroupPolicy, Question
from tests.fixtures.blocks import even
from tests.fixtures.refusals import refused
from tests.vectors.arm_designs import arms
from tests.vectors.designs import CHOICE, choice, live, opened, shielded, yes_no

OPEN = live(opened("you", yes_no("a"), yes_no("b")))
SOURCE = live(shielded("b", 3000, yes_no("a", 6000)), group=CHOICE)


def test_few_rows__fewer_than_five_are_labelled() -> None:
    assert prevalence({"yes": 4, "no": 90}, truthful()).few_rows
    assert not prevalence({"yes": 5, "no": 90}, truthful()).few_rows


def test_fit_check_size__one_correct_survey_in_ten_thousand_is_refused() -> None:
    """A quarter of 200 answers is forced: P(27 or fewer) = 4.8e-5, P(28 or fewer) = 8.5e-5; two tests."""
    with refused("misfit", 27):
        prevalence({"yes": 27, "no": 173}, unrelated_question(p=0.5, theta=0.5))
    prevalence({"yes": 28, "no": 172}, unrelated_question(p=0.5, theta=0.5))


@pytest.mark.parametrize(("with_a", "given"), [(24, False), (25, True)])
def test_reliable_errors__ratios_need_denominators_of_five_standard_errors(with_a: int, given: bool) -> None:
    """w of 1,000 people have a: (share/error)^2 is 1000 w/(1000 - w), that is 24.6 and 25.6."""
    counts = SupportCounts({(2, 3): (0, 1000), (0, 3): (0, with_a), (1, 2): (0, 300), (0, 1): (0, 12)})
    assert (measure_rules(counts, [((0,), (1,))], OPEN)[0].confidence.standard_error is not None) is given


@pytest.mark.parametrize(("rows", "kept"), [(99, False), (100, True)])
def test_least_complete_rows__itemsets_need_a_hundred_respondents(rows: int, kept: bool) -> None:
    """`rows` of 600 people were asked the first two of four questions, the others the last two."""
    block = replace(shielded("b", 6000, *(yes_no(key, 5000) for key in "abcd")), questions_per_person=2)
    design = live(block)
    asked = np.zeros((600, 4), dtype=bool)
    asked[:rows, :2] = asked[rows:, 2:] = True
    matrix = BitMatrix.from_booleans(design, asked, np.zeros(600, dtype=bool), is_asked=asked)
    assert ((0, 1) in mine(matrix, design, Thresholds(support=0.1)).itemsets.itemsets) is kept


@pytest.mark.parametrize(("p_value", "rejects"), [(0.000999, True), (0.001, False)])
def test_draw_test_size__one_correct_survey_in_a_thousand_falls_back(p_value: float, rejects: bool) -> None:
    assert DrawTest(about="draw", key="b", n=1000, p_value=p_value).rejects is rejects


def grouped(direct: tuple[int, int], protected: tuple[int, int]) -> SupportCounts:
    return SupportCounts({(): (direct[1], protected[1]), (0,): (direct[0], protected[0])})


def test_likelihood_least_direct__fifty_direct_rows_suffice() -> None:
    methods = [
        stratum_homogeneity_test(grouped((2 * n // 5, n), (720, 1600)), [(0,)], SOURCE)[0].method
        for n in (50, 49)
    ]
    assert methods == ["normal", "empirical likelihood"]


def test_likelihood_least_expected__ten_expected_matches_suffice() -> None:
    """With p = .3 and theta = .6, the rows agree exactly, so the expected number is the number that match."""

    def method(matching: int) -> str:
        shown = round(100_000 * (0.3 * matching / 400 + 0.42))
        return stratum_homogeneity_test(grouped((matching, 400), (shown, 100_000)), [(0,)], SOURCE)[0].method

    # Rounding the share down by one row would give just below 10.
    assert [method(10), method(9)] == ["normal", "empirical likelihood"]


@pytest.mark.parametrize(
    ("rows", "low", "high", "estimable"), [(16, 0.45, 0.5, True), (13, 0.5, 0.55, False)]
)
def test_inestimable_rest__intervals_must_exclude_half_the_range(
    rows: int, low: float, high: float, estimable: bool
) -> None:
    band = generalised_rr(NumberRange(low=0, high=99), 1000)
    (found,) = quantiles(band, scale_groups(band, [rows] * 100), [0.5])
    assert low < (found.high - found.low) / 100 < high
    assert found.estimable is estimable


def test_significance_level__p_values_below_five_percent_pass() -> None:
    adjusted = np.array([0.049, 0.051])
    assert Decisions(p_values=adjusted, adjusted=adjusted, cut_off=adjusted).passes.tolist() == [True, False]


def test_margin_rounding__shares_may_miss_one_by_0_0015() -> None:
    design = live(opened("you", choice("age", options=2)))
    assert margin_of("age", {"o0": 0.4, "o1": 0.59855}, design)
    with refused("shares"):
        margin_of("age", {"o0": 0.4, "o1": 0.59845}, design)


def test_epsilon_lowest__the_minimum_is_0_01() -> None:
    assert amplification_below(0.01) > 1
    with refused("epsilon"):
        amplification_below(0.009)


def test_epsilon_highest__the_maximum_is_twenty() -> None:
    assert amplification_below(20.0) > 1
    with refused("epsilon"):
        amplification_below(20.1)


def audited(counts: list[int]) -> BlockAudit:
    """Return the audit of a survey of three questions, with these counts of patterns."""
    block = even(5000, 3)
    patterns = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=np.uint8)
    design: Design = live(opened("you", choice("z", options=8)), block)
    seen = ObservedBlock(rows=patterns, counts=np.array([*counts, 0]))
    n = sum(counts)
    observed = Observed(n_direct=0, n_protected=n, open=np.array([[0, n]]), blocks={"b": seen})
    return audit_rows(design, {f"q{n}": [5000] for n in range(3)} | {"z": []}, observed).blocks[0]


def test_audit_least_rows__reconstructed_priors_need_a_hundred_rows() -> None:
    assert audited([25, 11, 11, 11, 11, 11, 10, 10]).prior == "marginals"
    assert audited([25, 11, 11, 11, 11, 11, 10, 9]).prior == "stated"


def test_audit_rows_per_pattern__reconstruction_needs_25_rows_each() -> None:
    assert audited([60, 20, 20, 20, 20, 20, 20, 20]).prior == "joint"
    assert audited([59, 20, 20, 20, 20, 20, 20, 20]).prior == "marginals"


def test_record_at_risk__classes_of_four_are_at_risk_and_of_five_not() -> None:
    assert risk(np.array([5, 4])).at_risk == pytest.approx(4 / 9)


def judged(texts: list[str], n: int, role: str = "insensitive") -> str | None:
    try:
        refuse_unsafe(ColumnRule(name="c", role=role), texts, n)
    except PrivacyError as error:
        return error.code
    return None


def test_unsafe_text_length__up_to_120_characters_are_safe() -> None:
    assert judged(["x" * 120, "y"], 100) is None
    assert judged(["x" * 121, "y"], 100) == "free_text"


def test_unsafe_share__up_to_half_the_values_may_be_time_stamps() -> None:
    stamps = [f"2026-01-{day:02} 10:00" for day in range(1, 12)]
    assert judged(stamps[:10] + [f"v{number}" for number in range(10)], 1000) is None
    assert judged(stamps + [f"v{number}" for number in range(9)], 1000) == "time_stamp"


def test_unsafe_least_values__columns_of_twenty_values_are_checked() -> None:
    assert judged([f"v{number}" for number in range(19)], 19) is None
    assert judged([f"v{number}" for number in range(20)], 20) == "singles_out"


def test_unsafe_words__an_average_of_three_words_is_free_text() -> None:
    three = [f"one two {number}" for number in range(20)]
    assert judged(three, 20, "quasi_identifier") == "free_text"
    assert judged(["two 0", *three[1:]], 20, "quasi_identifier") is None


def lightly(count: int, p: int = 5000) -> tuple[int, ...] | None:
    return proposed_light(live(*(shielded(f"b{n}", p, yes_no(f"q{n}", 5000)) for n in range(count))))


def test_epsilon_warn_light__all_blocks_together_reach_six() -> None:
    """Three parts with odds 3, light odds 3^s: p = (3^s - 1)/(3^s + 1), s = 6/(3 ln 3), 3^s = e^2."""
    assert lightly(3) == (7615,) * 3


def test_most_light_power__odds_are_at_most_squared() -> None:
    """Odds of 3 become 9, so p = 8/10."""
    assert lightly(1) == (8000,)


@pytest.mark.parametrize(("p", "offered"), [(5370, True), (5371, False)])
def test_least_light_power__light_protection_needs_a_power_of_1_25(p: int, offered: bool) -> None:
    """Four parts with odds (1 + p)/(1 - p): s = 6 / (4 ln odds) is 1.25015 and 1.24985."""
    assert (lightly(4, p) is not None) is offered


def test_most_light_truth__the_maximum_is_95_percent() -> None:
    """p = .7: odds 17/3, squared 289/9, p = .9396. p = .75: odds 7, squared 49, p = .96, capped at .95."""
    assert (lightly(1, 7000), lightly(1, 7500)) == ((9395,), (9500,))


def one_share(yes: int, n: int) -> float:
    """Return the logit of an undisguised share."""
    answers = LatentAnswers.of(response=[Retention.truthful(2)])
    counts = np.array([[float(n - yes), float(yes)]])
    return float(regress(answers, np.ones((1, 1)), ["constant"], counts).corrected.coefficients[0])


def test_least_events_per_coefficient__ten_events_suffice() -> None:
    assert one_share(4, 10) == pytest.approx(np.log(4 / 6))
    with refused("regression", "worth 9"):
        one_share(4, 9)


def test_sure_clusters__fewer_than_twenty_are_labelled() -> None:
    survey = Survey(blocks={"b": ["a"]}, p=0.5)
    for count, is_few in ((19, True), (20, False)):
        people = pandas.DataFrame({"a": [1, 0] * 2 * count, "who": np.arange(4 * count) // 4})
        assert ("few clusters" in survey.on(people, clusters="who").share("a").summary()) is is_few


def test_least_effective_rows__thirty_answers_of_equal_weight_give_a_figure() -> None:
    for effective_n, basis in ((29.99, "too few"), (30.0, "estimate")):
        assert basis_of(0.2, (0.1, 0.3), possible=(0, 1), effective_n=effective_n) == basis


def test_sure_effective_rows__fewer_than_a_hundred_are_labelled() -> None:
    assert few_effective_text(500, 99.9).startswith("few answers")
    assert few_effective_text(500, 100.0) == ""


def test_most_row_information__one_row_with_more_than_a_tenth_is_labelled() -> None:
    for share, is_labelled in ((0.1, False), (0.1001, True)):
        fit = SimpleNamespace(
            few_events=False, effective_n=1000.0, names=[("", "age")], largest_row=[share], clusters=None
        )
        assert ("one row: 10% of what is known about age" in FittedLogit.labels(fit, 1000)) is is_labelled


def test_largest_logit__one_in_three_million_differs_from_zero() -> None:
    """20 of 65 million have a logit of -14.994, 20 of 66 million one of -15.009."""
    assert one_share(20, 65_000_000) == pytest.approx(-14.9942, abs=1e-4)
    with refused("regression", "diverge"):
        one_share(20, 66_000_000)


def test_sharpest_at__repeated_looks_cost_least_at_a_thousand_answers() -> None:
    def times_wider(n: int) -> float:
        return always_valid_half_width(1.0, n) / 1.959964

    assert min((500, 1_000, 2_000), key=times_wider) == 1_000
    assert times_wider(1_000) == pytest.approx(1.549, abs=5e-4)
    # The width is flat at its sharpest, so the test checks points away from it. With
    # r = 1000/(-2 ln .05 + ln(-2 ln .05) + 1) = 113.872 it is sqrt((1 + r/100) ln((100 + r)/(r .05^2))).
    assert always_valid_half_width(1.0, 100) == pytest.approx(3.76326, abs=1e-5)
    assert max(times_wider(100), times_wider(10_000)) < 1.25 * times_wider(1_000)


def wanted_alone(n: int, *questions: int) -> Layout:
    """Return a layout that asks everyone the same questions at p = .6."""
    return Layout(
        kind="rotating",
        kinds=(AskedQuestion(),) * 2,
        parts=(LaidPart(questions=(0, 1), truth=6000, refusal=None),),
        target=LayoutGoal(n=n, questions=questions, shares=(0.5, 0.5)),
    )


def test_useful_width__a_share_within_10_points_is_useful() -> None:
    # 1.96 / (2 .6 sqrt n).
    assert [wanted_alone(n, 0).shortfall > 0 for n in (266, 267)] == [True, False]


def test_useless_width__a_plan_estimates_shares_within_25_points() -> None:
    # 1.96 / (2 .2 sqrt n) is .25 at 384.1 people.
    layout = replace(wanted_alone(400), parts=(LaidPart(questions=(0, 1), truth=2000, refusal=None),))
    assert layout.people_needed == 385


def test_useful_difference__plans_aim_to_find_thirty_points() -> None:
    power = wanted_alone(250, 0, 1).power
    pair = wanted_alone(250, 0, 1).pair(0, 1)
    assert power == pytest.approx(power_for_difference(pair, 0.30, 250), abs=1e-12)


@pytest.mark.parametrize(("guess", "assumed"), [(None, 0.2), (2_000, 0.2), (500, 0.05)])
def test_share_for_power__without_a_guess_power_assumes_one_in_five(
    guess: int | None, assumed: float
) -> None:
    survey = Survey(blocks={"b": ["a", "c"]}, p=0.6)
    shares = {} if guess is None else dict.fromkeys(("a", "c"), guess)
    pair = pair_of(survey.design, Goal(people=250, wanted=("a", "c"), shares=shares))
    assert [item.share for item in pair.items] == [assumed] * 2


def test_useful_power__a_power_of_80_percent_suffices() -> None:
    powers = {n: wanted_alone(n, 0, 1) for n in range(230, 250)}
    enough = [n for n, layout in powers.items() if layout.shortfall == 0]
    least = min(enough)
    (power, before) = (powers[n].power for n in (least, least - 1))
    assert power is not None
    assert before is not None
    assert before < 0.8 <= power


@pytest.mark.parametrize(("clusters", "given"), [(9, False), (10, True)])
def test_few_clusters__clustered_errors_need_ten_clusters(clusters: int, given: bool) -> None:
    survey = Survey(blocks={"b": ["a"]}, p=0.5)
    frame = pandas.DataFrame({"a": [1, 0] * 50, "school": np.arange(100) % clusters})
    if given:
        assert survey.on(frame, clusters="school").share("a").n == 100
    else:
        with refused("clusters", 9):
            survey.on(frame, clusters="school")


def arms_of(*shares: int) -> Question:
    options = tuple(f"o{number}" for number in range(len(shares)))
    return Question(key="told", kind="single", options=options, unrelated=(), shares=shares)


def test_least_arm__each_arm_needs_a_tenth_of_respondents() -> None:
    assert arms_of(1000, 9000).is_arm
    with pytest.raises(PrivacyError, match="999"):
        arms_of(999, 9001)


def test_most_arms__a_question_can_have_six_arms() -> None:
    assert arms_of(5000, 1000, 1000, 1000, 1000, 1000).is_arm
    with pytest.raises(PrivacyError, match="7 options"):
        arms_of(4000, 1000, 1000, 1000, 1000, 1000, 1000)


def test_most_arm_questions__a_survey_can_have_three_arm_questions() -> None:
    blocks = tuple(arms(f"told{number}", 5000, 5000) for number in range(4))
    assert len(Design(blocks=blocks[:3], group=GroupPolicy(), use="live").arms) == 3
    with pytest.raises(PrivacyError, match="4 assignment questions"):
        Design(blocks=blocks, group=GroupPolicy(), use="live")


@pytest.mark.parametrize(("enough", "own_rows"), [(19, False), (20, True)])
def test_borrowing_least_pairs__shrinking_needs_twenty_pairs_of_100_people(
    enough: int, own_rows: bool
) -> None:
    """All 28 pairs of eight items; `enough` of them are asked of 100 people, the others of 99."""
    block = replace(shielded("b", 6000, *(yes_no(key, 5000) for key in "abcdefgh")), questions_per_person=2)
    pairs = np.array(list(itertools.combinations(range(8), 2)))
    both = np.where(np.arange(28) < enough, 100, 99)
    figures = PairFigures(
        design=live(block),
        items=np.arange(8),
        pairs=pairs,
        n=2800,
        shares=np.full(8, 0.3),
        n_asked=np.tile([0, 700], (8, 1)),
        estimates=np.full(28, 0.12),
        asked_both=np.stack([0 * both, both], axis=1),
        all_rows=True,
    )
    found = borrow(publishable_pairs(figures))
    assert found is not None
    assert found.is_shrunk.any() == own_rows


@pytest.mark.parametrize(("rho_error", "known"), [(0.25, True), (0.2501, False)])
def test_borrowing_largest_rho_error__an_association_with_an_error_above_a_quarter_is_not_determined(
    rho_error: float, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, names = np.random.default_rng(1), [f"q{number}" for number in range(12)]
    truth = pandas.DataFrame(rng.random((2000, 12)) < 0.4, columns=names)
    survey = Survey(blocks={"b": names}, p=0.8, questions_per_person={"b": 5})
    cache = survey.on(survey.disguise(truth, seed=1)).count_cache
    released = predicted_itemsets.publishable_pairs

    def uncertain(figures: PairFigures) -> PairFigures:
        kept = released(figures)
        assert kept.pool is not None
        return replace(kept, pool=replace(kept.pool, rho_error=rho_error))

    monkeypatch.setattr(predicted_itemsets, "publishable_pairs", uncertain)
    bases = {own.method for own in predicted_itemsets.borrowed_itemsets(cache, least=0.01, size=3)}
    assert bases == ({"shrunk", "completed"} if known else {"not determined"})
