"""The made-up people of the plan page are those of the builder, and what devices compute is the same."""

import json
import subprocess
from pathlib import Path

import pytest

from privacy.survey import composite_json
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.made_up_answers import made_up_answers, made_up_open, made_up_table
from tests.conftest import ROOT
from tests.fixtures.composite_drafts import composite_document

PEOPLE = """
import { readFileSync } from "node:fs";
import { madeUpAnswers, madeUpOpen } from "./surveys/static/surveys/js/authoring/made-up-people.js";
import { total } from "./surveys/static/surveys/js/composite-answer.js";
const { rules } = JSON.parse(readFileSync("tests/vectors/random-composites.json"));
const open = ({ uses = [] }) =>
  uses.map(({ question, points }) => ({ key: question, options: Object.keys(points).sort() }));
console.log(JSON.stringify(rules.map((rule) => {
  const chosen = madeUpOpen(rule, open(rule));
  const answers = madeUpAnswers(rule);
  return { answers, chosen, totals: answers.map((own, person) => total(rule, own, chosen[person])) };
})));
"""


@pytest.mark.soak
def test_python_and_the_builder_make_up_the_same_people_and_sums() -> None:
    run = subprocess.run(
        ["node", "--input-type=module", "--eval", PEOPLE],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    rules = json.loads(Path(ROOT, "tests/vectors/random-composites.json").read_text())["rules"]
    for rule, found in zip(rules, json.loads(run.stdout), strict=True):
        composite = composite_json.read(rule)
        answers = made_up_answers(composite)
        options = {use.question: sorted(key for key, _points in use.points) for use in composite.uses}
        chosen = made_up_open(composite, options)
        assert json.loads(json.dumps(answers)) == found["answers"]
        assert chosen == found["chosen"]
        totals = [composite.total(own, open_) for own, open_ in zip(answers, chosen, strict=True)]
        assert totals == found["totals"]


def test_the_table_names_answers_sums_and_what_is_sent() -> None:
    definition = definition_parse(composite_document("AUDIT-C"))
    block, wording = definition.design.blocks[1], definition.wording["blocks"][1]
    rule = block.questions[0].computed
    assert rule is not None
    table = made_up_table(rule, wording["questions"][0], {"sex": ("woman", "man")})
    assert table.rows[0] == ("Component drink1?", ("o0?", "o4?", "o4?"))
    assert table.sums == ("0", "4", "13")
    assert table.sent == ("no", "yes", "yes")
