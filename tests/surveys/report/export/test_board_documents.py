"""Documents before data collection: a fixed plan, and a self-contained pack for an ethics board."""

import io
import json
import zipfile

import pytest
from django.test import Client

from mining.family import rule_family
from mining.thresholds import Sides
from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.intake.expired_receipts import SERVES_FOR
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.draft import draft_read
from tests.fixtures.checked_surveys import unprotected
from tests.fixtures.devices import shipped_definition
from tests.fixtures.runs import definition, published
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db
PATH = "/en/staff/surveys/habits/documents/"
PLAN = {
    "kind": "preregistration", "expected": "Those who are late *cheat* more.", "planned": "1200",
    "support": "0.05", "confidence": "0.3", "max_size": "3",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _ada(client: Client) -> None:
    client.force_login(member("ada", Role.ADMINISTRATOR))


def pack(client: Client, language: str = "en") -> dict[str, str]:
    """Return the files for an ethics board."""
    answer = client.post(PATH.replace("/en/", f"/{language}/"), {"kind": "ethics"})
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_a_draft_plan_contains_digest_family_and_thresholds(client: Client) -> None:
    times = {"time_zone": "Asia/Shanghai", "closes_at": "2027-06-01T12:00", "delete_on": "2027-09-01"}
    survey = survey_import(definition() | times, by="alice")
    survey.aim = Aim(people=400, wanted=("late", "cheat")).to_json()
    survey.save()
    answer = client.post(PATH, PLAN)
    assert (
        answer.headers["Content-Disposition"] == 'attachment; filename="sottovoce-habits-preregistration.md"'
    )
    text = answer.content.decode()
    document = draft_read(survey).definition
    assert document is not None
    tests = rule_family(document.design, Sides(), 3, ordered=False).total
    for said in (
        document.design.design_id, document.wording_id, "draft",
        "End of data collection: 2027-06-01 04:00 UTC",
        "Those who are late *cheat* more.",
        "Planned number of answers: 1,200", "support of 0.05", "confidence of 0.3", "at most 3 items",
        "least share of those concerned in the group with", "if up to 10, 25 and 50 of 100 denied it",
        f"{tests} tests of lift", "corrected by Benjamini–Yekutieli", "used to find and to test rules",
        "60 times in 100, the device sends", "Have you cheated?",
        "Planned precision: 1,200 answers: “Are you often late?” ±",
        "if “Have you cheated?” is", "points more common among people with “Are you often late?”.",
    ):  # fmt: skip
        assert said in text
    assert "after the survey had opened" not in text
    readme = pack(client)["README.md"]
    assert "All answers are deleted at the start of 2027-09-01 (Asia/Shanghai)." in readme
    assert "the draft. No one has been asked yet" in readme
    assert client.post(PATH, PLAN | {"planned": "5"}).status_code == 422


@pytest.mark.soak
def test_a_late_plan_states_that_the_survey_was_already_open(client: Client) -> None:
    published()
    for state in ("open", "closed"):
        Survey.objects.update(state=state)
        page = client.get(PATH).content.decode()
        assert "The survey has already opened, so a pre-registration can no longer show" in page
        assert "It fixes the analysis before the first answer" not in page
        assert "<h1>Documents</h1>" in page
        text = client.post(PATH, PLAN).content.decode()
        assert "after the survey had opened" in text
        assert ("End of data collection: the survey is closed" in text) is (state == "closed")


@pytest.mark.soak
def test_the_ethics_pack_contains_questions_risk_storage_checks_and_design(client: Client) -> None:
    version = published()
    files = pack(client)
    assert set(files) == {
        "README.md", "risk.html", "processing-record.md", "impact-assessment.md", "accessibility.md",
        "questionnaire-en.md", "checks.md", "design.json",
    }  # fmt: skip
    assert json.loads(files["design.json"]) == version.design
    assert "Have you cheated?" in files["questionnaire-en.md"]
    assert "Below 40" in files["questionnaire-en.md"]
    assert "50:50" in files["risk.html"]
    # HTML in a title is escaped.
    assert "<b>" not in files["risk.html"]
    for said in (
        version.design_id,
        version.wording_id,
        "epsilon of the survey",
        "Storage period: ",
        "no name, device address, time or order",
    ):
        assert said in files["README.md"]
    assert "Warned (survey_epsilon)" in files["checks.md"]


@pytest.mark.soak
def test_findings_of_a_reworded_draft_are_not_reported_for_the_version(client: Client) -> None:
    """The designs are equal, so their digest does not distinguish draft and version."""
    version = published()
    Survey.objects.update(definition={**version.survey.definition, "title": {"en": "Other words"}})
    assert "The draft was changed after" in pack(client)["checks.md"]


@pytest.mark.soak
def test_the_ethics_pack_uses_the_language_of_the_page(client: Client) -> None:
    """Headings, designs and checks are translated; digests and the survey's own texts are not."""
    version = published(policy="protected")
    english, chinese = (pack(client, language) for language in ("en", "zh-hans"))
    assert english.keys() == chinese.keys()
    assert english["design.json"] == chinese["design.json"]
    for name, here, there in (
        ("README.md", "## Stored data", "## 保存什么"),
        ("README.md", "60 times in 100, the device sends", "每 100 台设备中有 60 台"),
        ("README.md", "| Ethics reference |", "| 伦理"),
        ("checks.md", "Warned (survey_epsilon)", "警告 (survey_epsilon)"),
    ):
        assert here in english[name]
        assert there in chinese[name]
        assert here not in chinese[name]
    for files in (english, chinese):
        assert version.design_id in files["README.md"]
        assert "Have you cheated?" in files["questionnaire-en.md"]
        # A questionnaire is in one language, whatever the page's.
        assert "*Disguised on the respondent’s device.*" in files["questionnaire-en.md"]


@pytest.mark.soak
def test_a_plan_states_the_width_of_each_interval_and_omits_an_absent_experiment(client: Client) -> None:
    survey = survey_import(definition(), by="alice")
    text = client.post(PATH, PLAN).content.decode()
    # An even share with p = .6 and theta = .5: 1.96 sqrt(.25 / 1200) / .6.
    assert "- `late`: ±4.8" in text
    assert "The experiment" not in text
    arm = {"key": "told", "kind": "arm", "options": [{"key": key, "share": 5000} for key in "ab"]}
    survey.definition["blocks"].insert(0, unprotected("told", arm))
    survey.definition["invited"] = "told"
    survey.save()
    text = client.post(PATH, PLAN).content.decode()
    assert "For `told`, a hash of the invitation’s code decides instead." in text


OFFICERS = {
    "processing-record": (
        "This is not legal advice.", "article 30 (1)", "## Roles", "C-413/23 P", "4 September 2025",
        "## Consent without a time stamp", "nowhere",
    ),
    "impact-assessment": (
        "This is not legal advice.", "article 35 (7)", "WP216", "### Can a person be singled out?",
        "### Can records of one person be linked?", "### Can an answer be inferred?", "50:50",
        "| 5 (1) c, data minimisation |", "| 35, impact assessment |", "## Remaining risks", "article 36",
    ),
    "accessibility": ("WCAG 2.2", "EN 301 549", "No outside party has audited it", "## Known limits"),
}  # fmt: skip


@pytest.mark.soak
def test_annexes_for_officers_state_survey_facts_in_both_languages(client: Client) -> None:
    published()
    english, chinese = pack(client), pack(client, "zh-hans")
    page = client.get(PATH).content.decode()
    for name, facts in OFFICERS.items():
        text = english[f"{name}.md"]
        for said in facts:
            assert said in text
        # Each document can also be downloaded separately.
        assert f'value="{name}"' in page
        alone = client.post(PATH, {"kind": name})
        assert alone["Content-Disposition"] == f'attachment; filename="sottovoce-habits-{name}.md"'
        assert alone.content.decode() == text
        # Every table row has as many cells as the header, and a non-empty first cell.
        width = 0
        for line in text.splitlines():
            cells = line.strip("|").split("|") if line.startswith("|") else []
            width = width or len(cells) if cells else 0
            assert len(cells) == width, line
            assert all(cell.strip() for cell in cells) or not any(cell.strip() for cell in cells), line
        assert chinese[f"{name}.md"].count("\n#") == text.count("\n#")
        translated = chinese[f"{name}.md"]
        shared = [line for line in text.splitlines() if len(line) > 40 and line in translated]
        assert shared == [], "left in English"


@pytest.mark.parametrize("day", ["2027-09-01", None])
def test_the_annex_states_the_retention_period_and_deletion_day(client: Client, day: str | None) -> None:
    survey_import(definition() | ({"delete_on": day} if day else {}), by="alice")
    files = pack(client)
    assert ("until 2027-09-01" in files["processing-record.md"]) is (day is not None)
    assert ("no day of deletion is set" in files["impact-assessment.md"]) is (day is None)


def test_the_record_states_when_receipts_and_digests_of_codes_are_deleted(client: Client) -> None:
    published()
    text = pack(client)["processing-record.md"]
    assert f"until {SERVES_FOR.days} days after the survey stopped accepting answers" in text


def test_an_experiment_plan_contains_groups_texts_tests_and_expectations(client: Client) -> None:
    survey = survey_import(shipped_definition("templates/experiment"), by="alice")
    survey.aim = Aim(people=5_000, expected={"copied": "deny"}).to_json()
    survey.save()
    text = client.post("/en/staff/surveys/does-it-help/documents/", PLAN).content.decode()
    for said in (
        "By `explanation`: `process` (0.5000), `consequence` (0.5000).",
        "By `group`: `strong` (0.5000), `light` (0.5000).",
        "By `explanation × group`: `process, strong` (0.2500)",
        "Text for `consequence` before the first question: Your “yes” proves nothing",
        "`copied`: people would rather deny it.",
        "one joint test",
    ):
        assert said in text, said


@pytest.mark.soak
def test_the_law_of_china_is_in_the_assessment_of_surveys_in_chinese_alone(client: Client) -> None:
    survey_import(shipped_definition(slug="habits"), by="ada")
    english, chinese = (pack(client, language)["impact-assessment.md"] for language in ("en", "zh-hans"))
    assert "## For China: Personal Information Protection Law" in english
    assert "| 29, 39: separate consent |" in english
    assert "## 中国：个人信息保护法" in chinese
    assert "| 第 55、56 条：影响评估 |" in chinese
    Survey.objects.all().delete()
    survey_import(definition(), by="ada")
    assert "China" not in pack(client)["impact-assessment.md"]
