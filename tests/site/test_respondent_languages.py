"""Catalogues for respondents: complete, with the placeholders of the English sentences, none in English."""

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import polib
import pytest
from babel.core import get_global
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.utils.translation import to_language, to_locale
from django.utils.translation.template import templatize

from surveys.questionnaire.languages import language_of, respondent_languages, yes_and_no
from surveys.respondent.plurals import COUNTS
from tests.site.test_translations import Text, named, texts_of

ROOT: Final = Path(__file__).resolve().parents[2]
# Everything that respondents read, except the texts of their survey.
SOURCES: Final = (
    "surveys/embed/frame_texts.py",
    "surveys/formats/joints.py",
    "surveys/questionnaire/part_names.py",
    "surveys/questionnaire/promise_words.py",
    "surveys/report/results/result_letter.py",
    "surveys/respondent/first_texts.py",
    "surveys/respondent/printed_card.py",
    "surveys/respondent/letters.py",
    "surveys/respondent/poster.py",
    "surveys/respondent/scale_texts.py",
    "surveys/respondent/texts.py",
    "templates/400.html",
    "templates/404.html",
    "templates/500.html",
    "templates/503.html",
    "templates/base_error.html",
    "templates/embed/frame.html",
)
# Staff alone read it.
OTHERS: Final = {("a question and its answer", "%(question)s – %(answer)s")}
# Of the figures in a letter, such as "1,000", and of its picture. Other texts of their modules are for staff.
FIGURES: Final = {
    ("between thousands", ","),
    (None, "people of 100"),
    (None, "100 of 100 people"),
    (None, "%(name)s: %(figure)s"),
}
LANGUAGES: Final = [tag for tag in respondent_languages() if tag not in ("en", "zh-hans")]
PLACEHOLDER: Final = re.compile(r"%\(\w+\)s|\{\w+\}")
# What may be the same in English: lists, figures, and words that several languages share.
ALIKE: Final = {
    *(", ", "; ", ",", "%(label)s: %(text)s", "%(name)s: %(figure)s"),
    *("Bits", "No", "Contact", "Latitude", "Longitude", "{questions} questions"),
}
LATIN: Final = re.compile(r"[A-Za-z]{2,}")
NAMES: Final = {"Sottovoce", "JavaScript", "IP", "QR", "https", "Cookie"}


def respondent_texts() -> set[Text]:
    """Return every sentence that respondents read, with its context."""

    def found() -> Iterator[Text]:
        for name in SOURCES:
            source = (ROOT / name).read_text(encoding="utf-8")
            if name.endswith(".html"):
                source = "\n".join(line.strip() for line in templatize(source, origin=name).splitlines())
            yield from texts_of(source.encode())

    return {text for text in found() if text not in OTHERS} | FIGURES


def catalogue_of(tag: str, form: str = "django") -> Catalog:
    name = to_locale(tag)
    with (ROOT / "locale" / name / "LC_MESSAGES" / f"{form}.po").open("rb") as file:
        return read_po(file, locale=name)


@pytest.fixture(scope="module", params=LANGUAGES)
def catalogue(request: pytest.FixtureRequest) -> Catalog:
    return catalogue_of(request.param)


