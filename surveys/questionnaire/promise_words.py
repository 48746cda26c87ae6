"""The privacy promise in words: what an attacker may learn from disguised answers, as pages state it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.planning.protection import MEDIUM, PROTECTIONS
from privacy.posterior import posterior_at
from privacy.risk.amplification import promise
from privacy.risk.promise import Promise, percent
from privacy.survey.design import Design
from surveys.formats.joints import join_sentences
from surveys.formats.numbers import count_text
from surveys.models import Version

_NEAR_CERTAIN: Final = 0.99
"""Above this, a percentage would read as certainty."""


def _at_most(share: float) -> str:
    """Format the largest certainty without calling it certain.

    Examples
    --------
    >>> _at_most(0.8012), _at_most(0.5), _at_most(0.9951), _at_most(1)
    ('at most 81%', 'at most 50%', 'more than 99%', 'more than 99%')
    """
    if share > _NEAR_CERTAIN:
        return _("more than 99%")
    # Subtract the rounding error, so that 50% does not become 51%.
    return _("at most %(share)s%%") % {"share": count_text(math.ceil(100 * share - 1e-9))}


def promise_texts() -> dict[str, str]:
    """Return the translated sentences of the promise, by key.

    A key ends in ``_rare`` for a certainty above 99%, and ``promise_rare_one`` is for both M and K above 99%.
    Devices and printed pages use these sentences. The first screen shows the short form, in which {k} and {m}
    are how often an attacker is wrong at least, with the full form folded below it.
    """
    return {
        "promise_short": _(
            "Worst case: someone who suspects you, 50:50, is still wrong {k} times from one answer, {m} from "
            "all you send."
        ),
        "promise_short_same": _(
            "Worst case: someone who suspects you, 50:50, is still wrong {m} times from all you send."
        ),
        "promise_short_skip": _("From “Prefer not to say”: {s}."),
        "promise_short_waves": _("In all {w} surveys of this series: {m}."),
        "promise": _(
            "Suppose someone knows your answers that are not disguised, and suspects you, 50:50. "
            "One of your disguised answers alone could make them at most {k}% sure. Everything your "
            "device sends, taken together: at most {m}%."
        ),
        "promise_rare": _(
            "Suppose someone knows your answers that are not disguised, and suspects you, 50:50. "
            "One of your disguised answers alone could make them at most {k}% sure. Everything your "
            "device sends, taken together, could make them nearly sure: wrong 1 time in {n}."
        ),
        "promise_rare_one": _(
            "Suppose someone knows your answers that are not disguised, and suspects you, 50:50. "
            "One of your disguised answers alone could make them nearly sure: wrong 1 time in {l}. "
            "Everything your device sends, taken together: wrong 1 time in {n}."
        ),
        "promise_skip": _(
            "If your device sends “Prefer not to say”, that alone could make them at most {s}% sure that you "
            "chose it."
        ),
        "promise_skip_rare": _(
            "If your device sends “Prefer not to say”, that alone could make them nearly sure that you chose "
            "it: wrong 1 time in {t}."
        ),
        "promise_shared": _(
            "A question that decides what else you are asked counts in several of your disguised answers. "
            "Together these could make them at most {f}% sure of your answer to it."
        ),
        "promise_shared_rare": _(
            "A question that decides what else you are asked counts in several of your disguised answers. "
            "Together these could make them nearly sure of your answer to it: wrong 1 time in {o}."
        ),
        "promise_waves": _(
            "This survey is one of {w} in a series. If you answer them all, everything your device sends in "
            "them could make someone at most {m}% sure."
        ),
        "promise_waves_rare": _(
            "This survey is one of {w} in a series. If you answer them all, everything your device sends in "
            "them could make someone nearly sure: wrong 1 time in {n}."
        ),
        "promise_turns": _(
            "Your code or number decides which disguised parts each survey asks you: each part in one survey "
            "only, if you use the same code or number every time."
        ),
        "promise_waves_answer": _(
            "If each survey asks you the same question, your answers to it could make someone at most {k}% "
            "sure."
        ),
        "promise_waves_answer_rare": _(
            "If each survey asks you the same question, your answers to it could make someone nearly sure: "
            "wrong 1 time in {l}."
        ),
        "promise_waves_skip": _(
            "“Prefer not to say” to it each time could make someone at most {s}% sure that you chose it."
        ),
        "promise_waves_skip_rare": _(
            "“Prefer not to say” to it each time could make someone nearly sure that you chose it: wrong "
            "1 time in {t}."
        ),
        "promise_waves_shared": _(
            "One question counts in several answers. If each survey asks it, they could make someone at most "
            "{f}% sure of your answer to it."
        ),
        "promise_waves_shared_rare": _(
            "One question counts in several answers. If each survey asks it, they could make someone nearly "
            "sure of your answer to it: wrong 1 time in {o}."
        ),
        "odds_whole_apart": _("The map is not included."),
        "odds_whole_anchors": _(
            "The check questions are not counted, because everyone knows the true answer to them."
            " The limits hold if you answer them truthfully."
        ),
    }


def promise_sentences(held: Mapping[str, Any]) -> list[str]:
    """Write each sentence of a promise as respondents read it.

    Parameters
    ----------
    held : mapping
        `Promise.to_json`, or the promise that a version stores. Without ``skip_once_in`` there is no sentence
        on skips: none is offered, or the version was published before pages stated them.

    Notes
    -----
    Devices choose the same sentences: `promiseSentences` in ``promise.js``, with shared test vectors.
    """
    texts = promise_texts()

    def said(key: str, figures: Mapping[str, Any]) -> str:
        numbers = {
            "m": figures["of_100"],
            "k": figures["one_of_100"],
            "s": figures.get("skip_of_100"),
            "f": figures.get("shared_of_100"),
            "w": figures.get("count"),
            "n": figures["once_in"],
            "l": figures["one_once_in"],
            "t": figures.get("skip_once_in"),
            "o": figures.get("shared_once_in"),
        }
        return texts[key].format(
            **{name: count_text(number) for name, number in numbers.items() if number is not None}
        )

    whole = "promise" if held["of_100"] else "promise_rare" if held["one_of_100"] else "promise_rare_one"
    sentences = [said(whole, held), *_further("promise", held, said)]
    if waves := held.get("waves"):
        sentences.append(said("promise_waves" if waves["of_100"] else "promise_waves_rare", waves))
        if waves.get("takes_turns"):
            sentences.append(texts["promise_turns"])
        else:
            sentences += [
                said("promise_waves_answer" if waves["one_of_100"] else "promise_waves_answer_rare", waves),
                *_further("promise_waves", waves, said),
            ]
    if held["not_composed"]:
        sentences.append(texts["odds_whole_apart"])
    if held.get("anchors"):
        sentences.append(texts["odds_whole_anchors"])
    return sentences


def _further(
    key: str, figures: Mapping[str, Any], said: Callable[[str, Mapping[str, Any]], str]
) -> list[str]:
    """Return the sentences on a skip and on a shared filter, which not all surveys have."""
    names = [name for name in ("skip", "shared") if f"{name}_once_in" in figures]
    return [
        said(f"{key}_{name}" if figures[f"{name}_of_100"] else f"{key}_{name}_rare", figures)
        for name in names
    ]


def promise_sentence(promise: Promise | Mapping[str, Any]) -> str:
    """Write the promise of a design as respondents read it, with its limits."""
    held = promise.to_json() if isinstance(promise, Promise) else promise
    return join_sentences(promise_sentences(held))


def promises_in_words(design: Design) -> list[str]:
    """Write the promise to respondents for each strength; empty if no protected part has a bound."""
    return stated_in_words(promises_json(design))


def stated_in_words(promises: Mapping[str, Any]) -> list[str]:
    """Write the promises that respondents read, for each strength that has one.

    Parameters
    ----------
    promises : mapping
        As `promises_json` returns them.
    """
    pairs = [(name, promise_sentence(held)) for name, held in promises.items() if held is not None]
    if len(pairs) < 2:
        return [sentence for _name, sentence in pairs]
    names = {"whole": _("Strongly disguised:"), "light": _("Lightly disguised:")}
    return [join_sentences([names[name], sentence]) for name, sentence in pairs]


def promises_of(design: Design) -> dict[str, Promise | None]:
    """Return the odds of all disguised answers together: ``whole``, and ``light`` for light protection.

    They are None if no protected block has a bound.
    """
    if not design.has_two_strengths:
        return {"whole": promise_to(design, direct=False)}
    return {name: promise_to(design, direct=direct) for name, direct in (("whole", False), ("light", True))}


def promises_json(design: Design) -> dict[str, Any]:
    """Return the promises of a design in the form that devices read."""
    return {name: None if odds is None else odds.to_json() for name, odds in promises_of(design).items()}


def older_promises_json(design: Design) -> dict[str, Any]:
    """Return the promises as versions state them that were published before pages stated skips.

    Digests in letters cover these bytes, so they stay as they were.
    """
    return {
        name: None if held is None else {key: value for key, value in held.items() if key != "skip_once_in"}
        for name, held in promises_json(design).items()
    }


def stated_promises(version: Version) -> dict[str, Any]:
    """Return the promises that respondents of a version read, in the form that devices read.

    Parameters
    ----------
    version : Version
        Published, or unsaved: the form in which a draft would be published.
    """
    if version.promises is not None:
        return dict(version.promises)
    return older_promises_json(version.to_design()) if version.pk else promises_json(version.to_design())


def usual_promise() -> str:
    """Write the promise of a draft with the default protection."""
    usual = PROTECTIONS[MEDIUM]
    return promise_sentence(
        Promise(everything=usual.everything, answer=usual.answer, skip=usual.skip, not_composed=False)
    )


def certainty_at(epsilon: float) -> str:
    """Format the largest certainty that an attacker who starts at 50:50 can reach: 1 / (1 + exp(-epsilon)).

    Examples
    --------
    >>> certainty_at(0), certainty_at(math.log(4))
    ('at most 50%', 'at most 80%')
    """
    return _at_most(posterior_at(epsilon))


def promise_to(design: Design, *, direct: bool) -> Promise | None:
    """Return the promise to one group's respondents; None if the group is empty or has no bound."""
    own = design.in_group(direct=direct)
    return None if own is None else promise(own)


def sure_at(odds: Fraction) -> str:
    """Format the certainty that odds give an attacker who starts at 50:50, computed exactly as a fraction."""
    return sure_of_100(percent(odds))


def sure_of_100(share: int | None) -> str:
    """Format a certainty in percent; None is above 99."""
    return _at_most(1.0 if share is None else share / 100)
