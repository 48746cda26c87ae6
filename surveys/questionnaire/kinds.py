"""How a definition states questions of each kind, and how a question is protected or unprotected."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.errors import PrivacyError
from privacy.risk.prevalences import check_prevalence
from privacy.scales.skips import Disguise
from privacy.survey import question as core
from privacy.survey.component import MOST_OPTIONS, YES_NO
from privacy.survey.question import Question
from surveys.formats.joints import list_text
from surveys.questionnaire.arms import WORDINGS, read_arm, read_arm_texts
from surveys.questionnaire.composites import COMPUTED, read_computed, refuse_computed
from surveys.questionnaire.document import Node
from surveys.questionnaire.stems import STEM

OF_DISGUISED: Final = ("unrelated", "prevalence", "known")
"""Members of a question that only a disguised one may have."""
RIGHT: Final = "right"
NONE: Final = "none"
"""Member that names the right answer of an unprotected choice. A wrong answer shows the explanation again."""
RATING: Final = "rating"
"""The look of options as a scale, in one row if there is space."""
MATRIX: Final = "matrix"
"""The look of a question that is a row of a table."""
SLIDER: Final = "slider"
"""The look of a number that can be set on a slider next to its field."""
# The member of a question that an error of the core concerns.
_MEMBERS = {
    "bad_key": "key",
    "kind": "kind",
    "too_few_options": "options",
    "too_large": "options",
    "duplicate_key": "options",
    "unrelated_probability": "unrelated",
    "shares_sum": "unrelated",
    "computed": COMPUTED,
}


def read_options(question: Node, members: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the options of a question, each with its key, its text and these members."""
    if "options" not in question.value:
        return []
    return [
        {name: entry.value[name] for name in ("key", *members)} | {"text": entry.at("text").text()}
        for entry in question.at("options").entries(most=MOST_OPTIONS)
        if entry.has_members(("key", "text", *members))
    ]


