"""A published version of a survey: design and wording, frozen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.audit_event import ImmutableRow
from surveys.models.survey import Survey

if TYPE_CHECKING:
    from privacy.survey.design import Design


class Version(ImmutableRow):
    """Design and wording of a survey from one publication to the next.

    A change of a probability after the fact would falsify every answer given before, so the row cannot be
    changed: ``save()`` refuses and triggers in the database refuse. Versions that differ in wording alone
    share a design, and their answers are counted together.
    """

    survey = models.ForeignKey(
        Survey, on_delete=models.PROTECT, related_name="versions", verbose_name=_("survey")
    )
    number = models.PositiveIntegerField(_("number"))
    design = models.JSONField(_("design"))
    design_id = models.CharField(_("digest of the design"), max_length=64)
    wording = models.JSONField(_("wording"))
    wording_id = models.CharField(_("digest of the wording"), max_length=64)
    # The definition as it was published, to which drafts may have added since; None before it was kept.
    definition = models.JSONField(_("definition"), null=True, blank=True)
    # What the survey was for when it was published; None where nobody was asked.
    aim = models.JSONField(_("aim"), null=True, blank=True)
    published_at = models.DateTimeField(_("published at"))

    class Meta:
        verbose_name, verbose_name_plural = _("version"), _("versions")
        ordering = ("survey", "number")
        constraints = (models.UniqueConstraint(fields=("survey", "number"), name="version_number_once"),)
        indexes = (models.Index(fields=("design_id",), name="version_by_design"),)

    def __str__(self) -> str:
        return f"{self.survey} {self.number}"

    def to_design(self) -> Design:
        """Return the design as the frozen object that ``privacy`` works with."""
        # Every process knows the tables; the sweeper loads no numpy before it mixes.
        from privacy.survey.design import Design

        return Design.from_json(self.design)

    @property
    def languages(self) -> tuple[str, ...]:
        """The tags of its languages; those of the survey where it was worded before there were several."""
        return tuple(self.wording.get("title") or self.survey.title)

    @property
    def row_bytes(self) -> int:
        """How long a packed row of the design is."""
        from privacy.survey.layout import Layout

        return Layout(self.to_design()).n_bytes

    @property
    def holds_undisguised(self) -> bool:
        """Whether people's sensitive answers came as they are: not in practice, nor with made-up rows."""
        made_up = self.survey.practice or self.survey.known_truth is not None
        return not made_up and self.to_design().sends_undisguised


class PublishOverride(ImmutableRow):
    """A person's written reason for publishing a version that the checks refused; printed in every report."""

    version = models.OneToOneField(Version, on_delete=models.CASCADE, related_name="override")
    reason = models.TextField()
    # A user name, or "command line"; text, so that it outlives the account.
    by = models.CharField(max_length=150)
    at = models.DateTimeField()
    # The findings that were refused, as `surveys.questionnaire.checks.finding.Finding.to_json` gives them.
    findings = models.JSONField()

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.version} by {self.by}"
