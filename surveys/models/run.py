"""A job, and the result of a mining job: the run, its itemsets and its rules.

The tables are deliberately wide: every measure that the report sorts and filters by is a column, so listing
50,000 rules takes one query per page. Items are stored as their numbers in the run's design. ``,3,17,`` is
the itemset {3, 17}; the outer commas let one ``LIKE`` find an item.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from surveys.models.job import Job
from surveys.models.stored_json import StoredJSON, unreadable
from surveys.models.written_once import ImmutableRow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mining.thresholds import Thresholds
    from privacy.survey.design import Design


LISTS_ALL: Final = "lists_all"
"""Member of a run's parameters: whether it lists any number of itemsets without asking."""


class Run(models.Model):
    """One analysis of one snapshot of one version. Created on request, filled when the job finishes."""

    survey = models.ForeignKey(
        "surveys.Survey", on_delete=models.PROTECT, related_name="runs", verbose_name=_("survey")
    )
    version = models.ForeignKey(
        "surveys.Version", on_delete=models.PROTECT, related_name="runs", verbose_name=_("version")
    )
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="run")
    # The job that audits its rows, shared by all runs on the same rows; null if an audit already existed.
    audit_job = models.ForeignKey(
        Job, null=True, blank=True, on_delete=models.PROTECT, related_name="audited"
    )
    design_id = models.CharField(_("digest of the design"), max_length=64)
    # Format 2: "lists_all" may be a member. An earlier program would take it for a threshold.
    parameters = StoredJSON(_("parameters"), kind="settings", newest=2)

    # The snapshot is fixed on request, so that a second attempt reads the same rows.
    first_batch = models.BigIntegerField(null=True, blank=True)
    last_batch = models.BigIntegerField(null=True, blank=True)
    batches = models.PositiveIntegerField(default=0)
    snapshot_digest = models.CharField(_("digest of the snapshot"), max_length=64)

    engine = models.CharField(_("engine"), max_length=120, blank=True)
    n = models.PositiveBigIntegerField(null=True, blank=True)
    n_direct = models.PositiveBigIntegerField(null=True, blank=True)
    n_protected = models.PositiveBigIntegerField(null=True, blank=True)
    duration_seconds = models.FloatField(_("seconds"), null=True, blank=True)
    code_version = models.CharField(_("version of the program"), max_length=64, blank=True)
    # Format 2: "withheld" names questions that have no figures. An earlier program would show them.
    # Format 3: itemsets and rules may be stored as counts. An earlier program would show none.
    summary = StoredJSON(default=dict, kind="result", newest=3)

    class Meta:
        verbose_name, verbose_name_plural = _("run"), _("runs")
        ordering = ("-pk",)

    def __str__(self) -> str:
        return _("Run %(id)s") % {"id": self.pk}

    @cached_property
    def thresholds(self) -> Thresholds:
        """Thresholds of the request."""
        from mining.thresholds import Thresholds

        return Thresholds.from_json(
            {name: value for name, value in self.parameters.items() if name != LISTS_ALL}
        )

    @property
    def lists_all(self) -> bool:
        """Whether the requester agreed to a list of any length."""
        return bool(self.parameters.get(LISTS_ALL))

    @property
    def unreadable(self) -> str:
        """Why its settings or result cannot be read, in the active language; empty if they can."""
        return unreadable(self.parameters, self.summary)

    @cached_property
    def design(self) -> Design:
        """Design of its rows; versions never change."""
        return self.version.to_design()


class PartCounts(models.Model):
    """Counts of some of a run's batches, computed by another worker and kept until the run is over.

    They reveal no more than the batches, which are in the same database. Each takes at most five megabytes:
    see `mining.columns.precomputed_counts.MOST_PRECOMPUTED`.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="part_counts", db_index=False)
    first_batch = models.BigIntegerField()
    last_batch = models.BigIntegerField()
    # SHA-256 over the digests of the batches.
    digest = models.CharField(max_length=64)
    n = models.PositiveBigIntegerField()
    n_direct = models.PositiveBigIntegerField()
    counts = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("run", "first_batch"), name="part_once_a_run"),)

    def __str__(self) -> str:
        return f"counts of batches {self.first_batch} to {self.last_batch}"


class RunCounts(models.Model):
    """The counts behind the itemsets and rules of a run that lists too many to store each as a row.

    Such a run has rows only for its single items and for rules that someone judged. Everything else is
    computed from the counts when someone reads it: see `surveys.runs.counted_result`.
    """

    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="counts", primary_key=True)
    # Number of listed rules.
    rules = models.PositiveIntegerField()
    # SHA-256 of the packed counts.
    digest = models.CharField(max_length=64)
    packed = models.BinaryField()

    def __str__(self) -> str:
        return f"counts of {self.run_id}"


class ItemsetRow(models.Model):
    """An itemset that a run lists, with its estimated support.

    A run with `RunCounts` has rows only for its single items.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="itemsets")
    items = models.CharField(max_length=255)
    size = models.PositiveSmallIntegerField(_("items"))
    n = models.PositiveBigIntegerField()
    support = models.FloatField()
    support_se = models.FloatField()
    support_low = models.FloatField(null=True)
    support_high = models.FloatField(null=True)
    few_rows = models.BooleanField(default=False)
    # Both estimators and each group alone; null if there is no direct group, or it is too small to show.
    stratified = models.FloatField(null=True)
    stratified_se = models.FloatField(null=True)
    pooled = models.FloatField(null=True)
    pooled_se = models.FloatField(null=True)
    direct = models.FloatField(null=True)
    direct_se = models.FloatField(null=True)
    protected = models.FloatField(null=True)
    protected_se = models.FloatField(null=True)
    truth = models.FloatField(null=True)
    error = models.FloatField()

    class Meta:
        verbose_name, verbose_name_plural = _("itemset"), _("itemsets")
        constraints = (models.UniqueConstraint(fields=("run", "items"), name="itemset_once_a_run"),)

    def __str__(self) -> str:
        return self.items


