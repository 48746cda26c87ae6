"""Store copies of the mixer's keys that only a second machine can open."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the tables of the spare mixer; both stay empty unless SOTTOVOCE_MIXERS names two hosts."""

    dependencies = (("surveys", "0006_run_counts"),)

    operations = (
        migrations.CreateModel(
            name="SpareKey",
            fields=[
                ("name", models.BinaryField(max_length=16, primary_key=True, serialize=False)),
                ("public", models.BinaryField(max_length=32)),
                ("mixer", models.CharField(max_length=32)),
                ("host", models.CharField(max_length=255)),
                ("current", models.BooleanField()),
                ("drawn_at", models.DateTimeField()),
                ("vouched_until", models.DateTimeField()),
                ("unnamed_at", models.CharField(blank=True, default="", max_length=32)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("current", True)),
                        fields=("current",),
                        name="surveys_sparekey_one",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="KeyCopy",
            fields=[
                ("name", models.BinaryField(max_length=16, primary_key=True, serialize=False)),
                ("spare", models.BinaryField(max_length=16)),
                ("box", models.BinaryField()),
            ],
            options={"verbose_name_plural": "key copies"},
        ),
    )
