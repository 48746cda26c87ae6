"""Contents of a survey's page: design, wording in one language, stated prevalences, sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.urls import reverse
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import get_language, override, pgettext
from django.utils.translation import gettext as _
from django.utils.translation import gettext as of_django

from privacy.risk.constrained_prior import exclusive_prior
from privacy.risk.promise import Promise, promise
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.survey.block import Block
from privacy.survey.design import ARMS_MECHANISM, STRENGTH, Design
from privacy.survey.design_json import read_disguise
from privacy.survey.question import SCALE_KINDS
from surveys.models import Survey, Version
from surveys.questionnaire.arms import EXPLANATIONS, is_arm_block
from surveys.questionnaire.languages import Language, language_of, text_in
from surveys.questionnaire.panel import PANEL
from surveys.questionnaire.quotas import quotas_of
from surveys.questionnaire.rankings import things_of
from surveys.questionnaire.scale_definition import SLIDER
from surveys.questionnaire.tables import MATRIX, tables_of
from surveys.respondent.addresses import Address, addresses_of, languages_of
from surveys.respondent.arm_texts import (
    again_texts,
    arm_of,
    explained_by_arm,
    has_right,
    right_answer,
    wordings_by_arm,
)
from surveys.respondent.client_program import ARMED, BY_INVITATION, OPEN, PANEL_ASKS, ROTATING, client
from surveys.respondent.texts import is_rotating, respondent_texts, strength_by_invitation
from surveys.rows.quota_status import Quotas

# Where a survey has quotas: by question the positions of the options whose groups are full.
FULL: Final = "full"


class ShortEncoder(DjangoJSONEncoder):
    """Every character as itself and no blanks: a Chinese page is a tenth lighter."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{**given, "ensure_ascii": False, "separators": (",", ":")})


