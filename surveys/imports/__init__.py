"""Import files: questionnaires that become drafts, and tables of records.

`file_kinds` decides what a file is. `pasted_text` reads a text, `forms.xlsform` a form, and
`files.uploaded_tables` a table of records. Each package imports only packages above it:

- `words`: the words and marks of one line
- `files`: unpack and recognise uploaded files, and repair an XLSForm before it is read
- `drafts`: the questionnaire that a source holds, its draft, and which questions are protected
- `formulas`: formulas and conditions of XLSForms, and the rules of scores that they state
- `lines`: the lines of a text: language, answers, skips and conditions that they state
- `layouts`: layouts that are rewritten first, and pages in two columns
- `tables`: questions that share answers: tables, runs of items, and the legends above or below them
- `roles`: the role of each line
- `conditions`: the questions to which conditions refer
- `scores`: the scores that scoring lines describe
- `doubts`: notes where a text may have been misread
- `corrections`: a researcher's corrections in the import report
- `forms`: XLSForms
"""
