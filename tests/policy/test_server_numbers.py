"""The effect of each policy number of the server, with literal numbers, so that a change fails a test."""

import itertools
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from django.db import transaction
from django.utils import timezone

from mining.columns.sent_counts import SentCounts
from mining.itemsets import SearchResult, check_length
from privacy.errors import PrivacyError
from privacy.estimation.array_tables import take
from privacy.estimation.counts import SupportCounts
from privacy.estimation.estimates import estimates
from privacy.planning.use import use_of
from privacy.survey.design import Design, GroupPolicy
from surveys.accounts.lock_out import LockedOut, attempt_count
from surveys.accounts.tokens import token_make, use_token
from surveys.errors.error import SurveyError
from surveys.formats.shown_counts import rounded_count
from surveys.intake.mix import mix
from surveys.intake.receive import submission_receive
from surveys.models import Batch, Run, Survey, Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.ceilings import site_ceilings
from surveys.questionnaire.checks.rotation import check_rotating
from surveys.questionnaire.checks.use import check_use
from surveys.questionnaire.findings import Level
from surveys.runs.disclosure import disclosure
from surveys.runs.itemset_question import most_itemsets
from surveys.runs.scale_question import check_enough
from tests.fixtures.blocks import even
from tests.fixtures.checked_surveys import MANY, findings_of, protected, survey_of, unprotected, yes_no
from tests.fixtures.devices import published, request_of, sealed_body, wide_definition
from tests.fixtures.questionnaires import grouped
from tests.fixtures.staff import member

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def test_least_protected__results_need_a_hundred_answers() -> None:
    assert [disclosure(n=n, practice=False).results for n in (99, 100)] == [False, True]


def test_least_direct__the_threshold_is_fifty() -> None:
    assert disclosure(n=500, practice=False).least_direct == 50


def test_least_profile__reported_open_answer_crosses_have_ten_people() -> None:
    assert disclosure(n=500, practice=False).least_cross == 10


def test_rounded_to__counts_are_rounded_to_tens() -> None:
    assert [rounded_count(count) for count in (4, 5, 14, 15, 24)] == [0, 10, 10, 20, 20]


def test_most_itemsets_unasked__a_run_asks_before_it_lists_20_001_itemsets() -> None:
    design = Design(group=GroupPolicy(), use="live", blocks=(even(5_000, 1),))
    # 1999/4000 reports are 2 (.49975 - .25) = .4995, which a threshold of .5 leaves out.
    estimate = estimates(SupportCounts({(): (0, 4000), (0,): (0, 1999)}), [(0,)], design)

    def check(run: Run, many: int) -> None:
        found = SearchResult(
            levels=(np.arange(many)[:, None],),
            estimates=take(estimate, np.zeros(many, dtype=np.int64)),
            listed=np.ones(many, dtype=np.bool_),
            n_candidates=many,
        )
        most = most_itemsets(run)
        if most is not None:
            check_length(found, most)

    check(Run(parameters={}), 20_000)
    check(Run(parameters={"lists_all": True}), 20_001)
    with pytest.raises(PrivacyError) as asks:
        check(Run(parameters={}), 20_001)
    assert (asks.value.code, asks.value.fields["support"]) == ("max_itemsets", "0.500")


def test_least_with_an_error__practice_results_need_two_rows() -> None:
    practice = Version(survey=Survey(practice=True), design=grouped([1]).to_json())

    def sent(n: int) -> SentCounts:
        counts = np.array([n, 0], dtype=np.int64)
        return SentCounts(protected=counts, direct=np.zeros(2, dtype=np.int64))

    check_enough(practice, "age", sent(2))
    with pytest.raises(SurveyError):
        check_enough(practice, "age", sent(1))


def test_epsilon_warn__parts_and_surveys_above_three_are_warned_about() -> None:
    assert [site_ceilings().epsilon.level(epsilon) for epsilon in (3.0, 3.01)] == [None, Level.WARN]


def test_epsilon_refuse__parts_and_surveys_above_six_need_a_reason() -> None:
    assert [site_ceilings().epsilon.level(epsilon) for epsilon in (6.0, 6.01)] == [Level.WARN, Level.REFUSE]


