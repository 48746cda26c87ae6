"""A deposit can follow another one as its next version."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("releases", "0004_people_of_tables")]

    operations = [
        migrations.AddField(
            model_name="deposit",
            name="earlier",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="later",
                to="releases.deposit",
            ),
        ),
    ]
