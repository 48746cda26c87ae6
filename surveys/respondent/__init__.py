"""The respondent's page: its sentences, languages and program."""
