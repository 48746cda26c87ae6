"""The builder proposes the same keys of questions."""

import json
import subprocess

from surveys.imports.drafts.fresh_keys import FreshKeys, proposed_key
from tests.conftest import ROOT

TEXTS = (
    "Do you sleep badly most nights?",
    "Have you taken a pill to fall asleep?",
    "How old are you?",
    "Ça va?",
    "您睡得不好吗？",
    "",
    "A very-long-hyphenated incomprehensibilities counterrevolutionaries word",
    "What is it?",
    "3 or 4 drinks a day",
)


def test_python_and_javascript_propose_the_same_keys() -> None:
    module = ROOT / "surveys/static/surveys/js/authoring/keys.js"
    program = (
        f"import({json.dumps(module.as_uri())}).then(({{proposedKey, freshKey}}) =>"
        f" console.log(JSON.stringify([{json.dumps(TEXTS)}.map(proposedKey),"
        " freshKey(['a', 'a-2'], 'a'), freshKey(['a-2'], 'a-2')])))"
    )
    answer = subprocess.run(["node", "-e", program], capture_output=True, check=True, text=True)
    theirs, *fresh = json.loads(answer.stdout)
    assert [proposed_key(text) for text in TEXTS] == theirs
    assert [FreshKeys({"a", "a-2"}).take("a"), FreshKeys({"a-2"}).take("a-2")] == fresh
