"""A survey with composite questions, from devices to every page and file."""

import csv
import html
import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from mining.thresholds import Thresholds
from privacy.survey.design import Design
from surveys.models import ItemsetRow, Run
from surveys.report.export.variables import variables_of
from surveys.respondent.client_documents import documents_of
from surveys.runs.opening_figures import stored_bases
from tests.fixtures import exports
from tests.fixtures.composite_drafts import (
    composite_document,
    screened_bodies,
    screened_people,
    screening_document,
)
from tests.fixtures.devices import published, stored
from tests.fixtures.runs import audited_run, mined_run
from tests.fixtures.scenes import scene
from tests.fixtures.staff import seen_by
from tests.site.test_all_kinds import find_run, pages_of
from tests.surveys.accounts.test_token_requests import DOCUMENT, schema_of, wrong_in

pytestmark = pytest.mark.django_db

N = 400
NEVER_SENT = "Computed on each device from 10 questions that are never sent."
LEVELS = "Yes means yes to at least one of these questions."
GAPS = "Up to 2 empty answers count as no. With more, the whole part is sent as “Prefer not to say”."


@scene(find_run)
def analysed(thresholds: Thresholds) -> Run:
    version = published(screening_document(practice=True))
    stored(version, screened_bodies(version.to_design(), N))
    found = mined_run(version, thresholds)
    audited_run(found)
    return find_run(found.pk)


@pytest.fixture
def run() -> Run:
    return analysed(Thresholds(support=0.05, max_size=2))


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(seen_by(User.objects.create_superuser("dora")))
    return client


def unpacked(response: HttpResponse) -> dict[str, str]:
    """Return the text files of an archive."""
    content = b"".join(response.streaming_content) if response.streaming else response.content  # type: ignore[attr-defined]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if not name.endswith(".parquet")]
        return {name.rpartition("/")[2]: archive.read(name).decode("utf-8-sig") for name in names}


@pytest.mark.soak
def test_the_share_of_people_with_any_act_is_estimated(run: Run) -> None:
    item = run.version.to_design().item("any").index
    (row,) = ItemsetRow.objects.filter(run=run, items=f",{item},")
    truth = sum(any(person["any-part"]["any"].values()) for person in screened_people(N)) / N
    assert row.support_low is not None
    assert row.support_high is not None
    assert row.support_low < truth < row.support_high


@pytest.mark.soak
@pytest.mark.slow
def test_every_page_opens(run: Run, reader: Client) -> None:
    pages = pages_of(run)
    assert len(pages) > 30
    status = {name: reader.get(address).status_code for name, address in pages.items()}
    # Some accept only POST, some are for questions that this survey lacks, one needs a file of weights.
    # The draft of a survey that was published is not deleted.
    assert status.pop("authoring:delete") == 409
    assert {name: code for name, code in status.items() if code not in (200, 302, 404, 405, 422)} == {}


@pytest.mark.parametrize("name", ["report:results", "report:printed", "report:paper", "audit:risk"])
@pytest.mark.few("report:paper", "audit:risk", why="what a board and a reader see")
def test_pages_say_what_was_computed_and_never_sent(run: Run, reader: Client, name: str) -> None:
    text = reader.get(pages_of(run)[name]).content.decode()
    for sentence in (NEVER_SENT, "Component act1?", LEVELS, GAPS):
        assert sentence in text, sentence
    # Paper cannot be unfolded.
    is_on_paper = name in ("report:printed", "audit:risk")
    assert (f"<details open>\n  <summary>{NEVER_SENT}" in text) is is_on_paper
    assert "Further shares are of the people at or above “contact?”." in text
    assert "The openly asked question “sex?” adds points: woman?: 1 point. So this rule" in text


@pytest.mark.soak
def test_the_share_among_people_with_contact_is_stored_and_shown(run: Run, reader: Client) -> None:
    (share,) = stored_bases(run, "bribe").values()
    people = [person["bribe-part"]["bribe"] for person in screened_people(N)]
    contact = [own for own in people if own["contact"]]
    truth = sum(own["asked"] or own["paid"] for own in contact) / len(contact)
    assert share.low < truth < share.high
    for name in ("report:results", "report:printed"):
        text = reader.get(pages_of(run)[name]).content.decode()
        assert "Of the people at or above “contact?”:" in text
    paper = html.unescape(reader.get(pages_of(run)["report:paper"]).content.decode())
    figure = f"“bribe?” {100 * share.value:.0f} of 100 ({100 * share.low:.0f} to {100 * share.high:.0f})"
    assert f"“bribe?”, of the people at or above “contact?”: {figure}." in paper
    assert "“bribe？”：在达到或高于“contact？”的人中，" in paper
    summary = run.summary
    summary["results"]["bases"]["bribe"]["bribe"]["estimable"] = False
    run.summary = summary
    run.save()
    text = reader.get(pages_of(run)["report:results"]).content.decode()
    assert re.search(r"<li>bribe\? ?: <span class=\"tag tag--warn\">too few answers to say", text)
    paper = html.unescape(reader.get(pages_of(run)["report:paper"]).content.decode())
    assert "of the people at or above “contact?”: “bribe?” " not in paper
    del summary["results"]["bases"]
    run.summary = summary
    assert stored_bases(run, "bribe") == {}, "runs of earlier versions have none"


