"""The questionnaire that a source holds, and the draft that is made of it."""
