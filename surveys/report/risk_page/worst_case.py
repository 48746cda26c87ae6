"""How sure an adversary can become at most, in the words that respondents see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from privacy.risk.budget import block_budget
from surveys.questionnaire.promise_words import promise_sentence, stated_promises
from surveys.questionnaire.understatements import understatements_of
from surveys.runs.audit import AuditedSurvey


def worst_case(subject: AuditedSurvey) -> list[str]:
    """Return how sure an adversary can become at most, by strength, in the sentence that respondents see."""
    if not any(block.protected for block in subject.design.blocks):
        return [_("This survey disguises no question. Nothing limits what others can learn.")]
    stated = stated_promises(subject.version)
    sentences = [] if subject.is_draft else understatements_of(subject.survey)
    sentences += list(_limit(subject, stated["whole"], _("Respondents see: “%(promise)s”"), direct=False))
    if subject.design.has_two_strengths:
        light = _("Respondents with the light disguise see: “%(promise)s”")
        sentences += _limit(subject, stated["light"], light, direct=True)
    elif subject.design.sends_undisguised:
        sentences.append(_("Respondents who answer without a disguise are not protected: see point 4."))
    return sentences


def _limit(
    subject: AuditedSurvey, stated: Mapping[str, Any] | None, respondents_read: str, *, direct: bool
) -> Iterator[str]:
    """Yield the promise that respondents see: the posterior from 50:50 after all their disguised answers."""
    if stated is None:
        design_of_strength = subject.design.in_group(direct=direct)
        bounds = [
            block_budget(block) for block in (design_of_strength or subject.design).blocks if block.protected
        ]
        yield (
            _("Only sensitive areas of a place are disguised. Their limit is below.")
            if design_of_strength is not None and all(bound.exact_outside for bound in bounds)
            else _("Nothing limits how sure others can become.")
        )
        return
    yield respondents_read % {"promise": promise_sentence(stated)}
    if stated["not_composed"]:
        yield _("This excludes the place, which is disguised only in sensitive areas.")
