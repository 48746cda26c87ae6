"""Every sentence that the builder's page shows after JavaScript has taken over, in the page's language.

A name in braces is filled in by the browser.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from surveys.authoring.builder_form_texts import FORM_TEXTS
from surveys.authoring.builder_scale_texts import SCALE_TEXTS
from surveys.respondent.label_texts import label_texts

PAGE_TEXTS: Final = {
    # The outline.
    "outline": _("Outline"),
    "outline_empty": _(
        "No questions yet. Sensitive ones go into a protected part, harmless ones into an open part."
    ),
    "outline_hint": _("Drag ⠿ to put a part elsewhere, or choose it and press Alt with ↑ or ↓."),
    "part_head": _("Title, languages, times"),
    "part_about": _("What respondents are told"),
    "part_group": _("Who is disguised"),
    "part_explanations": _("Two explanations"),
    "block_unnamed": _("Part {number}, no title yet"),
    "question_unnamed": _("Question {number}, no text yet"),
    "tag_protected": pgettext_lazy("a part of a survey", "Protected"),
    "tag_open": pgettext_lazy("a part of a survey", "Open"),
    "add_protected_block": _("Add a protected part"),
    "add_open_block": _("Add an open part"),
    "add_question": _("Add a question"),
    "add_question_to": _("Add a question to {name}"),
    "todo_unit": _("to do"),
    # What can be done with everything.
    "tools": _("What can be done with this"),
    "up": _("Move up"),
    "down": _("Move down"),
    "duplicate": _("Duplicate"),
    "delete": _("Delete"),
    "add": _("Add"),
    "undo": _("Undo"),
    "undone": _("Undone."),
    "move_up": _("Move {name} up"),
    "move_down": _("Move {name} down"),
    "remove": _("Delete {name}"),
    "moved": _("{name} is now number {place} of {total}."),
    "moved_in": _("{name} is now number {place} of {total} in {owner}."),
    "duplicated": _("{name} is duplicated; this is the copy."),
    "removed": _("Deleted: {name}."),
    "optional": _("optional"),
    "yes": _("Yes"),
    "no": _("No"),
    "none": _("None of these"),
    "percent_wrong": _("Write a percentage from {least} to {most}, with two decimals at most."),
    "names_in_data": _("Short names, for tables and files"),
    "key": _("Short name"),
    "key_hint": _(
        "Stands in the tables, pictures and files of reports, where there is no room for the whole text; "
        "respondents never see it. Letters, digits and - _ . + only. Once the survey is published, a new "
        "name starts counting anew."
    ),
    # The panel of privacy.
    "privacy": _("Privacy"),
    "privacy_caption": _("How well each protected part protects"),
    "privacy_none": _(
        "No protected part yet, so nothing is disguised: every answer would be stored as it is."
    ),
    "privacy_unready": _("Not known until this part has questions and all their chances are right."),
    "privacy_no_prevalence": _("The odds need an expected share for every question of this part."),
    "privacy_anchor": _("not in the sum"),
    "privacy_anchor_why": _(
        "What is true here everybody knows. So this part gives nothing away, and no sum counts it. Its words "
        "are Sotto’s: with other words it counts like every part."
    ),
    "privacy_sum": _("ε of all parts together"),
    "privacy_sum_partly": _("ε of the parts that are complete"),
    "gamma": _("amplification: how many times likelier a row is from whom it is true of"),
    "epsilon": _("epsilon, the natural logarithm of gamma"),
    "privacy_times": _("γ = {gamma}: at most that many times likelier from somebody of whom it is true."),
    "privacy_open": _("Questions that are not protected: {count}."),
    "privacy_direct": _("Direct answers are true ones in the database; no bound holds for the direct group."),
    "disguised": _("Strongly disguised"),
    "disguised_lightly": _("Lightly disguised"),
    "worst_row": _("The most telling answers"),
    "worst_skipped": _("Skipping the part"),
    # Saving.
    "state_saved": _("Saved"),
    "state_unsaved": _("Not saved yet"),
    "state_saving": _("Saving"),
    "state_away": _("Not saved: the server is out of reach"),
    "state_conflict": _("Not saved: changed elsewhere"),
    "state_logged_out": _("Not saved: logged out"),
    "state_refused": _("Not saved"),
    "save_now": _("Save now"),
    "away_title": _("The server is out of reach."),
    "away": _(
        "Go on working: all is kept in this tab and saved when the connection is back. Leave the tab open "
        "until then."
    ),
    "conflict_title": _("Another tab changed this survey."),
    "conflict": _(
        "{who} saved it meanwhile, and nothing of yours is saved since. Whichever you take, the other one "
        "stays behind Undo."
    ),
    "conflict_mine": _("Keep mine"),
    "conflict_theirs": _("Take theirs"),
    "conflict_kept": _("Yours is kept. Undo leads to what the other tab saved."),
    "conflict_taken": _("This is what the other tab saved. Undo leads back to yours."),
    "logged_out_title": _("You are logged out."),
    "logged_out": _("Log in again in another tab, come back and save. What you wrote is still here."),
    "log_in": _("Log in"),
    "refused_title": _("The server does not keep this."),
    "refused": _("It says: {said}"),
    # What is left to do.
    "todo": _("Before publishing"),
    "todo_none": _("Nothing is in the way. Publish it, or go on."),
    "todo_one": _("One thing is left to do."),
    "todo_many": _("{count} things are left to do."),
    "unwritten": _("Still to be written."),
    "field_title": _("Title"),
    "field_text": pgettext_lazy("of a question or an option", "Text"),
    "field_help": _("Help"),
    "findings_refused": _("Refused without a written reason"),
    "findings_warned": _("To be thought over"),
    "todo_more": _("And {count} more."),
}
_LAID_OUT: Final = _("As it is laid out now")
PLAIN_TEXTS: Final = {"strength_own": _LAID_OUT, "strength_number_own": _LAID_OUT}
"""What a plain account reads in place of chances."""


def builder_texts(*, expert: bool = True) -> dict[str, str]:
    """Return the sentences by key, translated; those of the odds are the respondent's own."""
    texts = PAGE_TEXTS | FORM_TEXTS | SCALE_TEXTS | ({} if expert else PLAIN_TEXTS)
    return {key: str(text) for key, text in texts.items()} | label_texts()
