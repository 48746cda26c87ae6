"""Who allowed an account to take the log-ins of a provider; what is bound stays, allowed by nobody named."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0054_no_webhooks")]

    operations = [
        migrations.AddField(
            model_name="provideraccount",
            name="allowed_by",
            field=models.CharField(blank=True, default="", max_length=150),
        ),
    ]