@dataclass(frozen=True, kw_only=True)
class RespondentPage:
    """One open survey, ready to be shown.

    Parameters
    ----------
    title : str
        The survey's title in the language of the page.
    about : dict of str to str
        Who asks, why, and what becomes of the answers, by the keys of the definition; empty ones left out.
    practice : bool
        Whether answers are for trying only and promised nothing.
    design : dict
        The design of the newest version, as the browser disguises by it.
    client_digest : str
        SHA-256 of the scripts that this page runs, for comparison with another source.
    language : Language
        Of the survey's texts; Sotto's own sentences are in the language of the page.
    others : tuple of Address
        The same survey in its other languages.
    by_invitation : bool
        Whether answers take an invitation.
    delete_on : date or None
        The day on which all answers are deleted.
    data : dict
        What the page's scripts read: survey, design, wording, prevalence and sentences.
    """

    title: str
    about: dict[str, str]
    practice: bool
    design: dict[str, Any]
    client_digest: str
    language: Language
    others: tuple[Address, ...]
    by_invitation: bool
    delete_on: date | None
    data: dict[str, Any]

    @property
    def data_script(self) -> SafeString:
        """The element that holds `data`."""
        return json_script(self.data, "page-data", encoder=ShortEncoder)

    @property
    def backup_days(self) -> int:
        """Days after which backups are destroyed; 0 where the operator states none."""
        return int(settings.SOTTO_BACKUP_DAYS)

    @property
    def policy(self) -> str:
        """Policy of protection: "protected" (all), "choice" or "assigned"."""
        return str(self.design["group"]["policy"])

    @property
    def scripts(self) -> tuple[str, ...]:
        """Addresses of what runs before the first screen, the entrance last: fetched at once."""
        besides = (BY_INVITATION if self.by_invitation else ()) + (ROTATING if self.rotates else ())
        besides += PANEL_ASKS if PANEL in self.data else ()
        besides += ARMED if self.design["mechanism"] == ARMS_MECHANISM else ()
        return client().urls((*besides, *OPEN))

    @property
    def exact_outside(self) -> bool:
        """Whether a place is asked for that is sent as it is where no sensitive area holds it."""
        disguises = [
            read_disguise(question["kind"], question["disguise"])
            for block in self.design["blocks"]
            for question in block["questions"]
            if question["kind"] == "place"
        ]
        return any(
            isinstance(disguise, PlanarWindowChannel) and disguise.exact_outside for disguise in disguises
        )

    @property
    def why_undisguised(self) -> str:
        """Why some people's answers to protected questions are sent as they are; empty where none are."""
        return self.about.get("undisguised", "") if self.sends_undisguised else ""

    @property
    def further_about(self) -> tuple[tuple[str, str], ...]:
        """Statements beside who asks and for what age, by name."""
        names = {
            "purpose": _("What it is for"),
            "help": pgettext("for respondents", "Help"),
            "contact": _("Contact"),
            "ethics": _("Ethics reference"),
            "retention": _("How long answers are kept"),
        }
        return tuple((name, self.about[key]) for key, name in names.items() if key in self.about)

    @property
    def has_two_strengths(self) -> bool:
        """Whether the direct group is lightly disguised."""
        return any("light" in block for block in self.design["blocks"])

    @property
    def sends_undisguised(self) -> bool:
        """Whether the answers of some people to protected questions are sent as they are."""
        return self.has_protected and self.policy != "protected" and not self.has_two_strengths

    @property
    def direct_share(self) -> str:
        """Devices of 100 that draw to answer directly, under *assigned*; else nothing."""
        share = self.design["group"]["direct_share"]
        return "" if share is None else f"{share / 100:g}"

    @property
    def rotates(self) -> bool:
        """Whether devices differ in what they ask."""
        return "rotations" in self.design or any(map(is_rotating, self.design["blocks"]))

    @property
    def has_arms(self) -> bool:
        """Whether devices draw the arm of an experiment."""
        return any(map(is_arm_block, self.design["blocks"]))

    @property
    def invited(self) -> str:
        """What the invitation decides: "group", a question of arms, or nothing."""
        return str(self.design.get("invited", ""))

    @property
    def question_count(self) -> int:
        """The most questions that one device asks."""
        counts = {
            block["key"]: block.get("questions_per_person") or len(block["questions"])
            for block in self.design["blocks"]
            if not is_arm_block(block)
        }
        drawn = [
            sorted(counts.pop(key) for key in rotation["blocks"])[-rotation["parts_per_person"] :]
            for rotation in self.design.get("rotations", ())
        ]
        return sum(counts.values()) + sum(map(sum, drawn))

    @property
    def minutes(self) -> int:
        """Minutes that answering takes about: one to read what comes first, a quarter for each question."""
        return 1 + math.ceil(self.question_count / 4)

    @property
    def all_parts(self) -> tuple[dict[str, Any], ...]:
        """Title and questions of each part, and how many of them one device asks where that is not all."""
        return tuple(
            {
                "title": words["title"],
                "questions": [question["text"] for question in words["questions"]],
                "per_person": block.get("questions_per_person"),
            }
            for block, words in zip(self.design["blocks"], self.data["wording"], strict=True)
            if not is_arm_block(block)
        )

    @property
    def rotations(self) -> tuple[dict[str, Any], ...]:
        """Titles of the parts of each rotation, and how many of them one device asks."""
        titles = {
            block["key"]: words["title"]
            for block, words in zip(self.design["blocks"], self.data["wording"], strict=True)
        }
        return tuple(
            {
                "titles": [titles[key] for key in rotation["blocks"]],
                "per_person": rotation["parts_per_person"],
            }
            for rotation in self.design.get("rotations", ())
        )

    @property
    def has_protected(self) -> bool:
        """Whether any block is protected."""
        return any(block["protected"] for block in self.design["blocks"])

    @property
    def has_open(self) -> bool:
        """Whether any block is open."""
        return not all(block["protected"] or is_arm_block(block) for block in self.design["blocks"])


def survey_by_slug(slug: str) -> Survey | None:
    """Return the survey a respondent's address names, or None."""
    return Survey.objects.filter(slug=slug).first()