def forms_of(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def test_several_languages_are_found() -> None:
    assert {"ar", "de", "hi", "ru"} <= {*LANGUAGES}
    assert len(respondent_texts()) > 350


def test_a_catalogue_has_exactly_the_sentences_that_respondents_read(catalogue: Catalog) -> None:
    found = [named(message) for message in catalogue if message.id]
    assert [text for text, count in Counter(found).items() if count > 1] == []
    assert {*found} == respondent_texts()
    assert [message.id for message in catalogue if message.id and not all(forms_of(message))] == []


def test_translations_have_the_placeholders_of_their_sentences(catalogue: Catalog) -> None:
    """A form for one or two things may say their number in words."""
    for message in catalogue:
        if not message.id:
            continue
        english = message.id if isinstance(message.id, str) else message.id[1]
        wanted = Counter(PLACEHOLDER.findall(english))
        forms = forms_of(message)
        assert Counter(PLACEHOLDER.findall(forms[-1])) == wanted, english
        for form in forms:
            assert Counter(PLACEHOLDER.findall(form)) <= wanted, english


def test_a_value_follows_an_ordinary_blank(catalogue: Catalog) -> None:
    """A rule for blanks before percent signs also finds "%(address)s", which ties it to the word before."""
    tied = [
        form
        for message in catalogue
        for form in forms_of(message)
        if message.id and "\N{NO-BREAK SPACE}%(" in form
    ]
    assert tied == []


def test_no_sentence_is_left_in_english(catalogue: Catalog) -> None:
    tag = str(catalogue.locale_identifier)
    # Babel completes "de" to "de_Latn_DE".
    is_latin = "_Latn_" in get_global("likely_subtags").get(tag, tag)
    for message in catalogue:
        for form in forms_of(message) if message.id else ():
            english = (message.id,) if isinstance(message.id, str) else message.id
            assert form not in english or form in ALIKE, form
            if not is_latin:
                left = {*LATIN.findall(PLACEHOLDER.sub("", form))}
                assert left <= NAMES, form


def test_sentences_quote_the_answers_that_questions_offer(catalogue: Catalog) -> None:
    """Questions have Django's words for yes and no, which are part of the digests in letters."""
    offered = yes_and_no(to_language(str(catalogue.locale_identifier)))
    said = {message.id: str(message.string) for message in catalogue if message.id in ("Yes", "No")}
    assert said == {"Yes": offered["yes"], "No": offered["no"]}
    proof = catalogue.get(
        "{n} of 100 people whose true answer is “no” send “yes”. So a “yes” proves nothing."
    )
    assert proof is not None
    for answer in offered.values():
        assert answer.lower() in str(proof.string).lower()


def test_a_catalogue_has_the_plural_forms_of_its_language(catalogue: Catalog) -> None:
    counts = COUNTS.get(str(catalogue.locale_identifier).partition("_")[0], {"one": 1, "": 2})
    assert catalogue.num_plurals == len(counts)
    for message in catalogue:
        if isinstance(message.id, tuple):
            assert len(forms_of(message)) == len(counts), message.id


def test_a_catalogue_says_who_translated_it_and_which_native_speakers_read_it(catalogue: Catalog) -> None:
    tag = str(catalogue.locale_identifier)
    head = polib.pofile(str(ROOT / "locale" / tag / "LC_MESSAGES" / "django.po")).metadata
    assert head["X-Translated-By"]
    assert head["X-Read-By"]


def test_a_note_tells_translators_where_a_sentence_is(catalogue: Catalog) -> None:
    without = [message.id for message in catalogue if message.id and not message.auto_comments]
    assert len(without) < 10


@pytest.mark.parametrize("tag", [*LANGUAGES, "zh-hans"])
def test_translations_back_are_of_sentences_as_they_are_now(tag: str) -> None:
    """A changed sentence needs it again, and nine of ten sentences have one."""
    # The Simplified Chinese catalogue also has the sentences of staff.
    texts = respondent_texts()
    lines = (ROOT / "tests/site/back_translations.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.replace("\\n", "\n").split("\t") for line in lines if not line.startswith("#")]
    messages = [message for message in catalogue_of(tag) if message.id and named(message) in texts]
    now = {form for message in messages for form in forms_of(message) if form.strip()}
    backs = {sentence: back for language, sentence, back in rows if language == tag}
    assert set(backs) <= now
    assert len(backs) >= 0.9 * len(now)
    for sentence, back in backs.items():
        wanted = Counter(PLACEHOLDER.findall(sentence))
        assert Counter(PLACEHOLDER.findall(back)) == wanted, back


def test_a_percent_sign_stays_with_its_number(catalogue: Catalog) -> None:
    """Where the language has a space before the sign, it is one at which lines do not break."""
    forms = [form for message in catalogue if message.id for form in forms_of(message)]
    assert [form for form in forms if re.search(r"[\d}] %", form)] == []


SIGNS: Final = """
const [language, joints, quotes] = process.argv.slice(1);
globalThis.document = { documentElement: { lang: language } };
const [{ labelled, listed }, { quoted }] = await Promise.all([import(joints), import(quotes)]);
console.log(JSON.stringify([quoted("{title}"), labelled("%(label)s", "%(text)s"), listed(["", ""])]));
"""


def test_browsers_join_lists_labels_and_quotes_as_the_catalogue_does(catalogue: Catalog) -> None:
    tag = to_language(str(catalogue.locale_identifier))
    scripts = [f"{ROOT / 'surveys/static/surveys/js' / name}.js" for name in ("joints", "quotes")]
    asked = ["node", "--input-type=module", "-e", SIGNS, tag, *scripts]
    found = subprocess.run(asked, check=True, capture_output=True, text=True)
    quoted, labelled, listed = json.loads(found.stdout)
    strings = {message.id: str(message.string) for message in catalogue if isinstance(message.id, str)}
    assert quoted in strings["“{title}” is closed"]
    assert labelled == strings["%(label)s: %(text)s"]
    assert listed == strings[", "]


def test_languages_from_the_right_are_known() -> None:
    assert [tag for tag in LANGUAGES if language_of(tag).direction == "rtl"] == ["ar", "fa"]
