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
        "No questions yet. Put sensitive questions into a protected part, and harmless ones "
        "into an open part."
    ),
    "outline_hint": _("Drag ⠿ to move a part, or select it and press Alt with ↑ or ↓."),
    "part_head": _("Title, languages, times"),
    "part_about": _("Information for respondents"),
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
    "tools": _("Actions"),
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
    "duplicated": _("Duplicated {name}. This is the copy."),
    "removed": _("Deleted: {name}."),
    "optional": _("optional"),
    "yes": _("Yes"),
    "no": _("No"),
    "none": _("None of these"),
    "percent_wrong": _("Enter a percentage from {least} to {most}, with at most two decimals."),
    "names_in_data": _("Short names, for tables and files"),
    "key": _("Short name"),
    "key_hint": _(
        "Used in tables, charts and files, where there is no room for the whole text. "
        "Respondents never see it. Letters, digits and - _ . + only. After publishing, a new "
        "name starts a new count."
    ),
    # The panel of privacy.
    "privacy": _("Privacy"),
    "privacy_caption": _("Protection of each part"),
    "privacy_none": _(
        "No protected part yet, so nothing is disguised. Every answer would be stored as given."
    ),
    "privacy_unready": _("Shown once this part has questions and all its probabilities are valid."),
    "privacy_no_prevalence": _("To show the odds, every question of this part needs an expected share."),
    "privacy_anchor": _("not included in the sum"),
    "privacy_anchor_why": _(
        "Everyone knows the true answers here, so this part reveals nothing and is not included"
        " in any sum. This applies to Sottovoce’s own texts only: if you change them, the part "
        "counts like any other."
    ),
    "privacy_sum": _("ε of all parts together"),
    "privacy_sum_partly": _("ε of the parts that are complete"),
    "gamma": _("amplification: how many times as likely a row is from someone it is true of"),
    "epsilon": _("epsilon, the natural logarithm of gamma"),
    "privacy_times": _("γ = {gamma}: at most that many times as likely from someone it is true of."),
    "privacy_open": _("Questions that are not protected: {count}."),
    "privacy_direct": _("Direct answers are stored undisguised. No bound applies to the direct group."),
    "disguised": _("Strongly disguised"),
    "disguised_lightly": _("Lightly disguised"),
    "worst_row": _("The most revealing answers"),
    "worst_skipped": _("Skipping the part"),
    # Saving.
    "state_saved": _("Saved"),
    "state_unsaved": _("Not saved yet"),
    "state_saving": _("Saving"),
    "state_away": _("Not saved: no connection to the server"),
    "state_conflict": _("Not saved: changed elsewhere"),
    "state_logged_out": _("Not saved: logged out"),
    "state_refused": _("Not saved"),
    "save_now": _("Save now"),
    "away_title": _("No connection to the server."),
    "away": _(
        "You can continue. Everything is kept in this tab and saved when the connection is "
        "back. Do not close the tab until then."
    ),
    "conflict_title": _("Another tab changed this survey."),
    "conflict": _(
        "{who} saved it in the meantime, and your changes since then are not saved. Whichever "
        "you choose, you can get the other back with Undo."
    ),
    "conflict_mine": _("Keep my version"),
    "conflict_theirs": _("Use their version"),
    "conflict_kept": _("Your version is kept. Use Undo to get the version of the other tab."),
    "conflict_taken": _("This is the version of the other tab. Use Undo to get yours back."),
    "logged_out_title": _("You are logged out."),
    "logged_out": _("Log in again in another tab, then come back and save. Your text is still here."),
    "log_in": _("Log in"),
    "refused_title": _("The server did not accept this."),
    "refused": _("Its message: {said}"),
    # What is left to do.
    "todo": _("Before publishing"),
    "todo_none": _("No problems left. You can publish, or continue editing."),
    "todo_one": _("One problem is left."),
    "todo_many": _("{count} problems are left."),
    "unwritten": _("To be written."),
    "field_title": _("Title"),
    "field_text": pgettext_lazy("of a question or an option", "Text"),
    "field_help": _("Help"),
    "findings_refused": _("Needs a written reason"),
    "findings_warned": _("Please consider"),
    "todo_more": _("And {count} more."),
}
_LAID_OUT: Final = _("Current setting")
PLAIN_TEXTS: Final = {"strength_own": _LAID_OUT, "strength_number_own": _LAID_OUT}
"""What a plain account reads in place of chances."""


def builder_texts(*, expert: bool = True) -> dict[str, str]:
    """Return the sentences by key, translated; those of the odds are the respondent's own."""
    texts = PAGE_TEXTS | FORM_TEXTS | SCALE_TEXTS | ({} if expert else PLAIN_TEXTS)
    return {key: str(text) for key, text in texts.items()} | label_texts()
