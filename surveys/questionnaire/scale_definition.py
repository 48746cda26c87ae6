"""Numbers and places of a definition: what a researcher states, turned into the exact design once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal, TypeGuard

from django.utils.translation import gettext as _

from privacy.channels.amplification import amplification_below
from privacy.errors import PrivacyError
from privacy.scales.area import Area
from privacy.scales.number_specification import stated_number
from privacy.scales.place_specification import EDGES, stated_place
from privacy.scales.skipping import Disguise, least_refusal
from privacy.survey.question import MOST_OPTIONS, Question
from surveys.errors.core_refusals import in_words
from surveys.errors.error import shown
from surveys.questionnaire.geojson import is_number
from surveys.questionnaire.outline import bounds_of, read_outline
from surveys.questionnaire.problems import Problems, joined
from surveys.questionnaire.rectangles import check_rectangles
from surveys.questionnaire.texts import TextReader

MEMBERS: Final = {
    "number": ("mechanism", "epsilon", "low", "high", "bin"),
    "place": ("mechanism", "cell"),
}
ALLOWED: Final = {
    "number": ("decimals", "unit", "calendar"),
    "place": ("area", "outline", "epsilon", "sensitive", "prior"),
}
# Where a band or a region lies, beside its key and its text.
ITEM_MEMBERS: Final = {"number": ("from", "to"), "place": ("rectangles",)}
LONGEST_SOURCE: Final = 500
SLIDER: Final = "slider"
"""The look of a number that can be set on a line beside its field."""
# Which member of the question a refusal of the core is about.
_PATHS: Final = {
    "number": {
        "mechanism": "number.mechanism",
        "epsilon": "number.epsilon",
        "too_large": "number.bin",
        "spans": "options",
        "disguise": "options",
        "bad_key": "options",
        "duplicate_key": "options",
    },
    "place": {
        "mechanism": "place.mechanism",
        "epsilon": "place.epsilon",
        "says_nothing": "place.mechanism",
        "area": "place.area",
        "antimeridian": "place.area",
        "latitude": "place.area",
        "too_large": "place.cell",
        "rectangle": "place.sensitive",
        "no_rectangle": "place.sensitive",
        "overlap": "place.sensitive",
        "prior": "place.prior",
        "regions": "options",
        "disguise": "options",
        "bad_key": "options",
        "duplicate_key": "options",
    },
}


# Which end of a range is said to be wrong where the refusal is about both, or about what lies between them.
_RANGE_MEMBERS: Final = {"range.ends": "high", "range.bin": "bin", "range.bins": "bin"}


def _member(kind: str, error: PrivacyError, key: object) -> str:
    """Return the member of a question that a refusal of the core is about."""
    if error.value == key:
        return "key"
    if error.code == "range":
        name = str(error.fields.get("name") or _RANGE_MEMBERS[error.case])
        return "options" if name in ITEM_MEMBERS[kind] else joined("number", name)
    return _PATHS[kind].get(error.code, kind)


@dataclass(frozen=True, kw_only=True)
class ScaleReader:
    """Reads questions of kind number and place, and notes their problems."""

    texts: TextReader
    problems: Problems

    def question(self, document: Mapping[str, Any], path: str) -> tuple[Question, dict[str, Any]] | None:
        """Return the question at `path`, with its wording; None after noting why there is none."""
        kind: Literal["number", "place"] = "number" if document["kind"] == "number" else "place"
        given = self.problems.members(
            document, path, needed=("key", "kind", "text", kind), allowed=("help", "options", "look")
        )
        if given is None:
            return None
        text = self.texts.text(given["text"], joined(path, "text"))
        help_text = self.texts.text_or_none(given.get("help"), joined(path, "help"))
        self._check_look(given, joined(path, "look"))
        here = joined(path, kind)
        stated = self.problems.members(given[kind], here, needed=MEMBERS[kind], allowed=ALLOWED[kind])
        options, items = self._items(given.get("options", []), joined(path, "options"), kind)
        # Texts that are still to be written hide nothing of what else is to be done.
        if stated is None or self.problems.below(here) or self.problems.below(joined(path, "options")):
            return None
        words: dict[str, Any] = {"key": given["key"], "text": text, "help": help_text, "options": options}
        # Left out where there is none: the wordings of before there was one keep their digests.
        wording = {**words, "prevalence": []} | ({"look": given["look"]} if "look" in given else {})
        document_of_core = {
            name: value for name, value in stated.items() if name not in ("unit", "outline", "prior")
        }
        if stated.get("prior") is not None:
            document_of_core["prior"] = self._prior(stated["prior"], joined(here, "prior"))
        if items:
            document_of_core["items"] = items
        if kind == "number":
            unit = self.texts.text_or_none(stated.get("unit"), joined(here, "unit"))
            if unit and stated.get("calendar") is not None:
                self.problems.add(joined(here, "unit"), _("a date has no unit"), _("leave it out"))
            wording |= {"unit": unit} if unit else {}
        elif stated.get("outline") is not None:
            rings = read_outline(stated["outline"], joined(here, "outline"), self.problems)
            wording |= {"outline": rings}
            if rings:
                document_of_core["area"] = document_of_core.get("area") or bounds_of(rings)
        if kind == "place" and not self.problems.below(here):
            self._area(document_of_core.get("area"), joined(here, "area"))
            self._cell(stated["cell"], joined(here, "cell"))
            self._epsilons(stated, here)
            area = map_of(document_of_core)
            if area is not None:
                check_rectangles(stated, given.get("options"), area, path, self.problems)
        if self.problems.below(here):
            return None
        try:
            disguise, keys = disguise_of(kind, document_of_core)
            design = Question(
                key=given["key"],
                kind=kind,
                options=keys,
                unrelated=(),
                disguise=disguise,
            )
        except PrivacyError as error:
            self.problems.add(joined(path, _member(kind, error, given["key"])), *in_words(error))
            return None
        return None if self.problems.below(path) else (design, wording)

    def _check_look(self, given: Mapping[str, Any], path: str) -> None:
        """Check how a number is shown: a look changes no answer and no chance."""
        if "look" not in given:
            return
        if given["kind"] != "number":
            self.problems.add(path, _("a place is always shown on its map"), _("leave the look out"))
        elif given["look"] != SLIDER:
            self.problems.add(
                path,
                _("%(value)s is no look of a number") % {"value": shown(given["look"])},
                _("write %(look)s, or leave it out") % {"look": SLIDER},
            )

    def _area(self, document: object, path: str) -> None:
        """Note which edges of a map are missing."""
        if not document:
            self.problems.add(path, _("it is missing"), _("state its edges, or give an outline"))
            return
        if not isinstance(document, Mapping):
            self.problems.add(
                path,
                _("%(value)s has no edges") % {"value": shown(document)},
                _("give west, south, east and north in degrees"),
            )
            return
        for edge in EDGES:
            if edge not in document:
                self.problems.add(joined(path, edge), _("it is missing"), _("state it"))

    def _epsilons(self, stated: Mapping[str, Any], path: str) -> None:
        """Note what is wrong with the epsilon of a place, or with that of each of its levels."""
        given = [(path, stated)]
        if stated["mechanism"] == "levels":
            levels = stated.get("sensitive")
            given = [
                (f"{joined(path, 'sensitive')}[{number}]", level)
                for number, level in enumerate(levels if isinstance(levels, list) else ())
                if isinstance(level, Mapping)
            ]
        for here, entry in given:
            if entry.get("epsilon") is None:
                self.problems.add(joined(here, "epsilon"), _("it is missing"), _("state it"))
                continue
            try:
                amplification_below(entry["epsilon"])
            except PrivacyError as error:
                self.problems.add(joined(here, "epsilon"), *in_words(error))

    def _cell(self, value: object, path: str) -> None:
        """Note a size that no cell can have; how many cells a map may have is said where it is known."""
        if not is_number(value) or value <= 0:
            self.problems.add(
                path,
                _("%(value)s is no size of a cell") % {"value": shown(value)},
                _("give metres, more than 0"),
            )

    def _prior(self, document: object, path: str) -> object:
        """Return the rows of a public prior, which has to say where it comes from."""
        given = self.problems.members(document, path, needed=("source", "rows"))
        if given is None:
            return None
        source = given["source"]
        if not isinstance(source, str) or not source.strip() or len(source) > LONGEST_SOURCE:
            self.problems.add(
                joined(path, "source"),
                _("%(value)s does not say where the weights come from") % {"value": shown(source)},
                _("name a public source, or an earlier disguised survey, in at most %(most)s characters")
                % {"most": LONGEST_SOURCE},
            )
        return given["rows"]

    def _items(self, document: object, path: str, kind: str) -> tuple[list[dict[str, Any]], list[Any]]:
        """Read what may take part in rules: the wording of each, and where it lies."""
        options, items = [], []
        members = ITEM_MEMBERS[kind]
        for number, entry in enumerate(self.problems.entries(document, path, most=MOST_OPTIONS)):
            here = f"{path}[{number}]"
            option = self.problems.members(entry, here, needed=("key", "text", *members))
            if option is not None:
                text = self.texts.text(option["text"], joined(here, "text"))
                options.append({"key": option["key"], "text": text})
                items.append({name: option[name] for name in ("key", *members)})
        return options, items


def map_of(stated: Mapping[str, Any]) -> Area | None:
    """Return the map of a place that is being stated; None as long as it is not whole."""
    area = stated.get("area")
    if not isinstance(area, Mapping) or set(area) != set(EDGES):
        return None
    try:
        return Area.of_cell_size(**area, metres=stated.get("cell"))  # type: ignore[arg-type]  # checked there
    except PrivacyError:
        return None


def disguise_of(kind: str, stated: Mapping[str, Any]) -> tuple[Disguise, tuple[str, ...]]:
    """Return the disguise that a statement makes, and the keys of its items.

    A draft is read at every edit, and the best window of a large map takes a while: what was made is kept.

    Raises
    ------
    PrivacyError
        What is wrong with it.
    """
    return _made(kind, json.dumps(stated, sort_keys=True))


@lru_cache(maxsize=64)
def _made(kind: str, stated: str) -> tuple[Disguise, tuple[str, ...]]:
    document = json.loads(stated)
    stated_scale = stated_number(document) if kind == "number" else stated_place(document)
    return stated_scale.disguise, stated_scale.options


def is_scale(document: object) -> TypeGuard[dict[str, Any]]:
    """Return whether an entry of a definition is a question of kind number or place."""
    return isinstance(document, dict) and document.get("kind") in ("number", "place")


def refusal_of(stated: object, question: Question) -> Any:
    """Return the chance of a skip among decoys: where `true` is stated, the least that is enough.

    Raises
    ------
    PrivacyError
        Under this disguise a skip cannot hide.
    """
    if stated is False or stated == 0:
        return None
    if stated is not True or question.disguise is None:
        return stated
    return least_refusal(question.disguise)


def refuse_company(block: Mapping[str, Any], path: str, problems: Problems) -> None:
    """Note what a block of a number or a place cannot have: an open block, a p, more questions."""
    if not block["protected"]:
        problems.add(
            joined(path, "protected"),
            _("a number or a place is disguised by the device"),
            _("protect the part, or ask openly for one of several bins or districts"),
        )
    for name in ("truth_probability", "exclusive"):
        if block.get(name) not in (None, 0, []):
            problems.add(
                joined(path, name),
                _("%(value)s is given for a number or a place") % {"value": shown(block[name])},
                _("leave it out: the question brings a disguise of its own"),
            )
    if len(block["questions"]) > 1:
        problems.add(
            joined(path, "questions"),
            _("a number or a place shares its part"),
            _("give it a part of its own"),
        )
