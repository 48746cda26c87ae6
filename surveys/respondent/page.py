"""Contents of a survey's page: design, wording in one language, stated prevalences, sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.urls import reverse
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from privacy.risk.promise import Promise
from privacy.scales.planar_window import PlanarWindowChannel
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
from surveys.respondent.addresses import Address, addresses_of, languages_of
from surveys.respondent.arm_texts import (
    again_texts,
    arm_of,
    explained_by_arm,
    has_right,
)
from surveys.respondent.client_documents import promises_json, promises_of
from surveys.respondent.client_program import ARMED, BY_INVITATION, OPEN, PANEL_ASKS, ROTATING, client
from surveys.respondent.client_state import roots_of
from surveys.respondent.survey_words import about_in, blocks_in, stated_prevalence, yes_and_no
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
    root, *older = roots_of(survey)
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
            "root": root,
            "older": older,
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
    parsed = Design.from_json(design)
    odds = [each for each in promises_of(parsed).values() if each is not None]
    texts = _texts(
        parsed,
        design,
        wording,
        odds=odds,
        by_invitation=by_invitation,
        sending=sending,
    )
    languages = languages_of(wording)
    explanations = wording.get(EXPLANATIONS)
    shown = language if language in languages else languages[0]
    return RespondentPage(
        title=text_in(wording["title"], shown),
        about=about_in(wording, shown),
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
            "wording": blocks_in(wording, shown, parsed),
            "prevalence": stated_prevalence(wording),
            **promises_json(parsed),
            **({"explained": arm_of(parsed, explanations)} if explanations else {}),
            **({PANEL: wording[PANEL]} if PANEL in wording else {}),
            "texts": {
                **texts,
                **(strength_by_invitation() if parsed.invited == STRENGTH else {}),
                **yes_and_no(shown),
                **(again_texts(odds) if has_right(wording) else {}),
                **explained_by_arm(parsed, explanations, shown, odds),
            },
        },
    )


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
