"""Summaries of a run: whether it may be shown, who requested it, and the basis of its figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import islice, pairwise
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from mining.forged_predictions import prediction_shifts
from mining.predicted_itemsets import borrowed_itemsets, three_way
from mining.thresholds import Thresholds
from privacy.estimation.design_index import index_of
from privacy.estimation.draw_tests import DrawTests
from privacy.policy import SIGNIFICANCE_LEVEL
from privacy.survey.design import Design
from surveys.formats.figures import number
from surveys.models import AuditEvent, ItemsetRow, Job, PublishOverride, RuleRow, Run, Survey, Version
from surveys.models.staff import ANSWERS_READ
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import UNDISGUISED
from surveys.questionnaire.labels import Labels, asked_words, unpack_items
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.schedule import WaveLine, series_of, waves_of
from surveys.runs.ledger import floor_of, is_of_the_ledger
from surveys.runs.releasable_rows import ReleasableRows, drawing_of
from surveys.runs.snapshot import Disclosure, Groups, disclosure
from surveys.runs.withheld import is_withheld_whole


def has_results(run: Run) -> bool:
    """Whether any result may be shown."""
    return run.job.state == Job.State.FINISHED and shown_of(run).results


def planned_pair(run: Run) -> tuple[str, str] | tuple[()]:
    """Return the keys of the two items that the survey was planned to compare: group and outcome."""
    aim = Aim.from_json(run.version.aim)
    keys = () if aim is None else aim.wanted_items(run.design)
    return (keys[0], keys[1]) if len(keys) == 2 else ()


def is_disguised_here(run: Run) -> bool:
    """Whether answers were sent undisguised and the server disguised them before computing figures."""
    return run.version.holds_undisguised and not is_outdated(run)


def requester(job: Job) -> str:
    """Return the name of the requester of a job."""
    return job.requested_by.get_username() if job.requested_by else _("command line")


def shown_of(run: Run) -> Disclosure:
    """Return what may be shown of a run's snapshot."""
    policy = disclosure(n=run.n or 0, practice=run.survey.practice)
    return replace(policy, results=False) if is_outdated(run) or is_withheld_whole(run) else policy


def is_outdated(run: Run) -> bool:
    """Whether a result was computed from undisguised answers, or from an older disguise of them.

    Figures from two disguises of the same answers would reveal more about a person than one disguised row.
    """
    drawing = drawing_of(run.version)
    is_other = bool(drawing) and run.summary.get("drawing") != drawing
    return is_other and run.job.state == Job.State.FINISHED


def shown_itemsets(run: Run) -> QuerySet[ItemsetRow]:
    """Return the itemsets of a run that may be shown.

    A run stores only what it may show, but runs that ended before there was a ledger stored more: see
    `surveys.runs.ledger.floor_of`.
    """
    rows = ItemsetRow.objects.filter(run=run)
    return rows if is_of_the_ledger(run) else rows.exclude(pk__in=_withheld(run, rows, ("items",)))


def shown_rules(run: Run) -> QuerySet[RuleRow]:
    """Return the rules of a run that may be shown."""
    rows = RuleRow.objects.filter(run=run)
    if is_of_the_ledger(run):
        return rows
    return rows.exclude(pk__in=_withheld(run, rows, ("antecedent", "consequent")))


def _withheld(run: Run, rows: QuerySet[ItemsetRow] | QuerySet[RuleRow], sides: tuple[str, ...]) -> list[int]:
    # A finished run never changes, so the rows of a long list are named once for all pages.
    key = run.pk, run.snapshot_digest, sides, floor_of(run)
    if key not in _WITHHELD:
        if len(_WITHHELD) >= _MOST_WITHHELD:
            _WITHHELD.clear()
        _WITHHELD[key] = _named(run, rows, sides)
    return _WITHHELD[key]


_MOST_WITHHELD: Final = 16
_WITHHELD: Final[dict[tuple[object, ...], list[int]]] = {}
"""Rows of runs from before the ledger that are not shown, by run, columns and floor."""


def _named(run: Run, rows: QuerySet[ItemsetRow] | QuerySet[RuleRow], sides: tuple[str, ...]) -> list[int]:
    floor, design = floor_of(run), run.design
    return [
        pk
        for pk, *packed in rows.values_list("pk", *sides)
        if not floor.may_name(design, [item for side in packed for item in unpack_items(side)])
    ]


def direct_share(rows: Run | Groups) -> str:
    """Return the share of direct rows, k = n0/n."""
    return number(rows.n_direct / rows.n, 3) if rows.n and rows.n_direct is not None else ""


def duration_text(seconds: float | None) -> str:
    """Format a duration; return an empty text if it is unknown."""
    if seconds is None:
        return ""
    if seconds < 1:
        return _("%(milliseconds)s ms") % {"milliseconds": round(seconds * 1000)}
    return _("%(seconds)s s") % {"seconds": number(seconds, 1 if seconds < 100 else 0)}


