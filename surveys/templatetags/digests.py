"""The digest of a survey, as the pages of staff and of boards print it."""

from django import template

from surveys.respondent.client_documents import survey_digest

register = template.Library()
register.filter(survey_digest)
