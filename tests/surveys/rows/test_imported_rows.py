from __future__ import annotations

import random
import zipfile
from pathlib import Path

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone

from privacy.survey.design import Design
from privacy.survey.layout import Layout
from surveys.doctor.diagnosis import CheckContext, Severity
from surveys.export.package import data_export
from surveys.management.commands.doctor import CHECKS
from surveys.models import AuditEvent, Run, Version
from surveys.rows.imported_rows import impossible_imports, surveys_with_impossible_imports
from tests.cast.devices import closed, published, stored
from tests.cast.drawn_exports import body_of, three_of_eight
from tests.cast.exports import script, unpacked
from tests.cast.runs import alice, mined

pytestmark = pytest.mark.django_db
SAID = "Some rows were imported wrongly"
CONTEXT = CheckContext(address=None, client_digest=None, now=timezone.now())


def bodies(design: Design, n: int, seed: int) -> list[bytes]:
    rng = random.Random(seed)
    return [body for _ in range(n) if (body := body_of(design, rng)) is not None]


def as_once_imported(design: Design, rows: list[bytes]) -> list[bytes]:
    """What earlier releases stored of rows: whoever skipped a part was asked all of it."""
    layout = Layout(design)
    bits = np.unpackbits(np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(len(rows), -1), axis=1)
    for number, block in enumerate(design.blocks):
        refusal_bit = layout.refusal_bit(number)
        if refusal_bit is not None:
            first = design.first_questions[number]
            for position in range(first, first + len(block.questions)):
                bits[bits[:, refusal_bit] == 1, layout.presence_bit(position)] = 1
    return [row.tobytes() for row in np.packbits(bits, axis=1)]


def survey(slug: str, *, wrong: bool, n: int = 400) -> Version:
    version = published(three_of_eight(slug))
    design = version.to_design()
    rows = bodies(design, n, seed=5)
    stored(version, as_once_imported(design, rows) if wrong else rows)
    AuditEvent(at=timezone.now(), actor="alice", action="rows_import", target=slug).save()
    return closed(version)


def test_rows_that_earlier_releases_imported_are_counted_and_others_are_not() -> None:
    wrong = survey("wrong", wrong=True)
    right = survey("right", wrong=False)
    design = wrong.to_design()
    layout = Layout(design)
    skipped = sum(any(layout.unpack(body).refused) for body in bodies(design, 400, seed=5))
    assert skipped > 25
    assert (impossible_imports(wrong), impossible_imports(right)) == (skipped, 0)
    assert list(surveys_with_impossible_imports()) == [("wrong", skipped)]


def test_what_devices_sent_here_is_not_read() -> None:
    version = published(three_of_eight("here"))
    stored(version, as_once_imported(version.to_design(), bodies(version.to_design(), 100, seed=5)))
    assert impossible_imports(version) == 0


def test_doctor_and_upgrade_check_name_such_surveys() -> None:
    (check,) = [check for check in CHECKS if check.__name__ == "imported_rows_could_be_sent"]
    (sound,) = check(CONTEXT)
    assert sound.level is Severity.OK
    survey("wrong", wrong=True)
    (finding,) = check(CONTEXT)
    assert finding.level is Severity.ERROR
    assert "wrong (" in finding.seen
    assert "asked:BLOCK" in finding.remedy


@pytest.mark.parametrize("wrong", [True, False])
def test_a_report_names_what_was_imported_wrongly_and_accuses_no_respondent(
    wrong: bool, tmp_path: Path
) -> None:
    reader = Client()
    reader.force_login(alice())
    run: Run = mined(survey("imported", wrong=wrong, n=1_500))
    # Rows of too many questions look to the test as if the respondents had chosen.
    assert any(test["rejects"] for test in run.summary["draws"]) is wrong
    for page in ("results", "about"):
        html = reader.get(f"/en/staff/runs/{run.pk}/{page}/").content.decode()
        assert (SAID in html) is wrong
        assert "Something beside chance decided" not in html
    path = tmp_path / "export.zip"
    with path.open("w+b") as out:
        data_export(run, out, by=None, now=timezone.now())
    readme = zipfile.ZipFile(path).read("README.md").decode()
    assert ("of these rows were imported wrongly" in readme) is wrong


@pytest.mark.soak
@pytest.mark.parametrize("wrong", [True, False])
def test_the_script_starts_from_the_same_rows_and_says_so(wrong: bool, tmp_path: Path) -> None:
    done = script(unpacked(mined(survey("imported", wrong=wrong, n=1_500)), tmp_path))
    assert ("of the rows are such as no device sends" in done.stdout) is wrong
