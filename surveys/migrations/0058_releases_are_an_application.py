"""Deposits are of the application `releases` from here on; their tables stay as they are, names too."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0057_keys_of_designs")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel("DepositQuestion"),
                migrations.DeleteModel("DepositTable"),
                migrations.DeleteModel("Deposit"),
            ]
        ),
        # Kinds of jobs of applications are no choice of this one.
        migrations.AlterField(
            "job",
            "kind",
            models.CharField(
                choices=[("mine", "mine"), ("audit", "audit"), ("search", "search")],
                default="mine",
                max_length=16,
            ),
        ),
    ]