def respondent_page(
    version: Version, *, quotas: Quotas | None = None, language: str | None = None
) -> RespondentPage | None:
    """Return the page of a survey that is open.

    Parameters
    ----------
    version : Version
        The survey's newest.
    quotas : Quotas or None
        As they stand; None where it has none.
    language : str or None
        Of the survey's texts, where it is not that of the page.

    Returns
    -------
    RespondentPage or None
        None where the survey has no address for that language.
    """
    survey = version.survey
    addresses = addresses_of(survey.slug, version.wording)
    if language is not None and language not in {
        address.language.tag for address in addresses if address.page_language != address.language.tag
    }:
        return None
    return _page(
        design=version.design,
        wording=version.wording,
        practice=survey.practice,
        language=language or get_language() or "en",
        addresses=addresses,
        by_invitation=survey.by_invitation,
        delete_on=survey.delete_on,
        sending={
            "survey": survey.slug,
            "design_id": version.design_id,
            "submit": reverse("submit"),
            "clear": reverse("clear_device"),
            "by_invitation": survey.by_invitation,
            **({} if quotas is None else {FULL: quotas.full_options()}),
        },
    )


def preview_page(
    *,
    survey: str,
    design: dict[str, Any],
    wording: dict[str, Any],
    practice: bool,
    language: str,
    delete_on: date | None = None,
) -> RespondentPage:
    """Return the page of an unpublished design, which knows no address to send to.

    What the page keeps on the device it keeps under a name that no survey can have.
    """
    return _page(
        design=design,
        wording=wording,
        practice=practice,
        language=language,
        delete_on=delete_on,
        sending={
            "survey": f"preview:{survey}",
            "preview": True,
            # There are no answers yet.
            **({FULL: {key: [] for key in quotas}} if (quotas := quotas_of(wording)) else {}),
        },
    )


def _page(
    *,
    design: dict[str, Any],
    wording: dict[str, Any],
    practice: bool,
    language: str,
    delete_on: date | None,
    sending: dict[str, Any],
    addresses: tuple[Address, ...] = (),
    by_invitation: bool = False,
) -> RespondentPage:
    about = wording["about"]
    parsed = Design.from_json(design)
    odds = _odds(parsed)
    texts = _texts(
        parsed,
        design,
        wording,
        odds=[each for each in odds if each is not None],
        by_invitation=by_invitation,
        sending=sending,
    )
    languages = languages_of(wording)
    explanations = wording.get(EXPLANATIONS)
    shown = language if language in languages else languages[0]
    return RespondentPage(
        title=text_in(wording["title"], shown),
        about={key: text for key in about if (text := text_in(about[key], shown))},
        practice=practice,
        design=design,
        client_digest=client().digest,
        language=language_of(shown),
        others=tuple(address for address in addresses if address.language.tag != shown),
        by_invitation=by_invitation,
        delete_on=delete_on,
        data={
            **sending,
            "design": design,
            "language": shown,
            "wording": [
                block_words(block, shown, parsed) | together
                for block, together in zip(wording["blocks"], _together(parsed, wording), strict=True)
            ],
            "prevalence": _prevalence(wording),
            **{
                name: None if each is None else each.to_json()
                for name, each in zip(("whole", "light"), odds, strict=False)
            },
            **({"explained": arm_of(parsed, explanations)} if explanations else {}),
            **({PANEL: wording[PANEL]} if PANEL in wording else {}),
            "texts": {
                **texts,
                **(strength_by_invitation() if parsed.invited == STRENGTH else {}),
                **yes_and_no(shown),
                **(again_texts([each for each in odds if each is not None]) if has_right(wording) else {}),
                **explained_by_arm(parsed, explanations, shown, [each for each in odds if each is not None]),
            },
        },
    )


def _odds(design: Design) -> list[Promise | None]:
    """Return the odds of all disguised answers together, by each strength; None of one without a bound."""
    strengths = (False, True) if design.has_two_strengths else ()
    laws = [design.in_group(direct=direct) for direct in strengths] or [design]
    return [None if group is None else promise(group) for group in laws]


