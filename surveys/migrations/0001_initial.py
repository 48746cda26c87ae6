"""Every table, with what Django's models cannot say: triggers, tables without row numbers, first rows."""

import hashlib
import secrets

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from surveys.migrations._by_vendor import RunSQLByVendor

REFUSED = {
    "surveys_version": "a published version is immutable: publish a new one",
    "surveys_auditevent": "the audit log is only added to",
    "surveys_verdict": "a verdict is immutable: give another one",
    "surveys_publishoverride": "a reason for publishing is immutable",
    "surveys_batch": "a batch is immutable",
    "surveys_drawingkey": "the drawing key is immutable: under another one answers would be disguised twice",
}
"""Tables whose rows are written once, and the database's message when someone changes or deletes one."""

SURVEY = (
    "a survey cannot go back: not to an earlier state, not to or from practice or invitations, not to a later"
    " end"
)
SURVEY_GOES_BACK = """
    OLD.state <> 'draft' AND (
        NEW.slug <> OLD.slug OR NEW.practice <> OLD.practice OR NEW.state = 'draft'
        OR NEW.by_invitation <> OLD.by_invitation
        OR (OLD.state = 'open' AND NEW.state = 'planned')
        OR (OLD.state = 'closed' AND NEW.state <> 'closed')
        OR (OLD.settled AND NOT NEW.settled)
        OR (OLD.accepts_until IS NOT NULL
            AND (NEW.accepts_until IS NULL OR NEW.accepts_until > OLD.accepts_until)))
"""
REFUSE = """
    CREATE FUNCTION surveys_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
END
$$
"""

# A row number would reveal the order of arrival, so these tables have none in SQLite. PostgreSQL keeps no
# samples of waiting rows: a sample outlives its rows and would show which came first.
INBOX = {
    "sqlite": [
        'CREATE TABLE surveys_inbox ("key" BLOB NOT NULL PRIMARY KEY, "version_id" bigint NOT NULL '
        'REFERENCES "surveys_version" ("id") DEFERRABLE INITIALLY DEFERRED, '
        '"sealed_under" BLOB NOT NULL, "box" BLOB NOT NULL) WITHOUT ROWID'
    ],
    "postgresql": [
        'CREATE TABLE surveys_inbox ("key" bytea NOT NULL PRIMARY KEY, "version_id" bigint NOT NULL '
        'REFERENCES "surveys_version" ("id") DEFERRABLE INITIALLY DEFERRED, '
        '"sealed_under" bytea NOT NULL, "box" bytea NOT NULL)',
        *(
            f'ALTER TABLE surveys_inbox ALTER COLUMN "{name}" SET STATISTICS 0'
            for name in ("key", "version_id", "sealed_under", "box")
        ),
    ],
}
FRESH = "CREATE INDEX surveys_receipt_fresh ON surveys_receipt (survey_id) WHERE fresh"
RECEIPT = {
    "sqlite": [
        'DROP TABLE "surveys_receipt"',
        'CREATE TABLE "surveys_receipt" ("survey_id" bigint NOT NULL '
        'REFERENCES "surveys_survey" ("id") DEFERRABLE INITIALLY DEFERRED, '
        '"key" BLOB NOT NULL, "digest" BLOB NULL, fresh bool NOT NULL DEFAULT 0, '
        'PRIMARY KEY ("survey_id", "key")) WITHOUT ROWID',
        FRESH,
    ],
    "postgresql": ["ALTER TABLE surveys_receipt ALTER COLUMN fresh SET DEFAULT false", FRESH],
}


def triggers(table, verb, said):
    """Return the statements that create a trigger, by vendor."""
    name = f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} FOR EACH ROW"
    when = f" WHEN ({SURVEY_GOES_BACK})" if table == "surveys_survey" else ""
    return {
        "sqlite": f"{name}{when} BEGIN SELECT RAISE(ABORT, '{said}'); END",
        "postgresql": f"{name}{when} EXECUTE FUNCTION surveys_refuse('{said}')",
    }


TRIGGERS = [
    *(triggers(table, verb, said) for table, said in REFUSED.items() for verb in ("UPDATE", "DELETE")),
    triggers("surveys_survey", "UPDATE", SURVEY),
]


def create_rows(apps, schema_editor):
    """Create the groups of the roles, and draw the key under which undisguised answers are disguised."""
    for name in ("researcher", "reviewer", "administrator"):
        apps.get_model("auth", "Group").objects.get_or_create(name=name)
    key = secrets.token_bytes(32)
    mark = hashlib.sha256(key).hexdigest()[:8]
    apps.get_model("surveys", "DrawingKey").objects.create(id=1, key=key, mark=mark)


