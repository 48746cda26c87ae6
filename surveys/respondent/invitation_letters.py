"""Letters: the address with its QR code, a first letter and a reminder, in each language.

The reminder goes to everyone, whether they have answered or not: no one looks up who has.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import override

from privacy.risk.budget import block_budget
from privacy.risk.promise import promise
from privacy.survey.design import Design
from surveys.formats.svg import qr_code
from surveys.intake.payload import code_in_groups
from surveys.models import Survey, Version
from surveys.questionnaire.aim import promise_sentence
from surveys.questionnaire.languages import Language, text_in
from surveys.questionnaire.schedule import local_text
from surveys.respondent.client_documents import (
    Address,
    addresses_of,
    digest_in_link,
    digest_in_print,
    survey_digest,
)


@dataclass(frozen=True, kw_only=True)
class Letters:
    """Letters in one language of the survey.

    Parameters
    ----------
    language : Language
        Language of the survey.
    text_language : str
        Tag of the language of the texts: the same, unless Sottovoce is not translated into it.
    address : str
        Complete address, with the survey's digest.
    picture : SafeString
        The address as a QR code.
    first, reminder : str
    """

    language: Language
    text_language: str
    address: str
    picture: SafeString
    first: str
    reminder: str

    @property
    def is_translated(self) -> bool:
        """Whether the texts are in the survey's language."""
        return self.text_language == self.language.tag


def letters(survey: Survey, *, absolute: Callable[[str], str]) -> tuple[Letters, ...]:
    """Return the letters of a published survey, those in its first language first.

    Parameters
    ----------
    survey : Survey
    absolute : callable
        Makes a complete address from a path.
    """
    version = survey.versions.select_related("survey").order_by("-number")[0]
    digest = survey_digest(version)
    return tuple(
        _letters(survey, version, address, f"{absolute(address.path)}#d={digest}")
        for address in addresses_of(survey.slug, version.wording)
    )


def _letters(survey: Survey, version: Version, address: Address, whole: str) -> Letters:
    with override(address.page_language):
        named = {"title": text_in(survey.title, address.language.tag), "address": whole}
        first = "\n\n".join(_first(survey, version, address, named))
        reminder = "\n\n".join(_reminder(survey, named))
    return Letters(
        language=address.language,
        text_language=address.page_language,
        address=whole,
        picture=qr_code(whole),
        first=first,
        reminder=reminder,
    )


def _first(survey: Survey, version: Version, address: Address, named: dict[str, Any]) -> Iterator[str]:
    about = version.wording["about"]
    said = {name: text_in(about[name], address.language.tag) for name in ("researcher", "purpose", "contact")}
    yield _("You are invited to answer “%(title)s”.") % named
    yield said["purpose"]
    if _disguises_all_that_is_sensitive(version.to_design()):
        yield _(
            "Your phone or computer disguises your answers to sensitive questions before "
            "sending them. So no one can be sure that an answer is yours: your device may have "
            "made it up."
        )
        # Of two strengths the lighter one, which reveals more.
        design = version.to_design()
        if made := promise(design.in_group(direct=design.has_two_strengths) or design):
            yield promise_sentence(made)
    if survey.by_invitation:
        yield _("Open %(address)s and enter this code. It works once.") % named
        yield _("[put the code here]")
    else:
        yield _("Open %(address)s to answer.") % named
    yield _(
        "The part after “d=” identifies this survey. Your device will not open any other survey"
        " from this address."
    )
    yield from _closes(survey)
    yield _("Researcher: %(researcher)s") % said
    yield _("Questions about this survey: %(contact)s") % said


def _disguises_all_that_is_sensitive(design: Design) -> bool:
    """Return whether protected answers are disguised in both groups, and everywhere on a map."""
    bounds = [block_budget(block) for block in design.blocks if block.protected]
    return bool(bounds) and not design.sends_undisguised and not any(bound.exact_outside for bound in bounds)


def _reminder(survey: Survey, named: dict[str, Any]) -> Iterator[str]:
    yield _("We invited you to the survey “%(title)s”.") % named
    yield _(
        "If you have already answered, thank you. We send this message to everyone, because we "
        "do not check who has answered."
    )
    if survey.by_invitation:
        yield (
            _(
                "If you have not, you still can: open the address in your invitation, or open "
                "%(address)s and enter your code. Each code works once."
            )
            % named
        )
    else:
        yield _("If you have not, you still can: open %(address)s.") % named
    yield from _closes(survey)


def _closes(survey: Survey) -> Iterator[str]:
    if survey.closes_at is not None:
        yield _("The survey closes at %(time)s (%(zone)s).") % {
            "time": local_text(survey.closes_at, survey.time_zone).replace("T", " "),
            "zone": survey.time_zone,
        }


# A card takes about three kilobytes and four milliseconds.
MOST_CARDS: Final = 500


@dataclass(frozen=True, kw_only=True)
class Card:
    """One invitation to print.

    Parameters
    ----------
    code : str
        Code in groups.
    address : str
        Address that includes the code.
    picture : SafeString
        The address as a QR code, SVG.
    """

    code: str
    address: str
    picture: SafeString


def invited_address(address: str, code: str, digest: str) -> str:
    """Return the address that opens a survey with a code, and only the survey with that digest.

    Examples
    --------
    >>> invited_address("https://example.org/en/s/work/", "1111111111111111112B", "10000-00000-00000-00000")
    'https://example.org/en/s/work/#c=1111111111111111112B&d=10000-00000-00000-00000'
    """
    return f"{address}#c={code}&d={digest}"


def cards(codes: Iterable[str], *, address: str, root: str) -> tuple[Card, ...]:
    """Return cards of these codes for one address, and for the survey with a root."""
    digest = digest_in_print(root)
    return tuple(
        Card(
            code=code_in_groups(code),
            address=invited_address(address, code, digest),
            picture=qr_code(invited_address(address, code, digest)),
        )
        for code in codes
    )


def codes_csv(codes: Iterable[str], *, address: str, root: str) -> str:
    """Return a table of codes and addresses, for a mail merge.

    Examples
    --------
    >>> print(codes_csv(["1111111111111111112B"], address="https://example.org/", root="00" * 32))
    code,address
    11111-11111-11111-1112B,https://example.org/#c=1111111111111111112B&d=AAAAAAAAAAAAAAAAAAAAAA
    <BLANKLINE>
    """
    digest = digest_in_link(root)
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["code", "address"])
    table.writerows([code_in_groups(code), invited_address(address, code, digest)] for code in codes)
    return file.getvalue()