@pytest.mark.soak
def test_the_paper_states_points_and_conditions_of_components(run: Run, reader: Client) -> None:
    text = html.unescape(reader.get(pages_of(run)["report:paper"]).content.decode())
    assert "They were: “Component drink1?” (o0?: 0 points; o1?: 1 point;" in text
    assert "“Component asked?” – only if “Component contact?” = yes" in text
    assert "“Component drink1？” (o0？：0 分；" in text
    assert "[contact]" not in text


@pytest.mark.soak
def test_pages_say_it_in_chinese_too(run: Run, reader: Client) -> None:
    text = reader.get(pages_of(run)["report:results"].replace("/en/", "/zh-hans/")).content.decode()
    assert "这个答案由每部设备根据 10 个从未发送的问题算出。" in text
    assert "Computed on each device" not in text


def test_the_export_states_the_rule_in_codebook_readme_and_design(run: Run, reader: Client) -> None:
    answer = reader.post(reverse("export:data", args=[run.survey.slug]), {"run": run.pk}, follow=True)
    files = unpacked(answer)
    header, *rows = files["codebook.csv"].splitlines()
    assert "computed" in header.split(",")
    assert any(row.startswith("any,") and NEVER_SENT in row and GAPS in row for row in rows)
    assert not any(row.startswith("sex,") and "Computed" in row for row in rows)
    for name in ("README.md", "codebook.xml"):
        assert NEVER_SENT in files[name], name
    assert "no one can compute the following: the share of one of these questions" in files["README.md"]
    assert Design.from_json(json.loads(files["design.json"])) == run.version.to_design()
    assert "act1" not in files["rows.csv"]


@pytest.mark.soak
def test_the_export_holds_the_shares_of_people_at_or_above_a_base(run: Run, reader: Client) -> None:
    def exported() -> dict[str, str]:
        answer = reader.post(reverse("export:data", args=[run.survey.slug]), {"run": run.pk}, follow=True)
        return unpacked(answer)

    files = exported()
    (line,) = csv.DictReader(files["bases.csv"].splitlines())
    (share,) = stored_bases(run, "bribe").values()
    assert (line["question"], line["base"], line["answer"]) == ("bribe", "contact", "bribe")
    figures = [float(line[name]) for name in ("share", "standard_error", "low", "high")]
    assert figures == [share.value, share.standard_error, share.low, share.high]
    assert line["estimable"] == "1"
    read = json.loads(b"".join(reader.get(f"/en/staff/runs/{run.pk}/rules.json").streaming_content))
    assert list(wrong_in(read, schema_of("/runs/{run_id}/rules.{ending}"), DOCUMENT)) == []
    (record,) = read["of_base"]
    assert [record[name] for name in ("question", "base", "answer")] == ["bribe", "contact", "bribe"]
    assert [record[name] for name in ("share", "standard_error", "low", "high")] == figures
    assert (record["n"], record["level"]) == (share.n, 0.95)
    assert "run/bases.csv" in files["README.md"]
    summary = run.summary
    summary["results"]["bases"]["bribe"]["bribe"]["estimable"] = False
    run.summary = summary
    run.save()
    (line,) = csv.DictReader(exported()["bases.csv"].splitlines())
    assert [line[name] for name in ("share", "low", "high", "estimable")] == ["", "", "", "0"]
    summary["results"]["bases"] = {}
    run.summary = summary
    run.save()
    files = exported()
    assert "bases.csv" not in files
    assert "run/bases.csv" not in files["README.md"]


@pytest.mark.soak
def test_the_pack_for_an_ethics_board_lists_the_components(run: Run, reader: Client) -> None:
    answer = reader.post(pages_of(run)["export:documents"], {"kind": "ethics"})
    files = unpacked(answer)
    for name in ("questionnaire-en.md", "risk.html"):
        assert NEVER_SENT in files[name]
        assert "Component act10?" in files[name]
    assert "Component act10？" in files["questionnaire-zh-hans.md"]


def test_client_documents_hold_the_texts_in_the_order_of_the_design(run: Run) -> None:
    documents = documents_of(run.version)
    words = json.loads(documents.words_in("zh-hans"))
    design = json.loads(documents.definition)["design"]
    (asked,) = words["blocks"][2]["questions"]
    (question,) = design["blocks"][2]["questions"]
    keys = [component["key"] for component in question["computed"]["components"]]
    assert keys == [f"act{number}" for number in range(1, 11)]
    assert asked["components"][9] == {"text": "Component act10？", "help": "", "options": []}
    assert "Component" not in json.dumps(design)


@pytest.mark.soak
def test_the_bias_by_slips_stands_next_to_the_figure(run: Run, reader: Client) -> None:
    clause = "9.6 of 100 people for whom nothing in “any?” is true are still counted."
    for name in ("report:results", "report:printed"):
        text = reader.get(pages_of(run)[name]).content.decode()
        assert text.count(clause) == 1
        assert f"{clause} The figure is not corrected for this." in text
    paper = html.unescape(reader.get(pages_of(run)["report:paper"]).content.decode())
    assert f"{clause} The shares are not corrected for this." in paper
    assert clause in reader.get(pages_of(run)["audit:risk"]).content.decode()
    assert clause in reader.get(pages_of(run)["authoring:plan"]).content.decode()


