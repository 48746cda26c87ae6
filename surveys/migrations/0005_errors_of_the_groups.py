"""The errors of each group's support: no figure stands without its error."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0004_runs"),
    ]

    operations = [
        migrations.AddField(
            model_name="itemsetrow",
            name="direct_se",
            field=models.FloatField(null=True),
        ),
        migrations.AddField(
            model_name="itemsetrow",
            name="protected_se",
            field=models.FloatField(null=True),
        ),
    ]
