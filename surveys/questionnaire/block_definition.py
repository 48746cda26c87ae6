"""Blocks and questions of a definition: the part for the design and the part for the reader."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.risk.impossible_answers import MOST_COMBINATIONS
from privacy.risk.posterior import check_prevalence
from privacy.risk.row_distribution import MOST_NEAR_ASKED
from privacy.survey.anchors import anchor_of
from privacy.survey.condition import JOINS, Condition, Conditions, Joined
from privacy.survey.design import MOST_QUESTIONS, Block, Question
from privacy.survey.design_json import NEAR_TRUTH
from privacy.survey.question import MOST_OPTIONS
from surveys.errors.core_refusals import in_words
from surveys.errors.error import shown
from surveys.questionnaire.arms import WORDINGS, is_arm, read_arm, read_arm_texts
from surveys.questionnaire.problems import Problems, joined
from surveys.questionnaire.quotas import MEMBER as QUOTAS
from surveys.questionnaire.quotas import read_quotas
from surveys.questionnaire.rankings import RANKING, is_ranking, order_options
from surveys.questionnaire.ready_parts import RIGHT
from surveys.questionnaire.scale_definition import ScaleReader, is_scale, refusal_of, refuse_company
from surveys.questionnaire.tables import MATRIX, single_rows
from surveys.questionnaire.texts import TextReader

MOST_EXCLUSIVE = 5
RATING = "rating"
"""Options from one end to the other, side by side where there is room."""
# Which member of a question or block a refusal of the core is about.
_QUESTION_MEMBERS = {
    "bad_key": "key",
    "kind": "kind",
    "too_few_options": "options",
    "too_large": "options",
    "duplicate_key": "options",
    "unrelated_probability": "unrelated",
    "shares_sum": "unrelated",
}
_BLOCK_MEMBERS = {
    "bad_key": "key",
    "truth_probability": "truth_probability",
    "refusal": "refusal",
    "refusal_low": "refusal",
    "empty_block": "questions",
    "unrelated_probability": "questions",
    "questions_per_person": "questions_per_person",
    "booklets": "booklets",
    "radius": "radius",
}
# Left out where everybody is asked all: such blocks keep their digests.
_ROTATING = ("questions_per_person", "booklets")
# The same of parts that send their true row with its chance.
_NEAR = ("mechanism", "radius")


@dataclass(frozen=True, kw_only=True)
class BlockDefinition:
    """A block, split."""

    design: Block
    wording: dict[str, Any]
    stated: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class BlockReader:
    """Reads blocks and notes their problems."""

    texts: TextReader
    problems: Problems

    def block(self, document: object, path: str) -> BlockDefinition | None:
        """Return the block at `path`, or None after noting why there is none."""
        block = self.problems.members(
            document,
            path,
            needed=("key", "protected", "title", "questions"),
            allowed=(
                "truth_probability",
                "light",
                "refusal",
                "asked_if",
                "help",
                "exclusive",
                *_ROTATING,
                *_NEAR,
            ),
        )
        if block is None:
            return None
        protected = self._protected(block, path)
        if protected is None:
            return None
        radius = self._radius(block, path)
        title = self.texts.text(block["title"], joined(path, "title"))
        help_text = self.texts.text_or_none(block.get("help"), joined(path, "help"))
        condition = self._condition(block.get("asked_if"), joined(path, "asked_if"))
        questions = self._questions(block["questions"], path, protected=protected)
        if questions is None:
            return None
        plain = tuple(question for question, _wording in questions)
        if anchor := anchor_of(block):
            plain = (replace(plain[0], anchor=anchor),)
        has_scale = any(question.is_scale for question in plain)
        try:
            skip = block.get("refusal")
            design = Block(
                key=block["key"],
                protected=protected,
                truth_probability=0 if has_scale else block.get("truth_probability", SCALE),
                refusal=refusal_of(skip, plain[0]) if has_scale and len(plain) == 1 else skip,
                asked_if=condition,
                questions=plain,
                **{name: block.get(name) for name in _ROTATING},
                radius=radius,
            )
        except PrivacyError as error:
            self._note(error, path, _BLOCK_MEMBERS)
            return None
        if design.radius is not None and design.most_asked > MOST_NEAR_ASKED:
            self.problems.add(
                joined(path, "questions"),
                _("%(count)s questions near the truth make more rows than an audit can look at")
                % {"count": design.most_asked},
                _("ask each person at most %(most)s of them, or make two parts") % {"most": MOST_NEAR_ASKED},
            )
        exclusive = block.get("exclusive", [])
        self._check_exclusive(exclusive, design, joined(path, "exclusive"))
        wording = {
            "key": block["key"],
            "title": title,
            "questions": [words for _question, words in questions],
        }
        # Left out where there is none: the wordings of before there was one keep their digests.
        more = {
            **({} if help_text is None else {"help": help_text}),
            **({"exclusive": exclusive} if exclusive and protected else {}),
        }
        return BlockDefinition(design=design, wording={**wording, **more}, stated=block)

    def _protected(self, block: dict[str, Any], path: str) -> bool | None:
        """Return whether a block is disguised, or None where it does not say; note a coin that is missing."""
        protected = block["protected"]
        if not isinstance(protected, bool):
            self.problems.add(
                joined(path, "protected"),
                _("%(value)s is no answer") % {"value": shown(protected)},
                _("say true or false"),
            )
            return None
        entries = block["questions"]
        if isinstance(entries, list) and any(is_scale(entry) for entry in entries):
            refuse_company(block, path, self.problems)
        elif protected and "truth_probability" not in block:
            self.problems.add(
                joined(path, "truth_probability"),
                _("it is missing"),
                _("state how likely the part is sent as it is, in ten-thousandths from 1 to %(most)s")
                % {"most": SCALE - 1},
            )
        return protected

    def _questions(
        self, document: object, path: str, *, protected: bool
    ) -> list[tuple[Question, dict[str, Any]]] | None:
        """Return the questions with their wordings; None where the block has a problem by now."""
        questions_path = joined(path, "questions")
        entries = self.problems.entries(document, questions_path, most=MOST_QUESTIONS)
        read = [
            self._question(entry, f"{questions_path}[{number}]", protected=protected)
            for number, entry in enumerate(entries)
        ]
        if self.problems.below(path):
            return None
        questions = [question for question in read if question is not None]
        for number in single_rows([wording for _question, wording in questions]):
            self.problems.add(
                f"{questions_path}[{number}].look",
                _("no question beside it has the same options, so it is no table"),
                _("give the next question the same options and the same look, or choose another look"),
            )
        return None if self.problems.below(path) else questions

    def _radius(self, block: dict[str, Any], path: str) -> Any:
        """Return the radius of a part that sends rows near the true one; None of any other part."""
        if (block.get("mechanism") is None) != (block.get("radius") is None) or block.get(
            "mechanism", NEAR_TRUTH
        ) not in (None, NEAR_TRUTH):
            self.problems.add(
                joined(path, "mechanism"),
                _("%(value)s is no disguise of a part") % {"value": shown(block.get("mechanism"))},
                _("write near_truth and give a radius, such as 1, or leave both out"),
            )
            return None
        if block.get("radius") is not None and block.get("exclusive"):
            self.problems.add(
                joined(path, "exclusive"),
                _("answers cannot exclude each other in a part that sends rows near the true one"),
                _("leave them out, or the mechanism: a turned answer makes rows that nobody has"),
            )
        return block.get("radius")

    def _check_exclusive(self, document: object, block: Block, path: str) -> None:
        """Check that answers which cannot be true together are named as items of their block."""
        items = {key for question in block.questions for key in question.item_keys}
        pairs = 0
        for number, entry in enumerate(self.problems.entries(document, path, most=MOST_QUESTIONS)):
            here = f"{path}[{number}]"
            keys = self.problems.entries(entry, here, most=MOST_EXCLUSIVE)
            pairs += math.comb(len(keys), 2)
            if not self.problems.below(here) and (
                len(keys) < 2
                or len({shown(key) for key in keys}) < len(keys)
                or any(not isinstance(key, str) or key not in items for key in keys)
            ):
                self.problems.add(
                    here,
                    _("%(value)s does not name answers of this part that cannot be true together")
                    % {"value": shown(keys)},
                    _("name two or more of %(names)s") % {"names": ", ".join(sorted(items))},
                )
        if pairs > MOST_COMBINATIONS:
            self.problems.add(
                path,
                _("%(count)s pairs of answers cannot be true together") % {"count": pairs},
                _("make it at most %(most)s in one part") % {"most": MOST_COMBINATIONS},
            )

    def _condition(self, document: object, path: str) -> Condition | Conditions | None:
        if document is None:
            return None
        for joined_by in JOINS:
            if isinstance(document, dict) and joined_by in document:
                return self._conditions(document, path, joined_by)
        return self._term(document, path)

    def _conditions(self, document: object, path: str, joined_by: Joined) -> Conditions | None:
        """Return several conditions, of which all or any have to hold."""
        several = self.problems.members(document, path, needed=(joined_by,))
        if several is None:
            return None
        here = joined(path, joined_by)
        terms = [
            self._term(entry, f"{here}[{number}]")
            for number, entry in enumerate(
                self.problems.entries(several[joined_by], here, most=MOST_QUESTIONS)
            )
        ]
        if self.problems.below(path):
            return None
        try:
            return Conditions(joined=joined_by, terms=tuple(term for term in terms if term is not None))
        except PrivacyError as error:
            self._note(error, here, {})
            return None

    def _term(self, document: object, path: str) -> Condition | None:
        condition = self.problems.members(document, path, needed=("question", "options"))
        if condition is None:
            return None
        try:
            return Condition(question=condition["question"], options=condition["options"])
        except PrivacyError as error:
            self._note(error, path, {})
            return None

    def _question(
        self, document: object, path: str, *, protected: bool
    ) -> tuple[Question, dict[str, Any]] | None:
        if is_scale(document):
            return ScaleReader(texts=self.texts, problems=self.problems).question(document, path)
        if is_arm(document):
            return read_arm(document, path, self.texts, self.problems, protected=protected)
        chances = ("unrelated", "prevalence")
        ranks = is_ranking(document)
        question = self.problems.members(
            document,
            path,
            needed=("key", "kind", "text", *(chances if protected else ())),
            allowed=(
                *("options", "help", *(("known",) if protected else (*chances, RIGHT))),
                *(() if ranks else ("look", QUOTAS)),
                WORDINGS,
            ),
        )
        if question is None:
            return None
        if not isinstance(question.get("known", False), bool):
            self.problems.add(
                joined(path, "known"),
                _("%(value)s is no answer") % {"value": shown(question["known"])},
                _("say true or false"),
            )
        text = self.texts.text(question["text"], joined(path, "text"))
        help_text = self.texts.text_or_none(question.get("help"), joined(path, "help"))
        things = self._options(question.get("options", []), joined(path, "options"))
        options = order_options(things, joined(path, "options"), self.problems) if ranks else things
        self._check_look(question, joined(path, "look"))
        wordings = self._wordings(question, path)
        if self.problems.below(path):
            return None
        try:
            design = Question(
                key=question["key"],
                kind="single" if ranks else question["kind"],
                options=tuple(option["key"] for option in options),
                unrelated=question.get("unrelated", []),
            )
        except PrivacyError as error:
            self._note(error, path, _QUESTION_MEMBERS)
            return None
        quotas = read_quotas(question, design, path, self.problems, protected=protected)
        if not self._check_chances(question, design, path, protected=protected):
            return None
        wording = {"key": question["key"], "text": text, "help": help_text, "options": options}
        # Left out where there is none: the wordings of before there was one keep their digests.
        look = {"look": question["look"]} if "look" in question else {}
        ranked = {RANKING: things} if ranks else {}
        more = {**look, **ranked, **quotas, **wordings, **self._right(question, design, path)}
        return design, {**wording, "prevalence": question.get("prevalence", []), **more}

    def _right(self, question: dict[str, Any], design: Question, path: str) -> dict[str, Any]:
        """Return the right answer of an open choice; nothing where no answer is."""
        right = question.get(RIGHT)
        if right is None:
            return {}
        if design.kind != "single" or right not in design.options:
            self.problems.add(
                joined(path, RIGHT),
                _("%(value)s is no option of a choice") % {"value": shown(right)},
                _("name the key of its right option, or leave it out"),
            )
        return {RIGHT: right}

    def _wordings(self, question: dict[str, Any], path: str) -> dict[str, Any]:
        """Return what an experiment puts in place of the question's text; nothing where nothing does."""
        if question.get(WORDINGS) is None:
            return {}
        texts = read_arm_texts(question[WORDINGS], joined(path, WORDINGS), self.texts, self.problems)
        return {} if texts is None else {WORDINGS: texts}

    def _check_look(self, question: dict[str, Any], path: str) -> None:
        """Check how a question is shown: a look changes no answer and no chance."""
        if "look" not in question:
            return
        if question["look"] == MATRIX and question["kind"] != "multi":
            return
        if question["look"] not in (RATING, MATRIX):
            self.problems.add(
                path,
                _("%(value)s is no look of a question") % {"value": shown(question["look"])},
                _("write %(look)s, or leave it out") % {"look": f"{RATING}, {MATRIX}"},
            )
        elif question["look"] == MATRIX:
            self.problems.add(
                path,
                _("a question with several answers is no row of a table"),
                _("ask each option as a question with yes or no, or leave the look out"),
            )
        elif question["kind"] != "single":
            self.problems.add(
                path,
                _("only a question with one of several options is a rating"),
                _("make it of kind single, or leave the look out"),
            )

    def _check_chances(
        self, question: dict[str, Any], design: Question, path: str, *, protected: bool
    ) -> bool:
        if not protected:
            for name in ("unrelated", "prevalence"):
                if question.get(name):
                    self.problems.add(
                        joined(path, name),
                        _("%(value)s is given for an open question") % {"value": shown(question[name])},
                        _("leave it out, or protect the part: open answers are sent as they are"),
                    )
            return not self.problems.below(path)
        if not design.unrelated:
            self.problems.add(
                joined(path, "unrelated"),
                _("[] gives decoys no chance"),
                _("give %(count)s, in ten-thousandths") % {"count": design.n_items},
            )
            return False
        try:
            check_prevalence([design], {design.key: question["prevalence"]})
        except PrivacyError as error:
            self._note(error, path, {error.code: "prevalence"})
            return False
        return True

    def _options(self, document: object, path: str) -> list[dict[str, Any]]:
        options = []
        for number, entry in enumerate(self.problems.entries(document, path, most=MOST_OPTIONS)):
            here = f"{path}[{number}]"
            option = self.problems.members(entry, here, needed=("key", "text"))
            if option is not None:
                text = self.texts.text(option["text"], joined(here, "text"))
                options.append({"key": option["key"], "text": text})
        return options

    def _note(self, error: PrivacyError, path: str, members: dict[str, str]) -> None:
        member = members.get(error.code)
        self.problems.add(joined(path, member) if member else path, *in_words(error))
