"""Words and signs that recur in front of questions and answers, by the places where they recur.

*Frage:* or *First question:* in front of several questions counts them; *Answers:* below them is left out; a
blank, a box or letters in front of a number belong behind its text; and a line such as *Question 2 of 4* is
the number of the question below it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Final

from surveys.imports.lines.source_lines import unit_of_space
from surveys.imports.words.answers_on_line import BOX, answers_on
from surveys.imports.words.cues import (
    ASKS_SEVERAL,
    CONDITION,
    IF_SO,
    LEADS_ON,
    NAMES_QUESTION,
    SAYS_NUMBER,
    SAYS_SEVERAL,
    SAYS_TEXT,
    TOOL,
    pattern_of,
    says_how_many,
    speaks_of_condition,
    words_of,
)
from surveys.imports.words.marks import (
    COUNTING_LETTERS,
    NUMBER_WORDS,
    is_first_letter,
    mark_of,
    value_of_letter,
)
from surveys.imports.words.patterns import AND_OR, BRACKETED, HAN, TO
from surveys.imports.words.question_marks import asks, holds_question

_TIME: Final = (
    r"(?:[^\W\d_]{2,4}\.?,?\s)?(?!\d{1,2}\.\d\s)\d{1,4}[:/.]\d{1,4}(?:[:/.]\d{1,4})?(?:,?\s\d{1,2}[:.]\d{2})?"
    r"(?:\s?[ap]\.?m\.?)?"
)
_SPEAKER: Final = re.compile(
    rf"^\s*(?:\[\d[^\[\]]{{2,25}}\]|[(\[]?{_TIME}[)\]]?,?)\s?[-–—]?\s?(?P<name>[^\W\d_][^:：\[\]?？]{{0,30}})[:：]\s"
)
"""Time and sender in front of a message."""
_SENDER: Final = re.compile(r"\s*(?P<name>[^\W\d_][^:：?？]{1,40})[:：]\s(?=\S)")
_SENDER_ALONE: Final = re.compile(r"\s*(?P<name>\S(?:.{0,30}?\S)?)\s{1,9}\d{1,2}:\d{2}\s*")
"""Sender and time on a line above a message."""
_LABEL: Final = re.compile(
    r"(?P<indent>\s*(?:[-*•]\s+)?)(?P<label>[^\W\d_][^:：=?？؟|☐○\[]{0,40}?)\s?[:：=]\s*(?P<rest>\S.*)"
)
_LABEL_BEFORE_SIGN: Final = re.compile(
    r"(?P<indent>\s*)(?P<label>[^\W\d_][^:：=?？؟|☐○\[]{0,40}?)(?:\s[-–—|/]|[.)．,،](?!\s*\d{1,3}\s))\s+(?P<rest>\S.*)"
)
"""A few words with a dash, a bar, a comma or a full stop behind them."""
_QUESTION_WORDS: Final = {*words_of("question-word")}
_BESIDE_NUMBER: Final = {*words_of("beside-number")}
_AROUND_WORDS: Final = ".,:()[]#*°º'’"
_TO_INTERVIEWER: Final = pattern_of("interviewer", behind=r"\s?[:：]")
_SHOWN: Final = re.compile(
    r"(?P<before>(?:[^\W\d_]{4,20}\s[^\W_]{1,2}[.:]?\s)?)(?P<text>[^\W\d_]?\W?[^\W\d_][^?？]{5,300}[?？])\s?(?P<behind>(?:[^?？]{5,60})?)"
)
"""Words in capitals around a question: *SHOWCARD A*, *ONE ANSWER*."""
_LEAST_SHOUTED: Final = 5
_IN_BRACKETS: Final = re.compile(r"\s?[(（](?P<words>[^()（）]{1,40})[)）]")
_BEFORE_NUMBER: Final = re.compile(
    r"\s*(?P<signs>_{2,12}|[(（\[][\s_.…]*[)）\]]|☐|○|(?:[A-Z]{1,2}\s+|[\[(][A-Z]{1,2}[\])]\s*){2,5}(?=\d))"
    rf"\s*(?P<rest>\d{{1,3}}\s?(?:[.)、:：]|[-–](?=\s)(?!\s(?:{TO}|{AND_OR})\s\d)).*)"
)
_NUMBERED: Final = re.compile(r"\s*\d{1,3}\s?[.)、:：](?!\d)")
_LETTER: Final = re.compile(
    rf"(?P<indent>\s*)(?P<number>\d{{1,2}}[.]|)(?P<letter>[a-zA-Z{COUNTING_LETTERS}])(?P<gap>\s+)(?=[^\s=＝])"
)
_OPEN: Final = re.compile(r"[(（](?=[^()（）]{2})[^()（）]{2,80}$")
_CLOSED: Final = re.compile(
    r"\s*(?:[^\s()（）]{2,40}(?:\s[^()（）]{0,120})?"
    r"|(?![一二三四五六七八九十甲乙丙丁][)）])[㐀-鿿][^()（）]{0,60}|[^()（）\s]{4,60})[)）]"
)
"""Words up to a bracket that closes on another line than it opens."""
_COUNTER: Final = re.compile(
    r"(?P<open>[【\[(（]?)(?P<word>(?:[^\W\d_]{1,20}\s?){1,2}?)\s?(?P<number>\d{1,3})[】\])）]?(?P<total>\s?/\s?\d{1,3}|\s[^\W\d_]{1,5}\s\d{1,3})?"
    r"\s*(?P<more>.{0,60})"
)
_BAR: Final = re.compile(r"[\u2500-\u259f]+")
_MOST_WORDS: Final = 3
_LEAST: Final = 2
_FAR: Final = 40
"""Lines between two numbers of questions."""

_SAME_LETTER: Final = re.compile(r"(?P<indent>\s*)(?P<letter>[^\W\d_]{1,2})\.\s+(?=\S)")
_REMARK_FIRST: Final = re.compile(
    r"(?P<start>(?:.{0,400}\t)?\s*(?:[^\W\d_]{1,12}[:：]\s{0,9})?)[(（](?P<words>[^()（）?？]{3,40})[)）]\s{0,9}(?=\S)"
)
_REMARK_LAST: Final = re.compile(
    r"[(（](?P<list>[^()（）;；]{3,200}[,，、/|][^()（）;；]{1,60}?)(?:\s?[;；:：]|\s?[,，](?=\s?(?:\S{1,40}\s|[㐀-鿿]))|\s[–—-])\s?(?P<words>[^()（）,，;；]{3,40})[)）]$"
)
"""A list in brackets that ends with how many answers are allowed."""
_ARROW: Final = re.compile(r"(?<=[?？؟)）])\s{0,3}(?:→|⇒|➔|►|-{1,3}>|=>|>>)\s{1,3}(?=[^\W\d_])")
"""An arrow behind a question."""
_END_OF_ANSWER: Final = re.compile(r"[)）]\s{0,9}|\s{2,}|\t")
_IF: Final = pattern_of("if")


def without_prefixes(lines: Sequence[str]) -> list[str]:
    """Return lines without the words and signs that recur in front of them.

    Parameters
    ----------
    lines : sequence of str
        A line whose words belong to the next question becomes empty.

    Examples
    --------
    >>> without_prefixes(["Frage: Wie oft?", "Antworten: nie, oft", "Frage: Wo?"])
    ['1. Wie oft?', 'Antworten: nie, oft', '2. Wo?']
    >>> without_prefixes(["Frage 1/2", "Wie oft?", "Frage 2/2", "Wo?"])
    ['', '1. Wie oft?', '', '2. Wo?']
    >>> without_prefixes(["Y N 1. Asthma?", "Y N 2. Cough?"])
    ['1. Asthma?   ☐ Y ☐ N', '2. Cough?   ☐ Y ☐ N']
    """
    found = _without_senders(lines)
    _join_brackets(found)
    _join_conditions(found)
    _mark_letters(found)
    _move_signs(found)
    _colon_letters(found)
    _flag_lists(found)
    _without_arrows(found)
    _count_labels(found)
    _drop_labels(found)
    _bracket_jumps(found)
    _bracket_instructions(found)
    _join_counters(found)
    return found


def _without_senders(lines: Sequence[str]) -> list[str]:
    """Return messages without their senders; put messages of people who do not ask in brackets."""
    found = [*map(_SENDER_ALONE.fullmatch, lines)]
    # Lines with times below each other are answers: before 7:00, after 9:30.
    are_apart = not any(above and below for above, below in pairwise(found))
    has_heads = are_apart and sum(map(bool, found)) >= _LEAST
    if not has_heads:
        bare = [match for match in map(_SENDER.match, lines) if match and not _is_first_answer(match, "name")]
        counted = Counter(each["name"] for each in bare if _is_numbered(each.string[each.end() :]))
        pattern = _SENDER if max(counted.values(), default=0) >= _LEAST else _SPEAKER
        found = [_SPEAKER.match(line) or pattern.match(line) for line in lines]
    names: list[str] = []
    texts: list[str] = []
    for line, match in zip(lines, found, strict=True):
        names.append(match["name"] if match else names[-1] if has_heads and names else "")
        texts.append(line[match.end() :] if match else line)
    asked = Counter(
        name for name, text in zip(names, texts, strict=True) if holds_question(text) or _is_numbered(text)
    )
    main = max(filter(None, asked), key=lambda name: asked[name], default="")
    others = {*names} - {"", main} if asked[main] >= _LEAST else set()
    return [
        f"({text.strip('() ')})" if name in others and text.strip() else text
        for name, text in zip(names, texts, strict=True)
    ]


def _is_first_answer(match: re.Match[str], name: str) -> bool:
    """Return whether the first of several answers is in front of a colon: *never: 0 – often: 1*."""
    listed = answers_on(match.string.strip())
    return listed is not None and listed.labels[0] == match[name].strip()


def _join_brackets(lines: list[str]) -> None:
    """Join the lines over which words in brackets go."""
    for place in range(len(lines)):
        for end in range(place + 1, min(place + _FAR, len(lines))):
            below = lines[end]
            closed = _CLOSED.match(below)
            within = closed[0] if closed else below
            is_open = _OPEN.search(lines[place]) is not None and below.strip() != ""
            if not is_open or _is_numbered(below) or holds_question(within):
                break
            if closed:
                between = "" if HAN.search(lines[place].rstrip()[-1:] + below.strip()[:1]) else " "
                parts = [
                    lines[place].rstrip(),
                    *(each.strip() for each in lines[place + 1 : end + 1] if each),
                ]
                lines[place] = between.join(parts)
                lines[place + 1 : end + 1] = [""] * (end - place)


def _join_conditions(lines: list[str]) -> None:
    """Join a condition that fills its line, such as *If yes*, and the question without a number below it."""
    filled = _filled(lines)
    for above, place in pairwise(filled):
        cue = IF_SO.match(lines[above].strip())
        is_alone = cue is not None and not lines[above].strip()[cue.end() :].strip(" :：,，.…")
        if is_alone and asks(lines[place]) and mark_of(lines[place].strip())[0] is None:
            lines[above] = f"{lines[above].rstrip(' :：,，.…')}, {lines[place].strip()}"
            lines[place] = ""


def _mark_letters(lines: list[str]) -> None:
    """Put a bracket behind letters that count up, from the first one or in front of wide blanks."""
    found = [_LETTER.match(line) for line in lines]
    is_run = False
    for place, (first, second) in enumerate(pairwise(found)):
        is_next = (
            first is not None
            and second is not None
            and (value_of_letter(second["letter"]) == value_of_letter(first["letter"]) + 1)
            and first["number"] == second["number"]
        )
        if (
            is_next
            and first
            and second
            and (is_run or is_first_letter(first["letter"]) or len(first["gap"]) > 1)
        ):
            is_run = True
            for at, match in ((place, first), (place + 1, second)):
                lines[at] = (
                    f"{match['indent']}{match['number'][:-1]}{match['letter']}) {match.string[match.end() :]}"
                )
        else:
            is_run = False


def _move_signs(lines: list[str]) -> None:
    found = {place: match for place, line in enumerate(lines) if (match := _BEFORE_NUMBER.fullmatch(line))}
    counts = Counter("".join(match["signs"].split()) for match in found.values())
    # If other lines are numbered, these are answers with boxes: "☐ 1. Klasse".
    are_answers = any(_NUMBERED.match(line) for place, line in enumerate(lines) if place not in found)
    names = Counter(_NUMBERED.sub("", match["rest"]).strip() for match in found.values())
    for place, match in found.items():
        if names[_NUMBERED.sub("", match["rest"]).strip()] > 1:
            # Only the numbers distinguish these answers.
            continue
        letters = re.findall(r"[A-Z]{1,2}", match["signs"])
        if counts["".join(match["signs"].split())] >= _LEAST and (letters or not are_answers):
            lines[place] = match["rest"] + (
                "   " + " ".join(f"☐ {each}" for each in letters) if letters else ""
            )


def _colon_letters(lines: list[str]) -> None:
    """Put a colon behind the letter before all questions and the one before their answers: *Q. Who? R. all*.

    An answer that is no list says what to write.
    """
    filled = [place for place, line in enumerate(lines) if line.strip()]
    found = {place: match for place in filled if (match := _SAME_LETTER.match(lines[place]))}
    counts = Counter(match["letter"] for match in found.values())
    asked = Counter(match["letter"] for match in found.values() if holds_question(match.string))
    questions = {letter for letter in counts if asked[letter] == counts[letter] >= _LEAST}
    if len(questions) != 1:
        return
    letters = {place: found[place]["letter"] if place in found else "" for place in filled}
    below = Counter(
        letters[place]
        for above, place, after in zip(filled, filled[1:], [*filled[2:], -1], strict=False)
        if letters[above] in questions and letters.get(after, "") in {*questions, ""}
    )
    answers = {letter for letter in counts if not asked[letter] and below[letter] == counts[letter] >= _LEAST}
    for place, match in found.items():
        rest = match.string[match.end() :].strip()
        if match["letter"] in answers and answers_on(rest) is None:
            rest = f"({rest.strip('()')})"
        if match["letter"] in questions | answers:
            lines[place] = f"{match['indent']}{match['letter']}: {rest}"


def _flag_lists(lines: list[str]) -> None:
    """Put how many answers are allowed behind a list: *(several) tea, wine*, *(tea, wine – several)*."""
    for place, line in enumerate(lines):
        if (behind := _REMARK_LAST.search(line)) and says_how_many(f"({behind['words']})"):
            lines[place] = f"{line[: behind.start()]}({behind['list']})" + (
                _flag(behind["words"]) or f" ({behind['words']})"
            )
            continue
        match = _REMARK_FIRST.match(line)
        is_several = match is not None and (
            ASKS_SEVERAL.search(match["words"]) or SAYS_SEVERAL.search(match["words"])
        )
        if match is None or not (is_several or says_how_many(match["words"])):
            continue
        listed = answers_on(line[match.end() :].strip())
        if listed and not listed.before:
            flag = "several" if is_several else "one"
            lines[place] = f"{match['start']}{line[match.end() :].rstrip()} [{flag}]"


def _without_arrows(lines: list[str]) -> None:
    """Leave out arrows from questions to their answers, if at least two lines have one and none is a jump."""
    found = [(place, match) for place, line in enumerate(lines) if (match := _ARROW.search(line))]
    said = [lines[place][match.end() :] for place, match in found]
    if len(found) >= _LEAST and not any(map(speaks_of_condition, said)):
        for place, match in found:
            lines[place] = f"{lines[place][: match.start()]}   {lines[place][match.end() :]}"


def _labels(lines: Sequence[str]) -> Iterator[tuple[int, re.Match[str], str]]:
    """Yield lines of a few words, a colon and no question, with what their labels have in common."""
    for place, line in enumerate(lines):
        match = _LABEL.fullmatch(line)
        if match and len(match["label"].split()) <= _MOST_WORDS and not holds_question(match["rest"]):
            words = _IN_BRACKETS.sub("", match["label"]).casefold().split()
            yield place, match, " ".join("9" if _is_count(word) else word for word in words)


def _is_count(word: str) -> bool:
    """Return whether a word of a label may count: a letter or a number."""
    return len(word) == 1 or any(map(str.isdecimal, word))


def _count_labels(lines: list[str]) -> None:
    """Put numbers in place of words that recur in front of the questions.

    The words are the same for all, or each has a word for a question, or a number. Otherwise they belong to
    the questions: *At work: do you lie?* Words of a condition do, too: *If yes: how often?*
    """
    n_asked = sum(map(holds_question, lines))
    for pattern in (_LABEL, _LABEL_BEFORE_SIGN):
        found = [
            match
            for match in map(pattern.fullmatch, lines)
            if match and holds_question(match["rest"]) and not CONDITION.match(f"{match['label']}:")
        ]
        named = [match for match in found if _is_name(match["label"])]
        labels = Counter(match["label"].casefold() for match in found)
        same = max(labels, key=lambda label: labels[label], default="")
        if len(named) < _LEAST and pattern is _LABEL:
            named = [match for match in found if match["label"].casefold() == same]
        numbered = [match for match in found if pattern is _LABEL or _is_number(match["label"])]
        counts = [number for match in numbered for number in _numbers(match["label"])]
        if len(numbered) >= _LEAST and counts == [*range(1, len(numbered) + 1)]:
            named = numbered
        if len(named) >= _LEAST and 2 * len(named) >= n_asked:
            _write_counts(lines, named)


def _write_counts(lines: list[str], named: Sequence[re.Match[str]]) -> None:
    """Put numbers in place of the labels of these lines."""
    own = {match.string: match for match in named}
    counted = 0
    for place, line in enumerate(lines):
        if match := own.get(line):
            stated = re.search(r"\d{1,3}", match["label"])
            counted = int(stated[0]) if stated else counted + 1
            rest = match["rest"]
            rest = rest[0].upper() + rest[1:] if match["label"][0].isupper() else rest
            lines[place] = f"{match['indent'].replace('-', ' ')}{counted}. {rest}"


def _numbers(label: str) -> list[int]:
    """Return the numbers that the words of a label stand for: *third question*."""
    return [number for word in label.casefold().split() if (number := NUMBER_WORDS.get(word))]


def _is_number(label: str) -> bool:
    return label.casefold() in NUMBER_WORDS


def _is_name(label: str) -> bool:
    """Return whether a label has a word for a question and at most one word that is not known beside it.

    >>> [_is_name(each) for each in ("Question Two", "Pregunta nº 1", "Item the last", "At work")]
    [True, True, True, False]
    """
    words = [word.strip(_AROUND_WORDS) for word in label.casefold().split()]
    others = [word for word in words if word not in _QUESTION_WORDS and word not in _BESIDE_NUMBER]
    unknown = [word for word in others if not (word.isdecimal() or word in NUMBER_WORDS)]
    return bool(_QUESTION_WORDS & {*words}) and len(others) < _LEAST and len(unknown) < _LEAST


def _drop_labels(lines: list[str]) -> None:
    """Leave out words that recur below all questions, in front of their answers."""
    filled = _filled(lines)
    above = {after: before for before, after in pairwise(filled)}
    if any(holds_question(lines[before]) and _is_numbered(lines[after]) for after, before in above.items()):
        # Some questions have no answers below them: the words may say something else.
        return
    below: dict[str, list[tuple[int, re.Match[str]]]] = defaultdict(list)
    starts: Counter[str] = Counter()
    for place, match, key in _labels(lines):
        starts[key] += 1
        if place in above and _labels_answers(match, lines[above[place]]):
            below[key].append((place, match))
    for key, same in below.items():
        are_apart = all(second - first > 1 for (first, _), (second, _match) in pairwise(same))
        if len(same) < _LEAST or len(same) < starts[key] or not are_apart:
            continue
        for place, match in same:
            remark = _IN_BRACKETS.search(match["label"])
            lines[place] = match["indent"] + match["rest"]
            if remark and ASKS_SEVERAL.search(remark["words"]):
                lines[place] += " [several]"


def _labels_answers(match: re.Match[str], above: str) -> bool:
    """Return whether a label may be in front of answers: below a question, or in front of a list."""
    if CONDITION.match(f"{match['label']}:") or _is_first_answer(match, "label"):
        return False
    listed = answers_on(match["rest"])
    is_list = listed is not None and not listed.before and (listed.sign != "," or "[" in match["rest"])
    return is_list or holds_question(above)


def _bracket_jumps(lines: list[str]) -> None:
    """Put a condition to skip in brackets if it is a sentence behind the answers on a question's line.

    An example is *Do you work? (Yes / No) If no, go to question 4.*
    """
    for place, line in enumerate(lines):
        # Only the last few ends of answers are near the end of the line.
        ends = [*_END_OF_ANSWER.finditer(line)][-_FAR:] if holds_question(line) else []
        found = ((end.end(), line[end.end() :]) for end in ends)
        start, words = next(((at, each) for at, each in found if _IF.match(each)), (0, ""))
        leads_on = LEADS_ON.search(words) or NAMES_QUESTION.search(words)
        if leads_on and CONDITION.search(f"{words}:") and not holds_question(words):
            lines[place] = f"{line[:start].rstrip()} ({words.rstrip(' .。')})"


def _bracket_instructions(lines: list[str]) -> None:
    """Put what interviewers do, show and read out in brackets, after the question or on the line below it.

    It is in capitals among other words, or after a word for interviewers, or says how many answers are
    possible in a sentence of its own.
    """
    filled = _filled(lines)
    has_case = 2 * sum(line.isupper() for line in lines) < len(filled)
    is_asked = False
    for above, place in pairwise([-1, *filled]):
        is_asked = above == place - 1 >= 0 and _belongs_to_question(lines[above], is_below=is_asked)
        line, below = lines[place], lines[place + 1] if place + 1 < len(lines) else ""
        mark, body = mark_of(" ".join(line.split()))
        if mark is None or mark.kind not in ("count", "letter"):
            body = line.strip()
            if _TO_INTERVIEWER.match(body) or (is_asked and _instructs(body, below, has_case=has_case)):
                lines[place] = f"({body.strip('()[]')})"
            continue
        start = line[: line.find(body[:2])]
        is_instruction = _TO_INTERVIEWER.match(body) or (has_case and _is_shouted(body))
        if is_instruction and asks(below) and mark_of(below.strip())[0] is None:
            lines[place : place + 2] = [f"{start}{below.strip()}", f"({body})"]
        elif has_case and (shown := _shown_behind(body, line)):
            lines[place] = start + shown


def _belongs_to_question(line: str, *, is_below: bool) -> bool:
    """Return whether a line is a question, or in brackets below one."""
    return asks(line) or _is_numbered(line) or (is_below and line[:1] == "(")


def _instructs(text: str, below: str, *, has_case: bool) -> bool:
    """Return whether a line below a question says how many answers are possible, or is in capitals."""
    # Answers in capitals are answers: YES     NO.
    if answers_on(text) is not None or holds_question(text):
        return False
    if says_how_many(text) and text[-1] in ".:：。" and below.strip():
        return True
    return has_case and _is_shouted(text) and not speaks_of_condition(text)


def _shown_behind(text: str, line: str) -> str:
    """Return a question with the words in capitals around it in brackets behind it; empty without these."""
    match = _SHOWN.fullmatch(text)
    words = " ".join(f"{match['before']} {match['behind']}".split()).strip(".") if match else ""
    # Codes have brackets, and answers in columns may be in capitals, too.
    if match is None or words[:1] == "[" or not _is_shouted(words):
        return ""
    listed = answers_on(line.strip())
    return "" if listed and listed.sign == "cells" else f"{match['text']} ({words})"


def _filled(lines: Sequence[str]) -> list[int]:
    """Return the places of lines that are not blank."""
    return [place for place, line in enumerate(lines) if line.strip()]


def _is_shouted(text: str) -> bool:
    is_plain = not (HAN.search(text) or holds_question(text) or BOX.search(text))
    return is_plain and text.isupper() and sum(map(str.isalpha, text)) > _LEAST_SHOUTED


def _is_numbered(line: str) -> bool:
    mark = mark_of(line.strip())[0]
    return mark is not None and mark.is_number


def _join_counters(lines: list[str]) -> None:
    """Number questions by lines above them that hold nothing but a number of the question."""
    filled = _filled(lines)
    for counters in _counters(lines, filled):
        stretches = _stretches([place for place, _match in counters], lines, filled)
        asked = [[place for place in stretch if asks(lines[place])] for stretch in stretches]
        # Below the last question may be the heading of the results: "What does my score mean?"
        if not all(stretches[:-1]) or any(len(each) > 1 for each in asked[:-1]):
            continue
        if any(asked):
            _number_questions(lines, counters, stretches)
        else:
            _join_statements(lines, counters, stretches)


def _counters(lines: Sequence[str], filled: Sequence[int]) -> Iterator[list[tuple[int, re.Match[str]]]]:
    """Yield the places of lines that count up with the same word, such as *Question 1 of 9*."""
    found: dict[str, list[tuple[int, re.Match[str]]]] = defaultdict(list)
    titled: dict[str, list[tuple[int, re.Match[str]]]] = defaultdict(list)
    for place in filled:
        match = _COUNTER.fullmatch(_BAR.sub("", lines[place]).strip())
        is_bare = match is not None and (match["open"] or not re.match(r"[^\W_]|[.:)]", match["more"]))
        if match and not holds_question(lines[place]):
            name = match["open"] + match["word"].strip().casefold()
            (found if is_bare else titled)[name].append((place, match))
    for name, bare in found.items():
        # The first may be on a line with the title: *P7 Our survey*, *P8*, *P9*.
        second = int(bare[0][1]["number"])
        first = [each for each in titled[name] if int(each[1]["number"]) + 1 == second]
        same = [*first[:1], *bare]
        numbers = [int(match["number"]) for _place, match in same]
        if len(same) >= _LEAST and all(second == first + 1 for first, second in pairwise(numbers)):
            yield same


def _stretches(counters: Sequence[int], lines: Sequence[str], filled: Sequence[int]) -> list[list[int]]:
    """Return the filled lines between counters, without those of a tool; at most a few for each."""
    starts = [bisect_right(filled, place) for place in counters]
    ends = [*(start - 1 for start in starts[1:]), starts[-1] + _FAR - 1]
    return [
        [
            place
            for place in filled[start : min(end, start + _FAR)]
            if not TOOL.fullmatch(lines[place].strip())
        ]
        for start, end in zip(starts, ends, strict=True)
    ]


def _number_questions(
    lines: list[str], counters: Sequence[tuple[int, re.Match[str]]], stretches: Sequence[Sequence[int]]
) -> None:
    """Write the number of each counter in front of the question below it, or the first line of its own."""
    texts = Counter(lines[place].strip() for stretch in stretches for place in stretch)
    for (counter, match), stretch in zip(counters, stretches, strict=True):
        asked = [place for place in stretch if asks(lines[place])]
        asked = asked or [place for place in stretch if holds_question(lines[place])]
        if not asked and not (NAMES_QUESTION.search(lines[counter]) or _has_answers(lines, stretch)):
            # The title, or thanks at the end.
            lines[counter] = match["more"]
            continue
        rest = [place for place in stretch if texts[lines[place].strip()] < len(counters)]
        target = next(iter(asked or rest), None)
        if target is None or mark_of(lines[target].strip())[0] is not None:
            break
        remarks = _moved_remarks(lines, [place for place in stretch if place < target], rest)
        asked_text = " ".join([*remarks, lines[target].strip()])
        lines[target] = f"{match['number']}. {asked_text}{_flag(match['more'])}"
        lines[counter] = _words_of_counter(match, is_first=counter == counters[0][0])


def _moved_remarks(lines: list[str], places: Sequence[int], own: Sequence[int]) -> list[str]:
    """Empty the remarks in brackets and the repeated lines above a question; return its own remarks."""
    remarks = []
    for place in places:
        text = lines[place].strip()
        is_remark = BRACKETED.fullmatch(text) is not None
        if is_remark and place in own:
            remarks.append(text)
        if is_remark or place not in own:
            lines[place] = ""
    return remarks


def _words_of_counter(match: re.Match[str], *, is_first: bool) -> str:
    """Return what the line of a counter says besides the number: the title, or a remark in brackets."""
    more = match["more"].strip("() ")
    if not more:
        return ""
    begins = is_first and match["open"] == "" and re.match(r"[^\W_]", match["more"]) is not None
    if begins and not _flag(more):
        return more
    return f"({more})" if "=" in more or not (_flag(more) or says_how_many(more)) else ""


def _has_answers(lines: Sequence[str], stretch: Sequence[int]) -> bool:
    """Return whether lines below a counter have marks, or one lists answers or is a space to write."""
    texts = [lines[place].strip() for place in stretch]
    marked = [mark_of(text)[0] for text in texts[1:]]
    return any(marked) or any(answers_on(text) or unit_of_space(text) is not None for text in texts)


def _join_statements(
    lines: list[str], counters: Sequence[tuple[int, re.Match[str]]], stretches: Sequence[Sequence[int]]
) -> None:
    """Number the statements below counters, if each has a list of answers with marks below it.

    A statement may be over several lines.
    """
    own = [[*takewhile(lambda place: mark_of(lines[place].strip())[0] is None, each)] for each in stretches]
    are_lists = not any(match["more"].strip() for _counter, match in counters) and all(
        0 < len(words) <= _MOST_WORDS and len(stretch) > len(words) + 1
        for words, stretch in zip(own, stretches, strict=True)
    )
    for (counter, match), words in zip(counters, own, strict=True) if are_lists else ():
        text = " ".join(lines[place].strip() for place in words)
        for place in (counter, *words):
            lines[place] = ""
        lines[words[0]] = f"{match['number']}. {text}"


def _flag(said: str) -> str:
    """Return the flag for what the line with the number of a question says about its answer."""
    kinds = (("several", ASKS_SEVERAL), ("number", SAYS_NUMBER), ("text", SAYS_TEXT))
    return next((f" [{name}]" for name, pattern in kinds if pattern.search(said)), "")
