"""Columns, options and groups of rows that a call cannot use are refused by name."""

import pandas
import pytest

import sottovoce
from mining.frames.answer_kinds import one_of
from mining.frames.column_checks import _MOST_NAMED, value_codes
from mining.frames.survey import Survey
from privacy.errors import PrivacyError
from tests.fixtures.refusals import refused
from tests.mining.frames.test_comparisons import REPORTS

ACTS = [f"act{number}" for number in range(1, 11)]


ANY = sottovoce.at_least(1, ACTS)


ALONE = {"acts": {"any": ANY}}


def test_components_are_not_read_as_reports() -> None:
    truth = pandas.DataFrame({key: [0, 1] for key in ACTS})
    with pytest.raises(
        PrivacyError, match=r"column 'any' is missing; the table has its components.*disguise\(\)"
    ):
        sottovoce.Survey(ALONE, p=0.5).on(truth)


def test_a_value_that_no_one_or_everyone_has_is_refused_by_name() -> None:
    """These gave a difference of nan from -1 to 1."""
    reports = REPORTS.__class__(
        design=REPORTS.design,
        packed=REPORTS.packed,
        frame=REPORTS.frame.assign(town=[*"xyxyxyxy"], age=range(8), one=1, mixed=[1, "a"] * 4, c=0),
    )
    assert reports.compare("b", by="town", at="x").n == 8
    assert reports.compare("b", by="mixed", at="a").n == 8
    for at in ("z", ["x"], 1, None.__class__):
        with refused("reports", "'town'"):
            reports.compare("b", by="town", at=at)
    with pytest.raises(ValueError, match="use one of 'x', 'y'"):
        reports.compare("b", by="town", at="z")
    with refused("reports", "'5'", "'age'"):
        reports.compare("b", by="age", at="5")
    with refused("reports", "everyone has 1 in 'one'"):
        reports.compare("b", by="one", at=1)
    job = Survey(blocks={"j": {"job": one_of("p", "q", "r")}}, p=0.5)
    sent = job.on(pandas.DataFrame({"job": [*"pqr"] * 100, "a": [0, 1] * 150}))
    assert sent.compare("a", by="job", at="p").n == 300
    with pytest.raises(ValueError, match="no one has 'z' in 'job'; use one of 'p', 'q', 'r'"):
        sent.compare("a", by="job", at="z")


def test_components_next_to_the_reports_are_accepted() -> None:
    survey = sottovoce.Survey(ALONE, p=0.5)
    sent = survey.disguise(pandas.DataFrame({key: [0, 1] for key in ACTS}), seed=1)
    assert survey.on(sent.assign(act1=[0, 1])).n == 2


@pytest.mark.parametrize("values", [_MOST_NAMED, _MOST_NAMED + 1])
def test_a_refusal_lists_few_values_and_marks_that_there_are_more(values: int) -> None:
    column = pandas.Series([f"v{number:02}" for number in reversed(range(values))], name="town")
    with pytest.raises(PrivacyError) as caught:
        value_codes(column, "town", "none")
    assert ("..." in str(caught.value)) == (values > _MOST_NAMED)
    # The first in the order of the alphabet, not of the rows.
    assert all(f"v{number:02}" in str(caught.value) for number in range(_MOST_NAMED))
