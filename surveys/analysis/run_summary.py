"""What the pages of one run show: how it ended, and what its figures rest on."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from mining.thresholds import Thresholds
from privacy.survey.design import Design
from privacy.survey.question import SCALE_KINDS
from surveys.analysis.audit_summary import AuditSummary, audit_summary
from surveys.analysis.draw_facts import DrawFacts, draw_facts
from surveys.analysis.safeguards import Safeguards, safeguards_of
from surveys.disclosure.disclosure import Disclosure, disclosure, shown_count
from surveys.disclosure.releasable_rows import drawing_of
from surveys.errors.kept_refusals import refusal_said
from surveys.formats.figures import number
from surveys.models import Job, Run
from surveys.questionnaire.certainty import certainty_of_all
from surveys.questionnaire.design_summary import BlockLine, block_lines, light_epsilon, policy_text


@dataclass(frozen=True, kw_only=True)
class ScaleLink:
    """A question that has a page of its own in a run's report."""

    key: str
    is_place: bool


def scale_links(design: Design) -> tuple[ScaleLink, ...]:
    """Return a link for each number and place of a design."""
    return tuple(
        ScaleLink(key=question.key, is_place=question.kind == "place")
        for question in design.questions
        if question.kind in SCALE_KINDS
    )


@dataclass(frozen=True, kw_only=True)
class TruthLine:
    """An itemset that the run lists wrongly, or misses."""

    items: str
    truth: str
    estimate: str


@dataclass(frozen=True, kw_only=True)
class TruthPart:
    """How near a run came, where the truth is known."""

    target: str
    mean_error: str
    expected_error: str
    coverage: str
    coverage_listed: str
    itemsets: int
    listed: int
    frequent: int
    false: tuple[TruthLine, ...]
    missed: tuple[TruthLine, ...]


@dataclass(frozen=True, kw_only=True)
class RunPage:
    """One run, as its pages show it; with the counts of its groups.

    `sure` and `sure_of_light` say what an even chance becomes by all disguised answers of one person.
    """

    id: int
    slug: str
    title: str
    practice: bool
    state: str
    state_label: str
    message: str
    asked_by: str
    asked_at: datetime
    attempts: int
    version: int
    design_id: str
    thresholds: Thresholds
    sides: str
    support: str
    engine: str
    n: str
    n_direct: str
    n_protected: str
    direct_share: str
    duration: str
    batches: int
    snapshot_digest: str
    code_version: str
    command: str
    blocks: tuple[BlockLine, ...]
    epsilon: str
    open_questions: int
    light_epsilon: str
    sure: str
    sure_of_light: str
    policy: str
    has_two_strengths: bool
    sends_undisguised: bool
    disguised_here: bool
    outdated: bool
    itemsets: int
    rules: int
    examined: int | None
    shown: Disclosure
    truth: TruthPart | None
    tests: Mapping[str, Any] | None
    audit_summary: AuditSummary | None
    safeguards: Safeguards
    draws: DrawFacts | None
    scales: tuple[ScaleLink, ...]

    @property
    def has_results(self) -> bool:
        """Whether there is anything that may be shown."""
        return self.state == Job.State.FINISHED and self.shown.results

    @property
    def protected_blocks(self) -> tuple[BlockLine, ...]:
        """The blocks that cost something."""
        return tuple(block for block in self.blocks if block.protected)

    @property
    def summed_blocks(self) -> tuple[BlockLine, ...]:
        """The blocks whose costs add up for one person."""
        return tuple(block for block in self.protected_blocks if block.is_counted)

    @property
    def takes_turns(self) -> bool:
        """Whether one person is asked some of the parts only."""
        return any(not block.is_counted and not block.exact_outside for block in self.protected_blocks)

    @property
    def blocks_not_composed(self) -> tuple[BlockLine, ...]:
        """The blocks whose bound holds inside sensitive places only, and stands apart."""
        return tuple(block for block in self.protected_blocks if block.exact_outside)


