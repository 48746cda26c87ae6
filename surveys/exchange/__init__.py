"""Questionnaires of other programs, read and written: XLSForm, LimeSurvey, SurveyJS, plain text."""