class StatedKind:
    """How a definition states questions of one kind; this class reads yes or no and choices.

    Parameters
    ----------
    name : str
    words : str or lazy translation, optional
        The kind of answer, as pages call it.
    """

    is_scale: ClassVar[bool] = False
    """Whether it has its own disguise and its own block: a number or a place."""
    is_yes_or_no: ClassVar[bool] = False
    """Whether yes and no are its only answers."""
    can_be_switched: ClassVar[bool] = True
    """Whether the researcher can choose to disguise it or to store it as answered."""
    open_refusal: ClassVar[tuple[Any, Any] | None] = None
    """Why the question cannot be stored as answered, and the remedy; None if it can."""
    least_refusal: ClassVar[int | bool] = 1
    """Probability of a skip among decoys until the layout sets it."""
    looks: ClassVar[tuple[str, ...]] = (RATING, MATRIX)
    """Looks that a question of this kind can have."""
    refused_looks: ClassVar[Mapping[str, tuple[Any, Any]]] = {}
    """Looks of other kinds: why each is wrong here, and the remedy."""

    def __init__(self, name: str, words: object = "") -> None:
        self.name, self.words = name, words

    @property
    def is_exhaustive(self) -> bool:
        """Whether the shares of its answers sum to all people."""
        return core.KINDS[self.name].is_exhaustive

    def uniform_shares(self, count: int) -> list[int]:
        """Return the default probabilities of random answers: a fair coin, or shares as even as possible."""
        return list(core.KINDS[self.name].uniform_shares(count or 1))

    def _computed(self, node: Node) -> tuple[str, ...]:
        """Return the member for components, if questions of this kind can have them or, after a note, do."""
        if self.name and core.KINDS[self.name].can_be_computed:
            return (COMPUTED,)
        return refuse_computed(node)

    def read(self, node: Node, *, protected: bool) -> tuple[Question, dict[str, Any]] | None:
        """Return a question with its wording; None after noting the problem."""
        probabilities, question = ("unrelated", "prevalence"), node.value
        if not node.has_members(
            ("key", "kind", "text", *(probabilities if protected else ())),
            (
                "options",
                "help",
                *(("known",) if protected else (*probabilities, RIGHT)),
                "look",
                WORDINGS,
                STEM,
                *self._computed(node),
            ),
        ):
            return None
        if "known" in question:
            node.at("known").check_truth()
        wording = self._wording(node, read_options(node))
        texts_by_arm = read_arm_texts(node.at(WORDINGS))
        choices = tuple(option["key"] for option in wording["options"]) or YES_NO
        rule, components = read_computed(node.at(COMPUTED), choices)
        if node.has_problems():
            return None
        try:
            design = Question(
                key=question["key"],
                kind=question["kind"],
                options=tuple(option["key"] for option in wording["options"]),
                unrelated=question.get("unrelated", []),
                computed=rule,
            )
        except PrivacyError as error:
            node.note_refusal(error, _MEMBERS)
            return None
        if not _check_probabilities(node, design, protected=protected):
            return None
        return design, {
            **wording,
            **components,
            "prevalence": question.get("prevalence", []),
            **({} if texts_by_arm is None else {WORDINGS: texts_by_arm}),
            **_right(node.at(RIGHT), design),
        }

    def _wording(self, node: Node, options: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the texts of a question, and its look."""
        if "look" in node.value:
            self._check_look(node.at("look"))
        return {
            "key": node.value["key"],
            "text": node.at("text").text(),
            "help": node.at("help").text_or_none(),
            "options": [{"key": option["key"], "text": option["text"]} for option in options],
            "prevalence": [],
            **({"look": node.value["look"]} if "look" in node.value else {}),
            **({STEM: node.value[STEM]} if STEM in node.value else {}),
        }

    def _check_look(self, look: Node) -> None:
        """Check how a question is displayed. The look changes no answer and no probability."""
        if isinstance(look.value, str) and look.value in self.refused_looks:
            look.wrong(*self.refused_looks[look.value])
        elif look.value not in self.looks:
            look.wrong(
                _("unknown appearance of a question: %(value)s"),
                _("write %(look)s, or leave it out") if self.looks else _("leave the look out"),
                look=list_text(self.looks),
            )

    def switch(self, question: Mapping[str, Any], *, protected: bool) -> dict[str, Any]:
        """Return a question switched to disguised, or to stored as answered.

        Without a guess, all answers of a disguised question are equally probable, both as random answers and
        as expected ones.
        """
        if not protected:
            return {name: value for name, value in question.items() if name not in OF_DISGUISED}
        even = self.uniform_shares(len(question.get("options") or ()))
        shares = {name: question.get(name) or even for name in ("unrelated", "prevalence")}
        return {**question, **shares}


NO_RATING: Final = (
    gettext_lazy("only a single-choice question can be a rating"),
    gettext_lazy("change its kind to single, or remove the look"),
)
"""Why a rating is wrong for another kind, and the remedy."""


class StatedYesNo(StatedKind):
    """A question to answer yes or no."""

    is_yes_or_no = True
    looks = (MATRIX,)
    refused_looks = {RATING: NO_RATING}


class StatedArm(StatedKind):
    """An arm of an experiment: a question that the device answers."""

    can_be_switched = False

    def read(self, node: Node, *, protected: bool) -> tuple[Question, dict[str, Any]] | None:
        """Return a question with its wording; None after noting the problem."""
        return read_arm(node, protected=protected)


class StatedScale(StatedKind):
    """A number or a place, which has its own disguise and its own block."""

    is_scale = True
    members: ClassVar[tuple[str, ...]]
    allowed: ClassVar[tuple[str, ...]]
    item_members: ClassVar[tuple[str, ...]]
    """Members with the limits of a band or a region, in addition to key and text."""
    paths: ClassVar[Mapping[str, str]]
    """The member that an error of the core concerns, by its code."""
    _OF_OPTIONS: ClassVar = ("disguise", "bad_key", "duplicate_key", "spans", "regions")

    def read(self, node: Node, *, protected: bool) -> tuple[Question, dict[str, Any]] | None:
        """Return a question with its wording; None after noting the problem."""
        if not node.has_members(
            ("key", "kind", "text", self.name), ("help", "options", "look", STEM, *self._computed(node))
        ):
            return None
        own = node.at(self.name)
        rule, components = read_computed(node.at(COMPUTED))
        is_whole = self._has_members(own, protected=protected)
        items = read_options(node, self.item_members)
        wording = self._wording(node, items)
        # Missing texts must not hide other problems.
        if not is_whole or own.has_problems() or node.at("options").has_problems():
            return None
        description = {name: value for name, value in own.value.items() if name not in ("unit", "outline")}
        if items:
            description["items"] = [
                {name: value for name, value in item.items() if name != "text"} for item in items
            ]
        wording |= self._own_wording(node, own, description)
        if own.has_problems():
            return None
        try:
            disguise, keys = self._disguise(json.dumps(description, sort_keys=True))
            key, kind = node.value["key"], node.value["kind"]
            design = Question(
                key=key, kind=kind, options=keys, unrelated=(), disguise=disguise, computed=rule
            )
        except PrivacyError as error:
            node.note_refusal(error, {error.code: self._member(error, node.value["key"])})
            return None
        return None if node.has_problems() else (design, wording | components)

    def _has_members(self, own: Node, *, protected: bool) -> bool:
        return own.has_members(self.members, self.allowed)

    def _own_wording(self, node: Node, own: Node, description: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def _disguise(self, text: str) -> tuple[Disguise, tuple[str, ...]]:
        """Return the disguise that the JSON `text` describes, and the keys of its items.

        The result is cached: a draft is read at every edit, and finding the best window of a large map is
        slow.
        """
        raise NotImplementedError

    def _member(self, error: PrivacyError, key: object) -> str:
        """Return the member of a question that an error of the core concerns."""
        if error.code == COMPUTED:
            return COMPUTED
        if error.value == key:
            return "key"
        return "options" if error.code in self._OF_OPTIONS else self.paths.get(error.code, self.name)


def _right(node: Node, design: Question) -> dict[str, Any]:
    """Return the right answer of an open choice; empty if no answer is right."""
    if node.value is None:
        return {}
    if design.kind != "single" or node.value not in design.options:
        node.wrong(
            _("not an option of a choice: %(value)s"),
            _("give the key of the correct option, or leave it out"),
        )
    return {RIGHT: node.value}


def _check_probabilities(node: Node, design: Question, *, protected: bool) -> bool:
    if not protected:
        for probabilities in (node.at("unrelated"), node.at("prevalence")):
            if probabilities.value:
                probabilities.wrong(
                    _("%(value)s does not apply to an unprotected question"),
                    _("leave it out, or protect the part: unprotected answers are sent as they are"),
                )
        return not node.has_problems()
    if not design.unrelated:
        node.at("unrelated").wrong(
            _("the probabilities of random answers are missing"),
            _("give %(count)s numbers, in ten-thousandths"),
            count=design.n_items,
        )
        return False
    try:
        check_prevalence([design], {design.key: node.value["prevalence"]})
    except PrivacyError as error:
        node.at("prevalence").note_refusal(error)
        return False
    return True
