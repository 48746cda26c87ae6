"""The rows behind figures: which design they follow, and which figures they are enough for."""

from dataclasses import replace

import pytest

from mining.columns.counted_rows import CountedRows
from mining.open_floor import SHOW_ALL, OpenFloor
from privacy.errors import PrivacyError
from privacy.estimation.withheld import NOTHING, Evidence, Withheld
from surveys.errors.error import SurveyError
from surveys.policy import LEAST_PROTECTED
from surveys.runs.disclosure import disclosure
from surveys.runs.redisguise import drawing_of
from surveys.runs.releasable_rows import (
    ReleasableRows,
    packed_rows,
    permitted_rows,
    releasable_design,
    releasable_rows,
    rows_of_run,
    rows_of_version,
)
from surveys.runs.snapshot import batches_open_to_mining
from surveys.runs.withheld import STORED
from tests.attack.test_open_answers import answer as answer_open
from tests.attack.test_open_answers import survey as open_survey
from tests.fixtures.devices import closed
from tests.fixtures.runs import PAIRS, answered_version, mined_run, open_version, published, requested_run

pytestmark = pytest.mark.django_db


def open_answers(*cells: int) -> ReleasableRows:
    """Return the rows of a settled survey with so many people of each combination of two open answers."""
    version = open_survey("cells" + "x".join(map(str, cells)))
    answer_open(version, cells)
    return rows_of_version(closed(version))


def with_floor(rows: ReleasableRows, floor: OpenFloor) -> ReleasableRows:
    return replace(rows, disclosure=replace(rows.disclosure, open_floor=floor))


def test_rows_that_someone_sent_undisguised_are_disguised_before_any_figure() -> None:
    version = answered_version(300, n_direct=60)
    assert version.holds_undisguised
    rows = rows_of_version(version)
    assert (rows.n, rows.matrix.n_direct, rows.matrix.n_protected) == (300, 60, 240)
    # The direct group is now disguised, too, in the light strength, so all rows count.
    assert rows.design.has_two_strengths
    assert not version.to_design().has_two_strengths
    assert rows.is_enough(60, 40)
    assert (rows.reports.n_direct, rows.reports.n_protected) == (60, 240)
    assert rows.design == releasable_design(version) != version.to_design()
    assert drawing_of(version)
    packed = b"".join(packed_rows(version, batches_open_to_mining(version)))
    assert len(packed) == 300 * version.row_bytes
    assert packed != b"".join(bytes(batch.packed) for batch in version.batches.order_by("pk"))


def test_other_rows_are_read_as_they_arrived() -> None:
    version = answered_version(300, n_direct=0, slug="protected", policy="protected")
    assert not version.holds_undisguised
    rows = rows_of_version(version)
    assert rows.design == releasable_design(version) == version.to_design()
    assert rows.reports is rows.matrix
    assert drawing_of(version) == ""
    packed = b"".join(packed_rows(version, batches_open_to_mining(version)))
    assert packed == b"".join(bytes(batch.packed) for batch in version.batches.order_by("pk"))


def test_both_strengths_are_disguised_and_count() -> None:
    rows = rows_of_version(answered_version(300, n_direct=250, slug="light", light=True))
    assert rows.design.has_two_strengths
    assert (rows.matrix.n_direct, rows.matrix.n_protected) == (250, 50)
    assert rows.is_enough(250, 50)
    assert rows.is_enough(LEAST_PROTECTED, 0)
    assert not rows.is_enough(LEAST_PROTECTED - 1, 0)


def test_without_two_strengths_only_the_disguised_group_counts() -> None:
    rows = rows_of_version(answered_version(300, n_direct=0, slug="strong", policy="protected"))
    assert rows.is_enough(0, LEAST_PROTECTED)
    assert not rows.is_enough(LEAST_PROTECTED, LEAST_PROTECTED - 1)


def test_columns_need_a_hundred_rows_that_were_asked_them() -> None:
    rows = rows_of_version(answered_version(300, n_direct=0, slug="asked", policy="protected"))
    everybody = ()
    assert rows.asked_enough(everybody)
    higher = replace(rows, disclosure=replace(rows.disclosure, least_protected=301))
    assert not higher.asked_enough(everybody)
    practice = replace(rows, disclosure=disclosure(n=300, practice=True))
    assert practice.asked_enough(everybody)
    # In a practice survey one row is enough, but not none.
    late, cheat, drink = (rows.design.item(key).index for key in ("late", "cheat", "drink"))
    young, old = (item.index for item in rows.design.items if item.question == 0)
    assert not practice.asked_enough((young, old))
    assert practice.asked_enough((late, cheat, drink))


