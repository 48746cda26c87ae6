"""Sottovoce's own texts are exactly those that the client's scripts use."""

import ast
import json
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils.translation import override

from surveys.questionnaire.languages import respondent_languages
from surveys.questionnaire.promise_words import promise_texts
from surveys.respondent.client_program import client
from surveys.respondent.first_texts import label_texts
from surveys.respondent.scale_texts import NUMBER
from surveys.respondent.texts import CHOICE, DIRECT, instead_texts, texts_by_part

BY_NAME = re.compile(r"texts\.(\w+)")
BY_PATTERN = re.compile(r"texts\[`([^`]+)`\]")
ENDINGS = re.compile(r"\$\{[^}]+\}")


def scripts() -> Iterator[str]:
    parts = tuple(f"{part}-" for part in texts_by_part())
    for file in client().program:
        if file.name.endswith(".js") and not file.name.startswith(parts):
            yield file.content.decode()


def all_texts() -> dict[str, str]:
    parts = (*texts_by_part().values(), *instead_texts().values())
    return {key: text for part in parts for key, text in part.items()}


def test_every_text_that_a_script_uses_exists() -> None:
    named = {name for script in scripts() for name in BY_NAME.findall(script)}
    assert len(named) > 150
    assert named - all_texts().keys() == set()


def test_every_text_is_used() -> None:
    whole = "".join(scripts())
    named = set(BY_NAME.findall(whole))
    patterns = [ENDINGS.sub(".*", pattern) for pattern in BY_PATTERN.findall(whole)]
    # Texts about a delivery are looked up by the kind of its outcome.
    kinds = set(re.findall(r'"(\w+)"', whole))
    unused = [
        key
        for key in all_texts()
        if key not in named | kinds and not any(re.fullmatch(pattern, key) for pattern in patterns)
    ]
    assert unused == []


def test_replacement_texts_replace_existing_or_listed_texts() -> None:
    usual = {key for texts in texts_by_part().values() for key in texts}
    besides = {
        "two_strengths": {"disguised_lightly"},
        "by_invitation": {
            *("erase", "mistyped", "mistyped_kept", "send_again", "uninvited", "uninvited_title")
        },
        "strength_by_invitation": set(),
    }
    assert {kind: texts.keys() - usual for kind, texts in instead_texts().items()} == besides


@pytest.mark.soak
@pytest.mark.parametrize("language", respondent_languages())
def test_each_language_file_contains_its_texts_unescaped(language: str) -> None:
    """With escapes, a Chinese file would be twice as large."""
    with override(language):
        wanted = texts_by_part()
    found = {part: client().file(f"{part}-{language}.js") for part in wanted}
    said: dict[str, str] = {}
    chosen_instead = CHOICE.keys() | DIRECT.keys()
    for part, file in found.items():
        assert file is not None
        content = file.content.decode()
        assert "\\u" not in content
        parts = re.fullmatch(r"export const texts=(.*);export const instead=.*;", content)
        assert parts is not None
        texts = json.loads(parts[1])
        # A page loads no text twice, but the few that a number needs which comes first. It loads either of
        # two files on ways to answer.
        twice = {"assigned": chosen_instead, "scale": NUMBER.keys()}.get(part, set())
        assert not texts.keys() & (said.keys() - twice)
        said |= texts
        assert texts == wanted[part]
    assert said.keys() == {key for texts in wanted.values() for key in texts}


ROOT = Path(__file__).resolve().parents[3]
TEMPLATES = ROOT / "templates" / "respond"
MODULES = ROOT / "surveys" / "respondent"


# Functions that mark an English text for translation -> positions of the texts.
MARKED = {
    "_": (0,),
    "gettext": (0,),
    "gettext_lazy": (0,),
    "ngettext_lazy": (0, 1),
    "pgettext_lazy": (1,),
    "plural": (0, 1),
}