def _texts(
    parsed: Design,
    design: dict[str, Any],
    wording: dict[str, Any],
    *,
    odds: list[Promise],
    by_invitation: bool,
    sending: dict[str, Any],
) -> dict[str, str]:
    """Return Sotto's own sentences that the scripts of this page may show."""
    questions = [question for block in wording["blocks"] for question in block["questions"]]
    return respondent_texts(
        blocks=design["blocks"],
        by_invitation=by_invitation,
        policy=design["group"]["policy"],
        has_two_strengths=parsed.has_two_strengths,
        is_preview="preview" in sending,
        can_skip_all=all(
            block["refusal"] is not None
            or not block["protected"]
            or block["questions"][0]["kind"] in SCALE_KINDS
            for block in design["blocks"]
        ),
        not_protected=not any(block["protected"] for block in design["blocks"]),
        has_right=has_right(wording),
        has_exclusive=any(block.get("exclusive") for block in wording["blocks"]),
        has_rotations="rotations" in design,
        has_quotas=FULL in sending,
        has_panel=PANEL in wording,
        has_sliders=any(question.get("look") == SLIDER for question in questions),
        has_rankings=any(things_of(question) for question in questions),
        odds=odds,
    )


def yes_and_no(language: str) -> dict[str, str]:
    """Return the two answers in a language that Sotto's own sentences are not in; Django knows many."""
    if language in dict(settings.LANGUAGES):
        return {}
    with override(language):
        yes, no, _maybe = of_django("yes,no,maybe").split(",")
    return {"yes": capfirst(yes), "no": capfirst(no)}


def _together(design: Design, wording: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield for each block the chances of its true rows where answers exclude each other; else nothing.

    Of a rotating block the worst row is that of its worst booklet, with None for what that does not ask.
    """
    stated = _prevalence(wording)
    for parsed, block in zip(design.blocks, wording["blocks"], strict=True):
        exclusive = block.get("exclusive")
        prior = exclusive_prior(parsed, stated, exclusive) if exclusive else None
        if prior is None:
            yield {}
        elif parsed.is_rotating:
            yield {"together": prior.to_json() | {"worst": _worst_row(parsed, stated, exclusive)}}
        else:
            yield {"together": prior.to_json()}


def _worst_row(
    block: Block, stated: dict[str, list[int]], exclusive: list[list[str]]
) -> list[Any] | str | None:
    """Return the worst row of a rotating block; None where no answers of that booklet exclude each other."""
    drawn = block.of_booklet(block.worst_booklet)
    items = {key for question in drawn.questions for key in question.item_keys}
    sets = [
        exclusive_here
        for keys in exclusive
        if len(exclusive_here := [key for key in keys if key in items]) > 1
    ]
    prior = exclusive_prior(drawn, stated, sets) if sets else None
    if prior is None:
        return None
    row = prior.least_likely
    if isinstance(row, str):
        return row
    values = dict(zip(block.worst_booklet, row, strict=True))
    return [values.get(position) for position in range(len(block.questions))]


def block_words(block: dict[str, Any], language: str, design: Design) -> dict[str, Any]:
    """Return a block's texts in one language, as the scripts read them."""
    return {
        "title": text_in(block.get("title"), language),
        "help": text_in(block.get("help"), language),
        **({"exclusive": True} if block.get("exclusive") else {}),
        "questions": [
            {
                "text": text_in(question["text"], language),
                "help": text_in(question.get("help"), language),
                "options": [text_in(option["text"], language) for option in question.get("options") or ()],
            }
            | ({"look": question["look"]} if question.get("look", MATRIX) != MATRIX else {})
            | ({} if table is None else {"table": table})
            | _things(question, language)
            | right_answer(question)
            | wordings_by_arm(question, language, design)
            | ({"unit": text_in(question["unit"], language)} if "unit" in question else {})
            | ({"outline": question["outline"]} if "outline" in question else {})
            for question, table in zip(block["questions"], tables_of(block["questions"]), strict=True)
        ],
    }


def _things(question: dict[str, Any], language: str) -> dict[str, list[str]]:
    """Return what a ranking puts in order; nothing of another question."""
    things = [text_in(thing["text"], language) for thing in things_of(question)]
    return {"things": things} if things else {}


def _prevalence(wording: dict[str, Any]) -> dict[str, list[int]]:
    questions = [question for block in wording["blocks"] for question in block["questions"]]
    return {question["key"]: question["prevalence"] for question in questions if question.get("prevalence")}
