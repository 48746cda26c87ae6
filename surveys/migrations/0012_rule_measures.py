"""Further measures of a rule as columns, and whether its itemset is maximal: the table sorts by them."""

from django.db import migrations, models

MEASURES = (
    "coverage",
    "added_value",
    "certainty",
    "zhang",
    "jaccard",
    "cosine",
    "kulczynski",
    "all_confidence",
    "max_confidence",
    "imbalance",
    "phi",
    "kappa",
    "odds_ratio",
    "yule_q",
    "yule_y",
    "j_measure",
    "rule_power",
    "relative_risk",
    "gini",
    "collective_strength",
)
ROWS_AT_A_TIME = 500


def spread(apps, schema_editor):
    """Move the measures from the texts to the columns; mark the rules of maximal itemsets."""
    inference = apps.get_model("surveys", "RuleInference")
    itemsets = apps.get_model("surveys", "ItemsetInference")
    maximal = set(itemsets.objects.filter(maximal=True).values_list("itemset__run", "itemset__items"))
    changed = []
    for row in inference.objects.select_related("rule").iterator(chunk_size=ROWS_AT_A_TIME):
        for name in MEASURES:
            setattr(row, name, row.interest.get(name))
        sides = (row.rule.antecedent + row.rule.consequent).split(",")
        items = sorted(int(item) for item in sides if item)
        row.maximal = (row.rule.run_id, "," + "".join(f"{item}," for item in items)) in maximal
        changed.append(row)
        if len(changed) == ROWS_AT_A_TIME:
            inference.objects.bulk_update(changed, ["maximal", *MEASURES], batch_size=ROWS_AT_A_TIME)
            changed = []
    inference.objects.bulk_update(changed, ["maximal", *MEASURES], batch_size=ROWS_AT_A_TIME)


def gather(apps, schema_editor):
    """Move the measures back."""
    inference = apps.get_model("surveys", "RuleInference")
    changed = []
    for row in inference.objects.iterator(chunk_size=ROWS_AT_A_TIME):
        row.interest = {name: getattr(row, name) for name in MEASURES}
        changed.append(row)
        if len(changed) == ROWS_AT_A_TIME:
            inference.objects.bulk_update(changed, ["interest"], batch_size=ROWS_AT_A_TIME)
            changed = []
    inference.objects.bulk_update(changed, ["interest"], batch_size=ROWS_AT_A_TIME)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0011_invitations")]

    operations = [
        migrations.AddField("ruleinference", "maximal", models.BooleanField(default=False)),
        *(migrations.AddField("ruleinference", name, models.FloatField(null=True)) for name in MEASURES),
        migrations.RunPython(spread, gather),
        migrations.RemoveField("ruleinference", "interest"),
    ]
