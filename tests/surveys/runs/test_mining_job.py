import gc
import math
import random

import pytest
from django.utils import timezone
from pytest_django import Settings

from mining import pipeline
from mining.thresholds import Thresholds
from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.errors.error import sentences
from surveys.errors.stored_refusals import refusal_text
from surveys.jobs import lease
from surveys.jobs.provenance import code_version
from surveys.models import Batch, Job, Run, Version
from surveys.runs import mining_job
from surveys.runs.mining_job import collector_paused, mine_snapshot
from surveys.runs.snapshot import snapshot_of
from tests.fixtures.devices import closed, stored
from tests.fixtures.runs import (
    LOOSE,
    answer,
    answered_version,
    definition,
    mined_run,
    packed_rows,
    published,
    requested_run,
    truth_of,
)

pytestmark = pytest.mark.django_db


def performed(run: Run) -> Job:
    assert lease.perform(run.job_id, mine_snapshot)
    return Job.objects.get(pk=run.job_id)


def test_a_finished_run_records_its_provenance() -> None:
    run = mined_run(answered_version())
    assert (run.n, run.n_direct, run.n_protected) == (800, 160, 640)
    assert "mlxtend" in run.engine
    assert run.code_version == code_version()
    assert run.duration_seconds is not None
    assert run.summary["itemsets"] == run.itemsets.count() > 0
    assert run.summary["rules"] == run.rules.count() > 0
    assert run.summary["truth"] is None


def test_the_privacy_cost_is_stored_per_block_and_in_total() -> None:
    run = mined_run(answered_version())
    # gamma = 1 + p / ((1-p) q) for the least likely decoys: .6/(.4 * .5 * .4) and .7/(.3 * .5).
    wanted = {"work": math.log(1 + 0.6 / (0.4 * 0.5 * 0.4)), "life": math.log(1 + 0.7 / (0.3 * 0.5))}
    assert run.summary["epsilon_by_block"] == pytest.approx(wanted)
    assert run.summary["epsilon"] == pytest.approx(sum(wanted.values()))


def test_the_database_refuses_to_store_a_result_twice() -> None:
    run = mined_run(answered_version())
    Job.objects.filter(pk=run.job_id).update(state="queued")
    before = (run.itemsets.count(), run.rules.count())
    # This is a bug, not an outage, so there is no further attempt.
    assert performed(run).state == "failed"
    assert (run.itemsets.count(), run.rules.count()) == before


@pytest.mark.parametrize(("n_direct", "shown"), [(0, 0), (49, 0), (50, 1)])
def test_results_that_isolate_a_small_direct_group_are_not_stored(n_direct: int, shown: int) -> None:
    run = mined_run(answered_version(400, n_direct=n_direct))
    # Ages (0 and 1) are undisguised. Open answers are reported for everyone, never by group.
    alone = run.itemsets.filter(items__in=(",0,", ",1,"))
    for column in ("direct", "protected", "pooled", "stratified"):
        with_value = run.itemsets.filter(**{f"{column}__isnull": False}).count()
        assert with_value == shown * (run.itemsets.count() - alone.count()), column


def test_too_few_protected_answers_fail_the_run_with_the_reason() -> None:
    run = requested_run(answered_version(400, n_direct=160))
    # The run rereads its batches when it starts, and here some are missing.
    small = answered_version(90, n_direct=0, slug="small")
    batch = Batch.objects.filter(version=small).order_by("pk")
    Run.objects.filter(pk=run.pk).update(
        survey=small.survey,
        version=small,
        design_id=small.design_id,
        first_batch=batch[0].pk,
        last_batch=batch[1].pk,
        snapshot_digest=snapshot_digest(small.pk),
    )
    job = performed(run)
    assert (job.state, run.itemsets.count()) == ("failed", 0)
    assert refusal_text(job.message) == (
        "There are too few protected answers for a result. Results appear once there are 100 "
        "protected answers."
    )


def snapshot_digest(version_id: int) -> str:
    return snapshot_of(Version.objects.get(pk=version_id)).digest


def test_a_damaged_batch_fails_the_run_with_a_remedy() -> None:
    version = published()
    answer(version, 400)
    packed = packed_rows(version.to_design(), 100, n_direct=0)
    Batch(version=version, n=100, packed=b"".join(packed), digest="0" * 64).save()
    survey_close(version.survey, now=timezone.now(), at_once=True, by="alice")
    job = performed(requested_run(Version.objects.get(pk=version.pk)))
    assert job.state == "failed"
    assert "digest" in refusal_text(job.message)
    assert "Restore the database from a backup." in refusal_text(job.message)


def test_too_many_rules_fail_the_run_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        mining_job,
        "mine",
        lambda *args, **options: pipeline.mine(*args, max_rules=3, **options),  # a small limit for runs
    )
    job = performed(requested_run(answered_version()))
    assert job.state == "failed"
    assert "Raise the support threshold" in refusal_text(job.message)


