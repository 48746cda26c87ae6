"""How many answers of a survey are in no batch."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0025_plain_rows_erased")]

    operations = [
        migrations.AddField(
            model_name="survey", name=name, field=models.PositiveIntegerField(blank=True, null=True)
        )
        for name in ("rows_lost", "rows_too_few")
    ]
