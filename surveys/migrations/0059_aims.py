"""What a survey is for stands beside its draft and its versions: None where nobody was asked."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0058_releases_are_an_application")]

    operations = [
        migrations.AddField("survey", "aim", models.JSONField("aim", blank=True, null=True)),
        migrations.AddField("version", "aim", models.JSONField("aim", blank=True, null=True)),
    ]
