"""Views of the rule table that somebody gave a name."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0029_shared_pages"),
    ]

    operations = [
        migrations.CreateModel(
            name="SavedView",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("design_id", models.CharField(max_length=64)),
                ("name", models.CharField(max_length=60)),
                ("query", models.TextField()),
                ("made_by", models.CharField(max_length=150)),
                ("made_at", models.DateTimeField()),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_views",
                        to="surveys.survey",
                    ),
                ),
            ],
            options={
                "ordering": ("name", "pk"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("survey", "design_id", "name"), name="saved_view_name_once_a_design"
                    )
                ],
            },
        ),
    ]
