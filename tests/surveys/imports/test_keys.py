"""Keys that Python proposes are those that the builder proposes."""

from __future__ import annotations

import json
import subprocess  # nosec B404

from surveys.imports.keys import FreshKeys, proposed_key
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


def test_both_languages_of_the_program_propose_the_same() -> None:
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
