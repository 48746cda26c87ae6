"""Read an XLSForm as a questionnaire, in a child process, from pyxform's parse of the file.

A form that pyxform accepts is never refused as malformed. Notes list unsupported questions by row, and
unsupported conditions with the respondents who are asked instead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.survey.component import MOST_OPTIONS
from surveys.errors.error import SurveyError, short_json
from surveys.formats.joints import list_text
from surveys.imports.drafts.form_columns import DATE, TYPES, bounds_of, is_slider, scale_members
from surveys.imports.drafts.fresh_keys import FreshKeys
from surveys.imports.drafts.protection import decide_protection
from surveys.imports.drafts.questionnaire import (
    LOST,
    SEVERAL,
    WRONG,
    Option,
    Part,
    Question,
    Questionnaire,
    Texts,
    name_question,
)
from surveys.imports.files.form_languages import language_tag
from surveys.imports.files.form_repairs import Repair
from surveys.imports.files.form_types import allows_other
from surveys.imports.files.reader_process import (
    MOST_FORM_BYTES,
    ROW,
    Read,
    cell_name,
    form_parse,
    read_in_child,
)
from surveys.imports.forms.calculations import Calculation, propose_calculated
from surveys.imports.forms.form_faults import note_faults, note_texts_without_language, note_unused_columns
from surveys.imports.forms.form_losses import (
    LOOKS,
    is_searched,
    loss_cause,
    note_lost_titles,
    note_unused,
    size_reason,
    texts_of_group,
    unsupported_reason,
    unused_settings,
    unused_sheets,
)
from surveys.imports.forms.form_nodes import (
    json_size,
    key_of_name,
    nodes_below,
    placeholders_in,
    texts_of_form,
)
from surveys.imports.formulas.form_conditions import (
    Known,
    asked_if_of,
    holds_always,
    holds_never,
    usable_clauses,
)
from surveys.imports.lines.source_lines import ends_sentence
from surveys.imports.lines.text_languages import UNKNOWN, languages_of
from surveys.imports.roles.question_kinds import proposed_range, range_note, says_yes_or_no
from surveys.imports.words.cues import says_yes
from surveys.imports.words.markup import is_media_file, plain, shows_media
from surveys.questionnaire.checks.leftovers import leftovers
from surveys.questionnaire.displayed import as_read
from surveys.questionnaire.document import DefinitionError, Problem

_OTHER: Final = {"name": "other", "label": "Other"}
"""The answer that a form adds to a list for a question that allows other answers."""
_IS_NUMBER: Final = re.compile(r"\W*\d{0,3}\W*").fullmatch
_SELECTS: Final = {"select one": False, "select one external": False, "select all that apply": True}


MOST_FORM: Final = 4_000_000
"""Most bytes of a questionnaire as JSON. The draft made of it may have half as many."""


def xlsform_read(raw: bytes) -> Questionnaire:
    """Return the questionnaire in an XLSX or XLS workbook with an XLSForm, read in a child process.

    Raises
    ------
    DefinitionError
        As for `form_parse`; or the workbook or its questionnaire is too large, or reading it needs too much
        memory or time.
    """
    if len(raw) > MOST_FORM_BYTES:
        raise DefinitionError.at("", "workbook.too_large", most=MOST_FORM_BYTES)
    try:
        # Headings and titles are not counted by the form's own limit.
        plain, pieces = read_in_child(xlsform_plain, raw, most=2 * MOST_FORM, with_models=True)
    except SurveyError as error:
        raise DefinitionError([Problem(path="", message=error.message, remedy=error.remedy)]) from error
    if "problems" in plain:
        raise DefinitionError([Problem(**problem) for problem in plain["problems"]])
    return Questionnaire.from_json(json.loads(bytes(pieces[0])))


def xlsform_plain(raw: bytes) -> Read:
    """Return the questionnaire in a workbook as JSON, or its problems. Only a child process may call this."""
    try:
        survey = form_read(form_parse(raw)).to_json()
        return {}, [json.dumps(survey, ensure_ascii=False).encode("utf-8", "surrogatepass")]
    except DefinitionError as error:
        return {"problems": list(map(asdict, error.problems))}, []


def form_read(sheets: Mapping[str, Any]) -> Questionnaire:
    """Return the questionnaire of a parsed form. Questions with the same list share their options.

    Raises
    ------
    DefinitionError
        As JSON, where each question has its own options, it is larger than `MOST_FORM`.
    """
    return _Form(**sheets).read()


Clauses = list[dict[str, list[str]]]


@dataclass(kw_only=True)
class _List:
    """A list of options, read once for all questions that have it.

    Parameters
    ----------
    name : str
    options : list of Option
    values : mapping of str to str
        The key of each option by its name in the form.
    answers : mapping of str to str
        Likewise as *yes* and *no*; empty unless the list means these.
    repeated : list of str
        The texts of the options left out because their name occurs twice.
    unlabelled : int
        Number of options without a text.
    reference : str
        What refers to an earlier answer in their texts; empty if nothing does.
    media : list of dict
        The options that have pictures or sound.
    size : int
        Bytes of the options as JSON.
    uses : int
        Number of questions.
    """

    name: str
    options: list[Option]
    values: Mapping[str, str]
    answers: Mapping[str, str]
    repeated: list[str]
    unlabelled: int
    reference: str
    media: list[dict[str, Any]]
    size: int
    uses: int = 0


@dataclass
class _Form:
    """Walks through pyxform's tree and builds the questionnaire."""

    form: Mapping[str, Any]
    external: Mapping[str, Any]
    rows: Mapping[str, dict[str, str]]
    sheets: Sequence[str]
    headers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unused: Mapping[str, Sequence[str]] = field(default_factory=dict)
    repairs: Sequence[Repair] = ()
    objection: str = ""
    unknown: Sequence[str] = ()
    survey: Questionnaire = field(default_factory=Questionnaire)
    questions: Known = field(default_factory=dict)
    keys: FreshKeys = field(default_factory=FreshKeys)
    tags: dict[str, str] = field(default_factory=dict)
    default: str = ""
    lists: dict[tuple[int, bool], _List] = field(default_factory=dict)
    calculations: list[Calculation] = field(default_factory=list)
    wordless: Set[str] = frozenset()

    def read(self) -> Questionnaire:
        """Return the questionnaire."""
        self.wordless = placeholders_in(self.form)
        self._languages()
        self._head()
        self._walk(self.form.get("children", ()), [], None)
        self._note_rows()
        propose_calculated(self.survey, self.calculations, self.questions, self._note)
        note_lost_titles(self.survey.parts, self._note)
        self.survey.parts = [part for part in self.survey.parts if part.questions]
        self._check_size()
        decide_protection(self.survey, partial(cell_name, "survey"))
        self.survey.notes.sort(key=lambda note: note.line)
        return self.survey

    def _check_size(self) -> None:
        """Refuse a form that is too large with its lists written out, and name the list that needs most."""
        rest = [replace(question, options=[]) for question in self.survey.questions]
        size = sum(map(json_size, rest)) + sum(map(json_size, self.survey.notes))
        largest = max(self.lists.values(), key=lambda each: each.size * each.uses, default=None)
        total = size + sum(each.size * each.uses for each in self.lists.values())
        if total <= MOST_FORM:
            return
        needed, most = f"{total / 1e6:.1f}", f"{MOST_FORM / 1e6:g}"
        if largest is None or largest.size * largest.uses < size:
            raise DefinitionError.at("survey", "workbook.long", size=needed, most=most)
        raise DefinitionError.at(
            "choices",
            "workbook.lists",
            name=short_json(largest.name),
            count=len(largest.options),
            uses=largest.uses,
            size=needed,
            most=most,
        )

    # Languages and texts

    def _languages(self) -> None:
        main_name = str(self.form.get("default_language", "default"))
        by_language = [texts for texts in texts_of_form(self.form) if isinstance(texts, dict)]
        used_names = [name for texts in by_language for name in texts if name != "default"]
        names = dict.fromkeys([*([main_name] if main_name != "default" else []), *used_names])
        # Texts without a language that occur next to translations are in a language of their own.
        plain_texts = [texts["default"] for texts in by_language if len(texts) > 1 and "default" in texts]
        unknown = 0
        for name in [*names, *["default"] * bool(plain_texts)]:
            tag = language_tag(name) if name != "default" else next(iter(languages_of(plain_texts)), None)
            if tag is None:
                tag = f"{UNKNOWN}-extra{unknown}" if unknown else UNKNOWN
                unknown += 1
                self.survey.note(
                    0,
                    _("unknown language: %(language)s")
                    % {"language": short_json(name.replace("default", "label"))},
                    _("choose its language"),
                    asks="language",
                    where=tag,
                )
            self.tags[name] = tag
        languages = dict.fromkeys(self.tags.values())
        if not languages:
            read = languages_of([text for text in texts_of_form(self.form) if isinstance(text, str)])
            if not read:
                self.survey.ask_language(UNKNOWN)
            languages = dict.fromkeys(read[:1] or (UNKNOWN,))
        self.survey.languages = tuple(languages)
        self.default = self.survey.languages[0]

    def _texts(self, value: object, *, line: int = 0, column: str = "") -> Texts:
        """Return texts by language, without markup; note placeholders that another program would fill in."""
        by_name = value if isinstance(value, dict) else {"default": value} if value else {}
        texts: Texts = {}
        # A text without a language gives way to one in the same language, and a later one to the first.
        for name in sorted(by_name, key=lambda name: name == "default"):
            text, tag = by_name[name], self.tags.get(name, self.default)
            shown = plain(str(text)) if isinstance(text, str | int | float) else ""
            if tag in texts or not shown or is_media_file(shown) or (line and shown in self.wordless):
                continue
            texts[tag] = shown
            if line and (left := leftovers(texts[tag])):
                self._note_reference(line, column, left[0])
        return texts

    def _note_reference(self, line: int, column: str, reference: str) -> None:
        self._note(
            line,
            column,
            _("%(text)s refers to an earlier answer, but texts here cannot repeat answers")
            % {"text": short_json(reference)},
            _("reword the question in the builder before you publish"),
            cause="leftover",
        )

    def _note(self, line: int, column: str, message: str, remedy: str, **more: Any) -> None:
        self.survey.note(line, message, remedy, where=cell_name("survey", line, column or None), **more)

    # Settings

    def _head(self) -> None:
        title = self.form.get("title")
        if title and title != self.form.get("id_string"):
            self.survey.title = self._texts(title)
        for name in unused_settings(self.form):
            message = _("this setting has no effect here")
            self.survey.note(0, message, "", where=cell_name("settings", 2, name))
        for name in unused_sheets(self.sheets):
            self.survey.note(
                0, _("this sheet is not imported"), "", effect=LOST, where=cell_name(short_json(name))
            )

        note_texts_without_language(self.survey, self.headers, self.tags, self.default)
        note_unused_columns(self.survey, self.unused)
        note_faults(self.survey, self.repairs, self.objection)

    # Rows

    def _walk(self, children: Any, group: Clauses, part: Part | None) -> None:
        for node in children:
            line = int(node.get(ROW) or 0)
            kind = str(node.get("type", ""))
            if not line and kind == "group":
                # pyxform's group of metadata: rows such as audit, and its own.
                self._walk(node.get("children", ()), group, part)
            elif holds_never(str(node.get("bind", {}).get("relevant", ""))):
                self._note(line, "relevant", _("the row is switched off in the form"), "", effect=LOST)
            elif kind in ("group", "repeat", "loop"):
                self._group(node, line, group, part)
            elif line:
                self._question(node, kind, line, group, part or self._outside())

    def _outside(self) -> Part:
        """Return the part for questions outside of groups."""
        if not self.survey.parts or self.survey.parts[-1].line:
            self.survey.parts.append(Part(line=0, texts={}, key="questions"))
        return self.survey.parts[-1]

    def _group(self, node: Mapping[str, Any], line: int, outer: Clauses, part: Part | None) -> None:
        if node.get("type") == "repeat":
            self._note(
                line,
                "type",
                _("a group that is repeated is asked once"),
                _("ask about the one that matters most, such as the youngest child"),
            )
        self._note_columns(node, line)
        inner = outer + self._clauses(node, line)
        texts, introduction = self._heading(node, line)
        if part is None or part.line == 0:
            part = Part(line=line, texts=texts, key=str(node.get("name", "")), help=introduction)
        else:
            # A nested group keeps the texts of the outer group unless it has its own.
            part = Part(line=line, texts=texts or part.texts, key=part.key, help=introduction or part.help)
        self.survey.parts.append(part)
        for child in node.get("children", ()):
            if self.survey.parts[-1] is not part:
                # Continue the outer group after an inner one.
                part = Part(line=line, texts=part.texts, key=part.key)
                self.survey.parts.append(part)
            self._walk([child], inner, part)

    def _heading(self, node: Mapping[str, Any], line: int) -> tuple[Texts, Texts]:
        """Return the title of a group, and its introduction: a label that is a sentence, and the hint."""
        said = texts_of_group(node)
        texts = self._texts(said.get("label"), line=line, column="label")
        hint = self._texts(said.get("hint"), line=line, column="hint")
        if said.get("label") and not texts:
            message = _("the label of this group has no words, so it is not shown")
            self._note(line, "label", message, _("add a title in the builder, if the part needs one"))
        if not any(map(ends_sentence, texts.values())):
            return texts, hint
        self._note(
            line,
            "label",
            _("the label of this group is a sentence, so it introduces the part, which has no title"),
            _("add a title in the builder, if the part needs one"),
            cause="introduction",
        )
        return {}, {tag: f"{text} {hint.get(tag, '')}".rstrip() for tag, text in texts.items()}

    def _clauses(self, node: Mapping[str, Any], line: int) -> Clauses:
        """Return the conditions of a row that a part can have; note if more people will be asked."""
        text = str(node.get("bind", {}).get("relevant", "")).strip()
        if not text or holds_always(text):
            return []
        clauses, is_all, holds_if_empty = usable_clauses(text, self.questions)
        if not is_all:
            message = (
                _("part of the condition %(text)s cannot be used here, so more people are asked this")
                if clauses
                else _("the condition %(text)s cannot be used here, so everyone is asked this")
            )
            self._note_condition(line, message % {"text": short_json(text)})
        if clauses and holds_if_empty:
            self._note(
                line,
                "relevant",
                _("people who skip the question before are not asked this; in the form they were"),
                _("in the builder, ask everyone, or add an answer for them"),
                cause="empty",
            )
        return clauses

    def _condition(self, group: Clauses, own: Clauses, line: int) -> dict[str, Any] | None:
        clauses = [*{json.dumps(clause): clause for clause in group + own}.values()]
        condition = asked_if_of(clauses) if clauses else None
        if clauses and condition is None:
            # Without some of its clauses, a condition still excludes no one whom the form asks.
            condition = asked_if_of([each for each in clauses if len(each) == 1]) or asked_if_of(clauses[:1])
            self._note_condition(
                line,
                _("the conditions around this question cannot be combined, so more people are asked this"),
            )
        return condition

    def _note_condition(self, line: int, message: str) -> None:
        remedy = _("in the builder, make this part depend on an unprotected single-choice question")
        self._note(line, "relevant", message, remedy, cause="relevant")

    def _question(self, node: Mapping[str, Any], kind: str, line: int, group: Clauses, part: Part) -> None:
        cells, name = self._cells(node, line), str(node.get("name", ""))
        question = Question(
            line=line,
            texts={},
            key=self.keys.take(key_of_name(name, "question")),
            source=" · ".join(filter(None, [self._type(line), name])),
            is_protected=TYPES.get(kind) == "place" or None,
        )
        values: Mapping[str, str] = {}
        if kind in TYPES:
            question.kind = TYPES[kind]
            question.texts = self._texts(node.get("label"), line=line, column="label")
            self._scale(question, cells, kind)
        elif kind in _SELECTS:
            choices = self._choices(node, kind)
            if choices is None or is_searched(cells):
                self._note_loss(line, kind, _("its answers are in another file or come from earlier answers"))
                return
            if cells.get("appearance", "").split()[:1] == ["label"]:
                self._header(node, line, part)
                return
            if not 2 <= len(choices.options) <= MOST_OPTIONS:
                n_options = len(choices.options) + len(choices.repeated)
                self._note_loss(line, kind, *size_reason(n_options))
                return
            question.texts = self._texts(node.get("label"), line=line, column="label")
            values = self._select(question, choices, cells, multi=_SELECTS[kind])
        elif kind == "calculate":
            formula = str(node.get("bind", {}).get("calculate", ""))
            self.calculations.append(Calculation(line=line, name=name, formula=formula))
            return
        else:
            is_unknown = bool(node.get("label")) and kind.lower() in self.unknown
            self._note_loss(line, kind, unsupported_reason(kind, is_unknown=is_unknown))
            return
        if not any(question.texts.values()):
            question.texts = {self.default: name}
            self._note(
                line,
                "label",
                _("the question has no text, so its name is shown"),
                _("write the question in the builder"),
                effect=WRONG,
            )
        question.help = self._texts(node.get("hint"), line=line, column="hint")
        question.condition = self._condition(group, self._clauses(node, line), line)
        self._note_columns(node, line)
        part.questions.append(question)
        # A condition cannot say which of two questions with the same name it means.
        self.questions[name] = question, {} if name in self.questions else values

    def _cells(self, node: Mapping[str, Any], line: int) -> dict[str, str]:
        """Return the cells of a row by column, with its type, look in a table and ends in pyxform."""
        cells = self.rows.get(str(line), {}) | {"type": str(node.get("type", ""))}
        if (look := node.get("control", {}).get("appearance")) and cells["type"] not in ("group", "repeat"):
            cells["appearance"] = str(look)
        if isinstance(parameters := node.get("parameters"), dict):
            cells["parameters"] = " ".join(f"{name}={value}" for name, value in parameters.items())
        return cells

    def _type(self, line: int) -> str:
        """Return the type of a row as written in the file."""
        return self.rows.get(str(line), {}).get("type", "")

    def _scale(self, question: Question, cells: Mapping[str, str], kind: str) -> None:
        question.own = scale_members(cells, kind)
        question.flags |= {"slider"} if is_slider(cells, kind) else set()
        number = question.own.get("number")
        if number is None or (kind == DATE and "low" not in number):
            message = _("%(kind)s: the form does not say which answers are possible")
            message %= {"kind": self._type(question.line)}
            remedy = _("choose the area or the dates in the builder")
            self._note(question.line, "type", message, remedy, effect=WRONG, cause="scale")
        if number is not None and kind != DATE and "low" not in number:
            limits = bounds_of(cells)
            ends, number = proposed_range(
                " ".join(question.texts.values()), 0 if kind != "decimal" else 1, limits
            )
            question.own["number"] = number
            self._note(
                question.line,
                "constraint",
                range_note(ends, limits),
                _("state another range in the builder"),
                cause="range",
            )
        if number is not None and "low" in number:
            question.range = f"{number['low']}–{number['high']}"

    def _choices(self, node: Mapping[str, Any], kind: str) -> _List | None:
        """Return the list of a question; None if the form does not contain it."""
        name = str(node.get("itemset") or node.get("list_name") or "")
        lists = self.external if kind == "select one external" else self.form.get("choices", {})
        found = lists.get(name) or node.get("choices")
        if not found:
            return None
        has_other = allows_other(self._type(int(node.get(ROW) or 0)))
        if (id(found), has_other) not in self.lists:
            self.lists[id(found), has_other] = self._list(name, found + [_OTHER] * has_other)
        return self.lists[id(found), has_other]

    def _list(self, name: str, rows: Sequence[dict[str, Any]]) -> _List:
        fresh, values, options = FreshKeys(), dict[str, str](), list[Option]()
        repeated, unlabelled = list[str](), 0
        for row in rows:
            value = str(row.get("name", ""))
            texts = self._texts(row.get("label"))
            if value in values:
                if row is not _OTHER:
                    repeated.append(next(iter(texts.values()), value))
                continue
            values[value] = fresh.take(key_of_name(value, f"option-{len(values) + 1}"))
            is_numbered = bool(row.get("media")) and all(map(_IS_NUMBER, texts.values()))
            unlabelled += not texts or is_numbered
            texts = texts or {self.default: value}
            options.append(Option(line=0, texts=texts, key=values[value]))
        answers: dict[str, str] = {}
        wordings = [option.texts for option in options]
        references = (found for texts in wordings for text in texts.values() for found in leftovers(text))
        if said := [
            tag for tag in wordings[0] if says_yes_or_no([{tag: each.get(tag, "")} for each in wordings])
        ]:
            starts_with_yes = says_yes(as_read(wordings[0][said[0]]))
            answers = dict(zip(values, ("yes", "no") if starts_with_yes else ("no", "yes"), strict=True))
        return _List(
            name=name,
            options=options,
            values=values,
            answers=answers,
            repeated=repeated,
            unlabelled=unlabelled,
            reference=next(references, ""),
            media=[row for row in rows if row.get("media") or shows_media(row.get("label"))],
            size=sum(map(json_size, options)),
        )

    def _select(
        self, question: Question, choices: _List, cells: Mapping[str, str], *, multi: bool
    ) -> Mapping[str, str]:
        """Add the options of a question; return their keys by name in the form."""
        if choices.repeated:
            self._note(
                question.line,
                "type",
                _("these options are left out, because others have the same names: %(options)s")
                % {"options": list_text(map(short_json, choices.repeated))},
                _("give each option a name of its own, if they are different answers"),
                effect=LOST,
                cause="repeated",
            )
        if allows_other(self._type(question.line)):
            self._note(
                question.line,
                "type",
                _("the form adds the answer “Other” with a field for text, which is left out"),
                _("check the words of this answer in the builder"),
                effect=LOST,
            )
        if choices.unlabelled:
            self._note(
                question.line,
                "type",
                _("%(count)s of its answers have no text, so their names are shown")
                % {"count": choices.unlabelled},
                _("write the answers in the builder"),
                effect=WRONG,
                cause="unlabelled",
            )
        if choices.reference:
            self._note_reference(question.line, "type", choices.reference)
        flag = LOOKS.get((cells.get("appearance", "").split() or [""])[0])
        question.flags |= {flag} if flag else set()
        if choices.answers and not multi:
            question.kind = "yes_no"
            return choices.answers
        question.kind = SEVERAL if multi else "single"
        question.options = choices.options
        choices.uses += 1
        if multi:
            name_question(question, self.keys, question.line)
        return choices.values

    # Losses

    def _header(self, node: Mapping[str, Any], line: int, part: Part) -> None:
        """Drop a row that heads a table; its text becomes the part's heading, or else its help."""
        texts = self._texts(node.get("label"), line=line, column="label")
        if part.texts and texts:
            part.help = part.help or texts
        part.texts = part.texts or texts
        self._note(
            line,
            "appearance",
            _("the row that heads a table is left out; the rows below it are asked as a table"),
            _("check the title and the help of the part"),
        )

    def _note_loss(self, line: int, kind: str, why: str, remedy: str = "") -> None:
        message = _("%(kind)s: %(why)s") % {"kind": kind, "why": why}
        self._note(line, "type", message, remedy, effect=LOST, cause=loss_cause(kind, why))

    def _note_columns(self, node: Mapping[str, Any], line: int) -> None:
        """Note the settings of a row that have no effect here."""
        kind = str(node.get("type", ""))
        choices = self._choices(node, kind) if kind in _SELECTS else None
        note_unused(
            node, self._cells(node, line), choices.media if choices else (), partial(self._note, line)
        )
        if node.get("choice_filter"):
            self._note(
                line,
                "choice_filter",
                _("the list is not filtered by an earlier answer: everyone sees all of it"),
                _("shorten the list, or ask with fewer, wider answers"),
            )

    def _note_rows(self) -> None:
        """Note rows that pyxform drops: remarks without a type, and disabled rows; or that none exist."""
        in_form = {int(node[ROW]) for node in nodes_below(self.form) if node.get(ROW)}
        in_form |= {each.row for each in self.repairs if each.change == "row" and each.sheet == "survey"}
        if not self.rows:
            message, remedy = _("this sheet has no rows below its header"), _("write each question in a row")
            self.survey.note(0, message, remedy, effect=LOST, where=cell_name("survey"))
        for number, row in self.rows.items():
            line, kind = int(number), row.get("type", "").strip().lower()
            if line in in_form or kind.startswith("end"):
                continue
            message = _("the row is switched off in the form") if kind else _("a row of remarks is left out")
            self._note(line, "disabled" if kind else "", message, "", effect=LOST)
