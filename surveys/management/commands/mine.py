"""`manage.py mine SURVEY`: analyse the answers of a survey and print what was found."""

from __future__ import annotations

import json
import time
from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from mining.columns.engines import ENGINES
from mining.thresholds import Sides, Thresholds
from privacy.counted_nouns import counted
from privacy.survey.design import Design
from surveys.errors.error import SurveyError, refusal
from surveys.errors.stored_refusals import refusal_text
from surveys.formats.json_numbers import for_json
from surveys.jobs import lease
from surveys.management.named_survey import version_of
from surveys.management.refusing_command import RefusingCommand
from surveys.models import Job, Run, Version
from surveys.questionnaire.labels import labels_of
from surveys.report.export.rule_columns import itemset_records, rules_as_json
from surveys.report.rules.rows_or_counts import all_itemsets
from surveys.report.rules.rule_query import RuleQuery
from surveys.report.rules.rule_rows import all_rules
from surveys.report.sentences.forged import forged_of
from surveys.runs.itemset_question import itemset_question
from surveys.runs.look import look_of
from surveys.runs.look_words import look_text
from surveys.runs.progress import progress_of
from surveys.runs.run_requests import run_request
from surveys.runs.run_words import duration_text

SECONDS_BETWEEN_STAGES = 0.2
FAILED, CANCELLED, WAITED, ASKS = 2, 3, 4, 5


def keys(text: str) -> list[str]:
    """Parse keys separated by commas."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise ArgumentTypeError(str(SurveyError("mine.nothing")))
    return parts


class Command(RefusingCommand):
    """Mine a survey."""

    help = (
        "Mine the answers of a survey. A worker does the work and this command waits for it; with --inline "
        "it does the work itself. Exit code: 0 done, 1 refused (unknown survey or item, too few answers, "
        "reports that contradict the design), 2 the run failed, 3 it was cancelled, 4 it did not finish "
        "within --seconds, 5 it asks before it lists very many itemsets."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the parameters of a run."""
        parser.add_argument("survey", help="slug of the survey")
        parser.add_argument("--design", help="the first digits of a design's id (default: the newest design)")
        parser.add_argument("--support", type=float, default=0.05, help="smallest support (default: 0.05)")
        parser.add_argument("--confidence", type=float, default=0.0, help="smallest confidence (default: 0)")
        parser.add_argument("--lift", type=float, help="smallest lift (default: none)")
        parser.add_argument("--max-size", type=int, default=3, help="longest itemset (default: 3)")
        parser.add_argument(
            "--antecedent", type=keys, help="items or questions allowed before the arrow, by commas"
        )
        parser.add_argument(
            "--consequent", type=keys, help="items or questions allowed after the arrow, by commas"
        )
        parser.add_argument(
            "--engine",
            default="auto",
            choices=ENGINES,
            help="engine that searches and counts (default: auto)",
        )
        parser.add_argument("--chapter", type=int, help="analyse only this closed chapter")
        parser.add_argument(
            "--list-all", action="store_true", help="list any number of itemsets without a question"
        )
        parser.add_argument("--inline", action="store_true", help="do the work in this process")
        parser.add_argument(
            "--seconds", type=float, default=3600.0, help="longest time to wait (default: 3600)"
        )
        parser.add_argument("--json", action="store_true", help="print the run with all itemsets and rules")

    def handle(self, *args: Any, **options: Any) -> None:
        """Request a run, wait for it or do its work, and print the result."""
        version = version_of(options["survey"], options["design"])
        run = run_request(
            version=version,
            thresholds=thresholds_of(version, options),
            by=None,
            now=timezone.now(),
            announce=not options["inline"],
            engine=options["engine"],
            chapter=options["chapter"],
            lists_all=options["list_all"],
        )
        if options["inline"]:
            # Imported here because a request to a worker needs neither pandas nor mlxtend.
            from surveys.runs.audit_job import audit_store
            from surveys.runs.mining_job import mine_snapshot

            lease.perform(run.job_id, mine_snapshot)
            audit_store(run.job_id)
        self._wait(run, options["seconds"])
        self._print_run(
            Run.objects.select_related("survey", "version", "job").get(pk=run.pk), options["json"]
        )

    def _wait(self, run: Run, seconds: float) -> None:
        end = time.monotonic() + seconds
        line = ""
        while True:
            run.job = job = Job.objects.get(pk=run.job_id)
            if job.state == Job.State.FINISHED:
                return
            if itemset_question(job) is not None:
                raise refusal("mine.asks", message=refusal_text(job.message), returncode=ASKS)
            if job.state == Job.State.FAILED:
                raise refusal("mine.failed", run=run.pk, message=refusal_text(job.message), returncode=FAILED)
            if job.state == Job.State.CANCELLED:
                raise refusal("mine.cancelled", run=run.pk, returncode=CANCELLED)
            if time.monotonic() >= end:
                raise refusal("mine.waited", run=run.pk, state=job.state, seconds=seconds, returncode=WAITED)
            now = progress_of(run, now=timezone.now())
            text = now.headline if now.percent is None else f"{now.headline} {now.percent}%"
            if text != line:
                self.stderr.write(f"run {run.pk}: {text}")
                line = text
            time.sleep(SECONDS_BETWEEN_STAGES)

    def _print_run(self, run: Run, as_json: bool) -> None:
        forged = forged_of(run)
        if forged is not None:
            self.stderr.write(" ".join(forged.sentences))
        labels = labels_of(run.version, run.design)
        if not as_json:
            itemsets, rules = (
                counted(run.summary["itemsets"], "itemset"),
                counted(run.summary["rules"], "rule"),
            )
            self.stdout.write(
                f"run {run.pk}: {itemsets}, {rules} from {counted(run.n or 0, 'answer')} "
                f"in {duration_text(run.duration_seconds)}; "
                f"snapshot {run.snapshot_digest[:12]}"
            )
            if text := look_text(look_of(run)):
                self.stdout.write(text)
            return
        document = json.loads("".join(rules_as_json(all_rules(run, RuleQuery()), labels, run)))
        document["itemsets"] = [
            {name: for_json(value) for name, value in record.items()}
            for record in itemset_records(all_itemsets(run), labels, run)
        ]
        self.stdout.write(json.dumps(document, ensure_ascii=False))


def thresholds_of(version: Version, options: dict[str, Any]) -> Thresholds:
    """Return the thresholds that the options state."""
    design = version.to_design()
    return Thresholds(
        support=options["support"],
        confidence=options["confidence"],
        lift=options["lift"],
        max_size=options["max_size"],
        sides=Sides(
            antecedent=_items(design, options["antecedent"]), consequent=_items(design, options["consequent"])
        ),
    )


def _items(design: Design, names: list[str] | None) -> tuple[int, ...] | None:
    """Return the items with these keys; a question's key stands for all its items."""
    if names is None:
        return None
    by_question = {question.key: number for number, question in enumerate(design.questions)}
    items = {
        item.index
        for key in names
        for item in (
            [item for item in design.items if item.question == by_question[key]]
            if key in by_question
            else [design.item(key)]
        )
    }
    return tuple(sorted(items))
