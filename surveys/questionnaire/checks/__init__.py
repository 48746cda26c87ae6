"""Checks of a definition before it is published: its consequences for respondents.

`check.check_definition` gives everything that was found. What is refused can still be published with a
written reason, which is kept with the version, logged, and printed in every report (`PublishOverride`).
Routing on a protected answer is not among the checks: a design cannot express it. Neither is a choice of the
group after the sensitive text: the respondent's page asks for it before the first protected part.
"""
