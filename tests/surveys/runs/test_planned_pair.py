"""The two items that a survey was planned to compare."""

from types import SimpleNamespace
from typing import Any

import pytest

from surveys.models import Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import definition_parse
from surveys.runs.planned_pair import planned_pair
from tests.fixtures.runs import definition

DESIGN = definition_parse(definition()).design


@pytest.mark.parametrize(
    ("wanted", "pair"), [(("late", "drink"), ("late", "drink")), (("late",), ()), (("late", "gone"), ())]
)
def test_a_plan_for_two_items_of_the_design_has_a_pair(wanted: tuple[str, ...], pair: object) -> None:
    run: Any = SimpleNamespace(version=Version(aim=Aim(people=400, wanted=wanted).to_json()), design=DESIGN)
    assert planned_pair(run) == pair
    run.version.aim = None
    assert planned_pair(run) == ()
