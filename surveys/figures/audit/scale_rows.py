"""Scale rows that reveal their answer: of a run, and of answers that may be mined now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from mining.columns.scale_counts import SentCounts
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.risk import Audit
from privacy.risk.report import ScaleAudit
from privacy.risk.scale_rows import ScaleRows, scale_rows
from privacy.risk.sentences import percent
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.scale_groups import mixed_fit, scale_groups
from privacy.scales.skipping import Disguise, Skipping
from privacy.scales.window import WindowChannel
from privacy.survey.question import SCALE_KINDS, Question
from surveys.errors.core_refusals import sentences
from surveys.figures.scales.density_cache import density_of
from surveys.figures.scales.place_estimates import drawn_density
from surveys.figures.scales.question import check_enough, scale_of, sent_by
from surveys.models import Batch, Run, Version
from surveys.rows.disclosure import shown_count

__all__ = [
    "ScaleRowsLine",
    "ScaleRowsOfRun",
    "scale_rows_lines",
    "scale_rows_of_answers",
    "scale_rows_of_run",
    "with_scale_rows",
]


@dataclass(frozen=True, kw_only=True)
class ScaleRowsOfRun:
    """What the rows say of one number or place.

    Attributes
    ----------
    key : str
        The question.
    is_place : bool
    is_light : bool
        Whether it is of lightly disguised rows.
    rows : ScaleRows or None
    problem : str
        Why there is nothing to say; else empty.
    """

    key: str
    is_place: bool
    is_light: bool = False
    rows: ScaleRows | None = None
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class ScaleRowsLine:
    """One number or place in the table.

    Attributes
    ----------
    key, what : str
        The question, and of what its answers are named: bins or cells.
    is_light : bool
        Whether it is of lightly disguised rows.
    n : str
        Disguised rows.
    shares : tuple of str
        Of them, those recognised with more than 50, 90 and 95 %.
    highest, before : str
        Of the surest row; of an adversary who saw no row.
    problem : str
        Why there is nothing to say; else empty.
    """

    key: str
    what: str
    is_light: bool = False
    n: str = ""
    shares: tuple[str, ...] = ()
    highest: str = ""
    before: str = ""
    problem: str = ""


def scale_rows_of_run(run: Run) -> tuple[ScaleRowsOfRun, ...]:
    """Measure each number and place of a run."""
    scales = (question for question in run.design.questions if question.is_scale)
    return tuple(rows for question in scales for rows in _of_run(run, question))


def scale_rows_of_answers(version: Version, batches: QuerySet[Batch]) -> tuple[ScaleRowsOfRun, ...]:
    """Measure each number and place in some batches of a version's design, as a run on them would."""
    questions = enumerate(version.to_design().questions)
    return tuple(
        answer
        for number, question in questions
        if question.kind in SCALE_KINDS
        for answer in _of_answers(version, batches, number)
    )


def with_scale_rows(audit: Audit, scales: Sequence[ScaleRowsOfRun]) -> Audit:
    """Return the audit with what the rows say of its numbers and places."""
    rows = {(scale.key, scale.is_light): scale.rows for scale in scales}

    def measured(parts: tuple[ScaleAudit, ...], *, is_light: bool) -> tuple[ScaleAudit, ...]:
        return tuple(replace(part, rows=rows.get((part.question, is_light))) for part in parts)

    light = audit.light and replace(audit.light, lone=measured(audit.light.lone, is_light=True))
    return replace(audit, lone=measured(audit.lone, is_light=False), light=light)


def scale_rows_lines(scales: Sequence[ScaleRowsOfRun]) -> tuple[ScaleRowsLine, ...]:
    """Return a line of the table for each number and place."""
    return tuple(map(_line, scales))


def _line(rows: ScaleRowsOfRun) -> ScaleRowsLine:
    what = _("cells") if rows.is_place else _("bins")
    if rows.rows is None:
        return ScaleRowsLine(key=rows.key, what=what, is_light=rows.is_light, problem=rows.problem)
    return ScaleRowsLine(
        key=rows.key,
        what=what,
        is_light=rows.is_light,
        n="" if rows.rows.n is None else shown_count(rows.rows.n),
        shares=tuple(map(percent, rows.rows.sent)),
        highest=percent(rows.rows.highest),
        before=percent(rows.rows.before),
    )


def _of_run(run: Run, question: Question) -> Iterator[ScaleRowsOfRun]:
    key, is_place = question.key, question.kind == "place"
    try:
        scale = scale_of(run, key, question.kind)
        disguise = scale.question.disguise
        # A map that was made for the report need not be made again.
        shares = density_of(scale, smooth=False).fit.shares if is_place else _shares(disguise, scale.sent)
        yield from _measured(key, disguise, shares, scale.sent)
    except PrivacyError as error:
        yield ScaleRowsOfRun(key=key, is_place=is_place, problem=sentences(error))


def _of_answers(version: Version, batches: QuerySet[Batch], number: int) -> Iterator[ScaleRowsOfRun]:
    design = version.to_design()
    question = design.questions[number]
    is_place = question.kind == "place"
    try:
        sent = sent_by(version, batches, number)
        check_enough(version, question.key, sent)
        yield from _measured(question.key, question.disguise, _shares(question.disguise, sent), sent)
    except PrivacyError as error:
        yield ScaleRowsOfRun(key=question.key, is_place=is_place, problem=sentences(error))


def _measured(
    key: str, disguise: Disguise | None, shares: Array, sent: SentCounts
) -> tuple[ScaleRowsOfRun, ...]:
    """Measure the strongly disguised rows and, where there are any, the lightly disguised ones."""
    own = _own(disguise)
    is_place = isinstance(own, PlanarWindowChannel)
    strong = scale_rows(own, shares, sent.protected, skipping=sent.skipping)
    strong_rows = ScaleRowsOfRun(key=key, is_place=is_place, rows=strong)
    if sent.light is None or not sent.direct.any():
        return (strong_rows,)
    skipping = sent.skipping and Skipping(disguise=sent.light, refusal=sent.skipping.refusal)
    light = scale_rows(sent.light, shares, sent.direct, skipping=skipping)
    return strong_rows, ScaleRowsOfRun(key=key, is_place=is_place, is_light=True, rows=light)


def _own(disguise: Disguise | None) -> Disguise:
    if disguise is None:
        raise TypeError("the question brings no disguise of its own")
    return disguise


def _shares(disguise: Disguise | None, sent: SentCounts) -> Array:
    """How frequent each answer is, as the report reconstructs it."""
    own = _own(disguise)
    if isinstance(own, WindowChannel):
        groups = scale_groups(own, sent.protected, skipping=sent.skipping)
        return mixed_fit(own, groups, smooth=True).shares
    return drawn_density(own, sent, smooth=False).fit.shares
