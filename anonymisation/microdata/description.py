"""Description of a study as archives require it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from surveys.errors.error import SurveyError

LICENCES: Final[Mapping[str, tuple[str, str]]] = {
    "CC0-1.0": ("CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    "CC-BY-4.0": ("CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"),
    "CC-BY-SA-4.0": ("CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
    "CC-BY-NC-4.0": ("CC BY-NC 4.0", "https://creativecommons.org/licenses/by-nc/4.0/"),
    "ODC-By-1.0": ("ODC Attribution 1.0", "https://opendatacommons.org/licenses/by/1-0/"),
    "ODbL-1.0": ("ODC Open Database 1.0", "https://opendatacommons.org/licenses/odbl/1-0/"),
}
"""Name and address of each licence, by SPDX identifier."""

_SUBJECTS: Final = {
    "Social Sciences": _("Social Sciences"),
    "Medicine, Health and Life Sciences": _("Medicine, Health and Life Sciences"),
    "Business and Management": _("Business and Management"),
    "Law": _("Law"),
    "Arts and Humanities": _("Arts and Humanities"),
    "Agricultural Sciences": _("Agricultural Sciences"),
    "Astronomy and Astrophysics": _("Astronomy and Astrophysics"),
    "Chemistry": _("Chemistry"),
    "Computer and Information Science": _("Computer and Information Science"),
    "Earth and Environmental Sciences": _("Earth and Environmental Sciences"),
    "Engineering": _("Engineering"),
    "Mathematical Sciences": _("Mathematical Sciences"),
    "Physics": _("Physics"),
    "Other": pgettext_lazy("subject", "Other"),
}
SUBJECTS: Final = tuple(_SUBJECTS)
"""Subjects of the data, in Dataverse's vocabulary."""

_LISTED: Final = re.compile(r"[\n,;，；、]")
_PARTS: Final = re.compile(r"[;；]")
_COMMA: Final = re.compile(r"[,，]")


def _lines(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows})