def run_page(run: Run, design: Design) -> RunPage:
    """Return what every page of a run shows."""
    shown = shown_of(run)
    thresholds = Thresholds.from_json(run.parameters)
    job = run.job
    epsilon = run.summary.get("epsilon")
    outdated = is_outdated(run)
    return RunPage(
        id=run.pk,
        slug=run.survey.slug,
        title=run.survey.title_text,
        practice=run.survey.practice,
        state=job.state,
        state_label=job.get_state_display(),
        message=refusal_said(job.message),
        asked_by=job.requested_by.get_username() if job.requested_by else _("command line"),
        asked_at=job.created_at,
        attempts=job.attempts,
        version=run.version.number,
        design_id=run.design_id,
        thresholds=thresholds,
        sides=sides_text(thresholds, design),
        support=number(thresholds.support),
        engine=run.engine,
        n=shown_count(run.n or 0),
        n_direct=shown_count(run.n_direct or 0),
        n_protected=shown_count(run.n_protected or 0),
        direct_share=direct_share(run),
        duration=duration_text(run.duration_seconds),
        batches=run.batches,
        snapshot_digest=run.snapshot_digest,
        code_version=run.code_version,
        command=command_line(run, thresholds, design),
        blocks=block_lines(run.version, design),
        epsilon=number(epsilon, 2),
        open_questions=sum(len(block.questions) for block in design.blocks if not block.protected),
        light_epsilon=light_epsilon(design),
        sure=certainty_of_all(design, direct=False),
        sure_of_light=certainty_of_all(design, direct=True),
        policy=policy_text(design),
        has_two_strengths=design.has_two_strengths,
        sends_undisguised=design.sends_undisguised,
        disguised_here=run.version.holds_undisguised and not outdated,
        outdated=outdated,
        itemsets=run.summary.get("itemsets", 0),
        rules=run.summary.get("rules", 0),
        examined=run.summary.get("examined"),
        shown=shown,
        truth=_truth_part(run.summary.get("truth")),
        tests=run.summary.get("inference"),
        audit_summary=audit_summary(run.summary),
        draws=draw_facts(run),
        safeguards=safeguards_of(run.version),
        scales=scale_links(design),
    )


def shown_of(run: Run) -> Disclosure:
    """Return what may be shown of a run's snapshot."""
    found = disclosure(n=run.n or 0, practice=run.survey.practice)
    return replace(found, results=False) if is_outdated(run) else found


def is_outdated(run: Run) -> bool:
    """Whether a result is of undisguised answers as they came, or of another drawing of them than today's.

    Whoever had figures of two drawings would know more of a person than one disguised row tells.
    """
    drawing = drawing_of(run.version)
    is_other = bool(drawing) and run.summary.get("drawing") != drawing
    return is_other and run.job.state == Job.State.FINISHED


def direct_share(run: Run) -> str:
    """Return k = n0/n."""
    return number(run.n_direct / run.n, 3) if run.n and run.n_direct is not None else ""


def command_line(run: Run, thresholds: Thresholds, design: Design) -> str:
    """Return the command that asks for the same run on the same design."""
    words = ["manage.py", "mine", run.survey.slug, "--design", run.design_id[:12]]
    words += ["--support", f"{thresholds.support:g}", "--confidence", f"{thresholds.confidence:g}"]
    if thresholds.lift is not None:
        words += ["--lift", f"{thresholds.lift:g}"]
    words += ["--max-size", str(thresholds.max_size), "--estimator", thresholds.estimator]
    words += ["--policy", thresholds.policy, "--target", thresholds.target]
    if thresholds.correction != "by":
        words += ["--correction", thresholds.correction]
    if thresholds.halves:
        words.append("--halves")
    sides = thresholds.sides
    for name, items in (("--antecedent", sides.antecedent), ("--consequent", sides.consequent)):
        if items is not None:
            words += [name, ",".join(design.items[item].key for item in items)]
    if sides.longest_consequent is not None:
        words += ["--longest-consequent", str(sides.longest_consequent)]
    if run.last_batch is not None:
        words += ["--last-batch", str(run.last_batch)]
    return shlex.join([*words, "--json"])


def duration_text(seconds: float | None) -> str:
    """Write how long something took; nothing where that is not known."""
    if seconds is None:
        return ""
    if seconds < 1:
        return _("%(milliseconds)s ms") % {"milliseconds": round(seconds * 1000)}
    return _("%(seconds)s s") % {"seconds": number(seconds, 1 if seconds < 100 else 0)}


def sides_text(thresholds: Thresholds, design: Design) -> str:
    """Say which questions may stand on which side of a rule."""
    sides = thresholds.sides
    parts = []
    for text, items in ((_("before: %s"), sides.antecedent), (_("after: %s"), sides.consequent)):
        if items is not None:
            keys = dict.fromkeys(design.questions[design.items[item].question].key for item in items)
            parts.append(text % ", ".join(keys))
    if sides.longest_consequent is not None:
        parts.append(_("at most %s after the arrow") % sides.longest_consequent)
    return "; ".join(parts) or _("all items on both sides")


def _truth_part(stored: dict[str, Any] | None) -> TruthPart | None:
    if stored is None:
        return None
    return TruthPart(
        target=_("these respondents") if stored["target"] == "respondents" else _("the population"),
        mean_error=number(stored["mean_error"], 4),
        expected_error=number(stored["expected_error"], 4),
        coverage=_percent(stored["coverage"]),
        coverage_listed=_percent(stored["coverage_listed"]),
        itemsets=stored["itemsets"],
        listed=stored["listed"],
        frequent=stored["frequent"],
        false=tuple(_truth_line(line) for line in stored["false"]),
        missed=tuple(_truth_line(line) for line in stored["missed"]),
    )


def _truth_line(stored: dict[str, Any]) -> TruthLine:
    return TruthLine(
        items=", ".join(stored["items"]), truth=number(stored["truth"]), estimate=number(stored["estimate"])
    )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"
