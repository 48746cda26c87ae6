"""Join sentences, lists and labels as the active language does: with its signs, and its blanks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

_FULL_WIDTH: Final = re.compile(r"[。！？：；，、）】」』]$|[。！？㐀-鿿]”$|……$")
"""Signs after which no blank is written, because they contain one. A closing quotation mark is one after a
Chinese character, and not after "yes". Browsers have the same rule (``sentences.js``)."""

_HAN: Final = r"[㐀-䶿一-鿿]"
_BETWEEN_HAN: Final = re.compile(rf"(?<={_HAN}) +(?={_HAN})")


def join_sentences(sentences: Iterable[str]) -> str:
    """Join sentences to a paragraph: with a blank, except after a full-width sign.

    Examples
    --------
    >>> join_sentences(["It is so.", "It stays so."]), join_sentences(["就是这样。", "不会变。"])
    ('It is so. It stays so.', '就是这样。不会变。')
    """
    whole = ""
    for sentence in filter(None, sentences):
        whole += ("" if not whole or _FULL_WIDTH.search(whole) else " ") + sentence
    return whole


def list_text(parts: Iterable[object]) -> str:
    """Join parts with the list separator of the active language.

    >>> list_text(["one", 2])
    'one, 2'
    """
    return _(", ").join(map(str, parts))


def series_text(parts: Iterable[object]) -> str:
    """Join parts that may themselves contain lists.

    >>> series_text(["a, b", "c"])
    'a, b; c'
    """
    return _("; ").join(map(str, parts))


def labelled(label: object, text: object) -> str:
    """Write a text after its label.

    >>> labelled("mean", ".2")
    'mean: .2'
    """
    return pgettext("a label and its text", "%(label)s: %(text)s") % {"label": label, "text": text}


def answer_text(question: object, answer: object) -> str:
    """Write a question's name with one of its answers.

    >>> answer_text("smokes", "daily")
    'smokes – daily'
    """
    named = {"question": question, "answer": answer}
    return pgettext("a question and its answer", "%(question)s – %(answer)s") % named


def inner_quotes(text: str) -> str:
    """Return a text to be quoted: double quotation marks in it become single ones.

    >>> inner_quotes("Is “good” data “made up”?"), inner_quotes('Is "good" bad?')
    ('Is ‘good’ data ‘made up’?', 'Is ‘good’ bad?')
    """
    return _STRAIGHT.sub(r"‘\1’", text).translate(_INNER)


_STRAIGHT: Final = re.compile(r'"([^"]{1,200})"')
_INNER: Final = str.maketrans("“”", "‘’")
_BETWEEN_NAMES: Final = " – "
_LEAST_HEAD: Final = 8
"""Fewest characters of a question before its answer."""
LONGEST_NAME: Final = 60
"""Longest text, in characters, that names something in a sentence."""


def cut_name(text: str, longest: int) -> str:
    """Cut a long name; of a question with an answer or a line of a list, only the question.

    Several names often begin alike and differ in their last part.

    >>> cut_name("How many drinks did you have?", 10), cut_name("drinks", 10)
    ('How many…', 'drinks')
    >>> cut_name("Which of these have you used? – Heroin", 24)
    'Which of these… – Heroin'
    """
    if len(text) <= longest:
        return text
    question, between, answer = text.rpartition(_BETWEEN_NAMES)
    room = longest - len(between) - len(answer)
    if between and room >= _LEAST_HEAD:
        return f"{question[: room - 1].rstrip()}…{between}{answer}"
    return f"{text[: longest - 1].rstrip()}…"


def short_text(text: str, longest: int = LONGEST_NAME) -> str:
    """Return a text to name something in a sentence: cut with an ellipsis if it is long, for quotation marks.

    Parameters
    ----------
    text : str
    longest : int, optional
        Most characters.

    Examples
    --------
    >>> short_text("How many drinks did you have?", 10), short_text("drinks", 10)
    ('How many…', 'drinks')
    >>> short_text("Is “good” data made up?")
    'Is ‘good’ data made up?'
    """
    return inner_quotes(cut_name(text, longest))


def filled(template: str, values: Mapping[str, object]) -> str:
    """Put values into a sentence; no blank stays between two Chinese characters.

    A template has blanks around numbers. In their place, a value can be words, such as "fewer than 1".

    >>> filled("%(n)s people", {"n": 3}), filled("有 %(n)s 人", {"n": "不到 1"})
    ('3 people', '有不到 1 人')
    """
    return _BETWEEN_HAN.sub("", template % values)