def test_progress_is_reported_from_loading_to_storing() -> None:
    version = answered_version()
    truth_of(version, 100)
    run = requested_run(version)
    stages: list[str] = []
    mine_snapshot(run.job_id, lambda stage, done, total: stages.append(stage))
    assert (stages[0], stages[-2:]) == ("loading", ["truth", "storing"])
    assert {"rules", "tests", "flips"} <= set(stages)


def test_false_and_missed_itemsets_are_counted_against_the_threshold() -> None:
    version = answered_version(800, n_direct=160)
    truth = truth_of(version, 800)
    run = mined_run(version, Thresholds(support=0.12))
    stored = run.summary["truth"]
    design = version.to_design()
    protected = {item.key for item in design.items if design.blocks[item.block].protected}
    listed = {" & ".join(design.items[int(item)].key for item in row.items.strip(",").split(","))
              for row in run.itemsets.all()}  # fmt: skip
    mine_to_say = {name for name in truth if protected & set(name.split(" & ")) and name.count("&") < 3}
    frequent = {name for name in mine_to_say if truth[name] >= 0.12}
    assert {" & ".join(line["items"]) for line in stored["false"]} == (listed & mine_to_say) - frequent
    assert {" & ".join(line["items"]) for line in stored["missed"]} == frequent - listed
    assert stored["false"] or stored["missed"]
    assert (stored["itemsets"], stored["frequent"]) == (len(mine_to_say), len(frequent))


def test_equal_snapshots_give_equal_results() -> None:
    version = answered_version()
    first, second = mined_run(version), mined_run(version, anew=True)
    columns = [
        field.attname for field in second.rules.model._meta.fields if field.attname not in ("id", "run_id")
    ]
    assert list(first.rules.values_list(*columns)) == list(second.rules.values_list(*columns))
    assert first.snapshot_digest == second.snapshot_digest


def test_a_run_without_itemsets_finishes_empty() -> None:
    run = mined_run(answered_version(), Thresholds(support=1.0))
    assert (run.summary["itemsets"], run.summary["rules"], run.job.state) == (0, 0, "finished")


def test_the_collector_is_paused_during_a_run_and_works_again_after_a_refusal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    states: list[bool] = []

    def refused(*_: object, **__: object) -> None:
        states.append(gc.isenabled())
        raise PrivacyError("no_rows", 0)

    monkeypatch.setattr(mining_job, "mine", refused)
    with pytest.raises(PrivacyError):
        mine_snapshot(requested_run(answered_version()).job_id, lambda *_: None)
    assert [*states, gc.isenabled()] == [False, True]
    with collector_paused():
        with collector_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_an_old_finished_run_does_not_restart_after_a_late_message() -> None:
    run = mined_run(answered_version(), LOOSE)
    ended = Job.objects.get(pk=run.job_id).ended_at
    assert lease.perform(run.job_id, mine_snapshot) is False
    lease.sweep(now=timezone.now() + 100 * lease.LEASE)
    assert Job.objects.get(pk=run.job_id).ended_at == ended


@pytest.mark.parametrize(("practice", "shown"), [(False, False), (True, True)])
def test_results_of_a_block_answered_by_few_people_are_hidden(practice: bool, shown: bool) -> None:
    """Seven old people answer directly, so "drink, n = 7" would reveal their true answers."""
    document = definition(practice=practice)
    document["blocks"][2]["asked_if"] = {"question": "age", "options": ["old"]}
    version = survey_publish(
        survey_import(document, by="alice"), by="alice", now=timezone.now(), is_readable_seen=True
    )
    rng = random.Random(3)
    coins = Coins(iter(lambda: rng.getrandbits(32), None))
    work_answers = {"late": 1, "cheat": 0}
    young = {"you": {"age": 0}, "work": work_answers}
    old = {"you": {"age": 1}, "work": work_answers, "life": {"drink": 1}}
    design = version.to_design()
    rows = [disguise(design, young, direct=False, coins=coins) for _ in range(400)]
    rows += [disguise(design, old, direct=True, coins=coins) for _ in range(7)]
    stored(version, [Layout(design).pack(row) for row in rows])
    run = mined_run(closed(version))
    drink = f",{design.item('drink').index},"
    assert run.itemsets.filter(items__contains=drink).exists() == shown
    assert run.rules.filter(consequent__contains=drink).exists() == shown
    assert run.itemsets.exclude(items__contains=drink).exists()


def test_a_run_beyond_the_candidate_limit_fails_with_a_remedy(settings: Settings) -> None:
    settings.RUN_CANDIDATES = 5
    run = requested_run(answered_version())
    with pytest.raises(PrivacyError) as refusal:
        mine_snapshot(run.job_id, lambda *progress: None)
    assert "more than 5 itemsets of 2 items" in sentences(refusal.value).lower()