def test_epsilon_refuse_light__light_protection_above_eight_is_refused() -> None:
    ceiling = site_ceilings().light
    assert [ceiling.level(epsilon) for epsilon in (6.0, 6.01, 8.0, 8.01)] == [
        None,
        Level.WARN,
        Level.WARN,
        Level.REFUSE,
    ]


def test_odds_warn__answers_with_odds_above_nine_are_warned_about() -> None:
    assert [site_ceilings().odds.level(odds) for odds in (9.0, 9.01)] == [None, Level.WARN]


def test_odds_refuse__answers_with_odds_above_99_are_refused() -> None:
    assert [site_ceilings().odds.level(odds) for odds in (99.0, 99.01)] == [Level.WARN, Level.REFUSE]


@pytest.mark.parametrize(("share", "warned"), [(5000, False), (5001, True)])
def test_most_drawn_direct__up_to_half_may_answer_directly(share: int, warned: bool) -> None:
    group = {"policy": "assigned", "direct_share": share}
    found = findings_of(protected("b", yes_no("a")), group=group)
    assert ("group.direct_share" in [one.path for one in found]) is warned


def codes(*blocks: dict[str, object], aim: Aim = MANY) -> list[str]:
    return [one.code for one in findings_of(*blocks, aim=aim)]


def test_most_reidentified__a_fifth_of_true_rows_may_be_reidentified() -> None:
    """With nine answers of 20% each, 13.4% of true rows are recognised; with eight of 15% each, 27.2%."""
    nine = [yes_no(f"q{n}", prevalence=2000) for n in range(9)]
    eight = [yes_no(f"q{n}", prevalence=1500) for n in range(8)]
    assert "far_from_expected" not in codes(protected("b", *nine))
    assert "far_from_expected" in codes(protected("b", *eight))


def test_most_compared__up_to_300_rotating_answers_are_compared() -> None:
    asked = [yes_no(f"q{n}") for n in range(301)]
    blocks = [protected(f"b{n}", *asked[n : n + 10]) for n in range(0, 300, 10)]
    assert "not_compared" not in codes(*blocks)
    assert "not_compared" in codes(*blocks, protected("last", asked[300]))


def open_choices(*sizes: int) -> dict[str, object]:
    questions = [
        {
            "key": f"z{number}",
            "kind": "single",
            "text": {"en": "Which?"},
            "options": [{"key": f"o{n}", "text": {"en": f"Option {n}"}} for n in range(size)],
        }
        for number, size in enumerate(sizes)
    ]
    return unprotected("open", *questions)


@pytest.mark.parametrize(("sets", "warned"), [(434, False), (435, True)])
def test_most_own__a_tenth_may_have_a_unique_set_of_questions(sets: int, warned: bool) -> None:
    """A share (1 - 1/C)^999 of 1,000 people is unique: .0998 with 434 sets of questions, .1003 with 435."""
    listed = tuple(itertools.islice(itertools.combinations(range(30), 2), sets))
    part = replace(even(5000, 30), questions_per_person=2, booklets=listed)
    design = Design(blocks=(part,), group=GroupPolicy(), use="live")
    found = [one.code for one in check_rotating(design, {}, people=1000)]
    assert ("own_combination" in found) is warned


def test_most_unique__at_most_a_twentieth_may_be_unique() -> None:
    """1000 (1 - 1/C)^999 with C = 320 and C = 345 combinations: 43.9 and 55.1 people."""
    aim = Aim(people=1000)
    assert "unique_open" not in codes(open_choices(16, 20), protected("b", yes_no("a")), aim=aim)
    assert "unique_open" in codes(open_choices(15, 23), protected("b", yes_no("a")), aim=aim)


@pytest.mark.django_db
def test_least_batch_rows__a_hundred_rows_give_a_batch_of_fifty() -> None:
    version = published(wide_definition("wide"))
    rng, now = random.Random(1), datetime(2026, 11, 20, 12, tzinfo=timezone.get_default_timezone())

    def answer(times: int) -> int:
        for _ in range(times):
            body = sealed_body(version.to_design(), rng)
            assert submission_receive(request_of(version, body=body.hex()), now=now).status == 200
        mix(now=now)
        return Batch.objects.count()

    assert answer(99) == 0
    assert answer(1) == 1
    assert Batch.objects.get().n == 50