def delete_rows(apps, schema_editor):
    """Delete the groups."""
    names = ("researcher", "reviewer", "administrator")
    apps.get_model("auth", "Group").objects.filter(name__in=names).delete()


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("otp_totp", "0003_add_timestamps"),
        ("sessions", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AuditEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("actor", models.CharField(max_length=150)),
                ("action", models.CharField(max_length=60)),
                ("target", models.CharField(max_length=200)),
                ("detail", models.JSONField(default=dict)),
            ],
            options={"ordering": ("-at", "-pk")},
        ),
        migrations.CreateModel(
            name="Beat",
            fields=[
                ("name", models.CharField(max_length=120, primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
                ("says", models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name="ItemsetRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("items", models.CharField(max_length=255)),
                ("size", models.PositiveSmallIntegerField(verbose_name="items")),
                ("n", models.PositiveBigIntegerField()),
                ("support", models.FloatField()),
                ("support_se", models.FloatField()),
                ("support_low", models.FloatField(null=True)),
                ("support_high", models.FloatField(null=True)),
                ("few_rows", models.BooleanField(default=False)),
                ("stratified", models.FloatField(null=True)),
                ("stratified_se", models.FloatField(null=True)),
                ("pooled", models.FloatField(null=True)),
                ("pooled_se", models.FloatField(null=True)),
                ("direct", models.FloatField(null=True)),
                ("direct_se", models.FloatField(null=True)),
                ("protected", models.FloatField(null=True)),
                ("protected_se", models.FloatField(null=True)),
                ("truth", models.FloatField(null=True)),
                ("error", models.FloatField()),
            ],
            options={"verbose_name": "itemset", "verbose_name_plural": "itemsets"},
        ),
        migrations.CreateModel(
            name="LogInFailures",
            fields=[
                ("key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("name", models.CharField(blank=True, db_index=True, max_length=64)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("most", models.PositiveSmallIntegerField()),
                ("until", models.DateTimeField()),
            ],
            options={"verbose_name_plural": "log-in failures"},
        ),
        migrations.CreateModel(
            name="RuleRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("antecedent", models.CharField(max_length=255)),
                ("consequent", models.CharField(max_length=255)),
                ("antecedent_size", models.PositiveSmallIntegerField()),
                ("consequent_size", models.PositiveSmallIntegerField()),
                ("n", models.PositiveBigIntegerField()),
                ("few_rows", models.BooleanField(default=False, verbose_name="few rows")),
                ("support", models.FloatField(null=True)),
                ("support_se", models.FloatField(null=True)),
                ("support_low", models.FloatField(null=True)),
                ("support_high", models.FloatField(null=True)),
                ("confidence", models.FloatField(null=True)),
                ("confidence_se", models.FloatField(null=True)),
                ("confidence_low", models.FloatField(null=True)),
                ("confidence_high", models.FloatField(null=True)),
                ("lift", models.FloatField(null=True)),
                ("lift_se", models.FloatField(null=True)),
                ("lift_low", models.FloatField(null=True)),
                ("lift_high", models.FloatField(null=True)),
                ("leverage", models.FloatField(null=True)),
                ("leverage_se", models.FloatField(null=True)),
                ("leverage_low", models.FloatField(null=True)),
                ("leverage_high", models.FloatField(null=True)),
                ("conviction", models.FloatField(null=True)),
                ("conviction_se", models.FloatField(null=True)),
                ("conviction_low", models.FloatField(null=True)),
                ("conviction_high", models.FloatField(null=True)),
                ("truth", models.FloatField(null=True)),
                ("truth_antecedent", models.FloatField(null=True)),
                ("truth_consequent", models.FloatField(null=True)),
                ("error", models.FloatField(null=True)),
            ],
            options={"verbose_name": "rule", "verbose_name_plural": "rules"},
        ),
        migrations.CreateModel(
            name="StaffPreference",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="staff_preference",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("is_expert", models.BooleanField(default=False)),
                ("has_seen_way", models.BooleanField(default=False)),
            ],
        ),
        migrations.CreateModel(
            name="AuthenticatorApp",
            fields=[],
            options={"proxy": True, "indexes": [], "constraints": []},
            bases=("otp_totp.totpdevice",),
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("made_on", models.DateField()),
                ("until", models.DateField()),
                ("used_on", models.DateField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ("-made_on", "-pk")},
        ),
        migrations.CreateModel(
            name="DrawingKey",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("key", models.BinaryField(max_length=32)),
                ("mark", models.CharField(max_length=8)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="surveys_drawingkey_one")
                ]
            },
        ),
        migrations.CreateModel(
            name="ItemsetInference",
            fields=[
                (
                    "itemset",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="inference",
                        serialize=False,
                        to="surveys.itemsetrow",
                    ),
                ),
                ("low", models.FloatField(null=True)),
                ("high", models.FloatField(null=True)),
                ("maximal", models.BooleanField()),
                ("closed", models.BooleanField()),
                ("groups_p_value", models.FloatField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("mine", "mine"), ("audit", "audit")], default="mine", max_length=16
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "queued"),
                            ("running", "running"),
                            ("finished", "finished"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                        ],
                        default="queued",
                        max_length=16,
                        verbose_name="state",
                    ),
                ),
                ("fence", models.PositiveIntegerField(default=0)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("stage", models.CharField(blank=True, max_length=32)),
                ("done", models.PositiveBigIntegerField(default=0)),
                ("total", models.PositiveBigIntegerField(default=0)),
                ("message", models.TextField(blank=True)),
                ("created_at", models.DateTimeField()),
                ("sends", models.PositiveSmallIntegerField(default=0)),
                ("send_due_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "requested_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="MixerKey",
            fields=[
                ("name", models.BinaryField(max_length=16, primary_key=True, serialize=False)),
                ("public", models.BinaryField(max_length=32)),
                ("version_id", models.BigIntegerField(null=True)),
                ("mixer", models.CharField(max_length=32)),
                ("current", models.BooleanField()),
                ("drawn_at", models.DateTimeField()),
                ("vouched_until", models.DateTimeField()),
                ("unnamed_at", models.CharField(blank=True, default="", max_length=32)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("current", True)),
                        fields=("version_id",),
                        name="surveys_mixerkey_one_of_design",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("current", True), ("version_id", None)),
                        fields=("current",),
                        name="surveys_mixerkey_one_shared",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="ProviderAccount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("issuer", models.CharField(max_length=200)),
                ("subject", models.CharField(max_length=255)),
                ("bound_on", models.DateField()),
                ("allowed_by", models.CharField(blank=True, default="", max_length=150)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="provider_account",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RuleInference",
            fields=[
                (
                    "rule",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="inference",
                        serialize=False,
                        to="surveys.rulerow",
                    ),
                ),
                ("p_value", models.FloatField()),
                ("p_adjusted", models.FloatField()),
                ("passes", models.BooleanField()),
                ("confidence_p_value", models.FloatField(null=True)),
                ("confidence_p_adjusted", models.FloatField(null=True)),
                ("confidence_low", models.FloatField(null=True)),
                ("confidence_high", models.FloatField(null=True)),
                ("lift_low", models.FloatField(null=True)),
                ("lift_high", models.FloatField(null=True)),
                ("redundant_by", models.CharField(blank=True, max_length=255)),
                ("flips", models.PositiveBigIntegerField(null=True)),
                ("maximal", models.BooleanField(default=False)),
                ("interest", models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("design_id", models.CharField(max_length=64, verbose_name="digest of the design")),
                ("parameters", models.JSONField(verbose_name="parameters")),
                ("first_batch", models.BigIntegerField(blank=True, null=True)),
                ("last_batch", models.BigIntegerField(blank=True, null=True)),
                ("batches", models.PositiveIntegerField(default=0)),
                ("snapshot_digest", models.CharField(max_length=64, verbose_name="digest of the snapshot")),
                ("engine", models.CharField(blank=True, max_length=120, verbose_name="engine")),
                ("n", models.PositiveBigIntegerField(blank=True, null=True)),
                ("n_direct", models.PositiveBigIntegerField(blank=True, null=True)),
                ("n_protected", models.PositiveBigIntegerField(blank=True, null=True)),
                ("duration_seconds", models.FloatField(blank=True, null=True, verbose_name="seconds")),
                (
                    "code_version",
                    models.CharField(blank=True, max_length=64, verbose_name="version of the program"),
                ),
                ("summary", models.JSONField(default=dict)),
                (
                    "audit_job",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="audited",
                        to="surveys.job",
                    ),
                ),
                (
                    "job",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="run", to="surveys.job"
                    ),
                ),
            ],
            options={"verbose_name": "run", "verbose_name_plural": "runs", "ordering": ("-pk",)},
        ),
        migrations.AddField(
            model_name="rulerow",
            name="run",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="rules", to="surveys.run"
            ),
        ),
        migrations.CreateModel(
            name="PartCounts",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first_batch", models.BigIntegerField()),
                ("last_batch", models.BigIntegerField()),
                ("digest", models.CharField(max_length=64)),
                ("n", models.PositiveBigIntegerField()),
                ("n_direct", models.PositiveBigIntegerField()),
                ("counts", models.BinaryField()),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="part_counts",
                        to="surveys.run",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="itemsetrow",
            name="run",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="itemsets", to="surveys.run"
            ),
        ),
        migrations.CreateModel(
            name="StaffSession",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("begun_at", models.DateTimeField()),
                ("used_at", models.DateTimeField()),
                ("browser", models.CharField(blank=True, max_length=40)),
                (
                    "session",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="staff",
                        to="sessions.session",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="staff_sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ("-used_at", "-pk")},
        ),
        migrations.CreateModel(
            name="Survey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(unique=True, verbose_name="address")),
                ("title", models.JSONField(verbose_name="title")),
                ("practice", models.BooleanField(default=False, verbose_name="practice")),
                ("by_invitation", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("planned", "planned"),
                            ("open", "open"),
                            ("closed", "closed"),
                        ],
                        default="draft",
                        max_length=8,
                        verbose_name="state",
                    ),
                ),
                ("definition", models.JSONField()),
                ("aim", models.JSONField(blank=True, null=True, verbose_name="aim")),
                ("revision", models.PositiveIntegerField(default=0)),
                ("saved_at", models.DateTimeField(blank=True, null=True)),
                ("saved_by", models.CharField(blank=True, max_length=150)),
                ("time_zone", models.CharField(default="UTC", max_length=64)),
                ("opens_at", models.DateTimeField(blank=True, null=True)),
                ("closes_at", models.DateTimeField(blank=True, null=True)),
                ("opened_at", models.DateTimeField(blank=True, null=True, verbose_name="opened at")),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed at")),
                ("delete_at", models.DateTimeField(blank=True, null=True, verbose_name="deleted at")),
                (
                    "accepts_until",
                    models.DateTimeField(blank=True, null=True, verbose_name="accepts sealed answers until"),
                ),
                ("settled", models.BooleanField(default=False, verbose_name="settled")),
                ("rows_lost", models.PositiveIntegerField(blank=True, null=True)),
                ("rows_too_few", models.PositiveIntegerField(blank=True, null=True)),
                ("known_truth", models.JSONField(blank=True, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="surveys",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"verbose_name": "survey", "verbose_name_plural": "surveys", "ordering": ("slug",)},
        ),
        migrations.CreateModel(
            name="SharedPage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(choices=[("results", "Results"), ("risk", "Risk")], max_length=8)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("made_by", models.CharField(max_length=150)),
                ("made_at", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "run",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shared",
                        to="surveys.run",
                    ),
                ),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shared",
                        to="surveys.survey",
                    ),
                ),
            ],
            options={"ordering": ("-made_at", "-pk")},
        ),
        migrations.AddField(
            model_name="run",
            name="survey",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="runs",
                to="surveys.survey",
                verbose_name="survey",
            ),
        ),
        migrations.CreateModel(
            name="Receipt",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "survey_id", "key", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("key", models.BinaryField(max_length=32)),
                ("digest", models.BinaryField(max_length=32, null=True)),
                ("fresh", models.BooleanField(default=False)),
                (
                    "survey",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="receipts",
                        to="surveys.survey",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DraftRevision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("revision", models.PositiveIntegerField()),
                ("definition", models.JSONField()),
                ("pasted", models.TextField(blank=True)),
                ("begun_at", models.DateTimeField()),
                ("saved_at", models.DateTimeField()),
                ("saved_by", models.CharField(max_length=150)),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="draft_revisions",
                        to="surveys.survey",
                    ),
                ),
            ],
            options={"ordering": ("-revision",)},
        ),
        migrations.CreateModel(
            name="Verdict",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "opinion",
                    models.CharField(
                        choices=[
                            ("accepted", "accepted"),
                            ("rejected", "rejected"),
                            ("reviewed", "undecided"),
                        ],
                        max_length=8,
                    ),
                ),
                ("note", models.TextField(blank=True)),
                ("by", models.CharField(max_length=150)),
                ("at", models.DateTimeField()),
                (
                    "rule",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="verdicts",
                        to="surveys.rulerow",
                    ),
                ),
            ],
            options={"ordering": ("-pk",)},
        ),
        migrations.CreateModel(
            name="Version",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("design", models.JSONField(verbose_name="design")),
                ("design_id", models.CharField(max_length=64, verbose_name="digest of the design")),
                ("wording", models.JSONField(verbose_name="wording")),
                ("wording_id", models.CharField(max_length=64, verbose_name="digest of the wording")),
                ("definition", models.JSONField(verbose_name="definition")),
                ("aim", models.JSONField(blank=True, null=True, verbose_name="aim")),
                ("published_at", models.DateTimeField(verbose_name="published at")),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="versions",
                        to="surveys.survey",
                        verbose_name="survey",
                    ),
                ),
            ],
            options={
                "verbose_name": "version",
                "verbose_name_plural": "versions",
                "ordering": ("survey", "number"),
            },
        ),
        migrations.AddField(
            model_name="run",
            name="version",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="runs",
                to="surveys.version",
                verbose_name="version",
            ),
        ),
        migrations.CreateModel(
            name="PublishOverride",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.TextField()),
                ("by", models.CharField(max_length=150)),
                ("at", models.DateTimeField()),
                ("findings", models.JSONField()),
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="override",
                        to="surveys.version",
                    ),
                ),
            ],
            options={"ordering": ("-pk",)},
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Inbox",
                    fields=[
                        ("key", models.BinaryField(max_length=16, primary_key=True, serialize=False)),
                        ("sealed_under", models.BinaryField(max_length=16)),
                        ("box", models.BinaryField()),
                        (
                            "version",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="surveys.version",
                            ),
                        ),
                    ],
                    options={"verbose_name_plural": "inbox"},
                )
            ],
            database_operations=[
                RunSQLByVendor(INBOX, {vendor: ["DROP TABLE surveys_inbox"] for vendor in INBOX})
            ],
        ),
        migrations.CreateModel(
            name="Batch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("n", models.PositiveIntegerField()),
                ("n_direct", models.PositiveIntegerField()),
                ("packed", models.BinaryField()),
                ("digest", models.CharField(max_length=64)),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batches",
                        to="surveys.version",
                    ),
                ),
            ],
            options={"verbose_name_plural": "batches", "ordering": ("pk",)},
        ),
        migrations.CreateModel(
            name="Wave",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("series", models.CharField(db_index=True, max_length=50)),
                (
                    "survey",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="wave", to="surveys.survey"
                    ),
                ),
            ],
            options={"ordering": ("pk",)},
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(
                condition=models.Q(("state__in", ("queued", "running"))),
                fields=["state", "send_due_at"],
                name="job_unfinished",
            ),
        ),
        migrations.AddConstraint(
            model_name="provideraccount",
            constraint=models.UniqueConstraint(fields=("issuer", "subject"), name="one_account_a_subject"),
        ),
        migrations.AddConstraint(
            model_name="rulerow",
            constraint=models.UniqueConstraint(
                fields=("run", "antecedent", "consequent"), name="rule_once_a_run"
            ),
        ),
        migrations.AddConstraint(
            model_name="partcounts",
            constraint=models.UniqueConstraint(fields=("run", "first_batch"), name="part_once_a_run"),
        ),
        migrations.AddConstraint(
            model_name="itemsetrow",
            constraint=models.UniqueConstraint(fields=("run", "items"), name="itemset_once_a_run"),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AddIndex(
                    model_name="receipt",
                    index=models.Index(
                        condition=models.Q(("fresh", True)), fields=["survey"], name="surveys_receipt_fresh"
                    ),
                )
            ],
            database_operations=[RunSQLByVendor(RECEIPT, {"sqlite": [], "postgresql": []})],
        ),
        migrations.AddConstraint(
            model_name="draftrevision",
            constraint=models.UniqueConstraint(fields=("survey", "revision"), name="draft_revision_once"),
        ),
        migrations.AddIndex(
            model_name="verdict", index=models.Index(fields=["rule", "id"], name="verdict_by_rule")
        ),
        migrations.AddIndex(
            model_name="version", index=models.Index(fields=["design_id"], name="version_by_design")
        ),
        migrations.AddConstraint(
            model_name="version",
            constraint=models.UniqueConstraint(fields=("survey", "number"), name="version_number_once"),
        ),
        RunSQLByVendor(
            {
                "sqlite": [statements["sqlite"] for statements in TRIGGERS],
                "postgresql": [REFUSE, *(statements["postgresql"] for statements in TRIGGERS)],
            },
            {"sqlite": [], "postgresql": ["DROP FUNCTION surveys_refuse CASCADE"]},
        ),
        migrations.RunPython(create_rows, delete_rows),
    ]
