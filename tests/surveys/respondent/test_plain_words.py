"""What respondents read is plain: short sentences, and no word that only its makers understand."""

from __future__ import annotations

import ast
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

from surveys.questionnaire.aim import promise_texts
from surveys.respondent.first_texts import first_texts
from surveys.respondent.texts import instead_texts, later_texts, rare_texts

ROOT = Path(__file__).resolve().parents[3]
TEMPLATES = ROOT / "templates" / "respond"
MODULES = ROOT / "surveys" / "respondent"
LETTERS = ROOT / "surveys" / "respondent" / "invitation_letters.py"
# What marks an English text for translation, and which of its arguments are texts.
MARKED = {"_": (0,), "gettext": (0,), "gettext_lazy": (0,), "ngettext_lazy": (0, 1), "pgettext_lazy": (1,)}
# In a template: `translate` with a text, and the text between the tags of `blocktranslate`.
TRANSLATED = re.compile(
    r"{%\s*translate \"([^\"]+)\"\s*%}|{%\s*blocktranslate[^%]*%}(.*?){%\s*endblocktranslate\s*%}", re.DOTALL
)
MOST_WORDS = 25
MEDIAN_WORDS = 15
PRIVATE = re.compile(r"\b(rows?|items?|drawn|surest|whoever)\b", re.IGNORECASE)


def texts() -> Iterator[str]:
    """Yield every text of the modules and templates of respondents, whatever a survey has of them.

    Letters are read before the page is.
    """
    for path in (*sorted(MODULES.glob("*.py")), LETTERS):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKED:
                for place in MARKED[node.func.id]:
                    # A text joined from pieces cannot be translated.
                    yield str(ast.literal_eval(node.args[place]))
    for path in sorted(TEMPLATES.rglob("*.html")):
        for found in TRANSLATED.findall(path.read_text(encoding="utf-8")):
            yield " ".join("".join(found).split())


def sentences(text: str) -> list[str]:
    """Cut behind a full stop, a question mark or an exclamation mark that a blank follows."""
    return [part for part in re.split(r"(?<=[.?!])\s+", text) if part]


def words(sentence: str) -> int:
    """Count the words between blanks that hold a letter or a digit; a number's placeholder is a word."""
    return sum(1 for part in sentence.split() if re.search(r"\w", part))


def test_sentences_and_words_are_counted_as_by_hand() -> None:
    assert sentences("Sent. You can close it: now.") == ["Sent.", "You can close it: now."]
    assert words("It could make them at most {m}\u00a0% sure – 50:50.") == 9
    assert PRIVATE.search("Two rows")
    assert not PRIVATE.search("browse, drawing")


def test_no_sentence_is_longer_than_twenty_five_words() -> None:
    long = {one for text in texts() for one in sentences(text) if words(one) > MOST_WORDS}
    assert long == set()


def test_half_of_the_sentences_have_fifteen_words_or_fewer() -> None:
    # Labels of buttons and columns are not sentences.
    whole = {one for text in texts() for one in sentences(text) if one.endswith((".", "?", "!"))}
    assert len(whole) > 100
    assert statistics.median(map(words, whole)) <= MEDIAN_WORDS


def test_what_a_page_is_given_is_among_the_texts() -> None:
    found = set(texts())
    # The promise is one sentence for both respondents and boards, and as long as necessary.
    for given in (first_texts(), later_texts(), rare_texts(), *instead_texts().values()):
        own = {text for key, text in given.items() if key not in promise_texts()}
        assert own <= found


def test_no_text_uses_a_word_of_its_makers() -> None:
    assert {text for text in texts() if PRIVATE.search(text)} == set()
