"""Inference on a run's rules and itemsets; one row beside each of them."""

from __future__ import annotations

from django.db import models

from mining.interest_measures import INTEREST


class RuleInference(models.Model):
    """The test of a rule, and how much it bears.

    `redundant_by` holds the antecedent of the shorter rule, nothing where none explains it. `flips` is null
    where no number of false rows turns the verdict, or where it was not searched.
    """

    rule = models.OneToOneField(
        "surveys.RuleRow", on_delete=models.CASCADE, related_name="inference", primary_key=True
    )
    p_value = models.FloatField()
    p_adjusted = models.FloatField()
    passes = models.BooleanField()
    confidence_p_value = models.FloatField(null=True)
    confidence_p_adjusted = models.FloatField(null=True)
    # At the level for listed rules, 1 - .05 R/M.
    confidence_low = models.FloatField(null=True)
    confidence_high = models.FloatField(null=True)
    lift_low = models.FloatField(null=True)
    lift_high = models.FloatField(null=True)
    redundant_by = models.CharField(max_length=255, blank=True)
    flips = models.PositiveBigIntegerField(null=True)
    # Whether no listed itemset holds all items of both sides and more.
    maximal = models.BooleanField(default=False)
    # Further measures, named as in `mining.interest`: columns, so that 50,000 rules can be sorted by them.
    coverage = models.FloatField(null=True)
    added_value = models.FloatField(null=True)
    certainty = models.FloatField(null=True)
    zhang = models.FloatField(null=True)
    jaccard = models.FloatField(null=True)
    cosine = models.FloatField(null=True)
    kulczynski = models.FloatField(null=True)
    all_confidence = models.FloatField(null=True)
    max_confidence = models.FloatField(null=True)
    imbalance = models.FloatField(null=True)
    phi = models.FloatField(null=True)
    kappa = models.FloatField(null=True)
    odds_ratio = models.FloatField(null=True)
    yule_q = models.FloatField(null=True)
    yule_y = models.FloatField(null=True)
    j_measure = models.FloatField(null=True)
    rule_power = models.FloatField(null=True)
    relative_risk = models.FloatField(null=True)
    gini = models.FloatField(null=True)
    collective_strength = models.FloatField(null=True)

    def __str__(self) -> str:
        return f"test of {self.rule}"

    @property
    def interest(self) -> dict[str, float | None]:
        """The further measures by their names; null where one has no value."""
        return {name: getattr(self, name) for name in INTEREST}


class ItemsetInference(models.Model):
    """Figures of a listed itemset beside its estimate.

    The p-value of the groups is null where there is no direct group, or one too small to show.
    """

    itemset = models.OneToOneField(
        "surveys.ItemsetRow", on_delete=models.CASCADE, related_name="inference", primary_key=True
    )
    # At the level for listed itemsets, 1 - .05 R/M.
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    maximal = models.BooleanField()
    closed = models.BooleanField()
    groups_p_value = models.FloatField(null=True)

    def __str__(self) -> str:
        return f"inference of {self.itemset}"
