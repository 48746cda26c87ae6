"""Import files: questionnaires that become drafts, and tables of records.

`file_kinds` decides what a file is. `pasted_text` reads a text, `forms.xlsform` a form, and
`files.uploaded_tables` a table of records. Each package imports only packages above it:

- `words`: the words and marks of one line
- `files`: unpack, repair and recognise uploaded files
- `drafts`: the questionnaire that a source holds, and its draft
- `formulas`: formulas and conditions of XLSForms and REDCap
- `lines`: the lines of a text
- `layouts`: layouts that are rewritten first
- `tables`: questions that share answers
- `roles`: the role of each line
- `conditions`: the questions to which conditions refer
- `scores`: the scores that scoring lines describe
- `doubts`: notes where a text may have been misread
- `corrections`: a researcher's corrections in the import report
- `forms`: XLSForms
"""
