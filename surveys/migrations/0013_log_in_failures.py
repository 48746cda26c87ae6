"""Log-ins that failed lately."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0012_rule_measures")]

    operations = [
        migrations.CreateModel(
            name="LogInFailures",
            fields=[
                ("key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("name", models.CharField(blank=True, db_index=True, max_length=64)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("most", models.PositiveSmallIntegerField()),
                ("until", models.DateTimeField()),
            ],
            options={"verbose_name_plural": "log-in failures"},
        ),
    ]
