"""Index the audit log by person, kind, survey and time, newest event first."""

from django.db import migrations

from surveys.migrations._by_vendor import RunSQLByVendor

# As surveys/accounts/event_search.py asks: ignoring case, and by the survey to which a run or rule belongs.
_SUBJECT = {
    "sqlite": "upper(substr(target, 1, instr(target || ' ', ' ') - 1))",
    "postgresql": "upper(split_part(target, ' ', 1))",
}
_KEYS = {"actor": "upper(actor), id DESC", "action": "action, id DESC", "at": "at, id"}


def _create(vendor: str) -> list[str]:
    keys = {**_KEYS, "subject": f"{_SUBJECT[vendor]}, id DESC"}
    return [
        f"CREATE INDEX surveys_auditevent_by_{name} ON surveys_auditevent ({key})"
        for name, key in keys.items()
    ]


_DROP = [f"DROP INDEX surveys_auditevent_by_{name}" for name in (*_KEYS, "subject")]


class Migration(migrations.Migration):
    """Add indexes; the log has one row per change by staff, and filters read only the rows that they show."""

    dependencies = (("surveys", "0007_spare_mixer"),)

    operations = (
        RunSQLByVendor(
            {vendor: _create(vendor) for vendor in _SUBJECT},
            dict.fromkeys(_SUBJECT, _DROP),
        ),
    )