@pytest.mark.soak
def test_every_page_that_lists_questions_says_which_are_computed(run: Run, reader: Client) -> None:
    for name in ("report:survey", "report:about", "authoring:plan", "authoring:made_up"):
        text = reader.get(pages_of(run)[name]).content.decode()
        assert NEVER_SENT in text, name


@pytest.mark.soak
def test_the_paper_says_how_many_questions_were_not_asked_themselves(run: Run, reader: Client) -> None:
    paper = html.unescape(reader.get(pages_of(run)["report:paper"]).content.decode())
    assert "4 of the protected questions were not asked themselves: respondents answered 21 other" in paper
    assert paper.count("Only this answer is sent, so no one can compute") == 2
    assert "受保护的问题中有 4 个并不直接提问" in paper


@pytest.mark.soak
def test_the_questionnaire_of_a_language_has_our_words_in_that_language(run: Run, reader: Client) -> None:
    """Whatever language the page has that makes the pack."""
    address = reverse("export:documents", args=[run.survey.slug]).replace("/en/", "/zh-hans/")
    files = unpacked(reader.post(address, {"kind": "ethics"}))
    assert "Disguised on the respondent’s device." in files["questionnaire-en.md"]
    assert NEVER_SENT in files["questionnaire-en.md"]
    assert (
        "no one can compute the following: the share of one of these questions"
        in files["questionnaire-en.md"]
    )
    assert "这个答案由每部设备根据 10 个从未发送的问题算出。" in files["questionnaire-zh-hans.md"]


def test_labels_of_statistics_programs_begin_with_computed(run: Run) -> None:
    variables = variables_of(run.version, run.version.to_design(), with_group=False, language="en")
    labels = {variable.column: variable.marked_label for variable in variables}
    assert labels["any"] == "Disguised, computed: any?"
    assert labels["sex"] == "sex?"


def test_the_board_reads_that_a_screen_shows_them_and_that_follow_ups_take_time(
    run: Run, reader: Client
) -> None:
    text = html.unescape(reader.get(pages_of(run)["audit:risk"]).content.decode())
    assert (
        "21 questions are never sent and never stored, but someone who watches the screen sees their" in text
    )
    assert "“bribe?” asks follow-ups only after some answers. With " in text
    version = published(composite_document("AUDIT"))
    text = reader.get(reverse("audit:risk", args=[version.survey.slug])).content.decode()
    assert "10 questions are never sent" in text
    assert "asks follow-ups" not in text


@pytest.mark.soak
def test_the_preregistration_fixes_the_rules_in_english(run: Run, reader: Client) -> None:
    address = reverse("export:documents", args=[run.survey.slug])
    given = {
        "kind": "preregistration",
        "planned": "400",
        "support": "0.05",
        "confidence": "0.3",
        "max_size": "2",
        "expected": "None",
    }
    for path in (address, address.replace("/en/", "/zh-hans/")):
        answer = reader.post(path, given)
        assert answer.status_code == 200
        text = answer.content.decode()
        assert f"- `any`: {NEVER_SENT}" in text
        assert LEVELS in text
        assert GAPS in text


@pytest.mark.soak
def test_the_reporting_checklist_names_the_rules(run: Run, reader: Client) -> None:
    paper = html.unescape(reader.get(pages_of(run)["report:paper"]).content.decode())
    assert "How devices computed answers: questions, points, cut-offs, gaps, and slips" in paper


@pytest.mark.soak
def test_the_script_of_an_export_computes_the_shares_of_a_base_again(tmp_path: Path) -> None:
    """Changed figures are noticed; without rules, which other tests compute, the script is quick."""
    folder = exports.unpacked(analysed(Thresholds(support=0.05, max_size=1)), tmp_path)
    done = exports.script(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    compared = re.findall(r"^bases +(\w+) +(\S+)", done.stdout, re.MULTILINE)
    assert {name for name, _worst in compared} == {
        "share", "share_unclipped", "standard_error", "low", "high", "n",
    }  # fmt: skip
    # To the last digits: the ends of intervals are found by searches of their own.
    assert max(float(worst) for _name, worst in compared) < 1e-9
    file = folder / "run" / "bases.csv"
    (line,) = exports.records(file)
    text, changed = file.read_text(encoding="utf-8"), {"share", "low", "high", "standard_error"}
    for name in changed:
        text = text.replace(line[name], str(float(line[name]) * (1 + 1e-7)))
    file.write_text(text, encoding="utf-8")
    done = exports.script(folder)
    assert done.returncode == 1
    # The script names each changed column, and no other. The unclipped share is the same number as the share.
    changed |= {"share_unclipped"}
    assert {*re.findall(r"^bases +(\w+) .*DIFFERS$", done.stdout, re.MULTILINE)} == changed
    assert done.stdout.count("DIFFERS") == len(changed)
