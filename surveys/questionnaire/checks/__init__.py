"""Checks of a definition before it is published: its consequences for respondents.

`check.check_definition` returns all findings. A refused definition can still be published with a written
reason, which is kept with the version, logged, and printed in every report (`PublishOverride`). There is no
check of routing on a protected answer, because a design cannot express it. Nor is there one of choosing the
group after the sensitive text, because the respondent's page asks for the group before the first protected
part.
"""
