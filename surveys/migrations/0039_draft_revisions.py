"""What drafts were, save by save."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0033_provider_account"),
    ]

    operations = [
        migrations.CreateModel(
            name="DraftRevision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("revision", models.PositiveIntegerField()),
                ("definition", models.JSONField()),
                ("pasted", models.TextField(blank=True)),
                ("begun_at", models.DateTimeField()),
                ("saved_at", models.DateTimeField()),
                ("saved_by", models.CharField(max_length=150)),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="draft_revisions",
                        to="surveys.survey",
                    ),
                ),
            ],
            options={
                "ordering": ("-revision",),
                "constraints": [
                    models.UniqueConstraint(fields=("survey", "revision"), name="draft_revision_once")
                ],
            },
        ),
    ]
