"""The five adversaries of the risk page, and what each can learn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.risk.unique_combinations import question_sets
from surveys.formats.joints import list_text
from surveys.formats.numbers import count_text
from surveys.questionnaire.labels import question_names
from surveys.questionnaire.promise_words import certainty_at, stated_promises
from surveys.questionnaire.unique_words import asked_alone_sentence, people_text, unique_sentence
from surveys.report.risk_page.unique_people import unique_people
from surveys.report.risk_page.worst_case import worst_case
from surveys.runs.audit import AuditedSurvey

_SHARED: Final = 2
"""Least number of people per set of questions for the page to say that each set is shared."""


def points_of(subject: AuditedSurvey) -> list[tuple[str, list[str]]]:
    """Return the five adversaries, and what each can learn, in the language of the page."""
    names_undisguised = subject.design.sends_undisguised and not subject.design.has_two_strengths
    return [
        (_("All data are stolen, or demanded by law"), list(_thief(subject))),
        (_("A colleague who knows some of the answers"), list(_colleague(subject))),
        (_("Someone who already suspects a person"), list(_suspicion(subject))),
        (
            _("People who answer without a disguise")
            if names_undisguised
            else _("People who are lightly disguised"),
            list(_others(subject)),
        ),
        (_("Taking part"), list(_participation(subject))),
    ]


def _thief(subject: AuditedSurvey) -> Iterator[str]:
    n = {"n": count_text(subject.audit.n or 0)}
    if not subject.audit.n:
        yield _("They get one answer sheet for each person, without names or times.")
    elif subject.run is None:
        yield _("If %(n)s people answer, they get %(n)s answer sheets, without names or times.") % n
    else:
        yield _("They get %(n)s answer sheets, without names or times.") % n
    if any(block.protected for block in subject.design.blocks):
        yield _("The worst case above says how sure one answer, or a whole sheet, can make them.")
    yield from _places(subject)
    n_open = len(subject.audit.open.questions)
    if n_open:
        yield ngettext(
            "They can read the answers to %(count)s question that is not disguised.",
            "They can read the answers to %(count)s questions that are not disguised.",
            n_open,
        ) % {"count": count_text(n_open)}
    if subject.design.sends_undisguised:
        yield _("They can read all answers of the people in point 4.")


def _texts(subject: AuditedSurvey) -> dict[str, str]:
    """Return the text of each question by its key."""
    return {name.key: name.text for name in question_names(subject.version, subject.design)}


def _places(subject: AuditedSurvey) -> Iterator[str]:
    """Describe the places that are disguised only in sensitive areas."""
    texts = _texts(subject)
    for part in subject.audit.lone:
        if part.apart:
            yield _(
                "The place of “%(question)s” is usually sent undisguised outside its sensitive areas."
            ) % {"question": texts[part.question]}
            yield _("Between two places inside them, someone who starts at 50:50 becomes %(sure)s sure.") % {
                "sure": certainty_at(part.epsilon)
            }


def _colleague(subject: AuditedSurvey) -> Iterator[str]:
    keys = subject.audit.open.questions
    yield from _asked_differently(subject)
    if not (keys or subject.design.sends_undisguised or any(part.apart for part in subject.audit.lone)):
        yield _("Every question is disguised. No one can find a sheet by the answers they know.")
        return
    if keys:
        texts = _texts(subject)
        yield ngettext(
            "%(count)s question is not disguised: %(questions)s",
            "%(count)s questions are not disguised: %(questions)s",
            len(keys),
        ) % {"count": count_text(len(keys)), "questions": list_text(f"“{texts[key]}”" for key in keys)}
        yield from _unique(subject)
    yield (
        _(
            "Someone who knows the answers of a person with unique answers can find that person’s sheet."
        )
        if not subject.design.sends_undisguised
        else _("Someone who knows the answers of a person with unique answers can find that "
               "sheet, and read it if the person answered without a disguise.")
    )  # fmt: skip
    if any(block.protected for block in subject.design.blocks):
        yield _("The disguised answers on it remain disguised: see point 3.")


def _asked_differently(subject: AuditedSurvey) -> Iterator[str]:
    """Say how many people could be recognised by the questions that they were asked."""
    unique_sets = subject.audit.own
    if not subject.design.rotates:
        return
    yield _("Each person is asked a random selection of questions. Each sheet shows which ones.")
    sets, rarest = question_sets(subject.design)
    if unique_sets is None:
        yield _("There are %(sets)s sets of questions.") % {"sets": count_text(sets)}
        return
    people = float(rarest * unique_sets.n)
    alone = people_text(unique_people(subject.audit) or 0)
    figures = {
        "sets": count_text(sets),
        "n": count_text(unique_sets.n),
        "people": people_text(people),
        "alone": alone,
    }
    if people >= _SHARED:
        yield _("There are %(sets)s sets of questions. Of %(n)s people, %(people)s share each set.") % figures
    else:
        yield _("There are %(sets)s sets of questions for %(n)s people, so few people share a set.") % figures
    if not subject.audit.open.questions:
        yield asked_alone_sentence(figures)


def _unique(subject: AuditedSurvey) -> Iterator[str]:
    """Say how many people have a unique combination of answers and questions asked."""
    alone, people = unique_people(subject.audit), subject.audit.n
    if alone is None or people is None:
        yield _(
            "The researcher did not say how many people will answer, so we cannot work out how many would "
            "have unique answers."
        )
        return
    figures = {"n": count_text(people), "alone": people_text(alone)}
    has_sets = subject.audit.own is not None
    if alone == 0 and isinstance(alone, int):
        yield _("All %(n)s people share their answers with someone else.") % figures
    elif isinstance(alone, int):
        yield (
            _("Among %(n)s people, %(alone)s gave answers to their questions that no one else gave.")
            if has_sets
            else _("Among %(n)s people, %(alone)s gave answers that no one else gave.")
        ) % figures
    else:
        yield unique_sentence(subject.design, people)


def _suspicion(subject: AuditedSurvey) -> Iterator[str]:
    if not any(block.protected for block in subject.design.blocks):
        yield _("This survey disguises no question. Nothing limits what others can learn.")
        return
    yield _("They start at 50:50, and know which sheet belongs to that person.")
    yield _("The worst case above shows how sure they can become.")
    if subject.audit.waves > 1 and not any(
        held and "waves" in held for held in stated_promises(subject.version).values()
    ):
        yield _(
            "If the same person answered all %(waves)s surveys of the series, they can become %(sure)s sure."
        ) % {"waves": count_text(subject.audit.waves), "sure": certainty_at(subject.audit.epsilon_of_waves)}


def _others(subject: AuditedSurvey) -> Iterator[str]:
    group, design = subject.audit.group, subject.design
    if not design.has_two_strengths and not design.sends_undisguised:
        yield _("None: everyone has the same disguise.") if design.protects else worst_case(subject)[0]
        return
    if group.n_direct is not None and group.n_protected is not None:
        yield _("They are %(count)s of %(n)s people.") % {
            "count": count_text(group.n_direct),
            "n": count_text(group.n_direct + group.n_protected),
        }
    elif group.policy == "assigned":
        yield _("%(share)s of 100 people are chosen at random for this.") % {
            "share": f"{100 * (group.direct_share or 0):g}"
        }
    else:
        yield _("Everyone chooses for themselves.")
    if design.has_two_strengths:
        yield _("Someone starts at 50:50, and knows which sheet belongs to that person.")
        yield _("The worst case above shows how sure they can become.")
    else:
        yield _("Their answers are stored as given. Anyone who gets the data can read them.")
    if group.policy == "choice":
        yield _("Anyone can see which way a person chose. Choosing more protection can look suspicious.")


def _participation(subject: AuditedSurvey) -> Iterator[str]:
    yield _("This is not hidden. Someone who watches the network or the phone can see it.")
    if subject.survey.by_invitation:
        yield _("Someone who knows which code a person got can see whether it was used.")
    if subject.design.invited:
        yield _("The code also reveals which group of the experiment that person is in.")
