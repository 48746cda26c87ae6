"""What the audit page of a run shows, ready to print."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from privacy.risk import Audit, BlockAudit, RowAudit
from privacy.risk.report import ScaleAudit
from privacy.risk.sentences import number, percent
from surveys.report.audit.wording import Part, parts_of, row_text

EVEN: Final = 0.5
"""A prior of the audit's own."""

__all__ = ["AuditPage", "BlockRow", "ItemRow", "RowLine", "ScaleRow", "audit_page"]


@dataclass(frozen=True, kw_only=True)
class RowLine:
    """One row of a block: its chances, and what it says."""

    row: str
    prior: str
    decoy: str
    sent: str
    coin: str
    answer: str
    even: str


@dataclass(frozen=True, kw_only=True)
class BlockRow:
    """One block in the table, and its rows where they are few."""

    key: str
    prior: str
    epsilon: str
    amplification: str
    per_person: str
    questions: int
    odds: str
    sent: str
    truthful: tuple[str, ...]
    highest: str
    known: str
    rows: tuple[RowLine, ...]


@dataclass(frozen=True, kw_only=True)
class ItemRow:
    """One item in the table."""

    key: str
    prevalence: str
    alone: str
    worst: str


@dataclass(frozen=True, kw_only=True)
class ScaleRow:
    """One number or place in the table: what its disguise bounds, whatever the answers are.

    Attributes
    ----------
    key : str
        The question.
    amplification, epsilon : str
    even : str
        The most that an even chance becomes.
    skipped : str
        Share of answers that is sent as "skipped"; empty where nobody may skip.
    in_areas : bool
        Whether only sensitive areas are protected.
    """

    key: str
    amplification: str
    epsilon: str
    even: str
    skipped: str
    in_areas: bool


@dataclass(frozen=True, kw_only=True)
class AuditPage:
    """The audit of a run.

    Attributes
    ----------
    epsilon, reidentified : str
        Of the survey; the largest share of rows of a block recognised as true with more than 95 %. Empty
        where nothing of the kind is protected.
    waves : int
        Surveys of the series, this one included.
    epsilon_of_waves : str
        Of all of them.
    worst_item, worst_item_share : str
        Empty where nothing is protected.
    own : str
        Share of rows with a combination of asked questions and open answers of their own; empty where
        everybody is asked the same.
    unique, unique_direct : str
        Rows alone with their open answers; empty where that is not shown.
    blocks : tuple of BlockRow
    items : tuple of ItemRow
    scales : tuple of ScaleRow
    parts : tuple of Part
        All sentences.
    """

    epsilon: str
    reidentified: str
    waves: int
    epsilon_of_waves: str
    worst_item: str
    worst_item_share: str
    own: str
    unique: str
    unique_direct: str
    blocks: tuple[BlockRow, ...]
    items: tuple[ItemRow, ...]
    scales: tuple[ScaleRow, ...]
    parts: tuple[Part, ...]


def audit_page(audit: Audit) -> AuditPage:
    """Write an audit as the page shows it."""
    worst = audit.worst_item
    return AuditPage(
        epsilon=number(audit.epsilon) if audit.blocks or audit.lone else "",
        reidentified=percent(audit.recognised) if audit.blocks else "",
        waves=audit.waves,
        epsilon_of_waves=number(audit.epsilon_of_waves),
        worst_item="" if worst is None else worst.key,
        worst_item_share="" if worst is None else percent(worst.worst),
        own="" if audit.own is None else percent(audit.own.share),
        unique=_count(audit.open.unique),
        unique_direct=_count(audit.open.unique_direct) if audit.group.has_direct else "",
        blocks=tuple(_block(block) for block in audit.blocks),
        items=tuple(
            ItemRow(
                key=item.key,
                prevalence=percent(item.prevalence),
                alone=percent(item.alone),
                worst=percent(item.worst),
            )
            for item in audit.items
        ),
        scales=tuple(map(_scale, audit.lone)),
        parts=parts_of(audit),
    )


def _block(block: BlockAudit) -> BlockRow:
    return BlockRow(
        key=block.key,
        prior=block.prior,
        epsilon=number(block.epsilon),
        amplification=number(block.amplification),
        per_person=str(len(block.booklet)) if block.booklet else "",
        questions=len(block.questions),
        odds=number(block.question_odds) if block.question_odds else "",
        sent=percent(block.unmixing.sent[-1]),
        truthful=tuple(percent(share) for share in block.unmixing.truthful),
        highest=percent(block.unmixing.highest),
        known=percent(float(block.known[-1].coin)),
        rows=tuple(map(_row, block.rows)),
    )


def _row(one: RowAudit) -> RowLine:
    return RowLine(
        row=row_text(one),
        prior=percent(one.prior),
        decoy=percent(one.decoy),
        sent=percent(one.sent),
        coin=percent(one.coin),
        answer=percent(one.answer),
        even=percent(one.even),
    )


def _scale(one: ScaleAudit) -> ScaleRow:
    return ScaleRow(
        key=one.question,
        amplification=number(one.amplification),
        epsilon=number(one.epsilon),
        even=percent(next(after for before, after in one.rho2 if before == EVEN)),
        skipped="" if one.lost is None else percent(one.lost),
        in_areas=one.apart,
    )


def _count(count: int | None) -> str:
    return "" if count is None else f"{count:,}"
