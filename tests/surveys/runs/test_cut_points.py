from datetime import UTC, datetime

import pytest

from surveys.models import CutPoints, Run, Survey
from surveys.runs.cut_points import stored_cuts

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    """Return a run on the rows "b", after which others read the rows "c"."""
    made = [Survey.objects.create(slug=slug, title={"en": "A"}, definition={}) for slug in "st"]
    for number, (survey, design, question, digest) in enumerate(
        [
            (made[0], "d", 1, "a"), (made[0], "d", 1, "b"), (made[0], "d", 1, "c"),
            (made[0], "d", 2, "x"), (made[0], "e", 1, "y"), (made[1], "d", 1, "z"),
        ]
    ):  # fmt: skip
        CutPoints.objects.create(
            survey=survey,
            design_id=design,
            question=question,
            snapshot_digest=digest,
            cuts=[0, number],
            at=datetime(2090, 1, 1, tzinfo=UTC),
        )
    return Run(survey=made[0], design_id="d", snapshot_digest="b")


def test_a_run_has_the_cut_points_of_its_own_rows(run: Run) -> None:
    cuts = stored_cuts(run, 1)
    assert cuts is not None
    assert cuts.cuts == [0, 1]
    run.snapshot_digest = "w"
    assert stored_cuts(run, 1) is None


@pytest.mark.parametrize("exempt", [{"practice": True}, {"known_truth": {"a": 0.5}}])
def test_simulated_respondents_also_have_the_newest_of_other_rows(
    run: Run, exempt: dict[str, object]
) -> None:
    for name, value in exempt.items():
        setattr(run.survey, name, value)
    for digest, newest in (("b", [0, 1]), ("w", [0, 2])):
        run.snapshot_digest = digest
        cuts = stored_cuts(run, 1)
        assert cuts is not None
        assert cuts.cuts == newest
    assert stored_cuts(run, 3) is None
