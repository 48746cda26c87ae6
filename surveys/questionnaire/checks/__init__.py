"""Checks of a definition before it is published: its consequences for respondents.

`check.check_definition` returns all findings. A refused definition can still be published with a written
reason, which is kept with the version, logged, and printed in every report (`PublishOverride`). Routing on a
protected answer is not checked, since a design cannot express it. Nor is a choice of the group after the
sensitive text, because the respondent's page asks for it before the first protected part.
"""
