"""XLSForms: read a workbook as a questionnaire, and note what has no effect here."""
