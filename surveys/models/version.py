"""A published version of a survey, and the reason for publishing it despite failed checks."""

from __future__ import annotations

import json
import math
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.stored_json import StoredJSON
from surveys.models.survey import Survey
from surveys.models.written_once import ImmutableRow
from surveys.policy import LEAST_PROTECTED

if TYPE_CHECKING:
    from privacy.survey.design import Design


class Version(ImmutableRow):
    """Design and wording of a survey from one publication to the next.

    Changing a probability afterwards would falsify every earlier answer, so ``save()`` and triggers in the
    database refuse to change the row. Versions that differ only in wording share a design, and their answers
    are counted together.
    """

    survey = models.ForeignKey(
        Survey, on_delete=models.PROTECT, related_name="versions", verbose_name=_("survey")
    )
    number = models.PositiveIntegerField(_("number"))
    design = models.JSONField(_("design"))
    design_id = models.CharField(_("digest of the design"), max_length=64)
    wording = models.JSONField(_("wording"))
    wording_id = models.CharField(_("digest of the wording"), max_length=64)
    # The definition as published; the draft may have changed since.
    definition = models.JSONField(_("definition"))
    # The aim of the survey when it was published; None if no one was asked for it.
    aim = StoredJSON(_("aim"), null=True, blank=True, kind="plan")
    # The promises that respondents read, as `surveys.questionnaire.promise_words.promises_json` writes them.
    # None: published before pages stated skips, see `older_promises_json` there.
    promises = models.JSONField(null=True, blank=True, editable=False)
    published_at = models.DateTimeField(_("published at"))

    class Meta:
        verbose_name, verbose_name_plural = _("version"), _("versions")
        ordering = ("survey", "number")
        constraints = (models.UniqueConstraint(fields=("survey", "number"), name="version_number_once"),)
        indexes = (models.Index(fields=("design_id",), name="version_by_design"),)

    def __str__(self) -> str:
        return f"{self.survey} {self.number}"

    def to_design(self) -> Design:
        """Return the design as the frozen object that ``privacy`` uses; it is parsed once."""
        return self._design

    @cached_property
    def _design(self) -> Design:
        return _parse_design(json.dumps(self.design))

    @property
    def languages(self) -> tuple[str, ...]:
        """The tags of its languages."""
        return tuple(self.wording["title"])

    @property
    def row_bytes(self) -> int:
        """Length of a packed row of the design in bytes."""
        from privacy.survey.layout import Layout

        return Layout(self.to_design()).n_bytes

    @property
    def people_needed(self) -> int:
        """About how many people must answer until 100 were asked each protected question; 0 in practice.

        Devices draw at random which questions they ask. With this many people, 98 in 100 draws are enough for
        a question.
        """
        design = self.to_design()
        numbers = range(len(design.questions))
        protected = (number for number in numbers if design.blocks[design.block_of(number)].protected)
        share = float(min((design.drawn_together((number,)) for number in protected), default=1))
        # Solve share n - 2 sqrt(n share (1 - share)) = LEAST_PROTECTED for n, and round up to tens.
        error = (share * (1 - share)) ** 0.5
        root = (error + (error**2 + LEAST_PROTECTED * share) ** 0.5) / share
        return 0 if self.survey.practice else math.ceil(root**2 / 10 - 1e-9) * 10

    @property
    def holds_undisguised(self) -> bool:
        """Whether real sensitive answers arrived undisguised; false for practice and for simulated rows."""
        made_up = self.survey.practice or self.survey.known_truth is not None
        return not made_up and self.to_design().sends_undisguised


@lru_cache(maxsize=64)
def _parse_design(text: str) -> Design:
    """Parse a design once, although each page loads its version again."""
    # Imported here, because the sweeper imports this module and must not load numpy before it mixes.
    from privacy.survey.design import Design

    return Design.from_json(json.loads(text))


class PublishOverride(ImmutableRow):
    """A person's written reason for publishing a version despite failed checks; printed in every report."""

    version = models.OneToOneField(Version, on_delete=models.CASCADE, related_name="override")
    reason = models.TextField()
    # A user name, or "command line"; stored as text so that it outlives the account.
    by = models.CharField(max_length=150)
    at = models.DateTimeField()
    # The findings that were overridden, as `surveys.questionnaire.findings.Finding.to_json` gives them.
    findings = models.JSONField()

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.version} by {self.by}"
