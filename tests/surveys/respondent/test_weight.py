"""The size of the client with every kind of question, in each interface language."""

import gzip

import pytest
from django.test import Client

from surveys.respondent.client_program import client
from tests.fixtures.everyday import everyday

pytestmark = pytest.mark.django_db

# Average bytes of response headers: 300 for files of the program, 560 for page and state.
HEAD = 350
FIRST = ("sottovoce.css", "start.js", "client.js", "key-file.js", "first-{}.js")
LATER = ("later.js", "scale.js", "end.js", "scale-{}.js", "end-{}.js")


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_all_question_kinds_need_40_kb_at_first_and_60_in_all(language: str) -> None:
    everyday()
    answer = Client().get(
        f"/client/surveys/everyday?language={language}", headers={"Accept-Encoding": "gzip, br"}
    )
    assert answer.headers["Content-Encoding"] == "gzip"
    state = gzip.decompress(answer.content)
    assert len(answer.content) < len(state) / 2
    named = {file.name: file.content for file in client().program}
    first = [state, client().index.content, *(named[name.format(language)] for name in FIRST)]
    later = [named[name.format(language)] for name in LATER]
    assert sum(HEAD + len(gzip.compress(part)) for part in first) <= 40_000
    assert sum(HEAD + len(gzip.compress(part)) for part in (*first, *later)) <= 60_000
