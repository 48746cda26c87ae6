"""Describe what a survey can find, in sentences for its researchers and its ethics board."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from privacy.estimation.planned_pairs import planned_pairs, predicts_pairs
from privacy.planning.break_even import break_even
from privacy.planning.forms import questions_between
from privacy.planning.power import AskedItem
from privacy.planning.shortfalls import LIMITS, Shortfall, chance_of_few, shortfalls
from privacy.planning.use import Use, asked_item
from privacy.policy import SHARE_FOR_POWER
from privacy.survey.design import Design
from surveys.formats.joints import LONGEST_NAME, answer_text, inner_quotes, labelled, list_text, short_text
from surveys.formats.numbers import count_text
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.languages import text_in

_MOST_LISTED: Final = 3
_LONGEST_IN_SHORT: Final = 30
"""Longest name, in characters, that short sentences repeat."""
_LEAST_DIFFERENCE: Final = 0.0005
"""Differences below this are 0 when rounded to tenths of points."""


class WordedDesign(Protocol):
    """A design with the texts of its questions: a definition, or a published version."""

    @property
    def design(self) -> Design: ...

    @property
    def wording(self) -> Mapping[str, Any]: ...


class ItemNames(dict[str, str]):
    """Names of questions and items by key, and the units of numbers.

    Attributes
    ----------
    units : mapping of str to str
        By key of the question; without those that have none.
    """

    def __init__(self, names: Mapping[str, str], units: Mapping[str, str]) -> None:
        super().__init__(names)
        self.units = units


def item_names(source: WordedDesign, labels: Mapping[str, str] | None = None) -> ItemNames:
    """Return the names of questions and items by key: the question, and the option of a choice.

    Parameters
    ----------
    source : WordedDesign
    labels : mapping of str to str, optional
        Short names of questions, by key; see `Aim.labels`.
    """
    wordings = [question for block in source.wording["blocks"] for question in block["questions"]]
    short = labels or {}
    names = {
        wording["key"]: short.get(wording["key"]) or short_text(text_in(wording["text"]) or wording["key"])
        for wording in wordings
    }
    for item in source.design.items:
        wording = wordings[item.question]
        options = wording.get("options") or ()
        option = text_in(options[item.option]["text"]) if options else ""
        question = names[wording["key"]]
        names[item.key] = answer_text(question, option) if option else question
    units = {wording["key"]: text_in(wording.get("unit") or {}) for wording in wordings}
    return ItemNames(names, {key: unit for key, unit in units.items() if unit})


def points(share: float) -> str:
    """Format a half-width or a difference in points: at most 100, and rounded up so that the promise holds.

    Examples
    --------
    >>> points(.0817), points(.24), points(.0044), points(6.37)
    ('8.2', '24', '0.5', '100')
    """
    value = math.ceil(1000 * min(share, 1) - 1e-6) / 10
    return f"{value:.1f}".removesuffix(".0")


def chance_of_ten(power: float) -> str:
    """Describe a power as a frequency in words, rounded down.

    Examples
    --------
    >>> chance_of_ten(.83), chance_of_ten(.07), chance_of_ten(.995)
    ('8 times in 10', 'less than 1 time in 10', 'nearly always')
    """
    times = math.floor(10 * power + 1e-9)
    if power >= 0.99:
        return _("nearly always")
    if times == 0:
        return _("less than 1 time in 10")
    if times == 1:
        return _("1 time in 10")
    return _("%(times)s times in 10") % {"times": times}


def use_sentences(use: Use, names: Mapping[str, str]) -> list[str]:
    """Describe what a survey can find, one thought per sentence.

    Parameters
    ----------
    use : Use
    names : mapping of str to str
        Names of questions and items, by key.
    """
    sentences = [_precision(use, names)]
    if use.power is not None:
        sentences.append(_pair_sentence(use, names))
    return [*sentences, *_assumptions(use, names)]


def short_sentences(use: Use, names: Mapping[str, str], *, has_others: bool = True) -> list[str]:
    """Describe what a survey can find as `use_sentences` does, without repeating long names.

    Parameters
    ----------
    use : Use
    names : mapping of str to str
        Names of questions and items, by key.
    has_others : bool, optional
        Whether to state the figures without a star, too, and what is assumed.
    """
    cut = ItemNames(
        {key: short_text(name, _LONGEST_IN_SHORT) for key, name in names.items()}, _units_of(names)
    )
    shares = [key for key in use.aim.wanted if key in use.half_widths]
    if any(len(names[key]) > _LONGEST_IN_SHORT for key in shares):
        stars = (
            _("both starred answers %(widths)s") if len(shares) > 1 else _("the starred answer %(widths)s")
        )
        figures = [stars % {"widths": widths_text(use, shares, names)}]
        figures += [figure_text(use, key, cut) for key in use.aim.wanted if key not in shares]
    else:
        figures = [figure_text(use, key, cut) for key in use.aim.wanted]
    if has_others or not figures:
        figures += _unstarred_figures(use, cut)
    sentences = [_answers_sentence(use, figures)]
    if use.power is not None:
        sentences.append(_short_pair_sentence(use))
    return [*sentences, *(_assumptions(use, names) if has_others else ())]


def change_sentences(use: Use) -> list[str]:
    """Say how exactly a change would be known, if both starred answers ask one thing for two times."""
    if use.change is None:
        return []
    return [
        _(
            "If both starred answers ask one thing, then and now, the net change of the same people "
            "would be known within ±%(points)s points. This assumes that both answers are unrelated; if "
            "most people stay the same, it is narrower."
        )
        % {"points": points(use.change)}
    ]


def _assumptions(use: Use, names: Mapping[str, str]) -> list[str]:
    """Say which shares of the starred pair are assumed, because there is no guess; empty if none is."""
    if not use.assumed:
        return []
    share = f"{SHARE_FOR_POWER:.0%}"
    if len(use.assumed) == 1:
        assumed = {"share": share, "names": quote_names([names[key] for key in use.assumed])}
        sentence = _("This assumes that %(share)s of people have %(names)s, because there is no guess.")
        return [sentence % assumed]
    both = _(
        "This assumes that %(share)s of people have each of these two answers, because there are no guesses."
    )
    return [both % {"share": share}]


def condition_sentences(design: Design) -> list[str]:
    """Say how conditions change the figures of a plan; empty without conditions on disguised questions."""
    sentence = _(
        "For questions with a condition, these figures assume that everyone meets it. If half do, margins "
        "are 1.4 times as wide; if fewer than 100 do, nothing can be shown."
    )
    return [sentence] if any(block.protected and block.asked_if for block in design.blocks) else []


def between_sentences(design: Design, names: Mapping[str, str]) -> list[str]:
    """Say which questions stored as answered divide the protected questions around them.

    Parameters
    ----------
    design : Design
    names : mapping of str to str
        By key, as `item_names` returns them.
    """
    stored = {question.key for block in design.blocks if not block.protected for question in block.questions}
    return [
        ngettext(
            "%(questions)s is stored as answered between protected questions, so those before and after it "
            "cannot share a part. Asked after “%(after)s”, it would not divide them.",
            "%(questions)s are stored as answered between protected questions, so those before and after "
            "them cannot share a part. Asked after “%(after)s”, they would not divide them.",
            len(keys),
        )
        % {"questions": list_text(f"“{names[key]}”" for key in keys), "after": names[after]}
        for keys, after in questions_between(design)
        if stored.issuperset(keys)
    ]


def _precision(use: Use, names: Mapping[str, str]) -> str:
    """Describe the starred figures, the other shares together, and the other means."""
    starred = [figure_text(use, key, names) for key in use.aim.wanted]
    return _answers_sentence(use, [*starred, *_unstarred_figures(use, names)])


def _unstarred_figures(use: Use, names: Mapping[str, str]) -> list[str]:
    stars, figures = use.aim.wanted, []
    if others := [key for key in use.half_widths if key not in stars]:
        is_other = any(star in use.half_widths for star in stars)
        form = _("the other shares %(widths)s") if is_other else _("each share %(widths)s")
        figures.append(form % {"widths": widths_text(use, others, names)})
    return [*figures, *(figure_text(use, key, names) for key in use.numbers if key not in stars)]


def _answers_sentence(use: Use, figures: Sequence[str]) -> str:
    n = use.aim.people
    values = {"people": count_text(n), "figures": list_text(figures)}
    if figures:
        text = ngettext("%(people)s answer: %(figures)s.", "%(people)s answers: %(figures)s.", n)
    elif use.people_asked:
        text = ngettext("%(people)s answer.", "%(people)s answers.", n)
    else:
        text = ngettext(
            "%(people)s answer, stored as answered.", "%(people)s answers, all stored as answered.", n
        )
    return text % values


def figure_text(use: Use, key: str, names: Mapping[str, str]) -> str:
    """Format an answer, or the mean of a number, with its half-width."""
    width = widths_text(use, [key], names)
    if key in use.numbers:
        return _("the mean of “%(name)s” %(width)s") % {"name": names[key], "width": width}
    return f"“{names[key]}” {width}"


def widths_text(use: Use, keys: Sequence[str], names: Mapping[str, str]) -> str:
    """Format the half-widths of shares, from the least to the largest, or of means, each in its unit.

    Parameters
    ----------
    use : Use
    keys : sequence of str
        Of items, or of numbers.
    names : mapping of str to str
        Units are those of `ItemNames`; other mappings have none.
    """
    if keys[0] in use.numbers:
        units = _units_of(names)
        widths_of_means = ((key, f"±{half_width_text(use.numbers[key] * use.ranges[key])}") for key in keys)
        return list_text(
            _("%(number)s %(unit)s") % {"number": width, "unit": units[key]} if key in units else width
            for key, width in widths_of_means
        )
    widths = [use.half_widths[key] for key in keys]
    ends = {"least": points(min(widths)), "points": points(max(widths))}
    is_one = ends["least"] == ends["points"]
    return (_("±%(points)s points") if is_one else _("±%(least)s to ±%(points)s points")) % ends


def _units_of(names: Mapping[str, str]) -> Mapping[str, str]:
    """Return the units of numbers; empty if the names have none."""
    return names.units if isinstance(names, ItemNames) else {}


def half_width_text(value: float) -> str:
    """Format a half-width with two significant digits, rounded up.

    Examples
    --------
    >>> half_width_text(5.61), half_width_text(0.0312), half_width_text(1234)
    ('5.7', '0.032', '1,300')
    """
    step = 10.0 ** (math.floor(math.log10(value)) - 1) if value > 0 else 1.0
    rounded_up = math.ceil(value / step - 1e-9) * step
    digits = max(0, -math.floor(math.log10(step)))
    return f"{rounded_up:,.{digits}f}"


def shortfall_text(use: Use, short: Shortfall, names: Mapping[str, str]) -> str:
    """Describe a figure that a design cannot show, or shows less exactly than is useful.

    Parameters
    ----------
    use : Use
    short : Shortfall
        One of `privacy.planning.shortfalls.shortfalls`.
    names : mapping of str to str
        Names of questions and items, by key.
    """
    if short.figure == "asked":
        people = sorted({math.floor(use.people_asked[key] + 1e-9) for key in short.keys})
        return _(
            "about %(people)s people will be asked %(questions)s; fewer than %(least)s is too few to "
            "show anything"
        ) % {
            "people": people[0] if len(people) == 1 else f"{people[0]}–{people[-1]}",
            "questions": quote_names([names[key] for key in short.keys]),
            "least": count_text(LIMITS["asked"].useless),
        }
    if short.figure == "chance":
        return ngettext(
            "devices draw who is asked, so it is up to %(percent)s%% likely that fewer than %(least)s people "
            "are asked %(questions)s; then nothing can be shown about it",
            "devices draw who is asked, so for each of %(questions)s it is up to %(percent)s%% likely that "
            "fewer than %(least)s people are asked it; then nothing can be shown about it",
            len(short.keys),
        ) % {
            "least": count_text(LIMITS["asked"].useless),
            "questions": quote_names([names[key] for key in short.keys]),
            "percent": math.ceil(100 * chance_of_few(use.aim.people, use.people_asked[short.keys[0]]) - 1e-9),
        }
    if short.figure in ("share", "mean"):
        # State all options of a choice together, unless one is starred.
        keys = [key if key in use.aim.wanted else key.partition("=")[0] for key in short.keys]
        known = (
            _("the mean of %(questions)s will be known only within %(widths)s")
            if short.figure == "mean"
            else _("%(questions)s will be known only within %(widths)s")
        )
        return known % {
            "questions": quote_names([names[key] for key in keys]),
            "widths": widths_text(use, short.keys, names),
        }
    pair = {name: names[key] for name, key in zip(("first", "second"), short.keys, strict=True)}
    if short.figure == "together":
        together = {"people": count_text(math.floor((use.asked_together or 0) * use.aim.people))}
        return _(
            "about %(people)s people will be asked both “%(first)s” and “%(second)s”; fewer than %(least)s "
            "is too few to compare them"
        ) % (pair | together | {"least": LIMITS["together"].useless})
    if _has_no_link(use):
        return (
            _("by your guesses, “%(second)s” cannot differ by “%(first)s”, so there is nothing to find")
            % pair
        )
    return _(
        "with %(people)s answers, a difference of %(points)s points in “%(second)s” by “%(first)s” is "
        "found %(chance)s"
    ) % {
        **pair,
        "people": count_text(use.aim.people),
        "points": points(use.difference_sought or 0.0),
        "chance": chance_of_ten(use.power or 0.0),
    }


def gap_sentences(use: Use, names: Mapping[str, str], *, refused: bool = True) -> list[str]:
    """Write one sentence for each reason to refuse publishing, or, with `refused` false, to warn."""
    return [
        capfirst(shortfall_text(use, short, names)) + pgettext("end of a sentence", ".")
        for short in shortfalls(use)
        if short.is_refused == refused
    ]


def risk_sentences(use: Use, names: Mapping[str, str]) -> list[str]:
    """Say how likely it is that too few people are asked a question, so that nothing is shown about it."""
    return [
        capfirst(shortfall_text(use, short, names)) + pgettext("end of a sentence", ".")
        for short in shortfalls(use)
        if short.figure == "chance"
    ]


def together_sentence(design: Design, people: int) -> str:
    """Say which pairs of answers a report can only predict, or not show; empty if it estimates all pairs.

    Parameters
    ----------
    design : Design
    people : int
        Expected number of respondents.
    """
    own, every = planned_pairs(design, people)
    if own == every:
        return ""
    if not predicts_pairs(design):
        template = _(
            "Pairs of protected answers that at least 100 people are asked: %(own)s of %(all)s. The report "
            "cannot show the others."
        )
    elif own:
        template = _(
            "Pairs of protected answers that at least 100 people are asked: %(own)s of %(all)s. The report "
            "predicts the others from all pairs and marks them as predicted."
        )
    else:
        template = _(
            "No pair of protected answers is asked of 100 people, so the report only predicts how answers go "
            "together."
        )
    return template % {"all": every, "own": own}


def quote_names(names: Sequence[str]) -> str:
    """Quote at most three names, and count the rest."""
    quotes = [f"“{inner_quotes(name)}”" for name in dict.fromkeys(names)]
    text = list_text(quotes[:_MOST_LISTED])
    left = len(quotes) - _MOST_LISTED
    return (
        text if left <= 0 else _("%(names)s and %(count)s more") % {"names": text, "count": count_text(left)}
    )


def _pair_sentence(use: Use, names: Mapping[str, str]) -> str:
    first, second = (names[key] for key in use.aim.wanted if key in use.half_widths)
    pair = {"first": first, "second": second}
    if use.asked_together == 0:
        return _("No one is asked both “%(first)s” and “%(second)s”.") % pair
    if _has_no_link(use):
        return _("By these guesses, there is no link to find.")
    is_long = len(first) + len(second) > LONGEST_NAME
    if use.difference is None:
        if is_long:
            return _("However strong the link between the two is, you find it less than 8 times in 10.")
        return (
            _(
                "However strong the link between “%(first)s” and “%(second)s”, you find it less than 8 times "
                "in 10."
            )
            % pair
        )
    # The sentence before states both, in this order.
    sentence = (
        _(
            "You find a link 8 times in 10 if the second answer is %(points)s points more common among "
            "people with the first."
        )
        if is_long
        else _(
            "You find a link 8 times in 10 if “%(second)s” is %(points)s points more common among people "
            "with “%(first)s”."
        )
    )
    return sentence % {**pair, "points": link_points(use.difference)}


def _short_pair_sentence(use: Use) -> str:
    if use.asked_together == 0:
        return _("No one is asked both.")
    if _has_no_link(use):
        return _("By these guesses, there is no link to find.")
    if use.difference is None:
        return _("You find the link less than 8 times in 10, however strong it is.")
    return _("You find a link 8 times in 10 if it is %(points)s points large.") % {
        "points": link_points(use.difference)
    }


def _has_no_link(use: Use) -> bool:
    """Return whether the guesses about a starred pair leave no difference that could be found."""
    return use.difference_sought is None or use.difference_sought < _LEAST_DIFFERENCE


def link_points(difference: float) -> str:
    """Format the smallest difference that is found 8 times in 10, in points, rounded up.

    Examples
    --------
    >>> link_points(.5691), link_points(.3)
    ('57', '30')
    """
    return count_text(math.ceil(100 * difference - 1e-6))


def draft_payoff_sentences(design: Design, aim: Aim, names: Mapping[str, str]) -> list[str]:
    """Say for each starred, disguised item whether its disguise pays off."""
    items = [design.item(key) for key in aim.wanted_items(design)]
    disguised = [item for item in items if design.blocks[item.block].protected and aim.people > 1]
    sentences = [payoff_sentence(asked_item(design, item, aim), aim.people) for item in disguised]
    if len(disguised) < 2:
        return sentences
    return [labelled(f"“{names[item.key]}”", text) for item, text in zip(disguised, sentences, strict=True)]


def payoff_sentence(item: AskedItem, people: int) -> str:
    """Say how many people would have to hide the truth for a disguise to pay off.

    Parameters
    ----------
    item : AskedItem
        The disguised item with its guessed share.
    people : int
        At least 2.
    """
    share = break_even(item, people)
    return (
        _(
            "With %(people)s people, protection does not pay off here: even if everyone hid the "
            "truth, asking directly would be more accurate."
        )
        if share is None
        else _(
            "With %(people)s people, protection gives the better estimate if at least %(points)s "
            "in 100 people would hide the truth when asked directly. This assumes that no one "
            "hides it when protected."
        )
    ) % {"people": count_text(people), "points": "" if share is None else f"{100 * share:.1f}"}
