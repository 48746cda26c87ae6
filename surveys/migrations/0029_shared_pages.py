"""An address shows results of a run, a survey's risk in words, or a draft's preview."""

import django.db.models.deletion
from django.db import migrations, models


def know_the_survey(apps, _schema_editor):
    """Give each address the survey of its run."""
    for shared in apps.get_model("surveys", "SharedPage").objects.select_related("run"):
        shared.survey_id = shared.run.survey_id
        shared.save(update_fields=["survey"])


def leave_the_others_out(apps, _schema_editor):
    """Forget addresses of no run: before there were none."""
    apps.get_model("surveys", "SharedPage").objects.filter(run=None).delete()


class Migration(migrations.Migration):
    dependencies = [("surveys", "0028_shared_results")]

    operations = [
        migrations.RenameModel("SharedResults", "SharedPage"),
        migrations.AlterModelOptions("sharedpage", {"ordering": ("-made_at", "-pk")}),
        migrations.AddField(
            "sharedpage",
            "kind",
            models.CharField(
                choices=[("results", "Results"), ("risk", "Risk"), ("preview", "Preview")],
                default="results",
                max_length=8,
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            "sharedpage",
            "survey",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="shared",
                to="surveys.survey",
            ),
        ),
        migrations.AlterField(
            "sharedpage",
            "run",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="shared",
                to="surveys.run",
            ),
        ),
        migrations.RunPython(know_the_survey, leave_the_others_out),
        migrations.AlterField(
            "sharedpage",
            "survey",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="shared", to="surveys.survey"
            ),
        ),
    ]