# The same in templates: `translate` with a text, and the contents of `blocktranslate`.
TRANSLATED = re.compile(
    r"{%\s*translate \"([^\"]+)\"\s*%}|{%\s*blocktranslate[^%]*%}(.*?){%\s*endblocktranslate\s*%}", re.DOTALL
)
MOST_WORDS = 25
MEDIAN_WORDS = 15
PRIVATE = re.compile(r"\b(rows?|items?|drawn|surest|whoever)\b", re.IGNORECASE)


def texts() -> Iterator[str]:
    """Yield every text of the respondents' modules and templates, for any survey.

    This includes letters.
    """
    for path in sorted(MODULES.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKED:
                for place in MARKED[node.func.id]:
                    # This fails for concatenated texts, which cannot be translated.
                    yield str(ast.literal_eval(node.args[place]))
    for path in sorted(TEMPLATES.rglob("*.html")):
        for found in TRANSLATED.findall(path.read_text(encoding="utf-8")):
            yield " ".join("".join(found).split())


def sentences(text: str) -> list[str]:
    """Split after a full stop, question mark or exclamation mark that is followed by a blank."""
    return [part for part in re.split(r"(?<=[.?!])\s+", text) if part]


def words(sentence: str) -> int:
    """Count the parts between blanks that contain a letter or digit; a placeholder counts as a word."""
    return sum(1 for part in sentence.split() if re.search(r"\w", part))


def test_sentence_and_word_counts_match_manual_counts() -> None:
    assert sentences("Sent. You can close it: now.") == ["Sent.", "You can close it: now."]
    assert words("It could make them at most {m}\u00a0% sure – 50:50.") == 9
    assert PRIVATE.search("Two rows")
    assert not PRIVATE.search("browse, drawing")


@pytest.mark.soak
def test_sentences_have_at_most_25_words() -> None:
    long = {one for text in texts() for one in sentences(text) if words(one) > MOST_WORDS}
    assert long == set()


@pytest.mark.soak
def test_half_of_the_sentences_have_at_most_15_words() -> None:
    # Labels are not sentences.
    whole = {one for text in texts() for one in sentences(text) if one.endswith((".", "?", "!"))}
    assert len(whole) > 100
    assert statistics.median(map(words, whole)) <= MEDIAN_WORDS


@pytest.mark.soak
def test_texts_sent_to_the_page_are_all_checked() -> None:
    found = set(texts())
    # The promise is one sentence for respondents and boards, and may be longer.
    for given in (*texts_by_part().values(), *instead_texts().values()):
        own = {text for key, text in given.items() if key not in promise_texts()}
        assert own <= found


@pytest.mark.soak
def test_respondent_texts_contain_no_technical_words() -> None:
    assert {text for text in texts() if PRIVATE.search(text)} == set()


VOWELS = re.compile(r"[aeiouy]+")


def syllables(word: str) -> int:
    """Count groups of vowels, without a silent final e; at least one."""
    word = word.lower()
    count = len(VOWELS.findall(word))
    if word.endswith("e") and not word.endswith("le") and count > 1:
        count -= 1
    return max(1, count)


def reading_grade(text: str) -> float:
    """Return the Flesch-Kincaid grade: .39 words a sentence + 11.8 syllables a word - 15.59."""
    sentences = [part for part in re.split(r"[.:;?!]", text) if part.strip()]
    words = re.findall(r"[A-Za-z\u2019']+|\d+", text)
    return 0.39 * len(words) / len(sentences) + 11.8 * sum(map(syllables, words)) / len(words) - 15.59


def test_the_reading_grade_matches_a_manual_calculation() -> None:
    # "The cat sat on the mat" has 6 words of one syllable.
    assert reading_grade("The cat sat on the mat.") == pytest.approx(0.39 * 6 + 11.8 - 15.59)
    assert [syllables(word) for word in ("answers", "people", "device", "the", "chance")] == [2, 2, 2, 1, 1]


@pytest.mark.soak
@pytest.mark.parametrize("key", label_texts().keys() - {"odds_about", "odds_none", "odds_all"})
def test_label_sentences_have_a_reading_grade_of_at_most_eight(key: str) -> None:
    text = re.sub(r"{[a-z]}", "57", label_texts()[key])
    assert reading_grade(text) <= 8


def test_label_texts_contain_their_placeholders() -> None:
    numbers = {
        "promise_short": ["k", "m"],
        "promise_short_same": ["m"],
        "promise_short_skip": ["s"],
        "promise_short_waves": ["w", "m"],
        "promise": ["k", "m"],
        "promise_rare": ["k", "n"],
        "promise_rare_one": ["l", "n"],
        "promise_skip": ["s"],
        "promise_skip_rare": ["t"],
        "promise_shared": ["f"],
        "promise_shared_rare": ["o"],
        "promise_waves": ["w", "m"],
        "promise_waves_rare": ["w", "n"],
        "promise_waves_answer": ["k"],
        "promise_waves_answer_rare": ["l"],
        "promise_waves_skip": ["s"],
        "promise_waves_skip_rare": ["t"],
        "promise_waves_shared": ["f"],
        "promise_waves_shared_rare": ["o"],
        "odds_whole_times": ["g"],
        "odds_posterior": ["k", "n"],
        "odds_posterior_worst": ["k", "n"],
        "odds_posterior_skip": ["n"],
        "odds_about": ["number"],
    }
    for key, text in label_texts().items():
        assert re.findall(r"{(\w+)}", text) == numbers.get(key, []), key


IF = {
    "ar": "^إذا ",
    "de": "^Wenn ",
    "en": "^If ",
    "es": "^Si ",
    "fa": "^اگر ",
    "fr": "^Si,? ",
    "hi": "^अगर ",
    "id": "^Jika ",
    "it": "^Se ",
    "pl": "^Jeśli ",
    "pt": "^Se ",
    "ru": "^Если ",
    "sw": "^Ikiwa ",
    "tr": r"(?<!\bi)s[ae]\b",
    "zh-hans": "如果",
    "zh-hant": "如果",
}
"""The word or ending of a condition; in Turkish, it is a verb's."""


@pytest.mark.parametrize("language", respondent_languages())
def test_no_figure_that_depends_on_how_people_answer_is_stated_as_a_fact(language: str) -> None:
    """A researcher guesses how common answers are, or leaves Sottovoce's defaults."""
    with override(language):
        stated = {
            key: text
            for key, text in label_texts().items()
            if re.fullmatch("odds_(posterior.*|expected)", key)
        }
    assert len(stated) == 4
    for text in stated.values():
        assert re.search(IF[language], text), text


def test_the_promise_always_bounds_all_answers_and_states_its_assumption() -> None:
    """M bounds everything together. K alone would promise too much, so K never appears without M."""
    short = label_texts()["promise_short"]
    start = "Worst case: someone who suspects you, 50:50, is still wrong {k} times from one answer"
    assert short.startswith(start)
    assert short.endswith(", {m} from all you send.")
    assert label_texts()["promise_short_same"].endswith("is still wrong {m} times from all you send.")
    for key in ("promise", "promise_rare", "promise_rare_one"):
        text = label_texts()[key]
        assert text.startswith("Suppose someone knows your answers that are not disguised")
        assert "Everything your device sends, taken together" in text
        assert "One of your disguised answers alone" in text


def test_estimates_based_on_guesses_use_about_with_their_number_and_never_at_most() -> None:
    assert label_texts()["odds_about"] == "about {number}"
    for key, text in label_texts().items():
        if "posterior" in key:
            assert text.startswith(("If ", "These answers ", "Some answers "))
            assert "about" not in text
            assert "at most" not in text


def test_no_sentence_claims_that_no_one_can_know() -> None:
    """Anyone can guess correctly; the promise is only that no one can be sure."""
    said = [
        text for texts in (*texts_by_part().values(), *instead_texts().values()) for text in texts.values()
    ]
    assert [text for text in said if re.search(r"[Nn]o(?:body| one) can(?! be sure| see which)", text)] == []
    assert any("No one can be sure" in text for text in said)
