"""Itemsets and rules are called what they are in the records."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("surveys", "0016_checks")]

    operations = [
        migrations.AlterModelOptions(
            "itemsetrow", {"verbose_name": "itemset", "verbose_name_plural": "itemsets"}
        ),
        migrations.AlterModelOptions("rulerow", {"verbose_name": "rule", "verbose_name_plural": "rules"}),
    ]
