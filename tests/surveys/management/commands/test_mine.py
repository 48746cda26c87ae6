"""`manage.py mine`, as called by a script."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from surveys.authoring.drafts import survey_import
from surveys.jobs import lease
from surveys.models import Job, Run
from surveys.runs import itemset_question
from surveys.runs.mining_job import mine_snapshot
from tests.conftest import wait_until
from tests.fixtures.questionnaires import ENGINES_HERE
from tests.fixtures.runs import answered_version, definition, published
from tests.fixtures.threads import in_threads

pytestmark = pytest.mark.django_db(transaction=True)


def called(*arguments: str) -> str:
    out = io.StringIO()
    call_command("mine", *arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def refused(*arguments: str) -> CommandError:
    with pytest.raises(CommandError) as error:
        called(*arguments)
    return error.value


@pytest.mark.soak
def test_the_inline_option_mines_in_process_and_prints_a_summary() -> None:
    answered_version()
    said = called("habits", "--inline")
    run = Run.objects.get()
    assert said.startswith(
        f"run {run.pk}: {run.itemsets.count()} itemsets, {run.rules.count()} rules from 800"
    )
    assert Job.objects.get(kind=Job.Kind.MINE).sends == 0


@pytest.mark.soak
def test_json_output_contains_all_itemsets_and_rules_of_the_run() -> None:
    version = answered_version()
    read: dict[str, Any] = json.loads(called("habits", "--inline", "--json", "--support", "0.1"))
    run = Run.objects.get()
    assert (read["run"], read["n"], read["design_id"]) == (run.pk, 800, version.design_id)
    assert len(read["itemsets"]) == run.itemsets.count()
    assert len(read["rules"]) == run.rules.count()
    assert read["parameters"]["support"] == 0.1


@pytest.mark.soak
def test_sides_are_given_by_item_or_by_question() -> None:
    version = answered_version()
    called("habits", "--inline", "--antecedent", "age", "--consequent", "late,drink")
    design = version.to_design()
    assert Run.objects.get().parameters["sides"] == {
        "antecedent": [design.item("age=young").index, design.item("age=old").index],
        "consequent": [design.item("late").index, design.item("drink").index],
        "longest_consequent": None,
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing",), "Choose one of habits"),
        (("habits", "--design", "zzz"), "No design of 'habits' begins with 'zzz'"),
        (("habits", "--support", "0"), "Support threshold"),
        (("habits", "--consequent", "nobody"), "nobody"),
    ],
)
def test_invalid_requests_are_refused_with_exit_code_1(arguments: tuple[str, ...], said: str) -> None:
    answered_version()
    error = refused(*arguments, "--inline")
    assert said in str(error)
    assert error.returncode == 1
    assert Run.objects.count() == 0


def test_a_draft_and_a_survey_without_answers_are_refused() -> None:
    survey_import(definition("draft"), by="alice")
    published("empty", policy="protected")
    assert "Publish it first" in str(refused("draft"))
    assert "There are no answers to analyse yet" in str(refused("empty"))


def test_the_command_waits_for_a_worker_and_times_out_with_exit_code_4(broker: str) -> None:
    answered_version()
    error = refused("habits", "--seconds", "0.3")
    assert error.returncode == 4
    assert "Check that a worker is running" in str(error)
    # The command has requested the run, which continues.
    assert Job.objects.get().state == "queued"


@pytest.mark.soak
def test_the_command_returns_when_a_worker_finishes_the_run(broker: str) -> None:
    answered_version()

    def work() -> None:
        job = wait_until(lambda: Job.objects.first(), what="the job")
        lease.perform(job.pk, mine_snapshot)

    with in_threads([work]):
        said = called("habits")
    assert "itemsets" in said


@pytest.mark.soak
@pytest.mark.parametrize(("state", "code"), [("failed", 2), ("cancelled", 3)])
def test_failed_and_cancelled_runs_have_their_own_exit_codes(broker: str, state: str, code: int) -> None:
    answered_version()

    def end() -> None:
        job = wait_until(lambda: Job.objects.first(), what="the job")
        Job.objects.filter(pk=job.pk).update(state=state, message="Too much.", ended_at=timezone.now())

    with in_threads([end]):
        error = refused("habits")
    assert error.returncode == code


@pytest.mark.soak
def test_all_engines_print_the_same_run() -> None:
    answered_version()
    runs = {
        engine: json.loads(called("habits", "--inline", "--json", "--engine", engine))
        for engine in ENGINES_HERE
    }
    assert all(engine in run["engine"] for engine, run in runs.items() if engine != "auto")
    first = runs["auto"]
    assert len(first["rules"]) > 3
    for run in runs.values():
        assert (run["itemsets"], run["rules"]) == (first["itemsets"], first["rules"])


def test_an_unknown_engine_is_refused_by_name() -> None:
    assert "invalid choice: 'abacus'" in str(refused("habits", "--engine", "abacus"))


@pytest.mark.soak
def test_a_run_that_asks_has_its_own_exit_code_and_an_option_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    answered_version()
    monkeypatch.setattr(itemset_question, "MOST_ITEMSETS_UNASKED", 3)
    error = refused("habits", "--inline")
    assert error.returncode == 5
    assert "reach the thresholds" in str(error)
    assert "--list-all lists them all" in str(error)
    assert called("habits", "--inline", "--list-all").startswith(f"run {Run.objects.latest('pk').pk}: ")
