"""The keys that waiting rows are sealed under: their public halves."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0022_audits_that_were_lost")]

    operations = [
        migrations.CreateModel(
            name="MixerKey",
            fields=[
                ("name", models.BinaryField(max_length=16, primary_key=True, serialize=False)),
                ("public", models.BinaryField(max_length=32)),
                ("mixer", models.CharField(max_length=32)),
                ("current", models.BooleanField()),
                ("vouched_until", models.DateTimeField()),
                ("unnamed_at", models.CharField(blank=True, default="", max_length=32)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("current", True)),
                        fields=("current",),
                        name="surveys_mixerkey_one_current",
                    )
                ],
            },
        ),
    ]
