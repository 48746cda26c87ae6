"""The audit of a run's rows is a job: whose worker dies, it is made again."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0020_what_parts_say")]

    operations = [
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[("mine", "mine"), ("audit", "audit")], default="mine", max_length=16
            ),
        ),
        migrations.AddField(
            model_name="run",
            name="audit_job",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="audited",
                to="surveys.job",
            ),
        ),
    ]
