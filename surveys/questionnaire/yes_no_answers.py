"""The points of the answers to a choice, from their words: yes, no, none of it, or no answer at all.

Their order does not matter: many lists begin with *Yes*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from surveys.questionnaire.displayed import as_read
from surveys.questionnaire.exclusive_wordings import means_no_answer, means_none
from surveys.questionnaire.stated_kinds import kind_of
from surveys.questionnaire.stems import stem_key
from surveys.questionnaire.yes_no_words import NO, YES

_MARKS: Final = " .,;:!。，；！()[]{}\"'“”„«»☐□○◯•*-–—\t\n"


def yes_or_no(texts: Mapping[str, str]) -> str:
    """Return what an answer means: "yes", "no", "none" for no answer, or "" for anything else.

    Parameters
    ----------
    texts : mapping of str to str
        By language. All that are written must mean the same.

    Examples
    --------
    >>> [yes_or_no({"de": text}) for text in ("Ja", "nein.", "Weiß nicht", "ja, einmal")]
    ['yes', 'no', 'none', '']
    >>> yes_or_no({"en": "No", "fr": "Oui"})
    ''
    """
    if means_no_answer(texts):
        return "none"
    found = {_word(text) for text in texts.values() if text.strip()}
    return found.pop() if len(found) == 1 else ""


def _word(text: str) -> str:
    bare = " ".join(as_read(text).casefold().split()).strip(_MARKS)
    return "yes" if bare in YES else "no" if bare in NO else ""


def is_yes_no(question: Mapping[str, Any]) -> bool:
    """Return whether a question is answered with yes or no; other options may only give no answer.

    Examples
    --------
    >>> answers = [{"text": {"en": text}} for text in ("Yes", "No", "Don't know")]
    >>> [is_yes_no(each) for each in ({"options": answers}, {"options": answers[:1]}, {"kind": "yes_no"})]
    [True, False, True]
    """
    if not (options := question.get("options")):
        return kind_of(question).is_yes_or_no
    meanings = [yes_or_no(option.get("text") or {}) for option in options]
    return "" not in meanings and {"yes", "no"} <= {*meanings}


def points_of_words(options: Sequence[Mapping[str, Any]]) -> list[int] | None:
    """Return the points of the answers to a choice if their words state them; otherwise None.

    Yes is 1. If the first answer means none of it, such as *Never*, the others count up from it. No, and
    answers such as *Don't know*, are 0.

    Examples
    --------
    >>> def points(*texts): return points_of_words([{"text": {"en": text}} for text in texts])
    >>> points("Yes", "No", "Don't know"), points("Never", "Not sure", "Once", "Often")
    ([1, 0, 0], [0, 0, 1, 2])
    >>> points("Sales", "Stores") is None, points("Yes", "Partly", "No") is None
    (True, True)
    """
    texts = [option.get("text") or {} for option in options]
    meanings = [yes_or_no(each) for each in texts]
    if is_yes_no({"options": options}):
        return [int(meaning == "yes") for meaning in meanings]
    given = [place for place, meaning in enumerate(meanings) if meaning != "none"]
    nothing = [place for place in given if meanings[place] == "no" or means_none(texts[place])]
    if "yes" in meanings or len(given) < 2 or nothing != given[:1]:
        return None
    return [given.index(place) if place in given else 0 for place in range(len(texts))]


def pooled_keys(entry: Mapping[str, Any]) -> list[str]:
    """Return the questions of a part that one answer can be proposed for: yes or no, with the same answers.

    Lines of a list are only combined with lines of the same list. If several groups qualify, return the
    largest; if no two questions have the same answers, return nothing.

    Parameters
    ----------
    entry : mapping
        A part of a draft.
    """
    groups: dict[tuple[str, frozenset[Any]], list[str]] = {}
    for question in entry["questions"]:
        if "computed" in question or not is_yes_no(question):
            continue
        answers = frozenset(
            (tag, as_read(text).casefold().strip(_MARKS))
            for option in question.get("options") or ()
            for tag, text in (option.get("text") or {}).items()
        )
        groups.setdefault((stem_key(question), answers), []).append(question["key"])
    largest = max(groups.values(), key=len, default=[])
    return largest if len(largest) > 1 else []