def check_last_locks_out(tries: list[tuple[str, str]], address: str, *, are_codes: bool = False) -> None:
    """Assert that the last of these attempts, and none before it, locks out "ana" at an address."""

    def attempt(name: str, place: str) -> None:
        attempt_count(name=name, address=place, now=NOON, is_code=are_codes)

    for name, place in tries[:-1]:
        attempt(name, place)
    with transaction.atomic():
        attempt("ana", address)
        transaction.set_rollback(True)
    attempt(*tries[-1])
    with pytest.raises(LockedOut):
        attempt("ana", address)


@pytest.mark.django_db
def test_most_of_name_at_address__five_failures_lock_the_name_there() -> None:
    check_last_locks_out([("ana", "192.0.2.7")] * 5, "192.0.2.7")


@pytest.mark.django_db
def test_most_of_address__twenty_failures_lock_an_address() -> None:
    check_last_locks_out([(f"name{number}", "192.0.2.7") for number in range(20)], "192.0.2.7")


@pytest.mark.django_db
def test_most_of_name__fifty_failures_lock_a_name_everywhere() -> None:
    check_last_locks_out([("ana", f"192.0.2.{number}") for number in range(50)], "198.51.100.1")


@pytest.mark.django_db
def test_flood__in_a_flood_five_failures_lock_an_address() -> None:
    """Five attempts from one address, 95 elsewhere: only in a flood do the five lock the address."""
    tries = [(f"name{number}", "192.0.2.1") for number in range(5)]
    tries += [(f"other{number}", f"198.51.{number}.1") for number in range(95)]
    check_last_locks_out(tries, "192.0.2.1")


@pytest.mark.django_db
def test_locked_out_minutes__too_many_failures_lock_for_15_minutes() -> None:
    for _ in range(5):
        attempt_count(name="ana", address="192.0.2.7", now=NOON)
    with pytest.raises(LockedOut):
        attempt_count(name="ana", address="192.0.2.7", now=NOON + timedelta(minutes=15, seconds=-1))
    attempt_count(name="ana", address="192.0.2.7", now=NOON + timedelta(minutes=15, seconds=1))


@pytest.mark.django_db
def test_most_of_codes__ten_wrong_codes_lock_a_name_everywhere() -> None:
    tries = [("ana", f"192.0.2.{number}") for number in range(10)]
    check_last_locks_out(tries, "198.51.100.1", are_codes=True)
    # Wrong codes do not lock passwords, or someone without the password could learn about the account.
    attempt_count(name="ana", address="198.51.100.2", now=NOON)


@pytest.mark.django_db
def test_most_days_unvouched__tokens_expire_a_month_after_login() -> None:
    ana, opened = member("ana"), []
    _made, token = token_make(ana, name="notebook", days=90, today=NOON.date())
    type(ana).objects.update(last_login=NOON)
    for days in (30, 31):
        opened.append(use_token(token, today=NOON.date() + timedelta(days=days)) is not None)
    assert opened == [True, False]


@pytest.mark.django_db
def test_codes_locked_out_hours__too_many_wrong_codes_lock_for_a_day() -> None:
    for number in range(10):
        attempt_count(name="ana", address=f"192.0.2.{number}", now=NOON, is_code=True)
    with pytest.raises(LockedOut):
        attempt_count(name="ana", address="198.51.100.1", now=NOON + timedelta(hours=23), is_code=True)
    attempt_count(name="ana", address="198.51.100.1", now=NOON + timedelta(hours=24, seconds=1), is_code=True)


def test_useless_power__a_power_of_30_percent_needs_no_reason() -> None:
    draft = survey_of(protected("b", yes_no("a"), yes_no("c"), p=4000))
    powers, levels = {}, {}
    for people in range(120, 260):
        aim = Aim(people=people, wanted=("a", "c"), shares={"a": 5000, "c": 5000})
        powers[people] = use_of(draft.design, aim).power
        (levels[people],) = (finding.level for finding in check_use(draft, aim))
    least = min(people for people, level in levels.items() if level is Level.WARN)
    power, before = powers[least], powers[least - 1]
    assert power is not None
    assert before is not None
    assert before < 0.3 <= power
