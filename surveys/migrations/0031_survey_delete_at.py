"""The day on which a survey is deleted."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0030_saved_views"),
    ]

    operations = [
        migrations.AddField(
            model_name="survey",
            name="delete_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="deleted at"),
        ),
    ]
