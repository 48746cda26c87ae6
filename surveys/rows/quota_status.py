"""Which groups are full, for respondents' pages and for staff."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Sum
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from surveys.models import Batch, Inbox, QuotaCount, Survey, Version
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.quotas import quotas_of
from surveys.rows.disclosure import disclosure, shown_count

__all__ = ["QuotaLine", "QuotaStatus", "Quotas", "quota_status", "quotas_now"]


@dataclass(frozen=True, kw_only=True)
class Quotas:
    """The quotas of a version, and how many answers of published batches each group has.

    Attributes
    ----------
    most : dict
        By question and option.
    options : dict of str to tuple of str
        All options of each of these questions, by their values in a row.
    counts : dict or None
        By question and option; None where so few answers are counted that no figure of them is shown.
    """

    most: Mapping[str, Mapping[str, int]]
    options: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, Mapping[str, int]] | None

    def is_full(self, question: str, option: str) -> bool:
        """Return whether as many answers are counted as the quota lets in; False where there is none."""
        most = self.most[question].get(option)
        counted = (self.counts or {}).get(question, {}).get(option, 0)
        return most is not None and counted >= most

    def full_options(self) -> dict[str, list[int]]:
        """Return by question the positions of the options that are full: what respondents' pages carry."""
        return {
            question: [position for position, option in enumerate(options) if self.is_full(question, option)]
            for question, options in self.options.items()
        }

    @property
    def is_over(self) -> bool:
        """Whether all options of some question are full, so that no further person can take part."""
        return any(
            all(self.is_full(question, option) for option in options)
            for question, options in self.options.items()
        )


def quotas_now(version: Version) -> Quotas | None:
    """Return the quotas of a survey's newest version as they stand; None where it has none.

    Notes
    -----
    Counts are those that `surveys.rows.quota_counts` made of the batches that figures may be computed from,
    and like those are shown from 100 answers on: no row that waits moves them.
    """
    most = quotas_of(version.wording)
    if not most:
        return None
    counted = QuotaCount.objects.filter(version=version).first()
    shown = counted is not None and disclosure(n=counted.n, practice=version.survey.practice).results
    return Quotas(
        most=most,
        options={
            question["key"]: tuple(question["options"]) or ("no", "yes")
            for block in version.design["blocks"]
            for question in block["questions"]
            if question["key"] in most
        },
        counts=counted.counts if counted is not None and shown else None,
    )


@dataclass(frozen=True, kw_only=True)
class QuotaLine:
    """One group, for staff: question and answer in words, how many answers are counted, and its quota."""

    question: str
    answer: str
    count: int | None
    most: int
    is_full: bool


@dataclass(frozen=True, kw_only=True)
class QuotaStatus:
    """The quotas of a survey, for staff.

    Attributes
    ----------
    lines : tuple of QuotaLine
    waiting : str
        How many answers came that are not counted yet, rounded while more can come in: so many may still
        come into any one group, besides those that are on their way.
    least : int
        From so many counted answers on counts are told.
    is_over, takes_answers : bool
        Whether the page takes no new answers, all groups of a question being full; whether it is open at all.
    """

    lines: tuple[QuotaLine, ...]
    waiting: str
    least: int
    is_over: bool
    takes_answers: bool


def quota_status(survey: Survey) -> QuotaStatus | None:
    """Return the quotas of a survey's newest version as staff see them; None where it has none."""
    version = survey.versions.select_related("survey").order_by("-number").first()
    quotas = None if version is None else quotas_now(version)
    if version is None or quotas is None:
        return None
    return QuotaStatus(
        lines=tuple(_lines(version, quotas)),
        waiting=shown_count(_not_counted(version), rounded=not survey.practice and not survey.settled),
        least=disclosure(n=0, practice=survey.practice).least_protected,
        is_over=quotas.is_over,
        takes_answers=survey.state == Survey.State.OPEN,
    )


def _lines(version: Version, quotas: Quotas) -> Iterator[QuotaLine]:
    language = get_language() or "en"
    yes_no = {"no": _("No"), "yes": _("Yes")}
    for block in version.wording["blocks"]:
        for question in block["questions"]:
            key = question["key"]
            answers = {
                option["key"]: text_in(option["text"], language) for option in question.get("options") or ()
            }
            for option, most in quotas.most.get(key, {}).items():
                yield QuotaLine(
                    question=text_in(question["text"], language),
                    answer=(answers or yes_no)[option],
                    count=None if quotas.counts is None else quotas.counts.get(key, {}).get(option, 0),
                    most=most,
                    is_full=quotas.is_full(key, option),
                )


def _not_counted(version: Version) -> int:
    """Count the answers of a version's design that came and are in no batch that was counted."""
    of_design = {"version__survey": version.survey_id, "version__design_id": version.design_id}
    written = Batch.objects.filter(**of_design).aggregate(rows=Sum("n"))["rows"] or 0
    counted = QuotaCount.objects.filter(version=version).values_list("n", flat=True).first() or 0
    return int(written - counted + Inbox.objects.filter(**of_design).count())