class RuleRow(models.Model):
    """A rule that a run lists: five measures, each with its interval.

    A measure without an interval is not estimable with this n. Null never means zero.

    The stored intervals have level 95%, for a rule that was chosen in advance. `intervals` contains the
    intervals that pages show, by measure: see `surveys.report.rules.rule_rows.rules_by_key`.
    """

    intervals: Mapping[str, tuple[float | None, float | None]]
    interval_level: float
    # Number of a rule that was computed from counts, among the rules of its run.
    number: int | None = None

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="rules")
    antecedent = models.CharField(max_length=255)
    consequent = models.CharField(max_length=255)
    antecedent_size = models.PositiveSmallIntegerField()
    consequent_size = models.PositiveSmallIntegerField()
    n = models.PositiveBigIntegerField()
    few_rows = models.BooleanField(_("few rows"), default=False)

    support = models.FloatField(null=True)
    support_se = models.FloatField(null=True)
    support_low = models.FloatField(null=True)
    support_high = models.FloatField(null=True)
    confidence = models.FloatField(null=True)
    confidence_se = models.FloatField(null=True)
    confidence_low = models.FloatField(null=True)
    confidence_high = models.FloatField(null=True)
    lift = models.FloatField(null=True)
    lift_se = models.FloatField(null=True)
    lift_low = models.FloatField(null=True)
    lift_high = models.FloatField(null=True)
    leverage = models.FloatField(null=True)
    leverage_se = models.FloatField(null=True)
    leverage_low = models.FloatField(null=True)
    leverage_high = models.FloatField(null=True)
    conviction = models.FloatField(null=True)
    conviction_se = models.FloatField(null=True)
    conviction_low = models.FloatField(null=True)
    conviction_high = models.FloatField(null=True)

    truth = models.FloatField(null=True)
    truth_antecedent = models.FloatField(null=True)
    truth_consequent = models.FloatField(null=True)
    error = models.FloatField(null=True)

    class Meta:
        verbose_name, verbose_name_plural = _("rule"), _("rules")
        constraints = (
            models.UniqueConstraint(fields=("run", "antecedent", "consequent"), name="rule_once_a_run"),
        )

    def __str__(self) -> str:
        return f"{self.antecedent} -> {self.consequent}"

    @property
    def key(self) -> int:
        """The number of the rule in addresses: that of its row, or its number in a run with counts."""
        return self.pk if self.number is None else self.number

    @property
    def shown_because_estimable(self) -> bool:
        """Whether the lift has an interval but no error: it is estimable although few rows have the items."""
        return self.lift_low is not None and self.lift_se is None


class Verdict(ImmutableRow):
    """One person's verdict on one rule. Changing it adds another verdict; the newest counts."""

    class Opinion(models.TextChoices):
        ACCEPTED = "accepted", _("accepted")
        REJECTED = "rejected", _("rejected")
        UNDECIDED = "reviewed", _("undecided")

    rule = models.ForeignKey(
        "surveys.RuleRow", on_delete=models.CASCADE, related_name="verdicts", db_index=False
    )
    opinion = models.CharField(max_length=8, choices=Opinion.choices)
    note = models.TextField(blank=True)
    # A user name, stored as text so that the verdict outlives the account.
    by = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        ordering = ("-pk",)
        # With the key in the index, finding the newest verdict on a rule is one index lookup.
        indexes = (models.Index(fields=("rule", "id"), name="verdict_by_rule"),)

    def __str__(self) -> str:
        return f"{self.opinion} by {self.by}"


class RuleInference(models.Model):
    """The test of a rule, and how robust it is.

    `redundant_by` is the antecedent of a shorter rule that explains this one, or empty. `flips` is null if no
    number of false rows changes the result of the test, or if it was not searched for.
    """

    rule = models.OneToOneField(
        "surveys.RuleRow", on_delete=models.CASCADE, related_name="inference", primary_key=True
    )
    p_value = models.FloatField()
    p_adjusted = models.FloatField()
    passes = models.BooleanField()
    confidence_p_value = models.FloatField(null=True)
    confidence_p_adjusted = models.FloatField(null=True)
    # Intervals at the level for listed rules, 1 - .05 R/M.
    confidence_low = models.FloatField(null=True)
    confidence_high = models.FloatField(null=True)
    lift_low = models.FloatField(null=True)
    lift_high = models.FloatField(null=True)
    redundant_by = models.CharField(max_length=255, blank=True)
    flips = models.PositiveBigIntegerField(null=True)
    # Whether no listed itemset is a proper superset of all items of both sides.
    maximal = models.BooleanField(default=False)
    # Further measures by their names in `mining.interest.INTEREST`; null if a measure has no value.
    interest = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"test of {self.rule}"


class ItemsetInference(models.Model):
    """Interval and tests of a listed itemset.

    `groups_p_value` is null if there is no direct group, or it is too small to show.
    """

    itemset = models.OneToOneField(
        "surveys.ItemsetRow", on_delete=models.CASCADE, related_name="inference", primary_key=True
    )
    # Interval at the level for listed itemsets, 1 - .05 R/M.
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    maximal = models.BooleanField()
    closed = models.BooleanField()
    groups_p_value = models.FloatField(null=True)

    def __str__(self) -> str:
        return f"inference of {self.itemset}"
