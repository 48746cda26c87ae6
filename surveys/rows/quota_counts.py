"""Count open answers in batches, as they are opened to figures: the sweeper's step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from django.db import transaction

from surveys.models import QuotaCount, Version
from surveys.questionnaire.quotas import quotas_of
from surveys.rows.snapshot import batches_open_to_mining

__all__ = ["answer_counts", "quotas_follow", "quotas_step"]


def quotas_follow(version: Version) -> None:
    """Have the counts of a survey follow its newest version; a version without quotas has none.

    They begin anew: the next step counts all batches of the version's design.
    """
    QuotaCount.objects.filter(survey=version.survey_id).delete()
    if quotas_of(version.wording):
        QuotaCount.objects.create(survey=version.survey, version=version)


def quotas_step() -> None:
    """Count the batches that were opened to figures since the last round.

    One transaction for each survey: a reader sees all of them or none.
    """
    for pk in QuotaCount.objects.values_list("pk", flat=True):
        with transaction.atomic():
            count = QuotaCount.objects.select_for_update().filter(pk=pk).first()
            # Another version was published meanwhile, or the survey was deleted.
            if count is not None:
                _count(count)


def _count(count: QuotaCount) -> None:
    batches = batches_open_to_mining(count.version).filter(pk__gt=count.last_batch)
    if not batches.exists():
        return
    fields = _fields(count.version)
    row_bytes = count.version.row_bytes
    totals = {question: Counter(count.counts.get(question, {})) for question in fields}
    for batch in batches.iterator(chunk_size=10):
        for question, (presence, width, options) in fields.items():
            counts = answer_counts(bytes(batch.packed), row_bytes, presence, width)
            totals[question].update({option: counts[value] for value, option in enumerate(options)})
        count.n += batch.n
        count.last_batch = batch.pk
    count.counts = {question: dict(total) for question, total in totals.items()}
    count.save()


def _fields(version: Version) -> Mapping[str, tuple[int, int, tuple[str, ...]]]:
    """Return for each question with quotas its presence bit, its number of value bits, and its options."""
    # Every process knows the sweeper's steps; one that counts nothing loads no layout.
    from privacy.survey.layout import Layout

    design = version.to_design()
    layout = Layout(design)
    quotas = quotas_of(version.wording)
    return {
        question.key: (
            layout.presence_bit(number),
            layout.value_bits(number)[1],
            question.options or ("no", "yes"),
        )
        for number, question in enumerate(design.questions)
        if question.key in quotas
    }


def answer_counts(packed: bytes, row_bytes: int, presence: int, width: int) -> Counter[int]:
    """Count the answers to one question in packed rows; rows that leave it empty are not counted.

    Parameters
    ----------
    packed : bytes
        Rows one after another.
    row_bytes : int
    presence : int
        Position of the question's presence bit in a row; its value bits follow.
    width : int
        Number of its value bits.

    Examples
    --------
    Three rows of one byte, a presence bit at 1 and two value bits: 2, nothing, 3.

    >>> sorted(answer_counts(bytes([0b0110_0000, 0b0000_0000, 0b1111_0000]), 1, 1, 2).items())
    [(2, 1), (3, 1)]
    """
    first, last = presence // 8, (presence + width) // 8
    columns = [packed[byte::row_bytes] for byte in range(first, last + 1)]
    behind = 8 * (last + 1) - (presence + width + 1)
    counted: Counter[int] = Counter()
    for cells, rows in Counter(zip(*columns, strict=True)).items():
        field = (int.from_bytes(bytes(cells), "big") >> behind) & ((2 << width) - 1)
        if field >> width:
            counted[field - (1 << width)] += rows
    return counted
