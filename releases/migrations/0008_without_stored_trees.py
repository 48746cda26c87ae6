from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("releases", "0007_stored_trees")]

    operations = [migrations.DeleteModel(name="StoredTree")]