def _day() -> forms.DateInput:
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class DescriptionForm(forms.Form):
    """Fields of a description. If any is filled in, the fields that every archive requires must be too."""

    use_required_attribute = False

    title = forms.CharField(label=_("Title of the data"), max_length=300)
    creators = forms.CharField(
        label=_("Creators of the data"),
        help_text=_("One line each: family name, given name; affiliation; ORCID. The last two are optional."),
        widget=_lines(3),
    )
    abstract = forms.CharField(
        label=_("Abstract"),
        help_text=_("A few sentences: the questions, the people asked, and the purpose."),
        widget=_lines(5),
    )
    publisher = forms.CharField(label=_("Archive or institution that publishes the data"))
    contact = forms.EmailField(label=_("E-mail address for questions"), help_text=_("This is published."))
    universe = forms.CharField(
        label=_("Population"),
        help_text=_("For example: adults in private households."),
        widget=_lines(2),
        required=False,
    )
    sampling = forms.CharField(label=_("Sampling procedure"), widget=_lines(2), required=False)
    start = forms.DateField(
        label=_("First day of collection"), widget=_day(), input_formats=["%Y-%m-%d"], required=False
    )
    end = forms.DateField(
        label=_("Last day of collection"), widget=_day(), input_formats=["%Y-%m-%d"], required=False
    )
    keywords = forms.CharField(
        label=_("Keywords"), help_text=_("Separate keywords with commas."), required=False
    )
    funding = forms.CharField(
        label=_("Funding"),
        help_text=_("One line each: funder; grant number."),
        widget=_lines(2),
        required=False,
    )
    licence = forms.ChoiceField(
        label=_("Licence"),
        choices=[("", _("the archive’s own terms")), *((key, key) for key in LICENCES)],
        required=False,
    )
    subject = forms.ChoiceField(label=_("Subject"), choices=[("", "–"), *_SUBJECTS.items()], required=False)
    doi = forms.RegexField(
        r"^10\.\d{4,9}/\S+$",
        label=_("DOI"),
        help_text=_("If the archive has already given you one."),
        error_messages={"invalid": _("Write it like 10.5072/abc, without a web address before it.")},
        required=False,
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.empty_permitted = True

    @property
    def required_fields(self) -> list[forms.BoundField]:
        """Fields that every archive requires."""
        return [field for field in self if field.field.required]

    @property
    def more(self) -> list[forms.BoundField]:
        """Optional fields."""
        return [field for field in self if not field.field.required]

    @property
    def own_texts(self) -> dict[str, str]:
        """Typed texts by field; empty if the whole form is empty."""
        texts = {field.name: str(field.data or "").strip() for field in self} if self.has_changed() else {}
        return {name: text for name, text in texts.items() if text}

    def clean_creators(self) -> tuple[Person, ...]:
        """Read one person per line."""
        lines = self.cleaned_data["creators"].splitlines()
        return tuple(_creator(line) for line in lines if line.strip())

    def clean_keywords(self) -> tuple[str, ...]:
        """Read words separated by commas, semicolons or line breaks."""
        words = _LISTED.split(self.cleaned_data["keywords"])
        return tuple(word.strip() for word in words if word.strip())

    def clean_funding(self) -> tuple[tuple[str, str], ...]:
        """Read one funder and grant per line."""
        lines = self.cleaned_data["funding"].splitlines()
        parts = (_PARTS.sub(";", line).partition(";") for line in lines if line.strip())
        return tuple((funder.strip(), grant.strip()) for funder, _, grant in parts)

    def clean(self) -> dict[str, Any]:
        """Refuse a data collection that ends before it begins."""
        start, end = self.cleaned_data.get("start"), self.cleaned_data.get("end")
        if start and end and start > end:
            self.add_error("end", gettext("The last day of collection is before the first day."))
        return self.cleaned_data


@dataclass(frozen=True, kw_only=True)
class Person:
    """Creator of the data; an institution has no given name.

    Examples
    --------
    >>> Person(family="Li", given="Na").name, Person(family="Institute of Work").name
    ('Li, Na', 'Institute of Work')
    """

    family: str
    given: str = ""
    affiliation: str = ""
    orcid: str = ""

    @property
    def name(self) -> str:
        """Name with the family name first, as catalogues sort it."""
        return f"{self.family}, {self.given}" if self.given else self.family


@dataclass(frozen=True, kw_only=True)
class Description:
    """Description of a study.

    Parameters
    ----------
    title, abstract, publisher, contact : str
        `contact` is an e-mail address; `publisher` is the archive or the institution.
    creators : tuple of Person
        At least one.
    universe, sampling : str
        The population that the data describe, and how respondents were chosen.
    start, end : str
        First and last day of data collection, in ISO 8601 format.
    keywords : tuple of str
    funding : tuple of (str, str)
        Funder and grant number.
    licence : str
        Key of `LICENCES`; "" for the archive's terms.
    subject : str
        One of `SUBJECTS`.
    doi : str
        DOI of the release, if the archive has already assigned one.
    """

    title: str
    creators: tuple[Person, ...]
    abstract: str
    publisher: str
    contact: str
    universe: str = ""
    sampling: str = ""
    start: str = ""
    end: str = ""
    keywords: tuple[str, ...] = ()
    funding: tuple[tuple[str, str], ...] = ()
    licence: str = ""
    subject: str = SUBJECTS[-1]
    doi: str = ""


def description_of(study: object) -> Description:
    """Read the description in a plan: fields of the form by name, where a list counts as lines.

    Raises
    ------
    SurveyError
        ``study.unknown`` or ``study.fields``.
    """
    if not isinstance(study, dict):
        raise SurveyError("study.fields", "study", faults="it is not a JSON object")
    fields = DescriptionForm.base_fields
    for name in study:
        if name not in fields:
            raise SurveyError("study.unknown", name, known=", ".join(fields))
    lists = {name: value if isinstance(value, list) else [value] for name, value in study.items()}
    description = description_read({name: "\n".join(map(str, value)) for name, value in lists.items()})
    if description is None:
        raise SurveyError("study.fields", "study", faults="all its fields are empty")
    return description


def description_read(form_data: Mapping[str, str]) -> Description | None:
    """Return a description from the texts of its fields; None if all are empty.

    Parameters
    ----------
    form_data : mapping of str to str

    Raises
    ------
    SurveyError
        ``study.fields``.
    """
    form = DescriptionForm(form_data)
    if not form.is_valid():
        faults = "; ".join(f"{name}: {' '.join(map(str, texts))}" for name, texts in form.errors.items())
        raise SurveyError("study.fields", ", ".join(form.errors), faults=faults)
    if not form.has_changed():
        return None
    days = {name: str(form.cleaned_data[name] or "") for name in ("start", "end")}
    subject = form.cleaned_data["subject"] or SUBJECTS[-1]
    return Description(**{**form.cleaned_data, **days, "subject": subject})


def _creator(line: str) -> Person:
    name, *rest = (part.strip() for part in _PARTS.split(line))
    family, _, given_name = (part.strip() for part in _COMMA.sub(",", name).partition(","))
    if not family or len(rest) > 2:
        raise forms.ValidationError(
            gettext("“%(line)s” cannot be read. Write “Family name, given name; affiliation; ORCID”.")
            % {"line": line}
        )
    affiliation, orcid = (*rest, "", "")[:2]
    orcid = orcid.rpartition("/")[2]
    if orcid and not _is_orcid(orcid):
        raise forms.ValidationError(
            gettext("“%(value)s” is not a valid ORCID such as 0000-0002-1825-0097. Check each digit.")
            % {"value": orcid}
        )
    return Person(family=family, given=given_name, affiliation=affiliation, orcid=orcid)


def _is_orcid(text: str) -> bool:
    """Return whether the check digit of an ORCID is correct (ISO 7064, 11-2).

    Examples
    --------
    >>> _is_orcid("0000-0002-1825-0097"), _is_orcid("0000-0002-1825-0098")
    (True, False)
    """
    if not re.fullmatch(r"(\d{4}-){3}\d{3}[\dX]", text):
        return False
    total = 0
    for digit in text.replace("-", "")[:-1]:
        total = (total + int(digit)) * 2
    return "0123456789X"[(12 - total % 11) % 11] == text[-1]
