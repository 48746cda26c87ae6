"""There are no webhooks; a mail tells who asked for a run that it has finished."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0053_webhooks_logged")]

    operations = [
        migrations.DeleteModel("WebhookDelivery"),
        migrations.DeleteModel("Webhook"),
        migrations.AlterField(
            "job",
            "kind",
            models.CharField(
                choices=[("mine", "mine"), ("audit", "audit"), ("search", "search"), ("release", "release")],
                default="mine",
                max_length=16,
            ),
        ),
    ]
