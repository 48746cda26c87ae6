from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("trials", "0002_tables_as_text"),
    ]

    operations = [
        migrations.DeleteModel(
            name="Experiment",
        ),
    ]
