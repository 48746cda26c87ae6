"""The record by which programs recognise the schema; `migrate` writes its row when it finishes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="SchemaRecord",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("format", models.PositiveSmallIntegerField()),
                ("digests", models.JSONField()),
                ("program", models.CharField(max_length=100)),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="surveys_schemarecord_one")
                ]
            },
        )
    ]