def sides_text(run: Run) -> str:
    """Name the questions allowed on each side of a rule."""
    sides, design = run.thresholds.sides, run.design
    parts = []
    for text, items in ((_("before: %s"), sides.antecedent), (_("after: %s"), sides.consequent)):
        if items is not None:
            keys = dict.fromkeys(design.questions[design.items[item].question].key for item in items)
            parts.append(text % ", ".join(keys))
    if sides.longest_consequent is not None:
        parts.append(_("at most %s after the arrow") % sides.longest_consequent)
    return "; ".join(parts) or _("all items on both sides")


@dataclass(frozen=True, kw_only=True)
class DrawFacts:
    """Tests of whether draws depend on answers, and whether incomplete rows count.

    Parameters
    ----------
    lines : tuple of dict
        The tests, as `draws_summary` returns them.
    complete_only : tuple of str
        Keys of the blocks for whose itemsets only complete rows count in any case: see `complete_only`.
    """

    lines: tuple[dict[str, Any], ...]
    complete_only: tuple[str, ...] = ()

    @property
    def all_rows(self) -> bool:
        """Whether rows that were asked only part of an itemset count: no test rejects independent draws."""
        return not any(line["rejects"] for line in self.lines)


def complete_only(design: Design) -> tuple[str, ...]:
    """Return the keys of drawn blocks that depend on too many different open answers.

    Such a block may be skipped or rotates. A row without it was not drawn, or could not be. Distinguishing
    these needs more counts than `privacy.estimation.counts.MOST_SETS` or, together with other blocks, than
    `privacy.estimation.design_index.MOST_CROSSED`.
    """
    index = index_of(design)
    blocks = sorted(set(index.block[~index.has_base].tolist()))
    return tuple(design.blocks[block].key for block in blocks)


def draws_summary(tests: DrawTests) -> list[dict[str, Any]] | None:
    """Return the tests of the draws as a run stores them; None if devices draw nothing."""
    return [asdict(test) | {"rejects": test.rejects} for test in tests.tests] or None


def draw_facts(run: Run) -> DrawFacts | None:
    """Return the tests of the draws as a report shows them; None if devices draw nothing."""
    record = run.summary.get("draws")
    if not record:
        return None
    return DrawFacts(lines=tuple(record), complete_only=complete_only(run.version.to_design()))


def counts_all_rows(run: Run) -> bool:
    """Return whether a run's figures count rows that were asked only part of an itemset."""
    facts = draw_facts(run)
    return facts is not None and facts.all_rows


PREDICTION_METHOD: Final = 2
"""Number that runs store with their predictions. Those without it have upper ends that follow from slopes,
which held for as few as 56 of 100 pairs if an answer was rare."""
_RARE: Final = 1 / 8

MOST_STORED: Final = 200
"""Most predicted itemsets that a run stores, by largest predicted support."""


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """One predicted itemset.

    Attributes
    ----------
    items : tuple of int
    support : float
    low, high : float or None
        None for completed itemsets of three items or more.
    asked : int
        Number of rows that were asked everything.
    basis : {"shrunk", "pooled", "completed", "not determined"}
    rare : bool
        Whether the run is older than `PREDICTION_METHOD` and the share of an item is below `_RARE` or
        unknown: such upper ends are too low.
    shift : float or None
        How far forged rows can have moved the prediction of a pair; None without any.
    """

    items: tuple[int, ...]
    support: float
    low: float | None
    high: float | None
    asked: int
    basis: str
    rare: bool
    shift: float | None = None


def predicted_summary(rows: ReleasableRows, thresholds: Thresholds) -> list[dict[str, Any]]:
    """Predict itemsets for a run's summary, the most frequent first; return none unless questions rotate.

    Parameters
    ----------
    rows : ReleasableRows
        The run's rows.
    thresholds : Thresholds
    """
    if not rows.design.rotates:
        return []
    found = borrowed_itemsets(rows.count_cache, least=thresholds.support, size=thresholds.max_size)
    stored = list(
        islice(
            (own for own in sorted(found, key=lambda own: -own.value) if rows.has_large_crosses(own.items)),
            MOST_STORED,
        )
    )
    forged, shifts = rows.withheld.rows, {}
    if forged:
        shifts = prediction_shifts(rows.count_cache, [own.items for own in stored], forged=forged)
    return [
        {
            "items": list(own.items),
            "support": own.value,
            "low": None if math.isnan(own.low) else own.low,
            "high": None if math.isnan(own.high) else own.high,
            "asked": own.asked,
            "basis": own.basis,
        }
        | ({"shift": shifts.get(own.items)} if forged else {})
        for own in stored
    ]


def predicted_of(run: Run) -> list[Prediction]:
    """Return the predictions that a run stored."""
    return [Prediction(**record | {"items": tuple(record["items"])}) for record in _labelled(run)]


def _labelled(run: Run) -> list[dict[str, Any]]:
    """Return the records of predictions; those of older runs with rare answers are labelled.

    The label follows from the run's stored shares, so runs that finished before it existed have it, too.
    """
    records = _predicted(run)
    if not records:
        return []
    if run.summary.get("prediction_method") == PREDICTION_METHOD:
        return [record | {"rare": False} for record in records]
    unlisted = ((own["items"], own["support"]) for own in (run.summary["results"] or {}).get("unlisted", ()))
    listed = run.itemsets.filter(size=1).values_list("items", "support")
    common = {item for items, share in (*listed, *unlisted) if share >= _RARE for item in unpack_items(items)}
    return [record | {"rare": not common.issuperset(record["items"])} for record in records]