def test_crosses_are_large_if_each_has_ten_people_or_none_or_nothing_is_hidden() -> None:
    both = (0, 1)
    assert open_answers(60, 60, 50, 10).has_large_crosses(both)
    assert open_answers(60, 60, 60, 0).has_large_crosses(both)
    few = open_answers(60, 60, 51, 9)
    assert not few.has_large_crosses(both)
    assert few.has_large_crosses((0,), (1,))
    assert not few.has_large_crosses((0,), both)
    assert with_floor(few, SHOW_ALL).has_large_crosses(both)
    least = OpenFloor(least=61)
    assert not with_floor(open_answers(60, 60, 61, 61), least).has_large_crosses(both)


def test_a_small_cross_waits_while_answers_arrive_and_is_refused_later() -> None:
    rows = open_answers(60, 60, 51, 9)
    assert rows.small_cross().code == "profile"
    assert rows.small_cross("small_cell").code == "small_cell"
    assert with_floor(rows, OpenFloor(least=10, crosses=False)).small_cross().code == "waits"


def test_itemsets_are_releasable_once_each_and_without_small_crosses() -> None:
    rows = open_answers(60, 60, 51, 9)
    assert rows.releasable([(0,), (0,), (1,), (0, 1), (2,)]) == [(0,), (1,), (2,)]
    shown = rows.under(SHOW_ALL).releasable([(0, 1)])
    assert shown == [(0, 1)]


def test_rows_of_a_run_are_those_it_read_and_its_decision_on_open_answers() -> None:
    run = mined_run(answered_version(300, n_direct=0, slug="read"), PAIRS)
    rows = rows_of_run(run)
    assert (rows.n, rows.disclosure.least_protected) == (run.n, LEAST_PROTECTED)
    assert rows.disclosure.open_floor.crosses


@pytest.mark.parametrize("n", [LEAST_PROTECTED, LEAST_PROTECTED - 1])
def test_fewer_than_a_hundred_rows_have_no_figure(n: int) -> None:
    rows = rows_of_version(answered_version(300, n_direct=0, slug="whole", policy="protected"))
    few = replace(rows, disclosure=disclosure(n=n, practice=False))
    if n == LEAST_PROTECTED:
        assert few.with_results() is few
    else:
        with pytest.raises(SurveyError) as refused:
            few.with_results()
        assert refused.value.code == "too_few"


def test_an_audit_of_an_open_survey_leaves_out_the_newest_batch() -> None:
    version = open_version(600, policy="protected")
    assert rows_of_version(version).n == 600


@pytest.mark.parametrize("policy", ["choice", "protected"])
def test_counted_rows_have_the_groups_of_the_rows_and_build_columns_only_if_needed(policy: str) -> None:
    n_direct = 60 if policy == "choice" else 0
    version = answered_version(300, n_direct=n_direct, policy=policy)
    batches = batches_open_to_mining(version)
    built = releasable_rows(version, batches, withheld=NOTHING)
    assert built.precomputed is not None
    counted = releasable_rows(
        version, batches, CountedRows.of(built.matrix, built.precomputed), withheld=NOTHING
    )
    for rows in (built, counted):
        for matrix in (rows.matrix, rows.reports):
            assert (matrix.n_direct, matrix.n_protected) == (n_direct, 300 - n_direct)
        assert rows.disclosure.results
    assert (counted.reports is counted.matrix) is (policy == "protected")
    assert counted.reports.design == version.to_design()
    # The age of each person was sent undisguised, so each way gives the same count.
    assert sum(counted.count_cache.need([(0,)])[0,]) == sum(built.count_cache.need([(0,)])[0,])


def test_rows_of_a_withheld_question_are_not_read() -> None:
    run = requested_run(answered_version(300, n_direct=0, policy="protected"))
    keys = tuple(question.key for question in run.design.questions)
    withheld = Withheld(questions={1: Evidence(rows=4, n=300)}, keys=keys)
    run.summary = {STORED: withheld.to_json()}
    assert sum(map(len, permitted_rows(run, [[0], [2, 3]]))) == 300 * run.version.row_bytes
    with pytest.raises(PrivacyError) as refused:
        permitted_rows(run, [[0], [1]])
    assert refused.value.code == "forged"


def test_an_audit_of_no_answers_is_refused() -> None:
    with pytest.raises(SurveyError) as refused:
        rows_of_version(published())
    assert refused.value.code == "no_answers"
