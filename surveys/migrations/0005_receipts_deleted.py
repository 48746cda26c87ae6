"""Keep the number of answers of surveys whose receipts are deleted."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add a column that stays empty until the sweeper deletes a survey's receipts."""

    dependencies = (("surveys", "0004_ledger"),)

    operations = (
        migrations.AddField(
            model_name="survey",
            name="receipts_deleted",
            field=models.PositiveBigIntegerField(blank=True, null=True),
        ),
    )