def _predicted(run: Run) -> list[dict[str, Any]]:
    """Return the stored predictions that may be shown: a run from before the ledger stored others, too."""
    records = run.summary.get("predicted", ())
    if not records or is_of_the_ledger(run):
        return list(records)
    floor = floor_of(run)
    return [record for record in records if floor.may_name(run.design, record["items"])]


def three_way_summary(rows: ReleasableRows) -> dict[str, Any] | None:
    """Test the assumption behind completed itemsets; return None if nothing is predicted.

    The assumption is that three answers go together only as their pairs do. The record has the mean excess of
    people with all three over the prediction and its p-value (None if no one was asked three), the number of
    triples that enough people were asked, and each triple that differs after Holm's correction, with its
    excess.
    """
    tests = three_way(rows.count_cache) if rows.design.rotates else None
    if tests is None:
        return None
    is_known = not math.isnan(tests.excess)
    return {
        "excess": tests.excess if is_known else None,
        "p_value": tests.p_value if is_known else None,
        "tested": len(tests.tested),
        "found": [
            [list(items), excess]
            for items, (excess, p_value) in tests.tested.items()
            if p_value < SIGNIFICANCE_LEVEL and rows.has_large_crosses(items)
        ],
    }


def three_way_of(run: Run) -> dict[str, Any] | None:
    """Return what `three_way_summary` stored, without triples that may not be shown."""
    record: dict[str, Any] | None = run.summary.get("three_way")
    if record is None or is_of_the_ledger(run):
        return record
    floor = floor_of(run)
    return record | {"found": [own for own in record["found"] if floor.may_name(run.design, own[0])]}


def predicted_records(run: Run, labels: Labels) -> list[dict[str, Any]]:
    """Return the predictions of a run as records for exported files."""
    return [
        record | {"items": [labels.items[item].key for item in record["items"]]} for record in _labelled(run)
    ]


@dataclass(frozen=True, kw_only=True)
class Rewording:
    """A question or an answer whose text changed while the design stayed the same.

    Parameters
    ----------
    number : int
        The version with the later text.
    before, after : str
    """

    number: int
    before: str
    after: str


@dataclass(frozen=True, kw_only=True)
class Safeguards:
    """Notes shown next to the figures of a design.

    Parameters
    ----------
    overrides : tuple of PublishOverride
        Why versions with this design were published although a check refused them.
    rewordings : tuple of Rewording
        Texts of questions and answers that differ between versions of the design, up to this one. Rows do not
        record which text their respondents read, so they are counted together.
    left_out : int
        Unreadable lines of another tool's file, which were left out.
    why_undisguised : str
        Why some people's answers are sent undisguised, in the language of the page; empty if none are.
    series : str
        The series that the survey belongs to; empty for none.
    waves : tuple of WaveLine
        All published surveys of the series.
    epsilon_of_waves : str
        Their total epsilon: the limit for someone who answered all of them.
    """

    overrides: tuple[PublishOverride, ...]
    rewordings: tuple[Rewording, ...]
    left_out: int
    why_undisguised: str
    series: str
    waves: tuple[WaveLine, ...]
    epsilon_of_waves: str


def safeguards_of(version: Version) -> Safeguards:
    """Return the notes shown next to the figures of a version's design."""
    versions = list(
        version.survey.versions.filter(design_id=version.design_id)
        .select_related("override")
        .order_by("number")
    )
    series = series_of(version.survey)
    waves, event = waves_of(series), file_event(version.survey)
    return Safeguards(
        overrides=tuple(each.override for each in reversed(versions) if hasattr(each, "override")),
        rewordings=tuple(_rewordings(each for each in versions if each.number <= version.number)),
        left_out=int(event.detail.get("left_out", 0)) if event else 0,
        why_undisguised=_why_undisguised(version),
        series=series,
        waves=waves,
        epsilon_of_waves=number(math.fsum(wave.most for wave in waves), 2),
    )


def file_event(survey: Survey) -> AuditEvent | None:
    """Return the event that created this survey from another tool's file; None for any other survey."""
    # A survey from a file is published and closed in one step.
    if survey.closed_at is None or survey.opened_at != survey.closed_at:
        return None
    # A deleted earlier survey with this address may have come from a file too.
    return AuditEvent.objects.filter(
        action=ANSWERS_READ, target=survey.slug, at__gte=survey.closed_at
    ).first()


def _rewordings(versions: Iterable[Version]) -> Iterator[Rewording]:
    for first, second in pairwise(versions):
        before, after = asked_words(first.wording), asked_words(second.wording)
        for where in before:
            if after.get(where, before[where]) != before[where]:
                yield Rewording(number=second.number, before=before[where], after=after[where])


def _why_undisguised(version: Version) -> str:
    if not version.to_design().sends_undisguised:
        return ""
    return text_in(version.wording["about"].get(UNDISGUISED), get_language() or "en")
